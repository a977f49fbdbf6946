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
use super::param_step::{Knob, Stride, figure};
use super::viewport::Outlook;
use super::{App, Wish};
use crate::config::random_seed;
use crate::sim::{MAX_BOIDS, MAX_PREDATORS, Use};
use crate::viewer::Action;
use crate::viewer::input::prompt::{Ask, Prompt};
use crate::viewer::views::grouped;

impl App {
    /// Does what a key asks for, where what is open takes it.
    pub fn act(&mut self, action: Action) {
        self.hush();
        if self.overlay.as_ref().is_some_and(|overlay| !overlay.takes(action)) || self.steer_palette(action) {
            return;
        }
        self.perform(action);
        self.tell_unseen(action);
        if self.overlay.is_some() || matches!(action, Action::Pause | Action::Suspend) {
            self.let_go();
        }
    }

    fn perform(&mut self, action: Action) {
        tracing::debug!(action = action.id(), "action");
        match action {
            Action::PreviousParameter => self.choose(false),
            Action::NextParameter => self.choose(true),
            Action::Less => self.turn(false, Stride::Plain),
            Action::More => self.turn(true, Stride::Plain),
            Action::LessCoarse => self.turn(false, Stride::Coarse),
            Action::MoreCoarse => self.turn(true, Stride::Coarse),
            Action::LessFine => self.turn(false, Stride::Fine),
            Action::MoreFine => self.turn(true, Stride::Fine),
            Action::Least => self.end(false),
            Action::Most => self.end(true),
            Action::TypeValue => self.enter(),
            Action::ResetRule => self.set(self.chosen(), self.knob(self.chosen()).home),
            Action::ResetRules => self.reset_rules(),
            Action::Pause => self.pause(),
            Action::Step => self.wishes.step(),
            Action::Back => self.wishes.back(),
            Action::Reseed => self.reseed(),
            Action::Restart => self.restart(),
            Action::MoreBoids => self.make_boids(more(self.wishes.boids)),
            Action::FewerBoids => self.make_boids(fewer(self.wishes.boids)),
            Action::MorePredators => self.make_predators(self.wishes.predators + 1),
            Action::FewerPredators => self.make_predators(self.wishes.predators.saturating_sub(1)),
            Action::Slower => self.pace(0.5),
            Action::Faster => self.pace(2.0),
            Action::NextPreset => self.fly_neighbor(1),
            Action::PreviousPreset => self.fly_neighbor(self.presets.len() - 1),
            Action::ChoosePreset => self.overlay = Some(Overlay::Presets(self.preset_place().unwrap_or(0))),
            Action::NextTheme => self.change_theme(true),
            Action::PreviousTheme => self.change_theme(false),
            Action::Coloring => self.change_coloring(),
            Action::View => self.look_at(self.view.next()),
            Action::Marker => self.change_marker(),
            Action::ZoomIn => self.zoom(None, true),
            Action::ZoomOut => self.zoom(None, false),
            Action::LookLeft => self.direct(|outlook| outlook.look(-1.0, 0.0)),
            Action::LookRight => self.direct(|outlook| outlook.look(1.0, 0.0)),
            Action::LookUp => self.direct(|outlook| outlook.look(0.0, -1.0)),
            Action::LookDown => self.direct(|outlook| outlook.look(0.0, 1.0)),
            Action::Follow => self.direct(Outlook::follow),
            Action::Whole => self.direct(Outlook::whole),
            Action::Clean => self.clean = !self.clean,
            Action::ShowCommand => self.open_or_close(Overlay::Command(0)),
            Action::Help => self.open_or_close(Overlay::Help(0)),
            Action::Undo | Action::Redo => self.travel(action == Action::Undo),
            Action::SavePreset => self.overlay = Some(Overlay::Prompt(Prompt::new(Ask::Name))),
            Action::SavePicture => self.asked.push_back(Wish::Picture),
            Action::Reload => {
                // A key that is held asks many times.
                self.forgo(Wish::Reload);
                self.asked.push_back(Wish::Reload);
            }
            Action::PlaceObstacle => self.put_or_take(),
            Action::PlaceFood => self.put_here(Use::Food),
            Action::PlaceRoost => self.put_here(Use::Roost),
            Action::RemoveSpot => self.take_here(),
            Action::ClearSpots => self.clear_spots(),
            Action::Wind => self.change_wind(),
            Action::Wander => self.leave(Instant::now()),
            Action::Palette => self.open_palette(),
            Action::Close => self.close(),
            Action::PageUp => self.page(false),
            Action::PageDown => self.page(true),
            Action::Suspend => self.asked.push_back(Wish::Suspend),
            Action::Quit => self.asked.push_back(Wish::Quit),
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
    pub(crate) fn tell_unseen(&mut self, action: Action) {
        use Action::{
            FewerBoids, FewerPredators, Least, Less, LessCoarse, LessFine, More, MoreBoids, MoreCoarse, MoreFine,
            MorePredators, Most, NextParameter, PreviousParameter, ResetRule,
        };
        if self.has_panel || self.overlay.is_some() || self.message().is_some() {
            return;
        }
        let wishes = &self.wishes;
        self.say(match action {
            PreviousParameter | NextParameter | Less | LessCoarse | LessFine | More | MoreCoarse | MoreFine | Least
            | Most | ResetRule => Knob::new(self.chosen(), &wishes.rules, &wishes.preset.params).told(),
            MoreBoids | FewerBoids => format!("{} boids", grouped(wishes.boids as u64)),
            MorePredators | FewerPredators if wishes.predators == 1 => "1 predator".to_owned(),
            MorePredators | FewerPredators => format!("{} predators", grouped(wishes.predators as u64)),
            _ => return,
        });
    }

    fn reset_rules(&mut self) {
        self.wishes.reset();
        self.say(format!("the rules of {} again", self.wishes.preset.name));
    }

    fn reseed(&mut self) {
        self.wishes.reseed(random_seed());
        self.say(format!("a new flock from seed {}", self.wishes.seed));
    }

    fn restart(&mut self) {
        self.wishes.restart();
        self.say(format!("again from seed {}", self.wishes.seed));
    }

    fn make_boids(&mut self, boids: usize) {
        let before = self.wishes.boids;
        self.wishes.set_boids(boids);
        if self.wishes.boids == before {
            self.say(format!("a flock has 1 to {MAX_BOIDS} boids"));
        }
    }

    fn make_predators(&mut self, predators: usize) {
        let before = self.wishes.predators;
        self.wishes.set_predators(predators);
        if self.wishes.predators == before {
            self.say(format!("a flock has 0 to {MAX_PREDATORS} predators"));
        }
    }

    fn pause(&mut self) {
        let paused = !self.wishes.paused;
        self.wishes.pause(paused);
        if self.clean {
            self.say(if paused { "‖ paused" } else { "▶ flying" });
        }
    }

    fn pace(&mut self, times: f32) {
        self.wishes.set_rate(self.wishes.rate * times);
        self.say(format!("{} ticks a second", figure(self.wishes.rate)));
    }

    /// Opens something over the flock, or closes it where it is open.
    fn open_or_close(&mut self, overlay: Overlay) {
        let is_open = self.overlay.as_ref().is_some_and(|open| discriminant(open) == discriminant(&overlay));
        self.overlay = if is_open { None } else { Some(overlay) };
    }

    pub(crate) fn close(&mut self) {
        self.undress();
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
        app.act(Action::TypeValue);
        assert_eq!(app.message(), None);
        app.paste("7.5");
        app.act(Action::TypeValue);
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
            Action::TypeValue,
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
            assert!(kept.contains(&Action::More) && app.requests().is_empty(), "{open:?}");
            assert_eq!(app.overlay, Some(overlay));
            assert_eq!(kept.contains(&Action::Preset2), open != Action::ChoosePreset);
            app.act(Action::Close);
            assert_eq!(app.overlay, None);
        }
    }
}
