//! Reads trajectories from tables of text: rows of animals in columns, in the layouts of many programs.

use std::io::Read;
use std::path::Path;

use super::TrajectoryOptions;
use super::column_names::ColumnPlace;
use super::fields::{Times, found, frame, is_missing, number, text};
use super::header::{Coordinates, Header, LIKELIHOOD, Name, Plan};
use super::layouts::Shape;
use super::notes::Notes;
use super::text::{Fields, Lines, Separator, lossy};
use crate::config::ConfigError;
use crate::export::observations::{Observation, Observations};
use crate::sim::Kind;

/// The lines in which a header begins.
const PREAMBLE: usize = 60;
/// The most rows of labels and units after a header.
const MAX_LABELS: usize = 3;

/// Reads files of text into observations.
pub(super) struct TableReader<'a> {
    options: &'a TrajectoryOptions,
    times: Times,
    /// The first and the last frame that have a time, with it.
    ends: Option<[(f64, f64); 2]>,
    files: usize,
}

impl<'a> TableReader<'a> {
    pub(super) fn new(options: &'a TrajectoryOptions) -> Self {
        Self { options, times: Times::default(), ends: None, files: 0 }
    }

    /// Adds the rows in `input`; `file` is its name for errors, and `animal` that of an animal without a name.
    ///
    /// # Errors
    ///
    /// [`ConfigError::File`] or [`ConfigError::Line`].
    pub(super) fn read(
        &mut self,
        input: impl Read,
        file: &Path,
        animal: &str,
        observations: &mut Observations,
        notes: &mut Notes,
    ) -> Result<(), ConfigError> {
        observations.begin(file);
        let mut lines = Lines::new(input, file)?;
        let mut table = Table::open(&mut lines, file, self.options)?;
        self.begin(&table, observations, notes).map_err(|message| lines.error(message))?;
        let mut index = 0;
        while lines.next()? {
            table.fields.split(&mut lines)?;
            if index == 0 && table.is_label() {
                table.labels += 1;
                observations.unit = table.label_unit().or(observations.unit.take());
                continue;
            }
            table.check_count(index).map_err(|message| lines.error(message))?;
            let row = Row { table: &table, index, line: lines.number, animal };
            self.add(&row, observations).map_err(|message| lines.error(message))?;
            index += 1;
        }
        Ok(())
    }

    /// Takes what the header says, which all files must agree on.
    fn begin(&mut self, table: &Table, observations: &mut Observations, notes: &mut Notes) -> Result<(), String> {
        let Table { plan, names, .. } = table;
        let name = |place: Option<ColumnPlace>| place.map_or(String::new(), |place| names[place.index].text.clone());
        let has_times = plan.frame.is_none() && plan.time.is_some();
        if self.files > 0 && observations.has_times != has_times {
            let (this, first) = if has_times { ("times", "frames") } else { ("frames", "times") };
            return Err(format!("this file has {this} and the first one {first}; expected the same columns in all"));
        }
        if self.files > 0 && observations.has_velocities != plan.velocity.is_some() {
            return Err("velocities are in some files only; expected the same columns in all".to_owned());
        }
        observations.has_times = has_times;
        observations.has_velocities = plan.velocity.is_some();
        observations.are_degrees = plan.are_degrees;
        observations.unit = plan.unit.clone();
        observations.frame_rate = table.frame_rate;
        (observations.id_column, observations.time_column) = (name(plan.id), name(plan.time));
        if self.files == 0 && (!plan.layout.program.is_empty() || !plan.notes.is_empty()) {
            let program = Some(&*plan.layout.program).filter(|program| !program.is_empty());
            let details = Some(plan.notes.join(", ")).filter(|details| !details.is_empty());
            let parts: Vec<&str> = program.into_iter().chain(details.as_deref()).collect();
            notes.add(parts.join(": "));
        }
        self.files += 1;
        Ok(())
    }

    fn add(&mut self, row: &Row<'_>, observations: &mut Observations) -> Result<(), String> {
        let plan = &row.table.plan;
        let implied = plan.layout.marks_missing();
        let skips = self.options.skips_missing || implied;
        if skips && row.lacks_id_or_frame() {
            observations.skipped += usize::from(implied);
            return Ok(());
        }
        let at = self.at(row)?;
        for coordinates in &plan.animals {
            if skips && row.lacks_position(coordinates) {
                observations.skipped += usize::from(implied && plan.layout.shape == Shape::Animal);
                continue;
            }
            let [x, y, z] = coordinates.position;
            let mut position = [row.number("x", x)?, row.number("y", y)?, row.number("z", z)?];
            if let Some([width, height]) = coordinates.size {
                position[0] += row.number("width", Some(width))? / 2.0;
                position[1] += row.number("height", Some(height))? / 2.0;
            }
            let animal = observations.animals.number(row.name(coordinates)?);
            let mut observation = Observation::new(animal, at, position);
            if let Some([vx, vy, vz]) = plan.velocity {
                let velocity = [row.number("vx", vx)?, row.number("vy", vy)?, row.number("vz", vz)?];
                observation.velocity = velocity.map(|along| along as f32);
            }
            if let Some(kind) = plan.kind {
                // The kinds of other programs are species or sexes.
                observation.kind = Kind::from_name(text(row.field(kind))?).unwrap_or(Kind::Prey);
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
                if let Some(seconds) = time.and_then(|time| number(row.field(time), *decimal_comma)) {
                    self.note_time(at, seconds);
                }
                Ok(at)
            }
            (None, Some(time), Some(date)) => {
                let both = [row.field(date), b" ", row.field(time)].concat();
                self.times.seconds(&both, None, *decimal_comma)
            }
            (None, Some(time), None) => {
                self.times.seconds(row.field(time), names[time.index].time_unit(), *decimal_comma)
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
            *last = now;
        }
    }

    /// Takes what all rows together say.
    pub(super) fn finish(self, observations: &mut Observations, notes: &mut Notes) {
        notes.rows_without_values(observations.skipped);
        observations.start_date = self.times.start();
        let frame_rate = self.ends.and_then(|[first, last]| {
            let rate = (last.0 - first.0) / (last.1 - first.1);
            // The time of our own files is a tick.
            (rate.is_finite() && rate > 0.0 && rate != 1.0).then_some(rate)
        });
        observations.frame_rate = frame_rate.or(observations.frame_rate);
    }
}

/// A table after its header.
struct Table {
    names: Vec<Name>,
    plan: Plan,
    fields: Fields,
    decimal_comma: bool,
    /// The rows of labels so far.
    labels: usize,
    /// Frames per second, if a comment has them.
    frame_rate: Option<f64>,
    /// The columns of a row; R writes one more if it names rows.
    columns: usize,
}

impl Table {
    /// Reads the header.
    fn open(lines: &mut Lines<'_>, file: &Path, options: &TrajectoryOptions) -> Result<Self, ConfigError> {
        let ahead: Vec<(u64, Vec<u8>)> = lines.peek(PREAMBLE)?.iter().cloned().collect();
        let mut first_error = None;
        for (skipped, (line, text)) in ahead.iter().enumerate() {
            let separator = Separator::of(text);
            let rest = ahead[skipped..].iter().map(|(_, line)| &**line);
            let candidates = Candidate::all(separator, rest, if skipped == 0 { &lines.comments } else { &[] });
            for candidate in candidates {
                let header = Header {
                    names: &candidate.names,
                    given: &options.columns,
                    body_part: options.body_part.as_deref(),
                    is_numbered: candidate.rows == 0 && skipped == 0,
                };
                match header.plan() {
                    Ok(plan) => {
                        for _ in 0..skipped + candidate.rows {
                            lines.next()?;
                        }
                        let decimal_comma = separator.allows_decimal_comma();
                        let columns = candidate.names.len();
                        let (names, fields) = (candidate.names, Fields::new(separator));
                        let frame_rate = frame_rate(&lines.comments);
                        return Ok(Self { names, plan, fields, decimal_comma, labels: 0, frame_rate, columns });
                    }
                    // The axes in a header of several rows are no header of their own.
                    Err(message) if candidate.rows > 1 => return Err(ConfigError::line(file, *line, message)),
                    Err(message) => _ = first_error.get_or_insert(message),
                }
            }
        }
        let Some((line, _)) = ahead.first() else {
            return Err(ConfigError::file(
                file,
                "the file is empty; expected a table with a header such as id,frame,x,y",
            ));
        };
        Err(ConfigError::line(file, *line, first_error.unwrap_or_default()))
    }

    /// Whether a row after the header has labels or units instead of values.
    fn is_label(&self) -> bool {
        let has_number = |index: usize| number(self.fields.get(index), self.decimal_comma).is_some();
        let place = self.plan.animals[0].position[0];
        self.labels < MAX_LABELS
            && place.is_some_and(|place| !is_missing(self.fields.get(place.index)) || self.labels > 0)
            && !(0..self.fields.count()).any(has_number)
    }

    /// The unit of length in a row of units.
    fn label_unit(&self) -> Option<String> {
        let label = lossy(self.fields.get(self.plan.animals[0].position[0]?.index));
        let unit = label.trim_matches(|c: char| "()[] ".contains(c));
        let is_unit = unit.len() < label.len() || ["px", "mm", "cm", "m", "km", "um", "µm", "micron"].contains(&unit);
        (is_unit && !unit.is_empty()).then(|| unit.to_owned())
    }

    /// Fails if a row has too few or too many fields.
    fn check_count(&mut self, index: usize) -> Result<(), String> {
        if index == 0 && self.fields.count() == self.columns + 1 && !self.fields.get(self.columns).is_empty() {
            self.fields.skip_first();
        }
        let found = self.fields.count();
        let has_more = (self.columns..found).any(|index| !self.fields.get(index).is_empty());
        if found < self.columns || has_more {
            return Err(format!("expected {} columns, found {found}", self.columns));
        }
        Ok(())
    }
}

/// Names that the columns of a table may have.
struct Candidate {
    names: Vec<Name>,
    /// How many lines they take.
    rows: usize,
}

impl Candidate {
    /// The headers that lines may begin with.
    fn all<'l>(separator: Separator, mut lines: impl Iterator<Item = &'l [u8]>, comments: &[String]) -> Vec<Self> {
        let mut split = || lines.next().map(|line| split(separator, line));
        let Some(first) = split() else { return Vec::new() };
        if first[0] == "scorer" {
            let mut rows = vec![first];
            while rows.len() < 4 && rows[rows.len() - 1][0] != "coords" {
                let Some(next) = split().filter(|next| next.len() == rows[0].len()) else { return Vec::new() };
                rows.push(next);
            }
            return vec![Self { names: joined(&rows), rows: rows.len() }];
        }
        if first.iter().all(|field| number(field.as_bytes(), true).is_some() || is_missing(field.as_bytes())) {
            let is_header = |comment: &&String| {
                let names = self::split(separator, comment.as_bytes());
                names.len() == first.len() && names.iter().all(|name| number(name.as_bytes(), true).is_none())
            };
            let header =
                comments.iter().rev().find(is_header).map(|comment| self::split(separator, comment.as_bytes()));
            let numbers: Vec<String> = (1..=first.len()).map(|column| column.to_string()).collect();
            let headers = header.into_iter().chain([numbers]);
            return headers.map(|names| Self { names: Name::list(&names), rows: 0 }).collect();
        }
        let mut names = first;
        while names.len() > 1 && names.last().is_some_and(String::is_empty) && !has_pairs(&names) {
            names.pop();
        }
        if has_pairs(&names) {
            for at in 1..names.len() {
                if names[at].is_empty() {
                    names[at] = format!("{}.y", names[at - 1]);
                    names[at - 1].push_str(".x");
                }
            }
        }
        vec![Self { names: Name::list(&names), rows: 1 }]
    }
}

/// Whether each name of an animal is that of two columns, after those of the frame.
fn has_pairs(names: &[String]) -> bool {
    let (named, empty) = (names.iter().skip(3).step_by(2), names.iter().skip(4).step_by(2));
    names.len() > 4 && named.clone().all(|name| !name.is_empty()) && empty.clone().all(String::is_empty)
}

/// The rows of a header of DeepLabCut as one: animal, body part and axis.
fn joined(rows: &[Vec<String>]) -> Vec<Name> {
    let axes = rows.len() - 1;
    let name = |column: usize| match (column, axes) {
        (0, _) => "coords".to_owned(),
        (_, 3) => format!("{}\u{1f}{}.{}", rows[1][column], rows[2][column], rows[3][column]),
        _ => format!("{}.{}", rows[axes - 1][column], rows[axes][column]),
    };
    Name::list(&(0..rows[0].len()).map(name).collect::<Vec<_>>())
}

fn split(separator: Separator, line: &[u8]) -> Vec<String> {
    let text = lossy(line);
    let fields: Vec<String> = match separator {
        Separator::WhiteSpace => text.split_whitespace().map(str::to_owned).collect(),
        Separator::Character(delimiter) => {
            let mut reader =
                csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(text.as_bytes());
            let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
            record.iter().map(|field| field.trim().to_owned()).collect()
        }
    };
    if fields.is_empty() { vec![String::new()] } else { fields }
}

/// The frame rate in a comment such as `framerate: 25 fps`.
fn frame_rate(comments: &[String]) -> Option<f64> {
    let is_rate = |comment: &&String| {
        let lower = comment.to_lowercase();
        ["framerate", "frame rate", "fps"].iter().any(|word| lower.contains(word))
    };
    let comment = comments.iter().find(is_rate)?;
    let mut numbers = comment.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|word| word.parse().ok());
    numbers.find(|rate: &f64| *rate > 0.0)
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

    fn name<'r>(&'r self, coordinates: &'r Coordinates) -> Result<&'r str, String> {
        if let Some(id) = self.table.plan.id {
            let name = text(self.field(id))?;
            return if name.is_empty() { Err("the id is empty".to_owned()) } else { Ok(name) };
        }
        Ok(coordinates.animal.as_deref().unwrap_or(self.animal))
    }

    /// The number in a column; 0 without one.
    fn number(&self, name: &str, place: Option<ColumnPlace>) -> Result<f64, String> {
        let Some(place) = place else { return Ok(0.0) };
        let field = self.field(place);
        number(field, self.table.decimal_comma).map(|number| number * place.sign).ok_or_else(|| {
            let hint = if is_missing(field) {
                ": --skip-missing leaves out rows without a position"
            } else if field.contains(&b',') {
                "; write decimals with a point"
            } else {
                ""
            };
            format!("{}; expected a finite number{hint}", found(name, field))
        })
    }
}
