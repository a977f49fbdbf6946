//! `flockscope run`: simulate without a terminal and write states and measures.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::RunArgs;
use super::output::{open, print_random_seed};
use super::progress::Progress;
use super::setup::{PreparedFlock, threads};
use crate::config::{ConfigError, Preset, simd};
use crate::engine::in_pool;
use crate::export::state::{StateFormat, StateWriter, XYZ};
use crate::export::{OutputFile, measures};
use crate::sim::{Analyzer, Flock, Scratch};
use crate::terminal::Signals;

/// The shape (width / height) of an `auto` world without a canvas.
const WORLD_SHAPE: f32 = 16.0 / 10.0;
/// File extensions that contradict CSV.
const OTHER_FORMATS: [&str; 12] =
    ["arrow", "gif", "gz", "html", "json", "jsonl", "ndjson", "parquet", "png", "tsv", "xlsx", "zst"];

/// Simulates and writes the requested files. Returns the signal that stopped it early, if any; no file is written then.
///
/// # Errors
///
/// [`ConfigError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn run(args: &RunArgs) -> Result<Option<i32>, ConfigError> {
    check_output_names(args)?;
    let format = StateFormat::of(args.output.as_deref().unwrap_or(Path::new("-")), args.columns.as_ref())?;
    let simd = simd()?;
    let mut flock = PreparedFlock::new(&args.flock, Preset::load(&args.flock.preset)?, WORLD_SHAPE)?.flock;
    let paths = [args.output.as_deref(), args.measures.as_deref()];
    let ([states, measures], signals) = open(paths)?;
    let mut files = CsvFiles {
        states: CsvFile { path: paths[0], out: states },
        measures: CsvFile { path: paths[1], out: measures },
        writer: StateWriter::new(&format, &flock),
        analyzer: Analyzer::new(),
    };
    let start = Instant::now();
    let signal = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        simulate(&mut flock, scratch, args, &mut files, &signals)
    })?;
    if signal.is_none() {
        files.states.finish()?;
        files.measures.finish()?;
        print_summary(&flock, args, start.elapsed())?;
    }
    Ok(signal)
}

fn check_output_names(args: &RunArgs) -> Result<(), ConfigError> {
    let invalid = |flag: &str, path: &Path, message: String| {
        Err(ConfigError::Flag { flag: format!("{flag} {}", path.display()), message })
    };
    if let (Some(measures), Some(output)) = (&args.measures, &args.output)
        && OutputFile::is_same(measures, output)
    {
        return invalid("--measures", measures, "positions and measures need different files".into());
    }
    for (flag, path) in [("--output", &args.output), ("--measures", &args.measures)] {
        let Some(path) = path else { continue };
        let extension = OutputFile::extension(path);
        let is_measures = flag == "--measures";
        if OTHER_FORMATS.contains(&&*extension) || (is_measures && XYZ.contains(&&*extension)) {
            // Without a second extension, as in a.csv.gz.
            let name = |extension| path.with_extension("").with_extension(extension);
            let xyz =
                if is_measures { String::new() } else { format!(", or {} for extended XYZ", name("xyz").display()) };
            return invalid(
                flag,
                path,
                format!("the format is CSV; use a name such as {}{xyz}", name("csv").display()),
            );
        }
    }
    Ok(())
}

/// Writes the first state, every K-th and the last, and measures of each tick. Returns the signal that arrived, if any.
fn simulate(
    flock: &mut Flock,
    scratch: &mut Scratch,
    args: &RunArgs,
    files: &mut CsvFiles<'_>,
    signals: &Signals,
) -> Result<Option<i32>, ConfigError> {
    let progress = Progress::new(args.ticks);
    files.write_headers()?;
    files.write(flock, true)?;
    for tick in 1..=args.ticks {
        flock.step(scratch);
        files.write(flock, tick % args.every == 0 || tick == args.ticks)?;
        progress.show(tick);
        if files.are_closed() && !args.hash {
            return Err(ConfigError::io("-")(io::ErrorKind::BrokenPipe.into()));
        }
        if let Some(signal) = signals.pending() {
            return Ok(Some(signal));
        }
    }
    Ok(None)
}

/// The files of a run.
struct CsvFiles<'a> {
    states: CsvFile<'a>,
    measures: CsvFile<'a>,
    writer: StateWriter,
    analyzer: Analyzer,
}

impl CsvFiles<'_> {
    fn write_headers(&mut self) -> Result<(), ConfigError> {
        self.states.write(|out| self.writer.write_header(out))?;
        self.measures.write(measures::write_header)
    }

    fn write(&mut self, flock: &Flock, states: bool) -> Result<(), ConfigError> {
        if states {
            self.states.write(|out| self.writer.write(flock, out))?;
        }
        self.measures.write(|out| measures::write(flock, &mut self.analyzer, out))
    }

    /// Whether there are files, and the readers of all of them are gone.
    fn are_closed(&self) -> bool {
        let files = [&self.states, &self.measures];
        files.iter().any(|file| file.path.is_some()) && files.iter().all(|file| file.out.is_none())
    }
}

/// A file of a run, if it is requested.
struct CsvFile<'a> {
    path: Option<&'a Path>,
    /// `None` also once the reader is gone. That is no error, and other files are still written.
    out: Option<OutputFile>,
}

impl CsvFile<'_> {
    fn write(&mut self, write: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<(), ConfigError> {
        let written = self.out.as_mut().map_or(Ok(()), write);
        if !self.has_reader(written)? {
            self.out = None;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), ConfigError> {
        let finished = self.out.take().map_or(Ok(()), OutputFile::finish);
        self.has_reader(finished).map(drop)
    }

    /// Whether the reader of a pipe is still there after a write.
    fn has_reader(&self, written: io::Result<()>) -> Result<bool, ConfigError> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(ConfigError::io(self.path.unwrap_or(Path::new("-")))(error)),
            Ok(()) => Ok(true),
        }
    }
}

/// Prints the hash if requested, or a summary if nothing is written, and a random seed.
fn print_summary(flock: &Flock, args: &RunArgs, took: Duration) -> Result<(), ConfigError> {
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
    printed.map_err(ConfigError::io("-"))
}
