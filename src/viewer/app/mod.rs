//! What only the viewer knows, and what it tells the engine and hears from it.

pub(crate) mod actions;
pub(crate) mod config_reload;
pub(crate) mod dispatch;
pub(crate) mod overlay;
pub(crate) mod param_step;
pub mod picture_file;
pub(crate) mod plot_history;
pub(crate) mod session;
pub(crate) mod throughput;
pub(crate) mod undo;
pub(crate) mod viewport;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::input::mouse::MouseState;
use super::screensaver::Screensaver;
use super::theme::resolved::Coloring;
use super::theme::{Colors, ThemeState};
use super::{Keymap, Marker};
use crate::canvas::{Aim, CanvasFormat, View};
use crate::config::{FlockFile, NamedFile, Preset, Theme};
use crate::engine::{Frame, Request};
use crate::sim::Setup;
use dispatch::save;
use overlay::Overlay;
use plot_history::PlotHistory;
use session::Session;
use viewport::Viewport;

/// How long a message stands.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// What the viewer is effects to do beside drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
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
#[derive(Clone, Debug)]
pub struct InitialState {
    /// The preset.
    pub preset: Preset,
    /// The flock to begin with.
    pub setup: Setup,
    /// Whether its world takes the canvas's shape.
    pub world_is_auto: bool,
    /// The file that the flock began from.
    pub input: Option<FlockFile>,
    /// Ticks a second.
    pub rate: f32,
    /// The colors.
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

/// The appearance of the screen before a slideshow took it over.
#[derive(Debug)]
pub struct SavedScreen {
    clean: bool,
    overlay: Option<Overlay>,
    theme: (usize, bool),
    view: View,
    coloring: Option<Coloring>,
    aim: Aim,
}

/// The viewer's state.
#[derive(Debug)]
pub struct App {
    /// What is wished of the engine.
    pub session: Session,
    /// Every preset there is.
    pub presets: Vec<Preset>,
    /// The theme at work, and how many colors it has.
    pub theme: ThemeState,
    /// What colors are to tell, where somebody chose.
    pub(crate) coloring: Option<Coloring>,
    /// What dots are made of.
    pub marker: Marker,
    /// What is drawn of the flock.
    pub(crate) view: View,
    pub(crate) viewport: Viewport,
    /// The keys.
    pub keymap: Keymap,
    /// Whether panel and status line are hidden.
    pub clean: bool,
    pub(crate) canvas: (usize, usize),
    /// How wide the whole screen is, in cells.
    pub(crate) columns: u16,
    /// Whether the panel stands beside it.
    pub(crate) has_panel: bool,
    /// How many times as high as wide the canvas's dots are.
    pub(crate) dot_height: f32,
    /// The format that the engine's canvas has, when all that was effects is done.
    pub(crate) shown: CanvasFormat,
    /// The place among the rows of the one that is chosen.
    pub(crate) chosen: usize,
    /// The first line of the gauges' list that is shown.
    pub(crate) first_gauge: usize,
    /// What lies over the flock.
    pub overlay: Option<Overlay>,
    message: Option<(String, Instant)>,
    /// The last measures.
    pub history: PlotHistory,
    /// What the mouse holds.
    pub mouse: MouseState,
    /// What is wished for beside, in order.
    pub(crate) effects: VecDeque<Effect>,
    /// What plays by itself.
    pub screensaver: Screensaver,
}

impl App {
    /// The viewer as it begins, on a canvas of this many cells.
    #[must_use]
    pub fn new(start: InitialState, canvas: (usize, usize)) -> Self {
        let (mut presets, themes) = (save::presets([&start.preset]), Theme::all());
        presets.broken.extend(themes.broken);
        let broken = save::complaint(&presets.broken);
        let mut app = Self {
            theme: ThemeState::new(start.colors, themes.all),
            session: Session::new(start.preset, &start.setup, start.world_is_auto, start.rate, start.input),
            presets: presets.all,
            coloring: None,
            marker: start.marker,
            view: start.view,
            viewport: Viewport::new(start.aim),
            keymap: start.keymap,
            clean: start.clean,
            canvas,
            columns: canvas.0 as u16,
            has_panel: true,
            dot_height: 1.0,
            shown: CanvasFormat::default(),
            chosen: 0,
            first_gauge: 0,
            overlay: None,
            message: broken.map(|why| (why, Instant::now())),
            history: PlotHistory::default(),
            mouse: MouseState::default(),
            effects: VecDeque::new(),
            screensaver: Screensaver::default(),
        };
        app.shown = app.format();
        app
    }

    /// Takes the requests that have come up, and one for a canvas in another format where it is to have one.
    pub fn requests(&mut self) -> Vec<Request> {
        let format = self.format();
        if format != self.shown {
            self.session.show(format);
            self.shown = format;
        }
        self.session.requests()
    }

    /// What the engine is asked for.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The presets to choose from.
    #[must_use]
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// The key bindings.
    #[must_use]
    pub fn keymap(&self) -> &Keymap {
        &self.keymap
    }

    /// The glyph set.
    #[must_use]
    pub fn marker(&self) -> Marker {
        self.marker
    }

    #[cfg(test)]
    /// Sets the glyph set.
    pub fn set_marker(&mut self, marker: Marker) {
        self.marker = marker;
    }

    /// How the flock is drawn.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// The coloring that the user selected, if any.
    #[must_use]
    pub fn chosen_coloring(&self) -> Option<Coloring> {
        self.coloring
    }

    /// Whether the panel and the status line are hidden.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.clean
    }

    #[cfg(test)]
    /// Hides or shows the panel and the status line.
    pub fn set_clean(&mut self, clean: bool) {
        self.clean = clean;
    }

    /// The popup or prompt over the flock, if one is open.
    #[must_use]
    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_ref()
    }

    /// The recent measures that the plots show.
    #[must_use]
    pub fn history(&self) -> &PlotHistory {
        &self.history
    }

    /// The index of the first visible line in the list of gauges.
    #[must_use]
    pub fn first_gauge(&self) -> usize {
        self.first_gauge
    }

    /// Queues an effect for the event loop.
    pub fn request(&mut self, effect: Effect) {
        self.effects.push_back(effect);
    }

    /// Hides everything but the flock and returns what was on the screen.
    pub fn save_screen(&mut self) -> SavedScreen {
        self.clear_message();
        SavedScreen {
            clean: std::mem::replace(&mut self.clean, true),
            overlay: self.overlay.take(),
            theme: self.theme.active(),
            view: self.view,
            coloring: self.coloring,
            aim: self.viewport.aim(),
        }
    }

    /// Restores a saved screen.
    pub fn restore_screen(&mut self, saved: SavedScreen) {
        (self.clean, self.overlay) = (saved.clean, saved.overlay);
        self.theme.activate(saved.theme.0, saved.theme.1);
        self.theme.hide(0.0);
        self.show_as(saved.view, saved.coloring, saved.aim);
    }

    /// Session for something of this kind no more.
    pub(crate) fn cancel_effect(&mut self, wish: Effect) {
        self.effects.retain(|effects| *effects != wish);
    }

    /// Takes the first of what is wished for beside.
    pub fn next_effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
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
    pub fn show_message(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::debug!(text, "said");
        self.message = Some((text, Instant::now()));
    }

    /// Says nothing more.
    pub fn clear_message(&mut self) {
        self.message = None;
    }

    /// The flock's part of the screen, in cells.
    #[must_use]
    pub fn canvas(&self) -> (usize, usize) {
        self.canvas
    }

    /// Takes a frame's news in: what the engine did of what was effects, and the measures.
    pub fn notice(&mut self, frame: &Frame) {
        self.history.take(frame);
        self.mouse.notice(frame);
        let refusal = self.session.notice(frame);
        let news = self.viewport.notice(frame, self.session.are_done(frame) && self.format() == self.shown);
        if let Some(word) = refusal.or(news) {
            self.show_message(word);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::viewer::ColorDepth;

    /// The viewer with ninety-seven boids, on a canvas so many rows high.
    pub fn app(rows: usize) -> App {
        let preset = Preset::load("drones").unwrap();
        let start = InitialState {
            setup: preset.setup(7, 1.6),
            rate: preset.rate,
            preset,
            world_is_auto: false,
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
}
