//! The progress bar of long commands.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
        if self.bar.is_hidden() && self.start.elapsed() > SHOW_AFTER && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(tick);
    }
}
