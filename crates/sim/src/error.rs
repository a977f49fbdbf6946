//! Errors of the simulation.

use std::fmt;

use thiserror::Error;

/// Why a setup or a [`Command`](super::Command) is invalid. The flock is unchanged. Its `Debug` form is the message too, so that `main` can
/// return it.
#[derive(Clone, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// No parameter has this key.
    #[error("unknown parameter `{0}`")]
    UnknownKey(String),

    /// A number is outside the range of its parameter.
    #[error("{key} = {value} is out of range: expected {range}")]
    OutOfRange {
        /// Key of the parameter.
        key: &'static str,
        /// The value as written.
        value: String,
        /// The accepted values.
        range: String,
    },

    /// A value has the wrong type, or is an unknown word.
    #[error("{key} = {value} is invalid: expected {expected}")]
    WrongKind {
        /// Key of the parameter.
        key: &'static str,
        /// The value as written.
        value: String,
        /// The accepted values.
        expected: String,
    },

    /// A combination of parameters, counts and world is impossible.
    #[error(transparent)]
    Conflict(#[from] Conflict),

    /// A count is out of range.
    #[error("{what} = {value} is out of range: expected {min} to {max}")]
    Count {
        /// `boids` or `predators`.
        what: &'static str,
        /// The requested count.
        value: usize,
        /// The smallest valid count.
        min: usize,
        /// The largest valid count.
        max: usize,
    },

    /// The system refuses the memory for a flock.
    #[error("not enough memory for {boids} boids: they need {} MB more", bytes.div_ceil(1_000_000))]
    Memory {
        /// The requested number of boids.
        boids: usize,
        /// The memory that is missing, in bytes.
        bytes: usize,
    },

    /// The text or size of a world is invalid.
    #[error(
        "invalid world `{0}`: expected WIDTHxHEIGHT, WIDTHxHEIGHTxDEPTH or round:RADIUS, with lengths from 1 to 1000000"
    )]
    World(String),

    /// A zone or a pointer is invalid in this world.
    #[error("{0}")]
    Zone(String),

    /// A saved state does not fit the setup.
    #[error("{0}")]
    State(String),

    /// An unknown SIMD kind, or one that this machine lacks.
    #[error("SIMD kind `{name}` is not available on this machine: expected {available}")]
    Simd {
        /// The requested name.
        name: String,
        /// The available names.
        available: String,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error {
    /// The keys of the settings in question.
    pub fn keys(&self) -> &[&'static str] {
        match self {
            Self::OutOfRange { key, .. } | Self::WrongKind { key, .. } | Self::Count { what: key, .. } => {
                std::slice::from_ref(key)
            }
            Self::Conflict(conflict) => &conflict.keys,
            Self::Memory { .. } => &["boids"],
            Self::UnknownKey(_) | Self::World(_) | Self::Zone(_) | Self::State(_) | Self::Simd { .. } => &[],
        }
    }
}

/// A combination of settings that is impossible.
#[derive(Clone, Debug, Default, Error, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// What is impossible.
    pub what: String,
    /// What would be valid; empty if that is obvious.
    pub advice: String,
    /// The keys of the settings that contradict each other: parameters and `predators`.
    pub keys: Vec<&'static str>,
    /// Whether the shape of the world is part of it.
    pub has_world: bool,
    /// The key of a parameter that the model does not use.
    pub unused: Option<&'static str>,
}

impl Conflict {
    pub(crate) fn new(keys: &[&'static str], what: String) -> Self {
        Self { what, keys: keys.to_vec(), ..Self::default() }
    }

    pub(crate) fn with_world(self) -> Self {
        Self { has_world: true, ..self }
    }

    /// The same with this advice.
    #[must_use]
    pub fn with_advice(self, advice: String) -> Self {
        Self { advice, ..self }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.advice.is_empty() { "" } else { "; " };
        write!(out, "{}{separator}{}", self.what, self.advice)
    }
}
