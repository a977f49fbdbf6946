//! Boids follow leaders, which wander.

use glam::Vec2;

use crate::math::{cross, from_axes};
use crate::params::{FRACTION, Lanes, MAX_LEADERS, RADIUS, Speed, Steered, WEIGHT, Wide, integer, number, rule};

/// Smallest divisor for lengths, in u.
const EPSILON: f32 = 1e-6;

rule! {
    /// Leaders wander, and other boids follow them.
    leaders: Leaders, Groups, |_, perceived| perceived.has_leaders => {
        => |params, _| params.leaders.count > 0.0;
        count: f32 = 0.0, "leaders.count", integer("", 0.0, MAX_LEADERS, 1.0), "Number of leaders; other boids follow the nearest one.", "boss" => Often;
        radius: f32 = 120.0, "leaders.radius", RADIUS, "Distance within which boids follow a leader." => Never;
        weight: f32 = 0.1, "leaders.weight", WEIGHT, "How strongly boids follow their leader." => Often as Weight;
        distance: f32 = 10.0, "leaders.distance", RADIUS, "Distance that followers keep behind a leader and beside its path." => Often;
        angle: f32 = 0.0, "leaders.angle", number("°", 0.0, 90.0, 1.0), "Angle of the two arms of a V formation; 0 is single file." => Often;
        wander: f32 = 0.05, "leaders.wander", WEIGHT, "How strongly leaders change course at random." => Often;
        pace: f32 = 0.5, "leaders.pace", FRACTION, "Speed of leaders, from speed.min at 0 to speed.max at 1." => Often;
    }
}

impl Leaders {
    /// Following a leader, and the wandering of those that lead.
    ///
    /// With `h` the leader's heading, `a` perpendicular to it (horizontal in 3-D), `D` = `leaders.distance`, `α` =
    /// `leaders.angle` and `e = −r` the offset from leader to boid, the boid aims at the offset `o`:
    ///
    /// - ahead of the leader, where `e·h > 0` and `b = e − (e·h)·h` is shorter than `D`: sideways, `o = (D − |b|)·b/|b|`, or
    ///   along `a` if `b = 0`;
    /// - elsewhere, at the nearest point of two arms that begin `D` behind the leader: `o = t·u − e′` with `e′ = e + D·h`,
    ///   `u = −cos α·h ± sin α·a` on the boid's side, and `t = max(e′·u, 0)`.
    ///
    /// It slows down within `D` (Reynolds 1999, *arrival* and *leader following*) and keeps the leader's pace:
    /// `weight · (limit(v_leader + speed.max·o/max(|o|, D), speed.max) − v)`. A leader at rest has no heading and no
    /// followers.
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        let Steered { perceived, slot, velocity, .. } = *boids;
        let (leader, leader_velocity) = (perceived.leader.load(slot), perceived.leader_velocity.load(slot).total);
        let (zero, distance) = (F::splat(0.0), F::splat(self.distance));
        let (heading, is_moving) = leader_velocity.unit();
        let from = -leader.total;
        let along = from.dot(heading);
        let beside = from - heading * along;
        let sideways = beside.length();
        let is_ahead = F::and(zero.lt(along), sideways.lt(distance));
        let aim = Wide::select(
            is_ahead,
            sidestep(heading, beside, distance - sideways),
            toward_arm(heading, from + heading * distance, self.angle),
        );

        let slowing = aim.length().max(F::splat(self.distance.max(EPSILON)));
        let desired =
            (leader_velocity + aim * (F::splat(boids.params.speed.max) / slowing)).limit(boids.params.speed.max);
        let led = F::and(is_moving, zero.lt(leader.count));
        ((desired - velocity) * F::splat(self.weight)).masked(led) + perceived.wandering.load(slot).total
    }

    /// The wandering of a leader: `wander · (w₁·a + w₂·(h × a) + (1 − |v|/c)·h)`.
    ///
    /// `h` is its heading, `a` perpendicular to it as for its followers, `w` the random turn (without `w₂` in 2-D), and `c`
    /// the speed that `leaders.pace` sets between the limits. A leader at rest stays at rest.
    pub(crate) fn wander<const D: usize>(&self, velocity: Wide<f32, D>, turn: [f32; 2], speed: Speed) -> Wide<f32, D> {
        let share = self.pace;
        let pace = (1.0 - share) * speed.min + share * speed.max;
        let (heading, is_moving) = velocity.unit();
        let lateral = lateral(heading);
        let forward = if pace > 0.0 { 1.0 - velocity.length() / pace } else { 0.0 };
        let mut desired = lateral * turn[0] + heading * forward;
        if D == 3 {
            desired += from_axes(cross(Wide(heading.axes()), Wide(lateral.axes())).0) * turn[1];
        }
        (desired * self.wander).masked(is_moving)
    }
}

/// A sideways offset.
#[inline(always)]
fn sidestep<F: Lanes, const D: usize>(heading: Wide<F, D>, beside: Wide<F, D>, offset: F) -> Wide<F, D> {
    let (out, nonzero) = beside.unit();
    Wide::select(nonzero, out, lateral(heading)) * offset
}

/// The offset to the nearer arm, from a boid at offset `from` to the point where both arms begin.
#[inline(always)]
fn toward_arm<F: Lanes, const D: usize>(heading: Wide<F, D>, from: Wide<F, D>, angle: f32) -> Wide<F, D> {
    let turn = Vec2::from_angle(angle.to_radians());
    let lateral = lateral(heading);
    let left = from.dot(lateral).lt(F::splat(0.0));
    let arm = lateral * F::select(left, F::splat(-turn.y), F::splat(turn.y)) - heading * F::splat(turn.x);
    arm * from.dot(arm).max(F::splat(0.0)) - from
}

/// The unit vector perpendicular to a heading; in 3-D it is horizontal, and points right for a vertical heading.
#[inline(always)]
fn lateral<F: Lanes, const D: usize>(heading: Wide<F, D>) -> Wide<F, D> {
    let none = F::splat(0.0);
    if D == 2 {
        return from_axes([-heading[1], heading[0], none]);
    }
    let (level, nonzero) = from_axes([-heading[D - 1], none, heading[0]]).unit();
    Wide::select(nonzero, level, Wide::splat([1.0, 0.0, 0.0]))
}
