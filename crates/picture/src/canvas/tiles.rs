//! Pictures side by side on one canvas.

use super::picture::Picture;

/// The smallest canvas, in cells, for nine tiles; a smaller one has four.
const NINE_FROM: [usize; 2] = [60, 17];

/// A canvas that is divided into tiles, a cell apart, each with a row for its caption below its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileGrid {
    /// The width of the canvas in cells.
    columns: usize,
    /// Its height in cells.
    rows: usize,
    /// The number of tiles on a side.
    pub side: usize,
}

/// The cells of a tile, with its caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The first column.
    pub column: usize,
    /// The first row.
    pub row: usize,
    /// Width in cells.
    pub columns: usize,
    /// Height in cells; the last row is the caption.
    pub rows: usize,
}

impl TileGrid {
    /// Divides a canvas of this many columns and rows.
    pub fn new(columns: usize, rows: usize) -> Self {
        let side = if columns >= NINE_FROM[0] && rows >= NINE_FROM[1] { 3 } else { 2 };
        Self { columns, rows, side }
    }

    /// The number of tiles: nine or four.
    pub fn count(&self) -> usize {
        self.side * self.side
    }

    /// The tile in the middle; of four tiles the first.
    pub fn middle(&self) -> usize {
        if self.side == 3 { 4 } else { 0 }
    }

    /// A tile, counted row by row.
    pub fn tile(&self, number: usize) -> Tile {
        let part = |length: usize, index: usize| {
            let each = (length + 1).saturating_sub(self.side) / self.side;
            (index * (each + 1), each)
        };
        let (column, columns) = part(self.columns, number % self.side);
        let (row, rows) = part(self.rows, number / self.side);
        Tile { column, row, columns, rows }
    }

    /// The tile at a cell of the canvas.
    pub fn at(&self, column: usize, row: usize) -> Option<usize> {
        (0..self.count()).find(|number| {
            let tile = self.tile(*number);
            (tile.column..tile.column + tile.columns).contains(&column)
                && (tile.row..tile.row + tile.rows).contains(&row)
        })
    }

    /// Shows pictures of tiles with these numbers on one of the whole canvas.
    pub fn compose<'a>(&self, pictures: impl Iterator<Item = (usize, &'a Picture)>, into: &mut Picture) {
        let mut pictures = pictures.peekable();
        let layers = pictures.peek().map(|(_, picture)| picture.layers).unwrap_or_default();
        into.clear(self.columns, self.rows, layers);
        // After a resize, there may be more.
        for (number, picture) in pictures.filter(|(number, _)| *number < self.count()) {
            let Tile { column, row, .. } = self.tile(number);
            into.paste(picture, column, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_fill_canvases_of_any_size_without_overlap() {
        for (width, height) in [(120, 39), (60, 17), (59, 40), (80, 16), (7, 5), (1, 1), (0, 0), (3, 1)] {
            let grid = TileGrid::new(width, height);
            assert_eq!(grid.count(), if width >= 60 && height >= 17 { 9 } else { 4 });
            for number in 0..grid.count() {
                let Tile { column, row, columns, rows } = grid.tile(number);
                assert!(column + columns <= width.max(1) && row + rows <= height.max(1), "{grid:?} {number}");
                let expected = Some(number).filter(|_| columns * rows > 0);
                let (right, bottom) = (column + columns.saturating_sub(1), row + rows.saturating_sub(1));
                assert_eq!((grid.at(column, row), grid.at(right, bottom)), (expected, expected), "{grid:?} {number}");
            }
        }
    }
}
