use glam::Vec2;

use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// Lengths (u) below which there is nothing to divide by.
const TINY: f32 = 1e-6;

/// Following a leader; `leader` holds `r` to it and a count of 1 where there is one, `leader_velocity` its velocity.
///
/// With `h` its heading, `a` lateral at a right angle to that (in a deep world horizontal), `D` = `leaders.distance`,
/// `α` = `leaders.angle`, and `e = −r` from the leader to the boid, a boid aims at `o` from where it is:
///
/// - in the leader's way, where `e·h > 0` and `b = e − (e·h)·h` is shorter than `D`: lateral, `o = (D − |b|)·b/|b|`, along
///   `a` where `b = 0`;
/// - else at the nearest point of two arms that begin `D` behind the leader: `o = t·u − e′` with `e′ = e + D·h`,
///   `u = −cos α·h ± sin α·a` on the boid's own side, and `t = max(e′·u, 0)`.
///
/// It arrives there as Reynolds has it (1999, *arrival* and *leader following*), slowing down over `D`, and keeps its
/// leader's pace: `weight · (limit(v_leader + speed.max·o/max(|o|, D), speed.max) − v)`. A leader at rest has no
/// heading, and is not followed.
#[inline(always)]
pub(crate) fn follow<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    leader: &Sum<F, D>,
    leader_velocity: Wide<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let rule = &params.leaders;
    let (zero, distance) = (F::splat(0.0), F::splat(rule.distance));
    let (heading, flies) = leader_velocity.unit();
    let from = -leader.total;
    let along = from.dot(heading);
    let beside = from - heading * along;
    let off = beside.length();
    let in_the_way = F::and(zero.lt(along), off.lt(distance));
    let aim = Wide::select(
        in_the_way,
        out_of_the_way(heading, beside, distance - off),
        to_the_arm(heading, from + heading * distance, rule.angle),
    );

    let slowing = aim.length().max(F::splat(rule.distance.max(TINY)));
    let desired = (leader_velocity + aim * (F::splat(params.speed.max) / slowing)).limit(params.speed.max);
    let led = F::and(flies, zero.lt(leader.count));
    ((desired - velocity) * F::splat(rule.weight)).masked(led)
}

/// To `room` further lateral.
#[inline(always)]
fn out_of_the_way<F: Lanes, const D: usize>(heading: Wide<F, D>, beside: Wide<F, D>, room: F) -> Wide<F, D> {
    let (out, some) = beside.unit();
    Wide::select(some, out, lateral(heading)) * room
}

/// From a place that is `from` the point where both arms begin, to the nearer arm.
#[inline(always)]
fn to_the_arm<F: Lanes, const D: usize>(heading: Wide<F, D>, from: Wide<F, D>, angle: f32) -> Wide<F, D> {
    let turn = Vec2::from_angle(angle.to_radians());
    let lateral = lateral(heading);
    let left = from.dot(lateral).lt(F::splat(0.0));
    let arm = lateral * F::select(left, F::splat(-turn.y), F::splat(turn.y)) - heading * F::splat(turn.x);
    arm * from.dot(arm).max(F::splat(0.0)) - from
}

/// The unit vector at a right angle to a heading; in a deep world it is horizontal, and for who flies straight up or
/// down it points to the right.
#[inline(always)]
pub(crate) fn lateral<F: Lanes, const D: usize>(heading: Wide<F, D>) -> Wide<F, D> {
    if D == 2 {
        return Wide::new(|axis| if axis == 0 { -heading[1] } else { heading[0] });
    }
    let level = Wide::new(|axis| match axis {
        0 => -heading[D - 1],
        1 => F::splat(0.0),
        _ => heading[0],
    });
    let (level, some) = level.unit();
    Wide::select(some, level, Wide::splat([1.0, 0.0, 0.0]))
}
