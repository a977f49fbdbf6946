//! `flockscope sweep`: many runs with different values and seeds, and a CSV row of measures for each.

mod axis;
mod estimate;
mod existing_rows;
mod grid;
mod run;
mod sweep_file;
mod workers;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

pub use axis::{RampAxis, SweepAxis};
pub use grid::Shard;

use super::args::SweepArgs;
use super::progress::Progress;
use super::run::contradicts_csv;
use super::setup::threads;
use crate::config::{ConfigError, remove_temp_files};
use crate::export::OutputFile;
use crate::terminal::Signals;
use run::Runner;
use sweep_file::SweepFile;

/// Does the runs and writes their rows. Returns the signal that stopped it early, if any; the file then has the finished
/// rows.
///
/// # Errors
///
/// [`ConfigError`] for invalid or contradictory options before anything is written, for a file of another sweep, or if a
/// file cannot be read or written; the file then has complete rows only.
pub fn sweep(args: &SweepArgs) -> Result<Option<i32>, ConfigError> {
    check_output_name(&args.output)?;
    let threads = threads(args.flock.threads);
    let runner = Runner::new(args)?;
    let mut file = SweepFile::new(&args.output, args.resume, &runner.grid)?;
    let runs = file.jobs();
    // The estimate samples a few runs, and a million checks take a while, so it comes first.
    estimate::confirm(&runner, &runs, threads, args.yes)?;
    runner.check()?;
    file.open()?;
    let signals = Signals::for_termination(remove_temp_files).map_err(ConfigError::io("signals"))?;
    // A bar would mix with rows on the terminal.
    let rows_on_terminal = OutputFile::is_stdout(&args.output) && io::stdout().is_terminal();
    let progress = (!rows_on_terminal && io::stderr().is_terminal()).then(|| Progress::of_work(runner.work(&runs)));
    workers::work(&runner, &runs, threads, &signals, progress.as_ref(), &mut file)?;
    drop(progress);
    let (written, all) = file.finish()?;
    let signal = signals.pending().filter(|_| written < all);
    // After a signal, the terminal may be gone.
    let _ = print_notes(args, runner.short_rows.load(Ordering::Relaxed), signal.is_some().then_some((written, all)));
    Ok(signal)
}

fn check_output_name(path: &Path) -> Result<(), ConfigError> {
    if !contradicts_csv(path) {
        return Ok(());
    }
    let message = format!("the format is CSV; use a name such as {}", path.with_extension("csv").display());
    Err(ConfigError::Flag { flag: format!("--output {}", path.display()), message })
}

/// Prints how many rows have only a lower bound of the standard error, and how many rows are finished if not all are.
fn print_notes(args: &SweepArgs, short_rows: usize, stopped: Option<(usize, usize)>) -> io::Result<()> {
    let mut out = io::stderr();
    if short_rows > 0 {
        let rows = if short_rows == 1 { "row" } else { "rows" };
        writeln!(out, "too few ticks in {short_rows} {rows}: the standard errors there are only lower bounds")?;
    }
    if let Some((written, all)) = stopped {
        let hint = if OutputFile::is_stdout(&args.output) { "" } else { "; --resume continues" };
        writeln!(out, "{written} of {all} rows are finished{hint}")?;
    }
    Ok(())
}
