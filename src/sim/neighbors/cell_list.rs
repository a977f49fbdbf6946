//! Agents in the grid's order, and where each cell begins.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::grid;
use super::grid::{Bounds, GridLayout, Shift, Window};
use super::simd::{Lanes, Simd, Task};
use crate::sim::agents::{Agents, AgentsMut, Kind};
use crate::sim::math::parallel::join;
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;

/// How many agents are given their cells at a time.
const CHUNK: usize = 2048;
/// Into how many bands of cells the sorting is cut at most; a power of two.
const BANDS: usize = 64;
/// How many agents a band has at least, on the mean: as many as a core's cache holds with ease.
const BAND: usize = 4096;

/// How many agents' numbers stand in a line of a processor's cache.
const LINE: usize = 16;
/// From how many agents on no core's own cache holds them all.
const MANY: usize = 50_000;

/// Where agents of a kind go when a flock is put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Into their cells, to be found by others.
    Neighbor,
    /// Behind all cells, where nobody finds them.
    Apart,
    /// Nowhere.
    Absent,
}

/// With what a tick's work is done; it changes no result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    pub simd: Simd,
    pub parallel: bool,
}

/// The least and the greatest of some cells.
type Extremes = (u32, u32);

/// Agents in the order (cell, id), and where each cell begins. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(crate) struct CellList {
    layout: GridLayout,
    /// The agents, in order.
    pub(crate) agents: Agents,
    /// The place at which each cell begins; behind the cells, those who are apart, and the absent.
    starts: Vec<u32>,
    /// Scratch: the cell of each agent of the source.
    cells: Vec<u32>,
    /// Scratch: the least and the greatest cell of each chunk of the source.
    extremes: Vec<Extremes>,
}

impl CellList {
    /// Puts `source` in order; `roles` say where prey, predators and those who are gone go.
    pub(crate) fn sort(&mut self, layout: GridLayout, source: &Agents, roles: [Role; 3], how: How) {
        self.layout = layout;
        self.number(layout, source, roles, how);

        let herd = Herd { source, cells: &self.cells, extremes: &self.extremes, parallel: how.parallel };
        let slots = layout.cells() as usize + 2;
        let bands = (source.len() / BAND).next_power_of_two().min(BANDS);
        let mut totals = [0; BANDS];
        herd.count(0..slots, &mut totals[..bands]);

        let present = if roles.contains(&Role::Absent) { herd.within(0..slots - 1) } else { source.len() };
        self.agents.resize(source.dim(), present);
        self.agents.track_moods(source.has_moods());
        if self.starts.capacity() <= slots {
            // All that so many may have: where the rules are on their way, each tick has a few cells more.
            self.starts.reserve_exact((GridLayout::max_cells(source.len()) + 3).max(slots + 1) - self.starts.len());
        }
        self.starts.resize(slots + 1, 0);
        self.starts[0] = 0;
        let all = Band { cell: 0, first: 0, starts: &mut self.starts[1..], into: self.agents.as_mut() };
        herd.place(all, &totals[..bands]);
    }

    /// Finds each agent's cell.
    fn number(&mut self, layout: GridLayout, source: &Agents, roles: [Role; 3], how: How) {
        self.cells.resize(source.len(), 0);
        self.extremes.resize(source.len().div_ceil(CHUNK), (0, 0));
        let task = Number { layout, source, roles, first: 0, cells: &mut self.cells, extremes: &mut self.extremes };
        task.spread(how);
    }

    /// How many stand in cells; those who are apart stand behind them.
    pub(crate) fn count_in_cells(&self) -> usize {
        self.starts.len().checked_sub(3).map_or(0, |apart| self.starts[apart] as usize)
    }

    /// Cuts places, all of agents in cells, into blocks of at most `most` that stand side by side in
    /// one row of the grid.
    #[inline(always)]
    pub(crate) fn blocks(&self, places: Range<usize>, most: usize) -> Blocks<'_> {
        let cells = self.layout.cells_per_row() as usize;
        let row =
            if places.is_empty() { 0 } else { self.layout.row(self.agents.position_array(places.start)) as usize };
        Blocks { starts: &self.starts, cells, row, places, most }
    }

    /// The cells that reach within `radius` of a box.
    #[inline(always)]
    pub(crate) fn window(&self, bounds: Bounds, radius: f32) -> Window {
        self.layout.window(bounds, radius)
    }

    /// The runs of places in a window, in order, each with the image in which it is near.
    #[inline(always)]
    pub(crate) fn runs(&self, window: Window) -> Runs<'_> {
        Runs { starts: &self.starts, cells: self.layout.runs(window) }
    }

    /// Calls `visit` with the place of every agent that may stand within `radius` of `at`, in order.
    #[inline]
    pub(crate) fn near<V: Vector>(&self, at: V, radius: f32, mut visit: impl FnMut(usize)) {
        let at = at.axes();
        for (run, _) in self.runs(self.window((at, at), radius)) {
            run.for_each(&mut visit);
        }
    }
}

/// Blocks of places that stand side by side in one row of the grid.
pub(crate) struct Blocks<'a> {
    starts: &'a [u32],
    /// How many a row has.
    cells: usize,
    row: usize,
    places: Range<usize>,
    most: usize,
}

impl Iterator for Blocks<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let first = self.places.start;
        if first >= self.places.end {
            return None;
        }
        let mut row_end = self.starts[(self.row + 1) * self.cells] as usize;
        while row_end <= first {
            self.row += 1;
            row_end = self.starts[(self.row + 1) * self.cells] as usize;
        }
        let end = (first + self.most).min(row_end).min(self.places.end);
        self.places.start = end;
        Some(first..end)
    }
}

/// Runs of places that are near.
pub(crate) struct Runs<'a> {
    starts: &'a [u32],
    cells: grid::Runs,
}

impl Iterator for Runs<'_> {
    type Item = (Range<usize>, Shift);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (cells, shift) = self.cells.next()?;
        let (first, end) = (self.starts[cells.start as usize], self.starts[cells.end as usize]);
        Some((first as usize..end as usize, shift))
    }
}

/// Gives agents their cells.
struct Number<'a> {
    layout: GridLayout,
    source: &'a Agents,
    roles: [Role; 3],
    first: usize,
    cells: &'a mut [u32],
    extremes: &'a mut [Extremes],
}

impl Number<'_> {
    fn spread(self, how: How) {
        if self.extremes.len() <= 1 {
            return how.simd.run(self);
        }
        let half = self.extremes.len() / 2;
        let (cells, later_cells) = self.cells.split_at_mut(half * CHUNK);
        let (extremes, later_extremes) = self.extremes.split_at_mut(half);
        let later = Number { first: self.first + half * CHUNK, cells: later_cells, extremes: later_extremes, ..self };
        let sooner = Number { cells, extremes, ..self };
        join(how.parallel, || sooner.spread(how), || later.spread(how));
    }
}

impl Task for Number<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(mut self) {
        if self.source.dim() == 2 {
            self.number::<F, 2>();
        } else {
            self.number::<F, 3>();
        }
        let kinds = &self.source.kinds()[self.first..][..self.cells.len()];
        // Where all are prey, as in most flocks, nobody else is to be sought.
        let all_prey = kinds.iter().fold(0, |most, &kind| most.max(kind as u8)) == Kind::Prey as u8;
        let count_in_cells = self.roles == [Role::Neighbor; 3] || all_prey && self.roles[0] == Role::Neighbor;
        if !count_in_cells {
            let apart = self.layout.cells();
            for (cell, &kind) in self.cells.iter_mut().zip(kinds) {
                match self.roles[kind as usize] {
                    Role::Neighbor => {}
                    Role::Apart => *cell = apart,
                    Role::Absent => *cell = apart + 1,
                }
            }
        }
        let widen = |(low, high): Extremes, &cell: &u32| (low.min(cell), high.max(cell));
        if let Some(extremes) = self.extremes.first_mut() {
            *extremes = self.cells.iter().fold((u32::MAX, 0), widen);
        }
    }
}

impl Number<'_> {
    #[inline(always)]
    fn number<F: Lanes, const D: usize>(&mut self) {
        for (index, cells) in self.cells.chunks_mut(F::WIDTH).enumerate() {
            let first = self.first + index * F::WIDTH;
            let positions: Wide<F, D> = Wide::new(|axis| F::load_or(&self.source.positions(axis)[first..], 0.0));
            match self.layout.numbers(positions) {
                Some(numbers) if cells.len() == F::WIDTH => F::store_words(numbers, cells),
                _ => {
                    for (place, cell) in (first..).zip(cells) {
                        *cell = self.layout.cell(self.source.position_array(place));
                    }
                }
            }
        }
    }
}

/// Agents with their cells, to be put in order band by band: a band is a range of cells.
#[derive(Clone, Copy)]
struct Herd<'a> {
    source: &'a Agents,
    cells: &'a [u32],
    extremes: &'a [Extremes],
    parallel: bool,
}

/// Some cells, and the places that their agents get.
struct Band<'a> {
    /// The first cell.
    cell: usize,
    /// The first place.
    first: usize,
    starts: &'a mut [u32],
    into: AgentsMut<'a>,
}

impl Herd<'_> {
    /// Counts the agents of each band.
    fn count(self, cells: Range<usize>, totals: &mut [u32]) {
        if let [total] = totals {
            *total = self.within(cells) as u32;
            return;
        }
        let (totals, later_totals) = totals.split_at_mut(totals.len() / 2);
        let middle = cells.start + cells.len() / 2;
        join(self.parallel, || self.count(cells.start..middle, totals), || self.count(middle..cells.end, later_totals));
    }

    /// How many agents stand in these cells.
    fn within(&self, band: Range<usize>) -> usize {
        let (first, len) = (band.start as u32, band.len() as u32);
        self.chunks_near(band)
            .map(|(_, cells, is_within)| {
                if is_within {
                    cells.len()
                } else {
                    // Numbers before the band wrap to far behind it.
                    cells.iter().map(|&cell| u32::from(cell.wrapping_sub(first) < len)).sum::<u32>() as usize
                }
            })
            .sum()
    }

    /// Fills the places of bands that have so many agents.
    fn place(self, band: Band<'_>, totals: &[u32]) {
        if totals.len() == 1 {
            return self.place_band(band);
        }
        let (totals, later_totals) = totals.split_at(totals.len() / 2);
        let many = totals.iter().sum::<u32>() as usize;
        let half = band.starts.len() / 2;
        let (starts, later_starts) = band.starts.split_at_mut(half);
        let (into, later_into) = band.into.split(many);
        let sooner = Band { starts, into, ..band };
        let later = Band { cell: band.cell + half, first: band.first + many, starts: later_starts, into: later_into };
        join(self.parallel, || self.place(sooner, totals), || self.place(later, later_totals));
    }

    /// A counting sort: how many each cell has, hence where it begins, and everyone to the next place of their cell.
    fn place_band(self, Band { cell, first, starts, mut into }: Band<'_>) {
        starts.fill(0);
        let is_far = self.cells.len() >= MANY;
        let band = cell..cell + starts.len();
        for (index, cells, _) in self.chunks_near(band.clone()) {
            for (line, numbers) in cells.chunks(LINE).enumerate() {
                // Gathered, they come from three rows in turn, and each jump would wait for memory.
                if is_far {
                    self.source.prefetch(index as usize + line * LINE);
                }
                for &number in numbers {
                    if let Some(count) = starts.get_mut((number as usize).wrapping_sub(cell)) {
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
        let order = into.order();
        for (index, cells, _) in self.chunks_near(band) {
            for (index, &number) in (index..).zip(cells) {
                if let Some(start) = starts.get_mut((number as usize).wrapping_sub(cell)) {
                    // The absent get none.
                    if let Some(place) = order.get_mut(*start as usize - first) {
                        *place = index;
                    }
                    *start += 1;
                }
            }
        }
        // Each start has moved on to its cell's end, which is the next cell's start: hence the one
        // place that it stands further back than its cell.
        self.order_by_id(order);
        into.gather(self.source);
    }

    /// Puts every cell in order of ids; most are already, as the last tick left them so.
    fn order_by_id(self, order: &mut [u32]) {
        let of = |index: u32| (self.cells[index as usize], self.source.ids()[index as usize]);
        let mut before = match order.first() {
            Some(&index) => of(index),
            None => return,
        };
        for place in 1..order.len() {
            let here = of(order[place]);
            if here >= before {
                before = here;
            } else {
                insert(order, place, |other| of(other) > here);
            }
        }
    }

    /// The chunks of the source in which some may belong to a band: where each begins, its cells, and whether they
    /// all do.
    fn chunks_near(&self, band: Range<usize>) -> impl Iterator<Item = (u32, &[u32], bool)> {
        let chunks = self.cells.chunks(CHUNK).zip(self.extremes).enumerate();
        chunks.filter_map(move |(chunk, (cells, &(low, high)))| {
            let (low, high) = (low as usize, high as usize);
            let is_near = low < band.end && high >= band.start;
            is_near.then_some(((chunk * CHUNK) as u32, cells, low >= band.start && high < band.end))
        })
    }
}

/// Moves what stands at `place` to where it belongs among those before it, who are in order.
#[inline(always)]
fn insert(order: &mut [u32], place: usize, is_after: impl Fn(u32) -> bool) {
    /// It mostly belongs at most this far back.
    const NEAR: usize = 16;
    let index = order[place];
    let least = place.saturating_sub(NEAR);
    let mut gap = place;
    while gap > least && is_after(order[gap - 1]) {
        order[gap] = order[gap - 1];
        gap -= 1;
    }
    if gap == least && gap > 0 && is_after(order[gap - 1]) {
        let first = order[..gap].partition_point(|&other| !is_after(other));
        order.copy_within(first..gap, first + 1);
        gap = first;
    }
    order[gap] = index;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Kind;
    use crate::sim::World;
    use crate::sim::params::Edge;
    use glam::Vec2;

    fn herd(world: &World, edge: Edge, reach: f32, points: &[[f32; 2]]) -> CellList {
        let mut agents = Agents::new(2);
        for (id, &[x, y]) in (0..).zip(points) {
            agents.push(id, Kind::Prey, [x, y, 0.0], [0.0; 3]);
        }
        let mut sorted = CellList::default();
        sorted.sort(GridLayout::new(world, edge, reach, points.len()), &agents, [Role::Neighbor; 3], How::default());
        sorted
    }

    #[test]
    fn cells_hold_their_agents_in_order_of_ids() {
        let world = World::Rect([100.0, 100.0]);
        let points: Vec<[f32; 2]> = (0..50).map(|k| [(k % 3) as f32 * 30.0, 50.0]).rev().collect();
        let sorted = herd(&world, Edge::Turn, 10.0, &points);
        let mut found = vec![];
        sorted.near(Vec2::new(30.0, 50.0), 1.0, |index| found.push(sorted.agents.ids()[index]));
        assert!(found.len() >= 16 && found.is_sorted(), "{found:?}");
    }

    #[test]
    fn a_point_beyond_the_border_is_found_from_inside() {
        let world = World::Rect([100.0, 100.0]);
        let sorted = herd(&world, Edge::Turn, 10.0, &[[104.0, 50.0], [1e9, 50.0], [-3.0, -3.0]]);
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
        let world = World::Rect([40.0, 40.0]);
        for reach in [1.0, 6.0, 19.0, 100.0] {
            let sorted = herd(&world, Edge::Wrap, reach, &[[39.9, 39.9], [0.1, 0.1], [20.0, 20.0]]);
            let mut found = vec![];
            sorted.near(Vec2::new(0.0, 0.0), reach, |index| found.push(sorted.agents.ids()[index]));
            assert!(found.contains(&0) && found.contains(&1));
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), if reach > 15.0 { 3 } else { 2 });
        }
    }
}
