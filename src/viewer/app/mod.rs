//! The viewer's state. [`dispatch`] changes it, [`views`](super::views) draw it.

pub(crate) mod actions;
pub(crate) mod config_reload;
pub(crate) mod dispatch;
pub(crate) mod display;
pub(crate) mod overlay;
pub(crate) mod param_list;
pub(crate) mod param_step;
pub(crate) mod presets;
pub(crate) mod session;
pub(crate) mod stats;
pub(crate) mod undo;

pub(crate) mod viewport;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::input::mouse::MouseState;
use super::screensaver::Screensaver;
use super::theme::Coloring;
use super::theme::{Colors, ThemeState};
use super::{Keymap, Marker};
use crate::canvas::{Aim, CanvasFormat, View};
use crate::config::{FlockFile, NamedFile, Preset, Theme};
use crate::engine::{Frame, Request};
use crate::sim::{Param, Setup};
use display::{Display, SavedScreen};
use overlay::Overlay;
use param_list::ParamList;
use param_step::ParamStep;
use session::Session;
use stats::PlotHistory;
use viewport::Viewport;

/// How long a message is shown.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// What an action asks of the event loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Quit the program.
    Quit,
    /// Suspend to the shell.
    Suspend,
    /// Save a screenshot.
    Screenshot,
    /// Redraw the screen and reload the config file.
    Reload,
}

/// The state that the viewer starts with.
#[derive(Clone, Debug)]
pub struct InitialState {
    /// The preset.
    pub preset: Preset,
    /// The initial flock.
    pub setup: Setup,
    /// Whether the world takes the shape of the canvas.
    pub world_is_auto: bool,
    /// The file that the flock was loaded from.
    pub input: Option<FlockFile>,
    /// Ticks per second.
    pub rate: f32,
    /// The theme and the color depth.
    pub colors: Colors,
    /// The glyph set.
    pub marker: Marker,
    /// How the flock is drawn.
    pub view: View,
    /// Where the camera looks.
    pub aim: Aim,
    /// Whether the panel and the status line are hidden.
    pub clean: bool,
    /// The key bindings.
    pub keymap: Keymap,
}

/// The viewer's state.
#[derive(Debug)]
pub struct App {
    pub(in crate::viewer) session: Session,
    presets: Vec<Preset>,
    pub(in crate::viewer) theme: ThemeState,
    display: Display,
    viewport: Viewport,
    overlay: Option<Overlay>,
    message: Option<(String, Instant)>,
    param_list: ParamList,
    keymap: Keymap,
    mouse: MouseState,
    history: PlotHistory,
    effects: VecDeque<Effect>,
    pub(in crate::viewer) screensaver: Screensaver,
}

impl App {
    /// Creates the state for a canvas of `canvas` (columns, rows).
    #[must_use]
    pub fn new(start: InitialState, canvas: (usize, usize)) -> Self {
        let (mut presets, themes) = (presets::presets([&start.preset]), Theme::all());
        presets.broken.extend(themes.broken);
        let broken = presets::summarize_errors(&presets.broken);
        let mut app = Self {
            theme: ThemeState::new(start.colors, themes.all),
            session: Session::new(start.preset, &start.setup, start.world_is_auto, start.rate, start.input),
            presets: presets.all,
            display: Display::new(start.view, start.marker, start.clean, canvas),
            viewport: Viewport::new(start.aim),
            overlay: None,
            message: broken.map(|error| (error, Instant::now())),
            param_list: ParamList::default(),
            keymap: start.keymap,
            mouse: MouseState::default(),
            history: PlotHistory::default(),
            effects: VecDeque::new(),
            screensaver: Screensaver::default(),
        };
        app.assume_format(app.format());
        app
    }

    /// The desired state of the flock.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The presets to choose from.
    #[must_use]
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// The index of the active preset.
    pub(in crate::viewer) fn preset_index(&self) -> Option<usize> {
        self.presets.iter().position(|preset| preset.origin == self.session.preset().origin)
    }

    /// The key bindings.
    #[must_use]
    pub fn keymap(&self) -> &Keymap {
        &self.keymap
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

    /// The parameters that have an effect in this world.
    pub fn params(&self) -> impl Iterator<Item = &'static Param> + use<> {
        param_list::params(&self.session.world())
    }

    /// The selected parameter.
    #[must_use]
    pub fn selected_param(&self) -> &'static Param {
        self.param_list.selected(&self.session.world())
    }

    /// The index of the first visible line in the list of gauges.
    #[must_use]
    pub fn first_gauge(&self) -> usize {
        self.param_list.first_line()
    }

    /// A parameter with its value and its steps.
    #[must_use]
    pub fn param_step(&self, param: &'static Param) -> ParamStep {
        ParamStep::new(param, self.session.current_params(), &self.session.preset().params)
    }

    /// How the flock is drawn.
    #[must_use]
    pub fn view(&self) -> View {
        self.display.view()
    }

    /// The glyph set.
    #[must_use]
    pub fn marker(&self) -> Marker {
        self.display.marker()
    }

    /// Whether the panel and the status line are hidden.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.display.is_clean()
    }

    /// The size of the flock's region: columns and rows.
    #[must_use]
    pub fn canvas(&self) -> (usize, usize) {
        self.display.canvas()
    }

    /// The coloring that the user selected, if any.
    #[must_use]
    pub fn chosen_coloring(&self) -> Option<Coloring> {
        self.display.coloring()
    }

    /// The active coloring: the selected one, else by species if there are several, else by heading.
    #[must_use]
    pub fn coloring(&self) -> Coloring {
        let mixed = self.is_mixed();
        let chosen = self.display.coloring().filter(|coloring| *coloring != Coloring::Species || mixed);
        chosen.unwrap_or(if mixed { Coloring::Species } else { Coloring::Heading })
    }

    /// Whether the flock has several species.
    fn is_mixed(&self) -> bool {
        self.session.params().species.count > 1.0
    }

    /// The canvas format that the current state needs.
    #[must_use]
    pub fn format(&self) -> CanvasFormat {
        let (columns, rows) = self.display.canvas();
        CanvasFormat {
            columns,
            rows,
            view: self.display.view(),
            no_glow: !self.theme.resolved().has_glow(),
            densities: self.coloring() == Coloring::Density,
            aim: self.viewport.aim(),
            map: !self.display.is_clean(),
            dot_height: self.display.dot_height(),
        }
    }

    /// Records the format that the engine's canvas already has.
    pub fn assume_format(&mut self, format: CanvasFormat) {
        self.display.assume(format);
    }

    /// Takes the pending requests, with one for the canvas if its format changes.
    pub fn requests(&mut self) -> Vec<Request> {
        let format = self.format();
        if self.display.set_requested(format) {
            self.session.request_canvas(format);
        }
        self.session.requests()
    }

    /// Queues an effect for the event loop.
    pub fn request(&mut self, effect: Effect) {
        // Key repeat sends `reload` many times.
        if effect == Effect::Reload {
            self.cancel_effect(effect);
        }
        self.effects.push_back(effect);
    }

    /// Removes all queued effects of one kind.
    pub(in crate::viewer) fn cancel_effect(&mut self, effect: Effect) {
        self.effects.retain(|queued| *queued != effect);
    }

    /// Takes the oldest queued effect.
    pub fn next_effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// The message in the status line, if any.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }

    /// Shows a message for a few seconds.
    pub fn show_message(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::debug!(text, "message");
        self.message = Some((text, Instant::now()));
    }

    /// Removes the message.
    pub fn clear_message(&mut self) {
        self.message = None;
    }

    /// Removes the message once its time is up. Returns whether it did.
    pub fn expire_message(&mut self, now: Instant) -> bool {
        let expired = self.message.as_ref().is_some_and(|(_, since)| now.duration_since(*since) > MESSAGE_TIME);
        if expired {
            self.message = None;
        }
        expired
    }

    /// Updates the state from a frame: confirmed requests, refusals and measures.
    pub fn on_frame(&mut self, frame: &Frame) {
        self.history.record(frame);
        self.mouse.on_frame(frame);
        let refusal = self.session.on_frame(frame);
        let settled = self.session.is_settled(frame) && self.format() == self.display.requested();
        let followed = self.viewport.on_frame(frame, settled);
        if let Some(text) = refusal.or(followed) {
            self.show_message(text);
        }
    }

    /// Hides everything but the flock and returns the previous screen.
    pub fn save_screen(&mut self) -> SavedScreen {
        self.clear_message();
        let saved = SavedScreen {
            clean: self.display.is_clean(),
            overlay: self.overlay.take(),
            theme: self.theme.active(),
            view: self.display.view(),
            coloring: self.display.coloring(),
            aim: self.viewport.aim(),
        };
        self.display.set_clean(true);
        saved
    }

    /// Restores a saved screen.
    pub fn restore_screen(&mut self, saved: SavedScreen) {
        self.display.set_clean(saved.clean);
        self.overlay = saved.overlay;
        self.theme.activate(saved.theme.0, saved.theme.1);
        self.theme.set_flock_fade(0.0);
        self.show_as(saved.view, saved.coloring, saved.aim);
    }

    /// Sets the view, the coloring and the camera.
    pub(in crate::viewer) fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        self.display.set_view(view);
        self.display.set_coloring(coloring);
        self.viewport = Viewport::new(aim);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::viewer::ColorDepth;

    impl App {
        pub fn set_marker(&mut self, marker: Marker) {
            self.display.set_marker(marker);
        }

        pub fn set_clean(&mut self, clean: bool) {
            self.display.set_clean(clean);
        }
    }

    /// A viewer of the `drones` preset on a canvas of 80 columns and `rows` rows.
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
