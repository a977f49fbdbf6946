//! The changes of a session that can be undone.

use super::log::{MAX_BYTES, SessionTail};
use crate::{Param, Value};

/// The most steps kept.
const CAPACITY: usize = 1000;

/// A parameter's value before and after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamChange {
    pub param: &'static Param,
    pub before: Value,
    pub after: Value,
}

/// Whether a step of the history is undone or repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Undoes the last step.
    Undo,
    /// Repeats the step that was undone last.
    Redo,
}

/// What is undone at once.
#[derive(Debug)]
pub(super) enum UndoStep {
    /// Changes of parameters.
    Params(Vec<ParamChange>),
    /// A change in the past, and the end of the session that it replaced; once undone, the end that it made.
    Branch(SessionTail),
}

/// Steps that can be undone and redone.
#[derive(Debug, Default)]
pub(super) struct History {
    done: Vec<UndoStep>,
    undone: Vec<UndoStep>,
    /// Whether a change may continue the last step.
    is_open: bool,
}

impl History {
    /// Records a change of a parameter, as a part of the last step if it continues that. Undone steps can no longer be redone.
    pub(super) fn record(&mut self, change: ParamChange, continues: bool) {
        match self.done.last_mut().filter(|_| continues && self.is_open) {
            Some(UndoStep::Params(changes)) => match changes.iter_mut().find(|known| known.param == change.param) {
                Some(known) => known.after = change.after,
                None => changes.push(change),
            },
            Some(UndoStep::Branch(_)) => {}
            None => self.push(UndoStep::Params(vec![change])),
        }
        self.undone.clear();
    }

    /// Records a change in the past and what it replaced.
    pub(super) fn record_branch(&mut self, replaced: SessionTail) {
        self.undone.clear();
        self.push(UndoStep::Branch(replaced));
        let bytes = |step: &UndoStep| if let UndoStep::Branch(tail) = step { tail.bytes() } else { 0 };
        while self.done.iter().map(bytes).sum::<usize>() > MAX_BYTES {
            self.done.remove(0);
        }
    }

    fn push(&mut self, step: UndoStep) {
        if self.done.len() == CAPACITY {
            self.done.remove(0);
        }
        self.done.push(step);
        self.is_open = true;
    }

    /// The step that would be undone or redone.
    pub(super) fn next(&self, direction: Direction) -> Option<&UndoStep> {
        let steps = if direction == Direction::Undo { &self.done } else { &self.undone };
        steps.last()
    }

    /// Takes the last step to undo or redo, replaced by its inverse.
    pub(super) fn take(&mut self, direction: Direction, invert: impl FnOnce(UndoStep) -> UndoStep) {
        self.is_open = false;
        let Self { done, undone, .. } = self;
        let (from, to) = if direction == Direction::Undo { (done, undone) } else { (undone, done) };
        if let Some(step) = from.pop() {
            to.push(invert(step));
        }
    }

    /// Forgets the other steps.
    pub(super) fn retain(&mut self, keep: fn(&UndoStep) -> bool) {
        self.done.retain(keep);
        self.undone.retain(keep);
        self.is_open = false;
    }

    /// Whether the session differs from the one at its start by a change in its past.
    pub(super) fn has_branch(&self) -> bool {
        self.done.iter().any(|step| matches!(step, UndoStep::Branch(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flock, SessionLog, SessionStart, Setup};

    fn change(key: &str, before: f32, after: f32) -> ParamChange {
        let param = Param::find(key).unwrap();
        ParamChange { param, before: Value::Number(before), after: Value::Number(after) }
    }

    fn tail() -> SessionTail {
        let flock = Flock::new(&Setup::default().with_boids(1)).unwrap();
        SessionLog::new(SessionStart::of(&flock, true)).split_off(0, 0)
    }

    /// Undoes or redoes a step. Returns the values that it sets, none for a branch.
    fn take(history: &mut History, direction: Direction) -> Option<Vec<(&'static str, f32)>> {
        let number = |value| if let Value::Number(number) = value { number } else { panic!("{value}") };
        let changes = match history.next(direction)? {
            UndoStep::Params(changes) => &changes[..],
            UndoStep::Branch(_) => &[],
        };
        let values = changes.iter().map(|change| {
            (change.param.key, number(if direction == Direction::Undo { change.before } else { change.after }))
        });
        let values = values.collect();
        history.take(direction, |step| step);
        Some(values)
    }

    #[test]
    fn changes_that_continue_the_last_one_are_its_step() {
        let mut history = History::default();
        history.record(change("speed.max", 1.0, 2.0), false);
        history.record(change("speed.max", 2.0, 3.0), true);
        history.record(change("speed.max", 3.0, 4.0), true);
        history.record(change("speed.max", 4.0, 5.0), false);
        history.record(change("speed.min", 0.5, 1.0), false);
        for step in [("speed.min", 0.5), ("speed.max", 4.0), ("speed.max", 1.0)] {
            assert_eq!(take(&mut history, Direction::Undo), Some(vec![step]));
        }
        assert_eq!(take(&mut history, Direction::Undo), None);
        assert_eq!(take(&mut history, Direction::Redo), Some(vec![("speed.max", 4.0)]));
    }

    #[test]
    fn a_group_is_one_step_and_a_change_clears_redo() {
        let mut history = History::default();
        history.record(change("flee.weight", 1.0, 2.0), false);
        for k in 0..5_u8 {
            history.record(change("speed.max", 1.0 + f32::from(k), 2.0 + f32::from(k)), k > 0);
            history.record(change("speed.min", 0.0, 0.5), true);
        }
        history.record(change("speed.min", 0.5, 0.6), false);
        assert_eq!(take(&mut history, Direction::Undo), Some(vec![("speed.min", 0.5)]));
        assert_eq!(take(&mut history, Direction::Undo), Some(vec![("speed.max", 1.0), ("speed.min", 0.0)]));
        history.record(change("flee.weight", 2.0, 3.0), true);
        assert_eq!(take(&mut history, Direction::Redo), None);
        // After an undo nothing continues.
        assert_eq!(take(&mut history, Direction::Undo), Some(vec![("flee.weight", 2.0)]));
        assert_eq!(take(&mut history, Direction::Undo), Some(vec![("flee.weight", 1.0)]));
    }

    #[test]
    fn a_change_in_the_past_is_one_step_that_undoes_as_a_branch() {
        let (mut history, branch) = (History::default(), Some(vec![]));
        history.record(change("flee.weight", 1.0, 2.0), false);
        history.record_branch(tail());
        history.record(change("speed.max", 2.0, 3.0), true);
        history.record_branch(tail());
        history.record(change("speed.max", 3.0, 2.0), true);
        history.record(change("flee.weight", 2.0, 1.0), true);
        history.record(change("speed.min", 0.5, 0.6), false);
        assert_eq!(take(&mut history, Direction::Undo), Some(vec![("speed.min", 0.5)]));
        assert_eq!([(); 2].map(|()| take(&mut history, Direction::Undo)), [branch.clone(), branch.clone()]);
        assert!(!history.has_branch());
        assert_eq!(take(&mut history, Direction::Undo), Some(vec![("flee.weight", 1.0)]));
        take(&mut history, Direction::Redo);
        assert_eq!((take(&mut history, Direction::Redo), history.has_branch()), (branch, true));
    }

    #[test]
    fn branches_outlive_the_changes_of_parameters() {
        let mut history = History::default();
        history.record_branch(tail());
        history.record(change("speed.max", 1.0, 2.0), false);
        history.record(change("speed.min", 0.5, 0.6), false);
        take(&mut history, Direction::Undo);
        history.retain(|step| matches!(step, UndoStep::Branch(_)));
        assert_eq!(take(&mut history, Direction::Redo), None);
        assert_eq!((take(&mut history, Direction::Undo), take(&mut history, Direction::Undo)), (Some(vec![]), None));
    }

    #[test]
    fn the_oldest_steps_of_many_are_forgotten() {
        let mut history = History::default();
        for number in 0..1005_u16 {
            history.record(change("speed.max", f32::from(number), f32::from(number) + 1.0), false);
        }
        let steps: Vec<_> = std::iter::from_fn(|| take(&mut history, Direction::Undo)).collect();
        assert_eq!((steps.len(), &steps[999]), (CAPACITY, &vec![("speed.max", 5.0)]));
    }
}
