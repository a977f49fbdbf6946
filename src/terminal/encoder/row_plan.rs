//! In which order, and with which pens, the changed cells of a row are written.

use super::color_cache::{ColorCache, LabColor};
use super::pen::Pen;
use crate::picture::{CellAttrs, PackedCell, WORD, set_bits};

/// A row that needs more pens than this is written from left to right.
const MAX_SORTED_PENS: usize = 48;
/// Size of the pen cache.
const PEN_CACHE_SIZE: usize = 32;

/// Cells within one word that a pen writes.
#[derive(Clone, Copy, Debug, Default)]
struct PenRun {
    /// Index into the row's pens. The current pen has 0.
    pen: u16,
    word: u16,
    /// A bit for each cell.
    bits: u64,
}

/// The changed cells of one row, ordered for few pen changes.
#[derive(Debug, Default)]
pub(super) struct RowPlan {
    runs: Vec<PenRun>,
    pens: Vec<RowPen>,
    /// Pens found for cells of this row.
    pen_cache: [(Option<PenKey>, u16); PEN_CACHE_SIZE],
    /// Number of this row. Cache entries of other rows are stale.
    row: u64,
    /// Scratch space for sorting.
    sorted: Vec<PenRun>,
    /// The pen for each color of the palette.
    dot_pens: Vec<DotPen>,
}

/// The pen for braille dots of a color of the palette.
#[derive(Clone, Copy, Debug, Default)]
struct DotPen {
    row: u64,
    attrs: CellAttrs,
    pen: u16,
}

/// Cells with equal keys take the same pen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PenKey {
    row: u64,
    exact: Pen,
    /// Braille has another tolerance.
    is_braille: bool,
}

#[derive(Clone, Copy, Debug)]
struct RowPen {
    pen: Pen,
    fg: LabColor,
    /// Number of runs that use it.
    runs: usize,
}

impl RowPen {
    /// Whether the pen writes a cell exactly, or braille dots with a color near its own.
    #[inline]
    fn writes(&self, cell: PackedCell, colors: &mut ColorCache) -> bool {
        if !self.fg.is_known() {
            return self.pen.is_exact_for(cell);
        }
        // Without branches, since they would be mispredicted often.
        let is_like = self.fg.is_like(&colors.lab(cell.fg()), colors.fg_tolerance(cell));
        let is_near = (self.pen.attrs == cell.attrs) & cell.is_braille() & is_like;
        self.pen.is_exact_for(cell) | is_near
    }

    /// Whether a cell with the color `fg` looks the same when the pen writes it.
    #[inline]
    fn fits(&self, cell: PackedCell, fg: &LabColor, colors: &mut ColorCache) -> bool {
        colors.attrs_alike(self.pen.attrs, cell) && (cell.is_blank() || self.fg.is_like(fg, colors.fg_tolerance(cell)))
    }
}

impl RowPlan {
    /// Plans a row, from the current pen on: the dirty cells that look different from the shown ones.
    #[inline]
    pub(super) fn make(
        &mut self,
        pen: Pen,
        dirty: &[u64],
        wanted: &[PackedCell],
        shown: &[PackedCell],
        colors: &mut ColorCache,
    ) {
        self.runs.clear();
        self.pens.clear();
        self.row += 1;
        self.add_pen(pen, colors.lab(pen.fg));
        let index = colors.palette_index(pen.fg);
        if colors.palette_color(index).color == pen.fg {
            *self.dot_pen_mut(index) = DotPen { row: self.row, attrs: pen.attrs, pen: 0 };
        }
        self.add_cells(dirty, wanted, shown, colors);
        // Writing pen by pen saves bytes unless there are very many pens.
        if (2..=MAX_SORTED_PENS).contains(&self.pens.len()) {
            self.sort();
        }
    }

    /// Adds the cells from left to right.
    #[inline]
    fn add_cells(&mut self, dirty: &[u64], wanted: &[PackedCell], shown: &[PackedCell], colors: &mut ColorCache) {
        let (mut index, mut pen) = (0, self.pens[0]);
        let cells = wanted.chunks(WORD).zip(shown.chunks(WORD));
        for ((word, dirty), (wanted, shown)) in (0..).zip(dirty).zip(cells) {
            let mut run = PenRun { pen: index, word, bits: 0 };
            for at in set_bits([*dirty]) {
                let (wanted, shown) = (wanted[at], shown[at]);
                if wanted == shown || colors.cells_alike(wanted, shown) {
                    continue;
                }
                if !pen.writes(wanted, colors) {
                    let next = self.pen_for(index, wanted, colors);
                    if next != index {
                        self.add_run(run);
                        index = next;
                        pen = self.pens[usize::from(index)];
                        run = PenRun { pen: index, word, bits: 0 };
                    }
                }
                run.bits |= 1 << at;
            }
            self.add_run(run);
        }
    }

    #[inline]
    fn add_run(&mut self, run: PenRun) {
        if run.bits != 0 {
            self.pens[usize::from(run.pen)].runs += 1;
            self.runs.push(run);
        }
    }

    fn add_pen(&mut self, pen: Pen, fg: LabColor) {
        self.pens.push(RowPen { pen, fg, runs: 0 });
    }

    /// The pen for a cell, preferably the last one.
    #[inline]
    fn pen_for(&mut self, last: u16, cell: PackedCell, colors: &mut ColorCache) -> u16 {
        if cell.is_braille() && self.pens[usize::from(last)].pen.attrs == cell.attrs {
            let index = colors.palette_index(cell.fg());
            return self.dot_pen(index, colors.palette_color(index), cell.attrs);
        }
        self.other_pen(last, cell, colors)
    }

    fn dot_pen_mut(&mut self, index: u16) -> &mut DotPen {
        let index = usize::from(index);
        if index >= self.dot_pens.len() {
            self.dot_pens.resize(index + 1, DotPen::default());
        }
        &mut self.dot_pens[index]
    }

    /// The pen for dots of a color of the palette.
    #[inline]
    fn dot_pen(&mut self, index: u16, fg: LabColor, attrs: CellAttrs) -> u16 {
        let row = self.row;
        let known = *self.dot_pen_mut(index);
        if (known.row, known.attrs) == (row, attrs) {
            return known.pen;
        }
        let pen = self.pens.len() as u16;
        *self.dot_pen_mut(index) = DotPen { row, attrs, pen };
        self.add_pen(Pen { fg: fg.color, attrs }, fg);
        pen
    }

    /// The pen for anything but dots on the last cell's background.
    #[inline(never)]
    fn other_pen(&mut self, last: u16, cell: PackedCell, colors: &mut ColorCache) -> u16 {
        let fg = &colors.lab(cell.fg());
        if self.pens[usize::from(last)].fits(cell, fg, colors) {
            return last;
        }
        if cell.is_blank() {
            // A cached pen for a blank says nothing about letters on the same background.
            return self.find_pen(last, cell, fg, colors);
        }
        let key = Some(PenKey { row: self.row, exact: Pen::of(cell), is_braille: cell.is_braille() });
        let slot = (cell.fg().slot(PEN_CACHE_SIZE) ^ cell.bg().slot(PEN_CACHE_SIZE)) % PEN_CACHE_SIZE;
        if self.pen_cache[slot].0 != key {
            self.pen_cache[slot] = (key, self.find_pen(last, cell, fg, colors));
        }
        self.pen_cache[slot].1
    }

    /// The first of the row's pens that fits, or else a new one.
    fn find_pen(&mut self, last: u16, cell: PackedCell, fg: &LabColor, colors: &mut ColorCache) -> u16 {
        // A row with more pens is not sorted, so that an earlier pen gains nothing.
        let candidates = if self.pens.len() <= MAX_SORTED_PENS { &self.pens[..] } else { &[] };
        let found = candidates.iter().position(|pen| pen.fits(cell, fg, colors));
        let index = found.unwrap_or_else(|| {
            if cell.is_blank() {
                // A blank has no foreground, so it keeps the last one.
                let last = self.pens[usize::from(last)];
                self.add_pen(Pen::new(last.pen.fg, cell.bg(), cell.modifier()), last.fg);
            } else {
                self.add_pen(Pen::of(cell), *fg);
            }
            self.pens.len() - 1
        });
        index as u16
    }

    /// Sorts the runs by pen, by counting. Pens that differ in one color follow each other: writing one is half the bytes.
    fn sort(&mut self) {
        let mut next = [0; MAX_SORTED_PENS];
        let mut sum = 0;
        // A bit for each pen: a row with more than `MAX_SORTED_PENS` is not sorted.
        let mut rest = (1_u64 << self.pens.len()) - 1;
        let mut last = 0;
        while rest != 0 {
            let pen = self.pens[last].pen;
            let find = |is_near: &dyn Fn(&Pen) -> bool| set_bits([rest]).find(|at| is_near(&self.pens[*at].pen));
            let at = find(&|other| other.attrs == pen.attrs).or_else(|| find(&|other| other.fg == pen.fg));
            last = at.unwrap_or(rest.trailing_zeros() as usize);
            rest &= !(1 << last);
            next[last] = sum;
            sum += self.pens[last].runs;
        }
        self.sorted.resize(self.runs.len(), PenRun::default());
        for run in &self.runs {
            let at = &mut next[usize::from(run.pen)];
            self.sorted[*at] = *run;
            *at += 1;
        }
        std::mem::swap(&mut self.runs, &mut self.sorted);
    }

    /// What to write, in order: the column of the first bit, set or not, a bit for each cell, and the pen.
    #[inline]
    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, u64, Pen)> {
        let pen = |run: &PenRun| self.pens[usize::from(run.pen)].pen;
        self.runs.iter().map(move |run| (usize::from(run.word) * WORD, run.bits, pen(run)))
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Modifier};

    use super::*;

    /// The columns with these colors, in the order in which they are written.
    fn order(colors: &[(usize, Color)]) -> Vec<usize> {
        let (mut plan, mut cache) = (RowPlan::default(), ColorCache::default());
        let shown = [PackedCell::BLANK; 2 * WORD];
        let mut wanted = shown;
        for (column, color) in colors {
            wanted[*column].set_char('x', (*color).into(), Modifier::empty());
        }
        plan.make(Pen::PLAIN, &[u64::MAX; 2], &wanted, &shown, &mut cache);
        plan.runs().flat_map(|(start, bits, _)| set_bits([bits]).map(move |at| start + at)).collect()
    }

    #[test]
    fn rows_are_written_pen_by_pen_unless_there_are_many() {
        let (red, blue) = (Color::Red, Color::Blue);
        assert_eq!(order(&[(1, red), (2, blue), (3, red)]), [1, 3, 2]);
        let alternating: Vec<_> = (0..10).map(|at| (at, if at % 2 == 0 { red } else { blue })).collect();
        assert_eq!(order(&alternating), [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
        let many: Vec<_> = (0..60).map(|at| (at, Color::Rgb(at as u8 * 4, 90, 10))).collect();
        assert_eq!(order(&many), (0..60).collect::<Vec<_>>());
    }
}
