//! What can be wrong with a flock's setup, or with a desired to change it.

use thiserror::Error;

/// Why a setup or a [`Command`](super::Command) was refused. The flock is as it was before.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// No tunable has this key.
    #[error("there is no parameter `{0}`")]
    UnknownKey(String),

    /// A number lies outside its row's range.
    #[error("{key} = {value} is out of range: it takes {range}")]
    OutOfRange {
        /// The tunable's key.
        key: &'static str,
        /// The value asked for, as written.
        value: String,
        /// What would be right.
        range: String,
    },

    /// A value of the wrong kind: a word where a number belongs, or an unknown choice.
    #[error("{key} = {value} is not {expected}")]
    WrongKind {
        /// The tunable's key.
        key: &'static str,
        /// The value asked for, as written.
        value: String,
        /// What would be right.
        expected: String,
    },

    /// Two tunables, or a tunable and the world, that do not go together.
    #[error("{0}")]
    Conflict(String),

    /// A count outside its range.
    #[error("{what} = {value} is out of range: it takes {least} to {most}")]
    Count {
        /// `boids` or `predators`.
        what: &'static str,
        /// The count asked for.
        value: usize,
        /// The least.
        least: usize,
        /// The most.
        most: usize,
    },

    /// A world whose text or size makes no sense.
    #[error(
        "a world of `{0}` is not to be had: it is WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH with sides from 1 to 1000000, or round:RADIUS"
    )]
    World(String),

    /// A zone, or a pointer, that cannot be where it was asked for.
    #[error("{0}")]
    Zone(String),

    /// A state that cannot be this flock's.
    #[error("{0}")]
    State(String),

    /// A kind of SIMD that there is not, or that this machine lacks.
    #[error("this machine has no SIMD of kind `{name}`; it has {available}")]
    Simd {
        /// The name asked for.
        name: String,
        /// The names that would be right.
        available: String,
    },
}
