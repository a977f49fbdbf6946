//! Settings that are not on the command line: the config file.
//!
//! The long options of the viewer define them all: `--fps` is `fps` in the file. The parser of the option validates each
//! value, which then becomes the default of the option. `run`, `sweep`, `shot`, `record` and `replay` use the settings that
//! they have an option for. `bench` uses none, so that its results are comparable.

mod template;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};

use super::args::{Cli, CliCommand, ConfigArgs, FlockArgs, ParamSetting};
use crate::config::{ConfigFile, NamedFile, OptionEntry, Preset, PresetEntry, PresetSetting, PresetSettings, Theme};
use crate::error::{InputError, did_you_mean, escape_control};
use crate::sim::Param;
use crate::viewer::Keymap;

pub use template::config_template;
pub(crate) use template::{key_entries, option_entries, param_entries};

/// Options without a setting: they are about one run.
const CLI_ONLY: [&str; 3] = ["input", "once", "save-session"];
/// In the file, `--set` is a table: `[set]`.
const SET: &str = "set";
/// The commands that use settings, in addition to the viewer.
const COMMANDS: [&str; 7] = ["run", "sweep", "breed", "shot", "record", "replay", "keys"];
/// Options that mean something else in a command than in the viewer.
const DIFFERENT_MEANING: [(&str, &str); 2] = [("record", "duration"), ("record", "fps")];
/// The variable that names the config file.
const CONFIG: &str = "FLOCKSCOPE_CONFIG";

/// The command line as typed.
#[derive(Debug)]
pub struct ParsedArgs {
    /// The arguments.
    pub cli: Cli,
    matches: ArgMatches,
}

/// The command line, with settings for the options that are not typed.
#[derive(Debug)]
pub struct ResolvedArgs {
    /// The arguments.
    pub cli: Cli,
    /// The settings.
    pub settings: Settings,
    /// The command line as typed.
    typed: ArgMatches,
}

impl ResolvedArgs {
    /// Whether an option of the viewer is on the command line.
    pub(super) fn is_typed(&self, option: &str) -> bool {
        is_typed(option, &self.typed)
    }
}

/// The settings in the config file.
#[derive(Debug, Default)]
pub struct Settings {
    /// Options by name, as text; more than one value if the option is repeatable.
    options: BTreeMap<String, Vec<String>>,
    /// Parameters.
    params: Vec<ParamSetting>,
    /// Where each option and parameter is set: "config.toml:3".
    sources: BTreeMap<String, String>,
    /// Parameters for single presets.
    presets: PresetSettings,
    /// The key bindings of the viewer.
    pub keymap: Keymap,
}

impl ParsedArgs {
    /// Parses the command line of this process.
    ///
    /// # Errors
    ///
    /// clap's error, which may also be the help or the version.
    pub fn read() -> Result<Self, clap::Error> {
        let matches = Cli::command().try_get_matches()?;
        Ok(Self { cli: Cli::from_arg_matches(&matches)?, matches })
    }

    /// Adds the settings.
    ///
    /// # Errors
    ///
    /// An invalid config file.
    pub fn resolve(self) -> Result<ResolvedArgs, InputError> {
        if self.matches.subcommand_name().is_some_and(|name| !COMMANDS.contains(&name)) {
            return Ok(ResolvedArgs { cli: self.cli, settings: Settings::default(), typed: self.matches });
        }
        let settings = Settings::read(&self.cli.program.config)?;
        // Every value has been validated before.
        let unexpected = |error: clap::Error| InputError::flag("settings", error.kind().to_string());
        let matches = settings.as_defaults(&self.matches).try_get_matches().map_err(unexpected)?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(unexpected)?;
        let flock = flock_args(&mut cli);
        // The parameters for a preset win over those of the file for all presets.
        let own = settings.presets.of(&flock.preset);
        let own_sources = own.iter().map(|setting| (setting.param.key.to_owned(), setting.source.clone()));
        let typed = self.matches.subcommand().map_or(&self.matches, |(_, typed)| typed);
        let sources = settings.sources.clone().into_iter().chain(own_sources);
        let used =
            sources.filter(|(name, _)| !is_typed(name, typed) && flock.set.iter().all(|param| param.key != name));
        flock.sources = used.collect();
        let general = settings.params.iter().filter(|param| own.iter().all(|setting| setting.param.key != param.key));
        flock.set.splice(0..0, general.cloned());
        flock.presets = settings.presets.clone();
        if let Some(CliCommand::Replay(args)) = &cli.command {
            (cli.watch.viewer, cli.watch.flock.threads) = (args.viewer.clone(), args.threads);
        }
        Ok(ResolvedArgs { cli, settings, typed: self.matches })
    }
}

fn flock_args(cli: &mut Cli) -> &mut FlockArgs {
    match &mut cli.command {
        Some(CliCommand::Run(args)) => &mut args.flock,
        Some(CliCommand::Sweep(args)) => &mut args.flock,
        Some(CliCommand::Breed(args)) => &mut args.flock,
        Some(CliCommand::Shot(args)) => &mut args.flock,
        Some(CliCommand::Record(args)) => &mut args.flock,
        _ => &mut cli.watch.flock,
    }
}

/// The command line of the viewer, whose options define the settings.
static VIEWER: LazyLock<clap::Command> = LazyLock::new(Cli::command);

/// The options of the viewer that are settings.
pub fn options() -> impl Iterator<Item = (&'static str, &'static Arg)> {
    let is_setting =
        |arg: &&Arg| !arg.is_global_set() && !matches!(arg.get_action(), ArgAction::Help | ArgAction::Version);
    let named = VIEWER.get_arguments().filter(is_setting).filter_map(|arg| Some((arg.get_long()?, arg)));
    named.filter(|(name, _)| *name != SET && !CLI_ONLY.contains(name))
}

fn find_option(name: &str) -> Option<&'static Arg> {
    options().find(|(option, _)| *option == name).map(|(_, arg)| arg)
}

/// The config file to read: the one that is named, or the default one if it exists.
fn config_path(args: &ConfigArgs) -> Option<PathBuf> {
    if args.no_config {
        return None;
    }
    let named =
        args.config.clone().or_else(|| std::env::var_os(CONFIG).filter(|name| !name.is_empty()).map(PathBuf::from));
    named.or_else(|| {
        // A file that exists and cannot be read is an error, not a missing file.
        let missing = [ErrorKind::NotFound, ErrorKind::NotADirectory];
        ConfigFile::home().filter(|path| !path.symlink_metadata().is_err_and(|error| missing.contains(&error.kind())))
    })
}

impl Settings {
    fn read(args: &ConfigArgs) -> Result<Self, InputError> {
        let mut all = Self::default();
        let Some(path) = config_path(args) else { return Ok(all) };
        let names: Vec<&str> = options().map(|(name, _)| name).collect();
        let file = ConfigFile::read(&path, &names)?;
        let source = |line: usize| format!("{}:{line}", escape_control(&path.to_string_lossy()));
        for entry in &file.options {
            let values = resolve_paths(&file, entry);
            validate(&entry.key, &values, |message| file.at_span(&entry.span, message))?;
            all.options.insert(entry.key.clone(), values);
            all.sources.insert(entry.key.clone(), source(entry.line));
        }
        all.keymap = Keymap::new(&file.bindings).map_err(ConfigFile::with_hint)?;
        for param in &file.params {
            all.params.push(ParamSetting { key: param.key, value: param.value });
            all.sources.insert(param.key.to_owned(), source(param.line));
        }
        for PresetEntry { name, params } in &file.presets {
            Preset::check_known(&name.text).map_err(|error| file.at_span(&name.span, error.to_string()))?;
            let settings = params.iter().filter_map(|param| {
                Some(PresetSetting { param: Param::find(param.key)?, value: param.value, source: source(param.line) })
            });
            all.presets.insert(&name.text, settings.collect());
            // A user's preset with a mistake is reported where it is used.
            let Ok(preset) = Preset::load(&name.text) else { continue };
            all.presets.apply(preset).map_err(|error| {
                let concerned = params.iter().rfind(|param| error.keys().contains(&param.key));
                file.at_span(concerned.map_or(&name.span, |param| &param.span), error.to_string())
            })?;
        }
        Ok(all)
    }

    /// The command-line definitions with the settings as defaults, except those that conflict with a typed option.
    fn as_defaults(&self, typed: &ArgMatches) -> clap::Command {
        let with_defaults = |command: clap::Command, typed: &ArgMatches| {
            let command_name = command.get_name().to_owned();
            command.mut_args(|arg| {
                let Some(name) = arg.get_long().map(str::to_owned) else { return arg };
                let differs = DIFFERENT_MEANING.contains(&(&command_name, &name));
                match self.options.get(&name) {
                    Some(values) if !differs && !conflicts(&name, typed) => arg.default_values(values),
                    _ => arg,
                }
            })
        };
        match typed.subcommand().filter(|(name, _)| COMMANDS.contains(name)) {
            Some((name, typed)) => Cli::command().mut_subcommand(name, |command| with_defaults(command, typed)),
            None => with_defaults(Cli::command(), typed),
        }
    }

    /// The names of all options and parameters that are set.
    pub(crate) fn names(&self) -> Vec<String> {
        self.sources.keys().cloned().collect()
    }

    /// The options whose value differs from `before`.
    pub(crate) fn changed_options(&self, before: &Self) -> Vec<String> {
        let names: BTreeSet<&String> = self.options.keys().chain(before.options.keys()).collect();
        names.into_iter().filter(|name| self.options.get(*name) != before.options.get(*name)).cloned().collect()
    }
}

fn is_typed(name: &str, typed: &ArgMatches) -> bool {
    let id = name.replace('-', "_");
    typed.try_contains_id(&id).is_ok() && typed.value_source(&id) == Some(ValueSource::CommandLine)
}

/// Whether an option is typed that excludes this one.
fn conflicts(name: &str, typed: &ArgMatches) -> bool {
    find_option(name).is_some_and(|arg| {
        VIEWER.get_arg_conflicts_with(arg).into_iter().any(|other| is_typed(other.get_id().as_str(), typed))
    })
}

/// The values of an option in a file, with paths relative to that file.
fn resolve_paths(file: &ConfigFile, entry: &OptionEntry) -> Vec<String> {
    let names_a_file =
        |arg: &Arg| arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains("FILE")));
    if find_option(&entry.key).is_some_and(names_a_file) {
        entry.texts.iter().map(|text| file.resolve(text)).collect()
    } else {
        entry.texts.clone()
    }
}

/// Parses the values of an option as if they were typed.
fn validate(name: &str, values: &[String], error: impl Fn(String) -> InputError) -> Result<(), InputError> {
    if values.is_empty() && !find_option(name).is_some_and(|arg| matches!(arg.get_action(), ArgAction::Append)) {
        return Err(error(format!("{name} needs a value, but the list is empty")));
    }
    let words = values.iter().map(|value| format!("--{name}={value}"));
    let parsed = VIEWER.clone().try_get_matches_from(["flockscope".to_owned()].into_iter().chain(words));
    parsed.map_err(|invalid| error(format!("{name} = {}: {}", values.join(", "), parse_error(&invalid, values))))?;
    let found = match (name, values) {
        ("preset", [preset]) => Preset::load(preset).map(drop),
        ("theme", [theme]) => Theme::load(theme).map(drop),
        _ => Ok(()),
    };
    found.map_err(|invalid| match invalid {
        InputError::Unknown { .. } | InputError::File { .. } => error(invalid.to_string()),
        // It names another file.
        invalid => invalid,
    })
}

/// The problem with a value, from clap's error.
fn parse_error(error: &clap::Error, values: &[String]) -> String {
    if let Some(source) = error.source() {
        return source.to_string();
    }
    match (error.get(ContextKind::ValidValue), values) {
        (Some(ContextValue::Strings(valid)), [value]) => {
            let similar = did_you_mean(value, valid.iter().map(String::as_str));
            format!("expected one of {}{similar}", valid.join(", "))
        }
        _ => "expected a single value".to_owned(),
    }
}
