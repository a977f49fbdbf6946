//! Output files, messages and the progress bar of the commands.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::FlockArgs;
use crate::config::remove_temp_files;
use crate::engine::thread_pool;
use crate::error::InputError;
use crate::export::{OutputFile, Replaces, stderr, stdout};
use crate::terminal::Signals;

/// Opens output files before the simulation, which may take long, and starts to listen for signals.
pub(super) fn open(outputs: &[(Option<&Path>, Replaces)]) -> Result<(Vec<Option<OutputFile>>, Signals), InputError> {
    let mut files: Vec<Option<OutputFile>> = outputs.iter().map(|_| None).collect();
    // Opening a pipe waits for its reader. Until signals are handled, they end the program there, and no temporary file
    // exists that would be left behind.
    for (file, (path, replaces)) in files.iter_mut().zip(outputs) {
        let path = path.filter(|path| OutputFile::may_wait(path));
        *file = path.map(|path| OutputFile::open(path, *replaces)).transpose()?;
    }
    let signals = signals()?;
    for (file, (path, replaces)) in files.iter_mut().zip(outputs) {
        if let (None, Some(path)) = (&file, path) {
            *file = Some(OutputFile::open(path, *replaces)?);
        }
    }
    Ok((files, signals))
}

/// Starts to listen for signals, which remove temporary files.
pub(super) fn signals() -> Result<Signals, InputError> {
    Signals::for_termination(remove_temp_files).map_err(InputError::io("signals"))
}

/// Opens a single output file, as [`open`] does.
pub(super) fn open_one(path: &Path) -> Result<(OutputFile, Signals), InputError> {
    let (mut files, signals) = open(&[(Some(path), Replaces::Any)])?;
    Ok((files.remove(0).expect("a path was given"), signals))
}

/// Checks that a file has the extension of CSV or none. The error also names `others`, extensions and formats.
pub(super) fn check_csv_name(flag: &str, path: &Path, others: &[(&str, &str)]) -> Result<(), InputError> {
    if matches!(&*OutputFile::extension(path), "csv" | "" | "-") {
        return Ok(());
    }
    // Without the second extension of a name such as a.csv.gz.
    let example = |extension: &str| path.with_extension("").with_extension(extension).display().to_string();
    let others = others.iter().map(|(other, format)| format!(", or {} for {format}", example(other)));
    let message = format!("the format is CSV; use a name such as {}{}", example("csv"), others.collect::<String>());
    Err(InputError::flag(format!("{flag} {}", path.display()), message))
}

/// Prints the seed to standard error if it was picked at random.
pub(super) fn print_random_seed(args: &FlockArgs, seed: u64) -> Result<(), InputError> {
    if args.seed.is_some() {
        return Ok(());
    }
    writeln!(stderr(), "seed {seed}").map_err(InputError::io("standard error"))
}

/// Writes an output file, and replaces the old one if there is one.
pub(super) fn finish(
    mut file: OutputFile,
    path: &Path,
    write: impl FnOnce(&mut OutputFile) -> io::Result<()>,
) -> Result<(), InputError> {
    write(&mut file).and_then(|()| file.finish()).map_err(InputError::io(path)).map(drop)
}

/// Prints a table to standard output, or to standard error if one of the outputs is standard output.
pub(super) fn print_table(text: &str, outputs: &[Option<&Path>]) -> Result<(), InputError> {
    let is_taken = outputs.iter().copied().flatten().any(OutputFile::is_stdout);
    let written = if is_taken { stderr().write_all(text.as_bytes()) } else { stdout().write_all(text.as_bytes()) };
    written.map_err(InputError::io("-"))
}

/// Checks that the file of a preset ends in .toml.
pub(super) fn check_preset_name(output: &Path) -> Result<(), InputError> {
    if matches!(&*OutputFile::extension(output), "toml" | "-") {
        return Ok(());
    }
    let example = output.with_extension("toml");
    let message = format!("a preset file ends in .toml; use a name such as {}", example.display());
    Err(InputError::flag(format!("--output {}", output.display()), message))
}

/// How often progress and signals are looked at.
const POLL: Duration = Duration::from_millis(50);
/// The steps of the progress bar.
const STEPS: f64 = 1000.0;

/// Computes on other threads, which end with the program, and shows the completed share with a message. Returns the signal that stopped it early as an error inside.
pub(super) fn in_background<T: Send + 'static>(
    message: &str,
    threads: NonZeroUsize,
    signals: &Signals,
    compute: impl FnOnce(&(dyn Fn(f64) + Sync)) -> T + Send + 'static,
) -> Result<Result<T, i32>, InputError> {
    let (sender, messages) = mpsc::channel();
    let pool = thread_pool(threads.get()).map_err(InputError::io("threads"))?;
    pool.spawn(move || {
        let result = compute(&|share| drop(sender.send(Err(share))));
        let _ = sender.send(Ok(result));
    });
    let progress = Progress::of_work(STEPS as u64);
    progress.set_message(message.to_owned());
    loop {
        match messages.recv_timeout(POLL) {
            Ok(Err(share)) => progress.show((share * STEPS) as u64),
            Ok(Ok(result)) => return Ok(Ok(result)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(InputError::io("threads")(io::Error::other(format!("{message} failed"))));
            }
        }
        if let Some(signal) = signals.pending() {
            return Ok(Err(signal));
        }
    }
}

/// Shorter work shows no progress.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// A progress bar on standard error if that is a terminal. It disappears when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(ticks: u64) -> Self {
        Self::with_template(ticks, "{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left")
    }

    /// A bar over an amount of work, with a message instead of the amount.
    pub(crate) fn of_work(work: u64) -> Self {
        Self::with_template(work, "{bar:40} {msg}, {eta} left")
    }

    fn with_template(length: u64, template: &str) -> Self {
        let style = ProgressStyle::with_template(template);
        let target = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(Some(length), target).with_style(style.expect("a valid template"));
        Self { bar, start: Instant::now() }
    }

    pub(crate) fn set_message(&self, message: String) {
        self.bar.set_message(message);
    }

    pub(crate) fn show(&self, tick: u64) {
        if self.bar.is_hidden() && self.start.elapsed() > SHOW_AFTER && stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(tick);
    }
}
