//! Notes on numbers that contradict a recording of animals.

use super::clock::FrameClock;
use crate::error::{Note, ReadOption};
use crate::read::observations::{Observations, quantile};
use crate::text::counted;

/// How many times as long as the median a step is that no animal makes.
const OUTLIER: f64 = 100.0;
/// The most steps that are looked at for their median.
const SAMPLE: usize = 1_000_000;
/// How many times more frames than rows a recording may have.
const SPARSE: f64 = 1000.0;

/// Looks for numbers that contradict a recording of animals. Returns the rows that lie far from the ones before and after.
pub(super) fn doubts(observations: &Observations, clock: &FrameClock, unit: &str, notes: &mut Vec<Note>) -> Vec<usize> {
    let rows = &observations.rows;
    if rows[0].at < rows[rows.len() - 1].at && observations.animals.count() >= rows.len() {
        let is = match &*observations.id_column {
            "" => "the animals have other ids".to_owned(),
            column => format!("`{column}` is not the animal"),
        };
        let option = ReadOption::Columns("id=NAME".to_owned());
        notes.push(Note::with_help(format!("each animal has one row only, so {is}"), option, "names its column"));
    }
    let mut names = observations.animals.names().filter(|name| name.contains(char::is_control));
    if let Some(first) = names.next() {
        let count = counted(1 + names.count(), "name has", "names have");
        notes.push(format!("{count} control characters, such as {}", first.escape_debug()).into());
    }
    let frames = clock.index(&rows[rows.len() - 1]) + 1;
    if frames as f64 > SPARSE * rows.len() as f64 {
        let rows = rows.len();
        let text =
            format!("{frames} frames have {rows} rows; a lower frame rate or other frame numbers make them denser");
        notes.push(text.into());
    }
    if observations.cell.is_some() { Vec::new() } else { outliers(observations, clock, unit, notes) }
}

fn outliers(observations: &Observations, clock: &FrameClock, unit: &str, notes: &mut Vec<Note>) -> Vec<usize> {
    let rows = &observations.rows;
    let distance = |[before, index]: [usize; 2]| {
        let [from, to] = [&rows[before], &rows[index]];
        let squares = [0, 1, 2].map(|axis| (to.position[axis] - from.position[axis]).powi(2));
        (squares[0] + squares[1] + squares[2]).sqrt() / clock.numbers_between(from, to)
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
        let (name, from, to) = (observations.animals.name(rows[index].animal), rows[before].at, rows[index].at);
        let at = if observations.has_times { "time" } else { "frame" };
        let more = if count > 1 { format!(" ({count} such steps)") } else { String::new() };
        let text = format!(
            "animal {} moves {distance:.1} {unit} per frame from {at} {from} to {to}, over {OUTLIER} times the median{more}: \
             swapped identities or an outlier",
            name.escape_debug()
        );
        notes.push(text.into());
    }
    outliers.sort_unstable();
    outliers
}
