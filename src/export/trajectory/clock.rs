//! From frame numbers or times to the indices of frames.

use crate::export::observations::{Observation, Observations};

/// The most frames between the first and the last one.
const MAX_FRAMES: f64 = 1e7;

/// The frames of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// The number or the time of the first frame.
    first: f64,
    /// The difference between successive frames.
    step: f64,
    has_times: bool,
    /// Frames per second, if known.
    pub(super) frame_rate: Option<f32>,
}

impl Clock {
    /// The frames of a file, which has rows. An option may set the frame rate.
    ///
    /// # Errors
    ///
    /// If there are too many frames.
    pub(super) fn of(observations: &Observations, frame_rate: Option<f32>) -> Result<Self, String> {
        let Observations { rows, has_times, .. } = observations;
        let mut times: Vec<f64> = rows.iter().map(|row| row.at).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let (first, last) = (times[0], times[times.len() - 1]);
        let clock = if *has_times {
            let step = frame_rate.map(|rate| 1.0 / f64::from(rate)).or_else(|| median_step(rows)).unwrap_or(1.0);
            Self { first, step, has_times: true, frame_rate: frame_rate.or(Some((1.0 / step) as f32)) }
        } else {
            let frame_rate = frame_rate.or(observations.frame_rate);
            Self { first, step: frame_step(&times), has_times: false, frame_rate }
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

    /// The number of the first frame, and the difference between successive ones.
    pub(super) fn numbers(&self) -> (u64, u64) {
        if self.has_times { (0, 1) } else { (self.first as u64, self.step as u64) }
    }
}

/// The median time from a row of an animal to its next one.
fn median_step(rows: &[Observation]) -> Option<f64> {
    let animals = rows.iter().map(|row| row.animal as usize + 1).max()?;
    let mut last = vec![None; animals];
    let mut steps = Vec::new();
    for row in rows {
        if let Some(before) = last[row.animal as usize].replace(row.at) {
            steps.push(row.at - before);
        }
    }
    let middle = steps.len() / 2;
    (!steps.is_empty()).then(|| *steps.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// The most frequent difference between successive frame numbers, if it divides all others except the last; otherwise their
/// greatest common divisor. `run --every K` writes every K-th tick and the last one.
fn frame_step(numbers: &[f64]) -> f64 {
    let steps: Vec<u64> = numbers.windows(2).map(|pair| (pair[1] - pair[0]) as u64).collect();
    let mut sorted = steps.clone();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let Some(most) = runs.max_by_key(|run| run.len()).map(|run| run[0]) else { return 1.0 };
    let (_, inner) = steps.split_last().unwrap_or((&1, &[]));
    let divides = inner.iter().all(|step| step.is_multiple_of(most));
    (if divides { most } else { steps.iter().copied().fold(0, gcd) }) as f64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_may_be_written_rarely() {
        for (numbers, step) in [
            (&[7.0][..], 1.0),
            (&[0.0, 30.0, 60.0, 90.0, 100.0], 30.0),
            (&[1.0, 2.0, 3.0, 9.0, 10.0], 1.0),
            (&[0.0, 10.0, 15.0, 25.0, 35.0], 5.0),
            (&[0.0, 4.0], 4.0),
        ] {
            assert_eq!(frame_step(numbers), step, "{numbers:?}");
        }
    }
}
