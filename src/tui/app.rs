//! What only the viewer knows, and what actions do to it.

use std::time::{Duration, Instant};

use glam::Vec2;

use super::dress::{Colors, Dress};
use super::hands::Hands;
use super::history::History;
use super::knob::{Knob, Stride};
use super::look::Coloring;
use super::outlook::Outlook;
use super::overlay::Overlay;
use super::prompt::{Ask, Prompt};
use super::stage::Stage;
use super::view::help;
use super::wishes::Wishes;
use super::{Action, Keymap, Marker, keeping};
use crate::canvas::{Aim, Format, View};
use crate::config::{Input, Preset, Theme};
use crate::engine::{Frame, Request};
use crate::sim::{Setup, Tunable, Use, Value};

/// How long a message stands.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// What the viewer is asked to do beside drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To leave.
    Quit,
    /// To hand the terminal to the shell for a while.
    Suspend,
    /// To take a picture.
    Picture,
    /// To draw all of the screen, and to read the config again.
    Reload,
}

/// How the viewer begins.
#[derive(Debug)]
pub struct Start {
    /// The preset.
    pub preset: Preset,
    /// The flock to begin with.
    pub setup: Setup,
    /// Whether its world takes the canvas's shape.
    pub auto_world: bool,
    /// The file that the flock began from.
    pub input: Option<Input>,
    /// Ticks a second.
    pub rate: f32,
    /// The colours.
    pub colors: Colors,
    /// What dots are made of.
    pub marker: Marker,
    /// What is drawn of the flock.
    pub view: View,
    /// Where it looks.
    pub aim: Aim,
    /// Whether panel and status line are hidden.
    pub clean: bool,
    /// The keys.
    pub keymap: Keymap,
}

/// The viewer's state.
#[derive(Debug)]
pub struct App {
    /// What is wished of the engine.
    pub wishes: Wishes,
    /// Every preset there is.
    pub presets: Vec<Preset>,
    /// The theme at work, and how many colours it has.
    pub dress: Dress,
    /// What colours are to tell, where somebody chose.
    pub(super) coloring: Option<Coloring>,
    /// What dots are made of.
    pub marker: Marker,
    /// What is drawn of the flock.
    pub(super) view: View,
    pub(super) outlook: Outlook,
    /// The keys.
    pub keymap: Keymap,
    /// Whether panel and status line are hidden.
    pub clean: bool,
    pub(super) canvas: (usize, usize),
    /// How many times as high as wide the canvas's dots are.
    pub(super) tall: f32,
    chosen: usize,
    /// What lies over the flock.
    pub overlay: Option<Overlay>,
    message: Option<(String, Instant)>,
    /// The last measures.
    pub history: History,
    /// What the mouse holds.
    pub hands: Hands,
    pub(super) wish: Option<Wish>,
    /// What plays by itself.
    pub stage: Stage,
}

impl App {
    /// The viewer as it begins, on a canvas of this many cells.
    #[must_use]
    pub fn new(start: Start, canvas: (usize, usize)) -> Self {
        let (mut presets, themes) = (keeping::presets(&start.preset), Theme::all());
        presets.broken.extend(themes.broken);
        let broken = keeping::complaint(&presets.broken);
        Self {
            dress: Dress::new(start.colors, themes.all),
            wishes: Wishes::new(start.preset, &start.setup, start.auto_world, start.rate, start.input),
            presets: presets.all,
            coloring: None,
            marker: start.marker,
            view: start.view,
            outlook: Outlook::new(start.aim),
            keymap: start.keymap,
            clean: start.clean,
            canvas,
            tall: 1.0,
            chosen: 0,
            overlay: None,
            message: broken.map(|why| (why, Instant::now())),
            history: History::default(),
            hands: Hands::default(),
            wish: None,
            stage: Stage::default(),
        }
    }

    /// Takes the requests that have come up.
    pub fn requests(&mut self) -> Vec<Request> {
        self.wishes.requests()
    }

    /// Takes what is wished for beside.
    pub fn wish(&mut self) -> Option<Wish> {
        self.wish.take()
    }

    /// The message to show, where there is one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }

    /// Lets the message go when its time is over. Says whether it went.
    pub fn forget(&mut self, now: Instant) -> bool {
        let over = self.message.as_ref().is_some_and(|(_, since)| now.duration_since(*since) > MESSAGE_TIME);
        if over {
            self.message = None;
        }
        over
    }

    /// Says something, for a while.
    pub fn say(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::debug!(text, "said");
        self.message = Some((text, Instant::now()));
    }

    /// Says nothing more.
    pub fn hush(&mut self) {
        self.message = None;
    }

    /// The flock's part of the screen, in cells.
    #[must_use]
    pub fn canvas(&self) -> (usize, usize) {
        self.canvas
    }

    /// The rows that mean something in this world.
    pub fn rows(&self) -> impl Iterator<Item = &'static Tunable> + use<> {
        let flat = self.wishes.world.dim() == 2;
        Tunable::table().iter().filter(move |row| !(flat && row.key == "wind.z"))
    }

    /// The chosen row.
    #[must_use]
    pub fn chosen(&self) -> &'static Tunable {
        self.rows().nth(self.chosen).unwrap_or(&Tunable::table()[0])
    }

    /// The knob of a row.
    #[must_use]
    pub fn knob(&self, row: &'static Tunable) -> Knob {
        Knob::new(row, &self.wishes.shown, &self.wishes.preset.params)
    }

    /// Takes a frame's news in: what the engine did of what was asked, and the measures.
    pub fn notice(&mut self, frame: &Frame) {
        self.history.take(frame);
        self.hands.notice(frame);
        let refusal = self.wishes.notice(frame);
        let aim = self.outlook.aim();
        let news = self.outlook.notice(frame, self.wishes.are_done(frame));
        if self.outlook.aim() != aim {
            self.wishes.show(self.format());
        }
        if let Some(word) = refusal.or(news) {
            self.say(word);
        }
    }

    /// Tells that the canvas has another size, or its dots, so many times as high as wide, another shape.
    pub fn resize(&mut self, canvas: (usize, usize), tall: f32) {
        if (canvas, tall) != (self.canvas, self.tall) {
            (self.canvas, self.tall) = (canvas, tall);
            // A flock that nobody watches keeps its world.
            if self.stage.holds_flock() {
                self.wishes.show(self.format());
            } else {
                self.wishes.resize(self.format());
            }
        }
    }

    /// What colours tell: what was chosen, or else the species, where there are several.
    #[must_use]
    pub fn coloring(&self) -> Coloring {
        let chosen = self.coloring.filter(|coloring| *coloring != Coloring::Species || self.is_mixed());
        chosen.unwrap_or(if self.is_mixed() { Coloring::Species } else { Coloring::Heading })
    }

    /// Whether there are several species.
    fn is_mixed(&self) -> bool {
        self.wishes.rules.species.count > 1.0
    }

    /// What is asked of the canvas.
    #[must_use]
    pub fn format(&self) -> Format {
        let (columns, rows) = self.canvas;
        let densities = self.coloring() == Coloring::Density;
        Format { columns, rows, view: self.view, densities, aim: self.outlook.aim(), map: !self.clean, tall: self.tall }
    }

    /// Draws the flock this way, in these colours, from here.
    pub(super) fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        (self.view, self.coloring, self.outlook) = (view, coloring, Outlook::new(aim));
        self.wishes.show(self.format());
    }

    /// Does what a key asks for, where what is open takes it.
    pub fn act(&mut self, action: Action) {
        self.message = None;
        if self.overlay.as_ref().is_some_and(|overlay| !overlay.takes(action)) || self.steer_palette(action) {
            return;
        }
        self.perform(action);
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
            Action::ResetRules => {
                self.wishes.reset();
                self.say(format!("the rules of {} again", self.wishes.preset.name));
            }
            Action::Pause => self.pause(),
            Action::Step => self.wishes.step(),
            Action::Reseed => {
                self.wishes.reseed();
                self.say(format!("a new flock from seed {}", self.wishes.seed));
            }
            Action::Restart => {
                self.wishes.restart();
                self.say(format!("again from seed {}", self.wishes.seed));
            }
            Action::MoreBoids => self.wishes.populate(self.wishes.boids + (self.wishes.boids / 10).max(1)),
            Action::FewerBoids => {
                self.wishes.populate(self.wishes.boids.saturating_sub((self.wishes.boids / 10).max(1)));
            }
            Action::MorePredators => self.wishes.prey_on(self.wishes.predators + 1),
            Action::FewerPredators => self.wishes.prey_on(self.wishes.predators.saturating_sub(1)),
            Action::Slower => self.pace(0.5),
            Action::Faster => self.pace(2.0),
            Action::NextPreset => self.fly_neighbor(1),
            Action::PreviousPreset => self.fly_neighbor(self.presets.len() - 1),
            Action::ChoosePreset => self.overlay = Some(Overlay::Presets(self.preset_place().unwrap_or(0))),
            Action::NextTheme => self.change_theme(true),
            Action::PreviousTheme => self.change_theme(false),
            Action::Coloring => {
                let coloring = self.coloring().next(self.is_mixed());
                self.coloring = Some(coloring);
                self.wishes.show(self.format());
                self.say(format!("colour shows {}", coloring.name()));
            }
            Action::View => self.look_at(self.view.next()),
            Action::Marker => {
                self.marker = self.marker.next();
                self.say(format!("drawn with {}", self.marker.words()));
            }
            Action::ZoomIn => self.zoom(None, true),
            Action::ZoomOut => self.zoom(None, false),
            Action::LookLeft => self.direct(|outlook| outlook.look(-1.0, 0.0)),
            Action::LookRight => self.direct(|outlook| outlook.look(1.0, 0.0)),
            Action::LookUp => self.direct(|outlook| outlook.look(0.0, -1.0)),
            Action::LookDown => self.direct(|outlook| outlook.look(0.0, 1.0)),
            Action::Follow => self.direct(Outlook::follow),
            Action::Whole => self.direct(Outlook::whole),
            Action::Clean => self.clean = !self.clean,
            Action::ShowCommand => {
                self.overlay = if self.overlay == Some(Overlay::Command) { None } else { Some(Overlay::Command) };
            }
            Action::Help => {
                self.overlay =
                    if matches!(self.overlay, Some(Overlay::Help(_))) { None } else { Some(Overlay::Help(0)) };
            }
            Action::Undo | Action::Redo => self.travel(action == Action::Undo),
            Action::SavePreset => self.overlay = Some(Overlay::Prompt(Prompt::new(Ask::Name))),
            Action::SavePicture => self.wish = Some(Wish::Picture),
            Action::Reload => self.wish = Some(Wish::Reload),
            Action::PlaceObstacle => self.put_or_take(),
            Action::PlaceFood => self.put_here(Use::Food),
            Action::PlaceRoost => self.put_here(Use::Roost),
            Action::RemoveSpot => self.take_here(),
            Action::ClearSpots => self.clear_spots(),
            Action::Wind => self.change_wind(),
            Action::Wander => self.leave(Instant::now()),
            Action::Palette => self.open_palette(),
            Action::Close => {
                self.undress();
                self.overlay = None;
            }
            Action::Suspend => self.wish = Some(Wish::Suspend),
            Action::Quit => self.wish = Some(Wish::Quit),
            Action::Preset1
            | Action::Preset2
            | Action::Preset3
            | Action::Preset4
            | Action::Preset5
            | Action::Preset6
            | Action::Preset7
            | Action::Preset8
            | Action::Preset9 => {
                self.fly(action.preset().unwrap_or(0));
            }
        }
    }

    /// Up and down: in what is open through its lines, else through the parameters.
    fn choose(&mut self, down: bool) {
        let last = self.last_line();
        let at = self.overlay.as_mut().and_then(Overlay::line).unwrap_or(&mut self.chosen);
        *at = if down { (*at + 1).min(last) } else { at.saturating_sub(1) };
    }

    /// Home and End: in what is open to its ends, else the chosen parameter to its own.
    fn end(&mut self, last: bool) {
        let end = if last { self.last_line() } else { 0 };
        match &mut self.overlay {
            Some(overlay) => overlay.line().into_iter().for_each(|line| *line = end),
            None => self.set(self.chosen(), self.knob(self.chosen()).end(last, &self.wishes.rules)),
        }
    }

    /// How far down one can go: to the last entry, in the help until the last one is seen.
    fn last_line(&self) -> usize {
        match self.overlay {
            Some(Overlay::Presets(_)) => self.presets.len() - 1,
            // A box is as high as the flock's part of the screen, and has a border.
            Some(Overlay::Help(_)) => help::length(&self.keymap).saturating_sub(self.canvas.1.saturating_sub(2)),
            _ => self.rows().count() - 1,
        }
    }

    fn turn(&mut self, up: bool, stride: Stride) {
        let row = self.chosen();
        self.set(row, self.knob(row).turned(up, stride, &self.wishes.rules));
    }

    /// Gives a parameter a value, or says why it cannot have it.
    pub fn set(&mut self, row: &'static Tunable, value: Value) {
        if let Err(error) = self.wishes.set(row, value) {
            self.say(error.to_string());
        }
    }

    /// Chooses a row.
    pub fn choose_row(&mut self, row: &'static Tunable) {
        self.chosen = self.rows().position(|known| known == row).unwrap_or(self.chosen);
    }

    /// A change of the rules back, or forward again.
    fn travel(&mut self, back: bool) {
        let values = if back { self.wishes.undo() } else { self.wishes.redo() };
        let way = if back { "back to" } else { "again" };
        if let Some([(row, _)]) = values.as_deref() {
            self.choose_row(row);
        }
        self.say(match values.as_deref() {
            None if back => "there is nothing to undo".to_owned(),
            None => "there is nothing to redo".to_owned(),
            Some([(row, value)]) => format!("{} {way} {value}", row.key),
            Some(values) => format!("{} rules {}", values.len(), if back { "as they were" } else { "changed again" }),
        });
    }

    fn pause(&mut self) {
        let paused = !self.wishes.paused;
        self.wishes.pause(paused);
        if self.clean {
            self.say(if paused { "‖ paused" } else { "▶ flying" });
        }
    }

    fn pace(&mut self, times: f32) {
        self.wishes.pace(self.wishes.rate * times);
        self.say(format!("{} ticks a second", super::knob::figure(self.wishes.rate)));
    }

    fn change_theme(&mut self, next: bool) {
        self.dress.change(next);
        self.say(format!("theme {}", self.dress.name()));
    }

    /// A step nearer or farther away; what is seen at `about`, a dot of the canvas, stays there, else its middle.
    pub fn zoom(&mut self, about: Option<Vec2>, nearer: bool) {
        self.direct(|outlook| outlook.zoom(about, nearer));
    }

    /// Looks elsewhere, and says so.
    fn direct(&mut self, look: impl FnOnce(&mut Outlook) -> String) {
        let said = look(&mut self.outlook);
        self.wishes.show(self.format());
        self.say(said);
    }

    fn look_at(&mut self, view: View) {
        self.view = view;
        self.wishes.show(self.format());
        let (columns, rows) = self.canvas;
        let layers = view.layers(self.outlook.boids().unwrap_or(self.wishes.boids), columns, rows);
        let shown = self.dress.look.shown(layers);
        self.say(match view {
            View::Auto => format!("view: what suits, now {}", shown.name()),
            View::Glow if shown != layers => format!("view: {}; a glow takes more colours", shown.name()),
            _ => format!("view: {}", shown.name()),
        });
    }

    /// The place of the preset among the built-in ones.
    pub(super) fn preset_place(&self) -> Option<usize> {
        self.presets.iter().position(|preset| preset.origin == self.wishes.preset.origin)
    }

    fn fly_neighbor(&mut self, by: usize) {
        let place = self.preset_place().map_or(0, |place| (place + by) % self.presets.len());
        self.fly(place);
    }

    /// Flies another preset.
    pub fn fly(&mut self, place: usize) {
        let Some(preset) = self.presets.get(place).cloned() else { return };
        self.overlay = None;
        self.say(format!("{}: {}", preset.name, preset.summary));
        if !self.wishes.fly(preset, self.format()) {
            self.history = History::default();
        }
        let aim = self.outlook.aim();
        self.outlook.begin();
        if self.outlook.aim() != aim {
            self.wishes.show(self.format());
        }
        self.chosen = self.chosen.min(self.rows().count() - 1);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tui::ColorDepth;
    use crate::tui::look::Look;

    /// The viewer with ninety-seven boids, on a canvas so many rows high.
    pub fn app(rows: usize) -> App {
        let preset = Preset::load("drones").unwrap();
        let start = Start {
            setup: preset.setup(7, 1.6),
            rate: preset.rate,
            preset,
            auto_world: false,
            input: None,
            colors: Colors {
                theme: Theme::load("dusk").unwrap(),
                chosen: false,
                depth: ColorDepth::Truecolor,
                guessed: false,
            },
            marker: Marker::default(),
            view: View::default(),
            aim: Aim::default(),
            clean: false,
            keymap: Keymap::default(),
        };
        App::new(start, (80, rows))
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

    #[test]
    fn views_and_markers_are_said_and_asked_for() {
        let mut app = app(20);
        let mut said = Vec::new();
        for _ in 0..6 {
            app.act(Action::View);
            said.push(app.message().unwrap().to_owned());
        }
        assert_eq!(said[0], "view: heads");
        assert_eq!(said[5], "view: what suits, now shapes with trails");
        let views: Vec<View> = app
            .requests()
            .into_iter()
            .map(|request| match request {
                Request::Canvas(format) if (format.columns, format.rows) == (80, 20) => format.view,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(views, [View::Heads, View::Trails, View::Glow, View::Heat, View::Shapes, View::Auto]);
        app.act(Action::Marker);
        assert_eq!((app.marker, app.requests().len()), (Marker::Octant, 0));
        app.dress.look = Look::new(&Theme::load("dusk").unwrap(), ColorDepth::Ansi);
        (0..3).for_each(|_| app.act(Action::View));
        assert_eq!(app.message(), Some("view: heads; a glow takes more colours"));
    }

    #[test]
    fn the_help_scrolls_to_its_end_and_back_at_once() {
        let mut app = app(20);
        app.act(Action::Help);
        (0..100).for_each(|_| app.act(Action::NextParameter));
        let end = Some(Overlay::Help(help::length(&app.keymap) - 18));
        assert_eq!(app.overlay, end);
        app.act(Action::Most);
        assert_eq!(app.overlay, end);
        app.act(Action::PreviousParameter);
        assert_eq!(app.overlay, Some(Overlay::Help(help::length(&app.keymap) - 19)));
    }
}
