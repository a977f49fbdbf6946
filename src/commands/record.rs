//! A clip of the viewer's screen, made without a terminal: one file for each format.
//!
//! Frames are the viewer's own cells, as pictures are, and are drawn when they are due by the flock's clock: how fast a
//! machine is shows in nothing.

use std::io;

use super::args::Record;
use super::progress::Progress;
use super::setup::threads;
use super::shot::{begin, check_followed, open, tell_seed};
use crate::config::{Error, simd};
use crate::engine::in_pool;
use crate::export::Target;
use crate::export::cast::Cast;
use crate::export::clip::Film;
use crate::export::clip::palette::Census;
use crate::export::clip::timing::Timing;
use crate::export::gif::Gif;
use crate::export::picture::{Ground, Page, Raster};
use crate::sim::{Flock, Scratch};
use crate::terminal::signals::Signals;
use crate::viewer::{Start, Still};

/// Flies, and makes a clip. Returns the signal that ended it early, if one did; there is no clip then.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right; nothing half-written stands anywhere then.
pub fn record(args: &Record) -> Result<Option<i32>, Error> {
    let format = Format::of(args)?;
    let (flock, mut start) = begin(&args.flock, &args.screen, args.screen.color.depth())?;
    start.rate = args.rate.unwrap_or(start.rate);
    let timing = Timing::new(args.duration, args.fps, start.rate);
    let (mut target, signals) = open(&args.output)?;
    let seed = flock.seed();
    let simd = simd()?;
    let filmed = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        let ticks = args.ticks.saturating_add(format.passes() * timing.last_tick());
        let mut flight = Flight { scratch, signals: &signals, progress: Progress::new(ticks), flown: 0 };
        let still = Still::new(start.clone(), args.screen.size).at_fps(args.fps);
        let mut scene = Scene { flock, still };
        flight.fly(&mut scene, args.ticks)?;
        scene.still.draw(&scene.flock);
        check_followed(&scene.still, &scene.flock)?;
        flight.make(format, scene, start, timing, &mut target)
    });
    let wrong = |source| Error::File { path: args.output.clone(), source };
    match filmed {
        Ok(()) => target.finish().map_err(wrong)?,
        Err(Halt::Signal(signal)) => return Ok(Some(signal)),
        Err(Halt::Failed(error)) => return Err(error),
        Err(Halt::Unwritten(source)) => return Err(wrong(source)),
    }
    tell_seed(&args.flock, seed)?;
    Ok(None)
}

/// Why a clip ends before its time.
enum Halt {
    /// A signal has come.
    Signal(i32),
    /// It cannot be had so.
    Failed(Error),
    /// It cannot be written.
    Unwritten(io::Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

/// A flock, and the screen that shows it.
struct Scene {
    flock: Flock,
    still: Still,
}

/// What is needed to fly.
struct Flight<'a> {
    scratch: &'a mut Scratch,
    signals: &'a Signals,
    progress: Progress,
    /// How many ticks have been flown in all.
    flown: u64,
}

impl Flight<'_> {
    /// Flies so many ticks, up to the next frame.
    fn fly(&mut self, scene: &mut Scene, ticks: u64) -> Result<(), Halt> {
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
    fn listen(&self) -> Result<(), Halt> {
        self.signals.pending().map_or(Ok(()), |signal| Err(Halt::Signal(signal)))
    }

    /// Makes the clip of a scene, which began so.
    fn make(
        &mut self,
        format: Format,
        mut scene: Scene,
        start: Start,
        timing: Timing,
        target: &mut Target,
    ) -> Result<(), Halt> {
        let (ground, size) = (Ground::of(&start.colors.theme), scene.still.size());
        match format {
            Format::Cast => {
                let title = title(&start, &scene.flock);
                self.film(&mut scene, timing, Cast::begin(title, ground, size, target)?)
            }
            Format::Gif => {
                let colors = self.look_ahead(&scene, Still::new(start, size), timing, ground)?;
                self.film(&mut scene, timing, Gif::begin(colors.palette(), ground, size, target)?)
            }
        }
    }

    /// Films all frames.
    fn film(&mut self, scene: &mut Scene, timing: Timing, mut film: impl Film) -> Result<(), Halt> {
        for frame in 0..timing.frames() {
            self.fly(scene, timing.ticks_before(frame))?;
            film.add(scene.still.draw(&scene.flock), frame, timing)?;
        }
        Ok(film.finish(timing)?)
    }

    /// The colours of a clip that has not begun yet: some of its frames say enough.
    fn look_ahead(&mut self, now: &Scene, still: Still, timing: Timing, ground: Ground) -> Result<Census, Halt> {
        let mut scene = Scene { flock: now.flock.clone(), still };
        let mut colors = Census::default();
        for frame in 0..timing.frames() {
            self.fly(&mut scene, timing.ticks_before(frame))?;
            if timing.is_sample(frame) {
                colors.add(&Raster::new(&Page::new(scene.still.draw(&scene.flock), ground)));
            }
        }
        Ok(colors)
    }
}

/// What a clip shows, in words.
fn title(start: &Start, flock: &Flock) -> String {
    let (boids, seed, tick) = (flock.boids(), flock.seed(), flock.tick());
    format!("{}, {boids} boids, seed {seed}, from tick {tick}", start.preset.name)
}

/// What a clip is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// What a terminal is told, and when.
    Cast,
    /// Pixels.
    Gif,
}

impl Format {
    /// By the end of the file's name; standard output is a terminal's as a rule, or a player's of what one is told.
    fn of(args: &Record) -> Result<Self, Error> {
        let wrong = |flag: String, message: &str| Err(Error::Flag { flag, message: message.into() });
        let end = args.output.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            _ if Target::is_stdout(&args.output) => Ok(Self::Cast),
            Some("cast") => Ok(Self::Cast),
            Some("gif") if args.fps <= crate::export::gif::MOST_FPS => Ok(Self::Gif),
            Some("gif") => wrong(format!("--fps {}", args.fps), "a .gif has at most 50 frames a second, a .cast 60"),
            _ => wrong(
                format!("--output {}", args.output.display()),
                "a clip's name ends in .gif or .cast, or is - for .cast",
            ),
        }
    }

    /// How often a clip is flown: for a .gif first of all for its colours.
    fn passes(self) -> u64 {
        match self {
            Self::Cast => 1,
            Self::Gif => 2,
        }
    }
}
