//! asciicast v3: what a terminal is told, and when, as asciinema plays it.
//!
//! <https://docs.asciinema.org/manual/asciicast/v3/>

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use serde::Serialize;

use super::clip::timing::ClipTiming;
use crate::config::Rgb;
use crate::export::clip::ClipWriter;
use crate::export::picture::DefaultColors;
use crate::terminal::{Backend, Charset, FrameOptions, Tolerance, xterm};

/// In what time is counted: so many a second.
const UNITS: u32 = 1_000_000;
/// What the terminal is told before the first frame.
const BEGIN: &[u8] = b"\x1b[?25l";

/// The first line.
#[derive(Serialize)]
struct Header {
    version: u8,
    term: Term,
    title: String,
}

/// The terminal that it was made for.
#[derive(Serialize)]
struct Term {
    cols: u16,
    rows: u16,
    theme: TermTheme,
}

/// Its colors.
#[derive(Serialize)]
struct TermTheme {
    fg: String,
    bg: String,
    palette: String,
}

impl TermTheme {
    fn of(ground: DefaultColors) -> Self {
        let named: Vec<String> = (0..16).map(|index| hex(xterm(index))).collect();
        Self { fg: hex(ground.text), bg: hex(ground.background), palette: named.join(":") }
    }
}

/// An asciicast that is being written.
pub struct CastWriter<W: Write> {
    backend: Backend,
    rows: u16,
    bytes: Vec<u8>,
    out: W,
}

impl<W: Write> CastWriter<W> {
    /// Begins one for a terminal of so many columns and rows.
    pub fn begin(title: String, ground: DefaultColors, (cols, rows): (u16, u16), mut out: W) -> io::Result<Self> {
        let theme = TermTheme::of(ground);
        line(&mut out, &Header { version: 3, term: Term { cols, rows, theme }, title })?;
        let backend = Backend::new(Size::new(cols, rows), Charset::Unicode);
        Ok(Self { backend, rows, bytes: BEGIN.to_vec(), out })
    }

    /// Writes what has been gathered, so long after what came before.
    fn tell(&mut self, code: &str, wait: u64) -> io::Result<()> {
        let text = std::str::from_utf8(&self.bytes).map_err(io::Error::other)?;
        line(&mut self.out, &(wait as f64 / f64::from(UNITS), code, text))?;
        self.bytes.clear();
        Ok(())
    }
}

impl<W: Write> ClipWriter for CastWriter<W> {
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()> {
        self.backend.paste(screen, screen.area);
        let framing = FrameOptions {
            budget: usize::MAX,
            tolerance: Tolerance::UNSEEN,
            exact_background: true,
            synchronized: true,
            ack_row: None,
        };
        self.backend.encode(framing, &mut self.bytes);
        self.tell("o", frame.checked_sub(1).map_or(0, |before| timing.lasts(before, UNITS)))
    }

    fn finish(mut self, timing: ClipTiming) -> io::Result<()> {
        // Who plays it in a terminal goes on below.
        write!(self.bytes, "\x1b[m\x1b[{};1H\x1b[?25h", self.rows)?;
        self.tell("o", timing.lasts(timing.frames() - 1, UNITS))?;
        self.bytes.extend_from_slice(b"0");
        self.tell("x", 0)
    }
}

fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

fn hex(color: Rgb) -> String {
    format!("#{color:x}")
}
