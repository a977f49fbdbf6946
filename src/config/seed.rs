//! Seeds that nobody chose.

use rand::TryRng;
use rand::rngs::SysRng;

/// A seed that nobody chose, short enough to be told and typed.
#[must_use]
pub fn random_seed() -> u64 {
    // A system without randomness still has a clock.
    let clock = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |age| age.subsec_nanos());
    u64::from(SysRng.try_next_u32().unwrap_or_else(|_| clock()))
}
