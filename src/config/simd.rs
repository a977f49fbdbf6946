//! The kind of SIMD, which the environment can force.

use super::Error;
use crate::sim::Simd;

/// The variable that forces a kind of SIMD.
pub const SIMD: &str = "FLOCKSCOPE_SIMD";

/// The kind of SIMD to fly with: as the environment says, or the fastest of this machine. It changes
/// no result; forcing one is for tests and for reports of faults.
///
/// # Errors
///
/// [`Error::Environment`] where it is none that this machine has.
pub fn simd() -> Result<Simd, Error> {
    let Some(name) = std::env::var_os(SIMD).filter(|name| !name.is_empty()) else { return Ok(Simd::fastest()) };
    // Nothing from the environment reaches the terminal as it is.
    let name = name.to_string_lossy().escape_debug().to_string();
    Simd::named(&name)
        .map_err(|error| Error::Environment { variable: format!("{SIMD}={name}"), message: error.to_string() })
}
