//! How many cells the terminal takes for the characters that the viewer draws.

use super::events::Reply;

/// Characters whose widths are measured: of braille, of octants, and of each kind that is of ambiguous width: lines, arrows, marks and blocks.
const MEASURED: [char; 6] = ['\u{283f}', '\u{1cd00}', '─', '→', '●', '▀'];

/// Which characters take one cell each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Widths {
    pub braille: bool,
    pub octants: bool,
    pub ambiguous: bool,
}

/// A request for the widths of characters that has not been replied to.
#[derive(Debug)]
pub(crate) struct WidthQuery {
    /// How many acknowledgements of frames the terminal sends first.
    earlier: usize,
    /// The columns of the cursor behind the measured characters, as they are reported.
    columns: Vec<u16>,
}

impl WidthQuery {
    /// A request that follows frames in flight.
    pub(crate) fn after(frames: usize) -> Self {
        Self { earlier: frames, columns: Vec::new() }
    }

    /// Skips the acknowledgement of a frame that was sent before the request. Returns whether the reply is one.
    pub(crate) fn skip_earlier(&mut self, reply: Reply) -> bool {
        let is_earlier = self.earlier > 0 && matches!(reply, Reply::CursorRow(_));
        self.earlier = if is_earlier { self.earlier - 1 } else { 0 };
        is_earlier
    }

    /// Shows each character behind a blank, requests the position of the cursor, and erases the row. A report from row 1 could be a key, and one
    /// from column 1 the acknowledgement of a frame.
    pub(crate) fn request() -> Vec<u8> {
        let shown = MEASURED.map(|char| format!("\r {char}\x1b[6n")).concat();
        format!("\x1b[2H{shown}\r\x1b[2K").into_bytes()
    }

    /// Adds a report of the cursor. Returns the widths with the last one. If something like a multiplexer reports the first column in the
    /// terminal's place, all count as one cell.
    pub(crate) fn report(&mut self, reply: Reply) -> Option<Widths> {
        self.columns.push(if let Reply::CursorColumn(column) = reply { column } else { 0 });
        let columns: [u16; MEASURED.len()] = self.columns[..].try_into().ok()?;
        let is_unknown = columns.contains(&0);
        let [braille, octants, ambiguous @ ..] = columns.map(|column| is_unknown || column == 2);
        Some(Widths { braille, octants, ambiguous: ambiguous.iter().all(|is_narrow| *is_narrow) })
    }
}
