//! Obstacle avoidance: boids steer around obstacles and are never inside.
//!
//! A boid with velocity `v ≠ 0` looks `L = lookahead · |v|` ahead. An obstacle is in its way if the heading points
//! toward it, the line of flight passes its surface by less than `obstacle.clearance`, and the surface is nearer than
//! `L`. The one with the nearest surface, at distance `g`, adds
//!
//! `weight · (1 − g/L) · (|v|·t̂ − v)`
//!
//! with `t̂` the tangent on the side on which the boid already passes: the part of the heading perpendicular to the
//! offset `r` to the center (Reynolds 1999, *obstacle avoidance*, pushes sideways instead; the tangent turns the boid
//! without braking it). A boid that flies straight at the center passes on the left.
//!
//! As a last resort, after the move and the border, a boid with `|r| < radius + c/2` is put at distance `c` from the
//! nearest point of the surface, with `c` = 2·10⁻⁶ of the world's longest side; if it heads inward, it continues along
//! the tangent at the same speed. Obstacles are inside the world and apart from each other, so this cannot move a boid
//! out of the world or into another obstacle.

use super::{Environment, ZoneKind};
use crate::agents::Row;
use crate::forces::BoidLanes;
use crate::math::{Wide, from_axes};
use crate::simd::Lanes;

/// Weight of the left-hand direction in a tangent, so that a tangent exists for a boid that flies straight at the center.
const LEFT_BIAS: f32 = 1e-3;

/// The turn around the nearest obstacle in the way.
#[inline(always)]
pub(crate) fn avoid<F: Lanes, const D: usize>(environment: &Environment<'_>, boids: &BoidLanes<F, D>) -> Wide<F, D> {
    let rule = &environment.params.obstacle;
    let (heading, is_moving) = boids.velocity.unit();
    let none = F::splat(0.0);
    let reach = boids.velocity.length() * F::splat(rule.lookahead);
    let (mut nearest, mut offset_to_nearest) = (reach, Wide::zero());
    for zone in environment.zones.iter().filter(|zone| zone.kind == ZoneKind::Obstacle) {
        let offset: Wide<F, D> = environment.toward(zone, boids.position);
        let along = offset.dot(heading);
        let miss = (heading * along - offset).length_squared();
        let clearance = zone.radius + rule.clearance;
        let gap = (offset.length_squared().sqrt() - F::splat(zone.radius)).max(none);
        let ahead = F::and(none.lt(along), miss.lt(F::splat(clearance * clearance)));
        let nearer = F::and(ahead, gap.lt(nearest));
        nearest = F::select(nearer, gap, nearest);
        offset_to_nearest = Wide::select(nearer, offset, offset_to_nearest);
    }
    let (inward, nonzero) = offset_to_nearest.unit();
    if !F::any(nonzero) {
        return Wide::zero();
    }
    let desired = tangent(heading, inward) * boids.velocity.length();
    let urgency = F::splat(rule.weight) * (F::splat(1.0) - nearest / reach);
    ((desired - boids.velocity) * urgency).masked(F::and(nonzero, is_moving))
}

/// Moves boids out of obstacles.
#[inline(always)]
pub(crate) fn keep_out<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    boids: BoidLanes<F, D>,
) -> BoidLanes<F, D> {
    let BoidLanes { mut position, mut velocity } = boids;
    for zone in environment.zones.iter().filter(|zone| zone.kind == ZoneKind::Obstacle) {
        let from_center: Wide<F, D> = -environment.toward(zone, position);
        // Half of the clearance counts as inside, so that rounding leaves no boid there.
        let bound = zone.radius + 0.5 * environment.clearance;
        let inside = from_center.length_squared().lt(F::splat(bound * bound));
        if F::any(inside) {
            let (heading, is_moving) = velocity.unit();
            // In the very middle, no way out is the shortest: go back.
            let back = Wide::select(is_moving, -heading, Wide::splat([1.0, 0.0, 0.0]));
            let (outward, nonzero) = from_center.unit();
            let outward = Wide::select(nonzero, outward, back);
            let rim = Wide::splat(zone.center) + outward * F::splat(zone.radius + environment.clearance);
            position = Wide::select(inside, rim, position);
            let inward = F::and(inside, velocity.dot(outward).lt(F::splat(0.0)));
            let along = tangent(heading, outward) * velocity.length();
            velocity = Wide::select(inward, along, velocity);
        }
    }
    BoidLanes { position, velocity }
}

/// Moves an agent out of an obstacle.
pub(crate) fn push_out(row: &mut Row, environment: &Environment<'_>) {
    keep_out(environment, BoidLanes::of_row(row)).store(row);
}

/// The unit vector at a right angle to `radial`, nearest to `heading` but for a thousandth to the left, so that
/// a tangent exists also if `heading` is radial.
#[inline(always)]
fn tangent<F: Lanes, const D: usize>(heading: Wide<F, D>, radial: Wide<F, D>) -> Wide<F, D> {
    let beside = heading - radial * heading.dot(radial);
    (beside + left_perpendicular(radial) * F::splat(LEFT_BIAS)).unit().0
}

/// A vector perpendicular to a unit vector, never 0.
#[inline(always)]
fn left_perpendicular<F: Lanes, const D: usize>(of: Wide<F, D>) -> Wide<F, D> {
    let none = F::splat(0.0);
    if D == 2 {
        return from_axes([of[1], -of[0], none]);
    }
    // Perpendicular to the vertical axis, or to the first axis for steep vectors.
    let steep = F::splat(0.9).lt(of[D - 1].abs());
    Wide::select(steep, from_axes([none, of[D - 1], -of[1]]), from_axes([of[1], -of[0], none]))
}
