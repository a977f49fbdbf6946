//! Setting parameters, with undo and redo.

use std::time::Instant;

use super::Session;
use super::undo::{ParamChange, ParamValues};
use crate::engine::Request;
use crate::sim::{Command, Error, Param, Value};

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

    /// Undoes the last step. Returns the restored values.
    pub fn undo(&mut self) -> Option<ParamValues> {
        let values = self.undo_stack.undo()?;
        self.apply_all(&values);
        Some(values)
    }

    /// Redoes the last undone step. Returns the new values.
    pub fn redo(&mut self) -> Option<ParamValues> {
        let values = self.undo_stack.redo()?;
        self.apply_all(&values);
        Some(values)
    }

    fn apply(&mut self, param: &'static Param, value: Value) -> Result<(), Error> {
        let state = &mut self.state;
        let mut params = state.params;
        params.set(param.key, value)?;
        params.check(&state.world)?;
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
