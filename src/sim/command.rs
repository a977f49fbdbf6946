//! What can be asked of a flock while it flies.

use super::{Pointer, Setup, Value, World, Zone};

/// A desired that changes a flock between two ticks. A refused one changes nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Gives the tunable with this key a value.
    SetParam(String, Value),
    /// Makes the boids this many, those who are gone among them. Those that stay keep their ids; of too many, the newest go.
    SetBoids(usize),
    /// Makes the predators this many, likewise.
    SetPredators(usize),
    /// Begins again from another seed, with the rules, counts and world of now.
    Reseed(u64),
    /// Begins again from the same seed.
    Restart,
    /// Gives the world another size; who stands outside is brought in. Spots are too, and those that
    /// no longer fit, or come too near to another, are dropped.
    Resize(World),
    /// Puts an obstacle, food or a roost into the world; it becomes the last of the zones. SetBoids under
    /// an obstacle go to its rim.
    AddZone(Zone),
    /// Moves the zone of this number, counted from 0.
    MoveZone(usize, [f32; 3]),
    /// Takes the zone of this number away.
    RemoveZone(usize),
    /// Becomes a flock of this setup, but for its seed and its tick, over so many ticks; nothing jumps on the way.
    Morph(Box<Setup>, u32),
    /// Holds a pointer over the flock, or lifts it.
    SetPointer(Option<Pointer>),
}
