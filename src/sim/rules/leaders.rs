//! Leaders: boids that wander by themselves, and whom the others follow.
//!
//! The first `leaders.count` boids by id lead. Of the leaders with `d < leaders.radius` a boid follows the nearest (ties:
//! least id), all round; of several species its own. Leaders are few, so everyone looks at all of them, in order of ids.
//! A leader heeds separation, flee, edge and wind like any other, and neither alignment nor cohesion; instead it roams.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use rand::RngExt;

use super::wander;
use crate::sim::agents::{Agents, Kind};
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::kernel::Block;
use crate::sim::neighbors::perceived::{Perceived, Sum};
use crate::sim::neighbors::query::{NeighborIndex, NeighborQuery};
use crate::sim::neighbors::simd::{Lanes, Task};
use crate::sim::neighbors::species::SpeciesRange;
use crate::sim::params::Params;

/// For how many ticks a leader's whim lasts before it has become the next one.
const WHIM: u64 = 64;

/// A leader, as the tick began.
#[derive(Clone, Copy, Debug)]
struct Leader {
    id: u32,
    position: [f32; 3],
    velocity: [f32; 3],
}

/// All leaders, in order of ids. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(crate) struct Leaders(Vec<Leader>);

impl Leaders {
    pub(crate) fn prepare(&mut self, agents: &Agents, params: &Params) {
        self.0.clear();
        if params.leaders.count > 0.0 {
            let leads = |index: &usize| leads(agents, params, *index);
            self.0.extend((0..agents.len()).filter(leads).map(|index| Leader {
                id: agents.ids()[index],
                position: agents.position_array(index),
                velocity: agents.velocity_array(index),
            }));
            self.0.sort_unstable_by_key(|leader| leader.id);
        }
    }

    /// Whether there are any.
    pub(crate) fn are_there(&self) -> bool {
        !self.0.is_empty()
    }
}

fn leads(agents: &Agents, params: &Params, index: usize) -> bool {
    params.is_leader(agents.ids()[index]) && agents.kinds()[index] == Kind::Prey
}

impl NeighborQuery<'_> {
    /// Finds whom everyone at these places follows, and how leaders wander, who follow nobody.
    pub(crate) fn follow<const D: usize>(
        &self,
        senses: &NeighborIndex,
        places: Range<usize>,
        perceived: &mut Perceived,
    ) {
        let nothing: Sum<f32, D> = Sum { total: Wide::zero(), count: 0.0 };
        self.simd.run(Follow::<D> { sight: self, senses, places: places.clone(), perceived });
        let agents = &senses.flock.agents;
        for (index, place) in places.enumerate() {
            perceived.wandering.set(index, nothing);
            if agents.kinds()[place] == Kind::Predator {
                perceived.leader.set(index, nothing);
            } else if leads(agents, self.params, place) {
                for sums in [&mut perceived.leader, &mut perceived.alignment, &mut perceived.cohesion] {
                    sums.set(index, nothing);
                }
                perceived.other_species.set(index, nothing);
                let velocity = Wide::splat(agents.velocity_array(place));
                let total = wander::<D>(velocity, self.whim(agents.ids()[place]), self.params);
                perceived.wandering.set(index, Sum { total, count: 0.0 });
            }
        }
    }

    /// Where a leader would turn, to either side and, in a deep world, up or down: −1 … 1 each. Every [`WHIM`] ticks
    /// it is drawn anew, and goes over smoothly (`3s² − 2s³`) from one to the next.
    fn whim(&self, id: u32) -> [f32; 2] {
        let draw = |number: u64| {
            let mut rng = stream(self.seed, number, id, Purpose::Roam);
            [0, 1].map(|_| 2.0 * rng.random::<f32>() - 1.0)
        };
        let (last, next) = (draw(self.tick / WHIM), draw(self.tick / WHIM + 1));
        let share = (self.tick % WHIM) as f32 / WHIM as f32;
        let share = share * share * (3.0 - 2.0 * share);
        [0, 1].map(|side| last[side] + share * (next[side] - last[side]))
    }
}

/// A chunk of boids finds its leaders.
struct Follow<'a, const D: usize> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for Follow<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { sight, senses, places, perceived } = self;
        let (flock, first) = (&senses.flock, places.start);
        let radius = sight.params.leaders.radius;
        for places in flock.blocks(places, F::WIDTH) {
            let index = places.start - first;
            let kin: SpeciesRange<F> = senses.species.block(places.clone());
            let block: Block<F, D> = Block::new(&flock.agents, places);
            let mut nearest = F::splat(radius * radius);
            let (mut leader, mut leader_velocity): (Wide<F, D>, Wide<F, D>) = (Wide::zero(), Wide::zero());
            let mut count = F::splat(0.0);
            for other in &senses.leaders.0 {
                let offset: Wide<F, D> = sight.metric.minimum_image(Wide::splat(other.position) - block.at);
                let d2 = offset.length_squared();
                let mut nearer = d2.lt(nearest);
                if senses.species.is_multi_species() {
                    let species = sight.params.species_of(other.id);
                    nearer = F::and(nearer, kin.same_species(SpeciesRange::splat(SpeciesRange::of_species(species))));
                }
                nearest = F::select(nearer, d2, nearest);
                leader = Wide::select(nearer, offset, leader);
                leader_velocity = Wide::select(nearer, Wide::splat(other.velocity), leader_velocity);
                count = F::select(nearer, F::splat(1.0), count);
            }
            perceived.leader.store(index, Sum { total: leader, count });
            perceived.leader_velocity.store(index, Sum { total: leader_velocity, count });
        }
    }
}
