//! Reading a session file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use super::lines::{EventText, SessionHeader};
use super::{FORMAT, SessionFile};
use crate::config::RATE_RANGE;
use crate::error::InputError;
use crate::picture::GlyphTable;
use crate::sim::{MAX_LOADED, MAX_TICK, SessionLog};

/// Maximum length of the header, which may contain millions of agents, in bytes.
const MAX_HEADER: u64 = 1 << 30;
/// Maximum length of a line, in bytes: a setup with as many zones as a world can have needs a quarter.
const MAX_LINE: u64 = 1 << 23;

/// Editors may put it before the first line.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The part of a header that every version of the format has.
#[derive(Deserialize)]
struct Version {
    /// A whole number, but other numbers get an error of their own.
    #[serde(rename = "flockscope-session")]
    format: f64,
    #[serde(default)]
    program: String,
}

/// Reads a session file, or standard input for `-`.
///
/// # Errors
///
/// [`InputError::File`], or [`InputError::Line`] for a file that is no session, has a newer format or an invalid line.
pub fn read(file: &Path) -> Result<SessionFile, InputError> {
    if file == Path::new("-") {
        return read_from(io::stdin(), file);
    }
    if file.is_dir() {
        return Err(InputError::io(file)(io::ErrorKind::IsADirectory.into()));
    }
    read_from(File::open(file).map_err(InputError::io(file))?, file)
}

/// Reads a session from `input`; `file` is its name for errors.
///
/// # Errors
///
/// As [`read`].
pub fn read_from(input: impl Read, file: &Path) -> Result<SessionFile, InputError> {
    let mut lines = SessionLines { input: BufReader::new(input), file, number: 0 };
    let header = lines.header()?;
    let invalid = |message: String| InputError::line(file, 1, format!("invalid header: {message}"));
    if !(RATE_RANGE.0..=RATE_RANGE.1).contains(&header.rate) {
        let (min, max) = RATE_RANGE;
        return Err(invalid(format!("rate = {} is out of range: expected {min} to {max}", header.rate)));
    }
    let (preset, start) = (header.preset().map_err(invalid)?, header.start().map_err(invalid)?);
    let (mut log, glyphs) = (SessionLog::new(start), GlyphTable::default());
    let mut end = None;
    while let Some(line) = lines.next(MAX_LINE)? {
        let number = lines.number;
        let invalid = |message: String| InputError::line(file, number, message);
        let empty = line.bytes.iter().all(u8::is_ascii_whitespace);
        if let Some(end) = end {
            if empty {
                continue;
            }
            return Err(invalid(format!("nothing may follow the end of the session in line {end}")));
        }
        let parsed = serde_json::from_slice(&line.bytes);
        if parsed.is_err() && !line.is_whole {
            break;
        }
        let (tick, event): (u64, EventText) = parsed
            .map_err(|error| invalid(if empty { "expected [TICK, EVENT]".into() } else { json_message(&error) }))?;
        if tick < log.tick() {
            return Err(invalid(format!("tick {tick} after tick {}", log.tick())));
        }
        if tick > MAX_TICK {
            return Err(invalid(format!("tick {tick} is above {MAX_TICK}")));
        }
        end = matches!(event, EventText::End(_)).then_some(number);
        match event.event(&glyphs).map_err(invalid)? {
            Some(event) => log.push_at(tick, event),
            None => log.advance_to(tick),
        }
        if log.is_oversized() {
            let megabytes = MAX_LOADED >> 20;
            return Err(invalid(format!(
                "the events take more than {megabytes} MB of memory, and flockscope saves no such session"
            )));
        }
    }
    Ok(SessionFile { preset, rate: header.rate, program: header.program, log, glyphs, truncated: end.is_none() })
}

/// A line without its end.
struct SessionLine {
    bytes: Vec<u8>,
    /// Whether it has an end.
    is_whole: bool,
}

struct SessionLines<'a, R> {
    input: BufReader<R>,
    file: &'a Path,
    /// The number of lines read.
    number: u64,
}

impl<R: Read> SessionLines<'_, R> {
    fn header(&mut self) -> Result<SessionHeader, InputError> {
        let file = self.file;
        let foreign = || InputError::line(file, 1, "not a session file, as `--save-session` writes it");
        if self.input.fill_buf().map_err(InputError::io(file))?.starts_with(BYTE_ORDER_MARK) {
            self.input.consume(BYTE_ORDER_MARK.len());
        }
        // A foreign file may have a long first line.
        if !self.input.fill_buf().map_err(InputError::io(file))?.starts_with(b"{") {
            return Err(foreign());
        }
        let line = self.next(MAX_HEADER)?.ok_or_else(foreign)?;
        let invalid = |message: String| InputError::line(file, 1, message);
        let version: Version = match serde_json::from_slice(&line.bytes) {
            Ok(version) => version,
            Err(error) if error.is_data() => return Err(foreign()),
            Err(error) => return Err(invalid(format!("invalid header: {}", json_message(&error)))),
        };
        if version.format > f64::from(FORMAT) {
            let (format, program, own) = (version.format, version.program, env!("CARGO_PKG_VERSION"));
            return Err(invalid(format!(
                "session format {format}, written by flockscope {program}, is newer than format {FORMAT} of flockscope {own}"
            )));
        }
        if version.format < 1.0 || version.format.fract() != 0.0 {
            let message =
                format!("there is no session format {}: expected a whole number from 1 to {FORMAT}", version.format);
            return Err(invalid(message));
        }
        SessionHeader::read(&line.bytes).map_err(|error| invalid(format!("invalid header: {}", json_message(&error))))
    }

    fn next(&mut self, most: u64) -> Result<Option<SessionLine>, InputError> {
        self.number += 1;
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(most + 1).read_until(b'\n', &mut bytes);
        if read.map_err(InputError::io(self.file))? == 0 {
            return Ok(None);
        }
        let is_whole = bytes.ends_with(b"\n");
        if bytes.len() as u64 > most && !is_whole {
            return Err(InputError::line(self.file, self.number, format!("the line is longer than {most} bytes")));
        }
        Ok(Some(SessionLine { bytes, is_whole }))
    }
}

/// The problem with a line, and the column.
fn json_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(message, _)| format!("{message} (column {})", error.column()))
}
