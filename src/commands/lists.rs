//! `flockscope presets`, `themes`, `params` and `keys`: lists, and single entries as they appear in a file; what `--measure` chooses,
//! and the table of `--summary`.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::config::{NamedFile, Preset, Theme, toml_list, toml_value};
use crate::error::{InputError, escape_control};
use crate::export::counted;
use crate::sim::{Measure, Param, Params, Summary};
use crate::tracks::Recording;
use crate::viewer::{Action, Keymap};

/// The presets, one per line below their headings; or the file of one.
///
/// # Errors
///
/// As [`Preset::load`].
pub fn presets(name: Option<&str>) -> Result<String, InputError> {
    named_files(name, |preset: &Preset| {
        let counts = format!("{} + {}", preset.boids, preset.predators);
        let summary = origin(preset.from_user, preset.shadows_builtin()).to_owned() + &preset.summary;
        [preset.name.clone(), counts, preset.world.to_string(), summary]
    })
}

/// The themes, one per line; or the file of one.
///
/// # Errors
///
/// As [`Theme::load`].
pub fn themes(name: Option<&str>) -> Result<String, InputError> {
    named_files(name, |theme: &Theme| {
        [theme.name.clone(), origin(theme.from_user, theme.shadows_builtin()).to_owned() + &theme.colors.summary]
    })
}

/// Built-in files and the user's, one per line, with headings and errors of the user's as comments; or the file of one.
fn named_files<T: NamedFile, const N: usize>(
    name: Option<&str>,
    row: fn(&T) -> [String; N],
) -> Result<String, InputError> {
    if let Some(name) = name {
        return T::load_with_text(name).map(|(_, text)| text);
    }
    let files = T::all();
    let errors = files.broken.iter().map(|error| format!("# {}\n", escape_control(&error.to_string())));
    let rows = columns(files.all.iter().map(row));
    let (mut text, mut last) = (String::new(), "");
    for (file, row) in files.all.iter().zip(rows.lines()) {
        if std::mem::replace(&mut last, file.heading()) != file.heading() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}# {last}");
        }
        let _ = writeln!(text, "{row}");
    }
    text.extend(errors);
    Ok(text)
}

/// Marks the user's own presets and themes.
fn origin(is_own: bool, shadows_builtin: bool) -> &'static str {
    match (is_own, shadows_builtin) {
        (true, true) => "(yours, replaces the built-in one) ",
        (true, false) => "(yours) ",
        (false, _) => "",
    }
}

/// The parameters, one per line; or the line of a file for one.
///
/// # Errors
///
/// [`InputError::Unknown`] with the nearest key.
pub fn params(key: Option<&str>) -> Result<String, InputError> {
    let table = Param::table();
    let Some(key) = key else {
        return Ok(columns(table.iter().map(|param| {
            let (default, unit) = (param.default().to_string(), param.unit().to_owned());
            [param.key.to_owned(), default, unit, param.range(), param.summary.to_owned()]
        })));
    };
    let param = Param::find(key).ok_or_else(|| {
        let keys = table.iter().map(|param| param.key);
        InputError::unknown("parameter", key, keys, "; `flockscope params` lists them")
    })?;
    let value = toml_value(param.get(&Params::default()));
    Ok(format!("# {}\n# {}\n{} = {value}\n", param.summary, param.range(), param.key))
}

/// The actions and their keys, one per line; or the line of a file for one.
///
/// # Errors
///
/// [`InputError::Unknown`] with the nearest name.
pub fn keys(keymap: &Keymap, id: Option<&str>) -> Result<String, InputError> {
    let Some(id) = id else {
        return Ok(columns(
            Action::ALL
                .iter()
                .map(|action| [action.id().to_owned(), keymap.keys(*action).join(" "), action.summary().to_owned()]),
        ));
    };
    let action = Action::named(id).ok_or_else(|| {
        let names = Action::ALL.iter().map(|action| action.id());
        InputError::unknown("action", id, names, "; `flockscope keys` lists them")
    })?;
    Ok(format!("# {}\n{id} = {}\n", action.summary(), toml_list(&keymap.written(action))))
}

/// Rows with aligned columns.
pub(super) fn columns<const N: usize>(rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.map(|row| row.map(|cell| escape_control(&cell).into_owned())).collect();
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The word that chooses every measure.
pub(super) const ALL_MEASURES: &str = "all";
/// Significant digits of values, and of standard errors and autocorrelation times.
const DIGITS: (usize, usize) = (6, 3);

/// The measures with these names, without duplicates; the default ones without names.
pub(super) fn choose_measures(names: &[String]) -> Result<Vec<&'static Measure>, InputError> {
    if names.is_empty() {
        return Ok(Measure::defaults());
    }
    let mut chosen: Vec<&Measure> = Vec::new();
    for name in names {
        let added = if name == ALL_MEASURES { Measure::table() } else { std::slice::from_ref(find_measure(name)?) };
        let new: Vec<_> = added.iter().filter(|measure| !chosen.contains(measure)).collect();
        chosen.extend(new);
    }
    Ok(chosen)
}

fn find_measure(name: &str) -> Result<&'static Measure, InputError> {
    Measure::find(name.trim()).ok_or_else(|| {
        let names = Measure::table().iter().map(|measure| measure.name);
        let otherwise = "; `flockscope run --help` and `flockscope sweep --help` list them";
        InputError::unknown("measure", name, names.chain([ALL_MEASURES]), otherwise)
    })
}

/// Removes the measures of the hunt if there were no predators.
pub(super) fn leave_out_hunt_without_predators(summaries: &mut Vec<Summary>) {
    let has_hunt = summaries.iter().any(|row| row.measure.needs_predators() && row.max > 0.0);
    summaries.retain(|row| has_hunt || !row.measure.needs_predators());
}

/// Writes a table of statistics, one row per measure, with `-` for undefined values, in the units of recorded trajectories.
pub(super) fn write_summaries(
    summaries: &[Summary],
    recorded: Option<&Recording>,
    out: &mut impl Write,
) -> io::Result<()> {
    let header = ["measure", "mean", "standard_error", "variance", "tau", "min", "max", "unit"].map(str::to_owned);
    let rows = summaries.iter().map(|summary| {
        let values = [summary.mean, summary.variance, summary.min, summary.max];
        let [mean, variance, min, max] = values.map(|value| significant(value, DIGITS.0));
        let estimates = [summary.standard_error, summary.autocorrelation_time];
        let [error, time] = estimates.map(|value| significant(value, DIGITS.1));
        let Measure { name, unit, .. } = summary.measure;
        let (name, unit) = ((*name).to_owned(), recorded.map_or((*unit).to_owned(), |recorded| recorded.unit_of(unit)));
        [name, mean, error, variance, time, min, max, unit]
    });
    out.write_all(columns([header].into_iter().chain(rows)).as_bytes())
}

/// How many animals and frames a recording has, its frame rate and its unit.
pub(super) fn contents(recording: &Recording) -> String {
    let rate = recording.frame_rate.map(|rate| format!("{} frames/s", significant(rate, DIGITS.1)));
    let (animals, frames) =
        (counted(recording.animals(), "animal", "animals"), counted(recording.frames(), "frame", "frames"));
    format!("{animals}, {frames}, {}, {}", rate.as_deref().unwrap_or("no frame rate"), recording.unit)
}

/// A sentence if the run is too short for some standard errors.
pub(super) fn too_short_warning(summaries: &[Summary], of_time: &str) -> Option<String> {
    let short: Vec<&str> = summaries.iter().filter(|row| row.is_too_short).map(|row| row.measure.name).collect();
    let names = short.join(", ");
    (!short.is_empty()).then(|| format!("too few {of_time}: the standard error is only a lower bound for {names}"))
}

/// A number with this many significant digits, without trailing zeros.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let rounded: f64 = scientific.parse().unwrap_or(value);
    if rounded == 0.0 || (1e-5..1e16).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (300.0, "300"),
            (0.123_456_78, "0.123457"),
            (-1234.5678, "-1234.57"),
            (1e-9, "1e-9"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(significant(value, 6), text);
        }
    }

    #[test]
    fn names_choose_measures_in_their_order() {
        let chosen = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            choose_measures(&names).unwrap().into_iter().map(|measure| measure.name).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&["rotation", "polarization", "rotation"]), ["rotation", "polarization"]);
        assert_eq!(chosen(&["flocks", "all"]).len(), Measure::table().len());
        assert!(chosen(&[]).iter().all(|name| !Measure::find(name).unwrap().is_expensive()));
    }
}
