//! Where a flock is drawn: thousands of cells, each frame.

use ratatui::buffer::Buffer;

use crate::terminal::{CellRow, ScreenEncoder};

/// Something that takes cells.
pub trait Surface {
    /// Draws a line, from a column on; what is outside is left out.
    fn draw_row(&mut self, column: u16, row: u16, line: &CellRow);
}

/// The wire itself: ratatui's buffer would be compared cell by cell a second time.
impl Surface for ScreenEncoder {
    #[inline]
    fn draw_row(&mut self, column: u16, row: u16, line: &CellRow) {
        Self::draw_row(self, column, row, line);
    }
}

/// ratatui's buffer, for pictures that go into files.
impl Surface for Buffer {
    #[inline]
    fn draw_row(&mut self, column: u16, row: u16, line: &CellRow) {
        for (column, ink) in (column..).zip(line.cells()) {
            if let Some(cell) = self.cell_mut((column, row)) {
                cell.bg = ink.bg().into();
                if let Some(sign) = ink.char() {
                    cell.set_char(sign);
                    (cell.fg, cell.modifier) = (ink.fg().into(), ink.modifier());
                }
            }
        }
    }
}
