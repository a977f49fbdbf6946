//! Sums over the whole flock in f64, with a fixed order: the same bits for any number of threads.

use std::ops::Range;

use super::parallel::join;
use super::wide::Wide;
use crate::sim::agents::Agents;

/// The number of agents that are added up before their sum joins the total. The order of sums is part of the model.
const CHUNK: usize = 1024;

/// The sum of `term(index)` over the agents in `order`, in chunks.
pub(crate) fn sum<const N: usize>(order: &[u32], term: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let chunks = order.chunks(CHUNK);
    add_up(chunks.map(|chunk| add_up(chunk.iter().map(|&index| term(index as usize)))))
}

/// The pairwise sum (Higham 1993) of `term(index)` over chunks of a range, on several threads if `parallel`.
pub(crate) fn pairwise_sum<const N: usize>(
    range: Range<usize>,
    parallel: bool,
    term: &(impl Fn(usize) -> [f64; N] + Sync),
) -> [f64; N] {
    if range.len() <= CHUNK {
        return add_up(range.map(term));
    }
    let middle = range.start + range.len().div_ceil(CHUNK) / 2 * CHUNK;
    let half = |range| move || pairwise_sum(range, parallel, term);
    let (left, right) = join(parallel, half(range.start..middle), half(middle..range.end));
    add_up([left, right].into_iter())
}

fn add_up<const N: usize>(terms: impl Iterator<Item = [f64; N]>) -> [f64; N] {
    terms.fold([0.0; N], |sum, term| std::array::from_fn(|k| sum[k] + term[k]))
}

/// The number of agents, and the sums of their positions (u) and velocities (u/tick).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals([f64; 7]);

impl Totals {
    /// The totals of the agents in `order` that `is_counted` selects by index.
    pub(crate) fn of(agents: &Agents, order: &[u32], is_counted: impl Fn(usize) -> bool) -> Self {
        Self(sum(order, |index| {
            if !is_counted(index) {
                return [0.0; 7];
            }
            let ([x, y, z], [vx, vy, vz]) = (agents.position_array(index), agents.velocity_array(index));
            [1.0, x, y, z, vx, vy, vz].map(f64::from)
        }))
    }

    /// These agents in full, and all others with this weight.
    pub(crate) fn with_others(self, all: &Self, weight: f32) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + f64::from(weight) * (all.0[k] - self.0[k])))
    }

    /// `Σ v` over all agents except one with this velocity, and their number.
    pub(crate) fn velocities_except<const D: usize>(&self, own: [f32; 3]) -> (Wide<f32, D>, f32) {
        let [count, _, _, _, velocity @ ..] = self.0;
        (Wide::new(|axis| (velocity[axis] - f64::from(own[axis])) as f32), (count - 1.0) as f32)
    }

    /// `Σ r` over all agents except one at this position, and their number, less a sum of offsets and its count.
    pub(crate) fn offsets_from<const D: usize>(
        &self,
        own: [f32; 3],
        (near, near_count): ([f64; 3], f64),
    ) -> (Wide<f32, D>, f32) {
        let [count, position @ .., _, _, _] = self.0;
        let offsets = |axis: usize| position[axis] - count * f64::from(own[axis]) - near[axis];
        (Wide::new(|axis| offsets(axis) as f32), (count - 1.0 - near_count) as f32)
    }
}
