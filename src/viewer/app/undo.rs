//! The undo history of parameter changes.

use std::time::{Duration, Instant};

use crate::sim::{Param, Value};

/// Changes of one parameter within this time of each other form one step.
const MERGE_WINDOW: Duration = Duration::from_secs(1);
/// The most steps kept.
const CAPACITY: usize = 1000;

/// A parameter's value before and after a change.
#[derive(Clone, Copy, Debug)]
pub struct ParamChange {
    /// The parameter.
    pub param: &'static Param,
    /// Its old value.
    pub before: Value,
    /// Its new value.
    pub after: Value,
}

/// Changes that are undone together.
#[derive(Clone, Debug)]
pub struct UndoStep {
    changes: Vec<ParamChange>,
    last_change: Instant,
}

/// Whether consecutive changes belong to one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Group {
    /// Only changes of one parameter in quick succession do.
    #[default]
    Closed,
    /// They do, starting with the next change.
    Empty,
    /// They do, and the step exists.
    Started,
}

/// The steps that can be undone and redone.
#[derive(Debug, Default)]
pub struct UndoStack {
    done: Vec<UndoStep>,
    undone: Vec<UndoStep>,
    group: Group,
}

impl UndoStack {
    /// Records a change. Undone steps can no longer be redone.
    pub fn record(&mut self, change: ParamChange, now: Instant) {
        self.undone.clear();
        match self.done.last_mut() {
            Some(last)
                if self.group == Group::Started || (self.group == Group::Closed && last.accepts(change, now)) =>
            {
                last.merge(change, now);
            }
            _ => {
                if self.done.len() == CAPACITY {
                    self.done.remove(0);
                }
                self.done.push(UndoStep { changes: vec![change], last_change: now });
            }
        }
        if self.group == Group::Empty {
            self.group = Group::Started;
        }
    }

    /// Makes all following changes one step, until [`end_group`](Self::end_group).
    pub fn begin_group(&mut self) {
        self.group = Group::Empty;
    }

    /// Ends a group. The next change starts a new step.
    pub fn end_group(&mut self) {
        self.group = Group::Closed;
        if let Some(last) = self.done.last_mut() {
            last.close();
        }
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Moves the last step to the undone ones and returns it.
    pub fn undo(&mut self) -> Option<UndoStep> {
        let step = self.done.pop()?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// Moves the last undone step back and returns it.
    pub fn redo(&mut self) -> Option<UndoStep> {
        let mut step = self.undone.pop()?;
        step.close();
        self.done.push(step.clone());
        Some(step)
    }
}

impl UndoStep {
    /// Whether a change continues this step.
    fn accepts(&self, change: ParamChange, now: Instant) -> bool {
        self.changes.len() == 1
            && self.changes[0].param.key == change.param.key
            && now.duration_since(self.last_change) < MERGE_WINDOW
    }

    fn merge(&mut self, change: ParamChange, now: Instant) {
        match self.changes.iter_mut().find(|known| known.param.key == change.param.key) {
            Some(known) => known.after = change.after,
            None => self.changes.push(change),
        }
        self.last_change = now;
    }

    /// Backdates the step so that no later change continues it.
    fn close(&mut self) {
        self.last_change = self.last_change.checked_sub(MERGE_WINDOW).unwrap_or(self.last_change);
    }

    /// The values before the step.
    #[must_use]
    pub fn before(&self) -> Vec<(&'static Param, Value)> {
        self.changes.iter().map(|change| (change.param, change.before)).collect()
    }

    /// The values after the step.
    #[must_use]
    pub fn after(&self) -> Vec<(&'static Param, Value)> {
        self.changes.iter().map(|change| (change.param, change.after)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: &str, before: f32, after: f32) -> ParamChange {
        let param = Param::find(key).unwrap();
        ParamChange { param, before: Value::Number(before), after: Value::Number(after) }
    }

    fn values(step: Option<UndoStep>) -> Option<Vec<(&'static str, Value)>> {
        step.map(|step| step.before().into_iter().map(|(param, value)| (param.key, value)).collect())
    }

    #[test]
    fn quick_changes_of_one_parameter_are_one_step() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut undo = UndoStack::default();
        undo.record(change("speed.max", 1.0, 2.0), at(0));
        undo.record(change("speed.max", 2.0, 3.0), at(900));
        undo.record(change("speed.max", 3.0, 4.0), at(1800));
        undo.record(change("speed.max", 4.0, 5.0), at(3000));
        undo.record(change("speed.min", 0.5, 1.0), at(3001));
        for (key, value) in [("speed.min", 0.5), ("speed.max", 4.0), ("speed.max", 1.0)] {
            assert_eq!(values(undo.undo()), Some(vec![(key, Value::Number(value))]));
        }
        assert!(undo.undo().is_none());
        assert_eq!(undo.redo().unwrap().after(), [(Param::find("speed.max").unwrap(), Value::Number(4.0))]);
    }

    #[test]
    fn a_group_is_one_step_and_a_change_clears_redo() {
        let now = Instant::now();
        let mut undo = UndoStack::default();
        undo.record(change("flee.weight", 1.0, 2.0), now);
        undo.begin_group();
        for k in 0..5 {
            undo.record(change("speed.max", 1.0 + k as f32, 2.0 + k as f32), now);
            undo.record(change("speed.min", 0.0, 0.5), now);
        }
        undo.end_group();
        undo.record(change("speed.min", 0.5, 0.6), now);
        assert_eq!(values(undo.undo()), Some(vec![("speed.min", Value::Number(0.5))]));
        let group = vec![("speed.max", Value::Number(1.0)), ("speed.min", Value::Number(0.0))];
        assert_eq!(values(undo.undo()), Some(group));
        undo.record(change("flee.weight", 2.0, 3.0), now + MERGE_WINDOW);
        assert!(undo.redo().is_none());
    }
}
