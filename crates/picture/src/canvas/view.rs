//! The views a user can choose, the layers each one draws, and the format of a canvas.

use super::camera::controller::Aim;
use super::picture::{BodyStyle, DOTS_HIGH, DOTS_WIDE, Layers, size_in_dots};

/// `auto` draws trails for fewer boids than this.
const TRAILS_BELOW: usize = 1000;
/// `auto` draws bodies of a few dots from this many dots per boid on.
const DOTS_FOR_BIRDS: usize = 12;
/// `auto` draws winged bodies from this many dots per boid on.
const DOTS_FOR_SHAPES: usize = 90;
/// `auto` draws birds up to this number: each is drawn on its own.
const MOST_BIRDS: usize = 20_000;

/// A way to draw the flock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum View {
    /// Chosen by the number of boids and the size of the canvas.
    #[default]
    Auto,
    /// One dot per boid.
    Heads,
    /// Dots with trails.
    Trails,
    /// Dots over a glow that shows the density.
    Glow,
    /// A heat map of the density.
    Heat,
    /// Small bodies that flap their wings.
    Shapes,
}

impl View {
    /// Every view.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Heads, Self::Trails, Self::Glow, Self::Heat, Self::Shapes];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it shows, in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Auto => "The best view for the number of boids and the size of the screen.",
            Self::Heads => "Each boid as a dot.",
            Self::Trails => "Dots with fading trails.",
            Self::Glow => "Dots over a light whose brightness is density and whose hue is direction.",
            Self::Heat => "Density as a heat map, two samples per cell.",
            Self::Shapes => "Small bodies with beating wings.",
        }
    }

    /// The next view; after the last the first.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The previous view; before the first the last.
    #[must_use]
    pub fn previous(self) -> Self {
        Self::ALL[(self as usize + Self::ALL.len() - 1) % Self::ALL.len()]
    }

    /// The layers it draws for this many boids in `dim` dimensions on a canvas of this many cells.
    pub fn layers(self, boids: usize, dim: usize, columns: usize, rows: usize) -> Layers {
        let plain = Layers::default();
        match self {
            Self::Auto => automatic_layers(boids, dim, columns * DOTS_WIDE * rows * DOTS_HIGH),
            Self::Heads => plain,
            Self::Trails => Layers { trails: true, ..plain },
            Self::Glow => Layers { glow: true, ..plain },
            Self::Heat => Layers { body: BodyStyle::Heat, ..plain },
            Self::Shapes => Layers { body: BodyStyle::Shapes, ..plain },
        }
    }
}

/// The size of a canvas, what it draws, and where the camera looks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct CanvasFormat {
    /// Width in cells.
    pub columns: usize,
    /// Height in cells.
    pub rows: usize,
    /// The view.
    pub view: View,
    /// Leaves out the glow of any view, for terminals with few colors.
    pub no_glow: bool,
    /// Leaves out the trails of any view.
    pub no_trails: bool,
    /// Computes [`Cell::density`](super::Cell::density) even without a glow.
    pub densities: bool,
    /// Where the camera looks.
    pub aim: Aim,
    /// Draws a minimap when only a part of the world is in view.
    pub map: bool,
    /// Height of a dot relative to its width: 1 if a cell is twice as high as wide.
    pub dot_height: f32,
    /// Draws predators as sharks instead of falcons.
    pub water: bool,
}

impl CanvasFormat {
    /// The layers drawn for this many boids in view.
    pub fn layers(&self, boids: usize, dim: usize) -> Layers {
        let layers = self.view.layers(boids, dim, self.columns, self.rows);
        Layers { glow: layers.glow && !self.no_glow, trails: layers.trails && !self.no_trails, ..layers }
    }

    /// Width divided by height, as seen on screen.
    pub fn aspect_ratio(&self) -> f32 {
        let dots = size_in_dots(self.columns.max(1), self.rows.max(1));
        dots.x / (dots.y * self.dot_height)
    }
}

/// No cells, with dots as high as wide.
impl Default for CanvasFormat {
    fn default() -> Self {
        let (view, aim) = (View::default(), Aim::default());
        Self {
            columns: 0,
            rows: 0,
            view,
            no_glow: false,
            no_trails: false,
            densities: true,
            aim,
            map: false,
            dot_height: 1.0,
            water: false,
        }
    }
}

/// The layers of [`View::Auto`].
fn automatic_layers(boids: usize, dim: usize, dots: usize) -> Layers {
    let dots_per_boid = dots / boids.max(1);
    let body = match dots_per_boid {
        0 => return Layers { body: BodyStyle::Heat, ..Layers::default() },
        _ if dim == 3 && boids <= MOST_BIRDS => BodyStyle::Birds,
        DOTS_FOR_SHAPES.. => BodyStyle::Shapes,
        DOTS_FOR_BIRDS.. if boids <= MOST_BIRDS => BodyStyle::Birds,
        _ => BodyStyle::Heads,
    };
    let trails = boids < TRAILS_BELOW;
    Layers { body, glow: true, trails }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_follows_the_dots_per_boid() {
        let name = |boids| View::Auto.layers(boids, 2, 200, 50).name(); // 80,000 dots
        assert_eq!(name(50), "shapes with trails over a glow");
        assert_eq!(name(999), "bodies with trails over a glow");
        assert_eq!(name(1000), "bodies over a glow");
        assert_eq!([name(2200), name(6666)], ["bodies over a glow"; 2]);
        assert_eq!([name(6700), name(80_000)], ["heads over a glow"; 2]);
        assert_eq!(name(80_001), "heat map");
        assert_eq!(View::Auto.layers(0, 2, 0, 0).name(), "heat map");
    }

    #[test]
    fn auto_draws_bodies_in_three_dimensions() {
        let name = |boids| View::Auto.layers(boids, 3, 200, 50).name();
        assert_eq!([name(50), name(3000)], ["bodies with trails over a glow", "bodies over a glow"]);
        assert_eq!([name(30_000), name(90_000)], ["heads over a glow", "heat map"]);
        assert_eq!(View::Auto.layers(3000, 3, 400, 120).name(), "bodies over a glow");
        assert_eq!(View::Auto.layers(3000, 3, 54, 23).name(), "bodies over a glow");
    }

    #[test]
    fn next_cycles_through_all_views() {
        assert_eq!(View::ALL.iter().fold(View::Auto, |view, _| view.next()), View::Auto);
        assert!(View::ALL.iter().all(|view| view.next().previous() == *view));
    }
}
