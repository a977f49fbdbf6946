//! A config that was read again.

use std::fmt;
use std::time::{Duration, Instant};

use super::App;
use super::dispatch::save;
use super::overlay::Overlay;
use crate::canvas::View;
use crate::config::{Error, NamedFile, Theme};
use crate::sim::{Param, Value};
use crate::viewer::{Keymap, Marker};

/// What a config that was read again says otherwise than before. What it says nothing new of stays as
/// somebody has made it since.
#[derive(Debug, Default)]
pub struct ConfigChanges {
    /// The theme, and whether somebody chose it.
    pub theme: Option<(Theme, bool)>,
    /// What dots are made of.
    pub marker: Option<Marker>,
    /// What is drawn of the flock.
    pub view: Option<View>,
    /// The most frames a second.
    pub fps: Option<f32>,
    /// The most bytes a second, or no limit.
    pub bandwidth: Option<Option<u32>>,
    /// Ticks a second, or the preset's.
    pub rate: Option<Option<f32>>,
    /// Whether panel and status line are hidden.
    pub clean: Option<bool>,
    /// After which time without a key it wanders through scenes, or never.
    pub idle: Option<Option<Duration>>,
    /// The keys.
    pub keymap: Option<Keymap>,
    /// Tunables, and their value or the preset's.
    pub rules: Vec<(&'static str, Option<Value>)>,
    /// Options that have changed and wait for the next start.
    pub later: Vec<String>,
    /// All that is named outside of the command line.
    pub named: Vec<String>,
}

/// Reads the config again.
pub struct ConfigReloader(Box<Reading>);

type Reading = dyn FnMut() -> Result<ConfigChanges, Error> + Send;

impl ConfigReloader {
    /// Reads it so.
    pub fn new(read: impl FnMut() -> Result<ConfigChanges, Error> + Send + 'static) -> Self {
        Self(Box::new(read))
    }

    pub(crate) fn read(&mut self) -> Result<ConfigChanges, Error> {
        self.0()
    }
}

impl fmt::Debug for ConfigReloader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ConfigReloader")
    }
}

impl ConfigChanges {
    /// Whether nothing has changed.
    fn is_empty(&self) -> bool {
        let Self { theme, marker, view, fps, bandwidth, rate, clean, idle, keymap, rules, later, named: _ } = self;
        let looks = theme.is_none() && marker.is_none() && view.is_none() && clean.is_none() && idle.is_none();
        let paces = fps.is_none() && bandwidth.is_none() && rate.is_none();
        looks && paces && keymap.is_none() && rules.is_empty() && later.is_empty()
    }

    /// What to say of it.
    fn word(&self) -> String {
        if self.is_empty() {
            "drawn anew; the config is as it was".to_owned()
        } else if self.later.is_empty() {
            "the config has been read again".to_owned()
        } else {
            format!("the config has been read again; {} from the next start on", self.later.join(", "))
        }
    }
}

impl App {
    /// Does what a config that was read again says, as far as that goes while the flock flies.
    pub(crate) fn apply_config(&mut self, reloaded: ConfigChanges) {
        self.end_idle_slideshow(Instant::now());
        self.show_message(reloaded.word());
        self.reload_lists();
        let ConfigChanges { theme, marker, view, fps, rate, clean, idle, keymap, rules, named, .. } = reloaded;
        if let Some((theme, chosen)) = theme {
            self.theme.install(theme, chosen);
        }
        self.marker = marker.unwrap_or(self.marker);
        self.clean = clean.unwrap_or(self.clean);
        self.view = view.unwrap_or(self.view);
        if let Some(fps) = fps {
            self.session.set_fps(fps);
        }
        if let Some(rate) = rate {
            self.session.set_rate(rate.unwrap_or(self.session.preset.rate));
        }
        if let Some(keymap) = keymap {
            self.keymap = keymap.spelled(self.keymap.is_spelled());
        }
        if let Some(idle) = idle {
            self.set_idle_timeout(idle);
        }
        self.session.named = named;
        self.set_rules(&rules);
    }

    /// Reads presets and themes again: their files may be new, or others than they were. Says what is wrong with any.
    fn reload_lists(&mut self) {
        if matches!(self.overlay, Some(Overlay::Palette(_) | Overlay::Presets(_))) {
            // What is open lists those of before.
            self.close();
        }
        let from_path = self.presets.iter().filter(|preset| preset.is_from_path());
        let (presets, themes) = (save::presets(from_path.chain([&self.session.preset])), Theme::all());
        self.presets = presets.all;
        self.theme.set_themes(themes.all);
        self.restart_slideshow(Instant::now());
        let broken: Vec<Error> = presets.broken.into_iter().chain(themes.broken).collect();
        if let Some(broken) = save::complaint(&broken) {
            self.show_message(broken);
        }
    }

    /// Gives tunables these values or the preset's, as one step that can be undone; says which cannot have it.
    fn set_rules(&mut self, rules: &[(&'static str, Option<Value>)]) {
        let values: Vec<(&'static Param, Value)> = rules
            .iter()
            .filter_map(|(key, value)| Param::find(key).map(|row| (row, *value)))
            .map(|(row, value)| (row, value.unwrap_or(row.get(&self.session.preset.params))))
            .collect();
        self.session.set_all(&values);
        for (row, value) in values {
            if row.get(&self.session.rules) != value {
                self.set(row, value);
            }
        }
    }
}
