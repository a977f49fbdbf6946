//! What a person can set up: presets, themes and keys, by name or as a file, and how errors in them read.

pub(crate) mod errors;
pub mod files;
pub(crate) mod presets;
pub(crate) mod seed;
pub(crate) mod simd;
pub(crate) mod themes;

pub use errors::error::{Error, is_closed_pipe};
pub use errors::excerpt::{escape_control, shorten};
pub use errors::suggest::{did_you_mean, did_you_mean_or, nearest};
pub use files::atomic_file::{atomic_file, remove_temp_files};
pub use files::config_file::{ConfigFile, OptionEntry, ParamEntry};
pub use files::key_bindings::{KeyBinding, KeyBindings, SpannedText};
pub use files::user_files::Catalog;
pub(crate) use presets::preset::room;
pub use presets::preset::{BUILTIN as PRESETS, Preset, RATE_RANGE};
pub use presets::reproduce::{FlockFile, ReproduceCommand};
pub use presets::world_size::WorldSize;
pub use presets::writer::{toml_string, written};
pub use presets::zones::ZoneDefinition;
pub use seed::{current_seed, random_seed, set_current_seed};
pub use simd::{SIMD, simd};
pub use themes::theme::{BUILTIN as THEMES, Rgb, SkyColor, Theme, ThemeColor, ThemeColors};
