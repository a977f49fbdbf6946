//! `flockscope-config(5)`.

use clap::CommandFactory;
use clap_mangen::roff::{bold, roman};

use super::Page;
use crate::commands::args::Cli;
use crate::commands::settings::{self, option_help};
use crate::sim::{Param, Value};
use crate::viewer::Action;

const DESCRIPTION: &str = "\
The config file of flockscope is a TOML file. Its keys are the long options of the viewer, except `input` and the options \
of the log and of the config file itself. Parameters are in the table `[set]`, key bindings in `[keys]`. The default place \
is `~/.config/flockscope/config.toml`.

The command line takes precedence over the environment (`FLOCKSCOPE_FPS=30`), which takes precedence over this file, the \
preset and the defaults, in this order. `--config FILE` reads another file, `--no-config` none, and `flockscope \
--print-config` prints a file with every key and its default.

An unknown key or a value out of range is an error that names the line, and the nearest valid key. Ctrl-l or SIGUSR1 \
reloads the file in the viewer.";

const EXAMPLE: &str = "\
theme = \"moon\"
fps = 30
no-intro = true

[set]
separation.weight = 0.2

[keys]
pause = [\"space\", \"f5\"]";

const KEYS: &str = "\
Actions and their keys. A row replaces all keys of an action and removes them from other actions. `base = \"vim\"` or \
`base = \"arrows\"` starts from other bindings than these. Ctrl-c always quits.";

pub(super) fn page() -> String {
    let mut page = Page::new("flockscope-config", "5", "File Formats");
    page.section("Name");
    page.text("flockscope-config - the config file of flockscope");
    page.section("Description");
    page.text(DESCRIPTION);
    page.section("Example");
    page.verbatim(EXAMPLE);
    page.section("Options");
    for (name, arg) in settings::options(&Cli::command()) {
        page.term([bold(name), roman(format!(" = {}", settings::example(name, arg)))], &option_help(arg));
    }
    page.section("[set]");
    page.text("Parameters, with the defaults of presets that do not set them.");
    for param in Param::table() {
        let value = match param.default() {
            Value::Choice(word) => format!("\"{word}\""),
            value => value.to_string(),
        };
        let text = format!("{} Range: {}.", param.summary, param.range());
        page.term([bold(param.key), roman(format!(" = {value}"))], &text);
    }
    page.section("[keys]");
    page.text(KEYS);
    for action in Action::ALL {
        let keys: Vec<_> = action.default_keys().iter().map(|key| format!("{key:?}")).collect();
        page.term([bold(action.id()), roman(format!(" = [{}]", keys.join(", ")))], action.summary());
    }
    page.section("See also");
    page.text("`flockscope`(1)");
    page.finish()
}
