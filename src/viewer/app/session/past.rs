//! The past of the session: changes there start branches, the base of the gauges follows, and the world waits.

use std::mem;
use std::time::Instant;

use super::Session;
use crate::config::{Preset, WorldSize, auto_world};
use crate::engine::{Clock, Frame, Request};
use crate::sim::Command;

impl Session {
    pub(super) fn start_branch(&mut self, is_param: bool) {
        // Ticks that run backward would start the next branch at once.
        if self.state.position.backward {
            self.control_clock(Clock::Pause(self.state.paused));
        }
        let tick = self.state.target();
        let position = &mut self.state.position;
        (position.tick, position.last, position.seeking) = (tick, tick, None);
        position.branches += 1;
        self.new_branch = Some(tick);
        self.is_branch_open = true;
        self.undo_stack.record_branch(is_param, Instant::now());
    }

    /// Takes the tick of a new branch, to report it.
    pub fn take_branch(&mut self) -> Option<u64> {
        self.new_branch.take()
    }

    /// Notes run and rules of a settled frame. Returns whether a move through the session, and no command, changed them.
    pub fn moved_to_other_rules(&mut self, frame: &Frame, was_past: bool) -> bool {
        let rules = (frame.runs, frame.morph_target.0);
        let before = self.known_rules.replace(rules);
        before.is_some_and(|before| before != rules) && (was_past || self.state.is_past())
    }

    /// Makes another preset the base of the gauges after a move through the session: `None` is the one at the start.
    /// Returns whether it changed.
    pub fn follow_preset(&mut self, preset: Option<&Preset>) -> bool {
        let (preset, auto_area) = preset.map_or((&self.start.0, self.start.1), |preset| {
            let is_auto = self.start.1.is_some() && preset.world == WorldSize::Auto;
            (preset, is_auto.then_some(preset.area * self.state.boids as f32))
        });
        let changed = preset.origin != self.preset.origin;
        if changed {
            (self.preset, self.auto_area) = (preset.clone(), auto_area);
        }
        changed
    }

    /// Fits a world of automatic size to a canvas of this aspect ratio (width / height), once the session is at its end.
    pub fn resize(&mut self, aspect_ratio: f32) {
        self.aspect_ratio = Some(aspect_ratio);
        self.fit_world();
    }

    pub(super) fn fit_world(&mut self) {
        if self.state.is_past() {
            return;
        }
        let Some((area, aspect_ratio)) = self.auto_area.zip(self.aspect_ratio.take()) else { return };
        let world = auto_world(area, aspect_ratio, &self.state.params);
        if mem::replace(&mut self.state.world, world) != world {
            self.request(Request::Flock(Command::Resize(world)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::HistoryOutcome;
    use super::super::tests::{load, session};
    use super::*;
    use crate::engine::SessionPosition;
    use crate::sim::{Param, Value};

    /// A session at a tick of 100, with a frame that confirms its requests.
    fn at(tick: u64) -> (Session, Frame) {
        let mut session = session("drones");
        let state = session.state();
        let mut frame = Frame {
            params: state.params,
            world: state.world,
            morph_target: (state.params, state.world),
            boids: state.boids,
            predators: state.predators,
            seed: state.seed,
            rate: state.rate,
            ..Frame::default()
        };
        frame.position = SessionPosition { tick, last: 100, ..SessionPosition::default() };
        session.on_frame(&frame);
        (session, frame)
    }

    /// Confirms all requests at a place in the session.
    fn settle(session: &mut Session, frame: &mut Frame, position: SessionPosition) -> Vec<Request> {
        let requests = session.requests();
        frame.requests_done += requests.len() as u64;
        frame.position = position;
        session.on_frame(frame);
        requests
    }

    fn set_speed(session: &mut Session, value: f32) {
        session.set(Param::find("speed.max").unwrap(), Value::Number(value)).unwrap();
    }

    #[test]
    fn changes_of_the_past_branch_once_and_undo_as_a_branch() {
        let (mut session, mut frame) = at(40);
        set_speed(&mut session, 9.0);
        set_speed(&mut session, 8.0);
        session.set_boids(50);
        assert_eq!((session.take_branch(), session.take_branch()), (Some(40), None));
        let branched = SessionPosition { tick: 41, last: 41, branches: 1, ..frame.position };
        assert_eq!(settle(&mut session, &mut frame, branched).len(), 3);
        assert_eq!(session.undo(), HistoryOutcome::Branch);
        let undone = SessionPosition { tick: 40, last: 100, branches: 2, ..branched };
        let requests = settle(&mut session, &mut frame, undone);
        assert_eq!(requests, [Request::Clock(Clock::UndoBranch)]);
        assert_eq!((session.undo(), session.redo()), (HistoryOutcome::Nothing, HistoryOutcome::Branch));
        // Another branch ends the redo.
        let redone = SessionPosition { tick: 40, last: 60, branches: 3, ..branched };
        settle(&mut session, &mut frame, redone);
        session.undo();
        session.set_predators(9);
        assert_eq!((session.redo(), session.undo()), (HistoryOutcome::Nothing, HistoryOutcome::Branch));
    }

    #[test]
    fn a_refused_change_of_the_past_starts_no_branch() {
        let (mut session, mut frame) = at(40);
        session.set_boids(50);
        let position = frame.position;
        settle(&mut session, &mut frame, position);
        assert_eq!(session.undo(), HistoryOutcome::Nothing);
    }

    #[test]
    fn undo_leaves_later_changes_alone_in_the_past() {
        let (mut session, mut frame) = at(100);
        set_speed(&mut session, 9.0);
        session.control_clock(Clock::Seek(20));
        let past = SessionPosition { tick: 20, ..frame.position };
        settle(&mut session, &mut frame, past);
        assert_eq!((session.undo(), session.requests().len()), (HistoryOutcome::Later, 0));
        session.control_clock(Clock::Seek(100));
        assert!(matches!(session.undo(), HistoryOutcome::Values(_)));
    }

    #[test]
    fn loading_a_preset_keeps_a_branch_undoable() {
        let (mut session, mut frame) = at(40);
        set_speed(&mut session, 9.0);
        let branched = SessionPosition { tick: 41, last: 41, branches: 1, ..frame.position };
        settle(&mut session, &mut frame, branched);
        set_speed(&mut session, 3.0);
        load(&mut session, "parker");
        assert_eq!(session.undo(), HistoryOutcome::Branch);
    }

    #[test]
    fn the_world_is_resized_at_the_end_of_the_session() {
        let (mut session, mut frame) = at(40);
        session.auto_area = Some(1e6);
        session.resize(2.0);
        let past = frame.position;
        assert_eq!(settle(&mut session, &mut frame, past), []);
        let end = SessionPosition { tick: 100, ..past };
        settle(&mut session, &mut frame, end);
        assert!(matches!(session.requests()[..], [Request::Flock(Command::Resize(_))]));
        assert_eq!(session.take_branch(), None);
    }

    #[test]
    fn a_branch_ends_backward_ticks() {
        let (mut session, _) = at(40);
        session.control_clock(Clock::Backward);
        session.set_boids(50);
        let clocks = [Clock::Backward, Clock::Pause(false)].map(Request::Clock);
        assert_eq!(session.requests()[..2], clocks);
    }
}
