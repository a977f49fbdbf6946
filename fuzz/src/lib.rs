//! One target per input of the program: nothing panics, an error is one sentence, and accepted input survives a round trip
//! through its written form.
//!
//! Each target is a fuzz target; `tests/repo/fuzz_corpus.rs` runs all of them on the corpus.

#[path = "../../tests/common/bounds.rs"]
mod bounds;
pub mod config;
pub mod flock;
#[cfg(unix)]
pub mod input;
pub mod keys;
pub mod npz;
pub mod preset;
mod sentence;
pub mod session;
pub mod state;
pub mod text;
pub mod theme;
pub mod trajectories;
pub mod values;

/// Runs a target on some bytes.
pub type Body = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: &[(&str, Body)] = &[
    ("config", config::body),
    ("flock", flock::body),
    #[cfg(unix)]
    ("input", input::body),
    ("keys", keys::body),
    ("npz", npz::body),
    ("preset", preset::body),
    ("session", session::body),
    ("state", state::body),
    ("text", text::body),
    ("theme", theme::body),
    ("trajectories", trajectories::body),
    ("values", values::body),
];
