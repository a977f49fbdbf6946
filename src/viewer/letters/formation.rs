//! The formation of a text: where boids perch for it, and when they have to be called again.

use std::sync::Arc;

use glam::Vec2;
use ratatui::buffer::Cell;
use ratatui::layout::Size;

use crate::engine::Frame;
use crate::error::is_unprintable;
use crate::picture::{Camera, DOTS_HIGH, DOTS_WIDE, GlyphTable};
use crate::sim::{Edge, Formation, Params, Perch, Setup, Shelter, World};
use crate::viewer::context::Context;
use crate::viewer::lettering::{LetteringArea, LetteringError, lay_out};
use crate::viewer::piped_text::PipedText;

/// The circumstances of a call. If they change, boids are called again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Circumstances {
    pub(super) run: u64,
    pub(super) loaded: Option<Arc<Setup>>,
    world: World,
    canvas: Size,
    dot_height: f32,
}

impl Circumstances {
    pub(super) fn of(context: &Context) -> Self {
        let frame = context.client.frame();
        Self {
            run: frame.run.number,
            loaded: frame.run.loaded.clone(),
            world: frame.world,
            canvas: context.display.canvas(),
            dot_height: context.display.dot_height(),
        }
    }
}

/// Whether the latest frame shows the end of the session, after all requests and on a canvas of the current size.
pub(super) fn is_steady(context: &Context) -> bool {
    let (frame, controls) = (context.client.frame(), context.client.controls());
    let is_at_end = frame.position.seeking.is_none() && !frame.position.is_past() && !controls.backward;
    let is_morphing = controls.current_params != controls.setup.params || controls.setup.world != frame.world;
    let canvas = Size::new(frame.picture.columns as u16, frame.picture.rows as u16);
    context.client.is_settled() && is_at_end && !is_morphing && canvas == context.display.canvas()
}

/// How far around a text predators keep off, as a share of the canvas's width: half a predator.
const MARGIN: f32 = 0.07;

/// The perches of a text, whose emoji and the like join the glyphs, as large as fits a picture of a flock. In 3-D they are in the plane through the middle of the view.
/// Predators keep off for `calm` ticks after the call, and after each strike.
///
/// # Errors
///
/// If the text does not fit the canvas.
pub fn form(text: &str, frame: &Frame, calm: f32, glyphs: &GlyphTable) -> Result<Formation, LetteringError> {
    let Frame { picture, camera, view_info, boids, .. } = frame;
    let text: String = text.chars().filter(|char| char.is_whitespace() || !is_unprintable(*char)).collect();
    let lettering = lay_out(&text, LetteringArea::within_margins(picture.columns, picture.rows), *boids)?;
    let perches = lettering.points.into_iter().map(|point| Perch {
        at: camera.ray(Vec2::from_array(point.at)).origin,
        number: point.grapheme.map(|text| glyphs.number(Cell::default().set_symbol(&text))),
    });
    let margin = MARGIN * (picture.columns * DOTS_WIDE) as f32;
    let [corner, size] = [lettering.area.corner, lettering.area.size].map(|[x, y]| Vec2::new(x as f32, y as f32));
    let (area, eye) = camera.rectangle(corner - margin, size + 2.0 * margin);
    let shelter = Some(Shelter { area, eye, calm });
    Ok(Formation { perches: perches.collect(), plane: Some(camera.plane(view_info.zoom)), shelter })
}

/// The perches of a text from standard input, in front of a camera with this zoom, in the middle of the same cells of its canvas. Those
/// outside the canvas are out of view; those beyond the border of a periodic world are left out.
pub(super) fn perches_of(
    text: &PipedText,
    glyphs: &GlyphTable,
    camera: &Camera,
    zoom: f32,
    world: &World,
    params: &Params,
) -> Formation {
    let middle = Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32) * 0.5;
    let mut perches: Vec<Perch> = Vec::with_capacity(text.cells.len());
    for cell in &text.cells {
        let corner = Vec2::new(f32::from(cell.column) * DOTS_WIDE as f32, f32::from(cell.row) * DOTS_HIGH as f32);
        let at = camera.ray(corner + middle).origin;
        let (origin, size) = (world.origin(), world.size());
        let is_inside = (0..world.dim()).all(|axis| (0.0..size[axis]).contains(&(at[axis] - origin[axis])));
        if is_inside || params.edge.mode != Edge::Wrap {
            perches.push(Perch { at, number: Some(glyphs.number(&cell.glyph)) });
        }
    }
    Formation { perches, plane: Some(camera.plane(zoom)), shelter: None }
}
