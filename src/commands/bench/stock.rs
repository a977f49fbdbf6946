//! The same frame as ratatui's own canvas and backend make it, to measure ours by.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

use ratatui::Terminal;
use ratatui::TerminalOptions;
use ratatui::Viewport;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::widgets::canvas::{Canvas, Points};

use crate::config::{Rgb, ThemeColor};
use crate::sim::Flock;
use crate::terminal::ColorDepth;

/// A terminal that writes to memory through ratatui's stock backend.
pub(crate) struct Stock {
    terminal: Terminal<CrosstermBackend<ByteCounter>>,
    written: Rc<Cell<usize>>,
    /// Colors by heading.
    ring: [Color; 256],
}

impl Stock {
    pub(crate) fn new(columns: u16, rows: u16, depth: ColorDepth) -> io::Result<Self> {
        let written = Rc::default();
        crossterm::style::force_color_output(depth != ColorDepth::Mono);
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, columns, rows)) };
        let terminal = Terminal::with_options(CrosstermBackend::new(ByteCounter(Rc::clone(&written))), options)?;
        Ok(Self { terminal, written, ring: std::array::from_fn(|place| ring(place, depth)) })
    }

    /// Draws a flock; returns how many bytes that took.
    pub(crate) fn draw(&mut self, flock: &Flock) -> io::Result<usize> {
        let ([width, height, _], agents, ring) = (flock.world().size(), flock.agents(), &self.ring);
        self.terminal.draw(|frame| {
            let canvas = Canvas::default()
                .marker(Marker::Braille)
                .x_bounds([0.0, width.into()])
                .y_bounds([0.0, height.into()])
                .paint(|context| {
                    for index in 0..agents.len() {
                        let [x, y] = [0, 1].map(|axis| agents.positions(axis)[index]);
                        let turn =
                            agents.velocities(1)[index].atan2(agents.velocities(0)[index]) / std::f32::consts::TAU;
                        let color = ring[((turn * 256.0) as i32).rem_euclid(256) as usize];
                        context.draw(&Points { coords: &[(x.into(), f64::from(height - y))], color });
                    }
                });
            frame.render_widget(canvas, frame.area());
        })?;
        Ok(self.written.take())
    }
}

/// A writer that counts.
struct ByteCounter(Rc<Cell<usize>>);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A color of a ring of hues, as near as so many colors come.
fn ring(place: usize, depth: ColorDepth) -> Color {
    use palette::{IntoColor, LinSrgb, Oklch};
    let color: LinSrgb = Oklch::new(0.75, 0.12, place as f32 * 360.0 / 256.0).into_color();
    depth.color(ThemeColor::Rgb(Rgb::from_linear(color)))
}
