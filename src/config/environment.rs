//! Inputs from the environment: a random seed and the SIMD instruction set.

use std::sync::Mutex;
use std::time::SystemTime;

use rand::TryRng;
use rand::rngs::SysRng;

use super::ConfigError;
use crate::sim::Simd;

/// The environment variable that selects a SIMD instruction set.
pub const SIMD: &str = "FLOCKSCOPE_SIMD";

/// The seed of the running flock.
static CURRENT_SEED: Mutex<Option<u64>> = Mutex::new(None);

/// A random seed of at most 32 bits, short enough to type.
pub fn random_seed() -> u64 {
    // Without a system source of randomness, use the clock.
    let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(1, |age| age.subsec_nanos());
    u64::from(SysRng.try_next_u32().unwrap_or_else(|_| clock()))
}

/// Sets the seed of the running flock, for crash reports.
pub fn set_current_seed(seed: u64) {
    if let Ok(mut current) = CURRENT_SEED.lock() {
        *current = Some(seed);
    }
}

/// The seed of the running flock. Never blocks, since the caller may be handling a panic.
pub fn current_seed() -> Option<u64> {
    CURRENT_SEED.try_lock().ok().and_then(|current| *current)
}

/// The SIMD instruction set from [`SIMD`], or else the fastest of this machine. It does not affect results.
pub fn simd() -> Result<Simd, ConfigError> {
    let Some(name) = std::env::var_os(SIMD).filter(|name| !name.is_empty()) else { return Ok(Simd::fastest()) };
    let name = name.to_string_lossy().escape_debug().to_string();
    Simd::named(&name)
        .map_err(|error| ConfigError::Environment { variable: format!("{SIMD}={name}"), message: error.to_string() })
}
