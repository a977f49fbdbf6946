//! Presets: the parameters and the initial state of a flock under a name.

mod preset;
mod reproduce;
mod settings;
mod world;
mod writer;

pub(crate) use preset::with_users;
pub use preset::{Preset, RATE_RANGE};
pub(crate) use reproduce::shell_word;
pub use reproduce::{FlockFile, ReproduceCommand};
pub use settings::{PresetSetting, PresetSettings};
pub(crate) use world::auto_world;
pub use world::{WorldSize, ZoneDefinition};
pub use writer::{toml_list, toml_string, toml_value};
