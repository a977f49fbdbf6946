//! Where settings come from.

use std::path::PathBuf;

use clap::Args;

/// Where settings come from.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Read this config file instead of one's own; FLOCKSCOPE_CONFIG names one likewise
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read no config file
    #[arg(long, global = true, conflicts_with = "config")]
    pub no_config: bool,
    /// Print the config file that changes nothing, with all that can stand in it
    #[arg(long, global = true)]
    pub print_config: bool,
}
