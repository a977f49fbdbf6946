//! The field of view: the agents within an angle about a boid's heading.

use glam::Vec2;

use super::simd::Lanes;
use crate::sim::math::wide::Wide;

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
    #[inline(always)]
    pub(crate) fn all_round() -> Self {
        Self { heading: Wide::zero(), threshold: F::splat(ALL_ROUND) }
    }

    /// The field of view at this velocity. A boid at rest sees all round.
    #[inline(always)]
    pub(crate) fn new(velocity: Wide<F, D>, threshold: Option<ViewThreshold>) -> Self {
        let Some(ViewThreshold(threshold)) = threshold else { return Self::all_round() };
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
