//! CellGrid and dots.

pub(crate) mod cells;
pub(crate) mod quantize;

use glam::Vec2;

use super::layers::minimap::Minimap;
use super::view::Layers;
use cells::CellGrid;

/// Dots across a cell.
pub const DOTS_WIDE: usize = 2;
/// Dots down a cell.
pub const DOTS_HIGH: usize = 4;

/// How many dots so many cells have across and down.
#[must_use]
pub fn size_in_dots(columns: usize, rows: usize) -> Vec2 {
    Vec2::new((columns * DOTS_WIDE) as f32, (rows * DOTS_HIGH) as f32)
}

/// Who is seen in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Nobody.
    #[default]
    Empty,
    /// Boids.
    Prey,
    /// A predator, which hides the boids behind it.
    Predator,
}

/// One cell of a picture. `heading` to `depth` are places on a ramp of 256 entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The dots that are set, as the low byte of the braille block (U+2800).
    pub dots: u8,
    /// Who is seen.
    pub content: Content,
    /// How many of those that are seen have their heads in the cell.
    pub count: u16,
    /// Their mean heading, as seen: 0 to the right, 64 down, 128 left, 192 up.
    pub heading: u8,
    /// Their mean speed: 0 the slowest allowed, 255 the fastest.
    pub speed: u8,
    /// How crowded it is here and around: 255 from the 95th percentile of inhabited cells on.
    pub density: u8,
    /// How far away they are: 0 nearest, 255 farthest; 0 in a flat world.
    pub depth: u8,
    /// The species of most of them, counted from 0.
    pub species: u8,
    /// Whether one of them leads.
    pub leads: bool,
    /// How alarmed the most alarmed of them is: 0 is calm, and up to [`ALARMS`](Self::ALARMS).
    pub alarm: u8,
}

impl Cell {
    /// The greatest step of alarm.
    pub const ALARMS: u8 = 3;
}

/// What glows behind a cell: how crowded it is around, in few steps, and how the crowd flies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glow {
    /// How brightly, up to [`LEVELS`](Self::LEVELS); 0 is not at all. Fades with distance.
    pub level: u8,
    /// The mean heading over the neighborhood, as in a [`Cell`], in few steps.
    pub heading: u8,
    /// The mean speed over the neighborhood, as in a [`Cell`], in few steps.
    pub speed: u8,
    /// The species of most around.
    pub species: u8,
}

impl Glow {
    /// The brightest level.
    pub const LEVELS: u8 = 9;
}

/// Where boids have been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The dots where somebody was, as the low byte of the braille block.
    pub dots: u8,
    /// How long ago the last one was there: 0 just now, 255 as long ago as is shown.
    pub age: u8,
    /// The heading of the last one, as in a [`Cell`].
    pub heading: u8,
    /// Its speed, as in a [`Cell`].
    pub speed: u8,
    /// Its species.
    pub species: u8,
}

/// What stands in the world, or is held over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneryKind {
    /// What boids fly around.
    Obstacle,
    /// What they eat.
    Food,
    /// Where they rest.
    Roost,
    /// What draws them near, or drives them off.
    Pointer,
}

/// What a cell shows of a thing, under the boids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneryCell {
    /// The dots that are set, as the low byte of the braille block.
    pub dots: u8,
    /// What it is.
    pub thing: Option<SceneryKind>,
}

/// A picture of a flock: cells row by row, and for each cell what further layers it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// How many cells it is wide.
    pub columns: usize,
    /// How many cells it is high.
    pub rows: usize,
    /// What is seen.
    pub layers: Layers,
    /// The cells, row by row.
    pub cells: CellGrid,
    /// What glows behind each cell; empty where nothing is to.
    pub glow: Vec<Glow>,
    /// What stands in each cell; empty where nothing stands in the world.
    pub scenery: Vec<SceneryCell>,
    /// The trails of each cell; empty where there are none to be.
    pub trails: Vec<Trail>,
    /// How crowded the upper and the lower half of each cell are, 0 … 255, where there is a heat map;
    /// else empty.
    pub heat: Vec<[u8; 2]>,
    /// Where in the world that is, in small, where not all of it is seen.
    pub map: Minimap,
}

impl Picture {
    /// Becomes a picture of this size with these layers, all empty.
    pub(crate) fn clear(&mut self, columns: usize, rows: usize, layers: Layers) {
        (self.columns, self.rows, self.layers) = (columns, rows, layers);
        self.cells.clear(columns, rows);
        self.glow.clear();
        self.scenery.clear();
        self.trails.clear();
        self.heat.clear();
        self.map.clear();
    }

    /// Whether a dot is in the picture, or no farther outside than `margin` dots.
    #[inline]
    pub(crate) fn holds(&self, dot: Vec2, margin: f32) -> bool {
        let size = size_in_dots(self.columns, self.rows);
        dot.x >= -margin && dot.y >= -margin && dot.x < size.x + margin && dot.y < size.y + margin
    }

    /// The number of the cell that holds a dot, and the dot's bit in it; none outside the picture.
    #[inline]
    pub(crate) fn locate(&self, x: f32, y: f32) -> Option<(usize, u8)> {
        if !(x >= 0.0 && y >= 0.0) {
            return None;
        }
        let (x, y) = (x as usize, y as usize);
        let (column, row) = (x / DOTS_WIDE, y / DOTS_HIGH);
        (column < self.columns && row < self.rows).then(|| (row * self.columns + column, bit(x, y)))
    }
}

/// The bits in a braille character of a cell's dots, row by row: the first six go down two columns, the last two
/// below.
pub(crate) const BITS: [u8; DOTS_WIDE * DOTS_HIGH] = [1 << 0, 1 << 3, 1 << 1, 1 << 4, 1 << 2, 1 << 5, 1 << 6, 1 << 7];

/// The number of a dot in a braille character.
#[inline]
pub(crate) fn dot(x: usize, y: usize) -> usize {
    bit(x, y).trailing_zeros() as usize
}

/// The bit of a dot in a braille character.
#[inline]
pub(crate) fn bit(x: usize, y: usize) -> u8 {
    BITS[y % DOTS_HIGH * DOTS_WIDE + x % DOTS_WIDE]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_found_in_their_cells_and_nowhere_else() {
        let mut picture = Picture::default();
        picture.clear(3, 2, Layers::default());
        assert_eq!(picture.locate(0.0, 0.9), Some((0, 0x01)));
        assert_eq!(picture.locate(3.0, 7.5), Some((4, 0x80)));
        assert_eq!(picture.locate(5.9, 3.0), Some((2, 0x80)));
        for (x, y) in [(-0.1, 0.0), (6.0, 0.0), (0.0, 8.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
            assert_eq!(picture.locate(x, y), None, "{x} {y}");
        }
    }
}
