//! The version, how this program was built, and the SIMD instruction sets of this machine.

use std::sync::LazyLock;

use crate::config::simd;
use crate::sim::Simd;

/// The version number.
pub const SHORT: &str = env!("CARGO_PKG_VERSION");

/// The date of the commit that was built, or an empty string if unknown.
pub const DATE: &str = env!("BUILD_DATE");

/// Version, commit, target, compiler and SIMD instruction sets.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| format!("{SHORT}{}\n{}\n{}", commit(), build(), simd_summary()));
    &LONG
}

/// The commit in parentheses, or an empty string if unknown.
fn commit() -> String {
    let commit = env!("BUILD_COMMIT");
    if commit.is_empty() { String::new() } else { format!(" ({commit})") }
}

/// Target and compiler.
pub(crate) fn build() -> String {
    let profile = if cfg!(debug_assertions) { ", debug build" } else { "" };
    let parts = [env!("BUILD_TARGET"), env!("BUILD_RUSTC")].into_iter().filter(|part| !part.is_empty());
    format!("{}{profile}", parts.collect::<Vec<_>>().join(", "))
}

/// The SIMD instruction sets of this machine, and the one in use.
pub(crate) fn simd_summary() -> String {
    let available: Vec<_> = Simd::available().map(Simd::name).collect();
    let used = simd().map_or_else(|error| error.to_string(), |simd| format!("using {}", simd.name()));
    format!("SIMD: {} ({used})", available.join(", "))
}
