//! Text from the embedded font.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};

use super::glyph::CELL_WIDTH;

const REGULAR: &[u8] = include_bytes!("fonts/DejaVuSansMono.ttf");
const BOLD: &[u8] = include_bytes!("fonts/DejaVuSansMono-Bold.ttf");
/// The baseline, in pixels below the upper edge of the cell.
pub const BASELINE: f32 = 16.0;

/// A font scaled to the width of a cell.
pub struct FontFace {
    font: FontRef<'static>,
    scale: PxScale,
}

impl FontFace {
    /// The regular or the bold face.
    ///
    /// # Panics
    ///
    /// If the embedded font is invalid, which a test rules out.
    pub fn new(bold: bool) -> Self {
        let font = FontRef::try_from_slice(if bold { BOLD } else { REGULAR }).expect("the embedded fonts are valid");
        let advance = font.as_scaled(PxScale::from(1000.0)).h_advance(font.glyph_id('0'));
        let scale = PxScale::from(1000.0 * CELL_WIDTH / advance);
        Self { font, scale }
    }

    /// Calls `cover` with the column, row and coverage of each pixel of a character, clipped to the left and upper edge
    /// of the cell.
    pub fn draw(&self, char: char, mut cover: impl FnMut(usize, usize, f32)) {
        let glyph = self.font.glyph_id(char).with_scale_and_position(self.scale, point(0.0, BASELINE));
        let Some(outline) = self.font.outline_glyph(glyph) else { return };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, coverage| {
            let (x, y) = (corner.x + x as f32, corner.y + y as f32);
            if x >= 0.0 && y >= 0.0 {
                cover(x as usize, y as usize, coverage);
            }
        });
    }
}
