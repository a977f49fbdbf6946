//! Obstacles: boids steer around them in time, and are never inside.
//!
//! A boid of velocity `v ≠ 0` looks `L = ahead · |v|` far along its heading. An obstacle is in its way
//! where the heading points toward it, where its line of flight passes the rim by less than one body
//! length, and where the rim is nearer than `L`. Of those in its way the one with the nearest rim
//! counts, `g` away: the boid adds
//!
//! `weight · (1 − g/L) · (|v|·t̂ − v)`
//!
//! with `t̂` the tangent on the side that it already passes on: the part of the heading at a right
//! angle to the offset `r` to the middle (Reynolds 1999, *obstacle avoidance*, who steers sideways as
//! strongly as the obstacle is near; the tangent makes that a turn, which neither brakes nor reverses).
//! Who flies straight at the middle passes it on the left.
//!
//! The last resort, after the move and the world's edge: where `|r| < radius + c/2`, the boid is put `c`
//! outside the nearest point of the rim, `c` being 2·10⁻⁶ of the world's longest side, and where it heads
//! inward it goes on along the tangent with the speed it has. As obstacles stand wholly inside the world and apart from each other, nothing that holds of
//! the world's edge or of another obstacle is undone by that.

use super::Environment;
use super::zone::ZoneKind;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::rules::BoidLanes;

/// How much of the left is in a tangent, so that offset_to_nearest is one also where a boid flies straight at a middle.
const LEFT_BIAS: f32 = 1e-3;

impl Environment<'_> {
    /// The turn around the nearest obstacle that is in the way.
    #[inline(always)]
    pub(crate) fn avoid<F: Lanes, const D: usize>(&self, boids: &BoidLanes<F, D>) -> Wide<F, D> {
        let rules = &self.params.obstacle;
        let (heading, moves) = boids.velocity.unit();
        let none = F::splat(0.0);
        let sight = boids.velocity.length() * F::splat(rules.lookahead);
        let (mut nearest, mut offset_to_nearest) = (sight, Wide::zero());
        for zone in self.zones {
            if zone.kind != ZoneKind::Obstacle {
                continue;
            }
            let offset: Wide<F, D> = self.toward(zone, boids.position);
            let along = offset.dot(heading);
            let miss = (heading * along - offset).length_squared();
            let clearance = zone.radius + rules.clearance;
            let gap = (offset.length_squared().sqrt() - F::splat(zone.radius)).max(none);
            let ahead = F::and(none.lt(along), miss.lt(F::splat(clearance * clearance)));
            let nearer = F::and(ahead, gap.lt(nearest));
            nearest = F::select(nearer, gap, nearest);
            offset_to_nearest = Wide::select(nearer, offset, offset_to_nearest);
        }
        let (inward, some) = offset_to_nearest.unit();
        if !F::any(some) {
            return Wide::zero();
        }
        let desired = tangent(heading, inward) * boids.velocity.length();
        let urgency = F::splat(rules.weight) * (F::splat(1.0) - nearest / sight);
        ((desired - boids.velocity) * urgency).masked(F::and(some, moves))
    }

    /// Puts boids that have moved into an obstacle on its rim.
    #[inline(always)]
    pub(crate) fn keep_out<F: Lanes, const D: usize>(
        &self,
        mut position: Wide<F, D>,
        mut velocity: Wide<F, D>,
    ) -> (Wide<F, D>, Wide<F, D>) {
        for zone in self.zones {
            if zone.kind != ZoneKind::Obstacle {
                continue;
            }
            let from_center: Wide<F, D> = -self.toward(zone, position);
            // Half of the way off counts as inside, so that rounding leaves nobody offset_to_nearest.
            let bound = zone.radius + 0.5 * self.clear;
            let inside = from_center.length_squared().lt(F::splat(bound * bound));
            if F::any(inside) {
                let (heading, moves) = velocity.unit();
                // In the very middle offset_to_nearest is no way out that is the shortest: back, then.
                let back = Wide::select(moves, -heading, Wide::splat([1.0, 0.0, 0.0]));
                let (outward, some) = from_center.unit();
                let outward = Wide::select(some, outward, back);
                let rim = Wide::splat(zone.center) + outward * F::splat(zone.radius + self.clear);
                position = Wide::select(inside, rim, position);
                let inward = F::and(inside, velocity.dot(outward).lt(F::splat(0.0)));
                let along = tangent(heading, outward) * velocity.length();
                velocity = Wide::select(inward, along, velocity);
            }
        }
        (position, velocity)
    }
}

/// The unit vector at a right angle to `radial`, nearest to `heading` but for a thousandth to the left, so that
/// offset_to_nearest is one where `heading` is radial.
#[inline(always)]
fn tangent<F: Lanes, const D: usize>(heading: Wide<F, D>, radial: Wide<F, D>) -> Wide<F, D> {
    let beside = heading - radial * heading.dot(radial);
    (beside + left_perpendicular(radial) * F::splat(LEFT_BIAS)).unit().0
}

/// A vector at a right angle to a unit vector, never 0.
#[inline(always)]
fn left_perpendicular<F: Lanes, const D: usize>(of: Wide<F, D>) -> Wide<F, D> {
    let none = F::splat(0.0);
    if D == 2 {
        return Wide::new(|axis| if axis == 0 { of[1] } else { -of[0] });
    }
    // Beside the upright where that is not where it points; else beside the first axis.
    let steep = F::splat(0.9).lt(of[D - 1].abs());
    Wide::new(|axis| match axis {
        0 => F::select(steep, none, of[1]),
        1 => F::select(steep, of[D - 1], -of[0]),
        _ => F::select(steep, -of[1], none),
    })
}
