//! The uniform grid in which neighbors are found.
//!
//! The world is cut into rows one reach high (and deep), and each row into cells that are mostly
//! narrower, a quarter of a reach in flat worlds; where that would be more cells than the agents are
//! worth, both are made larger. Cells are numbered along the rows, so whatever lies
//! near a point is a few contiguous runs of agents. The geometry follows from the world, the reach
//! and the number of agents alone, and agents inside a cell stand in order of their ids: the order
//! in which a boid meets its candidates is a function of the state, not of its history.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::simd::Lanes;
use crate::sim::World;
use crate::sim::math::wide::Wide;
use crate::sim::params::Edge;

/// Cells along a row for each reach: a finer cut wastes fewer candidates, and costs more cells.
const CELLS_PER_REACH: f32 = 4.0;
/// The same in a few boids' deep world.
const CELLS_PER_REACH_OF_FEW: f32 = 1.0;
/// The same where boids are [`DENSE`].
const CELLS_PER_REACH_OF_DENSE: f32 = 8.0;
/// How many agents a square (a cube, in a deep world) of one reach holds where they are dense.
const DENSE: f32 = 10.0;
/// How many agents are few.
const FEW: usize = 10_000;
/// The most cells that each agent may cost.
const CELLS_PER_AGENT: f32 = 4.0;
/// The same in a flock of more than [`MANY`], where memory counts.
const CELLS_PER_AGENT_OF_MANY: f32 = 2.0;
/// How many agents are many.
const MANY: usize = 200_000;
/// The most cells on an axis: up to there rounding stays below [`SLACK`].
const MAX_CELLS: f32 = 32_768.0;
/// How much further than asked for is looked, in cells, so that rounding hides nobody.
const SLACK: f32 = 0.01;

/// A box: its least and its greatest corner.
pub(crate) type Bounds = ([f32; 3], [f32; 3]);
/// How far away the image is in which candidates are nearest, on each axis of a torus.
pub(crate) type Shift = [f32; 3];

/// What becomes of the cells' numbers beyond the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    /// The last cell there holds whoever stands outside.
    Last,
    /// The world is a torus: beyond it, it begins again.
    Around,
    /// The cells begin again, though the world does not: who has elapsed off shares cells with others.
    Folded,
}

/// How one axis is cut.
#[derive(Clone, Copy, Debug)]
struct Axis {
    origin: f32,
    size: f32,
    cells_per_u: f32,
    cells: u32,
    beyond: Beyond,
}

/// Cells side by side, and the image in which they are meant.
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
    fn new(origin: f32, size: f32, cells: f32, beyond: Beyond) -> Self {
        let cells = cells.floor().clamp(1.0, MAX_CELLS);
        let cells_per_u = if size > 0.0 { cells / size } else { 0.0 };
        // An axis that a flat world does not have is no torus either.
        let beyond = if size > 0.0 { beyond } else { Beyond::Last };
        Self { origin, size, cells_per_u, cells: cells as u32, beyond }
    }

    /// The number of the cell at this coordinate.
    #[inline(always)]
    fn cell(&self, at: f32) -> u32 {
        let cell = (at - self.origin) * self.cells_per_u;
        if self.beyond == Beyond::Folded {
            return floor(cell).rem_euclid(self.cells.cast_signed()).cast_unsigned();
        }
        let last = (self.cells - 1) as f32;
        let cell = if cell > 0.0 { cell } else { 0.0 };
        (if cell < last { cell } else { last }) as i32 as u32
    }

    /// The same for a lane each; not where cells are folded.
    #[inline(always)]
    fn cells<F: Lanes>(&self, at: F) -> F::Words {
        let cell = (at - F::splat(self.origin)) * F::splat(self.cells_per_u);
        F::whole(cell.max(F::splat(0.0)).min(F::splat((self.cells - 1) as f32)))
    }

    /// The cells within `radius` of anything from `low` to `high`, as two spans that ascend, of
    /// which the second may be empty; and whether they are so many that an image is not told.
    #[inline(always)]
    fn spans(&self, low: f32, high: f32, radius: f32) -> ([Span; 2], bool) {
        if self.cells == 1 && self.beyond != Beyond::Around {
            return ([Span::new(0..1, 0.0), Span::EMPTY], false);
        }
        let cell = |at: f32| (at - self.origin) * self.cells_per_u;
        let (low, high) = (cell(low), cell(high));
        let mut reach = radius * self.cells_per_u + SLACK;
        if self.beyond == Beyond::Folded {
            // Far outside, rounding is coarser than that.
            reach += (low.abs() + high.abs()) * 2.0 * f32::EPSILON;
        }
        let (low, high) = (floor(low - reach), floor(high + reach));
        if low >= 0 && high < self.cells.cast_signed() {
            return ([Span::new(low..high + 1, 0.0), Span::EMPTY], false);
        }
        self.spans_beyond(low, high)
    }

    /// The same from cell `low` to cell `high`, of which at least one lies beyond the world.
    #[cold]
    fn spans_beyond(&self, low: i32, high: i32) -> ([Span; 2], bool) {
        let cells = self.cells.cast_signed();
        if self.beyond == Beyond::Last {
            let span = Span::new(low.min(cells - 1)..high.max(0).saturating_add(1).min(cells), 0.0);
            return ([span, Span::EMPTY], false);
        }
        if high.saturating_sub(low) >= cells - 1 {
            return ([Span::new(0..cells, 0.0), Span::EMPTY], self.beyond == Beyond::Around);
        }
        let (first, last) = (low.rem_euclid(cells), high.rem_euclid(cells));
        let (before, after) = if self.beyond == Beyond::Around { (self.size, -self.size) } else { (0.0, 0.0) };
        if first <= last {
            return ([Span::new(first..last + 1, 0.0), Span::EMPTY], false);
        }
        // The seam lies inside: what is on its other side is met in its image there.
        let (low_shift, high_shift) = if low < 0 { (0.0, before) } else { (after, 0.0) };
        ([Span::new(0..last + 1, low_shift), Span::new(first..cells, high_shift)], false)
    }
}

/// The whole number below; saturates, and is 0 for no number.
#[inline(always)]
fn floor(value: f32) -> i32 {
    value.floor() as i32
}

impl Default for GridLayout {
    /// A single cell, for nobody.
    fn default() -> Self {
        Self { axes: [Axis::new(0.0, 0.0, 1.0, Beyond::Last); 3] }
    }
}

/// The cells near a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    spans: [[Span; 2]; 3],
    /// Whether a seam lies inside, or an image is meant.
    pub(crate) is_split: bool,
    /// Whether so much of a torus is near that candidates' images are not told.
    pub(crate) ambiguous: bool,
}

/// The geometry of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridLayout {
    axes: [Axis; 3],
}

impl GridLayout {
    /// The cut of `world` for looking as far as `reach` (u) among `agents`.
    pub(crate) fn new(world: &World, edge: Edge, reach: f32, agents: usize) -> Self {
        let (origin, size) = (world.origin(), world.size());
        let reach = reach.max(1e-3);
        let volume: f32 = size[..world.dim()].iter().map(|side| side / reach).product();
        let fine = if agents <= FEW {
            if world.dim() == 2 { CELLS_PER_REACH } else { CELLS_PER_REACH_OF_FEW }
        } else if agents as f32 > DENSE * volume {
            CELLS_PER_REACH_OF_DENSE
        } else {
            CELLS_PER_REACH
        };
        let mut cells = [0, 1, 2].map(|axis| (size[axis] / reach * if axis == 0 { fine } else { 1.0 }).max(1.0));
        let budget = Self::max_cells(agents) as f32;
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
        let beyond = match edge {
            Edge::Wrap => Beyond::Around,
            Edge::Open => Beyond::Folded,
            Edge::Turn | Edge::Push | Edge::Reflect | Edge::Sphere => Beyond::Last,
        };
        Self { axes: [0, 1, 2].map(|axis| Axis::new(origin[axis], size[axis], cells[axis], beyond)) }
    }

    /// How many cells so many agents have at most, however far they look.
    pub(crate) fn max_cells(agents: usize) -> usize {
        let per_agent = if agents > MANY { CELLS_PER_AGENT_OF_MANY } else { CELLS_PER_AGENT };
        (agents as f32 * per_agent).max(64.0) as usize
    }

    /// How many cells there are.
    pub(crate) fn cells(&self) -> u32 {
        self.axes.iter().map(|axis| axis.cells).product()
    }

    /// How many cells a row has.
    #[inline(always)]
    pub(crate) fn cells_per_row(&self) -> u32 {
        self.axes[0].cells
    }

    /// The number of the cell in which a position lies.
    #[inline(always)]
    pub(crate) fn cell(&self, position: [f32; 3]) -> u32 {
        self.row(position) * self.axes[0].cells + self.axes[0].cell(position[0])
    }

    /// The cells in which positions lie, a lane each; nothing where cells are folded.
    #[inline(always)]
    pub(crate) fn numbers<F: Lanes, const D: usize>(&self, positions: Wide<F, D>) -> Option<F::Words> {
        if self.axes.iter().any(|axis| axis.beyond == Beyond::Folded) {
            return None;
        }
        let mut number = F::words(0);
        for axis in (0..D).rev() {
            let cell = self.axes[axis].cells(positions[axis]);
            number = F::sum(F::product(number, F::words(self.axes[axis].cells)), cell);
        }
        Some(number)
    }

    /// The row in which a position lies, as a number.
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
        Window { spans: [xs, ys, zs], is_split, ambiguous: x || y || z }
    }

    /// The runs of cells of a window, in ascending order.
    #[inline(always)]
    pub(crate) fn runs(&self, window: Window) -> Runs {
        let [xs, ys, zs] = window.spans;
        let [width, height] = [self.axes[0].cells, self.axes[1].cells];
        let first = (zs[0].first * height + ys[0].first) * width;
        Runs {
            run: first + xs[0].first..first + xs[0].end,
            width,
            rows: ys[0].len(),
            layer: width * height,
            layers: zs[0].len(),
            left: ys[0].len(),
            parted: window.is_split.then(|| PartedRuns::new([width, height], xs, ys, zs)),
        }
    }
}

/// Runs of cells, each with the image in which it is meant.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    /// The next run …
    run: Range<u32>,
    /// … and how much further the one in the next row is.
    width: u32,
    /// Rows of a layer, and how many are left of this one.
    rows: u32,
    left: u32,
    /// How much further the next layer is, and how many are left.
    layer: u32,
    layers: u32,
    /// All runs instead, where the world's seam or border parts them.
    parted: Option<PartedRuns>,
}

impl Iterator for Runs {
    type Item = (Range<u32>, Shift);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(parted) = &mut self.parted {
            return parted.next();
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

/// Runs of cells in a window of two spans on some axis.
#[derive(Clone, Debug)]
struct PartedRuns {
    widths: [u32; 2],
    xs: [Span; 2],
    ys: Counter,
    zs: Counter,
    /// Whether the next run is the second of its row.
    second: bool,
}

impl PartedRuns {
    #[cold]
    fn new(widths: [u32; 2], xs: [Span; 2], ys: [Span; 2], zs: [Span; 2]) -> Self {
        Self { widths, xs, ys: Counter::new(ys), zs: Counter::new(zs), second: false }
    }
}

impl Iterator for PartedRuns {
    type Item = (Range<u32>, Shift);

    #[cold]
    fn next(&mut self) -> Option<Self::Item> {
        if self.ys.has_ended() {
            self.zs.advance();
            self.ys = Counter::new(self.ys.spans);
        }
        if self.zs.has_ended() {
            return None;
        }
        let row = (self.zs.now.first * self.widths[1] + self.ys.now.first) * self.widths[0];
        let x = self.xs[usize::from(self.second)];
        let run = (row + x.first..row + x.end, [x.shift, self.ys.now.shift, self.zs.now.shift]);
        self.second = !self.second && self.xs[1].len() > 0;
        if !self.second {
            self.ys.advance();
        }
        Some(run)
    }
}

/// Counts through two spans, of which the first is not empty, one after the other.
#[derive(Clone, Copy, Debug)]
struct Counter {
    spans: [Span; 2],
    now: Span,
    second: bool,
}

impl Counter {
    fn new(spans: [Span; 2]) -> Self {
        Self { spans, now: spans[0], second: false }
    }

    fn has_ended(&self) -> bool {
        self.now.len() == 0
    }

    fn advance(&mut self) {
        self.now.first += 1;
        if self.now.len() == 0 && !self.second {
            (self.now, self.second) = (self.spans[1], true);
        }
    }
}
