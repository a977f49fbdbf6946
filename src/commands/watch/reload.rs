//! Reading the config again while the flock flies: what it says otherwise than before.

use std::collections::BTreeMap;
use std::io;

use super::{fps, idle, marker, theme};
use crate::commands::args::Watch;
use crate::commands::settings::{ParsedArgs, ResolvedArgs};
use crate::commands::setup::setup;
use crate::config::{Error, Preset, Theme};
use crate::sim::Value;
use crate::terminal::Charset;
use crate::viewer::{ConfigChanges, ConfigReloader};

/// What reads the config again, whenever it is called; `begun` is the preset of now.
///
/// # Errors
///
/// What is wrong with the theme of now.
pub(crate) fn reader(resolved: ResolvedArgs, begun: Preset, charset: Charset) -> Result<ConfigReloader, Error> {
    let worn = theme(&resolved.cli.watch)?;
    let mut before = (resolved, worn, begun);
    Ok(ConfigReloader::new(move || {
        // Which has been read before.
        let unlikely = |why: io::Error| Error::Flag { flag: "the command line".into(), message: why.to_string() };
        let now = ParsedArgs::read().map_err(unlikely)?.resolved()?;
        let worn = theme(&now.cli.watch)?;
        // What does not go together is not taken in parts.
        let flock = &now.cli.watch.flock;
        let is_same = flock.preset == before.0.cli.watch.flock.preset;
        let preset = if is_same { before.2.clone() } else { Preset::load(&flock.preset)? };
        setup(flock, &preset, 1.0, None)?;
        let news = news((&before.0, &before.1), (&now, &worn), charset);
        before = (now, worn, preset);
        Ok(news)
    }))
}

/// What has changed from before to now, and what of it cannot be had while the flock flies.
fn news(
    (before, old): (&ResolvedArgs, &Theme),
    (now, worn): (&ResolvedArgs, &Theme),
    charset: Charset,
) -> ConfigChanges {
    let args = &now.cli.watch;
    let mut news = ConfigChanges {
        named: now.layers.named(),
        rules: rules(&before.cli.watch, args),
        keymap: (now.layers.keymap != before.layers.keymap).then(|| now.layers.keymap.clone()),
        // Its file may have changed under its name.
        theme: (worn != old).then(|| (worn.clone(), args.theme.is_some())),
        ..ConfigChanges::default()
    };
    for option in now.layers.changed(&before.layers) {
        match option.as_str() {
            "theme" => {}
            "marker" => news.marker = Some(marker(args, charset)),
            "view" => news.view = Some(args.view),
            "fps" => news.fps = Some(fps(args)),
            "bandwidth" => news.bandwidth = Some(args.bandwidth),
            "rate" => news.rate = Some(args.rate),
            "clean" => news.clean = Some(args.clean),
            "idle" => news.idle = Some(idle(args)),
            _ => news.later.push(option),
        }
    }
    news
}

/// Tunables that have another value now, or none but the preset's.
fn rules(before: &Watch, now: &Watch) -> Vec<(&'static str, Option<Value>)> {
    let values = |args: &Watch| -> BTreeMap<&'static str, Value> {
        args.flock.set.iter().map(|setting| (setting.key, setting.value)).collect()
    };
    let (before, now) = (values(before), values(now));
    let gone = before.keys().filter(|key| !now.contains_key(*key)).map(|key| (*key, None));
    let changed = now.iter().filter(|(key, value)| before.get(*key) != Some(value));
    gone.chain(changed.map(|(key, value)| (*key, Some(*value)))).collect()
}
