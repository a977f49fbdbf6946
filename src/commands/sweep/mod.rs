//! `flockscope sweep`: many runs with different values and seeds, and a CSV row of measures for each.

mod axis;
mod estimate;
mod existing_rows;
mod grid;
mod run;
mod sweep_file;
mod workers;

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;

pub use axis::{RampAxis, SweepAxis};
pub use grid::Shard;

use super::args::SweepArgs;
use super::progress::Progress;
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
    let threads = threads(&args.flock);
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
    let (written, all) = file.finish()?;
    let short_rows = runner.short_rows.load(Ordering::Relaxed);
    if short_rows > 0 {
        writeln!(io::stderr(), "too few ticks for the standard error of {short_rows} rows, which is a lower bound")
            .map_err(ConfigError::io("standard error"))?;
    }
    let signal = signals.pending().filter(|_| written < all);
    if signal.is_some() {
        // The terminal may be gone.
        let _ = writeln!(io::stderr(), "{written} of {all} rows are finished; --resume continues");
    }
    Ok(signal)
}
