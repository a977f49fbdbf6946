//! How far long work is, for who waits for it.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long work takes at least for its progress to be shown.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// A progress bar on standard error, where that is a terminal and the work is long.
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
            if bar.is_hidden() && self.begun.elapsed() > SHOW_AFTER {
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
