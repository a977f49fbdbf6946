//! Leaders: boids that wander, and that the others follow.
//!
//! The first `leaders.count` boids by id lead. Each other boid follows the nearest leader of its species with
//! `d < leaders.radius`, ties by the smaller id, in any direction of view. Leaders are few, so each boid looks at all of
//! them, in order of ids. Separation, flee, edge and wind apply to leaders as to all boids, alignment and cohesion do not;
//! instead they wander.

use std::ops::Range;

use rand::RngExt;

use super::is_leader;
use super::perception::NeighborQuery;
use crate::agents::Kind;
use crate::math::{Purpose, Wide, stream};
use crate::neighbors::{Block, SpeciesRange};
use crate::params::{Perceived, Sum};
use crate::simd::{Lanes, Task};

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
            let turn = random_turn(query, agents.ids()[index]);
            let total = query.params.leaders.wander::<D>(velocity, turn, query.params.speed);
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
