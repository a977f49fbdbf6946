//! The viewer's state. [`dispatch`] changes it, [`views`](super::views) draw it.

pub(crate) mod actions;
pub(crate) mod config_reload;
pub(crate) mod dispatch;
pub(crate) mod display;
pub(crate) mod overlay;
pub(crate) mod param_list;
pub(crate) mod param_step;
pub(crate) mod plots;
pub(crate) mod session;
pub(crate) mod throughput;
pub(crate) mod timeline;
pub(crate) mod viewport;

use std::collections::VecDeque;
use std::mem;
use std::time::{Duration, Instant};

use super::input::mouse::MouseState;
use super::screensaver::Screensaver;
use super::theme::Coloring;
use super::theme::{Colors, ThemeState};
use super::{Keymap, Marker};
use crate::canvas::{Aim, CanvasFormat, View};
use crate::config::{FlockFile, Preset, ReproduceCommand};
use crate::engine::{Frame, Request};
use crate::sim::{Param, Setup};
use crate::terminal::events::SuspendScope;
use display::{Display, SavedScreen};
use overlay::Overlay;
use param_list::ParamList;
use param_step::ParamStep;
use plots::PlotPage;
use plots::changes::RuleChange;
use plots::history::MeasureHistory;
use session::Session;
use timeline::{Timeline, preset_of};
use viewport::Viewport;

/// How long a message is shown.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// What an action asks of the event loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Quit the program.
    Quit,
    /// Suspend to the shell.
    Suspend(SuspendScope),
    /// Take over the terminal after the shell has continued the program.
    Resume,
    /// Save a screenshot.
    Screenshot,
    /// Save the measures and their plots.
    SavePlots,
    /// Save the session.
    SaveSession,
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

/// The viewer's state. Parts with an invariant keep it themselves.
#[derive(Debug)]
pub struct App {
    pub(in crate::viewer) session: Session,
    pub(in crate::viewer) timeline: Timeline,
    /// The presets to choose from.
    pub(in crate::viewer) presets: Vec<Preset>,
    pub(in crate::viewer) theme: ThemeState,
    pub(in crate::viewer) display: Display,
    /// The popup or prompt over the flock, if one is open.
    pub(in crate::viewer) overlay: Option<Overlay>,
    pub(in crate::viewer) param_list: ParamList,
    pub(in crate::viewer) keymap: Keymap,
    /// The measures of this run, for the plots.
    pub(in crate::viewer) history: MeasureHistory,
    pub(in crate::viewer) plots: PlotPage,
    pub(in crate::viewer) screensaver: Screensaver,
    viewport: Viewport,
    mouse: MouseState,
    message: Option<(String, Instant)>,
    /// What the event loop is to do.
    pub(in crate::viewer) effects: VecDeque<Effect>,
    /// The canvas format last requested from the engine.
    requested: CanvasFormat,
}

impl App {
    /// Creates the state for a canvas of `canvas` (columns, rows) with dots of a height relative to their width. The
    /// engine's canvas starts with [`format`](Self::format).
    pub fn new(start: InitialState, canvas: (usize, usize), dot_height: f32) -> Self {
        let (presets, themes, error) = config_reload::load_lists([&start.preset]);
        let mut app = Self {
            theme: ThemeState::new(start.colors, themes),
            timeline: Timeline::new(start.rate),
            session: Session::new(start.preset, &start.setup, start.world_is_auto, start.rate, start.input),
            presets,
            display: Display::new(start.view, start.marker, start.clean, canvas, dot_height),
            overlay: None,
            param_list: ParamList::default(),
            keymap: start.keymap,
            history: MeasureHistory::default(),
            plots: PlotPage::default(),
            screensaver: Screensaver::default(),
            viewport: Viewport::new(start.aim),
            mouse: MouseState::default(),
            message: error.map(|error| (error, Instant::now())),
            effects: VecDeque::new(),
            requested: CanvasFormat::default(),
        };
        app.requested = app.format();
        app
    }

    /// The index of the active preset.
    pub(in crate::viewer) fn preset_index(&self) -> Option<usize> {
        self.presets.iter().position(|preset| preset.origin == self.session.preset.origin)
    }

    /// The parameters that have an effect in the current model and world.
    pub fn params(&self) -> impl Iterator<Item = &'static Param> + use<> {
        param_list::params(self.session.state())
    }

    /// The selected parameter.
    pub fn selected_param(&self) -> &'static Param {
        self.param_list.selected(self.session.state())
    }

    /// A parameter with its value and its steps.
    pub fn param_step(&self, param: &'static Param) -> ParamStep {
        ParamStep::new(param, &self.session.state().current_params, &self.session.preset.params)
    }

    /// The active coloring: the selected one, else by species if there are several, else by heading.
    pub fn coloring(&self) -> Coloring {
        let mixed = self.is_mixed();
        let chosen = self.display.coloring.filter(|coloring| *coloring != Coloring::Species || mixed);
        chosen.unwrap_or(if mixed { Coloring::Species } else { Coloring::Heading })
    }

    /// Whether the flock has several species.
    fn is_mixed(&self) -> bool {
        self.session.state().params.species.count > 1.0
    }

    /// The canvas format that the current state needs.
    pub fn format(&self) -> CanvasFormat {
        let (columns, rows) = self.display.canvas();
        CanvasFormat {
            columns,
            rows,
            view: self.display.view,
            no_glow: !self.theme.resolved().has_glow(),
            densities: self.coloring() == Coloring::Density,
            aim: self.viewport.aim(),
            map: !self.display.clean,
            dot_height: self.display.dot_height(),
        }
    }

    /// Takes the pending requests, with one for the canvas if its format changes.
    pub fn requests(&mut self) -> Vec<Request> {
        let format = self.format();
        if mem::replace(&mut self.requested, format) != format {
            self.session.request(Request::Canvas(format));
        }
        self.report_branch();
        self.session.requests()
    }

    /// Queues an effect for the event loop.
    pub fn request(&mut self, effect: Effect) {
        // One reload serves several signals and the repeated key.
        if effect == Effect::Reload {
            self.effects.retain(|queued| *queued != effect);
        }
        self.effects.push_back(effect);
    }

    /// The message in the status line, if any.
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
        self.timeline.on_frame(frame);
        let was_past = self.session.state().is_past();
        let refusal = self.session.on_frame(frame);
        if self.session.is_settled(frame) && self.session.moved_to_other_rules(frame, was_past) {
            self.follow_preset();
        }
        let settled = self.session.is_settled(frame) && self.format() == self.requested;
        let followed = self.viewport.on_frame(frame, settled);
        if let Some(text) = refusal.or(followed) {
            self.show_message(text);
        }
    }

    /// The cell that the mouse hovers over, if the terminal reports it.
    pub(in crate::viewer) fn hovered_cell(&self) -> Option<(u16, u16)> {
        self.mouse.hovers.then_some(self.mouse.cell)
    }

    /// Makes the preset that was loaded last at this place in the session the base of the gauges.
    fn follow_preset(&mut self) {
        let setup = self.timeline.loaded_setup(self.session.state().position.tick);
        let preset = setup.as_ref().map(|setup| preset_of(setup, &self.presets));
        // Rules of no known preset: the last base stays.
        if preset != Some(None) && self.session.follow_preset(preset.flatten()) {
            // The places and the parameters belong to another world.
            self.mouse.clicked = None;
            self.viewport.reset_for_new_flock();
        }
        self.param_list.clamp(self.session.state());
    }

    /// The command that reproduces this flock.
    pub fn reproduce_command(&self) -> ReproduceCommand<'_> {
        self.session.reproduce_command(self.timeline.run_origin(self.session.state()))
    }

    /// The changes of the rules in the current run.
    pub fn rule_changes(&self) -> Vec<RuleChange> {
        self.timeline.rule_changes(&self.presets)
    }

    /// Hides everything but the flock and returns the previous screen.
    pub fn save_screen(&mut self) -> SavedScreen {
        self.clear_message();
        SavedScreen {
            clean: mem::replace(&mut self.display.clean, true),
            overlay: self.overlay.take(),
            plots_open: self.plots.set_open(false),
            theme: self.theme.active(),
            view: self.display.view,
            coloring: self.display.coloring,
            aim: self.viewport.aim(),
        }
    }

    /// Restores a saved screen.
    pub fn restore_screen(&mut self, saved: SavedScreen) {
        self.display.clean = saved.clean;
        self.overlay = saved.overlay;
        self.plots.set_open(saved.plots_open);
        self.theme.activate(saved.theme.0, saved.theme.1);
        self.theme.set_flock_fade(0.0);
        self.show_as(saved.view, saved.coloring, saved.aim);
    }

    /// Sets the view, the coloring and the camera.
    pub(in crate::viewer) fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        (self.display.view, self.display.coloring) = (view, coloring);
        self.viewport.show(aim);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::config::Theme;
    use crate::viewer::ColorDepth;

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
        App::new(start, (80, rows), 1.0)
    }
}
