//! Cells and dots.

/// Dots across a cell.
pub const DOTS_WIDE: usize = 2;
/// Dots down a cell.
pub const DOTS_HIGH: usize = 4;

/// Who is seen in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Nobody.
    #[default]
    Empty,
    /// Boids.
    Prey,
    /// A predator, which hides the boids behind it.
    Predator,
}

/// One cell of a picture. All but `dots` and `count` are places on a ramp of 256 entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The dots that are set, as the low byte of the braille block (U+2800).
    pub dots: u8,
    /// Who is seen.
    pub content: Content,
    /// How many agents stand in the cell.
    pub count: u16,
    /// Their mean heading, as seen: 0 to the right, 64 down, 128 left, 192 up.
    pub heading: u8,
    /// Their mean speed: 0 the slowest allowed, 255 the fastest.
    pub speed: u8,
    /// How crowded it is here and around: 255 from the 95th percentile of inhabited cells on.
    pub density: u8,
    /// How far away they are: 0 nearest, 255 farthest; 0 in a flat world.
    pub depth: u8,
}

/// A picture of a flock: cells row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// How many cells it is wide.
    pub columns: usize,
    /// How many cells it is high.
    pub rows: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
}

impl Picture {
    /// Becomes an empty picture of this size.
    pub(super) fn clear(&mut self, columns: usize, rows: usize) {
        (self.columns, self.rows) = (columns, rows);
        self.cells.clear();
        self.cells.resize(columns * rows, Cell::default());
    }

    /// The number of the cell that holds a dot, and the dot's bit in it; none outside the picture.
    #[inline]
    pub(super) fn locate(&self, x: f32, y: f32) -> Option<(usize, u8)> {
        if !(x >= 0.0 && y >= 0.0) {
            return None;
        }
        let (x, y) = (x as usize, y as usize);
        let (column, row) = (x / DOTS_WIDE, y / DOTS_HIGH);
        (column < self.columns && row < self.rows)
            .then(|| (row * self.columns + column, bit(x % DOTS_WIDE, y % DOTS_HIGH)))
    }
}

/// The bit of a dot in a braille character: the first six go down two columns, the last two below.
#[inline]
fn bit(x: usize, y: usize) -> u8 {
    const BITS: [[u8; DOTS_HIGH]; DOTS_WIDE] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
    BITS[x][y]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_found_in_their_cells_and_nowhere_else() {
        let mut picture = Picture::default();
        picture.clear(3, 2);
        assert_eq!(picture.locate(0.0, 0.9), Some((0, 0x01)));
        assert_eq!(picture.locate(3.0, 7.5), Some((4, 0x80)));
        assert_eq!(picture.locate(5.9, 3.0), Some((2, 0x80)));
        for (x, y) in [(-0.1, 0.0), (6.0, 0.0), (0.0, 8.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
            assert_eq!(picture.locate(x, y), None, "{x} {y}");
        }
    }
}
