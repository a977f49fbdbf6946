//! Options, as the command line has them.

use clap::{Arg, Command};
use roff::{Inline, bold, italic, roman};

use super::page::ManPage;

/// What a command takes, under the headings of its help.
pub(crate) fn by_heading(sheet: &mut ManPage, command: &Command) {
    let mut headings: Vec<&str> = Vec::new();
    for arg in options(command) {
        let heading = heading(arg);
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for here in headings {
        sheet.subsection(here);
        options(command).filter(|arg| heading(arg) == here).for_each(|arg| option(sheet, arg));
    }
}

/// What a command under `root` takes, in one list; what is the same there is only named.
pub(crate) fn beside(sheet: &mut ManPage, command: &Command, root: &Command) {
    let is_known = |arg: &&Arg| options(root).any(|known| is_same(known, arg));
    for arg in command.get_positionals() {
        let term = vec![italic(arg.get_id().as_str())];
        sheet.term(term, &told(arg));
    }
    options(command).filter(|arg| !is_known(arg)).for_each(|arg| option(sheet, arg));
    let known: Vec<_> = options(command).filter(is_known).map(|arg| format!("`--{}`", long(arg))).collect();
    if !known.is_empty() {
        sheet.text(&format!("As above: {}.", known.join(", ")));
    }
}

/// One option, with its value and what it does.
fn option(sheet: &mut ManPage, arg: &Arg) {
    sheet.term(term(arg), &told(arg));
}

fn term(arg: &Arg) -> Vec<Inline> {
    let mut term = Vec::new();
    if let Some(short) = arg.get_short() {
        term.extend([bold(format!("-{short}")), roman(", ")]);
    }
    term.push(bold(format!("--{}", long(arg))));
    if let Some(value) = value(arg) {
        // What may be left out stands behind a sign of its own.
        let (before, after) = if arg.is_require_equals_set() { ("[=", "]") } else { (" ", "") };
        term.extend([roman(before), italic(value), roman(after)]);
    }
    term
}

/// What it does, and what it is unless somebody says otherwise.
pub(crate) fn told(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let words: Vec<_> = arg.get_possible_values().iter().map(|word| word.get_name().to_owned()).collect();
    let default = default(arg).map(|value| format!(" [default: {value}]")).unwrap_or_default();
    let words = match &words[..] {
        // A long list is printed by a command, which the help names.
        [] => String::new(),
        words if arg.is_hide_possible_values_set() || words.len() > 9 => String::new(),
        words => format!("\n\nOne of {}.", words.join(", ")),
    };
    format!("{help}{default}{words}")
}

/// The options of a command, `--help` among them.
pub(crate) fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.get_long().is_some() && !arg.is_hide_set())
}

pub(crate) fn long(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

/// The name of its value, where it takes one.
pub(crate) fn value(arg: &Arg) -> Option<String> {
    let takes = arg.get_action().takes_values();
    arg.get_value_names().filter(|_| takes).map(|names| names.join(" "))
}

/// What it is unless somebody says otherwise, where one word says that.
pub(crate) fn default(arg: &Arg) -> Option<String> {
    let is_told = arg.get_action().takes_values() && !arg.is_hide_default_value_set();
    let values = arg.get_default_values().first().filter(|_| is_told);
    values.map(|value| value.to_string_lossy().into_owned())
}

fn heading(arg: &Arg) -> &str {
    arg.get_help_heading().unwrap_or("Options")
}

fn is_same(one: &Arg, other: &Arg) -> bool {
    (one.get_long(), told(one)) == (other.get_long(), told(other))
}
