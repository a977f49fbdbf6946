//! What there is: presets, themes, tunables and keys, as lists and one by one.

use std::fmt::Write;
use std::io::{self, IsTerminal};

use crate::config::{Error, NamedFile, Preset, Theme, did_you_mean_or, escape_control, toml_string, toml_value};
use crate::sim::{Param, Params};
use crate::viewer::{Action, Keymap};

/// The presets, a line each; or the file of one.
///
/// # Errors
///
/// As [`Preset::load`] has them.
pub fn presets(show: Option<&str>) -> Result<String, Error> {
    let Some(name) = show else {
        let presets = Preset::all();
        let lines = presets.all.iter().map(|preset| {
            let predators = preset.predators;
            [
                preset.name.clone(),
                format!("{} + {predators}", preset.boids),
                preset.world.to_string(),
                whose(preset.from_user, preset.shadows_builtin()).to_owned() + &preset.summary,
            ]
        });
        return Ok(columns(lines) + &complaints(&presets.broken));
    };
    Preset::load_with_text(name).map(|(_, text)| shown(&text, io::stdout().is_terminal()))
}

/// A word before the summary of one's own.
fn whose(own: bool, shadow: bool) -> &'static str {
    match (own, shadow) {
        (true, true) => "(yours, instead of the built-in one) ",
        (true, false) => "(yours) ",
        (false, _) => "",
    }
}

/// What cannot be listed is not passed over in silence.
fn complaints(broken: &[Error]) -> String {
    let lines: Vec<String> = broken.iter().map(|error| format!("# {}\n", escape_control(&error.to_string()))).collect();
    lines.concat()
}

/// The themes, a line each; or the file of one.
///
/// # Errors
///
/// As [`Theme::load`] has them.
pub fn themes(show: Option<&str>) -> Result<String, Error> {
    let Some(name) = show else {
        let themes = Theme::all();
        let lines = themes.all.iter().map(|theme| {
            [theme.name.clone(), whose(theme.from_user, theme.shadows_builtin()).to_owned() + &theme.colors.summary]
        });
        return Ok(columns(lines) + &complaints(&themes.broken));
    };
    Theme::load_with_text(name).map(|(_, text)| shown(&text, io::stdout().is_terminal()))
}

/// The tunables, a line each; or the lines of a file for one.
///
/// # Errors
///
/// [`Error::Unknown`] with the nearest key.
pub fn params(show: Option<&str>) -> Result<String, Error> {
    let Some(key) = show else {
        return Ok(columns(Param::table().iter().map(|row| {
            [row.key.to_owned(), row.default().to_string(), row.unit().to_owned(), row.range(), row.summary.to_owned()]
        })));
    };
    let row = Param::find(key)
        .ok_or_else(|| unknown("parameter", "params", key, Param::table().iter().map(|row| row.key)))?;
    let value = toml_value(row.get(&Params::default()));
    Ok(format!("# {}\n# {}\n{} = {value}\n", row.summary, row.range(), row.key))
}

/// The actions and their keys, a line each; or the row of a file for one.
///
/// # Errors
///
/// [`Error::Unknown`] with the nearest name.
pub fn keys(keymap: &Keymap, show: Option<&str>) -> Result<String, Error> {
    let Some(id) = show else {
        return Ok(columns(
            Action::ALL
                .iter()
                .map(|action| [action.id().to_owned(), keymap.keys(*action).join(" "), action.sentence().to_owned()]),
        ));
    };
    let action =
        Action::named(id).ok_or_else(|| unknown("action", "keys", id, Action::ALL.iter().map(|action| action.id())))?;
    let keys: Vec<String> = keymap.written(action).iter().map(|key| toml_string(key)).collect();
    Ok(format!("# {}\n{id} = [{}]\n", action.sentence(), keys.join(", ")))
}

/// An error about a name that is none; the command that lists what there is helps where no word is like it.
fn unknown<'a>(what: &'static str, list: &str, name: &str, words: impl IntoIterator<Item = &'a str>) -> Error {
    let hint = did_you_mean_or(name, words, &format!("; `flockscope {list}` lists them"));
    Error::Unknown { what, name: name.to_owned(), hint }
}

/// A file's text, as it is for a file or a pipe; on a terminal without what turns the text around it or is not seen.
fn shown(text: &str, on_terminal: bool) -> String {
    if !on_terminal {
        return text.to_owned();
    }
    let plain = |line: &str| line.split('\t').map(escape_control).collect::<Vec<_>>().join("\t");
    text.lines().map(|line| plain(line) + "\n").collect()
}

/// Lines whose columns stand below each other.
fn columns<const N: usize>(lines: impl Iterator<Item = [String; N]>) -> String {
    let lines: Vec<[String; N]> = lines.map(|line| line.map(|cell| escape_control(&cell).into_owned())).collect();
    let mut widths = [0; N];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in &lines {
        let mut padded = String::new();
        for (cell, width) in line.iter().zip(widths) {
            // Writing to a string cannot fail.
            let _ = write!(padded, "{cell:width$}  ");
        }
        text.push_str(padded.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_shown_as_it_is_but_for_what_a_terminal_would_hide() {
        let text = "# \u{202e}left\r\nkey = 1\t# ü";
        assert_eq!(shown(text, false), text);
        assert_eq!(shown(text, true), "# \\u{202e}left\nkey = 1\t# ü\n");
    }
}
