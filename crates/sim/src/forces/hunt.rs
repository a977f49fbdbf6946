//! Hunting predators: choice of target, fatigue, catches, and the return of caught boids at the world's border.
//!
//! A predator chases the prey that `hunt.target` selects among those nearer than `hunt.radius`. For `densest` and
//! `isolated`, boids are counted in cells of a quarter of that radius, at fixed positions in the world: a boid's density
//! is the number of boids in its own cell and the adjacent ones, whether the predator sees them or not.
//!
//! A predator's fatigue grows by `1 / hunt.stamina` per tick with prey in sight. At 1, or after a catch, the predator rests
//! for `hunt.rest` ticks: it flies slowly without a target, and boids do not flee it.

use std::ops::Range;

use rand::RngExt;

use super::environment::{Environment, edges, obstacles};
use super::perception::NeighborIndex;
use super::steering::steer_hunter;
use super::{BoidLanes, heading};
use crate::agents::{Agents, AgentsMut, Kind, Mood, Row};
use crate::math::{Execution, Purpose, Wide, direction, join};
use crate::neighbors::{COINCIDENT, CellList, NUDGE, nudge_direction};
use crate::params::{Hunt, HuntTarget, Params};
use crate::world::{Metric, World};

/// Up to this number, predators search on one thread.
const MIN_PARALLEL: usize = 16;
/// Cells per `hunt.radius`.
const CELLS_PER_RADIUS: f32 = 4.0;
/// Cells counted on each side of the predator's cell: as far as it sees, and one more.
const GRID_REACH: i32 = 5;
/// Width of the counted block, in cells.
const GRID_WIDTH: usize = 2 * GRID_REACH as usize + 1;

/// The target of a predator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quarry {
    /// Offset to the target, in u.
    pub toward: [f32; 3],
    /// Index of the chased boid; of the nearest one if the target is a center.
    pub prey: usize,
    /// Squared distance to that boid, in u².
    pub d2: f32,
}

/// A hunting predator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hunter {
    /// Its index.
    pub place: usize,
    /// Its target, if prey is in sight.
    pub quarry: Option<Quarry>,
    /// The push from other hunting predators nearer than `hunt.separation`, in u.
    pub apart: Option<[f32; 3]>,
}

/// The hunting predators of a tick and their targets, in order of indices and thus of ids.
#[derive(Debug, Default)]
pub(crate) struct Hunters {
    all: Vec<Hunter>,
}

impl Hunters {
    /// Finds the targets of all predators that do not rest. Hunting predators are stored behind the flock.
    pub(crate) fn look<const D: usize>(
        &mut self,
        flock: &CellList,
        params: &Params,
        world: &World,
        execution: Execution,
    ) {
        let agents = &flock.agents;
        let apart = flock.count_in_cells()..agents.len();
        let hunts = |place: &usize| {
            agents.kinds()[*place] == Kind::Predator && !agents.mood_of(*place).is_predator_at_rest(params)
        };
        self.all.clear();
        // Reserve for all, so that a predator that stops resting allocates nothing.
        self.all.reserve(apart.clone().filter(|&place| agents.kinds()[place] == Kind::Predator).count());
        self.all.extend(apart.filter(hunts).map(|place| Hunter { place, quarry: None, apart: None }));
        let search = PreySearch { flock, hunt: &params.hunt, metric: params.metric(world) };
        search.run::<D>(&mut self.all, execution.parallel);
        if params.hunt.separation > 0.0 {
            self.push_apart::<D>(&flock.agents, search.metric, params.hunt.separation);
        }
    }

    /// Pushes hunting predators apart by what their distance lacks, in u.
    fn push_apart<const D: usize>(&mut self, agents: &Agents, metric: Metric, distance: f32) {
        for me in 0..self.all.len() {
            let place = self.all[me].place;
            let (id, position): (u32, Wide<f32, D>) = (agents.ids()[place], agents.position(place));
            let mut push = Wide::<f32, D>::zero();
            for other in self.all.iter().map(|other| other.place).filter(|other| *other != place) {
                let offset = metric.offset(position, agents.position(other));
                let d2 = offset.length_squared();
                if d2 >= distance * distance {
                    continue;
                }
                if d2 <= COINCIDENT {
                    push += nudge_direction(id, agents.ids()[other]) * (distance * NUDGE - distance);
                } else {
                    push += offset * (1.0 - distance / d2.sqrt());
                }
            }
            self.all[me].apart = Some(push.axes());
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Hunter> {
        self.all.iter()
    }

    /// The predator at an index; `None` if it rests.
    pub(crate) fn at(&self, place: usize) -> Option<&Hunter> {
        let found = self.all.binary_search_by_key(&place, |hunter| hunter.place).ok()?;
        self.all.get(found)
    }
}

/// Moves a predator that does not flock; there are few of them.
pub(crate) fn advance<const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    index: usize,
    chunk: &mut AgentsMut<'_>,
) {
    let (agents, hunter) = (&neighbors.flock.agents, neighbors.hunters.at(index));
    let Environment { params, world, .. } = *environment;
    let boid: BoidLanes<f32, D> = BoidLanes::load(agents, index);
    let push = if environment.has_obstacles { Some(obstacles::avoid(environment, &boid)) } else { None };
    let target = hunter.and_then(|hunter| hunter.quarry).map(|quarry| Wide::splat(quarry.toward));
    let apart = hunter.and_then(|hunter| hunter.apart).map(Wide::splat);
    let steering = steer_hunter(boid.position, [target, apart], push, params, world);
    let velocity = boid.velocity + steering.force + steering.replacement;
    let velocity = heading::turn(environment, agents, index..index + 1, boid.velocity, velocity);
    let max_speed = if hunter.is_some() { params.hunt.speed } else { resting_speed(boid.velocity.length(), params) };
    let [min_speed, _] = environment.start_speeds;
    let velocity = heading::clamp_speed(velocity, min_speed.min(max_speed), max_speed);
    let BoidLanes { position, velocity } = environment.fly(agents, index, boid.position, velocity);
    chunk.write(index, position, velocity);
    chunk.set_mood(index, tire(agents.mood_of(index), target.is_some(), params));
}

/// A predator's mood after a tick with or without a chase.
fn tire(mood: Mood, chases: bool, params: &Params) -> Mood {
    let Hunt { stamina, rest, .. } = params.hunt;
    if mood.is_predator_at_rest(params) {
        return Mood::resting((mood.rest().min(rest) - 1.0).max(0.0));
    }
    if stamina == 0.0 {
        return Mood::CALM;
    }
    let effort = if chases { 1.0 / stamina } else { 0.0 };
    // Half an effort of tolerance for the rounding error of the sum.
    if mood.fatigue() + 1.5 * effort > 1.0 {
        return Mood::resting(rest);
    }
    let fatigue = mood.fatigue() + effort;
    // Snap to a multiple of the effort: long sums, or a changed stamina, are further off.
    let share = (fatigue * stamina).round() / stamina;
    Mood::tired(if (fatigue - share).abs() > 0.25 * effort && chases { share } else { fatigue })
}

/// Maximum speed of a resting predator: it slows down gradually to half of `hunt.speed`.
fn resting_speed(speed: f32, params: &Params) -> f32 {
    (0.5 * params.hunt.speed).max(0.97 * speed).min(params.hunt.speed)
}

/// The search for prey.
#[derive(Clone, Copy)]
struct PreySearch<'a> {
    flock: &'a CellList,
    hunt: &'a Hunt,
    metric: Metric,
}

impl PreySearch<'_> {
    fn run<const D: usize>(self, hunters: &mut [Hunter], parallel: bool) {
        if !parallel || hunters.len() <= MIN_PARALLEL {
            for hunter in hunters {
                hunter.quarry = self.quarry::<D>(hunter.place);
            }
            return;
        }
        let half = hunters.len() / 2;
        let (first, rest) = hunters.split_at_mut(half);
        join(parallel, || self.run::<D>(first, parallel), || self.run::<D>(rest, parallel));
    }

    /// The target of the predator at an index.
    fn quarry<const D: usize>(self, place: usize) -> Option<Quarry> {
        let Self { flock, hunt, metric } = self;
        let agents = &flock.agents;
        let (me, position): (u32, Wide<f32, D>) = (agents.ids()[place], agents.position(place));
        let density = match hunt.target {
            HuntTarget::Nearest | HuntTarget::Center => None,
            HuntTarget::Densest | HuntTarget::Isolated => Some(DensityGrid::around(self, position)),
        };
        let mut best: Option<((i64, f32, u32), Quarry)> = None;
        let (mut sum, mut count) = (Wide::zero(), 0.0);
        flock.within(&metric, position, hunt.radius, |other, straight, straight_d2| {
            let (mut offset, mut d2) = (straight, straight_d2);
            let id = agents.ids()[other];
            if d2 <= COINCIDENT {
                let away = hunt.radius * NUDGE;
                (offset, d2) = (nudge_direction(me, id) * away, away * away);
            }
            let others = density.as_ref().map_or(0, |density| density.near(straight));
            let rank = (if hunt.target == HuntTarget::Densest { -others } else { others }, d2, id);
            if best.is_none_or(|(least, _)| rank < least) {
                let quarry = Quarry { toward: offset.axes(), prey: other, d2: straight_d2 };
                best = Some((rank, quarry));
            }
            sum += offset;
            count += 1.0;
        });
        let (_, quarry) = best?;
        if hunt.target == HuntTarget::Center {
            return Some(Quarry { toward: (sum * (1.0 / count)).axes(), ..quarry });
        }
        Some(quarry)
    }
}

/// Number of boids in each cell around a predator.
struct DensityGrid {
    cells: [u32; GRID_WIDTH * GRID_WIDTH * GRID_WIDTH],
    /// Position of the predator within its cell, in cells.
    within: [f32; 3],
    cells_per_u: f32,
}

impl DensityGrid {
    fn around<const D: usize>(search: PreySearch<'_>, position: Wide<f32, D>) -> Self {
        let cells_per_u = CELLS_PER_RADIUS / search.hunt.radius.max(f32::MIN_POSITIVE);
        let within = position.axes().map(|at| {
            let cell = at * cells_per_u;
            cell - cell.floor()
        });
        let mut density = Self { cells: [0; GRID_WIDTH * GRID_WIDTH * GRID_WIDTH], within, cells_per_u };
        let agents = &search.flock.agents;
        let reach = (GRID_REACH + 1) as f32 / cells_per_u;
        search.flock.near(position, reach, |other| {
            let cell = density.cell(search.metric.offset(position, agents.position(other)));
            if let Some(count) = Self::number(cell).and_then(|number| density.cells.get_mut(number)) {
                *count += 1;
            }
        });
        density
    }

    /// Number of boids in the cell at an offset and in the adjacent ones.
    fn near<const D: usize>(&self, offset: Wide<f32, D>) -> i64 {
        let [x, y, z] = self.cell(offset);
        let deep = if D == 3 { -1..=1 } else { 0..=0 };
        let around = deep.flat_map(|dz| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| [x + dx, y + dy, z + dz])));
        around.filter_map(Self::number).map(|number| i64::from(self.cells[number])).sum()
    }

    fn cell<const D: usize>(&self, offset: Wide<f32, D>) -> [i32; 3] {
        let offset = offset.axes();
        // Clamp offsets outside the block, which would overflow.
        let max = (GRID_REACH + 2) as f32;
        [0, 1, 2].map(|axis| (self.within[axis] + offset[axis] * self.cells_per_u).floor().clamp(-max, max) as i32)
    }

    fn number(cell: [i32; 3]) -> Option<usize> {
        let [x, y, z] = cell.map(|at| usize::try_from(at + GRID_REACH).ok().filter(|at| *at < GRID_WIDTH));
        Some((z? * GRID_WIDTH + y?) * GRID_WIDTH + x?)
    }
}

/// Catches the boids that were nearer than `hunt.catch` to a predator that chased them; the predator then rests. The
/// lower id wins if two predators chase the same boid.
pub(crate) fn catch_prey(environment: &Environment<'_>, agents: &mut Agents, hunters: &Hunters) {
    let catch = environment.params.hunt.catch * environment.params.hunt.catch;
    for (hunter, quarry) in hunters.iter().filter_map(|hunter| Some((hunter.place, hunter.quarry?))) {
        let prey = agents.row(quarry.prey);
        if quarry.d2 < catch && prey.kind == Kind::Prey {
            let caught = Row { kind: Kind::Caught, velocity: [0.0; 3], bank: 0.0, ..prey };
            agents.set(quarry.prey, &caught.with_mood(Mood::respawning(environment.params.hunt.respawn)));
            agents.set(hunter, &agents.row(hunter).with_mood(Mood::resting(environment.params.hunt.rest)));
        }
    }
}

/// Counts down for the caught boids in a range, and respawns those whose time is over.
pub(crate) fn respawn(environment: &Environment<'_>, agents: &mut Agents, range: Range<usize>) {
    for index in range {
        let mut boid = agents.row(index);
        if boid.kind != Kind::Caught {
            continue;
        }
        let left = boid.mood().respawn().min(environment.params.hunt.respawn) - 1.0;
        boid = boid.with_mood(Mood::respawning(left.max(0.0)));
        if left <= 0.0 {
            boid.kind = Kind::Prey;
            start_at_border(environment, &mut boid);
        }
        agents.set(index, &boid);
    }
}

/// Puts a boid uniformly on the world's border, with a velocity toward a random point inside and a uniform speed within
/// the limits.
fn start_at_border(environment: &Environment<'_>, boid: &mut Row) {
    let (world, mut rng) = (environment.world, environment.stream(boid.id, Purpose::Respawn));
    let (origin, size) = (world.origin(), world.size());
    let border = match world {
        World::Sphere(radius) => direction(3, rng.random(), rng.random()) * *radius,
        World::Rect(_) | World::Cuboid(_) => {
            let across = face_axis(&size[..world.dim()], rng.random());
            let end = if rng.random::<bool>() { size[across] } else { 0.0 };
            world.vector(|axis| if axis == across { end } else { size[axis] * rng.random::<f32>() })
        }
    };
    // The middle half of the bounding box is inside any world.
    let inside = world.vector(|axis| origin[axis] + size[axis] * (0.25 + 0.5 * rng.random::<f32>()));
    let [least, most] = environment.start_speeds;
    let speed = least + (most - least) * rng.random::<f32>();
    (boid.position, boid.velocity) = (border.axes(), ((inside - border).unit().0 * speed).axes());
    edges::move_inside(boid, environment.params, world);
    obstacles::push_out(boid, environment);
}

/// The axis perpendicular to a face of the box, chosen by `share` (0 … 1) in proportion to the area of the faces.
fn face_axis(size: &[f32], share: f32) -> usize {
    let others = |axis: usize| size.iter().enumerate().filter(move |(other, _)| *other != axis);
    let mut areas = (0..size.len()).map(|axis| others(axis).map(|(_, side)| side).product::<f32>());
    let mut left = share * areas.clone().sum::<f32>();
    let chosen = areas.position(|area| {
        left -= area;
        left < 0.0
    });
    chosen.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::{GridLayout, Placement};
    use crate::params::{Edge, MAX_TICKS};

    #[test]
    fn exhausted_after_exactly_stamina_ticks() {
        let mut params = Params::default();
        params.hunt.rest = 5.0;
        let long = [8000, 10_000, 16_384, 33_333, 50_000, 65_537, 99_999, MAX_TICKS as u32];
        for stamina in (1..=300).chain(long) {
            params.hunt.stamina = stamina as f32;
            let moods = std::iter::successors(Some(Mood::CALM), |&mood| Some(tire(mood, true, &params)));
            assert_eq!(moods.take_while(|mood| mood.rest() == 0.0).count(), stamina as usize);
        }
    }

    #[test]
    fn counts_more_than_65535_boids_per_cell() {
        let (world, mut params) = (World::Rect([100.0, 100.0]), Params::default());
        (params.hunt.radius, params.edge.mode) = (40.0, Edge::Turn);
        let groups = [(70_000, [25.0, 55.0, 0.0]), (70_001, [75.0, 55.0, 0.0])];
        let mut agents = Agents::new(2);
        for position in groups.iter().flat_map(|&(boids, place)| std::iter::repeat_n(place, boids)) {
            agents.push(Row {
                id: agents.len() as u32,
                kind: Kind::Prey,
                position,
                velocity: [0.0; 3],
                mood: 0.0,
                bank: 0.0,
            });
        }
        let mut flock = CellList::default();
        let layout = GridLayout::new(&world, params.edge.mode, params.hunt.radius, agents.len());
        flock.sort(layout, &agents, [Placement::InCells; 3], Execution::default());
        let search = PreySearch { flock: &flock, hunt: &params.hunt, metric: params.metric(&world) };
        let density = DensityGrid::around(search, Wide([55.0; 2]));
        let found = groups.map(|(_, [x, y, _])| density.near(Wide([x, y]) - Wide([55.0; 2])));
        assert_eq!(found, [70_000, 70_001]);
    }
}
