//! Two things at once, where the library is built for it.

/// Does both, on two threads of the pool it is called in where `parallel`.
#[cfg(feature = "parallel")]
pub(crate) fn join<A: Send, B: Send>(
    parallel: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if parallel { rayon::join(one, other) } else { (one(), other()) }
}

/// Does both, one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(_parallel: bool, one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

/// How many threads do what is handed out.
#[cfg(feature = "parallel")]
pub(crate) fn threads(parallel: bool) -> u64 {
    if parallel { rayon::current_num_threads() as u64 } else { 1 }
}

/// How many threads do what is handed out.
#[cfg(not(feature = "parallel"))]
pub(crate) fn threads(_parallel: bool) -> u64 {
    1
}

/// Fewer agents are dealt with on one thread: handing them over would take longer.
pub(crate) const FEW: usize = 4000;

/// Whether this is called in a pool of several threads, and so many agents are worth handing over.
#[cfg(feature = "parallel")]
pub(crate) fn should_parallelize(agents: usize) -> bool {
    // Outside a pool a join would start one.
    agents >= FEW && rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Whether this is called in a pool of several threads, and so many agents are worth handing over.
#[cfg(not(feature = "parallel"))]
pub(crate) fn should_parallelize(_agents: usize) -> bool {
    false
}
