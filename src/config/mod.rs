//! Presets, themes, colors, the config file, and errors in them.

mod environment;
mod errors;
mod files;
mod presets;
mod themes;

pub use crate::terminal::{Rgb, ThemeColor};
pub(crate) use environment::{SIMD, current_seed, random_seed, set_current_seed, simd};
pub use errors::{ConfigError, escape_control};
pub(crate) use errors::{did_you_mean, did_you_mean_or, is_closed_pipe, is_unprintable, nearest, shorten};
pub use files::{BuiltinFile, ConfigFile, KeyBindings, NamedFile, ParamEntry};
pub(crate) use files::{
    KeyBinding, OptionEntry, PresetEntry, SpannedText, atomic_file, refuse_setuid, remove_temp_files,
};
pub(crate) use presets::PresetSetting;
pub(crate) use presets::with_users;
pub(crate) use presets::{
    FlockFile, RATE_RANGE, ReproduceCommand, ZoneDefinition, auto_world, shell_word, toml_list, toml_value,
};
pub use presets::{Preset, PresetSettings, WorldSize, toml_string};
pub(crate) use themes::SkyColor;
pub use themes::{Theme, ThemeColors};

/// The built-in presets, in order.
pub const PRESETS: &[BuiltinFile] = Preset::BUILTIN;
/// The built-in themes, in order; the first is the default.
pub const THEMES: &[BuiltinFile] = Theme::BUILTIN;
