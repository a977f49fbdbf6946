//! Where a flock is drawn: thousands of cells, each frame.

use ratatui::buffer::Buffer;

use crate::wire::{Backend, Patch};

/// Something that takes cells.
pub trait Surface {
    /// Draws cells side by side, from a column on; what is outside is left out.
    fn put(&mut self, column: u16, row: u16, patches: &[Patch]);
}

/// The wire itself: ratatui's buffer would be compared cell by cell a second time.
impl Surface for Backend {
    #[inline]
    fn put(&mut self, column: u16, row: u16, patches: &[Patch]) {
        Self::put(self, column, row, patches);
    }
}

/// ratatui's buffer, for pictures that go into files.
impl Surface for Buffer {
    #[inline]
    fn put(&mut self, column: u16, row: u16, patches: &[Patch]) {
        for (column, patch) in (column..).zip(patches) {
            if let Some(cell) = self.cell_mut((column, row)) {
                cell.set_char(patch.sign);
                (cell.fg, cell.bg, cell.modifier) = (patch.fg.into(), patch.bg.into(), patch.modifier);
            }
        }
    }
}
