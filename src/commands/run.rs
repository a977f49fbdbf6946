//! `flockscope run`: simulate without a terminal and write states and measures.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::{BesideArgs, RunArgs};
use super::flock_setup::{PreparedFlock, WORLD_SHAPE, in_simd_pool, load_preset_with_notice};
use super::lists::{choose_measures, contents, leave_out_hunt_without_predators, too_short_warning, write_summaries};
use super::output::{Output, Progress, Request, check_csv_name, check_outputs, open, print_random_seed};
use super::replay_file::{self, Opened, TickRange, impossible, report_divergence};
use crate::config::Preset;
use crate::error::InputError;
use crate::export::metadata::{ColumnInfo, HashInfo, Metadata};
use crate::export::state::{StateFormat, StateWriter};
use crate::export::{OutputFile, Replaces, counted, csv, stderr, stdout};
use crate::sim::{Flock, Measure, Recorder, Scratch, Setup, Snapshot, Timeline, Value};
use crate::terminal::Signals;
use crate::tracks::Recording;

/// Simulates and writes the requested files. Returns the signal that stopped it early, if any; no file is written then.
///
/// # Errors
///
/// [`InputError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn run(args: &RunArgs) -> Result<Option<i32>, InputError> {
    let format = StateFormat::of(args.output.as_deref().unwrap_or(Path::new("-")), args.columns.as_ref())?;
    check_output_names(args, &format)?;
    let chosen = chosen_measures(args)?;
    let session = replay_file::open_optional(
        &args.session,
        &BesideArgs::default(),
        &[("--at", args.at.at), ("--from", args.range.from), ("--to", args.range.to)],
    )?;
    let (Opened { mut timeline, preset, recording, file, .. }, range) = first_state(args, session)?;
    let first_setup = timeline.snapshot().setup();
    let outputs = outputs(args);
    let (opened, signals) = open(&outputs)?;
    let mut opened = opened.into_iter();
    let mut next_file = || opened.next().unwrap_or_default();
    let mut files = RunFiles {
        states: next_file(),
        measures: next_file(),
        curves: opened.collect(),
        writer: StateWriter::new(&format, timeline.snapshot(), recording.as_ref(), &preset.name)?,
        recorder: recorder(args, &chosen),
        chosen,
    };
    let start = Instant::now();
    let signal = in_simd_pool(args.flock.threads, |scratch| {
        simulate(&mut *timeline, range, scratch, args, &mut files, &signals)
    })?;
    if signal.is_none() {
        let last = timeline.snapshot();
        let setup = if file.is_some() { last.setup() } else { first_setup };
        let metadata = metadata_of(args, &preset, &setup, last, range);
        let of_ticks = [files.writer.columns(last), csv::measures_columns(&files.chosen)];
        let of_curves = args.curve.iter().map(|file| {
            let columns = file.curve.columns.iter();
            columns.map(|column| ColumnInfo::new(column.name, column.unit, column.summary)).collect()
        });
        let columns = of_ticks.into_iter().chain(of_curves);
        files.states.write_and_finish(|out| files.writer.finish(out))?;
        files.measures.finish()?;
        for (file, (curve, rows)) in files.curves.into_iter().zip(files.recorder.iter().flat_map(Recorder::curves)) {
            file.write_and_finish(|out| csv::write_curve(curve, &rows, out))?;
        }
        for ((_, path, _), columns) in outputs.into_iter().zip(columns) {
            let metadata = Metadata { columns, ..metadata.clone() };
            let metadata = match &recording {
                Some(recorded) => metadata.with_recording(recorded),
                None => metadata,
            };
            path.map_or(Ok(()), |path| metadata.write(path))?;
        }
        let recorder = files.recorder.filter(|_| args.summary);
        print_results(&*timeline, recording.as_deref(), range, args, recorder.as_ref(), start.elapsed())?;
        file.map_or(Ok(()), |file| report_divergence(&file, &*timeline))?;
    }
    Ok(signal)
}

/// The flock, the session or the recording, and the ticks of the run.
fn first_state(args: &RunArgs, session: Option<Opened>) -> Result<(Opened, TickRange), InputError> {
    if let Some(opened) = session
        && let Some(file) = &opened.file
    {
        // A recording is measured as a whole, and a session at its end.
        let is_range =
            args.range.from.or(args.range.to).is_some() || opened.recording.is_some() && args.at.at.is_none();
        let range = if is_range { TickRange::between(&args.range, file)? } else { TickRange::at(&args.at, file)? };
        return Ok((opened, range));
    }
    let prepared = PreparedFlock::new(&args.flock, load_preset_with_notice(&args.flock)?, WORLD_SHAPE)?;
    let range = TickRange { skipped: args.measure.warmup, ticks: args.ticks };
    Ok((Opened::of_flock(prepared.flock, prepared.preset), range))
}

/// The metadata of the files, but for their columns.
fn metadata_of(args: &RunArgs, preset: &Preset, setup: &Setup, last: Snapshot<'_>, range: TickRange) -> Metadata {
    let sessions: Vec<String> = args.session.session.iter().map(|path| path.display().to_string()).collect();
    Metadata {
        session: (!sessions.is_empty()).then(|| sessions.join(", ")),
        seed: Some(setup.seed),
        ticks: range.ticks,
        warmup: range.skipped,
        every: Some(args.every),
        measure_every: Some(args.measure_every.unwrap_or(args.every)),
        group_radius: args.measure.group_radius.map(|radius| Value::Number(radius).into()),
        hash: Some(HashInfo { tick: last.tick, state: format!("{:016x}", last.hash()) }),
        ..Metadata::new(preset, setup).with_input(args.flock.input.as_deref())
    }
}

/// Records what the options ask for, if anything.
fn recorder(args: &RunArgs, chosen: &[&'static Measure]) -> Option<Recorder> {
    let curves: Vec<_> = args.curve.iter().map(|file| file.curve).collect();
    let is_recorded = args.summary || args.measures.is_some() || !curves.is_empty();
    is_recorded.then(|| Recorder::new(chosen).with(&curves, args.measure.group_radius))
}

/// The output files: states, measures, curves.
fn outputs(args: &RunArgs) -> Vec<Request<'_>> {
    let files = [("--output", args.output.as_deref()), ("--measures", args.measures.as_deref())];
    let curves = args.curve.iter().map(|curve| ("--curve", Some(&*curve.path)));
    files.into_iter().chain(curves).map(|(option, path)| (option, path, Replaces::Any)).collect()
}

fn check_output_names(args: &RunArgs, format: &StateFormat) -> Result<(), InputError> {
    let sessions = args.session.session.iter().map(|file| ("--session", &**file));
    let inputs: Vec<_> = sessions.chain(args.flock.input.iter().map(|file| ("--input", &**file))).collect();
    check_outputs(&outputs(args), &inputs)?;
    args.curve.iter().try_for_each(|file| check_csv_name("--curve", &file.path, &[]))?;
    args.measures.as_deref().map_or(Ok(()), |path| check_csv_name("--measures", path, &[]))?;
    let is_csv = matches!(format, StateFormat::Csv(_));
    let csv = args.output.as_deref().filter(|_| is_csv);
    csv.map_or(Ok(()), |path| check_csv_name("--output", path, &[("xyz", "extended XYZ"), ("npz", "NPZ")]))
}

/// The measures of `--measure`.
fn chosen_measures(args: &RunArgs) -> Result<Vec<&'static Measure>, InputError> {
    let names = &args.measure.measure;
    let chosen = choose_measures(names)?;
    let invalid = |message: &str| Err(InputError::flag(format!("--measure {}", names.join(",")), message));
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
    timeline: &mut dyn Timeline,
    range: TickRange,
    scratch: &mut Scratch,
    args: &RunArgs,
    files: &mut RunFiles<'_>,
    signals: &Signals,
) -> Result<Option<i32>, InputError> {
    let warmup = range.skipped;
    let last = range.last();
    let progress = Progress::new(last);
    files.states.write(|out| files.writer.write_header(out))?;
    let of_measures = csv::measures_columns(&files.chosen).into_iter().map(|column| column.name);
    files.measures.write(|out| csv::write_row(of_measures, out))?;
    for tick in 0..=last {
        if tick > 0 {
            let session = args.session.session.first().map_or(Path::new("-"), |session| session);
            timeline.advance(scratch).map_err(|error| impossible(session, &error))?;
        }
        if tick >= warmup {
            let is_due = |every| (tick - warmup).is_multiple_of(every) || tick == last;
            let measures = is_due(args.measure_every.unwrap_or(args.every));
            files.write(timeline.snapshot(), is_due(args.every), measures)?;
        }
        progress.show(tick);
        // The readers of all files of ticks are gone, and nothing else is asked for.
        let of_ticks = [&files.states, &files.measures];
        let are_closed =
            of_ticks.iter().any(|file| file.path.is_some()) && !of_ticks.iter().any(|file| file.file.is_some());
        if are_closed && !args.hash && !args.summary && args.curve.is_empty() {
            return Err(InputError::io("-")(io::ErrorKind::BrokenPipe.into()));
        }
        if let Some(signal) = signals.pending() {
            return Ok(Some(signal));
        }
    }
    Ok(None)
}

/// The files of a run.
struct RunFiles<'a> {
    states: Output<'a>,
    measures: Output<'a>,
    curves: Vec<Output<'a>>,
    writer: StateWriter,
    chosen: Vec<&'static Measure>,
    recorder: Option<Recorder>,
}

impl RunFiles<'_> {
    fn write(&mut self, flock: Snapshot<'_>, states: bool, measures: bool) -> Result<(), InputError> {
        if states {
            self.states.write(|out| self.writer.write(flock, out))?;
        }
        // A frame of a recording may have no animal.
        let measures = measures && !(flock.recorded.is_some() && flock.agents.is_empty());
        let Some(recorder) = self.recorder.as_mut().filter(|_| measures) else { return Ok(()) };
        let values = recorder.record(flock);
        self.measures.write(|out| csv::write_measures(flock.tick, &values, out))
    }
}

/// Prints the statistics and the hash if requested, or the tick rate if there are no results, and a random seed.
fn print_results(
    timeline: &dyn Timeline,
    recording: Option<&Recording>,
    range: TickRange,
    args: &RunArgs,
    recorder: Option<&Recorder>,
    took: Duration,
) -> Result<(), InputError> {
    let flock = timeline.snapshot();
    let files = outputs(args);
    let mut paths = files.iter().filter_map(|(_, path, _)| *path);
    let has_results = args.hash || recorder.is_some() || paths.clone().next().is_some();
    let csv_on_stdout = paths.any(OutputFile::is_stdout);
    let mut out = if csv_on_stdout { stderr() } else { stdout() };
    let mut print = || {
        if let Some(recorder) = recorder {
            let mut summaries = recorder.summaries();
            if args.measure.measure.is_empty() {
                leave_out_hunt_without_predators(&mut summaries);
            }
            recording.map_or(Ok(()), |animals| writeln!(stderr(), "{}", contents(animals)))?;
            write_summaries(&summaries, recording, &mut out)?;
            let of_time = if recording.is_some() { "frames" } else { "ticks" };
            too_short_warning(&summaries, of_time).map_or(Ok(()), |warning| writeln!(stderr(), "{warning}"))?;
        }
        if args.hash {
            writeln!(out, "hash {} {:016x}", flock.tick, flock.hash())?;
        }
        out.flush()
    };
    let printed = print();
    if !has_results {
        let work = if let Some(recorded) = recording {
            let animals = counted(recorded.animals(), "animal", "animals");
            format!("{} of {animals}", counted(recorded.frames(), "frame", "frames"))
        } else {
            let (ticks, seed) = (range.last(), flock.simulated.map_or(0, Flock::seed));
            let rate = ticks as f64 / took.as_secs_f64().max(1e-9);
            let (ticks, boids) = (counted(ticks, "tick", "ticks"), counted(flock.boids(), "boid", "boids"));
            format!("{ticks} of {boids}, seed {seed}, {rate:.0} ticks/s")
        };
        writeln!(stderr(), "{work}; use --output, --measures, --summary or --hash for results")
            .map_err(InputError::io("standard error"))?;
    } else if args.session.session.is_empty() {
        print_random_seed(&args.flock, flock.simulated.map(Flock::seed))?;
    }
    printed.map_err(InputError::io("-"))
}
