//! A separable binomial blur.

use crate::sim::{VectorLoop, run_vectorized};

/// Binomial weights of order four, with a standard deviation of one.
const WEIGHTS: [f32; 3] = [6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

/// Values to blur, row by row, and buffers for the passes.
#[derive(Debug, Default)]
pub(crate) struct Blur {
    pub(crate) values: Vec<f32>,
    line: Vec<f32>,
    output: Vec<f32>,
}

impl Blur {
    /// Blurs with a standard deviation of one row and one column, or about two columns if `wide`. Values beyond an
    /// edge equal those on it.
    pub(crate) fn run(&mut self, columns: usize, wide: bool) {
        if columns == 0 || self.values.is_empty() {
            return;
        }
        for row in self.values.chunks_exact_mut(columns) {
            blur_row::<1>(row, &mut self.line);
            if wide {
                blur_row::<2>(row, &mut self.line);
            }
        }
        let rows = self.values.len() / columns;
        self.output.resize(self.values.len(), 0.0);
        for (at, output) in self.output.chunks_exact_mut(columns).enumerate() {
            let row = |tap: usize| &self.values[(at + tap).saturating_sub(2).min(rows - 1) * columns..][..columns];
            run_vectorized(WeightedSum { output, taps: [row(0), row(1), row(2), row(3), row(4)] });
        }
        std::mem::swap(&mut self.values, &mut self.output);
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
    run_vectorized(WeightedSum { output: row, taps: [part(0), part(1), part(2), part(3), part(4)] });
}

struct WeightedSum<'a> {
    output: &'a mut [f32],
    taps: [&'a [f32]; 5],
}

impl VectorLoop for WeightedSum<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]
    fn run(self) {
        let [first, second, third, fourth, fifth] = self.taps;
        let inner = second.iter().zip(fourth);
        let outer = first.iter().zip(fifth);
        for ((output, middle), ((a, b), (c, d))) in self.output.iter_mut().zip(third).zip(inner.zip(outer)) {
            *output = WEIGHTS[0] * middle + WEIGHTS[1] * (a + b) + WEIGHTS[2] * (c + d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_becomes_a_symmetric_bell_with_the_same_sum() {
        let mut blur = Blur { values: vec![0.0; 21 * 11], ..Blur::default() };
        blur.values[5 * 21 + 10] = 1.0;
        blur.run(21, true);
        let total: f32 = blur.values.iter().sum();
        assert!((total - 1.0).abs() < 1e-5, "{total}");
        let at = |column: usize, row: usize| blur.values[row * 21 + column];
        assert!(at(10, 5) > at(11, 5) && at(11, 5) > at(12, 5) && at(14, 5) > 0.0);
        assert!((at(12, 5) - at(8, 5)).abs() < 1e-7 && at(10, 2) == 0.0);
    }

    #[test]
    fn constant_values_stay_constant_at_every_size() {
        for (columns, rows) in [(0, 0), (1, 1), (1, 5), (7, 1), (2, 2)] {
            let mut blur = Blur { values: vec![3.0; columns * rows], ..Blur::default() };
            blur.run(columns, true);
            assert!(blur.values.iter().all(|value| (value - 3.0).abs() < 1e-6));
        }
    }
}
