//! The anisotropy of neighbors (Ballerini et al. 2008, PNAS 105, 1232).

use glam::DVec3;

use super::largest::{LargestFlock, eigenvalues, mean, second_moments, vector};
use super::{Analyzer, count, spacing};
use crate::math::Wide;
use crate::neighbors::CellList;
use crate::snapshot::Snapshot;
use crate::world::Metric;

/// The number of nearest boids whose directions decide whether a boid is at the border.
const SURROUNDING: usize = 32;
/// A boid is inside if the mean direction to those boids is shorter (the critical centrality of Hildenbrandt et al. 2010).
/// It is 1/2 on a plane border in three dimensions, and 2/π on a straight one in two.
const MAX_CENTRALITY: f64 = 0.35;
/// The highest rank of a neighbor.
pub(super) const RANKS: usize = 20;

/// Another boid, by its index, at a squared distance in u².
type Ranked = (f32, u32);

/// The anisotropy of the neighbors of each rank, and the boids that it is over.
#[derive(Clone, Debug)]
pub(super) struct Anisotropy {
    /// γ of each rank, from the nearest on; 0 without such neighbors.
    pub of_rank: [f64; RANKS],
    /// The number of boids inside the border.
    pub boids: usize,
}

impl Analyzer {
    /// `γ(n) = (W·V)²`, with the direction `V` of the group and the eigenvector `W` of the smallest eigenvalue of `⟨u uᵀ⟩`, over the
    /// unit vectors `u` from boids inside the border to their `n`-th nearest one.
    pub(super) fn anisotropy<const D: usize>(&self, flock: Snapshot<'_>, largest: &LargestFlock) -> Anisotropy {
        let heading = mean(&largest.velocities).normalize_or_zero();
        let mut neighbors = self.directions_to_nearest::<D>(flock, largest);
        neighbors.retain(|directions| !is_at_border(directions));
        let of_rank = std::array::from_fn(|rank| {
            // All boids have as many neighbors.
            if neighbors.first().is_none_or(|directions| directions.len() <= rank) {
                return 0.0;
            }
            let directions = neighbors.iter().map(|directions| directions[rank]);
            let axes = eigenvalues(second_moments(directions)).map(|(_, axis)| axis);
            // In a plane by the first axis: if all directions are parallel, the other two have the same eigenvalue.
            let rarest = if D == 2 { DVec3::Z.cross(axes[0]) } else { axes[2] };
            rarest.dot(heading).powi(2)
        });
        Anisotropy { of_rank, boids: neighbors.len() }
    }

    /// Whether each boid of a group is at its border.
    pub(super) fn border<const D: usize>(&self, flock: Snapshot<'_>, largest: &LargestFlock) -> Vec<bool> {
        self.directions_to_nearest::<D>(flock, largest).iter().map(|directions| is_at_border(directions)).collect()
    }

    /// For each boid of a group the directions to the nearest others, in order of distance.
    fn directions_to_nearest<const D: usize>(&self, flock: Snapshot<'_>, largest: &LargestFlock) -> Vec<Vec<DVec3>> {
        let (metric, prey) = (flock.metric(), &self.prey.agents);
        let mut radius = spacing(flock);
        let directions = largest.members.iter().map(|&index| {
            let nearest = nearest::<D>(&self.prey, &metric, index, SURROUNDING, &mut radius);
            let at: Wide<f32, D> = prey.position(index as usize);
            let offset = |other: u32| vector(metric.offset(at, prey.position(other as usize)).axes());
            nearest.into_iter().map(|(_, other)| offset(other).normalize_or_zero()).collect()
        });
        directions.collect()
    }
}

/// The nearest others, at most so many, in order of distance and index. The search begins with `radius`, and leaves there the
/// one with which the next search should begin.
pub(super) fn nearest<const D: usize>(
    cells: &CellList,
    metric: &Metric,
    index: u32,
    number: usize,
    radius: &mut f32,
) -> Vec<Ranked> {
    let prey = &cells.agents;
    let at: Wide<f32, D> = prey.position(index as usize);
    let mut found: Vec<Ranked> = Vec::new();
    loop {
        found.clear();
        let mut visited = 0;
        cells.near(at, *radius, |other| {
            visited += 1;
            if other != index as usize {
                found.push((metric.offset(at, prey.position(other)).length_squared(), other as u32));
            }
        });
        let within = found.iter().filter(|(squared, _)| *squared < *radius * *radius).count();
        // Boids beyond the radius are only known to be the nearest if all were visited.
        if within >= number || visited == prey.len() {
            break;
        }
        *radius *= 1.5;
    }
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.truncate(number);
    if let Some((farthest, _)) = found.last() {
        *radius = (1.1 * farthest.sqrt()).max(f32::MIN_POSITIVE);
    }
    found
}

fn is_at_border(directions: &[DVec3]) -> bool {
    directions.iter().sum::<DVec3>().length() >= MAX_CENTRALITY * count(directions.len())
}
