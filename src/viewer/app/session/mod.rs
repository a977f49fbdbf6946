//! The desired state of the flock, and the requests that bring the engine there.

pub(crate) mod params;
pub(crate) mod past;
pub(crate) mod state;
pub(crate) mod undo;

use std::mem;

use super::timeline::{RunOrigin, starts_run};
use crate::config::{FlockFile, Preset, RATE_RANGE, ReproduceCommand, WorldSize, ZoneDefinition, set_current_seed};
use crate::engine::{Clock, Frame, Request};
use crate::sim::{Command, MAX_BOIDS, MAX_PREDATORS, Params, Pointer, Setup, Zone};
use state::{DesiredState, RequestQueue};
use undo::UndoStack;

/// The desired state, where it comes from, and the requests that lead to it.
#[derive(Debug)]
pub struct Session {
    /// The preset that gauges are relative to.
    pub preset: Preset,
    /// Options from the environment and the config file, which the reproduce command must override.
    pub named: Vec<String>,
    /// The changes that can be undone.
    pub undo_stack: UndoStack,
    state: DesiredState,
    queue: RequestQueue,
    /// The file that the first flock was loaded from.
    input: Option<FlockFile>,
    /// The area in u² of a world that takes the shape of the canvas.
    auto_area: Option<f32>,
    /// The shape (width / height) that such a world takes at the end of the session.
    aspect_ratio: Option<f32>,
    /// The preset at the start, and the area of its world.
    start: (Preset, Option<f32>),
    /// The run and the rules of the last settled frame.
    known_rules: Option<(u64, Params)>,
    /// The number of the last change of the flock that no frame confirms, and whether it starts a run.
    unconfirmed: Option<(u64, bool)>,
    /// The tick of a new branch that has not been reported.
    new_branch: Option<u64>,
    /// Whether no settled frame shows that the last branch was started.
    is_branch_open: bool,
}

impl Session {
    /// The session of a flock with this setup.
    pub fn new(preset: Preset, setup: &Setup, world_is_auto: bool, rate: f32, input: Option<FlockFile>) -> Self {
        let auto_area = world_is_auto.then_some(preset.area * setup.boids as f32);
        Self {
            start: (preset.clone(), auto_area),
            preset,
            named: Vec::new(),
            undo_stack: UndoStack::default(),
            state: DesiredState::of_setup(setup, rate),
            queue: RequestQueue::default(),
            input,
            auto_area,
            aspect_ratio: None,
            known_rules: None,
            unconfirmed: None,
            new_branch: None,
            is_branch_open: false,
        }
    }

    /// The state once the engine has handled all requests.
    pub fn state(&self) -> &DesiredState {
        &self.state
    }

    /// Takes the pending requests.
    pub fn requests(&mut self) -> Vec<Request> {
        self.queue.take()
    }

    /// Queues a request. In the past, one that changes the flock starts a branch.
    pub(super) fn request(&mut self, request: Request) {
        let starts_run = match &request {
            Request::Flock(command) => Some(starts_run(command)),
            Request::NewFlock(_) => Some(true),
            Request::Clock(_) | Request::Canvas(_) | Request::Fps(_) => None,
        };
        if starts_run.is_some() && self.state.is_past() {
            self.start_branch(matches!(request, Request::Flock(Command::SetParam(..))));
        }
        let number = self.queue.push(request);
        self.unconfirmed = starts_run.map(|starts_run| (number, starts_run)).or(self.unconfirmed);
    }

    /// Whether a change of the flock is on its way to the engine.
    pub fn is_changing(&self) -> bool {
        self.unconfirmed.is_some()
    }

    /// Whether a frame reflects all requests.
    pub fn is_settled(&self, frame: &Frame) -> bool {
        self.queue.is_settled(frame)
    }

    /// Takes over the engine's state from a settled frame. Returns the reason for a new refusal.
    pub fn on_frame(&mut self, frame: &Frame) -> Option<String> {
        self.unconfirmed.take_if(|(number, _)| *number <= frame.requests_done);
        if self.is_settled(frame) {
            // The engine refused the change, or had reached the end.
            if mem::take(&mut self.is_branch_open) && frame.position.branches < self.state.position.branches {
                self.undo_stack.retract_branch();
            }
            if self.state.seed != frame.seed {
                set_current_seed(frame.seed);
            }
            self.state.update(frame);
            self.fit_world();
        }
        self.queue.refusal(frame)
    }

    /// The command that reproduces this flock, whose run began like this before the latest changes.
    pub fn reproduce_command(&self, before: RunOrigin) -> ReproduceCommand<'_> {
        let run = match self.unconfirmed {
            Some((_, true)) => RunOrigin { is_first: false, is_changed: false },
            Some((_, false)) => RunOrigin { is_changed: true, ..before },
            None => before,
        };
        ReproduceCommand {
            preset: &self.preset,
            seed: self.state.seed,
            boids: self.state.boids,
            predators: self.state.predators,
            world: self.state.world,
            rate: self.state.rate,
            params: &self.state.params,
            zones: &self.state.zones,
            input: self.input.as_ref().filter(|_| run.is_first),
            named: &self.named,
            changed: run.is_changed,
        }
    }

    /// The current flock as a user preset.
    pub fn to_preset(&self, name: &str) -> Preset {
        let source = match &self.preset {
            own if own.name == name => own.source.clone(),
            other => format!("based on {}", other.name),
        };
        let DesiredState { boids, predators, rate, params, world, .. } = self.state;
        let [width, height, _] = world.size();
        Preset {
            name: name.to_owned(),
            origin: name.to_owned(),
            source,
            boids,
            predators,
            world: if self.auto_area.is_some() { WorldSize::Auto } else { WorldSize::Fixed(world) },
            area: self.auto_area.unwrap_or(width * height) / boids as f32,
            rate,
            params,
            zone_definitions: self.state.zones.iter().map(|zone| ZoneDefinition::of(zone, &world)).collect(),
            from_user: true,
            ..self.preset.clone()
        }
    }

    /// Switches to another preset: morphs the flock if both worlds are alike, else starts a new one with the current
    /// seed. A world of automatic size takes `aspect_ratio`.
    pub fn load_preset(&mut self, preset: Preset, aspect_ratio: f32) {
        let DesiredState { seed, world, params, current_params, pointer, paused, position, .. } = self.state;
        let mut setup = preset.setup(seed, aspect_ratio);
        // The user's morph time applies to all presets.
        if params.change != self.preset.params.change {
            setup.params.change = params.change;
        }
        let ticks = (setup.params.change.morph * preset.rate).round() as u32;
        let morphs = ticks > 0 && world.same_shape(&setup.world);
        let current_params = if morphs { current_params } else { setup.params };
        let state = DesiredState::of_setup(&setup, preset.rate);
        self.state = DesiredState { current_params, pointer, paused, position, ..state };
        self.auto_area = (preset.world == WorldSize::Auto).then_some(preset.area * setup.boids as f32);
        self.undo_stack.forget_params();
        let setup = Box::new(setup);
        self.request(if morphs { Request::Flock(Command::Morph(setup, ticks)) } else { Request::NewFlock(setup) });
        self.request(Request::Clock(Clock::Rate(preset.rate)));
        self.preset = preset;
    }

    /// Restarts with another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.state.seed = seed;
        set_current_seed(seed);
        self.request(Request::Flock(Command::Reseed(seed)));
    }

    /// Restarts with the same seed.
    pub fn restart(&mut self) {
        self.request(Request::Flock(Command::Restart));
    }

    /// Sets the number of boids, clamped to its range. Returns whether it changed.
    pub fn set_boids(&mut self, boids: usize) -> bool {
        let boids = boids.clamp(1, MAX_BOIDS);
        let changed = mem::replace(&mut self.state.boids, boids) != boids;
        if changed {
            self.request(Request::Flock(Command::SetBoids(boids)));
        }
        changed
    }

    /// Sets the number of predators, clamped to its range. Returns whether it changed.
    pub fn set_predators(&mut self, predators: usize) -> bool {
        let predators = predators.min(MAX_PREDATORS);
        let changed = mem::replace(&mut self.state.predators, predators) != predators;
        if changed {
            self.request(Request::Flock(Command::SetPredators(predators)));
        }
        changed
    }

    /// Sets or removes the pointer.
    pub fn set_pointer(&mut self, pointer: Option<Pointer>) {
        if mem::replace(&mut self.state.pointer, pointer) != pointer {
            self.request(Request::Flock(Command::SetPointer(pointer)));
        }
    }

    /// Adds a zone and returns its index.
    pub fn add_zone(&mut self, zone: Zone) -> usize {
        self.state.zones.push(zone);
        self.request(Request::Flock(Command::AddZone(zone)));
        self.state.zones.len() - 1
    }

    /// Moves a zone.
    pub fn move_zone(&mut self, index: usize, center: [f32; 3]) {
        if let Some(zone) = self.state.zones.get_mut(index).filter(|zone| zone.center != center) {
            zone.center = center;
            self.request(Request::Flock(Command::MoveZone(index, center)));
        }
    }

    /// Removes a zone and returns it.
    pub fn remove_zone(&mut self, index: usize) -> Option<Zone> {
        let zone = (index < self.state.zones.len()).then(|| self.state.zones.remove(index))?;
        self.request(Request::Flock(Command::RemoveZone(index)));
        Some(zone)
    }

    /// Pauses, resumes, moves through the session, or changes the tick rate.
    pub fn control_clock(&mut self, clock: Clock) {
        self.state.control_clock(clock);
        self.request(Request::Clock(clock));
    }

    /// Sets the tick rate, clamped to its range.
    pub fn set_rate(&mut self, rate: f32) {
        let rate = rate.clamp(RATE_RANGE.0, RATE_RANGE.1);
        if rate != self.state.rate {
            self.control_clock(Clock::Rate(rate));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::params::HistoryOutcome;
    use super::*;
    use crate::sim::{Param, Value, World};

    pub(super) fn session(preset: &str) -> Session {
        let preset = Preset::load(preset).unwrap();
        let setup = preset.setup(7, 1.6);
        let rate = preset.rate;
        Session::new(preset, &setup, false, rate, None)
    }

    pub(super) fn load(session: &mut Session, preset: &str) -> Request {
        session.load_preset(Preset::load(preset).unwrap(), 1.6);
        session.requests().remove(0)
    }

    #[test]
    fn presets_with_like_worlds_morph() {
        let mut session = session("drones");
        let morphs = |request: Request| match request {
            Request::Flock(Command::Morph(_, ticks)) => Some(ticks),
            Request::NewFlock(_) => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(morphs(load(&mut session, "sparrows")), Some(30));
        assert_eq!(morphs(load(&mut session, "sphere")), None);
        load(&mut session, "drones");
        session.set(Param::find("morph").unwrap(), Value::Number(0.0)).unwrap();
        session.requests();
        // The morph time carries over.
        assert_eq!((morphs(load(&mut session, "parker")), session.state.params.change.morph), (None, 0.0));
    }

    #[test]
    fn a_small_world_keeps_room_between_its_margins() {
        let mut session = session("starlings");
        session.auto_area = Some(1000.0);
        for aspect_ratio in [0.2, 1.0, 5.0] {
            session.resize(aspect_ratio);
            let [width, height, _] = session.state.world.size();
            assert!(width.min(height) > 3.9 * session.state.params.edge.margin, "{width} {height}");
        }
        session.auto_area = Some(1e6);
        session.resize(1.0);
        assert_eq!(session.state.world, World::of_area(1e6, 1.0));
    }

    #[test]
    fn loading_a_preset_clears_undo() {
        let mut session = session("drones");
        session.set(Param::find("speed.max").unwrap(), Value::Number(9.0)).unwrap();
        load(&mut session, "parker");
        assert_eq!((session.undo(), session.redo()), (HistoryOutcome::Nothing, HistoryOutcome::Nothing));
    }

    #[test]
    fn to_preset_keeps_the_current_flock() {
        let mut session = session("drones");
        session.set_boids(40);
        session.set_rate(30.0);
        session.set(Param::find("speed.max").unwrap(), Value::Number(9.0)).unwrap();
        let preset = session.to_preset("mine");
        let again = Preset::from_text("mine", &preset.text()).unwrap();
        assert_eq!((again.boids, again.rate, again.params), (40, 30.0, session.state.params));
        assert_eq!((again.source.as_str(), again.setup(1, 1.0).world), ("based on drones", session.state.world));
    }
}
