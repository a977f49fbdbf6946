//! Notes on a recording: its layout, the rows that were left out, and numbers that contradict a recording of animals.

use super::LengthUnit;
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

/// Notes on a recording, one of each kind.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    pub(super) fn add(&mut self, note: impl Into<Note>) {
        self.0.push(note.into());
    }

    pub(super) fn into_vec(self) -> Vec<Note> {
        self.0
    }

    pub(super) fn duplicate_rows(&mut self, count: usize) {
        if count > 0 {
            self.add(format!("left out {}", counted(count, "row that occurs twice", "rows that occur twice")));
        }
    }

    pub(super) fn rows_without_values(&mut self, count: usize) {
        if count > 0 {
            self.add(format!(
                "left out {}",
                counted(count, "row without a valid id, time or position", "rows without a valid id, time or position")
            ));
        }
    }

    pub(super) fn renamed_unit(&mut self, unit: &LengthUnit, known: &str) {
        let option = ReadOption::Unit(unit.to_string());
        let effect = "renames them; a number before the unit converts, as in 10mm";
        self.add(Note::with_help(format!("lengths are in {known}"), option, effect));
    }

    pub(super) fn degrees_as_lengths(&mut self, unit: &LengthUnit) {
        let text = format!("x and y are degrees, and are taken as lengths in {unit}");
        self.add(Note::with_help(text, ReadOption::Unit("deg".to_owned()), "projects them to meters"));
    }

    /// Looks for numbers that contradict a recording of animals. Returns the rows that lie far from the ones before and after.
    pub(super) fn check(&mut self, observations: &Observations, clock: &FrameClock, unit: &str) -> Vec<usize> {
        self.single_rows(observations);
        self.control_characters(observations);
        let rows = &observations.rows;
        let frames = clock.index(&rows[rows.len() - 1]) + 1;
        if frames as f64 > SPARSE * rows.len() as f64 {
            let (frames, rows) = (frames, rows.len());
            self.add(format!(
                "{frames} frames have {rows} rows; a lower frame rate or other frame numbers make them denser"
            ));
        }
        if observations.cell.is_some() { Vec::new() } else { self.outliers(observations, clock, unit) }
    }

    fn single_rows(&mut self, observations: &Observations) {
        let rows = &observations.rows;
        let have_frames = rows[0].at < rows[rows.len() - 1].at;
        if !have_frames || observations.animals.count() < rows.len() {
            return;
        }
        let is = if observations.id_column.is_empty() {
            "the animals have other ids".to_owned()
        } else {
            format!("`{}` is not the animal", observations.id_column)
        };
        let option = ReadOption::Columns("id=NAME".to_owned());
        self.add(Note::with_help(format!("each animal has one row only, so {is}"), option, "names its column"));
    }

    fn control_characters(&mut self, observations: &Observations) {
        let has_control = |name: &&str| name.contains(char::is_control);
        let mut names = observations.animals.names().filter(has_control);
        let Some(first) = names.next() else { return };
        let count = counted(1 + names.count(), "name has", "names have");
        self.add(format!("{count} control characters, such as {}", first.escape_debug()));
    }

    fn outliers(&mut self, observations: &Observations, clock: &FrameClock, unit: &str) -> Vec<usize> {
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
            self.add(format!(
                "animal {} moves {distance:.1} {unit} per frame from {at} {from} to {to}, over {OUTLIER} times the median{more}: \
                 swapped identities or an outlier",
                name.escape_debug()
            ));
        }
        outliers.sort_unstable();
        outliers
    }
}
