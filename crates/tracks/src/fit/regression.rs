//! Nonlinear least squares on the changes of velocity that the rules of a tick predict.
//!
//! Steering is linear in the weights: the sums of the rules are computed once, and then all weights and limits at once by
//! Levenberg–Marquardt steps. Samples are in blocks of time. The error of a block is predicted without its own samples, for which one
//! Newton step from the solution suffices (Beirami et al. 2017, *On optimal generalizability in parametric learning*).

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::limits::{Change, Limits};
use super::vectors::{difference, dot, length, median, quantile, unit};

/// The number of blocks of time.
pub(super) const BLOCKS: usize = 20;
/// Residuals above this number of standard deviations count less (Huber 1964, *Robust estimation of a location parameter*).
const HUBER: f64 = 3.0;
/// The share of changes that are usual.
pub(super) const USUAL: f64 = 0.999;
/// A step that lowers the error by a smaller share is the last one.
const CONVERGED: f64 = 1e-5;

/// The samples of some frames.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) dim: usize,
    pub(super) samples: Vec<Sample>,
}

/// An observed change of velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The row in the motion.
    pub(super) row: u32,
    pub(super) id: u32,
    pub(super) velocity: [f64; 3],
    pub(super) change: [f64; 3],
}

/// The sums of a rule for the samples of each block. Rules with several weights, such as wind, have several columns.
pub(super) type Column = Vec<Vec<[f32; 3]>>;

/// The samples, and how exact they are.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) blocks: Vec<Block>,
    /// Standard deviations of the residuals along the heading and across it, in u/frame².
    pub(super) deviations: [f64; 2],
    /// The smallest deviation that rounding leaves.
    pub(super) least: f64,
    /// The largest number of steps to a solution.
    pub(super) steps: usize,
}

/// Weights and limits that predict the changes best.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) weights: Vec<f64>,
    pub(super) limits: Limits,
    /// The error per component of a change in each block, predicted from the others, in squared standard deviations.
    pub(super) errors: Vec<f64>,
    /// The weights without each block.
    pub(super) left_out: Vec<Vec<f64>>,
    /// The condition number of the columns, all scaled to the same length.
    pub(super) condition: f64,
    /// The two columns with the most similar effects.
    pub(super) confused: [usize; 2],
}

impl Solution {
    pub(super) fn error(&self) -> f64 {
        self.errors.iter().sum::<f64>() / self.errors.len() as f64
    }

    /// The absolute value of a weight in standard errors, from the jackknife over blocks of time.
    pub(super) fn certainty(&self, weight: usize) -> f64 {
        let variance = jackknife(self.left_out.iter().map(|weights| weights[weight]));
        self.weights[weight].abs() / variance.sqrt().max(f64::MIN_POSITIVE)
    }

    /// How much lower its error is than another one's, and the standard error of this difference.
    pub(super) fn gain(&self, other: &Self) -> (f64, f64) {
        let gains: Vec<f64> = other.errors.iter().zip(&self.errors).map(|(other, own)| other - own).collect();
        let count = gains.len() as f64;
        let mean = gains.iter().sum::<f64>() / count;
        let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        (mean, (variance / count).sqrt())
    }
}

/// The normal equations of some samples; of the matrix, the lower triangle.
#[derive(Clone, Debug)]
struct Normal {
    matrix: [[f64; UNKNOWNS]; UNKNOWNS],
    vector: [f64; UNKNOWNS],
    size: usize,
    loss: f64,
    count: f64,
}

impl Normal {
    fn zero(size: usize) -> Self {
        Self { matrix: [[0.0; UNKNOWNS]; UNKNOWNS], vector: [0.0; UNKNOWNS], size, loss: 0.0, count: 0.0 }
    }

    /// Adds the rows of a term from the unknown `first` on.
    fn add(&mut self, term: &Term, first: usize) {
        (self.loss, self.count) = (self.loss + term.loss, self.count + term.dim);
        for k in first..self.size {
            let weighted = term.weighted(k);
            self.vector[k] += dot(weighted, term.residual);
            for l in 0..=k {
                self.matrix[k][l] += dot(weighted, term.slopes[l]);
            }
        }
    }

    fn sum(parts: &[Self], size: usize) -> Self {
        parts.iter().fold(Self::zero(size), |sum, part| sum.plus(part, 1.0))
    }

    fn plus(mut self, other: &Self, sign: f64) -> Self {
        (self.loss, self.count) = (self.loss + sign * other.loss, self.count + sign * other.count);
        for k in 0..self.size {
            self.vector[k] += sign * other.vector[k];
            for l in 0..=k {
                self.matrix[k][l] += sign * other.matrix[k][l];
            }
        }
        self
    }

    fn matrix(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.size, self.size, |k, l| self.matrix[k.max(l)][k.min(l)])
    }

    fn vector(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.vector[..self.size])
    }

    /// The step to the minimum, with the diagonal raised by a share.
    fn step(&self, damping: f64) -> Option<DVector<f64>> {
        let mut matrix = self.matrix();
        for k in 0..self.size {
            matrix[(k, k)] = matrix[(k, k)] * (1.0 + damping) + f64::MIN_POSITIVE;
        }
        Some(matrix.cholesky()?.solve(&self.vector()))
    }
}

/// A point of the search: the weights, and whether the limit of force is one of the unknowns.
#[derive(Clone)]
struct Point {
    weights: Vec<f64>,
    limits: Limits,
}

impl Point {
    /// The point after a step.
    fn moved(&self, step: &DVector<f64>) -> Self {
        let weights = self.weights.iter().zip(step.iter()).map(|(weight, step)| weight + step).collect();
        let force = match step.get(self.weights.len()) {
            Some(step) => (self.limits.force + step).max(self.limits.force / 3.0),
            None => self.limits.force,
        };
        Self { weights, limits: Limits { force, ..self.limits } }
    }

    fn unknowns(&self) -> usize {
        self.weights.len() + usize::from(self.limits.force.is_finite())
    }
}

impl Problem {
    /// The weights of these columns, and the limit of force if there is one, that predict the changes best. They start from
    /// `weights`.
    pub(super) fn solve(&self, columns: &[&Column], weights: &[f64], limits: Limits) -> Solution {
        let mut point = Point { weights: weights.to_vec(), limits };
        let size = point.unknowns();
        let mut parts = self.normals(columns, &point);
        let mut normal = Normal::sum(&parts, size);
        let mut damping = 1e-9;
        for _ in 0..self.steps {
            let Some(step) = normal.step(damping) else { break };
            let next = point.moved(&step);
            let next_parts = self.normals(columns, &next);
            let next_normal = Normal::sum(&next_parts, size);
            if next_normal.loss < normal.loss {
                let is_last = normal.loss - next_normal.loss < CONVERGED * normal.loss;
                (point, parts, normal) = (next, next_parts, next_normal);
                damping = (damping * 0.1).max(1e-9);
                if is_last {
                    break;
                }
            } else if damping > 1e3 {
                break;
            } else {
                damping = (damping * 10.0).max(1e-3);
            }
        }
        self.solution(columns, &point, &parts, &normal)
    }

    /// What a point predicts, to which other columns are compared.
    pub(super) fn linearize(&self, columns: &[&Column], weights: &[f64], limits: Limits) -> Linearized {
        let point = Point { weights: weights.to_vec(), limits };
        let of_block = |(index, block): (usize, &Block)| {
            let changes = changes(columns, &point, index, block);
            let mut terms = Vec::with_capacity(block.samples.len());
            self.visit(columns, &point, index, &changes, |_, term| terms.push(term.clone()));
            LinearizedBlock { changes, terms }
        };
        let blocks: Vec<LinearizedBlock> = self.blocks.par_iter().enumerate().map(of_block).collect();
        let mut normal = Normal::zero(point.unknowns());
        blocks.iter().flat_map(|block| &block.terms).for_each(|term| normal.add(term, 0));
        Linearized { blocks, normal }
    }

    fn solution(&self, columns: &[&Column], point: &Point, parts: &[Normal], normal: &Normal) -> Solution {
        let left_out: Vec<Point> = parts.iter().map(|part| point.moved(&step_without(normal, part))).collect();
        let errors = self.blocks.par_iter().enumerate().map(|(block, samples)| {
            let changes = changes(columns, &left_out[block], block, samples);
            let (mut loss, mut count) = (0.0, 0.0f64);
            self.visit(&[], &left_out[block], block, &changes, |_, term| {
                (loss, count) = (loss + term.loss, count + term.dim);
            });
            loss / count.max(1.0)
        });
        let (condition, confused) = condition(&normal.matrix());
        Solution {
            weights: point.weights.clone(),
            limits: point.limits,
            errors: errors.collect(),
            left_out: left_out.into_iter().map(|point| point.weights).collect(),
            condition,
            confused,
        }
    }

    /// The variance of each weight between groups of animals, by leaving out each of `groups` groups.
    pub(super) fn variances_of_animals(&self, columns: &[&Column], solution: &Solution, groups: u32) -> Vec<f64> {
        let point = Point { weights: solution.weights.clone(), limits: solution.limits };
        let size = point.unknowns();
        let all = Normal::sum(&self.normals(columns, &point), size);
        let left_out: Vec<Vec<f64>> = (0..groups)
            .map(|group| {
                let parts: Vec<Normal> = (self.blocks.par_iter().enumerate())
                    .map(|(block, samples)| {
                        self.normal_of(block, samples, columns, &point, |sample| sample.id % groups == group)
                    })
                    .collect();
                point.moved(&step_without(&all, &Normal::sum(&parts, size))).weights
            })
            .collect();
        (0..point.weights.len()).map(|weight| jackknife(left_out.iter().map(|weights| weights[weight]))).collect()
    }

    /// Sets the deviations to those of a solution's residuals.
    pub(super) fn adapt_deviations(&mut self, columns: &[&Column], solution: &Solution) {
        let residuals = self.residuals(columns, solution);
        let mut components = [Vec::new(), Vec::new()];
        for (block, residuals) in self.blocks.iter().zip(&residuals) {
            for (sample, residual) in block.samples.iter().zip(residuals) {
                let [along, across] = split(*residual, sample.velocity, block.dim);
                components[0].push(along.abs());
                components[1].push(across);
            }
        }
        // From the median of the absolute values of a normal distribution, and of the lengths of normal vectors in a plane.
        let scale = [1.4826, if self.blocks[0].dim == 2 { 1.4826 } else { 1.2011 }];
        self.deviations = [0, 1].map(|k| (median(&mut components[k]) * scale[k]).max(self.least));
    }

    /// What a solution leaves of the changes, by block and sample.
    pub(super) fn residuals(&self, columns: &[&Column], solution: &Solution) -> Vec<Vec<[f64; 3]>> {
        (0..self.blocks.len()).into_par_iter().map(|block| self.block_residuals(columns, solution, block)).collect()
    }

    /// What a solution leaves of the changes of a block.
    pub(super) fn block_residuals(&self, columns: &[&Column], solution: &Solution, index: usize) -> Vec<[f64; 3]> {
        let point = Point { weights: solution.weights.clone(), limits: solution.limits };
        let block = &self.blocks[index];
        let changes = changes(columns, &point, index, block).into_iter();
        changes.zip(&block.samples).map(|(change, sample)| difference(sample.change, change.velocity)).collect()
    }

    fn normals(&self, columns: &[&Column], point: &Point) -> Vec<Normal> {
        let of_block = |(index, block)| self.normal_of(index, block, columns, point, |_| true);
        self.blocks.par_iter().enumerate().map(of_block).collect()
    }

    /// The normal equations at a point, of those samples of a block that are counted.
    fn normal_of(
        &self,
        index: usize,
        block: &Block,
        columns: &[&Column],
        point: &Point,
        is_counted: impl Fn(&Sample) -> bool,
    ) -> Normal {
        let changes = changes(columns, point, index, block);
        let mut normal = Normal::zero(point.unknowns());
        self.visit(columns, point, index, &changes, |sample, term| {
            if is_counted(sample) {
                normal.add(term, 0);
            }
        });
        normal
    }

    /// Shows all samples of a block, with their slopes by the weights of these columns and the limit of force.
    fn visit(
        &self,
        columns: &[&Column],
        point: &Point,
        index: usize,
        changes: &[Change],
        mut show: impl FnMut(&Sample, &Term),
    ) {
        let block = &self.blocks[index];
        let has_limit = point.limits.force.is_finite() && !columns.is_empty();
        let inverse = self.deviations.map(|deviation| 1.0 / (deviation * deviation));
        let mut term = Term::default();
        for (place, (sample, change)) in block.samples.iter().zip(changes).enumerate() {
            term.set(difference(sample.change, change.velocity), unit(sample.velocity), inverse, block.dim as f64);
            for column in columns {
                term.push(change.slope(column[index][place]));
            }
            if has_limit {
                term.push(change.force_slope);
            }
            show(sample, &term);
        }
    }
}

fn changes(columns: &[&Column], point: &Point, index: usize, block: &Block) -> Vec<Change> {
    let samples = block.samples.iter().enumerate();
    let change = |(place, sample): (usize, &Sample)| {
        Change::new(sample.velocity, force(columns, &point.weights, index, place), &point.limits)
    };
    samples.map(change).collect()
}

/// What a point predicts, and its normal equations.
pub(super) struct Linearized {
    blocks: Vec<LinearizedBlock>,
    normal: Normal,
}

impl Linearized {
    /// The amount by which the error would fall if these columns had weights, as the slopes at a point say; 0 if the first weight were
    /// negative and `is_positive`.
    pub(super) fn promise(&self, columns: &[Column], is_positive: bool) -> f64 {
        let old = self.normal.size;
        let size = old + columns.len();
        let of_block = |(index, known): (usize, &LinearizedBlock)| {
            let mut normal = Normal::zero(size);
            for (place, term) in known.terms.iter().enumerate() {
                let mut term = term.clone();
                for column in columns {
                    term.push(known.changes[place].slope(column[index][place]));
                }
                normal.add(&term, old);
            }
            normal
        };
        let parts: Vec<Normal> = self.blocks.par_iter().enumerate().map(of_block).collect();
        let mut normal = Normal::sum(&parts, size);
        normal.matrix[..old].copy_from_slice(&self.normal.matrix[..old]);
        normal.vector[..old].copy_from_slice(&self.normal.vector[..old]);
        let step = normal.step(1e-9);
        step.filter(|step| !is_positive || step[old] > 0.0).map_or(0.0, |step| step.dot(&normal.vector()))
    }
}

struct LinearizedBlock {
    changes: Vec<Change>,
    terms: Vec<Term>,
}

/// The largest number of unknowns.
const UNKNOWNS: usize = 17;

/// The residual of a sample, and its slopes by the unknowns.
#[derive(Clone, Default)]
struct Term {
    residual: [f64; 3],
    heading: [f64; 3],
    /// The weights of squares across the heading, and along it.
    across: f64,
    along: f64,
    loss: f64,
    dim: f64,
    slopes: [[f64; 3]; UNKNOWNS],
    count: usize,
}

impl Term {
    fn set(&mut self, residual: [f64; 3], heading: [f64; 3], [along, across]: [f64; 2], dim: f64) {
        let ahead = dot(residual, heading);
        let squared = across * (dot(residual, residual) - ahead * ahead).max(0.0) + along * ahead * ahead;
        let deviations = (squared / dim).sqrt();
        let weight = (HUBER / deviations).min(1.0);
        self.loss = if weight < 1.0 { dim * HUBER * (2.0 * deviations - HUBER) } else { squared };
        (self.residual, self.heading, self.dim) = (residual, heading, dim);
        (self.across, self.along, self.count) = (across * weight, along * weight, 0);
    }

    fn push(&mut self, slope: [f64; 3]) {
        self.slopes[self.count] = slope;
        self.count += 1;
    }

    /// A slope with the weights of its components.
    fn weighted(&self, k: usize) -> [f64; 3] {
        let slope = self.slopes[k];
        let ahead = (self.along - self.across) * dot(slope, self.heading);
        [0, 1, 2].map(|axis| self.across * slope[axis] + ahead * self.heading[axis])
    }
}

/// The step from a solution of all samples to that without some of them.
fn step_without(all: &Normal, part: &Normal) -> DVector<f64> {
    all.clone().plus(part, -1.0).step(1e-9).unwrap_or_else(|| DVector::zeros(all.size))
}

/// The jackknife variance of an estimate from those that leave out one group each (Efron & Stein 1981).
pub(super) fn jackknife(left_out: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = left_out.clone().count() as f64;
    let mean = left_out.clone().sum::<f64>() / count;
    (count - 1.0) / count * left_out.map(|value| (value - mean).powi(2)).sum::<f64>()
}

/// The condition number of normal equations with columns of length 1, and the two columns that cause it.
fn condition(matrix: &DMatrix<f64>) -> (f64, [usize; 2]) {
    if matrix.is_empty() {
        return (1.0, [0; 2]);
    }
    let scale = |k: usize| matrix[(k, k)].max(f64::MIN_POSITIVE).sqrt();
    let scaled = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |k, l| matrix[(k, l)] / (scale(k) * scale(l)));
    let eigen = scaled.symmetric_eigen();
    let (place, least) = eigen.eigenvalues.argmin();
    let direction = eigen.eigenvectors.column(place);
    let mut columns: Vec<usize> = (0..matrix.nrows()).collect();
    columns.sort_by(|k, l| direction[*l].abs().total_cmp(&direction[*k].abs()));
    // Rounding may leave an eigenvalue of 0.
    let condition = (eigen.eigenvalues.max() / least.max(1e-12 * eigen.eigenvalues.max())).sqrt();
    (condition, [columns[0], columns[columns.len().min(2) - 1]])
}

/// The steering of a sample without its limit.
pub(super) fn force(columns: &[&Column], weights: &[f64], block: usize, place: usize) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (column, weight) in columns.iter().zip(weights) {
        let term = column[block][place];
        sum = [0, 1, 2].map(|axis| sum[axis] + weight * f64::from(term[axis]));
    }
    sum
}

/// The absolute components of a residual along a velocity and across it, per axis.
fn split(residual: [f64; 3], velocity: [f64; 3], dim: usize) -> [f64; 2] {
    let ahead = dot(residual, unit(velocity));
    let across = (dot(residual, residual) - ahead * ahead).max(0.0);
    [ahead, (across / (dim - 1) as f64).sqrt()]
}

/// The predictions of changes, from what they leave of them. None is larger than its change and nearly all others: of two animals that a
/// tracker sees at one place, separation predicts any number.
pub(super) fn predictions(changes: &[([f64; 3], [f64; 3])]) -> impl Iterator<Item = [f64; 3]> {
    let usual = quantile(&mut changes.iter().map(|(change, _)| length(*change)).collect::<Vec<_>>(), USUAL);
    changes.iter().map(move |(change, residual)| {
        let predicted = difference(*change, *residual);
        let longest = length(*change).max(usual);
        let share = if length(predicted) > longest { longest / length(predicted) } else { 1.0 };
        predicted.map(|axis| axis * share)
    })
}

/// R² of changes and what a prediction leaves of them.
pub(super) fn explained(changes: &[([f64; 3], [f64; 3])]) -> f64 {
    let (mut left, mut all) = (0.0, 0.0);
    for ((change, _), predicted) in changes.iter().zip(predictions(changes)) {
        let residual = difference(*change, predicted);
        (left, all) = (left + dot(residual, residual), all + dot(*change, *change));
    }
    if all > 0.0 { 1.0 - left / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_are_no_larger_than_changes() {
        let changes = |predicted: [f64; 2]| {
            [[1.0, 0.0, 0.0], [-2.0, 0.0, 0.0]]
                .into_iter()
                .zip(predicted)
                .map(|(change, predicted): ([f64; 3], f64)| (change, [change[0] - predicted, 0.0, 0.0]))
        };
        // 1 − (0.5² + 1²) / 5, and 1 − (0² + 4²) / 5 with a prediction of 2 instead of 100.
        assert!((explained(&changes([0.5, -1.0]).collect::<Vec<_>>()) - 0.75).abs() < 1e-12);
        assert!((explained(&changes([1.0, 100.0]).collect::<Vec<_>>()) + 2.2).abs() < 1e-12);
    }
}
