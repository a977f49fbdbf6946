//! Additions to the script for fish: values of positional arguments, and completion after an unfinished option.

use clap::{Arg, Command};

/// How clap's script parses the words typed so far.
const PARSE: &str = "    argparse -s (__fish_flockscope_global_optspecs) -- $cmd 2>/dev/null\n";
/// A second attempt without the last word, which may be an option that still lacks its value.
const PARSE_WITHOUT_LAST: &str = "    or argparse -s (__fish_flockscope_global_optspecs) -- $cmd[1..-2] 2>/dev/null\n";

/// clap's script with the additions.
pub(super) fn complete_script(script: &str, root: &Command) -> String {
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
fn positional_values(command: &Command) -> impl Iterator<Item = String> {
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
