//! From flock to cells: the camera, the rasteriser, and what each cell knows of the boids in it.
//!
//! A cell is two dots wide and four dots high, as a braille character is. A [`Picture`] has layers:
//! cells with their dots, and where the [`View`] asks for them a glow, trails and a heat map. What a
//! layer holds is ready for a colour ramp of 256 entries; which ramp, and which colours, is the
//! viewer's business.

mod blur;
mod camera;
mod compass;
mod crowd;
mod exposure;
mod heat;
mod lens;
mod picture;
mod raster;
mod scenery;
mod shapes;
mod sums;
mod trails;
mod view;

pub use camera::Camera;
pub use picture::{Cell, Content, DOTS_HIGH, DOTS_WIDE, Glow, Mark, Picture, Thing, Trail};
pub use raster::Canvas;
pub use view::{Body, Format, Layers, View};
