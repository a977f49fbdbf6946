//! The random accelerations and turns of animals, and the errors of their positions.

use rayon::prelude::*;

use super::Data;
use super::motion::{Motion, mean_and_deviation};
use super::samples::{Samples, Sampling};
use super::search::Model;
use super::vectors::{dot, length, median, quantile, unit};
use flockscope_sim::{Flock, Row, Scratch, Setup};

/// The number of changes of successive frames.
const CHANGES: usize = 10_000;
/// Residuals of successive frames are correlated if their correlation differs from that of residuals two frames apart by this number, and
/// by so many standard errors. Rules that are missing cause a correlation that lasts.
const CORRELATED: f64 = 0.05;
const CERTAIN: f64 = 4.0;
/// Residuals above this many medians, such as those at a wall, do not count.
const OUTLIER: f64 = 4.0;
/// The share of residuals that are usual.
const USUAL: f64 = 0.999;
/// Shares of the variance across the heading that random accelerations may have; turns have the rest.
const SHARES: [f64; 9] = [0.0, 0.125, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0];
/// Speeds that differ by a smaller share of the mean speed are alike, and the fewest random accelerations are enough.
const ALIKE: f64 = 2e-3;
/// The number of flights of each share, their longest, and the ticks before which they are not measured, as a share.
const FLIGHTS: u64 = 2;
const LONGEST: usize = 1000;
const SETTLE: usize = 4;

/// What a model leaves of changes in successive frames.
pub(super) struct Residuals<'a> {
    motion: &'a Motion,
    by_row: Vec<Option<[f64; 3]>>,
}

impl<'a> Residuals<'a> {
    pub(super) fn new(data: &'a Data, model: &Model) -> Self {
        let Data { motion, place, dictionary, .. } = data;
        let sampling = Sampling { lags: &[0], delay: 0, count: CHANGES, is_successive: true };
        let samples = Samples::new(motion, *place, dictionary, sampling);
        let mut by_row = vec![None; motion.rows.len()];
        for prediction in samples.predictions(&samples.columns(&model.terms), &model.point()) {
            by_row[prediction.row] = Some(prediction.residual());
        }
        Self { motion, by_row }
    }

    fn later(&self, row: usize) -> Option<usize> {
        self.motion.after[row].map(|row| row as usize)
    }

    /// The residuals of all rows that are no larger than usual.
    fn usual(&self, usual: impl Fn(&mut [f64]) -> f64) -> Vec<Option<[f64; 3]>> {
        let largest = usual(&mut self.by_row.iter().flatten().map(|residual| length(*residual)).collect::<Vec<_>>());
        self.by_row.iter().map(|residual| residual.filter(|residual| length(*residual) <= largest)).collect()
    }

    /// Whether residuals of successive frames are correlated, as they are if velocities are not exact.
    pub(super) fn are_correlated(&self) -> bool {
        let usual = self.usual(|sizes| OUTLIER * median(sizes));
        let (mut product, mut products, mut squares) = (0.0, 0.0, 0.0);
        for (row, residual) in usual.iter().enumerate() {
            let next = self.later(row);
            let [next, last] = [next, next.and_then(|row| self.later(row))].map(|row| row.and_then(|row| usual[row]));
            let (Some(residual), Some(next), Some(last)) = (*residual, next, last) else { continue };
            let term = dot(residual, next) - dot(residual, last);
            (product, products) = (product + term, products + term * term);
            squares += dot(residual, residual);
        }
        f64::abs(product) > CORRELATED * squares && f64::abs(product) > CERTAIN * f64::sqrt(products)
    }

    /// The variance of random accelerations across the heading, per axis, in (u/frame²)², and the standard deviation of the errors of
    /// positions, in u. The former is that of residuals over a long time, to which errors of positions add nothing. Steps show two thirds of
    /// it; residuals that are more correlated than by that come from something else.
    pub(super) fn variances(&self, is_exact: bool) -> (f64, f64) {
        let usual = self.usual(|sizes| quantile(sizes, USUAL));
        let dim = self.motion.dim as f64;
        let mut sums = [([0.0; 2], 0.0f64); 3];
        for (row, residual) in usual.iter().enumerate().filter_map(|(row, residual)| Some((row, (*residual)?))) {
            let heading = unit(self.motion.rows[row].velocity.map(f64::from));
            let mut other = Some(row);
            for ([across, all], count) in &mut sums {
                if let Some(later) = other.and_then(|row| usual[row]) {
                    let product = dot(residual, later);
                    *across += (product - dot(residual, heading) * dot(later, heading)) / (dim - 1.0);
                    *all += product / dim;
                    *count += 1.0;
                }
                other = other.and_then(|row| self.later(row));
            }
        }
        let [across, all] = [0, 1].map(|k| sums.map(|(sum, count)| sum[k] / count.max(1.0)));
        if is_exact {
            return (across[0], 0.0);
        }
        // The sum of the covariances at all lags. Errors of positions add 6, −8 and 2 times their variance to it, as changes are second
        // differences, and so cancel.
        let random = |[same, next, last]: [f64; 3]| (same + 2.0 * next + 2.0 * last).clamp(0.0, 1.5 * same.max(0.0));
        (random(across), ((all[0] - random(all)).max(0.0) / 6.0).sqrt())
    }
}

/// The standard deviation of random accelerations in u/frame², and the range of random turns to one side in radians, with which flights have
/// the mean and the spread of the animals' speeds. `across` is the variance of both across the heading at the mean speed, and `setup_of` a
/// flock with such noises.
pub(super) fn by_flight(
    across: f64,
    motion: &Motion,
    first: &[Row],
    setup_of: &(dyn Fn([f64; 2]) -> Setup + Sync),
) -> [f64; 2] {
    let noises = |share: f64| {
        // A uniform turn within an angle has a third of its square as variance.
        let turn = 3.0 * across * (1.0 - share).max(0.0) / motion.speed.powi(2).max(f64::MIN_POSITIVE);
        [(share * across).sqrt(), turn.sqrt()]
    };
    let speeds = |share: f64, seed: u64| -> Option<(f64, f64)> {
        let mut flock = Flock::from_rows(&setup_of(noises(share)).with_seed(seed), 0, first).ok()?;
        let mut scratch = Scratch::new();
        let mut speeds = Vec::new();
        let ticks = motion.frames().min(LONGEST);
        for tick in 0..ticks {
            if tick >= ticks / SETTLE {
                speeds.extend(flock.rows().iter().map(|row| length(row.velocity.map(f64::from))));
            }
            flock.step(&mut scratch);
        }
        Some(mean_and_deviation(&speeds))
    };
    let distances = SHARES.par_iter().map(|&share| {
        let flown: Vec<(f64, f64)> = (1..=FLIGHTS).filter_map(|seed| speeds(share, seed)).collect();
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| flown.iter().map(of).sum::<f64>() / flown.len() as f64;
        let [speed, deviation] = [mean(&|(speed, _)| *speed), mean(&|(_, deviation)| *deviation)];
        ((speed - motion.speed).hypot(deviation - motion.speed_deviation), share)
    });
    let distances: Vec<(f64, f64)> = distances.collect();
    let least = distances.iter().map(|(distance, _)| *distance).fold(f64::INFINITY, f64::min);
    let best = distances.into_iter().find(|(distance, _)| *distance <= least + ALIKE * motion.speed);
    noises(best.map_or(0.0, |(_, share)| share))
}
