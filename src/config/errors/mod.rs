//! Errors.

pub(crate) mod error;
pub(crate) mod excerpt;
pub(crate) mod suggest;
