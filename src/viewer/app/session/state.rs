//! What the engine is to reach: the desired state, and the requests on their way to it.

use crate::engine::{Clock, Frame, Request, SessionPosition};
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
    /// The place in the session.
    pub position: SessionPosition,
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
            position: SessionPosition::default(),
        }
    }

    /// Whether a change of the flock replaces what follows. A change waits until a move to another tick is done.
    pub fn is_past(&self) -> bool {
        self.target() < self.position.last
    }

    /// The tick that is being moved to, or the current one.
    pub fn target(&self) -> u64 {
        self.position.seeking.map_or(self.position.tick, |(target, _)| target)
    }

    /// Follows a request for the flow of time.
    pub fn control_clock(&mut self, clock: Clock) {
        let target = self.target();
        let position = &mut self.position;
        position.backward &= matches!(clock, Clock::Rate(_) | Clock::Skip(_) | Clock::Seek(_) | Clock::CancelSeek);
        match clock {
            Clock::Pause(paused) => self.paused = paused,
            Clock::Step => {
                self.paused = true;
                position.last = position.last.max(target + 1);
                self.move_to(target + 1);
            }
            Clock::Back => {
                self.paused = true;
                self.move_to(target.saturating_sub(1));
            }
            Clock::Skip(ticks) => self.move_to(target.saturating_add_signed(ticks)),
            Clock::Seek(tick) => self.move_to(tick),
            Clock::CancelSeek => position.seeking = None,
            Clock::Backward => (self.paused, position.backward) = (false, true),
            Clock::UndoBranch | Clock::RedoBranch => {
                self.paused = true;
                position.branches += 1;
                // What follows is not known yet.
                position.last = position.last.max(position.tick + 1);
            }
            Clock::Rate(rate) => self.rate = rate,
        }
    }

    fn move_to(&mut self, tick: u64) {
        let position = &mut self.position;
        position.tick = tick.clamp(position.first, position.last);
        position.seeking = None;
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
        self.position = frame.position;
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
    /// Appends a request and returns its number, counted from 1.
    pub fn push(&mut self, request: Request) -> u64 {
        self.pending.push(request);
        self.sent + self.pending.len() as u64
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
