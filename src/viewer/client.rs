//! The viewer's end of the engine: the latest frame, the requests on their way, and the values they set.

use std::time::{Duration, Instant};

use crate::config::{RATE_RANGE, set_current_seed};
use crate::engine::{Clock, Controls, Engine, Frame, Notice, Request};
use crate::sim::{Command, Error, MAX_BOIDS, MAX_PREDATORS, Param, Pointer, Setup, Value, World, Zone, check_params};

/// Changes of one parameter within this time of each other form one undo step.
const MERGE_WINDOW: Duration = Duration::from_secs(1);

/// Values that the user has just set and that no frame confirms yet.
#[derive(Debug)]
struct Pending {
    /// The number of the last request that set one of them.
    request: u64,
    controls: Controls,
    /// Whether the flock starts again. `None` if only the flow of time changes.
    starts_run: Option<bool>,
}

/// The last change of a parameter.
#[derive(Debug)]
struct LastChange {
    param: &'static Param,
    at: Instant,
}

/// Asks the engine by numbered requests, and knows its latest frame.
#[derive(Debug)]
pub struct Client {
    frame: Frame,
    pending: Option<Pending>,
    /// The requests that have not been sent, and the number of those that have.
    queue: Vec<Request>,
    sent: u64,
    /// How many notices were reported.
    reported: u64,
    /// The change that the next one may continue.
    last_change: Option<LastChange>,
    /// Whether all changes belong to one undo step.
    in_group: bool,
}

impl Client {
    /// A client of an engine that starts with these values.
    pub fn new(controls: Controls) -> Self {
        Self {
            frame: Frame::new(controls),
            pending: None,
            queue: Vec::new(),
            sent: 0,
            reported: 0,
            last_change: None,
            in_group: false,
        }
    }

    /// The latest frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The values that the user controls, as set last.
    pub fn controls(&self) -> &Controls {
        self.pending.as_ref().map_or(&self.frame.controls, |pending| &pending.controls)
    }

    /// Takes the engine's latest frame. Returns whether it changes panel and plots; `None` if there is no new one.
    pub fn take_frame(&mut self, engine: &mut Engine) -> Option<bool> {
        let changed = engine.take_frame(&mut self.frame)?;
        self.on_frame();
        Some(changed)
    }

    /// Shows a frame that no engine made.
    pub fn show_frame(&mut self, change: impl FnOnce(&mut Frame)) {
        change(&mut self.frame);
        self.on_frame();
    }

    fn on_frame(&mut self) {
        let before = self.controls().seed;
        let request = self.frame.request;
        self.pending.take_if(|pending| pending.request <= request);
        if self.controls().seed != before {
            set_current_seed(self.controls().seed);
        }
    }

    /// The notice of the latest frame, once.
    pub fn take_notice(&mut self) -> Option<Notice> {
        let (number, notice) = &self.frame.notice;
        if *number == self.reported {
            return None;
        }
        self.reported = *number;
        notice.clone()
    }

    /// The number of the last request.
    pub fn last_request(&self) -> u64 {
        self.sent + self.queue.len() as u64
    }

    /// Whether the latest frame includes all requests.
    pub fn is_settled(&self) -> bool {
        self.frame.request == self.last_request()
    }

    /// Whether a change of the flock is on its way, and whether it starts a run.
    pub fn pending_change(&self) -> Option<bool> {
        self.pending.as_ref()?.starts_run
    }

    /// Takes the requests that have not been sent.
    pub fn take_requests(&mut self) -> Vec<Request> {
        self.sent += self.queue.len() as u64;
        std::mem::take(&mut self.queue)
    }

    /// Queues a request.
    pub fn request(&mut self, request: Request) {
        self.queue.push(request);
    }

    fn request_with(&mut self, request: Request, set: impl FnOnce(&mut Controls)) {
        let starts_run = match &request {
            Request::Flock { command, .. } => Some(command.starts_run()),
            _ => None,
        };
        self.queue.push(request);
        let request = self.last_request();
        let controls = || self.frame.controls.clone();
        let pending = self.pending.get_or_insert_with(|| Pending { request, controls: controls(), starts_run: None });
        set(&mut pending.controls);
        pending.request = request;
        pending.starts_run = starts_run.or(pending.starts_run);
    }

    fn command(&mut self, command: Command, set: impl FnOnce(&mut Controls)) {
        self.request_with(Request::Flock { command, continues: false }, set);
    }

    /// Sets a parameter. During a morph the current value follows at once.
    ///
    /// # Errors
    ///
    /// If the value is out of range or conflicts with other parameters.
    pub fn set_param(&mut self, param: &'static Param, value: Value) -> Result<(), Error> {
        let Controls { params, current_params, world, .. } = self.controls();
        let (mut checked, mut current) = (*params, *current_params);
        if param.get(&checked) == value && param.get(&current) == value {
            return Ok(());
        }
        checked.set(param.key, value)?;
        check_params(&checked, world)?;
        current.set(param.key, value)?;
        let continues = self.continues(param);
        self.request_with(Request::Flock { command: Command::SetParam(param, value), continues }, |controls| {
            (controls.params, controls.current_params) = (checked, current);
        });
        Ok(())
    }

    /// Whether a change belongs to the undo step of the last one.
    fn continues(&mut self, param: &'static Param) -> bool {
        let now = Instant::now();
        let last = self.last_change.replace(LastChange { param, at: now });
        last.is_some_and(|last| self.in_group || last.param == param && now - last.at < MERGE_WINDOW)
    }

    /// Sets several parameters, which are valid together, as one undo step.
    pub fn set_params(&mut self, values: &[(&'static Param, Value)]) {
        self.begin_group();
        // The first pass may fail on a value that conflicts with one set later.
        for _ in 0..2 {
            for (param, value) in values {
                let _ = self.set_param(param, *value);
            }
        }
        self.end_group();
    }

    /// Makes all following changes of parameters one undo step, until [`end_group`](Self::end_group).
    pub fn begin_group(&mut self) {
        (self.last_change, self.in_group) = (None, true);
    }

    /// Ends a group. The next change starts a new step.
    pub fn end_group(&mut self) {
        (self.last_change, self.in_group) = (None, false);
    }

    /// Undoes the last change, or repeats the one that was undone last.
    pub fn undo(&mut self, undo: bool) {
        self.end_group();
        self.request(if undo { Request::Undo } else { Request::Redo });
    }

    /// Morphs the flock into a setup within a time in seconds, or starts a new one if the worlds differ in shape.
    pub fn load(&mut self, setup: Setup, rate: f32) {
        self.end_group();
        let Controls { world, current_params, pointer, paused, .. } = *self.controls();
        let ticks = (setup.params.change.morph * rate).round() as u32;
        let morphs = ticks > 0 && world.same_shape(&setup.world);
        let current_params = if morphs { current_params } else { setup.params };
        let loaded = Controls { current_params, pointer, paused, ..Controls::of_setup(setup.clone(), rate) };
        let setup = Box::new(setup);
        let command = if morphs { Command::Morph(setup, ticks) } else { Command::Replace(setup) };
        self.command(command, |controls| *controls = loaded);
        self.clock(Clock::Rate(rate));
    }

    /// Restarts with another seed.
    pub fn reseed(&mut self, seed: u64) {
        set_current_seed(seed);
        self.command(Command::Reseed(seed), |controls| controls.seed = seed);
    }

    /// Restarts with the same seed.
    pub fn restart(&mut self) {
        self.command(Command::Restart, |_| ());
    }

    /// Sets the number of boids, clamped to its range. Returns whether it changed.
    pub fn set_boids(&mut self, boids: usize) -> bool {
        let boids = boids.clamp(1, MAX_BOIDS);
        let changes = boids != self.controls().boids;
        if changes {
            self.command(Command::SetBoids(boids), |controls| controls.boids = boids);
        }
        changes
    }

    /// Sets the number of predators, clamped to its range. Returns whether it changed.
    pub fn set_predators(&mut self, predators: usize) -> bool {
        let predators = predators.min(MAX_PREDATORS);
        let changes = predators != self.controls().predators;
        if changes {
            self.command(Command::SetPredators(predators), |controls| controls.predators = predators);
        }
        changes
    }

    /// Sets or removes the pointer.
    pub fn set_pointer(&mut self, pointer: Option<Pointer>) {
        if pointer != self.controls().pointer {
            self.command(Command::SetPointer(pointer), |controls| controls.pointer = pointer);
        }
    }

    /// Changes the size of the world.
    pub fn resize_world(&mut self, world: World) {
        if world != self.controls().world {
            self.command(Command::Resize(world), |controls| controls.world = world);
        }
    }

    /// Adds a zone and returns its index.
    pub fn add_zone(&mut self, zone: Zone) -> usize {
        self.command(Command::AddZone(zone), |controls| controls.zones.push(zone));
        self.controls().zones.len() - 1
    }

    /// Moves a zone.
    pub fn move_zone(&mut self, index: usize, center: [f32; 3]) {
        if self.controls().zones.get(index).is_some_and(|zone| zone.center != center) {
            self.command(Command::MoveZone(index, center), |controls| controls.zones[index].center = center);
        }
    }

    /// Removes a zone and returns it.
    pub fn remove_zone(&mut self, index: usize) -> Option<Zone> {
        let zone = *self.controls().zones.get(index)?;
        self.command(Command::RemoveZone(index), |controls| _ = controls.zones.remove(index));
        Some(zone)
    }

    /// Sets the tick rate, clamped to its range.
    pub fn set_rate(&mut self, rate: f32) {
        let rate = rate.clamp(RATE_RANGE.0, RATE_RANGE.1);
        if rate != self.controls().rate {
            self.clock(Clock::Rate(rate));
        }
    }

    /// Pauses, resumes, moves through the session, or changes the tick rate.
    pub fn clock(&mut self, clock: Clock) {
        self.request_with(Request::Clock(clock), |controls| clock.set(controls));
    }
}
