//! The progress bar of long commands.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows no progress.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// A progress bar on standard error if that is a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(ticks: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left");
        let bar = style.ok().filter(|_| io::stderr().is_terminal()).map(|style| {
            let bar = ProgressBar::hidden().with_style(style);
            bar.set_length(ticks);
            bar
        });
        Self { bar, start: Instant::now() }
    }

    pub(crate) fn show(&self, tick: u64) {
        if let Some(bar) = &self.bar {
            if bar.is_hidden() && self.start.elapsed() > SHOW_AFTER {
                bar.set_draw_target(ProgressDrawTarget::stderr());
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
