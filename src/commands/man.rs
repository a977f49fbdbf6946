//! `flockscope man`: manual pages. Section 1 is generated from the command line by `clap_mangen`.

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::args::help::{self, EXAMPLES, HelpEntry};
use super::args::{BUILD_DATE, Cli, VERSION};
use super::settings;
use crate::sim::{Param, Params};
use crate::viewer::{Action, Keymap};

const DESCRIPTION: &str = "\
`flockscope` simulates a flock of boids in the terminal, drawn in braille, with predators among them. Every rule is a \
parameter with a gauge, which the arrow keys change while the flock flies. Without a command it starts the viewer, which \
needs a terminal; the commands need none.

The same seed and options give the same flock, bit for bit, on every machine and for any number of threads. When you quit, \
flockscope prints the command that starts the flock again; only a saved session also keeps changes made while it ran.";

const FILES: &[(&str, &str)] = &[
    ("~/.config/flockscope/config.toml", "Settings; see `flockscope-config`(5)."),
    ("~/.config/flockscope/presets/*.toml", "Your presets; `S` in the viewer saves one."),
    ("~/.config/flockscope/themes/*", "Your themes: `.toml` files, or `.yaml` files of base16 or base24 schemes."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("FLOCKSCOPE_<OPTION>", "An option of the viewer in capitals with `_` for `-`, e.g. `FLOCKSCOPE_FPS=30`."),
    ("FLOCKSCOPE_CONFIG", "The config file."),
    ("FLOCKSCOPE_SIMD", "The SIMD instruction set to use, for tests and bug reports; `--version` lists them."),
    ("NO_COLOR", "Disables colors if set to anything."),
    ("FORCE_COLOR", "0 disables colors, 2 selects 256, 3 selects 24 bits, unless NO_COLOR is set or TERM has fewer."),
    ("COLORTERM, TERM", "Color depth of the terminal, together with terminfo."),
    ("SSH_TTY, SSH_CONNECTION", "If set, the default is 30 frames per second instead of 60, and no title animation."),
    ("TZ", "Time zone of the clock: a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, or a file of the time zone database."),
    ("XDG_CONFIG_HOME", "Folder of config files, instead of `~/.config`."),
    ("RUST_BACKTRACE", "1 adds a backtrace to the report of a panic."),
];

const STATUS: &[(&str, &str)] = &[
    ("0", "Success. Quitting the viewer and a closed pipe, as in `| head`, count as success."),
    ("1", "Failure; standard error has the reason in one sentence."),
    ("2", "Invalid command line."),
    ("128+N", "Ended by signal N."),
];

const CONFIG_DESCRIPTION: &str = "\
The config file of flockscope is a TOML file. Its keys are the long options of the viewer, except `input`, `save-session` and the options \
of the log and of the config file itself. Parameters are in the table `[set]`, those for single presets in tables such as `[presets.herring]`, key bindings in `[keys]`. The default place \
is `~/.config/flockscope/config.toml`.

The command line takes precedence over the environment (`FLOCKSCOPE_FPS=30`), which takes precedence over this file, the \
preset and the defaults, in this order. `--config FILE` reads another file, `--no-config` none, and `flockscope \
--print-config` prints a file with every key and its default.

An unknown key or a value out of range is an error that names the line, and the nearest valid key. Ctrl-l or SIGUSR1 \
reloads the file in the viewer.";

const CONFIG_EXAMPLE: &str = "\
theme = \"moon\"
fps = 30
no-intro = true

[set]
separation.weight = 0.2

[presets.herring]
cohesion.weight = 0.05

[keys]
pause = [\"space\", \"f5\"]";

const CONFIG_PRESETS: &str = "\
Parameters that apply whenever the preset NAME is loaded, built in or your own. They win over `[set]`; the command line and the \
environment win over both.";

const CONFIG_KEYS: &str = "\
Actions and their keys. A row replaces all keys of an action and removes them from other actions. `base = \"vim\"` or \
`base = \"arrows\"` starts from other bindings than these. Ctrl-c always quits.";

/// A manual page in roff. `name` is one of [`MAN_PAGES`](super::args::MAN_PAGES).
pub fn page(name: &str) -> String {
    match name {
        "flockscope" => main_page(),
        "config" => config_page(),
        command => command_page(command),
    }
}

/// `flockscope(1)`.
fn main_page() -> String {
    let mut page = Page::new("flockscope", "1", "User Commands");
    let command = Cli::command().about("simulate a flock in the terminal and tune its rules while it flies");
    let man = Man::new(with_full_help(command.subcommand_help_heading("Commands").disable_help_subcommand(true)));
    page.generated(|out| {
        man.render_name_section(out)?;
        man.render_synopsis_section(out)
    });
    page.section("Description");
    page.text(DESCRIPTION);
    page.generated(|out| {
        man.render_options_section(out)?;
        man.render_subcommands_section(out)
    });
    page.section("Keys");
    page.text("See `flockscope-config`(5) for how to change them. Actions without a key are in the command palette.");
    let keymap = Keymap::default();
    page.entries(Action::ALL.iter().map(|action| {
        let keys = keymap.keys(*action).join(", ");
        let keys = if keys.is_empty() { "(no key)".to_owned() } else { keys };
        HelpEntry::new(keys, format!("   {}", action.id()), action.summary())
    }));
    page.section("Parameters");
    page.text("The parameters that `--set` and the gauges change, each with default and range.");
    page.entries(help::params(Param::table()));
    for (heading, rows) in
        [("Files", FILES), ("Environment", ENVIRONMENT), ("Exit status", STATUS), ("Examples", EXAMPLES)]
    {
        page.section(heading);
        for (term, text) in rows {
            page.term([bold(*term)], text);
        }
    }
    page.section("See also");
    page.text("`flockscope-config`(5)");
    page.finish()
}

/// `flockscope-run(1)` and the like.
fn command_page(name: &str) -> String {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let command = with_full_help(root.find_subcommand(name).expect("one of the manual pages").clone());
    let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
    let (has_measures, has_curves) = (has("measure"), has("curve"));
    let has_options = command.get_arguments().next().is_some();
    let has_subcommands = command.has_subcommands();
    let man = Man::new(command);
    let mut page = Page::new(&format!("flockscope-{name}"), "1", "User Commands");
    page.generated(|out| {
        man.render_name_section(out)?;
        man.render_synopsis_section(out)?;
        man.render_description_section(out)?;
        if has_options {
            man.render_options_section(out)?;
        }
        if has_subcommands {
            man.render_subcommands_section(out)?;
        }
        Ok(())
    });
    if has_measures {
        page.section("Measures");
        page.text("The measures that `--measure` chooses, each with unit and range. Those marked by * are not taken by default.");
        page.entries(help::measures());
    }
    if has_curves {
        page.section("Curves");
        page.text("The curves that `--curve` writes, each with its columns.");
        page.entries(help::curves());
    }
    page.section("See also");
    page.text("`flockscope`(1)");
    page.finish()
}

/// `flockscope-config(5)`.
fn config_page() -> String {
    let mut page = Page::new("flockscope-config", "5", "File Formats");
    page.section("Name");
    page.text("flockscope-config - the config file of flockscope");
    page.section("Description");
    page.text(CONFIG_DESCRIPTION);
    page.section("Example");
    page.verbatim(CONFIG_EXAMPLE);
    page.section("Options");
    page.entries(settings::option_entries());
    page.section("[set]");
    page.text(
        "Parameters, with the defaults of presets that do not set them. One that the model of the preset does not use has no \
         effect, and a notice says so.",
    );
    page.entries(settings::param_entries(&Params::default(), Param::range));
    page.section("[presets.NAME]");
    page.text(CONFIG_PRESETS);
    page.section("[keys]");
    page.text(CONFIG_KEYS);
    page.entries(settings::key_entries());
    page.section("See also");
    page.text("`flockscope`(1)");
    page.finish()
}

/// Shows options with a one-line help that are hidden in the short help.
fn with_full_help(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.hide_short_help(false))
}

/// A manual page in progress: sections of ours between those of `clap_mangen`.
struct Page {
    text: String,
    roff: Roff,
}

impl Page {
    fn new(name: &str, section: &str, manual: &str) -> Self {
        let mut roff = Roff::new();
        // roff drops an empty argument unless it is quoted.
        let date = format!("\"{BUILD_DATE}\"");
        let source = format!("flockscope {VERSION}");
        roff.control("TH", [&*name.to_uppercase(), section, &date, &source, manual]);
        // No hyphenation: a broken option could not be copied.
        roff.control("nh", []).control("ad", ["l"]);
        Self { text: String::new(), roff }
    }

    /// Appends sections that `clap_mangen` writes.
    fn generated(&mut self, render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) {
        self.text.push_str(&std::mem::take(&mut self.roff).render());
        let mut bytes = Vec::new();
        render(&mut bytes).expect("writing to memory");
        // roff warns about blank lines between paragraphs, and mandoc about line breaks around them.
        self.text
            .push_str(&String::from_utf8_lossy(&bytes).replace(".br\n\n.br\n", ".sp\n").replace("\n\n", "\n.sp\n"));
    }

    fn section(&mut self, heading: &str) {
        self.roff.control("SH", [&*heading.to_uppercase()]);
    }

    /// Paragraphs, separated by blank lines; text between backticks is bold.
    fn text(&mut self, text: &str) {
        self.paragraphs(text, "PP");
    }

    fn paragraphs(&mut self, text: &str, separator: &str) {
        for (index, paragraph) in text.split("\n\n").enumerate() {
            if index > 0 {
                self.roff.control(separator, []);
            }
            self.roff.text(inlines(paragraph));
        }
    }

    fn entries(&mut self, entries: impl Iterator<Item = HelpEntry>) {
        for entry in entries {
            self.term([bold(entry.term), roman(entry.note)], &entry.text);
        }
    }

    /// A term and its description.
    fn term(&mut self, term: impl Into<Vec<Inline>>, text: &str) {
        self.roff.control("TP", []).text(term);
        self.paragraphs(text, "IP");
    }

    /// Lines as they are.
    fn verbatim(&mut self, text: &str) {
        self.roff.control("nf", []).control("RS", ["4"]);
        for line in text.lines() {
            self.roff.text([roman(if line.is_empty() { " " } else { line })]);
        }
        self.roff.control("RE", []).control("fi", []);
    }

    fn finish(mut self) -> String {
        self.text.push_str(&self.roff.render());
        self.text
    }
}

fn inlines(text: &str) -> Vec<Inline> {
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { bold(part) } else { roman(part) }).collect()
}
