//! How a flock flies, in a few numbers.

use super::flight::{Flight, reduced, spacing};
use crate::sim::{Measure, Setup};

/// The largest number of boids that fly off the screen.
const BOIDS: usize = 150;
/// The distance within which boids belong to one group, in mean distances of boids in the world: just not enough to connect boids that are
/// scattered.
const GROUP: f64 = 0.75;
/// The measures: two ratios, then a speed and a distance, then a number of boids.
const MEASURES: [&str; 5] = ["polarization", "rotation", "mean_speed", "nearest_neighbor", "weighted_cluster"];
/// The number of traits: mean and deviation in time of each measure.
const COUNT: usize = 2 * MEASURES.len();
/// The smallest difference of each trait that counts as one unit: a smaller one is not visible.
const VISIBLE: [f64; COUNT] = [0.05, 0.05, 0.05, 0.05, 0.1, 0.05, 0.1, 0.05, 0.05, 0.05];

/// How a flock flies: means and deviations in time of measures. Speeds and distances are logarithms, sizes of groups fractions of the flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    values: [f64; COUNT],
    is_dead: bool,
}

impl Traits {
    /// The traits of a [reduced](reduced) flock with the same seed, which flies for 300 ticks.
    pub fn of(setup: &Setup) -> Self {
        let setup = reduced(setup, BOIDS);
        let space = spacing(&setup);
        let measures: Vec<&'static Measure> = MEASURES.iter().filter_map(|name| Measure::find(name)).collect();
        let flight = Flight { boids: BOIDS, settle: 100, ticks: 300 };
        let (summaries, is_dead) = flight.fly(&setup, &measures, Some((GROUP * space) as f32));
        let boids = setup.boids as f64;
        let logarithm = |number: f64| libm::log(number.max(1e-9));
        let mut values = [0.0; COUNT];
        for (place, summary) in summaries.iter().enumerate() {
            let (mean, deviation) = (summary.mean, summary.variance.max(0.0).sqrt());
            let trait_ = match place {
                0 | 1 => [mean, deviation],
                // A single boid has no neighbor.
                2 | 3 if mean.is_nan() => [0.0; 2],
                2 | 3 => [logarithm(mean), deviation / mean.max(1e-9)],
                _ => [mean / boids, deviation / boids],
            };
            values[2 * place..][..2].copy_from_slice(&trait_);
        }
        Self { values, is_dead: is_dead || values.iter().any(|value| !value.is_finite()) }
    }

    /// Whether nothing moves, or all boids are in one point.
    pub fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// The distance to another flock, in units of each trait.
    pub fn distance(&self, other: &Self, units: &Units) -> f64 {
        let differences = self.values.iter().zip(&other.values).zip(&units.0);
        let squares = differences.map(|((one, other), unit)| ((one - other) / unit).powi(2));
        squares.sum::<f64>().sqrt()
    }
}

/// The unit of each trait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units([f64; COUNT]);

impl Units {
    /// The spread of each trait over the living flocks, but at least a difference that is visible.
    pub fn of(flocks: &[Traits]) -> Self {
        let living = flocks.iter().filter(|flock| !flock.is_dead);
        let spread = |place: usize| deviation(living.clone().map(|flock| flock.values[place]));
        Self(std::array::from_fn(|place| spread(place).max(VISIBLE[place])))
    }
}

/// The standard deviation of numbers; 0 for none.
pub(super) fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}
