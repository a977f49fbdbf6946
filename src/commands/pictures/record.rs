//! `flockscope record`: render a clip.
//!
//! Frames are due by the clock of the flock, so a clip does not depend on the speed of the machine.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use indicatif::DecimalBytes;

use super::{RenderedFlock, Simulation, prepare};
use crate::commands::args::{MAX_CLIP, RecordArgs};
use crate::commands::output::{open_one, print_random_seed};
use crate::commands::replay::{self, OpenSession, TickRange, output_error, report_divergence};
use crate::commands::setup::in_simd_pool;
use crate::config::ConfigError;
use crate::export::OutputFile;
use crate::export::cast::CastWriter;
use crate::export::clip::{ClipTiming, ClipWriter};
use crate::export::gif::{self, ColorCounts, GifWriter};
use crate::export::picture::{DefaultColors, Raster, ResolvedScreen};
use crate::sim::Flock;
use crate::viewer::{InitialState, Offscreen};

/// Simulates and renders a clip. Returns the signal that stopped it early, if any; there is no clip then.
///
/// # Errors
///
/// [`ConfigError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn record(args: &RecordArgs) -> Result<Option<i32>, ConfigError> {
    let format = ClipFormat::of(args)?;
    let session = replay::open_optional(&args.session, &[("--from", args.range.from), ("--to", args.range.to)])?;
    let (replay, mut start) = prepare(&args.flock, session.as_ref(), &args.screen, args.screen.color.depth())?;
    start.rate = args.rate.unwrap_or(start.rate);
    let (skipped, length) = match &session {
        Some(session) => part(args, session, start.rate)?,
        None => (args.ticks, args.duration),
    };
    let timing = ClipTiming::new(length, args.fps, start.rate);
    let (mut file, signals) = open_one(&args.output)?;
    let write_error = |error| output_error(error, args.session.session.as_deref(), &args.output);
    let recorded = in_simd_pool(args.flock.threads, |scratch| {
        // A .gif is simulated first for its palette.
        let passes = if format == ClipFormat::Gif { 2 } else { 1 };
        let ticks = skipped.saturating_add(passes * timing.last_tick());
        let mut simulation = Simulation::new(scratch, &signals, ticks);
        let screen = Offscreen::new(start.clone(), args.screen.size).at_fps(args.fps);
        let mut rendered = RenderedFlock { replay, screen };
        simulation.advance(&mut rendered, skipped).map_err(write_error)?;
        rendered.screen.draw(rendered.replay.flock());
        rendered.check_follow_target()?;
        rendered.write_text(&args.screen)?;
        write_clip(&mut simulation, format, &mut rendered, start, timing, &mut file).map_err(write_error)?;
        Ok(rendered.replay)
    });
    if let (Err(_), Some(signal)) = (&recorded, signals.pending()) {
        return Ok(Some(signal));
    }
    let replay = recorded?;
    file.finish().map_err(write_error)?;
    print_summary(&args.output, timing)?;
    match session {
        Some(session) => report_divergence(&session, &replay)?,
        None => print_random_seed(&args.flock, replay.flock().seed())?,
    }
    Ok(None)
}

/// Prints size and length of a clip that is a file.
fn print_summary(path: &Path, timing: ClipTiming) -> Result<(), ConfigError> {
    let Some(file) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { return Ok(()) };
    let (size, seconds, frames) = (DecimalBytes(file.len()), timing.seconds(), timing.frames());
    let plural = if frames == 1 { "" } else { "s" };
    writeln!(io::stderr(), "{}: {size}, {seconds:.1} s, {frames} frame{plural}", path.display())
        .map_err(ConfigError::io("standard error"))
}

/// The part of a session for the clip: the ticks before it, and its length.
fn part(args: &RecordArgs, session: &OpenSession<'_>, rate: f32) -> Result<(u64, Duration), ConfigError> {
    let range = TickRange::between(&args.range, &session.file)?;
    let length = Duration::try_from_secs_f64(range.ticks as f64 / f64::from(rate)).unwrap_or(Duration::MAX);
    if length <= MAX_CLIP {
        return Ok((range.skipped, length));
    }
    let message =
        format!("a clip can last an hour at most, and the session has {} ticks: use --from and --to", range.ticks);
    Err(ConfigError::flag(format!("--session {}", session.path.display()), message))
}

fn write_clip(
    simulation: &mut Simulation<'_>,
    format: ClipFormat,
    rendered: &mut RenderedFlock,
    start: InitialState,
    timing: ClipTiming,
    file: &mut OutputFile,
) -> io::Result<()> {
    let (colors, size) = (DefaultColors::of(&start.colors.theme), rendered.screen.size());
    match format {
        ClipFormat::Cast => {
            let title = title(&start, rendered.replay.flock());
            write_frames(simulation, rendered, timing, CastWriter::begin(&title, colors, size, file)?)
        }
        ClipFormat::Gif => {
            let first = RenderedFlock { replay: rendered.replay.clone(), screen: Offscreen::new(start, size) };
            let palette = count_colors(simulation, first, timing, colors)?.palette();
            write_frames(simulation, rendered, timing, GifWriter::begin(palette, colors, size, file)?)
        }
    }
}

fn write_frames(
    simulation: &mut Simulation<'_>,
    rendered: &mut RenderedFlock,
    timing: ClipTiming,
    mut writer: impl ClipWriter,
) -> io::Result<()> {
    for frame in 0..timing.frames() {
        simulation.advance(rendered, timing.ticks_before(frame))?;
        writer.add(rendered.screen.draw(rendered.replay.flock()), frame, timing)?;
    }
    writer.finish(timing)
}

/// A first pass over the clip: the colors of a sample of its frames.
fn count_colors(
    simulation: &mut Simulation<'_>,
    mut rendered: RenderedFlock,
    timing: ClipTiming,
    default_colors: DefaultColors,
) -> io::Result<ColorCounts> {
    let mut counts = ColorCounts::default();
    for frame in 0..timing.frames() {
        simulation.advance(&mut rendered, timing.ticks_before(frame))?;
        if timing.is_sample(frame) {
            let screen = rendered.screen.draw(rendered.replay.flock());
            counts.add(&Raster::new(&ResolvedScreen::new(screen, default_colors)));
        }
    }
    Ok(counts)
}

fn title(start: &InitialState, flock: &Flock) -> String {
    let (boids, seed, tick) = (flock.boids(), flock.seed(), flock.tick());
    format!("{}, {boids} boids, seed {seed}, from tick {tick}", start.preset.name)
}

/// A clip format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClipFormat {
    /// asciicast v3.
    Cast,
    Gif,
}

impl ClipFormat {
    /// The format by file extension; standard output takes a .cast.
    fn of(args: &RecordArgs) -> Result<Self, ConfigError> {
        match OutputFile::extension(&args.output).as_str() {
            "cast" | "-" => Ok(Self::Cast),
            "gif" if args.fps <= gif::MAX_FPS => Ok(Self::Gif),
            "gif" => {
                let message = "a .gif takes at most 50 frames per second, a .cast 60";
                Err(ConfigError::flag(format!("--fps {}", args.fps), message))
            }
            _ => {
                let message = "the name must end in .gif or .cast, or be - for a .cast on standard output";
                Err(ConfigError::flag(format!("--output {}", args.output.display()), message))
            }
        }
    }
}
