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
use crate::export::{OutputFile, Replaces, metadata, stderr, stdout};
use crate::terminal::Signals;

/// An output file that an option asks for: the option, the file and what it may replace.
pub(super) type Request<'a> = (&'a str, Option<&'a Path>, Replaces);

/// Checks that each output has a file of its own, replaces no input, and that its metadata replaces no other file. Inputs come with their
/// options.
pub(super) fn check_outputs(requests: &[Request<'_>], inputs: &[(&str, &Path)]) -> Result<(), InputError> {
    let outputs: Vec<(&str, &Path)> =
        requests.iter().filter_map(|(option, path, _)| path.map(|path| (*option, path))).collect();
    for (at, (option, path)) in outputs.iter().enumerate() {
        let is_same = |(_, other): &&(&str, &Path)| OutputFile::is_same(path, other);
        let flag = |option: &str, path: &Path| format!("{option} {}", path.display()).trim_start().to_owned();
        let message = match (inputs.iter().find(is_same), outputs[..at].iter().find(is_same)) {
            (Some((of, file)), _) => format!("it would replace {}; expected another file", flag(of, file)),
            (_, Some((of, file))) => format!("outputs need different files, and {} is the same", flag(of, file)),
            _ => continue,
        };
        return Err(InputError::flag(flag(option, path), message));
    }
    outputs.iter().try_for_each(|(_, path)| metadata::check(path))
}

/// Opens output files before the work, which may take long, and starts to listen for signals.
pub(super) fn open<'a>(requests: &[Request<'a>]) -> Result<(Vec<Output<'a>>, Signals), InputError> {
    let mut outputs: Vec<Output<'_>> = requests.iter().map(|(_, path, _)| Output { path: *path, file: None }).collect();
    // Opening a pipe waits for its reader. Until signals are handled, they end the program there, and no temporary file
    // exists that would be left behind.
    for (output, (_, path, replaces)) in outputs.iter_mut().zip(requests) {
        let path = path.filter(|path| OutputFile::may_wait(path));
        output.file = path.map(|path| OutputFile::open(path, *replaces)).transpose()?;
    }
    let signals = signals()?;
    for (output, (_, path, replaces)) in outputs.iter_mut().zip(requests) {
        if let (None, Some(path)) = (&output.file, path) {
            output.file = Some(OutputFile::open(path, *replaces)?);
        }
    }
    Ok((outputs, signals))
}

/// An output file, if it is requested.
#[derive(Default)]
pub(super) struct Output<'a> {
    pub(super) path: Option<&'a Path>,
    /// `None` also once the reader of a pipe is gone. That is no error, and other files are still written.
    pub(super) file: Option<OutputFile>,
}

impl Output<'_> {
    pub(super) fn write(&mut self, write: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<(), InputError> {
        let written = self.file.as_mut().map_or(Ok(()), write);
        if !self.has_reader(written)? {
            self.file = None;
        }
        Ok(())
    }

    pub(super) fn write_and_finish(
        mut self,
        write: impl FnOnce(&mut OutputFile) -> io::Result<()>,
    ) -> Result<(), InputError> {
        self.write(write)?;
        self.finish()
    }

    /// Moves the file to its name. The metadata of an earlier file with this name is removed first.
    pub(super) fn finish(mut self) -> Result<(), InputError> {
        self.path.map_or(Ok(()), metadata::remove)?;
        let finished = self.file.take().map_or(Ok(()), |file| file.finish().map(drop));
        self.has_reader(finished).map(drop)
    }

    /// Whether the reader of a pipe is still there after a write.
    fn has_reader(&self, written: io::Result<()>) -> Result<bool, InputError> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(InputError::io(self.path.unwrap_or(Path::new("-")))(error)),
            Ok(()) => Ok(true),
        }
    }
}

/// Starts to listen for signals, which remove temporary files.
pub(super) fn signals() -> Result<Signals, InputError> {
    Signals::for_termination(remove_temp_files).map_err(InputError::io("signals"))
}

/// Opens a single output file, as [`open`] does.
pub(super) fn open_one(path: &Path) -> Result<(OutputFile, Signals), InputError> {
    let (mut outputs, signals) = open(&[("--output", Some(path), Replaces::Any)])?;
    Ok((outputs.remove(0).file.expect("a path was given"), signals))
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
pub(super) fn print_random_seed(args: &FlockArgs, seed: Option<u64>) -> Result<(), InputError> {
    let seed = seed.filter(|_| args.seed.is_none());
    seed.map_or(Ok(()), |seed| writeln!(stderr(), "seed {seed}")).map_err(InputError::io("standard error"))
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
pub(super) const POLL: Duration = Duration::from_millis(50);
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
