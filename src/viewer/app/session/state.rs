//! What the engine is to reach: the desired state, and the requests on their way to it.

use crate::engine::{Frame, Request};
use crate::sim::{Params, Pointer, Setup, World, Zone};

/// The state of the flock and of the clock once the engine has handled all requests.
#[derive(Debug)]
pub struct DesiredState {
    /// The parameters; during a morph, its target.
    pub params: Params,
    /// The parameters of the current tick.
    pub current_params: Params,
    /// The number of boids, including caught ones.
    pub boids: usize,
    /// The number of predators.
    pub predators: usize,
    /// The random seed.
    pub seed: u64,
    /// The world.
    pub world: World,
    /// The zones in the world.
    pub zones: Vec<Zone>,
    /// The pointer, while it attracts or repels.
    pub pointer: Option<Pointer>,
    /// Ticks per second.
    pub rate: f32,
    /// Whether the simulation is paused.
    pub paused: bool,
}

impl DesiredState {
    /// The state of a new flock, which runs.
    pub fn of_setup(setup: &Setup, rate: f32) -> Self {
        Self {
            params: setup.params,
            current_params: setup.params,
            boids: setup.boids,
            predators: setup.predators,
            seed: setup.seed,
            world: setup.world,
            zones: setup.zones.clone(),
            pointer: None,
            rate,
            paused: false,
        }
    }

    /// Takes over the engine's state.
    pub fn update(&mut self, frame: &Frame) {
        (self.params, self.world) = frame.morph_target;
        self.current_params = frame.params;
        self.zones.clone_from(&frame.zones);
        self.pointer = frame.pointer;
        self.boids = frame.boids + frame.caught;
        self.predators = frame.predators;
        self.seed = frame.seed;
        self.rate = frame.rate;
        self.paused = frame.paused;
    }
}

/// The requests that have not been sent, and the number of those that have.
#[derive(Debug, Default)]
pub struct RequestQueue {
    pending: Vec<Request>,
    sent: u64,
    /// The number of the last refused request.
    refused: u64,
}

impl RequestQueue {
    /// Appends a request.
    pub fn push(&mut self, request: Request) {
        self.pending.push(request);
    }

    /// Takes the pending requests in order to send them.
    pub fn take(&mut self) -> Vec<Request> {
        self.sent += self.pending.len() as u64;
        std::mem::take(&mut self.pending)
    }

    /// Whether a frame reflects all requests.
    pub fn is_settled(&self, frame: &Frame) -> bool {
        frame.requests_done == self.sent && self.pending.is_empty()
    }

    /// The reason for a refusal that no earlier frame has reported.
    pub fn refusal(&mut self, frame: &Frame) -> Option<String> {
        let (number, reason) = frame.last_error.as_ref().filter(|(number, _)| *number > self.refused)?;
        self.refused = *number;
        Some(reason.clone())
    }
}
