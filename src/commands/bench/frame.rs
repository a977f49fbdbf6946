//! What a frame costs: its time from the flock to the bytes, and its bytes.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use ratatui::layout::Size;
use serde::Serialize;

use super::scene::SEED;
use super::stock::Stock;
use super::table::failed;
use crate::canvas::{Aim, View};
use crate::commands::args::Bench;
use crate::config::{Error, Preset, Theme, simd};
use crate::engine::in_pool;
use crate::sim::{Flock, Scratch, Setup, World};
use crate::terminal::{Charset, FrameOptions, ScreenEncoder, Tolerance};
use crate::viewer::{ColorDepth, Colors, InitialState, Keymap, Marker, Offscreen};

/// The numbers of boids where none are asked for.
const BOIDS: [usize; 4] = [200, 2000, 20_000, 1_000_000];
/// The screens, in cells.
const SIZES: [(u16, u16); 3] = [(80, 24), (200, 50), (400, 120)];
/// How many colors there may be.
const DEPTHS: [ColorDepth; 4] = [ColorDepth::Mono, ColorDepth::Ansi, ColorDepth::Indexed, ColorDepth::Truecolor];
/// For how many ticks a flock settles; a large one takes longer to do the same.
const SETTLE: usize = 600;
/// How many frames are timed: the middle time counts, since others use the machine too.
const FRAMES: usize = 40;
/// Frames that come before, until what is smoothed in time has settled.
const WARM_UP: usize = 20;

/// A line of the report.
#[derive(Debug, Serialize)]
struct FrameRow {
    boids: usize,
    columns: u16,
    rows: u16,
    colors: String,
    us: f64,
    bytes: usize,
    whole_us: f64,
    whole_bytes: usize,
    stock_us: f64,
    stock_bytes: usize,
}

/// Times what was asked for, and writes a line for each flock, screen and number of colors.
pub(crate) fn run(args: &Bench, out: &mut impl Write) -> Result<(), Error> {
    let write = |out: &mut dyn Write, text: String| writeln!(out, "{text}").and_then(|()| out.flush()).map_err(failed);
    if !args.json {
        write(out, header())?;
    }
    let boids = if args.boids.is_empty() { &BOIDS[..] } else { &args.boids };
    let simd = simd()?;
    for (&boids, size) in boids.iter().flat_map(|boids| SIZES.map(|size| (boids, size))) {
        let lines = in_pool(super::cores(), |scratch| {
            scratch.set_simd(simd);
            let flock = settle(boids, size, scratch)?;
            DEPTHS.iter().map(|&depth| time(&flock, size, depth, scratch)).collect::<Result<Vec<_>, _>>()
        });
        for line in lines? {
            write(out, if args.json { json(&line)? } else { row(&line) })?;
        }
    }
    Ok(())
}

/// Starlings that have settled in a world of a dot for each u, or as large as so many need.
fn settle(boids: usize, size: (u16, u16), scratch: &mut Scratch) -> Result<Flock, Error> {
    let preset = Preset::load("starlings")?;
    let (width, height) = (f32::from(size.0) * 2.0, f32::from(size.1) * 4.0);
    let mut setup = Setup { boids, ..preset.setup(SEED, width / height) };
    setup.world = preset.world_for(boids, width / height);
    if setup.world.size()[0] < width {
        setup.world = World::Rect([width, height]);
    }
    let mut flock = Flock::new(&setup)?;
    for _ in 0..if boids > 100_000 { SETTLE / 10 } else { SETTLE } {
        flock.step(scratch);
    }
    Ok(flock)
}

/// Two consecutive_states of a settled flock, a dot or so apart.
///
/// # Errors
///
/// None but what the built-in preset would have.
pub fn consecutive_states(boids: usize, size: (u16, u16)) -> Result<[Flock; 2], Error> {
    let scratch = &mut Scratch::new();
    let first = settle(boids, size, scratch)?;
    let mut second = first.clone();
    (0..ticks_per_frame(&first, size)).for_each(|_| second.step(scratch));
    Ok([first, second])
}

/// How many ticks it takes the flock to move by a dot.
fn ticks_per_frame(flock: &Flock, size: (u16, u16)) -> usize {
    let speed = &flock.params().speed;
    let dots = f32::from(size.0) * 2.0 / flock.world().size()[0];
    (2.0 / ((speed.min + speed.max) * dots)).round().max(1.0) as usize
}

fn time(flock: &Flock, size: (u16, u16), depth: ColorDepth, scratch: &mut Scratch) -> Result<FrameRow, Error> {
    let step = ticks_per_frame(flock, size);
    let mut ours = FrameBench::new(flock, size, depth, View::Heads)?;
    let mut whole = FrameBench::new(flock, size, depth, View::Auto)?;
    let mut stock = Stock::new(size.0, size.1, depth).map_err(failed)?;
    let mut flock = flock.clone();
    // Of a million boids a few frames say enough.
    let (warm_up, frames) = if flock.boids() > 100_000 { (3, 6) } else { (WARM_UP, FRAMES) };
    let mut made = [const { Vec::new() }; 3];
    for frame in 0..warm_up + frames {
        for _ in 0..step {
            flock.step(scratch);
            whole.watch(&flock);
        }
        let drawn = [
            timed(|| Ok(ours.draw(&flock)))?,
            timed(|| Ok(whole.draw(&flock)))?,
            timed(|| stock.draw(&flock).map_err(failed))?,
        ];
        if frame >= warm_up {
            made.iter_mut().zip(drawn).for_each(|(made, drawn)| made.push(drawn));
        }
    }
    let [ours, whole, stock] = made.map(|mut frames| {
        let bytes = frames.iter().map(|(_, bytes)| bytes).sum::<usize>() / frames.len();
        frames.sort_unstable();
        (frames[frames.len() / 2].0.as_secs_f64() * 1e6, bytes)
    });
    Ok(FrameRow {
        boids: flock.boids(),
        columns: size.0,
        rows: size.1,
        colors: depth.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()),
        us: ours.0,
        bytes: ours.1,
        whole_us: whole.0,
        whole_bytes: whole.1,
        stock_us: stock.0,
        stock_bytes: stock.1,
    })
}

fn timed(work: impl FnOnce() -> Result<usize, Error>) -> Result<(Duration, usize), Error> {
    let start = Instant::now();
    let bytes = work()?;
    Ok((start.elapsed(), bytes))
}

/// Our way from the flock to the bytes: the heads alone, or the whole screen as it looks by default.
#[derive(Debug)]
pub struct FrameBench {
    still: Offscreen,
    backend: ScreenEncoder,
    bytes: Vec<u8>,
}

impl FrameBench {
    /// A screen of this many columns and rows; the heads alone, or any other view with the panel.
    ///
    /// # Errors
    ///
    /// None but what a built-in preset or theme would have.
    pub fn new(flock: &Flock, (columns, rows): (u16, u16), depth: ColorDepth, view: View) -> Result<Self, Error> {
        let preset = Preset::load("starlings")?;
        let start = InitialState {
            setup: preset.setup(SEED, 1.0),
            rate: preset.rate,
            preset,
            world_is_auto: false,
            input: None,
            colors: Colors { theme: Theme::load("dusk")?, chosen: true, depth, guessed: false },
            marker: Marker::Braille,
            view,
            aim: Aim::default(),
            clean: view == View::Heads,
            keymap: Keymap::default(),
        };
        let backend = ScreenEncoder::new(Size::new(columns, rows), Charset::Unicode);
        let mut screen = Self { still: Offscreen::new(start, (columns, rows)), backend, bytes: Vec::new() };
        screen.draw(flock);
        Ok(screen)
    }

    /// Takes in a tick, as the viewer does beside its frames: the panel tells of times past.
    pub fn watch(&mut self, flock: &Flock) {
        self.still.watch(flock, 0);
    }

    /// Draws a flock; returns how many bytes that took.
    pub fn draw(&mut self, flock: &Flock) -> usize {
        self.still.draw_to_backend(flock, &mut self.backend);
        self.bytes.clear();
        let (budget, tolerance) = (usize::MAX, Tolerance::UNSEEN);
        let framing = FrameOptions { budget, tolerance, exact_background: true, synchronized: true, ack_row: Some(0) };
        self.backend.encode(framing, &mut self.bytes);
        self.bytes.len()
    }
}

fn header() -> String {
    format!(
        "{:>8} {:>8} {:>9} {:>9} {:>9} {:>10} {:>11} {:>9} {:>10} {:>6}",
        "boids", "screen", "colors", "us", "bytes", "whole us", "whole bytes", "stock us", "stock byte", "faster"
    )
}

fn row(line: &FrameRow) -> String {
    format!(
        "{:>8} {:>8} {:>9} {:>9.1} {:>9} {:>10.1} {:>11} {:>9.1} {:>10} {:>5.1}x",
        line.boids,
        format!("{}x{}", line.columns, line.rows),
        line.colors,
        line.us,
        line.bytes,
        line.whole_us,
        line.whole_bytes,
        line.stock_us,
        line.stock_bytes,
        line.stock_us / line.us
    )
}

fn json(line: &FrameRow) -> Result<String, Error> {
    serde_json::to_string(line).map_err(|error| failed(error.into()))
}
