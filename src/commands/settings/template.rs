//! The config file template: every setting with its description and default, commented out.

use clap::Arg;
use textwrap::WordSplitter;

use super::options;
use crate::commands::args::DEFAULT_PRESET;
use crate::commands::args::help::{HelpEntry, with_unit};
use crate::config::{PRESETS, Preset, THEMES, toml_list, toml_string, toml_value};
use crate::sim::{Param, Params};
use crate::viewer::{Action, Keymap};

const LINE_WIDTH: usize = 100;

const HEAD: &str = "\
# Config file of flockscope. Its default place on Linux and macOS is
# ~/.config/flockscope/config.toml; --config and FLOCKSCOPE_CONFIG name another one.
#
# Precedence: command line, this file, preset. Ctrl-l or SIGUSR1 reloads the file in the viewer. A
# flag that is true here is overridden with =false, as in --clean=false.
#
# Every setting is commented out and shows its default, or an example if the default depends on
# something else.
";

const PARAMS: &str = "
# Parameters, with the values of the preset `murmuration`.
# They apply until another preset is chosen; --set overrides them. One that the model of the preset
# does not use has no effect.
[set]
";

const KEYS: &str = "
# Keys of the viewer. A row replaces all keys of an action and removes them from other actions;
# pause = [] unbinds it. base is the set of bindings to start from: default, arrows or vim.
[keys]
#base = \"default\"
";

const PRESET_PARAMS: &str = "
# Parameters for single presets, which apply whenever the preset is loaded. They win over [set], and
# --set overrides them. A row here is the preset and the parameter; the table [presets.herring]
# instead has the parameters of herring alone.
[presets]
#herring.cohesion.weight = 0.05
";

/// The template as TOML.
pub fn config_template() -> String {
    let params = default_preset().params;
    HEAD.to_owned()
        + &settings(option_entries())
        + PARAMS
        + &settings(param_entries(&params, |param| with_unit(param.range(), param)))
        + KEYS
        + &settings(key_entries())
        + PRESET_PARAMS
}

/// The options, with their default or an example.
pub(crate) fn option_entries() -> impl Iterator<Item = HelpEntry> {
    options().map(|(name, arg)| {
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
        HelpEntry::new(name, format!(" = {}", example(name, arg)), help.replace(" (repeatable)", " (a list)"))
    })
}

/// The parameters, with values and ranges.
pub(crate) fn param_entries(values: &Params, range: impl Fn(&Param) -> String) -> impl Iterator<Item = HelpEntry> {
    Param::table().iter().map(move |param| {
        let text = format!("{} Range: {}.", param.summary, range(param));
        HelpEntry::new(param.key, format!(" = {}", toml_value(param.get(values))), text)
    })
}

/// The actions, with their default keys.
pub(crate) fn key_entries() -> impl Iterator<Item = HelpEntry> {
    let keymap = Keymap::default();
    Action::ALL.iter().map(move |action| {
        HelpEntry::new(action.id(), format!(" = {}", toml_list(&keymap.written(*action))), action.summary())
    })
}

/// Settings, commented out.
fn settings(entries: impl Iterator<Item = HelpEntry>) -> String {
    let settings = entries.map(|entry| format!("\n{}#{}{}\n", comment(&entry.text), entry.term, entry.note));
    settings.collect::<Vec<String>>().concat()
}

fn default_preset() -> Preset {
    let file = PRESETS.iter().find(|file| file.name == DEFAULT_PRESET).expect("the default preset is built in");
    Preset::from_text(file.name, file.text).expect("built-in presets are valid")
}

/// The default of an option as TOML, or an example if it has no fixed default.
fn example(name: &str, arg: &Arg) -> String {
    if let [default] = arg.get_default_values() {
        return literal(&default.to_string_lossy());
    }
    let preset = default_preset();
    match name {
        "boids" => preset.boids.to_string(),
        "predators" => preset.predators.to_string(),
        "world" => toml_string(&preset.world.to_string()),
        "start" => toml_string(preset.start.name()),
        "rate" => preset.rate.to_string(),
        "theme" => toml_string(THEMES[0].name),
        "zone" => "[\"none\"]".to_owned(),
        "say" => toml_string("hello"),
        "clock" => "24".to_owned(),
        "marker" => toml_string("braille"),
        "follow" => toml_string("largest"),
        "bandwidth" => toml_string("64K"),
        "duration" => toml_string("10m"),
        "fps" => "60".to_owned(),
        "part" => toml_string("2/3"),
        "threads" => "4".to_owned(),
        _ => "7".to_owned(),
    }
}

/// A number or boolean as it is, any other text as a TOML string.
fn literal(text: &str) -> String {
    let is_bare = text.parse::<f64>().is_ok_and(f64::is_finite) || text.parse::<bool>().is_ok();
    if is_bare { text.to_owned() } else { toml_string(text) }
}

/// A text as comment lines.
fn comment(text: &str) -> String {
    let options = textwrap::Options::new(LINE_WIDTH).initial_indent("# ").subsequent_indent("# ");
    let text = text.replace("\n\n", ". ");
    textwrap::fill(&text, options.break_words(false).word_splitter(WordSplitter::NoHyphenation)) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::settings::validate;
    use crate::error::InputError;

    #[test]
    fn every_option_has_a_valid_example() {
        let text = config_template();
        let file = text.replace("\n#", "\n");
        for (name, _) in options() {
            let line = file.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))).expect(name);
            let word = line.trim_matches(['[', ']', '"']).to_owned();
            validate(name, &[word], |message| InputError::flag(line, message)).unwrap();
        }
        assert!(text.lines().all(|line| line.chars().count() <= LINE_WIDTH));
    }
}
