//! Linear equations and eigenvalues of small symmetric matrices, row by row.

/// Rounding of sums of products, as a share of the diagonal.
const ROUNDING: f64 = 1e-10;

/// The solution of `matrix · x = right` for a symmetric, positive definite matrix, by Cholesky decomposition. An unknown whose row is 0 is
/// 0. `None` if the matrix is not positive definite.
pub(super) fn solve(matrix: &[f64], right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len();
    if matrix.iter().chain(right).any(|value| !value.is_finite()) {
        return None;
    }
    // With a diagonal of 1, the condition is nearly as good as scaling can make it (van der Sluis 1969, Numer. Math. 14, 14).
    let scale: Vec<f64> =
        (0..size).map(|k| matrix[k * size + k]).map(|d| if d > 0.0 { d.sqrt().recip() } else { 0.0 }).collect();
    let mut lower = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let product: f64 = (0..column).map(|k| lower[row * size + k] * lower[column * size + k]).sum();
            let own = matrix[row * size + column] * scale[row] * scale[column];
            lower[row * size + column] = if row > column {
                (own - product) / lower[column * size + column]
            } else if scale[row] == 0.0 {
                1.0
            } else {
                let pivot = own * (1.0 + ROUNDING) - product;
                (pivot > 0.0).then(|| pivot.sqrt())?
            };
        }
    }
    let mut solution: Vec<f64> = right.iter().zip(&scale).map(|(right, scale)| right * scale).collect();
    for row in 0..size {
        let known: f64 = (0..row).map(|k| lower[row * size + k] * solution[k]).sum();
        solution[row] = (solution[row] - known) / lower[row * size + row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| lower[k * size + row] * solution[k]).sum();
        solution[row] = (solution[row] - known) / lower[row * size + row];
    }
    solution.iter_mut().zip(&scale).for_each(|(value, scale)| *value *= scale);
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}

/// The eigenvalues of a symmetric matrix, and its eigenvectors as rows, by Jacobi rotations (Golub & Van Loan 2013, *Matrix Computations*,
/// 8.5).
pub(super) fn eigen(mut matrix: Vec<f64>, size: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors: Vec<f64> = (0..size * size).map(|at| f64::from(u8::from(at / size == at % size))).collect();
    let all: f64 = matrix.iter().map(|value| value * value).sum();
    for _sweep in 0..50 {
        let off: f64 = (0..size * size).filter(|at| at / size != at % size).map(|at| matrix[at] * matrix[at]).sum();
        if off <= 1e-28 * all {
            break;
        }
        for (p, q) in (0..size).flat_map(|p| (p + 1..size).map(move |q| (p, q))) {
            let aside = matrix[p * size + q];
            if aside == 0.0 {
                continue;
            }
            let theta = (matrix[q * size + q] - matrix[p * size + p]) / (2.0 * aside);
            // The smaller of the two angles that make the element 0: with it, the sweeps converge.
            let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let cosine = tangent.hypot(1.0).recip();
            let turned = tangent * cosine;
            let rotate = |values: &mut [f64], a: usize, b: usize| {
                let (first, second) = (values[a], values[b]);
                (values[a], values[b]) = (cosine * first - turned * second, turned * first + cosine * second);
            };
            for k in 0..size {
                rotate(&mut matrix, k * size + p, k * size + q);
            }
            for k in 0..size {
                rotate(&mut matrix, p * size + k, q * size + k);
                rotate(&mut vectors, p * size + k, q * size + k);
            }
        }
    }
    ((0..size).map(|k| matrix[k * size + k]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        // numpy.linalg.solve([[4, 1], [1, 3]], [1, 2]) is [1/11, 7/11].
        let solution = solve(&[4.0, 1.0, 1.0, 3.0], &[1.0, 2.0]).unwrap();
        assert!((solution[0] - 1.0 / 11.0).abs() < 1e-9 && (solution[1] - 7.0 / 11.0).abs() < 1e-9, "{solution:?}");
        assert_eq!(solve(&[0.0, 0.0, 0.0, 2.0], &[5.0, 4.0]).unwrap()[0], 0.0);
        assert_eq!(solve(&[1.0, 2.0, 2.0, 1.0], &[1.0, 1.0]), None);
        assert_eq!(solve(&[f64::NAN], &[1.0]), None);
    }

    #[test]
    fn eigenvalues_are_those_of_numpy() {
        // numpy.linalg.eigvalsh([[2, -1, 0], [-1, 2, -1], [0, -1, 2]]) is 2 − √2, 2, 2 + √2.
        let matrix = vec![2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0];
        let (values, vectors) = eigen(matrix.clone(), 3);
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let expected = [2.0 - 2f64.sqrt(), 2.0, 2.0 + 2f64.sqrt()];
        assert!(sorted.iter().zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-12), "{sorted:?}");
        for (value, vector) in values.iter().zip(vectors.chunks(3)) {
            for row in 0..3 {
                let product: f64 = (0..3).map(|k| matrix[row * 3 + k] * vector[k]).sum();
                assert!((product - value * vector[row]).abs() < 1e-12, "{vector:?}");
            }
        }
    }
}
