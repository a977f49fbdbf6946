//! The letters of pictures, from a font that is built in.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};

use super::glyph::CELL_WIDTH;

const REGULAR: &[u8] = include_bytes!("fonts/DejaVuSansMono.ttf");
const BOLD: &[u8] = include_bytes!("fonts/DejaVuSansMono-Bold.ttf");
/// Where letters stand, in pixels below the cell's upper edge.
pub const BASELINE: f32 = 16.0;

/// One weight of the font, as wide as a cell.
pub struct FontFace {
    font: FontRef<'static>,
    scale: PxScale,
}

impl FontFace {
    /// The letters, or the heavier ones.
    ///
    /// # Panics
    ///
    /// Never: a test reads both.
    pub fn new(bold: bool) -> Self {
        let font = FontRef::try_from_slice(if bold { BOLD } else { REGULAR }).expect("the built-in fonts are right");
        let advance = font.as_scaled(PxScale::from(1000.0)).h_advance(font.glyph_id('0'));
        let scale = PxScale::from(1000.0 * CELL_WIDTH / advance);
        Self { font, scale }
    }

    /// How much of each pixel a letter covers: column, row and share. What is left of the cell or above it is cut off.
    pub fn draw(&self, char: char, mut cover: impl FnMut(usize, usize, f32)) {
        let id = self.font.glyph_id(char);
        let Some(outlined) = self.font.outline_glyph(id.with_scale_and_position(self.scale, point(0.0, BASELINE)))
        else {
            return;
        };
        let corner = outlined.px_bounds().min;
        outlined.draw(|x, y, share| {
            let (x, y) = (corner.x + x as f32, corner.y + y as f32);
            if x >= 0.0 && y >= 0.0 {
                cover(x as usize, y as usize, share);
            }
        });
    }
}
