//! The viewer's state: its components, and which of them performs an action.

mod drawing;
mod live_options;
mod mouse;
mod popup;
#[cfg(test)]
pub(in crate::viewer) mod screen_tests;
#[cfg(test)]
pub(in crate::viewer) mod tests;

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glam::Vec2;
use ratatui::layout::Size;

use super::actions::{Action, Mode};
use super::breeding::Breeding;
use super::client::Client;
use super::context::{Context, Display};
use super::gauges::Gauges;
use super::input::MouseState;
use super::input::keymap::{Bound, Keymap, Navigation};
use super::layout::PlotsPlace;
use super::letters::Letters;
use super::palette::Palette;
use super::plots::Plots;
use super::popups::help::Help;
use super::popups::list::FilterList;
use super::popups::{Overlay, Prompt, PromptKind};
use super::presets::Presets;
use super::screensaver::shuffle::Scene;
use super::screensaver::{Screensaver, SlideshowMode};
use super::text::LineEdit;
use super::theme::{Colors, ThemeState};
use super::timeline::Timeline;
use super::viewport::Viewport;
use super::world_actions;
use crate::config::{FlockFile, Preset, with_users};
use crate::engine::{Controls, Notice, Request, RequestError};
use crate::picture::{Aim, Camera, CanvasFormat, Coloring, GlyphTable, Marker, Ray, View, size_in_dots};
use crate::sim::Setup;
use crate::terminal::events::{Key, SuspendScope};
use crate::tracks::Recording;

pub(in crate::viewer) use live_options::with_short_paths;
pub use live_options::{ClipSettings, ConfigReloader, FrameRates, LiveOptions, Reloaded};

/// The action of a key while a text from standard input is down: letters take off again, but for keys of help, palette and files, and the
/// keys that quit or close quit.
fn text_action(key: KeyEvent, action: Option<Action>) -> Option<Action> {
    let is_printable = matches!(key.code, KeyCode::Char(_)) && (key.modifiers - KeyModifiers::SHIFT).is_empty();
    match action {
        Some(Action::Quit | Action::Close) => Some(Action::Quit),
        Some(Action::Help | Action::Palette | Action::Screenshot | Action::SaveClip) => action,
        _ if is_printable => Some(Action::Say),
        action => action,
    }
}

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
    /// Save a clip.
    SaveClip,
    /// Cancel a save that takes long.
    Cancel,
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
    /// The preset, the default one for a recording.
    pub preset: Preset,
    /// The recording, if it is one.
    pub recording: Option<Arc<Recording>>,
    /// The initial flock.
    pub setup: Setup,
    /// Whether the world takes the shape of the canvas.
    pub world_is_auto: bool,
    /// The file that the flock was loaded from.
    pub input: Option<FlockFile>,
    /// The glyphs of its perches.
    pub glyphs: GlyphTable,
    /// Ticks per second.
    pub rate: f32,
    /// The color depth.
    pub colors: Colors,
    /// Where the camera looks.
    pub aim: Aim,
    /// Whether the flock alone moves: no drift of the camera, no morphs, no fades.
    pub reduced_motion: bool,
    /// The options that apply while the viewer runs.
    pub options: LiveOptions,
}

/// The appearance of the screen before a slideshow took it over.
#[derive(Debug)]
struct SavedScreen {
    clean: bool,
    overlay: Option<Overlay>,
    plots: PlotsPlace,
    theme: (usize, bool),
    view: View,
    coloring: Option<Coloring>,
    aim: Aim,
}

/// The viewer's state.
#[derive(Debug)]
pub struct App {
    pub(in crate::viewer) context: Context,
    pub(in crate::viewer) gauges: Gauges,
    pub(in crate::viewer) timeline: Timeline,
    pub(in crate::viewer) plots: Plots,
    pub(in crate::viewer) screensaver: Screensaver,
    pub(in crate::viewer) letters: Letters,
    pub(in crate::viewer) breeding: Breeding,
    /// Whether to quit when a text from standard input has landed.
    pub(in crate::viewer) quits_when_landed: bool,
    viewport: Viewport,
    /// Whether the camera keeps still in three dimensions.
    reduced_motion: bool,
    /// Whether a bar shows the scale after a change, as in a terminal.
    pub(in crate::viewer) shows_scale: bool,
    mouse: MouseState,
    /// The popup or prompt over the flock, if one is open.
    pub(in crate::viewer) overlay: Option<Overlay>,
    /// What the event loop is to do.
    pub(in crate::viewer) effects: VecDeque<Effect>,
    /// The canvas format last requested from the engine, and the tile in focus.
    requested: (CanvasFormat, Option<usize>),
    /// The screen to restore after a slideshow of an idle viewer.
    saved: Option<SavedScreen>,
}

impl App {
    /// Creates the state for a canvas of this size with dots of a height relative to their width. The
    /// engine's canvas starts with [`format`](Self::format).
    pub fn new(start: InitialState, canvas: Size, dot_height: f32) -> Self {
        let options = start.options;
        let (presets, themes, error) = live_options::load_lists([&start.preset], &options.presets);
        let mut presets = Presets::new(presets, start.preset, start.setup.boids, start.world_is_auto, start.input);
        presets.settings.clone_from(&options.presets);
        let mut client = Client::new(Controls::of_setup(start.setup, start.rate));
        let mut theme = ThemeState::new(start.colors, None, themes);
        client.show_frame(|frame| frame.recording.clone_from(&start.recording));
        (client.skips_morphs, theme.skips_fades) = (start.reduced_motion, start.reduced_motion);
        theme.follow(Some(&presets.base).filter(|_| start.recording.is_none()));
        let display = Display::new(Marker::default(), canvas, dot_height);
        let context = Context::new(client, presets, theme, start.glyphs, display, Keymap::default(), error);
        let mut app = Self::of(context, start.aim);
        app.reduced_motion = start.reduced_motion;
        app.apply(&options, None, Marker::default());
        app.requested.0 = app.format();
        app
    }

    /// A viewer that has done nothing yet.
    fn of(context: Context, aim: Aim) -> Self {
        Self {
            gauges: Gauges::default(),
            timeline: Timeline::new(context.client.controls().rate),
            context,
            plots: Plots::default(),
            screensaver: Screensaver::default(),
            letters: Letters::default(),
            breeding: Breeding::default(),
            quits_when_landed: false,
            viewport: Viewport::new(aim),
            reduced_motion: false,
            shows_scale: false,
            mouse: MouseState::default(),
            overlay: None,
            effects: VecDeque::new(),
            requested: (CanvasFormat::default(), None),
            saved: None,
        }
    }

    /// Handles a pressed key.
    pub fn on_key(&mut self, key: impl Into<Key>) {
        let key = key.into();
        let mode = self.context.mode();
        let Bound { key: bound, action } = self.context.keymap.bound(key, mode);
        // Escape and the next key that arrive together, as over a slow link, read as Alt with that key.
        let is_alt = bound.modifiers.contains(KeyModifiers::ALT);
        if self.overlay.is_some() && action.is_none() && is_alt && LineEdit::of(bound).is_none() {
            self.on_key(KeyEvent::from(KeyCode::Esc));
            return self.on_key(KeyEvent { modifiers: bound.modifiers - KeyModifiers::ALT, ..bound });
        }
        let overlay = self.overlay.as_ref();
        if let Some(navigation) = Navigation::of_key(bound)
            && overlay.is_some_and(|overlay| overlay.accepts_move(navigation))
        {
            return self.navigate(navigation);
        }
        // As in a pager, the key that quits closes the popup first.
        let is_covered = self.plots.is_alone(&self.context) || mode == Mode::Breeding;
        let closes = overlay.map_or(is_covered, |overlay| !overlay.is_text_input());
        let action = action.map(|action| match action {
            Action::Quit if closes && bound.modifiers.is_empty() && overlay.is_none() && mode == Mode::Breeding => {
                Action::LeaveBreeding
            }
            Action::Quit if closes && bound.modifiers.is_empty() => Action::Close,
            action => action,
        });
        let action = if overlay.is_none() && self.letters.is_text_down() { text_action(bound, action) } else { action };
        if overlay.is_some_and(Overlay::is_text_input) {
            self.on_text_key(LineEdit::of(key.typed).or_else(|| LineEdit::of(bound)), action);
        } else if let Some(action) = action {
            self.act(action);
        }
    }

    /// Performs an action, unless the open popup or prompt ignores it.
    pub fn act(&mut self, action: Action) {
        self.context.clear_message();
        if let Some(overlay) = &self.overlay {
            match Navigation::of_action(action) {
                Some(navigation) if overlay.accepts_move(navigation) => return self.navigate(navigation),
                _ if overlay.is_closed_by(action) => return self.close(),
                _ if !overlay.accepts(action) => return,
                _ => {}
            }
        }
        tracing::debug!(action = action.id(), "action");
        if Timeline::ends_drag(action) || action == Action::Plots {
            self.release_mouse();
        }
        self.perform(action);
        if self.overlay.is_some() || action == Action::Suspend {
            self.release_mouse();
        }
    }

    /// Offers an action to the components. The page of plots comes first: it takes actions of the camera. Returns whether one
    /// of them performed it.
    fn perform(&mut self, action: Action) -> bool {
        let mode = self.context.mode();
        if !action.works_in(mode) {
            self.refuse(action, mode);
            return true;
        }
        if action == Action::Breed {
            self.plots.set_place(PlotsPlace::Hidden);
            self.context.display.widen_canvas();
            self.request_format();
        }
        let (area, cursor) = (self.gauges_area(), self.cursor());
        let boids_in_view = self.viewport.boids(self.context.client.frame());
        let Self { context, gauges, timeline, plots, letters, viewport, breeding, .. } = self;
        breeding.act(action, context)
            || plots.act(action, context)
            || gauges.act(action, area, context)
            || timeline.act(action, context)
            || world_actions::act(action, cursor, context)
            || letters.act(action, context)
            || context.act(action, boids_in_view)
            || viewport.act(action, context)
            || self.act_on_program(action)
    }

    /// Says why an action has no effect in a mode.
    pub(in crate::viewer) fn refuse(&mut self, action: Action, mode: Mode) {
        let leave = self.context.key(Action::LeaveBreeding);
        self.context.show_message(match mode {
            Mode::Recording => format!("a recording has no {}", action.lacking_in_recording()),
            Mode::Breeding => format!("not while breeding: {leave} leaves with the flock in the middle"),
            Mode::Flying => format!("only while breeding: {} begins it", self.context.key(Action::Breed)),
        });
    }

    /// Performs an action on the presets, the popups and the program. Returns whether it is one of these.
    fn act_on_program(&mut self, action: Action) -> bool {
        match action {
            Action::NextPreset => self.load_preset(self.context.presets.neighbor(true)),
            Action::PreviousPreset => self.load_preset(self.context.presets.neighbor(false)),
            Action::ChoosePreset => self.open(|context| Overlay::Presets(FilterList::of_presets(context))),
            Action::ChooseTheme => self.open(|context| Overlay::Themes(FilterList::of_themes(context))),
            Action::EditValue => self.open(|_| Overlay::Prompt(Prompt::new(PromptKind::Value))),
            Action::Say => self.open(|_| Overlay::Prompt(Prompt::new(PromptKind::Text))),
            Action::SavePreset => self.open(|_| Overlay::Prompt(Prompt::new(PromptKind::Name))),
            Action::ChooseMeasures => {
                self.plots.open();
                self.open(|_| Overlay::Measures(0));
            }
            Action::Palette => self.open(|context| Overlay::Palette(Palette::open(context))),
            Action::Help => self.open(|_| Overlay::Help(Help::default())),
            Action::ShowCommand => self.open(|_| Overlay::Command(0)),
            Action::Close => self.close(),
            Action::Screenshot => self.queue(Effect::Screenshot),
            Action::SaveClip => self.queue(Effect::SaveClip),
            Action::SavePlots => self.queue(Effect::SavePlots),
            Action::SaveSession => self.queue(Effect::SaveSession),
            Action::Screensaver => self.start_idle_slideshow(Instant::now()),
            Action::Reload => self.queue(Effect::Reload),
            Action::Suspend => self.queue(Effect::Suspend(SuspendScope::Job)),
            Action::Quit => self.queue(Effect::Quit),
            Action::PageUp | Action::PageDown => {}
            _ => match action.preset() {
                Some(index) => self.load_preset(index),
                None => return false,
            },
        }
        true
    }

    /// The camera of the latest frame, if there has been one.
    fn camera(&self) -> Option<&Camera> {
        Some(&self.context.client.frame().camera).filter(|camera| camera.middle() != Vec2::ZERO)
    }

    /// The line of sight through the last click, or through the center of the view.
    fn cursor(&self) -> Option<Ray> {
        let Size { width, height } = self.context.display.canvas();
        self.mouse.clicked.or_else(|| Some(self.camera()?.ray(size_in_dots(width.into(), height.into()) * 0.5)))
    }

    /// Switches to the preset at an index.
    pub fn load_preset(&mut self, index: usize) {
        let Some(preset) = self.context.presets.all.get(index).cloned() else { return };
        self.close_overlay();
        if self.context.is_recording() {
            return self.context.show_message("a recording has no rules");
        }
        self.release_mouse();
        // A preset of the user may have a summary alone.
        let phrase = if preset.phrase.is_empty() { &preset.summary } else { &preset.phrase };
        self.context.show_message(format!("{}: {phrase}", preset.name));
        let aspect_ratio = self.aspect_ratio();
        self.context.presets.load(preset, aspect_ratio, &mut self.context.client);
        self.on_new_preset();
    }

    fn on_new_preset(&mut self) {
        // The places and the parameters belong to another world.
        self.mouse.clicked = None;
        self.viewport.reset_for_new_flock();
        self.context.end_effect();
        self.context.theme.follow(Some(&self.context.presets.base));
    }

    /// The aspect ratio (width / height) of the world that fits the screen.
    pub(in crate::viewer) fn aspect_ratio(&self) -> f32 {
        let Size { width, height } = self.context.display.region();
        let (columns, rows) = (width.into(), height.into());
        let dot_height = self.context.display.dot_height();
        CanvasFormat { columns, rows, dot_height, ..CanvasFormat::default() }.aspect_ratio()
    }

    /// The canvas format that the current state needs.
    pub fn format(&self) -> CanvasFormat {
        let Context { display, theme, .. } = &self.context;
        let Size { width, height } = display.canvas();
        let aim = self.viewport.aim();
        let is_still = self.reduced_motion || self.screensaver.is_together();
        CanvasFormat {
            // All windows side by side.
            columns: usize::from(width) * display.part.1,
            rows: height.into(),
            view: display.view,
            no_glow: !theme.resolved().has_glow(),
            no_trails: false,
            // Without a glow, dense parts are bold.
            densities: self.context.coloring() == Coloring::Density || !theme.resolved().has_glow(),
            aim: Aim { yaw: aim.yaw.or(is_still.then_some(0.0)), ..aim },
            map: !display.clean,
            dot_height: display.dot_height(),
            water: self.context.presets.base.water,
        }
    }

    /// Takes the pending requests, with one for the canvas if its format changes.
    pub fn requests(&mut self) -> Vec<Request> {
        self.request_format();
        self.context.client.take_requests()
    }

    fn request_format(&mut self) {
        let (format, focus) = (self.format(), self.breeding.focus(&self.context));
        if mem::replace(&mut self.requested, (format, focus)) != (format, focus) {
            self.context.client.request(Request::Canvas(format, focus));
        }
    }

    /// Queues an effect for the event loop.
    pub fn queue(&mut self, effect: Effect) {
        // One reload serves several signals and the repeated key.
        if effect == Effect::Reload {
            self.effects.retain(|queued| *queued != effect);
        }
        self.effects.push_back(effect);
    }

    /// Follows the latest frame.
    pub fn on_frame(&mut self) {
        self.context.glyphs.convert(self.context.theme.resolved());
        let frame = self.context.client.frame();
        self.plots.history.record(frame);
        self.timeline.on_frame(frame);
        let settled = self.context.client.is_settled();
        // An earlier frame may belong to a preset that another one has already replaced.
        if settled && self.context.presets.on_frame(frame) {
            self.on_new_preset();
        }
        let settled = settled && self.format() == self.requested.0;
        let followed = self.viewport.on_frame(self.context.client.frame(), settled);
        self.context.presets.fit_world(&mut self.context.client);
        if let Some(text) = followed {
            self.context.show_message(text);
        }
        if self.context.client.is_breeding() {
            self.breeding.on_frame(&mut self.context);
        } else {
            self.letters.on_frame(&mut self.context, SystemTime::now());
        }
        if self.quits_when_landed && self.letters.has_landed(&self.context) {
            self.queue(Effect::Quit);
        }
        self.timeline.announce(&mut self.context);
        if let Some(notice) = self.context.client.take_notice() {
            self.report(notice);
        }
    }

    fn report(&mut self, notice: Notice) {
        let area = self.gauges_area();
        if matches!(notice, Notice::Refused(_)) {
            self.context.end_effect();
        }
        let text = match notice {
            Notice::Undone(direction, undone) => {
                return self.gauges.on_undone(direction, undone, area, &mut self.context);
            }
            Notice::Refused(RequestError::Flock(error)) => with_users(error).to_string(),
            Notice::Refused(error) => error.to_string(),
            Notice::Branch(tick) => self.timeline.branch_message(tick, &self.context),
            Notice::Impossible(error) => error.to_string(),
            Notice::Diverged(tick) => format!("the replay differs from the session from tick {tick} at the latest"),
        };
        self.context.show_message(text);
    }

    /// Advances all animations. Returns whether the screen changed.
    pub fn animate(&mut self, now: Instant) -> bool {
        let forgotten = self.context.expire_message(now);
        let animation = self.screensaver.animate(now, &mut self.context);
        if animation.starts_idle {
            self.start_idle_slideshow(now);
        }
        if let Some((last, scene)) = animation.scene {
            self.show_scene(last, scene);
        }
        self.screensaver.update_letters(now, &mut self.letters, &mut self.context);
        forgotten || animation.changed
    }

    /// When [`animate`](Self::animate) may change the screen: `next_frame` during an animation, `None` if only input can.
    pub fn next_change(&self, next_frame: Instant) -> Option<Instant> {
        let letters = self.letters.next_change(SystemTime::now());
        self.context
            .message_end()
            .into_iter()
            .chain(letters)
            .chain(self.screensaver.next_change(next_frame, &self.context))
            .min()
    }

    /// Notes input. Returns whether that ends a slideshow, which consumes it.
    pub fn note_activity(&mut self, now: Instant) -> bool {
        if self.screensaver.ignores_input(now) {
            return true;
        }
        match self.screensaver.note_activity(now) {
            Some(SlideshowMode::Idle) => self.restore_screen(),
            Some(SlideshowMode::Screensaver { .. }) => self.queue(Effect::Quit),
            None => return false,
        }
        true
    }

    /// Starts a slideshow of themes and views of the current flock. The next input restores the screen.
    pub fn start_idle_slideshow(&mut self, now: Instant) {
        self.context.clear_message();
        let Context { display, theme, .. } = &mut self.context;
        self.saved = Some(SavedScreen {
            clean: mem::replace(&mut display.clean, true),
            overlay: self.overlay.take(),
            plots: self.plots.set_place(PlotsPlace::Hidden),
            theme: theme.active(),
            view: display.view,
            coloring: display.coloring,
            aim: self.viewport.aim(),
        });
        self.preview_theme();
        self.screensaver.play_slideshow(now, SlideshowMode::Idle, &self.context);
    }

    /// Ends an idle slideshow; a screensaver continues.
    pub fn end_idle_slideshow(&mut self, now: Instant) {
        if self.screensaver.is_idle() {
            self.note_activity(now);
        }
    }

    fn restore_screen(&mut self) {
        let Some(saved) = self.saved.take() else { return };
        self.context.display.clean = saved.clean;
        self.overlay = saved.overlay;
        self.plots.set_place(saved.plots);
        self.context.theme.activate(saved.theme.0, saved.theme.1);
        self.context.theme.set_flock_fade(0.0);
        self.preview_theme();
        self.show_as(saved.view, saved.coloring, saved.aim);
    }

    /// Shows a scene, replacing the last one.
    fn show_scene(&mut self, last: Scene, scene: Scene) {
        if let Some(preset) = scene.preset.filter(|_| scene.preset != last.preset) {
            self.load_preset(preset);
            self.context.clear_message();
        }
        self.show_as(scene.view, scene.coloring, scene.aim());
    }

    fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        (self.context.display.view, self.context.display.coloring) = (view, coloring);
        self.viewport.show(aim);
    }
}
