//! How crowded each cell is, smoothed over its neighborhood, and the glow that tells it.

use glam::Vec2;

use crate::canvas::picture::quantize::{coarse_level, compass, level};
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, Glow, Picture};
use crate::canvas::raster::sums::{CellSum, CellSums, SPECIES};
use crate::canvas::smoothing::blur::ScalarField;
use crate::canvas::smoothing::exposure::{Exposure, mean_share};
use crate::canvas::smoothing::scroll::{Scroll, follow, shift};
use crate::sim::{Flock, VectorLoop, run_vectorized};

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
pub(crate) struct GlowLayer {
    fresh: ScalarField,
    means: [Vec<f32>; 5],
    /// How many there are of each species; empty where there is but one.
    species: [Vec<f32>; SPECIES],
    exposure: Exposure,
    /// What a density is times, for the crowded places to stand at 1.
    full: f32,
    glow: Vec<Glow>,
    drift: Scroll,
}

impl GlowLayer {
    /// Looks at a crowd, `elapsed` ticks after the last time, and fills in the glow where the picture is to have one.
    pub(crate) fn fill(&mut self, sums: &CellSums, flock: &Flock, elapsed: f32, picture: &mut Picture) {
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
            self.kindle(flock, !sums.depths.is_empty());
            self.smooth_species(sums, flock, elapsed, picture);
            self.stain(flock);
            picture.glow.clone_from(&self.glow);
        }
    }

    /// Tells every cell that has been drawn on how crowded it is there: 255 from the 95th percentile of inhabited
    /// cells on.
    pub(crate) fn tell(&self, picture: &mut Picture) {
        let means = &self.means[Count as usize];
        picture.cells.each_drawn(|at, cell| cell.density = coarse_level(level(means[at] * self.full)));
    }

    /// Forgets what it has seen.
    pub(crate) fn reset(&mut self) {
        self.means.iter_mut().chain(&mut self.species).for_each(Vec::clear);
        self.glow.clear();
        self.exposure.reset();
        self.drift = Scroll::default();
    }

    /// Moves what it has seen by so many dots, on a canvas so many cells wide.
    pub(crate) fn shift(&mut self, dots: Vec2, columns: usize) {
        let by = self.drift.go(dots, Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32));
        self.means.iter_mut().chain(&mut self.species).for_each(|mean| shift(mean, columns, by, f32::NAN));
        shift(&mut self.glow, columns, by, Glow::default());
    }

    /// Takes a quantity's sums into its mean over space and time.
    fn smooth(&mut self, sums: &CellSums, quantity: Quantity, elapsed: f32, picture: &Picture) {
        let cells = &sums.cells[..picture.cells.all().len()];
        self.fresh.values.clear();
        let mut take = |of: fn(&CellSum) -> f32| self.fresh.values.extend(cells.iter().map(of));
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
    fn smooth_species(&mut self, sums: &CellSums, flock: &Flock, elapsed: f32, picture: &Picture) {
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
        if count == 1 {
            return self.glow.iter_mut().for_each(|glow| glow.species = 0);
        }
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
    fn kindle(&mut self, flock: &Flock, deep: bool) {
        let ([count, x, y, speed, depth], exposure) = (&self.means, self.full);
        let limits = flock.params().speed;
        let range = 1.0 / (limits.max - limits.min).max(1e-6);
        self.glow.resize(count.len(), Glow::default());
        for (run, glows) in self.glow.chunks_mut(RUN).enumerate() {
            let places = run * RUN..run * RUN + glows.len();
            let is_dark = |glow: &Glow, count: f32| glow.level == 0 && count * exposure < SKIRTS * SKIRTS;
            let count = &count[places.clone()];
            if glows.iter().zip(count).all(|(glow, count)| is_dark(glow, *count)) {
                continue;
            }
            let [x, y, speed] = [x, y, speed].map(|mean| &mean[places.clone()]);
            let depth = deep.then(|| &depth[places.clone()]);
            let light = run_vectorized(ComputeGlow { count, x, y, speed, depth, exposure, slowest: limits.min, range });
            for (at, (glow, count)) in glows.iter_mut().zip(count).enumerate() {
                if !is_dark(glow, *count) {
                    light.fall_on(at, glow);
                }
            }
        }
    }
}

/// How many cells are lit at a time: their light is worked out for all of them without a branch.
const RUN: usize = 64;

/// How brightly some cells glow, in levels, and how the crowds there fly, as places on ramps.
struct GlowBatch {
    level: [f32; RUN],
    heading: [u8; RUN],
    speed: [u8; RUN],
}

impl GlowBatch {
    /// Changes a glow to the light of its cell, where it must.
    #[inline]
    fn fall_on(&self, at: usize, glow: &mut Glow) {
        let level = self.level[at];
        if (level - f32::from(glow.level)).abs() > STIR {
            glow.level = (level + 0.5) as u8;
        }
        if glow.level > 0 {
            glow.heading = stirred(glow.heading, self.heading[at], HEADING_STEP);
            let pace = self.speed[at];
            let step = stirred(glow.speed, pace, SPEED_STEP);
            // A ramp, unlike a ring, does not go from its end to its beginning.
            glow.speed = if step == 0 && pace > 128 { u8::MAX - SPEED_STEP + 1 } else { step };
        }
    }
}

/// Works out the light of some cells from their means; of the speeds `slowest` is the least, and times `range` they are
/// shares.
struct ComputeGlow<'a> {
    count: &'a [f32],
    x: &'a [f32],
    y: &'a [f32],
    speed: &'a [f32],
    depth: Option<&'a [f32]>,
    exposure: f32,
    slowest: f32,
    range: f32,
}

impl VectorLoop for ComputeGlow<'_> {
    type Output = GlowBatch;

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]
    fn run(self) -> GlowBatch {
        let mut light = GlowBatch { level: [0.0; RUN], heading: [0; RUN], speed: [0; RUN] };
        for (level, count) in light.level.iter_mut().zip(self.count) {
            // By the root: also a thin crowd is to be seen, if not its far skirts.
            *level = ((count * self.exposure).min(1.0).sqrt() - SKIRTS).max(0.0) / (1.0 - SKIRTS);
        }
        if let Some(depth) = self.depth {
            for ((level, count), depth) in light.level.iter_mut().zip(self.count).zip(depth) {
                *level *= 1.0 - HAZE * depth / count.max(f32::MIN_POSITIVE);
            }
        }
        light.level.iter_mut().for_each(|level| *level *= f32::from(Glow::LEVELS));
        for ((heading, x), y) in light.heading.iter_mut().zip(self.x).zip(self.y) {
            *heading = compass(*x, *y);
        }
        for ((pace, speed), count) in light.speed.iter_mut().zip(self.speed).zip(self.count) {
            *pace = level((speed / count.max(f32::MIN_POSITIVE) - self.slowest) * self.range);
        }
        light
    }
}

/// Blurs what is there now, and takes it into its mean over time.
fn take_in(mean: &mut Vec<f32>, fresh: &mut ScalarField, elapsed: f32, picture: &Picture) {
    fresh.blur(picture.columns, true);
    if mean.len() == fresh.values.len() {
        follow(mean, &fresh.values, mean_share(elapsed, TICKS));
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
