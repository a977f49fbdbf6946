//! Room that a tick works in, and how it is to work.

use std::sync::atomic::{AtomicU64, Ordering};

use super::agents::Agents;
use super::math::parallel::{FEW, threads};
use super::math::vector::Vector;
use super::neighbors::cell_list::How;
use super::neighbors::query::NeighborIndex;
use super::neighbors::simd::Simd;
use super::params::Params;
use super::world::World;

/// Room that a tick works in; it carries nothing from one tick to the next, and changes no result.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) senses: NeighborIndex,
    pub(crate) stopwatch: Option<Stopwatch>,
    how: How,
}

impl Scratch {
    /// Room for ticks on one thread, with the fastest SIMD of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Room for ticks on all threads of the pool that the tick is called in.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn parallel() -> Self {
        Self { how: How { parallel: true, ..How::default() }, ..Self::default() }
    }

    /// From now on, ticks use this kind of SIMD; plain arithmetic where the machine lacks it.
    pub fn set_simd(&mut self, simd: Simd) {
        self.how.simd = if simd.is_available() { simd } else { Simd::Scalar };
    }

    /// From now on, stages are timed, by a clock that tells the time in ns.
    pub fn time_stages(&mut self, now: fn() -> u64) {
        self.stopwatch = Some(Stopwatch { now, spent: Default::default() });
    }

    /// How long each stage has taken so far, in ns, summed over threads, waiting for each other
    /// included; all 0 before [`time_stages`](Self::time_stages).
    #[must_use]
    pub fn spent(&self) -> StageTimes {
        let spent =
            |stage| self.stopwatch.as_ref().map_or(0, |watch| watch.spent[stage as usize].load(Ordering::Relaxed));
        StageTimes {
            sort: spent(Stage::Sort),
            sense: spent(Stage::Sense),
            steer: spent(Stage::Steer),
            r#move: spent(Stage::Move),
        }
    }

    /// Puts the flock in order, and says how the rest is to be done.
    pub(crate) fn prepare(&mut self, agents: &Agents, params: &Params, world: &World, predators: usize) -> How {
        let how = How { parallel: self.how.parallel && agents.len() >= FEW, ..self.how };
        let start = self.stopwatch.as_ref().map(Stopwatch::now);
        self.senses.prepare(agents, params, world, predators, how);
        self.spend(Stage::Sort, start, how);
        how
    }

    /// Has the predators that hunt look for prey.
    pub(crate) fn hunt<V: Vector, const D: usize>(&mut self, params: &Params, world: &World, how: How) {
        let start = self.stopwatch.as_ref().map(Stopwatch::now);
        self.senses.hunt::<V, D>(params, world, how);
        self.spend(Stage::Sense, start, how);
    }

    /// Counts the time since `start` for a stage that has all threads, where anybody looks at a clock.
    fn spend(&self, stage: Stage, start: Option<u64>, how: How) {
        if let (Some(watch), Some(start)) = (&self.stopwatch, start) {
            watch.spend(stage, watch.now().saturating_sub(start) * threads(how.parallel));
        }
    }
}

/// How long the stages of ticks have taken, in ns, summed over threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Putting the flock in order.
    pub sort: u64,
    /// Gathering neighbors and predators.
    pub sense: u64,
    /// The rules, noise and the limit of turns.
    pub steer: u64,
    /// The limits of speed, the move, and the world's edge.
    pub r#move: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    Sort,
    Sense,
    Steer,
    Move,
}

/// A clock from outside, as the simulation has none, and what it has seen.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    now: fn() -> u64,
    spent: [AtomicU64; 4],
}

impl Stopwatch {
    pub(crate) fn now(&self) -> u64 {
        (self.now)()
    }

    /// Counts the time since `start` for a stage, and tells the time.
    pub(crate) fn lap(&self, stage: Stage, start: u64) -> u64 {
        let now = self.now();
        self.spend(stage, now.saturating_sub(start));
        now
    }

    fn spend(&self, stage: Stage, time: u64) {
        self.spent[stage as usize].fetch_add(time, Ordering::Relaxed);
    }
}
