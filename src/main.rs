//! The program: parse, dispatch, report.

use std::io::{self, Write};
use std::process::ExitCode;

use color_eyre::eyre::Result;
use flockscope::commands::args::Command;
use flockscope::commands::settings;
use flockscope::commands::settings::ParsedArgs;
use flockscope::commands::{bench, completions, errors, lists, log, man, record, run, shot, watch};

fn main() -> ExitCode {
    errors::install_panic_hook();
    run().unwrap_or_else(|error| errors::print_error(&error))
}

fn run() -> Result<ExitCode> {
    let typed = ParsedArgs::read()?;
    log::begin(&typed.cli.program.log)?;
    if typed.cli.program.config.print_config {
        say(&settings::sample())?;
        return Ok(ExitCode::SUCCESS);
    }
    let resolved = typed.resolved()?;
    match resolved.cli.command {
        None => {
            let ending = watch::watch(resolved)?;
            let picture = ending.picture.map(|word| word + "\n").unwrap_or_default();
            let said = say(&format!("{picture}{}\n", ending.command));
            // Whoever sent a signal may have taken the terminal with it.
            if ending.signal.is_none() {
                said?;
            }
            return Ok(status(ending.signal));
        }
        Some(Command::Run(args)) => return Ok(status(run::run(&args)?)),
        Some(Command::Shot(args)) => return Ok(status(shot::shot(&args)?)),
        Some(Command::Record(args)) => return Ok(status(record::record(&args)?)),
        Some(Command::Bench(args)) => bench::run(&args, &mut io::stdout().lock())?,
        Some(Command::Presets(list)) => say(&lists::presets(list.name())?)?,
        Some(Command::Themes(list)) => say(&lists::themes(list.name())?)?,
        Some(Command::Params(list)) => say(&lists::params(list.name())?)?,
        Some(Command::Keys(list)) => say(&lists::keys(&resolved.layers.keymap, list.name())?)?,
        Some(Command::Completions(args)) => say(&completions::script(args.shell))?,
        Some(Command::Man(args)) => say(&man::page(args.page))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Done, or ended by a signal.
fn status(signal: Option<i32>) -> ExitCode {
    tracing::info!(signal, "ends");
    signal.map_or(ExitCode::SUCCESS, |signal| ExitCode::from(128 + signal as u8))
}

fn say(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}
