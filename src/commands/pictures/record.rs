//! `flockscope record`: render a clip.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::{check_follow_target, on_tick, prepare, write_text};
use crate::commands::args::RecordArgs;
use crate::commands::flock_setup::in_simd_pool;
use crate::commands::output::{open_one, print_random_seed};
use crate::commands::replay::{self, OpenSession, TickRange, output_error, report_divergence};
use crate::config::ConfigError;
use crate::export::OutputFile;
use crate::export::clip::{ClipTiming, duration};
use crate::export::gif;
use crate::viewer::{ClipFormat, MAX_CLIP, Offscreen, RenderedFlock, Simulation};

/// Simulates and renders a clip. Returns the signal that stopped it early, if any; there is no clip then.
///
/// # Errors
///
/// [`ConfigError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn record(args: &RecordArgs) -> Result<Option<i32>, ConfigError> {
    let format = format(args)?;
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
        let ticks = skipped.saturating_add(format.passes() * timing.last_tick());
        let mut on_tick = on_tick(ticks, &signals);
        let mut simulation = Simulation::new(scratch, &mut on_tick);
        let screen = Offscreen::new(start.clone(), args.screen.size).at_fps(args.fps);
        let again = || Offscreen::new(start, args.screen.size).at_fps(args.fps);
        let mut rendered = RenderedFlock { replay, screen };
        simulation.advance(&mut rendered, skipped).map_err(write_error)?;
        rendered.screen.draw(rendered.replay.flock());
        check_follow_target(&rendered)?;
        write_text(&mut rendered, &args.screen)?;
        simulation.write_clip(&mut rendered, again, format, timing, &mut file).map_err(write_error)?;
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
    writeln!(io::stderr(), "{}: {}", path.display(), timing.summary(file.len()))
        .map_err(ConfigError::io("standard error"))
}

/// The part of a session for the clip: the ticks before it, and its length.
fn part(args: &RecordArgs, session: &OpenSession<'_>, rate: f32) -> Result<(u64, Duration), ConfigError> {
    let range = TickRange::between(&args.range, &session.file)?;
    let length = duration(range.ticks, rate);
    if length <= MAX_CLIP {
        return Ok((range.skipped, length));
    }
    let message =
        format!("a clip can last an hour at most, and the session has {} ticks: use --from and --to", range.ticks);
    Err(ConfigError::flag(format!("--session {}", session.path.display()), message))
}

/// The format by file extension; standard output takes a .cast.
fn format(args: &RecordArgs) -> Result<ClipFormat, ConfigError> {
    match OutputFile::extension(&args.output).as_str() {
        "cast" | "-" => Ok(ClipFormat::Cast),
        "gif" if args.fps <= gif::MAX_FPS => Ok(ClipFormat::Gif),
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
