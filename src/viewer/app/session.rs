//! The desired state of the flock, and the requests that bring the engine there.

use std::time::Instant;

use super::undo::{ParamChange, UndoStack};
use crate::canvas::CanvasFormat;
use crate::config::{FlockFile, Preset, RATE_RANGE, ReproduceCommand, WorldSize, ZoneDefinition};
use crate::config::{auto_world, set_current_seed};
use crate::engine::{Clock, Frame, Request};
use crate::sim::{Command, Error, MAX_BOIDS, MAX_PREDATORS, Param, Params, Pointer, Setup, Value, World, Zone};

/// The desired state: the flock once the engine has handled all requests.
#[derive(Debug)]
pub struct Session {
    /// The preset that gauges are relative to.
    preset: Preset,
    /// The file that the flock was loaded from, until a restart.
    input: Option<FlockFile>,
    /// The parameters; during a morph, its target.
    params: Params,
    /// The parameters of the current tick.
    current_params: Params,
    undo: UndoStack,
    /// Whether the flock morphed here from another preset.
    morphed: bool,
    /// Whether the flock was changed since it started.
    changed: bool,
    /// The number of boids, including caught ones.
    boids: usize,
    predators: usize,
    seed: u64,
    world: World,
    zones: Vec<Zone>,
    pointer: Option<Pointer>,
    /// The area in u² of a world that takes the shape of the canvas.
    auto_area: Option<f32>,
    /// Ticks per second.
    rate: f32,
    paused: bool,
    /// Options from the environment and the config file, which the reproduce command must override.
    named: Vec<String>,
    /// Requests that have not been sent.
    pending: Vec<Request>,
    /// How many requests have been sent.
    sent: u64,
    /// The number of the last refused request.
    refused: u64,
}

impl Session {
    /// The session of a flock with this setup.
    #[must_use]
    pub fn new(preset: Preset, setup: &Setup, world_is_auto: bool, rate: f32, input: Option<FlockFile>) -> Self {
        let auto_area = world_is_auto.then_some(preset.area * setup.boids as f32);
        Self {
            preset,
            input,
            params: setup.params,
            current_params: setup.params,
            undo: UndoStack::default(),
            morphed: false,
            changed: false,
            boids: setup.boids,
            predators: setup.predators,
            seed: setup.seed,
            world: setup.world,
            zones: setup.zones.clone(),
            pointer: None,
            auto_area,
            rate,
            paused: false,
            named: Vec::new(),
            pending: Vec::new(),
            sent: 0,
            refused: 0,
        }
    }

    /// The preset that gauges are relative to.
    #[must_use]
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The parameters; during a morph, its target.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The parameters of the current tick.
    #[must_use]
    pub fn current_params(&self) -> &Params {
        &self.current_params
    }

    /// The number of boids, including caught ones.
    #[must_use]
    pub fn boids(&self) -> usize {
        self.boids
    }

    /// The number of predators.
    #[must_use]
    pub fn predators(&self) -> usize {
        self.predators
    }

    /// The random seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> World {
        self.world
    }

    /// The zones in the world.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// Ticks per second.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// Whether the simulation is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Takes the pending requests.
    pub fn requests(&mut self) -> Vec<Request> {
        self.sent += self.pending.len() as u64;
        std::mem::take(&mut self.pending)
    }

    fn request(&mut self, request: Request) {
        self.changed = match request {
            Request::NewFlock(_) | Request::Flock(Command::Reseed(_) | Command::Restart | Command::Morph(..)) => false,
            Request::Flock(_) => true,
            Request::Clock(_) | Request::Canvas(_) | Request::Fps(_) => self.changed,
        };
        self.pending.push(request);
    }

    /// Whether a frame reflects all requests.
    #[must_use]
    pub fn is_settled(&self, frame: &Frame) -> bool {
        frame.requests_done == self.sent && self.pending.is_empty()
    }

    /// Takes over the engine's state from a settled frame. Returns the reason for a new refusal.
    pub fn on_frame(&mut self, frame: &Frame) -> Option<String> {
        if self.is_settled(frame) {
            (self.params, self.world) = frame.morph_target;
            self.current_params = frame.params;
            self.zones.clone_from(&frame.zones);
            self.pointer = frame.pointer;
            self.boids = frame.boids + frame.caught;
            self.predators = frame.predators;
            self.seed = frame.seed;
            self.paused = frame.paused;
            self.rate = frame.rate;
        }
        let (number, reason) = frame.last_error.as_ref().filter(|(number, _)| *number > self.refused)?;
        self.refused = *number;
        Some(reason.clone())
    }

    /// Sets the options that the reproduce command must override.
    pub fn set_named(&mut self, named: Vec<String>) {
        self.named = named;
    }

    /// The command that reproduces this flock.
    #[must_use]
    pub fn reproduce_command(&self) -> ReproduceCommand<'_> {
        ReproduceCommand {
            preset: &self.preset,
            seed: self.seed,
            boids: self.boids,
            predators: self.predators,
            world: self.world,
            rate: self.rate,
            params: &self.params,
            zones: &self.zones,
            input: self.input.as_ref(),
            named: &self.named,
            morphed: self.morphed,
            changed: self.changed,
        }
    }

    /// The current flock as a user preset.
    #[must_use]
    pub fn to_preset(&self, name: &str) -> Preset {
        let source = match &self.preset {
            own if own.name == name => own.source.clone(),
            other => format!("based on {}", other.name),
        };
        let [width, height, _] = self.world.size();
        let area = self.auto_area.unwrap_or(width * height) / self.boids as f32;
        Preset {
            name: name.to_owned(),
            origin: name.to_owned(),
            source,
            boids: self.boids,
            predators: self.predators,
            world: if self.auto_area.is_some() { WorldSize::Auto } else { WorldSize::Fixed(self.world) },
            area,
            rate: self.rate,
            params: self.params,
            zone_definitions: self.zones.iter().map(|zone| ZoneDefinition::of(zone, &self.world)).collect(),
            from_user: true,
            ..self.preset.clone()
        }
    }

    /// Requests another canvas format.
    pub fn request_canvas(&mut self, format: CanvasFormat) {
        self.request(Request::Canvas(format));
    }

    /// Fits a world of automatic size to a canvas of this aspect ratio (width / height).
    pub fn resize(&mut self, aspect_ratio: f32) {
        if let Some(area) = self.auto_area {
            let world = auto_world(area, aspect_ratio, &self.params);
            if world != self.world {
                self.world = world;
                self.request(Request::Flock(Command::Resize(world)));
            }
        }
    }

    /// Sets a parameter and records the change for undo.
    ///
    /// # Errors
    ///
    /// If the value is out of range or conflicts with other parameters.
    pub fn set(&mut self, param: &'static Param, value: Value) -> Result<(), Error> {
        let before = param.get(&self.params);
        self.apply(param, value)?;
        if before != value {
            self.undo.record(ParamChange { param, before, after: value }, Instant::now());
        }
        Ok(())
    }

    fn apply(&mut self, param: &'static Param, value: Value) -> Result<(), Error> {
        let mut params = self.params;
        params.set(param.key, value)?;
        params.check(&self.world)?;
        // During a morph the current value may differ from its target.
        if param.get(&self.params) != value || param.get(&self.current_params) != value {
            self.params = params;
            self.current_params.set(param.key, value)?;
            self.request(Request::Flock(Command::SetParam(param.key.to_owned(), value)));
        }
        Ok(())
    }

    /// Applies values that are valid together, whatever their order.
    fn apply_all(&mut self, values: &[(&'static Param, Value)]) {
        // The first pass may fail on a value that conflicts with one set later.
        for _ in 0..2 {
            for (param, value) in values {
                let _ = self.apply(param, *value);
            }
        }
    }

    /// Sets several parameters as one undo step.
    pub fn set_all(&mut self, values: &[(&'static Param, Value)]) {
        let before: Vec<Value> = values.iter().map(|(param, _)| param.get(&self.params)).collect();
        self.apply_all(values);
        self.undo.begin_group();
        for ((param, _), before) in values.iter().zip(before) {
            let after = param.get(&self.params);
            if before != after {
                self.undo.record(ParamChange { param, before, after }, Instant::now());
            }
        }
        self.undo.end_group();
    }

    /// Resets all parameters to the preset's values.
    pub fn reset_params(&mut self) {
        let home = self.preset.params;
        let values: Vec<_> = Param::table().iter().map(|param| (param, param.get(&home))).collect();
        self.set_all(&values);
    }

    /// Starts a group of changes that are undone together.
    pub fn begin_undo_group(&mut self) {
        self.undo.begin_group();
    }

    /// Ends the group.
    pub fn end_undo_group(&mut self) {
        self.undo.end_group();
    }

    /// Undoes the last step. Returns the restored values.
    pub fn undo(&mut self) -> Option<Vec<(&'static Param, Value)>> {
        let values = self.undo.undo()?.before();
        self.apply_all(&values);
        Some(values)
    }

    /// Redoes the last undone step. Returns the new values.
    pub fn redo(&mut self) -> Option<Vec<(&'static Param, Value)>> {
        let values = self.undo.redo()?.after();
        self.apply_all(&values);
        Some(values)
    }

    /// Sets or removes the pointer.
    pub fn set_pointer(&mut self, pointer: Option<Pointer>) {
        if pointer != self.pointer {
            self.pointer = pointer;
            self.request(Request::Flock(Command::SetPointer(pointer)));
        }
    }

    /// Adds a zone and returns its index.
    pub fn add_zone(&mut self, zone: Zone) -> usize {
        self.zones.push(zone);
        self.request(Request::Flock(Command::AddZone(zone)));
        self.zones.len() - 1
    }

    /// Moves a zone.
    pub fn move_zone(&mut self, index: usize, center: [f32; 3]) {
        if let Some(zone) = self.zones.get_mut(index).filter(|zone| zone.center != center) {
            zone.center = center;
            self.request(Request::Flock(Command::MoveZone(index, center)));
        }
    }

    /// Removes a zone and returns it.
    pub fn remove_zone(&mut self, index: usize) -> Option<Zone> {
        let zone = (index < self.zones.len()).then(|| self.zones.remove(index))?;
        self.request(Request::Flock(Command::RemoveZone(index)));
        Some(zone)
    }

    /// Pauses or resumes.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.request(Request::Clock(Clock::Pause(paused)));
    }

    /// Advances one tick and pauses.
    pub fn step(&mut self) {
        self.paused = true;
        self.request(Request::Clock(Clock::Step));
    }

    /// Goes back one tick and pauses.
    pub fn step_back(&mut self) {
        self.paused = true;
        self.request(Request::Clock(Clock::Back));
    }

    /// Sets the tick rate, clamped to its range.
    pub fn set_rate(&mut self, rate: f32) {
        let rate = rate.clamp(RATE_RANGE.0, RATE_RANGE.1);
        if rate != self.rate {
            self.rate = rate;
            self.request(Request::Clock(Clock::Rate(rate)));
        }
    }

    /// Sets the maximum frame rate.
    pub fn set_fps(&mut self, fps: f32) {
        self.request(Request::Fps(fps));
    }

    /// Sets the number of boids, clamped to its range.
    pub fn set_boids(&mut self, boids: usize) {
        let boids = boids.clamp(1, MAX_BOIDS);
        if boids != self.boids {
            self.boids = boids;
            self.request(Request::Flock(Command::SetBoids(boids)));
        }
    }

    /// Sets the number of predators, clamped to its range.
    pub fn set_predators(&mut self, predators: usize) {
        let predators = predators.min(MAX_PREDATORS);
        if predators != self.predators {
            self.predators = predators;
            self.request(Request::Flock(Command::SetPredators(predators)));
        }
    }

    /// Restarts with another seed.
    pub fn reseed(&mut self, seed: u64) {
        (self.seed, self.input, self.morphed) = (seed, None, false);
        set_current_seed(self.seed);
        self.request(Request::Flock(Command::Reseed(self.seed)));
    }

    /// Restarts with the same seed.
    pub fn restart(&mut self) {
        (self.input, self.morphed) = (None, false);
        self.request(Request::Flock(Command::Restart));
    }

    /// Switches to another preset: morphs the flock if both worlds are alike, else starts a new one with the current
    /// seed. A world of automatic size takes `aspect_ratio`. Returns whether it morphs.
    pub fn load_preset(&mut self, preset: Preset, aspect_ratio: f32) -> bool {
        let mut setup = preset.setup(self.seed, aspect_ratio);
        // The user's morph time applies to all presets.
        if self.params.change != self.preset.params.change {
            setup.params.change = self.params.change;
        }
        let ticks = (setup.params.change.morph * preset.rate).round() as u32;
        self.morphed = ticks > 0 && self.world.same_shape(&setup.world);
        if !self.morphed {
            self.current_params = setup.params;
        }
        self.auto_area = (preset.world == WorldSize::Auto).then_some(preset.area * setup.boids as f32);
        (self.params, self.boids, self.predators, self.world) =
            (setup.params, setup.boids, setup.predators, setup.world);
        self.zones.clone_from(&setup.zones);
        self.rate = preset.rate;
        self.input = None;
        self.undo.clear();
        let setup = Box::new(setup);
        let change = if self.morphed { Request::Flock(Command::Morph(setup, ticks)) } else { Request::NewFlock(setup) };
        self.request(change);
        self.request(Request::Clock(Clock::Rate(preset.rate)));
        self.preset = preset;
        self.morphed
    }

    /// Makes the preset that the flock was saved as the active one.
    pub fn set_saved_preset(&mut self, preset: Preset) {
        self.preset = preset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(preset: &str) -> Session {
        let preset = Preset::load(preset).unwrap();
        let setup = preset.setup(7, 1.6);
        let rate = preset.rate;
        Session::new(preset, &setup, false, rate, None)
    }

    fn load(session: &mut Session, preset: &str) -> Request {
        session.load_preset(Preset::load(preset).unwrap(), 1.6);
        session.requests().remove(0)
    }

    #[test]
    fn changes_are_tracked_until_a_restart() {
        let changes: [fn(&mut Session); 4] = [
            |session| session.set_boids(40),
            |session| session.set(Param::find("cohesion.weight").unwrap(), Value::Number(0.5)).unwrap(),
            |session| session.resize(1.0),
            |session| session.set_pointer(Some(Pointer { at: [1.0; 3], along: [0.0; 3], attracts: true })),
        ];
        for change in changes {
            let mut session = session("starlings");
            session.auto_area = Some(1e6);
            session.set_paused(true);
            session.set_rate(10.0);
            assert!(!session.reproduce_command().changed);
            change(&mut session);
            assert!(session.reproduce_command().changed);
            session.restart();
            assert!(!session.reproduce_command().changed);
        }
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
        assert!(session.reproduce_command().morphed);
        assert_eq!(morphs(load(&mut session, "sphere")), None);
        assert!(!session.reproduce_command().morphed);
        load(&mut session, "drones");
        session.set(Param::find("morph").unwrap(), Value::Number(0.0)).unwrap();
        session.requests();
        // The morph time carries over.
        assert_eq!((morphs(load(&mut session, "parker")), session.params.change.morph), (None, 0.0));
    }

    #[test]
    fn a_small_world_keeps_room_between_its_margins() {
        let mut session = session("starlings");
        session.auto_area = Some(1000.0);
        for aspect_ratio in [0.2, 1.0, 5.0] {
            session.resize(aspect_ratio);
            let [width, height, _] = session.world.size();
            assert!(width.min(height) > 3.9 * session.params.edge.margin, "{width} {height}");
        }
        session.auto_area = Some(1e6);
        session.resize(1.0);
        assert_eq!(session.world, World::of_area(1e6, 1.0));
    }

    #[test]
    fn loading_a_preset_clears_undo() {
        let mut session = session("drones");
        session.set(Param::find("speed.max").unwrap(), Value::Number(9.0)).unwrap();
        load(&mut session, "parker");
        assert!(session.undo().is_none() && session.redo().is_none());
    }

    #[test]
    fn to_preset_keeps_the_current_flock() {
        let mut session = session("drones");
        session.set_boids(40);
        session.set_rate(30.0);
        session.set(Param::find("speed.max").unwrap(), Value::Number(9.0)).unwrap();
        let preset = session.to_preset("mine");
        let again = Preset::from_text("mine", &preset.text()).unwrap();
        assert_eq!((again.boids, again.rate, again.params), (40, 30.0, session.params));
        assert_eq!((again.source.as_str(), again.setup(1, 1.0).world), ("based on drones", session.world));
    }
}
