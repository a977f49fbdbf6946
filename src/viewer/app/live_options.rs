//! Applying a config file that was reloaded while the viewer runs.

use std::time::{Duration, Instant};

use super::{App, Context};
use crate::canvas::View;
use crate::config::{ConfigFile, NamedFile, Preset, PresetSettings, Theme};
use crate::error::InputError;
use crate::export::clip::ClipFormat;
use crate::sim::{Param, Value};
use crate::viewer::gauges;
use crate::viewer::input::keymap::Keymap;
use crate::viewer::popups::Overlay;
use crate::viewer::theme::marker::Marker;

/// Reloads the config.
pub type ConfigReloader = Box<dyn FnMut() -> Result<ConfigChanges, InputError> + Send>;

/// The most frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRates {
    /// While the terminal has the focus, or does not report it.
    pub focused: f32,
    /// While another window has the focus.
    pub unfocused: f32,
}

/// The clips that the viewer saves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipSettings {
    /// The length, unless a part of the session is marked.
    pub length: Duration,
    /// The format.
    pub format: ClipFormat,
}

/// The settings that differ from those at the last load. All others keep what the user has set since.
#[derive(Debug, Default, PartialEq)]
pub struct ConfigChanges {
    /// The theme, and whether the user selected it.
    pub theme: Option<(Theme, bool)>,
    /// The glyph set, or `None` for one that suits the terminal.
    pub marker: Option<Option<Marker>>,
    /// How the flock is drawn.
    pub view: Option<View>,
    /// The maximum frame rates.
    pub fps: Option<FrameRates>,
    /// Length and format of clips.
    pub clips: Option<ClipSettings>,
    /// The maximum bytes per second, if limited.
    pub bandwidth: Option<Option<u32>>,
    /// Ticks per second, or `None` for the preset's.
    pub rate: Option<Option<f32>>,
    /// Whether the terminal's own background replaces the sky of a theme.
    pub no_sky: Option<bool>,
    /// Whether the panel and the status line are hidden.
    pub clean: Option<bool>,
    /// Whether every parameter has a gauge.
    pub all_parameters: Option<bool>,
    /// The idle time before the slideshow starts, if it does.
    pub idle: Option<Option<Duration>>,
    /// The key bindings.
    pub keymap: Option<Keymap>,
    /// Parameters and their values, or `None` for the preset's.
    pub params: Vec<(&'static str, Option<Value>)>,
    /// The parameters for single presets.
    pub presets: Option<PresetSettings>,
    /// Changed options that take effect at the next start.
    pub later: Vec<String>,
    /// All options that are set outside the command line.
    pub named: Vec<String>,
}

impl ConfigChanges {
    /// Whether nothing differs. The options in `named` may be set to what they were.
    fn is_empty(&self) -> bool {
        *self == Self { named: self.named.clone(), ..Self::default() }
    }

    fn message(&self) -> String {
        if self.is_empty() {
            "screen redrawn; config unchanged".to_owned()
        } else if self.later.is_empty() {
            "config reloaded".to_owned()
        } else {
            format!("config reloaded; restart to apply {}", self.later.join(", "))
        }
    }
}

impl App {
    /// Applies reloaded settings, and reloads presets and themes.
    pub(crate) fn apply_config(&mut self, changes: ConfigChanges) {
        self.end_idle_slideshow(Instant::now());
        self.context.show_message(changes.message());
        if let Some(settings) = &changes.presets {
            self.context.presets.settings.clone_from(settings);
        }
        let of_base = self.reload_lists();
        let ConfigChanges { theme, view, rate, clean, all_parameters, no_sky, idle, keymap, mut params, named, .. } =
            changes;
        for param in of_base {
            if params.iter().all(|(key, _)| *key != param.key) {
                params.push((param.key, None));
            }
        }
        if let Some((theme, chosen)) = theme {
            self.context.theme.install(theme, chosen);
        }
        if let Some(no_sky) = no_sky {
            self.context.theme.set_no_sky(no_sky);
        }
        self.gauges.shows_all = all_parameters.unwrap_or(self.gauges.shows_all);
        let Context { client, presets, display, keymap: current, .. } = &mut self.context;
        display.clean = clean.unwrap_or(display.clean);
        display.view = view.unwrap_or(display.view);
        if let Some(rate) = rate {
            client.set_rate(rate.unwrap_or(presets.base.rate));
        }
        if let Some(mut keymap) = keymap {
            keymap.uses_key_names = current.uses_key_names;
            *current = keymap;
        }
        if let Some(idle) = idle {
            self.screensaver.idle_timeout = idle;
        }
        presets.named = named;
        if client.recording().is_none() {
            self.set_params(&params);
        }
    }

    /// Reloads the presets and themes from their folders, and reports files with errors. Returns the parameters of the current
    /// preset that changed.
    fn reload_lists(&mut self) -> Vec<&'static Param> {
        if matches!(self.overlay, Some(Overlay::Palette(_) | Overlay::Presets(_) | Overlay::Themes(..))) {
            // An open list refers to the old entries.
            self.close();
        }
        let Context { presets, theme, .. } = &mut self.context;
        let from_path = presets.all.iter().filter(|preset| preset.is_from_path());
        let (all, themes, error) = load_lists(from_path.chain([&presets.base]), &presets.settings);
        let of_base = presets.replace(all);
        theme.set_themes(themes);
        self.screensaver.restart(Instant::now(), &mut self.context);
        if let Some(error) = error {
            self.context.show_message(error);
        }
        of_base
    }

    /// Sets parameters to these values or the preset's, as one undo step, and reports conflicts.
    fn set_params(&mut self, values: &[(&'static str, Option<Value>)]) {
        let context = &mut self.context;
        let values: Vec<(&'static Param, Value)> = values
            .iter()
            .filter_map(|(key, value)| Param::find(key).map(|param| (param, *value)))
            .map(|(param, value)| (param, value.unwrap_or(param.get(&context.presets.base.params))))
            .collect();
        context.client.set_params(values.clone(), 0.0);
        for (param, value) in values {
            if param.get(&context.client.controls().setup.params) != value {
                gauges::set(param, value, context);
            }
        }
    }
}

/// All presets with the settings for them, with `extra` ones appended, all themes, and a message about files that could not be
/// read.
pub(super) fn load_lists<'a>(
    extra: impl IntoIterator<Item = &'a Preset>,
    settings: &PresetSettings,
) -> (Vec<Preset>, Vec<Theme>, Option<String>) {
    let (mut presets, themes) = (Preset::all(), Theme::all());
    for preset in &mut presets.all {
        // Settings that do not fit a changed preset are left out.
        if let Ok(customized) = settings.apply(preset.clone()) {
            *preset = customized;
        }
    }
    for preset in extra {
        if presets.all.iter().all(|known| known.origin != preset.origin) {
            presets.all.push(preset.clone());
        }
    }
    presets.broken.extend(themes.broken);
    (presets.all, themes.all, summarize_errors(&presets.broken))
}

/// A message with paths relative to the config folder.
pub(in crate::viewer) fn with_short_paths(message: &str) -> String {
    let home = ConfigFile::home().and_then(|path| Some(path.parent()?.join("").display().to_string()));
    home.map_or(message.to_owned(), |home| message.replace(&home, ""))
}

/// The first error, with its path relative to the config folder, and the number of further ones.
fn summarize_errors(errors: &[InputError]) -> Option<String> {
    let first = with_short_paths(&errors.first()?.to_string());
    let more = errors.len() - 1;
    Some(if more == 0 { first } else { format!("{first} (and {more} more)") })
}
