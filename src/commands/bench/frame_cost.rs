//! The cost of a frame, from the flock to the bytes for the terminal.

use std::io::Write;
use std::time::{Duration, Instant};

use ratatui::layout::Size;
use serde_json::{Value, json};

use super::scene::SEED;
use super::{Table, TableColumn, decimal, plain};
use crate::canvas::{Aim, View};
use crate::commands::args::BenchArgs;
use crate::commands::flock_setup::in_simd_pool;
use crate::config::{ConfigError, Preset, PresetSettings, Theme};
use crate::sim::{Flock, Scratch, Setup, World};
use crate::terminal::{Charset, FrameOptions, ScreenEncoder};
use crate::viewer::{ColorDepth, Colors, InitialState, Keymap, Marker, Offscreen};

const DEFAULT_BOIDS: [usize; 4] = [200, 2000, 20_000, 1_000_000];
/// Screen sizes in cells.
const SIZES: [(u16, u16); 3] = [(80, 24), (200, 50), (400, 120)];
const DEPTHS: [ColorDepth; 4] = [ColorDepth::Mono, ColorDepth::Colors16, ColorDepth::Colors256, ColorDepth::Truecolor];
/// From this number of boids on, fewer ticks and frames are enough.
const MANY_BOIDS: usize = 100_000;
const SETTLE_TICKS: usize = 600;
/// The median of these frames counts.
const FRAMES: usize = 40;
/// Frames before them, until everything that is smoothed over time has settled.
const WARM_UP_FRAMES: usize = 20;

/// The frame of the boids alone, then that of the whole screen with its panel.
const COLUMNS: &[TableColumn] = &[
    TableColumn { title: "boids", width: 8, cell: |row| plain(&row["boids"]) },
    TableColumn { title: "screen", width: 8, cell: |row| format!("{}x{}", row["columns"], row["rows"]) },
    TableColumn { title: "colors", width: 9, cell: |row| plain(&row["colors"]) },
    TableColumn { title: "us", width: 9, cell: |row| decimal(&row["us"]) },
    TableColumn { title: "bytes", width: 9, cell: |row| plain(&row["bytes"]) },
    TableColumn { title: "whole us", width: 10, cell: |row| decimal(&row["whole_us"]) },
    TableColumn { title: "whole bytes", width: 11, cell: |row| plain(&row["whole_bytes"]) },
];

/// Writes a row for each number of boids, screen size and color depth.
pub(super) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), ConfigError> {
    let mut table = Table::new(out, args.json, COLUMNS)?;
    let boids = if args.boids.is_empty() { &DEFAULT_BOIDS[..] } else { &args.boids };
    for (&boids, size) in boids.iter().flat_map(|boids| SIZES.map(|size| (boids, size))) {
        let rows = in_simd_pool(None, |scratch| {
            let flock = settle(boids, size, scratch)?;
            DEPTHS.iter().map(|&depth| measure(&flock, size, depth, scratch)).collect::<Result<Vec<_>, ConfigError>>()
        })?;
        rows.iter().try_for_each(|row| table.add(row))?;
    }
    Ok(())
}

/// Settled starlings in a world of at least one u per dot.
fn settle(boids: usize, size: (u16, u16), scratch: &mut Scratch) -> Result<Flock, ConfigError> {
    let preset = Preset::load("starlings")?;
    let (width, height) = (f32::from(size.0) * 2.0, f32::from(size.1) * 4.0);
    let mut setup = Setup { boids, ..preset.setup(SEED, width / height) };
    setup.world = preset.world_for(boids, width / height);
    if setup.world.size()[0] < width {
        setup.world = World::Rect([width, height]);
    }
    let mut flock = Flock::new(&setup)?;
    for _ in 0..if boids > MANY_BOIDS { SETTLE_TICKS / 10 } else { SETTLE_TICKS } {
        flock.step(scratch);
    }
    Ok(flock)
}

/// Two states of a settled flock, about one dot apart.
///
/// # Errors
///
/// As [`Preset::load`].
pub fn consecutive_states(boids: usize, size: (u16, u16)) -> Result<[Flock; 2], ConfigError> {
    let scratch = &mut Scratch::new();
    let first = settle(boids, size, scratch)?;
    let mut second = first.clone();
    (0..ticks_per_frame(&first, size)).for_each(|_| second.step(scratch));
    Ok([first, second])
}

/// The ticks in which boids move by about one dot.
fn ticks_per_frame(flock: &Flock, size: (u16, u16)) -> usize {
    let speed = &flock.params().speed;
    let dots_per_u = f32::from(size.0) * 2.0 / flock.world().size()[0];
    (2.0 / ((speed.min + speed.max) * dots_per_u)).round().max(1.0) as usize
}

fn measure(flock: &Flock, size: (u16, u16), depth: ColorDepth, scratch: &mut Scratch) -> Result<Value, ConfigError> {
    let step = ticks_per_frame(flock, size);
    let mut heads = FrameBench::new(flock, size, depth, View::Heads)?;
    let mut whole = FrameBench::new(flock, size, depth, View::Auto)?;
    let mut flock = flock.clone();
    let (warm_up, frames) = if flock.boids() > MANY_BOIDS { (3, 6) } else { (WARM_UP_FRAMES, FRAMES) };
    let mut times = [const { Vec::new() }; 2];
    for frame in 0..warm_up + frames {
        for _ in 0..step {
            flock.step(scratch);
            whole.watch(&flock);
        }
        let drawn = [timed(|| heads.draw(&flock)), timed(|| whole.draw(&flock))];
        if frame >= warm_up {
            times.iter_mut().zip(drawn).for_each(|(times, drawn)| times.push(drawn));
        }
    }
    let [(us, bytes), (whole_us, whole_bytes)] = times.map(frame_cost);
    Ok(json!({
        "boids": flock.boids(),
        "columns": size.0,
        "rows": size.1,
        "colors": depth.name(),
        "us": us,
        "bytes": bytes,
        "whole_us": whole_us,
        "whole_bytes": whole_bytes,
    }))
}

fn timed(draw: impl FnOnce() -> usize) -> (Duration, usize) {
    let start = Instant::now();
    let bytes = draw();
    (start.elapsed(), bytes)
}

/// The median time in microseconds and the mean number of bytes.
fn frame_cost(mut frames: Vec<(Duration, usize)>) -> (f64, usize) {
    let bytes = frames.iter().map(|(_, bytes)| bytes).sum::<usize>() / frames.len();
    frames.sort_unstable();
    (frames[frames.len() / 2].0.as_secs_f64() * 1e6, bytes)
}

/// Draws frames as the viewer does, and encodes them to memory.
#[derive(Debug)]
pub struct FrameBench {
    screen: Offscreen,
    encoder: ScreenEncoder,
    bytes: Vec<u8>,
}

impl FrameBench {
    /// A screen with a size in columns and rows. [`View::Heads`] is drawn without the panel, other views with it.
    ///
    /// # Errors
    ///
    /// As [`Preset::load`] and [`Theme::load`].
    pub fn new(flock: &Flock, size: (u16, u16), depth: ColorDepth, view: View) -> Result<Self, ConfigError> {
        let preset = Preset::load("starlings")?;
        let start = InitialState {
            setup: preset.setup(SEED, 1.0),
            rate: preset.rate,
            preset,
            world_is_auto: false,
            input: None,
            colors: Colors::fixed(Theme::load("dusk")?, depth),
            marker: Marker::Braille,
            view,
            aim: Aim::default(),
            clean: view == View::Heads,
            all_parameters: false,
            reduced_motion: false,
            keymap: Keymap::default(),
            preset_settings: PresetSettings::default(),
        };
        let encoder = ScreenEncoder::new(Size::from(size), Charset::Unicode);
        let mut bench = Self { screen: Offscreen::new(start, size), encoder, bytes: Vec::new() };
        bench.draw(flock);
        Ok(bench)
    }

    /// Updates the panel's plots after a tick.
    pub fn watch(&mut self, flock: &Flock) {
        self.screen.watch(flock, 0);
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
