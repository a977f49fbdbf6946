//! A drawn screen as shapes or pixels, shared by the picture and clip formats.

pub(super) mod font;
mod format;
pub(super) mod glyph;
mod raster;
mod screen;
#[cfg(test)]
mod tests;

pub use format::PictureFormat;
pub use raster::Raster;
pub use screen::{DefaultColors, ResolvedScreen};
pub(super) use screen::{ResolvedCell, mix, visible_cells};
