//! From a picture to styled cells, row by row, and the widget of ratatui.

mod cell_painter;
mod glyph_cell;
mod marker;
mod widget;

pub use cell_painter::{CellPainter, Surface, write_char};
pub use glyph_cell::{GlyphCells, GlyphTable, draw_glyph};
pub use marker::{Marker, braille, heading_arrow};
pub use widget::FlockWidget;
