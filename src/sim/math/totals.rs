//! Totals over the whole flock: f64 sums of fixed-size chunks, in order of ids.

use std::ops::Range;

use super::parallel::join;
use super::wide::Wide;
use crate::sim::agents::Agents;
use crate::sim::neighbors::perceived::Sum;

/// How many agents are summed before their sum joins the total. The order of sums is part of the
/// model, and with fixed chunks it is the same for any number of threads.
const CHUNK: usize = 1024;

/// The sum of `term(place in memory)` over the agents in `order`, which follows their ids.
pub(crate) fn sum<const N: usize>(order: &[u32], term: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let chunks = order.chunks(CHUNK);
    add_up(chunks.map(|chunk| add_up(chunk.iter().map(|&index| term(index as usize)))))
}

/// The sum of `term` over places, chunks of them and then sums of two (Higham 1993): the same for any number of
/// threads, of which there are several where `parallel`.
pub(crate) fn pairwise_sum<const N: usize>(
    places: Range<usize>,
    parallel: bool,
    term: &(impl Fn(usize) -> [f64; N] + Sync),
) -> [f64; N] {
    if places.len() <= CHUNK {
        return add_up(places.map(term));
    }
    let middle = places.start + places.len().div_ceil(CHUNK) / 2 * CHUNK;
    let half = |places| move || pairwise_sum(places, parallel, term);
    let (sum, part) = join(parallel, half(places.start..middle), half(middle..places.end));
    add_up([sum, part].into_iter())
}

/// The sum of some sums, one after the other.
fn add_up<const N: usize>(sums: impl Iterator<Item = [f64; N]>) -> [f64; N] {
    sums.fold([0.0; N], |sum, part| std::array::from_fn(|k| sum[k] + part[k]))
}

/// The number of agents, and the sums of their positions (u) and velocities (u/tick).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals {
    count: f64,
    position: [f64; 3],
    velocity: [f64; 3],
}

impl Totals {
    /// Sums up all agents of whose places `counts` says so; `order` follows their ids.
    pub(crate) fn of(agents: &Agents, order: &[u32], counts: impl Fn(usize) -> bool) -> Self {
        let [count, x, y, z, vx, vy, vz] = sum(order, |index| {
            if !counts(index) {
                return [0.0; 7];
            }
            let [x, y, z] = agents.position_array(index).map(f64::from);
            let [vx, vy, vz] = agents.velocity_array(index).map(f64::from);
            [1.0, x, y, z, vx, vy, vz]
        });
        Self { count, position: [x, y, z], velocity: [vx, vy, vz] }
    }

    /// These in full, and of all others a share.
    pub(crate) fn with_amount(self, all: &Self, share: f32) -> Self {
        let blend = |own: f64, all: f64| own + f64::from(share) * (all - own);
        let axes = |own: [f64; 3], all: [f64; 3]| [0, 1, 2].map(|axis| blend(own[axis], all[axis]));
        Self {
            count: blend(self.count, all.count),
            position: axes(self.position, all.position),
            velocity: axes(self.velocity, all.velocity),
        }
    }

    /// `Σ v` over all but the one with this velocity.
    pub(crate) fn velocities_except<const D: usize>(&self, own: [f32; 3]) -> Sum<f32, D> {
        self.over_others(|axis| self.velocity[axis] - f64::from(own[axis]), 0.0)
    }

    /// `Σ r` from this position, where one of them stands, to all others but those whose offsets
    /// and number are given.
    pub(crate) fn offsets_from<const D: usize>(&self, own: [f32; 3], (near, nearer): ([f64; 3], f64)) -> Sum<f32, D> {
        self.over_others(|axis| self.position[axis] - self.count * f64::from(own[axis]) - near[axis], nearer)
    }

    fn over_others<const D: usize>(&self, axis: impl Fn(usize) -> f64, less: f64) -> Sum<f32, D> {
        let total = Wide::new(|index| axis(index) as f32);
        Sum { total, count: (self.count - 1.0 - less) as f32 }
    }
}
