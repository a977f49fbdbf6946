//! A tick: the flock is sorted by grid cell, then a chunk of agents at a time perceives, steers and moves.

use std::num::NonZeroUsize;

use super::agents::{Agents, AgentsMut, Kind};
use super::forces::{BoidLanes, Environment, NeighborIndex, hunt};
use super::math::{Execution, Stage, StageTimes, Stopwatch, threads};
use super::models::{Boids, ModelRow};
use super::params::Params;
use super::simd::{CHUNK, Simd};
use super::world::World;

/// The inputs of a tick that all agents share.
pub(crate) struct Tick<'a> {
    pub environment: &'a Environment<'a>,
    pub execution: Execution,
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Tick<'_> {
    /// Moves all agents, from their state in `neighbors` to that in `next`.
    pub(crate) fn advance<const D: usize>(&self, neighbors: &NeighborIndex, next: AgentsMut<'_>) {
        let Self { environment, execution, stopwatch } = *self;
        let model = ModelRow::of(environment.params);
        next.fill(CHUNK, execution.parallel, &|chunk| {
            let (agents, places) = (&neighbors.flock.agents, chunk.places());
            chunk.copy_moods_and_banks(agents);
            let flocking = places.start..places.end.min(neighbors.flock.count_in_cells());
            let others = flocking.end.max(places.start)..places.end;
            if !flocking.is_empty() {
                model.advance(Boids { environment, execution, stopwatch, neighbors, range: flocking, next: chunk });
            }
            if !others.is_empty() {
                Stopwatch::time(stopwatch, Stage::Steer, || {
                    others.for_each(|index| match agents.kinds()[index] {
                        Kind::Predator => hunt::advance::<D>(environment, neighbors, index, chunk),
                        Kind::Prey | Kind::Caught => {
                            let boid = BoidLanes::<f32, D>::load(agents, index);
                            chunk.write(index, boid.position, boid.velocity);
                        }
                    });
                });
            }
        });
    }
}

/// Working memory of a tick. It keeps no state between ticks, and changes no result.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) neighbors: NeighborIndex,
    pub(crate) stopwatch: Option<Stopwatch>,
    execution: Execution,
    /// Whether ticks stay on one thread although there are several.
    stays_on_one_thread: bool,
}

impl Scratch {
    /// Memory for ticks on one thread, with the fastest SIMD kind of this machine.
    pub fn new() -> Self {
        Self::default()
    }

    /// Memory for ticks on all threads of the pool in which the tick is called.
    #[cfg(feature = "parallel")]
    pub fn parallel() -> Self {
        Self { execution: Execution { parallel: true, ..Execution::default() }, ..Self::default() }
    }

    /// Whether ticks use the threads of a pool.
    pub fn is_parallel(&self) -> bool {
        self.execution.parallel
    }

    /// Keeps ticks on one thread, or lets those of a large flock use several again.
    pub fn stay_on_one_thread(&mut self, stays: bool) {
        self.stays_on_one_thread = stays;
    }

    /// Selects the SIMD kind; scalar arithmetic if the machine lacks it.
    pub fn set_simd(&mut self, simd: Simd) {
        self.execution.simd = if simd.is_available() { simd } else { Simd::Scalar };
    }

    /// Times the stages of ticks from now on, with a clock that returns ns.
    pub fn time_stages(&mut self, now: fn() -> u64) {
        self.stopwatch = Some(Stopwatch::new(now));
    }

    /// The time of each stage so far in ns, summed over threads with their waits; 0 before
    /// [`time_stages`](Self::time_stages).
    pub fn stage_times(&self) -> StageTimes {
        self.stopwatch.as_ref().map(Stopwatch::times).unwrap_or_default()
    }

    /// Sorts the flock, and returns how to execute the other stages.
    pub(crate) fn sort(&mut self, agents: &Agents, params: &Params, world: &World, predators: usize) -> Execution {
        let model = ModelRow::of(params);
        let is_allowed = self.execution.parallel && !self.stays_on_one_thread;
        let parallel = is_allowed && agents.len() >= (model.min_parallel)(params);
        let execution = Execution { parallel, ..self.execution };
        Stopwatch::time_threads(self.stopwatch.as_ref(), Stage::Sort, threads(parallel), || {
            let layout = model.grid(params, world, model.search_radius(params), agents.len());
            self.neighbors.rebuild(agents, layout, params, world, predators, execution);
            if model.has_headings {
                self.neighbors.find_headings(world.dim(), execution);
            }
        });
        execution
    }

    /// Finds the prey of the predators that hunt.
    pub(crate) fn hunt<const D: usize>(&mut self, params: &Params, world: &World, execution: Execution) {
        let NeighborIndex { flock, hunters, .. } = &mut self.neighbors;
        Stopwatch::time_threads(self.stopwatch.as_ref(), Stage::Perceive, threads(execution.parallel), || {
            hunters.look::<D>(flock, params, world, execution);
        });
    }
}

/// Stack of a thread that runs ticks, in bytes: without optimization, the wide SIMD kernels need more than the default 2 MiB.
pub const STACK_SIZE: usize = 8 << 20;

/// Runs `body` in a pool of this many threads, with memory for ticks on all of them. If the system refuses threads, or the
/// crate is built without `parallel`, the current thread runs it alone, and [`Scratch::is_parallel`] is false.
pub fn in_pool<R: Send>(threads: NonZeroUsize, body: impl FnOnce(&mut Scratch) -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    if threads.get() > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).stack_size(STACK_SIZE);
        if let Ok(pool) = pool.thread_name(|number| format!("flock-{number}")).build() {
            return pool.install(|| body(&mut Scratch::parallel()));
        }
    }
    let _ = threads;
    body(&mut Scratch::new())
}
