//! How much the rules explain over one frame and over longer intervals. Animals may decide less often than a camera takes pictures.

use super::Data;
use super::dictionary::Term;
use super::instruments::Instruments;
use super::limits::Limits;
use super::motion::Motion;
use super::samples::{Point, Samples, Sampling, explained};
use super::sums::Place;

/// The largest number of changes of velocity of each interval.
const CHANGES: usize = 10_000;
/// The fewest changes for each weight.
const FEWEST: usize = 50;
/// The number of recordings of animals that ignore each other.
const SHIFTS: u64 = 5;
/// A longer interval is better if it makes weights this many times as precise as one frame, and if rules explain this share of the changes,
/// beyond what they explain in any recording of animals that ignore each other.
const BETTER: f64 = 2.0;
const RELEVANT: f64 = 0.05;

/// The share of changes of velocity that the rules explain over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    /// The interval in frames.
    pub frames: usize,
    /// R² of weights without limits.
    pub r_squared: f64,
    /// The mean of R² in animals that ignore each other.
    pub surrogates: f64,
    /// How much R² is above the largest one in animals that ignore each other.
    pub gain: f64,
}

/// R² over 1, 2, 4 … frames, while velocities are alike, there are enough changes, and R² is above 0; none with a delay.
pub(super) fn over_intervals(data: &Data, sampling: Sampling, terms: &[Term]) -> Vec<TimeScale> {
    if sampling.delay > 0 {
        return Vec::new();
    }
    let Data { tracks, motion: raw, memory, place, dictionary, .. } = data;
    let of_motion = |motion: &Motion| {
        let place = Place { mean_speed: motion.speed, walls: None, ..*place };
        let samples = Samples::new(motion, place, dictionary, Sampling { count: CHANGES, ..sampling });
        if samples.count() == 0 {
            return None;
        }
        let columns = samples.columns(terms);
        let bank = if sampling.is_exact() { terms } else { &dictionary.bank };
        let system = Instruments::new(&samples, bank).moments(&columns, None).systems(false).swap_remove(0);
        let weights = system.solve(&(0..terms.len()).collect::<Vec<_>>())?.weights;
        Some(explained(&samples.predictions(&columns, &Point { weights, limits: Limits::NONE })))
    };
    let intervals = (0..).map(|power| 1 << power).take_while(|frames| frames <= memory);
    let scales = intervals.map_while(|frames| {
        let thinned = (frames > 1).then(|| Motion::in_window(&tracks.every(frames), 1));
        let motion = thinned.as_ref().unwrap_or(raw);
        if motion.change_count() < FEWEST * terms.len().max(1) {
            return None;
        }
        let r_squared = of_motion(motion)?;
        let shifted: Vec<f64> = (1..=SHIFTS).map(|seed| of_motion(&motion.shifted(seed))).collect::<Option<_>>()?;
        let surrogates = shifted.iter().sum::<f64>() / SHIFTS as f64;
        let gain = r_squared - shifted.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Some(TimeScale { frames, r_squared, surrogates, gain })
    });
    // Instruments say little about intervals over which they predict worse than nothing.
    scales.take_while(|scale| scale.r_squared > 0.0).collect()
}

/// The interval that makes weights most precise, if that is much more than one frame does. The precision is what rules explain to what they
/// leave, for each frame: rules that act in each frame explain more over a longer interval, too, since random turns average out, but with
/// fewer changes.
pub(super) fn better(scales: &[TimeScale]) -> Option<usize> {
    let precision = |scale: &TimeScale| scale.gain / (1.0 - scale.r_squared) / scale.frames as f64;
    let relevant = scales.iter().filter(|scale| scale.gain > RELEVANT);
    let best = relevant.max_by(|a, b| precision(a).total_cmp(&precision(b)))?;
    (precision(best) > BETTER * precision(&scales[0])).then_some(best.frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_better_if_weights_are_twice_as_precise() {
        let scales = |gains: &[f64]| -> Vec<TimeScale> {
            let numbers = (0..).zip(gains.iter().copied());
            numbers
                .map(|(power, gain)| TimeScale { frames: 1 << power, r_squared: 0.2 + gain, surrogates: 0.1, gain })
                .collect()
        };
        // R² is 0.2 more than the gain: 0.01 / 0.79 for one frame, and 0.3 / 0.5 for four.
        assert_eq!(better(&scales(&[0.01, 0.02, 0.3, 0.3])), Some(4));
        // 0.04 / 0.76 and 0.15 / 0.65 / 2.
        assert_eq!(better(&scales(&[0.04, 0.15])), Some(2));
        assert_eq!(better(&scales(&[0.04, 0.13])), None);
        assert_eq!(better(&scales(&[-0.01, 0.04])), None);
        assert_eq!(better(&scales(&[0.3, 0.2])), None);
        assert_eq!(better(&[]), None);
    }
}
