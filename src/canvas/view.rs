//! What is drawn: the views that can be asked for, and the layers that each is made of.

use super::camera::aim::Aim;
use super::picture::{DOTS_HIGH, DOTS_WIDE};

/// Fewer boids than this leave trails, where nobody asks for another view.
const TRAILS_BELOW: usize = 1000;
/// From so many dots of the canvas for each boid on, bodies are more than a dot.
const DOTS_FOR_SHAPES: usize = 90;
/// The same from which on a glow would be a spot around each boid, and no picture of the crowd.
const DOTS_FOR_GLOW: usize = 60;

/// What can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// What suits the number of boids and the size of the canvas.
    #[default]
    Auto,
    /// Each boid a dot.
    Heads,
    /// Dots, and where they have been.
    Trails,
    /// Dots over a glow that tells how crowded it is.
    Glow,
    /// How crowded it is, alone.
    Heat,
    /// Small bodies that beat their wings.
    Shapes,
}

impl View {
    /// Every view.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Heads, Self::Trails, Self::Glow, Self::Heat, Self::Shapes];

    /// The word for it on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Heads => "heads",
            Self::Trails => "trails",
            Self::Glow => "glow",
            Self::Heat => "heat",
            Self::Shapes => "shapes",
        }
    }

    /// The next one, around.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The layers that it is made of for so many boids on a canvas of this many cells.
    #[must_use]
    pub fn layers(self, boids: usize, columns: usize, rows: usize) -> Layers {
        let plain = Layers::default();
        match self {
            Self::Auto => Layers::fitting(boids, columns * DOTS_WIDE * rows * DOTS_HIGH),
            Self::Heads => plain,
            Self::Trails => Layers { trails: true, ..plain },
            Self::Glow => Layers { glow: true, ..plain },
            Self::Heat => Layers { body: BodyStyle::Heat, ..plain },
            Self::Shapes => Layers { body: BodyStyle::Shapes, ..plain },
        }
    }
}

/// What stands for a boid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyStyle {
    /// A dot.
    #[default]
    Heads,
    /// A body with wings.
    Shapes,
    /// Nothing: only how many there are is shown.
    Heat,
}

/// The layers of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// What stands for each boid.
    pub body: BodyStyle,
    /// Whether there is a glow under them.
    pub glow: bool,
    /// Whether they leave trails.
    pub trails: bool,
}

impl Layers {
    /// What suits so many boids on so many dots.
    fn fitting(boids: usize, dots: usize) -> Self {
        let room = dots / boids.max(1);
        let body = match room {
            0 => BodyStyle::Heat,
            _ if room >= DOTS_FOR_SHAPES => BodyStyle::Shapes,
            _ => BodyStyle::Heads,
        };
        Self {
            body,
            glow: body != BodyStyle::Heat && room < DOTS_FOR_GLOW,
            trails: body != BodyStyle::Heat && boids < TRAILS_BELOW,
        }
    }

    /// What is seen, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.body, self.glow, self.trails) {
            (BodyStyle::Heat, ..) => "heat map",
            (BodyStyle::Heads, false, false) => "heads",
            (BodyStyle::Heads, true, false) => "heads over a glow",
            (BodyStyle::Heads, false, true) => "heads with trails",
            (BodyStyle::Heads, true, true) => "heads with trails over a glow",
            (BodyStyle::Shapes, false, false) => "shapes",
            (BodyStyle::Shapes, true, false) => "shapes over a glow",
            (BodyStyle::Shapes, false, true) => "shapes with trails",
            (BodyStyle::Shapes, true, true) => "shapes with trails over a glow",
        }
    }
}

/// What a canvas is asked for: its size in cells, what is drawn, and where it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CanvasFormat {
    /// How many cells it is wide.
    pub columns: usize,
    /// How many cells it is high.
    pub rows: usize,
    /// What is drawn.
    pub view: View,
    /// Whether nothing is to glow, whatever is drawn: of few colors nobody would see it.
    pub no_glow: bool,
    /// Whether cells are to tell how crowded they are, glow or not.
    pub densities: bool,
    /// Where it looks.
    pub aim: Aim,
    /// Whether there is to be a map where not all of the world is in view.
    pub map: bool,
    /// How many times as high as wide a dot is: 1 where a cell is twice as high as wide.
    pub dot_height: f32,
}

impl CanvasFormat {
    /// The layers that are drawn of so many boids.
    pub(crate) fn layers(&self, boids: usize) -> Layers {
        let layers = self.view.layers(boids, self.columns, self.rows);
        Layers { glow: layers.glow && !self.no_glow, ..layers }
    }

    /// How wide the canvas is for its height, as it is seen.
    #[must_use]
    pub fn aspect_ratio(&self) -> f32 {
        (self.columns.max(1) * DOTS_WIDE) as f32 / ((self.rows.max(1) * DOTS_HIGH) as f32 * self.dot_height)
    }
}

/// No cells at all, of the common proportions.
impl Default for CanvasFormat {
    fn default() -> Self {
        let (view, aim) = (View::default(), Aim::default());
        Self { columns: 0, rows: 0, view, no_glow: false, densities: false, aim, map: false, dot_height: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_that_suits_follows_the_crowd() {
        let layers = |boids| View::Auto.layers(boids, 200, 50); // 80,000 dots
        assert_eq!(layers(50).name(), "shapes with trails");
        assert_eq!(layers(999).name(), "heads with trails");
        assert_eq!(layers(1000).name(), "heads");
        assert_eq!(layers(2200).name(), "heads over a glow");
        assert_eq!(layers(80_000).name(), "heads over a glow");
        assert_eq!(layers(80_001).name(), "heat map");
        assert_eq!(View::Auto.layers(0, 0, 0).name(), "heat map");
    }

    #[test]
    fn views_go_around() {
        let mut view = View::Auto;
        (0..6).for_each(|_| view = view.next());
        assert_eq!(view, View::Auto);
    }
}
