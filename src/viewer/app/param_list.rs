//! The list of gauges: which parameter is selected, and where the list is scrolled to.

use crate::sim::{Param, World};

/// The parameters that have an effect in a world: `wind.z` needs a 3-D one.
pub fn params(world: &World) -> impl Iterator<Item = &'static Param> + use<> {
    let flat = world.dim() == 2;
    Param::table().iter().filter(move |param| !(flat && param.key == "wind.z"))
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
    pub fn selected(&self, world: &World) -> &'static Param {
        params(world).nth(self.selected).unwrap_or(&Param::table()[0])
    }

    /// Selects a parameter.
    pub fn select(&mut self, param: &'static Param, world: &World) {
        self.selected = params(world).position(|known| known == param).unwrap_or(self.selected);
    }

    /// Selects the next parameter, or the previous one.
    pub fn move_selection(&mut self, down: bool, world: &World) {
        self.selected = if down { self.selected + 1 } else { self.selected.saturating_sub(1) };
        self.clamp(world);
    }

    /// Keeps the selection valid after a change of worlds.
    pub fn clamp(&mut self, world: &World) {
        self.selected = self.selected.min(params(world).count() - 1);
    }
}
