//! The uniform grid in which neighbors are found.
//!
//! The world is cut into rows that are one reach high (and deep), and each row into cells that are narrower, a quarter of
//! a reach in most worlds. If that makes too many cells for the number of agents, both become larger. Cells are numbered
//! along the rows, so the surroundings of a point are a few contiguous runs of agents. The geometry depends only on the
//! world, the reach and the number of agents, and the agents of a cell are in order of ids: the order in which a boid
//! meets its candidates is a function of the state, not of its history.

use std::ops::Range;

use crate::math::Wide;
use crate::params::Edge;
use crate::simd::Lanes;
use crate::world::World;

/// Cells per reach along a row: finer cells waste fewer candidates, but there are more of them.
const CELLS_PER_REACH: f32 = 4.0;
/// The same for small flocks in three dimensions.
const COARSE_CELLS_PER_REACH: f32 = 1.0;
/// The same for dense flocks.
const FINE_CELLS_PER_REACH: f32 = 8.0;
/// The mean number of agents in a square (in a deep world, a cube) of one reach from which on a flock is dense.
const DENSE: f32 = 10.0;
/// The maximum number of agents of a small flock.
const SMALL_FLOCK: usize = 10_000;
/// The maximum number of cells per agent.
const CELLS_PER_AGENT: f32 = 4.0;
/// The same in large flocks, to save memory.
const CELLS_PER_AGENT_IN_LARGE_FLOCK: f32 = 2.0;
/// The maximum number of agents of a flock that is not large.
const LARGE_FLOCK: usize = 200_000;
/// The maximum number of cells on an axis: up to there, rounding stays below [`SLACK`].
const MAX_CELLS: f32 = 32_768.0;
/// The number of horizontal layers of cells of a flat flock.
const LAYERS: f32 = 8.0;
/// The margin of a search, in cells, so that rounding hides no agent.
const SLACK: f32 = 0.01;

/// A box: its lower and its upper corner.
pub(crate) type Bounds = ([f32; 3], [f32; 3]);
/// The offset of the periodic image in which candidates are nearest.
pub(crate) type Shift = [f32; 3];

/// Which cells agents outside the world are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outside {
    /// The nearest cell inside.
    Clamp,
    /// The world is periodic: the cell of the image inside.
    Wrap,
    /// The cells are periodic, though the world is not: agents far away share cells with others.
    Fold,
}

/// The cells of one axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    origin: f32,
    size: f32,
    cells_per_u: f32,
    cells: u32,
    outside: Outside,
}

/// Adjacent cells, and the offset of their periodic image.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    end: u32,
    shift: f32,
}

impl Span {
    const EMPTY: Self = Self { first: 0, end: 0, shift: 0.0 };

    #[inline(always)]
    fn new(cells: Range<i32>, shift: f32) -> Self {
        Self { first: cells.start.max(0).cast_unsigned(), end: cells.end.max(0).cast_unsigned(), shift }
    }

    #[inline(always)]
    fn len(&self) -> u32 {
        self.end.saturating_sub(self.first)
    }
}

impl Axis {
    fn new(origin: f32, size: f32, cells: f32, outside: Outside) -> Self {
        let cells = cells.floor().clamp(1.0, MAX_CELLS);
        let cells_per_u = if size > 0.0 { cells / size } else { 0.0 };
        // The third axis of a flat world is not periodic.
        let outside = if size > 0.0 { outside } else { Outside::Clamp };
        Self { origin, size, cells_per_u, cells: cells as u32, outside }
    }

    /// The cell at this coordinate.
    #[inline(always)]
    fn cell(&self, at: f32) -> u32 {
        let cell = (at - self.origin) * self.cells_per_u;
        if self.outside == Outside::Fold {
            return floor(cell).rem_euclid(self.cells.cast_signed()).cast_unsigned();
        }
        let last = (self.cells - 1) as f32;
        // Written so that NaN is in the first cell, as in `cells`.
        let cell = if cell > 0.0 { cell } else { 0.0 };
        (if cell < last { cell } else { last }) as i32 as u32
    }

    /// The same for each lane, unless cells are folded.
    #[inline(always)]
    fn cells<F: Lanes>(&self, at: F) -> F::Words {
        let cell = (at - F::splat(self.origin)) * F::splat(self.cells_per_u);
        F::to_words(cell.max(F::splat(0.0)).min(F::splat((self.cells - 1) as f32)))
    }

    /// The cells within `radius` of the interval from `low` to `high`, as two ascending spans of which the second may be
    /// empty, and whether they are so many that no single image is nearest.
    #[inline(always)]
    fn spans(&self, low: f32, high: f32, radius: f32) -> ([Span; 2], bool) {
        // A single cell of a torus may still be met in several images.
        if self.cells == 1 && self.outside != Outside::Wrap {
            return ([Span::new(0..1, 0.0), Span::EMPTY], false);
        }
        let cell = |at: f32| (at - self.origin) * self.cells_per_u;
        let (low, high) = (cell(low), cell(high));
        let mut reach = radius * self.cells_per_u + SLACK;
        if self.outside == Outside::Fold {
            // Far outside, rounding exceeds the slack.
            reach += (low.abs() + high.abs()) * 2.0 * f32::EPSILON;
        }
        let (low, high) = (floor(low - reach), floor(high + reach));
        if low >= 0 && high < self.cells.cast_signed() {
            return ([Span::new(low..high + 1, 0.0), Span::EMPTY], false);
        }
        self.spans_beyond(low, high)
    }

    /// The same from cell `low` to cell `high`, at least one of which is outside the world.
    #[cold]
    fn spans_beyond(&self, low: i32, high: i32) -> ([Span; 2], bool) {
        let cells = self.cells.cast_signed();
        if self.outside == Outside::Clamp {
            let span = Span::new(low.min(cells - 1)..high.max(0).saturating_add(1).min(cells), 0.0);
            return ([span, Span::EMPTY], false);
        }
        if high.saturating_sub(low) >= cells - 1 {
            return ([Span::new(0..cells, 0.0), Span::EMPTY], self.outside == Outside::Wrap);
        }
        let (first, last) = (low.rem_euclid(cells), high.rem_euclid(cells));
        let (before, after) = if self.outside == Outside::Wrap { (self.size, -self.size) } else { (0.0, 0.0) };
        if first <= last {
            return ([Span::new(first..last + 1, 0.0), Span::EMPTY], false);
        }
        // The interval crosses the periodic border: cells beyond it are met in their image there.
        let (low_shift, high_shift) = if low < 0 { (0.0, before) } else { (after, 0.0) };
        ([Span::new(0..last + 1, low_shift), Span::new(first..cells, high_shift)], false)
    }
}

/// The largest integer below; saturates, and is 0 for NaN.
#[inline(always)]
fn floor(value: f32) -> i32 {
    value.floor() as i32
}

impl Default for GridLayout {
    fn default() -> Self {
        Self { axes: [Axis::new(0.0, 0.0, 1.0, Outside::Clamp); 3] }
    }
}

/// The cells near a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    spans: [[Span; 2]; 3],
    /// Whether an axis has two spans, so that runs may be in another periodic image.
    is_split: bool,
    /// Whether so much of a periodic world is near that candidates differ in which image is nearest.
    pub(crate) is_ambiguous: bool,
}

impl Window {
    /// Whether all candidates are in their own periodic image.
    #[inline(always)]
    pub(crate) fn is_direct(&self) -> bool {
        !self.is_split && !self.is_ambiguous
    }
}

/// The geometry of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridLayout {
    axes: [Axis; 3],
}

impl GridLayout {
    /// The grid for searches as far as `reach` (u) among so many agents, with cells that divide `world`.
    pub(crate) fn new(world: &World, edge: Edge, reach: f32, agents: usize) -> Self {
        let (origin, size) = (world.origin(), world.size());
        // A reach of 0 would ask for infinitely many cells.
        let reach = reach.max(1e-3);
        let volume: f32 = size[..world.dim()].iter().map(|side| side / reach).product();
        let fine = if agents <= SMALL_FLOCK {
            if world.dim() == 2 { CELLS_PER_REACH } else { COARSE_CELLS_PER_REACH }
        } else if agents as f32 > DENSE * volume {
            FINE_CELLS_PER_REACH
        } else {
            CELLS_PER_REACH
        };
        let mut cells = [0, 1, 2].map(|axis| (size[axis] / reach * if axis == 0 { fine } else { 1.0 }).max(1.0));
        let budget = Self::max_cells(agents) as f32;
        // A fixed sequence, so that the grid is the same on all platforms.
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
        let outside = match edge {
            Edge::Wrap => Outside::Wrap,
            Edge::Open => Outside::Fold,
            Edge::Turn | Edge::Push | Edge::Reflect | Edge::Sphere => Outside::Clamp,
        };
        Self { axes: [0, 1, 2].map(|axis| Axis::new(origin[axis], size[axis], cells[axis], outside)) }
    }

    /// The grid of a flat flock of so many agents, anywhere in space: as many cubic cells of this size (u) as there may be.
    /// The grid repeats.
    pub(crate) fn of_flat_flock(cell: f32, agents: usize) -> Self {
        let cell = cell.max(1e-3);
        let side = (Self::max_cells(agents) as f32 / LAYERS).sqrt();
        let axis = |cells: f32| Axis::new(0.0, cells.floor().max(1.0) * cell, cells, Outside::Fold);
        Self { axes: [axis(side), axis(LAYERS), axis(side)] }
    }

    /// The maximum number of cells for so many agents.
    pub(crate) fn max_cells(agents: usize) -> usize {
        let per_agent = if agents > LARGE_FLOCK { CELLS_PER_AGENT_IN_LARGE_FLOCK } else { CELLS_PER_AGENT };
        (agents as f32 * per_agent).max(64.0) as usize
    }

    pub(crate) fn cells(&self) -> u32 {
        self.axes.iter().map(|axis| axis.cells).product()
    }

    #[inline(always)]
    pub(crate) fn cells_per_row(&self) -> u32 {
        self.axes[0].cells
    }

    /// The cell of a position.
    #[inline(always)]
    pub(crate) fn cell(&self, position: [f32; 3]) -> u32 {
        self.row(position) * self.axes[0].cells + self.axes[0].cell(position[0])
    }

    /// The cells of positions, one in each lane; `None` if cells are folded.
    #[inline(always)]
    pub(crate) fn cells_at<F: Lanes, const D: usize>(&self, positions: Wide<F, D>) -> Option<F::Words> {
        if self.axes.iter().any(|axis| axis.outside == Outside::Fold) {
            return None;
        }
        let mut number = F::splat_words(0);
        for axis in (0..D).rev() {
            let cell = self.axes[axis].cells(positions[axis]);
            number = F::add_words(F::mul_words(number, F::splat_words(self.axes[axis].cells)), cell);
        }
        Some(number)
    }

    /// The row of a position.
    #[inline(always)]
    pub(crate) fn row(&self, [_, y, z]: [f32; 3]) -> u32 {
        self.axes[2].cell(z) * self.axes[1].cells + self.axes[1].cell(y)
    }

    /// The cells that reach within `radius` of a box.
    #[inline(always)]
    pub(crate) fn window(&self, (low, high): Bounds, radius: f32) -> Window {
        let (xs, x) = self.axes[0].spans(low[0], high[0], radius);
        let (ys, y) = self.axes[1].spans(low[1], high[1], radius);
        let (zs, z) = self.axes[2].spans(low[2], high[2], radius);
        let is_split = [xs, ys, zs].iter().any(|spans| spans[1].len() > 0);
        Window { spans: [xs, ys, zs], is_split, is_ambiguous: x || y || z }
    }

    /// The runs of cells in a window, in ascending order.
    #[inline(always)]
    pub(crate) fn runs(&self, window: Window) -> CellRuns {
        let [xs, ys, zs] = window.spans;
        let [width, height] = [self.axes[0].cells, self.axes[1].cells];
        let first = (zs[0].first * height + ys[0].first) * width;
        CellRuns {
            run: first + xs[0].first..first + xs[0].end,
            width,
            rows: ys[0].len(),
            layer: width * height,
            layers: zs[0].len(),
            left: ys[0].len(),
            split: window.is_split.then_some(SplitRuns { widths: [width, height], spans: window.spans, next: 0 }),
        }
    }
}

/// Runs of cells, each with the offset of its periodic image.
#[derive(Clone, Debug)]
pub(crate) struct CellRuns {
    /// The next run.
    run: Range<u32>,
    /// The distance to the next row.
    width: u32,
    /// The rows of a layer, and how many are left of this one.
    rows: u32,
    left: u32,
    /// The distance to the next layer, and how many are left.
    layer: u32,
    layers: u32,
    /// All runs, if an axis has two spans.
    split: Option<SplitRuns>,
}

impl Iterator for CellRuns {
    type Item = (Range<u32>, Shift);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(split) = &mut self.split {
            return split.next();
        }
        if self.left == 0 {
            if self.layers <= 1 {
                return None;
            }
            self.layers -= 1;
            self.left = self.rows;
            let ahead = self.layer - self.rows * self.width;
            self.run = self.run.start + ahead..self.run.end + ahead;
        }
        let run = self.run.clone();
        self.left -= 1;
        self.run = run.start + self.width..run.end + self.width;
        Some((run, [0.0; 3]))
    }
}

/// Runs of cells in a window that has two spans on some axis.
#[derive(Clone, Debug)]
struct SplitRuns {
    widths: [u32; 2],
    spans: [[Span; 2]; 3],
    /// The number of the next run.
    next: u32,
}

impl Iterator for SplitRuns {
    type Item = (Range<u32>, Shift);

    #[cold]
    fn next(&mut self) -> Option<Self::Item> {
        let [xs, ys, zs] = &self.spans;
        let (per_row, rows) = (1 + u32::from(xs[1].len() > 0), count(ys));
        let (row, x) = (self.next / per_row, xs[(self.next % per_row) as usize]);
        if row >= rows * count(zs) {
            return None;
        }
        self.next += 1;
        let ((y, y_shift), (z, z_shift)) = (nth_cell(ys, row % rows), nth_cell(zs, row / rows));
        let first = (z * self.widths[1] + y) * self.widths[0];
        Some((first + x.first..first + x.end, [x.shift, y_shift, z_shift]))
    }
}

/// The number of cells in two spans.
fn count([first, second]: &[Span; 2]) -> u32 {
    first.len() + second.len()
}

/// A cell of two spans, counted from 0, with the offset of its image.
fn nth_cell([first, second]: &[Span; 2], number: u32) -> (u32, f32) {
    match number.checked_sub(first.len()) {
        None => (first.first + number, first.shift),
        Some(number) => (second.first + number, second.shift),
    }
}
