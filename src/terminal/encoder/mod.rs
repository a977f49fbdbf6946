//! Encoder.

pub(crate) mod backend;
pub(crate) mod byte_buffer;
pub(crate) mod cell_row;
pub(crate) mod color_distance;
pub(crate) mod cursor;
pub(crate) mod dirty_cells;
pub(crate) mod packed_cell;
pub(crate) mod pen;
pub(crate) mod quantizer;
pub(crate) mod row_plan;
pub(crate) mod row_writer;
pub(crate) mod screen_diff;

pub use backend::{Backend, FrameOptions};
pub use cell_row::CellRow;
pub use color_distance::Tolerance;
pub use packed_cell::{PackedCell, PackedColor};
