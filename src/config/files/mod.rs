//! Files.

pub(crate) mod atomic_file;
pub(crate) mod config_file;
pub(crate) mod document;
pub(crate) mod key_bindings;
pub(crate) mod source;
pub mod user_files;
