//! Smooths values per cell in space and time, so that the picture does not flicker, and scrolls them with the camera.

use glam::Vec2;

use super::refill;
use flockscope_sim::{VectorLoop, run_vectorized};

/// Binomial weights of order four, with a standard deviation of one.
const WEIGHTS: [f32; 3] = [6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

/// What a blur that is not wide leaves of a value in its own cell.
pub(crate) const PEAK: f32 = WEIGHTS[0] * WEIGHTS[0];

/// The most ticks back at which a picture continues from the last one, when a session is played backward.
const MAX_TICKS_BACK: u64 = 8;

/// Whether a picture at a tick continues from one of the same run at tick `last`.
pub(crate) fn continues(last: u64, tick: u64) -> bool {
    last <= tick.saturating_add(MAX_TICKS_BACK)
}

/// The weight of the new value after `elapsed` ticks, in an exponential moving average over `window` ticks.
pub(crate) fn new_weight(elapsed: f32, window: f32) -> f32 {
    1.0 - (-elapsed / window).exp()
}

/// How [`SmoothedField::update`] smooths.
pub(crate) struct Smoothing {
    /// Values in a row.
    pub(crate) columns: usize,
    /// Whether the blur is three columns wide instead of one.
    pub(crate) wide: bool,
    /// The weight of new values above the average, 0 … 1.
    pub(crate) weight: f32,
    /// The weight of new values below it.
    pub(crate) fall: f32,
}

/// Buffers for [`SmoothedField::update`]: values blurred along the rows, and a row with its ends extended.
#[derive(Debug, Default)]
pub(crate) struct BlurBuffers {
    values: Vec<f32>,
    line: Vec<f32>,
}

/// An exponential moving average of blurred values, row by row.
#[derive(Debug, Default)]
pub(crate) struct SmoothedField {
    /// The averages: empty before the first update, NaN where nothing is known yet.
    pub(crate) values: Vec<f32>,
}

impl SmoothedField {
    /// Blurs new values with a standard deviation of one row and one column, or about three columns if `wide`; values
    /// beyond an edge equal those on it. Mixes them in, or replaces the average where it is unknown or has another size.
    pub(crate) fn update(&mut self, new: impl Iterator<Item = f32>, smoothing: &Smoothing, buffers: &mut BlurBuffers) {
        let BlurBuffers { values, line } = buffers;
        let (columns, weight, fall) = (smoothing.columns.max(1), smoothing.weight, smoothing.fall);
        values.clear();
        values.extend(new);
        if self.values.len() != values.len() {
            refill(&mut self.values, values.len(), f32::NAN);
        }
        for row in values.chunks_exact_mut(columns) {
            blur_row::<1>(row, line);
            if smoothing.wide {
                blur_row::<3>(row, line);
            }
        }
        let last = (values.len() / columns).saturating_sub(1);
        let mix = |mean: f32, new: f32| {
            let weight = if new < mean { fall } else { weight };
            if mean.is_nan() { new } else { mean + weight * (new - mean) }
        };
        for (at, output) in self.values.chunks_exact_mut(columns).enumerate() {
            let row = |tap: usize| &values[(at + tap).saturating_sub(2).min(last) * columns..][..columns];
            run_vectorized(WeightedSum { output, taps: [row(0), row(1), row(2), row(3), row(4)], mix });
        }
    }

    /// Moves the values by a number of columns and rows.
    pub(crate) fn scroll(&mut self, columns: usize, by: [isize; 2]) {
        shift(&mut self.values, columns, by, f32::NAN);
    }
}

/// Blurs a row with taps `STEP` values apart.
fn blur_row<const STEP: usize>(row: &mut [f32], line: &mut Vec<f32>) {
    let len = row.len();
    line.clear();
    line.extend(std::iter::repeat_n(row[0], 2 * STEP));
    line.extend_from_slice(row);
    line.extend(std::iter::repeat_n(row[len - 1], 2 * STEP));
    let part = |tap: usize| &line[tap * STEP..][..len];
    let taps = [part(0), part(1), part(2), part(3), part(4)];
    run_vectorized(WeightedSum { output: row, taps, mix: |_, new| new });
}

/// Mixes each output with the weighted sum of its taps.
struct WeightedSum<'a, F> {
    output: &'a mut [f32],
    taps: [&'a [f32]; 5],
    mix: F,
}

impl<F: Fn(f32, f32) -> f32> VectorLoop for WeightedSum<'_, F> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]
    fn run(self) {
        let [first, second, third, fourth, fifth] = self.taps;
        let inner = second.iter().zip(fourth);
        let outer = first.iter().zip(fifth);
        for ((output, middle), ((a, b), (c, d))) in self.output.iter_mut().zip(third).zip(inner.zip(outer)) {
            *output = (self.mix)(*output, WEIGHTS[0] * middle + WEIGHTS[1] * (a + b) + WEIGHTS[2] * (c + d));
        }
    }
}

/// Turns movements in dots into whole steps, and carries the rest over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scroll {
    rest: Vec2,
}

impl Scroll {
    /// Adds a movement in dots. Returns the whole steps of `step` dots, right and down.
    pub(crate) fn steps(&mut self, dots: Vec2, step: Vec2) -> [isize; 2] {
        self.rest += dots;
        let steps = (self.rest / step).round();
        self.rest -= steps * step;
        [steps.x as isize, steps.y as isize]
    }
}

/// Moves values, in rows of `columns`, right and down. Values that come in from outside are `blank`.
pub(crate) fn shift<T: Copy>(values: &mut [T], columns: usize, [right, down]: [isize; 2], blank: T) {
    if columns == 0 || [right, down] == [0, 0] {
        return;
    }
    let rows = values.len() / columns;
    let height = down.unsigned_abs().min(rows).cast_signed() * down.signum();
    shift_run(&mut values[..rows * columns], height * columns.cast_signed(), blank);
    let width = right.unsigned_abs().min(columns).cast_signed() * right.signum();
    values.chunks_exact_mut(columns).for_each(|row| shift_run(row, width, blank));
}

fn shift_run<T: Copy>(values: &mut [T], by: isize, blank: T) {
    let (len, moved) = (values.len(), by.unsigned_abs());
    if by >= 0 {
        values.copy_within(..len - moved, moved);
        values[..moved].fill(blank);
    } else {
        values.copy_within(moved.., 0);
        values[len - moved..].fill(blank);
    }
}

/// Bins of the histogram that percentiles are read from.
const BINS: usize = 256;
/// Time constant of the adaptation, in ticks.
const EXPOSURE_WINDOW: f32 = 25.0;
/// Ticks between two measurements: the adaptation is too slow to need more.
const EXPOSURE_INTERVAL: f32 = 4.0;

/// Adapts slowly to the densities in view, so that nothing flickers.
#[derive(Debug, Default)]
pub(crate) struct Exposure {
    full: f32,
    ticks_since: f32,
}

impl Exposure {
    /// Adapts over `elapsed` ticks, at once the first time. Returns the factor that scales a percentile of the
    /// densities to 1, or 0 if nothing was seen yet.
    pub(crate) fn update(&mut self, densities: impl Iterator<Item = f32> + Clone, percent: usize, elapsed: f32) -> f32 {
        self.ticks_since += elapsed;
        if self.full == 0.0 || self.ticks_since >= EXPOSURE_INTERVAL {
            if let Some(full) = percentile(densities, percent) {
                let weight = if self.full == 0.0 { 1.0 } else { new_weight(self.ticks_since, EXPOSURE_WINDOW) };
                self.full += weight * (full - self.full);
            }
            self.ticks_since = 0.0;
        }
        if self.full > 0.0 { 1.0 / self.full } else { 0.0 }
    }
}

/// A percentile of values that are not negative, within 1/128 of the largest, and closer for small values.
fn percentile(values: impl Iterator<Item = f32> + Clone, percent: usize) -> Option<f32> {
    let most = values.clone().fold(0.0_f32, f32::max);
    if most <= 0.0 {
        return None;
    }
    // Bins are spaced by square root: one very dense cell must leave bins for the others.
    let scale = (BINS - 1) as f32 / most.sqrt();
    let mut bins = [0_usize; BINS];
    let mut count = 0;
    for value in values {
        bins[((value.sqrt() * scale) as usize).min(BINS - 1)] += 1;
        count += 1;
    }
    let mut below = 0;
    let bin = bins.iter().position(|&bin| {
        below += bin;
        below * 100 > count * percent
    });
    let root = (bin.unwrap_or(BINS - 1) + 1) as f32 / scale;
    Some((root * root).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_right_for_few_values_and_beside_an_outlier() {
        assert_eq!(percentile([].into_iter(), 95), None);
        assert_eq!(percentile([3.0].into_iter(), 95), Some(3.0));
        let even = percentile((1..=1000).map(|value| value as f32), 95).unwrap();
        assert!((945.0..960.0).contains(&even), "{even}");
        let beside = percentile((0..1000).map(|value| if value == 7 { 1e4 } else { 1.0 }), 95).unwrap();
        assert!((1.0..2.5).contains(&beside), "{beside}");
    }

    #[test]
    fn adapts_slowly() {
        let mut exposure = Exposure::default();
        let first = exposure.update([2.0].into_iter(), 95, 0.0);
        assert!((first - 0.5).abs() < 1e-6, "{first}");
        assert_eq!(exposure.update([4.0].into_iter(), 95, 0.0), first);
        let next = exposure.update([4.0].into_iter(), 95, EXPOSURE_INTERVAL);
        let full = 2.0 + 2.0 * new_weight(EXPOSURE_INTERVAL, EXPOSURE_WINDOW);
        assert!((next - 1.0 / full).abs() < 1e-6 && next > 0.4, "{next}");
    }

    fn blurred(columns: usize, values: &[f32]) -> Vec<f32> {
        let mut field = SmoothedField::default();
        let smoothing = Smoothing { columns, wide: true, weight: 0.5, fall: 0.5 };
        field.update(values.iter().copied(), &smoothing, &mut BlurBuffers::default());
        field.values
    }

    #[test]
    fn new_values_replace_unknown_ones_and_mix_with_others() {
        let (mut field, mut buffers) = (SmoothedField::default(), BlurBuffers::default());
        let smoothing = Smoothing { columns: 1, wide: false, weight: 0.5, fall: 0.5 };
        let mut update = |values: [f32; 2]| {
            field.update(values.into_iter(), &smoothing, &mut buffers);
            let values = field.values.clone();
            field.scroll(1, [0, 1]);
            values
        };
        assert_eq!(update([2.0, 2.0]), [2.0, 2.0]);
        assert_eq!(update([8.0, 8.0]), [8.0, 5.0]);
    }

    #[test]
    fn a_point_becomes_a_symmetric_bell_with_the_same_sum() {
        let mut point = [0.0; 21 * 11];
        point[5 * 21 + 10] = 1.0;
        let bell = blurred(21, &point);
        let total: f32 = bell.iter().sum();
        assert!((total - 1.0).abs() < 1e-5, "{total}");
        let at = |column: usize, row: usize| bell[row * 21 + column];
        assert!(at(10, 5) > at(11, 5) && at(11, 5) > at(12, 5) && at(14, 5) > 0.0);
        assert!((at(12, 5) - at(8, 5)).abs() < 1e-7 && at(10, 2) == 0.0);
    }

    #[test]
    fn constant_values_stay_constant_at_every_size() {
        for (columns, rows) in [(0, 0), (1, 1), (1, 5), (7, 1), (2, 2)] {
            let values = blurred(columns, &vec![3.0; columns * rows]);
            assert!(values.len() == columns * rows && values.iter().all(|value| (value - 3.0).abs() < 1e-6));
        }
    }

    #[test]
    fn shifts_values_and_blanks_the_rest() {
        let shifted = |by| {
            let mut values = [1, 2, 3, 4, 5, 6];
            shift(&mut values, 3, by, 0);
            values
        };
        assert_eq!(shifted([1, 0]), [0, 1, 2, 0, 4, 5]);
        assert_eq!(shifted([-2, 1]), [0, 0, 0, 3, 0, 0]);
        assert_eq!(shifted([0, -1]), [4, 5, 6, 0, 0, 0]);
        assert_eq!(shifted([9, 0]), [0; 6]);
        assert_eq!(shifted([0, -9]), [0; 6]);
    }

    #[test]
    fn small_movements_add_up() {
        let mut scroll = Scroll::default();
        let steps: isize = (0..100).map(|_| scroll.steps(Vec2::new(0.3, 0.0), Vec2::new(2.0, 4.0))[0]).sum();
        assert_eq!(steps, 15);
    }
}
