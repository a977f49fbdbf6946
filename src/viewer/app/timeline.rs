//! What the timeline of the session knows: marked commands and their names, times, and how the current run began.

use std::time::{Duration, Instant};

use super::param_step::format_number;
use super::plots::changes::RuleChange;
use super::session::state::DesiredState;
use crate::config::Preset;
use crate::engine::{Frame, SessionReader};
use crate::sim::{Command, Params, SessionEvent, SessionLog, Setup, Value};

/// How long a move to another tick takes before its progress is shown.
const LONG_SEEK: Duration = Duration::from_millis(200);

/// How the run of a flock began, and whether a command changed it since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOrigin {
    /// Whether it is the first run of the session, not one after a restart or with a new flock.
    pub is_first: bool,
    /// Whether the setup and the seed do not reproduce it.
    pub is_changed: bool,
}

/// Where the log of the session is.
#[derive(Debug, Default)]
enum LogSource {
    #[default]
    Nowhere,
    Engine(SessionReader),
    #[cfg(test)]
    Log(SessionLog),
}

/// Reads the log of the session for the timeline.
#[derive(Debug)]
pub struct Timeline {
    source: LogSource,
    /// The last tick of the file that is replayed.
    file_end: Option<u64>,
    /// The tick rate at the start, in ticks per second: ticks become times by it, whatever the current rate.
    rate: f32,
    /// How many ticks of the session precede tick 0 of the current run.
    run_start: u64,
    /// Since when a move to another tick has been computed.
    seeking_since: Option<Instant>,
}

impl Timeline {
    /// The timeline of a session without a log that starts at this tick rate, in ticks per second.
    pub fn new(rate: f32) -> Self {
        Self { source: LogSource::Nowhere, file_end: None, rate, run_start: 0, seeking_since: None }
    }

    /// Reads the log from now on. If a file is replayed, `file_end` is its last tick.
    pub fn attach(&mut self, reader: SessionReader, file_end: Option<u64>) {
        (self.source, self.file_end) = (LogSource::Engine(reader), file_end);
    }

    /// The same with a log that does not change.
    #[cfg(test)]
    pub fn attach_log(&mut self, log: SessionLog, file_end: Option<u64>) {
        (self.source, self.file_end) = (LogSource::Log(log), file_end);
    }

    /// Follows the current run and a move to another tick.
    pub fn on_frame(&mut self, frame: &Frame) {
        self.run_start = frame.position.tick.saturating_sub(frame.tick);
        self.seeking_since = frame.position.seeking.and(self.seeking_since.or_else(|| Some(Instant::now())));
    }

    /// Whether a move to another tick takes long enough to show its progress.
    pub fn is_seek_long(&self) -> bool {
        self.seeking_since.is_some_and(|since| since.elapsed() >= LONG_SEEK)
    }

    /// Pretends that the move to another tick takes long.
    #[cfg(test)]
    pub fn prolong_seek(&mut self) {
        self.seeking_since = self.seeking_since.and_then(|since| since.checked_sub(LONG_SEEK));
    }

    /// Whether a file is replayed.
    pub fn is_replay(&self) -> bool {
        self.file_end.is_some()
    }

    /// Whether a session that ends at this tick is no longer than the file that is replayed.
    pub fn is_in_file(&self, last: u64) -> bool {
        self.file_end.is_some_and(|end| last <= end)
    }

    /// The ticks in a second.
    pub fn second(&self) -> i64 {
        self.rate.round().max(1.0) as i64
    }

    /// The time of a tick since the start of the session, as `m:ss` or `h:mm:ss`.
    pub fn time(&self, ticks: u64) -> String {
        let seconds = (ticks as f64 / f64::from(self.rate)) as u64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        if hours == 0 { format!("{minutes}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
    }

    /// Looks at the log, if there is one.
    fn with_log<R>(&self, look: impl FnOnce(&SessionLog) -> R) -> Option<R> {
        match &self.source {
            LogSource::Nowhere => None,
            LogSource::Engine(reader) => Some(reader.with_log(look)),
            #[cfg(test)]
            LogSource::Log(log) => Some(look(log)),
        }
    }

    /// Calls `visit` with each marked command from a tick on, until it returns false.
    pub fn visit_marks(&self, from: u64, mut visit: impl FnMut(u64, &Command) -> bool) {
        self.with_log(|log| _ = log.marks_from(from).all(|(tick, command)| visit(tick, command)));
    }

    /// How the run at the current place began.
    pub fn run_origin(&self, state: &DesiredState) -> RunOrigin {
        // The log may be ahead of the state unless that is in the past.
        let tick = if state.is_past() { state.position.tick } else { u64::MAX };
        self.with_log(|log| run_origin(log, tick)).unwrap_or(RunOrigin { is_first: true, is_changed: false })
    }

    /// The setup of the last preset that was loaded up to a tick.
    pub fn loaded_setup(&self, tick: u64) -> Option<Setup> {
        let last = |log: &SessionLog| {
            let marks = log.marks_from(0).take_while(|(at, _)| *at <= tick);
            marks.filter_map(|(_, command)| loaded(command)).last().cloned()
        };
        self.with_log(last).flatten()
    }

    /// The changes of the rules and of the numbers of agents in the current run.
    pub fn rule_changes(&self, presets: &[Preset]) -> Vec<RuleChange> {
        let changes = |log: &SessionLog| {
            let marks = log.marks_from(self.run_start);
            let marks = marks.take_while(|(at, command)| *at <= self.run_start || !starts_run(command));
            RuleChange::of_commands(marks.map(|(at, command)| (at - self.run_start, command)), presets)
        };
        self.with_log(changes).unwrap_or_default()
    }
}

/// How the run at a tick began.
fn run_origin(log: &SessionLog, tick: u64) -> RunOrigin {
    let happened = log.events().partition_point(|(at, _)| *at <= tick);
    let commands = log.events()[..happened].iter().filter_map(|(_, event)| match event {
        SessionEvent::Command(command) => Some(command),
        SessionEvent::Hash(_) => None,
    });
    let last = commands.clone().next_back();
    RunOrigin {
        is_first: !commands.rev().any(starts_run),
        is_changed: last.is_some_and(|command| !starts_run(command)),
    }
}

/// Whether a command starts a new run.
pub fn starts_run(command: &Command) -> bool {
    matches!(command, Command::Reseed(_) | Command::Restart | Command::Replace(_))
}

/// The setup that a command loads.
fn loaded(command: &Command) -> Option<&Setup> {
    match command {
        Command::Morph(setup, _) | Command::Replace(setup) => Some(setup),
        _ => None,
    }
}

/// The preset with the rules of a setup; if several have them, the one with as many boids comes first.
pub fn preset_of<'a>(setup: &Setup, presets: &'a [Preset]) -> Option<&'a Preset> {
    // The user's morph time applies to all presets.
    let rules = |preset: &&Preset| Params { change: setup.params.change, ..preset.params } == setup.params;
    let counts = |preset: &&Preset| (preset.boids, preset.predators) == (setup.boids, setup.predators);
    presets.iter().find(|preset| rules(preset) && counts(preset)).or_else(|| presets.iter().find(rules))
}

/// The name of a command for the timeline.
pub fn command_name(command: &Command, presets: &[Preset]) -> String {
    match command {
        Command::SetParam(key, Value::Number(number)) => format!("{key} = {}", format_number(*number)),
        Command::SetParam(key, value) => format!("{key} = {value}"),
        Command::SetBoids(boids) => format!("boids = {boids}"),
        Command::SetPredators(predators) => format!("predators = {predators}"),
        Command::Reseed(seed) => format!("new seed {seed}"),
        Command::Restart => "restart".to_owned(),
        Command::Resize(world) => format!("world = {world}"),
        Command::AddZone(zone) => zone.kind.name().to_owned(),
        Command::MoveZone(..) => "zone moved".to_owned(),
        Command::RemoveZone(_) => "zone removed".to_owned(),
        Command::SetPointer(Some(pointer)) if pointer.attracts => "mouse attracts".to_owned(),
        Command::SetPointer(Some(_)) => "mouse repels".to_owned(),
        Command::SetPointer(None) => "mouse released".to_owned(),
        Command::Morph(setup, _) | Command::Replace(setup) => match preset_of(setup, presets) {
            Some(preset) => format!("preset {}", preset.name),
            None => "new flock".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Flock, Pointer, SessionStart, Zone, ZoneKind};

    /// A session that starts as `drones`, with commands at ticks.
    fn log(commands: &[(u64, Command)]) -> SessionLog {
        let flock = Flock::new(&Preset::load("drones").unwrap().setup(7, 1.6)).unwrap();
        let mut log = SessionLog::new(SessionStart::of(&flock, true));
        for (tick, command) in commands {
            log.push_at(*tick, SessionEvent::Command(command.clone()));
        }
        log
    }

    fn morph(preset: &str) -> Command {
        Command::Morph(Box::new(Preset::load(preset).unwrap().setup(3, 1.6)), 30)
    }

    #[test]
    fn a_run_is_changed_from_its_first_command_to_the_next_run() {
        let log = log(&[(10, Command::SetBoids(9)), (20, Command::Reseed(4)), (30, morph("parker"))]);
        let origins = [0, 9, 10, 19, 20, 29, 30, u64::MAX].map(|tick| {
            let RunOrigin { is_first, is_changed } = run_origin(&log, tick);
            (is_first, is_changed)
        });
        let expected = [(true, false), (true, true), (false, false), (false, true)];
        assert_eq!(origins.as_chunks::<2>().0.iter().map(|pair| pair[0]).collect::<Vec<_>>(), expected);
        assert_eq!(origins.as_chunks::<2>().0.iter().map(|pair| pair[1]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_loaded_preset_is_found_by_its_rules() {
        let mut timeline = Timeline::new(60.0);
        let mut slow = Preset::load("parker").unwrap().setup(3, 1.6);
        slow.params.change.morph = 7.0;
        timeline.attach_log(log(&[(10, morph("sparrows")), (20, Command::Replace(Box::new(slow)))]), None);
        let presets = Preset::builtin();
        let names = [9, 10, 25].map(|tick| {
            let setup = timeline.loaded_setup(tick)?;
            preset_of(&setup, &presets).map(|preset| preset.name.clone())
        });
        assert_eq!(names, [None, Some("sparrows".to_owned()), Some("parker".to_owned())]);
    }

    #[test]
    fn commands_are_named() {
        let presets = Preset::builtin();
        let pointer = Pointer { at: [1.0; 3], along: [0.0; 3], attracts: true };
        let other = Preset { params: Params::default(), ..Preset::load("drones").unwrap() }.setup(1, 1.0);
        let other = Setup { params: Params { change: other.params.change, ..other.params }, ..other };
        for (command, name) in [
            (Command::SetParam("separation.weight".into(), Value::Number(0.4)), "separation.weight = 0.4"),
            (Command::SetParam("wind.x".into(), Value::Number(0.074_999_996)), "wind.x = 0.075"),
            (Command::SetBoids(300), "boids = 300"),
            (morph("parker"), "preset parker"),
            (Command::Reseed(7), "new seed 7"),
            (Command::AddZone(Zone::new(ZoneKind::Obstacle, [9.0; 3], 4.0)), "obstacle"),
            (Command::SetPointer(Some(pointer)), "mouse attracts"),
        ] {
            assert_eq!(command_name(&command, &presets), name);
        }
        assert_eq!(command_name(&Command::Replace(Box::new(other)), &[]), "new flock");
    }

    #[test]
    fn times_have_hours_only_if_needed() {
        let timeline = Timeline::new(60.0);
        assert_eq!([0, 2520, 18_600, 216_000].map(|ticks| timeline.time(ticks)), ["0:00", "0:42", "5:10", "1:00:00"]);
    }
}
