//! Files that the user writes: TOML documents, the config file, and presets and themes by name.

mod config_file;
mod document;
mod user_files;

pub use config_file::{ConfigFile, KeyBinding, KeyBindings, OptionEntry, ParamEntry, PresetEntry, SpannedText};
pub use document::{Document, atomic_file, refuse_setuid, remove_temp_files};
pub(super) use document::{Entry, entries, scalar_text, suggest_param};
pub(super) use user_files::save;
pub use user_files::{BuiltinFile, NamedFile};
