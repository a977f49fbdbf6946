//! `flockscope-config(5)`.

use clap::CommandFactory;
use roff::{bold, roman};

use super::options;
use super::page::ManPage;
use crate::commands::args::Cli;
use crate::commands::settings;
use crate::commands::settings::{LISTED, REPEATED};
use crate::sim::{Param, Value};
use crate::viewer::Action;

const DESCRIPTION: &str = "\
A TOML file of settings. The viewer's long options are keys of the same name, but for `input` and those of the file \
itself and of the log; parameters stand under `[set]`, keys under `[keys]`. It lies at `config.toml` in flockscope's folder among the user's settings, which is \
`~/.config/flockscope` where the system has no other place.

What is typed wins over the environment (`FLOCKSCOPE_FPS=30`), that over this file, this over the preset, and that over the default. \
`--config FILE` takes another file, `--no-config` none, and `flockscope --print-config` prints one with every key \
and its default.

A key that there is not, and a value out of range, are errors: they name the line and the nearest right word, and \
the program does not start. Ctrl-l or SIGUSR1 reads the file again while the flock flies.";

const EXAMPLE: &str = "\
theme = \"moon\"
fps = 30
no-intro = true

[set]
separation.weight = 0.2

[keys]
pause = [\"space\", \"f5\"]";

const KEYS: &str = "\
Actions, with the keys that do them: a row here takes the place of all of an action's keys, and takes them from whom \
they belonged to. `base = \"vim\"` or `base = \"arrows\"` begins from other keys than these. Ctrl-c always quits.";

pub(crate) fn page() -> String {
    let about = "the file of settings of flockscope";
    let mut sheet = ManPage::new("flockscope-config", "5", "File Formats", about);
    sheet.section("Description");
    sheet.text(DESCRIPTION);
    sheet.section("Example");
    sheet.verbatim(EXAMPLE);
    options_as_keys(&mut sheet);
    parameters(&mut sheet);
    keys(&mut sheet);
    sheet.section("See also");
    sheet.text("`flockscope`(1)");
    sheet.finish()
}

fn options_as_keys(sheet: &mut ManPage) {
    sheet.section("Options");
    for (name, arg) in settings::options(&Cli::command()) {
        let told = options::told(arg).replace(REPEATED, LISTED);
        sheet.term([bold(name), roman(format!(" = {}", settings::example(name, arg)))], &told);
    }
}

fn parameters(sheet: &mut ManPage) {
    sheet.section("[set]");
    sheet.text("Parameters, with the values that they have where neither this nor the preset says otherwise.");
    for row in Param::table() {
        let value = match row.default() {
            Value::Choice(word) => format!("\"{word}\""),
            value => value.to_string(),
        };
        let text = format!("{} It takes {}.", row.summary, row.range());
        sheet.term([bold(row.key), roman(format!(" = {value}"))], &text);
    }
}

fn keys(sheet: &mut ManPage) {
    sheet.section("[keys]");
    sheet.text(KEYS);
    for action in Action::ALL {
        let keys: Vec<_> = action.default_keys().iter().map(|key| format!("{key:?}")).collect();
        sheet.term([bold(action.id()), roman(format!(" = [{}]", keys.join(", ")))], action.sentence());
    }
}
