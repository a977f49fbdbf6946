//! The uniform grid in which neighbours are found.
//!
//! The world is cut into rows one reach high (and deep), and each row into cells a quarter of a
//! reach wide (one reach in three dimensions). Cells are numbered along the rows, so whatever lies
//! near a point is a few contiguous runs of agents. The geometry follows from the world, the reach
//! and the number of agents alone, and agents inside a cell stand in order of their ids: the order
//! in which a boid meets its candidates is a function of the state, not of its history.

use std::ops::Range;

use super::World;
use super::agents::{Agents, Kind};
use super::vector::Vector;

/// Cells along a row for each reach, in two dimensions; a finer cut wastes fewer candidates.
const CELLS_PER_REACH: f32 = 4.0;
/// The most cells that each agent may cost.
const CELLS_PER_AGENT: f32 = 4.0;
/// The most cells on an axis: up to there rounding stays well below [`SLACK`].
const MAX_CELLS: f32 = 32_768.0;
/// How much further than asked for is looked, in cells, so that rounding hides nobody.
const SLACK: f32 = 0.01;

/// How one axis is cut.
#[derive(Clone, Copy, Debug)]
struct Axis {
    origin: f32,
    cells_per_u: f32,
    cells: u32,
    wraps: bool,
}

impl Axis {
    fn new(origin: f32, size: f32, cells: f32, wraps: bool) -> Self {
        let cells = cells.floor().clamp(1.0, MAX_CELLS);
        let cells_per_u = if size > 0.0 { cells / size } else { 0.0 };
        let cells = cells as u32;
        Self { origin, cells_per_u, cells, wraps }
    }

    /// The number of the cell at this coordinate; beyond the world it is the last one there.
    fn cell(&self, at: f32) -> u32 {
        floor((at - self.origin) * self.cells_per_u).clamp(0, i64::from(self.cells) - 1).unsigned_abs() as u32
    }

    /// The cells within `radius` of anything from `low` to `high`, as two ascending ranges, of
    /// which the second may be empty.
    fn spans(&self, low: f32, high: f32, radius: f32) -> [Range<u32>; 2] {
        let cell = |at: f32| (at - self.origin) * self.cells_per_u;
        let reach = radius * self.cells_per_u + SLACK;
        let (low, high) = (floor(cell(low) - reach), floor(cell(high) + reach));
        let cells = i64::from(self.cells);
        let cell = |number: i64| number.clamp(0, cells).unsigned_abs() as u32;
        if !self.wraps {
            [cell(low.min(cells - 1))..cell(high.max(0) + 1), 0..0]
        } else if high - low + 1 >= cells {
            [0..self.cells, 0..0]
        } else {
            let (low, high) = (low.rem_euclid(cells), high.rem_euclid(cells));
            if low <= high { [cell(low)..cell(high + 1), 0..0] } else { [0..cell(high + 1), cell(low)..self.cells] }
        }
    }
}

/// A box: its least and its greatest corner.
type Bounds = ([f32; 3], [f32; 3]);

/// The whole number below; saturates, and is 0 for no number.
fn floor(value: f32) -> i64 {
    i64::from(value.floor() as i32)
}

/// The geometry of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    axes: [Axis; 3],
}

impl Layout {
    /// The cut of `world` for looking as far as `reach` (u) among `agents`; `wraps` makes it a torus.
    #[must_use]
    pub fn new(world: &World, wraps: bool, reach: f32, agents: usize) -> Self {
        let (origin, size) = (world.origin(), world.size());
        let reach = reach.max(1e-3);
        let fine = if world.dim() == 2 { CELLS_PER_REACH } else { 1.0 };
        let mut cells = [0, 1, 2].map(|axis| (size[axis] / reach * if axis == 0 { fine } else { 1.0 }).max(1.0));
        let budget = (agents as f32 * CELLS_PER_AGENT).max(64.0);
        // Halve the finest axis until the budget holds: a fixed sequence, the same everywhere.
        while cells.iter().map(|&count| count.floor()).product::<f32>() > budget {
            let finest = if cells[0] >= cells[1] && cells[0] >= cells[2] {
                0
            } else if cells[1] >= cells[2] {
                1
            } else {
                2
            };
            cells[finest] = (cells[finest] * 0.5).max(1.0);
        }
        Self { axes: [0, 1, 2].map(|axis| Axis::new(origin[axis], size[axis], cells[axis], wraps)) }
    }

    /// How many cells there are.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.axes.iter().map(|axis| axis.cells).product()
    }

    /// The number of the cell in which a position lies.
    fn cell(&self, position: [f32; 3]) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|axis| self.axes[axis].cell(position[axis]));
        (z * self.axes[1].cells + y) * self.axes[0].cells + x
    }

    /// The row in which a position lies, as a number.
    fn row(&self, position: [f32; 3]) -> u32 {
        let [y, z] = [1, 2].map(|axis| self.axes[axis].cell(position[axis]));
        z * self.axes[1].cells + y
    }

    /// Calls `visit` with each run of cell numbers that reaches within `radius` of the box from
    /// `low` to `high`, ascending.
    #[inline]
    fn runs(&self, (low, high): Bounds, radius: f32, mut visit: impl FnMut(Range<u32>)) {
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.axes[axis].spans(low[axis], high[axis], radius));
        for z in zs.into_iter().flatten() {
            for y in ys.clone().into_iter().flatten() {
                let row = (z * self.axes[1].cells + y) * self.axes[0].cells;
                for span in &xs {
                    if !span.is_empty() {
                        visit(row + span.start..row + span.end);
                    }
                }
            }
        }
    }
}

/// Where an agent goes when a flock is put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Into its cell, to be found by others.
    Neighbor,
    /// Behind all cells, where nobody finds it.
    Apart,
    /// Nowhere.
    Absent,
}

/// Agents in the order (cell, id), and where each cell begins. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    layout: Option<Layout>,
    /// The agents, in order.
    pub(super) agents: Agents,
    starts: Vec<u32>,
    cells: Vec<u32>,
    order: Vec<u32>,
}

impl Sorted {
    /// Puts `source` in order.
    pub(super) fn sort(&mut self, layout: Layout, source: &Agents, role: impl Fn(Kind) -> Role) {
        self.layout = Some(layout);
        self.count(layout, source, role);
        self.scatter();
        self.order_by_id(source);
        self.agents.gather(source, &self.order);
    }

    /// Finds each agent's cell, and how many each cell holds: `starts[cell + 1]` counts `cell`.
    fn count(&mut self, layout: Layout, source: &Agents, role: impl Fn(Kind) -> Role) {
        let apart = layout.cells();
        self.starts.clear();
        self.starts.resize(apart as usize + 3, 0);
        self.cells.clear();
        self.cells.extend((0..source.len()).map(|index| match role(source.kinds()[index]) {
            Role::Apart => apart,
            Role::Absent => apart + 1,
            Role::Neighbor => layout.cell(source.place_of(index)),
        }));
        for &cell in &self.cells {
            self.starts[cell as usize + 1] += 1;
        }
    }

    /// Sums the counts up and lays the agents' places out by cell; the absent are dropped.
    fn scatter(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.order.clear();
        self.order.resize(self.cells.len(), 0);
        for (index, &cell) in (0_u32..).zip(&self.cells) {
            let slot = &mut self.starts[cell as usize];
            self.order[*slot as usize] = index;
            *slot += 1;
        }
        // Each start has moved on to its cell's end, which is the next cell's start.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        self.order.truncate(self.starts[self.starts.len() - 2] as usize);
    }

    /// Puts every cell in order of ids; most are already.
    fn order_by_id(&mut self, source: &Agents) {
        let ids = source.ids();
        for bounds in self.starts[..self.starts.len() - 1].windows(2) {
            let cell = &mut self.order[bounds[0] as usize..bounds[1] as usize];
            if !cell.is_sorted_by_key(|&index| ids[index as usize]) {
                cell.sort_unstable_by_key(|&index| ids[index as usize]);
            }
        }
    }

    /// Cuts places into blocks of at most `most` that stand side by side in one row of the grid.
    pub(super) fn blocks(&self, places: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
        let row = |place: usize| self.layout.map_or(0, |layout| layout.row(self.agents.place_of(place)));
        let mut next = places.start;
        std::iter::from_fn(move || {
            let first = next;
            if first == places.end {
                return None;
            }
            let this = row(first);
            next = (first + 1..places.end.min(first + most))
                .find(|&place| row(place) != this)
                .unwrap_or(places.end.min(first + most));
            Some(first..next)
        })
    }

    /// Calls `visit` with each run of places whose agents may stand within `radius` of a box, in order.
    #[inline]
    pub(super) fn runs(&self, bounds: Bounds, radius: f32, mut visit: impl FnMut(Range<usize>)) {
        let Some(layout) = self.layout else { return };
        layout.runs(bounds, radius, |cells| {
            let (first, end) = (self.starts[cells.start as usize], self.starts[cells.end as usize]);
            if first < end {
                visit(first as usize..end as usize);
            }
        });
    }

    /// Calls `visit` with the place of every agent that may stand within `radius` of `at`, in order.
    #[inline]
    pub(super) fn near<V: Vector>(&self, at: V, radius: f32, mut visit: impl FnMut(usize)) {
        let at = at.axes();
        self.runs((at, at), radius, |run| run.for_each(&mut visit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    fn herd(world: &World, wraps: bool, reach: f32, points: &[[f32; 2]]) -> Sorted {
        let mut agents = Agents::new(2);
        for (id, &[x, y]) in (0..).zip(points) {
            agents.push(id, Kind::Prey, [x, y, 0.0], [0.0; 3]);
        }
        let mut sorted = Sorted::default();
        sorted.sort(Layout::new(world, wraps, reach, points.len()), &agents, |_| Role::Neighbor);
        sorted
    }

    #[test]
    fn cells_hold_their_agents_in_order_of_ids() {
        let world = World::Flat([100.0, 100.0]);
        let points: Vec<[f32; 2]> = (0..50).map(|k| [(k % 3) as f32 * 30.0, 50.0]).rev().collect();
        let sorted = herd(&world, false, 10.0, &points);
        let mut found = vec![];
        sorted.near(Vec2::new(30.0, 50.0), 1.0, |index| found.push(sorted.agents.ids()[index]));
        assert!(found.len() >= 16 && found.is_sorted(), "{found:?}");
    }

    #[test]
    fn a_point_beyond_the_border_is_found_from_inside() {
        let world = World::Flat([100.0, 100.0]);
        let sorted = herd(&world, false, 10.0, &[[104.0, 50.0], [1e9, 50.0], [-3.0, -3.0]]);
        let near = |x, y| {
            let mut found = vec![];
            sorted.near(Vec2::new(x, y), 10.0, |index| found.push(sorted.agents.ids()[index]));
            found
        };
        assert!(near(99.0, 50.0).contains(&0));
        assert!(near(1e9, 50.0).contains(&1));
        assert!(near(2.0, 2.0).contains(&2));
    }

    #[test]
    fn a_torus_is_looked_at_across_its_seams_and_nobody_twice() {
        let world = World::Flat([40.0, 40.0]);
        for reach in [1.0, 6.0, 19.0, 100.0] {
            let sorted = herd(&world, true, reach, &[[39.9, 39.9], [0.1, 0.1], [20.0, 20.0]]);
            let mut found = vec![];
            sorted.near(Vec2::new(0.0, 0.0), reach, |index| found.push(sorted.agents.ids()[index]));
            assert!(found.contains(&0) && found.contains(&1));
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), if reach > 15.0 { 3 } else { 2 });
        }
    }
}
