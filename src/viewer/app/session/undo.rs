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

/// Parameters and their values.
pub type ParamValues = Vec<(&'static Param, Value)>;

/// Changes that are undone together.
#[derive(Debug)]
struct UndoStep {
    changes: Vec<ParamChange>,
    /// The time of the last change, unless the step is complete.
    last_change: Option<Instant>,
}

impl UndoStep {
    /// Whether a change continues this step.
    fn accepts(&self, change: ParamChange, now: Instant, in_group: bool) -> bool {
        let is_same = self.changes.len() == 1 && self.changes[0].param.key == change.param.key;
        self.last_change.is_some_and(|last| in_group || (is_same && now.duration_since(last) < MERGE_WINDOW))
    }

    fn merge(&mut self, change: ParamChange, now: Instant) {
        match self.changes.iter_mut().find(|known| known.param.key == change.param.key) {
            Some(known) => known.after = change.after,
            None => self.changes.push(change),
        }
        self.last_change = Some(now);
    }
}

/// The steps that can be undone and redone.
#[derive(Debug, Default)]
pub struct UndoStack {
    done: Vec<UndoStep>,
    undone: Vec<UndoStep>,
    /// Whether all changes belong to one step.
    in_group: bool,
}

impl UndoStack {
    /// Records a change. Undone steps can no longer be redone.
    pub fn record(&mut self, change: ParamChange, now: Instant) {
        self.undone.clear();
        let in_group = self.in_group;
        if let Some(last) = self.done.last_mut().filter(|last| last.accepts(change, now, in_group)) {
            return last.merge(change, now);
        }
        if self.done.len() == CAPACITY {
            self.done.remove(0);
        }
        self.done.push(UndoStep { changes: vec![change], last_change: Some(now) });
    }

    /// Records changes as one step.
    pub fn record_step(&mut self, changes: impl IntoIterator<Item = ParamChange>, now: Instant) {
        self.begin_group();
        for change in changes {
            self.record(change, now);
        }
        self.end_group();
    }

    /// Makes all following changes one step, until [`end_group`](Self::end_group).
    pub fn begin_group(&mut self) {
        self.end_group();
        self.in_group = true;
    }

    /// Ends a group. The next change starts a new step.
    pub fn end_group(&mut self) {
        self.in_group = false;
        if let Some(last) = self.done.last_mut() {
            last.last_change = None;
        }
    }

    /// Moves the last step to the undone ones and returns the values before it.
    pub fn undo(&mut self) -> Option<ParamValues> {
        let step = self.done.pop()?;
        let values = step.changes.iter().map(|change| (change.param, change.before)).collect();
        self.undone.push(step);
        Some(values)
    }

    /// Moves the last undone step back and returns the values after it.
    pub fn redo(&mut self) -> Option<ParamValues> {
        let step = self.undone.pop()?;
        let values = step.changes.iter().map(|change| (change.param, change.after)).collect();
        self.done.push(UndoStep { last_change: None, ..step });
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: &str, before: f32, after: f32) -> ParamChange {
        let param = Param::find(key).unwrap();
        ParamChange { param, before: Value::Number(before), after: Value::Number(after) }
    }

    fn values(step: Option<ParamValues>) -> Option<Vec<(&'static str, Value)>> {
        step.map(|values| values.into_iter().map(|(param, value)| (param.key, value)).collect())
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
        assert_eq!(undo.redo().unwrap(), [(Param::find("speed.max").unwrap(), Value::Number(4.0))]);
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
