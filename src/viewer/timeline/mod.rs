//! What the timeline of the session knows: marked commands and their names, times, and how the current run began.

pub mod row;

use std::ops::Range;
use std::time::{Duration, Instant};

use super::actions::Action;
use super::context::Context;
use super::text::format_number;
use crate::engine::{Clock, Frame};
use crate::export::counted;
use crate::sim::{Command, SessionLog, SharedLog};

/// How long a move to another tick takes before its progress is shown.
const LONG_SEEK: Duration = Duration::from_millis(200);

/// A marked part of the session, of which the end may not be marked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MarkedPart {
    begin: u64,
    end: Option<u64>,
}

/// Reads the log of the session for the timeline.
#[derive(Debug, Default)]
pub struct Timeline {
    log: Option<SharedLog>,
    /// The last tick of the file that is replayed.
    file_end: Option<u64>,
    /// The tick rate at the start, in ticks per second: ticks become times by it, whatever the current rate.
    rate: f64,
    /// Since when a move to another tick has been computed.
    seeking_since: Option<Instant>,
    /// The number of the request for a move whose time is to be shown.
    announced: Option<u64>,
    part: Option<MarkedPart>,
}

impl Timeline {
    /// The timeline of a session without a log that starts at this tick rate, in ticks per second.
    pub fn new(rate: f32) -> Self {
        Self { rate: rate.into(), ..Self::default() }
    }

    /// Reads the log from now on. If a file is replayed, `file_end` is its last tick.
    pub fn attach(&mut self, log: SharedLog, file_end: Option<u64>) {
        (self.log, self.file_end) = (Some(log), file_end);
    }

    /// Follows the current run and a move to another tick.
    pub fn on_frame(&mut self, frame: &Frame) {
        // The option --rate may show a recording faster or slower than it was taken.
        if let Some(rate) = frame.recording.as_ref().and_then(|recording| recording.shown_per_second()) {
            self.rate = rate;
        }
        self.seeking_since = frame.position.seeking.and(self.seeking_since.or_else(|| Some(Instant::now())));
        let ticks = frame.position.first..=frame.position.last;
        self.part.take_if(|part| !ticks.contains(&part.begin) || part.end.is_some_and(|end| !ticks.contains(&end)));
    }

    /// The first and the last tick of the marked part of the session, once both are marked.
    pub fn part(&self) -> Option<(u64, u64)> {
        self.part.and_then(|MarkedPart { begin, end }| Some((begin, end?)))
    }

    /// Marks the beginning of a part of the session, then its end, and then removes the marks.
    fn mark(&mut self, context: &mut Context) {
        let tick = context.client.frame().position.target();
        let time = |tick| self.time_of(tick, context);
        let key = |action| context.keymap.key(action).unwrap_or_else(|| format!(":{}", action.id()));
        let (part, message) = match self.part {
            None => {
                let message =
                    format!("part from {}; {} at another tick marks its end", time(tick), key(Action::MarkPart));
                (Some(MarkedPart { begin: tick, end: None }), message)
            }
            Some(MarkedPart { begin, end: None }) if begin != tick => {
                let (begin, end) = (begin.min(tick), begin.max(tick));
                let message =
                    format!("part {} – {}; {} saves it as a clip", time(begin), time(end), key(Action::SaveClip));
                (Some(MarkedPart { begin, end: Some(end) }), message)
            }
            Some(_) => (None, "no part marked".to_owned()),
        };
        self.part = part;
        context.show_message(message);
    }

    /// Pretends that the move to another tick takes long.
    #[cfg(test)]
    pub fn prolong_seek(&mut self) {
        self.seeking_since = self.seeking_since.and_then(|since| since.checked_sub(LONG_SEEK));
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
        // A rate such as 1/60 is not exact.
        let seconds = (ticks as f64 / self.rate + 1e-6) as u64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        if hours == 0 { format!("{minutes}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
    }

    /// Looks at the log, if there is one.
    fn with_log<R>(&self, look: impl FnOnce(&SessionLog) -> R) -> Option<R> {
        self.log.as_ref().map(|log| look(&log.lock()))
    }

    /// Calls `visit` with the tick of each marked command from a tick on.
    fn visit_marks(&self, from: u64, mut visit: impl FnMut(u64)) {
        self.with_log(|log| log.marks_from(from).for_each(|(tick, _)| visit(tick)));
    }

    /// Whether the timeline is wanted: always in a replay and with a marked part, else while the session is paused, in the past, or
    /// moving there.
    pub fn is_shown(&self, context: &Context) -> bool {
        let (controls, position) = (context.client.controls(), context.client.frame().position);
        let moves = controls.paused || controls.backward || position.is_past() || position.seeking.is_some();
        let is_high = context.display.region().height >= row::MIN_HEIGHT;
        let has_tiles = context.client.frame().brood.is_some();
        (self.file_end.is_some() || self.part.is_some() || moves) && !context.display.clean && is_high && !has_tiles
    }

    /// The commands of the current run that a timeline marks, each with its tick in that run.
    pub fn marks_of_run(&self, frame: &Frame) -> Vec<(u64, Command)> {
        // So many ticks of the session precede tick 0 of the run.
        let start = frame.position.tick.saturating_sub(frame.tick);
        let marks = self.with_log(|log| {
            let marks = log.marks_from(start).take_while(|(at, command)| *at <= start || !command.starts_run());
            marks.map(|(at, command)| (at - start, command.clone())).collect()
        });
        marks.unwrap_or_default()
    }

    /// The last command of some ticks.
    fn last_command_in(&self, ticks: Range<u64>) -> Option<Command> {
        let last = |log: &SessionLog| {
            let marks = log.marks_from(ticks.start).take_while(|(tick, _)| ticks.contains(tick));
            marks.last().map(|(_, command)| command.clone())
        };
        self.with_log(last).flatten()
    }

    /// Whether an action ends a drag of the mouse: one in another state of the flock, or one that stops it.
    pub fn ends_drag(action: Action) -> bool {
        use Action::{FirstTick, LastTick, Pause, PlayBackward, SkipBack, SkipForward, StepBack};
        matches!(action, Pause | StepBack | SkipBack | SkipForward | FirstTick | LastTick | PlayBackward)
    }

    /// Performs an action. Returns whether it is one of the timeline's.
    pub fn act(&mut self, action: Action, context: &mut Context) -> bool {
        let position = context.client.frame().position;
        match action {
            Action::Pause => pause(context),
            Action::Step => context.client.clock(Clock::Step),
            Action::StepBack => self.move_by(Clock::Back, context),
            Action::SkipBack => self.move_by(Clock::Skip(-self.second()), context),
            Action::SkipForward => self.move_by(Clock::Skip(self.second()), context),
            Action::FirstTick => self.move_by(Clock::Seek(position.first), context),
            Action::LastTick => {
                // Ticks run forward from there.
                if context.client.controls().backward {
                    context.client.clock(Clock::Pause(context.client.controls().paused));
                }
                self.move_by(Clock::Seek(position.last), context);
            }
            Action::PlayBackward if context.client.controls().backward => self.move_by(Clock::Pause(false), context),
            Action::PlayBackward if position.tick > position.first => self.move_by(Clock::Backward, context),
            Action::PlayBackward => context.show_message("this is the first one"),
            Action::MarkPart => self.mark(context),
            Action::Slower => scale_rate(0.5, context),
            Action::Faster => scale_rate(2.0, context),
            _ => return false,
        }
        true
    }

    /// Moves through the session. Without a timeline on the screen, a message will show the time.
    fn move_by(&mut self, clock: Clock, context: &mut Context) {
        context.client.clock(clock);
        self.announced = context.display.clean.then(|| context.client.last_request());
    }

    /// Shows the time of a move that the latest frame includes.
    pub fn announce(&mut self, context: &mut Context) {
        let Frame { request, position, .. } = context.client.frame();
        if self.announced.take_if(|number| *number <= *request).is_some() {
            let [now, end] = [position.target(), position.last].map(|tick| self.time_of(tick, context));
            context.show_message(format!("{now} / {end}"));
        }
    }

    /// The time of a tick of the session in the latest frame.
    fn time_of(&self, tick: u64, context: &Context) -> String {
        self.time(tick.saturating_sub(context.client.frame().position.first))
    }

    /// The message about a command in the past.
    pub fn branch_message(&self, tick: u64, context: &Context) -> String {
        let key = context.keymap.key(Action::Undo);
        let undo = key.map_or(String::new(), |key| format!("; {key} restores it"));
        format!("this change at {} replaces what followed{undo}", self.time_of(tick, context))
    }
}

/// Stops the computation of a tick. Returns whether one was running.
pub fn cancel_seek(context: &mut Context) -> bool {
    let is_seeking = context.client.frame().position.seeking.is_some();
    if is_seeking {
        context.client.clock(Clock::CancelSeek);
    }
    is_seeking
}

fn pause(context: &mut Context) {
    let paused = !context.client.controls().paused;
    let position = context.client.frame().position;
    if !paused && context.is_recording() && !position.is_past() {
        // Nothing follows the end of a recording.
        context.client.clock(Clock::Seek(position.first));
    }
    context.client.clock(Clock::Pause(paused));
    if context.display.clean {
        context.show_message(if paused { "‖ paused" } else { "▶ running" });
    }
}

fn scale_rate(factor: f32, context: &mut Context) {
    context.client.set_rate(context.client.controls().rate * factor);
    let rate = format_number(context.client.controls().rate);
    let (one, many) = if context.is_recording() {
        ("frame per second", "frames per second")
    } else {
        ("tick per second", "ticks per second")
    };
    context.show_message(counted(rate, one, many));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_hours_only_if_needed() {
        let timeline = Timeline::new(60.0);
        assert_eq!([0, 2520, 18_600, 216_000].map(|ticks| timeline.time(ticks)), ["0:00", "0:42", "5:10", "1:00:00"]);
    }
}
