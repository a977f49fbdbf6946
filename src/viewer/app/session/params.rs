//! Setting parameters, with undo and redo.

use std::time::Instant;

use super::Session;
use super::undo::{HistoryStep, ParamChange, ParamValues};
use crate::engine::{Clock, Request};
use crate::sim::{Command, Error, Param, Value, check_params};

/// What an undo or a redo did.
#[derive(Debug, PartialEq)]
pub enum HistoryOutcome {
    /// There is no step.
    Nothing,
    /// Nothing: the step was made later in the session.
    Later,
    /// Set these values.
    Values(ParamValues),
    /// Moved to the other branch of the session.
    Branch,
}

impl Session {
    /// Sets a parameter and records the change for undo.
    ///
    /// # Errors
    ///
    /// If the value is out of range or conflicts with other parameters.
    pub fn set(&mut self, param: &'static Param, value: Value) -> Result<(), Error> {
        let before = param.get(&self.state.params);
        self.apply(param, value)?;
        if before != value {
            self.undo_stack.record(ParamChange { param, before, after: value }, Instant::now());
        }
        Ok(())
    }

    /// Sets several parameters as one undo step.
    pub fn set_all(&mut self, values: &[(&'static Param, Value)]) {
        let before = self.state.params;
        self.apply_all(values);
        let after = self.state.params;
        let changes =
            values.iter().map(|(param, _)| ParamChange { param, before: param.get(&before), after: param.get(&after) });
        self.undo_stack.record_step(changes.filter(|change| change.before != change.after), Instant::now());
    }

    /// Resets all parameters to the preset's values.
    pub fn reset_params(&mut self) {
        let home = self.preset.params;
        let values: ParamValues = Param::table().iter().map(|param| (param, param.get(&home))).collect();
        self.set_all(&values);
    }

    /// Undoes the last step. In the past only a branch is undone: other steps were made later.
    pub fn undo(&mut self) -> HistoryOutcome {
        match self.undo_stack.undoes_branch() {
            Some(false) if self.state.is_past() => HistoryOutcome::Later,
            _ => {
                let step = self.undo_stack.undo();
                self.take_step(step, Clock::UndoBranch)
            }
        }
    }

    /// Redoes the last undone step, under the same condition.
    pub fn redo(&mut self) -> HistoryOutcome {
        match self.undo_stack.redoes_branch() {
            Some(false) if self.state.is_past() => HistoryOutcome::Later,
            _ => {
                let step = self.undo_stack.redo();
                self.take_step(step, Clock::RedoBranch)
            }
        }
    }

    fn take_step(&mut self, step: Option<HistoryStep>, branch: Clock) -> HistoryOutcome {
        match step {
            None => HistoryOutcome::Nothing,
            Some(HistoryStep::Values(values)) => {
                self.apply_all(&values);
                HistoryOutcome::Values(values)
            }
            Some(HistoryStep::Branch) => {
                self.control_clock(branch);
                HistoryOutcome::Branch
            }
        }
    }

    fn apply(&mut self, param: &'static Param, value: Value) -> Result<(), Error> {
        let state = &mut self.state;
        let mut params = state.params;
        params.set(param.key, value)?;
        check_params(&params, &state.world)?;
        // During a morph the current value may differ from its target.
        if param.get(&state.params) != value || param.get(&state.current_params) != value {
            state.params = params;
            state.current_params.set(param.key, value)?;
            self.request(Request::Flock(Command::SetParam(param.key.to_owned(), value)));
        }
        Ok(())
    }

    /// Applies values that are valid together, whatever their order.
    fn apply_all(&mut self, values: &[(&'static Param, Value)]) {
        // The first pass may fail on a value that conflicts with one set later.
        for _ in 0..2 {
            for (param, value) in values {
                let _ = self.apply(param, *value);
            }
        }
    }
}
