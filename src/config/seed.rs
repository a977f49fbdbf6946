//! Seeds that nobody chose, and the one that a report of a fault should name.

use std::sync::Mutex;

use rand::TryRng;
use rand::rngs::SysRng;

/// A seed that nobody chose, short enough to be told and typed.
#[must_use]
pub fn random_seed() -> u64 {
    // A system without randomness still has a clock.
    let clock = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |age| age.subsec_nanos());
    u64::from(SysRng.try_next_u32().unwrap_or_else(|_| clock()))
}

/// The seed of the flock that flies.
static NOTED: Mutex<Option<u64>> = Mutex::new(None);

/// Notes which flock flies.
pub fn set_current_seed(seed: u64) {
    if let Ok(mut noted) = NOTED.lock() {
        *noted = Some(seed);
    }
}

/// The seed that was noted last; none where somebody is about to note another, since who asks may be in a panic.
#[must_use]
pub fn current_seed() -> Option<u64> {
    NOTED.try_lock().ok().and_then(|noted| *noted)
}
