//! Values that are words, and what completions know of them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::config::{Preset, Theme, did_you_mean};
use crate::sim::Param;
use crate::viewer::Action;

/// A value that a function of ours reads, with an error in our words; completions, and the error that none
/// was given, list the words that there are.
#[derive(Clone)]
pub(crate) struct NamedValue<T> {
    read: fn(&str) -> Result<T, String>,
    words: fn() -> Vec<PossibleValue>,
}

impl<T> NamedValue<T> {
    pub(crate) fn new(read: fn(&str) -> Result<T, String>, words: fn() -> Vec<PossibleValue>) -> Self {
        Self { read, words }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for NamedValue<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.read.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter()))
    }
}

/// A preset's name, or a file.
pub(crate) fn preset() -> NamedValue<String> {
    NamedValue::new(any, || {
        let told = Preset::builtin().into_iter().map(|preset| word(preset.name, preset.summary));
        told.collect()
    })
}

/// A theme's name, or a file.
pub(crate) fn theme() -> NamedValue<String> {
    NamedValue::new(any, || {
        let told = Theme::builtin().into_iter().map(|theme| word(theme.name, theme.colors.summary));
        told.collect()
    })
}

/// A tunable's key.
pub(crate) fn key() -> NamedValue<String> {
    NamedValue::new(any, || Param::table().iter().map(|row| word(row.key, row.summary)).collect())
}

/// An action's name.
pub(crate) fn action() -> NamedValue<String> {
    NamedValue::new(any, || Action::ALL.iter().map(|action| word(action.id(), action.summary())).collect())
}

fn word(name: impl Into<clap::builder::Str>, summary: impl Into<clap::builder::StyledStr>) -> PossibleValue {
    PossibleValue::new(name).help(summary)
}

/// These words, of which nothing more is to be said.
pub(crate) fn plain<const N: usize>(words: [&'static str; N]) -> Vec<PossibleValue> {
    words.map(PossibleValue::new).into()
}

/// Which of all these has this name.
pub(crate) fn one_of<T: Copy, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    text: &str,
) -> Result<T, String> {
    all.into_iter().find(|one| name(*one) == text).ok_or_else(|| none_of(all.map(name), text))
}

/// What is said of a word that is none of these.
pub(crate) fn none_of<const N: usize>(words: [&str; N], text: &str) -> String {
    format!("it is one of {}{}", words.join(", "), did_you_mean(text, words))
}

/// Whether there is one of this name is found out where it is looked up.
#[expect(clippy::unnecessary_wraps, reason = "the others can fail")]
fn any(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}
