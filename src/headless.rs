//! Flying without a terminal.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::Run;
use crate::config::Error;
use crate::engine::in_pool;
use crate::export::csv::StateCsv;
use crate::export::{Export, MeasuresCsv, Target};
use crate::launch::{Launch, simd, threads};
use crate::signals::Signals;
use crate::sim::{Flock, Scratch};

/// The shape of an `auto` world where there is no canvas.
const SHAPE: f32 = 16.0 / 10.0;
/// How long a run takes at least for a progress bar to be shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Flies, and writes what was asked for. Returns the signal that ended it early, if one did; what
/// was being written is gone then.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right; no file is half-written then.
pub fn run(args: &Run) -> Result<Option<i32>, Error> {
    if let Some(path) = args.measures.as_deref().filter(|path| Some(*path) == args.output.as_deref()) {
        let message = "positions and measures cannot both go there".into();
        return Err(Error::Flag { flag: format!("--measures {}", path.display()), message });
    }
    let signals = Signals::listen().map_err(|error| failed(Path::new("signals"), error))?;
    let simd = simd()?;
    let mut flock = Launch::new(&args.flock, SHAPE)?.flock;
    let mut writers = Writers::open(args)?;
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

/// What is written, each with the file's name for errors.
struct Writers<'a> {
    states: Option<(&'a Path, Box<dyn Export + Send>)>,
    measures: Option<(&'a Path, Box<dyn Export + Send>)>,
}

impl<'a> Writers<'a> {
    fn open(args: &'a Run) -> Result<Self, Error> {
        let states = args.output.as_deref().map(|path| {
            let export = StateCsv::new(Target::open(path)?).map_err(|error| failed(path, error))?;
            Ok::<_, Error>((path, Box::new(export) as Box<dyn Export + Send>))
        });
        let measures = args.measures.as_deref().map(|path| {
            let export = MeasuresCsv::new(Target::open(path)?).map_err(|error| failed(path, error))?;
            Ok::<_, Error>((path, Box::new(export) as Box<dyn Export + Send>))
        });
        Ok(Self { states: states.transpose()?, measures: measures.transpose()? })
    }

    fn write(&mut self, flock: &Flock, states: bool) -> Result<(), Error> {
        let states = self.states.as_mut().filter(|_| states);
        for (path, export) in states.into_iter().chain(&mut self.measures) {
            export.write(flock).map_err(|error| failed(path, error))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        for (path, export) in self.states.into_iter().chain(self.measures) {
            export.finish().map_err(|error| failed(path, error))?;
        }
        Ok(())
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
        let taken = [&args.output, &args.measures].into_iter().any(|path| path.as_deref() == Some(to_stdout));
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

/// A progress bar on standard error, where that is a terminal and the run is long.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
}

impl Progress {
    pub(crate) fn new(ticks: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left");
        let bar = match style {
            Ok(style) if io::stderr().is_terminal() => {
                let bar = ProgressBar::hidden().with_style(style);
                bar.set_length(ticks);
                Some(bar)
            }
            _ => None,
        };
        Self { bar, begun: Instant::now() }
    }

    pub(crate) fn show(&self, tick: u64) {
        if let Some(bar) = &self.bar {
            if bar.is_hidden() && self.begun.elapsed() > PATIENCE {
                bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
            }
            bar.set_position(tick);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
