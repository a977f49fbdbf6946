//! What each action does.

pub(crate) mod palette;
pub(crate) mod param;
pub(crate) mod preset;
pub(crate) mod save;
pub(crate) mod typing;
pub(crate) mod view;
pub(crate) mod wind;
pub(crate) mod zone;

use std::mem::discriminant;
use std::time::Instant;

use super::overlay::Overlay;
use super::param_step::{ParamStep, StepSize, format_number};
use super::viewport::Viewport;
use super::{App, Effect};
use crate::config::random_seed;
use crate::sim::{MAX_BOIDS, MAX_PREDATORS, ZoneKind};
use crate::viewer::Action;
use crate::viewer::input::prompt::{Prompt, PromptKind};
use crate::viewer::views::grouped;

impl App {
    /// Does what a key asks for, where what is open takes it.
    pub fn act(&mut self, action: Action) {
        self.clear_message();
        if self.overlay.as_ref().is_some_and(|overlay| !overlay.takes(action)) || self.navigate_palette(action) {
            return;
        }
        self.perform(action);
        self.report_change(action);
        if self.overlay.is_some() || matches!(action, Action::Pause | Action::Suspend) {
            self.let_go();
        }
    }

    fn perform(&mut self, action: Action) {
        tracing::debug!(action = action.id(), "action");
        match action {
            Action::PreviousParameter => self.choose(false),
            Action::NextParameter => self.choose(true),
            Action::Decrease => self.turn(false, StepSize::Normal),
            Action::Increase => self.turn(true, StepSize::Normal),
            Action::DecreaseCoarse => self.turn(false, StepSize::Coarse),
            Action::IncreaseCoarse => self.turn(true, StepSize::Coarse),
            Action::DecreaseFine => self.turn(false, StepSize::Fine),
            Action::IncreaseFine => self.turn(true, StepSize::Fine),
            Action::Minimum => self.end(false),
            Action::Maximum => self.end(true),
            Action::EditValue => self.enter(),
            Action::ResetParameter => self.set(self.chosen(), self.knob(self.chosen()).home),
            Action::ResetAll => self.reset_rules(),
            Action::Pause => self.pause(),
            Action::Step => self.session.step(),
            Action::StepBack => self.session.back(),
            Action::NewSeed => self.reseed(),
            Action::Restart => self.restart(),
            Action::MoreBoids => self.make_boids(more(self.session.boids)),
            Action::FewerBoids => self.make_boids(fewer(self.session.boids)),
            Action::MorePredators => self.make_predators(self.session.predators + 1),
            Action::FewerPredators => self.make_predators(self.session.predators.saturating_sub(1)),
            Action::Slower => self.pace(0.5),
            Action::Faster => self.pace(2.0),
            Action::NextPreset => self.load_neighbor_preset(1),
            Action::PreviousPreset => self.load_neighbor_preset(self.presets.len() - 1),
            Action::ChoosePreset => self.overlay = Some(Overlay::Presets(self.preset_place().unwrap_or(0))),
            Action::NextTheme => self.change_theme(true),
            Action::PreviousTheme => self.change_theme(false),
            Action::Coloring => self.change_coloring(),
            Action::View => self.look_at(self.view.next()),
            Action::Marker => self.change_marker(),
            Action::ZoomIn => self.zoom(None, true),
            Action::ZoomOut => self.zoom(None, false),
            Action::PanLeft => self.direct(|viewport| viewport.look(-1.0, 0.0)),
            Action::PanRight => self.direct(|viewport| viewport.look(1.0, 0.0)),
            Action::PanUp => self.direct(|viewport| viewport.look(0.0, -1.0)),
            Action::PanDown => self.direct(|viewport| viewport.look(0.0, 1.0)),
            Action::Follow => self.direct(Viewport::follow),
            Action::ResetView => self.direct(Viewport::whole),
            Action::Clean => self.clean = !self.clean,
            Action::ShowCommand => self.open_or_close(Overlay::Command(0)),
            Action::Help => self.open_or_close(Overlay::Help(0)),
            Action::Undo | Action::Redo => self.travel(action == Action::Undo),
            Action::SavePreset => self.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Name))),
            Action::Screenshot => self.effects.push_back(Effect::Picture),
            Action::Reload => {
                // A key that is held asks many times.
                self.cancel_effect(Effect::Reload);
                self.effects.push_back(Effect::Reload);
            }
            Action::PlaceObstacle => self.toggle_obstacle(),
            Action::PlaceFood => self.place_at_cursor(ZoneKind::Food),
            Action::PlaceRoost => self.place_at_cursor(ZoneKind::Roost),
            Action::RemoveZone => self.remove_at_cursor(),
            Action::ClearZones => self.clear_spots(),
            Action::Wind => self.cycle_wind(),
            Action::Screensaver => self.start_idle_slideshow(Instant::now()),
            Action::Palette => self.open_palette(),
            Action::Close => self.close(),
            Action::PageUp => self.page(false),
            Action::PageDown => self.page(true),
            Action::Suspend => self.effects.push_back(Effect::Suspend),
            Action::Quit => self.effects.push_back(Effect::Quit),
            Action::Preset1
            | Action::Preset2
            | Action::Preset3
            | Action::Preset4
            | Action::Preset5
            | Action::Preset6
            | Action::Preset7
            | Action::Preset8
            | Action::Preset9 => self.fly(action.preset().unwrap_or(0)),
        }
    }

    /// Says what an action has changed, where there is no panel to show it.
    pub(crate) fn report_change(&mut self, action: Action) {
        use Action::{
            Decrease, DecreaseCoarse, DecreaseFine, FewerBoids, FewerPredators, Increase, IncreaseCoarse, IncreaseFine,
            Maximum, Minimum, MoreBoids, MorePredators, NextParameter, PreviousParameter, ResetParameter,
        };
        if self.has_panel || self.overlay.is_some() || self.message().is_some() {
            return;
        }
        let session = &self.session;
        self.show_message(match action {
            PreviousParameter | NextParameter | Decrease | DecreaseCoarse | DecreaseFine | Increase
            | IncreaseCoarse | IncreaseFine | Minimum | Maximum | ResetParameter => {
                ParamStep::new(self.chosen(), &session.rules, &session.preset.params).told()
            }
            MoreBoids | FewerBoids => format!("{} boids", grouped(session.boids as u64)),
            MorePredators | FewerPredators if session.predators == 1 => "1 predator".to_owned(),
            MorePredators | FewerPredators => format!("{} predators", grouped(session.predators as u64)),
            _ => return,
        });
    }

    fn reset_rules(&mut self) {
        self.session.reset();
        self.show_message(format!("the rules of {} again", self.session.preset.name));
    }

    fn reseed(&mut self) {
        self.session.reseed(random_seed());
        self.show_message(format!("a new flock from seed {}", self.session.seed));
    }

    fn restart(&mut self) {
        self.session.restart();
        self.show_message(format!("again from seed {}", self.session.seed));
    }

    fn make_boids(&mut self, boids: usize) {
        let before = self.session.boids;
        self.session.set_boids(boids);
        if self.session.boids == before {
            self.show_message(format!("a flock has 1 to {MAX_BOIDS} boids"));
        }
    }

    fn make_predators(&mut self, predators: usize) {
        let before = self.session.predators;
        self.session.set_predators(predators);
        if self.session.predators == before {
            self.show_message(format!("a flock has 0 to {MAX_PREDATORS} predators"));
        }
    }

    fn pause(&mut self) {
        let paused = !self.session.paused;
        self.session.pause(paused);
        if self.clean {
            self.show_message(if paused { "‖ paused" } else { "▶ flying" });
        }
    }

    fn pace(&mut self, times: f32) {
        self.session.set_rate(self.session.rate * times);
        self.show_message(format!("{} ticks a second", format_number(self.session.rate)));
    }

    /// Opens something over the flock, or closes it where it is open.
    fn open_or_close(&mut self, overlay: Overlay) {
        let is_open = self.overlay.as_ref().is_some_and(|open| discriminant(open) == discriminant(&overlay));
        self.overlay = if is_open { None } else { Some(overlay) };
    }

    pub(crate) fn close(&mut self) {
        self.restore_theme();
        self.overlay = None;
    }
}

/// A tenth more boids, and at least one.
fn more(boids: usize) -> usize {
    boids + (boids / 10).max(1)
}

/// As many fewer that [`more`] leads back to where this began, wherever anything does.
fn fewer(boids: usize) -> usize {
    let least = (boids * 10 / 11).saturating_sub(1);
    (least..boids).find(|fewer| more(*fewer) >= boids).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::app::tests::app;

    #[test]
    fn where_there_is_no_panel_a_message_tells_what_was_changed() {
        let mut app = app(20);
        app.has_panel = false;
        let key = app.chosen().key;
        app.act(Action::EditValue);
        assert_eq!(app.message(), None);
        app.paste("7.5");
        app.act(Action::EditValue);
        let told = app.message().unwrap_or_default();
        assert!(told.starts_with(&format!("{key} = 7.5")), "{told}");
        app.act(Action::MorePredators);
        assert_eq!(app.message(), Some("4 predators"));
    }

    #[test]
    fn fewer_leads_back_from_more_and_never_stays() {
        for boids in (1..3000).chain([123_456, 10_000_000]) {
            assert_eq!(fewer(more(boids)), boids);
            assert!(fewer(boids) < boids, "{boids}");
        }
    }

    #[test]
    fn what_is_open_keeps_the_rest_to_itself() {
        for open in [
            Action::Help,
            Action::ShowCommand,
            Action::ChoosePreset,
            Action::EditValue,
            Action::SavePreset,
            Action::Palette,
        ] {
            let mut app = app(20);
            app.act(open);
            let overlay = app.overlay.clone().unwrap();
            let kept: Vec<Action> = Action::ALL.iter().copied().filter(|action| !overlay.takes(*action)).collect();
            for action in &kept {
                app.act(*action);
            }
            assert!(kept.contains(&Action::Increase) && app.requests().is_empty(), "{open:?}");
            assert_eq!(app.overlay, Some(overlay));
            assert_eq!(kept.contains(&Action::Preset2), open != Action::ChoosePreset);
            app.act(Action::Close);
            assert_eq!(app.overlay, None);
        }
    }
}
