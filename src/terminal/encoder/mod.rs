//! From cells to bytes: makes the terminal show the wanted screen with as few bytes as possible.
//!
//! [`ScreenEncoder`] keeps two screens, the wanted one and the one that the terminal shows. For each row that differs:
//!
//! 1. `dirty_cells` knows which cells may have changed.
//! 2. `row_plan` drops those whose difference cannot be seen, and groups the rest by pen: changing colors costs more bytes than
//!    moving the cursor. `color_cache` compares colors, and maps those of braille dots to a small palette.
//! 3. `row_writer` writes the groups with the cheapest cursor movements (`cursor`) and pen changes (`pen`).

mod cell_row;
mod color_cache;
mod cursor;
mod dirty_cells;
mod packed_cell;
mod packed_color;
mod pen;
mod row_plan;
mod row_writer;
mod screen_encoder;

pub use cell_row::CellRow;
pub use packed_cell::PackedCell;
pub use packed_color::{PackedColor, Tolerance};
pub use screen_encoder::{FrameOptions, ScreenEncoder};
