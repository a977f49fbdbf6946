//! Vectors, random numbers, sums with a fixed order, and how work is executed.

mod random;
mod trigonometry;
mod wide;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use random::{Purpose, first_numbers, murmur_mix, stream};
pub use trigonometry::circular_mean;
pub(crate) use trigonometry::{Circle, cosines_and_sines};
pub(crate) use wide::{Wide, cross, direction, direction_in_space, directions, from_axes, perpendicular, turned};

use crate::simd::Simd;

/// The number of agents that are added up before their sum joins the total. The order of sums is part of the model.
const CHUNK: usize = 1024;

/// The sum of `term(index)` over the agents in `order`, in chunks.
pub(crate) fn sum<const N: usize>(order: &[u32], term: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let chunks = order.chunks(CHUNK);
    add_up(chunks.map(|chunk| add_up(chunk.iter().map(|&index| term(index as usize)))))
}

/// The pairwise sum (Higham 1993) of `term(index)` over every `every`-th of so many agents, in chunks.
pub(crate) fn pairwise_sum<const N: usize>(
    agents: usize,
    every: usize,
    term: impl Fn(usize) -> [f64; N] + Sync,
) -> [f64; N] {
    let range = 0..agents.div_ceil(every);
    sum_of_chunks(range, should_parallelize(agents), &|chunk| add_up(chunk.map(|at| term(at * every))))
}

/// The pairwise sum of `term` over the rows of columns, with a row for each agent.
pub(crate) fn pairwise_sum_of_rows<const N: usize, const M: usize>(
    columns: [&[f32]; N],
    term: impl Fn([f64; N]) -> [f64; M] + Sync,
) -> [f64; M] {
    let agents = columns[0].len();
    sum_of_chunks(0..agents, should_parallelize(agents), &|chunk| {
        let len = chunk.len();
        // The same length for each lets the compiler drop bounds checks.
        let columns = columns.map(|column| &column[chunk.clone()][..len]);
        add_up((0..len).map(|row| term(columns.map(|column| f64::from(column[row])))))
    })
}

fn sum_of_chunks<const N: usize>(
    range: Range<usize>,
    parallel: bool,
    sum: &(impl Fn(Range<usize>) -> [f64; N] + Sync),
) -> [f64; N] {
    if range.len() <= CHUNK {
        return sum(range);
    }
    let middle = range.start + range.len().div_ceil(CHUNK) / 2 * CHUNK;
    let half = |range| move || sum_of_chunks(range, parallel, sum);
    let (left, right) = join(parallel, half(range.start..middle), half(middle..range.end));
    add_up([left, right].into_iter())
}

#[inline]
fn add_up<const N: usize>(terms: impl Iterator<Item = [f64; N]>) -> [f64; N] {
    let mut sum = [0.0; N];
    for term in terms {
        for (sum, term) in sum.iter_mut().zip(term) {
            *sum += term;
        }
    }
    sum
}

/// How the work of a tick is executed; it changes no result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Execution {
    pub simd: Simd,
    pub parallel: bool,
}

/// Runs both closures, on two threads of the current pool if `parallel`.
#[cfg(feature = "parallel")]
pub(crate) fn join<A: Send, B: Send>(
    parallel: bool,
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    if parallel { rayon::join(left, right) } else { (left(), right()) }
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(_parallel: bool, left: impl FnOnce() -> A, right: impl FnOnce() -> B) -> (A, B) {
    (left(), right())
}

/// The number of threads that `join` uses.
pub(crate) fn threads(parallel: bool) -> u64 {
    if parallel { pool_threads() } else { 1 }
}

/// Fewer agents are handled on one thread, as distributing them would take longer.
pub(crate) const MIN_PARALLEL: usize = 4000;

/// Whether there are enough agents to distribute them over the threads of the current pool.
pub fn should_parallelize(agents: usize) -> bool {
    agents >= MIN_PARALLEL && is_in_pool() && pool_threads() > 1
}

#[cfg(feature = "parallel")]
fn pool_threads() -> u64 {
    rayon::current_num_threads() as u64
}

#[cfg(not(feature = "parallel"))]
fn pool_threads() -> u64 {
    1
}

/// Whether this thread belongs to a pool; outside one, `join` would start the global pool.
#[cfg(feature = "parallel")]
fn is_in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

#[cfg(not(feature = "parallel"))]
fn is_in_pool() -> bool {
    false
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
    pub(crate) fn new(now: fn() -> u64) -> Self {
        Self { now, times: Default::default() }
    }

    /// The time of each stage so far.
    pub(crate) fn times(&self) -> StageTimes {
        let [sort, perceive, steer, r#move] = self.times.each_ref().map(|time| time.load(Ordering::Relaxed));
        StageTimes { sort, perceive, steer, r#move }
    }

    /// Does some work of a stage, and times it if there is a stopwatch.
    pub(crate) fn time(watch: Option<&Self>, stage: Stage, work: impl FnOnce()) {
        Self::time_threads(watch, stage, 1, work);
    }

    /// The same for work that occupies this many threads.
    pub(crate) fn time_threads(watch: Option<&Self>, stage: Stage, threads: u64, work: impl FnOnce()) {
        let start = watch.map(|watch| (watch.now)());
        work();
        if let (Some(watch), Some(start)) = (watch, start) {
            let time = (watch.now)().saturating_sub(start) * threads;
            watch.times[stage as usize].fetch_add(time, Ordering::Relaxed);
        }
    }
}
