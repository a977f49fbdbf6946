//! What `--measure` chooses, and the table of `--summary`.

use std::io::{self, Write};

use super::lists::columns;
use crate::config::ConfigError;
use crate::sim::{Measure, Summary, Trajectories};

/// The word that chooses every measure.
pub(super) const ALL: &str = "all";
/// Significant digits of values, and of standard errors and autocorrelation times.
const DIGITS: (usize, usize) = (6, 3);

/// The measures with these names, without duplicates; the default ones without names.
pub(super) fn choose(names: &[String]) -> Result<Vec<&'static Measure>, ConfigError> {
    if names.is_empty() {
        return Ok(Measure::defaults());
    }
    let mut chosen: Vec<&Measure> = Vec::new();
    for name in names {
        let added = if name == ALL { Measure::table() } else { std::slice::from_ref(find(name)?) };
        let new: Vec<_> = added.iter().filter(|measure| !chosen.contains(measure)).collect();
        chosen.extend(new);
    }
    Ok(chosen)
}

fn find(name: &str) -> Result<&'static Measure, ConfigError> {
    Measure::find(name.trim()).ok_or_else(|| {
        let names = Measure::table().iter().map(|measure| measure.name);
        let otherwise = "; `flockscope run --help` and `flockscope sweep --help` list them";
        ConfigError::unknown("measure", name, names.chain([ALL]), otherwise)
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
    recorded: Option<&Trajectories>,
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

/// A sentence if the run is too short for some standard errors.
pub(super) fn warning(summaries: &[Summary]) -> Option<String> {
    let short: Vec<&str> = summaries.iter().filter(|row| row.is_too_short).map(|row| row.measure.name).collect();
    let names = short.join(", ");
    (!short.is_empty()).then(|| format!("too few ticks: the standard error is only a lower bound for {names}"))
}

/// A number with this many significant digits, without trailing zeros.
fn significant(value: f64, digits: usize) -> String {
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
            choose(&names).unwrap().into_iter().map(|measure| measure.name).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&["rotation", "polarization", "rotation"]), ["rotation", "polarization"]);
        assert_eq!(chosen(&["flocks", "all"]).len(), Measure::table().len());
        assert!(chosen(&[]).iter().all(|name| !Measure::find(name).unwrap().is_expensive()));
    }
}
