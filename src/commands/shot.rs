//! A picture of the viewer's screen, drawn without a terminal: one file for each format.
//!
//! The viewer draws its cells as ever; a [`ResolvedScreen`] is what they look like, and each format makes of it
//! what it can.

use std::io::{self, Write};
use std::path::Path;

use super::args::{FlockArgs, ScreenArgs, Shot};
use super::progress::Progress;
use super::setup::{PreparedFlock, threads};
use crate::config::{Error, Preset, Theme, remove_temp_files, simd};
use crate::engine::in_pool;
use crate::export::OutputFile;
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::sim::Flock;
use crate::terminal::signals::Signals;
use crate::viewer::{ColorDepth, Colors, InitialState, Keymap, Offscreen};

/// Flies, and takes a picture at the end. Returns the signal that ended it early, if one did; there
/// is no picture then.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right; nothing half-written stands anywhere then.
pub fn shot(args: &Shot) -> Result<Option<i32>, Error> {
    let format = PictureFormat::of(&args.output)?;
    let (mut flock, start) = begin(&args.flock, &args.screen, depth(args, format))?;
    let ground = DefaultColors::of(&start.colors.theme);
    let mut still = Offscreen::new(start, args.screen.size);
    let (mut target, signals) = open(&args.output)?;
    if let Some(signal) = fly(args, &mut flock, &mut still, &signals)? {
        return Ok(Some(signal));
    }
    let screen = still.draw(&flock).clone();
    check_follow_target(&still, &flock)?;
    let written = format.write(&screen, ground, &mut target).and_then(|()| target.finish());
    written.map_err(|source| Error::File { path: args.output.clone(), source })?;
    print_random_seed(&args.flock, flock.seed())?;
    Ok(None)
}

/// The flock, and how the screen that shows it begins. All that the viewer can be asked for, and that a picture
/// shows, is passed on here and nowhere else.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right.
pub fn begin(flock: &FlockArgs, args: &ScreenArgs, depth: ColorDepth) -> Result<(Flock, InitialState), Error> {
    let theme = Theme::load(&args.theme)?;
    let preset = Preset::load(&flock.preset)?;
    let clean = !args.panel;
    let launch = PreparedFlock::new(flock, preset, Offscreen::shape(args.size, clean))?;
    let start = InitialState {
        rate: launch.preset.rate,
        preset: launch.preset,
        setup: launch.setup,
        world_is_auto: launch.world_is_auto,
        input: None,
        colors: Colors { theme, chosen: true, depth, guessed: false },
        marker: args.marker,
        view: args.view,
        aim: args.aim.aim(),
        clean,
        keymap: Keymap::default(),
    };
    Ok((launch.flock, start))
}

/// How many colors there are: in plain text none, and what would be told by them is told by its symbols.
fn depth(args: &Shot, format: PictureFormat) -> ColorDepth {
    if format == PictureFormat::Text { ColorDepth::Mono } else { args.screen.color.depth() }
}

/// Whether there is anybody to be followed, as was asked for.
///
/// # Errors
///
/// [`Error::Flag`] where there is not.
pub fn check_follow_target(still: &Offscreen, flock: &Flock) -> Result<(), Error> {
    still.missing().map_or(Ok(()), |id| {
        let message = format!("nobody has this id at tick {}", flock.tick());
        Err(Error::Flag { flag: format!("--follow {id}"), message })
    })
}

/// Says which seed chance has chosen, where nobody did.
///
/// # Errors
///
/// [`Error::File`] where standard error takes nothing.
pub fn print_random_seed(args: &FlockArgs, seed: u64) -> Result<(), Error> {
    if args.seed.is_some() {
        return Ok(());
    }
    let told = writeln!(io::stderr(), "seed {seed}");
    told.map_err(|source| Error::File { path: "standard error".into(), source })
}

/// Opens the file before the flight, which may take long, and listens for signals.
///
/// # Errors
///
/// [`Error::File`] where the file cannot be written, or signals cannot be listened for.
pub fn open(path: &Path) -> Result<(OutputFile, Signals), Error> {
    // Nobody listens yet: a signal ends what waits for a reader, and finds no file to be left behind.
    let waiting = OutputFile::may_wait(path).then(|| OutputFile::open(path)).transpose()?;
    let signals =
        Signals::for_termination(remove_temp_files).map_err(|source| Error::File { path: "signals".into(), source })?;
    let target = waiting.map_or_else(|| OutputFile::open(path), Ok)?;
    Ok((target, signals))
}

/// Flies; returns the signal that has come meanwhile.
fn fly(args: &Shot, flock: &mut Flock, still: &mut Offscreen, signals: &Signals) -> Result<Option<i32>, Error> {
    let simd = simd()?;
    let progress = Progress::new(args.ticks);
    Ok(in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        (1..=args.ticks).find_map(|tick| {
            flock.step(scratch);
            still.watch(flock, args.ticks - tick);
            progress.show(tick);
            signals.pending()
        })
    }))
}
