//! The values that a user controls.

use crate::sim::{Flock, Params, Pointer, Setup, World, Zone};

/// The values that a user controls.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    /// The parameters; during a morph, those at its end.
    pub params: Params,
    /// The parameters of the current tick.
    pub current_params: Params,
    /// The world; during a morph, the one at its end.
    pub world: World,
    /// The number of boids, including caught ones.
    pub boids: usize,
    /// The number of predators.
    pub predators: usize,
    /// The seed of the run.
    pub seed: u64,
    /// The zones of the world.
    pub zones: Vec<Zone>,
    /// The pointer, while it attracts or repels.
    pub pointer: Option<Pointer>,
    /// The requested tick rate, in ticks per second.
    pub rate: f32,
    /// Whether the engine is paused.
    pub paused: bool,
    /// Whether ticks run backward.
    pub backward: bool,
}

impl Controls {
    /// The values of a new flock, which runs at a tick rate.
    #[must_use]
    pub fn of_setup(setup: Setup, rate: f32) -> Self {
        let Setup { params, world, boids, predators, seed, zones, .. } = setup;
        Self {
            params,
            current_params: params,
            world,
            boids,
            predators,
            seed,
            zones,
            pointer: None,
            rate,
            paused: false,
            backward: false,
        }
    }

    /// Takes over the values of a flock.
    pub(super) fn follow(&mut self, flock: &Flock) {
        let (params, world) = flock.morph_target();
        let Self { rate, paused, backward, .. } = *self;
        let pointer = flock.pointer();
        *self = Self { params: *params, world, pointer, paused, backward, ..Self::of_setup(flock.setup(), rate) };
    }
}
