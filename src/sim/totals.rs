//! Totals over the whole flock: f64 sums of fixed-size chunks, in order of ids.

use super::agents::Agents;
use super::perception::Sum;
use super::wide::Wide;

/// How many agents are summed before their sum joins the total. The order of sums is part of the
/// model, and with fixed chunks it is the same for any number of threads.
const CHUNK: usize = 1024;

/// The sum of `term(place in memory)` over the agents at the places in `order`, in that order.
pub(super) fn sum<const N: usize>(order: &[u32], term: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let add = |sum: [f64; N], part: [f64; N]| std::array::from_fn(|k| sum[k] + part[k]);
    order
        .chunks(CHUNK)
        .map(|chunk| chunk.iter().map(|&index| term(index as usize)).fold([0.0; N], add))
        .fold([0.0; N], add)
}

/// The number of agents, and the sums of their positions (u) and velocities (u/tick).
#[derive(Clone, Copy, Debug)]
pub(super) struct Totals {
    count: f64,
    position: [f64; 3],
    velocity: [f64; 3],
}

impl Totals {
    /// Sums up all agents of whose places `counts` says so; `order` follows their ids.
    pub(super) fn of(agents: &Agents, order: &[u32], counts: impl Fn(usize) -> bool) -> Self {
        let at = |axis: &[f32], index: usize| axis.get(index).map_or(0.0, |&value| f64::from(value));
        let [count, x, y, z, vx, vy, vz] = sum(order, |index| {
            if !counts(index) {
                return [0.0; 7];
            }
            let [x, y, z] = [0, 1, 2].map(|axis| at(agents.positions(axis), index));
            let [vx, vy, vz] = [0, 1, 2].map(|axis| at(agents.velocities(axis), index));
            [1.0, x, y, z, vx, vy, vz]
        });
        Self { count, position: [x, y, z], velocity: [vx, vy, vz] }
    }

    /// These in full, and of all others a share.
    pub(super) fn with_share(self, all: &Self, share: f32) -> Self {
        let blend = |own: f64, all: f64| own + f64::from(share) * (all - own);
        let axes = |own: [f64; 3], all: [f64; 3]| [0, 1, 2].map(|axis| blend(own[axis], all[axis]));
        Self {
            count: blend(self.count, all.count),
            position: axes(self.position, all.position),
            velocity: axes(self.velocity, all.velocity),
        }
    }

    /// `Σ v` over all but the one with this velocity.
    pub(super) fn velocities_but<const D: usize>(&self, own: [f32; 3]) -> Sum<f32, D> {
        self.over_others(|axis| self.velocity[axis] - f64::from(own[axis]), 0.0)
    }

    /// `Σ r` from this position, where one of them stands, to all others but those whose offsets
    /// and number are given.
    pub(super) fn offsets_from<const D: usize>(&self, own: [f32; 3], (near, nearer): ([f64; 3], f64)) -> Sum<f32, D> {
        self.over_others(|axis| self.position[axis] - self.count * f64::from(own[axis]) - near[axis], nearer)
    }

    fn over_others<const D: usize>(&self, axis: impl Fn(usize) -> f64, less: f64) -> Sum<f32, D> {
        let total = Wide::new(|index| axis(index) as f32);
        Sum { total, count: (self.count - 1.0 - less) as f32 }
    }
}
