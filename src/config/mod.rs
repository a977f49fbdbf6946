//! Presets, themes, colors, the config file, and errors in them.

mod environment;
mod errors;
mod files;
mod presets;
mod themes;

pub use environment::{SIMD, current_seed, random_seed, set_current_seed, simd};
pub use errors::{ConfigError, did_you_mean, did_you_mean_or, escape_control, is_closed_pipe, nearest, shorten};
pub use files::{
    Catalog, ConfigFile, Document, KeyBinding, KeyBindings, NamedFile, OptionEntry, ParamEntry, SpannedText,
    atomic_file, remove_temp_files,
};
pub(crate) use presets::auto_world;
pub use presets::{
    FlockFile, Preset, RATE_RANGE, ReproduceCommand, WorldSize, ZoneDefinition, toml_list, toml_string, toml_value,
};
pub use themes::{Rgb, SkyColor, Theme, ThemeColor, ThemeColors};

/// Names and texts of the built-in presets.
pub const PRESETS: &[(&str, &str)] = Preset::BUILTIN;
/// Names and texts of the built-in themes; the first is the default.
pub const THEMES: &[(&str, &str)] = Theme::BUILTIN;
