//! From a key to what it does: [`App::on_key`] looks up the action, [`App::perform`] carries it out.

pub(crate) mod mouse;
pub(crate) mod palette;
pub(crate) mod param;
pub(crate) mod plots;
pub(crate) mod preset;
pub(crate) mod text_input;
pub(crate) mod time;
pub(crate) mod view;
pub(crate) mod zone;

use std::mem::discriminant;
use std::time::Instant;

use crossterm::event::KeyEvent;

use super::overlay::Overlay;
use super::param_step::{COARSE_STEP, FINE_STEP, STEP, format_number};
use super::viewport::Viewport;
use super::{App, Effect};
use crate::config::random_seed;
use crate::engine::Clock;
use crate::sim::{MAX_BOIDS, MAX_PREDATORS, ZoneKind};
use crate::terminal::events::SuspendScope;
use crate::viewer::input::prompt::{LineEdit, Prompt, PromptKind};
use crate::viewer::views::grouped;
use crate::viewer::{Action, Keymap};

impl App {
    /// Handles a pressed key.
    pub fn on_key(&mut self, key: KeyEvent) {
        let overlay = self.overlay.as_ref();
        let navigation =
            Keymap::navigation(key).filter(|action| overlay.is_some_and(|overlay| overlay.accepts(*action)));
        let action = navigation.or_else(|| self.keymap.action(key));
        // As in a pager, the key that quits closes the popup first.
        let closes = overlay.map_or(self.plots.is_open(), |overlay| !overlay.is_text_input());
        let closes = closes && key.modifiers.is_empty();
        let action = if closes && action == Some(Action::Quit) { Some(Action::Close) } else { action };
        if overlay.is_some_and(Overlay::is_text_input) {
            self.on_text_key(LineEdit::of(key), action);
        } else if let Some(action) = action {
            self.act(action);
        }
    }

    /// Performs an action, unless the open popup or prompt ignores it.
    pub fn act(&mut self, action: Action) {
        self.clear_message();
        if self.overlay.as_ref().is_some_and(|overlay| !overlay.accepts(action)) {
            return;
        }
        self.perform(action);
        if self.overlay.is_some() || matches!(action, Action::Pause | Action::Suspend) {
            self.release_mouse();
        }
    }

    fn perform(&mut self, action: Action) {
        tracing::debug!(action = action.id(), "action");
        if self.plots.is_open() && self.act_on_page(action) {
            return;
        }
        match action {
            Action::PreviousParameter => self.move_selection(false),
            Action::NextParameter => self.move_selection(true),
            Action::Decrease => self.step_param(-STEP),
            Action::Increase => self.step_param(STEP),
            Action::DecreaseCoarse => self.step_param(-COARSE_STEP),
            Action::IncreaseCoarse => self.step_param(COARSE_STEP),
            Action::DecreaseFine => self.step_param(-FINE_STEP),
            Action::IncreaseFine => self.step_param(FINE_STEP),
            Action::Minimum => self.move_to_end(false),
            Action::Maximum => self.move_to_end(true),
            Action::EditValue => self.confirm(),
            Action::ResetParameter => self.reset_param(),
            Action::ResetAll => self.reset_all(),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::SavePreset => self.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Name))),
            Action::Pause => self.toggle_pause(),
            Action::Step => self.session.control_clock(Clock::Step),
            Action::StepBack => self.move_in_time(Clock::Back),
            Action::SkipBack => self.skip_second(false),
            Action::SkipForward => self.skip_second(true),
            Action::FirstTick => self.move_to_end_of_session(false),
            Action::LastTick => self.move_to_end_of_session(true),
            Action::PlayBackward => self.toggle_backward(),
            Action::Slower => self.scale_rate(0.5),
            Action::Faster => self.scale_rate(2.0),
            Action::NewSeed => self.reseed(),
            Action::Restart => self.restart(),
            Action::MoreBoids => self.set_boids(more(self.session.state().boids)),
            Action::FewerBoids => self.set_boids(fewer(self.session.state().boids)),
            Action::MorePredators => self.set_predators(self.session.state().predators + 1),
            Action::FewerPredators => self.set_predators(self.session.state().predators.saturating_sub(1)),
            Action::PlaceObstacle => self.toggle_obstacle(),
            Action::PlaceFood => self.place_at_cursor(ZoneKind::Food),
            Action::PlaceRoost => self.place_at_cursor(ZoneKind::Roost),
            Action::RemoveZone => self.remove_at_cursor(),
            Action::ClearZones => self.clear_zones(),
            Action::Wind => self.cycle_wind(),
            Action::NextPreset => self.cycle_preset(true),
            Action::PreviousPreset => self.cycle_preset(false),
            Action::ChoosePreset => self.overlay = Some(Overlay::Presets(self.preset_index().unwrap_or(0))),
            Action::NextTheme => self.cycle_theme(true),
            Action::PreviousTheme => self.cycle_theme(false),
            Action::Coloring => self.cycle_coloring(),
            Action::View => self.cycle_view(true),
            Action::PreviousView => self.cycle_view(false),
            Action::Marker => self.cycle_marker(),
            Action::Plots => self.toggle_plots(),
            Action::ChooseMeasures => self.choose_measures(),
            Action::Clean => self.display.clean = !self.display.clean,
            Action::ZoomIn => self.move_camera(|viewport| viewport.zoom(None, true)),
            Action::ZoomOut => self.move_camera(|viewport| viewport.zoom(None, false)),
            Action::PanLeft => self.move_camera(|viewport| viewport.pan(-1.0, 0.0)),
            Action::PanRight => self.move_camera(|viewport| viewport.pan(1.0, 0.0)),
            Action::PanUp => self.move_camera(|viewport| viewport.pan(0.0, -1.0)),
            Action::PanDown => self.move_camera(|viewport| viewport.pan(0.0, 1.0)),
            Action::Follow => self.move_camera(Viewport::cycle_follow),
            Action::ResetView => self.move_camera(Viewport::reset),
            Action::Palette => self.open_palette(),
            Action::Help => self.toggle_overlay(Overlay::Help(0)),
            Action::Close => self.close(),
            Action::PageUp => self.scroll_page(false),
            Action::PageDown => self.scroll_page(true),
            Action::Screenshot => self.request(Effect::Screenshot),
            Action::SavePlots => self.request(Effect::SavePlots),
            Action::SaveSession => self.request(Effect::SaveSession),
            Action::ShowCommand => self.toggle_overlay(Overlay::Command(0)),
            Action::Screensaver => self.start_idle_slideshow(Instant::now()),
            Action::Reload => self.request(Effect::Reload),
            Action::Suspend => self.request(Effect::Suspend(SuspendScope::Job)),
            Action::Quit => self.request(Effect::Quit),
            Action::Preset1
            | Action::Preset2
            | Action::Preset3
            | Action::Preset4
            | Action::Preset5
            | Action::Preset6
            | Action::Preset7
            | Action::Preset8
            | Action::Preset9 => self.load_preset(action.preset().unwrap_or(0)),
        }
    }

    /// Shows a change, if there is no panel that does.
    pub(crate) fn report(&mut self, text: String) {
        if !self.display.has_panel() && self.overlay.is_none() && self.message.is_none() {
            self.show_message(text);
        }
    }

    fn reseed(&mut self) {
        self.session.reseed(random_seed());
        self.show_message(format!("new flock from seed {}", self.session.state().seed));
    }

    fn restart(&mut self) {
        self.session.restart();
        self.show_message(format!("restarted from seed {}", self.session.state().seed));
    }

    fn set_boids(&mut self, boids: usize) {
        let changed = self.session.set_boids(boids);
        match boids {
            0 | 1 if !changed => self.show_message("only one boid left"),
            _ if boids > MAX_BOIDS => self.show_message(format!("a flock has at most {MAX_BOIDS} boids")),
            _ => self.report(format!("{} boids", grouped(boids as u64))),
        }
    }

    fn set_predators(&mut self, predators: usize) {
        let changed = self.session.set_predators(predators);
        match predators {
            0 if !changed => self.show_message("no predators left"),
            1 => self.report("1 predator".to_owned()),
            _ if predators > MAX_PREDATORS => {
                self.show_message(format!("a flock has at most {MAX_PREDATORS} predators"));
            }
            _ => self.report(format!("{} predators", grouped(predators as u64))),
        }
    }

    fn toggle_pause(&mut self) {
        let paused = !self.session.state().paused;
        self.session.control_clock(Clock::Pause(paused));
        if self.display.clean {
            self.show_message(if paused { "‖ paused" } else { "▶ running" });
        }
    }

    fn scale_rate(&mut self, factor: f32) {
        self.session.set_rate(self.session.state().rate * factor);
        self.show_message(format!("{} ticks per second", format_number(self.session.state().rate)));
    }

    /// Opens an overlay, or closes it if it is open.
    pub(crate) fn toggle_overlay(&mut self, overlay: Overlay) {
        let is_open = self.overlay.as_ref().is_some_and(|open| discriminant(open) == discriminant(&overlay));
        self.overlay = if is_open { None } else { Some(overlay) };
    }

    /// Closes the open popup or prompt, else stops a long seek, else closes the page of plots.
    pub(crate) fn close(&mut self) {
        self.end_theme_preview();
        if self.overlay.take().is_none() && !self.cancel_seek() {
            self.plots.set_open(false);
        }
    }
}

/// 10 % more boids, at least one.
fn more(boids: usize) -> usize {
    boids + (boids / 10).max(1)
}

/// The inverse of [`more`], where there is one.
fn fewer(boids: usize) -> usize {
    let least = (boids * 10 / 11).saturating_sub(1);
    (least..boids).find(|fewer| more(*fewer) >= boids).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use crate::viewer::app::tests::app;

    #[test]
    fn messages_report_changes_if_there_is_no_panel() {
        let mut app = app(20);
        app.resize(Rect::new(0, 0, 79, 21), 1.0);
        let key = app.selected_param().key;
        app.act(Action::EditValue);
        assert_eq!(app.message(), None);
        app.paste("7.5");
        app.act(Action::EditValue);
        let message = app.message().unwrap_or_default();
        assert!(message.starts_with(&format!("{key} = 7.5")), "{message}");
        app.act(Action::MorePredators);
        assert_eq!(app.message(), Some("4 predators"));
    }

    #[test]
    fn fewer_is_the_inverse_of_more() {
        for boids in (1..3000).chain([123_456, 10_000_000]) {
            assert_eq!(fewer(more(boids)), boids);
            assert!(fewer(boids) < boids, "{boids}");
        }
    }

    #[test]
    fn overlays_ignore_actions_that_they_do_not_accept() {
        for open in [
            Action::Help,
            Action::ShowCommand,
            Action::ChoosePreset,
            Action::EditValue,
            Action::SavePreset,
            Action::Palette,
            Action::ChooseMeasures,
        ] {
            let mut app = app(20);
            app.act(open);
            let overlay = app.overlay.clone().unwrap();
            let ignored: Vec<Action> = Action::ALL.iter().copied().filter(|action| !overlay.accepts(*action)).collect();
            for action in &ignored {
                app.act(*action);
            }
            assert!(ignored.contains(&Action::Increase) && app.requests().is_empty(), "{open:?}");
            assert_eq!(app.overlay, Some(overlay));
            assert_eq!(ignored.contains(&Action::Preset2), open != Action::ChoosePreset);
            app.act(Action::Close);
            assert_eq!(app.overlay, None);
        }
    }
}
