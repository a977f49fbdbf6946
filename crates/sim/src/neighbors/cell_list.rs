//! Agents sorted by grid cell, and where each cell begins.

use std::ops::Range;

use super::grid::{Bounds, CellRuns, GridLayout, Shift, Window};
use crate::agents::{Agents, AgentsMut, Kind};
use crate::math::{Execution, Wide, join};
use crate::simd::{Lanes, Task};
use crate::world::Metric;

/// The number of agents whose cells are found in one piece.
const CHUNK: usize = 2048;
/// The maximum number of bands of cells that are sorted separately; a power of two. With 256, a tick on one thread takes 5 % longer, and
/// one on 16 cores is no faster (`docs/performance.md`).
const MAX_BANDS: usize = 64;
/// The minimum mean number of agents in a band: as many as fit easily into a core's cache.
const BAND: usize = 4096;
/// The number of agents whose numbers share a cache line.
const CACHE_LINE: usize = 16;
/// The number of agents from which on they exceed a core's own cache.
const MIN_PREFETCH: usize = 50_000;

/// Where agents of a kind go when they are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Into their cells, where others find them.
    InCells,
    /// Behind all cells, where no search finds them.
    AfterCells,
    /// Nowhere.
    Omitted,
}

/// The smallest and the largest cell of some agents.
type CellRange = (u32, u32);

/// Agents in order of (cell, id). Rebuilt every tick.
#[derive(Debug, Default)]
pub(crate) struct CellList {
    layout: GridLayout,
    /// The agents, in order.
    pub(crate) agents: Agents,
    /// The index at which each cell begins; after the cells, that of the agents placed behind them and of those omitted.
    starts: Vec<u32>,
    /// Scratch: the cell of each agent of the source.
    cells: Vec<u32>,
    /// Scratch: the cell range of each chunk of the source.
    ranges: Vec<CellRange>,
}

impl CellList {
    /// Sorts `source`. `placements` are those of prey, predators and caught boids.
    pub(crate) fn sort(
        &mut self,
        layout: GridLayout,
        source: &Agents,
        placements: [Placement; 3],
        execution: Execution,
    ) {
        self.layout = layout;
        self.cells.resize(source.len(), 0);
        self.ranges.resize(source.len().div_ceil(CHUNK), (0, 0));
        let task = FindCells { layout, source, placements, first: 0, cells: &mut self.cells, ranges: &mut self.ranges };
        task.run_on_all_threads(execution);

        let unsorted = Unsorted { source, cells: &self.cells, ranges: &self.ranges, parallel: execution.parallel };
        // Besides the cells, a slot for the agents behind them and one for those omitted.
        let slots = layout.cells() as usize + 2;
        let bands = (source.len() / BAND).next_power_of_two().min(MAX_BANDS);
        let mut counts = [0; MAX_BANDS];
        unsorted.count_bands(0..slots, &mut counts[..bands]);

        let present =
            if placements.contains(&Placement::Omitted) { unsorted.count(0..slots - 1) } else { source.len() };
        self.agents.resize_like(source, present);
        if self.starts.capacity() <= slots {
            // Capacity for the most cells: a morph adds a few each tick.
            self.starts.reserve_exact((GridLayout::max_cells(source.len()) + 3).max(slots + 1) - self.starts.len());
        }
        self.starts.resize(slots + 1, 0);
        self.starts[0] = 0;
        let all = Band { first_cell: 0, starts: &mut self.starts[1..], sorted: self.agents.as_mut() };
        unsorted.sort_bands(all, &counts[..bands]);
    }

    /// The number of agents in cells; the others follow them in memory.
    pub(crate) fn count_in_cells(&self) -> usize {
        self.starts.len().checked_sub(3).map_or(0, |behind| self.starts[behind] as usize)
    }

    /// Cuts a range of agents in cells into blocks of at most `max` that are adjacent in one row of the grid.
    #[inline(always)]
    pub(crate) fn blocks(&self, agents: Range<usize>, max: usize) -> Blocks<'_> {
        let cells_per_row = self.layout.cells_per_row() as usize;
        let row =
            if agents.is_empty() { 0 } else { self.layout.row(self.agents.position_array(agents.start)) as usize };
        Blocks { starts: &self.starts, cells_per_row, row, agents, max }
    }

    /// The cells that reach within `radius` of a box.
    #[inline(always)]
    pub(crate) fn window(&self, bounds: Bounds, radius: f32) -> Window {
        self.layout.window(bounds, radius)
    }

    /// The runs of agents in a window, in order, each with the offset of the periodic image in which it is near.
    #[inline(always)]
    pub(crate) fn runs(&self, window: Window) -> AgentRuns<'_> {
        AgentRuns { starts: &self.starts, cells: self.layout.runs(window) }
    }

    /// Calls `visit` with the index of every agent that may be within `radius` of `center`, in order.
    #[inline]
    pub(crate) fn near<const D: usize>(&self, center: Wide<f32, D>, radius: f32, mut visit: impl FnMut(usize)) {
        let center = center.axes();
        for (run, _) in self.runs(self.window((center, center), radius)) {
            // A loop, since the compiler does not always inline `visit` into `for_each`.
            for index in run {
                visit(index);
            }
        }
    }

    /// Calls `visit(index, offset, squared distance)` for every agent within `radius` of `center`, in order.
    #[inline]
    pub(crate) fn within<const D: usize>(
        &self,
        metric: &Metric,
        center: Wide<f32, D>,
        radius: f32,
        mut visit: impl FnMut(usize, Wide<f32, D>, f32),
    ) {
        self.near(center, radius, |index| {
            let offset = metric.minimum_image(self.agents.position::<D>(index) - center);
            let d2 = offset.length_squared();
            if d2 < radius * radius {
                visit(index, offset, d2);
            }
        });
    }
}

/// Ranges of agents that are adjacent in one row of the grid.
pub(crate) struct Blocks<'a> {
    starts: &'a [u32],
    cells_per_row: usize,
    row: usize,
    agents: Range<usize>,
    max: usize,
}

impl Iterator for Blocks<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let first = self.agents.start;
        if first >= self.agents.end {
            return None;
        }
        let mut row_end = self.starts[(self.row + 1) * self.cells_per_row] as usize;
        while row_end <= first {
            self.row += 1;
            row_end = self.starts[(self.row + 1) * self.cells_per_row] as usize;
        }
        let end = (first + self.max).min(row_end).min(self.agents.end);
        self.agents.start = end;
        Some(first..end)
    }
}

/// Runs of adjacent agents.
pub(crate) struct AgentRuns<'a> {
    starts: &'a [u32],
    cells: CellRuns,
}

impl Iterator for AgentRuns<'_> {
    type Item = (Range<usize>, Shift);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (cells, shift) = self.cells.next()?;
        let (first, end) = (self.starts[cells.start as usize], self.starts[cells.end as usize]);
        Some((first as usize..end as usize, shift))
    }
}

/// Finds the cells of agents.
struct FindCells<'a> {
    layout: GridLayout,
    source: &'a Agents,
    placements: [Placement; 3],
    first: usize,
    cells: &'a mut [u32],
    ranges: &'a mut [CellRange],
}

impl FindCells<'_> {
    fn run_on_all_threads(self, execution: Execution) {
        if self.ranges.len() <= 1 {
            return execution.simd.run(self);
        }
        let half = self.ranges.len() / 2;
        let (cells, right_cells) = self.cells.split_at_mut(half * CHUNK);
        let (ranges, right_ranges) = self.ranges.split_at_mut(half);
        let right = FindCells { first: self.first + half * CHUNK, cells: right_cells, ranges: right_ranges, ..self };
        let left = FindCells { cells, ranges, ..self };
        join(execution.parallel, || left.run_on_all_threads(execution), || right.run_on_all_threads(execution));
    }

    #[inline(always)]
    fn find<F: Lanes, const D: usize>(&mut self) {
        for (index, cells) in self.cells.chunks_mut(F::WIDTH).enumerate() {
            let first = self.first + index * F::WIDTH;
            let positions: Wide<F, D> = Wide::new(|axis| F::load_or(&self.source.positions(axis)[first..], 0.0));
            match self.layout.cells_at(positions) {
                Some(found) if cells.len() == F::WIDTH => F::store_words(found, cells),
                _ => {
                    for (index, cell) in (first..).zip(cells) {
                        *cell = self.layout.cell(self.source.position_array(index));
                    }
                }
            }
        }
    }
}

impl Task for FindCells<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(mut self) {
        if self.source.dim() == 2 {
            self.find::<F, 2>();
        } else {
            self.find::<F, 3>();
        }
        let kinds = &self.source.kinds()[self.first..][..self.cells.len()];
        // In most flocks all are prey, which are always in cells, and the loop below has nothing to do.
        if kinds.iter().fold(0, |max, &kind| max.max(kind as u8)) != Kind::Prey as u8 {
            let behind = self.layout.cells();
            for (cell, &kind) in self.cells.iter_mut().zip(kinds) {
                match self.placements[kind as usize] {
                    Placement::InCells => {}
                    Placement::AfterCells => *cell = behind,
                    Placement::Omitted => *cell = behind + 1,
                }
            }
        }
        if let Some(range) = self.ranges.first_mut() {
            *range = self.cells.iter().fold((u32::MAX, 0), |(low, high), &cell| (low.min(cell), high.max(cell)));
        }
    }
}

/// Agents with their cells, to be sorted band by band.
#[derive(Clone, Copy)]
struct Unsorted<'a> {
    source: &'a Agents,
    cells: &'a [u32],
    ranges: &'a [CellRange],
    parallel: bool,
}

/// A range of cells, and the sorted agents in them.
struct Band<'a> {
    first_cell: usize,
    starts: &'a mut [u32],
    sorted: AgentsMut<'a>,
}

impl Unsorted<'_> {
    /// Counts the agents of each band.
    fn count_bands(self, cells: Range<usize>, counts: &mut [u32]) {
        if let [count] = counts {
            *count = self.count(cells) as u32;
            return;
        }
        let (left, right) = counts.split_at_mut(counts.len() / 2);
        let middle = cells.start + cells.len() / 2;
        join(
            self.parallel,
            || self.count_bands(cells.start..middle, left),
            || self.count_bands(middle..cells.end, right),
        );
    }

    /// The number of agents in these cells.
    fn count(self, band: Range<usize>) -> usize {
        let (first, len) = (band.start as u32, band.len() as u32);
        self.chunks_near(band)
            .map(|(_, cells, is_inside)| {
                if is_inside {
                    cells.len()
                } else {
                    // A cell before the band wraps to a large number.
                    cells.iter().map(|&cell| u32::from(cell.wrapping_sub(first) < len)).sum::<u32>() as usize
                }
            })
            .sum()
    }

    /// Sorts the agents of bands with these counts.
    fn sort_bands(self, mut bands: Band<'_>, counts: &[u32]) {
        if counts.len() == 1 {
            return self.sort_band(bands);
        }
        let (counts, right_counts) = counts.split_at(counts.len() / 2);
        // The same halves as in `count_bands`.
        let half = bands.starts.len() / 2;
        let (starts, right_starts) = bands.starts.split_at_mut(half);
        let sorted = bands.sorted.split_off(counts.iter().sum::<u32>() as usize);
        let left = Band { first_cell: bands.first_cell, starts, sorted };
        let right = Band { first_cell: bands.first_cell + half, starts: right_starts, sorted: bands.sorted };
        join(self.parallel, || self.sort_bands(left, counts), || self.sort_bands(right, right_counts));
    }

    /// A counting sort: counts the agents of each cell, derives where each begins, and distributes the agents.
    fn sort_band(self, Band { first_cell, starts, mut sorted }: Band<'_>) {
        let first = sorted.places().start;
        starts.fill(0);
        let exceeds_cache = self.cells.len() >= MIN_PREFETCH;
        let band = first_cell..first_cell + starts.len();
        for (index, cells, _) in self.chunks_near(band.clone()) {
            for (line, cells) in cells.chunks(CACHE_LINE).enumerate() {
                // The gather below jumps between three rows, and each jump would wait for memory.
                if exceeds_cache {
                    self.source.prefetch(index as usize + line * CACHE_LINE);
                }
                for &cell in cells {
                    if let Some(count) = starts.get_mut((cell as usize).wrapping_sub(first_cell)) {
                        *count += 1;
                    }
                }
            }
        }
        let mut next = first as u32;
        for start in starts.iter_mut() {
            let count = *start;
            *start = next;
            next += count;
        }
        let order = sorted.order();
        for (index, cells, _) in self.chunks_near(band) {
            for (index, &cell) in (index..).zip(cells) {
                if let Some(start) = starts.get_mut((cell as usize).wrapping_sub(first_cell)) {
                    // Omitted agents are past the end.
                    if let Some(target) = order.get_mut(*start as usize - first) {
                        *target = index;
                    }
                    *start += 1;
                }
            }
        }
        // The loop has moved each start to the end of its cell, where the next one begins. `sort` passes `starts[1..]`, so the
        // entries are starts again.
        self.order_by_id(order);
        sorted.gather(self.source);
    }

    /// Sorts each cell by id. Most already are, as the last tick left them so.
    fn order_by_id(self, order: &mut [u32]) {
        let key = |index: u32| (self.cells[index as usize], self.source.ids()[index as usize]);
        let mut last = match order.first() {
            Some(&index) => key(index),
            None => return,
        };
        for at in 1..order.len() {
            let current = key(order[at]);
            if current >= last {
                last = current;
            } else {
                insert(order, at, |other| key(other) > current);
            }
        }
    }

    /// The chunks of the source that may have agents in a band: the first index, the cells, and whether all are in it.
    fn chunks_near(&self, band: Range<usize>) -> impl Iterator<Item = (u32, &[u32], bool)> {
        let chunks = self.cells.chunks(CHUNK).zip(self.ranges).enumerate();
        chunks.filter_map(move |(chunk, (cells, &(low, high)))| {
            let (low, high) = (low as usize, high as usize);
            let is_near = low < band.end && high >= band.start;
            is_near.then_some(((chunk * CHUNK) as u32, cells, low >= band.start && high < band.end))
        })
    }
}

/// Moves the item at `at` back to its place among the sorted items before it.
#[inline(always)]
fn insert(order: &mut [u32], at: usize, is_after: impl Fn(u32) -> bool) {
    /// Most items move at most this far.
    const NEAR: usize = 16;
    let index = order[at];
    let nearest = at.saturating_sub(NEAR);
    let mut gap = at;
    while gap > nearest && is_after(order[gap - 1]) {
        order[gap] = order[gap - 1];
        gap -= 1;
    }
    if gap == nearest && gap > 0 && is_after(order[gap - 1]) {
        let first = order[..gap].partition_point(|&other| !is_after(other));
        order.copy_within(first..gap, first + 1);
        gap = first;
    }
    order[gap] = index;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::agents::Row;
    use crate::params::Edge;

    fn sorted(world: &World, edge: Edge, reach: f32, points: &[[f32; 2]]) -> CellList {
        let mut agents = Agents::new(2);
        for (id, &[x, y]) in (0..).zip(points) {
            agents.push(Row { id, kind: Kind::Prey, position: [x, y, 0.0], velocity: [0.0; 3], mood: 0.0, bank: 0.0 });
        }
        let layout = GridLayout::new(world, edge, reach, points.len());
        let mut list = CellList::default();
        list.sort(layout, &agents, [Placement::InCells; 3], Execution::default());
        list
    }

    /// The ids of the agents that may be near a point.
    fn near(list: &CellList, x: f32, y: f32, radius: f32) -> Vec<u32> {
        let mut found = vec![];
        list.near(Wide([x, y]), radius, |index| found.push(list.agents.ids()[index]));
        found
    }

    #[test]
    fn cells_are_in_order_of_ids() {
        let world = World::Rect([100.0, 100.0]);
        let points: Vec<[f32; 2]> = (0..50).map(|k| [(k % 3) as f32 * 30.0, 50.0]).rev().collect();
        let found = near(&sorted(&world, Edge::Turn, 10.0, &points), 30.0, 50.0, 1.0);
        assert!(found.len() >= 16 && found.is_sorted(), "{found:?}");
    }

    #[test]
    fn finds_agents_beyond_the_border() {
        let world = World::Rect([100.0, 100.0]);
        let list = sorted(&world, Edge::Turn, 10.0, &[[104.0, 50.0], [1e9, 50.0], [-3.0, -3.0]]);
        assert!(near(&list, 99.0, 50.0, 10.0).contains(&0));
        assert!(near(&list, 1e9, 50.0, 10.0).contains(&1));
        assert!(near(&list, 2.0, 2.0, 10.0).contains(&2));
    }

    #[test]
    fn searches_across_periodic_borders_without_duplicates() {
        let world = World::Rect([40.0, 40.0]);
        for reach in [1.0, 6.0, 19.0, 100.0] {
            let list = sorted(&world, Edge::Wrap, reach, &[[39.9, 39.9], [0.1, 0.1], [20.0, 20.0]]);
            let mut found = near(&list, 0.0, 0.0, reach);
            assert!(found.contains(&0) && found.contains(&1));
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), if reach > 15.0 { 3 } else { 2 });
        }
    }
}
