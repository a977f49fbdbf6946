//! The search of hunting predators for prey, and their distance from each other.
//!
//! A predator chases the prey that `hunt.target` selects among those nearer than `hunt.radius`. For `densest` and
//! `isolated`, boids are counted in cells of a quarter of that radius, at fixed positions in the world: a boid's density
//! is the number of boids in its own cell and the adjacent ones, whether the predator sees them or not.

use crate::agents::{Agents, Kind};
use crate::math::{Execution, Wide, join};
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
    pub all: Vec<Hunter>,
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
        let predators = (flock.count_in_cells()..agents.len()).filter(|&place| agents.kinds()[place] == Kind::Predator);
        self.all.clear();
        // Reserve for all, so that a predator that stops resting allocates nothing.
        self.all.reserve(predators.clone().count());
        let hunting = predators.filter(|&place| !agents.mood_of(place).is_predator_at_rest(params));
        self.all.extend(hunting.map(|place| Hunter { place, quarry: None, apart: None }));
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

    /// The predator at an index; `None` if it rests.
    pub(crate) fn at(&self, place: usize) -> Option<&Hunter> {
        let found = self.all.binary_search_by_key(&place, |hunter| hunter.place).ok()?;
        self.all.get(found)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Row;
    use crate::neighbors::{GridLayout, Placement};
    use crate::params::Edge;

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
