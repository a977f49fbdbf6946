//! Texts below the options in the help.

use std::fmt::Display;

use crate::sim::{Curve, Measure, Param};

/// Below the short help.
pub(super) const SHORT: &str = "\
Use --help for details and examples. In the viewer, press ? for the keys.";

/// Example commands, each with a description.
const EXAMPLES: &[(&str, &str)] = &[
    ("flockscope", "a murmuration of starlings"),
    ("flockscope -p sparrows -n 300", "sparrows, with more boids"),
    ("flockscope -p sphere -t abyss", "three dimensions, another theme"),
    ("flockscope -s 7 --set cohesion.weight=0.01", "a reproducible flock with stronger cohesion"),
    ("flockscope --clean -p herring", "a flock alone, without the panel"),
    ("flockscope --screensaver", "a tour of presets and themes"),
    ("fastfetch --pipe false | flockscope", "a text whose letters take off, fly and land"),
    ("flockscope run -p drones --ticks 500 --output drones.csv --hash", "export positions as CSV"),
    ("flockscope sweep -p vicsek --over noise.angle=0:360:15 --warmup 3000 -o phi.csv", "measure order against noise"),
    ("flockscope shot -o flock.png -t abyss", "render a picture"),
    ("flockscope record -o flock.gif --size 80x24", "render a clip"),
    ("flockscope bench --boids 1000000", "measure this machine"),
    ("flockscope --log-file flock.log --log-level debug", "write a log for a bug report"),
];

pub(super) const RUN: &str = "\
Examples:
  flockscope run -p drones -s 7 --ticks 500 --hash
      print the hash of a flock
  flockscope run -p drones --ticks 500 --every 10 --output drones.csv
      write the state of every tenth tick
  flockscope run -p drones --ticks 500 --output drones.xyz
      write a trajectory for OVITO and ASE
  flockscope run -p drones --ticks 500 --output drones.npz
      write a trajectory for NumPy
  flockscope run -p drones --ticks 500 --output tracks.csv --columns tracks
      write a trajectory for R and pandas
  flockscope run --ticks 2000 --measures - | head
      print polarization, rotation and other measures
  flockscope run --warmup 1000 --ticks 5000 --measure polarization,binder_cumulant --summary
      print means with standard errors
  flockscope run -p stardisplay --warmup 1000 --measure-every 60 --curve pair_distribution=g.csv
      write the density around a bird, averaged over ticks";

pub(super) const SWEEP: &str = "\
Examples:
  flockscope sweep -p vicsek --over noise.angle=0:360:15 --seeds 8 --warmup 3000 -o phi.csv
      order against noise, from eight runs for each value
  flockscope sweep -p vicsek --over 'boids,world=40,3.1x3.1;100,5x5' --over noise.angle=0:360:15
      two numbers of boids at the same density
  flockscope sweep -p couzin-swarm --ramp couzin.orientation=0:8:0.5 --hold 3000 --measure rotation
      a parameter that rises and falls again during each run
  flockscope sweep -p vicsek --over noise.angle=0:360:15 --shard 3/16 -o phi-3.csv
      the third of sixteen parts, one per machine
  flockscope sweep -p vicsek --over noise.angle=0:360:15 --list | parallel -k > phi.csv
      a command for each run, for a scheduler";

pub(super) const REPLAY: &str = "\
Examples:
  flockscope --save-session today.flock
      save everything that you do to the flock
  flockscope replay today.flock
      show the session again
  flockscope replay --verify today.flock
      check that this version on this machine repeats it, bit for bit
  flockscope record --session today.flock --from 600 --to 1200 -o today.gif
      make a clip of a part of the session
  flockscope replay fish.csv --columns-of id=track,x=cx,y=cy --frame-rate 25
      show the tracks of animals";

pub(super) const FIT: &str = "\
Examples:
  flockscope fit fish.csv --columns-of id=track,x=cx,y=cy -o fish.toml
      a table of rules, and a preset that follows them
  flockscope -p ./fish.toml
      the same flock, as rules: change them while it flies
  flockscope fit fish.csv --report fish.svg
      pictures of the forces between neighbors, data beside fit";

pub(super) const BREED: &str = "\
Examples:
  flockscope breed -p starlings --toward polarization=0.1,rotation=0.8 -o torus.toml
      a flock that mills
  flockscope -p ./torus.toml
      the same flock in the viewer
  flockscope breed -p herring -s 3 --toward flocks=5 --generations 10
      a shoal that splits, in ten generations";

pub(super) const SHOT: &str = "\
Examples:
  flockscope shot -o flock.png -t abyss
      a PNG of the flock
  flockscope shot -p sphere --ticks 600 --panel -o sphere.svg
      an SVG of the whole screen
  flockscope shot -o - --size 80x24
      a picture in this terminal";

pub(super) const RECORD: &str = "\
Examples:
  flockscope record -o flock.gif --size 80x24 --duration 6s
      a GIF for a web page or a slide
  flockscope record -p herring -t abyss -o herring.cast
      a recording for asciinema
  flockscope record -o - | asciinema play -
      play a clip in this terminal";

pub(super) const COMPLETIONS: &str = "\
Examples:
  flockscope completions bash > ~/.local/share/bash-completion/completions/flockscope
  flockscope completions zsh > ~/.zfunc/_flockscope
      requires ~/.zfunc in $fpath before compinit
  flockscope completions fish > ~/.config/fish/completions/flockscope.fish
  flockscope completions powershell >> $PROFILE
  flockscope completions nushell > flockscope.nu
      requires `use flockscope.nu *` in config.nu";

pub(super) const MAN: &str = "\
Examples:
  flockscope man | man -l -
      read the manual
  flockscope man run > ~/.local/share/man/man1/flockscope-run.1
  flockscope man config > ~/.local/share/man/man5/flockscope-config.5";

/// An entry of a reference list: `cohesion.weight`, ` = 0.01 (0 to 1)`, and what it means.
pub(crate) struct HelpEntry {
    pub(crate) term: String,
    pub(crate) note: String,
    pub(crate) text: String,
}

impl HelpEntry {
    pub(crate) fn new(term: impl Into<String>, note: String, text: impl Into<String>) -> Self {
        Self { term: term.into(), note, text: text.into() }
    }
}

/// The measures, each with unit and range: `*` marks those that are not taken by default.
fn measures() -> impl Iterator<Item = HelpEntry> {
    Measure::table().iter().map(|measure| {
        let mark = if measure.is_default() { "" } else { "*" };
        let unit = if measure.unit.is_empty() { String::new() } else { format!("{}, ", measure.unit) };
        let note = format!("{mark} ({unit}{})", measure.range.name());
        HelpEntry::new(measure.name, note, measure.summary)
    })
}

/// The curves, each with the names of its columns.
fn curves() -> impl Iterator<Item = HelpEntry> {
    Curve::table().iter().map(|curve| {
        let columns: Vec<&str> = curve.columns.iter().map(|column| column.name).collect();
        HelpEntry::new(curve.name, format!(" ({})", columns.join(", ")), curve.summary)
    })
}

/// Parameters, each with default and range.
pub(crate) fn params(params: &[Param]) -> impl Iterator<Item = HelpEntry> {
    params.iter().map(|param| {
        let note = format!(" = {} ({})", with_unit(param.default(), param), param.range());
        HelpEntry::new(param.key, note, param.summary)
    })
}

/// A value or range of a parameter, with the unit if there is one.
pub(crate) fn with_unit(value: impl Display, param: &Param) -> String {
    format!("{value}{}", param.unit_suffix())
}

fn list(entries: impl Iterator<Item = HelpEntry>) -> String {
    let lines = entries.map(|HelpEntry { term, note, text }| format!("  {term}{note}\n      {text}\n"));
    lines.collect::<Vec<_>>().concat()
}

/// Examples, and the measures with unit and range.
pub(super) fn with_measures(examples: &str) -> String {
    with_measures_of(examples, "--measure LIST (* not taken by default)")
}

/// The same for another option.
pub(super) fn with_measures_of(examples: &str, option: &str) -> String {
    format!("{examples}\n\nMeasures for {option}:\n{}", list(measures()).trim_end())
}

/// The same for a command with curves.
pub(super) fn with_curves(examples: &str) -> String {
    let curves = list(curves());
    with_measures(examples) + "\n\nCurves for --curve NAME=FILE, with their columns:\n" + curves.trim_end()
}

/// Below the full help: examples, and where the keys and the parameters are.
pub(super) fn long() -> String {
    let examples = list(EXAMPLES.iter().map(|(command, text)| HelpEntry::new(*command, String::new(), *text)));
    format!(
        "Examples:\n{examples}\n\
         Press ? in the viewer, or run `flockscope keys`, for the keys. `flockscope params` lists the parameters, and \
         `flockscope man` prints the manual."
    )
}
