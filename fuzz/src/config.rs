//! The config file.

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use flockscope::commands::settings;
use flockscope::config::{ConfigFile, ParamEntry, toml_string};
use flockscope::sim::Value;

use super::{keys, sentence};

/// The options that a file may have.
static OPTIONS: LazyLock<Vec<String>> =
    LazyLock::new(|| settings::options().map(|(name, _)| name.to_owned()).collect());

pub fn body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match read(text) {
        Ok(settings) => {
            for entry in &settings.options {
                sentence::check(&settings.at_span(&entry.span, "it is not to be had"));
                entry.texts.iter().for_each(|text| drop(settings.resolve(text)));
            }
            let again = read(&written(&settings)).expect("written text is valid");
            let rules = |settings: &ConfigFile| {
                settings.params.iter().map(|param| (param.key, param.value)).collect::<Vec<_>>()
            };
            assert_eq!(rules(&again), rules(&settings));
            let said = |settings: &ConfigFile| -> Vec<_> {
                settings.options.iter().map(|entry| (entry.key.clone(), entry.texts.clone())).collect()
            };
            assert_eq!(said(&again), said(&settings));
            keys::bind(&settings.bindings);
        }
        Err(error) => sentence::check(&error),
    }
}

fn read(text: &str) -> Result<ConfigFile, flockscope::error::InputError> {
    let options: Vec<&str> = OPTIONS.iter().map(String::as_str).collect();
    ConfigFile::from_text(Path::new("/home/me/config.toml"), text, &options)
}

/// The options and the rules as a file that says the same.
fn written(settings: &ConfigFile) -> String {
    let mut text = String::new();
    for entry in &settings.options {
        let texts: Vec<String> = entry.texts.iter().map(|text| toml_string(text)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} = [{}]", entry.key, texts.join(", "));
    }
    text.push_str("[set]\n");
    for ParamEntry { key, value, .. } in &settings.params {
        let value = match value {
            Value::Choice(word) => toml_string(word),
            value => value.to_string(),
        };
        let _ = writeln!(text, "{key} = {value}");
    }
    text
}
