//! In which order the changed cells of a row are written.

use super::Tolerance;
use super::color_distance::{ColorDistance, LabColor};
use super::packed_cell::{CellAttrs, PackedCell};
use super::pen::Pen;
use super::quantizer::Quantizer;
use crate::bits::{WORD, set_bits};

/// With more pens than this a row is written from left to right.
const MOST_GROUPS: usize = 24;

/// A quantized is so much closer to a color than dots may be off: it is the same all over the picture, where steps from
/// one to the next would be seen.
const CLOSER: f32 = 0.65;

/// Cells of one word that a pen writes before another is taken up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PenRun {
    /// Which of the row's pens it takes.
    group: u16,
    word: u16,
    /// A bit for each cell.
    bits: u64,
}

impl PenRun {
    /// Which of the row's pens it takes; the one at hand has 0.
    pub(crate) fn group(self) -> usize {
        self.group.into()
    }

    /// The column of its first bit, whether that is set or not.
    pub(crate) fn start(self) -> usize {
        usize::from(self.word) * WORD
    }

    /// A bit for each of its cells.
    pub(crate) fn bits(self) -> u64 {
        self.bits
    }
}

/// CellAttrs many inks of a row are remembered with their pens.
const KNOWN: usize = 32;

/// The changed cells of one row, in the order in which they cost least.
#[derive(Debug)]
pub(crate) struct RowPlan {
    strokes: Vec<PenRun>,
    pens: Vec<RowPen>,
    /// Which of the row's pens were found for what.
    known: [(Option<PenKey>, u16); KNOWN],
    row: u64,
    sorted: Vec<PenRun>,
    quantizer: Quantizer,
    /// Which of a row's pens was found for dots of each quantized.
    stamps: Vec<QuantizedPen>,
}

/// The pen for dots of a quantized.
#[derive(Clone, Copy, Debug)]
struct QuantizedPen {
    row: u64,
    how: CellAttrs,
    group: u16,
}

impl QuantizedPen {
    const NONE: Self = Self { row: 0, how: Pen::PLAIN.how(), group: 0 };
}

/// What a pen was looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PenKey {
    row: u64,
    pen: Pen,
    /// Dots may be farther off.
    is_braille: bool,
}

/// A pen of the row's.
#[derive(Clone, Copy, Debug)]
struct RowPen {
    pen: Pen,
    /// CellAttrs its color looks.
    fg: LabColor,
    /// CellAttrs many strokes it makes.
    strokes: usize,
}

impl RowPen {
    /// Whether it writes an ink of one column, or dots so that nobody sees a difference.
    #[inline]
    fn writes(
        &self,
        ink: PackedCell,
        quantizer: &mut Quantizer,
        distance: &mut ColorDistance,
        tolerance: Tolerance,
    ) -> bool {
        if !self.fg.is_placed() {
            return self.pen.is_of(ink);
        }
        // Nobody foresees which it is: all is asked at once, without a branch.
        let (seen, _) = quantizer.find(ink.fg(), distance);
        let is_near = ink.is_braille() & self.fg.is_like(seen, tolerance.dots);
        self.pen.is_of(ink) | (is_near & (self.pen.how() == ink.how()))
    }

    /// Whether nobody sees a difference where it writes an ink, whose color looks like `fg`.
    #[inline]
    fn fits(&self, ink: PackedCell, fg: &LabColor, distance: &mut ColorDistance, tolerance: Tolerance) -> bool {
        self.pen.is_alike_but_for_fg(ink, distance, tolerance)
            && (ink.is_blank() || self.fg.is_like(fg, ink.leeway(tolerance)))
    }
}

impl Default for RowPlan {
    fn default() -> Self {
        Self {
            strokes: Vec::new(),
            pens: Vec::new(),
            known: [(None, 0); KNOWN],
            row: 0,
            sorted: Vec::new(),
            quantizer: Quantizer::default(),
            stamps: Vec::new(),
        }
    }
}

impl RowPlan {
    /// Begins anew, with the pen at hand.
    #[inline]
    pub(crate) fn clear(&mut self, pen: Pen, distance: &mut ColorDistance, tolerance: Tolerance) {
        self.strokes.clear();
        self.pens.clear();
        self.row += 1;
        self.quantizer.allow(CLOSER * tolerance.dots);
        self.hold(pen, distance.see(pen.fg()));
        if let Some(quantized) = self.quantizer.of(pen.fg(), distance) {
            *self.stamp(quantized) = QuantizedPen { row: self.row, how: pen.how(), group: 0 };
        }
    }

    /// Lays out the cells of a row that are to be written, from left to right: of those that may have `changed`, a bit
    /// each, the ones that look otherwise than they are shown.
    #[inline]
    pub(crate) fn lay_out(
        &mut self,
        changed: &[u64],
        (wanted, shown): (&[PackedCell], &[PackedCell]),
        distance: &mut ColorDistance,
        tolerance: Tolerance,
    ) {
        let (mut group, mut held) = (0, self.pens[0]);
        let cells = wanted.chunks(WORD).zip(shown.chunks(WORD));
        for ((word, changed), (wanted, shown)) in (0..).zip(changed).zip(cells) {
            let mut stroke = PenRun { group, word, bits: 0 };
            for at in set_bits([*changed]) {
                let (want, show) = (wanted[at], shown[at]);
                if want == show || distance.is_alike(want, show, tolerance) {
                    continue;
                }
                if !held.writes(want, &mut self.quantizer, distance, tolerance) {
                    let next = self.group(group, want, distance, tolerance);
                    if next != group {
                        self.add(stroke);
                        group = next;
                        held = self.pens[usize::from(group)];
                        stroke = PenRun { group, word, bits: 0 };
                    }
                }
                stroke.bits |= 1 << at;
            }
            self.add(stroke);
        }
    }

    #[inline]
    fn add(&mut self, stroke: PenRun) {
        if stroke.bits != 0 {
            self.pens[stroke.group()].strokes += 1;
            self.strokes.push(stroke);
        }
    }

    /// The number of the pen for a cell behind one that takes the pen of this number.
    #[inline]
    fn group(&mut self, last: u16, ink: PackedCell, distance: &mut ColorDistance, tolerance: Tolerance) -> u16 {
        if ink.is_braille() && self.pens[usize::from(last)].pen.how() == ink.how() {
            let &(_, quantized) = self.quantizer.find(ink.fg(), distance);
            return self.dots(quantized, ink.how());
        }
        self.other(last, ink, distance, tolerance)
    }

    fn stamp(&mut self, quantized: u16) -> &mut QuantizedPen {
        let quantized = usize::from(quantized);
        if quantized >= self.stamps.len() {
            self.stamps.resize(quantized + 1, QuantizedPen::NONE);
        }
        &mut self.stamps[quantized]
    }

    /// The number of the pen for dots of a quantized.
    #[inline]
    fn dots(&mut self, quantized: u16, how: CellAttrs) -> u16 {
        let row = self.row;
        let stamp = *self.stamp(quantized);
        if (stamp.row, stamp.how) == (row, how) {
            return stamp.group;
        }
        let group = self.pens.len() as u16;
        *self.stamp(quantized) = QuantizedPen { row, how, group };
        let fg = self.quantizer.seen(quantized);
        self.hold(Pen::with(fg.color(), how), fg);
        group
    }

    /// The number of the pen for what is no dots, or stands before something else than the cell before.
    #[inline(never)]
    fn other(&mut self, last: u16, ink: PackedCell, distance: &mut ColorDistance, tolerance: Tolerance) -> u16 {
        let fg = &distance.see(ink.fg());
        if self.pens[usize::from(last)].fits(ink, fg, distance, tolerance) {
            return last;
        }
        if ink.is_blank() {
            // What is behind a blank says nothing of what letters are written with.
            return self.find(last, ink, fg, distance, tolerance);
        }
        let wish = Some(PenKey { row: self.row, pen: Pen::of(ink), is_braille: ink.is_braille() });
        let slot = (ink.fg().slot(KNOWN) ^ ink.bg().slot(KNOWN)) % KNOWN;
        if self.known[slot].0 != wish {
            self.known[slot] = (wish, self.find(last, ink, fg, distance, tolerance));
        }
        self.known[slot].1
    }

    /// The first of the row's pens that fits, which stays the first; a new one where none does.
    fn find(
        &mut self,
        last: u16,
        ink: PackedCell,
        fg: &LabColor,
        distance: &mut ColorDistance,
        tolerance: Tolerance,
    ) -> u16 {
        // With more of them the row is written as it stands.
        let known = if self.pens.len() <= MOST_GROUPS { &self.pens[..] } else { &[] };
        let found = known.iter().position(|held| held.fits(ink, fg, distance, tolerance));
        let number = found.unwrap_or_else(|| {
            // A blank takes no color, and leaves that at hand.
            let before = self.pens[usize::from(last)];
            if ink.is_blank() {
                self.hold(Pen::new(before.pen.fg(), ink.bg(), ink.modifier()), before.fg);
            } else {
                self.hold(Pen::of(ink), *fg);
            }
            self.pens.len() - 1
        });
        number as u16
    }

    fn hold(&mut self, pen: Pen, fg: LabColor) {
        self.pens.push(RowPen { pen, fg, strokes: 0 });
    }

    /// Puts the cells in order: pen by pen, which is shorter unless there are very many.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if (2..=MOST_GROUPS).contains(&self.pens.len()) {
            self.sort();
        }
    }

    /// Puts the cells in order pen by pen, those of a pen from left to right.
    fn sort(&mut self) {
        let mut next = [0; MOST_GROUPS];
        let mut sum = 0;
        for (next, held) in next.iter_mut().zip(&self.pens) {
            *next = sum;
            sum += held.strokes;
        }
        self.sorted.resize(self.strokes.len(), PenRun::default());
        for stroke in &self.strokes {
            let at = &mut next[stroke.group()];
            self.sorted[*at] = *stroke;
            *at += 1;
        }
        std::mem::swap(&mut self.strokes, &mut self.sorted);
    }

    /// What is to be written, in its order.
    #[inline]
    pub(crate) fn strokes(&self) -> &[PenRun] {
        &self.strokes
    }

    /// One of the row's pens.
    pub(crate) fn pen(&self, number: usize) -> Pen {
        self.pens[number].pen
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Modifier};

    use super::*;

    /// The columns in the order in which they are written, where these colors stand in them.
    fn order(colors: &[(usize, Color)]) -> Vec<usize> {
        let (mut plan, mut distance) = (RowPlan::default(), ColorDistance::default());
        let shown = [PackedCell::BLANK; 2 * WORD];
        let mut wanted = shown;
        for (column, color) in colors {
            wanted[*column].write('x', (*color).into(), Modifier::empty());
        }
        plan.clear(Pen::PLAIN, &mut distance, Tolerance::EXACT);
        plan.lay_out(&[u64::MAX; 2], (&wanted, &shown), &mut distance, Tolerance::EXACT);
        plan.settle();
        plan.strokes().iter().flat_map(|stroke| set_bits([stroke.bits()]).map(|at| stroke.start() + at)).collect()
    }

    #[test]
    fn a_row_is_written_pen_by_pen_but_for_very_many() {
        let (red, blue) = (Color::Red, Color::Blue);
        assert_eq!(order(&[(1, red), (2, blue), (3, red)]), [1, 3, 2]);
        let turns: Vec<_> = (0..10).map(|at| (at, if at % 2 == 0 { red } else { blue })).collect();
        assert_eq!(order(&turns), [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
        let many: Vec<_> = (0..60).map(|at| (at, Color::Rgb(at as u8 * 4, 90, 10))).collect();
        assert_eq!(order(&many), (0..60).collect::<Vec<_>>());
    }
}
