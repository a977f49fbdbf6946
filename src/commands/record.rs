//! A clip of the viewer's screen, made without a terminal: one file for each format.
//!
//! Frames are the viewer's own cells, as pictures are, and are drawn when they are due by the flock's clock: how fast a
//! machine is shows in nothing.

use std::io;

use super::args::Record;
use super::progress::Progress;
use super::setup::threads;
use super::shot::{begin, check_follow_target, open, print_random_seed};
use crate::config::{Error, simd};
use crate::engine::in_pool;
use crate::export::OutputFile;
use crate::export::cast::CastWriter;
use crate::export::clip::ClipWriter;
use crate::export::clip::palette::ColorCounts;
use crate::export::clip::timing::ClipTiming;
use crate::export::gif::GifWriter;
use crate::export::picture::{DefaultColors, Raster, ResolvedScreen};
use crate::sim::{Flock, Scratch};
use crate::terminal::signals::Signals;
use crate::viewer::{InitialState, Offscreen};

/// Flies, and makes a clip. Returns the signal that ended it early, if one did; there is no clip then.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right; nothing half-written stands anywhere then.
pub fn record(args: &Record) -> Result<Option<i32>, Error> {
    let format = ClipFormat::of(args)?;
    let (flock, mut start) = begin(&args.flock, &args.screen, args.screen.color.depth())?;
    start.rate = args.rate.unwrap_or(start.rate);
    let timing = ClipTiming::new(args.duration, args.fps, start.rate);
    let (mut target, signals) = open(&args.output)?;
    let seed = flock.seed();
    let simd = simd()?;
    let filmed = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        let ticks = args.ticks.saturating_add(format.passes() * timing.last_tick());
        let mut flight = Recorder { scratch, signals: &signals, progress: Progress::new(ticks), flown: 0 };
        let still = Offscreen::new(start.clone(), args.screen.size).at_fps(args.fps);
        let mut scene = RecordedFlock { flock, still };
        flight.fly(&mut scene, args.ticks)?;
        scene.still.draw(&scene.flock);
        check_follow_target(&scene.still, &scene.flock)?;
        flight.make(format, scene, start, timing, &mut target)
    });
    let wrong = |source| Error::File { path: args.output.clone(), source };
    match filmed {
        Ok(()) => target.finish().map_err(wrong)?,
        Err(Stop::Signal(signal)) => return Ok(Some(signal)),
        Err(Stop::Failed(error)) => return Err(error),
        Err(Stop::Unwritten(source)) => return Err(wrong(source)),
    }
    print_random_seed(&args.flock, seed)?;
    Ok(None)
}

/// Why a clip ends before its time.
enum Stop {
    /// A signal has come.
    Signal(i32),
    /// It cannot be had so.
    Failed(Error),
    /// It cannot be written.
    Unwritten(io::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

/// A flock, and the screen that shows it.
struct RecordedFlock {
    flock: Flock,
    still: Offscreen,
}

/// What is needed to fly.
struct Recorder<'a> {
    scratch: &'a mut Scratch,
    signals: &'a Signals,
    progress: Progress,
    /// How many ticks have been flown in all.
    flown: u64,
}

impl Recorder<'_> {
    /// Flies so many ticks, up to the next frame.
    fn fly(&mut self, scene: &mut RecordedFlock, ticks: u64) -> Result<(), Stop> {
        for left in (0..ticks).rev() {
            self.listen()?;
            scene.flock.step(self.scratch);
            scene.still.watch(&scene.flock, left);
            self.flown += 1;
            self.progress.show(self.flown);
        }
        // Time may go so slowly that there are many frames a tick.
        self.listen()
    }

    /// Listens for what ends the program.
    fn listen(&self) -> Result<(), Stop> {
        self.signals.pending().map_or(Ok(()), |signal| Err(Stop::Signal(signal)))
    }

    /// Makes the clip of a scene, which began so.
    fn make(
        &mut self,
        format: ClipFormat,
        mut scene: RecordedFlock,
        start: InitialState,
        timing: ClipTiming,
        target: &mut OutputFile,
    ) -> Result<(), Stop> {
        let (ground, size) = (DefaultColors::of(&start.colors.theme), scene.still.size());
        match format {
            ClipFormat::Cast => {
                let title = title(&start, &scene.flock);
                self.film(&mut scene, timing, CastWriter::begin(title, ground, size, target)?)
            }
            ClipFormat::Gif => {
                let colors = self.collect_colors(&scene, Offscreen::new(start, size), timing, ground)?;
                self.film(&mut scene, timing, GifWriter::begin(colors.palette(), ground, size, target)?)
            }
        }
    }

    /// Films all frames.
    fn film(&mut self, scene: &mut RecordedFlock, timing: ClipTiming, mut film: impl ClipWriter) -> Result<(), Stop> {
        for frame in 0..timing.frames() {
            self.fly(scene, timing.ticks_before(frame))?;
            film.add(scene.still.draw(&scene.flock), frame, timing)?;
        }
        Ok(film.finish(timing)?)
    }

    /// The colors of a clip that has not begun yet: some of its frames say enough.
    fn collect_colors(
        &mut self,
        now: &RecordedFlock,
        still: Offscreen,
        timing: ClipTiming,
        ground: DefaultColors,
    ) -> Result<ColorCounts, Stop> {
        let mut scene = RecordedFlock { flock: now.flock.clone(), still };
        let mut colors = ColorCounts::default();
        for frame in 0..timing.frames() {
            self.fly(&mut scene, timing.ticks_before(frame))?;
            if timing.is_sample(frame) {
                colors.add(&Raster::new(&ResolvedScreen::new(scene.still.draw(&scene.flock), ground)));
            }
        }
        Ok(colors)
    }
}

/// What a clip shows, in words.
fn title(start: &InitialState, flock: &Flock) -> String {
    let (boids, seed, tick) = (flock.boids(), flock.seed(), flock.tick());
    format!("{}, {boids} boids, seed {seed}, from tick {tick}", start.preset.name)
}

/// What a clip is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClipFormat {
    /// What a terminal is told, and when.
    Cast,
    /// Pixels.
    Gif,
}

impl ClipFormat {
    /// By the end of the file's name; standard output is a terminal's as a rule, or a player's of what one is told.
    fn of(args: &Record) -> Result<Self, Error> {
        let wrong = |flag: String, message: &str| Err(Error::Flag { flag, message: message.into() });
        let end = args.output.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            _ if OutputFile::is_stdout(&args.output) => Ok(Self::Cast),
            Some("cast") => Ok(Self::Cast),
            Some("gif") if args.fps <= crate::export::gif::MAX_FPS => Ok(Self::Gif),
            Some("gif") => wrong(format!("--fps {}", args.fps), "a .gif has at most 50 frames a second, a .cast 60"),
            _ => wrong(
                format!("--output {}", args.output.display()),
                "a clip's name ends in .gif or .cast, or is - for .cast",
            ),
        }
    }

    /// How often a clip is flown: for a .gif first of all for its colors.
    fn passes(self) -> u64 {
        match self {
            Self::Cast => 1,
            Self::Gif => 2,
        }
    }
}
