//! Presets: the parameters and the initial state of a flock under a name.

mod preset;
mod reproduce;
mod world;
mod writer;
mod zones;

pub use preset::{Preset, RATE_RANGE};
pub use reproduce::{FlockFile, ReproduceCommand};
pub use world::WorldSize;
pub(crate) use world::auto_world;
pub use writer::{toml_list, toml_string, toml_value};
pub use zones::ZoneDefinition;
