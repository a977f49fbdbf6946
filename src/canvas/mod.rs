//! Draws a flock into cells.
//!
//! A cell is 2 × 4 dots, like a braille character. A [`Canvas`] projects the flock with a [`Camera`], sums up the
//! boids in each cell, and fills the layers of a [`Picture`] that the [`View`] asks for: cells, glow, trails, heat
//! map, scenery, minimap. Their values index color ramps of 256 entries; the viewer chooses the colors.

mod camera;
mod layers;
mod lettering;
mod picture;
mod projection;
mod raster;
mod renderer;
mod smoothing;
mod tiles;
mod view;

pub use camera::controller::{Aim, Follow, Followed, MAX_ZOOM};
pub use camera::{Camera, Ray, ScreenPoint};
pub(crate) use lettering::{Lettering, LetteringArea, LetteringError, LetteringPoint, lay_out};
pub use picture::{
    BodyStyle, Cell, CellGrid, Content, DOTS_HIGH, DOTS_WIDE, EdgeArrow, Glow, GlyphCell, Layers, Minimap, Picture,
    SceneryCell, SceneryKind, Trail,
};
pub(crate) use picture::{bit, size_in_dots};
pub use renderer::{Canvas, ViewInfo};
pub use tiles::{Tile, TileGrid};
pub use view::{CanvasFormat, View};

/// Replaces the values of a buffer by this many equal ones.
fn refill<T: Clone>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}
