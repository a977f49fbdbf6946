//! Reads the rows of tables of text into observations.

use std::borrow::Cow;

use super::ReadOptions;
use super::column_names::ColumnPlace;
use super::dates::{Times, is_time_of_day};
use super::fields::{found, frame, is_missing, number, numbers_of, value_of};
use super::header::LIKELIHOOD;
use super::plan::Coordinates;
use super::table::{Table, frame_rate};
use super::text::{Lines, lossy};
use crate::error::{Error, Fault, Note, ReadOption};
use crate::read::observations::{Observation, Observations};
use crate::text::counted;
use crate::values::Missing;
use flockscope_sim::Kind;

/// Reads files of text into observations.
pub(super) struct TableReader<'a> {
    options: &'a ReadOptions,
    /// The lowest likelihood of a position.
    likelihood: f64,
    times: Times,
    /// The first and the last frame that have a time, with it.
    ends: Option<[(f64, f64); 2]>,
    /// Whether a later frame has an earlier time.
    has_falling_times: bool,
    /// The number of positions that each of [`ReadOptions::missing`] leaves out.
    missing: Vec<usize>,
    /// The body part of the first file.
    pub(super) body_part: Option<String>,
}

impl<'a> TableReader<'a> {
    pub(super) fn new(options: &'a ReadOptions) -> Self {
        Self {
            options,
            likelihood: options.likelihood.unwrap_or(LIKELIHOOD),
            times: Times::new(options.time_unit, options.dates),
            ends: None,
            has_falling_times: false,
            missing: vec![0; options.missing.len()],
            body_part: options.body_part.clone(),
        }
    }

    /// Adds the rows of a table; `animal` is the name of an animal without one.
    ///
    /// # Errors
    ///
    /// [`Error`] with the file and the line.
    pub(super) fn read(
        &mut self,
        lines: &mut Lines<'_>,
        mut table: Table,
        animal: &str,
        observations: &mut Observations,
    ) -> Result<(), Error> {
        self.begin(&table, observations).map_err(|message| lines.error(message))?;
        observations.frame_rate = frame_rate(&lines.comments).or(observations.frame_rate);
        let mut index = 0;
        while lines.next()? {
            table.fields.split(lines)?;
            table.check_count().map_err(|message| lines.error(message))?;
            let row = Row { table: &table, index, line: lines.number, animal };
            self.add(&row, observations).map_err(|message| lines.error(message))?;
            index += 1;
        }
        Ok(())
    }

    /// Applies the header, on which all files must agree.
    fn begin(&mut self, table: &Table, observations: &mut Observations) -> Result<(), Fault> {
        let Table { plan, names, .. } = table;
        let name = |place: Option<ColumnPlace>| place.map_or(String::new(), |place| names[place.index].text.clone());
        let has_times = plan.frame.is_none() && plan.time.is_some();
        if !observations.rows.is_empty() && observations.are_degrees != plan.are_degrees {
            return Err("degrees are in some files only; expected the same columns in all files".into());
        }
        observations.declare(
            has_times,
            plan.velocity.is_some(),
            2 + usize::from(plan.animals[0].position[2].is_some()),
        )?;
        observations.are_degrees = plan.are_degrees;
        // Numbers may have another unit in each file.
        self.times.factor = None;
        set_unit(observations, plan.unit.as_ref())?;
        let [x, y, _] = plan.animals[0].position;
        let is_box = plan.animals[0].size.is_some() || plan.animals[0].corner.is_some();
        observations.position_columns = (!is_box).then(|| [name(x), name(y)]);
        observations.unit_below = plan.layout.unit_below;
        observations.factors = plan.animals[0].position.map(|place| place.map_or(1.0, |place| place.factor));
        (observations.id_column, observations.time_column) = (name(plan.id), name(plan.time));
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
        let mut needed = [plan.id, plan.frame.or(plan.time)].into_iter().flatten();
        if plan.part.is_some_and(|part| row.field(part) != self.body_part.as_deref().unwrap_or_default().as_bytes()) {
            return Ok(());
        }
        if row.is_hidden() || skips && needed.any(|place| is_missing(row.field(place))) {
            observations.skipped += 1;
            return Ok(());
        }
        let epoch = self.times.epoch();
        let at = self.at(row)?;
        if let (None, Some(epoch)) = (epoch, self.times.epoch()) {
            // Numbers among dates are seconds since 1970.
            observations.rows.iter_mut().for_each(|row| row.at -= epoch);
        }
        for coordinates in &plan.animals {
            let counts = plan.id.is_some() || plan.animals.len() == 1;
            if let Some(code) = self.options.missing.iter().position(|missing| row.has(missing, coordinates)) {
                self.missing[code] += 1;
                continue;
            }
            if skips && coordinates.position.iter().flatten().any(|place| is_missing(row.field(*place))) {
                observations.skipped += usize::from(counts);
                continue;
            }
            if let Some(likelihood) =
                row.likelihood(coordinates).filter(|likelihood| skips && *likelihood < self.likelihood)
            {
                observations.skipped += usize::from(counts);
                let known = observations.likeliest.unwrap_or_default();
                observations.likeliest = Some(likelihood.max(known));
                continue;
            }
            let position = row.position(coordinates)?;
            let Some(animal) = observations.animals.number(&row.name(coordinates)?) else { continue };
            let mut observation = Observation::new(animal, at, position);
            if let Some([vx, vy, vz]) = plan.velocity {
                let velocity = [row.number("vx", vx)?, row.number("vy", vy)?, row.number("vz", vz)?];
                observation.velocity = velocity.map(|along| along as f32);
            }
            if let Some(kind) = plan.kind {
                // The kinds of other programs are species or sexes.
                observation.kind = Kind::from_name(&lossy(row.field(kind))).unwrap_or(Kind::Prey);
            }
            let values = [row.number("mood", plan.mood)? as f32, row.number("bank", plan.bank)? as f32];
            observations.add(observation, plan.mood.or(plan.bank).map(|_| values), row.line)?;
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
                    let seconds = self.times.scaled(seconds, names[time.index].unit.as_deref());
                    self.note_time(at, seconds);
                }
                Ok(at)
            }
            (None, Some(time), Some(date)) if is_time_of_day(row.field(time)) => {
                let both = [row.field(date), b" ", row.field(time)].concat();
                self.times.seconds(&both, None, *decimal_comma)
            }
            (None, Some(time), Some(date)) if number(row.field(time), *decimal_comma).is_some() => {
                self.times.seconds_of_day(row.field(date), row.field(time), names[time.index].unit.as_deref())
            }
            (None, Some(time), _) => {
                self.times.seconds(row.field(time), names[time.index].unit.as_deref(), *decimal_comma)
            }
            (None, None, _) => Ok(row.index as f64),
        }
    }

    fn note_time(&mut self, frame: f64, seconds: f64) {
        let now = (frame, seconds);
        let [first, last] = self.ends.get_or_insert([now; 2]);
        if frame < first.0 {
            *first = now;
        } else if frame > last.0 {
            self.has_falling_times |= seconds < last.1;
            *last = now;
        }
    }

    /// Applies what follows from all rows.
    ///
    /// # Errors
    ///
    /// If the order of days and months is not known.
    pub(super) fn finish(mut self, observations: &mut Observations, notes: &mut Vec<Note>) -> Result<(), Fault> {
        if observations.skipped > 0 {
            let [one, many] = ["row", "rows"].map(|rows| format!("{rows} without a valid id, time or position"));
            notes.push(format!("left out {}", counted(observations.skipped, &one, &many)).into());
        }
        for (missing, count) in self.options.missing.iter().zip(&self.missing) {
            let text = counted(count, "position is", "positions are");
            notes.push(format!("{text} left out as missing: {missing}").into());
        }
        self.times.set_order(observations)?;
        observations.start_date = self.times.start();
        observations.time_factor = self.times.factor;
        if self.has_falling_times {
            let column = &observations.time_column;
            notes.push(format!("the times in `{column}` fall, so the frames per second are not known").into());
        }
        let ends = self.ends.filter(|_| !self.has_falling_times);
        let frame_rate = ends.and_then(|[first, last]| {
            let rate = (last.0 - first.0) / (last.1 - first.1);
            // The time of our own files is a tick.
            (rate.is_finite() && rate > 0.0 && rate != 1.0).then_some(rate)
        });
        observations.frame_rate = frame_rate.or(observations.frame_rate);
        Ok(())
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
        let field = self.table.fields.get(place.index);
        place.key.map_or(field, |key| value_of(field, key))
    }

    /// The coordinates of an animal, which are those of the center of a box.
    fn position(&self, coordinates: &Coordinates) -> Result<[f64; 3], Fault> {
        let [x, y, z] = coordinates.position;
        let mut position = [self.number("x", x)?, self.number("y", y)?, self.number("z", z)?];
        if let Some([width, height]) = coordinates.size {
            position[0] += self.number("width", Some(width))? / 2.0;
            position[1] += self.number("height", Some(height))? / 2.0;
        }
        if let Some([x, y]) = coordinates.corner {
            position[0] = f64::midpoint(position[0], self.number("the opposite x", Some(x))?);
            position[1] = f64::midpoint(position[1], self.number("the opposite y", Some(y))?);
        }
        Ok(position)
    }

    /// Whether the position or the animal is a code for a missing one.
    fn has(&self, missing: &Missing, coordinates: &Coordinates) -> bool {
        let [x, y, z] = coordinates.position.map(|place| place.map_or(&[][..], |place| self.field(place)));
        let cells = [x, y, z];
        let count = if z.is_empty() { 2 } else { 3 };
        missing.is_at(&cells[..count], self.table.decimal_comma)
            || self.table.plan.id.is_some_and(|id| missing.is_animal(self.field(id)))
    }

    /// How certain a position is, if the program writes it; 0 if it has no number.
    fn likelihood(&self, coordinates: &Coordinates) -> Option<f64> {
        let field = self.table.fields.get(coordinates.likelihood?);
        Some(number(field, self.table.decimal_comma).unwrap_or_default())
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
        let number = match place.part {
            0 => number(field, self.table.decimal_comma),
            part => numbers_of(field).nth(part - 1),
        };
        number.map(|number| number * place.factor).ok_or_else(|| {
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
