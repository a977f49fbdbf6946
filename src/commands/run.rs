//! Flying without a terminal.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::Run;
use super::progress::Progress;
use super::setup::{PreparedFlock, threads};
use crate::config::{Error, Preset, remove_temp_files, simd};
use crate::engine::in_pool;
use crate::export::csv::StateCsv;
use crate::export::{FlockWriter, MeasuresCsv, OutputFile};
use crate::sim::{Flock, Scratch};
use crate::terminal::signals::Signals;

/// The shape of an `auto` world where there is no canvas.
const SHAPE: f32 = 16.0 / 10.0;
/// What names end in that promise something else than CSV.
const OTHERS: [&str; 10] = ["arrow", "gif", "html", "json", "jsonl", "ndjson", "parquet", "png", "tsv", "xlsx"];

/// Flies, and writes what was asked for. Returns the signal that ended it early, if one did; what
/// was being written is gone then.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right; no file is half-written then.
pub fn run(args: &Run) -> Result<Option<i32>, Error> {
    check_names(args)?;
    let simd = simd()?;
    let mut flock = PreparedFlock::new(&args.flock, Preset::load(&args.flock.preset)?, SHAPE)?.flock;
    let (mut writers, signals) = open(args, flock.uses_moods())?;
    let start = Instant::now();
    let signal = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        fly(&mut flock, scratch, args, &mut writers, &signals)
    })?;
    if signal.is_none() {
        writers.finish()?;
        report(&flock, args, start.elapsed())?;
    }
    Ok(signal)
}

/// Checks that rows can go where they are to.
fn check_names(args: &Run) -> Result<(), Error> {
    let wrong = |flag: &str, path: &Path, message: String| {
        Err(Error::Flag { flag: format!("{flag} {}", path.display()), message })
    };
    if let (Some(path), Some(other)) = (&args.measures, &args.output)
        && OutputFile::is_same(path, other)
    {
        return wrong("--measures", path, "positions and measures cannot both go there".into());
    }
    for (flag, path) in [("--output", &args.output), ("--measures", &args.measures)] {
        let Some(path) = path else { continue };
        let end = path.extension().unwrap_or_default();
        if OTHERS.iter().any(|other| end.eq_ignore_ascii_case(other)) {
            let right = path.with_extension("csv");
            return wrong(flag, path, format!("rows are written as CSV, for instance to {}", right.display()));
        }
    }
    Ok(())
}

/// Opens whatever is written to, states with or without `moods`, and listens for signals. Nothing is written before all is open.
fn open(args: &Run, moods: bool) -> Result<(Writers<'_>, Signals), Error> {
    let paths = [args.output.as_deref(), args.measures.as_deref()];
    let mut targets = [None, None];
    for (target, path) in targets.iter_mut().zip(paths) {
        // Nobody listens yet: a signal ends what waits, and finds no file to be left behind.
        *target = path.filter(|path| OutputFile::may_wait(path)).map(OutputFile::open).transpose()?;
    }
    let signals = Signals::for_termination(remove_temp_files).map_err(|error| failed(Path::new("signals"), error))?;
    for (target, path) in targets.iter_mut().zip(paths) {
        if let (None, Some(path)) = (&target, path) {
            *target = Some(OutputFile::open(path)?);
        }
    }
    let [states, measures] = targets;
    let states = Writer::begin(paths[0], states, |target| Ok(Box::new(StateCsv::new(target, moods)?)))?;
    let measures = Writer::begin(paths[1], measures, |target| Ok(Box::new(MeasuresCsv::new(target)?)))?;
    Ok((Writers { states, measures }, signals))
}

/// What is written: positions, and measures.
struct Writers<'a> {
    states: Option<Writer<'a>>,
    measures: Option<Writer<'a>>,
}

impl Writers<'_> {
    fn write(&mut self, flock: &Flock, states: bool) -> Result<(), Error> {
        let states = self.states.as_mut().filter(|_| states);
        states.into_iter().chain(&mut self.measures).try_for_each(|writer| writer.write(flock))
    }

    /// Whether there were readers, and none of them is left.
    fn readers_are_gone(&self) -> bool {
        let mut writers = self.states.iter().chain(&self.measures).peekable();
        writers.peek().is_some() && writers.all(|writer| writer.export.is_none())
    }

    fn finish(self) -> Result<(), Error> {
        self.states.into_iter().chain(self.measures).try_for_each(Writer::finish)
    }
}

/// One thing that is written, with the file's name for errors, for as long as somebody reads it.
struct Writer<'a> {
    path: &'a Path,
    export: Option<Box<dyn FlockWriter + Send>>,
}

impl<'a> Writer<'a> {
    fn begin(
        path: Option<&'a Path>,
        target: Option<OutputFile>,
        export: impl FnOnce(OutputFile) -> io::Result<Box<dyn FlockWriter + Send>>,
    ) -> Result<Option<Self>, Error> {
        let Some((path, target)) = path.zip(target) else { return Ok(None) };
        let export = Some(export(target).map_err(|error| failed(path, error))?);
        Ok(Some(Self { path, export }))
    }

    fn write(&mut self, flock: &Flock) -> Result<(), Error> {
        let Some(export) = &mut self.export else { return Ok(()) };
        if !reader_is_open(export.write(flock)).map_err(|error| failed(self.path, error))? {
            self.export = None;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        let Some(export) = self.export else { return Ok(()) };
        reader_is_open(export.finish()).map(|_| ()).map_err(|error| failed(self.path, error))
    }
}

/// Whether somebody reads. A reader who has gone is no error, and leaves what others read to be written.
fn reader_is_open(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true),
    }
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::File { path: path.to_owned(), source }
}

/// The state at the start, every K-th tick, and the last; returns the signal that has come meanwhile.
fn fly(
    flock: &mut Flock,
    scratch: &mut Scratch,
    args: &Run,
    writers: &mut Writers<'_>,
    signals: &Signals,
) -> Result<Option<i32>, Error> {
    let progress = Progress::new(args.ticks);
    writers.write(flock, true)?;
    for tick in 1..=args.ticks {
        flock.step(scratch);
        writers.write(flock, tick % args.every == 0 || tick == args.ticks)?;
        progress.show(tick);
        if writers.readers_are_gone() && !args.hash {
            return Err(failed(Path::new("-"), io::ErrorKind::BrokenPipe.into()));
        }
        if let Some(signal) = signals.pending() {
            return Ok(Some(signal));
        }
    }
    Ok(None)
}

/// The hash, where it was asked for; where nothing was, what has been flown; and a seed that nobody chose.
fn report(flock: &Flock, args: &Run, took: Duration) -> Result<(), Error> {
    let to_stdout = Path::new("-");
    let write = |mut out: Box<dyn Write>, text: String| writeln!(out, "{text}");
    let said = if args.hash {
        let text = format!("hash {} {:016x}", flock.tick(), flock.hash());
        let taken =
            [&args.output, &args.measures].into_iter().any(|path| path.as_deref().is_some_and(OutputFile::is_stdout));
        write(if taken { Box::new(io::stderr()) } else { Box::new(io::stdout()) }, text)
    } else if args.output.is_none() && args.measures.is_none() {
        let rate = args.ticks as f64 / took.as_secs_f64().max(1e-9);
        let text = format!(
            "{} ticks of {} boids from seed {}, {rate:.0} a second; --output, --measures and --hash say more",
            args.ticks,
            flock.boids(),
            flock.seed()
        );
        write(Box::new(io::stderr()), text)
    } else {
        Ok(())
    };
    if args.flock.seed.is_none() && (args.hash || args.output.is_some() || args.measures.is_some()) {
        let told = writeln!(io::stderr(), "seed {}", flock.seed());
        told.map_err(|error| failed(Path::new("standard error"), error))?;
    }
    said.map_err(|error| failed(to_stdout, error))
}
