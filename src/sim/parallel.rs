//! Two things at once, where the library is built for it.

/// Does both, on two threads of the pool it is called in where `parallel`.
#[cfg(feature = "parallel")]
pub(super) fn join<A: Send, B: Send>(
    parallel: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if parallel { rayon::join(one, other) } else { (one(), other()) }
}

/// Does both, one after the other.
#[cfg(not(feature = "parallel"))]
pub(super) fn join<A, B>(_parallel: bool, one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}
