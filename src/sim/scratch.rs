//! Working memory of a tick, and how it is executed.

use std::sync::atomic::{AtomicU64, Ordering};

use super::agents::Agents;
use super::math::parallel::{Execution, MIN_PARALLEL, threads};
use super::neighbors::query::NeighborIndex;
use super::neighbors::simd::Simd;
use super::params::Params;
use super::world::World;

/// Working memory of a tick. It keeps no state between ticks, and changes no result.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) neighbors: NeighborIndex,
    pub(crate) stopwatch: Option<Stopwatch>,
    execution: Execution,
}

impl Scratch {
    /// Memory for ticks on one thread, with the fastest SIMD kind of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Memory for ticks on all threads of the pool in which the tick is called.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn parallel() -> Self {
        Self { execution: Execution { parallel: true, ..Execution::default() }, ..Self::default() }
    }

    /// Selects the SIMD kind; scalar arithmetic if the machine lacks it.
    pub fn set_simd(&mut self, simd: Simd) {
        self.execution.simd = if simd.is_available() { simd } else { Simd::Scalar };
    }

    /// Times the stages of ticks from now on, with a clock that returns ns.
    pub fn time_stages(&mut self, now: fn() -> u64) {
        self.stopwatch = Some(Stopwatch { now, times: Default::default() });
    }

    /// The time of each stage so far in ns, summed over threads with their waits; 0 before
    /// [`time_stages`](Self::time_stages).
    #[must_use]
    pub fn stage_times(&self) -> StageTimes {
        let Some(watch) = &self.stopwatch else { return StageTimes::default() };
        let [sort, perceive, steer, r#move] = watch.times.each_ref().map(|time| time.load(Ordering::Relaxed));
        StageTimes { sort, perceive, steer, r#move }
    }

    /// Sorts the flock, and returns how to execute the other stages.
    pub(crate) fn sort(&mut self, agents: &Agents, params: &Params, world: &World, predators: usize) -> Execution {
        let parallel = self.execution.parallel && agents.len() >= MIN_PARALLEL;
        let execution = Execution { parallel, ..self.execution };
        let start = self.stopwatch.as_ref().map(Stopwatch::now);
        self.neighbors.rebuild(agents, params, world, predators, execution);
        self.add_time(Stage::Sort, start, execution);
        execution
    }

    /// Finds the prey of the predators that hunt.
    pub(crate) fn hunt<const D: usize>(&mut self, params: &Params, world: &World, execution: Execution) {
        let start = self.stopwatch.as_ref().map(Stopwatch::now);
        self.neighbors.hunters.look::<D>(&self.neighbors.flock, params, world, execution);
        self.add_time(Stage::Perceive, start, execution);
    }

    /// Adds the time since `start` to a stage that occupies all threads, if stages are timed.
    fn add_time(&self, stage: Stage, start: Option<u64>, execution: Execution) {
        if let (Some(watch), Some(start)) = (&self.stopwatch, start) {
            watch.add(stage, watch.now().saturating_sub(start) * threads(execution.parallel));
        }
    }
}

/// The time of the stages of ticks in ns, summed over threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Sorting the flock by grid cell.
    pub sort: u64,
    /// Finding neighbors and predators.
    pub perceive: u64,
    /// Applying the rules, noise and the limit of turns.
    pub steer: u64,
    /// Limiting speeds, moving, and applying the edge of the world.
    pub r#move: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    Sort,
    Perceive,
    Steer,
    Move,
}

/// A clock, which the caller provides, and the time of each stage so far.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    now: fn() -> u64,
    times: [AtomicU64; 4],
}

impl Stopwatch {
    pub(crate) fn now(&self) -> u64 {
        (self.now)()
    }

    /// Adds the time since `start` to a stage, and returns the time.
    pub(crate) fn lap(&self, stage: Stage, start: u64) -> u64 {
        let now = self.now();
        self.add(stage, now.saturating_sub(start));
        now
    }

    fn add(&self, stage: Stage, time: u64) {
        self.times[stage as usize].fetch_add(time, Ordering::Relaxed);
    }
}
