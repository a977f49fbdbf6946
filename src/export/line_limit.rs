//! LineLimit of a length that lines of rows have.

use std::io::{self, Read};

/// The longest line that is read, in bytes; a row with every digit that a number can have takes half of it.
const MAX_LINE: usize = 4096;

/// Passes on what it reads, until a line is longer than any row: a file without ends of lines fills no memory.
#[derive(Debug)]
pub(crate) struct LineLimit<R> {
    inner: R,
    /// How much of the last line has been passed on.
    length: usize,
    /// Whether that is all that will be.
    too_long: bool,
}

impl<R: Read> LineLimit<R> {
    pub(crate) fn new(inner: R) -> Self {
        Self { inner, length: 0, too_long: false }
    }
}

impl<R: Read> Read for LineLimit<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.too_long {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("this line is longer than {MAX_LINE} bytes, and a row takes far fewer"),
            ));
        }
        let count = self.inner.read(bytes)?;
        for (index, byte) in bytes[..count].iter().enumerate() {
            self.length = if *byte == b'\n' { 0 } else { self.length + 1 };
            if self.length > MAX_LINE {
                // What stands before is told of first.
                self.too_long = true;
                return Ok(index + 1);
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_long_line_comes_through() {
        let text = format!("a\n{}\n{}", "b".repeat(MAX_LINE), "c".repeat(MAX_LINE + 1));
        let (mut lines, mut read) = (LineLimit::new(text.as_bytes()), String::new());
        assert_eq!(lines.read_to_string(&mut read).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(read, text);
        let text = &text[..text.len() - 1];
        assert_eq!(LineLimit::new(text.as_bytes()).read_to_string(&mut read).unwrap(), text.len());
    }

    #[test]
    fn what_never_ends_is_given_up() {
        let mut read = Vec::new();
        assert!(LineLimit::new(io::repeat(b'0')).read_to_end(&mut read).is_err());
        assert!(read.len() <= MAX_LINE + 1);
    }
}
