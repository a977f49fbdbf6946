//! `flockscope completions`: shell completion scripts.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, CommandFactory};
use clap_complete::{Generator, Shell as ClapShell, generate};
use clap_complete_nushell::Nushell;

use super::args::{Cli, Shell};
use crate::sim::Param;

/// How clap's script for fish parses the words typed so far.
const PARSE: &str = "    argparse -s (__fish_flockscope_global_optspecs) -- $cmd 2>/dev/null\n";
/// A second attempt without the last word, which may be an option that still lacks its value.
const PARSE_WITHOUT_LAST: &str = "    or argparse -s (__fish_flockscope_global_optspecs) -- $cmd[1..-2] 2>/dev/null\n";

/// How clap's script for Bash finds the option whose value is completed.
const PREVIOUS: &str = "    prev=\"$3\"\n";
/// The same for `--option=value`, which Bash splits into three words.
const PREVIOUS_OF_EQUALS: &str = r#"    prev="$3"
    if [[ ${cur} == "=" ]]; then
        cur=""
    elif [[ ${prev} == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD - 2]}"
    fi
"#;

/// The script for a shell.
pub fn script(shell: Shell) -> String {
    let command = with_parameters(with_plain_flags(Cli::command()));
    // A value follows the `=` of a parameter, not a space.
    let names = parameters().join(" ");
    match shell {
        Shell::Bash => {
            let names = format!("COMPREPLY=($(compgen -W \"{names}\" -- \"${{cur}}\"))\n");
            let script = generate_script(ClapShell::Bash, command).replacen(PREVIOUS, PREVIOUS_OF_EQUALS, 1);
            script.replace(&names, &format!("compopt -o nospace 2>/dev/null\n{names}"))
        }
        Shell::Zsh => {
            let script = generate_script(ClapShell::Zsh, with_escaped_names(command));
            script.replace(&format!("({names})"), &format!("{{compadd -S \"\" -- {names}}}"))
        }
        Shell::Fish => complete_fish(&generate_script(ClapShell::Fish, command), &Cli::command()),
        Shell::PowerShell => generate_script(ClapShell::PowerShell, command),
        Shell::Nushell => generate_script(Nushell, command),
    }
}

/// The names of all parameters as in `--set`.
fn parameters() -> Vec<String> {
    Param::table().iter().map(|param| format!("{}=", param.key)).collect()
}

/// The command line with the names of parameters as values of options that set them.
fn with_parameters(command: clap::Command) -> clap::Command {
    command.mut_subcommands(with_parameters).mut_args(|arg| match arg.get_long() {
        Some("set" | "over" | "ramp") => arg.value_parser(PossibleValuesParser::new(parameters())),
        _ => arg,
    })
}

fn generate_script(generator: impl Generator, mut command: clap::Command) -> String {
    let mut script = Vec::new();
    generate(generator, &mut command, "flockscope", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The command line without `=false` on flags: some shells would ask for a value, or use the next word as one.
fn with_plain_flags(command: clap::Command) -> clap::Command {
    command.mut_subcommands(with_plain_flags).mut_args(|arg| {
        let Some(long) = arg.get_long().filter(|_| arg.is_require_equals_set()) else { return arg };
        let flag = Arg::new(arg.get_id().clone()).long(long.to_owned()).action(ArgAction::SetTrue);
        flag.short(arg.get_short()).help(arg.get_help().cloned().unwrap_or_default())
    })
}

/// The command line with value names escaped for zsh, which runs the text after a colon; clap escapes only the help.
fn with_escaped_names(command: clap::Command) -> clap::Command {
    command.mut_subcommands(with_escaped_names).mut_args(|arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let names: Vec<_> = names.iter().map(|name| name.replace(':', r"\:").replace('\'', r"'\''")).collect();
        if names.is_empty() { arg } else { arg.value_names(names) }
    })
}

/// clap's script for fish, with values of positional arguments and completion after an unfinished option.
fn complete_fish(script: &str, root: &clap::Command) -> String {
    let mut script = script.replacen(PARSE, &[PARSE, PARSE_WITHOUT_LAST].concat(), 1);
    for command in root.get_subcommands() {
        let condition = format!("__fish_flockscope_using_subcommand {}", command.get_name());
        script.extend(positional_values(command).map(|values| line(&condition, &values)));
        for child in command.get_subcommands() {
            let condition = format!("{condition}; and __fish_seen_subcommand_from {}", child.get_name());
            script.extend(positional_values(child).map(|values| line(&condition, &values)));
        }
    }
    script
}

/// The possible values of each positional argument, with their descriptions.
fn positional_values(command: &clap::Command) -> impl Iterator<Item = String> {
    let values = |arg: &Arg| {
        let values = arg.get_possible_values().into_iter().map(|value| {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            format!("{}\\t'{}'", value.get_name(), quoted(&help))
        });
        values.collect::<Vec<_>>().join("\n")
    };
    command.get_positionals().map(values).filter(|values| !values.is_empty())
}

fn line(condition: &str, values: &str) -> String {
    format!("complete -c flockscope -n \"{condition}\" -f -a \"{values}\"\n")
}

/// Escapes text for single quotes inside double quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'").replace('"', "\\\"").replace('$', "\\$")
}
