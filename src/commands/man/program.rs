//! `flockscope(1)`.

use clap::{Command, CommandFactory};
use roff::{bold, roman};

use super::options;
use super::page::ManPage;
use crate::commands::args::{Cli, EXAMPLES};
use crate::sim::Param;
use crate::viewer::{Action, Keymap};

const DESCRIPTION: &str = "\
`flockscope` flies a flock of boids in the terminal, in braille, with predators among it. Every rule it follows is \
a gauge that is turned with the arrow keys while it flies. Without a command it is the viewer, which needs a \
terminal; its commands need none.

The same seed flies the same flock, bit for bit, on any number of threads and on every machine. On quitting, one \
line tells the command that brings the flock back.";

const FILES: &[(&str, &str)] = &[
    ("~/.config/flockscope/config.toml", "ConfigFile; see `flockscope-config`(5)."),
    ("~/.config/flockscope/presets/*.toml", "Presets of one's own; `S` in the viewer saves one there."),
    ("~/.config/flockscope/themes/*", "Themes of one's own: `.toml` files of ours, `.yaml` ones of base16 or base24."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("FLOCKSCOPE_<OPTION>", "An option of the viewer, in capitals with `_` for `-`, as in `FLOCKSCOPE_FPS=30`."),
    ("FLOCKSCOPE_CONFIG", "The file of settings."),
    ("FLOCKSCOPE_SIMD", "The kind of SIMD to fly with, for tests and reports of faults; `--version` lists them."),
    ("NO_COLOR", "No colors, where it is set to anything."),
    ("FORCE_COLOR", "0 for no colors, 2 for 256, 3 for 24 bits, unless NO_COLOR is set or TERM has fewer."),
    ("COLORTERM, TERM", "How many colors the terminal has; terminfo is asked too."),
    ("SSH_TTY, SSH_CONNECTION", "Where set, 30 frames a second rather than 60, and no program's name at first."),
    ("XDG_CONFIG_HOME", "Where settings lie, rather than `~/.config`."),
    ("RUST_BACKTRACE", "Where 1, a panic is reported with the way that led there."),
];

const STATUS: &[(&str, &str)] = &[
    ("0", "Done; a quit by `q` or Ctrl-c, and a reader who has gone, as in `| head`, are that too."),
    ("1", "It could not be done; one sentence on standard error says why."),
    ("2", "The command line makes no sense; the nearest right word is named."),
    ("128+N", "Ended by the signal of number N."),
];

pub(crate) fn page() -> String {
    let mut command = Cli::command();
    command.build();
    let about = "watch a flock of boids fly in the terminal, and turn its rules while it flies";
    let mut sheet = ManPage::new("flockscope", "1", "User Commands", about);
    synopsis(&mut sheet, &command);
    sheet.section("Description");
    sheet.text(DESCRIPTION);
    sheet.section("Options");
    options::by_heading(&mut sheet, &command);
    commands(&mut sheet, &command);
    keys(&mut sheet);
    parameters(&mut sheet);
    listed(&mut sheet, "Files", FILES);
    listed(&mut sheet, "Environment", ENVIRONMENT);
    listed(&mut sheet, "Exit status", STATUS);
    listed(&mut sheet, "Examples", EXAMPLES);
    sheet.section("See also");
    sheet.text("`flockscope-config`(5)");
    sheet.finish()
}

/// Each way to call it, and what comes of it.
fn synopsis(sheet: &mut ManPage, command: &Command) {
    sheet.section("Synopsis");
    sheet.text("`flockscope` [options]");
    for sub in commands_of(command) {
        sheet.line(&format!("`flockscope {}` {}", sub.get_name(), shape(sub)));
    }
}

/// What follows a command's name.
fn shape(command: &Command) -> String {
    if command.has_subcommands() {
        return "[`show` NAME]".to_owned();
    }
    let values = command.get_positionals().map(|arg| {
        let name = arg.get_id().as_str().to_uppercase();
        if arg.is_required_set() { name } else { format!("[{name}]") }
    });
    values.reduce(|all, value| format!("{all} {value}")).unwrap_or_else(|| "[options]".to_owned())
}

fn commands(sheet: &mut ManPage, root: &Command) {
    sheet.section("Commands");
    for sub in commands_of(root) {
        sheet.subsection(&format!("flockscope {}", sub.get_name()));
        let about = sub.get_long_about().or(sub.get_about()).map(ToString::to_string).unwrap_or_default();
        sheet.text(&about);
        for show in commands_of(sub) {
            let about = show.get_about().map(ToString::to_string).unwrap_or_default();
            sheet.term([bold(show.get_name()), roman(" NAME")], &about);
        }
        options::beside(sheet, sub, root);
    }
}

/// The commands under one, but for `help`, which explains itself.
fn commands_of(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != "help")
}

fn keys(sheet: &mut ManPage) {
    sheet.section("Keys");
    sheet.text(
        "In the viewer. All can be bound to others; see `flockscope-config`(5). An action without a key is found in \
         the palette.",
    );
    let keymap = Keymap::default();
    for action in Action::ALL {
        let keys = keymap.keys(*action).join(", ");
        let keys = if keys.is_empty() { "(no key)".to_owned() } else { keys };
        sheet.term([bold(keys), roman("   "), roman(action.id())], action.sentence());
    }
}

fn parameters(sheet: &mut ManPage) {
    sheet.section("Parameters");
    sheet.text("What `--set` takes, and what the gauges of the viewer turn: each with its default and its range.");
    for row in Param::table() {
        let unit = if row.unit().is_empty() { String::new() } else { format!(" {}", row.unit()) };
        let range = format!(" = {}{unit} ({})", row.default(), row.range());
        sheet.term([bold(row.key), roman(range)], row.summary);
    }
}

fn listed(sheet: &mut ManPage, heading: &str, rows: &[(&str, &str)]) {
    sheet.section(heading);
    for (term, text) in rows {
        sheet.term([bold(*term)], text);
    }
}
