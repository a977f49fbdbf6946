//! Reads the rows of tables of text into observations.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use super::ReadOptions;
use super::column_names::ColumnPlace;
use super::fields::{Times, found, frame, is_missing, is_time_of_day, number};
use super::header::{Coordinates, LIKELIHOOD, Plan};
use super::table::Table;
use super::text::{Lines, lossy};
use crate::error::{Error, Fault, Note, ReadOption};
use crate::read::observations::{Observation, Observations};
use crate::text::counted;
use flockscope_sim::Kind;

/// Reads files of text into observations.
pub(super) struct TableReader<'a> {
    options: &'a ReadOptions,
    times: Times,
    /// The first and the last frame that have a time, with it.
    ends: Option<[(f64, f64); 2]>,
    files: usize,
    /// The body part of the first file.
    body_part: Option<String>,
}

impl<'a> TableReader<'a> {
    pub(super) fn new(options: &'a ReadOptions) -> Self {
        Self { options, times: Times::default(), ends: None, files: 0, body_part: options.body_part.clone() }
    }

    /// Adds the rows in `input`; `file` is its name for errors, and `animal` that of an animal without a name.
    ///
    /// # Errors
    ///
    /// [`Error`] with the file and the line.
    pub(super) fn read(
        &mut self,
        input: impl Read,
        file: &Path,
        animal: &str,
        observations: &mut Observations,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        observations.begin(file);
        let mut lines = Lines::new(input, file)?;
        let mut table = Table::open(
            &mut lines,
            file,
            &self.options.columns,
            self.body_part.as_deref(),
            self.options.skips_missing,
        )?;
        self.begin(&table, observations, notes).map_err(|message| lines.error(message))?;
        let mut index = 0;
        while lines.next()? {
            table.fields.split(&mut lines)?;
            if index == 0 && table.is_label() {
                table.labels += 1;
                let unit = table.label_unit();
                set_unit(observations, unit.as_ref()).map_err(|message| lines.error(message))?;
                continue;
            }
            table.check_count().map_err(|message| lines.error(message))?;
            let row = Row { table: &table, index, line: lines.number, animal };
            self.add(&row, observations).map_err(|message| lines.error(message))?;
            index += 1;
        }
        Ok(())
    }

    /// Applies the header, on which all files must agree.
    fn begin(&mut self, table: &Table, observations: &mut Observations, notes: &mut Vec<Note>) -> Result<(), Fault> {
        let Table { plan, names, .. } = table;
        let name = |place: Option<ColumnPlace>| place.map_or(String::new(), |place| names[place.index].text.clone());
        let has_times = plan.frame.is_none() && plan.time.is_some();
        if !observations.rows.is_empty() && observations.are_degrees != plan.are_degrees {
            return Err("degrees are in some files only; expected the same columns in all files".into());
        }
        observations.declare(has_times, plan.velocity.is_some())?;
        observations.are_degrees = plan.are_degrees;
        self.times.begin_file();
        set_unit(observations, plan.unit.as_ref())?;
        observations.frame_rate = table.frame_rate.or(observations.frame_rate);
        (observations.id_column, observations.time_column) = (name(plan.id), name(plan.time));
        if self.files == 0 && (!plan.layout.program.is_empty() || !plan.notes.is_empty()) {
            let program = Some(&*plan.layout.program).filter(|program| !program.is_empty());
            let details: Vec<&str> = plan.notes.iter().map(|note| &*note.text).collect();
            let details = Some(details.join(", ")).filter(|details| !details.is_empty());
            let parts: Vec<&str> = program.into_iter().chain(details.as_deref()).collect();
            let help = plan.notes.iter().find_map(|note| note.help.clone());
            notes.push(Note { text: parts.join(": "), help });
        }
        self.files += 1;
        self.body_part = self.body_part.take().or(plan.body_part.clone());
        Ok(())
    }

    fn add(&mut self, row: &Row<'_>, observations: &mut Observations) -> Result<(), Fault> {
        let plan = &row.table.plan;
        let skips = self.options.skips_missing || plan.marks_missing();
        if plan.empty_id.is_some_and(|place| !is_missing(row.field(place))) {
            let message = "the row has an id, and the first rows have none";
            return Err(Fault::with_help(message, ReadOption::SkipMissing, "leaves them out"));
        }
        if row.is_hidden() || skips && row.lacks_id_or_frame() {
            observations.skipped += 1;
            return Ok(());
        }
        let at = self.at(row)?;
        for coordinates in &plan.animals {
            if skips && row.lacks_position(coordinates) {
                observations.skipped += usize::from(plan.id.is_some() || plan.animals.len() == 1);
                continue;
            }
            let [x, y, z] = coordinates.position;
            let mut position = [row.number("x", x)?, row.number("y", y)?, row.number("z", z)?];
            if let Some([width, height]) = coordinates.size {
                position[0] += row.number("width", Some(width))? / 2.0;
                position[1] += row.number("height", Some(height))? / 2.0;
            }
            let animal = observations.animals.number(&row.name(coordinates)?);
            let mut observation = Observation::new(animal, at, position);
            if let Some([vx, vy, vz]) = plan.velocity {
                let velocity = [row.number("vx", vx)?, row.number("vy", vy)?, row.number("vz", vz)?];
                observation.velocity = velocity.map(|along| along as f32);
            }
            if let Some(kind) = plan.kind {
                // The kinds of other programs are species or sexes.
                observation.kind = Kind::from_name(&lossy(row.field(kind))).unwrap_or(Kind::Prey);
            }
            if plan.mood.or(plan.bank).is_some() {
                let values = [row.number("mood", plan.mood)? as f32, row.number("bank", plan.bank)? as f32];
                observations.add_with(observation, values, row.line)?;
            } else {
                observations.add(observation, row.line)?;
            }
        }
        Ok(())
    }

    /// The frame or the time of a row.
    fn at(&mut self, row: &Row<'_>) -> Result<f64, String> {
        let Table { plan, names, decimal_comma, .. } = row.table;
        match (plan.frame, plan.time, plan.date) {
            (Some(column), time, _) => {
                let at = frame(row.field(column))?;
                let seconds = time.and_then(|time| Some((time, number(row.field(time), *decimal_comma)?)));
                if let Some((time, seconds)) = seconds {
                    let seconds = self.times.scaled(seconds, names[time.index].time_unit());
                    self.note_time(at, seconds);
                }
                Ok(at)
            }
            (None, Some(time), Some(date)) if is_time_of_day(row.field(time)) => {
                let both = [row.field(date), b" ", row.field(time)].concat();
                self.times.seconds(&both, None, *decimal_comma)
            }
            (None, Some(time), _) => self.times.seconds(row.field(time), names[time.index].time_unit(), *decimal_comma),
            (None, None, _) => Ok(row.index as f64),
        }
    }

    fn note_time(&mut self, frame: f64, seconds: f64) {
        let now = (frame, seconds);
        let [first, last] = self.ends.get_or_insert([now; 2]);
        if frame < first.0 {
            *first = now;
        } else if frame > last.0 {
            *last = now;
        }
    }

    /// Applies what follows from all rows.
    pub(super) fn finish(self, observations: &mut Observations, notes: &mut Vec<Note>) {
        if observations.skipped > 0 {
            let [one, many] = ["row", "rows"].map(|rows| format!("{rows} without a valid id, time or position"));
            notes.push(format!("left out {}", counted(observations.skipped, &one, &many)).into());
        }
        observations.start_date = self.times.start();
        let frame_rate = self.ends.and_then(|[first, last]| {
            let rate = (last.0 - first.0) / (last.1 - first.1);
            // The time of our own files is a tick.
            (rate.is_finite() && rate > 0.0 && rate != 1.0).then_some(rate)
        });
        observations.frame_rate = frame_rate.or(observations.frame_rate);
    }
}

/// Sets the unit of length, on which all files must agree.
fn set_unit(observations: &mut Observations, unit: Option<&String>) -> Result<(), String> {
    match (unit, &observations.unit) {
        (Some(unit), Some(known)) if unit != known && !observations.rows.is_empty() => {
            Err(format!("lengths are in {unit} after lengths in {known}; expected the same unit in all files"))
        }
        (Some(unit), _) => {
            observations.unit = Some(unit.clone());
            Ok(())
        }
        (None, _) => Ok(()),
    }
}

/// A row of a table.
struct Row<'a> {
    table: &'a Table,
    /// The number of rows before it.
    index: usize,
    line: u64,
    /// The name of an animal without one.
    animal: &'a str,
}

impl Row<'_> {
    fn field(&self, place: ColumnPlace) -> &[u8] {
        self.table.fields.get(place.index)
    }

    fn lacks_id_or_frame(&self) -> bool {
        let Plan { id, frame, time, .. } = self.table.plan;
        [id, frame.or(time)].into_iter().flatten().any(|place| is_missing(self.field(place)))
    }

    fn lacks_position(&self, coordinates: &Coordinates) -> bool {
        let is_unlikely = |index: usize| {
            number(self.table.fields.get(index), self.table.decimal_comma)
                .is_none_or(|likelihood| likelihood < LIKELIHOOD)
        };
        coordinates.position.iter().flatten().any(|place| is_missing(self.field(*place)))
            || coordinates.likelihood.is_some_and(is_unlikely)
    }

    fn name<'r>(&'r self, coordinates: &'r Coordinates) -> Result<Cow<'r, str>, Fault> {
        let Some(id) = self.table.plan.id else {
            return Ok(coordinates.animal.as_deref().unwrap_or(self.animal).into());
        };
        match self.field(id) {
            [] => Err(Fault::with_help("the id is empty", ReadOption::SkipMissing, "leaves out rows without one")),
            field => Ok(std::str::from_utf8(field).map_or_else(|_| lossy(field).into(), Cow::from)),
        }
    }

    /// Whether the program marks the row as one that does not count.
    fn is_hidden(&self) -> bool {
        let mut marks = self.table.plan.hidden.iter();
        marks.any(|(place, value)| self.field(*place).eq_ignore_ascii_case(value.as_bytes()))
    }

    /// The number in a column; 0 without one.
    fn number(&self, name: &str, place: Option<ColumnPlace>) -> Result<f64, Fault> {
        let Some(place) = place else { return Ok(0.0) };
        let field = self.field(place);
        number(field, self.table.decimal_comma).map(|number| number * place.sign).ok_or_else(|| {
            let message = format!("{}; expected a finite number", found(name, field));
            if is_missing(field) {
                return Fault::with_help(message, ReadOption::SkipMissing, "leaves out rows without a position");
            }
            let hint = if field.contains(&b',') && self.table.decimal_comma {
                " without a separator of thousands"
            } else if field.contains(&b',') {
                "; write decimals with a point"
            } else {
                ""
            };
            (message + hint).into()
        })
    }
}
