//! A block of boids, one in each SIMD lane, and their fields of view.

use std::ops::Range;

use glam::Vec2;

use super::grid::Bounds;
use crate::agents::Agents;
use crate::math::Wide;
use crate::simd::{Lanes, MAX_LANES};

/// Lanes that are loaded from index `MAX_LANES - lane` on are infinite in `lane`, and 0 elsewhere.
const ONE_INFINITE: [f32; 2 * MAX_LANES] = {
    let mut numbers = [0.0; 2 * MAX_LANES];
    numbers[MAX_LANES] = f32::INFINITY;
    numbers
};

/// Adjacent boids in one row of the grid, at most one for each lane.
pub(crate) struct Block<'a, F: Lanes, const D: usize> {
    pub(crate) agents: &'a Agents,
    /// Their indices in memory.
    pub(crate) boids: Range<usize>,
    pub(crate) position: Wide<F, D>,
}

impl<'a, F: Lanes, const D: usize> Block<'a, F, D> {
    /// A block of at least one boid. Lanes without a boid are infinitely far away.
    #[inline(always)]
    pub(crate) fn new(agents: &'a Agents, boids: Range<usize>) -> Self {
        let position = Wide::new(|axis| F::load_or(&agents.positions(axis)[boids.clone()], f32::INFINITY));
        Self { agents, boids, position }
    }

    /// The velocities; 0 in lanes without a boid.
    #[inline(always)]
    pub(crate) fn velocity(&self) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.agents.velocities(axis)[self.boids.clone()], 0.0))
    }

    /// The ids; `rest` in lanes without a boid.
    #[inline(always)]
    pub(crate) fn ids(&self, rest: u32) -> F::Words {
        let mut ids = [rest; MAX_LANES];
        ids[..self.boids.len()].copy_from_slice(&self.agents.ids()[self.boids.clone()]);
        F::load_words(&ids)
    }

    /// The bounding box.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> Bounds {
        let mut bounds = ([0.0; 3], [0.0; 3]);
        for axis in 0..D {
            let positions = &self.agents.positions(axis)[self.boids.clone()];
            // Empty lanes are at infinity, where they do not lower the minimum; the maximum needs them at minus infinity.
            bounds.0[axis] = fold(self.position[axis], |a, b| if b < a { b } else { a });
            bounds.1[axis] = fold(F::load_or(positions, f32::NEG_INFINITY), |a, b| if b > a { b } else { a });
        }
        bounds
    }

    /// Whether a run of agents contains any boid of the block.
    #[inline(always)]
    pub(crate) fn overlaps(&self, run: &Range<usize>) -> bool {
        self.boids.start < run.end && run.start < self.boids.end
    }

    /// Infinity in the lane of the agent at this index, if it is in the block, and 0 elsewhere. Added to squared
    /// distances, it keeps a boid from being its own neighbor.
    #[inline(always)]
    pub(crate) fn self_distance(&self, index: usize) -> F {
        // An index before the block wraps to a large number.
        let lane = index.wrapping_sub(self.boids.start).min(MAX_LANES);
        F::load(&ONE_INFINITE[MAX_LANES - lane..])
    }
}

/// Reduces lanes to one number, in pairs: a chain over all lanes has to wait for each result.
#[inline(always)]
fn fold<F: Lanes>(lanes: F, reduce: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = lanes.to_array();
    let mut width = F::WIDTH;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = reduce(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

/// Less than any signed squared cosine: everything is in view.
const ALL_ROUND: f32 = -2.0;

/// The signed square `c·|c|` of the cosine of half the angle of view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewThreshold(f32);

impl ViewThreshold {
    /// The threshold of an angle in degrees; `None` from 360° on.
    pub(crate) fn new(angle: f32) -> Option<Self> {
        let cosine = Vec2::from_angle((0.5 * angle).to_radians()).x;
        (angle < 360.0).then_some(Self(cosine * cosine.abs()))
    }
}

/// The fields of view of boids, one in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldOfView<F, const D: usize> {
    heading: Wide<F, D>,
    threshold: F,
}

impl<F: Lanes, const D: usize> FieldOfView<F, D> {
    /// The field of view at this velocity. A boid at rest sees all round.
    #[inline(always)]
    pub(crate) fn new(velocity: Wide<F, D>, threshold: Option<ViewThreshold>) -> Self {
        let Some(ViewThreshold(threshold)) = threshold else {
            return Self { heading: Wide::zero(), threshold: F::splat(ALL_ROUND) };
        };
        let (heading, moves) = velocity.unit();
        Self { heading, threshold: F::select(moves, F::splat(threshold), F::splat(ALL_ROUND)) }
    }

    /// Whether the angle between the heading and `offset`, with squared length `d2`, is at most half the angle of view.
    ///
    /// The cosine decreases with the angle. Comparing signed squares needs no root and no arc, and gives the same bits
    /// everywhere.
    #[inline(always)]
    pub(crate) fn sees(&self, offset: Wide<F, D>, d2: F) -> F::Mask {
        let along = self.heading.dot(offset);
        (self.threshold * d2).le(along * along.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sees(angle: f32, velocity: [f32; 2], offset: [f32; 2]) -> bool {
        let offset: Wide<f32, 2> = Wide(offset);
        FieldOfView::new(Wide(velocity), ViewThreshold::new(angle)).sees(offset, offset.length_squared())
    }

    #[test]
    fn sees_within_half_the_angle_to_either_side() {
        for angle in [1.0_f32, 40.0, 90.0, 179.0, 181.0, 270.0, 359.0] {
            for share in [-0.99_f32, -0.5, 0.0, 0.5, 0.99] {
                let inside = Vec2::from_angle((0.5 * angle * share).to_radians()) * 7.0;
                assert!(sees(angle, [3.0, 0.0], inside.to_array()), "{angle} {share}");
            }
            for beyond in [-1.01_f32, 1.01] {
                let outside = Vec2::from_angle((0.5 * angle * beyond).to_radians().clamp(-3.1, 3.1)) * 7.0;
                assert!(angle > 358.0 || !sees(angle, [3.0, 0.0], outside.to_array()), "{angle} {beyond}");
            }
        }
    }

    #[test]
    fn sees_everything_at_rest_or_at_360_degrees() {
        for step in 0..1000_u16 {
            let offset = (Vec2::from_angle(f32::from(step)) * 1.7).to_array();
            assert!(sees(10.0, [0.0, 0.0], offset));
            assert!(sees(360.0, [-offset[0], -offset[1]], offset));
        }
    }
}
