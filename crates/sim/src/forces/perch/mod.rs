//! Perches: points at which boids rest, one each.
//!
//! A called boid flies to its perch and arrives (Reynolds 1999, *arrival*). With `r` the offset to the perch, `d = |r|`, `w` the
//! weight, `v` its velocity at the beginning of the tick and `v'` the one that all other rules give it:
//!
//! - it brakes within `b = max(2 · speed.max / w, speed.max² / max_force)`, and `s = min(1, d / b)`;
//! - its steering is `(v' − v) + w · (s · speed.max · r̂ − v)`, where `v' − v` is limited to `w · s · speed.max / 2`, half the pull of
//!   the perch: otherwise neighbors would push it away, and the lower limit of speed would keep it circling;
//! - its steering is limited to `max_force`, and its speed to `speed.max`;
//! - it lands if it is then within `speed.max / 4` of the perch.
//!
//! The border does not act on a called boid.
//!
//! A boid at rest takes off if a predator or the pointer comes nearer than `perch.free`, away from it, and returns when they
//! have gone. It leaves for good when its time is over or when it is called off.

mod arrival;
mod assignment;
mod shelter;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rand::RngExt;

use super::environment::{Environment, take_off};
use crate::agents::{Agents, Kind, Mood, Row};
use crate::error::Error;
use crate::math::{Purpose, Wide};
use crate::world::Metric;
use assignment::assign;
pub use shelter::Shelter;

/// Maximum number of perches.
pub const MAX_PERCHES: usize = 50_000;
/// Boids with larger ids are not called: a table has an entry for each id.
const MAX_ID: u32 = 1 << 24;
/// The ticks that a boid rests if `perch.hold` is infinite: it does not count them down.
const FOREVER: f32 = 1e6;
/// The most ticks until a boid leaves that is called off, so that a text dissolves letter by letter.
const LEAVES_WITHIN: f32 = 60.0;
/// The entry of an id without a perch.
const NONE: u32 = u32::MAX;
/// The bit of an entry whose boid was called off, or whose time is over.
const LEAVES: u32 = 1 << 31;

/// A point at which one boid can rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perch {
    /// The point, in u, which a periodic world replaces by its image inside; the third axis is 0 in 2-D.
    pub at: [f32; 3],
    /// A number that the simulation copies and never reads, such as that of a glyph which the boid shows instead of its body, at rest and
    /// in flight.
    pub number: Option<u32>,
}

/// Perches that form a picture, such as a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Formation {
    /// The perches, the most important first.
    pub perches: Vec<Perch>,
    /// The plane in which they are, as seen, for pictures; usually `None`.
    pub plane: Option<Plane>,
    /// What predators keep off; `None` if they drive boids off at any time.
    pub shelter: Option<Shelter>,
}

/// A part of a plane that fills a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The middle of the view, in u.
    pub center: [f32; 3],
    /// From the middle to the right edge of the view, in u.
    pub right: [f32; 3],
    /// From the middle to the lower edge of the view, in u.
    pub down: [f32; 3],
}

/// The perches of a flock, and the boid of each.
#[derive(Clone, Debug)]
pub struct Perches {
    formation: Arc<Formation>,
    /// By id: the index of the perch, with [`LEAVES`] if the boid no longer seeks it, or [`NONE`].
    by_id: Vec<u32>,
    /// The ticks left in which predators keep off the shelter; 0 until they strike, and below 0 during a strike.
    calm: f32,
}

impl Formation {
    /// Checks the number of perches, and that all coordinates are finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let count = self.perches.len();
        if !(1..=MAX_PERCHES).contains(&count) {
            return Err(Error::Zone(format!("{count} perches: expected 1 to {MAX_PERCHES}")));
        }
        let planes = self.plane.iter().chain(self.shelter.iter().map(|shelter| &shelter.area));
        let points = planes.flat_map(|plane| [plane.center, plane.right, plane.down]);
        let points = points.chain(self.shelter.iter().map(|shelter| shelter.eye));
        let mut numbers = self.perches.iter().map(|perch| perch.at).chain(points).flatten();
        let invalid = |message: &str| Err(Error::Zone(message.to_owned()));
        if !numbers.all(f32::is_finite) {
            return invalid("invalid perch: expected finite coordinates");
        }
        if self.shelter.is_some_and(|shelter| shelter.calm.is_nan() || shelter.calm <= 0.0) {
            return invalid("invalid shelter: expected more than 0 ticks of calm");
        }
        Ok(())
    }

    /// The same with all perches inside a periodic world.
    pub(crate) fn inside(self: &Arc<Self>, metric: &Metric) -> Arc<Self> {
        if !metric.wraps() {
            return self.clone();
        }
        let perches = self.perches.iter().map(|perch| Perch { at: metric.wrap(Wide(perch.at)).0, ..*perch });
        Arc::new(Self { perches: perches.collect(), ..**self })
    }
}

impl Perches {
    /// Calls the nearest boids to these points; the first points come first if there are too few boids. A boid that is on one of
    /// the points, or flies to it, keeps it.
    pub(crate) fn call(
        formation: Arc<Formation>,
        before: Option<&Self>,
        environment: &Environment<'_>,
        agents: &mut Agents,
    ) -> Self {
        let rows = callable(agents);
        let mut perches = Self::new(formation, &rows);
        let kept = perches.keep(before, &rows);
        let filled = perches.formation.perches.len().min(rows.len()) as u32;
        let open: Vec<u32> = (0..filled).filter(|index| !kept.contains(index)).collect();
        let is_bound = |row: &Row| before.is_some_and(|before| before.entry(row.id) != NONE);
        let (bound, free): (Vec<Row>, Vec<Row>) =
            rows.into_iter().filter(|row| perches.entry(row.id) == NONE).partition(is_bound);
        for (id, index) in assign(&perches.formation.perches, open, [bound, free], &environment.metric) {
            perches.by_id[id as usize] = index;
        }
        agents.update(|row| {
            let stays = perches.called_to(row.id).map(|perch| perch.at == row.position);
            if row.kind == Kind::Prey && !stays.unwrap_or(!is_bound(row)) {
                wake(environment, row);
            }
        });
        perches
    }

    /// Puts boids on these points at once, in order of ids.
    pub(crate) fn place(formation: Arc<Formation>, hold: f32, agents: &mut Agents) -> Self {
        let rows = callable(agents);
        let mut perches = Self::new(formation, &rows);
        for (row, index) in rows.iter().zip(0..perches.formation.perches.len() as u32) {
            perches.by_id[row.id as usize] = index;
        }
        agents.update(|row| {
            if let Some(perch) = perches.called_to(row.id) {
                let at = Row { position: perch.at, velocity: [0.0; 3], ..*row };
                *row = at.with_mood(Mood::resting(hold.min(FOREVER)));
            }
        });
        perches
    }

    fn new(formation: Arc<Formation>, rows: &[Row]) -> Self {
        let calm = formation.shelter.map_or(0.0, |shelter| shelter.calm);
        Self { formation, by_id: vec![NONE; rows.last().map_or(0, |row| row.id as usize + 1)], calm }
    }

    /// Lets boids keep the points at which they are, or to which they fly. Returns the indices of these points.
    fn keep(&mut self, before: Option<&Self>, rows: &[Row]) -> HashSet<u32> {
        let key = |at: [f32; 3]| at.map(f32::to_bits);
        let by_point: HashMap<_, u32> = self.formation.perches.iter().map(|perch| key(perch.at)).zip(0..).collect();
        let mut kept = HashSet::new();
        for row in rows {
            let target = before.and_then(|before| before.perch_of(row.id)).map_or(row.position, |perch| perch.at);
            if let Some(&index) = by_point.get(&key(target)).filter(|index| kept.insert(**index)) {
                self.by_id[row.id as usize] = index;
            }
        }
        kept
    }

    /// Calls all boids off. Those at rest leave one after the other.
    pub(crate) fn release(&mut self, environment: &Environment<'_>, agents: &mut Agents) {
        for entry in self.by_id.iter_mut().filter(|entry| **entry != NONE) {
            *entry |= LEAVES;
        }
        agents.update(|row| {
            if self.entry(row.id) != NONE && row.mood().rest() > 0.0 {
                let share: f32 = environment.stream(row.id, Purpose::Rest).random();
                *row = row.with_mood(Mood::resting((share * LEAVES_WITHIN).floor() + 1.0));
            }
        });
    }

    /// Lets all boids at rest take off, before the perches are dropped.
    pub(crate) fn wake_all(&self, environment: &Environment<'_>, agents: &mut Agents) {
        agents.update(|row| {
            if row.kind == Kind::Prey && self.entry(row.id) != NONE {
                wake(environment, row);
            }
        });
    }

    /// What they form.
    pub fn formation(&self) -> &Arc<Formation> {
        &self.formation
    }

    /// Whether any perch has a number.
    pub fn has_numbered(&self) -> bool {
        self.formation.perches.iter().any(|perch| perch.number.is_some())
    }

    /// Whether all perches have numbers.
    pub fn has_only_numbered(&self) -> bool {
        self.formation.perches.iter().all(|perch| perch.number.is_some())
    }

    /// The index of the perch of the boid with this id, even after it was called off.
    #[inline]
    pub fn index_of(&self, id: u32) -> Option<usize> {
        Some((self.entry(id) & !LEAVES) as usize).filter(|index| *index < self.formation.perches.len())
    }

    /// The perch of the boid with this id, even after it was called off.
    #[inline]
    pub fn perch_of(&self, id: u32) -> Option<&Perch> {
        self.index_of(id).map(|index| &self.formation.perches[index])
    }

    /// The perch that the boid with this id seeks or rests on.
    pub fn called_to(&self, id: u32) -> Option<&Perch> {
        self.formation.perches.get(self.entry(id) as usize)
    }

    /// How many of these boids rest on their perches.
    pub fn resting(&self, agents: &Agents) -> usize {
        let still = agents.iter().filter(|row| row.velocity == [0.0; 3]);
        still.filter(|row| self.perch_of(row.id).is_some_and(|perch| perch.at == row.position)).count()
    }

    /// Whether any boid is called.
    pub fn has_called(&self) -> bool {
        self.by_id.iter().any(|entry| entry & LEAVES == 0)
    }

    #[inline]
    fn entry(&self, id: u32) -> u32 {
        self.by_id.get(id as usize).copied().unwrap_or(NONE)
    }

    /// The table by id, as numbers for a hash.
    pub(crate) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let calm = self.formation.shelter.map(|_| self.calm.to_bits());
        let points = self.formation.perches.iter().flat_map(|perch| perch.at.map(f32::to_bits));
        self.by_id.iter().copied().chain(points).chain(calm)
    }

    /// The memory that it takes, in bytes, without the points, which copies share.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.by_id)
    }
}

/// The boids that can be called, in order of ids.
fn callable(agents: &Agents) -> Vec<Row> {
    let mut rows: Vec<Row> = agents.iter().filter(|row| row.kind == Kind::Prey && row.id < MAX_ID).collect();
    rows.sort_unstable_by_key(|row| row.id);
    rows
}

/// Lets a boid take off if it rests.
fn wake(environment: &Environment<'_>, row: &mut Row) {
    if row.mood().rest() > 0.0 {
        *row = Row { velocity: take_off(environment, row.id), ..row.with_mood(Mood::CALM) };
    }
}
