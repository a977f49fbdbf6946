//! What the viewer session of the engine: the flock as it will be when all that was asked is done.

use std::time::Instant;

use super::undo::{ParamChange, UndoStack};
use crate::canvas::CanvasFormat;
use crate::config::{FlockFile, Preset, RATE_RANGE, ReproduceCommand, WorldSize, ZoneDefinition};
use crate::config::{auto_world, set_current_seed};
use crate::engine::{Clock, Frame, Request};
use crate::sim::{Command, Error, MAX_BOIDS, MAX_PREDATORS, Param, Params, Pointer, Setup, Value, World, Zone};

/// The flock as wished for, and the requests that make it so.
#[derive(Debug)]
pub struct Session {
    /// The preset that gauges are measured by.
    pub preset: Preset,
    /// The file that the flock began from, until it begins anew.
    input: Option<FlockFile>,
    /// The rules; on the way to others, those that they lead to.
    pub rules: Params,
    /// The rules of this moment.
    pub shown: Params,
    /// Which changes of the rules can be taken back.
    undo: UndoStack,
    /// Whether the flock came here from another preset.
    morphed: bool,
    /// Whether anything of it was changed since it began.
    changed: bool,
    /// How many boids, those who are gone among them.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
    /// The seed.
    pub seed: u64,
    /// The world.
    pub world: World,
    /// What zone_definitions in it.
    pub zones: Vec<Zone>,
    /// What is held over the flock.
    pub pointer: Option<Pointer>,
    /// The area of a world that takes the canvas's shape, in u², where edges leave that much.
    auto_area: Option<f32>,
    /// Ticks a second.
    pub rate: f32,
    /// Whether time zone_definitions still.
    pub paused: bool,
    /// What is said outside of the command line, which the command that brings the flock back must overrule.
    pub named: Vec<String>,
    outbox: Vec<Request>,
    sent: u64,
    refused: u64,
}

impl Session {
    /// The preset that gauges are relative to.
    #[must_use]
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The number of boids, including caught ones.
    #[must_use]
    pub fn boids(&self) -> usize {
        self.boids
    }

    /// The random seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the simulation is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// A flock that flies as it was set up.
    #[must_use]
    pub fn new(preset: Preset, setup: &Setup, world_is_auto: bool, rate: f32, input: Option<FlockFile>) -> Self {
        let auto_area = world_is_auto.then_some(preset.area * setup.boids as f32);
        Self {
            preset,
            input,
            rules: setup.params,
            shown: setup.params,
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
            outbox: Vec::new(),
            sent: 0,
            refused: 0,
        }
    }

    /// Takes the requests that have come up.
    pub fn requests(&mut self) -> Vec<Request> {
        self.sent += self.outbox.len() as u64;
        std::mem::take(&mut self.outbox)
    }

    fn ask(&mut self, request: Request) {
        self.changed = match request {
            Request::NewFlock(_) | Request::Flock(Command::Reseed(_) | Command::Restart | Command::Morph(..)) => false,
            Request::Flock(_) => true,
            Request::Clock(_) | Request::Canvas(_) | Request::Fps(_) => self.changed,
        };
        self.outbox.push(request);
    }

    /// Whether a frame was made after all that was asked for; with requests still on their way it is older
    /// than the session.
    #[must_use]
    pub fn are_done(&self, frame: &Frame) -> bool {
        frame.requests_done == self.sent && self.outbox.is_empty()
    }

    /// Takes in what the engine did of what was asked; returns why it refused, where that is news.
    pub fn notice(&mut self, frame: &Frame) -> Option<String> {
        if self.are_done(frame) {
            (self.rules, self.world) = frame.morph_target;
            self.shown = frame.params;
            self.zones.clone_from(&frame.zones);
            self.pointer = frame.pointer;
            self.boids = frame.boids + frame.caught;
            self.predators = frame.predators;
            self.seed = frame.seed;
            self.paused = frame.paused;
            self.rate = frame.rate;
        }
        let (number, why) = frame.last_error.as_ref().filter(|(number, _)| *number > self.refused)?;
        self.refused = *number;
        Some(why.clone())
    }

    /// What brings this flock back.
    #[must_use]
    pub fn reproduce_command(&self) -> ReproduceCommand<'_> {
        ReproduceCommand {
            preset: &self.preset,
            seed: self.seed,
            boids: self.boids,
            predators: self.predators,
            world: self.world,
            rate: self.rate,
            params: &self.rules,
            zones: &self.zones,
            input: self.input.as_ref(),
            named: &self.named,
            morphed: self.morphed,
            changed: self.changed,
        }
    }

    /// A preset of this name that has the flock of now.
    #[must_use]
    pub fn preset_named(&self, name: &str) -> Preset {
        let source = match &self.preset {
            own if own.name == name => own.source.clone(),
            other => format!("turned from {}", other.name),
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
            params: self.rules,
            zone_definitions: self.zones.iter().map(|zone| ZoneDefinition::of(zone, &self.world)).collect(),
            from_user: true,
            ..self.preset.clone()
        }
    }

    /// Asks for a canvas in this format.
    pub fn show(&mut self, format: CanvasFormat) {
        self.ask(Request::Canvas(format));
    }

    /// Takes on a canvas of another shape (width : height), which a world without a size of its own fills.
    pub fn resize(&mut self, shape: f32) {
        if let Some(area) = self.auto_area {
            let world = auto_world(area, shape, &self.rules);
            if world != self.world {
                self.world = world;
                self.ask(Request::Flock(Command::Resize(world)));
            }
        }
    }

    /// Sets a tunable, where the rules allow it.
    ///
    /// # Errors
    ///
    /// What would be wrong then.
    pub fn set(&mut self, row: &'static Param, value: Value) -> Result<(), Error> {
        let before = row.get(&self.rules);
        self.put(row, value)?;
        if before != value {
            self.undo.note(ParamChange { row, before, after: value }, Instant::now());
        }
        Ok(())
    }

    fn put(&mut self, row: &'static Param, value: Value) -> Result<(), Error> {
        let mut rules = self.rules;
        rules.set(row.key, value)?;
        rules.check(&self.world)?;
        // On its way to a value a tunable does not have it yet.
        if row.get(&self.rules) != value || row.get(&self.shown) != value {
            self.rules = rules;
            self.shown.set(row.key, value)?;
            self.ask(Request::Flock(Command::SetParam(row.key.to_owned(), value)));
        }
        Ok(())
    }

    /// Values that go together, in an order in which each step is allowed.
    fn put_all(&mut self, values: &[(&'static Param, Value)]) {
        // Two passes: what a conflict holds back in the first, the second can set.
        for _ in 0..2 {
            for (row, value) in values {
                let _ = self.put(row, *value);
            }
        }
    }

    /// Sets values that go together, as one step.
    pub fn set_all(&mut self, values: &[(&'static Param, Value)]) {
        let before: Vec<Value> = values.iter().map(|(row, _)| row.get(&self.rules)).collect();
        self.put_all(values);
        self.undo.hold();
        for ((row, _), before) in values.iter().zip(before) {
            let after = row.get(&self.rules);
            if before != after {
                self.undo.note(ParamChange { row, before, after }, Instant::now());
            }
        }
        self.undo.release();
    }

    /// Goes back to the preset's rules.
    pub fn reset(&mut self) {
        let home = self.preset.params;
        let values: Vec<_> = Param::table().iter().map(|row| (row, row.get(&home))).collect();
        self.set_all(&values);
    }

    /// Makes all changes of the rules from now on one step.
    pub fn hold(&mut self) {
        self.undo.hold();
    }

    /// Ends that step.
    pub fn release(&mut self) {
        self.undo.release();
    }

    /// Takes the last change of the rules back; returns what has which value again.
    pub fn undo(&mut self) -> Option<Vec<(&'static Param, Value)>> {
        let values = self.undo.undo()?.before();
        self.put_all(&values);
        Some(values)
    }

    /// Makes the change that was taken back last again; likewise.
    pub fn redo(&mut self) -> Option<Vec<(&'static Param, Value)>> {
        let values = self.undo.redo()?.after();
        self.put_all(&values);
        Some(values)
    }

    /// Holds a pointer over the flock, or none.
    pub fn point(&mut self, pointer: Option<Pointer>) {
        if pointer != self.pointer {
            self.pointer = pointer;
            self.ask(Request::Flock(Command::SetPointer(pointer)));
        }
    }

    /// Puts something more into the world.
    pub fn place(&mut self, zone: Zone) {
        self.zones.push(zone);
        self.ask(Request::Flock(Command::AddZone(zone)));
    }

    /// Moves a zone to another place.
    pub fn shift(&mut self, number: usize, center: [f32; 3]) {
        if let Some(zone) = self.zones.get_mut(number).filter(|zone| zone.center != center) {
            zone.center = center;
            self.ask(Request::Flock(Command::MoveZone(number, center)));
        }
    }

    /// Takes a zone away, and returns it.
    pub fn remove(&mut self, number: usize) -> Option<Zone> {
        let zone = (number < self.zones.len()).then(|| self.zones.remove(number))?;
        self.ask(Request::Flock(Command::RemoveZone(number)));
        Some(zone)
    }

    /// Lets time stand still, or go on.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.ask(Request::Clock(Clock::Pause(paused)));
    }

    /// Flies one tick; time zone_definitions still then.
    pub fn step(&mut self) {
        self.paused = true;
        self.ask(Request::Clock(Clock::Step));
    }

    /// Goes back by one tick; time zone_definitions still then.
    pub fn back(&mut self) {
        self.paused = true;
        self.ask(Request::Clock(Clock::Back));
    }

    /// Flies at another tick rate, as near as there is one.
    pub fn set_rate(&mut self, rate: f32) {
        let rate = rate.clamp(RATE_RANGE.0, RATE_RANGE.1);
        if rate != self.rate {
            self.rate = rate;
            self.ask(Request::Clock(Clock::Rate(rate)));
        }
    }

    /// Asks for so many frames a second at most.
    pub fn set_fps(&mut self, fps: f32) {
        self.ask(Request::Fps(fps));
    }

    /// Makes them so many boids, as near as is possible.
    pub fn set_boids(&mut self, boids: usize) {
        let boids = boids.clamp(1, MAX_BOIDS);
        if boids != self.boids {
            self.boids = boids;
            self.ask(Request::Flock(Command::SetBoids(boids)));
        }
    }

    /// Makes them so many predators, likewise.
    pub fn set_predators(&mut self, predators: usize) {
        let predators = predators.min(MAX_PREDATORS);
        if predators != self.predators {
            self.predators = predators;
            self.ask(Request::Flock(Command::SetPredators(predators)));
        }
    }

    /// Begins anew from another seed.
    pub fn reseed(&mut self, seed: u64) {
        (self.seed, self.input, self.morphed) = (seed, None, false);
        set_current_seed(self.seed);
        self.ask(Request::Flock(Command::Reseed(self.seed)));
    }

    /// Begins anew from the same seed.
    pub fn restart(&mut self) {
        (self.input, self.morphed) = (None, false);
        self.ask(Request::Flock(Command::Restart));
    }

    /// Flies another preset: the flock goes over into it where it can and may, else it begins anew from the seed
    /// of now; a world without a size of its own fills a canvas of this shape. Says whether it goes over.
    pub fn fly(&mut self, preset: Preset, shape: f32) -> bool {
        let mut setup = preset.setup(self.seed, shape);
        // How presets change is a wish about all of them.
        if self.rules.change != self.preset.params.change {
            setup.params.change = self.rules.change;
        }
        let ticks = (setup.params.change.morph * preset.rate).round() as u32;
        self.morphed = ticks > 0 && self.world.same_shape(&setup.world);
        if !self.morphed {
            self.shown = setup.params;
        }
        self.auto_area = (preset.world == WorldSize::Auto).then_some(preset.area * setup.boids as f32);
        (self.rules, self.boids, self.predators, self.world) =
            (setup.params, setup.boids, setup.predators, setup.world);
        self.zones.clone_from(&setup.zones);
        self.rate = preset.rate;
        self.input = None;
        self.undo.clear();
        let setup = Box::new(setup);
        let change = if self.morphed { Request::Flock(Command::Morph(setup, ticks)) } else { Request::NewFlock(setup) };
        self.ask(change);
        self.ask(Request::Clock(Clock::Rate(preset.rate)));
        self.preset = preset;
        self.morphed
    }

    /// Takes on the preset that the flock of now has been saved as.
    pub fn rename(&mut self, preset: Preset) {
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

    fn fly(session: &mut Session, preset: &str) -> Request {
        session.fly(Preset::load(preset).unwrap(), 1.6);
        session.requests().remove(0)
    }

    #[test]
    fn what_is_changed_in_flight_is_owned_to_until_the_flock_begins_anew() {
        let changes: [fn(&mut Session); 4] = [
            |session| session.set_boids(40),
            |session| session.set(Param::find("cohesion.weight").unwrap(), Value::Number(0.5)).unwrap(),
            |session| session.resize(1.0),
            |session| session.point(Some(Pointer { at: [1.0; 3], along: [0.0; 3], attracts: true })),
        ];
        for change in changes {
            let mut session = session("starlings");
            session.auto_area = Some(1e6);
            session.pause(true);
            session.set_rate(10.0);
            assert!(!session.reproduce_command().changed);
            change(&mut session);
            assert!(session.reproduce_command().text().contains("# this flock was changed while it flew"));
            session.restart();
            assert!(!session.reproduce_command().changed);
        }
    }

    #[test]
    fn a_preset_glides_into_one_whose_world_is_like_its_own() {
        let mut session = session("drones");
        let morphs = |request: Request| match request {
            Request::Flock(Command::Morph(_, ticks)) => Some(ticks),
            Request::NewFlock(_) => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(morphs(fly(&mut session, "sparrows")), Some(30));
        assert!(session.reproduce_command().text().contains("came from another preset"));
        assert_eq!(morphs(fly(&mut session, "sphere")), None);
        assert!(!session.reproduce_command().text().contains("came from another preset"));
        fly(&mut session, "drones");
        session.set(Param::find("morph").unwrap(), Value::Number(0.0)).unwrap();
        session.requests();
        // How presets change is kept from one to the next.
        assert_eq!((morphs(fly(&mut session, "parker")), session.rules.change.morph), (None, 0.0));
    }

    #[test]
    fn a_canvas_of_another_shape_leaves_few_boids_room_too() {
        let mut session = session("starlings");
        session.auto_area = Some(1000.0);
        for shape in [0.2, 1.0, 5.0] {
            session.resize(shape);
            let [width, height, _] = session.world.size();
            assert!(width.min(height) > 3.9 * session.rules.edge.margin, "{width} {height}");
        }
        session.auto_area = Some(1e6);
        session.resize(1.0);
        assert_eq!(session.world, World::of_area(1e6, 1.0));
    }

    #[test]
    fn another_preset_ends_what_can_be_undone() {
        let mut session = session("drones");
        session.set(Param::find("speed.max").unwrap(), Value::Number(9.0)).unwrap();
        fly(&mut session, "parker");
        assert!(session.undo().is_none() && session.redo().is_none());
    }

    #[test]
    fn a_preset_of_now_has_the_flock_of_now() {
        let mut session = session("drones");
        session.set_boids(40);
        session.set_rate(30.0);
        session.set(Param::find("speed.max").unwrap(), Value::Number(9.0)).unwrap();
        let preset = session.preset_named("mine");
        let again = Preset::from_text("mine", &preset.text()).unwrap();
        assert_eq!((again.boids, again.rate, again.params), (40, 30.0, session.rules));
        assert_eq!((again.source.as_str(), again.setup(1, 1.0).world), ("turned from drones", session.world));
    }
}
