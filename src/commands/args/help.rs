//! What stands under the options in the help.

use std::fmt::Write;

use crate::sim::Param;

/// Under the short help.
pub(crate) const HINT: &str = "\
`--help` says more, with examples; in the viewer, `?` shows the keys.";

/// Commands that show what can be done, and what each does.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("flockscope", "watch starlings"),
    ("flockscope -p sparrows -n 300", "watch sparrows, more of them"),
    ("flockscope -p sphere -t abyss", "three dimensions, other colors"),
    ("flockscope -s 7 --set cohesion.weight=0.01", "the same flock each time, held together more"),
    ("flockscope --clean --zoom 2 --follow largest", "the largest flock, near, on a wall"),
    ("flockscope --screensaver", "presets and themes by themselves"),
    ("flockscope run -p drones --ticks 500 --output drones.csv --hash", "positions as CSV"),
    ("flockscope shot -o flock.png -t abyss", "a picture of it"),
    ("flockscope record -o flock.gif --size 80x24", "a clip of it"),
    ("flockscope bench --boids 1000000", "how fast is this machine?"),
    ("flockscope --log-file flock.log --log-level debug", "what happened, for a report of a fault"),
];

pub(crate) const RUN: &str = "\
Examples:
  flockscope run -p drones -s 7 --ticks 500 --hash
      the same hash on every machine
  flockscope run -p drones --ticks 500 --every 10 --output drones.csv
      positions of every tenth tick
  flockscope run --ticks 2000 --measures - | head
      polarization, rotation and the like as they come";

pub(crate) const SHOT: &str = "\
Examples:
  flockscope shot -o flock.png -t abyss
      pixels
  flockscope shot -p sphere --ticks 600 --panel -o sphere.svg
      the whole screen, sharp at any size
  flockscope shot -o - --size 80x24
      in this terminal";

pub(crate) const RECORD: &str = "\
Examples:
  flockscope record -o flock.gif --size 80x24 --duration 6s
      for a page or a slide
  flockscope record -p herring -t abyss -o herring.cast
      for asciinema: sharp at any size
  flockscope record -o - | asciinema play -
      in this terminal";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  flockscope completions bash > ~/.local/share/bash-completion/completions/flockscope
  flockscope completions zsh > ~/.zfunc/_flockscope
      where ~/.zfunc stands in $fpath before compinit
  flockscope completions fish > ~/.config/fish/completions/flockscope.fish
  flockscope completions powershell >> $PROFILE
  flockscope completions nushell > flockscope.nu
      and `use flockscope.nu *` in config.nu";

pub(crate) const MAN: &str = "\
Examples:
  flockscope man | man -l -
      read it now
  flockscope man > ~/.local/share/man/man1/flockscope.1
  flockscope man config > ~/.local/share/man/man5/flockscope-config.5";

/// Under the whole help: examples, and the table of parameters.
pub(crate) fn after() -> String {
    let mut text = String::from("Examples:\n");
    for (command, told) in EXAMPLES {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {command}\n      {told}");
    }
    text.push_str("\nParameters, for --set KEY=VALUE: the default, what it takes, what it does.\n");
    let mut group = "";
    for row in Param::table() {
        if row.group != group {
            group = row.group;
            text.push('\n');
        }
        let unit = if row.unit().is_empty() { String::new() } else { format!(" {}", row.unit()) };
        let _ = writeln!(text, "  {} = {}{unit} ({})\n      {}", row.key, row.default(), row.range(), row.summary);
    }
    text.push_str(
        "\nIn the viewer `?` shows the keys, and `flockscope keys` prints them; `flockscope man` is the manual.",
    );
    text
}
