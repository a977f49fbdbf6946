//! The list of gauges: which parameter is selected, and where the list is scrolled to.

use super::session::state::DesiredState;
use crate::sim::{ModelRow, Param};

/// The parameters that have an effect in the current model and world: `wind.z` needs a 3-D one. The model itself is that of
/// the preset.
pub fn params(state: &DesiredState) -> impl Iterator<Item = &'static Param> + use<> {
    let (model, flat) = (ModelRow::of(&state.params), state.world.dim() == 2);
    let has_effect = move |param: &&Param| model.uses(param) && !(flat && param.key == "wind.z");
    Param::table().iter().filter(has_effect).filter(|param| param.key != "model")
}

/// The selection and the scroll position.
#[derive(Debug, Default)]
pub struct ParamList {
    selected: usize,
    /// The index of the first visible line.
    pub first_line: usize,
}

impl ParamList {
    /// The selected parameter.
    pub fn selected(&self, state: &DesiredState) -> &'static Param {
        params(state).nth(self.selected).unwrap_or(&Param::table()[0])
    }

    /// Selects a parameter.
    pub fn select(&mut self, param: &'static Param, state: &DesiredState) {
        self.selected = params(state).position(|known| known == param).unwrap_or(self.selected);
    }

    /// Selects the next parameter, or the previous one.
    pub fn move_selection(&mut self, down: bool, state: &DesiredState) {
        self.selected = if down { self.selected + 1 } else { self.selected.saturating_sub(1) };
        self.clamp(state);
    }

    /// Keeps the selection valid after a change of models or worlds.
    pub fn clamp(&mut self, state: &DesiredState) {
        self.selected = self.selected.min(params(state).count() - 1);
    }
}
