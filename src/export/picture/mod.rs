//! A drawn screen as pixels or shapes, shared by the picture and clip formats.

pub(crate) mod font;
mod format;
pub(crate) mod glyph;
pub(crate) mod page;
pub(crate) mod raster;
#[cfg(test)]
pub(crate) mod tests;

pub use format::PictureFormat;
pub use page::{DefaultColors, ResolvedScreen};
pub use raster::Raster;
