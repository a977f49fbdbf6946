//! The largest connected group: order, rotation, and shape by the principal axes of a distribution of vectors.

use glam::DVec3;

use super::{Analyzer, count};
use crate::math::{Circle, Wide, from_axes};
use crate::snapshot::Snapshot;

/// The largest connected group of boids.
#[derive(Clone, Debug, Default)]
pub(super) struct LargestFlock {
    /// The indices of the boids in the order of memory, which is that of the cells.
    pub members: Vec<u32>,
    /// Their offsets from the mean position, in u; on a torus to the nearest image.
    pub offsets: Vec<DVec3>,
    /// Their velocities, in u/tick.
    pub velocities: Vec<DVec3>,
}

impl LargestFlock {
    /// The largest of groups that the analyzer has found.
    pub(super) fn of(analyzer: &mut Analyzer, flock: Snapshot<'_>) -> Self {
        let members = analyzer.largest_members();
        let (prey, metric) = (&analyzer.prey.agents, flock.metric());
        let positions: Vec<Wide<f32, 3>> =
            members.iter().map(|&index| from_axes(prey.position_array(index as usize))).collect();
        // Offsets from any point are ambiguous on a torus; the circular mean is near the center of a small group.
        let start = Wide::splat(circular_mean(&positions, flock));
        let offsets: Vec<DVec3> = positions.iter().map(|at| vector(metric.offset(start, *at).axes())).collect();
        let center = mean(&offsets);
        let offsets = offsets.into_iter().map(|offset| offset - center).collect();
        let velocities = members.iter().map(|&index| vector(prey.velocity_array(index as usize))).collect();
        Self { members, offsets, velocities }
    }

    /// The length of the mean heading.
    pub(super) fn polarization(&self) -> f64 {
        self.mean_heading().length().min(1.0)
    }

    /// `Σ v̂ / n`.
    pub(super) fn mean_heading(&self) -> DVec3 {
        let sum: DVec3 = self.velocities.iter().map(|velocity| velocity.normalize_or_zero()).sum();
        sum / count(self.members.len()).max(1.0)
    }

    /// `|Σ ĉ × v̂| / n`, with the unit vectors `ĉ` from the center of the group.
    pub(super) fn rotation(&self) -> f64 {
        let turning = self.offsets.iter().zip(&self.velocities);
        let sum: DVec3 = turning.map(|(at, v)| at.normalize_or_zero().cross(v.normalize_or_zero())).sum();
        sum.length() / count(self.members.len()).max(1.0)
    }

    /// The standard deviations of positions along the principal axes, in u, in descending order.
    pub(super) fn axes(&self) -> [f64; 3] {
        eigenvalues(second_moments(self.offsets.iter().copied())).map(|(variance, _)| variance.max(0.0).sqrt())
    }
}

impl Analyzer {
    /// The largest eigenvalue of the nematic tensor `⟨D v̂ v̂ᵀ − 1⟩ / (D − 1)`, with resting boids as zero.
    pub(super) fn nematic_order<const D: usize>(&self) -> f64 {
        let prey = &self.prey.agents;
        let headings = (0..prey.len()).map(|index| vector(prey.velocity_array(index)).normalize_or_zero());
        let moments = second_moments(headings);
        let [(largest, _), ..] = eigenvalues(moments);
        let moving = moments[0][0] + moments[1][1] + moments[2][2];
        let dimensions = count(D);
        ((dimensions * largest - moving) / (dimensions - 1.0)).clamp(0.0, 1.0)
    }
}

/// A point near the center of a group: the circular mean along each axis of a torus, else the first position.
fn circular_mean(positions: &[Wide<f32, 3>], flock: Snapshot<'_>) -> [f32; 3] {
    let size = flock.world.size();
    let first = positions.first().map_or([0.0; 3], |at| at.axes());
    std::array::from_fn(|axis| {
        if !flock.metric().wraps() || size[axis] == 0.0 {
            return first[axis];
        }
        Circle::of(size[axis]).mean(positions.iter().map(|at| at[axis]))
    })
}

pub(super) fn mean(vectors: &[DVec3]) -> DVec3 {
    vectors.iter().sum::<DVec3>() / count(vectors.len()).max(1.0)
}

pub(super) fn vector(axes: [f32; 3]) -> DVec3 {
    DVec3::from(axes.map(f64::from))
}

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
