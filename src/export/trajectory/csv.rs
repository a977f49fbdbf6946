//! Reads trajectories from CSV: a row per animal and frame.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use chrono::{DateTime, NaiveDate, NaiveDateTime};
use csv::ByteRecord;

use super::TrajectoryOptions;
use super::column_names::{ColumnNames, ColumnPlace, missing};
use crate::config::ConfigError;
use crate::export::columns::Column;
use crate::export::observations::{Observation, Observations};
use crate::sim::{Kind, MAX_TICK};

/// Maximum length of a line, so that a file without line breaks cannot exhaust the memory.
const MAX_LINE: usize = 1 << 16;
/// The characters that may separate columns.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// The first character of a comment.
const COMMENT: u8 = b'#';
/// The columns of a file that `run` writes, whose other columns are its own.
const OWN: [Column; 4] = [Column::Tick, Column::Kind, Column::Vx, Column::Vy];
/// Fields for a coordinate that is not known.
const MISSING: [&str; 4] = ["", "NA", "NaN", "null"];
/// The forms of a date and a time, as R and ISO 8601 write them.
const DATES: [&str; 2] = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f"];

/// Reads the observations in `input`; `file` is its name for errors.
///
/// # Errors
///
/// [`ConfigError::File`] or [`ConfigError::Line`].
pub(super) fn read(input: impl Read, file: &Path, options: &TrajectoryOptions) -> Result<Observations, ConfigError> {
    let mut input = BufReader::with_capacity(MAX_LINE, LineLimit { input, lines: 0, length: 0 });
    let start = input.fill_buf().map_err(|error| read_error(error, file))?;
    let separator = separator(start);
    let reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .trim(csv::Trim::All)
        .flexible(true)
        .has_headers(false)
        .from_reader(input);
    let mut records = Records { reader, file, record: ByteRecord::new() };
    let Some(line) = records.next()? else {
        return Err(ConfigError::file(file, "the file is empty; expected CSV with a header such as id,frame,x,y"));
    };
    let header: Vec<String> = records.record.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let layout = Layout::of(&options.columns, &header).map_err(|message| ConfigError::line(file, line, message))?;
    let mut rows = Rows { layout, observations: layout.observations(), first_date: None, ends: None };
    while let Some(line) = records.next()? {
        if options.skips_missing && layout.lacks_position(&records.record) {
            continue;
        }
        rows.add(&records.record, line, header.len()).map_err(|message| ConfigError::line(file, line, message))?;
    }
    Ok(rows.finish())
}

/// The character that separates the columns of the first line that is not a comment.
fn separator(start: &[u8]) -> u8 {
    let mut lines = start.split(|byte| *byte == b'\n');
    let header = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(&[COMMENT])).unwrap_or_default();
    let count = |separator: &u8| header.split(|byte| byte == separator).count();
    SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(b',')
}

/// The records of a file without comments.
struct Records<'a, R> {
    reader: csv::Reader<R>,
    file: &'a Path,
    record: ByteRecord,
}

impl<R: Read> Records<'_, R> {
    /// Reads the next record. Returns its line, if there is one.
    fn next(&mut self) -> Result<Option<u64>, ConfigError> {
        while self.reader.read_byte_record(&mut self.record).map_err(|error| csv_error(error, self.file))? {
            if !self.record.get(0).is_some_and(|field| field.starts_with(&[COMMENT])) {
                return Ok(Some(self.record.position().map_or(0, csv::Position::line)));
            }
        }
        Ok(None)
    }
}

fn csv_error(error: csv::Error, file: &Path) -> ConfigError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => read_error(error, file),
        kind => ConfigError::file(file, format!("{kind:?}")),
    }
}

fn read_error(error: io::Error, file: &Path) -> ConfigError {
    match error.downcast::<LongLine>() {
        Ok(LongLine { line }) => {
            ConfigError::line(file, line, format!("the line is longer than {MAX_LINE} bytes; expected CSV"))
        }
        Err(error) => ConfigError::io(file)(error),
    }
}

/// Where the values of a row are.
#[derive(Clone, Copy)]
struct Layout {
    id: ColumnPlace,
    frame: Option<ColumnPlace>,
    time: Option<ColumnPlace>,
    position: [Option<ColumnPlace>; 3],
    velocity: Option<[Option<ColumnPlace>; 3]>,
    kind: Option<ColumnPlace>,
    mood: Option<ColumnPlace>,
    bank: Option<ColumnPlace>,
}

impl Layout {
    /// Finds the columns in a header.
    fn of(names: &ColumnNames, header: &[String]) -> Result<Self, String> {
        use Column::{Bank, Frame, Id, Kind, Mood, Tick, Time, Vx, Vy, Vz, X, Y, Z};
        let find = |column| names.find(column, header);
        let (id, time, position) = (find(Id)?, find(Time)?, [find(X)?, find(Y)?, find(Z)?]);
        let (tick, frame) = (find(Tick)?, find(Frame)?);
        let frame = if names.has(Frame) { frame } else { tick.or(frame) };
        // Other programs use these names with other meanings.
        let is_own = OWN.iter().all(|column| header.iter().any(|name| name == column.name()));
        let own = |column| if is_own || names.has(column) { find(column) } else { Ok(None) };
        let needed = [(Id, id), (Frame, frame.or(time)), (X, position[0]), (Y, position[1])];
        let lacking: Vec<Column> =
            needed.iter().filter(|(_, place)| place.is_none()).map(|(column, _)| *column).collect();
        let (Some(id), []) = (id, &lacking[..]) else { return Err(missing(&lacking, header)) };
        let velocity = [find(Vx)?, find(Vy)?, find(Vz)?];
        let is_complete =
            velocity.iter().zip(&position).all(|(velocity, position)| velocity.is_some() || position.is_none());
        // A mirrored axis mirrors velocities, too.
        let signed = |axis: usize| {
            let sign = position[axis].map_or(1.0, |place| place.sign);
            velocity[axis].map(|place| ColumnPlace { sign: place.sign * sign, ..place })
        };
        let velocity = is_complete.then(|| [0, 1, 2].map(signed));
        Ok(Self { id, frame, time, position, velocity, kind: find(Kind)?, mood: own(Mood)?, bank: own(Bank)? })
    }

    /// Whether a row has no number for a coordinate.
    fn lacks_position(&self, record: &ByteRecord) -> bool {
        let field = |place: &ColumnPlace| std::str::from_utf8(record.get(place.index).unwrap_or_default());
        self.position.iter().flatten().any(|place| field(place).is_ok_and(is_missing))
    }

    /// No observations of this form yet.
    fn observations(&self) -> Observations {
        Observations {
            has_times: self.frame.is_none(),
            has_velocities: self.velocity.is_some(),
            ..Observations::default()
        }
    }
}

/// The rows so far.
struct Rows {
    layout: Layout,
    observations: Observations,
    /// Times that are dates count from the first one.
    first_date: Option<NaiveDateTime>,
    /// The first and the last frame that have a time, with it.
    ends: Option<[(f64, f64); 2]>,
}

impl Rows {
    fn add(&mut self, record: &ByteRecord, line: u64, columns: usize) -> Result<(), String> {
        if record.len() != columns {
            return Err(format!("expected {columns} columns, found {}", record.len()));
        }
        let Layout { id, frame, time, position, velocity, kind, mood, bank } = self.layout;
        let field =
            |place: ColumnPlace| std::str::from_utf8(&record[place.index]).map_err(|_| "not valid UTF-8".to_owned());
        let number = |name: &str, place: Option<ColumnPlace>| {
            let Some(place) = place else { return Ok(0.0) };
            let text = field(place)?;
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            let found =
                if text.is_empty() { format!("{name} is empty") } else { format!("{name} = {}", text.escape_debug()) };
            number.map(|number| number * place.sign).ok_or_else(|| {
                let decimals = if text.contains(',') { "; write decimals with a point" } else { "" };
                let skip =
                    if is_missing(text) { ": --skip-missing leaves out rows without a position" } else { decimals };
                format!("{found}; expected a finite number{skip}")
            })
        };
        let name = field(id)?;
        if name.is_empty() {
            return Err("the id is empty".to_owned());
        }
        let animal = self.observations.animals.number(name);
        let at = match (frame, time) {
            (Some(frame), time) => {
                let at = self::frame(field(frame)?)?;
                let seconds = time.and_then(|time| field(time).ok()?.parse().ok());
                if let Some(seconds) = seconds {
                    self.note_time(at, seconds);
                }
                at
            }
            (None, Some(time)) => self.time(field(time)?)?,
            (None, None) => 0.0,
        };
        let [x, y, z] = position;
        let position = [number("x", x)?, number("y", y)?, number("z", z)?];
        let [vx, vy, vz] = velocity.unwrap_or_default();
        let velocity = [number("vx", vx)?, number("vy", vy)?, number("vz", vz)?];
        let kind = match kind.map(field).transpose()? {
            None => Kind::Prey,
            // The kinds of other programs are species or sexes.
            Some(name) => Kind::from_name(name).unwrap_or(Kind::Prey),
        };
        let (mood, bank) = (number("mood", mood)? as f32, number("bank", bank)? as f32);
        self.observations.add(Observation { animal, at, position, velocity, kind, mood, bank, line })
    }

    /// A time in seconds.
    fn time(&mut self, text: &str) -> Result<f64, String> {
        if let Some(time) = text.parse().ok().filter(|time: &f64| time.is_finite()) {
            return Ok(time);
        }
        let text = text.strip_suffix('Z').or(text.strip_suffix(" UTC")).unwrap_or(text);
        // R leaves out the time at midnight.
        let midnight = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
        let with_zone = |form: &str| Some(DateTime::parse_from_str(text, &format!("{form}%:z")).ok()?.naive_utc());
        let date = DATES.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok()).or_else(midnight);
        let date = date.or_else(|| DATES.iter().find_map(|form| with_zone(form)));
        let date = date.ok_or_else(|| {
            format!(
                "time = {} is not a time; expected seconds or a date such as 2015-09-10 07:00:00.04",
                text.escape_debug()
            )
        })?;
        let since = date - *self.first_date.get_or_insert(date);
        Ok(since.num_seconds() as f64 + f64::from(since.subsec_nanos()) * 1e-9)
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

    fn finish(self) -> Observations {
        let frame_rate = self.ends.and_then(|[first, last]| {
            let rate = (last.0 - first.0) / (last.1 - first.1);
            // The time of our own files is a tick.
            (rate.is_finite() && rate > 0.0 && rate != 1.0).then_some(rate)
        });
        Observations { frame_rate, ..self.observations }
    }
}

/// Whether a field says that its number is not known.
fn is_missing(field: &str) -> bool {
    MISSING.iter().any(|missing| field.eq_ignore_ascii_case(missing))
}

/// A frame number. Programs that allow missing values write 12.0.
fn frame(text: &str) -> Result<f64, String> {
    let number =
        text.parse().ok().filter(|frame: &f64| frame.fract() == 0.0 && (0.0..=MAX_TICK as f64).contains(frame));
    number.ok_or_else(|| {
        let found =
            if text.is_empty() { "frame is empty".to_owned() } else { format!("frame = {}", text.escape_debug()) };
        format!("{found}; expected a whole number from 0 to {MAX_TICK}, or name the column as time")
    })
}

/// Input that fails at a line that is too long.
struct LineLimit<R> {
    input: R,
    lines: u64,
    /// The length of the last line so far.
    length: usize,
}

/// A line that is too long.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is too long")]
struct LongLine {
    line: u64,
}

impl<R: Read> Read for LineLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let mut lines = buffer[..read].split(|byte| *byte == b'\n');
        self.length += lines.next().map_or(0, <[u8]>::len);
        self.check()?;
        for line in lines {
            self.lines += 1;
            self.length = line.len();
            self.check()?;
        }
        Ok(read)
    }
}

impl<R> LineLimit<R> {
    fn check(&self) -> io::Result<()> {
        if self.length > MAX_LINE { Err(io::Error::other(LongLine { line: self.lines + 1 })) } else { Ok(()) }
    }
}
