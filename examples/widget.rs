//! Shows a flock in another ratatui program, as a widget next to ratatui's own.
//!
//! `cargo run --release --example widget`; press any key to quit.

use std::error::Error;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};
use flockscope::canvas::{Canvas, CanvasFormat, Picture};
use flockscope::config::{Preset, Theme};
use flockscope::sim::{Flock, Scratch};
use flockscope::viewer::{ColorDepth, Coloring, FlockWidget, ResolvedTheme};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::widgets::{Block, Gauge};

/// The duration of a tick.
const TICK: Duration = Duration::from_millis(33);

/// The flock and everything to draw it with.
struct Demo {
    flock: Flock,
    scratch: Scratch,
    canvas: Canvas,
    picture: Picture,
    theme: ResolvedTheme,
}

impl Demo {
    fn new() -> Result<Self, Box<dyn Error>> {
        let setup = Preset::load("starlings")?.setup(7, 2.0);
        Ok(Self {
            flock: Flock::new(&setup)?,
            scratch: Scratch::new(),
            canvas: Canvas::default(),
            picture: Picture::default(),
            theme: ResolvedTheme::new(&Theme::load("abyss")?, ColorDepth::Truecolor),
        })
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(3)]).areas(frame.area());
        let block = Block::bordered().title(" starlings ");
        let inside = block.inner(above);
        // Follow the size of the widget.
        let (columns, rows) = (usize::from(inside.width), usize::from(inside.height));
        self.canvas.set_format(CanvasFormat { columns, rows, ..CanvasFormat::default() });
        self.canvas.draw(&self.flock, &mut self.picture);

        frame.render_widget(block, above);
        frame.render_widget(FlockWidget::new(&self.picture, &self.theme).coloring(Coloring::Speed), inside);
        let minute = (self.flock.tick() % 1800) as f64 / 1800.0;
        frame.render_widget(Gauge::default().block(Block::bordered().title(" minute ")).ratio(minute), below);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut demo = Demo::new()?;
    ratatui::run(|terminal| {
        loop {
            let next = Instant::now() + TICK;
            demo.flock.step(&mut demo.scratch);
            terminal.draw(|frame| demo.draw(frame))?;
            if event::poll(next.saturating_duration_since(Instant::now()))? && matches!(event::read()?, Event::Key(_)) {
                return Ok(());
            }
        }
    })
}
