//! A clip as asciicast, for asciinema: <https://docs.asciinema.org/manual/asciicast/v2/> and
//! <https://docs.asciinema.org/manual/asciicast/v3/>.

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use serde_json::json;

use super::clip::{CastVersion, ClipTiming, ClipWriter};
use super::picture::DefaultColors;
use crate::picture::{Charset, Rgb, xterm};
use crate::terminal::{FrameOptions, ScreenEncoder};

/// Time units per second.
const UNITS: u32 = 1_000_000;

/// Writes an asciicast.
pub struct CastWriter<W: Write> {
    version: CastVersion,
    encoder: ScreenEncoder,
    rows: u16,
    /// Time of the last event.
    time: u64,
    /// Terminal output since the last event.
    bytes: Vec<u8>,
    out: W,
}

impl<W: Write> CastWriter<W> {
    /// Starts a recording for a terminal of this size, in columns and rows.
    pub fn begin(version: CastVersion, title: &str, colors: DefaultColors, size: Size, mut out: W) -> io::Result<Self> {
        let Size { width: cols, height: rows } = size;
        let palette: Vec<String> = (0..16).map(|index| hex(xterm(index))).collect();
        let theme = json!({ "fg": hex(colors.text), "bg": hex(colors.background), "palette": palette.join(":") });
        let title = json!(title);
        // The version comes first, as in every other asciicast; `json!` sorts keys by name.
        match version {
            CastVersion::V2 => {
                writeln!(out, r#"{{"version":2,"width":{cols},"height":{rows},"theme":{theme},"title":{title}}}"#)?;
            }
            CastVersion::V3 => {
                let term = json!({ "cols": cols, "rows": rows, "theme": theme });
                writeln!(out, r#"{{"version":3,"term":{term},"title":{title}}}"#)?;
            }
        }
        let encoder = ScreenEncoder::new(size, Charset::Unicode);
        let hide_cursor = b"\x1b[?25l".to_vec();
        Ok(Self { version, encoder, rows, time: 0, bytes: hide_cursor, out })
    }

    /// Writes the collected output as an event, `wait` units after the previous one.
    fn write_event(&mut self, code: &str, wait: u64) -> io::Result<()> {
        let text = std::str::from_utf8(&self.bytes).map_err(io::Error::other)?;
        self.time += wait;
        let time = match self.version {
            CastVersion::V2 => self.time,
            CastVersion::V3 => wait,
        };
        serde_json::to_writer(&mut self.out, &(time as f64 / f64::from(UNITS), code, text))?;
        self.bytes.clear();
        writeln!(self.out)
    }
}

impl<W: Write> ClipWriter for CastWriter<W> {
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()> {
        self.encoder.draw_buffer(screen, screen.area);
        self.encoder.encode(FrameOptions::WHOLE, &mut self.bytes);
        self.write_event("o", frame.checked_sub(1).map_or(0, |previous| timing.duration(previous, UNITS)))
    }

    fn finish(mut self, timing: ClipTiming) -> io::Result<()> {
        // Leave the cursor on the last row for the shell prompt.
        write!(self.bytes, "\x1b[m\x1b[{};1H\x1b[?25h", self.rows)?;
        self.write_event("o", timing.duration(timing.frames - 1, UNITS))?;
        if self.version == CastVersion::V2 {
            return Ok(());
        }
        // Exit status 0.
        self.bytes.extend_from_slice(b"0");
        self.write_event("x", 0)
    }
}

fn hex(color: Rgb) -> String {
    format!("#{color:x}")
}
