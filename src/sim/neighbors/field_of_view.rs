//! The field of view: whom a boid sees, by the angle between its heading and the way to the other.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use glam::Vec2;

use super::simd::Lanes;
use crate::sim::math::wide::Wide;

/// Less than any squared cosine with its sign: who has this sees all round.
const ALL_ROUND: f32 = -2.0;

/// The edge of the field of view, as the cosine of half its angle times its own size: nothing where that is all round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewThreshold(f32);

impl ViewThreshold {
    /// The edge of a field of view of so many degrees; none of one that is all round.
    pub(crate) fn new(angle: f32) -> Option<Self> {
        let cosine = Vec2::from_angle((0.5 * angle).to_radians()).x;
        (angle < 360.0).then_some(Self(cosine * cosine.abs()))
    }
}

/// Which way boids look, a lane each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldOfView<F, const D: usize> {
    heading: Wide<F, D>,
    edge: F,
}

impl<F: Lanes, const D: usize> FieldOfView<F, D> {
    /// The gaze of boids that fly so. Who rests sees all round, as does everyone where there is no edge.
    #[inline(always)]
    pub(crate) fn new(velocity: Wide<F, D>, edge: Option<ViewThreshold>) -> Self {
        let (heading, flies) = velocity.unit();
        let edge = F::splat(edge.map_or(ALL_ROUND, |edge| edge.0));
        Self { heading, edge: F::select(flies, edge, F::splat(ALL_ROUND)) }
    }

    /// Where the angle between heading and `offset`, whose squared length is `d2`, is at most half of the field of
    /// view. As the cosine falls with the angle, its square with its sign is compared: no root, no arc, the same bits
    /// everywhere.
    #[inline(always)]
    pub(crate) fn sees(&self, offset: Wide<F, D>, d2: F) -> F::Mask {
        let along = self.heading.dot(offset);
        (self.edge * d2).le(along * along.abs())
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
    fn what_lies_within_half_the_angle_to_either_side_is_seen() {
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
    fn at_rest_and_all_round_everything_is_seen() {
        for step in 0..1000_u16 {
            let offset = (Vec2::from_angle(f32::from(step)) * 1.7).to_array();
            assert!(sees(10.0, [0.0, 0.0], offset));
            assert!(sees(360.0, [-offset[0], -offset[1]], offset));
        }
    }
}
