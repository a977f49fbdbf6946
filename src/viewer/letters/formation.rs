//! From a text to the perches that form it, in front of a camera.

use glam::Vec2;

use crate::canvas::{Camera, Canvas, LetteringArea, LetteringError, Picture, lay_out};
use crate::sim::{Flock, Formation, Glyph, GlyphColor, Perch};
use unicode_width::UnicodeWidthStr;

/// The perches of a text as large as fits a canvas of this many columns and rows, for at most so many boids. In 3-D they are in the
/// plane through the middle of the view.
///
/// # Errors
///
/// If the text does not fit the canvas.
pub fn form(
    text: &str,
    camera: &Camera,
    (columns, rows): (usize, usize),
    boids: usize,
) -> Result<Formation, LetteringError> {
    let lettering = lay_out(text, LetteringArea::within_margins(columns, rows), boids)?;
    let perches = lettering.points.into_iter().map(|point| Perch {
        at: camera.ray(Vec2::from_array(point.at)).origin,
        glyph: point.grapheme.map(plain_glyph),
    });
    Ok(Formation { perches: perches.collect(), plane: camera.plane() })
}

/// The same, in front of the camera of a canvas that has not been drawn yet.
///
/// # Errors
///
/// As [`form`].
pub fn formation_of(text: &str, flock: &Flock, canvas: &mut Canvas) -> Result<Formation, LetteringError> {
    let mut picture = Picture::default();
    canvas.draw(flock, &mut picture);
    form(text, &canvas.camera(), (picture.columns, picture.rows), flock.boids())
}

fn plain_glyph(text: String) -> Glyph {
    let width = text.width().clamp(1, 2) as u8;
    Glyph { text, width, foreground: GlyphColor::Default, background: GlyphColor::Default, attributes: 0 }
}
