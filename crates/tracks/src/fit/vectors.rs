//! Vectors, boxes and matrices of three axes, and order statistics.

use flockscope_sim::{Metric, Row};

/// The area in which the animals stay, as its ends on each axis.
pub type Arena = [[f64; 2]; 3];

pub(super) fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

/// The way from one place to another, in the world of a metric.
pub(super) fn offset(metric: &Metric, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| metric.exact_offset(axis, from[axis], to[axis]))
}

/// The way from one animal to another.
pub(super) fn way(metric: &Metric, from: &Row, to: &Row) -> [f64; 3] {
    offset(metric, from.position.map(f64::from), to.position.map(f64::from))
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// The median; 0 without numbers.
pub(super) fn median(numbers: &mut [f64]) -> f64 {
    quantile(numbers, 0.5)
}

/// The number below which a share of the numbers is; 0 without numbers.
pub(super) fn quantile(numbers: &mut [f64], share: f64) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    let at = ((numbers.len() - 1) as f64 * share) as usize;
    *numbers.select_nth_unstable_by(at, f64::total_cmp).1
}

/// The direction of a vector; the first axis if its length is 0.
pub(super) fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = length(vector);
    if length > 0.0 { vector.map(|axis| axis / length) } else { [1.0, 0.0, 0.0] }
}

pub(super) type Matrix = [[f64; 3]; 3];

pub(super) const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The projection onto the plane across a direction.
pub(super) fn across(direction: [f64; 3]) -> Matrix {
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| IDENTITY[row][column] - direction[row] * direction[column]))
}

pub(super) fn scaled(matrix: &Matrix, factor: f64) -> Matrix {
    matrix.map(|row| row.map(|value| value * factor))
}

pub(super) fn apply(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, vector))
}

pub(super) fn times(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum()))
}
