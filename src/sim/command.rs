//! Commands that change a flock between two ticks.

use super::{Pointer, Setup, Value, World, Zone};

/// A change to a flock, applied with [`Flock::apply`](super::Flock::apply). An invalid one has no effect.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Sets the parameter with this key.
    SetParam(String, Value),
    /// Sets the number of boids, caught ones included. Existing boids keep their ids; the newest are removed first.
    SetBoids(usize),
    /// Sets the number of predators, in the same way.
    SetPredators(usize),
    /// Restarts with another seed and the current parameters, counts and world.
    Reseed(u64),
    /// Restarts with the same seed.
    Restart,
    /// Changes the size of the world. Agents and zones outside move inside; zones that no longer fit are dropped.
    Resize(World),
    /// Adds a zone at the end of the list. Boids under an obstacle move to its surface.
    AddZone(Zone),
    /// Moves the center of the zone with this number, counted from 0.
    MoveZone(usize, [f32; 3]),
    /// Removes the zone with this number.
    RemoveZone(usize),
    /// Changes smoothly to another setup, without its seed, over this many ticks.
    Morph(Box<Setup>, u32),
    /// Sets or removes the pointer.
    SetPointer(Option<Pointer>),
}
