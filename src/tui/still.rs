//! The viewer's screen without a terminal: for pictures.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::{App, Start};
use super::layout::{Regions, shape};
use super::meters::Meters;
use super::view;
use crate::canvas::Canvas;
use crate::engine::{Frame, SAMPLE};
use crate::sim::{Flock, Observer};
use crate::wire::Backend;

/// How many times a second the plots are given another value, as in the viewer.
const MEASURES: f32 = 10.0;

/// A screen that shows a flock, cell for cell as the viewer does.
#[derive(Debug)]
pub struct Still {
    app: App,
    canvas: Canvas,
    frame: Frame,
    buffer: Buffer,
    observer: Observer,
    measured_at: Option<u64>,
}

impl Still {
    /// A screen of this many columns and rows, and how the viewer on it begins.
    #[must_use]
    pub fn new(start: Start, (columns, rows): (u16, u16)) -> Self {
        let screen = Rect::new(0, 0, columns, rows);
        let cells = Regions::new(screen, start.clean).canvas();
        let frame = Frame { rate: start.rate, ticks_per_second: start.rate, ..Frame::default() };
        Self {
            app: App::new(start, cells),
            canvas: Canvas::new(cells.0, cells.1),
            frame,
            buffer: Buffer::empty(screen),
            observer: Observer::new(),
            measured_at: None,
        }
    }

    /// The shape (width : height) of the canvas on a screen of this many columns and rows.
    #[must_use]
    pub fn shape((columns, rows): (u16, u16), clean: bool) -> f32 {
        shape(Regions::new(Rect::new(0, 0, columns, rows), clean).canvas())
    }

    /// Takes in what the panel tells of times past; called each tick.
    pub fn watch(&mut self, flock: &Flock) {
        let every = (self.frame.rate / MEASURES).max(1.0) as u64;
        if !self.app.clean && flock.tick().is_multiple_of(every) {
            self.measure(flock);
        }
    }

    /// Draws the screen as it is now.
    pub fn draw(&mut self, flock: &Flock) -> &Buffer {
        if !self.app.clean && self.measured_at != Some(flock.tick()) {
            self.measure(flock);
        }
        self.prepare(flock);
        self.buffer.reset();
        let meters = self.meters();
        view::draw(&mut self.buffer, &self.app, &self.frame, meters);
        &self.buffer
    }

    /// Draws the screen as it is now on the wire.
    pub fn draw_on_wire(&mut self, flock: &Flock, backend: &mut Backend) {
        self.prepare(flock);
        let meters = self.meters();
        view::draw_on_wire(backend, &mut self.buffer, &self.app, &self.frame, meters);
    }

    fn prepare(&mut self, flock: &Flock) {
        self.frame.describe(flock);
        self.canvas.draw(flock, &mut self.frame.picture);
    }

    fn meters(&self) -> Meters {
        Meters { frames_per_second: self.frame.rate, bytes_per_second: 0.0 }
    }

    fn measure(&mut self, flock: &Flock) {
        self.frame.measures = self.observer.measure(flock, SAMPLE);
        self.frame.measured += 1;
        self.measured_at = Some(flock.tick());
        self.frame.describe(flock);
        self.app.notice(&self.frame);
    }
}
