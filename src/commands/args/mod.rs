//! The command line, as clap reads it.

#![allow(clippy::doc_markdown, reason = "these sentences are shown on a terminal, where backticks are noise")]

pub(crate) mod bench;
pub(crate) mod choices;
pub(crate) mod config;
pub(crate) mod documents;
pub(crate) mod flock;
pub(crate) mod help;
pub(crate) mod hints;
pub(crate) mod list;
pub(crate) mod picture;
pub(crate) mod program;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod shot;
pub(crate) mod values;
pub(crate) mod watch;

use clap::{Parser, Subcommand};

pub use bench::Bench;
pub use config::ConfigArgs;
pub use documents::{Completions, Man, Page, Shell};
pub(crate) use flock::setting;
pub use flock::{FlockArgs, Setting, ZoneArg};
pub(crate) use help::EXAMPLES;
pub use hints::add_hint;
pub use list::{List, ListCommand};
pub use picture::{CameraArgs, ColorChoice, ScreenArgs};
pub use program::{LogArgs, ProgramArgs};
pub use record::Record;
pub use run::Run;
pub use shot::Shot;
pub use watch::Watch;

use super::version;

/// Watch a flock of boids fly in your terminal, and turn its rules while it flies.
#[derive(Debug, Parser)]
#[command(name = "flockscope", version, long_version = version::long(), args_conflicts_with_subcommands = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(after_help = help::HINT, after_long_help = help::after())]
pub struct Cli {
    /// What to do; without it, the viewer.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What the viewer is asked for.
    #[command(flatten)]
    pub watch: Watch,
    /// What every command is asked for.
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// What to do other than to watch.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fly without a terminal, and write down how
    ///
    /// Positions and measures of every tick go to CSV files, and a hash of the state tells whether two runs
    /// flew the same.
    #[command(after_long_help = help::RUN)]
    Run(Run),
    /// Take a picture: .png, .svg, .ansi or .txt
    ///
    /// It is taken after so many ticks, and drawn by the program itself: no terminal is needed.
    #[command(after_long_help = help::SHOT)]
    Shot(Shot),
    /// Make a clip: .gif or .cast
    ///
    /// It begins after so many ticks, and is drawn by the program itself, frame by frame: no terminal is needed.
    #[command(after_long_help = help::RECORD)]
    Record(Record),
    /// Time the tick on this machine
    ///
    /// With the scalar kernel beside it, and the share of each stage.
    Bench(Bench),
    /// List the presets, or show one as its file
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(choices::preset()))))]
    Presets(List),
    /// List the themes, or show one as its file
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(choices::theme()))))]
    Themes(List),
    /// List the parameters, or show one as a line of a file
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(choices::key()))))]
    Params(List),
    /// List the viewer's keys, or show those of an action
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(choices::action()))))]
    Keys(List),
    /// Print what makes a shell complete this command line
    #[command(after_long_help = help::COMPLETIONS)]
    Completions(Completions),
    /// Print the manual
    #[command(after_long_help = help::MAN)]
    Man(Man),
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
