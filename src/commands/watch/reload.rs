//! Reloading the config in the viewer.

use std::collections::BTreeMap;

use super::{fps, idle, marker, theme};
use crate::commands::args::WatchArgs;
use crate::commands::settings::{ParsedArgs, ResolvedArgs};
use crate::commands::setup::setup;
use crate::config::{ConfigError, Preset, Theme};
use crate::sim::Value;
use crate::terminal::Charset;
use crate::viewer::{ConfigChanges, ConfigReloader};

/// Makes the function that reads the config again and returns the changes since the last time.
///
/// # Errors
///
/// An invalid theme.
pub(super) fn reloader(
    resolved: ResolvedArgs,
    preset: Preset,
    charset: Charset,
) -> Result<ConfigReloader, ConfigError> {
    let theme_now = theme(&resolved.cli.watch)?;
    let mut before = (resolved, theme_now, preset);
    Ok(Box::new(move || {
        // The command line was valid at startup.
        let unexpected =
            |error: clap::Error| ConfigError::Flag { flag: "command line".into(), message: error.kind().to_string() };
        let now = ParsedArgs::read().map_err(unexpected)?.resolve()?;
        let theme_now = theme(&now.cli.watch)?;
        // A contradictory config is rejected as a whole.
        let flock = &now.cli.watch.flock;
        let is_same_preset = flock.preset == before.0.cli.watch.flock.preset;
        let preset = if is_same_preset { before.2.clone() } else { Preset::load(&flock.preset)? };
        setup(flock, &preset, 1.0, None)?;
        let changes = changes((&before.0, &before.1), (&now, &theme_now), charset);
        before = (now, theme_now, preset);
        Ok(changes)
    }))
}

fn changes(
    (before, theme_before): (&ResolvedArgs, &Theme),
    (now, theme_now): (&ResolvedArgs, &Theme),
    charset: Charset,
) -> ConfigChanges {
    let args = &now.cli.watch;
    let keymap = &now.settings.keymap;
    let mut changes = ConfigChanges {
        named: now.settings.names(),
        params: changed_params(&before.cli.watch, args),
        keymap: (*keymap != before.settings.keymap).then(|| keymap.clone()),
        // The file of a theme may change while its name stays.
        theme: (theme_now != theme_before).then(|| (theme_now.clone(), args.viewer.theme.is_some())),
        ..ConfigChanges::default()
    };
    for option in now.settings.changed_options(&before.settings) {
        match option.as_str() {
            "theme" => {}
            "marker" => changes.marker = Some(marker(args, charset)),
            "view" => changes.view = Some(args.viewer.view),
            "fps" => changes.fps = Some(fps(args)),
            "bandwidth" => changes.bandwidth = Some(args.viewer.bandwidth),
            "rate" => changes.rate = Some(args.viewer.rate),
            "clean" => changes.clean = Some(args.viewer.clean),
            "idle" => changes.idle = Some(idle(args)),
            _ => changes.later.push(option),
        }
    }
    changes
}

/// Parameters with a new value; `None` if the value of the preset applies again.
fn changed_params(before: &WatchArgs, now: &WatchArgs) -> Vec<(&'static str, Option<Value>)> {
    let values = |args: &WatchArgs| -> BTreeMap<&'static str, Value> {
        args.flock.set.iter().map(|param| (param.key, param.value)).collect()
    };
    let (before, now) = (values(before), values(now));
    let unset = before.keys().filter(|key| !now.contains_key(*key)).map(|key| (*key, None));
    let changed = now.iter().filter(|(key, value)| before.get(*key) != Some(value));
    unset.chain(changed.map(|(key, value)| (*key, Some(*value)))).collect()
}
