//! In which order the changed cells of a row are written.

use super::ink::{Ink, Shade, Tint};
use super::ladder::Tolerance;
use super::likeness::Likeness;
use super::pen::Pen;

/// From so many colours on a row is written from left to right.
const MOST_GROUPS: usize = 24;

/// A cell that is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stroke {
    /// Which of the row's pens it takes.
    group: u16,
    column: u16,
}

/// How many inks of a row are remembered with their pens.
const KNOWN: usize = 32;

/// The changed cells of one row, in the order in which they cost least.
#[derive(Debug)]
pub(super) struct Plan {
    strokes: Vec<Stroke>,
    pens: Vec<Pen>,
    /// Which pen was found for an ink, by its colours, in which row.
    known: [(u32, Pen, u16); KNOWN],
    row: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Self { strokes: Vec::new(), pens: Vec::new(), known: [(0, Pen::PLAIN, 0); KNOWN], row: 0 }
    }
}

impl Plan {
    /// Begins anew, with the pen at hand.
    #[inline]
    pub(super) fn clear(&mut self, pen: Pen) {
        self.strokes.clear();
        self.pens.clear();
        self.pens.push(pen);
        self.row = self.row.wrapping_add(1);
    }

    /// A cell that is to be written; each comes further right than the last.
    #[inline]
    pub(super) fn add(&mut self, column: usize, ink: &Ink, likeness: &mut Likeness, tolerance: Tolerance) {
        let last = self.strokes.last().map_or(0, |stroke| usize::from(stroke.group));
        let group = if self.fits(last, ink, likeness, tolerance) {
            last
        } else if ink.is_blank() {
            self.find(last, ink, likeness, tolerance)
        } else {
            let pen = Pen::of(ink);
            let slot = (pen.fg.slot(KNOWN) ^ pen.bg.slot(KNOWN)) % KNOWN;
            let (row, known, group) = self.known[slot];
            if row == self.row && known == pen {
                usize::from(group)
            } else {
                let group = self.find(last, ink, likeness, tolerance);
                self.known[slot] = (self.row, pen, group as u16);
                group
            }
        };
        self.strokes.push(Stroke { group: group as u16, column: column as u16 });
    }

    /// The first of the row's pens that fits, which stays the first; a new one where none does.
    fn find(&mut self, last: usize, ink: &Ink, likeness: &mut Likeness, tolerance: Tolerance) -> usize {
        // With more of them the row is written as it stands.
        let known = if self.pens.len() <= MOST_GROUPS { self.pens.len() } else { 0 };
        let found = (0..known).find(|&group| self.fits(group, ink, likeness, tolerance));
        found.unwrap_or_else(|| {
            let mut pen = Pen::of(ink);
            if ink.is_blank() {
                pen.fg = self.pens[last].fg;
            }
            self.pens.push(pen);
            self.pens.len() - 1
        })
    }

    /// Whether nobody sees a difference between an ink and one of the row's pens.
    #[inline]
    fn fits(&self, group: usize, ink: &Ink, likeness: &mut Likeness, tolerance: Tolerance) -> bool {
        let pen = &self.pens[group];
        pen.modifier == ink.modifier
            && likeness.alike(pen.bg, ink.bg, tolerance.rest)
            && (ink.is_blank() || likeness.alike(pen.fg, ink.fg, ink.leeway(tolerance)))
    }

    /// Puts the cells in order: from left to right, or pen by pen where that is shorter.
    #[inline]
    pub(super) fn settle(&mut self) {
        if self.pens.len() < 3 || self.pens.len() > MOST_GROUPS {
            return;
        }
        let groups = self.strokes.iter().map(|stroke| stroke.group);
        let changes = groups.clone().zip(groups.skip(1)).filter(|(one, next)| one != next).count();
        if changes < self.pens.len() {
            return;
        }
        let pen = self.pens.iter().skip(1).map(cost).sum::<usize>() / (self.pens.len() - 1);
        let straight = changes * pen + moves(&self.strokes);
        self.strokes.sort_by_key(|stroke| stroke.group);
        if (self.pens.len() - 1) * pen + moves(&self.strokes) >= straight {
            self.strokes.sort_unstable_by_key(|stroke| stroke.column);
        }
    }

    /// The cells in their order, each with its pen.
    #[inline]
    pub(super) fn strokes(&self) -> impl Iterator<Item = (usize, Pen)> {
        self.strokes.iter().map(|stroke| (usize::from(stroke.column), self.pens[usize::from(stroke.group)]))
    }
}

/// About how many bytes it takes to take up a pen.
fn cost(pen: &Pen) -> usize {
    let color = |tint: Tint| match tint.shade() {
        Shade::Own => 0,
        Shade::Indexed(0..16) => 3,
        Shade::Indexed(_) => 8,
        Shade::Rgb(..) => 16,
    };
    2 + color(pen.fg).max(color(pen.bg))
}

/// About how many bytes it takes to go from each cell to the next.
fn moves(strokes: &[Stroke]) -> usize {
    let step = |pair: &[Stroke]| match i32::from(pair[1].column) - i32::from(pair[0].column) {
        1 => 0,
        2 => 2,
        3..=10 => 4,
        _ => 5,
    };
    strokes.windows(2).map(step).sum()
}
