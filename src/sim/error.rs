//! Errors of the simulation.

use thiserror::Error;

/// Why a setup or a [`Command`](super::Command) is invalid. The flock is unchanged.
#[derive(Clone, Debug, Error, PartialEq)]
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

    /// A combination of parameters, or of parameters and world, is impossible.
    #[error("{0}")]
    Conflict(String),

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
