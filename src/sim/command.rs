//! What can be asked of a flock while it flies.

use super::{Pointer, Setup, Spot, Value, World};

/// A wish that changes a flock between two ticks. A refused one changes nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Gives the tunable with this key a value.
    Set(String, Value),
    /// Makes the boids this many, those who are gone among them. Those that stay keep their ids; of too many, the newest go.
    Boids(usize),
    /// Makes the predators this many, likewise.
    Predators(usize),
    /// Begins again from another seed, with the rules, counts and world of now.
    Reseed(u64),
    /// Begins again from the same seed.
    Restart,
    /// Gives the world another size; who stands outside is brought in. Spots are too, and those that
    /// no longer fit, or come too near to another, are dropped.
    Resize(World),
    /// Puts an obstacle, food or a roost into the world; it becomes the last of the spots. Boids under
    /// an obstacle go to its rim.
    Place(Spot),
    /// Moves the spot of this number, counted from 0.
    Shift(usize, [f32; 3]),
    /// Takes the spot of this number away.
    Remove(usize),
    /// Becomes a flock of this setup, but for its seed and its tick, over so many ticks; nothing jumps on the way.
    Morph(Box<Setup>, u32),
    /// Holds a pointer over the flock, or lifts it.
    Point(Option<Pointer>),
}
