//! Notes on numbers that contradict a recording of animals.

use std::path::Path;

use super::ReadOptions;
use super::clock::{FrameClock, time_steps};
use crate::error::{Help, Note, ReadOption};
use crate::read::observations::Observations;
use crate::recording::quantile;
use crate::values::Interval;

/// How many times as long as the median a step is that no animal makes.
const OUTLIER: f64 = 100.0;
/// The most steps that are looked at for their median.
const SAMPLE: usize = 1_000_000;
/// How many times more frames than rows a recording may have.
const SPARSE: f64 = 1000.0;

/// Looks for numbers that contradict a recording of animals. Returns the rows that lie far from the ones before and after.
pub(super) fn doubts(
    observations: &Observations,
    clock: &FrameClock,
    unit: &str,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Vec<usize> {
    let rows = &observations.rows;
    if rows[0].at < rows[rows.len() - 1].at && observations.animals.count() >= rows.len() {
        let is = match &*observations.id_column {
            "" => "the animals have other ids".to_owned(),
            column => format!("`{column}` is not the animal"),
        };
        let option = ReadOption::Columns("id=NAME".to_owned());
        notes.push(Note::with_help(format!("each animal has one row only, so {is}"), option, "names its column"));
    }
    let mut names = observations.animals.names();
    let odd = names.find(|name| name.eq_ignore_ascii_case("ball") || name.parse().is_ok_and(|id: f64| id < 0.0));
    if let Some(name) = odd {
        notes.push(format!("`{name}` is counted as an animal").into());
    }
    let frames = clock.index(&rows[rows.len() - 1]) + 1;
    let suggested =
        (!clock.is_regular() && options.interval.is_none()).then(|| median_interval(observations)).flatten();
    let help =
        suggested.map(|interval| Help { option: ReadOption::Interval(interval), effect: "takes the nearest rows" });
    if frames as f64 > SPARSE * rows.len() as f64 {
        let rows = rows.len();
        let text =
            format!("{frames} frames have {rows} rows; a lower frame rate or other frame numbers make them denser");
        notes.push(Note { help, ..text.into() });
    } else if let Some(help) = help.filter(|_| is_sparse(observations, clock, frames)) {
        let text = "more than half of the frames have less than half of the animals".to_owned();
        notes.push(Note { help: Some(help), ..text.into() });
    }
    if observations.cell.is_some() { Vec::new() } else { outliers(observations, clock, unit, notes) }
}

/// The median time between the rows of an animal.
fn median_interval(observations: &Observations) -> Option<Interval> {
    let every = observations.rows.len().div_ceil(SAMPLE);
    let median = quantile(time_steps(observations).step_by(every).collect(), 0.5).filter(|median| *median > 0.0)?;
    Some(Interval::about(median))
}

/// Whether more than half of the frames have less than half of the animals that come before or in them and in them or after.
fn is_sparse(observations: &Observations, clock: &FrameClock, frames: usize) -> bool {
    let mut counts = vec![0_u32; frames];
    let mut spans = vec![None; observations.animals.count()];
    for row in &observations.rows {
        let frame = clock.index(row);
        counts[frame] += 1;
        let (first, _) = *spans[row.animal as usize].get_or_insert((frame, frame));
        spans[row.animal as usize] = Some((first, frame));
    }
    let mut changes = vec![0_i32; frames + 1];
    for (first, last) in spans.into_iter().flatten() {
        changes[first] += 1;
        changes[last + 1] -= 1;
    }
    let mut present = 0;
    let poor = counts.iter().zip(&changes).filter(|(count, change)| {
        present += **change;
        i64::from(2 * **count) < i64::from(present)
    });
    2 * poor.count() > frames
}

fn outliers(observations: &Observations, clock: &FrameClock, unit: &str, notes: &mut Vec<Note>) -> Vec<usize> {
    let rows = &observations.rows;
    let distance = |[before, index]: [usize; 2]| {
        let [from, to] = [&rows[before], &rows[index]];
        from.distance(to) / clock.numbers_between(from, to)
    };
    let sample = observations.steps().step_by(rows.len().div_ceil(SAMPLE)).map(distance).collect();
    let limit = OUTLIER * quantile(sample, 0.5).unwrap_or_default();
    let (mut longest, mut count) = ((0.0, [0; 2]), 0);
    // Of each animal: whether the step to its last row was as long.
    let mut was_long = vec![None; observations.animals.count()];
    let mut outliers = Vec::new();
    for step @ [before, index] in observations.steps().filter(|_| limit > 0.0) {
        let distance = distance(step);
        let (is_long, animal) = (distance > limit, rows[index].animal as usize);
        if is_long {
            count += 1;
            longest = if distance > longest.0 { (distance, step) } else { longest };
            // The first row of an animal has no step to it.
            if was_long[animal] == Some(true) {
                outliers.push(before);
            }
        }
        was_long[animal] = Some(is_long);
    }
    if count > 0 {
        let (distance, [before, index]) = longest;
        let name = observations.animals.name(rows[index].animal);
        let [from, to] = [before, index].map(|index| observations.time_of(rows[index].at));
        let at = if observations.has_times { "time" } else { "frame" };
        let more = if count > 1 { format!(" ({count} such steps)") } else { String::new() };
        let text = format!(
            "animal {} moves {distance:.1} {unit} per frame from {at} {from} to {to}, over {OUTLIER} times the median{more}: \
             swapped identities or an outlier",
            name.escape_debug()
        );
        let file = observations.file_of(&rows[index]).map(Path::to_owned);
        notes.push(Note { file, ..text.into() });
    }
    outliers.sort_unstable();
    outliers
}
