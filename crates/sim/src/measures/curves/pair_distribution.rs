//! The pair distribution function g(r).

use std::f64::consts::PI;

use super::Average;
use crate::measures::correlation::{BINS, BINS_PER_ROW, bin_of, bin_start};
use crate::measures::{Measurement, count};
use crate::snapshot::Snapshot;
use crate::world::World;

/// `pair_distribution`: the pairs in each bin, and the number that boids of the same density without correlation would have.
///
/// In a wrapping world it is over all pairs, up to half of the shortest side. Elsewhere it is over the largest flock, and a boid
/// counts up to its distance from the nearest boid at the border (Hanisch 1984), so that all its shells are full.
#[derive(Debug, Default)]
pub(super) struct PairDistribution {
    ticks: f64,
    pairs: Vec<f64>,
    expected: Vec<f64>,
}

impl Average for PairDistribution {
    fn add(&mut self, measurement: &mut Measurement<'_>) {
        self.ticks += 1.0;
        self.pairs.resize(BINS, 0.0);
        self.expected.resize(BINS, 0.0);
        if measurement.flock.metric().wraps() {
            self.add_world(measurement);
        } else {
            self.add_flock(measurement);
        }
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        let sums = |bins: &[f64]| bins.chunks(BINS_PER_ROW).map(|bins| bins.iter().sum::<f64>()).collect::<Vec<_>>();
        let (pairs, expected) = (sums(&self.pairs), sums(&self.expected));
        let first = pairs.iter().position(|pairs| *pairs > 0.0).unwrap_or(pairs.len());
        let row = |row: usize| {
            let middle = 0.5 * (bin_start(row * BINS_PER_ROW) + bin_start((row + 1) * BINS_PER_ROW));
            vec![middle, pairs[row] / expected[row], pairs[row] / self.ticks]
        };
        (first..pairs.len()).filter(|&at| expected[at] > 0.0).map(row).collect()
    }
}

impl PairDistribution {
    fn add_world(&mut self, measurement: &mut Measurement<'_>) {
        let (analyzer, flock) = (&*measurement.analyzer, measurement.flock);
        let boids = analyzer.prey.agents.len();
        let all: Vec<u32> = (0..).take(boids).collect();
        let found = in_dimensions!(flock, analyzer.velocity_pairs(flock, &all, usize::MAX));
        let sides = flock.world.size().into_iter().take(flock.world.dim()).map(f64::from);
        let (volume, shortest) =
            sides.fold((1.0, f64::INFINITY), |(volume, least), side| (volume * side, least.min(side)));
        let density = count(boids) * (count(boids) - 1.0) / 2.0 / volume;
        for bin in (0..BINS - 1).take_while(|bin| bin_start(bin + 1) <= 0.5 * shortest) {
            self.pairs[bin] += found.bins[bin].pairs;
            self.expected[bin] += density * shell(flock, bin);
        }
    }

    fn add_flock(&mut self, measurement: &mut Measurement<'_>) {
        let flock = measurement.flock;
        let border = measurement.border();
        let largest = measurement.largest();
        let is_at_border = |at: &usize| border[*at];
        let at_border: Vec<usize> = (0..border.len()).filter(is_at_border).collect();
        // The number of boids whose distance to the border is in each bin, and those in the balls of that size around them.
        let (mut reaching, mut pairs, mut volume) = (vec![0.0; BINS], 0.0, 0.0);
        for boid in (0..border.len()).filter(|at| !is_at_border(at)) {
            let squared_distance =
                |other: usize| (largest.offsets[other] - largest.offsets[boid]).length_squared() as f32;
            let to_border = at_border.iter().map(|&other| squared_distance(other)).fold(f32::INFINITY, f32::min);
            if to_border.is_infinite() {
                continue;
            }
            let limit = bin_of(to_border);
            reaching[limit] += 1.0;
            volume += ball(flock, bin_start(limit));
            for other in (0..border.len()).filter(|other| *other != boid) {
                let bin = bin_of(squared_distance(other));
                if bin < limit {
                    self.pairs[bin] += 1.0;
                    pairs += 1.0;
                }
            }
        }
        let (density, mut references) = (pairs / volume, 0.0);
        for bin in (0..BINS - 1).rev().filter(|_| volume > 0.0) {
            references += reaching[bin + 1];
            self.expected[bin] += references * density * shell(flock, bin);
        }
    }
}

/// The area or volume between the distances of a bin, in u² or u³.
fn shell(flock: Snapshot<'_>, bin: usize) -> f64 {
    ball(flock, bin_start(bin + 1)) - ball(flock, bin_start(bin))
}

fn ball(flock: Snapshot<'_>, radius: f64) -> f64 {
    match flock.world {
        World::Rect(_) => PI * radius.powi(2),
        World::Cuboid(_) | World::Sphere(_) => 4.0 / 3.0 * PI * radius.powi(3),
    }
}
