//! `flockscope record`: render a clip.
//!
//! Frames are due by the clock of the flock, so a clip does not depend on the speed of the machine.

use std::io;

use super::args::RecordArgs;
use super::output::{file_error, open_one, print_random_seed};
use super::progress::Progress;
use super::setup::threads;
use super::shot::{check_follow_target, prepare};
use crate::config::{Error, simd};
use crate::engine::in_pool;
use crate::export::OutputFile;
use crate::export::cast::CastWriter;
use crate::export::clip::ClipWriter;
use crate::export::clip::palette::ColorCounts;
use crate::export::clip::timing::ClipTiming;
use crate::export::gif::{self, GifWriter};
use crate::export::picture::{DefaultColors, Raster, ResolvedScreen};
use crate::sim::{Flock, Scratch};
use crate::terminal::Signals;
use crate::viewer::{InitialState, Offscreen};

/// Simulates and renders a clip. Returns the signal that stopped it early, if any; there is no clip then.
///
/// # Errors
///
/// [`Error`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn record(args: &RecordArgs) -> Result<Option<i32>, Error> {
    let format = ClipFormat::of(args)?;
    let (flock, mut start) = prepare(&args.flock, &args.screen, args.screen.color.depth())?;
    start.rate = args.rate.unwrap_or(start.rate);
    let timing = ClipTiming::new(args.duration, args.fps, start.rate);
    let (mut file, signals) = open_one(&args.output)?;
    let seed = flock.seed();
    let simd = simd()?;
    let recorded = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        let ticks = args.ticks.saturating_add(format.passes() * timing.last_tick());
        let mut recorder = Recorder { scratch, signals: &signals, progress: Progress::new(ticks), ticks: 0 };
        let screen = Offscreen::new(start.clone(), args.screen.size).at_fps(args.fps);
        let mut scene = RecordedFlock { flock, screen };
        recorder.simulate(&mut scene, args.ticks)?;
        scene.screen.draw(&scene.flock);
        check_follow_target(&scene.screen, &scene.flock)?;
        recorder.write_clip(format, scene, start, timing, &mut file)
    });
    let write_error = |source| file_error(&args.output, source);
    match recorded {
        Ok(()) => file.finish().map_err(write_error)?,
        Err(Stop::Signal(signal)) => return Ok(Some(signal)),
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Write(source)) => return Err(write_error(source)),
    }
    print_random_seed(&args.flock, seed)?;
    Ok(None)
}

/// Why a clip ends early.
enum Stop {
    /// A signal arrived.
    Signal(i32),
    /// An option is invalid.
    Error(Error),
    /// The file cannot be written.
    Write(io::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// A flock, and the screen that shows it.
struct RecordedFlock {
    flock: Flock,
    screen: Offscreen,
}

/// Simulates and writes frames.
struct Recorder<'a> {
    scratch: &'a mut Scratch,
    signals: &'a Signals,
    progress: Progress,
    /// The ticks simulated so far, in all passes.
    ticks: u64,
}

impl Recorder<'_> {
    fn simulate(&mut self, scene: &mut RecordedFlock, ticks: u64) -> Result<(), Stop> {
        for left in (0..ticks).rev() {
            self.check_signals()?;
            scene.flock.step(self.scratch);
            scene.screen.watch(&scene.flock, left);
            self.ticks += 1;
            self.progress.show(self.ticks);
        }
        // At a low tick rate, many frames pass without a tick.
        self.check_signals()
    }

    fn check_signals(&self) -> Result<(), Stop> {
        self.signals.pending().map_or(Ok(()), |signal| Err(Stop::Signal(signal)))
    }

    fn write_clip(
        &mut self,
        format: ClipFormat,
        mut scene: RecordedFlock,
        start: InitialState,
        timing: ClipTiming,
        file: &mut OutputFile,
    ) -> Result<(), Stop> {
        let (colors, size) = (DefaultColors::of(&start.colors.theme), scene.screen.size());
        match format {
            ClipFormat::Cast => {
                let title = title(&start, &scene.flock);
                self.write_frames(&mut scene, timing, CastWriter::begin(title, colors, size, file)?)
            }
            ClipFormat::Gif => {
                let counts = self.count_colors(&scene, Offscreen::new(start, size), timing, colors)?;
                self.write_frames(&mut scene, timing, GifWriter::begin(counts.palette(), colors, size, file)?)
            }
        }
    }

    fn write_frames(
        &mut self,
        scene: &mut RecordedFlock,
        timing: ClipTiming,
        mut writer: impl ClipWriter,
    ) -> Result<(), Stop> {
        for frame in 0..timing.frames() {
            self.simulate(scene, timing.ticks_before(frame))?;
            writer.add(scene.screen.draw(&scene.flock), frame, timing)?;
        }
        Ok(writer.finish(timing)?)
    }

    /// A first pass over the clip: the colors of a sample of its frames.
    fn count_colors(
        &mut self,
        first: &RecordedFlock,
        screen: Offscreen,
        timing: ClipTiming,
        default_colors: DefaultColors,
    ) -> Result<ColorCounts, Stop> {
        let mut scene = RecordedFlock { flock: first.flock.clone(), screen };
        let mut counts = ColorCounts::default();
        for frame in 0..timing.frames() {
            self.simulate(&mut scene, timing.ticks_before(frame))?;
            if timing.is_sample(frame) {
                counts.add(&Raster::new(&ResolvedScreen::new(scene.screen.draw(&scene.flock), default_colors)));
            }
        }
        Ok(counts)
    }
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
    fn of(args: &RecordArgs) -> Result<Self, Error> {
        let invalid = |flag: String, message: &str| Err(Error::Flag { flag, message: message.into() });
        let extension = args.output.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            _ if OutputFile::is_stdout(&args.output) => Ok(Self::Cast),
            Some("cast") => Ok(Self::Cast),
            Some("gif") if args.fps <= gif::MAX_FPS => Ok(Self::Gif),
            Some("gif") => {
                invalid(format!("--fps {}", args.fps), "a .gif takes at most 50 frames per second, a .cast 60")
            }
            _ => invalid(
                format!("--output {}", args.output.display()),
                "the name must end in .gif or .cast, or be - for a .cast on standard output",
            ),
        }
    }

    /// How often the clip is simulated: a .gif first for its palette.
    fn passes(self) -> u64 {
        match self {
            Self::Cast => 1,
            Self::Gif => 2,
        }
    }
}
