//! What makes a shell complete this command line: a script, made from the command line as clap has it.

use clap::CommandFactory;
use clap_complete::{Generator, Shell as Known, generate};
use clap_complete_nushell::Nushell;

use crate::cli::{Cli, Shell};

/// The script for a shell.
#[must_use]
pub fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => script_by(Known::Bash),
        Shell::Zsh => script_by(Known::Zsh),
        Shell::Fish => script_by(Known::Fish),
        Shell::PowerShell => script_by(Known::PowerShell),
        Shell::Nushell => script_by(Nushell),
    }
}

fn script_by(generator: impl Generator) -> String {
    let mut script = Vec::new();
    generate(generator, &mut Cli::command(), "flockscope", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
