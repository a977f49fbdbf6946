//! Actions on time: moving through the session, and what its past does to undo.

use std::ops::Range;

use crate::engine::Clock;
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::timeline::command_name;

impl App {
    /// Moves through the session. A drag belongs to the state before.
    pub(crate) fn move_in_time(&mut self, clock: Clock) {
        self.release_mouse();
        self.session.control_clock(clock);
        self.report_time();
    }

    /// Moves by a second.
    pub(crate) fn skip_second(&mut self, forward: bool) {
        let second = self.timeline.second();
        self.move_in_time(Clock::Skip(if forward { second } else { -second }));
    }

    /// Moves to the first tick of the session, or to the last, and plays forward from there.
    pub(crate) fn move_to_end_of_session(&mut self, last: bool) {
        let state = self.session.state();
        let (position, paused) = (state.position, state.paused);
        if last && position.backward {
            self.session.control_clock(Clock::Pause(paused));
        }
        self.move_in_time(Clock::Seek(if last { position.last } else { position.first }));
    }

    /// Plays backward, or forward again.
    pub(crate) fn toggle_backward(&mut self) {
        let position = self.session.state().position;
        if position.backward {
            self.move_in_time(Clock::Pause(false));
        } else if position.tick > position.first {
            self.move_in_time(Clock::Backward);
        } else {
            self.show_message("this is the first tick of the session");
        }
    }

    /// Moves to a tick, unless that is the current target.
    pub(crate) fn seek(&mut self, tick: u64) {
        if self.session.state().target() != tick {
            self.session.control_clock(Clock::Seek(tick));
        }
    }

    /// Stops the computation of a tick. Returns whether one was running.
    pub(crate) fn cancel_seek(&mut self) -> bool {
        let is_seeking = self.session.state().position.seeking.is_some();
        if is_seeking {
            self.session.control_clock(Clock::CancelSeek);
        }
        is_seeking
    }

    /// Reports a change that replaced what followed.
    pub(crate) fn report_branch(&mut self) {
        let Some(tick) = self.session.take_branch() else { return };
        let time = self.time(tick);
        let undo =
            self.keymap.key(Action::Undo).map_or(String::new(), |key| format!("; {key} goes back to the old one"));
        self.show_message(format!("a new branch starts at {time}{undo}"));
    }

    /// Shows the time if the timeline is hidden with the rest of the screen.
    fn report_time(&mut self) {
        if self.display.clean {
            let last = self.session.state().position.last;
            let (now, end) = (self.time(self.session.state().target()), self.time(last));
            self.show_message(format!("{now} / {end}"));
        }
    }

    /// The time of a tick of the session.
    pub fn time(&self, tick: u64) -> String {
        self.timeline.time(tick.saturating_sub(self.session.state().position.first))
    }

    /// The name of the last command of some ticks.
    pub fn last_command_in(&self, ticks: Range<u64>) -> Option<String> {
        let mut last = None;
        self.timeline.visit_marks(ticks.start, |tick, command| {
            if tick < ticks.end {
                last = Some(command.clone());
            }
            tick < ticks.end
        });
        last.map(|command| command_name(&command, &self.presets))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    use ratatui::layout::Rect;

    use super::*;
    use crate::config::Preset;
    use crate::engine::{Frame, Request, SessionPosition};
    use crate::sim::{Command, Flock, Pointer, SessionEvent, SessionLog, SessionStart};
    use crate::viewer::ConfigChanges;
    use crate::viewer::app::tests::app;
    use crate::viewer::input::mouse::DragTarget;

    /// A viewer at a tick of a session of 300 ticks.
    fn at(tick: u64) -> App {
        let mut app = app(20);
        let position = SessionPosition { tick, last: 300, ..SessionPosition::default() };
        app.on_frame(&frame(&app, position));
        app
    }

    fn frame(app: &App, position: SessionPosition) -> Frame {
        let state = app.session.state();
        Frame {
            params: state.params,
            world: state.world,
            morph_target: (state.params, state.world),
            boids: state.boids,
            predators: state.predators,
            rate: state.rate,
            paused: state.paused,
            position,
            ..Frame::default()
        }
    }

    fn clocks(app: &mut App, actions: &[Action]) -> Vec<Clock> {
        for action in actions {
            app.act(*action);
        }
        let clock = |request| match request {
            Request::Clock(clock) => clock,
            other => panic!("{other:?}"),
        };
        app.requests().into_iter().map(clock).collect()
    }

    #[test]
    fn keys_move_through_the_session() {
        let mut app = at(200);
        let requested = clocks(&mut app, &[Action::SkipBack, Action::SkipBack, Action::SkipForward]);
        assert_eq!(requested, [Clock::Skip(-60), Clock::Skip(-60), Clock::Skip(60)]);
        assert_eq!(app.session.state().position.tick, 140);
        assert_eq!(clocks(&mut app, &[Action::FirstTick, Action::LastTick]), [Clock::Seek(0), Clock::Seek(300)]);
        assert_eq!(clocks(&mut app, &[Action::PlayBackward; 2]), [Clock::Backward, Clock::Pause(false)]);
        let forward = [Clock::Backward, Clock::Pause(false), Clock::Seek(300)];
        assert_eq!(clocks(&mut app, &[Action::PlayBackward, Action::LastTick]), forward);
        app.act(Action::FirstTick);
        app.requests();
        assert_eq!(clocks(&mut app, &[Action::PlayBackward]), []);
    }

    #[test]
    fn dragging_the_timeline_pauses_and_seeks() {
        let (mut app, screen) = (at(200), Rect::new(0, 0, 80, 21));
        app.resize(screen, 1.0);
        app.requests();
        let mouse = |app: &mut App, kind, column| {
            app.on_mouse(MouseEvent { kind, column, row: 19, modifiers: KeyModifiers::NONE }, screen);
        };
        let left = MouseButton::Left;
        mouse(&mut app, MouseEventKind::Down(left), 8);
        assert_eq!(clocks(&mut app, &[]), [Clock::Pause(true), Clock::Seek(0)]);
        // Positions are sent once per frame.
        (9..40).for_each(|column| mouse(&mut app, MouseEventKind::Drag(left), column));
        assert_eq!(clocks(&mut app, &[]), []);
        app.update_drag(screen);
        app.update_drag(screen);
        assert_eq!(clocks(&mut app, &[]), [Clock::Seek(300)]);
        mouse(&mut app, MouseEventKind::Up(left), 8);
        assert_eq!(clocks(&mut app, &[]), [Clock::Seek(0), Clock::Pause(false)]);
        mouse(&mut app, MouseEventKind::ScrollUp, 8);
        mouse(&mut app, MouseEventKind::ScrollDown, 8);
        assert_eq!(clocks(&mut app, &[]), [Clock::Skip(60), Clock::Skip(-60)]);
    }

    #[test]
    fn a_move_through_the_session_ends_a_drag() {
        let (mut app, screen) = (at(300), Rect::new(0, 0, 80, 21));
        app.session.set_pointer(Some(Pointer { at: [9.0; 3], along: [0.0; 3], attracts: true }));
        app.mouse.target = Some(DragTarget::Pointer { attracts: true });
        app.act(Action::SkipBack);
        let requests = app.requests();
        assert_eq!(requests[1..], [Request::Flock(Command::SetPointer(None)), Request::Clock(Clock::Skip(-60))]);
        app.update_drag(screen);
        assert_eq!(app.requests(), []);
    }

    #[test]
    fn close_cancels_a_long_seek_before_it_closes_the_plots() {
        let mut app = at(200);
        app.act(Action::Plots);
        let seeking = SessionPosition { tick: 200, last: 300, seeking: Some((9, 0.4)), ..SessionPosition::default() };
        app.on_frame(&frame(&app, seeking));
        assert_eq!(clocks(&mut app, &[Action::Close]), [Clock::CancelSeek]);
        assert!(app.plots.is_open() && clocks(&mut app, &[Action::Close]).is_empty() && !app.plots.is_open());
    }

    #[test]
    fn a_change_in_the_past_is_reported_with_its_undo() {
        let mut app = at(150);
        app.act(Action::MoreBoids);
        app.requests();
        assert_eq!(app.message(), Some("a new branch starts at 0:02; u goes back to the old one"));
        assert_eq!(clocks(&mut app, &[Action::Undo]), [Clock::UndoBranch]);
        assert_eq!(app.message(), Some("undo: back to the old branch"));
        assert_eq!(clocks(&mut app, &[Action::Redo]), [Clock::RedoBranch]);
    }

    #[test]
    fn actions_that_do_not_change_the_flock_do_not_branch() {
        let mut app = at(150);
        let past = app.session.state().position;
        let actions = [
            Action::ShowCommand,
            Action::Palette,
            Action::Plots,
            Action::NextTheme,
            Action::View,
            Action::Marker,
            Action::Clean,
            Action::Screensaver,
            Action::Pause,
            Action::SaveSession,
            Action::Follow,
            Action::ZoomIn,
            Action::Faster,
        ];
        for action in actions {
            app.act(action);
            app.note_activity(Instant::now());
            app.act(Action::Close);
            app.release_mouse();
            app.apply_config(ConfigChanges::default());
            app.resize(Rect::new(0, 0, 90, 30), 1.1);
            let flock = |request: &Request| matches!(request, Request::Flock(_) | Request::NewFlock(_));
            assert!(!app.requests().iter().any(flock), "{}", action.id());
            app.on_frame(&frame(&app, past));
        }
    }

    #[test]
    fn the_base_of_the_gauges_follows_the_session() {
        let mut app = at(300);
        let flock = Flock::new(&app.session.preset.setup(7, 1.6)).unwrap();
        let mut log = SessionLog::new(SessionStart::of(&flock, true));
        let sparrows = Preset::load("sparrows").unwrap();
        let morph = Command::Morph(Box::new(sparrows.setup(7, 1.6)), 30);
        log.push_at(200, SessionEvent::Command(morph));
        app.timeline.attach_log(log, None);
        let drones = frame(&app, app.session.state().position);
        let mut names = Vec::new();
        for (tick, params) in [(250, sparrows.params), (150, drones.params), (250, sparrows.params)] {
            let position = SessionPosition { tick, ..drones.position };
            app.on_frame(&Frame { params, morph_target: (params, drones.world), position, ..drones.clone() });
            names.push(app.session.preset.name.clone());
        }
        assert_eq!(names, ["sparrows", "drones", "sparrows"]);
    }
}
