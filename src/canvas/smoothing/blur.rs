//! Smoothing over a plane of values, row by row.

use crate::sim::{VectorLoop, run_vectorized};

/// Binomial weights of order four: a bell of one cell's spread.
const WEIGHTS: [f32; 3] = [6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

/// A plane of values that can be smoothed, and the room that it takes.
#[derive(Debug, Default)]
pub(crate) struct ScalarField {
    /// The values, row by row.
    pub(crate) values: Vec<f32>,
    line: Vec<f32>,
    other: Vec<f32>,
}

impl ScalarField {
    /// Blurs with a bell of one row and, as cells are half as wide as high, of `wide` or two columns.
    /// Beyond the edges the outermost value goes on.
    pub(crate) fn blur(&mut self, columns: usize, wide: bool) {
        if columns == 0 || self.values.is_empty() {
            return;
        }
        for row in self.values.chunks_exact_mut(columns) {
            spread::<1>(row, &mut self.line);
            if wide {
                spread::<2>(row, &mut self.line);
            }
        }
        self.down(columns);
    }

    /// Down the columns, whole rows at once.
    fn down(&mut self, columns: usize) {
        let rows = self.values.len() / columns;
        self.other.resize(self.values.len(), 0.0);
        for (at, into) in self.other.chunks_exact_mut(columns).enumerate() {
            let row = |by: usize| &self.values[(at + by).saturating_sub(2).min(rows - 1) * columns..][..columns];
            mix(into, [row(0), row(1), row(2), row(3), row(4)]);
        }
        std::mem::swap(&mut self.values, &mut self.other);
    }
}

/// Along a row, with `STEP` values from one weight to the next.
fn spread<const STEP: usize>(row: &mut [f32], line: &mut Vec<f32>) {
    let len = row.len();
    line.clear();
    line.extend(std::iter::repeat_n(row[0], 2 * STEP));
    line.extend_from_slice(row);
    line.extend(std::iter::repeat_n(row[len - 1], 2 * STEP));
    let part = |by: usize| &line[by * STEP..][..len];
    mix(row, [part(0), part(1), part(2), part(3), part(4)]);
}

/// The weighted sum of five runs of one length.
fn mix(into: &mut [f32], from: [&[f32]; 5]) {
    run_vectorized(Mix { into, from });
}

struct Mix<'a> {
    into: &'a mut [f32],
    from: [&'a [f32]; 5],
}

impl VectorLoop for Mix<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]
    fn run(self) {
        let [first, second, third, fourth, fifth] = self.from;
        let inner = second.iter().zip(fourth);
        let outer = first.iter().zip(fifth);
        for ((into, middle), ((a, b), (c, d))) in self.into.iter_mut().zip(third).zip(inner.zip(outer)) {
            *into = WEIGHTS[0] * middle + WEIGHTS[1] * (a + b) + WEIGHTS[2] * (c + d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_keeps_what_there_is_and_is_a_bell() {
        let mut plane = ScalarField { values: vec![0.0; 21 * 11], ..ScalarField::default() };
        plane.values[5 * 21 + 10] = 1.0;
        plane.blur(21, true);
        let total: f32 = plane.values.iter().sum();
        assert!((total - 1.0).abs() < 1e-5, "{total}");
        let at = |column: usize, row: usize| plane.values[row * 21 + column];
        assert!(at(10, 5) > at(11, 5) && at(11, 5) > at(12, 5) && at(14, 5) > 0.0);
        assert!((at(12, 5) - at(8, 5)).abs() < 1e-7 && at(10, 2) == 0.0);
    }

    #[test]
    fn what_is_even_stays_even_at_every_size() {
        for (columns, rows) in [(0, 0), (1, 1), (1, 5), (7, 1), (2, 2)] {
            let mut plane = ScalarField { values: vec![3.0; columns * rows], ..ScalarField::default() };
            plane.blur(columns, true);
            assert!(plane.values.iter().all(|value| (value - 3.0).abs() < 1e-6));
        }
    }
}
