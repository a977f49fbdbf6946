//! The flight of a text from standard input: it is shown as a terminal shows it, takes off letter by letter, and lands again.

use std::sync::Arc;

use super::formation::{Circumstances, is_steady, perches_of};
use crate::sim::{Command, Formation};
use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::piped_text::PipedText;

/// How long the text rests before it takes off, in seconds.
const SHOWN: f32 = 1.5;
/// How long it flies before it lands again, in seconds.
const FLIGHT: f32 = 6.0;
/// How long landing takes at most, in seconds: predators may keep a boid from its place.
const LANDING: f32 = 15.0;

/// What the letters do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// They rest, and take off after a while.
    Shown,
    /// They fly, and land after a while.
    Flying,
    /// They fly until the user calls them back: their time to rest is over, or the model has no letters.
    Free,
    /// They are about to be called back.
    Returning,
    /// They land, and then rest.
    Landed,
}

/// A text and its flight.
#[derive(Debug)]
pub(super) struct TextFlight {
    text: Arc<PipedText>,
    phase: Phase,
    /// The tick of the session at which the phase began.
    since: u64,
    /// What the letters were called to last.
    formation: Arc<Formation>,
    /// The circumstances of that call; known from the first frame on.
    circumstances: Option<Circumstances>,
    /// Whether the user knows how to go on.
    has_hinted: bool,
}

impl TextFlight {
    /// The flight of a text that boids form from the first frame on.
    pub(super) fn new(text: Arc<PipedText>, formation: Arc<Formation>) -> Self {
        Self { text, phase: Phase::Shown, since: 0, formation, circumstances: None, has_hinted: false }
    }

    /// Lets a resting text fly for a while, and calls a flying one back.
    pub(super) fn toggle(&mut self, context: &mut Context) {
        if self.rests() {
            self.phase = Phase::Flying;
        } else {
            self.phase = Phase::Returning;
        }
        self.since = context.client.frame().position.tick;
    }

    /// Whether the text is shown, or lands.
    pub(super) fn rests(&self) -> bool {
        matches!(self.phase, Phase::Shown | Phase::Landed)
    }

    /// Whether all letters are back in their places, or had the time for it.
    pub(super) fn has_landed(&self, context: &Context) -> bool {
        let frame = context.client.frame();
        let is_complete = frame.formation.called && frame.formation.resting >= self.formation.perches.len();
        self.phase == Phase::Landed && is_steady(context) && (is_complete || self.has_lasted(LANDING, context))
    }

    /// Moves on to the next phase when it is time, and calls the letters again when the flock, the world or the canvas changes.
    pub(super) fn on_frame(&mut self, context: &mut Context) {
        if !is_steady(context) {
            return;
        }
        let (now, frame) = (Circumstances::of(context), context.client.frame());
        let (tick, is_called) = (frame.position.tick, frame.formation.called);
        let before = self.circumstances.get_or_insert_with(|| now.clone());
        let (is_other_run, has_other_rules) = (before.run != now.run, before.loaded != now.loaded);
        let has_changed = *before != now;
        if is_other_run && !has_other_rules {
            (self.phase, self.since) = (Phase::Shown, tick);
        } else if tick < self.since {
            // The user went back and changed something there.
            (self.phase, self.since) = (if is_called { Phase::Landed } else { Phase::Flying }, tick);
        }
        match self.phase {
            Phase::Shown | Phase::Landed if has_other_rules => self.call(context),
            Phase::Shown | Phase::Landed if has_changed => {
                self.form(now, context);
                context.client.command(Command::Place(self.formation.clone()));
                context.clear_message();
            }
            Phase::Shown | Phase::Landed if !is_called && tick > self.since => self.phase = Phase::Free,
            Phase::Shown if self.has_lasted(SHOWN, context) => {
                (self.phase, self.since) = (Phase::Flying, tick);
                context.client.command(Command::Release);
                // Before, it would hide the last line.
                if let Some(notice) = self.text.notice() {
                    context.show_message(notice);
                }
            }
            Phase::Flying | Phase::Free if is_called => context.client.command(Command::Release),
            Phase::Flying if self.has_lasted(FLIGHT, context) => self.call(context),
            Phase::Returning => self.call(context),
            Phase::Landed if !self.has_hinted && self.has_landed(context) => {
                self.has_hinted = true;
                let [clip, help, quit] =
                    [Action::SaveClip, Action::Help, Action::Quit].map(|action| context.key(action));
                context.show_message(format!("{clip} clip, {help} help, {quit} quit; any other letter takes off"));
            }
            _ => {}
        }
    }

    /// Whether the text has flown and lands or rests again.
    pub(super) fn is_down(&self) -> bool {
        self.phase == Phase::Landed
    }

    /// Calls the letters to their places.
    fn call(&mut self, context: &mut Context) {
        let now = Circumstances::of(context);
        if self.circumstances.as_ref() != Some(&now) {
            self.form(now, context);
        }
        (self.phase, self.since) = (Phase::Landed, context.client.frame().position.tick);
        context.client.command(Command::Call(self.formation.clone()));
    }

    /// Finds the places of the letters on the canvas, for a flock that is large enough.
    fn form(&mut self, now: Circumstances, context: &mut Context) {
        let frame = context.client.frame();
        let zoom = frame.view_info.zoom;
        let glyphs = &context.glyphs.table;
        let formation = perches_of(&self.text, glyphs, &frame.camera, zoom, &frame.world, &frame.controls.setup.params);
        let letters = formation.perches.len();
        (self.formation, self.circumstances) = (Arc::new(formation), Some(now));
        if context.client.controls().setup.boids < letters {
            context.client.set_boids(letters);
        }
    }

    /// Whether the phase has lasted this long, in seconds of flock time.
    fn has_lasted(&self, seconds: f32, context: &Context) -> bool {
        let (frame, rate) = (context.client.frame(), context.client.controls().rate);
        frame.position.tick.saturating_sub(self.since) as f32 >= seconds * rate
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Size;

    use super::*;
    use crate::engine::{Frame, Request};
    use crate::sim::{Flock, SessionPosition, Setup};
    use crate::viewer::app::App;
    use crate::viewer::app::tests::app;
    use crate::viewer::piped_text::TextReader;

    /// The ticks after which the text takes off, and then lands.
    const UP: u64 = 90;
    const DOWN: u64 = UP + 360;

    fn viewer() -> App {
        let mut app = app(24);
        let mut reader = TextReader::new(80, 24);
        reader.feed(b"ab\n c").unwrap();
        let flock = Flock::new(&app.context.presets.base.setup(7, 1.6)).unwrap();
        let format = app.format();
        assert_eq!(
            app.letters
                .show(&Arc::new(reader.finish()), (&flock).into(), format, &app.context.glyphs.table)
                .unwrap()
                .perches
                .len(),
            3
        );
        app
    }

    /// Shows a frame at the end of the session, after all requests. Returns what it makes the viewer ask of the flock.
    fn frame(app: &mut App, tick: u64, called: bool, change: impl FnOnce(&mut Frame)) -> Vec<String> {
        let (request, controls) = (app.context.client.last_request(), app.context.client.controls().clone());
        let Size { width, height } = app.context.display.canvas();
        app.context.client.show_frame(|frame| {
            (frame.request, frame.controls) = (request, controls);
            frame.position = SessionPosition { tick, last: tick, ..SessionPosition::default() };
            (frame.formation.called, (frame.picture.columns, frame.picture.rows)) =
                (called, (width.into(), height.into()));
            change(frame);
        });
        app.on_frame();
        let name = |request| match request {
            Request::Flock { command: Command::Call(_), .. } => Some("call".to_owned()),
            Request::Flock { command: Command::Place(_), .. } => Some("place".to_owned()),
            Request::Flock { command: Command::Release, .. } => Some("release".to_owned()),
            Request::Flock { command: Command::SetBoids(boids), .. } => Some(format!("{boids} boids")),
            _ => None,
        };
        app.requests().into_iter().filter_map(name).collect()
    }

    fn unchanged(_: &mut Frame) {}

    /// A viewer whose text has landed.
    fn landed() -> App {
        let mut app = viewer();
        for (tick, called) in [(0, true), (UP, true), (UP + 1, false), (DOWN, false)] {
            frame(&mut app, tick, called, unchanged);
        }
        app
    }

    #[test]
    fn a_text_takes_off_and_lands_once() {
        let mut app = viewer();
        let none: [&str; 0] = [];
        for (tick, called, asked) in [
            (0, true, &none[..]),
            (UP - 1, true, &none),
            (UP, true, &["release"]),
            (UP + 1, false, &none),
            (DOWN - 1, false, &none),
            (DOWN, false, &["call"]),
            (DOWN + 1, true, &none),
            (10 * DOWN, true, &none),
        ] {
            assert_eq!(frame(&mut app, tick, called, unchanged), asked, "{tick}");
        }
    }

    #[test]
    fn a_key_lets_it_fly_again_until_it_lands_or_the_same_key_calls_it_back() {
        let mut app = landed();
        app.act(Action::Say);
        assert_eq!(frame(&mut app, DOWN + 1, true, unchanged), ["release"]);
        assert!(frame(&mut app, DOWN + 200, false, unchanged).is_empty());
        app.act(Action::Say);
        assert_eq!(frame(&mut app, DOWN + 201, false, unchanged), ["call"]);
        assert!(app.overlay.is_none(), "no prompt");
        app.act(Action::Say);
        assert_eq!(frame(&mut app, DOWN + 300, true, unchanged), ["release"]);
        assert_eq!(frame(&mut app, DOWN + 300 + 360, false, unchanged), ["call"], "it lands automatically");
    }

    #[test]
    fn it_is_complete_when_all_letters_rest_or_had_the_time_for_it() {
        let mut app = landed();
        frame(&mut app, DOWN + 1, true, |frame| frame.formation.resting = 2);
        assert!(!app.letters.has_landed(&app.context));
        frame(&mut app, DOWN + 2, true, |frame| frame.formation.resting = 3);
        assert!(app.letters.has_landed(&app.context));
        frame(&mut app, DOWN + 900, true, |frame| frame.formation.resting = 2);
        assert!(app.letters.has_landed(&app.context));
    }

    #[test]
    fn it_is_placed_again_in_a_new_run_and_called_in_a_new_preset() {
        let mut app = landed();
        let restart = |frame: &mut Frame| frame.run.number = 1;
        assert_eq!(frame(&mut app, DOWN + 9, false, restart), ["place"]);
        assert_eq!(frame(&mut app, DOWN + 9 + UP, true, restart), ["release"], "it takes off again");
        let mut app = landed();
        let loaded = Some(Arc::new(Setup::default()));
        app.context.client.set_boids(2);
        drop(app.requests());
        let load = |frame: &mut Frame| frame.run.loaded = loaded.clone();
        assert_eq!(frame(&mut app, DOWN + 9, false, load), ["3 boids", "call"]);
        assert!(frame(&mut app, DOWN + 10, true, load).is_empty());
    }

    #[test]
    fn it_follows_a_session_that_goes_on_from_an_earlier_tick() {
        let mut app = landed();
        assert!(frame(&mut app, UP + 9, false, unchanged).is_empty(), "in flight");
        assert_eq!(frame(&mut app, UP + 9 + 360, false, unchanged), ["call"]);
        let mut app = landed();
        let past = |frame: &mut Frame| frame.position.last = 10 * DOWN;
        app.act(Action::Say);
        assert!(frame(&mut app, 9, true, past).is_empty(), "the past stays");
    }

    #[test]
    fn another_text_replaces_it() {
        let mut app = landed();
        app.letters.call(crate::viewer::Subject::Text("hi".to_owned()));
        assert!(!app.letters.has_landed(&app.context));
        app.act(Action::Say);
        assert!(!app.letters.is_called());
    }
}
