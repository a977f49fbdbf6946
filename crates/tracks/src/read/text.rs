//! The lines and the fields of a text file, which may be compressed.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::{Error, Fault};

/// Maximum length of a line, and of a row with line breaks in quotes, so that a file without any cannot exhaust the memory.
const MAX_LINE: usize = 1 << 20;
const BUFFER: usize = 1 << 16;
/// The first character of a comment.
const COMMENT: u8 = b'#';

/// Opens a file, and reports the bytes of it that are read.
pub(super) fn open<'a>(file: &Path, watch: &'a dyn Fn(u64)) -> io::Result<impl Read + use<'a>> {
    Ok(Watched { input: File::open(file)?, watch })
}

struct Watched<'a, R> {
    input: R,
    watch: &'a dyn Fn(u64),
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        (self.watch)(read as u64);
        Ok(read)
    }
}

/// The lines of a file in UTF-8.
pub(super) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    file: &'a Path,
    /// Lines that were read ahead, and their numbers.
    ahead: VecDeque<(u64, Vec<u8>)>,
    count: u64,
    /// The number of the latest line.
    pub(super) number: u64,
    /// The latest line, with a line feed.
    pub(super) text: Vec<u8>,
    /// The comments so far, without their first character.
    pub(super) comments: Vec<String>,
}

/// The most comments that are kept: those of a header.
const MAX_COMMENTS: usize = 100;

impl<'a> Lines<'a> {
    /// The lines of `input`; `file` is its name for errors.
    ///
    /// # Errors
    ///
    /// [`Error`] with the file.
    pub(super) fn new(input: impl Read + 'a, file: &'a Path) -> Result<Self, Error> {
        let input = decoded(input).map_err(Error::io(file))?;
        let (ahead, comments) = (VecDeque::new(), Vec::new());
        Ok(Self { input, file, ahead, count: 0, number: 0, text: Vec::new(), comments })
    }

    /// Reads the next line that is no comment and not empty. Returns whether there is one.
    pub(super) fn next(&mut self) -> Result<bool, Error> {
        if let Some((number, text)) = self.ahead.pop_front() {
            (self.number, self.text) = (number, text);
            return Ok(true);
        }
        while self.next_of_any()? {
            let text = self.text.trim_ascii();
            if text.first() == Some(&COMMENT) {
                if self.comments.len() < MAX_COMMENTS {
                    self.comments.push(lossy(&text[1..]).trim().to_owned());
                }
            } else if !text.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the next line, which may be a comment or empty. Returns whether there is one.
    pub(super) fn next_of_any(&mut self) -> Result<bool, Error> {
        self.text.clear();
        self.count += 1;
        self.number = self.count;
        let limited = &mut self.input.by_ref().take(MAX_LINE as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.text).map_err(Error::io(self.file))?;
        if read > MAX_LINE {
            return Err(self.error(format!("the line is longer than {MAX_LINE} bytes; expected text")));
        }
        while self.text.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            self.text.pop();
        }
        self.text.push(b'\n');
        Ok(read > 0)
    }

    /// Reads a line that must follow, as text.
    pub(super) fn expect(&mut self) -> Result<String, Error> {
        if !self.next_of_any()? {
            return Err(self.error("the frame is incomplete"));
        }
        let text = std::str::from_utf8(self.text.trim_ascii_end());
        text.map(str::to_owned).map_err(|_| self.error("not valid UTF-8"))
    }

    /// Reads at most `count` lines ahead, and no more after `bytes`, which [`next`](Self::next) returns again.
    pub(super) fn peek(&mut self, count: usize, mut bytes: usize) -> Result<&[(u64, Vec<u8>)], Error> {
        let mut ahead = std::mem::take(&mut self.ahead);
        while ahead.len() < count && bytes > 0 && self.next()? {
            bytes = bytes.saturating_sub(self.text.len());
            ahead.push_back((self.number, std::mem::take(&mut self.text)));
        }
        self.ahead = ahead;
        Ok(self.ahead.make_contiguous())
    }

    /// The error for the latest line.
    pub(super) fn error(&self, problem: impl Into<Fault>) -> Error {
        Error::line(self.file, self.number, problem)
    }
}

/// Text in UTF-8: decompresses gzip, decodes UTF-16 that begins with a byte order mark, and ends lines in line feeds.
fn decoded<'a>(input: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut input: Box<dyn BufRead + 'a> = Box::new(BufReader::with_capacity(BUFFER, input));
    // Before the byte order mark, which is inside the compressed text.
    if input.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        input = Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input)));
    }
    let start = input.fill_buf()?;
    let has_feeds = start.contains(&b'\n') || !start.contains(&b'\r');
    let unit: Option<fn([u8; 2]) -> u16> = match start {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    let mark = if start.starts_with("\u{feff}".as_bytes()) { 3 } else { 2 * usize::from(unit.is_some()) };
    input.consume(mark);
    if let Some(unit) = unit {
        input = Box::new(BufReader::with_capacity(BUFFER, Utf16 { input, unit, text: Cursor::default() }));
    }
    Ok(if has_feeds { input } else { Box::new(BufReader::with_capacity(BUFFER, ReturnsAsFeeds(input))) })
}

/// Text whose lines end in carriage returns, with line feeds.
struct ReturnsAsFeeds<R>(R);

impl<R: Read> Read for ReturnsAsFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        buffer[..read].iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        Ok(read)
    }
}

/// Decodes UTF-16 as it is read.
struct Utf16<R> {
    input: R,
    unit: fn([u8; 2]) -> u16,
    /// The latest part of the text in UTF-8.
    text: Cursor<Vec<u8>>,
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.text.position() == self.text.get_ref().len() as u64 {
            let (mut bytes, mut units, mut length) = (Vec::new(), Vec::new(), BUFFER);
            // A pair of surrogates stays together.
            while length > 0 {
                bytes.clear();
                self.input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
                units.extend(bytes.as_chunks().0.iter().map(|pair| (self.unit)(*pair)));
                let is_split = bytes.len() == length && matches!(units.last(), Some(0xd800..0xdc00));
                length = if is_split { 2 } else { 0 };
            }
            self.text = Cursor::new(String::from_utf16_lossy(&units).into_bytes());
        }
        self.text.read(buffer)
    }
}

/// Text in UTF-8, or in Latin-1 if it is not.
pub(super) fn lossy(text: &[u8]) -> String {
    std::str::from_utf8(text).map_or_else(|_| text.iter().map(|byte| char::from(*byte)).collect(), str::to_owned)
}

/// How the fields of a line are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Character(u8),
    WhiteSpace,
}

impl Separator {
    /// The separator of a line, which is the one that makes most fields. Words between spaces are one field beside other separators.
    pub(super) fn of(line: &[u8]) -> Self {
        let count = |separator: &u8| line.split(|byte| byte == separator).count();
        // If several make as many fields, the last one counts: the comma.
        let best = [b'\t', b';', b','].into_iter().max_by_key(count).filter(|separator| count(separator) > 1);
        best.map_or(Self::WhiteSpace, Self::Character)
    }

    /// Whether a comma in a number separates its decimals.
    pub(super) fn allows_decimal_comma(self) -> bool {
        self != Self::Character(b',')
    }
}

/// The words of a line, which may have white space in quotes.
pub(super) fn words(mut line: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        line = line.trim_ascii_start();
        let (word, rest) = match line {
            [] => return None,
            [b'"', quoted @ ..] if quoted.contains(&b'"') => {
                let end = quoted.iter().position(|byte| *byte == b'"').unwrap_or(quoted.len());
                (&quoted[..end], &quoted[(end + 1).min(quoted.len())..])
            }
            _ => line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len())),
        };
        line = rest;
        Some(word)
    })
}

/// Splits lines into fields.
pub(super) struct Fields {
    separator: Separator,
    reader: csv_core::Reader,
    text: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// How many fields come before those of the header.
    pub(super) skipped: usize,
}

impl Fields {
    pub(super) fn new(separator: Separator) -> Self {
        let delimiter = if let Separator::Character(character) = separator { character } else { b',' };
        let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Self { separator, reader, text: vec![0; BUFFER], ends: vec![0; 64], count: 0, skipped: 0 }
    }

    /// Splits the latest line, and the next ones if they belong to a field in quotes.
    pub(super) fn split(&mut self, lines: &mut Lines<'_>) -> Result<(), Error> {
        if self.separator == Separator::WhiteSpace {
            self.split_words(&lines.text);
            return Ok(());
        }
        let first = lines.number;
        let (mut read, mut written, mut ended) = (0, 0, 0);
        loop {
            let (result, input, output, ends) =
                self.reader.read_record(&lines.text[read..], &mut self.text[written..], &mut self.ends[ended..]);
            (read, written, ended) = (read + input, written + output, ended + ends);
            match result {
                csv_core::ReadRecordResult::Record | csv_core::ReadRecordResult::End => break,
                csv_core::ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                csv_core::ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                csv_core::ReadRecordResult::InputEmpty => {
                    if written > MAX_LINE || !lines.next()? {
                        lines.number = first;
                        return Err(lines.error("a quotation mark in this line has no end".to_owned()));
                    }
                    read = 0;
                }
            }
        }
        lines.number = first;
        self.count = ended;
        Ok(())
    }

    fn split_words(&mut self, line: &[u8]) {
        self.text.clear();
        self.ends.clear();
        for word in words(line) {
            self.text.extend_from_slice(word);
            self.ends.push(self.text.len());
        }
        self.count = self.ends.len();
    }

    pub(super) fn count(&self) -> usize {
        self.count.saturating_sub(self.skipped)
    }

    /// A field without the spaces around it; empty past the last one.
    pub(super) fn get(&self, index: usize) -> &[u8] {
        let index = index + self.skipped;
        if index >= self.count {
            return &[];
        }
        let begin = if index == 0 { 0 } else { self.ends[index - 1] };
        self.text[begin..self.ends[index]].trim_ascii()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn utf16(text: &str) -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn utf16_is_decoded_across_blocks() {
        let text = format!("a{}", "😀".repeat(3 * BUFFER));
        let mut decoded = decoded(Cursor::new(utf16(&text))).unwrap();
        let mut found = String::new();
        decoded.read_to_string(&mut found).unwrap();
        assert!(found == text, "{} bytes", found.len());
    }

    #[test]
    fn utf16_without_lines_is_not_read_to_its_end() {
        let read = Cell::new(0);
        let watch = |count| read.set(read.get() + count);
        let input = Cursor::new(utf16("")).chain(io::repeat(b'1').take(64 << 20));
        let mut lines = Lines::new(Watched { input, watch: &watch }, Path::new("f.csv")).unwrap();
        assert!(lines.next().unwrap_err().to_string().contains("longer than"));
        assert!(read.get() < 4 << 20, "{} bytes", read.get());
    }
}
