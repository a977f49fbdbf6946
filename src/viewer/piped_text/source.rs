//! Reads text from standard input, without waiting long for it.

use std::io;
use std::time::{Duration, Instant};

use super::{NotText, PipedText, TextReader};
use crate::terminal::PipedInput;

/// How long a pipe may be silent: before its first byte it then has no text, and later it has no more.
const SILENCE: Duration = Duration::from_millis(500);
/// How long reading may take. A pipe that keeps writing without filling the screen would leave it empty.
const LONGEST: Duration = Duration::from_secs(5);

/// Why standard input cannot be shown as text.
#[derive(Debug, thiserror::Error)]
pub enum PipedTextError {
    /// It is binary data.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// The system cannot read it.
    #[error("cannot read standard input: {0}; a pipe or a text file would be valid")]
    Io(#[from] io::Error),
}

/// Reads text for a screen of this size from standard input, if that is a pipe, a socket or a regular file.
///
/// Reading ends at the end of the input, when the screen is full, after 1 MiB, after half a second without a byte, or after five
/// seconds. Returns `None` if there is nothing to see by then. Signals keep their action: Ctrl-C ends the program.
///
/// # Errors
///
/// See [`PipedTextError`].
pub fn read_piped_text(columns: u16, rows: u16) -> Result<Option<PipedText>, PipedTextError> {
    let Some(input) = PipedInput::open()? else { return Ok(None) };
    read_from(input, columns, rows)
}

fn read_from(mut input: PipedInput, columns: u16, rows: u16) -> Result<Option<PipedText>, PipedTextError> {
    let mut reader = TextReader::new(columns, rows);
    let end = Instant::now() + LONGEST;
    while !reader.is_full() {
        let left = end.saturating_duration_since(Instant::now());
        match input.read(left.min(SILENCE))? {
            Some(bytes) if !bytes.is_empty() => reader.feed(&bytes)?,
            _ => break,
        }
    }
    let text = reader.finish();
    Ok(Some(text).filter(|text| !text.cells.is_empty()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{PipeReader, Write, pipe};
    use std::thread;

    fn read(input: PipeReader) -> Result<Option<PipedText>, PipedTextError> {
        read_from(PipedInput::new(input.into())?.unwrap(), 20, 3)
    }

    /// What is read from a pipe that this function fills.
    fn read_while(
        fill: impl FnOnce(&mut io::PipeWriter) + Send + 'static,
    ) -> Result<Option<PipedText>, PipedTextError> {
        let (reader, mut writer) = pipe().unwrap();
        thread::spawn(move || fill(&mut writer));
        read(reader)
    }

    #[test]
    fn a_text_ends_with_its_pipe() {
        let text = read_while(|pipe| pipe.write_all(b"hello\n").unwrap()).unwrap().unwrap();
        assert_eq!((text.cells.len(), text.cursor_row, text.truncated), (5, 1, false));
    }

    #[test]
    fn empty_blank_and_silent_pipes_have_no_text() {
        assert_eq!(read_while(|_| {}).unwrap(), None);
        assert_eq!(read_while(|pipe| pipe.write_all(b" \n\x1b[31m\n").unwrap()).unwrap(), None);
        let (reader, _open) = pipe().unwrap();
        assert_eq!(read(reader).unwrap(), None);
    }

    #[test]
    fn a_pipe_that_stays_open_ends_by_silence() {
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(b"prompt> ").unwrap();
        assert_eq!(read(reader).unwrap().unwrap().cells.len(), 7);
    }

    #[test]
    fn an_endless_pipe_shows_its_first_screenful() {
        let text = read_while(|pipe| while pipe.write_all(b"y\n").is_ok() {}).unwrap().unwrap();
        assert_eq!((text.cells.len(), text.truncated), (3, true));
    }

    #[test]
    fn binary_data_is_an_error() {
        let error = read_while(|pipe| pipe.write_all(b"\x7fELF\0").unwrap()).unwrap_err();
        assert!(matches!(error, PipedTextError::NotText(NotText { offset: 4 })), "{error:?}");
    }
}
