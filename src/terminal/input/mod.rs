//! Input.

#[cfg(unix)]
pub(crate) mod decoder;
#[cfg(unix)]
pub(crate) mod escape_splitter;
pub(crate) mod event_queue;
pub(crate) mod reader;
