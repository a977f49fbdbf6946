//! The same frames with ratatui's own canvas and crossterm backend, for comparison.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

use flockscope::picture::{ColorDepth, Rgb, ThemeColor};
use flockscope::sim::Flock;
use palette::{FromColor, Oklch, Srgb};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::widgets::canvas::{Canvas, Points};
use ratatui::{Terminal, TerminalOptions, Viewport};

/// A terminal in memory that counts bytes.
pub struct StockTerminal {
    terminal: Terminal<CrosstermBackend<ByteCounter>>,
    written: Rc<Cell<usize>>,
    /// Colors by heading.
    ring: [Color; 256],
}

impl StockTerminal {
    /// A terminal of this many columns and rows.
    pub fn new(size: Size, depth: ColorDepth) -> io::Result<Self> {
        let written = Rc::default();
        crossterm::style::force_color_output(depth != ColorDepth::Mono);
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::from((Position::ORIGIN, size))) };
        let terminal = Terminal::with_options(CrosstermBackend::new(ByteCounter(Rc::clone(&written))), options)?;
        Ok(Self { terminal, written, ring: std::array::from_fn(|place| ring_color(place, depth)) })
    }

    /// Draws a flock and returns the number of bytes.
    pub fn draw(&mut self, flock: &Flock) -> io::Result<usize> {
        let ([width, height, _], agents, ring) = (flock.world().size(), flock.agents(), &self.ring);
        self.terminal.draw(|frame| {
            let canvas = Canvas::default()
                .marker(Marker::Braille)
                .x_bounds([0.0, width.into()])
                .y_bounds([0.0, height.into()])
                .paint(|context| {
                    for index in 0..agents.len() {
                        let [x, y] = [0, 1].map(|axis| agents.positions(axis)[index]);
                        let [vx, vy] = [0, 1].map(|axis| agents.velocities(axis)[index]);
                        let heading = vy.atan2(vx) / std::f32::consts::TAU;
                        let color = ring[((heading * 256.0) as i32).rem_euclid(256) as usize];
                        context.draw(&Points { coords: &[(x.into(), f64::from(height - y))], color });
                    }
                });
            frame.render_widget(canvas, frame.area());
        })?;
        Ok(self.written.take())
    }
}

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

/// A color of a ring of 256 hues.
fn ring_color(place: usize, depth: ColorDepth) -> Color {
    let hue = place as f32 * 360.0 / 256.0;
    let rgb: Rgb = Srgb::from_color(Oklch::new(0.75, 0.12, hue)).into_format();
    depth.color(ThemeColor::Rgb(rgb))
}
