//! What the generator for fish leaves out.

use clap::{Arg, Command};

/// How its script looks for the command in what has been typed …
const LOOK: &str = "    argparse -s (__fish_flockscope_global_optspecs) -- $cmd 2>/dev/null\n";
/// … and once more without an option at the end whose value is still to come, which it takes for a mistake.
const LOOK_AGAIN: &str = "    or argparse -s (__fish_flockscope_global_optspecs) -- $cmd[1..-2] 2>/dev/null\n";

/// The script for this command line, whole.
pub(crate) fn whole(script: &str, root: &Command) -> String {
    let mut script = script.replacen(LOOK, &[LOOK, LOOK_AGAIN].concat(), 1);
    for command in root.get_subcommands() {
        let condition = format!("__fish_flockscope_using_subcommand {}", command.get_name());
        script.extend(words(command).map(|words| line(&condition, &words)));
        for below in command.get_subcommands() {
            let condition = format!("{condition}; and __fish_seen_subcommand_from {}", below.get_name());
            script.extend(words(below).map(|words| line(&condition, &words)));
        }
    }
    script
}

/// The words that a command takes without an option before them, with what each means.
fn words(command: &Command) -> impl Iterator<Item = String> {
    let told = |arg: &Arg| {
        let words = arg.get_possible_values().into_iter().map(|value| {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            format!("{}\\t'{}'", value.get_name(), quoted(&help))
        });
        words.collect::<Vec<_>>().join("\n")
    };
    command.get_positionals().map(told).filter(|words| !words.is_empty())
}

fn line(condition: &str, words: &str) -> String {
    format!("complete -c flockscope -n \"{condition}\" -f -a \"{words}\"\n")
}

/// Inside single quotes inside double ones.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'").replace('"', "\\\"").replace('$', "\\$")
}
