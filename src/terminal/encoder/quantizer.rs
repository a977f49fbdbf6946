//! The few colours that dots are written with: those that nobody tells apart there take one.

use super::color_distance::{Likeness, Seen};
use super::packed_cell::Tint;

/// How many colours are kept at hand; a power of two.
const SLOTS: usize = 1024;
/// From so many swatches on they are chosen anew: most are of a theme that has gone.
const MOST: usize = 256;

/// Chooses them as colours come, and keeps what it has chosen.
#[derive(Debug)]
pub(crate) struct Swatches {
    /// Colours, and the numbers of their swatches.
    known: Vec<(Seen, u16)>,
    chosen: Vec<Seen>,
    /// How far a colour may be from its swatch.
    leeway: f32,
}

impl Default for Swatches {
    fn default() -> Self {
        Self { known: vec![(Seen::new(Tint::OWN), 0); SLOTS], chosen: vec![Seen::new(Tint::OWN)], leeway: 0.0 }
    }
}

impl Swatches {
    /// Chooses them anew, with other numbers, where colours may be otherwise off than before, or there are very many.
    #[inline]
    pub(crate) fn allow(&mut self, leeway: f32) {
        if self.leeway != leeway || self.chosen.len() > MOST {
            *self = Self { leeway, ..Self::default() };
        }
    }

    /// How a colour looks, and the number of its swatch.
    #[inline]
    pub(crate) fn find(&mut self, tint: Tint, likeness: &mut Likeness) -> &(Seen, u16) {
        let slot = tint.slot(SLOTS);
        if self.known[slot].0.tint() != tint {
            self.known[slot] = self.choose(likeness.see(tint));
        }
        &self.known[slot]
    }

    #[cold]
    fn choose(&mut self, seen: Seen) -> (Seen, u16) {
        let found = self.chosen.iter().position(|swatch| swatch.is_like(&seen, self.leeway));
        let number = found.unwrap_or_else(|| {
            self.chosen.push(seen);
            self.chosen.len() - 1
        });
        (seen, number as u16)
    }

    /// The colour of a swatch.
    #[inline]
    pub(crate) fn seen(&self, number: u16) -> Seen {
        self.chosen[usize::from(number)]
    }

    /// The number of the swatch that has just this colour.
    pub(crate) fn of(&mut self, tint: Tint, likeness: &mut Likeness) -> Option<u16> {
        let number = self.find(tint, likeness).1;
        (self.seen(number).tint() == tint).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    /// Colours all around.
    fn colors(many: u16) -> impl Iterator<Item = Tint> {
        (0..many).map(|at| Tint::from(Color::Rgb((at * 7 % 256) as u8, (at * 3 % 256) as u8, (at / 2 % 256) as u8)))
    }

    #[test]
    fn a_colour_is_near_its_swatch_and_few_swatches_do_for_many() {
        let (mut swatches, mut likeness) = (Swatches::default(), Likeness::default());
        swatches.allow(0.06);
        // Twice: as it is chosen, and as it is kept, also where two colours take turns at one slot.
        for tint in colors(600).chain(colors(600)) {
            swatches.allow(0.06);
            let &(seen, number) = swatches.find(tint, &mut likeness);
            assert_eq!(seen.tint(), tint);
            assert!(swatches.seen(number).is_like(&seen, 0.06), "{tint:?}");
        }
        assert!((20..200).contains(&swatches.chosen.len()), "{}", swatches.chosen.len());
    }

    #[test]
    fn where_colours_must_be_exact_each_is_its_own_and_too_many_are_forgotten() {
        let (mut swatches, mut likeness) = (Swatches::default(), Likeness::default());
        for tint in colors(MOST as u16 + 1) {
            assert_eq!(swatches.of(tint, &mut likeness).map(|number| swatches.seen(number).tint()), Some(tint));
        }
        swatches.allow(0.0);
        assert_eq!(swatches.chosen.len(), 1);
        assert_eq!(swatches.of(Tint::OWN, &mut likeness), Some(0));
    }
}
