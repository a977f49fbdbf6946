//! `flockscope man`: manual pages, generated from the command line by `clap_mangen`, and sections with the keys, parameters and files.

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::help::{self, HelpEntry};
use super::args::{BUILD_DATE, Cli, VERSION};
use super::settings;
use crate::sim::{Param, Params};
use crate::viewer::{Action, Keymap};

const DESCRIPTION: &str = "\
flockscope simulates a flock of boids in the terminal, drawn in braille, with predators among them. Every rule is a \
parameter with a gauge, which the arrow keys change while the flock flies. Without a command it starts the viewer.

The same seed and options give the same flock, bit for bit, on every machine and for any number of threads. When you quit, \
flockscope prints the command that starts the flock again; only a saved session also keeps changes made while it ran.";

const KEYS: &str = "See flockscope-config(5) for how to change them. Actions without a key are in the command palette.";

const PARAMETERS: &str = "The parameters that --set and the gauges change, each with default and range.";

const FILES: &[(&str, &str)] = &[
    (CONFIG_FILE, "Settings; see flockscope-config(5)."),
    ("~/.config/flockscope/presets/*.toml", "Your presets; S in the viewer saves one."),
    ("~/.config/flockscope/themes/*.toml", "Your themes."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("FLOCKSCOPE_CONFIG", "The config file."),
    ("FLOCKSCOPE_SIMD", "The SIMD instruction set to use, for tests and bug reports; --version lists them."),
    ("NO_COLOR", "Disables colors if set to anything."),
    ("FORCE_COLOR", "0 disables colors, 2 selects 256, 3 selects 24 bits, unless NO_COLOR is set or TERM has fewer."),
    ("COLORTERM, TERM", "Color depth of the terminal, together with terminfo."),
    ("SSH_TTY, SSH_CONNECTION", "If set, the default is 30 frames per second instead of 60, and no title animation."),
    ("TZ", "Time zone of the clock: a rule such as CET-1CEST,M3.5.0,M10.5.0/3, or a file of the time zone database."),
    ("XDG_CONFIG_HOME", "Folder of config files, instead of ~/.config."),
    ("RUST_BACKTRACE", "1 adds a backtrace to the report of a panic."),
];

const STATUS: &[(&str, &str)] = &[
    ("0", "Success. Quitting the viewer and a closed pipe, as in | head, count as success."),
    ("1", "Failure; standard error has the reason in one sentence."),
    ("2", "Invalid command line."),
    ("128+N", "Ended by signal N."),
];

const CONFIG_FILE: &str = "~/.config/flockscope/config.toml";

const CONFIG_DESCRIPTION: &str = "\
The config file of flockscope is a TOML file. Its keys are the long options of the viewer, except input, once, save-session and the \
options of the log and of the config file itself. The command line takes precedence over this file, and this file over the \
preset. --config FILE reads another file, --no-config none, and --print-config prints a file with every key and its default.

An unknown key or a value out of range is an error that names the line, and the nearest valid key. Ctrl-l or SIGUSR1 \
reloads the file in the viewer.";

const CONFIG_EXAMPLE: &str = "\
Examples:
  theme = \"moon\"
  fps = 30
  no-intro = true

  [set]
  separation.weight = 0.2

  [presets.herring]
  cohesion.weight = 0.05

  [keys]
  pause = [\"space\", \"f5\"]";

const CONFIG_SET: &str = "\
Parameters, with the defaults of presets that do not set them. One that the model of the preset does not use has no effect, \
and a notice says so.";

const CONFIG_PRESETS: &str = "\
Parameters that apply whenever the preset NAME is loaded, built in or your own. They win over [set]; the command line \
wins over both.";

const CONFIG_KEYS: &str = "\
Actions and their keys. A row replaces all keys of an action and removes them from other actions. base = \"vim\" or \
base = \"arrows\" starts from other bindings than these. Ctrl-c always quits.";

/// A manual page in roff. `name` is one of [`MAN_PAGES`](super::args::MAN_PAGES).
///
/// # Panics
///
/// For another name.
pub fn page(name: &str) -> String {
    let mut root = Cli::command().disable_help_subcommand(true).long_version(VERSION).long_about(DESCRIPTION);
    root.build();
    let mut sections = Roff::new();
    let (command, section) = match name {
        "flockscope" => {
            add_program_sections(&mut sections);
            (root, "1")
        }
        "config" => {
            add_config_sections(&mut sections);
            let command = Command::new("flockscope-config").about("the config file of flockscope");
            let command = command.long_about(CONFIG_DESCRIPTION).after_long_help(CONFIG_EXAMPLE);
            (command.override_usage(CONFIG_FILE).disable_help_flag(true), "5")
        }
        name => (root.find_subcommand(name).expect("one of the manual pages").clone(), "1"),
    };
    sections.control("SH", ["SEE ALSO"]).text([roman("flockscope(1), flockscope-config(5)")]);

    // Options that the short help hides would be without a text.
    let man = Man::new(command.mut_args(|arg| arg.hide_short_help(false)))
        .section(section)
        // roff drops an empty argument unless it is quoted.
        .date(format!("\"{BUILD_DATE}\""))
        .source(format!("flockscope {VERSION}"))
        .manual("Flockscope Manual");
    let mut page = Vec::new();
    man.render(&mut page).and_then(|()| sections.to_writer(&mut page)).expect("writing to memory");
    String::from_utf8_lossy(&page)
        // No hyphenation: a broken option could not be copied.
        .replacen(".SH NAME\n", ".nh\n.ad l\n.SH NAME\n", 1)
        .replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n")
        // roff warns about blank lines between paragraphs, and mandoc about line breaks around them.
        .replace(".br\n\n.br\n", ".sp\n")
        .replace("\n\n", "\n.sp\n")
}

fn add_program_sections(roff: &mut Roff) {
    roff.control("SH", ["KEYS"]).text([roman(KEYS)]);
    let keymap = Keymap::default();
    let keys = Action::ALL.iter().map(|action| {
        let keys = keymap.keys(*action).join(", ");
        let keys = if keys.is_empty() { "(no key)".to_owned() } else { keys };
        HelpEntry::new(keys, format!("   {}", action.id()), action.summary())
    });
    add_entries(roff, keys);
    roff.control("SH", ["PARAMETERS"]).text([roman(PARAMETERS)]);
    add_entries(roff, help::params(Param::table()));
    for (heading, rows) in [("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", STATUS)] {
        roff.control("SH", [heading]);
        add_entries(roff, rows.iter().map(|(term, text)| HelpEntry::new(*term, String::new(), *text)));
    }
}

fn add_config_sections(roff: &mut Roff) {
    roff.control("SH", ["OPTIONS"]);
    add_entries(roff, settings::option_entries());
    roff.control("SH", ["[set]"]).text([roman(CONFIG_SET)]);
    add_entries(roff, settings::param_entries(&Params::default(), Param::range));
    roff.control("SH", ["[presets.NAME]"]).text([roman(CONFIG_PRESETS)]);
    roff.control("SH", ["[keys]"]).text([roman(CONFIG_KEYS)]);
    add_entries(roff, settings::key_entries());
}

fn add_entries(roff: &mut Roff, entries: impl Iterator<Item = HelpEntry>) {
    for HelpEntry { term, note, text } in entries {
        roff.control("TP", []).text([bold(term), roman(note)]).text([roman(text)]);
    }
}
