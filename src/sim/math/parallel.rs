//! Work on several threads, if the library is built with the feature `parallel`.

use crate::sim::neighbors::simd::Simd;

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
pub(crate) fn should_parallelize(agents: usize) -> bool {
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
