//! From frame numbers or times to the indices of frames.

use std::ops::RangeInclusive;

use crate::export::observations::{Observation, Observations};
use crate::sim::Trajectories;

/// The most frames between the first and the last one.
const MAX_FRAMES: f64 = 1e7;
/// How many frames the usual time from row to row may be with the frame rate of the option.
const SAME_STEP: RangeInclusive<f64> = 0.7..=1.4;

/// The frames of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameClock {
    /// The number or the time of the first frame.
    first: f64,
    /// The number of the last one, or its time.
    last: f64,
    /// The difference between successive frames.
    step: f64,
    has_times: bool,
    /// Frames per second, if known.
    pub(super) frame_rate: Option<f64>,
}

impl FrameClock {
    /// The frames of a file with rows. An option may set the frame rate.
    ///
    /// # Errors
    ///
    /// If there are too many frames, or the times contradict the option.
    pub(super) fn of(observations: &Observations, frame_rate: Option<f64>) -> Result<Self, String> {
        let Observations { rows, has_times, .. } = observations;
        let mut times: Vec<f64> = rows.iter().map(|row| row.at).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let (first, last) = (times[0], times[times.len() - 1]);
        let clock = if *has_times {
            let found = time_step(observations);
            if let (Some(step), Some(rate)) = (found, frame_rate)
                && !SAME_STEP.contains(&(step * rate))
            {
                let found = without_noise(step.recip());
                return Err(format!(
                    "the times have {found} frames per second, and --frame-rate is {rate}; --rate sets the speed of a replay"
                ));
            }
            let step = frame_rate.map(f64::recip).or(found);
            Self {
                first,
                last,
                step: step.unwrap_or(1.0),
                has_times: true,
                frame_rate: step.map(|step| without_noise(step.recip())),
            }
        } else {
            let frame_rate = frame_rate.or(observations.frame_rate);
            Self { first, last, step: frame_step(&times), has_times: false, frame_rate }
        };
        let frames = (last - first) / clock.step;
        if frames > MAX_FRAMES {
            let unit = if *has_times { "times" } else { "frames" };
            return Err(format!("{unit} {first} to {last} make {frames:.0} frames; expected at most {MAX_FRAMES}"));
        }
        Ok(clock)
    }

    /// The index of the frame of a row. In a file of frame numbers, the last frame may follow early.
    pub(super) fn index(&self, row: &Observation) -> usize {
        let steps = (row.at - self.first) / self.step;
        (if self.has_times { steps.round() } else { steps.ceil() }) as usize
    }

    /// How much the number of the frame grows from one row to another.
    pub(super) fn numbers_between(&self, row: &Observation, other: &Observation) -> f64 {
        if self.has_times { self.index(other) as f64 - self.index(row) as f64 } else { other.at - row.at }
    }

    /// Numbers the frames, which count from 0 if the file has times instead of numbers.
    pub(super) fn number(&self, trajectories: &mut Trajectories) {
        trajectories.frame_rate = self.frame_rate;
        if self.has_times {
            trajectories.start_time = self.first;
        } else {
            (trajectories.first, trajectories.last) = (self.first as u64, self.last as u64);
            trajectories.stride = self.step as u64;
        }
    }
}

/// The time from one frame to the next. The median time from a row of an animal to its next one is a first guess, as times may be
/// rounded. Then the whole time that steps take is divided by the number of frames that they take, again and again.
fn time_step(observations: &Observations) -> Option<f64> {
    const LONGEST: [f64; 4] = [2.5, 10.0, 40.0, 160.0];
    let rows = &observations.rows;
    let mut steps: Vec<f64> = observations.steps().map(|[before, index]| rows[index].at - rows[before].at).collect();
    if steps.is_empty() {
        return None;
    }
    let middle = steps.len() / 2;
    let median = *steps.select_nth_unstable_by(middle, f64::total_cmp).1;
    let mean = |step: f64, longest: f64| {
        let frames = |along: f64| (along / step).round();
        let (time, count) = steps
            .iter()
            .filter(|along| (0.5 * step..=longest * step).contains(*along))
            .fold((0.0, 0.0), |(time, count), along| (time + along, count + frames(*along)));
        if count > 0.0 { time / count } else { step }
    };
    // The number of frames in a long gap is only known with a good guess.
    Some(LONGEST.into_iter().fold(median, mean))
}

/// A rate with twelve digits: a mean of times has fewer.
fn without_noise(rate: f64) -> f64 {
    format!("{rate:.11e}").parse().unwrap_or(rate)
}

/// The greatest common divisor of the differences between successive frame numbers. If all but the last are equal, it is theirs:
/// `run --every K` writes every K-th tick and the last one.
fn frame_step(numbers: &[f64]) -> f64 {
    let steps: Vec<u64> = numbers.windows(2).map(|pair| (pair[1] - pair[0]) as u64).collect();
    if let Some((last, [first, second, others @ ..])) = steps.split_last()
        && others.iter().chain([second]).all(|step| step == first)
        && last < first
    {
        return *first as f64;
    }
    steps.into_iter().fold(0, gcd).max(1) as f64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Kind;

    #[test]
    fn rounded_times_have_the_rate_of_the_camera() {
        for decimals in 2..=4 {
            let scale = 10_f64.powi(decimals);
            let mut observations = Observations { has_times: true, ..Observations::default() };
            let [one, other] = ["a", "b"].map(|name| observations.animals.number(name));
            let row = |frame: u32| Observation {
                animal: if frame.is_multiple_of(2) { one } else { other },
                at: (f64::from(frame / 2) / 30.0 * scale).round() / scale,
                position: [0.0; 3],
                velocity: [0.0; 3],
                kind: Kind::Prey,
                mood: 0.0,
                bank: 0.0,
                line: 0,
            };
            for row in (0..4000).filter(|frame| frame / 200 % 3 != 1).map(row) {
                observations.add(row).unwrap();
            }
            let step = time_step(&observations).unwrap();
            assert!((step * 30.0 - 1.0).abs() < 2e-4, "{decimals} decimals: {step}");
        }
    }

    #[test]
    fn frames_may_be_written_rarely() {
        for (numbers, step) in [
            (&[7.0][..], 1.0),
            (&[0.0, 30.0, 60.0, 90.0, 100.0], 30.0),
            (&[1.0, 2.0, 3.0, 9.0, 10.0], 1.0),
            (&[0.0, 10.0, 15.0, 25.0, 35.0], 5.0),
            (&[0.0, 100.0, 101.0], 1.0),
            (&[0.0, 5.0, 6.0], 1.0),
            (&[0.0, 4.0], 4.0),
        ] {
            assert_eq!(frame_step(numbers), step, "{numbers:?}");
        }
    }
}
