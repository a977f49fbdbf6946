//! From frame numbers or times to the indices of frames.

use std::ops::RangeInclusive;

use super::observations::{MAX_FRAMES, Observation, Observations, RowProblem};
use crate::error::{Fault, ReadOption};
use crate::recording::Recording;
use crate::recording::quantile;
use crate::text::{Shortest, counted};
use crate::values::Interval;

/// How many frames the usual time from row to row may be with the frame rate of the option, if the clock is regular.
const SAME_STEP: RangeInclusive<f64> = 0.7..=1.4;
/// How much the frame rate of the option may differ from that of the times if these are inexact.
const SAME_RATE: f64 = 0.01;
/// The share of steps that rounding explains if the times are those of a regular clock.
const REGULAR: f64 = 0.999;
/// The most steps that are looked at for their median.
const SAMPLE: usize = 1_000_000;

/// The frames of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameClock {
    /// The number or the time of the first frame.
    first: f64,
    /// The number of the last one, or its time.
    last: f64,
    /// The difference between successive frames.
    step: f64,
    /// The time between the frames of a regular clock, and by how much rounding changes the time between two rows.
    regular: Option<(f64, f64)>,
    has_times: bool,
    /// The time of the first frame in seconds, if the file has times.
    start_time: f64,
    /// Frames per second, if known.
    pub(super) frame_rate: Option<f64>,
}

impl FrameClock {
    /// The frames of sorted rows. An option may set the frame rate.
    ///
    /// # Errors
    ///
    /// If there are too many frames, or the times contradict the option.
    pub(super) fn of(
        observations: &Observations,
        frame_rate: Option<f64>,
        interval: Option<Interval>,
    ) -> Result<Self, Fault> {
        let Observations { rows, has_times, .. } = observations;
        let (first, last) = (rows[0].at, rows[rows.len() - 1].at);
        let mut clock = if *has_times {
            let found = time_step(observations);
            let regular = found.and_then(|step| Some((step, rounding(observations, step)?)));
            if let (Some((step, _)), Some(rate)) = (regular, frame_rate) {
                check_rate(observations, step, rate)?;
            }
            let step = frame_rate.map(f64::recip).or(found);
            let frame_rate = step.map(|step| without_noise(step.recip()));
            let step = step.unwrap_or(1.0);
            Self { first, last, step, regular, has_times: true, start_time: first, frame_rate }
        } else {
            let frame_rate = frame_rate.or(observations.frame_rate.map(without_noise));
            Self { first, last, step: frame_step(rows), regular: None, has_times: false, start_time: 0.0, frame_rate }
        };
        if let Some(interval) = interval {
            let unit = if *has_times { 1.0 } else { clock.frame_rate.unwrap_or(f64::NAN) };
            let frames = match interval {
                Interval::Seconds(seconds) => seconds * unit / clock.step,
                Interval::Frames(frames) if *has_times => frames,
                Interval::Frames(frames) => frames / clock.step,
            };
            if frames.is_nan() {
                return Err("an interval in seconds needs the frames per second; expected a number of frames".into());
            }
            if !*has_times {
                clock.start_time = clock.frame_rate.map_or(0.0, |rate| first / rate);
            }
            let rate = clock.frame_rate.map(|rate| rate / frames);
            clock.frame_rate = rate.map(|rate| without_noise(if *has_times { rate } else { rate / clock.step }));
            (clock.step, clock.has_times) = (clock.step * frames, true);
        }
        let frames = (last - first) / clock.step;
        if frames > f64::from(MAX_FRAMES) {
            let unit = if *has_times { "times" } else { "frames" };
            return Err(
                format!("{unit} {first} to {last} make {frames:.0} frames; expected at most {MAX_FRAMES}").into()
            );
        }
        Ok(clock)
    }

    /// The index of the frame of a row. In a file of frame numbers, the last frame may follow early.
    pub(super) fn index(&self, row: &Observation) -> usize {
        let steps = (row.at - self.first) / self.step;
        (if self.has_times { steps.round() } else { steps.ceil() }) as usize
    }

    /// Leaves out all rows but the nearest one of each animal to the time of a frame.
    pub(super) fn thin(&self, observations: &mut Observations) {
        let mut kept = vec![false; observations.rows.len()];
        // Of each animal: its latest frame, the row that is kept for it, and its distance.
        let mut nearest: Vec<Option<(usize, usize, f64)>> = vec![None; observations.animals.count()];
        for (index, row) in observations.rows.iter().enumerate() {
            let steps = (row.at - self.first) / self.step;
            let (frame, distance) = (self.index(row), (steps - steps.round()).abs());
            let known = &mut nearest[row.animal as usize];
            match *known {
                Some((other, _, nearer)) if other == frame && nearer <= distance => continue,
                Some((other, before, _)) if other == frame => kept[before] = false,
                _ => {}
            }
            (kept[index], *known) = (true, Some((frame, index, distance)));
        }
        let mut kept = kept.into_iter();
        observations.rows.retain(|_| kept.next() == Some(true));
    }

    /// Fails if an animal has two rows in a frame.
    pub(super) fn check(&self, observations: &Observations) -> Result<(), RowProblem> {
        let rows = &observations.rows;
        let mut steps = observations.steps();
        let same = steps.find(|[before, index]| self.index(&rows[*before]) == self.index(&rows[*index]));
        let Some([_, index]) = same else { return Ok(()) };
        let name = observations.animals.name(rows[index].animal).escape_debug();
        let at = observations.time_of(rows[index].at);
        let shortest = time_steps(observations).fold(f64::MAX, f64::min);
        let rate = without_noise(shortest.recip());
        let found = self.frame_rate.map_or(String::new(), |rate| {
            format!(" at {}", counted(Shortest(rate), "frame per second", "frames per second"))
        });
        let message = format!("time {at} of animal {name} is in the same frame as its row before{found}");
        let problem = if (self.last - self.first) * rate <= f64::from(MAX_FRAMES) {
            Fault::with_help(message, ReadOption::FrameRate(rate), "separates all rows")
        } else {
            let median = quantile(time_steps(observations).collect(), 0.5).unwrap_or_default().max(1.0);
            let option = ReadOption::Interval(Interval::about(median));
            Fault::with_help(message, option, "takes the nearest rows")
        };
        Err(RowProblem::new(&rows[index], problem))
    }

    /// How much the number of the frame grows from one row to another. It has a fraction if the times are irregular.
    pub(super) fn numbers_between(&self, row: &Observation, other: &Observation) -> f64 {
        let between = other.at - row.at;
        if !self.has_times {
            return between;
        }
        let Some((period, rounding)) = self.regular else { return between / self.step };
        let frames = (between / period).round();
        let is_rounded = frames > 0.0 && (between - frames * period).abs() < rounding;
        // A frame rate that is nearly that of the times is the true one.
        let ratio = if (period / self.step - 1.0).abs() < SAME_RATE { 1.0 } else { period / self.step };
        if is_rounded { frames * ratio } else { between / self.step }
    }

    /// Whether the times are those of a clock without gaps in its rhythm.
    pub(super) fn is_regular(&self) -> bool {
        !self.has_times || self.regular.is_some()
    }

    /// Numbers the frames, which count from 0 if the file has times instead of numbers.
    pub(super) fn number(&self, recording: &mut Recording) {
        recording.frame_rate = self.frame_rate;
        if self.has_times {
            recording.start_time = self.start_time;
        } else {
            (recording.first, recording.last) = (self.first as u64, self.last as u64);
            recording.stride = self.step as u64;
        }
    }
}

/// Fails if a regular clock with this time between frames has another rate than the option.
fn check_rate(observations: &Observations, step: f64, rate: f64) -> Result<(), Fault> {
    if SAME_STEP.contains(&(step * rate)) {
        return Ok(());
    }
    let are_whole = observations.start_date.is_none() && observations.rows.iter().all(|row| row.at.fract() == 0.0);
    let found = counted(without_noise(step.recip()), "frame per second", "frames per second");
    let message = format!("the times have {found}, not {rate}");
    Err(if are_whole {
        let option = ReadOption::Columns(format!("frame={}", observations.time_column));
        Fault::with_help(message, option, "takes them as numbers of frames")
    } else {
        message.into()
    })
}

pub(super) fn time_steps(observations: &Observations) -> impl Iterator<Item = f64> {
    let rows = &observations.rows;
    observations.steps().map(|[before, index]| rows[index].at - rows[before].at)
}

/// The time from one frame to the next. The median time from a row of an animal to its next one is a first guess, as times may be
/// rounded. Then the whole time that steps take is divided by the number of frames that they take, again and again.
fn time_step(observations: &Observations) -> Option<f64> {
    const LONGEST: [f64; 4] = [2.5, 10.0, 40.0, 160.0];
    let every = observations.rows.len().div_ceil(SAMPLE);
    let median = quantile(time_steps(observations).step_by(every).collect(), 0.5)?;
    // The number of frames in a long gap is only known with a good guess.
    Some(LONGEST.into_iter().fold(median, |step, longest| {
        let (time, count) = time_steps(observations)
            .filter(|along| (0.5 * step..=longest * step).contains(along))
            .fold((0.0, 0.0), |(time, count), along| (time + along, count + (along / step).round()));
        if count > 0.0 { time / count } else { step }
    }))
}

/// The unit to which the times are rounded, if that explains how the steps differ from multiples of `step`.
fn rounding(observations: &Observations, step: f64) -> Option<f64> {
    const NOISE: f64 = 1e-4;
    let mut unit = 0;
    for row in &observations.rows {
        let decimals = (unit..9).find(|decimals| {
            let scaled = row.at * 10_f64.powi(*decimals);
            // Most decimal fractions are not exact in binary.
            (scaled - scaled.round()).abs() <= NOISE + scaled.abs() * f64::EPSILON
        });
        unit = decimals.unwrap_or(9);
    }
    let unit = 10_f64.powi(-unit);
    let (count, regular) = time_steps(observations).fold((0_u64, 0_u64), |(count, regular), along| {
        // Both ends of a step are rounded, each by up to half a unit.
        let is_regular = (along - (along / step).round() * step).abs() < unit * (1.0 - NOISE);
        (count + 1, regular + u64::from(is_regular))
    });
    (regular as f64 >= REGULAR * count as f64).then_some(unit)
}

/// A rate with twelve digits: a mean of times has fewer.
pub(super) fn without_noise(rate: f64) -> f64 {
    format!("{rate:.11e}").parse().unwrap_or(rate)
}

/// The greatest common divisor of the differences between successive frame numbers. If all but the last are equal, it is theirs:
/// `run --every K` writes every K-th tick and the last one.
fn frame_step(rows: &[Observation]) -> f64 {
    let steps = || rows.windows(2).map(|pair| (pair[1].at - pair[0].at) as u64).filter(|step| *step > 0);
    let count = steps().count();
    if let (Some(first), Some(last)) = (steps().next(), steps().next_back())
        && count > 2
        && last < first
        && steps().take(count - 1).all(|step| step == first)
    {
        return first as f64;
    }
    steps().fold(0, gcd).max(1) as f64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_times_have_the_rate_of_the_camera() {
        for decimals in 2..=4 {
            let scale = 10_f64.powi(decimals);
            let mut observations = Observations::default();
            observations.has_times = true;
            let [one, other] = ["a", "b"].map(|name| observations.animals.number(name).unwrap());
            let row = |frame: u32| {
                let at = (f64::from(frame / 2) / 30.0 * scale).round() / scale;
                Observation::new(if frame.is_multiple_of(2) { one } else { other }, at, [0.0; 3])
            };
            for row in (0..4000).filter(|frame| frame / 200 % 3 != 1).map(row) {
                observations.add(row, None, 0).unwrap();
            }
            let step = time_step(&observations).unwrap();
            assert!((step * 30.0 - 1.0).abs() < 2e-4, "{decimals} decimals: {step}");
            assert_eq!(rounding(&observations, step), Some(scale.recip()));
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
            let rows: Vec<Observation> = numbers.iter().map(|at| Observation::new(0, *at, [0.0; 3])).collect();
            assert_eq!(frame_step(&rows), step, "{numbers:?}");
        }
    }

    #[test]
    fn irregular_times_are_no_rounding() {
        let mut observations = Observations::default();
        observations.has_times = true;
        let animal = observations.animals.number("a").unwrap();
        for at in [0.0, 5.0, 9.0, 15.0, 19.0, 25.0] {
            observations.add(Observation::new(animal, at, [0.0; 3]), None, 0).unwrap();
        }
        let clock = FrameClock::of(&observations, None, None).unwrap();
        assert_eq!((clock.step, clock.regular), (5.0, None));
        assert_eq!(clock.numbers_between(&observations.rows[1], &observations.rows[2]), 0.8);
    }
}
