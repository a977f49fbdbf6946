//! How crowded each cell is, smoothed over its neighbourhood, and the glow that tells it.

use glam::Vec2;

use super::blur::Plane;
use super::compass::{coarse, compass, level};
use super::drift::{Drift, follow, shift};
use super::exposure::{Exposure, passed};
use super::picture::{DOTS_HIGH, DOTS_WIDE, Glow, Picture};
use super::sums::{SPECIES, Sum, Sums};
use crate::sim::Flock;

/// Over how many ticks densities and headings are averaged.
const TICKS: f32 = 9.0;
/// The percentile of inhabited cells that counts as fully crowded.
const FULL: usize = 95;
/// The steps of a glow's heading and speed, in places on their ramps.
const HEADING_STEP: u8 = 8;
const SPEED_STEP: u8 = 32;
/// How far a value has to move, in steps, before the glow shows it: it would flicker between two.
const STIR: f32 = 0.75;
/// The root of the density up to which nothing glows.
const SKIRTS: f32 = 0.16;
/// How many times as many there must be of another species before the glow shows that one.
const TURN: f32 = 1.25;
/// How much of the glow the farthest lose.
const HAZE: f32 = 0.7;

/// What is smoothed.
#[derive(Clone, Copy)]
enum Quantity {
    Count,
    HeadingX,
    HeadingY,
    Speed,
    Depth,
}

use Quantity::{Count, Depth, HeadingX, HeadingY, Speed};

/// Smooths in space and, from picture to picture, in time.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    fresh: Plane,
    means: [Vec<f32>; 5],
    /// How many there are of each species; empty where there is but one.
    species: [Vec<f32>; SPECIES],
    exposure: Exposure,
    /// What a density is times, for the crowded places to stand at 1.
    full: f32,
    glow: Vec<Glow>,
    drift: Drift,
}

impl Crowd {
    /// Looks at a crowd, `elapsed` ticks after the last time, and fills in the glow where the picture is to have one.
    pub(super) fn fill(&mut self, sums: &Sums, flock: &Flock, elapsed: f32, picture: &mut Picture) {
        self.smooth(sums, Count, elapsed, picture);
        let inhabited = self.means[Count as usize].iter().zip(&sums.cells).filter(|(_, sum)| sum.count > 0.0);
        self.full = self.exposure.follow(inhabited.map(|(density, _)| *density), FULL, elapsed);
        if picture.layers.glow {
            for quantity in [HeadingX, HeadingY, Speed] {
                self.smooth(sums, quantity, elapsed, picture);
            }
            if !sums.depths.is_empty() {
                self.smooth(sums, Depth, elapsed, picture);
            }
            self.kindle(self.full, flock, !sums.depths.is_empty());
            self.smooth_species(sums, flock, elapsed, picture);
            self.stain(flock);
            picture.glow.clone_from(&self.glow);
        }
    }

    /// Tells every cell that has been drawn on how crowded it is there: 255 from the 95th percentile of inhabited
    /// cells on.
    pub(super) fn tell(&self, picture: &mut Picture) {
        let means = &self.means[Count as usize];
        picture.cells.each_drawn(|at, cell| cell.density = coarse(level(means[at] * self.full)));
    }

    /// Forgets what it has seen.
    pub(super) fn forget(&mut self) {
        self.means.iter_mut().chain(&mut self.species).for_each(Vec::clear);
        self.glow.clear();
        self.exposure.forget();
        self.drift = Drift::default();
    }

    /// Moves what it has seen by so many dots, on a canvas so many cells wide.
    pub(super) fn shift(&mut self, dots: Vec2, columns: usize) {
        let by = self.drift.go(dots, Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32));
        self.means.iter_mut().chain(&mut self.species).for_each(|mean| shift(mean, columns, by, f32::NAN));
        shift(&mut self.glow, columns, by, Glow::default());
    }

    /// Takes a quantity's sums into its mean over space and time.
    fn smooth(&mut self, sums: &Sums, quantity: Quantity, elapsed: f32, picture: &Picture) {
        let cells = &sums.cells[..picture.cells.all().len()];
        self.fresh.values.clear();
        let mut take = |of: fn(&Sum) -> f32| self.fresh.values.extend(cells.iter().map(of));
        match quantity {
            Count => take(|sum| sum.count),
            HeadingX => take(|sum| sum.heading[0]),
            HeadingY => take(|sum| sum.heading[1]),
            Speed => take(|sum| sum.speed),
            Depth => self.fresh.values.extend_from_slice(&sums.depths[..cells.len()]),
        }
        take_in(&mut self.means[quantity as usize], &mut self.fresh, elapsed, picture);
    }

    /// Takes how many there are of each species into their means; nothing where there is but one.
    fn smooth_species(&mut self, sums: &Sums, flock: &Flock, elapsed: f32, picture: &Picture) {
        let species = if sums.species.is_empty() { 0 } else { flock.params().species.count as usize };
        self.species.iter_mut().skip(species).for_each(Vec::clear);
        for (species, mean) in self.species.iter_mut().enumerate().take(species) {
            let counts = sums.species[..picture.cells.all().len()].iter();
            self.fresh.values.clear();
            self.fresh.values.extend(counts.map(|counts| counts[species] as f32));
            take_in(mean, &mut self.fresh, elapsed, picture);
        }
    }

    /// Gives the light the species of most around, unless those that it shows are nearly as many.
    fn stain(&mut self, flock: &Flock) {
        let count = flock.params().species.count as usize;
        for (at, glow) in self.glow.iter_mut().enumerate().filter(|(_, glow)| glow.level > 0) {
            let many = |species: u8| self.species[usize::from(species)].get(at).copied().unwrap_or(0.0);
            let most =
                (0..count as u8).fold(0, |most, species| if many(species) > many(most) { species } else { most });
            if usize::from(glow.species) >= count || many(most) > TURN * many(glow.species) {
                glow.species = most;
            }
        }
    }

    /// Turns the means into few steps of light, which change only where they must.
    fn kindle(&mut self, exposure: f32, flock: &Flock, deep: bool) {
        let [count, x, y, speed, depth] = &self.means;
        let limits = flock.params().speed;
        let range = 1.0 / (limits.max - limits.min).max(1e-6);
        self.glow.resize(count.len(), Glow::default());
        for (at, glow) in self.glow.iter_mut().enumerate() {
            if glow.level == 0 && count[at] * exposure < SKIRTS * SKIRTS {
                continue;
            }
            let haze = if deep { 1.0 - HAZE * depth[at] / count[at].max(f32::MIN_POSITIVE) } else { 1.0 };
            // By the root: also a thin crowd is to be seen, if not its far skirts.
            let share = ((count[at] * exposure).min(1.0).sqrt() - SKIRTS).max(0.0) / (1.0 - SKIRTS);
            let light = share * haze * f32::from(Glow::LEVELS);
            if (light - f32::from(glow.level)).abs() > STIR {
                glow.level = (light + 0.5) as u8;
            }
            if glow.level > 0 {
                glow.heading = stirred(glow.heading, compass(x[at], y[at]), HEADING_STEP);
                let pace = level((speed[at] / count[at].max(f32::MIN_POSITIVE) - limits.min) * range);
                let step = stirred(glow.speed, pace, SPEED_STEP);
                // A ramp, unlike a ring, does not go from its end to its beginning.
                glow.speed = if step == 0 && pace > 128 { u8::MAX - SPEED_STEP + 1 } else { step };
            }
        }
    }
}

/// Blurs what is there now, and takes it into its mean over time.
fn take_in(mean: &mut Vec<f32>, fresh: &mut Plane, elapsed: f32, picture: &Picture) {
    fresh.blur(picture.columns, true);
    if mean.len() == fresh.values.len() {
        follow(mean, &fresh.values, passed(elapsed, TICKS));
    } else {
        mean.clone_from(&fresh.values);
    }
}

/// The step nearest to a place on a ring of 256, unless `shown` is near enough.
fn stirred(shown: u8, place: u8, step: u8) -> u8 {
    let off = f32::from(place.wrapping_sub(shown).cast_signed()).abs();
    if off <= STIR * f32::from(step) { shown } else { place.wrapping_add(step / 2) / step * step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_stays_until_it_is_left_behind() {
        assert_eq!([stirred(8, 13, 8), stirred(8, 15, 8), stirred(0, 250, 8), stirred(0, 249, 8)], [8, 16, 0, 248]);
        assert_eq!(stirred(40, 254, 8), 0);
    }
}
