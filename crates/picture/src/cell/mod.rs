//! Cells of a screen: a character or symbol with its colors.

mod cell_row;
mod charset;
mod packed_cell;
mod packed_color;

pub use cell_row::CellRow;
pub use charset::Charset;
pub use packed_cell::{CellAttrs, PackedCell, PackedGlyph};
pub use packed_color::PackedColor;
pub use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns that a symbol takes: 1 or 2.
pub fn symbol_width(symbol: &str) -> u16 {
    symbol.width().clamp(1, 2) as u16
}
