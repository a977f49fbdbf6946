//! The cap on neighbors: of those that a boid could heed, the first in cyclic order of ids.

use std::cell::RefCell;

use rand::RngExt;

use super::kernel::{Block, CarefulPass};
use super::perceived::Perceived;
use super::query::{NeighborIndex, NeighborQuery};
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::vector::Vector;

impl NeighborQuery<'_> {
    /// Adds up the first `max_neighbors` neighbors within reach, where all are heeded alike.
    pub(crate) fn capped<V: Vector, const D: usize>(
        &self,
        senses: &NeighborIndex,
        place: usize,
        perceived: &mut Perceived,
        index: usize,
    ) {
        let agents = &senses.flock.agents;
        let position = agents.position::<V>(place);
        let gather = |near: &mut Vec<u32>| {
            senses.flock.near(position, self.reach, |other| {
                let offset = self.metric.offset(position, agents.position::<V>(other));
                if offset.length_squared() < self.reach * self.reach && other != place {
                    near.push(other as u32);
                }
            });
        };
        self.cap(senses, place, gather, |near| {
            let alone: Block<f32, D> = Block::new(agents, place..place + 1);
            let mut encounter = CarefulPass::new(self.kernel(), &alone, f32::INFINITY);
            for &other in near {
                encounter.meet(other as usize..other as usize + 1);
            }
            encounter.neighbors().store(perceived, index);
        });
    }

    /// Of the places that are gathered, in order, hands on those of the first `max_neighbors`, counted in
    /// cyclic order of ids from one that is drawn for this boid and tick.
    pub(crate) fn cap(
        &self,
        senses: &NeighborIndex,
        place: usize,
        gather: impl FnOnce(&mut Vec<u32>),
        then: impl FnOnce(&[u32]),
    ) {
        thread_local! {
            static NEAR: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
        }
        let cap = self.params.limits.max_neighbors as usize;
        let ids = senses.flock.agents.ids();
        let first: u32 = stream(self.seed, self.tick, ids[place], Purpose::Neighbors).random_range(0..senses.ids);
        let turn = |other: u32| ids[other as usize].wrapping_sub(first);
        NEAR.with_borrow_mut(|near| {
            near.clear();
            // Room for all, so that a flock which closes up asks for no more.
            near.reserve_exact(ids.len());
            gather(near);
            if near.len() > cap {
                near.select_nth_unstable_by_key(cap - 1, |&other| turn(other));
                near.truncate(cap);
                near.sort_unstable();
            }
            then(near);
        });
    }
}
