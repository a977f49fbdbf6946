//! The changes of a session that can be undone.

use super::log::{MAX_BYTES, SessionTail};
use crate::sim::{Param, Value};

/// The most steps kept.
const CAPACITY: usize = 1000;

/// A parameter's value before and after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamChange {
    pub param: &'static Param,
    pub before: Value,
    pub after: Value,
}

/// What is undone at once.
#[derive(Debug)]
pub(super) enum Step {
    /// Changes of parameters.
    Params(Vec<ParamChange>),
    /// A change in the past, and the end of the session that it replaced; once undone, the end that it made.
    Branch(SessionTail),
}

/// Steps that can be undone and redone.
#[derive(Debug, Default)]
pub(super) struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// Whether a change may continue the last step.
    is_open: bool,
}

impl History {
    /// Records a change of a parameter, as a part of the last step if it continues that. Undone steps can no longer be redone.
    pub(super) fn record(&mut self, change: ParamChange, continues: bool) {
        match self.done.last_mut().filter(|_| continues && self.is_open) {
            Some(Step::Params(changes)) => match changes.iter_mut().find(|known| known.param == change.param) {
                Some(known) => known.after = change.after,
                None => changes.push(change),
            },
            Some(Step::Branch(_)) => {}
            None => self.push(Step::Params(vec![change])),
        }
        self.undone.clear();
    }

    /// Records a change in the past and what it replaced.
    pub(super) fn record_branch(&mut self, replaced: SessionTail) {
        self.undone.clear();
        self.push(Step::Branch(replaced));
        let bytes = |step: &Step| if let Step::Branch(tail) = step { tail.bytes() } else { 0 };
        while self.done.iter().map(bytes).sum::<usize>() > MAX_BYTES {
            self.done.remove(0);
        }
    }

    fn push(&mut self, step: Step) {
        if self.done.len() == CAPACITY {
            self.done.remove(0);
        }
        self.done.push(step);
        self.is_open = true;
    }

    /// The step that would be undone or redone.
    pub(super) fn next(&self, undo: bool) -> Option<&Step> {
        if undo { &self.done } else { &self.undone }.last()
    }

    /// Takes the last step to undo or redo, replaced by its inverse.
    pub(super) fn take(&mut self, undo: bool, invert: impl FnOnce(Step) -> Step) {
        self.is_open = false;
        let Self { done, undone, .. } = self;
        let (from, to) = if undo { (done, undone) } else { (undone, done) };
        if let Some(step) = from.pop() {
            to.push(invert(step));
        }
    }

    /// Forgets the changes of parameters, which belong to other rules.
    pub(super) fn forget_params(&mut self) {
        self.retain(|step| matches!(step, Step::Branch(_)));
    }

    /// Forgets the branches of a log that starts again.
    pub(super) fn forget_branches(&mut self) {
        self.retain(|step| matches!(step, Step::Params(_)));
    }

    fn retain(&mut self, keep: fn(&Step) -> bool) {
        self.done.retain(keep);
        self.undone.retain(keep);
        self.is_open = false;
    }

    /// Whether the session differs from the one at its start by a change in its past.
    pub(super) fn has_branch(&self) -> bool {
        self.done.iter().any(|step| matches!(step, Step::Branch(_)))
    }
}
