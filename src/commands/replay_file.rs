//! Session files and recordings that commands open, and the ticks of them that they use.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{AtArgs, BesideArgs, DEFAULT_PRESET, RangeArgs, RecordingArgs, SessionArgs};
use super::output::Progress;
use crate::config::{Preset, RATE_RANGE, WorldSize, set_current_seed};
use crate::engine::Playback;
use crate::error::{InputError, escape_control, note_text};
use crate::export::session::{self, SessionFile};
use crate::export::{OutputFile, stderr};
use crate::sim::{Kind, Replay, ReplayError, Setup, SharedLog};
use crate::tracks::{self, EXTENSIONS, is_recording};
use crate::tracks::{Beside, Note, Player, Recording};

/// Frames per second if a recording has none that can be watched …
const DEFAULT_RATE: f32 = 10.0;
/// … which takes at least this many.
const MIN_RATE: f32 = 2.0;

/// A session or a recording in a file.
#[derive(Debug)]
pub(super) enum ReplayFile {
    Session(Box<SessionFile>),
    Recording(Arc<Recording>),
}

/// Reads a session file, or a recording in several files. Also returns the notes on a recording. A note on standard error
/// says if the end of a session is missing.
pub(super) fn open(files: &[PathBuf], args: &RecordingArgs) -> Result<(ReplayFile, Vec<Note>), InputError> {
    let path = &*files[0];
    if is_recording(path) {
        let (recording, notes) = read_recording(files, args)?;
        return Ok((ReplayFile::Recording(Arc::new(recording)), notes));
    }
    if let [_, second, ..] = files {
        let message = format!("only recordings may be in several files, and {} is not one", path.display());
        return Err(InputError::file(second, message));
    }
    if let Some(option) = args.first_option() {
        let message = format!("only recordings ({EXTENSIONS}) need it, and {} is not one", path.display());
        return Err(InputError::flag(option, message));
    }
    Ok((ReplayFile::Session(Box::new(open_session(path)?)), Vec::new()))
}

/// Reads a recording in several files, and shows the progress. Also returns the notes on it.
pub(super) fn read_recording(files: &[PathBuf], args: &RecordingArgs) -> Result<(Recording, Vec<Note>), InputError> {
    let sizes = files.iter().filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len());
    let (progress, read) = (Progress::of_work(sizes.sum()), Cell::new(0));
    progress.set_message("reading".to_owned());
    let watch = |bytes| {
        read.set(read.get() + bytes);
        progress.show(read.get());
    };
    Ok(tracks::read(files, &args.options(), &watch)?)
}

pub(super) fn open_session(path: &Path) -> Result<SessionFile, InputError> {
    let file = session::read(path).map_err(|error| match error {
        InputError::Line { line: 1, .. } if OutputFile::extension(path) != session::EXTENSION => {
            InputError::file(path, format!("expected a session (.flock) or a recording ({EXTENSIONS})"))
        }
        error => error,
    })?;
    set_current_seed(file.log.start().setup.seed);
    let (start, end) = (file.log.start().tick(), file.log.tick());
    tracing::info!(?path, program = file.program, start, end, events = file.log.events().len(), "session");
    if file.truncated {
        note(path, &format!("the end of the session is missing: it is replayed up to tick {end}"))?;
    }
    Ok(file)
}

/// The player of a recording, with a flock beside the animals whose states take at most `history` bytes.
pub(super) fn player(recording: &Arc<Recording>, args: &BesideArgs, history: usize) -> Result<Player, InputError> {
    let player = Player::new(recording);
    let Some(name) = &args.beside else { return Ok(player) };
    let invalid = |message: String| InputError::flag(format!("--beside {name}"), message);
    let preset = Preset::load(name)?;
    let world = if let WorldSize::Fixed(world) = preset.world { world } else { recording.world };
    let [of_preset, of_recording] = [world, recording.world].map(|world| world.dim());
    if of_preset != of_recording {
        return Err(invalid(format!("the preset has {of_preset} dimensions, and the recording {of_recording}")));
    }
    let setup = Setup { world, ..preset.setup(1, 1.0) };
    let start = recording.first_full_frame();
    let animals = recording.rows(start).filter(|row| row.kind == Kind::Prey).count();
    let inside = recording.boids(start, &setup, preset.corner).len();
    // A few strays may be outside the world of a fit.
    if 10 * inside < 9 * animals {
        return Err(invalid(format!(
            "{inside} of {animals} animals are inside the world of the preset, which is {world}; that of the recording is {}. \
             `--unit` converts lengths",
            recording.world
        )));
    }
    let beside = Beside::new(setup, preset.corner, recording, history);
    Ok(player.with_beside(beside.map_err(|error| invalid(error.to_string()))?))
}

impl BesideArgs {
    /// Checks that the option has animals to fly beside.
    pub(super) fn check(&self, is_recording: bool, path: &Path) -> Result<(), InputError> {
        let Some(name) = self.beside.as_ref().filter(|_| !is_recording) else { return Ok(()) };
        let message =
            format!("only recordings ({EXTENSIONS}) have animals to fly beside, and {} is not one", path.display());
        Err(InputError::flag(format!("--beside {name}"), message))
    }
}

impl ReplayFile {
    /// The first state of a session, with the commands applied at its tick, or the first frame, with a flock beside the animals.
    pub(super) fn playback(&self, path: &Path, beside: &BesideArgs) -> Result<Playback, InputError> {
        beside.check(self.recording().is_some(), path)?;
        Ok(match self {
            Self::Session(file) => replay(path, file)?.into(),
            Self::Recording(recording) => Playback::Player(Box::new(player(recording, beside, 0)?)),
        })
    }

    /// The preset that the session started with. For a recording, which follows no rules, the default one at its rate.
    pub(super) fn preset(&self) -> Result<Preset, InputError> {
        match self {
            Self::Session(file) => Ok(file.preset.clone()),
            Self::Recording(_) => Ok(Preset { rate: self.rate(), ..Preset::load(DEFAULT_PRESET)? }),
        }
    }

    /// The recording, if it is one.
    pub(super) fn recording(&self) -> Option<&Arc<Recording>> {
        if let Self::Recording(recording) = self { Some(recording) } else { None }
    }

    /// Ticks per second. Those of a recording are its frames per second, if that can be watched.
    pub(super) fn rate(&self) -> f32 {
        match self {
            Self::Session(file) => file.rate,
            Self::Recording(recording) => {
                let frames = recording.shown_per_second().map(|rate| rate as f32).filter(|rate| *rate >= MIN_RATE);
                let preset = || Some(Preset::load(recording.preset.as_deref()?).ok()?.rate);
                frames.or_else(preset).unwrap_or(DEFAULT_RATE).clamp(RATE_RANGE.0, RATE_RANGE.1)
            }
        }
    }

    /// The first and the last tick, or the numbers of the first and the last frame.
    fn ticks(&self) -> (u64, u64) {
        match self {
            Self::Session(file) => (file.log.start().tick(), file.log.tick()),
            Self::Recording(recording) => (recording.first, recording.last),
        }
    }

    /// The difference between the numbers of successive ticks or frames.
    fn stride(&self) -> u64 {
        self.recording().map_or(1, |recording| recording.stride)
    }

    /// The ticks from the first one to the first one that is not before a number.
    fn ticks_to(&self, number: u64) -> u64 {
        (number - self.ticks().0).div_ceil(self.stride())
    }

    /// The number of the last tick that is not after a number within the file.
    fn tick_below(&self, number: u64) -> Option<u64> {
        let (first, last) = self.ticks();
        let below = |number: u64| number - (number - first) % self.stride();
        (first..=last).contains(&number).then(|| if number == last { last } else { below(number) })
    }
}

/// The first state of a session.
pub(super) fn replay(path: &Path, file: &SessionFile) -> Result<Replay, InputError> {
    Replay::new(SharedLog::new(file.log.clone())).map_err(|error| impossible(path, &error))
}

/// The session of `--session`, if there is one. Without it, flags for its ticks have no meaning.
pub(super) fn open_optional<'a>(
    args: &'a SessionArgs,
    ticks: &[(&str, Option<u64>)],
) -> Result<Option<OpenSession<'a>>, InputError> {
    if let Some(path) = args.session.first() {
        let (file, notes) = open(&args.session, &args.recording)?;
        notes.iter().try_for_each(|text| note(path, &note_text(text)))?;
        return Ok(Some(OpenSession { path, file }));
    }
    // clap does not check this if an option that excludes `--session` is given.
    match ticks.iter().find_map(|(flag, tick)| Some((flag, (*tick)?))) {
        Some((flag, tick)) => Err(InputError::flag(format!("{flag} {tick}"), "expected --session FILE with it")),
        None => Ok(None),
    }
}

/// A session or a recording and its path.
#[derive(Debug)]
pub(super) struct OpenSession<'a> {
    pub path: &'a Path,
    pub file: ReplayFile,
}

/// The error for a replay, or for the output that is written from it.
pub(super) fn output_error(error: io::Error, session: Option<&Path>, output: &Path) -> InputError {
    match error.downcast::<ReplayError>() {
        Ok(error) => impossible(session.unwrap_or(output), &error),
        Err(error) => InputError::io(output)(error),
    }
}

/// The error for a command that cannot be applied.
pub(super) fn impossible(path: &Path, error: &ReplayError) -> InputError {
    // The header is line 1, and each event has a line.
    let line = error.event.map_or(1, |event| event as u64 + 2);
    InputError::line(path, line, error.to_string())
}

/// Reports on standard error that a replay differs from the session.
pub(super) fn report_divergence(session: &OpenSession<'_>, playback: &Playback) -> Result<(), InputError> {
    let (Some(divergence), ReplayFile::Session(file)) = (playback.divergence(), &session.file) else { return Ok(()) };
    note(session.path, &format!("{divergence} (recorded with flockscope {})", file.program))
}

pub(super) fn note(path: &Path, text: &str) -> Result<(), InputError> {
    let line = format!("{}: {text}", path.display());
    writeln!(stderr(), "flockscope: {}", escape_control(&line)).map_err(InputError::io("standard error"))
}

/// An option that names a tick.
#[derive(Clone, Copy)]
struct TickFlag {
    name: &'static str,
    tick: u64,
}

impl TickFlag {
    fn error(self, message: String) -> InputError {
        InputError::flag(format!("{} {}", self.name, self.tick), message)
    }
}

/// Ticks of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TickRange {
    /// Ticks before the first one.
    pub skipped: u64,
    /// Ticks from the first one to the last.
    pub ticks: u64,
}

impl TickRange {
    /// The number of all ticks.
    pub(super) fn last(self) -> u64 {
        self.skipped.saturating_add(self.ticks)
    }

    /// The tick of `--at`.
    pub(super) fn at(args: &AtArgs, file: &ReplayFile) -> Result<Self, InputError> {
        let tick = args.at.unwrap_or(file.ticks().1);
        if let Some(nearest) = file.tick_below(tick).filter(|nearest| *nearest != tick) {
            let next = (nearest + file.stride()).min(file.ticks().1);
            let message = format!("the recording has the frames {nearest} and {next}");
            return Err(InputError::flag(format!("--at {tick}"), message));
        }
        let at = TickFlag { name: "--at", tick };
        Self::new(file, at, at)
    }

    /// The ticks of `--from` and `--to`.
    pub(super) fn between(args: &RangeArgs, file: &ReplayFile) -> Result<Self, InputError> {
        let (start, end) = file.ticks();
        let from = TickFlag { name: "--from", tick: args.from.unwrap_or(start) };
        Self::new(file, from, TickFlag { name: "--to", tick: args.to.unwrap_or(end) })
    }

    fn new(file: &ReplayFile, from: TickFlag, to: TickFlag) -> Result<Self, InputError> {
        let (start, end) = file.ticks();
        for flag in [from, to] {
            if !(start..=end).contains(&flag.tick) {
                let what =
                    if file.recording().is_some() { "recording has the frames" } else { "session has the ticks" };
                return Err(flag.error(format!("the {what} {start} to {end}")));
            }
        }
        if to.tick < from.tick {
            return Err(to.error(format!("expected a tick of at least {}, that of --from", from.tick)));
        }
        let skipped = file.ticks_to(from.tick);
        let last = file.ticks_to(file.tick_below(to.tick).unwrap_or(to.tick));
        let ticks = last.checked_sub(skipped);
        ticks.map(|ticks| Self { skipped, ticks }).ok_or_else(|| {
            let stride = file.stride();
            to.error(format!("the recording has no frame from {} to {}, only every {stride}th", from.tick, to.tick))
        })
    }
}
