//! One row of the parameter table, and the macro that builds the table and the structs from one list.

use std::fmt;

use super::Params;
use crate::error::Error;

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number in the unit of the parameter.
    Number(f32),
    /// One of the words of the parameter.
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

/// The values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A number from `min` to `max`.
    Number {
        /// Unit for display; may be empty.
        unit: &'static str,
        /// Smallest value.
        min: f32,
        /// Largest finite value.
        max: f32,
        /// Change per key press when the preset has 0.
        step: f32,
        /// Whether infinity is also accepted.
        infinite: bool,
        /// Whether only integers are accepted.
        integer: bool,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

/// How breeding changes a parameter, if it has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// Three times as often as others: it makes a flock what it is.
    Often,
    /// As often as others.
    Usual,
    /// Only where it is not 0: breeding turns it neither on nor off.
    IfOn,
    /// Never: it is no rule of flight, or others depend on it.
    Never,
}

/// What a parameter is to code that treats all of them alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing in particular.
    Other,
    /// The model that moves the boids.
    Model,
    /// The strength of a rule.
    Weight,
    /// The speed above which no boid flies.
    HighestSpeed,
    /// The speed below which no boid flies, at most the highest one.
    LowestSpeed,
    /// A limit that 0 turns off.
    Limit,
    /// Without effect in a flat world.
    Depth,
}

/// One row of the parameter table, the source of gauges, flags, file keys and reference pages.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Full name, as in `--set` and in files: `separation.weight`.
    pub key: &'static str,
    /// Group for display: `separation`.
    pub group: &'static str,
    /// Accepted values.
    pub domain: Domain,
    /// What the parameter does, in one sentence.
    pub summary: &'static str,
    /// Further words to find it by.
    pub search: &'static str,
    /// How breeding changes it.
    pub mutation: Mutation,
    /// What it is to code that treats all parameters alike.
    pub role: Role,
    /// Whether its group has an effect with these parameters and this number of predators.
    pub has_effect: fn(&Params, usize) -> bool,
    pub(super) get: fn(&Params) -> Value,
    pub(super) assign: fn(&mut Params, Value),
}

impl PartialEq for Param {
    /// Compares keys, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Param {
    /// All parameters, in display order.
    pub fn table() -> &'static [Self] {
        &super::TABLE
    }

    /// The parameter with this key.
    pub fn find(key: &str) -> Option<&'static Self> {
        Self::table().iter().find(|param| param.key == key)
    }

    /// The parameter that a user means: that with this key, that which a panel labels so (`limits.force` is `max_force`), or the
    /// weight of the rule with this name, which is the first parameter of its group.
    pub fn meant(name: &str) -> Option<&'static Self> {
        let table = Self::table();
        let labeled = name
            .split_once(['.', ' '])
            .and_then(|(group, own)| table.iter().find(|param| param.group == group && param.name() == own));
        let first = table.iter().find(|param| param.key.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
        Self::find(name).or(labeled).or(first.filter(|param| param.role == Role::Weight))
    }

    /// The name within the group: `weight` of `separation.weight`, `force` of `max_force`.
    pub fn name(&self) -> &'static str {
        self.key.rsplit(['.', '_']).next().unwrap_or(self.key)
    }

    /// The unit; empty if there is none.
    pub fn unit(&self) -> &'static str {
        if let Domain::Number { unit, .. } = self.domain { unit } else { "" }
    }

    /// Whether it is a length.
    pub fn is_length(&self) -> bool {
        self.unit() == "u"
    }

    /// The unit as it follows a number: after a space if it begins with a letter.
    pub fn unit_suffix(&self) -> String {
        let unit = self.unit();
        let space = if unit.starts_with(char::is_alphabetic) { " " } else { "" };
        format!("{space}{unit}")
    }

    /// The value in `params`.
    pub fn get(&self, params: &Params) -> Value {
        (self.get)(params)
    }

    /// The default value.
    pub fn default(&self) -> Value {
        self.get(&Params::default())
    }

    /// Writes a value that [`check`](Self::check) accepts.
    pub fn assign(&self, params: &mut Params, value: Value) {
        (self.assign)(params, value);
    }

    /// Parses a value: a number, `inf`, a word, or `true`, `on`, `false` or `off`.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKind`] or [`Error::OutOfRange`].
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

    /// The words that it accepts besides numbers.
    pub fn words(&self) -> &'static [&'static str] {
        match self.domain {
            Domain::Number { infinite: true, .. } => &["inf"],
            Domain::Number { .. } => &[],
            Domain::Choice(words) => words,
            Domain::Switch => &["true", "false", "on", "off"],
        }
    }

    /// Checks the kind and the range of a value.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKind`] or [`Error::OutOfRange`].
    pub fn check(&self, value: Value) -> Result<(), Error> {
        match (self.domain, value) {
            (Domain::Number { min, max, infinite, integer, .. }, Value::Number(number)) => {
                let in_range = (min..=max).contains(&number) && !(integer && number.fract() != 0.0);
                if in_range || (infinite && number == f32::INFINITY) {
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

    /// The accepted values in words: `0 to 100`, `integer, 0 to 64`, `flat, linear or inverse`.
    pub fn range(&self) -> String {
        match self.domain {
            Domain::Number { min, max, infinite, integer, .. } => {
                let integer = if integer { "integer, " } else { "" };
                let infinite = if infinite { ", or inf" } else { "" };
                format!("{integer}{min} to {max}{infinite}")
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

/// Converts a field of [`Params`] to and from a [`Value`].
pub(crate) trait ParamField {
    fn value(&self) -> Value;
    /// Stores a value; ignores one of another kind.
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
            /// The words of all variants, in order.
            pub const NAMES: &'static [&'static str] = &[$($word,)+];

            /// The word of this variant.
            pub fn name(self) -> &'static str {
                match self { $(Self::$Variant => $word,)+ }
            }

            /// The variant with this word.
            pub fn from_name(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$Variant),)+
                    _ => None,
                }
            }
        }

        impl crate::params::ParamField for $Name {
            fn value(&self) -> crate::params::Value {
                crate::params::Value::Choice(self.name())
            }

            fn assign(&mut self, value: crate::params::Value) {
                if let crate::params::Value::Choice(word) = value {
                    *self = Self::from_name(word).unwrap_or(*self);
                }
            }
        }
    )+ };
}

/// Defines a group of parameters: its struct with the defaults, and its rows. `=>` says for which parameters and number of
/// predators it has an effect; none has one while the weight of the group is 0. A row has field, type, default, key, domain, summary, and
/// if they apply, words to find it by, `=>` how breeding changes it, and `as` its [`Role`].
macro_rules! group {
    ($(#[$doc:meta])* $group:ident: $Group:ident {
        $(=> $has_effect:expr;)?
        $($field:ident: $Type:ty = $default:expr, $key:literal, $domain:expr, $summary:literal
            $(, $search:literal)? $(=> $mutation:ident)? $(as $role:ident)?;)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Group { $(#[doc = $summary] pub $field: $Type,)+ }

        impl Default for $Group {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $Group {
            const HAS_EFFECT: &[fn(&crate::params::Params, usize) -> bool] = &[$($has_effect,)? |_, _| true];
            pub(in crate::params) const ROWS: &[crate::params::Param] = &[$(crate::params::Param {
                key: $key,
                group: stringify!($group),
                domain: $domain,
                summary: $summary,
                search: concat!($($search)?),
                mutation: [$(crate::params::Mutation::$mutation,)? crate::params::Mutation::Usual][0],
                role: [$(crate::params::Role::$role,)? crate::params::Role::Other][0],
                has_effect: Self::HAS_EFFECT[0],
                get: |params| crate::params::ParamField::value(&params.$group.$field),
                assign: |params, value| crate::params::ParamField::assign(&mut params.$group.$field, value),
            },)+];
        }
    };
}

/// Defines the group of a rule of flight: besides its rows, the stage in which it is added, whether it is, and if it adds up
/// neighbors, the field with their radius. To add 0 is not the same as not to add, which keeps −0. Its method `steer` is inlined
/// always, into code that is compiled for each kind of SIMD.
///
/// ```text
/// group: Struct, Stage, |rule, perceived| is_added, radius_field => { => |params, predators| has_effect; rows }
/// ```
macro_rules! rule {
    ($(#[$doc:meta])* $group:ident: $Group:ident, $stage:ident, $acts:expr $(, $radius:ident)? => { $($row:tt)+ }) => {
        crate::params::table::group! { $(#[$doc])* $group: $Group { $($row)+ } }

        impl $Group {
            pub(in crate::params) const STAGE: u8 = crate::params::Stage::$stage as u8;
            pub(in crate::params) const ACTS: fn(&Self, &crate::params::Perceived) -> bool = $acts;

            /// The radius within which it adds up neighbors, in u; may be infinite.
            pub(in crate::params) fn reach(&self) -> f32 {
                [$(self.$radius,)? 0.0][0]
            }
        }
    };
}

/// Defines the parameter struct and the table from a list of groups: with their rows, or `=>` the file of a rule of flight. The
/// rules steer by direct calls.
macro_rules! parameters {
    ($(#[$doc:meta])* $Params:ident {
        $($(#[$gdoc:meta])? $group:ident: $Group:ident $(=> $rule:ident;)? $({ $($row:tt)+ })?)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $Params { $(
            $(#[$gdoc])?
            $(#[doc = concat!("The rule of ", stringify!($rule), ".")])?
            pub $group: $Group,
        )+ }

        $(
            $(pub use rules::$rule::$Group;)?
            $(group! { #[$gdoc] $group: $Group { $($row)+ } })?
        )+

        static TABLE: LazyLock<Vec<Param>> = LazyLock::new(|| [$($Group::ROWS),+].concat());

        impl $Params {
            /// The sum of the rules, before the limit, in u/tick².
            #[inline(always)]
            pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
                // To add to −0 changes nothing, not even a −0.
                let mut force = Wide::splat([-0.0; 3]);
                self.add::<F, D, { Stage::Neighbors as u8 }>(&mut force, boids);
                self.add::<F, D, { Stage::Predators as u8 }>(&mut force, boids);
                self.add::<F, D, { Stage::Groups as u8 }>(&mut force, boids);
                self.add::<F, D, { Stage::Alone as u8 }>(&mut force, boids);
                self.add::<F, D, { Stage::World as u8 }>(&mut force, boids);
                force
            }

            #[inline(always)]
            fn add<F: Lanes, const D: usize, const STAGE: u8>(&self, force: &mut Wide<F, D>, boids: &Steered<'_, F, D>) {
                $($(
                    if rules::$rule::$Group::STAGE == STAGE && $Group::ACTS(&self.$group, boids.perceived) {
                        *force += self.$group.steer(boids);
                    }
                )?)+
            }

            /// The radii within which the rules add up their neighbors, in u; may be infinite.
            pub(crate) fn reaches(&self) -> impl Iterator<Item = f32> {
                [$($(rules::$rule::$Group::reach(&self.$group),)?)+].into_iter()
            }
        }
    };
}

pub(crate) use choices;
pub(super) use {group, parameters, rule};
