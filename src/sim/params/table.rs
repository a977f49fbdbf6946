//! What one row of the parameter table is, and the macro that makes the table and the struct of one list.

use std::fmt;

use crate::sim::{Error, Params};

/// The value of a tunable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number in the row's unit.
    Number(f32),
    /// One of the row's words.
    Choice(&'static str),
    /// On or off.
    Switch(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(out, "{number}"),
            Self::Choice(word) => out.write_str(word),
            Self::Switch(on) => write!(out, "{on}"),
        }
    }
}

/// What values a tunable takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A number from `least` to `most`, or infinity where `infinite` says so.
    Number {
        /// The unit, as shown; may be empty.
        unit: &'static str,
        /// The least value.
        least: f32,
        /// The largest finite value.
        most: f32,
        /// What one press changes it by where the preset has 0.
        step: f32,
        /// Whether `inf` is a value too.
        infinite: bool,
        /// Whether it takes whole numbers only.
        whole: bool,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

/// One row of the parameter table: all that gauges, keys, files, flags and documents say of a tunable.
#[derive(Debug)]
pub struct Param {
    /// Its full name, as in `--set` and in files: `separation.weight`.
    pub key: &'static str,
    /// The group it is shown in: `separation`.
    pub group: &'static str,
    /// What it takes.
    pub domain: Domain,
    /// What it does, in one summary.
    pub summary: &'static str,
    pub(crate) get: fn(&Params) -> Value,
    pub(crate) put: fn(&mut Params, Value),
}

impl PartialEq for Param {
    /// Two rows are the same where they have one key.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Param {
    /// Every tunable, in the order of the panel.
    #[must_use]
    pub fn table() -> &'static [Self] {
        super::TABLE
    }

    /// The row with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        Self::table().iter().find(|row| row.key == key)
    }

    /// What names it inside its group: `weight` of `separation.weight`, `force` of `max_force`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.key.rsplit(['.', '_']).next().unwrap_or(self.key)
    }

    /// The unit, or nothing.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        if let Domain::Number { unit, .. } = self.domain { unit } else { "" }
    }

    /// This tunable's value in `params`.
    #[must_use]
    pub fn get(&self, params: &Params) -> Value {
        (self.get)(params)
    }

    /// Its value where nobody says otherwise.
    #[must_use]
    pub fn default(&self) -> Value {
        self.get(&Params::default())
    }

    /// Puts a value that has been checked into `params`.
    pub(crate) fn put(&self, params: &mut Params, value: Value) {
        (self.put)(params, value);
    }

    /// Reads a value as people write it: a number, `inf`, a word, `true` or `on`.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKind`] or [`Error::OutOfRange`], with what would be right.
    pub fn parse(&self, text: &str) -> Result<Value, Error> {
        let text = text.trim();
        let value = match self.domain {
            Domain::Number { .. } => text.parse().ok().map(Value::Number),
            Domain::Choice(words) => words.iter().find(|word| **word == text).map(|word| Value::Choice(word)),
            Domain::Switch => match text {
                "true" | "on" => Some(Value::Switch(true)),
                "false" | "off" => Some(Value::Switch(false)),
                _ => None,
            },
        };
        let value = value.ok_or_else(|| self.wrong_kind(text))?;
        self.check(value)?;
        Ok(value)
    }

    /// Checks a value's kind and range.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKind`] or [`Error::OutOfRange`], with what would be right.
    pub fn check(&self, value: Value) -> Result<(), Error> {
        match (self.domain, value) {
            (Domain::Number { least, most, infinite, whole, .. }, Value::Number(number)) => {
                let finite = (least..=most).contains(&number) && !(whole && number.fract() != 0.0);
                if finite || (infinite && number == f32::INFINITY) {
                    Ok(())
                } else {
                    Err(Error::OutOfRange { key: self.key, value: number.to_string(), range: self.range() })
                }
            }
            (Domain::Choice(words), Value::Choice(word)) if words.contains(&word) => Ok(()),
            (Domain::Switch, Value::Switch(_)) => Ok(()),
            (_, value) => Err(self.wrong_kind(&value.to_string())),
        }
    }

    /// What it takes, in words: `0 to 100`, `flat, linear or inverse`.
    #[must_use]
    pub fn range(&self) -> String {
        match self.domain {
            Domain::Number { least, most, infinite, whole, .. } => {
                let noun = if whole { "whole numbers from " } else { "" };
                let end = if infinite { ", or inf" } else { "" };
                format!("{noun}{least} to {most}{end}")
            }
            Domain::Choice(words) => {
                let (last, rest) = words.split_last().unwrap_or((&"", &[]));
                format!("{} or {last}", rest.join(", "))
            }
            Domain::Switch => "true or false".to_owned(),
        }
    }

    fn wrong_kind(&self, value: &str) -> Error {
        let expected = match self.domain {
            Domain::Number { .. } => format!("a number ({})", self.range()),
            Domain::Choice(_) | Domain::Switch => self.range(),
        };
        Error::WrongKind { key: self.key, value: value.to_owned(), expected }
    }
}

/// A field of [`Params`], as a [`Value`].
pub(crate) trait ParamField {
    fn value(&self) -> Value;
    /// Takes a value of the right kind; one of another kind is left alone.
    fn assign(&mut self, value: Value);
}

impl ParamField for f32 {
    fn value(&self) -> Value {
        Value::Number(*self)
    }

    fn assign(&mut self, value: Value) {
        if let Value::Number(number) = value {
            *self = number;
        }
    }
}

impl ParamField for bool {
    fn value(&self) -> Value {
        Value::Switch(*self)
    }

    fn assign(&mut self, value: Value) {
        if let Value::Switch(on) = value {
            *self = on;
        }
    }
}

/// Makes enums whose variants have a word each, for use as parameters.
macro_rules! choices {
    ($($(#[$doc:meta])* pub enum $Name:ident { $($(#[$vdoc:meta])* $Variant:ident = $word:literal,)+ })+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Name { $($(#[$vdoc])* $Variant,)+ }

        impl $Name {
            /// The words for the variants, in order.
            pub const NAMES: &'static [&'static str] = &[$($word,)+];

            /// The word for this variant.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$Variant => $word,)+ }
            }

            /// The variant with this word.
            #[must_use]
            pub fn from_name(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$Variant),)+
                    _ => None,
                }
            }
        }

        impl crate::sim::params::table::ParamField for $Name {
            fn value(&self) -> crate::sim::Value {
                crate::sim::Value::Choice(self.name())
            }

            fn assign(&mut self, value: crate::sim::Value) {
                if let crate::sim::Value::Choice(word) = value {
                    *self = Self::from_name(word).unwrap_or(*self);
                }
            }
        }
    )+ };
}

/// Makes the struct of parameters, its groups, their defaults and the table, from one list.
macro_rules! parameters {
    ($(#[$doc:meta])* $Params:ident { $($(#[$gdoc:meta])* $group:ident: $Group:ident {
        $($field:ident: $Type:ty = $default:expr, $key:literal, $domain:expr, $summary:literal;)+
    })+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $Params { $($(#[$gdoc])* pub $group: $Group,)+ }

        $(
            $(#[$gdoc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $Group { $(#[doc = $summary] pub $field: $Type,)+ }

            impl Default for $Group {
                fn default() -> Self {
                    Self { $($field: $default,)+ }
                }
            }
        )+

        pub(crate) static TABLE: &[Param] = &[$($(Param {
            key: $key,
            group: stringify!($group),
            domain: $domain,
            summary: $summary,
            get: |params| crate::sim::params::table::ParamField::value(&params.$group.$field),
            put: |params, value| crate::sim::params::table::ParamField::assign(&mut params.$group.$field, value),
        },)+)+];
    };
}

pub(crate) use {choices, parameters};
