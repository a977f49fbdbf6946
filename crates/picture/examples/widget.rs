//! Shows a flock as a widget in another ratatui program.
//!
//! `cargo run --release --example widget`; press any key to quit.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use flockscope_picture::{
    Canvas, CanvasFormat, ColorDepth, Coloring, FlockWidget, Picture, ResolvedTheme, ThemeColors,
};
use flockscope_sim::{Command, Flock, Param, Params, Scratch, Setup, Start, World};
use ratatui::Frame;
use ratatui::crossterm::event;
use ratatui::layout::{Constraint, Layout};
use ratatui::widgets::{Block, Gauge};

/// The duration of a tick.
const TICK: Duration = Duration::from_millis(33);

/// A theme, as in the files of flockscope.
const THEME: &str = r##"
summary = "night over a warm horizon"
background = "#10142a"
sky = ["#0b1026", "#232a55", "#7d4a5c"]
heading = ["#f2c14e", "#f78154", "#b4436c", "#5fad56"]
prey = ["#5b6c9d", "#e8ecff"]
predators = ["#ff3b5c"]
dim = "#5f678f"
accent = "#f2c14e"
gauge = "#7fb7be"
"##;

/// The area of the world in u². Its shape is that of the widget.
const AREA: f32 = 66_500.0;

/// Starlings: flocks that stretch, split and merge.
const RULES: [(&str, &str); 13] = [
    ("separation.radius", "3.5"),
    ("separation.weight", "0.16"),
    ("separation.falloff", "inverse-square"),
    ("separation.response", "sum"),
    ("alignment.radius", "8"),
    ("alignment.weight", "0.12"),
    ("alignment.response", "difference"),
    ("cohesion.radius", "8"),
    ("cohesion.weight", "0.011"),
    ("cohesion.response", "mean"),
    ("speed.min", "0.7"),
    ("speed.max", "1.4"),
    ("max_force", "0.1"),
];

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
        let mut params = Params::default();
        for (key, value) in RULES {
            let param = Param::find(key).ok_or(key)?;
            params.set(key, param.parse(value)?)?;
        }
        let setup = Setup::new(World::of_area(AREA, 2.0)).with_boids(1500).with_seed(7);
        let setup = setup.with_params(params).with_start(Start::Flocks);
        Ok(Self {
            flock: Flock::new(&setup)?,
            scratch: Scratch::new(),
            canvas: Canvas::default(),
            picture: Picture::default(),
            theme: ResolvedTheme::new(&THEME.parse::<ThemeColors>()?, ColorDepth::Truecolor),
        })
    }

    /// Draws a frame. If the widget has another size than before, the flock gets another world.
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), flockscope_sim::Error> {
        let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(3)]).areas(frame.area());
        let block = Block::bordered().title(" a flock ");
        let inside = block.inner(above);
        let format =
            CanvasFormat { columns: inside.width.into(), rows: inside.height.into(), ..CanvasFormat::default() };
        if format != self.canvas.format() {
            self.canvas.set_format(format);
            self.flock.apply(&Command::Resize(World::of_area(AREA, format.aspect_ratio())))?;
        }
        self.canvas.advance_camera(TICK.as_secs_f32());
        self.canvas.draw(&self.flock, &mut self.picture);

        frame.render_widget(block, above);
        frame.render_widget(FlockWidget::new(&self.picture, &self.theme).coloring(Coloring::Speed), inside);
        let minute = (self.flock.tick() % 1800) as f64 / 1800.0;
        frame.render_widget(Gauge::default().block(Block::bordered().title(" minute ")).ratio(minute), below);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut demo = Demo::new()?;
    ratatui::run(|terminal| {
        loop {
            let next = Instant::now() + TICK;
            demo.flock.step(&mut demo.scratch);
            terminal.try_draw(|frame| demo.draw(frame).map_err(io::Error::other))?;
            while event::poll(next.saturating_duration_since(Instant::now()))? {
                if event::read()?.is_key_press() {
                    return Ok(());
                }
            }
        }
    })
}
