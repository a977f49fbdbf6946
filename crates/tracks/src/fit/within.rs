//! The regression within frames: the mean over the animals of a frame is subtracted from changes, sums and instruments, so that nothing that
//! acts on all animals alike counts.
//!
//! The sums of an earlier frame are the instruments of the same sums. With a bank of more instruments, weights that little tells apart are
//! nearer to those of least squares, which are biased (Staiger & Stock 1997, *Instrumental variables regression with weak instruments*,
//! Econometrica 65, 557).

use rayon::prelude::*;

use super::algebra::solve;
use super::instruments::{HALVES, add_products, is_in_half, standard_error, sum};
use super::samples::{BLOCKS, Columns, Samples};

/// The products of all sums and of the changes with the sums of an earlier frame, and those of the latter with each other, by block of time.
pub(super) struct Within {
    size: usize,
    blocks: Vec<Products>,
}

struct Products {
    /// For each instrument the products with all sums, and with the changes.
    sums: Vec<f64>,
    instruments: Vec<f64>,
}

impl Within {
    pub(super) fn new(samples: &Samples<'_>, columns: &Columns) -> Self {
        let (dim, size) = (samples.place.dim, columns.terms.len());
        let instruments = samples.earlier(&columns.terms, &samples.sampling.lags[..1]);
        let blocks = (0..BLOCKS).into_par_iter().map(|block| {
            let mut products = Products { sums: vec![0.0; size * (size + 1)], instruments: vec![0.0; size * size] };
            for frame in samples.frames_of(block) {
                let (mut rows, mut targets) = samples.equations(frame, columns, None);
                let mut instruments = instruments[frame].clone();
                subtract_mean(&mut rows, dim, size);
                subtract_mean(&mut targets, dim, 1);
                subtract_mean(&mut instruments, dim, size);
                let equations = rows.chunks(size).zip(&targets).map(|(row, target)| [row, &[*target]].concat());
                for (instruments, row) in instruments.chunks(size).zip(equations) {
                    add_products(&mut products.sums, instruments, &row);
                    add_products(&mut products.instruments, instruments, instruments);
                }
            }
            products
        });
        Self { size, blocks: blocks.collect() }
    }

    fn of_blocks(&self, is_kept: impl Fn(usize) -> bool) -> Products {
        let kept = || self.blocks.iter().enumerate().filter(|(block, _)| is_kept(*block)).map(|(_, products)| products);
        Products {
            sums: sum(kept().map(|products| &products.sums), self.size * (self.size + 1)),
            instruments: sum(kept().map(|products| &products.instruments), self.size * self.size),
        }
    }

    /// The weight of the strongest one of some unknowns beside others, in standard errors between halves of the blocks of time.
    pub(super) fn certainty(&self, others: &[usize], tried: &[usize]) -> Option<f64> {
        let all = self.of_blocks(|_| true);
        let solved = tried.par_iter().filter_map(|at| {
            let unknowns = [others, &[*at]].concat();
            let (weight, gain) = self.solve(&all, &unknowns)?;
            Some((unknowns, weight, gain * weight.signum()))
        });
        let (unknowns, weight, _) = solved.max_by(|a, b| a.2.total_cmp(&b.2))?;
        let halves = (0..HALVES).map(|half| self.of_blocks(|block| is_in_half(half, block)));
        let error = standard_error(weight, halves.filter_map(|half| Some(self.solve(&half, &unknowns)?.0)));
        Some(weight / error.max(f64::MIN_POSITIVE))
    }

    /// The weight of the last one of these unknowns, each with its own instrument, and what the changes lose without it, as a sum of squares.
    fn solve(&self, products: &Products, unknowns: &[usize]) -> Option<(f64, f64)> {
        let (size, count) = (self.size, unknowns.len());
        let gram: Vec<f64> =
            unknowns.iter().flat_map(|k| unknowns.iter().map(move |l| products.instruments[k * size + l])).collect();
        let column = |at: usize| unknowns.iter().map(|k| products.sums[k * (size + 1) + at]).collect::<Vec<f64>>();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let columns: Vec<Vec<f64>> = unknowns.iter().map(|k| column(*k)).collect();
        let projected: Vec<Vec<f64>> = columns.iter().map(|column| solve(&gram, column)).collect::<Option<_>>()?;
        let changes = column(size);
        // The normal equations of two-stage least squares; without the last unknown, they show its gain.
        let normal = |count: usize| -> Vec<f64> {
            (0..count * count).map(|at| dot(&columns[at / count], &projected[at % count])).collect()
        };
        let right: Vec<f64> = projected.iter().map(|projected| dot(projected, &changes)).collect();
        let weights = solve(&normal(count), &right)?;
        let without = solve(&normal(count - 1), &right[..count - 1])?;
        let gain = dot(&weights, &right) - dot(&without, &right[..count - 1]);
        Some((weights[count - 1], gain.max(0.0)))
    }
}

/// Subtracts from each number the mean over the samples of a frame, axis by axis.
fn subtract_mean(rows: &mut [f64], dim: usize, width: usize) {
    let samples = rows.len() / (dim * width).max(1);
    for at in 0..dim * width {
        let mean = rows.iter().skip(at).step_by(dim * width).sum::<f64>() / samples as f64;
        rows.iter_mut().skip(at).step_by(dim * width).for_each(|value| *value -= mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_over_animals_is_subtracted_axis_by_axis() {
        // Two samples of two axes with two numbers each.
        let mut rows = [1.0, 2.0, 10.0, 20.0, 3.0, 6.0, 30.0, 0.0];
        subtract_mean(&mut rows, 2, 2);
        assert_eq!(rows, [-1.0, -2.0, -10.0, 10.0, 1.0, 2.0, 10.0, -10.0]);
    }
}
