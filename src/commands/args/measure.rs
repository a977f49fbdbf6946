//! Options of the commands that measure flocks.

use clap::Args;

use super::values::{measure, whole};

const MEASURES: &str = "Measures";

/// What to measure, and from when on.
#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// Measures to take, separated by commas, or all
    ///
    /// Without it, all measures except those marked by * below: they take long or are rarely needed.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = measure(), hide_possible_values = true, help_heading = MEASURES)]
    pub measure: Vec<String>,
    /// Number of ticks before anything is measured or written
    ///
    /// They come before those of --ticks.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, help_heading = MEASURES)]
    pub warmup: u64,
}
