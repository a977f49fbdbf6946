//! `flockscope completions`: shell completion scripts.

mod fish;

use clap::{Arg, ArgAction, Command, CommandFactory};
use clap_complete::{Generator, Shell as ClapShell, generate};
use clap_complete_nushell::Nushell;

use super::args::{Cli, Shell};

/// The script for a shell.
#[must_use]
pub fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => generate_script(ClapShell::Bash),
        Shell::Zsh => generate_script(ClapShell::Zsh),
        Shell::Fish => fish::complete_script(&generate_script(ClapShell::Fish), &Cli::command()),
        Shell::PowerShell => generate_script(ClapShell::PowerShell),
        Shell::Nushell => generate_script(Nushell),
    }
}

fn generate_script(generator: impl Generator) -> String {
    let mut script = Vec::new();
    generate(generator, &mut with_plain_flags(Cli::command()), "flockscope", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The command line without `=false` on flags: some shells would ask for a value, or use the next word as one.
fn with_plain_flags(command: Command) -> Command {
    let plain = |arg: Arg| {
        let Some(long) = arg.get_long().filter(|_| arg.is_require_equals_set()) else { return arg };
        let flag = Arg::new(arg.get_id().clone()).long(long.to_owned()).action(ArgAction::SetTrue);
        flag.short(arg.get_short()).help(arg.get_help().cloned().unwrap_or_default())
    };
    command.mut_args(plain).mut_subcommands(with_plain_flags)
}
