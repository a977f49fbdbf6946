//! The undo history of parameter changes, and of changes in the past of the session.

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

/// What undoes or redoes a step.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryStep {
    /// These values.
    Values(ParamValues),
    /// A move to the other branch of the session.
    Branch,
}

/// Changes that are undone together.
#[derive(Debug)]
struct UndoStep {
    changes: Vec<ParamChange>,
    /// Whether they were made in the past of the session and replaced what followed.
    is_branch: bool,
    /// The time of the last change, unless the step is complete.
    last_change: Option<Instant>,
}

impl UndoStep {
    /// Whether a change continues this step.
    fn accepts(&self, change: ParamChange, now: Instant, in_group: bool) -> bool {
        let continues = match &self.changes[..] {
            [] => true,
            [only] => only.param.key == change.param.key,
            _ => false,
        };
        self.last_change.is_some_and(|last| in_group || (continues && now.duration_since(last) < MERGE_WINDOW))
    }

    fn merge(&mut self, change: ParamChange, now: Instant) {
        match self.changes.iter_mut().find(|known| known.param.key == change.param.key) {
            Some(known) => known.after = change.after,
            None => self.changes.push(change),
        }
        self.last_change = Some(now);
    }

    fn step(&self, value: impl Fn(&ParamChange) -> Value) -> HistoryStep {
        if self.is_branch {
            return HistoryStep::Branch;
        }
        HistoryStep::Values(self.changes.iter().map(|change| (change.param, value(change))).collect())
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
        self.push(UndoStep { changes: vec![change], is_branch: false, last_change: Some(now) });
    }

    /// Records changes as one step.
    pub fn record_step(&mut self, changes: impl IntoIterator<Item = ParamChange>, now: Instant) {
        // They may have just started a branch.
        if !self.done.last().is_some_and(|last| last.is_branch && last.changes.is_empty()) {
            self.end_group();
        }
        self.in_group = true;
        for change in changes {
            self.record(change, now);
        }
        self.end_group();
    }

    /// Records that a change in the past replaces what followed. If `is_param`, the changes of parameters that are recorded
    /// next belong to this step.
    pub fn record_branch(&mut self, is_param: bool, now: Instant) {
        self.undone.clear();
        self.push(UndoStep { changes: Vec::new(), is_branch: true, last_change: is_param.then_some(now) });
    }

    /// Corrects the last step after a change that replaced nothing.
    pub fn retract_branch(&mut self) {
        match self.done.last_mut() {
            Some(last) if last.is_branch && last.changes.is_empty() => _ = self.done.pop(),
            Some(last) => last.is_branch = false,
            None => {}
        }
    }

    /// Forgets all changes of parameters, but no branch.
    pub fn forget_params(&mut self) {
        for steps in [&mut self.done, &mut self.undone] {
            steps.retain(|step| step.is_branch);
        }
        self.end_group();
    }

    /// Whether the session differs from the one at its start by a change in its past.
    pub fn has_branch(&self) -> bool {
        self.done.iter().any(|step| step.is_branch)
    }

    /// Whether the step that would be undone is a branch; `None` without a step.
    pub fn undoes_branch(&self) -> Option<bool> {
        self.done.last().map(|step| step.is_branch)
    }

    /// Whether the step that would be redone is a branch; `None` without a step.
    pub fn redoes_branch(&self) -> Option<bool> {
        self.undone.last().map(|step| step.is_branch)
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

    /// Moves the last step to the undone ones and returns what undoes it.
    pub fn undo(&mut self) -> Option<HistoryStep> {
        let step = self.done.pop()?;
        let undoes = step.step(|change| change.before);
        self.undone.push(step);
        Some(undoes)
    }

    /// Moves the last undone step back and returns what repeats it.
    pub fn redo(&mut self) -> Option<HistoryStep> {
        let step = self.undone.pop()?;
        let repeats = step.step(|change| change.after);
        self.done.push(UndoStep { last_change: None, ..step });
        Some(repeats)
    }

    fn push(&mut self, step: UndoStep) {
        if self.done.len() == CAPACITY {
            self.done.remove(0);
        }
        self.done.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: &str, before: f32, after: f32) -> ParamChange {
        let param = Param::find(key).unwrap();
        ParamChange { param, before: Value::Number(before), after: Value::Number(after) }
    }

    fn values(step: Option<HistoryStep>) -> Option<Vec<(&'static str, Value)>> {
        match step? {
            HistoryStep::Values(values) => Some(values.into_iter().map(|(param, value)| (param.key, value)).collect()),
            HistoryStep::Branch => panic!("a branch"),
        }
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
        assert_eq!(values(undo.redo()), Some(vec![("speed.max", Value::Number(4.0))]));
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

    #[test]
    fn a_change_in_the_past_is_one_step_that_undoes_as_a_branch() {
        let now = Instant::now();
        let mut undo = UndoStack::default();
        undo.record(change("flee.weight", 1.0, 2.0), now);
        undo.record_branch(true, now);
        undo.record(change("speed.max", 1.0, 2.0), now);
        undo.record(change("speed.max", 2.0, 3.0), now);
        undo.record_branch(true, now);
        undo.record_step([change("speed.max", 3.0, 2.0), change("flee.weight", 2.0, 1.0)], now);
        undo.record_branch(false, now);
        undo.record(change("speed.min", 0.5, 0.6), now);
        assert_eq!(values(undo.undo()), Some(vec![("speed.min", Value::Number(0.5))]));
        assert_eq!([undo.undo(), undo.undo(), undo.undo()], [const { Some(HistoryStep::Branch) }; 3]);
        assert_eq!(values(undo.undo()), Some(vec![("flee.weight", Value::Number(1.0))]));
        undo.redo();
        assert_eq!((undo.redo(), undo.has_branch()), (Some(HistoryStep::Branch), true));
    }

    #[test]
    fn branches_outlive_the_changes_of_parameters_and_can_be_retracted() {
        let now = Instant::now();
        let mut undo = UndoStack::default();
        undo.record_branch(true, now);
        undo.record(change("speed.max", 1.0, 2.0), now);
        undo.record(change("speed.min", 0.5, 0.6), now);
        undo.forget_params();
        assert_eq!((undo.undoes_branch(), undo.done.len()), (Some(true), 1));
        // The change remains if it did not replace anything.
        undo.retract_branch();
        assert_eq!(values(undo.undo()), Some(vec![("speed.max", Value::Number(1.0))]));
        undo.record_branch(false, now);
        undo.retract_branch();
        assert!(undo.undo().is_none() && !undo.has_branch());
    }
}
