//! `flockscope run`: simulate without a terminal and write states and measures.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::RunArgs;
use super::measures::{choose, leave_out_hunt_without_predators, warning, write_summaries};
use super::output::{Progress, check_csv_name, open, print_random_seed};
use super::replay::{self, OpenSession, TickRange, impossible, report_divergence};
use super::setup::{PreparedFlock, WORLD_SHAPE, in_simd_pool, load_preset_with_notice};
use crate::config::{ConfigError, Preset};
use crate::export::metadata::{self, HashInfo, Metadata};
use crate::export::state::{StateFormat, StateWriter};
use crate::export::{OutputFile, csv};
use crate::sim::{Flock, Measure, Recorder, Replay, Scratch, Setup};
use crate::terminal::Signals;

/// Simulates and writes the requested files. Returns the signal that stopped it early, if any; no file is written then.
///
/// # Errors
///
/// [`ConfigError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn run(args: &RunArgs) -> Result<Option<i32>, ConfigError> {
    check_output_names(args)?;
    let format = StateFormat::of(args.output.as_deref().unwrap_or(Path::new("-")), args.columns.as_ref())?;
    let chosen = chosen_measures(args)?;
    let session = replay::open_optional(
        &args.session,
        &[("--at", args.at.at), ("--from", args.range.from), ("--to", args.range.to)],
    )?;
    let (mut replay, range, preset) = first_state(args, session.as_ref())?;
    let first_setup = replay.flock().setup();
    let paths = [args.output.as_deref(), args.measures.as_deref()];
    paths.into_iter().flatten().try_for_each(metadata::check)?;
    let ([states, measures], signals) = open(paths)?;
    let mut files = RunFiles {
        states: RunFile { path: paths[0], out: states },
        measures: RunFile { path: paths[1], out: measures },
        writer: StateWriter::new(&format, replay.flock(), &preset.name),
        recorder: (args.summary || args.measures.is_some()).then(|| Recorder::new(&chosen)),
        chosen,
    };
    let start = Instant::now();
    let signal = in_simd_pool(args.flock.threads, |scratch| {
        simulate((&mut replay, range), scratch, args, &mut files, &signals)
    })?;
    if signal.is_none() {
        let setup = if session.is_some() { replay.flock().setup() } else { first_setup };
        let metadata = metadata_of(args, (&preset, &setup), replay.flock(), range);
        let columns = [files.writer.columns(replay.flock()), csv::measures_columns(&files.chosen)];
        files.states.finish()?;
        files.measures.finish()?;
        for (path, columns) in paths.into_iter().zip(columns) {
            let metadata = Metadata { columns, ..metadata.clone() };
            path.map_or(Ok(()), |path| metadata.write(path))?;
        }
        let recorder = files.recorder.filter(|_| args.summary);
        print_results(replay.flock(), range, args, recorder.as_ref(), start.elapsed())?;
        session.map_or(Ok(()), |session| report_divergence(&session, &replay))?;
    }
    Ok(signal)
}

/// The first state of the run, its ticks and its preset.
fn first_state(args: &RunArgs, session: Option<&OpenSession<'_>>) -> Result<(Replay, TickRange, Preset), ConfigError> {
    if let Some(OpenSession { path, file }) = session {
        let is_range = args.range.from.or(args.range.to).is_some();
        let range = if is_range { TickRange::between(&args.range, file)? } else { TickRange::at(&args.at, file)? };
        return Ok((replay::replay(path, file)?, range, file.preset.clone()));
    }
    let prepared = PreparedFlock::new(&args.flock, load_preset_with_notice(&args.flock)?, WORLD_SHAPE)?;
    let range = TickRange { skipped: args.measure.warmup, ticks: args.ticks };
    Ok((Replay::of_flock(prepared.flock), range, prepared.preset))
}

/// The metadata of the files, but for their columns.
fn metadata_of(args: &RunArgs, (preset, setup): (&Preset, &Setup), last: &Flock, range: TickRange) -> Metadata {
    Metadata {
        session: args.session.session.as_ref().map(|path| path.display().to_string()),
        seed: Some(setup.seed),
        ticks: range.ticks,
        warmup: range.skipped,
        every: Some(args.every),
        measure_every: Some(args.measure_every.unwrap_or(args.every)),
        hash: Some(HashInfo::of(last)),
        ..Metadata::new(preset, setup).with_input(args.flock.input.as_deref())
    }
}

fn check_output_names(args: &RunArgs) -> Result<(), ConfigError> {
    if let (Some(measures), Some(output)) = (&args.measures, &args.output)
        && OutputFile::is_same(measures, output)
    {
        let flag = format!("--measures {}", measures.display());
        return Err(ConfigError::flag(flag, "positions and measures need different files"));
    }
    args.measures.as_deref().map_or(Ok(()), |path| check_csv_name("--measures", path, &[]))?;
    let csv = args.output.as_deref().filter(|path| !StateFormat::is_xyz(path));
    csv.map_or(Ok(()), |path| check_csv_name("--output", path, &[("xyz", "extended XYZ")]))
}

/// The measures of `--measure`.
fn chosen_measures(args: &RunArgs) -> Result<Vec<&'static Measure>, ConfigError> {
    let names = &args.measure.measure;
    let chosen = choose(names)?;
    let invalid = |message: &str| Err(ConfigError::flag(format!("--measure {}", names.join(",")), message));
    if names.is_empty() || args.summary {
        Ok(chosen)
    } else if args.measures.is_none() {
        invalid("add --measures FILE or --summary, which write the values")
    } else if chosen.iter().all(|measure| measure.is_per_run()) {
        invalid("a measure of a whole run has no value per tick; add --summary")
    } else {
        Ok(chosen)
    }
}

/// After the warmup, writes states and measures of the first tick, every K-th and the last. Returns the signal that arrived, if any.
fn simulate(
    (replay, range): (&mut Replay, TickRange),
    scratch: &mut Scratch,
    args: &RunArgs,
    files: &mut RunFiles<'_>,
    signals: &Signals,
) -> Result<Option<i32>, ConfigError> {
    let warmup = range.skipped;
    let last = range.last();
    let progress = Progress::new(last);
    files.write_headers()?;
    for tick in 0..=last {
        if tick > 0 {
            let session = args.session.session.as_deref().unwrap_or(Path::new("-"));
            replay.step(scratch).map_err(|error| impossible(session, &error))?;
        }
        if tick >= warmup {
            let is_due = |every| (tick - warmup).is_multiple_of(every) || tick == last;
            let measures = is_due(args.measure_every.unwrap_or(args.every));
            files.write(replay.flock(), is_due(args.every), measures)?;
        }
        progress.show(tick);
        if files.are_closed() && !args.hash && !args.summary {
            return Err(ConfigError::io("-")(io::ErrorKind::BrokenPipe.into()));
        }
        if let Some(signal) = signals.pending() {
            return Ok(Some(signal));
        }
    }
    Ok(None)
}

/// The files of a run.
struct RunFiles<'a> {
    states: RunFile<'a>,
    measures: RunFile<'a>,
    writer: StateWriter,
    chosen: Vec<&'static Measure>,
    recorder: Option<Recorder>,
}

impl RunFiles<'_> {
    fn write_headers(&mut self) -> Result<(), ConfigError> {
        self.states.write(|out| self.writer.write_header(out))?;
        self.measures.write(|out| csv::write_measures_header(&self.chosen, out))
    }

    fn write(&mut self, flock: &Flock, states: bool, measures: bool) -> Result<(), ConfigError> {
        if states {
            self.states.write(|out| self.writer.write(flock, out))?;
        }
        let Some(recorder) = self.recorder.as_mut().filter(|_| measures) else { return Ok(()) };
        let values = recorder.record(flock);
        self.measures.write(|out| csv::write_measures(flock.tick(), &values, out))
    }

    /// Whether there are files, and the readers of all of them are gone.
    fn are_closed(&self) -> bool {
        let files = [&self.states, &self.measures];
        files.iter().any(|file| file.path.is_some()) && files.iter().all(|file| file.out.is_none())
    }
}

/// A file of a run, if it is requested.
struct RunFile<'a> {
    path: Option<&'a Path>,
    /// `None` also once the reader is gone. That is no error, and other files are still written.
    out: Option<OutputFile>,
}

impl RunFile<'_> {
    fn write(&mut self, write: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<(), ConfigError> {
        let written = self.out.as_mut().map_or(Ok(()), write);
        if !self.has_reader(written)? {
            self.out = None;
        }
        Ok(())
    }

    /// Moves the file to its name. The metadata of an earlier file with this name is removed first.
    fn finish(mut self) -> Result<(), ConfigError> {
        self.path.map_or(Ok(()), metadata::remove)?;
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

/// Prints the statistics and the hash if requested, or the tick rate if there are no results, and a random seed.
fn print_results(
    flock: &Flock,
    range: TickRange,
    args: &RunArgs,
    recorder: Option<&Recorder>,
    took: Duration,
) -> Result<(), ConfigError> {
    let files = [args.output.as_deref(), args.measures.as_deref()];
    let has_results = args.hash || recorder.is_some() || files.iter().any(Option::is_some);
    let csv_on_stdout = files.into_iter().flatten().any(OutputFile::is_stdout);
    let mut out: Box<dyn Write> = if csv_on_stdout { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let mut print = || {
        if let Some(recorder) = recorder {
            let mut summaries = recorder.summaries();
            if args.measure.measure.is_empty() {
                leave_out_hunt_without_predators(&mut summaries);
            }
            write_summaries(&summaries, &mut out)?;
            warning(&summaries).map_or(Ok(()), |warning| writeln!(io::stderr(), "{warning}"))?;
        }
        if args.hash {
            writeln!(out, "hash {} {:016x}", flock.tick(), flock.hash())?;
        }
        out.flush()
    };
    let printed = print();
    if !has_results {
        print_rate(flock, range, took)?;
    } else if args.session.session.is_none() {
        print_random_seed(&args.flock, flock.seed())?;
    }
    printed.map_err(ConfigError::io("-"))
}

fn print_rate(flock: &Flock, range: TickRange, took: Duration) -> Result<(), ConfigError> {
    let ticks = range.last();
    let rate = ticks as f64 / took.as_secs_f64().max(1e-9);
    let (boids, seed) = (flock.boids(), flock.seed());
    let plural = |count| if count == 1 { "" } else { "s" };
    let (of_ticks, of_boids) = (plural(ticks), plural(boids as u64));
    writeln!(
        io::stderr(),
        "{ticks} tick{of_ticks} of {boids} boid{of_boids}, seed {seed}, {rate:.0} ticks/s; use --output, --measures, \
         --summary or --hash for results"
    )
    .map_err(ConfigError::io("standard error"))
}
