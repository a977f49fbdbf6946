//! The threads that do the runs of a sweep, each a whole run at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::run::{Runner, SweepRow};
use super::sweep_file::SweepFile;
use crate::commands::progress::Progress;
use crate::config::ConfigError;
use crate::engine::{STACK_SIZE, in_pool};
use crate::terminal::Signals;

/// How often progress and signals are looked at.
const POLL: Duration = Duration::from_millis(50);

type Outcome = Result<SweepRow, ConfigError>;

/// Does the runs and adds their rows to the file, until all are done or a signal arrives.
///
/// # Errors
///
/// Those of runs and of the file, and if the system refuses to start a thread.
pub(super) fn work(
    runner: &Runner<'_>,
    runs: &[usize],
    threads: NonZeroUsize,
    signals: &Signals,
    progress: Option<&Progress>,
    file: &mut SweepFile<'_>,
) -> Result<(), ConfigError> {
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
                Err(error) if number == 0 => return Err(ConfigError::io("threads")(error)),
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
) -> Result<(), ConfigError> {
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
