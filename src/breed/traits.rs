//! How a flock flies, in a few numbers.

use super::picture::{SCALES, near_pairs};
use super::test_flight::{Flight, reduced, spacing};
use crate::sim::{Measure, Recorder, Setup};

/// The flight that shows it.
const FLIGHT: Flight = Flight { boids: 150, settle: 150, ticks: 300 };
/// The distance within which boids belong to one group, in mean distances of boids in the world: just not enough to connect boids that are
/// scattered.
const GROUP: f64 = 0.75;
/// The measures, each with a difference that is visible. After the ratios, these are differences of logarithms.
const MEASURES: [(&str, f64); 6] = [
    ("polarization", 0.2),
    ("rotation", 0.2),
    ("mean_speed", 0.8),
    ("nearest_neighbor", 0.4),
    ("flocks", 0.7),
    ("weighted_cluster", 0.7),
];
/// The number of ratios, and the place of the distance of neighbors.
const RATIOS: usize = 2;
const NEAREST: usize = 3;
/// The visible difference of a share of pairs.
const NEAR: f64 = 0.3;
/// Measures, and shares of near pairs.
const COUNT: usize = MEASURES.len() + SCALES;
/// The distance of neighbors that touch on the screen, in mean distances of boids in the world.
const TOUCHING: f64 = 0.25;

/// How a flock flies: means and deviations in time of measures, in units of visible differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// Mean and standard deviation.
    values: [(f64, f64); COUNT],
    is_dead: bool,
}

impl Traits {
    /// The traits of a [reduced](reduced) flock with the same seed, which flies for 300 ticks.
    pub fn of(setup: &Setup) -> Self {
        let setup = reduced(setup, FLIGHT.boids);
        let measures: Vec<&'static Measure> = MEASURES.iter().filter_map(|(name, _)| Measure::find(name)).collect();
        let space = spacing(&setup);
        let mut recorder = Recorder::new(&measures).with(&[], Some((GROUP * space) as f32));
        let mut ticks: [Vec<f64>; COUNT] = Default::default();
        let is_alive = FLIGHT.fly(&setup, |flock| {
            let units = MEASURES.map(|(_, unit)| unit).into_iter().chain([NEAR; SCALES]);
            let mut values = recorder.record(flock);
            // A single boid has no neighbor.
            values[NEAREST] = values[NEAREST].max(TOUCHING * space);
            values[RATIOS..].iter_mut().for_each(|value| *value = libm::log(value.max(1e-9)));
            values.extend(near_pairs(flock));
            for ((value, unit), ticks) in values.into_iter().zip(units).zip(&mut ticks) {
                ticks.push(value / unit);
            }
        });
        let values = ticks.each_ref().map(|ticks| statistics(ticks));
        Self { values, is_dead: !is_alive || values.iter().any(|(mean, deviation)| !(mean + deviation).is_finite()) }
    }

    /// Whether nothing moves, or the boids are on too few dots.
    pub fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// The distance to another flock, in visible differences. What changes in time anyway counts less.
    pub fn distance(&self, other: &Self) -> f64 {
        let pairs = self.values.iter().zip(&other.values);
        let squares = pairs.map(|((mean, deviation), (other_mean, other_deviation))| {
            (mean - other_mean).powi(2) / (1.0 + deviation.powi(2) + other_deviation.powi(2))
        });
        squares.sum::<f64>().sqrt()
    }
}

/// The mean and the standard deviation of numbers; 0 for none.
pub(super) fn statistics(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (mean, (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt())
}
