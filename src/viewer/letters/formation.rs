//! From a text to the perches that form it, in front of a camera.

use glam::Vec2;
use unicode_width::UnicodeWidthStr;

use crate::canvas::{Camera, DOTS_HIGH, DOTS_WIDE, LetteringArea, LetteringError, lay_out};
use crate::engine::Frame;
use crate::sim::{Edge, Formation, Glyph, GlyphColor, Params, Perch, World};
use crate::viewer::piped_text::PipedText;

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

/// The perches of a text from standard input, in front of a camera with this zoom, in the middle of the same cells of its canvas. Those
/// outside the canvas are out of view; those beyond the border of a periodic world are left out.
pub(super) fn perches_of(
    text: &PipedText,
    (camera, zoom): (&Camera, f32),
    (world, params): (&World, &Params),
) -> Formation {
    let middle = Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32) * 0.5;
    let perches = text.cells.iter().map(|cell| {
        let corner = Vec2::new(f32::from(cell.column) * DOTS_WIDE as f32, f32::from(cell.row) * DOTS_HIGH as f32);
        Perch { at: camera.ray(corner + middle).origin, glyph: Some(cell.glyph.clone()) }
    });
    let is_inside = |perch: &Perch| {
        let (origin, size) = (world.origin(), world.size());
        (0..world.dim()).all(|axis| (0.0..size[axis]).contains(&(perch.at[axis] - origin[axis])))
    };
    let perches = perches.filter(|perch| params.edge.mode != Edge::Wrap || is_inside(perch));
    Formation { perches: perches.collect(), plane: Some(camera.plane(zoom)) }
}

fn plain_glyph(text: String) -> Glyph {
    let width = text.width().clamp(1, 2) as u8;
    Glyph { text, width, foreground: GlyphColor::Default, background: GlyphColor::Default, attributes: 0 }
}
