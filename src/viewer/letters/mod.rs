//! Letters: a text or the time, which boids form on the canvas until they are let go.

mod clock;
mod text_flight;

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use glam::Vec2;
use unicode_width::UnicodeWidthStr;

use super::actions::Action;
use super::context::Context;
use super::piped_text::PipedText;
use crate::canvas::{
    Camera, Canvas, CanvasFormat, DOTS_HIGH, DOTS_WIDE, LetteringArea, LetteringError, Picture, lay_out,
};
use crate::engine::Frame;
use crate::sim::{Edge, Flock, Formation, Glyph, GlyphColor, Params, Perch, Setup, World};
pub use clock::{ClockFormat, TimeOfDay};
use text_flight::TextFlight;

/// What boids form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A text.
    Text(String),
    /// The local time.
    Clock(ClockFormat),
}

impl Subject {
    fn text(&self, now: SystemTime) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Clock(format) => format.text(TimeOfDay::local(now)),
        }
    }
}

/// The circumstances of a call. If they change, boids are called again.
#[derive(Clone, Debug, PartialEq)]
struct Circumstances {
    run: u64,
    loaded: Option<Arc<Setup>>,
    world: World,
    canvas: (usize, usize),
    dot_height: f32,
}

impl Circumstances {
    fn of(context: &Context) -> Self {
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

/// What boids are to form, and the text and the circumstances of the last call.
#[derive(Debug, Default)]
pub struct Letters {
    subject: Option<Subject>,
    last_call: Option<(String, Circumstances)>,
    /// A text from standard input, in place of a subject.
    flight: Option<TextFlight>,
}

impl Letters {
    /// Whether boids are called, or will be.
    pub fn is_called(&self) -> bool {
        self.subject.is_some()
    }

    /// Calls boids to form letters, from the next frame on.
    pub fn call(&mut self, subject: Subject) {
        (self.subject, self.last_call, self.flight) = (Some(subject), None, None);
    }

    /// Shows a text from standard input on a canvas of this format, from the first frame on. Returns what a flock forms for it;
    /// `None` if a part of the canvas is outside its world.
    pub fn show(&mut self, text: &Arc<PipedText>, flock: &Flock, format: CanvasFormat) -> Option<Arc<Formation>> {
        let mut canvas = Canvas::with_format(format);
        canvas.draw(flock, &mut Picture::default());
        let camera = (&canvas.camera(), canvas.view_info().zoom);
        let formation = perches_of(text, camera, (&flock.world(), flock.params()));
        let formation = Some(Arc::new(formation)).filter(|formation| formation.perches.len() == text.cells.len())?;
        self.flight = Some(TextFlight::new(text.clone(), formation.clone()));
        Some(formation)
    }

    /// Whether a text from standard input rests, and so has the colors of the input.
    pub fn shows_text(&self) -> bool {
        self.flight.as_ref().is_some_and(TextFlight::rests)
    }

    /// Whether a text from standard input has landed.
    pub fn has_landed(&self, context: &Context) -> bool {
        self.flight.as_ref().is_some_and(|flight| flight.has_landed(context))
    }

    /// Lets the boids go.
    pub fn release(&mut self, context: &mut Context) {
        if self.subject.take().is_some() && self.last_call.take().is_some() {
            context.client.release_boids();
        }
    }

    /// Performs an action. Returns whether it is one of these. A text is asked for by the prompt.
    pub fn act(&mut self, action: Action, context: &mut Context) -> bool {
        match action {
            Action::Say => match &mut self.flight {
                Some(flight) => flight.toggle(context),
                None if self.subject.is_some() => {
                    self.release(context);
                    context.show_message("the boids are free");
                }
                None => return false,
            },
            Action::Clock => match &self.subject {
                Some(Subject::Clock(_)) => self.release(context),
                _ => self.call(Subject::Clock(ClockFormat::default())),
            },
            _ => return false,
        }
        true
    }

    /// Calls boids when it is time: for a new text, and again when the flock, the world or the canvas changes.
    pub fn on_frame(&mut self, context: &mut Context, now: SystemTime) {
        if let Some(flight) = &mut self.flight {
            return flight.on_frame(context);
        }
        let Some(subject) = &self.subject else { return };
        if !is_steady(context) {
            return;
        }
        let (frame, call) = (context.client.frame(), (subject.text(now), Circumstances::of(context)));
        if self.last_call.as_ref() == Some(&call) {
            if !frame.formation.called && matches!(subject, Subject::Text(_)) {
                // Their time is over.
                (self.subject, self.last_call) = (None, None);
            }
            return;
        }
        match form(&call.0, frame) {
            Ok(formation) => context.client.call_boids(Arc::new(formation)),
            Err(error) => context.show_message(error.to_string()),
        }
        self.last_call = Some(call);
    }

    /// When the letters change next, although no frame of the engine arrives.
    pub fn next_change(&self, now: SystemTime) -> Option<Instant> {
        let Some(Subject::Clock(_)) = &self.subject else { return None };
        Some(Instant::now() + clock::to_next_minute(now))
    }
}

/// Whether the latest frame shows the end of the session, after all requests and on a canvas of the current size.
fn is_steady(context: &Context) -> bool {
    let (frame, controls) = (context.client.frame(), context.client.controls());
    let is_at_end = frame.position.seeking.is_none() && !frame.position.is_past() && !controls.backward;
    let is_morphing = controls.current_params != controls.params || controls.world != frame.world;
    let canvas = (frame.picture.columns, frame.picture.rows);
    context.client.is_settled() && is_at_end && !is_morphing && canvas == context.display.canvas()
}

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
fn perches_of(text: &PipedText, (camera, zoom): (&Camera, f32), (world, params): (&World, &Params)) -> Formation {
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

#[cfg(test)]
mod tests;
