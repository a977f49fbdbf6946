//! Session files and recordings that commands open, and the ticks of them that they use.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{AtArgs, BesideArgs, DEFAULT_PRESET, RangeArgs, RecordingArgs, SessionArgs};
use super::output::Progress;
use crate::config::{Preset, RATE_RANGE, WorldSize, set_current_seed};
use crate::error::{InputError, escape_control, note_text};
use crate::export::session::{self, SessionFile};
use crate::export::{OutputFile, stderr};
use crate::picture::GlyphTable;
use crate::sim::{Flock, Kind, ReplayError, Scratch, Session, Setup, Timeline};
use crate::tracks::{self, EXTENSIONS, is_recording};
use crate::tracks::{Beside, Note, Player, Recording};

/// Frames per second if a recording has none that can be watched …
const DEFAULT_RATE: f32 = 10.0;
/// … which takes at least this many.
const MIN_RATE: f32 = 2.0;

/// A timeline at its first state, and what belongs to it.
pub(super) struct Opened {
    pub timeline: Box<dyn Timeline>,
    /// That of the flock; for a recording, which follows no rules, the default one.
    pub preset: Preset,
    /// Ticks or frames per second.
    pub rate: f32,
    /// The recording, unless it is a flock.
    pub recording: Option<Arc<Recording>>,
    /// The glyphs of perches.
    pub glyphs: GlyphTable,
    /// Where it comes from; `None` for a new flock.
    pub file: Option<ReplayedFile>,
}

/// A file of a session or a recording.
pub(super) struct ReplayedFile {
    pub path: PathBuf,
    /// The version of flockscope that recorded the session; `None` for a recording.
    program: Option<String>,
    /// The first and the last tick, or the numbers of the first and the last frame.
    first: u64,
    last: u64,
    /// The difference between the numbers of successive ticks or frames.
    stride: u64,
}

/// Opens a session file, or a recording in several files with a flock beside its animals, before the commands at the first tick. Also
/// returns the notes on a recording. States to go back to take at most `history` bytes.
pub(super) fn open(
    files: &[PathBuf],
    args: &RecordingArgs,
    beside: &BesideArgs,
    history: usize,
) -> Result<(Opened, Vec<Note>), InputError> {
    let path = &files[0];
    if is_recording(path) {
        let (recording, notes) = read_recording(files, args)?;
        let recording = Arc::new(recording);
        let frames = recording.shown_per_second().map(|rate| rate as f32).filter(|rate| *rate >= MIN_RATE);
        let preset = || Some(Preset::load(recording.preset.as_deref()?).ok()?.rate);
        let rate = frames.or_else(preset).unwrap_or(DEFAULT_RATE).clamp(RATE_RANGE.0, RATE_RANGE.1);
        let Recording { first, last, stride, .. } = *recording;
        let opened = Opened {
            timeline: Box::new(player(&recording, beside, history)?),
            preset: Preset { rate, ..Preset::load(DEFAULT_PRESET)? },
            rate,
            recording: Some(recording),
            glyphs: GlyphTable::default(),
            file: Some(ReplayedFile { path: path.clone(), program: None, first, last, stride }),
        };
        return Ok((opened, notes));
    }
    if let [_, second, ..] = files {
        let message = format!("only recordings may be in several files, and {} is not one", path.display());
        return Err(InputError::file(second, message));
    }
    if let Some(option) = args.first_option() {
        let message = format!("only recordings ({EXTENSIONS}) need it, and {} is not one", path.display());
        return Err(InputError::flag(option, message));
    }
    if let Some(name) = &beside.beside {
        let message =
            format!("only recordings ({EXTENSIONS}) have animals to fly beside, and {} is not one", path.display());
        return Err(InputError::flag(format!("--beside {name}"), message));
    }
    let SessionFile { preset, rate, log, glyphs, program, .. } = open_session(path)?;
    let (first, last) = (log.start().tick(), log.tick());
    let session = Session::open(log, history).map_err(|error| impossible(path, &error))?;
    let file = ReplayedFile { path: path.clone(), program: Some(program), first, last, stride: 1 };
    let opened = Opened { timeline: Box::new(session), preset, rate, recording: None, glyphs, file: Some(file) };
    Ok((opened, Vec::new()))
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
fn player(recording: &Arc<Recording>, args: &BesideArgs, history: usize) -> Result<Player, InputError> {
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

impl ReplayedFile {
    /// The ticks from the first one to the first one that is not before a number.
    fn ticks_to(&self, number: u64) -> u64 {
        (number - self.first).div_ceil(self.stride)
    }

    /// The number of the last tick that is not after a number within the file.
    fn tick_below(&self, number: u64) -> Option<u64> {
        let Self { first, last, stride, .. } = *self;
        (first..=last).contains(&number).then(|| if number == last { last } else { number - (number - first) % stride })
    }
}

impl Opened {
    /// A new flock.
    pub(super) fn of_flock(flock: Flock, preset: Preset) -> Self {
        let rate = preset.rate;
        let timeline = Box::new(Session::begin(flock, true, 0));
        Self { timeline, preset, rate, recording: None, glyphs: GlyphTable::default(), file: None }
    }
}

/// The session or the recording of `--session`, if there is one, with the commands at its first tick. Without it, flags for its ticks
/// have no meaning.
pub(super) fn open_optional(
    args: &SessionArgs,
    beside: &BesideArgs,
    ticks: &[(&str, Option<u64>)],
) -> Result<Option<Opened>, InputError> {
    if let Some(path) = args.session.first() {
        let (mut opened, notes) = open(&args.session, &args.recording, beside, 0)?;
        print_notes(&args.session, &notes)?;
        opened.timeline.finish(&mut Scratch::new()).map_err(|error| impossible(path, &error))?;
        return Ok(Some(opened));
    }
    // clap does not check this if an option that excludes `--session` is given.
    match ticks.iter().find_map(|(flag, tick)| Some((flag, (*tick)?))) {
        Some((flag, tick)) => Err(InputError::flag(format!("{flag} {tick}"), "expected --session FILE with it")),
        None => Ok(None),
    }
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
pub(super) fn report_divergence(file: &ReplayedFile, timeline: &dyn Timeline) -> Result<(), InputError> {
    let Some((divergence, program)) = timeline.divergence().zip(file.program.as_ref()) else { return Ok(()) };
    note(&file.path, &format!("{divergence} (recorded with flockscope {program})"))
}

/// Prints the notes on a recording in several files, each with the file that it is about.
pub(super) fn print_notes(files: &[PathBuf], notes: &[Note]) -> Result<(), InputError> {
    let all = match files.len() {
        1 => files[0].clone(),
        count => format!("{} and {} more", files[0].display(), count - 1).into(),
    };
    notes.iter().try_for_each(|found| note(found.file.as_ref().unwrap_or(&all), &note_text(found)))
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
    pub(super) fn at(args: &AtArgs, file: &ReplayedFile) -> Result<Self, InputError> {
        let tick = args.at.unwrap_or(file.last);
        if let Some(nearest) = file.tick_below(tick).filter(|nearest| *nearest != tick) {
            let next = (nearest + file.stride).min(file.last);
            let message = format!("the recording has the frames {nearest} and {next}");
            return Err(InputError::flag(format!("--at {tick}"), message));
        }
        let at = TickFlag { name: "--at", tick };
        Self::new(file, at, at)
    }

    /// The ticks of `--from` and `--to`.
    pub(super) fn between(args: &RangeArgs, file: &ReplayedFile) -> Result<Self, InputError> {
        let (start, end) = (file.first, file.last);
        let from = TickFlag { name: "--from", tick: args.from.unwrap_or(start) };
        Self::new(file, from, TickFlag { name: "--to", tick: args.to.unwrap_or(end) })
    }

    fn new(file: &ReplayedFile, from: TickFlag, to: TickFlag) -> Result<Self, InputError> {
        let (start, end) = (file.first, file.last);
        for flag in [from, to] {
            if !(start..=end).contains(&flag.tick) {
                let what = if file.program.is_none() { "recording has the frames" } else { "session has the ticks" };
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
            let stride = file.stride;
            to.error(format!("the recording has no frame from {} to {}, only every {stride}th", from.tick, to.tick))
        })
    }
}
