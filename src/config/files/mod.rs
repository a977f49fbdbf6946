//! Files that the user writes: TOML documents, the config file, and presets and themes by name.

mod config_file;
mod document;
mod io;
mod key_bindings;
mod user_files;

pub use config_file::{ConfigFile, OptionEntry, ParamEntry};
pub use document::Document;
pub(super) use document::{Entry, entries, scalar_text, suggest_param};
pub use io::{atomic_file, remove_temp_files};
pub use key_bindings::{KeyBinding, KeyBindings, SpannedText};
pub(super) use user_files::save;
pub use user_files::{Catalog, NamedFile};
