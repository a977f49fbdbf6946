//! What makes a shell complete this command line: a script, made from the command line as clap has it.

pub(crate) mod fish;

use clap::{Arg, ArgAction, Command, CommandFactory};
use clap_complete::{Generator, Shell as Known, generate};
use clap_complete_nushell::Nushell;

use super::args::{Cli, Shell};

/// The script for a shell.
#[must_use]
pub fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => script_by(Known::Bash),
        Shell::Zsh => script_by(Known::Zsh),
        Shell::Fish => fish::whole(&script_by(Known::Fish), &Cli::command()),
        Shell::PowerShell => script_by(Known::PowerShell),
        Shell::Nushell => script_by(Nushell),
    }
}

fn script_by(generator: impl Generator) -> String {
    let mut script = Vec::new();
    generate(generator, &mut with_plain_switches(Cli::command()), "flockscope", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The command line without `=false` behind its switches: some shells would ask for a value, or take the next word.
fn with_plain_switches(command: Command) -> Command {
    let plain = |arg: Arg| {
        let Some(long) = arg.get_long().filter(|_| arg.is_require_equals_set()) else { return arg };
        let switch = Arg::new(arg.get_id().clone()).long(long.to_owned()).action(ArgAction::SetTrue);
        switch.short(arg.get_short()).help(arg.get_help().cloned().unwrap_or_default())
    };
    command.mut_args(plain).mut_subcommands(with_plain_switches)
}
