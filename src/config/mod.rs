//! Presets, themes and the config file; a random seed, and the SIMD instruction set from the environment.

mod files;
mod presets;
mod themes;

use std::sync::Mutex;
use std::time::SystemTime;

use rand::TryRng;
use rand::rngs::SysRng;

use crate::error::InputError;
use crate::sim::Simd;
pub use files::{BuiltinFile, ConfigFile, KeyBindings, NamedFile, ParamEntry};
pub(crate) use files::{
    KeyBinding, OptionEntry, PresetEntry, SpannedText, create_temp_file, remove_temp_files, write_file,
};
pub(crate) use presets::{
    FlockFile, PresetSetting, RATE_RANGE, ReproduceCommand, auto_world, shell_path, toml_list, toml_value, with_users,
};
pub use presets::{Preset, PresetSettings, WorldSize, toml_string};
pub use themes::Theme;

/// The built-in presets, in order.
pub const PRESETS: &[BuiltinFile] = Preset::BUILTIN;
/// The built-in themes, in order; the first is the default.
pub const THEMES: &[BuiltinFile] = Theme::BUILTIN;

/// The environment variable that selects a SIMD instruction set.
pub(crate) const SIMD: &str = "FLOCKSCOPE_SIMD";

/// The seed of the running flock.
static CURRENT_SEED: Mutex<Option<u64>> = Mutex::new(None);

/// A random seed of at most 32 bits, short enough to type.
pub(crate) fn random_seed() -> u64 {
    let number = SysRng.try_next_u32().unwrap_or_else(|_| {
        // Without a system source of randomness, use the clock.
        SystemTime::UNIX_EPOCH.elapsed().map_or(1, |age| age.subsec_nanos())
    });
    u64::from(number)
}

/// Sets the seed of the running flock, for crash reports.
pub(crate) fn set_current_seed(seed: u64) {
    if let Ok(mut current) = CURRENT_SEED.lock() {
        *current = Some(seed);
    }
}

/// The seed of the running flock. Never blocks, since the caller may be handling a panic.
pub(crate) fn current_seed() -> Option<u64> {
    CURRENT_SEED.try_lock().ok().and_then(|current| *current)
}

/// The SIMD instruction set from [`SIMD`], or else the fastest of this machine. It does not affect results.
pub(crate) fn simd() -> Result<Simd, InputError> {
    let Some(name) = std::env::var_os(SIMD).filter(|name| !name.is_empty()) else { return Ok(Simd::fastest()) };
    let name = name.to_string_lossy().escape_debug().to_string();
    Simd::named(&name)
        .map_err(|error| InputError::Environment { variable: format!("{SIMD}={name}"), message: error.to_string() })
}
