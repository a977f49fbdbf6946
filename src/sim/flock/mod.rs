//! The flock: its state, and what one tick does to it.

pub(crate) mod apply;
pub(crate) mod morph;

use glam::{Vec2, Vec3};

use super::agents::{Agents, Kind};
use super::environment::Environment;
use super::environment::edges;
use super::environment::zones::{Zones, covers};
use super::math::metric::Metric;
use super::math::vector::Vector;
use super::neighbors::cell_list::CellList;
use super::neighbors::query::NeighborIndex;
use super::params::Params;
use super::predators::respawn::Respawn;
use super::scratch::Scratch;
use super::setup::Setup;
use super::snapshot;
use super::snapshot::Row;
use super::spawn::{Start, spawn};
use super::tick::Tick;
use super::{Error, Pointer, World, Zone, ZoneKind};
use morph::Morph;

use apply::check_counts;

/// The most boids that a flock can have.
pub const MAX_BOIDS: usize = 10_000_000;
/// The most predators.
pub const MAX_PREDATORS: usize = 1000;
/// The latest tick that a flock can go on from: beyond it times are not exact in all that reckons with them.
pub const MAX_TICK: u64 = 1 << 53;

/// A flock of boids, and the predators among it.
///
/// Its next state is a pure function of state, rules, seed and tick.
#[derive(Clone, Debug)]
pub struct Flock {
    params: Params,
    world: World,
    start: Start,
    seed: u64,
    tick: u64,
    agents: Agents,
    predators: usize,
    caught: usize,
    zones: Zones,
    pointer: Option<Pointer>,
    /// The way to other rules, while they are not reached.
    morph: Option<Morph>,
}

impl Flock {
    /// A flock at tick 0.
    ///
    /// # Errors
    ///
    /// [`Error::Count`], [`Error::World`], [`Error::Conflict`] or [`Error::Zone`] where the setup makes no sense.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        check_counts(setup.boids, setup.predators)?;
        let mut flock = Self::empty(setup)?;
        flock.set_counts(setup.boids, setup.predators);
        Ok(flock)
    }

    /// A flock that goes on from rows of another one's state, at that one's tick.
    ///
    /// The counts of `setup` are not used: the rows are who there is.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`], and [`Error::State`] where ids repeat, a row cannot be of this world or the tick is above
    /// [`MAX_TICK`].
    pub fn from_rows(setup: &Setup, tick: u64, rows: &[Row]) -> Result<Self, Error> {
        let mut flock = Self::empty(setup)?;
        if tick > MAX_TICK {
            return Err(Error::State(format!("tick {tick} is above {MAX_TICK}")));
        }
        let mut ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
        ids.sort_unstable();
        if let Some(id) = ids.windows(2).find_map(|pair| (pair[0] == pair[1]).then_some(pair[0])) {
            return Err(Error::State(format!("id {id} stands there twice")));
        }
        let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
        (flock.predators, flock.caught) = (count(Kind::Predator), count(Kind::Caught));
        flock.agents.track_moods(true);
        for (index, row) in rows.iter().enumerate() {
            setup.check_row(row)?;
            flock.agents.push(row.id, row.kind, row.position, row.velocity);
            flock.agents.set_mood(index, row.mood);
        }
        check_counts(flock.size(), flock.predators)?;
        flock.tick = tick;
        // Nobody where these very zones stood before.
        flock.clear_obstacles();
        flock.agents.track_moods(flock.uses_moods());
        Ok(flock)
    }

    fn empty(setup: &Setup) -> Result<Self, Error> {
        let world = setup.world.check()?;
        setup.params.check(&world)?;
        Ok(Self {
            params: setup.params,
            world,
            start: setup.start,
            seed: setup.seed,
            tick: 0,
            agents: Agents::new(world.dim()),
            predators: 0,
            caught: 0,
            zones: Zones::new(&setup.zones, &setup.params, &world)?,
            pointer: None,
            morph: None,
        })
    }

    fn add(&mut self, id: u32, kind: Kind) {
        let (position, velocity) = spawn(self.start, &self.params, &self.world, self.seed, id, kind);
        let (position, velocity) = edges::move_inside(position, velocity, &self.params, &self.world);
        self.agents.push(id, kind, position, velocity);
        self.predators += usize::from(kind == Kind::Predator);
    }

    fn next_id(&self) -> u32 {
        self.agents.ids().iter().max().map_or(0, |id| id + 1)
    }

    /// Flies one tick.
    pub fn step(&mut self, scratch: &mut Scratch) {
        if self.morph.is_some() {
            self.advance_morph();
        }
        match self.world.dim() {
            2 => self.step_in::<Vec2, 2>(scratch),
            _ => self.step_in::<Vec3, 3>(scratch),
        }
    }

    /// The tick: everyone reads the state as it was when the tick began.
    fn step_in<V: Vector, const D: usize>(&mut self, scratch: &mut Scratch) {
        self.agents.track_moods(self.uses_moods());
        let execution = scratch.sort(&self.agents, &self.params, &self.world, self.predators);
        if self.predators > 0 {
            scratch.hunt::<V, D>(&self.params, &self.world, execution);
        }
        let zones = self.zones.zones();
        let tick = Tick {
            params: &self.params,
            world: &self.world,
            environment: Environment::new(&self.params, &self.world, zones, self.pointer, (self.seed, self.tick)),
            seed: self.seed,
            number: self.tick,
            execution,
            stopwatch: scratch.stopwatch.as_ref(),
        };
        tick.advance::<V, D>(&scratch.neighbors, self.agents.motion());
        if self.zones.has(ZoneKind::Food) {
            self.eat::<V>(&scratch.neighbors.flock);
        }
        self.agents.swap_order(&mut scratch.neighbors.flock.agents);
        self.update_caught(&scratch.neighbors);
        self.tick += 1;
    }

    /// Takes caught prey out of the flock, and brings back whose time has come.
    fn update_caught(&mut self, senses: &NeighborIndex) {
        if self.caught == 0 && (self.params.hunt.catch == 0.0 || self.predators == 0) {
            return;
        }
        let now = (self.seed, self.tick);
        let environment = Environment::new(&self.params, &self.world, self.zones.zones(), self.pointer, now);
        let respawn = Respawn { params: &self.params, world: &self.world, environment: &environment, now };
        if self.caught > 0 {
            let apart = senses.flock.count_in_cells()..self.agents.len();
            self.caught -= respawn.respawn(&mut self.agents, apart);
        }
        if self.params.hunt.catch > 0.0 && self.predators > 0 {
            self.caught += respawn.catch_prey(&mut self.agents, &senses.hunters);
        }
    }

    /// Whether anything depends on moods; else they are not kept, and cost nothing.
    #[must_use]
    pub fn uses_moods(&self) -> bool {
        self.caught > 0 || self.params.tires() || self.params.alarms() || self.zones.has(ZoneKind::Roost)
    }

    /// Those who stand on food eat of it.
    fn eat<V: Vector>(&mut self, flock: &CellList) {
        let metric = Metric::new(&self.params, &self.world);
        self.zones.eat(&self.params, |zone| {
            let mut eaters = 0;
            flock.near(V::from_axes(zone.center), zone.radius, |place| {
                let stands = covers(zone, flock.agents.position::<V>(place), &metric);
                eaters += u32::from(stands && flock.agents.kinds()[place] == Kind::Prey);
            });
            eaters
        });
    }

    /// The rules and the world when all has been reached that is on its way: those of now where nothing is.
    #[must_use]
    pub fn morph_target(&self) -> (&Params, World) {
        self.morph.as_ref().map_or((&self.params, self.world), Morph::end)
    }

    /// The rules.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> World {
        self.world
    }

    /// The seed that this run follows from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many ticks have been elapsed.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// How many boids there are, predators and those who are caught not counted.
    #[must_use]
    pub fn boids(&self) -> usize {
        self.size() - self.caught
    }

    /// How many boids were caught, and are to come back.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.caught
    }

    /// How many boids the flock has when all are back, as [`Command::SetBoids`](crate::sim::Command::SetBoids) counts them.
    #[must_use]
    pub fn size(&self) -> usize {
        self.agents.len() - self.predators
    }

    /// How many predators there are.
    #[must_use]
    pub fn predators(&self) -> usize {
        self.predators
    }

    /// What stands in the world, in the order in which it was put there.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        self.zones.zones()
    }

    /// What is held over the flock.
    #[must_use]
    pub fn pointer(&self) -> Option<Pointer> {
        self.pointer
    }

    /// Everyone, in an order that carries no meaning.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// Everyone's state, in order of ids.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        snapshot::rows(&self.agents)
    }

    /// A hash of the state: see [`snapshot::hash`](crate::sim::hash).
    #[must_use]
    pub fn hash(&self) -> u64 {
        snapshot::hash(&self.rows())
    }
}
