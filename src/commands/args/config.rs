//! Where settings come from.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Where settings come from.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Read this config file rather than your own
    ///
    /// FLOCKSCOPE_CONFIG names one likewise. The viewer, run, shot, record and keys heed it; a benchmark does not.
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Read no config file
    #[arg(long, global = true, conflicts_with = "config", hide_short_help = true)]
    pub no_config: bool,
    /// Print a config file with all that can stand in it
    #[arg(long, global = true)]
    pub print_config: bool,
}
