//! What a canvas produces: cells, and the layers above and below them. Headings and shares are bytes, that is, indices into a ramp
//! of 256 entries.

mod cells;

use glam::Vec2;

pub use cells::{Cell, CellGrid, Content};

/// Dots across a cell.
pub const DOTS_WIDE: usize = 2;
/// Dots down a cell.
pub const DOTS_HIGH: usize = 4;

/// The bit of each dot in the low byte of a braille character (U+2800), row by row.
pub(crate) const BITS: [u8; DOTS_WIDE * DOTS_HIGH] = [1 << 0, 1 << 3, 1 << 1, 1 << 4, 1 << 2, 1 << 5, 1 << 6, 1 << 7];

/// The width and height in dots of a canvas of this many cells.
pub fn size_in_dots(columns: usize, rows: usize) -> Vec2 {
    Vec2::new((columns * DOTS_WIDE) as f32, (rows * DOTS_HIGH) as f32)
}

/// The bit of the dot at these canvas coordinates within its braille character.
#[inline]
pub fn bit(x: usize, y: usize) -> u8 {
    BITS[y % DOTS_HIGH * DOTS_WIDE + x % DOTS_WIDE]
}

/// The index of that bit.
#[inline]
pub(crate) fn bit_index(x: usize, y: usize) -> usize {
    bit(x, y).trailing_zeros() as usize
}

/// How a boid is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum BodyStyle {
    /// As a dot.
    #[default]
    Heads,
    /// As a body with wings.
    Shapes,
    /// As one to a few dozen dots: the more, the larger the canvas and the more of its wings is seen.
    #[strum(serialize = "bodies")]
    Birds,
    /// Not at all: a heat map shows the density instead.
    #[strum(serialize = "heat map")]
    Heat,
}

/// The layers of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// How boids are drawn.
    pub body: BodyStyle,
    /// Whether a glow is drawn behind them.
    pub glow: bool,
    /// Whether they leave trails.
    pub trails: bool,
}

impl Layers {
    /// A description for the user.
    pub fn name(self) -> String {
        let trails = if self.trails { " with trails" } else { "" };
        let glow = if self.glow { " over a glow" } else { "" };
        format!("{}{trails}{glow}", self.body)
    }
}

/// The light behind a cell, which shows the density around it and how the boids there move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glow {
    /// Brightness, from 0 (none) to [`LEVELS`](Self::LEVELS). Fades with distance.
    pub level: u8,
    /// Mean heading of the neighborhood, as in [`Cell`], in coarse steps.
    pub heading: u8,
    /// Mean speed of the neighborhood, as in [`Cell`], in coarse steps.
    pub speed: u8,
    /// The most frequent species of the neighborhood.
    pub species: u8,
}

impl Glow {
    /// The brightest level.
    pub const LEVELS: u8 = 24;
}

/// The trails in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The dots on a trail, as the low byte of the braille block.
    pub dots: u8,
    /// The age of the newest dot, from 0 (this tick) to 255 (about to vanish).
    pub age: u8,
    /// The heading of the agent that left it, as in [`Cell`].
    pub heading: u8,
    /// Its speed, as in [`Cell`].
    pub speed: u8,
    /// Its species.
    pub species: u8,
}

/// The kinds of things in the world that are not agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneryKind {
    /// An obstacle.
    Obstacle,
    /// Food.
    Food,
    /// A roost.
    Roost,
    /// The pointer, which attracts or repels boids.
    Pointer,
}

/// The scenery in a cell, below the boids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneryCell {
    /// The dots that are set, as the low byte of the braille block.
    pub dots: u8,
    /// The kind of thing drawn last.
    pub thing: Option<SceneryKind>,
}

/// A map of the whole world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Minimap {
    /// Width in cells; 0 if there is no map.
    pub columns: usize,
    /// Height in cells.
    pub rows: usize,
    /// The dots where boids are, one byte per cell, as the low byte of the braille block.
    pub boids: Vec<u8>,
    /// The dots of the frame around the part in view.
    pub frame: Vec<u8>,
}

/// A mark at the edge of a picture that points to a predator out of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeArrow {
    /// The column of its cell.
    pub column: usize,
    /// The row of its cell.
    pub row: usize,
    /// The direction from the middle of the picture to the predator, as in [`Cell`].
    pub heading: u8,
}

/// A cell with a boid that shows a glyph, which hides what else is in the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedGlyph {
    /// The row of the cell.
    pub row: u16,
    /// The column of the cell.
    pub column: u16,
    /// The index of its perch: the first of two in a cell is shown.
    pub perch: u32,
    /// The number of the glyph.
    pub number: u32,
}

/// A picture of a flock: cells row by row, and further layers with one entry per cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Width in cells.
    pub columns: usize,
    /// Height in cells.
    pub rows: usize,
    /// The layers drawn.
    pub layers: Layers,
    /// The cells, row by row.
    pub cells: CellGrid,
    /// The glow behind each cell, or empty.
    pub glow: Vec<Glow>,
    /// The scenery in each cell; empty if the world has none.
    pub scenery: Vec<SceneryCell>,
    /// The trails in each cell, or empty.
    pub trails: Vec<Trail>,
    /// The density of the upper and lower half of each cell, 0 … 255; empty unless the picture is a heat map.
    pub heat: Vec<[u8; 2]>,
    /// The minimap, when only a part of the world is in view.
    pub map: Minimap,
    /// Arrows to the nearest predators out of view.
    pub arrows: Vec<EdgeArrow>,
    /// Where boids with glyphs are, row by row.
    pub glyphs: Vec<PlacedGlyph>,
    /// Whether boids have glyphs, in view or not.
    pub has_glyphs: bool,
}

impl Picture {
    /// Resizes, and empties every layer.
    pub(super) fn clear(&mut self, columns: usize, rows: usize, layers: Layers) {
        (self.columns, self.rows, self.layers) = (columns, rows, layers);
        self.cells.clear(columns, rows);
        self.glow.clear();
        self.scenery.clear();
        self.trails.clear();
        self.heat.clear();
        (self.map.columns, self.map.rows) = (0, 0);
        self.map.boids.clear();
        self.map.frame.clear();
        self.arrows.clear();
        self.glyphs.clear();
        self.has_glyphs = false;
    }

    /// Copies a smaller picture, without its minimap and glyphs, with its upper left corner at a column and a row.
    pub(super) fn paste(&mut self, part: &Self, column: usize, row: usize) {
        let (columns, cells) = (self.columns, self.columns * self.rows);
        for part_row in 0..part.rows {
            for (part_column, cell) in part.cells.drawn_in(part_row, part.columns) {
                *self.cells.draw((row + part_row) * columns + column + part_column) = *cell;
            }
        }
        let place = |at: usize| (row + at) * columns + column;
        paste_layer(&mut self.glow, &part.glow, part.columns, cells, place);
        paste_layer(&mut self.scenery, &part.scenery, part.columns, cells, place);
        paste_layer(&mut self.trails, &part.trails, part.columns, cells, place);
        paste_layer(&mut self.heat, &part.heat, part.columns, cells, place);
        let arrows = part.arrows.iter();
        self.arrows.extend(arrows.map(|arrow| EdgeArrow {
            column: arrow.column + column,
            row: arrow.row + row,
            ..*arrow
        }));
    }

    /// The glyphs in a row, from left to right.
    pub fn glyphs_in(&self, row: usize) -> &[PlacedGlyph] {
        let start = self.glyphs.partition_point(|cell| usize::from(cell.row) < row);
        let count = self.glyphs[start..].partition_point(|cell| usize::from(cell.row) == row);
        &self.glyphs[start..start + count]
    }

    /// Whether a dot is in the picture, or at most `margin` dots outside.
    #[inline]
    pub(super) fn contains(&self, dot: Vec2, margin: f32) -> bool {
        let size = size_in_dots(self.columns, self.rows);
        dot.x >= -margin && dot.y >= -margin && dot.x < size.x + margin && dot.y < size.y + margin
    }

    /// The index of the cell at a dot, and the dot's bit in it; `None` outside the picture.
    #[inline]
    pub fn locate(&self, dot: Vec2) -> Option<(usize, u8)> {
        if !(dot.x >= 0.0 && dot.y >= 0.0) {
            return None;
        }
        let (x, y) = (dot.x as usize, dot.y as usize);
        let (column, row) = (x / DOTS_WIDE, y / DOTS_HIGH);
        (column < self.columns && row < self.rows).then(|| (row * self.columns + column, bit(x, y)))
    }
}

/// Copies the rows of a layer to where `place` puts them in a layer of `cells` cells.
fn paste_layer<T: Copy + Default>(
    into: &mut Vec<T>,
    part: &[T],
    columns: usize,
    cells: usize,
    place: impl Fn(usize) -> usize,
) {
    if part.is_empty() {
        return;
    }
    into.resize(cells, T::default());
    for (row, from) in part.chunks(columns).enumerate() {
        into[place(row)..][..from.len()].copy_from_slice(from);
    }
}

/// Arc tangent of `a` in 0 … 1, in turns: (π/4 + 0.273 (1 − a)) a, within 0.15 steps of the byte
/// (Rajan, Wang, Inkol & Joyal 2006).
const ARC: (f32, f32) = (0.125, 0.273 / std::f32::consts::TAU);
/// How far a value moves, in steps, before [`follow_step`] shows it. Less would flicker between two steps.
pub(crate) const HYSTERESIS: f32 = 0.75;

/// The direction of a vector as a byte: 0 right, 64 down, 128 left, 192 up; 0 for a zero vector.
#[inline]
pub(crate) fn heading_byte(x: f32, y: f32) -> u8 {
    let (wide, high) = (x.abs(), y.abs());
    let steep = high > wide;
    let (least, most) = if steep { (wide, high) } else { (high, wide) };
    let ratio = if most > 0.0 { least / most } else { 0.0 };
    let eighth = ratio * (ARC.0 + ARC.1 * (1.0 - ratio));
    let quarter = if steep { 0.25 - eighth } else { eighth };
    let half = if x < 0.0 { 0.5 - quarter } else { quarter };
    let turn = if y < 0.0 { 1.0 - half } else { half };
    (truncate(turn * 256.0 + 0.5) & 255) as u8
}

/// A share of 0 … 1 as a byte; values outside are clamped.
#[inline]
pub(crate) fn unit_byte(share: f32) -> u8 {
    truncate((share * 255.0).clamp(0.0, 255.0)) as u8
}

/// The integer part of a number from 0 up to 2²²; unspecified for other numbers. Unlike a saturating cast it
/// vectorizes on every target.
#[inline]
pub(crate) fn truncate(number: f32) -> u32 {
    /// 2²³: from here up to 2²⁴ the lowest bits of an f32 are an integer.
    const SHIFT: f32 = 8_388_608.0;
    let nearest = (number + SHIFT) - SHIFT;
    let truncated = if nearest > number { nearest - 1.0 } else { nearest };
    (truncated + SHIFT).to_bits() & 0x7f_ffff
}

/// Rounds a byte to one of 32 levels, with 0 and 255 among them. More levels look the same, and cost more color
/// changes on the terminal.
#[inline]
pub(crate) fn coarse_level(byte: u8) -> u8 {
    byte & 0xf8 | byte >> 5
}

/// Rounds a byte to one of 16 levels, with 0 and 255 among them: densities change from cell to cell.
#[inline]
pub(crate) fn coarse_density(byte: u8) -> u8 {
    byte & 0xf0 | byte >> 4
}

/// Rounds a heading byte to one of 32 directions.
#[inline]
pub(crate) fn coarse_heading(byte: u8) -> u8 {
    byte.wrapping_add(4) & 0xf8
}

/// Moves `shown` to the step nearest to `value`, unless it is near enough already.
#[inline]
pub(crate) fn follow_step(shown: &mut u8, value: f32) {
    if (value - f32::from(*shown)).abs() > HYSTERESIS {
        *shown = (value + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locates_dots_inside_only() {
        let mut picture = Picture::default();
        picture.clear(3, 2, Layers::default());
        let locate = |x, y| picture.locate(Vec2::new(x, y));
        assert_eq!(locate(0.0, 0.9), Some((0, 0x01)));
        assert_eq!(locate(3.0, 7.5), Some((4, 0x80)));
        assert_eq!(locate(5.9, 3.0), Some((2, 0x80)));
        for (x, y) in [(-0.1, 0.0), (6.0, 0.0), (0.0, 8.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
            assert_eq!(locate(x, y), None, "{x} {y}");
        }
    }

    #[test]
    fn heading_bytes_go_clockwise_from_the_right() {
        for byte in 0..256_i32 {
            let (y, x) = (byte as f32 / 256.0 * std::f32::consts::TAU).sin_cos();
            let error = (i32::from(heading_byte(x * 3.0, y * 3.0)) - byte + 128).rem_euclid(256) - 128;
            assert!(error.abs() <= 1, "{byte} {error}");
        }
        let axes = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| heading_byte(x, y));
        assert_eq!(axes, [0, 64, 128, 192]);
        assert_eq!([heading_byte(0.0, 0.0), heading_byte(1.0, -1e-9)], [0, 0]);
    }

    #[test]
    fn unit_bytes_are_clamped() {
        assert_eq!([-3.0, 0.0, 1.0, 9.0, f32::INFINITY].map(unit_byte), [0, 0, 255, 255, 255]);
    }

    #[test]
    fn truncate_equals_a_cast() {
        let special = [0.0, 0.4, 0.5, 0.999_999_94, 1.0, 1.5, 2.5, 3.5, 799.999_94, 65_535.5, 4_194_303.5];
        for number in special.into_iter().chain((0..100_000).map(|number| number as f32 * 0.137)) {
            assert_eq!(truncate(number), number as u32, "{number}");
        }
    }
}
