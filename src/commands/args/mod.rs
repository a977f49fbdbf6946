//! Command-line definitions.

#![allow(clippy::doc_markdown, reason = "clap prints these comments as help, where backticks are noise")]

mod axis;
mod batch;
mod flock;
pub(super) mod help;
mod picture;
mod program;
mod session;
mod values;
mod viewer;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use axis::{RampAxis, Shard, SweepAxis};
pub(super) use axis::{SweepKey, SweepValue};
pub use batch::{BenchArgs, BreedArgs, CurveFile, FitArgs, RunArgs, SweepArgs};
pub(crate) use flock::DEFAULT_PRESET;
pub use flock::{FlockArgs, MeasureArgs, ParamSetting, ZoneArg};
pub use picture::{CameraArgs, ColorChoice, RecordArgs, ScreenArgs, ShotArgs};
pub(crate) use program::{BUILD_DATE, VERSION, build_info, long_version, simd_summary};
pub use program::{ConfigArgs, LogArgs, ProgramArgs};
pub use session::{AtArgs, BesideArgs, RangeArgs, RecordingArgs, SessionArgs};
pub(super) use viewer::is_over_ssh;
pub use viewer::{LiveArgs, ReplayArgs, ViewerArgs, WatchArgs};

/// Simulate a flock in the terminal and tune its rules while it flies
#[derive(Debug, Parser)]
#[command(name = "flockscope", version, long_version = long_version(), args_conflicts_with_subcommands = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(after_help = help::SHORT, after_long_help = help::long())]
pub struct Cli {
    /// The subcommand; the viewer if there is none.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    /// Options of the viewer.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Options of every command.
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Simulate without a terminal and export CSV or XYZ
    ///
    /// Writes the states of the flock to a CSV or XYZ file, and measures to a CSV file. With --summary it prints statistics
    /// of the measures, with --hash a hash of the final state, which is the same on every machine.
    #[command(after_long_help = help::with_curves(help::RUN))]
    Run(RunArgs),
    /// Run with many values of parameters and export measures
    ///
    /// Simulates each combination of values and seeds, several at the same time, and writes a CSV row for each: the values,
    /// the seed, means and standard errors of measures, and the hash of the final state.
    #[command(after_long_help = help::with_measures(help::SWEEP))]
    Sweep(SweepArgs),
    /// Render a picture: .png, .svg, .ansi or .txt
    ///
    /// Simulates a number of ticks, then draws the screen of the viewer to a file. It needs no terminal.
    #[command(after_long_help = help::SHOT)]
    Shot(ShotArgs),
    /// Render a clip: .gif or .cast
    ///
    /// Simulates a number of ticks, then draws the screen of the viewer frame by frame to a file. It needs no terminal.
    #[command(after_long_help = help::RECORD)]
    Record(RecordArgs),
    /// Show a saved session or recorded trajectories
    ///
    /// The viewer saves sessions in .flock files: `Ctrl-s`, or --save-session. The session is shown exactly as it was, and
    /// pauses at its end. If you change the flock, it no longer follows the file.
    ///
    /// Files that end in .csv, .xyz or .npz are recordings: the trajectories of animals, as tracking programs and `run` write them.
    #[command(after_long_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Find the rules of recorded animals, as a preset
    ///
    /// Estimates the steering rules that predict how animals change their velocity: weights, radii, forms and limits, with standard errors.
    /// A second table compares the animals with the flock that follows these rules.
    #[command(after_long_help = help::FIT)]
    Fit(FitArgs),
    /// Breed a flock toward given measures, as a preset
    ///
    /// Changes the rules of a flock at random, flies the children without a terminal, and goes on with those whose measures are nearest to the
    /// given ones. Prints the line of descent: what changed in each generation, and the measures after it.
    #[command(after_long_help = help::with_measures_of(help::BREED, "--toward"))]
    Breed(BreedArgs),
    /// Measure how fast this machine simulates
    ///
    /// Prints the time per tick, the share of each stage, and the speedup over the scalar kernel.
    Bench(BenchArgs),
    /// List the presets, or print one as a file
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(values::preset()))))]
    Presets(ListArgs),
    /// List the themes, or print one as a file
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(values::theme()))))]
    Themes(ListArgs),
    /// List the parameters, or print one as a config line
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(values::param()))))]
    Params(ListArgs),
    /// List the key bindings, or print those of one action
    #[command(mut_subcommand("show", |show| show.mut_arg("name", |name| name.value_parser(values::action()))))]
    Keys(ListArgs),
    /// Print a shell completion script
    #[command(after_long_help = help::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print a manual page
    #[command(after_long_help = help::MAN)]
    Man(ManArgs),
}

/// Arguments of the commands that list something.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The entry to print; the whole list if there is none.
    #[command(subcommand)]
    pub show: Option<ListCommand>,
}

impl ListArgs {
    /// The entry to print, if one is named.
    pub fn name(&self) -> Option<&str> {
        self.show.as_ref().map(|ListCommand::Show { name }| name.as_str())
    }
}

/// The commands for a list.
#[derive(Debug, Subcommand)]
pub enum ListCommand {
    /// Print one entry as it appears in a file
    Show {
        /// Name of the entry
        name: String,
    },
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to write the script for
    pub shell: Shell,
}

/// A shell that completes command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "each is the name of a shell")]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Nushell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Page to print: flockscope, one of its commands, or config
    #[arg(default_value = "flockscope", value_parser = MAN_PAGES)]
    pub page: String,
}

/// The manual pages: flockscope(1), flockscope-run(1) and so on, and flockscope-config(5).
pub const MAN_PAGES: [&str; 16] = [
    "flockscope",
    "run",
    "sweep",
    "shot",
    "record",
    "replay",
    "fit",
    "breed",
    "bench",
    "presets",
    "themes",
    "params",
    "keys",
    "completions",
    "man",
    "config",
];

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_a_manual_page() {
        let root = Cli::command();
        let commands = root.get_subcommands().map(clap::Command::get_name);
        let pages: Vec<&str> = ["flockscope"].into_iter().chain(commands).chain(["config"]).collect();
        assert_eq!(pages, MAN_PAGES);
    }
}
