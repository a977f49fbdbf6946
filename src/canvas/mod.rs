//! From flock to cells: the camera, the rasteriser, and what each cell knows of the boids in it.
//!
//! A cell is two dots wide and four dots high, as a braille character is. A [`Picture`] has layers:
//! cells with their dots, and where the [`View`] asks for them a glow, trails and a heat map. What a
//! layer holds is ready for a colour ramp of 256 entries; which ramp, and which colours, is the
//! viewer's business.

mod aim;
mod blur;
mod bodies;
mod camera;
mod cells;
mod compass;
mod crowd;
mod drift;
mod exposure;
mod guide;
mod heat;
mod lens;
mod map;
mod picture;
mod raster;
mod scenery;
mod settle;
mod shapes;
mod sight_line;
mod sums;
mod trails;
mod view;

pub use aim::{Aim, Follow, MAX_ZOOM};
pub use camera::Camera;
pub use cells::Cells;
pub use guide::Followed;
pub use map::Map;
pub(crate) use picture::bit;
pub use picture::{Cell, Content, DOTS_HIGH, DOTS_WIDE, Glow, Mark, Picture, Thing, Trail, dots_of};
pub use raster::{Canvas, Sight};
pub use sight_line::SightLine;
pub use view::{Body, Format, Layers, View};
