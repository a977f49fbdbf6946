//! A screen as plain text.

use std::io::{self, Write};

use ratatui::buffer::{Buffer, Cell};

use super::picture::visible_cells;

/// Writes one line per row, without trailing blanks.
pub fn write(screen: &Buffer, out: &mut impl Write) -> io::Result<()> {
    for row in screen.content.chunks_exact(usize::from(screen.area.width).max(1)) {
        let line: String = visible_cells(row).map(Cell::symbol).collect();
        writeln!(out, "{}", line.trim_end_matches([' ', '\u{2800}']))?;
    }
    Ok(())
}
