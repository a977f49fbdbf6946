//! Which preset flies.

use super::app::App;
use super::history::History;

impl App {
    /// The place of the preset among those that there are.
    pub(super) fn preset_place(&self) -> Option<usize> {
        self.presets.iter().position(|preset| preset.origin == self.wishes.preset.origin)
    }

    pub(super) fn fly_neighbor(&mut self, by: usize) {
        let place = self.preset_place().map_or(0, |place| (place + by) % self.presets.len());
        self.fly(place);
    }

    /// Flies another preset.
    pub fn fly(&mut self, place: usize) {
        let Some(preset) = self.presets.get(place).cloned() else { return };
        self.overlay = None;
        self.say(format!("{}: {}", preset.name, preset.summary));
        if !self.wishes.fly(preset, self.format().shape()) {
            self.history = History::default();
        }
        self.outlook.begin();
        self.chosen = self.chosen.min(self.rows().count() - 1);
    }
}
