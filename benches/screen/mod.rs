//! Screens in memory that count the bytes of a frame: that of the viewer, and one of ratatui's own backend.

mod stock;

use flockscope::config::{Preset, Theme};
use flockscope::error::InputError;
use flockscope::picture::{Aim, Charset, ColorDepth, GlyphTable, View};
use flockscope::sim::{Flock, Scratch, Setup, World};
use flockscope::terminal::{FrameOptions, ScreenEncoder};
use flockscope::viewer::{Colors, InitialState, LiveOptions, Offscreen};
use ratatui::layout::Size;
pub use stock::StockTerminal;

const SEED: u64 = 7;
const SETTLE_TICKS: usize = 600;

/// Two states of settled starlings, about one dot apart, in a world of at least one u per dot.
pub fn consecutive_states(boids: usize, size: Size) -> Result<[Flock; 2], InputError> {
    let scratch = &mut Scratch::new();
    let preset = Preset::load("starlings")?;
    let (width, height) = (f32::from(size.width) * 2.0, f32::from(size.height) * 4.0);
    let mut setup = Setup { boids, ..preset.setup(SEED, width / height) };
    setup.world = preset.world_for(boids, width / height);
    if setup.world.size()[0] < width {
        setup.world = World::Rect([width, height]);
    }
    let mut first = Flock::new(&setup)?;
    (0..SETTLE_TICKS).for_each(|_| first.step(scratch));
    let mut second = first.clone();
    let speed = &first.params().speed;
    let dots_per_u = width / first.world().size()[0];
    let ticks = (2.0 / ((speed.min + speed.max) * dots_per_u)).round().max(1.0) as usize;
    (0..ticks).for_each(|_| second.step(scratch));
    Ok([first, second])
}

/// Draws frames as the viewer does, and encodes them to memory.
pub struct FrameBench {
    screen: Offscreen,
    encoder: ScreenEncoder,
    bytes: Vec<u8>,
}

impl FrameBench {
    /// A screen with a size in columns and rows. [`View::Heads`] is drawn without the panel, other views with it.
    pub fn new(flock: &Flock, size: Size, depth: ColorDepth, view: View) -> Result<Self, InputError> {
        let preset = Preset::load("starlings")?;
        let start = InitialState {
            setup: preset.setup(SEED, 1.0),
            rate: preset.rate,
            preset,
            recording: None,
            world_is_auto: false,
            input: None,
            glyphs: GlyphTable::default(),
            colors: Colors::fixed(depth),
            aim: Aim::default(),
            reduced_motion: false,
            options: LiveOptions {
                view,
                clean: view == View::Heads,
                theme: Some(Theme::load("dusk")?),
                ..LiveOptions::default()
            },
        };
        let encoder = ScreenEncoder::new(size, Charset::Unicode);
        let mut bench = Self { screen: Offscreen::new(start, size), encoder, bytes: Vec::new() };
        bench.draw(flock);
        Ok(bench)
    }

    /// Draws a flock and returns the number of bytes.
    pub fn draw(&mut self, flock: &Flock) -> usize {
        self.screen.draw_to_encoder(flock, &mut self.encoder);
        self.bytes.clear();
        let options = FrameOptions { ack_row: Some(0), ..FrameOptions::WHOLE };
        self.encoder.encode(options, &mut self.bytes);
        self.bytes.len()
    }
}
