//! The environment: `FLOCKSCOPE_FPS=30`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::{Fallbacks, InvalidOption, SET, check, is_list, options};
use crate::commands::args::{Setting, setting};
use crate::config::{Error, SIMD, did_you_mean, escape_control};

/// How the name of each variable begins.
const PREFIX: &str = "FLOCKSCOPE_";
/// What names the config file.
const CONFIG: &str = "FLOCKSCOPE_CONFIG";
/// Variables that are no options.
const OTHERS: [&str; 2] = [CONFIG, SIMD];

/// The config file that the environment names.
pub(crate) fn config() -> Option<PathBuf> {
    std::env::var_os(CONFIG).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// Takes in what the environment says; an empty variable says nothing.
pub(crate) fn take(layers: &mut Fallbacks, viewer: &clap::Command) -> Result<(), Error> {
    for (variable, value) in variables() {
        let value = text(&variable, &value)?;
        let wrong = |message: String| Error::Environment {
            variable: format!("{variable}={}", escape_control(&value)),
            message,
        };
        let name = option(&variable);
        if name == SET {
            for rule in value.split_whitespace() {
                let rule = setting(rule).map_err(|error| wrong(error.to_string()))?;
                layers.rules.push(Setting { place: Some(format!("by {variable}").into()), ..rule });
            }
        } else if options(viewer).any(|(option, _)| option == name) {
            let is_list = options(viewer).any(|(option, arg)| option == name && is_list(arg));
            let texts: Vec<String> =
                if is_list { value.split_whitespace().map(str::to_owned).collect() } else { vec![value.clone()] };
            check(viewer, &name, &texts).map_err(|error| match error {
                InvalidOption::Value(message) | InvalidOption::Name(message) => wrong(message),
                InvalidOption::Elsewhere(error) => error,
            })?;
            layers.places.insert(name.clone(), format!("by {variable}").into());
            layers.options.insert(name, texts);
        } else {
            let names: Vec<String> = options(viewer).map(|(name, _)| self::variable(name)).collect();
            let known = names.iter().map(String::as_str).chain(OTHERS);
            return Err(wrong(format!("there is no such variable{}", did_you_mean(&variable, known))));
        }
    }
    Ok(())
}

/// The variables that are ours and say something, by name.
fn variables() -> Vec<(String, OsString)> {
    let mut ours: Vec<(String, OsString)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, value)| name.starts_with(PREFIX) && !OTHERS.contains(&name.as_str()) && !value.is_empty())
        .collect();
    ours.sort();
    ours
}

fn text(variable: &str, value: &OsStr) -> Result<String, Error> {
    value.to_str().map(str::to_owned).ok_or_else(|| Error::Environment {
        variable: variable.to_owned(),
        message: "its value is no UTF-8".to_owned(),
    })
}

/// The option that a variable stands for: `no-mouse` of `FLOCKSCOPE_NO_MOUSE`.
fn option(variable: &str) -> String {
    variable.strip_prefix(PREFIX).unwrap_or(variable).to_ascii_lowercase().replace('_', "-")
}

/// The variable that stands for an option.
fn variable(option: &str) -> String {
    format!("{PREFIX}{}", option.to_ascii_uppercase().replace('-', "_"))
}
