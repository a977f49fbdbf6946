//! The command line, as clap reads it.

#![allow(clippy::doc_markdown, reason = "these sentences are shown on a terminal, where backticks are noise")]

mod bench;
mod flock;
mod list;
mod picture;
mod run;
mod shot;
mod values;
mod watch;

use clap::{Parser, Subcommand};

pub use bench::Bench;
pub use flock::{Asked, FlockArgs, Setting};
pub use list::{List, Show};
pub use picture::{AimArgs, Color};
pub use run::Run;
pub use shot::Shot;
pub use watch::Watch;

/// Watch a flock of boids fly in your terminal, and turn its rules while it flies.
#[derive(Debug, Parser)]
#[command(name = "flockscope", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub struct Cli {
    /// What to do; without it, the viewer.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What the viewer is asked for.
    #[command(flatten)]
    pub watch: Watch,
}

const AFTER_HELP: &str = "\
Examples:
  flockscope                                 watch starlings
  flockscope -p sparrows -n 300              watch sparrows, more of them
  flockscope -s 7 --set cohesion.weight=0.01
  flockscope run -p drones --ticks 500 --output drones.csv --hash
  flockscope shot -o flock.png -t abyss      a picture of it
  flockscope --screensaver                   presets and themes by themselves
  flockscope bench --boids 1000000           how fast is this machine?

In the viewer, `?` shows the keys.";

/// What to do other than to watch.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fly without a terminal; write positions, measures, a hash of the state
    Run(Run),
    /// Take one picture after so many ticks: .png, .svg, .ansi or .txt; needs no terminal
    Shot(Shot),
    /// Time the tick on this machine, and the scalar kernel beside it
    Bench(Bench),
    /// List the presets, or show one as its file
    Presets(List),
    /// List the themes, or show one as its file
    Themes(List),
    /// List all that can be tuned, or show one as a line of a file
    Params(List),
    /// List the viewer's keys, or show one action's
    Keys(List),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_makes_sense() {
        Cli::command().debug_assert();
    }
}
