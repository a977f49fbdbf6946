//! A screen as plain text: no colors, no escapes.

use std::io::{self, Write};

use ratatui::buffer::Buffer;

use super::picture::page::covered_cells;

/// Writes a screen, a line for each row, without the blanks at their ends.
pub fn write(screen: &Buffer, out: &mut impl Write) -> io::Result<()> {
    for row in screen.content.chunks_exact(usize::from(screen.area.width).max(1)) {
        let symbols = row.iter().zip(covered_cells(row)).filter(|(_, covered_cells)| !covered_cells);
        let line: String = symbols.map(|(cell, _)| cell.symbol()).collect();
        writeln!(out, "{}", line.trim_end_matches([' ', '\u{2800}']))?;
    }
    Ok(())
}
