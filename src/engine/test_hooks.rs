//! Panics that tests ask for, in debug builds only.

use std::env;
use std::fmt::Display;

/// The environment variable: a tick, or `picture`.
pub(crate) const PANIC: &str = "TEST_FLOCKSCOPE_PANIC";

/// Whether the simulation thread panics at this tick, before the viewer starts if it is 0; or the job that draws a picture.
pub(crate) fn panics_at(place: impl Display) -> bool {
    cfg!(debug_assertions) && env::var(PANIC).is_ok_and(|asked| asked == place.to_string())
}
