//! `flockscope sweep`: many runs with different values and seeds, and a CSV row of measures for each.

mod grid;
mod runner;
mod sweep_columns;
mod sweep_file;

use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;

use runner::{Runner, SweepRow};
use sweep_file::SweepFile;

use super::args::SweepArgs;
use super::flock_setup::threads;
use super::output::{POLL, Progress, check_csv_name, signals};
use crate::engine::in_pool;
use crate::error::{InputError, shell_word};
use crate::export::metadata::check as check_metadata;
use crate::export::{OutputFile, counted, stderr, stdout};
use crate::sim::STACK_SIZE;
use crate::terminal::Signals;

/// Does the runs and writes their rows, or lists their commands. Returns the signal that stopped it early, if any; the file then has the finished
/// rows.
///
/// # Errors
///
/// [`InputError`] for invalid or contradictory options before anything is written, for a file of another sweep, or if a
/// file cannot be read or written; the file then has complete rows only.
pub fn sweep(args: &SweepArgs) -> Result<Option<i32>, InputError> {
    check_csv_name("--output", &args.output, &[])?;
    let threads = threads(args.flock.threads);
    let runner = Runner::new(args)?;
    if args.list {
        runner.check()?;
        return list(args, &runner).map(|()| None);
    }
    let mut file = SweepFile::new(&args.output, args.resume, &runner.grid)?;
    let runs = file.jobs();
    // The estimate samples a few runs, and a million checks take a while, so it comes first.
    runner::confirm(&runner, &runs, threads, args.yes)?;
    runner.check()?;
    check_metadata(&args.output)?;
    file.open()?;
    let signals = signals()?;
    // A bar would mix with rows on the terminal.
    let rows_on_terminal = OutputFile::is_stdout(&args.output) && stdout().is_terminal();
    let progress = (!rows_on_terminal && stderr().is_terminal()).then(|| Progress::of_work(runner.work(&runs)));
    work(&runner, &runs, threads, &signals, progress.as_ref(), &mut file)?;
    drop(progress);
    let (written, all) = file.finish()?;
    if written == all {
        sweep_file::metadata_of(args, &runner, all)?.write(&args.output)?;
    }
    let signal = signals.pending().filter(|_| written < all);
    // After a signal, the terminal may be gone.
    let _ = print_notes(args, runner.short_rows.load(Ordering::Relaxed), signal.is_some().then_some((written, all)));
    Ok(signal)
}

/// Prints how many rows have only a lower bound of the standard error, and how many rows are finished if not all are.
fn print_notes(args: &SweepArgs, short_rows: usize, stopped: Option<(usize, usize)>) -> io::Result<()> {
    let mut out = stderr();
    if short_rows > 0 {
        let rows = counted(short_rows, "row", "rows");
        writeln!(out, "too few ticks in {rows}: the standard errors there are only lower bounds")?;
    }
    if let Some((written, all)) = stopped {
        let hint = if OutputFile::is_stdout(&args.output) { "" } else { "; --resume continues" };
        writeln!(out, "{written} of {all} rows are finished{hint}")?;
    }
    Ok(())
}

type Outcome = Result<SweepRow, InputError>;

/// Does the runs and adds their rows to the file, until all are done or a signal arrives.
fn work(
    runner: &Runner<'_>,
    runs: &[usize],
    threads: NonZeroUsize,
    signals: &Signals,
    progress: Option<&Progress>,
    file: &mut SweepFile<'_>,
) -> Result<(), InputError> {
    let next = AtomicUsize::new(0);
    let workers = threads.get().min(runs.len());
    // The ticks of a single run may use all threads.
    let threads_per_run = if workers == 1 { threads } else { NonZeroUsize::MIN };
    thread::scope(|scope| {
        let (sender, outcomes) = mpsc::channel();
        for number in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            let thread = thread::Builder::new().name(format!("sweep-{number}")).stack_size(STACK_SIZE);
            let started = thread.spawn_scoped(scope, move || do_runs(runner, runs, next, threads_per_run, &sender));
            match started {
                Err(error) if number == 0 => return Err(InputError::io("threads")(error)),
                Err(error) => {
                    tracing::warn!(number, %error, "cannot start more threads");
                    break;
                }
                Ok(_) => {}
            }
        }
        drop(sender);
        let received = receive(runner, &outcomes, signals, progress, file);
        runner.stop.store(true, Ordering::Relaxed);
        received
    })
}

/// Does the next run until none is left.
fn do_runs(runner: &Runner<'_>, runs: &[usize], next: &AtomicUsize, threads: NonZeroUsize, sender: &Sender<Outcome>) {
    in_pool(threads, |scratch| {
        scratch.set_simd(runner.simd);
        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if runner.stop.load(Ordering::Relaxed) {
                break;
            }
            // Without a receiver, the sweep has ended.
            if let Err(error) = runner.run(*run, scratch, |row| sender.send(Ok(row)).is_ok()) {
                let _ = sender.send(Err(error));
            }
        }
    });
}

/// Adds rows to the file until all workers have ended.
fn receive(
    runner: &Runner<'_>,
    outcomes: &Receiver<Outcome>,
    signals: &Signals,
    progress: Option<&Progress>,
    file: &mut SweepFile<'_>,
) -> Result<(), InputError> {
    loop {
        match outcomes.recv_timeout(POLL) {
            Ok(outcome) => file.add(outcome?)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if let Some(progress) = progress {
            let (written, all) = file.progress();
            progress.set_message(format!("{written}/{all} rows"));
            progress.show(runner.done.load(Ordering::Relaxed));
        }
        if signals.pending().is_some() {
            runner.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Writes the commands to standard output, one a line. Together, in this order, their outputs are that of the whole sweep.
///
/// # Errors
///
/// [`InputError`] if the command line cannot be repeated, or if the output cannot be written.
fn list(args: &SweepArgs, runner: &Runner<'_>) -> Result<(), InputError> {
    let command = command(args)?;
    let runs = runner.grid.runs().count();
    let mut out = BufWriter::new(stdout());
    let mut write = || {
        for run in 1..=runs {
            let header = if run == 1 { "" } else { " --no-header" };
            writeln!(out, "{command} --shard {run}/{runs}{header}")?;
        }
        out.flush()
    };
    write().map_err(InputError::io("-"))
}

/// The command line of this process without `--list`, and what a single run needs: one thread, as many commands run at the
/// same time, and no question about its time.
fn command(args: &SweepArgs) -> Result<String, InputError> {
    let invalid = |message: &str| Err(InputError::flag("--list", message));
    if args.flock.input.as_deref().is_some_and(OutputFile::is_stream) {
        return invalid("the commands cannot all read standard input; use --input FILE");
    }
    let mut words = Vec::new();
    for word in std::env::args_os().filter(|word| word != "--list") {
        match word.to_str() {
            Some(word) => words.push(shell_word(word)),
            None => return invalid("the command line is not valid UTF-8; rename its files"),
        }
    }
    if args.flock.threads.is_none() {
        words.push("-j 1".to_owned());
    }
    if !args.yes {
        words.push("--yes".to_owned());
    }
    Ok(words.join(" "))
}
