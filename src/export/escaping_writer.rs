//! Standard output, standard error and other streams that may be terminals, which text from outside must not control.

use std::io::{self, IsTerminal, Write};
use std::str;

use crate::error::escape_control;

/// A stream. If it is a terminal, control characters and the like are escaped, except line ends and tabs. Otherwise bytes stay as they are.
pub struct EscapingWriter {
    out: Box<dyn Write + Send>,
    is_terminal: bool,
    escapes: bool,
    /// The start of a character whose end comes with the next write.
    incomplete: Vec<u8>,
}

/// Standard output.
#[allow(clippy::disallowed_methods, reason = "this is the replacement")]
pub fn stdout() -> EscapingWriter {
    EscapingWriter::new(io::stdout())
}

/// Standard error.
#[allow(clippy::disallowed_methods, reason = "this is the replacement")]
pub fn stderr() -> EscapingWriter {
    EscapingWriter::new(io::stderr())
}

impl EscapingWriter {
    pub(super) fn new(out: impl Write + IsTerminal + Send + 'static) -> Self {
        let is_terminal = out.is_terminal();
        Self { out: Box::new(out), is_terminal, escapes: is_terminal, incomplete: Vec::new() }
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Escapes nothing from now on: for colors and the like, with text that is escaped already.
    pub fn allow_control_sequences(&mut self) {
        self.escapes = false;
    }
}

impl Write for EscapingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            return self.out.write(bytes);
        }
        let mut text = String::new();
        let all = [std::mem::take(&mut self.incomplete), bytes.to_vec()].concat();
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text += &escape_lines(chunk.valid());
            let is_incomplete = str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            if is_incomplete && chunks.peek().is_none() {
                self.incomplete = chunk.invalid().to_vec();
            } else {
                text += &chunk.invalid().escape_ascii().to_string();
            }
        }
        self.out.write_all(text.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        write!(self.out, "{}", std::mem::take(&mut self.incomplete).escape_ascii())?;
        self.out.flush()
    }
}

/// Escapes control characters and the like, except line ends and tabs.
pub(crate) fn escape_lines(text: &str) -> String {
    let parts = text.split_inclusive(['\n', '\t']).map(|part| {
        let end = ["\r\n", "\n", "\t"].into_iter().find(|end| part.ends_with(end)).unwrap_or_default();
        escape_control(part.strip_suffix(end).unwrap_or(part)).into_owned() + end
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A terminal that keeps what is written to it.
    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn shown(parts: &[&[u8]], escapes: bool) -> Vec<u8> {
        let screen = Screen::default();
        let mut writer =
            EscapingWriter { out: Box::new(screen.clone()), is_terminal: true, escapes, incomplete: Vec::new() };
        for part in parts {
            writer.write_all(part).unwrap();
        }
        writer.flush().unwrap();
        let bytes = screen.0.lock().unwrap();
        bytes.clone()
    }

    #[test]
    fn a_terminal_gets_escaped_text_however_it_is_split() {
        let text = "\u{1b}]0;x\u{7}\u{9b}1m \u{202e}left\r\n\tkey = \"ü鳥🐦\"\rx\u{feff}".as_bytes();
        let bytes = [text, b"\xff\xc3(\xe9\xb3"].concat();
        let expected =
            "\\u{1b}]0;x\\u{7}\\u{9b}1m \\u{202e}left\r\n\tkey = \"ü鳥🐦\"\\rx\\u{feff}\\xff\\xc3(\\xe9\\xb3";
        for at in 0..=bytes.len() {
            // A line end of two characters is one only if it is written at once.
            if at == 0 || bytes[at - 1] != b'\r' {
                let (start, end) = bytes.split_at(at);
                assert_eq!(String::from_utf8(shown(&[start, end], true)).unwrap(), expected, "{at}");
            }
        }
        assert_eq!(shown(&[&bytes], false), bytes);
    }
}
