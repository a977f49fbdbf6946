//! Principal axes of a distribution of vectors.

use glam::DVec3;

/// A symmetric matrix, the mean of `v vᵀ` over vectors.
pub(super) type Moments = [[f64; 3]; 3];

/// Sweeps of rotations; six make the off-diagonal elements of a 3 × 3 matrix as small as rounding allows.
const SWEEPS: usize = 10;

/// The mean of `v vᵀ`; zero without vectors.
pub(super) fn second_moments(vectors: impl Iterator<Item = DVec3>) -> Moments {
    let (mut moments, mut count) = ([[0.0; 3]; 3], 0.0_f64);
    for vector in vectors {
        let axes = vector.to_array();
        for (row, along) in moments.iter_mut().zip(axes) {
            row.iter_mut().zip(axes).for_each(|(sum, across)| *sum += along * across);
        }
        count += 1.0;
    }
    moments.map(|row| row.map(|sum| sum / count.max(1.0)))
}

/// The eigenvalues of a symmetric matrix in descending order, each with its eigenvector of length 1, by rotations (Jacobi 1846).
pub(super) fn eigenvalues(mut matrix: Moments) -> [(f64, DVec3); 3] {
    let mut vectors = [DVec3::X, DVec3::Y, DVec3::Z];
    for (p, q) in [(0, 1), (0, 2), (1, 2)].repeat(SWEEPS) {
        if matrix[p][q] == 0.0 {
            continue;
        }
        let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
        let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        for row in &mut matrix {
            (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
        }
        let (above, below) = (DVec3::from(matrix[p]), DVec3::from(matrix[q]));
        matrix[p] = (above * cosine - below * sine).into();
        matrix[q] = (above * sine + below * cosine).into();
        (vectors[p], vectors[q]) = (vectors[p] * cosine - vectors[q] * sine, vectors[p] * sine + vectors[q] * cosine);
    }
    let mut pairs = [0, 1, 2].map(|axis| (matrix[axis][axis], vectors[axis]));
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_multiplied_by_their_eigenvalues() {
        for matrix in [
            [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]],
            [[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [-2.0, 0.5, 3.0]],
            [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
            [[1e-9, 2e-10, 0.0], [2e-10, 5e-9, 1e-10], [0.0, 1e-10, 3e3]],
        ] {
            let found = eigenvalues(matrix);
            assert!(found[0].0 >= found[1].0 && found[1].0 >= found[2].0);
            for (value, vector) in found {
                let product = DVec3::from(matrix.map(|row| DVec3::from(row).dot(vector)));
                assert!((product - vector * value).length() < 1e-12 * found[0].0.abs(), "{matrix:?}: {value}");
                assert!((vector.length() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn points_on_a_line_have_one_axis() {
        let points = [-2.0, -1.0, 0.0, 3.0].map(|along| DVec3::new(along, 2.0 * along, 0.0));
        let [(long, axis), (middle, _), (short, _)] = eigenvalues(second_moments(points.into_iter()));
        assert!((long - 5.0 * 14.0 / 4.0).abs() < 1e-12 && middle.abs() < 1e-12 && short.abs() < 1e-12);
        assert!((axis.dot(DVec3::new(1.0, 2.0, 0.0)).powi(2) - 5.0).abs() < 1e-12);
    }
}
