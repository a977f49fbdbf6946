//! Changes of the rules, to be undone and done again.

use std::time::{Duration, Instant};

use crate::sim::{Param, Value};

/// Presses on one row that follow each other so soon are one step.
const MERGE_WINDOW: Duration = Duration::from_secs(1);
/// How many steps are remembered.
const CAPACITY: usize = 1000;

/// A tunable, the value that it had, and the one that it was given.
#[derive(Clone, Copy, Debug)]
pub struct ParamChange {
    /// Which.
    pub row: &'static Param,
    /// What it had.
    pub before: Value,
    /// What it was given.
    pub after: Value,
}

/// What was changed in one go.
#[derive(Clone, Debug)]
pub struct UndoStep {
    changes: Vec<ParamChange>,
    /// When it was changed last.
    at: Instant,
}

/// The steps that were taken, and those that were taken back.
#[derive(Debug, Default)]
pub struct UndoStack {
    done: Vec<UndoStep>,
    undone: Vec<UndoStep>,
    /// Whether all that comes belongs to one step, and whether that has begun.
    held: Option<bool>,
}

impl UndoStack {
    /// Remembers a change; what was taken back before is gone.
    pub fn note(&mut self, change: ParamChange, now: Instant) {
        self.undone.clear();
        let joins = match (self.done.last(), self.held) {
            (Some(_), Some(begun)) => begun,
            (Some(last), None) => {
                let same = last.changes.len() == 1 && last.changes[0].row.key == change.row.key;
                same && now.duration_since(last.at) < MERGE_WINDOW
            }
            (None, _) => false,
        };
        match self.done.last_mut() {
            Some(last) if joins => last.join(change, now),
            _ => {
                if self.done.len() == CAPACITY {
                    self.done.remove(0);
                }
                self.done.push(UndoStep { changes: vec![change], at: now });
            }
        }
        self.held = self.held.map(|_| true);
    }

    /// From now on all belongs to one step, until it is let go.
    pub fn hold(&mut self) {
        self.held = Some(false);
    }

    /// What comes next is a step of its own.
    pub fn release(&mut self) {
        self.held = None;
        if let Some(last) = self.done.last_mut() {
            last.at = last.at.checked_sub(MERGE_WINDOW).unwrap_or(last.at);
        }
    }

    /// Forgets everything: other rules fly.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes the last step back; returns it.
    pub fn undo(&mut self) -> Option<UndoStep> {
        let step = self.done.pop()?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// Takes the step that was taken back last again; returns it.
    pub fn redo(&mut self) -> Option<UndoStep> {
        let mut step = self.undone.pop()?;
        // The next press is no part of it.
        step.at = step.at.checked_sub(MERGE_WINDOW).unwrap_or(step.at);
        self.done.push(step.clone());
        Some(step)
    }
}

impl UndoStep {
    fn join(&mut self, change: ParamChange, now: Instant) {
        match self.changes.iter_mut().find(|known| known.row.key == change.row.key) {
            Some(known) => known.after = change.after,
            None => self.changes.push(change),
        }
        self.at = now;
    }

    /// What every tunable of it had before.
    #[must_use]
    pub fn before(&self) -> Vec<(&'static Param, Value)> {
        self.changes.iter().map(|change| (change.row, change.before)).collect()
    }

    /// What every tunable of it has after.
    #[must_use]
    pub fn after(&self) -> Vec<(&'static Param, Value)> {
        self.changes.iter().map(|change| (change.row, change.after)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: &str, before: f32, after: f32) -> ParamChange {
        let row = Param::find(key).unwrap();
        ParamChange { row, before: Value::Number(before), after: Value::Number(after) }
    }

    fn values(step: Option<UndoStep>) -> Option<Vec<(&'static str, Value)>> {
        step.map(|step| step.before().into_iter().map(|(row, value)| (row.key, value)).collect())
    }

    #[test]
    fn a_run_of_presses_on_one_row_is_one_step() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut timeline = UndoStack::default();
        timeline.note(change("speed.max", 1.0, 2.0), at(0));
        timeline.note(change("speed.max", 2.0, 3.0), at(900));
        timeline.note(change("speed.max", 3.0, 4.0), at(1800));
        timeline.note(change("speed.max", 4.0, 5.0), at(3000));
        timeline.note(change("speed.min", 0.5, 1.0), at(3001));
        for (key, value) in [("speed.min", 0.5), ("speed.max", 4.0), ("speed.max", 1.0)] {
            assert_eq!(values(timeline.undo()), Some(vec![(key, Value::Number(value))]));
        }
        assert!(timeline.undo().is_none());
        assert_eq!(timeline.redo().unwrap().after(), [(Param::find("speed.max").unwrap(), Value::Number(4.0))]);
    }

    #[test]
    fn what_is_held_is_one_step_and_a_change_ends_what_was_taken_back() {
        let now = Instant::now();
        let mut timeline = UndoStack::default();
        timeline.note(change("flee.weight", 1.0, 2.0), now);
        timeline.hold();
        for k in 0..5 {
            timeline.note(change("speed.max", 1.0 + k as f32, 2.0 + k as f32), now);
            timeline.note(change("speed.min", 0.0, 0.5), now);
        }
        timeline.release();
        timeline.note(change("speed.min", 0.5, 0.6), now);
        assert_eq!(values(timeline.undo()), Some(vec![("speed.min", Value::Number(0.5))]));
        let held = vec![("speed.max", Value::Number(1.0)), ("speed.min", Value::Number(0.0))];
        assert_eq!(values(timeline.undo()), Some(held));
        timeline.note(change("flee.weight", 2.0, 3.0), now + MERGE_WINDOW);
        assert!(timeline.redo().is_none());
    }
}
