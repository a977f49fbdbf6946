//! Applying a config file that was reloaded while the viewer runs.

use std::fmt;
use std::time::{Duration, Instant};

use super::overlay::Overlay;
use super::{App, presets};
use crate::canvas::View;
use crate::config::{ConfigError, NamedFile, Theme};
use crate::sim::{Param, Value};
use crate::viewer::{Keymap, Marker};

/// The settings that differ from those at the last load. All others keep what the user has set since.
#[derive(Debug, Default)]
pub struct ConfigChanges {
    /// The theme, and whether the user selected it.
    pub theme: Option<(Theme, bool)>,
    /// The glyph set.
    pub marker: Option<Marker>,
    /// How the flock is drawn.
    pub view: Option<View>,
    /// The maximum frame rate.
    pub fps: Option<f32>,
    /// The maximum bytes per second, if limited.
    pub bandwidth: Option<Option<u32>>,
    /// Ticks per second, or `None` for the preset's.
    pub rate: Option<Option<f32>>,
    /// Whether the panel and the status line are hidden.
    pub clean: Option<bool>,
    /// The idle time before the slideshow starts, if it does.
    pub idle: Option<Option<Duration>>,
    /// The key bindings.
    pub keymap: Option<Keymap>,
    /// Parameters and their values, or `None` for the preset's.
    pub params: Vec<(&'static str, Option<Value>)>,
    /// Changed options that take effect at the next start.
    pub later: Vec<String>,
    /// All options that are set outside the command line.
    pub named: Vec<String>,
}

/// Reloads the config.
pub struct ConfigReloader(Box<Load>);

type Load = dyn FnMut() -> Result<ConfigChanges, ConfigError> + Send;

impl ConfigReloader {
    /// A reloader that calls `load`.
    pub fn new(load: impl FnMut() -> Result<ConfigChanges, ConfigError> + Send + 'static) -> Self {
        Self(Box::new(load))
    }

    pub(crate) fn load(&mut self) -> Result<ConfigChanges, ConfigError> {
        self.0()
    }
}

impl fmt::Debug for ConfigReloader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ConfigReloader")
    }
}

impl ConfigChanges {
    fn is_empty(&self) -> bool {
        let Self { theme, marker, view, fps, bandwidth, rate, clean, idle, keymap, params, later, named: _ } = self;
        let appearance = theme.is_none() && marker.is_none() && view.is_none() && clean.is_none() && idle.is_none();
        let rates = fps.is_none() && bandwidth.is_none() && rate.is_none();
        appearance && rates && keymap.is_none() && params.is_empty() && later.is_empty()
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
        self.show_message(changes.message());
        self.reload_lists();
        let ConfigChanges { theme, marker, view, fps, rate, clean, idle, keymap, params, named, .. } = changes;
        if let Some((theme, chosen)) = theme {
            self.theme.install(theme, chosen);
        }
        if let Some(marker) = marker {
            self.display.set_marker(marker);
        }
        if let Some(clean) = clean {
            self.display.set_clean(clean);
        }
        if let Some(view) = view {
            self.display.set_view(view);
        }
        if let Some(fps) = fps {
            self.session.set_fps(fps);
        }
        if let Some(rate) = rate {
            self.session.set_rate(rate.unwrap_or(self.session.preset().rate));
        }
        if let Some(keymap) = keymap {
            self.keymap = keymap.with_key_names(self.keymap.uses_key_names());
        }
        if let Some(idle) = idle {
            self.set_idle_timeout(idle);
        }
        self.session.set_named(named);
        self.set_params(&params);
    }

    /// Reloads the presets and themes from their folders, and reports files with errors.
    fn reload_lists(&mut self) {
        if matches!(self.overlay, Some(Overlay::Palette(_) | Overlay::Presets(_))) {
            // An open list refers to the old entries.
            self.close();
        }
        let from_path = self.presets.iter().filter(|preset| preset.is_from_path());
        let (presets, themes) = (presets::presets(from_path.chain([self.session.preset()])), Theme::all());
        self.presets = presets.all;
        self.theme.set_themes(themes.all);
        self.restart_slideshow(Instant::now());
        let broken: Vec<ConfigError> = presets.broken.into_iter().chain(themes.broken).collect();
        if let Some(error) = presets::summarize_errors(&broken) {
            self.show_message(error);
        }
    }

    /// Sets parameters to these values or the preset's, as one undo step, and reports conflicts.
    fn set_params(&mut self, values: &[(&'static str, Option<Value>)]) {
        let values: Vec<(&'static Param, Value)> = values
            .iter()
            .filter_map(|(key, value)| Param::find(key).map(|param| (param, *value)))
            .map(|(param, value)| (param, value.unwrap_or(param.get(&self.session.preset().params))))
            .collect();
        self.session.set_all(&values);
        for (param, value) in values {
            if param.get(self.session.params()) != value {
                self.set_param(param, value);
            }
        }
    }
}
