//! The viewer's end of the engine: the latest frame, the requests on their way, and the values they set.

use std::time::{Duration, Instant};

use crate::config::{RATE_RANGE, set_current_seed};
use crate::engine::{Breed, Clock, Controls, Engine, Frame, Notice, Request};
use crate::sim::{Command, Direction, MAX_BOIDS, MAX_PREDATORS, Param, Pointer, Setup, Value, Zone};
use crate::tracks::Recording;

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
    /// Whether a brood is shown, if that changes.
    breeds: Option<bool>,
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
    /// Whether another preset starts a new flock instead of morphing this one.
    pub skips_morphs: bool,
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
            skips_morphs: false,
        }
    }

    /// The latest frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The recording, if it shows one.
    pub fn recording(&self) -> Option<&Recording> {
        self.frame.recording.as_deref()
    }

    /// The values that the user controls, as set last.
    pub fn controls(&self) -> &Controls {
        self.pending.as_ref().map_or(&self.frame.controls, |pending| &pending.controls)
    }

    /// Whether a brood is shown, as set last.
    pub fn is_breeding(&self) -> bool {
        let pending = self.pending.as_ref().and_then(|pending| pending.breeds);
        pending.unwrap_or(self.frame.brood.is_some())
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
        let request = self.frame.request;
        self.pending.take_if(|pending| pending.request <= request);
        set_current_seed(self.controls().setup.seed);
    }

    /// The notice of the latest frame, once.
    pub fn take_notice(&mut self) -> Option<Notice> {
        let (number, notice) = &self.frame.notice;
        if *number == self.reported {
            return None;
        }
        self.reported = *number;
        if let Some(Notice::Refused(_)) = notice {
            self.last_change = None;
        }
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

    /// Queues a request. What it sets is shown at once.
    pub fn request(&mut self, request: Request) {
        if matches!(request, Request::Flock { .. } | Request::Clock(_) | Request::Breed(..)) {
            let number = self.last_request() + 1;
            let pending = self.pending.get_or_insert_with(|| {
                let controls = self.frame.controls.clone();
                Pending { request: number, controls, starts_run: None, breeds: None }
            });
            pending.request = number;
            match &request {
                Request::Flock { command, .. } => {
                    pending.controls.change(command);
                    pending.starts_run = Some(command.starts_run());
                }
                Request::Clock(clock) => clock.set(&mut pending.controls),
                Request::Breed(step, _) => pending.breeds = Some(*step != Breed::Leave),
                _ => {}
            }
        }
        self.queue.push(request);
    }

    /// Asks for a command.
    pub fn command(&mut self, command: Command) {
        self.request(Request::Flock { command, continues: false });
    }

    /// Asks for a command if it changes something. Returns whether it does.
    fn command_if(&mut self, changes: bool, command: Command) -> bool {
        if changes {
            self.command(command);
        }
        changes
    }

    /// Sets a parameter. During a morph the current value follows at once.
    pub fn set_param(&mut self, param: &'static Param, value: Value) {
        if self.differs(param, value, true) {
            let continues = self.continues(param);
            self.request(Request::Flock { command: Command::SetParam(param, value), continues });
        }
    }

    /// Whether a parameter has another value: at the end of a morph, or also `now`.
    fn differs(&self, param: &Param, value: Value, now: bool) -> bool {
        let Controls { setup, current_params, .. } = self.controls();
        param.get(&setup.params) != value || now && param.get(current_params) != value
    }

    /// Whether a change belongs to the undo step of the last one.
    fn continues(&mut self, param: &'static Param) -> bool {
        let now = Instant::now();
        let last = self.last_change.replace(LastChange { param, at: now });
        last.is_some_and(|last| self.in_group || last.param == param && now - last.at < MERGE_WINDOW)
    }

    /// Sets several parameters as one undo step, within a time in seconds. Returns whether one changes.
    pub fn set_params(&mut self, mut values: Vec<(&'static Param, Value)>, seconds: f32) -> bool {
        self.end_group();
        let ticks = if self.skips_morphs { 0 } else { (seconds * self.controls().rate).round() as u32 };
        values.retain(|(param, value)| self.differs(param, *value, ticks == 0));
        self.command_if(!values.is_empty(), Command::set_all(values, ticks))
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
    pub fn undo(&mut self, direction: Direction) {
        self.end_group();
        self.request(Request::Undo(direction));
    }

    /// Morphs the flock into a setup within a time in seconds, or starts a new one if the worlds differ in shape.
    pub fn load(&mut self, setup: Setup, rate: f32) {
        self.end_group();
        let ticks = (setup.params.change.morph * rate).round() as u32;
        let is_same_shape = self.controls().setup.world.same_shape(&setup.world);
        let setup = Box::new(setup);
        self.command(if ticks > 0 && !self.skips_morphs && is_same_shape {
            Command::Morph(setup, ticks)
        } else {
            Command::Replace(setup)
        });
        self.clock(Clock::Rate(rate));
    }

    /// Restarts with another seed.
    pub fn reseed(&mut self, seed: u64) {
        set_current_seed(seed);
        self.command(Command::Reseed(seed));
    }

    /// Sets the number of boids, clamped to its range. Returns whether it changed.
    pub fn set_boids(&mut self, boids: usize) -> bool {
        let boids = boids.clamp(1, MAX_BOIDS);
        self.command_if(boids != self.controls().setup.boids, Command::SetBoids(boids))
    }

    /// Sets the number of predators, clamped to its range. Returns whether it changed.
    pub fn set_predators(&mut self, predators: usize) -> bool {
        let predators = predators.min(MAX_PREDATORS);
        self.command_if(predators != self.controls().setup.predators, Command::SetPredators(predators))
    }

    /// Sets or removes the pointer.
    pub fn set_pointer(&mut self, pointer: Option<Pointer>) {
        self.command_if(pointer != self.controls().pointer, Command::SetPointer(pointer));
    }

    /// Adds a zone and returns its index.
    pub fn add_zone(&mut self, zone: Zone) -> usize {
        self.command(Command::AddZone(zone));
        self.controls().setup.zones.len() - 1
    }

    /// Moves a zone.
    pub fn move_zone(&mut self, index: usize, center: [f32; 3]) {
        let moves = self.controls().setup.zones.get(index).is_some_and(|zone| zone.center != center);
        self.command_if(moves, Command::MoveZone(index, center));
    }

    /// Removes a zone and returns it.
    pub fn remove_zone(&mut self, index: usize) -> Option<Zone> {
        let zone = *self.controls().setup.zones.get(index)?;
        self.command(Command::RemoveZone(index));
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
        self.last_change = None;
        self.request(Request::Clock(clock));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::engine::RequestError;

    fn client() -> Client {
        Client::new(Controls::of_setup(Preset::load("drones").unwrap().setup(7, 1.6), 60.0))
    }

    fn param(key: &str) -> &'static Param {
        Param::find(key).unwrap()
    }

    fn set(client: &mut Client, key: &str, value: f32) {
        client.set_param(param(key), Value::Number(value));
    }

    /// The parameters that requests set, and whether each continues the change before.
    fn changes(client: &mut Client) -> Vec<(&'static str, bool)> {
        let changes = client.take_requests().into_iter().filter_map(|request| match request {
            Request::Flock { command: Command::SetParam(param, _), continues } => Some((param.key, continues)),
            _ => None,
        });
        changes.collect()
    }

    #[test]
    fn pending_values_last_until_the_frame_with_their_number() {
        let mut client = client();
        let before = client.controls().setup.boids;
        client.set_boids(40);
        client.set_rate(30.0);
        client.clock(Clock::Pause(true));
        assert_eq!((client.last_request(), client.take_requests().len()), (3, 3));
        client.show_frame(|frame| (frame.request, frame.controls.setup.boids) = (1, 40));
        let Controls { setup: Setup { boids, .. }, rate, paused, .. } = *client.controls();
        assert_eq!((boids, rate, paused, client.is_settled()), (40, 30.0, true, false));
        // The engine refused the first and the last.
        client.show_frame(|frame| (frame.request, frame.controls.setup.boids, frame.controls.rate) = (3, before, 30.0));
        let Controls { setup: Setup { boids, .. }, rate, paused, .. } = *client.controls();
        assert_eq!((boids, rate, paused, client.is_settled()), (before, 30.0, false, true));
    }

    #[test]
    fn later_requests_are_numbered_after_those_that_were_sent() {
        let mut client = client();
        client.set_boids(40);
        client.take_requests();
        client.set_predators(2);
        client.show_frame(|frame| (frame.request, frame.controls.setup.boids) = (1, 40));
        assert_eq!((client.last_request(), client.controls().setup.predators), (2, 2));
        assert_eq!(client.pending_change(), Some(false));
        client.show_frame(|frame| frame.request = 2);
        assert_eq!((client.pending_change(), client.is_settled()), (None, true));
        client.command(Command::Restart);
        assert_eq!(client.pending_change(), Some(true));
    }

    #[test]
    fn equal_values_are_not_requested() {
        let mut client = client();
        let Controls { setup: Setup { boids, params, .. }, rate, .. } = *client.controls();
        client.set_boids(boids);
        client.set_rate(rate);
        set(&mut client, "speed.max", params.speed.max);
        assert_eq!((client.take_requests(), client.controls().setup.params), (vec![], params));
    }

    #[test]
    fn quick_changes_of_one_parameter_are_one_step() {
        let mut client = client();
        for (value, pause) in [(6.0, 900), (7.0, 900), (8.0, 1200), (9.0, 1)] {
            set(&mut client, "speed.max", value);
            if let Some(last) = &mut client.last_change {
                last.at -= Duration::from_millis(pause);
            }
        }
        set(&mut client, "speed.min", 0.5);
        set(&mut client, "speed.max", 10.0);
        let [quick, first] = [true, false].map(|continues| ("speed.max", continues));
        assert_eq!(changes(&mut client), [first, quick, quick, first, ("speed.min", false), first]);
        // Undo ends the step.
        client.undo(Direction::Undo);
        set(&mut client, "speed.max", 11.0);
        assert_eq!(changes(&mut client), [first]);
        // A refused change is no part of a step.
        client.show_frame(|frame| frame.notice = (1, Some(Notice::Refused(RequestError::FirstGeneration))));
        client.take_notice();
        set(&mut client, "speed.max", 12.0);
        assert_eq!(changes(&mut client), [first]);
    }

    #[test]
    fn a_group_is_one_step() {
        let mut client = client();
        set(&mut client, "speed.max", 9.0);
        client.begin_group();
        set(&mut client, "speed.max", 8.0);
        set(&mut client, "speed.min", 0.5);
        set(&mut client, "speed.max", 7.0);
        client.end_group();
        set(&mut client, "speed.max", 6.0);
        let continues: Vec<bool> = changes(&mut client).into_iter().map(|(_, continues)| continues).collect();
        assert_eq!(continues, [false, false, true, true, false]);
    }

    #[test]
    fn several_values_are_set_whatever_their_order() {
        let mut client = client();
        let most = client.controls().setup.params.speed.max;
        let values = [("speed.min", 2.0 * most), ("speed.max", 3.0 * most)];
        let values = values.map(|(key, value)| (param(key), Value::Number(value)));
        assert!(client.set_params(values.to_vec(), 0.0));
        let speed = client.controls().setup.params.speed;
        assert_eq!((speed.min, speed.max), (2.0 * most, 3.0 * most));
        let command = Command::SetParams(values.to_vec(), 0);
        assert_eq!(client.take_requests(), [Request::Flock { command, continues: false }]);
        assert!(!client.set_params(values.to_vec(), 0.0), "nothing changes");
    }
}
