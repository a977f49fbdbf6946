//! From a text to the perches that form it, in front of a camera.

use glam::Vec2;
use unicode_width::UnicodeWidthStr;

use crate::canvas::{LetteringArea, LetteringError, lay_out};
use crate::engine::Frame;
use crate::sim::{Formation, Glyph, GlyphColor, Perch};

/// The perches of a text as large as fits a picture of a flock. In 3-D they are in the plane through the middle of the view.
///
/// # Errors
///
/// If the text does not fit the canvas.
pub fn form(text: &str, frame: &Frame) -> Result<Formation, LetteringError> {
    let Frame { picture, camera, view_info, boids, .. } = frame;
    let lettering = lay_out(text, LetteringArea::within_margins(picture.columns, picture.rows), *boids)?;
    let perches = lettering.points.into_iter().map(|point| Perch {
        at: camera.ray(Vec2::from_array(point.at)).origin,
        glyph: point.grapheme.map(plain_glyph),
    });
    Ok(Formation { perches: perches.collect(), plane: Some(camera.plane(view_info.zoom)) })
}

fn plain_glyph(text: String) -> Glyph {
    let width = text.width().clamp(1, 2) as u8;
    Glyph { text, width, foreground: GlyphColor::Default, background: GlyphColor::Default, attributes: 0 }
}
