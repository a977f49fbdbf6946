//! The state of a flock as CSV, and the measures of every tick.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use strum::VariantNames;

use super::columns::{Column, SavedState, WrittenAgent};
use super::metadata::ColumnInfo;
use super::{Shortest, counted};
use crate::error::{InputError, did_you_mean};
use crate::sim::{Curve, Kind, MAX_BOIDS, MAX_PREDATORS, MAX_TICK, Measure, Row, Snapshot};
use crate::tracks::Recording;

/// Maximum length of a line, so that a file without line breaks cannot exhaust the memory. The longest row has half.
const MAX_LINE: u64 = 4096;

/// Writes the header.
///
/// # Errors
///
/// I/O errors.
pub fn write_header(columns: &[Column], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", names(columns))
}

fn names(columns: &[Column]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    names.join(",")
}

/// Writes the state of every agent of a flock or of a frame of a recording, one row each. `frame` is the number of states written before.
///
/// # Errors
///
/// I/O errors.
pub fn write<'a>(
    flock: impl Into<Snapshot<'a>>,
    recording: Option<&'a Recording>,
    columns: &[Column],
    frame: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    for agent in WrittenAgent::of(flock.into(), recording) {
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                out.write_all(b",")?;
            }
            column.write(&agent, frame, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Reads the last tick of a file, or of standard input for `-`.
///
/// # Errors
///
/// [`InputError::File`] or [`InputError::Line`].
pub fn read(file: &Path) -> Result<SavedState, InputError> {
    if file == Path::new("-") {
        return read_from(io::stdin(), file);
    }
    let opened = File::open(file).map_err(InputError::io(file))?;
    read_from(opened, file)
}

/// Reads the last tick from `input`; `file` is its name for errors.
///
/// # Errors
///
/// [`InputError::File`] or [`InputError::Line`].
pub fn read_from(input: impl Read, file: &Path) -> Result<SavedState, InputError> {
    let mut input = BufReader::new(input);
    let mut state = LastTick { tick: 0, rows: Vec::new() };
    let mut columns = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes);
        if read.map_err(InputError::io(file))? == 0 {
            break;
        }
        read_line(&mut state, &mut columns, line, &bytes).map_err(|message| InputError::line(file, line, message))?;
    }
    if state.rows.is_empty() {
        return Err(InputError::line(file, 1, "no rows"));
    }
    SavedState::new(file, state.tick, state.rows)
}

/// The rows of the last tick so far, with their line numbers.
struct LastTick {
    tick: u64,
    rows: Vec<(Option<u64>, Row)>,
}

/// Reads the header, if there are no `columns` yet, or a row; drops the rows of earlier ticks.
fn read_line(state: &mut LastTick, columns: &mut Vec<Column>, line: u64, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() as u64 > MAX_LINE {
        return Err(format!("the line is longer than {MAX_LINE} bytes"));
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
        ));
    }
    let (tick, row) = parse(fields, columns)?;
    if !state.rows.is_empty() && tick < state.tick {
        return Err(format!("tick {tick} after tick {}", state.tick));
    }
    if tick != state.tick {
        state.rows.clear();
        state.tick = tick;
    }
    if state.rows.len() == MAX_BOIDS + MAX_PREDATORS {
        return Err(format!("too many rows for one tick (maximum {MAX_BOIDS} boids)"));
    }
    state.rows.push((Some(line), row));
    Ok(())
}

/// The columns of a header, in any order; those that a run does not need are ignored.
fn read_header(text: &str) -> Result<Vec<Column>, String> {
    let fields = || fields_of(text);
    let columns: Vec<Column> = fields().flat_map(str::parse).collect();
    let missing: Vec<Column> = Column::STATE.into_iter().filter(|column| !columns.contains(column)).collect();
    let problem = if columns.is_empty() {
        String::new()
    } else if !missing.is_empty() {
        format!("; this file lacks {}, which `run` writes unless --columns selects others", names(&missing))
    } else if let Some(name) = fields().find(|name| name.parse::<Column>().is_err()) {
        format!("; unknown column `{}`{}", name.escape_debug(), did_you_mean(name, Column::VARIANTS.iter().copied()))
    } else if let Some(at) = (1..columns.len()).find(|at| columns[..*at].contains(&columns[*at])) {
        format!("; duplicate column {}", columns[at].name())
    } else {
        return Ok(columns);
    };
    Err(format!("unexpected header: expected {}, and optionally mood and bank{problem}", names(&Column::STATE)))
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
pub(crate) fn line_text(line: u64, bytes: &[u8]) -> Result<&str, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not valid UTF-8")?;
    Ok(if line == 1 { text.trim_start_matches('\u{feff}') } else { text }.trim())
}

/// The fields of a line, without surrounding blanks and quotes.
pub(crate) fn fields_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(|field| {
        let field = field.trim();
        field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
    })
}

/// The columns of a file of measures. Those of a whole run have none.
pub(crate) fn measures_columns(measures: &[&Measure]) -> Vec<ColumnInfo> {
    let of_tick = measures.iter().filter(|measure| !measure.is_per_run());
    let info = |measure: &&Measure| ColumnInfo::new(measure.name, measure.unit, measure.summary);
    [Column::Tick.info()].into_iter().chain(of_tick.map(info)).collect()
}

/// Writes the header of a file of measures.
pub(crate) fn write_measures_header(measures: &[&Measure], out: &mut impl Write) -> io::Result<()> {
    let names: Vec<String> = measures_columns(measures).into_iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))
}

/// Writes the measures of a tick as a row.
pub(crate) fn write_measures(tick: u64, values: &[f64], out: &mut impl Write) -> io::Result<()> {
    write!(out, "{tick}")?;
    // A value has the precision of the state, f32.
    values.iter().try_for_each(|value| write!(out, ",{}", Shortest(*value as f32)))?;
    writeln!(out)
}

/// The columns of a curve.
pub(crate) fn curve_columns(curve: &Curve) -> Vec<ColumnInfo> {
    curve.columns.iter().map(|column| ColumnInfo::new(column.name, column.unit, column.summary)).collect()
}

/// Writes a curve: its header and its rows.
pub(crate) fn write_curve(curve: &Curve, rows: &[Vec<f64>], out: &mut impl Write) -> io::Result<()> {
    let names: Vec<&str> = curve.columns.iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))?;
    for row in rows {
        let fields: Vec<String> = row.iter().map(|value| Shortest(*value as f32).to_string()).collect();
        writeln!(out, "{}", fields.join(","))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_lines_without_end() {
        let header = names(&Column::STATE) + "\n";
        let error = read_from(header.as_bytes().chain(io::repeat(b'0')), Path::new("x.csv")).unwrap_err();
        assert_eq!(error.to_string(), "x.csv:2: the line is longer than 4096 bytes");
    }
}
