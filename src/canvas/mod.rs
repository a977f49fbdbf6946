//! From flock to cells: the camera, the rasteriser, and what each cell knows of the boids in it.
//!
//! A cell is two dots wide and four dots high, as a braille character is. What a cell holds is
//! ready for a colour ramp of 256 entries; which ramp, and which colours, is the viewer's business.

mod camera;
mod density;
mod picture;
mod raster;
mod shapes;

pub use camera::Camera;
pub use picture::{Cell, Content, DOTS_HIGH, DOTS_WIDE, Picture};
pub use raster::Canvas;
