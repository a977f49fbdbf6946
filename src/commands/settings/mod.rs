//! What stands in for a flag that is not typed: the environment, below it the config file.
//!
//! There is one definition of an option, and that is the viewer's flag. A file has it as a key of the same
//! name, the environment as `FLOCKSCOPE_` and the name in capitals; either text is read as the flag's
//! would be, and becomes the flag's default. So a new flag is a new key by itself. A run, a picture
//! and a clip take whatever they have of the same name; a benchmark takes nothing, to be the same on every desk.

pub(crate) mod environment;
pub(crate) mod template;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};

use super::args::{Cli, Command, ConfigArgs, FlockArgs, Setting};
use super::log;
use crate::config::{ConfigFile, Error, OptionEntry, Preset, Theme, escape_control};
use crate::viewer::Keymap;

pub use template::sample;
pub(crate) use template::{LISTED, REPEATED, example};

/// What is typed anew each time: where a flock begins from is no habit.
const CLI_ONLY: [&str; 1] = ["input"];
/// It has a table of its own.
const SET: &str = "set";
/// The commands beside the viewer that take what they have of the viewer's options.
const COMMANDS: [&str; 3] = ["run", "shot", "record"];
/// Options that mean something else in a command than in the viewer: how long it stays is not how long a clip is.
const DIFFERENT_MEANING: [(&str, &str); 2] = [("record", "duration"), ("record", "fps")];

/// The command line, with what stands in for flags that are not typed.
#[derive(Debug)]
pub struct ResolvedArgs {
    /// All of it.
    pub cli: Cli,
    /// What was not typed.
    pub layers: Fallbacks,
}

/// What the environment and the config file say.
#[derive(Debug, Default)]
pub struct Fallbacks {
    /// Texts of options by name.
    options: BTreeMap<String, Vec<String>>,
    /// Where those stand, in words.
    places: BTreeMap<String, Arc<str>>,
    /// Tunables, the file's first.
    rules: Vec<Setting>,
    /// The viewer's keys.
    pub keymap: Keymap,
}

/// The command line as it was typed.
#[derive(Debug)]
pub struct ParsedArgs {
    /// What it asks for.
    pub cli: Cli,
    words: Vec<OsString>,
    matches: ArgMatches,
}

impl ParsedArgs {
    /// Reads it. What is wrong with it, and its help, end the program.
    ///
    /// # Errors
    ///
    /// Where the help that was asked for cannot be written.
    pub fn read() -> io::Result<Self> {
        let words: Vec<OsString> = std::env::args_os().collect();
        let matches = Cli::command().try_get_matches_from(&words).map_err(log::refuse)?;
        let cli = Cli::from_arg_matches(&matches).map_err(log::refuse)?;
        Ok(Self { cli, words, matches })
    }

    /// Adds what stands below it.
    ///
    /// # Errors
    ///
    /// What is wrong with the environment or the config file, and where.
    pub fn resolved(self) -> Result<ResolvedArgs, Error> {
        if !reads_settings(&self.cli) {
            return Ok(ResolvedArgs { cli: self.cli, layers: Fallbacks::default() });
        }
        let layers = Fallbacks::read(&self.cli.program.config)?;
        // All of it has been read before, and one by one.
        let unlikely =
            |error: clap::Error| Error::Flag { flag: "the config".into(), message: error.kind().to_string() };
        let matches = layers.beneath(&self.matches).try_get_matches_from(&self.words).map_err(unlikely)?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(unlikely)?;
        let flock = flock_of(&mut cli);
        flock.set.splice(0..0, layers.rules.iter().cloned());
        flock.places = layers.fallback_sources(&self.matches);
        Ok(ResolvedArgs { cli, layers })
    }
}

/// Whether the command takes anything that was not typed.
fn reads_settings(cli: &Cli) -> bool {
    matches!(cli.command, None | Some(Command::Run(_) | Command::Shot(_) | Command::Record(_) | Command::Keys(_)))
}

/// What flock the command that was typed asks for.
fn flock_of(cli: &mut Cli) -> &mut FlockArgs {
    match &mut cli.command {
        Some(Command::Run(args)) => &mut args.flock,
        Some(Command::Shot(args)) => &mut args.flock,
        Some(Command::Record(args)) => &mut args.flock,
        _ => &mut cli.watch.flock,
    }
}

/// The viewer's options that can be said in a file.
pub fn options(viewer: &clap::Command) -> impl Iterator<Item = (&str, &Arg)> {
    let is_asking = |arg: &Arg| matches!(arg.get_action(), ArgAction::Help | ArgAction::Version);
    let named = viewer.get_arguments().filter(move |arg| !arg.is_global_set() && !is_asking(arg));
    named.filter_map(|arg| Some((arg.get_long()?, arg))).filter(|(name, _)| *name != SET && !CLI_ONLY.contains(name))
}

/// Whether it takes one value after the other.
fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

impl Fallbacks {
    /// Reads the config file, and then the environment over it.
    fn read(from: &ConfigArgs) -> Result<Self, Error> {
        let viewer = Cli::command();
        let mut layers = Self::default();
        if let Some(path) = file(from) {
            layers.take_file(&viewer, &path)?;
        }
        environment::take(&mut layers, &viewer)?;
        Ok(layers)
    }

    fn take_file(&mut self, viewer: &clap::Command, path: &Path) -> Result<(), Error> {
        let names: Vec<&str> = options(viewer).map(|(name, _)| name).collect();
        let settings = ConfigFile::read(path, &names)?;
        for entry in &settings.options {
            let texts = resolved(viewer, &settings, entry);
            check(viewer, &entry.key, &texts).map_err(|wrong| wrong.at(&settings, entry))?;
            self.places.insert(entry.key.clone(), place(path, entry.line));
            self.options.insert(entry.key.clone(), texts);
        }
        self.keymap = Keymap::new(&settings.bindings).map_err(ConfigFile::with_hint)?;
        self.rules.extend(settings.rules.iter().map(|rule| Setting {
            key: rule.key,
            value: rule.value,
            place: Some(place(path, rule.line)),
        }));
        Ok(())
    }

    /// The command line whose defaults these are, but for what cannot stand beside what is typed.
    fn beneath(&self, typed: &ArgMatches) -> clap::Command {
        let viewer = Cli::command();
        let with_defaults = |command: clap::Command, typed: &ArgMatches| {
            let is_other = |name: &str| DIFFERENT_MEANING.contains(&(command.get_name(), name));
            let kept: BTreeMap<_, _> = self
                .options
                .iter()
                .filter(|(name, _)| !is_overridden(&viewer, name, typed) && !is_other(name))
                .collect();
            command.mut_args(|arg| match arg.get_long().and_then(|name| kept.get(&name.to_owned())) {
                Some(texts) => arg.default_values(*texts),
                None => arg,
            })
        };
        let command = with_defaults(Cli::command(), typed);
        COMMANDS.into_iter().fold(command, |command, name| match typed.subcommand_matches(name) {
            Some(typed) => command.mut_subcommand(name, |command| with_defaults(command, typed)),
            None => command,
        })
    }

    /// Where options stand that are not typed, in words.
    fn fallback_sources(&self, typed: &ArgMatches) -> BTreeMap<String, Arc<str>> {
        let typed = typed.subcommand().map_or(typed, |(_, typed)| typed);
        let viewer = Cli::command();
        let is_beneath = |name: &str| options(&viewer).any(|(option, arg)| option == name && !is_typed(arg, typed));
        let beneath = self.places.iter().filter(|(name, _)| is_beneath(name));
        beneath.map(|(name, place)| (name.clone(), place.clone())).collect()
    }

    /// The names of options and tunables that they say something of.
    #[must_use]
    pub fn named(&self) -> Vec<String> {
        self.options.keys().cloned().chain(self.rules.iter().map(|rule| rule.key.to_owned())).collect()
    }

    /// The options of which these say something else than others did.
    #[must_use]
    pub fn changed(&self, before: &Self) -> Vec<String> {
        let names: BTreeSet<&String> = self.options.keys().chain(before.options.keys()).collect();
        names.into_iter().filter(|name| self.options.get(*name) != before.options.get(*name)).cloned().collect()
    }
}

/// A line of a file, in words.
fn place(path: &Path, line: usize) -> Arc<str> {
    format!("in {}:{line}", escape_control(&path.to_string_lossy())).into()
}

/// The config file to read: the one that is named, or one's own where there is one.
fn file(from: &ConfigArgs) -> Option<PathBuf> {
    if from.no_config {
        return None;
    }
    let named = from.config.clone().or_else(environment::config);
    named.or_else(|| ConfigFile::home().filter(|path| !is_missing(path)))
}

/// Whether there is no such file. One that is there and cannot be looked at is not passed over: reading it says why.
fn is_missing(path: &Path) -> bool {
    let nowhere = [ErrorKind::NotFound, ErrorKind::NotADirectory];
    path.symlink_metadata().is_err_and(|why| nowhere.contains(&why.kind()))
}

/// An option's texts, in which files are named from where the config lies.
fn resolved(viewer: &clap::Command, settings: &ConfigFile, entry: &OptionEntry) -> Vec<String> {
    let takes_file =
        |arg: &Arg| arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains("FILE")));
    if options(viewer).any(|(name, arg)| name == entry.key && takes_file(arg)) {
        entry.texts.iter().map(|text| settings.resolve(text)).collect()
    } else {
        entry.texts.clone()
    }
}

/// Whether an option is typed.
fn is_typed(arg: &Arg, typed: &ArgMatches) -> bool {
    let id = arg.get_id().as_str();
    typed.try_contains_id(id).is_ok() && typed.value_source(id) == Some(ValueSource::CommandLine)
}

/// Whether something is typed that an option cannot stand beside.
fn is_overridden(viewer: &clap::Command, name: &str, typed: &ArgMatches) -> bool {
    let bars = |arg: &Arg| viewer.get_arg_conflicts_with(arg).into_iter().any(|other| is_typed(other, typed));
    options(viewer).any(|(option, arg)| option == name && bars(arg))
}

/// What is wrong with an option that was not typed.
enum InvalidOption {
    /// Its value.
    Value(String),
    /// Its value, which the message names.
    Name(String),
    /// Something that has a place of its own, in the file that it names.
    Elsewhere(Error),
}

impl InvalidOption {
    fn at(self, settings: &ConfigFile, entry: &OptionEntry) -> Error {
        match self {
            Self::Value(why) => settings.at(entry, format!("{} = {}: {why}", entry.key, entry.texts.join(", "))),
            Self::Name(message) => settings.at(entry, message),
            Self::Elsewhere(error) => error,
        }
    }
}

/// Reads an option's texts as the flag's would be.
fn check(viewer: &clap::Command, name: &str, texts: &[String]) -> Result<(), InvalidOption> {
    let takes_several = options(viewer).any(|(option, arg)| option == name && is_list(arg));
    if texts.is_empty() && !takes_several {
        return Err(InvalidOption::Name(format!("{name} takes a value, and the list is empty")));
    }
    let words = texts.iter().map(|text| format!("--{name}={text}"));
    if let Err(error) = viewer.clone().try_get_matches_from(["flockscope".to_owned()].into_iter().chain(words)) {
        let why = match error.source() {
            Some(why) => why.to_string(),
            None if texts.len() > 1 => "it takes one value, and not several".to_owned(),
            None => "it takes a value".to_owned(),
        };
        return Err(InvalidOption::Value(why));
    }
    let found = match (name, texts) {
        ("preset", [preset]) => Preset::load(preset).map(drop),
        ("theme", [theme]) => Theme::load(theme).map(drop),
        _ => Ok(()),
    };
    found.map_err(|error| match error {
        Error::Unknown { .. } | Error::File { .. } => InvalidOption::Name(error.to_string()),
        error => InvalidOption::Elsewhere(error),
    })
}
