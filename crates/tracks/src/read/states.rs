//! The states of a run in a file: its columns, and its last tick, from which a run continues.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flockscope_sim::{Kind, MAX_BOIDS, MAX_PREDATORS, MAX_TICK, Row, Setup};
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::error::{Error, Fault};
use crate::text::counted;

/// Maximum length of a line, so that a file without line breaks cannot exhaust the memory. The longest row has half.
const MAX_LINE: u64 = 4096;

/// A column of the state as CSV, whose name in the header is that of the variant in lower case.
#[derive(Clone, Copy, Debug, EnumString, IntoStaticStr, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the names of columns")]
pub enum Column {
    Tick,
    Frame,
    Time,
    Id,
    Kind,
    X,
    Y,
    Z,
    Vx,
    Vy,
    Vz,
    Mood,
    Bank,
}

impl Column {
    /// The columns that a file needs to continue a run.
    pub const STATE: [Self; 9] =
        [Self::Tick, Self::Id, Self::Kind, Self::X, Self::Y, Self::Z, Self::Vx, Self::Vy, Self::Vz];

    /// The name in the header.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The last tick of a file of states.
#[derive(Clone, Debug)]
pub struct SavedState {
    file: PathBuf,
    /// The tick.
    pub tick: u64,
    /// Each agent, with the number of its line if the file has lines.
    pub rows: Vec<(Option<u64>, Row)>,
}

impl SavedState {
    /// # Errors
    ///
    /// [`Error`] if there are no boids.
    pub(super) fn new(file: &Path, tick: u64, rows: Vec<(Option<u64>, Row)>) -> Result<Self, Error> {
        let state = Self { file: file.to_owned(), tick, rows };
        if state.counts().0 == 0 {
            let line = state.rows.first().and_then(|(line, _)| *line);
            return Err(state.error(line, format!("no boids at tick {tick}")));
        }
        Ok(state)
    }

    /// The numbers of boids, including caught ones, and of predators.
    pub fn counts(&self) -> (usize, usize) {
        let predators = self.rows.iter().filter(|(_, row)| row.kind == Kind::Predator).count();
        (self.rows.len() - predators, predators)
    }

    /// The agents, in order of ids.
    pub fn sorted_rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows.iter().map(|(_, row)| *row).collect();
        rows.sort_unstable_by_key(|row| row.id);
        rows
    }

    /// The error for the first duplicate id or row that does not fit a setup, if there is one.
    pub fn invalid_row(&self, setup: &Setup) -> Option<Error> {
        let mut rows = self.rows.clone();
        rows.sort_unstable_by_key(|(line, row)| (row.id, *line));
        let duplicate = rows.windows(2).find(|pair| pair[0].1.id == pair[1].1.id).map(|pair| &pair[1]);
        if let Some((line, row)) = duplicate {
            return Some(self.error(*line, format!("duplicate id {}", row.id)));
        }
        let invalid = self.rows.iter().filter_map(|(line, row)| Some((*line, row.id, setup.check_row(row).err()?)));
        let (line, id, why) = invalid.min_by_key(|(line, ..)| *line)?;
        let agent = if line.is_some() { String::new() } else { format!("id {id}: ") };
        let message = format!("{agent}{why}; use the preset and the world that the file was written with");
        Some(self.error(line, message))
    }

    fn error(&self, line: Option<u64>, message: String) -> Error {
        match line {
            Some(line) => Error::line(&self.file, line, message),
            None => Error::file(&self.file, message),
        }
    }
}

/// Reads the last tick from `input`; `file` is its name for errors.
///
/// # Errors
///
/// [`Error`] with the file and the line.
pub fn read_csv_states(input: impl Read, file: &Path) -> Result<SavedState, Error> {
    let mut input = BufReader::new(input);
    let mut state = LastTick { tick: 0, rows: Vec::new() };
    let mut columns = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes);
        if read.map_err(Error::io(file))? == 0 {
            break;
        }
        read_line(&mut state, &mut columns, line, &bytes).map_err(|message| Error::line(file, line, message))?;
    }
    if state.rows.is_empty() {
        return Err(Error::line(file, 1, "no rows"));
    }
    SavedState::new(file, state.tick, state.rows)
}

/// The rows of the last tick so far, with their line numbers.
struct LastTick {
    tick: u64,
    rows: Vec<(Option<u64>, Row)>,
}

/// Reads the header, if there are no `columns` yet, or a row; drops the rows of earlier ticks.
fn read_line(state: &mut LastTick, columns: &mut Vec<Column>, line: u64, bytes: &[u8]) -> Result<(), Fault> {
    if bytes.len() as u64 > MAX_LINE {
        return Err(format!("the line is longer than {MAX_LINE} bytes").into());
    }
    let text = line_text(line, bytes)?;
    if text.is_empty() {
        return Ok(());
    }
    if columns.is_empty() {
        *columns = read_header(text)?;
        return Ok(());
    }
    let (mut fields, mut count) = ([""; Column::VARIANTS.len()], 0);
    for field in fields_of(text) {
        if let Some(column) = columns.get(count) {
            fields[*column as usize] = field;
        }
        count += 1;
    }
    if count != columns.len() {
        return Err(format!(
            "this row has {}, and the header has {}",
            counted(count, "field", "fields"),
            columns.len()
        )
        .into());
    }
    let (tick, row) = parse(fields, columns)?;
    if !state.rows.is_empty() && tick < state.tick {
        return Err(format!("tick {tick} after tick {}", state.tick).into());
    }
    if tick != state.tick {
        state.rows.clear();
        state.tick = tick;
    }
    if state.rows.len() == MAX_BOIDS + MAX_PREDATORS {
        return Err(format!("too many rows for one tick (maximum {MAX_BOIDS} boids)").into());
    }
    state.rows.push((Some(line), row));
    Ok(())
}

/// The columns of a header, in any order; those that a run does not need are ignored.
fn read_header(text: &str) -> Result<Vec<Column>, Fault> {
    let expected = || format!("unexpected header: expected {}, and optionally mood and bank", names(&Column::STATE));
    let fields = || fields_of(text);
    let columns: Vec<Column> = fields().flat_map(str::parse).collect();
    let missing: Vec<Column> = Column::STATE.into_iter().filter(|column| !columns.contains(column)).collect();
    let problem = if columns.is_empty() {
        String::new()
    } else if !missing.is_empty() {
        format!("; this file lacks {}, which `run` writes unless --columns selects others", names(&missing))
    } else if let Some(name) = fields().find(|name| name.parse::<Column>().is_err()) {
        let message = format!("{}; unknown column `{}`", expected(), name.escape_debug());
        return Err(Fault::unknown(message, name, Column::VARIANTS.iter().copied()));
    } else if let Some(at) = (1..columns.len()).find(|at| columns[..*at].contains(&columns[*at])) {
        format!("; duplicate column {}", columns[at].name())
    } else {
        return Ok(columns);
    };
    Err((expected() + &problem).into())
}

fn parse(fields: [&str; Column::VARIANTS.len()], columns: &[Column]) -> Result<(u64, Row), String> {
    let field = |column: Column| fields[column as usize];
    let invalid =
        |column: Column, what: &str| format!("{} = {} is not {what}", column.name(), field(column).escape_debug());
    let tick = field(Column::Tick).parse().map_err(|_| invalid(Column::Tick, "a whole number"))?;
    if tick > MAX_TICK {
        return Err(format!("tick {tick} is above {MAX_TICK}"));
    }
    let id = field(Column::Id).parse().map_err(|_| invalid(Column::Id, "a whole number"))?;
    let kind = Kind::from_name(field(Column::Kind));
    let kind = kind.ok_or_else(|| invalid(Column::Kind, "prey, predator or caught"))?;
    let number = |column: Column| {
        let number = field(column).parse().ok().filter(|number: &f32| number.is_finite());
        number.ok_or_else(|| invalid(column, "a finite number"))
    };
    let position = [number(Column::X)?, number(Column::Y)?, number(Column::Z)?];
    let velocity = [number(Column::Vx)?, number(Column::Vy)?, number(Column::Vz)?];
    let optional = |column: Column| if columns.contains(&column) { number(column) } else { Ok(0.0) };
    let (mood, bank) = (optional(Column::Mood)?, optional(Column::Bank)?);
    Ok((tick, Row { id, kind, position, velocity, mood, bank }))
}

/// The text of a line, without a byte order mark and surrounding blanks, which other programs may add.
///
/// # Errors
///
/// If it is not UTF-8.
pub fn line_text(line: u64, bytes: &[u8]) -> Result<&str, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not valid UTF-8")?;
    Ok(if line == 1 { text.trim_start_matches('\u{feff}') } else { text }.trim())
}

/// The fields of a line, without surrounding blanks and quotes.
pub fn fields_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(|field| {
        let field = field.trim();
        field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
    })
}

fn names(columns: &[Column]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_lines_without_end() {
        let header = names(&Column::STATE) + "\n";
        let error = read_csv_states(header.as_bytes().chain(std::io::repeat(b'0')), Path::new("x.csv")).unwrap_err();
        assert_eq!(error.to_string(), "x.csv:2: the line is longer than 4096 bytes");
    }
}
