//! Where a flock is drawn: thousands of cells, each frame.

use ratatui::buffer::Buffer;

use crate::wire::{Backend, Ink};

/// Something that takes cells.
pub trait Surface {
    /// Draws cells side by side, from a column on; what is outside is left out.
    fn put(&mut self, column: u16, row: u16, inks: &[Ink]);
}

/// The wire itself: ratatui's buffer would be compared cell by cell a second time.
impl Surface for Backend {
    #[inline]
    fn put(&mut self, column: u16, row: u16, inks: &[Ink]) {
        Self::put(self, column, row, inks);
    }
}

/// ratatui's buffer, for pictures that go into files.
impl Surface for Buffer {
    #[inline]
    fn put(&mut self, column: u16, row: u16, inks: &[Ink]) {
        for (column, ink) in (column..).zip(inks) {
            if let Some(cell) = self.cell_mut((column, row)) {
                cell.bg = ink.bg.into();
                if let Some(sign) = ink.sign() {
                    cell.set_char(sign);
                    (cell.fg, cell.modifier) = (ink.fg.into(), ink.modifier);
                }
            }
        }
    }
}
