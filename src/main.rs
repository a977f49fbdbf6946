//! The program: parse, dispatch, exit status.

use std::io::Write;
use std::process::ExitCode;

use color_eyre::eyre::{Result, eyre};
use flockscope::commands::args::CliCommand;
use flockscope::commands::prepare_process;
use flockscope::commands::settings::{ParsedArgs, config_template};
use flockscope::commands::{bench, breed, completions, errors, fit, lists, man, pictures, replay, run, sweep, watch};
use flockscope::export::stdout;
use flockscope::viewer::ViewerExit;

fn main() -> ExitCode {
    errors::install_panic_hook();
    prepare_process();
    dispatch().unwrap_or_else(errors::print_error)
}

fn dispatch() -> Result<ExitCode> {
    let parsed = ParsedArgs::read()?;
    errors::start_log(&parsed.cli.program.log)?;
    if parsed.cli.program.config.print_config {
        return print(&config_template());
    }
    let mut resolved = parsed.resolve()?;
    match resolved.cli.command.take() {
        None => print_exit(watch::watch(resolved)?),
        Some(CliCommand::Replay(args)) if args.verify => Ok(exit_status(replay::verify(&args)?)),
        Some(CliCommand::Replay(args)) => print_exit(watch::replay(resolved, &args)?),
        Some(CliCommand::Run(args)) => Ok(exit_status(run::run(&args)?)),
        Some(CliCommand::Sweep(args)) => Ok(exit_status(sweep::sweep(&args)?)),
        Some(CliCommand::Fit(args)) => Ok(exit_status(fit::run(&args)?)),
        Some(CliCommand::Breed(args)) => Ok(exit_status(breed::run(&args)?)),
        Some(CliCommand::Shot(args)) => Ok(exit_status(pictures::shot(&args)?)),
        Some(CliCommand::Record(args)) => Ok(exit_status(pictures::record(&args)?)),
        Some(CliCommand::Bench(args)) => Ok(bench::run(&args, &mut stdout()).map(|()| ExitCode::SUCCESS)?),
        Some(CliCommand::Presets(list)) => print(&lists::presets(list.name())?),
        Some(CliCommand::Themes(list)) => print(&lists::themes(list.name())?),
        Some(CliCommand::Params(list)) => print(&lists::params(list.name())?),
        Some(CliCommand::Keys(list)) => print(&lists::keys(&resolved.settings.keymap, list.name())?),
        Some(CliCommand::Completions(args)) => print(&completions::script(args.shell)),
        Some(CliCommand::Man(args)) => print(&man::page(&args.page)),
    }
}

/// Prints the path of a picture, and the command that reproduces the flock or the text of `--once`. Fails if the session could not be saved.
fn print_exit(exit: ViewerExit) -> Result<ExitCode> {
    let picture = exit.picture.map(|path| path + "\n").unwrap_or_default();
    let mut out = stdout();
    let printed = write!(out, "{picture}").and_then(|()| {
        // The text of `--once` has colors.
        out.allow_control_sequences();
        out.write_all(&exit.last_words)
    });
    // After a signal, the terminal may be gone.
    if exit.signal.is_none() {
        printed?;
    }
    exit.error.map_or(Ok(exit_status(exit.signal)), |error| Err(eyre!(error)))
}

/// Success, or 128 plus the signal that ended the program.
fn exit_status(signal: Option<i32>) -> ExitCode {
    tracing::info!(signal, "exit");
    signal.map_or(ExitCode::SUCCESS, |signal| ExitCode::from(128 + signal as u8))
}

fn print(text: &str) -> Result<ExitCode> {
    stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
