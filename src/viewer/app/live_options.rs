//! The options that apply while the viewer runs, also when the config file is read again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::{App, Context};
use crate::config::{ConfigFile, NamedFile, Preset, PresetSettings, Theme};
use crate::error::InputError;
use crate::export::clip::ClipFormat;
use crate::picture::{Marker, View};
use crate::sim::{Param, Value};
use crate::viewer::input::keymap::Keymap;
use crate::viewer::popups::Overlay;

/// Reads the options again.
pub type ConfigReloader = Box<dyn FnMut() -> Result<Reloaded, InputError> + Send>;

/// Options that were read again.
#[derive(Debug)]
pub struct Reloaded {
    /// The options that apply at once.
    pub options: LiveOptions,
    /// The names of other options that changed.
    pub later: Vec<String>,
}

/// The most frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRates {
    /// While the terminal has the focus, or does not report it.
    pub focused: f32,
    /// While another window has the focus.
    pub unfocused: f32,
    /// In a slideshow, whether it has the focus or not.
    pub slideshow: f32,
}

impl Default for FrameRates {
    fn default() -> Self {
        Self { focused: 60.0, unfocused: 10.0, slideshow: 30.0 }
    }
}

/// The clips that the viewer saves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipSettings {
    /// The length, unless a part of the session is marked.
    pub length: Duration,
    /// The format.
    pub format: ClipFormat,
}

impl Default for ClipSettings {
    fn default() -> Self {
        Self { length: Duration::from_secs(10), format: ClipFormat::Gif }
    }
}

/// The options that apply while the viewer runs. When they are read again, those that differ from the last time apply; all others keep
/// what the user has set since.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct LiveOptions {
    /// The theme that the user chose.
    pub theme: Option<Theme>,
    /// Whether the terminal's own background replaces the sky of a theme.
    pub no_sky: bool,
    /// The glyph set, or `None` for one that suits the terminal.
    pub marker: Option<Marker>,
    /// How the flock is drawn.
    pub view: View,
    /// Whether the panel and the status line are hidden.
    pub clean: bool,
    /// Whether every parameter has a gauge, not only the rules that the preset uses.
    pub all_parameters: bool,
    /// The maximum frame rates.
    pub fps: FrameRates,
    /// The maximum bytes per second, if limited.
    pub bandwidth: Option<u32>,
    /// Ticks per second, or `None` for the preset's.
    pub rate: Option<f32>,
    /// The idle time before the slideshow starts, if it does.
    pub idle: Option<Duration>,
    /// Length and format of clips.
    pub clips: ClipSettings,
    /// The key bindings.
    pub keymap: Keymap,
    /// Parameters with a value of their own.
    pub params: BTreeMap<&'static str, Value>,
    /// The parameters for single presets.
    pub presets: PresetSettings,
    /// The names of all options that are set outside the command line.
    pub named: Vec<String>,
}

impl App {
    /// Applies the options that differ from `before`, and reloads presets and themes. `marker` is the glyph set that suits the terminal.
    pub(crate) fn apply_options(&mut self, before: &LiveOptions, reloaded: Reloaded, marker: Marker) {
        let Reloaded { options: now, later } = reloaded;
        self.end_idle_slideshow(Instant::now());
        self.context.show_message(if !later.is_empty() {
            format!("config reloaded; restart to apply {}", later.join(", "))
        } else if now == (LiveOptions { named: now.named.clone(), ..before.clone() }) {
            "screen redrawn; config unchanged".to_owned()
        } else {
            "config reloaded".to_owned()
        });
        self.context.presets.settings.clone_from(&now.presets);
        let of_base = self.reload_lists();
        self.apply(&now, Some(before), marker);
        let Context { client, presets, .. } = &mut self.context;
        if now.rate != before.rate {
            client.set_rate(now.rate.unwrap_or(presets.base.rate));
        }
        if client.recording().is_none() {
            let changed = Param::table().iter().filter_map(|param| {
                let value = now.params.get(param.key);
                let is_changed =
                    value != before.params.get(param.key) || of_base.iter().any(|base| base.key == param.key);
                is_changed.then(|| (param, value.copied().unwrap_or(param.get(&presets.base.params))))
            });
            client.set_params(changed.collect(), 0.0);
        }
    }

    /// Sets the state of components: at the start by all options, afterward by those that differ from `before`. `marker` is the glyph set
    /// that suits the terminal.
    pub(super) fn apply(&mut self, now: &LiveOptions, before: Option<&LiveOptions>, marker: Marker) {
        let Context { presets, theme, display, keymap, .. } = &mut self.context;
        let differs =
            |is_same: fn(&LiveOptions, &LiveOptions) -> bool| before.is_none_or(|before| !is_same(before, now));
        // The file of a theme may change while its name stays.
        if differs(|before, now| before.theme == now.theme) {
            match now.theme.clone() {
                Some(chosen) => theme.install(chosen),
                None if before.is_some() => theme.return_to_preset(),
                // It starts with that of the preset.
                None => {}
            }
        }
        if differs(|before, now| before.no_sky == now.no_sky) {
            theme.set_no_sky(now.no_sky);
        }
        if differs(|before, now| before.marker == now.marker) {
            display.marker = now.marker.unwrap_or(marker);
        }
        if differs(|before, now| before.view == now.view) {
            display.view = now.view;
        }
        if differs(|before, now| before.clean == now.clean) {
            display.clean = now.clean;
        }
        if differs(|before, now| before.all_parameters == now.all_parameters) {
            self.gauges.shows_all = now.all_parameters;
        }
        if differs(|before, now| before.idle == now.idle) {
            self.screensaver.idle_timeout = now.idle;
        }
        if differs(|before, now| before.keymap == now.keymap) {
            let uses_key_names = std::mem::replace(keymap, now.keymap.clone()).uses_key_names;
            keymap.uses_key_names = uses_key_names;
        }
        presets.named.clone_from(&now.named);
    }

    /// Reloads the presets and themes from their folders, and reports files with errors. Returns the parameters of the current
    /// preset that changed.
    fn reload_lists(&mut self) -> Vec<&'static Param> {
        if matches!(self.overlay, Some(Overlay::Palette(_) | Overlay::Presets(_) | Overlay::Themes(_))) {
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
