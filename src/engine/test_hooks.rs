//! Panics that tests ask for, in debug builds only.

use std::env;

/// The environment variable: `first`, a tick, or `picture`.
pub(crate) const PANIC: &str = "TEST_FLOCKSCOPE_PANIC";

fn requested() -> Option<String> {
    if cfg!(debug_assertions) { env::var(PANIC).ok() } else { None }
}

/// The tick at which the simulation thread panics; 0 is before the viewer starts.
pub(crate) fn panic_tick() -> Option<u64> {
    let tick = requested()?;
    if tick == "first" { Some(0) } else { tick.parse().ok() }
}

/// Whether a job in the background panics.
pub(crate) fn panics_in_background() -> bool {
    requested().is_some_and(|what| what == "picture")
}
