//! Leaders: boids that wander, and that the others follow.
//!
//! The first `leaders.count` boids by id lead. Each other boid follows the nearest leader of its species with
//! `d < leaders.radius`, ties by the smaller id, in any direction of view. Leaders are few, so each boid looks at all of
//! them, in order of ids. Separation, flee, edge and wind apply to leaders as to all boids, alignment and cohesion do not;
//! instead they wander.

use std::ops::Range;

use glam::Vec2;
use rand::RngExt;

use super::is_leader;
use super::perception::{NeighborQuery, Perceived, Sum};
use crate::agents::Kind;
use crate::math::{Purpose, Wide, cross, from_axes, stream};
use crate::neighbors::{Block, SpeciesRange};
use crate::params::Params;
use crate::simd::{Lanes, Task};

/// Smallest divisor for lengths, in u.
const EPSILON: f32 = 1e-6;
/// The ticks from one random turn of a leader to the next.
const TURN_PERIOD: u64 = 64;

/// Finds the leaders of boids, and the wandering of those that lead, if there are leaders.
pub(crate) fn follow<const D: usize>(query: &NeighborQuery<'_>, boids: Range<usize>, perceived: &mut Perceived) {
    if !perceived.has_leaders {
        return;
    }
    let zero: Sum<f32, D> = Sum { total: Wide::zero(), count: 0.0 };
    query.simd.run(FindLeaders::<D> { query, boids: boids.clone(), perceived });
    let agents = &query.neighbors.flock.agents;
    for (slot, index) in boids.enumerate() {
        perceived.wandering.store(slot, zero);
        if agents.kinds()[index] == Kind::Predator {
            perceived.leader.store(slot, zero);
        } else if is_leader(agents, query.params, index) {
            for sums in [&mut perceived.leader, &mut perceived.alignment, &mut perceived.cohesion] {
                sums.store(slot, zero);
            }
            perceived.other_species.store(slot, zero);
            let velocity = Wide::splat(agents.velocity_array(index));
            let total = wander::<D>(velocity, random_turn(query, agents.ids()[index]), query.params);
            perceived.wandering.store(slot, Sum { total, count: 0.0 });
        }
    }
}

/// The random turn of a leader to either side and, in a deep world, up or down: −1 to 1 each. It changes smoothly
/// (`3s² − 2s³`) from one draw to the next.
fn random_turn(query: &NeighborQuery<'_>, id: u32) -> [f32; 2] {
    let draw = |period: u64| {
        let mut rng = stream(query.seed, period, id, Purpose::Wander);
        [0, 1].map(|_| 2.0 * rng.random::<f32>() - 1.0)
    };
    let (last, next) = (draw(query.tick / TURN_PERIOD), draw(query.tick / TURN_PERIOD + 1));
    let s = (query.tick % TURN_PERIOD) as f32 / TURN_PERIOD as f32;
    let s = s * s * (3.0 - 2.0 * s);
    [0, 1].map(|side| last[side] + s * (next[side] - last[side]))
}

/// A chunk of boids finds its leaders.
struct FindLeaders<'a, const D: usize> {
    query: &'a NeighborQuery<'a>,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for FindLeaders<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, boids, perceived } = self;
        let (neighbors, first) = (query.neighbors, boids.start);
        let flock = &neighbors.flock;
        let radius = query.params.leaders.radius;
        for boids in flock.blocks(boids, F::WIDTH) {
            let slot = boids.start - first;
            let species: SpeciesRange<F> = neighbors.species.block(boids.clone());
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let mut nearest = F::splat(radius * radius);
            let (mut leader, mut leader_velocity): (Wide<F, D>, Wide<F, D>) = (Wide::zero(), Wide::zero());
            let mut count = F::splat(0.0);
            for other in &neighbors.leaders {
                let offset: Wide<F, D> = query.metric.minimum_image(Wide::splat(other.position) - block.position);
                let d2 = offset.length_squared();
                let mut nearer = d2.lt(nearest);
                if neighbors.species.is_multi_species() {
                    let other = SpeciesRange::of_species(query.params.species_of(other.id));
                    nearer = F::and(nearer, species.same_species(SpeciesRange::splat(other)));
                }
                nearest = F::select(nearer, d2, nearest);
                leader = Wide::select(nearer, offset, leader);
                leader_velocity = Wide::select(nearer, Wide::splat(other.velocity), leader_velocity);
                count = F::select(nearer, F::splat(1.0), count);
            }
            perceived.leader.store(slot, Sum { total: leader, count });
            perceived.leader_velocity.store(slot, Sum { total: leader_velocity, count });
        }
    }
}

/// Following a leader; `leader` is the offset `r` to it, with a count of 1 if there is one.
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
pub(super) fn steer<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    leader: &Sum<F, D>,
    leader_velocity: Wide<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let rule = &params.leaders;
    let (zero, distance) = (F::splat(0.0), F::splat(rule.distance));
    let (heading, is_moving) = leader_velocity.unit();
    let from = -leader.total;
    let along = from.dot(heading);
    let beside = from - heading * along;
    let sideways = beside.length();
    let is_ahead = F::and(zero.lt(along), sideways.lt(distance));
    let aim = Wide::select(
        is_ahead,
        sidestep(heading, beside, distance - sideways),
        toward_arm(heading, from + heading * distance, rule.angle),
    );

    let slowing = aim.length().max(F::splat(rule.distance.max(EPSILON)));
    let desired = (leader_velocity + aim * (F::splat(params.speed.max) / slowing)).limit(params.speed.max);
    let led = F::and(is_moving, zero.lt(leader.count));
    ((desired - velocity) * F::splat(rule.weight)).masked(led)
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

/// The wandering of a leader: `wander · (w₁·a + w₂·(h × a) + (1 − |v|/c)·h)`.
///
/// `h` is its heading, `a` perpendicular to it as for its followers, `w` the random turn (without `w₂` in 2-D), and `c`
/// the speed that `leaders.pace` sets between the limits. A leader at rest stays at rest.
fn wander<const D: usize>(velocity: Wide<f32, D>, turn: [f32; 2], params: &Params) -> Wide<f32, D> {
    let share = params.leaders.pace;
    let pace = (1.0 - share) * params.speed.min + share * params.speed.max;
    let (heading, is_moving) = velocity.unit();
    let lateral = lateral(heading);
    let forward = if pace > 0.0 { 1.0 - velocity.length() / pace } else { 0.0 };
    let mut desired = lateral * turn[0] + heading * forward;
    if D == 3 {
        desired += from_axes(cross(Wide(heading.axes()), Wide(lateral.axes())).0) * turn[1];
    }
    (desired * params.leaders.wander).masked(is_moving)
}
