//! `flockscope run`: simulate without a terminal and export CSV.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::RunArgs;
use super::output::{file_error, open, print_random_seed};
use super::progress::Progress;
use super::setup::{PreparedFlock, threads};
use crate::config::{Error, Preset, simd};
use crate::engine::in_pool;
use crate::export::csv::StateCsv;
use crate::export::{FlockWriter, MeasuresCsv, OutputFile};
use crate::sim::{Flock, Scratch};
use crate::terminal::Signals;

/// The shape (width / height) of an `auto` world without a canvas.
const WORLD_SHAPE: f32 = 16.0 / 10.0;
/// File extensions that contradict CSV.
const OTHER_FORMATS: [&str; 10] = ["arrow", "gif", "html", "json", "jsonl", "ndjson", "parquet", "png", "tsv", "xlsx"];

/// Simulates and writes the requested files. Returns the signal that stopped it early, if any; no file is written then.
///
/// # Errors
///
/// [`Error`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn run(args: &RunArgs) -> Result<Option<i32>, Error> {
    check_output_names(args)?;
    let simd = simd()?;
    let mut flock = PreparedFlock::new(&args.flock, Preset::load(&args.flock.preset)?, WORLD_SHAPE)?.flock;
    let paths = [args.output.as_deref(), args.measures.as_deref()];
    let ([states, measures], signals) = open(paths)?;
    let moods = flock.uses_moods();
    let mut writers = Writers {
        states: Writer::new(paths[0], states, |file| Ok(Box::new(StateCsv::new(file, moods)?)))?,
        measures: Writer::new(paths[1], measures, |file| Ok(Box::new(MeasuresCsv::new(file)?)))?,
    };
    let start = Instant::now();
    let signal = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        simulate(&mut flock, scratch, args, &mut writers, &signals)
    })?;
    if signal.is_none() {
        writers.finish()?;
        print_summary(&flock, args, start.elapsed())?;
    }
    Ok(signal)
}

fn check_output_names(args: &RunArgs) -> Result<(), Error> {
    let invalid = |flag: &str, path: &Path, message: String| {
        Err(Error::Flag { flag: format!("{flag} {}", path.display()), message })
    };
    if let (Some(measures), Some(output)) = (&args.measures, &args.output)
        && OutputFile::is_same(measures, output)
    {
        return invalid("--measures", measures, "positions and measures need different files".into());
    }
    for (flag, path) in [("--output", &args.output), ("--measures", &args.measures)] {
        let Some(path) = path else { continue };
        let extension = path.extension().unwrap_or_default();
        if OTHER_FORMATS.iter().any(|other| extension.eq_ignore_ascii_case(other)) {
            let csv = path.with_extension("csv");
            return invalid(flag, path, format!("the format is CSV; use a name such as {}", csv.display()));
        }
    }
    Ok(())
}

/// Writes the first state, every K-th and the last, and measures of each tick. Returns the signal that arrived, if any.
fn simulate(
    flock: &mut Flock,
    scratch: &mut Scratch,
    args: &RunArgs,
    writers: &mut Writers<'_>,
    signals: &Signals,
) -> Result<Option<i32>, Error> {
    let progress = Progress::new(args.ticks);
    writers.write(flock, true)?;
    for tick in 1..=args.ticks {
        flock.step(scratch);
        writers.write(flock, tick % args.every == 0 || tick == args.ticks)?;
        progress.show(tick);
        if writers.are_closed() && !args.hash {
            return Err(file_error(Path::new("-"), io::ErrorKind::BrokenPipe.into()));
        }
        if let Some(signal) = signals.pending() {
            return Ok(Some(signal));
        }
    }
    Ok(None)
}

/// The files of a run.
struct Writers<'a> {
    states: Option<Writer<'a>>,
    measures: Option<Writer<'a>>,
}

impl Writers<'_> {
    fn write(&mut self, flock: &Flock, states: bool) -> Result<(), Error> {
        let states = self.states.as_mut().filter(|_| states);
        states.into_iter().chain(&mut self.measures).try_for_each(|writer| writer.write(flock))
    }

    /// Whether there are writers, and the readers of all of them are gone.
    fn are_closed(&self) -> bool {
        let mut writers = self.states.iter().chain(&self.measures).peekable();
        writers.peek().is_some() && writers.all(|writer| writer.export.is_none())
    }

    fn finish(self) -> Result<(), Error> {
        self.states.into_iter().chain(self.measures).try_for_each(Writer::finish)
    }
}

/// A CSV writer, and the name of its file for errors.
struct Writer<'a> {
    path: &'a Path,
    /// `None` once the reader is gone. That is no error, and other files are still written.
    export: Option<Box<dyn FlockWriter + Send>>,
}

impl<'a> Writer<'a> {
    fn new(
        path: Option<&'a Path>,
        file: Option<OutputFile>,
        export: impl FnOnce(OutputFile) -> io::Result<Box<dyn FlockWriter + Send>>,
    ) -> Result<Option<Self>, Error> {
        let Some((path, file)) = path.zip(file) else { return Ok(None) };
        let export = Some(export(file).map_err(|error| file_error(path, error))?);
        Ok(Some(Self { path, export }))
    }

    fn write(&mut self, flock: &Flock) -> Result<(), Error> {
        let Some(export) = &mut self.export else { return Ok(()) };
        if !has_reader(export.write(flock)).map_err(|error| file_error(self.path, error))? {
            self.export = None;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        let Some(export) = self.export else { return Ok(()) };
        has_reader(export.finish()).map(|_| ()).map_err(|error| file_error(self.path, error))
    }
}

/// Whether the reader of a pipe is still there after a write.
fn has_reader(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true),
    }
}

/// Prints the hash if requested, or a summary if nothing is written, and a random seed.
fn print_summary(flock: &Flock, args: &RunArgs, took: Duration) -> Result<(), Error> {
    let files = [args.output.as_deref(), args.measures.as_deref()];
    let writes_files = files.iter().any(Option::is_some);
    let printed = if args.hash {
        let line = format!("hash {} {:016x}", flock.tick(), flock.hash());
        let csv_on_stdout = files.into_iter().flatten().any(OutputFile::is_stdout);
        if csv_on_stdout { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") }
    } else if writes_files {
        Ok(())
    } else {
        let rate = args.ticks as f64 / took.as_secs_f64().max(1e-9);
        let (ticks, boids, seed) = (args.ticks, flock.boids(), flock.seed());
        writeln!(
            io::stderr(),
            "{ticks} ticks of {boids} boids, seed {seed}, {rate:.0} ticks/s; use --output, --measures or --hash for results"
        )
    };
    if args.hash || writes_files {
        print_random_seed(&args.flock, flock.seed())?;
    }
    printed.map_err(|error| file_error(Path::new("-"), error))
}
