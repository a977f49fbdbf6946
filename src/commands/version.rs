//! What this program is: its version, what it was made of and for, and what this machine adds.

use std::sync::LazyLock;

use crate::config::simd;
use crate::sim::Simd;

/// The version alone.
pub const SHORT: &str = env!("CARGO_PKG_VERSION");

/// The day of the commit that it was made of, or nothing.
pub const DAY: &str = env!("BUILD_DATE");

/// The version with commit, target and compiler, and the kinds of SIMD that this machine has.
#[must_use]
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| format!("{SHORT}{}\n{}\n{}", commit(), making(), lanes()));
    &LONG
}

/// The commit, in parentheses; or nothing where nobody knew it.
fn commit() -> String {
    let commit = env!("BUILD_COMMIT");
    if commit.is_empty() { String::new() } else { format!(" ({commit})") }
}

/// For which target, by which compiler.
pub(crate) fn making() -> String {
    let profile = if cfg!(debug_assertions) { ", with the checks of a debug build" } else { "" };
    let parts = [env!("BUILD_TARGET"), env!("BUILD_RUSTC")].into_iter().filter(|part| !part.is_empty());
    format!("{}{profile}", parts.collect::<Vec<_>>().join(", "))
}

/// The kinds of SIMD that this machine has, and which of them flies the flock.
pub(crate) fn lanes() -> String {
    let kinds: Vec<_> = Simd::available().map(Simd::name).collect();
    let used = simd().map_or_else(|error| error.to_string(), |kind| format!("{} flies the flock", kind.name()));
    format!("SIMD: {}; {used}", kinds.join(", "))
}
