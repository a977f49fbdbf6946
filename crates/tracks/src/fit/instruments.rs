//! Moments of changes and of sums with instruments: the generalized method of moments (Hansen 1982, *Large sample properties of
//! generalized method of moments estimators*, Econometrica 50, 1029).
//!
//! Velocities that are differences of positions have the errors of the positions and the random accelerations of the animals, and so have
//! the changes of velocity. Sums of earlier frames, the instruments, have none of these errors, so that moments with them show the effects
//! of the present sums. The bank of instruments is the same for all rules, radii and forms, so that they can be compared.

use std::ops::Range;

use rayon::prelude::*;

use super::algebra::{eigen, solve};
use super::dictionary::Term;
use super::samples::{BLOCKS, Columns, Point, Samples, count_unknowns};

/// Directions of instruments with a smaller share of the largest variance are left out: they repeat others, and whitening would make their
/// rounding as large as a signal.
const SMALLEST: f64 = 1e-6;
/// The number of halves of the blocks of time.
pub(super) const HALVES: usize = BLOCKS - 1;

/// The instruments of some samples.
pub(super) struct Instruments<'a> {
    samples: &'a Samples<'a>,
    /// The instruments of each frame: a row for each sample and axis.
    rows: Vec<Vec<f64>>,
    width: usize,
    /// Combinations of instruments that are not correlated, one after the other. With them, the sum of squares of the moments is that of
    /// two-stage least squares (Hayashi 2000, *Econometrics*, chapter 3).
    whitening: Vec<f64>,
}

impl<'a> Instruments<'a> {
    pub(super) fn new(samples: &'a Samples<'a>, bank: &[Term]) -> Self {
        let rows = samples.earlier(bank, samples.sampling.lags);
        let width = bank.len() * samples.sampling.lags.len();
        let grams = (0..BLOCKS).into_par_iter().map(|block| {
            let mut gram = vec![0.0; width * width];
            for row in rows[samples.frames_of(block)].iter().flat_map(|rows| rows.chunks(width.max(1))) {
                add_products(&mut gram, row, row);
            }
            gram
        });
        let grams: Vec<Vec<f64>> = grams.collect();
        let gram = sum(grams.iter(), width * width);
        let scale: Vec<f64> =
            (0..width).map(|k| gram[k * width + k]).map(|d| if d > 0.0 { d.sqrt().recip() } else { 0.0 }).collect();
        // Correlations, so that the units of the sums do not decide which directions are kept.
        let scaled = (0..width * width).map(|at| gram[at] * scale[at / width] * scale[at % width]).collect();
        let (values, vectors) = eigen(scaled, width);
        let largest = values.iter().copied().fold(0.0, f64::max);
        let kept = (0..width).filter(|k| values[*k] > SMALLEST * largest);
        let whitening = kept.flat_map(|k| {
            let (vector, deviation) = (&vectors[k * width..(k + 1) * width], values[k].sqrt());
            vector.iter().zip(&scale).map(move |(value, scale)| value * scale / deviation)
        });
        Self { samples, whitening: whitening.collect(), rows, width }
    }

    /// The number of equations of all samples.
    pub(super) fn equations(&self) -> usize {
        self.rows.iter().map(Vec::len).sum::<usize>() / self.width.max(1)
    }

    /// The moments of sums and changes, through the limits of a tick at a point.
    pub(super) fn moments(&self, columns: &Columns, point: Option<&Point>) -> Moments {
        let width = self.width;
        let size = count_unknowns(columns.terms.len(), point);
        let blocks = (0..BLOCKS).into_par_iter().map(|block| {
            let mut products = vec![0.0; width * (size + 1)];
            for frame in self.samples.frames_of(block) {
                let (rows, targets) = self.samples.equations(frame, columns, point);
                for (at, (instruments, target)) in self.rows[frame].chunks(width.max(1)).zip(targets).enumerate() {
                    let row = &rows[at * size..(at + 1) * size];
                    for (product, instrument) in products.chunks_mut(size + 1).zip(instruments) {
                        product.iter_mut().zip(row).for_each(|(product, value)| *product += instrument * value);
                        product[size] += instrument * target;
                    }
                }
            }
            let mut whitened = vec![0.0; self.whitening.len() / width.max(1) * (size + 1)];
            for (row, direction) in whitened.chunks_mut(size + 1).zip(self.whitening.chunks(width.max(1))) {
                for (product, share) in products.chunks(size + 1).zip(direction) {
                    row.iter_mut().zip(product).for_each(|(value, product)| *value += share * product);
                }
            }
            whitened
        });
        Moments { size, terms: columns.terms.len(), blocks: blocks.collect() }
    }
}

/// The whitened moments of each block of time: for each direction of instruments the moments of all unknowns, and that of the changes.
pub(super) struct Moments {
    /// The number of unknowns, and that of those that are weights of terms; the other one is a limit of the steering.
    size: usize,
    terms: usize,
    blocks: Vec<Vec<f64>>,
}

impl Moments {
    /// The number of directions of instruments.
    pub(super) fn directions(&self) -> usize {
        self.blocks[0].len() / (self.size + 1)
    }

    /// The unknowns that are no weights of terms.
    pub(super) fn extra(&self) -> Range<usize> {
        self.terms..self.size
    }

    /// Adds the moments of other terms.
    pub(super) fn join(&mut self, other: &Self) {
        let (own, more) = (self.size + 1, other.size + 1);
        for (block, others) in self.blocks.iter_mut().zip(&other.blocks) {
            let rows = block.chunks(own).zip(others.chunks(more));
            *block = rows
                .flat_map(|(row, others)| [&row[..self.terms], &others[..other.terms], &row[self.terms..]].concat())
                .collect();
        }
        (self.size, self.terms) = (self.size + other.terms, self.terms + other.terms);
    }

    /// The normal equations of all blocks of time, and then of the halves of them if `has_halves`.
    pub(super) fn systems(&self, has_halves: bool) -> Vec<Normal> {
        let systems = (0..=if has_halves { HALVES } else { 0 }).into_par_iter().map(|half| {
            let kept = self.blocks.iter().enumerate().filter(|(block, _)| half == 0 || is_in_half(half - 1, *block));
            let moments = sum(kept.map(|(_, moments)| moments), self.blocks[0].len());
            let width = self.size + 1;
            let mut gram = vec![0.0; width * width];
            moments.chunks(width).for_each(|row| add_products(&mut gram, row, row));
            Normal { gram, size: self.size }
        });
        systems.collect()
    }
}

/// Whether a block of time is in a half. The halves are balanced: any two share five blocks, and so the mean square by which a mean of
/// halves differs from that of all blocks is its squared standard error (`McCarthy` 1969, *Pseudo-replication: half samples*, Rev. Int. Stat.
/// Inst. 37, 239). They follow from the quadratic residues of 19 (Paley 1933, *On orthogonal matrices*, J. Math. Phys. 12, 311).
pub(super) fn is_in_half(half: usize, block: usize) -> bool {
    const RESIDUES: [usize; 9] = [1, 4, 5, 6, 7, 9, 11, 16, 17];
    block == BLOCKS - 1 || RESIDUES.contains(&((block + half) % HALVES))
}

/// The standard error of an estimate from those of the halves of the blocks of time.
pub(super) fn standard_error(all: f64, halves: impl Iterator<Item = f64>) -> f64 {
    (halves.map(|half| (half - all).powi(2)).sum::<f64>() / HALVES as f64).sqrt()
}

/// Normal equations of moments: the products of the moments of all unknowns and of the changes.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    gram: Vec<f64>,
    size: usize,
}

/// Weights of some unknowns, and the sum of squares of what they leave of the moments.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub(super) weights: Vec<f64>,
    pub(super) objective: f64,
}

impl Normal {
    /// The weights of these unknowns that meet the moments best; `None` if their sums depend on each other.
    pub(super) fn solve(&self, unknowns: &[usize]) -> Option<Solved> {
        let width = self.size + 1;
        let matrix: Vec<f64> =
            unknowns.iter().flat_map(|k| unknowns.iter().map(move |l| self.gram[k * width + l])).collect();
        let right: Vec<f64> = unknowns.iter().map(|k| self.gram[k * width + self.size]).collect();
        let weights = solve(&matrix, &right)?;
        let met: f64 = weights.iter().zip(&right).map(|(weight, right)| weight * right).sum();
        Some(Solved { weights, objective: (self.gram[self.size * width + self.size] - met).max(0.0) })
    }

    /// The sum of squares of what these weights leave of the moments.
    pub(super) fn left(&self, unknowns: &[usize], weights: &[f64]) -> f64 {
        let width = self.size + 1;
        let all = || unknowns.iter().zip(weights);
        let met = |row: usize| all().map(|(k, weight)| weight * self.gram[row * width + k]).sum::<f64>();
        let squared: f64 = all().map(|(k, weight)| weight * met(*k)).sum();
        (self.gram[self.size * width + self.size] - 2.0 * met(self.size) + squared).max(0.0)
    }
}

/// Adds the products of all numbers of two rows.
pub(super) fn add_products(products: &mut [f64], a: &[f64], b: &[f64]) {
    for (row, a) in products.chunks_mut(b.len()).zip(a) {
        row.iter_mut().zip(b).for_each(|(product, b)| *product += a * b);
    }
}

pub(super) fn sum<'p>(parts: impl Iterator<Item = &'p Vec<f64>>, size: usize) -> Vec<f64> {
    let mut all = vec![0.0; size];
    for part in parts {
        all.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_meet_moments_best() {
        // The line of least squares through (0, 1), (1, 2) and (2, 2) is 7/6 + x/2, and leaves 1/6.
        let moments = Moments { size: 2, terms: 2, blocks: vec![vec![1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 2.0, 2.0]] };
        let line = moments.systems(false)[0].solve(&[0, 1]).unwrap();
        assert!((line.weights[0] - 7.0 / 6.0).abs() < 1e-8 && (line.weights[1] - 0.5).abs() < 1e-8, "{line:?}");
        assert!((line.objective - 1.0 / 6.0).abs() < 1e-8, "{line:?}");
    }

    #[test]
    fn halves_give_the_standard_error_of_a_mean() {
        // numpy: (numpy.arange(20) ** 2 % 7).std(ddof=1) / 20 ** 0.5 is 0.328273.
        let values: Vec<f64> = (0..BLOCKS).map(|block| (block * block % 7) as f64).collect();
        let mean = |kept: &dyn Fn(usize) -> bool| {
            let kept: Vec<f64> = (0..BLOCKS).filter(|block| kept(*block)).map(|block| values[block]).collect();
            kept.iter().sum::<f64>() / kept.len() as f64
        };
        let halves = (0..HALVES).map(|half| mean(&|block| is_in_half(half, block)));
        assert!((standard_error(mean(&|_| true), halves) - 0.328_273).abs() < 1e-5);
    }
}
