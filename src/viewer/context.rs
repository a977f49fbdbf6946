//! What the components of the viewer share: the flock as the engine shows it, and how the screen shows the flock.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use ratatui::layout::{Rect, Size};

use super::actions::{Action, Mode};
use super::change_effect::ChangeEffect;
use super::client::Client;
use super::input::keymap::Keymap;
use super::layout::{PlotsPlace, Regions};
use super::presets::Presets;
use super::theme::ThemeState;
use crate::picture::{Coloring, GlyphCells, GlyphTable, Marker, View};
use crate::sim::{Param, Value};

/// How long a message is shown.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// The flock as the engine shows it, and how the screen shows the flock.
#[derive(Debug)]
pub struct Context {
    /// The connection to the engine.
    pub client: Client,
    /// The presets, and the one that gauges are relative to.
    pub presets: Presets,
    /// The colors.
    pub theme: ThemeState,
    /// The glyphs of perches, and in these colors.
    pub glyphs: GlyphCells,
    /// View, glyphs and the size of the canvas.
    pub display: Display,
    /// The key bindings.
    pub keymap: Keymap,
    message: Option<(String, Instant)>,
    /// What the latest change of a parameter does.
    effect: Option<ChangeEffect>,
    /// The progress of a save that takes long.
    progress: Option<String>,
}

impl Context {
    /// A context that shows a message, if there is one.
    pub fn new(
        client: Client,
        presets: Presets,
        theme: ThemeState,
        glyphs: GlyphTable,
        display: Display,
        keymap: Keymap,
        message: Option<String>,
    ) -> Self {
        let message = message.map(|text| (text, Instant::now()));
        let glyphs = GlyphCells::new(glyphs);
        Self { client, presets, theme, glyphs, display, keymap, message, effect: None, progress: None }
    }

    /// Performs an action on the appearance, with the number of boids in view. Returns whether it is one of these.
    pub fn act(&mut self, action: Action, boids_in_view: Option<usize>) -> bool {
        match action {
            Action::OwnTheme => {
                self.theme.return_to_preset();
                self.show_message(format!("theme: {}, as the preset", self.theme.name()));
            }
            Action::NextTheme => self.cycle_theme(true),
            Action::PreviousTheme => self.cycle_theme(false),
            Action::Coloring => {
                let coloring = self.coloring().next(self.is_mixed());
                self.display.coloring = Some(coloring);
                self.show_message(format!("coloring: {}", coloring.name()));
            }
            Action::View => self.show_view(self.display.view.next(), boids_in_view),
            Action::PreviousView => self.show_view(self.display.view.previous(), boids_in_view),
            Action::Marker => {
                self.display.marker = self.display.marker.next(&self.display.missing_markers);
                self.show_message(format!("glyphs: {}", self.display.marker.words()));
            }
            Action::Sky => self.toggle_sky(),
            Action::Clean => self.display.clean = !self.display.clean,
            _ => return false,
        }
        true
    }

    fn cycle_theme(&mut self, next: bool) {
        self.theme.cycle(next);
        self.show_message(format!("theme: {}", self.theme.name()));
    }

    fn toggle_sky(&mut self) {
        if !self.theme.no_sky() && self.theme.resolved().sky().is_none() {
            return self.show_message(format!("no sky in the theme {}", self.theme.name()));
        }
        self.theme.set_no_sky(!self.theme.no_sky());
        let name = self.theme.name().to_owned();
        self.show_message(match self.theme.resolved().sky() {
            Some(_) => format!("sky: shown (theme: {name})"),
            None if self.theme.no_sky() => format!("sky: hidden (theme: {name})"),
            None => format!("no sky in the theme {name}"),
        });
    }

    /// Draws the flock in a view, with the number of boids in sight.
    pub fn show_view(&mut self, view: View, boids_in_view: Option<usize>) {
        self.display.view = view;
        let Size { width, height } = self.display.canvas();
        let controls = self.client.controls();
        let boids = boids_in_view.unwrap_or(controls.setup.boids);
        let layers = view.layers(boids, controls.setup.world.dim(), width.into(), height.into());
        let shown = self.theme.resolved().visible_layers(layers);
        self.show_message(match view {
            View::Auto => format!("view: auto ({})", shown.name()),
            View::Glow if shown != layers => format!("view: {} (glow needs more colors)", shown.name()),
            _ => format!("view: {}", shown.name()),
        });
    }

    /// The message, if any.
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }

    /// What the status line says instead of the state: the message, or the effect of the latest change in so many columns.
    pub fn notice(&self, columns: usize) -> Option<Cow<'_, str>> {
        let (params, measured) = (&self.client.controls().setup.params, &self.client.frame().measured);
        let effect = || Some(self.effect.as_ref()?.text(params, measured, columns).into());
        self.message().map(Cow::Borrowed).or_else(effect)
    }

    /// Shows what a change of a parameter from the value `before` does, for some seconds.
    pub fn show_effect(&mut self, param: &'static Param, before: Value) {
        self.message = None;
        self.effect = Some(ChangeEffect::of(param, before, self.effect.take(), &self.client.frame().measured));
    }

    /// Whether the status line names the effect of a change.
    pub fn shows_effect(&self) -> bool {
        self.effect.is_some() && self.message.is_none()
    }

    /// Stops showing the effect of the latest change.
    pub fn end_effect(&mut self) {
        self.effect = None;
    }

    /// The value of a parameter before its latest change, while the effect of that change is shown.
    pub fn value_before(&self, param: &Param) -> Option<Value> {
        self.effect.as_ref()?.before(param)
    }

    /// Shows a message for a few seconds.
    pub fn show_message(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::debug!(text, "message");
        self.message = Some((text, Instant::now()));
    }

    /// Shows a change, if there is no panel that does.
    pub fn report(&mut self, text: impl Into<String>) {
        if !self.display.has_panel() && self.message.is_none() {
            self.show_message(text);
        }
    }

    /// The progress of a save that takes long, if one is under way.
    pub fn progress(&self) -> Option<&str> {
        self.progress.as_deref()
    }

    /// Shows the progress of a save. Returns whether it changed.
    pub fn set_progress(&mut self, progress: Option<String>) -> bool {
        let changed = self.progress != progress;
        self.progress = progress;
        changed
    }

    /// Removes the message.
    pub fn clear_message(&mut self) {
        self.message = None;
    }

    /// When the time of the message or the effect is up.
    pub fn message_end(&self) -> Option<Instant> {
        let message = self.message.as_ref().map(|(_, since)| *since + MESSAGE_TIME);
        message.into_iter().chain(self.effect.as_ref().map(ChangeEffect::end)).min()
    }

    /// Removes the message and the effect once their time is up. Returns whether it removed one.
    pub fn expire_message(&mut self, now: Instant) -> bool {
        let message = self.message.take_if(|(_, since)| now.duration_since(*since) >= MESSAGE_TIME);
        let effect = self.effect.take_if(|effect| now >= effect.end());
        message.is_some() || effect.is_some()
    }

    /// The active coloring: the selected one, else by species if there are several, by density in 3-D, or by heading.
    pub fn coloring(&self) -> Coloring {
        let mixed = self.is_mixed();
        let chosen = self.display.coloring.filter(|coloring| *coloring != Coloring::Species || mixed);
        // A flock in three dimensions is a body of light and shade; all its birds fly the same way.
        let is_deep = self.client.controls().setup.world.dim() == 3;
        let plain = if is_deep { Coloring::Density } else { Coloring::Heading };
        chosen.unwrap_or(if mixed { Coloring::Species } else { plain })
    }

    /// The name of the preset or of the recording.
    pub fn name(&self) -> &str {
        self.client.recording().map_or(&self.presets.base.name, |recording| &recording.name)
    }

    /// The key of an action, or its id if it has none.
    pub fn key(&self, action: Action) -> String {
        self.keymap.key(action).unwrap_or_else(|| action.id().to_owned())
    }

    /// What keys do.
    pub fn mode(&self) -> Mode {
        match self.is_recording() {
            _ if self.client.is_breeding() => Mode::Breeding,
            true => Mode::Recording,
            false => Mode::Flying,
        }
    }

    /// The regions of a screen, without plots. Tiles take the place of the panel as well.
    pub fn regions(&self, screen: Rect) -> Regions {
        let regions = Regions::new(screen, self.display.clean);
        if self.mode() == Mode::Breeding { regions.without_panel() } else { regions }
    }

    /// Whether it shows a recording.
    pub fn is_recording(&self) -> bool {
        self.client.recording().is_some()
    }

    /// Whether the flock has several species.
    pub fn is_mixed(&self) -> bool {
        let frame = self.client.frame();
        if frame.recording.is_some() {
            frame.species > 1
        } else {
            self.client.controls().setup.params.species.count > 1.0
        }
    }
}

/// The appearance of the screen.
#[derive(Clone, Debug)]
pub struct Display {
    /// How the flock is drawn.
    pub view: View,
    /// The coloring that the user selected; `None` is automatic.
    pub coloring: Option<Coloring>,
    /// The glyph set.
    pub marker: Marker,
    /// Glyph sets that the terminal does not show in one cell each.
    pub missing_markers: Vec<Marker>,
    /// Whether the panel and the status line are hidden.
    pub clean: bool,
    /// Which of several windows side by side this is, from 0, and their number: they show one picture.
    pub part: (usize, usize),
    /// Columns and rows of the flock, as of the last `resize`.
    canvas: Size,
    /// The same without plots below it.
    region: Size,
    /// The width of the screen in columns.
    columns: u16,
    has_panel: bool,
    /// The height of a dot relative to its width.
    dot_height: f32,
}

impl Display {
    /// A display with a canvas of this size.
    pub fn new(marker: Marker, canvas: Size, dot_height: f32) -> Self {
        Self {
            view: View::default(),
            coloring: None,
            marker,
            missing_markers: Vec::new(),
            clean: false,
            part: (0, 1),
            canvas,
            region: canvas,
            columns: canvas.width,
            has_panel: true,
            dot_height,
        }
    }

    /// Columns and rows of the flock.
    pub fn canvas(&self) -> Size {
        self.canvas
    }

    /// Columns and rows of the region that the flock shares with plots below it. The world takes its shape.
    pub fn region(&self) -> Size {
        self.region
    }

    /// Whether the screen has space for the panel and shows it.
    pub fn has_panel(&self) -> bool {
        self.has_panel
    }

    /// Gives the place of the panel and of the plots to the canvas, until the next resize.
    pub fn widen_canvas(&mut self) {
        self.canvas = Size::new(self.columns, self.region.height);
    }

    /// The height of a dot relative to its width.
    pub fn dot_height(&self) -> f32 {
        self.dot_height
    }

    /// The screen without its status line.
    pub fn above_status(&self) -> Rect {
        Rect::new(0, 0, self.columns, self.region.height)
    }

    /// Adapts to a new screen size, dot shape or place of the plots, with the regions without plots. Returns whether the region
    /// changed.
    pub fn resize(&mut self, screen: Rect, regions: Regions, plots: PlotsPlace, dot_height: f32) -> bool {
        let before = (self.region, self.dot_height);
        (self.columns, self.has_panel) = (screen.width, regions.panel.is_some());
        (self.region, self.dot_height) = (regions.canvas(), dot_height);
        self.canvas = regions.with_plots(plots).canvas();
        (self.region, self.dot_height) != before
    }
}
