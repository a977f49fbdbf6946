//! The config file that changes nothing: all that can stand in it, with what it is, made from the very
//! definitions that it is read by.

use std::fmt::Write;

use clap::{Arg, CommandFactory};

use super::options;
use crate::commands::args::Cli;
use crate::config::{PRESETS, Preset, THEMES, toml_string, toml_value};
use crate::sim::Param;
use crate::viewer::{Action, Keymap};

/// How wide its lines are.
const WIDTH: usize = 100;

const HEAD: &str = "\
# The config file of flockscope. It lies in the folder of your settings (on Linux and macOS
# ~/.config/flockscope/config.toml), or where --config or FLOCKSCOPE_CONFIG says.
#
# A flag goes over the environment (FLOCKSCOPE_FPS=30), that over this file, and this file over the
# preset. Ctrl-l or SIGUSR1 reads it again while the flock flies. What is set to true here is false
# again with =false, as in --clean=false.
#
# Everything is commented out: take the # before a name away to let a line in. Each shows its
# default; where the sentence above names a default of another kind, what could stand there.
";

const RULES: &str = "
# All that can be tuned, with the values of the preset `starlings`. What is set here holds until
# another preset is chosen; --set goes over it.
[set]
";

const KEYS: &str = "
# The keys of the viewer. A row gives an action all of its keys, and takes them from whom they were;
# without keys, as in pause = [], nothing does it. The base is the table to begin with: default,
# arrows or vim.
[keys]
#base = \"default\"
";

/// What the command line says of an option that may stand there several times, and what is true here.
pub(crate) const REPEATED: &str = "may be repeated";
pub(crate) const LISTED: &str = "a list has several";

/// The file's text.
#[must_use]
pub fn sample() -> String {
    let mut text = HEAD.to_owned();
    let viewer = Cli::command();
    for (name, arg) in options(&viewer) {
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
        // The first line of a help has no stop.
        let help = help.replace("\n\n", ". ").replace(REPEATED, LISTED);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}#{name} = {}\n", comment(&help), example(name, arg));
    }
    text.push_str(RULES);
    let rules = first_preset().params;
    for row in Param::table() {
        let value = toml_value(row.get(&rules));
        let unit = if row.unit().is_empty() { String::new() } else { format!(" {}", row.unit()) };
        let about = format!("{} Takes {}{unit}.", row.summary, row.range());
        let _ = write!(text, "\n{}#{} = {value}\n", comment(&about), row.key);
    }
    text.push_str(KEYS);
    let keymap = Keymap::default();
    for action in Action::ALL {
        let keys: Vec<String> = keymap.written(*action).iter().map(|key| format!("{key:?}")).collect();
        let _ = write!(text, "\n{}#{} = [{}]\n", comment(action.sentence()), action.id(), keys.join(", "));
    }
    text
}

/// The preset that flies where none is named.
fn first_preset() -> Preset {
    let (name, text) = PRESETS[0];
    Preset::from_text(name, text).expect("built-in presets are right")
}

/// An option's default; where it has none of its own, what it comes to, or one that could be.
pub(crate) fn example(name: &str, arg: &Arg) -> String {
    if let [default] = arg.get_default_values() {
        return literal(&default.to_string_lossy());
    }
    let preset = first_preset();
    match name {
        "boids" => preset.boids.to_string(),
        "predators" => preset.predators.to_string(),
        "world" => toml_string(&preset.world.to_string()),
        "rate" => preset.rate.to_string(),
        "theme" => toml_string(THEMES[0].0),
        "zone" => "[\"none\"]".to_owned(),
        "marker" => toml_string("braille"),
        "follow" => toml_string("largest"),
        "bandwidth" => toml_string("64K"),
        "duration" => toml_string("10m"),
        "fps" => "60".to_owned(),
        "threads" => "4".to_owned(),
        _ => "7".to_owned(),
    }
}

/// A text as TOML has it: a number or a switch as it is.
fn literal(text: &str) -> String {
    let is_plain = text.parse::<f64>().is_ok_and(f64::is_finite) || text.parse::<bool>().is_ok();
    if is_plain { text.to_owned() } else { toml_string(text) }
}

/// A sentence as lines of comment.
fn comment(sentence: &str) -> String {
    let mut lines = String::new();
    let mut line = String::from("#");
    for word in sentence.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            lines.push_str(&line);
            lines.push('\n');
            "#".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(word);
    }
    lines + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::settings::check;

    #[test]
    fn every_option_stands_there_with_a_value_that_it_takes() {
        let (viewer, text) = (Cli::command(), sample());
        let file = text.replace("\n#", "\n");
        for (name, _) in options(&viewer) {
            let line = file.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))).expect(name);
            let word = line.trim_matches(['[', ']', '"']).to_owned();
            assert!(check(&viewer, name, &[word]).is_ok(), "{name} = {line}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
    }
}
