//! Whether the fitted flock flies like the animals.

use std::sync::Arc;

use rayon::prelude::*;

use super::Fit;
use crate::recording::{Player, Recording};
use flockscope_sim::{Flock, Measure, Recorder, Scratch, Snapshot, Summary};

/// The measures that are compared.
const MEASURES: [&str; 5] = ["polarization", "rotation", "nearest_neighbor", "mean_speed", "weighted_cluster"];
/// The relative error of measures of numbers in f32.
const ROUNDING: f64 = 1e-6;
/// Means that differ by less than twice this share agree: parameters have four digits.
const ALIKE: f64 = 4e-4;
/// The number of flights.
const SEEDS: u64 = 12;
/// The longest flight that is measured, in ticks.
const LONGEST: usize = 1000;
/// The ticks that a flock from scratch flies before it is measured.
const SETTLE: usize = 300;

/// A measure of the animals and of the fitted flock.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The measure.
    pub measure: &'static Measure,
    /// The mean of the animals, and its standard error.
    pub data: [f64; 2],
    /// The mean over flights from the first frame, and the standard deviation between them.
    pub first: [f64; 2],
    /// The same over flights from scratch.
    pub scratch: [f64; 2],
}

impl Comparison {
    /// Whether flights, from the first frame or from scratch, agree with the animals within two standard errors.
    pub fn agrees(&self, [mean, deviation]: [f64; 2]) -> bool {
        let error = |error: f64| if error.is_nan() { 0.0 } else { error };
        let errors = error(self.data[1]).hypot(error(deviation));
        (mean - self.data[0]).abs() <= 2.0 * errors.max(ALIKE * self.data[0].abs())
    }
}

/// Compares measures of the animals with those of twelve flights of the fitted flock from their first frame, and twelve from scratch.
pub fn compare(fit: &Fit, recording: &Arc<Recording>) -> Vec<Comparison> {
    let measures: Vec<&'static Measure> = MEASURES.iter().filter_map(|name| Measure::find(name)).collect();
    let ticks = fit.frames.min(LONGEST);
    let group =
        fit.setup.params.cohesion.radius.max(fit.setup.params.alignment.radius).max(fit.setup.params.separation.radius);
    // Within an infinite radius all animals would be one cluster.
    let group = if group.is_finite() { group } else { fit.force_map.reach as f32 };
    let recorder = || Recorder::new(&measures).with(&[], Some(group));
    let mut of_animals = recorder();
    let mut player = Player::new(recording);
    // Velocities beside a step that no animal makes are not those of an animal.
    for frame in (0..ticks).filter(|frame| !fit.jumps.contains(frame)) {
        player.show(frame);
        if !Snapshot::from(&player).agents.is_empty() {
            of_animals.record(&player);
        }
    }
    let first = recording.boids(recording.first_full_frame(), &fit.setup, fit.corner);
    let [from_first, from_scratch] = [true, false].map(|is_from_first| -> Vec<Vec<Summary>> {
        let flights = (1..=SEEDS).into_par_iter().filter_map(|seed| {
            let setup = fit.setup.clone().with_seed(seed);
            let flock = if is_from_first { Flock::from_rows(&setup, 0, &first) } else { Flock::new(&setup) };
            let settle = if is_from_first { 0 } else { SETTLE };
            let (mut flock, mut recorder, mut scratch) = (flock.ok()?, recorder(), Scratch::new());
            for tick in 0..settle + ticks {
                if tick >= settle {
                    recorder.record(&flock);
                }
                flock.step(&mut scratch);
            }
            Some(recorder.summaries())
        });
        flights.collect()
    });
    let statistics = |flights: &[Vec<Summary>], place: usize| {
        let count = flights.len().max(1) as f64;
        let mean = flights.iter().map(|summaries| summaries[place].mean).sum::<f64>() / count;
        let variance = flights.iter().map(|summaries| (summaries[place].mean - mean).powi(2)).sum::<f64>();
        without_rounding([mean, (variance / (count - 1.0).max(1.0)).sqrt()])
    };
    let comparisons = of_animals.summaries().into_iter().enumerate().map(|(place, summary)| Comparison {
        measure: summary.measure,
        // Velocities of a recording are per number of a frame, and those of the flock per frame.
        data: without_rounding([summary.mean, summary.standard_error].map(|number| {
            if summary.measure.unit.ends_with("/tick") { number * recording.stride as f64 } else { number }
        })),
        first: statistics(&from_first, place),
        scratch: statistics(&from_scratch, place),
    });
    comparisons.collect()
}

/// A mean whose error is 0 if it is one of rounding.
fn without_rounding([mean, error]: [f64; 2]) -> [f64; 2] {
    [mean, if error < ROUNDING * mean.abs() { 0.0 } else { error }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_agree_within_two_standard_errors() {
        let measure = Measure::find("polarization").unwrap();
        let row = Comparison { measure, data: [1.0, 0.3], first: [0.0; 2], scratch: [0.0; 2] };
        // The root of 0.3² + 0.4² is 0.5.
        assert!(row.agrees([1.99, 0.4]) && row.agrees([0.01, 0.4]));
        assert!(!row.agrees([2.01, 0.4]) && !row.agrees([-0.01, 0.4]));
        let exact = Comparison { data: [1.0, 0.0], ..row };
        assert!(exact.agrees([1.0 + 1e-6, 0.0]) && !exact.agrees([1.001, 0.0]));
    }
}
