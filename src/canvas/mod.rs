//! From flock to cells: the camera, the rasteriser, and what each cell knows of the boids in it.
//!
//! A cell is two dots wide and four dots high, as a braille character is. A [`Picture`] has layers:
//! cells with their dots, and where the [`View`] asks for them a glow, trails and a heat map. What a
//! layer holds is ready for a color ramp of 256 entries; which ramp, and which colors, is the
//! viewer's business.

pub(crate) mod camera;
pub(crate) mod layers;
pub(crate) mod picture;
pub(crate) mod raster;
pub(crate) mod renderer;
pub(crate) mod smoothing;
pub(crate) mod view;

pub use camera::Camera;
pub use camera::aim::{Aim, Follow, MAX_ZOOM};
pub use camera::controller::Followed;
pub use camera::ray::Ray;
pub use layers::minimap::Minimap;
pub(crate) use picture::bit;
pub use picture::cells::CellGrid;
pub use picture::{Cell, Content, DOTS_HIGH, DOTS_WIDE, Glow, Picture, SceneryCell, SceneryKind, Trail, size_in_dots};
pub use renderer::{Canvas, ViewInfo};
pub use view::{BodyStyle, CanvasFormat, Layers, View};
