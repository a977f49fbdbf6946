//! The names of columns: those in a header, and which of them the user names for which value.

use std::fmt;
use std::str::FromStr;

use strum::VariantNames;

use super::npz::Array;
use super::states::Column;
use crate::error::{Error, Fault};
use crate::values::{meters_of, seconds_of};

/// The names that columns have in a file, as in `--columns-of`: `"time=t_s,id=fish".parse()`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames(Vec<ColumnName>);

/// The name of a column in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ColumnName {
    /// A column, or an array of an NPZ file.
    column: &'static str,
    name: String,
    /// Whether its sign changes.
    is_negative: bool,
}

impl ColumnName {
    fn sign(&self) -> f64 {
        if self.is_negative { -1.0 } else { 1.0 }
    }
}

/// The column of a date beside one of the time of day.
pub(super) const DATE: &str = "date";
/// The arrays that have several columns.
const ARRAYS: [&str; 2] = ["position", "velocity"];
/// Between the name of an animal, or of an animal and a body part, and an axis.
pub(super) const OF_ANIMAL: char = '\u{1f}';
/// The columns whose sign can be changed.
const SIGNED: [&str; 6] = ["x", "y", "z", "vx", "vy", "vz"];
/// The last words of the names of times, before a unit.
const TIMES: &str = "time timestamp t elapsed";
/// Words of names that suggest a column.
pub(super) const HINTS: [(Column, &str); 5] = [
    (Column::Id, "track trajectory particle animal individual fish bird ped person agent object id name label"),
    (Column::Frame, "frame tick"),
    (Column::Time, "time timestamp seconds date t"),
    (Column::X, "x cx px xc lon long longitude east easting"),
    (Column::Y, "y cy py yc lat latitude north northing"),
];

impl fmt::Display for ColumnNames {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, ColumnName { column, name, is_negative }) in self.0.iter().enumerate() {
            let (comma, sign) = (if index > 0 { "," } else { "" }, if *is_negative { "-" } else { "" });
            write!(out, "{comma}{column}={sign}{name}")?;
        }
        Ok(())
    }
}

impl FromStr for ColumnNames {
    /// The problem, and what would be valid.
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text).map_err(Error::text)
    }
}

impl ColumnNames {
    fn parse(text: &str) -> Result<Self, Fault> {
        let mut names: Vec<ColumnName> = Vec::new();
        for pair in text.split(',') {
            let pair = pair.split_once('=').map(|(column, name)| (column.trim(), name.trim()));
            let Some((column, name)) = pair.filter(|(_, name)| !name.is_empty()) else {
                return Err("expected a list of COLUMN=NAME, e.g. id=track,x=cx,y=cy".into());
            };
            let column = known(column)?;
            if names.iter().any(|known| known.column == column) {
                return Err(format!("duplicate column `{column}`").into());
            }
            if names.iter().any(|known| known.name == name.trim_start_matches('-')) {
                return Err(format!("the column `{name}` is named twice").into());
            }
            let positive = name.strip_prefix('-').filter(|_| SIGNED.contains(&column));
            names.push(ColumnName {
                column,
                name: positive.unwrap_or(name).to_owned(),
                is_negative: positive.is_some(),
            });
        }
        Ok(Self(names))
    }
}

/// The name of a column or an array among the known ones.
fn known(name: &str) -> Result<&'static str, Fault> {
    let names = || Column::VARIANTS.iter().copied().chain(ARRAYS).chain([DATE]);
    names()
        .find(|known| *known == name)
        .ok_or_else(|| Fault::unknown(format!("unknown column `{name}`"), name, names()))
}

/// The name of a column in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// As in the file.
    pub(super) text: String,
    /// In lower case, its words joined by `_`, without the unit.
    words: String,
    /// In brackets or after a slash.
    pub(super) unit: Option<String>,
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        // The number in x(1) is that of an animal, and the axis in fish1/x is no unit.
        let bracket = text.find(['(', '[']).filter(|at| {
            let is_number = text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
            *at > 0 && !is_number && text.trim_end().ends_with([')', ']'])
        });
        let slash =
            text.find('/').filter(|at| *at > 0 && !["x", "y", "z"].contains(&text[at + 1..].to_lowercase().as_str()));
        let (begin, unit) = match bracket.or(slash) {
            Some(at) => (&text[..at], Some(text[at..].trim_matches(|c: char| "()[]/ ".contains(c)).to_owned())),
            None => (text, None),
        };
        let mut words = String::new();
        let mut before = None;
        for character in begin.chars() {
            let begins_word = before.is_some_and(char::is_lowercase) && character.is_uppercase();
            let is_break = !character.is_alphanumeric() || begins_word;
            if is_break && !words.is_empty() && !words.ends_with('_') {
                words.push('_');
            }
            if character.is_alphanumeric() {
                words.extend(character.to_lowercase());
            }
            before = Some(character);
        }
        let mut words = words.trim_end_matches('_').to_owned();
        let mut unit = unit.filter(|unit| !unit.is_empty());
        // As in x_mm and time_ms.
        if let Some((name, last)) = words.rsplit_once('_') {
            let word = name.rsplit('_').next().unwrap_or(name);
            let is_length = is_length(last) && ["x", "y", "z", "easting", "northing"].contains(&word);
            if is_length || seconds_of(last).is_some() && TIMES.split(' ').any(|time| time == word) {
                unit = unit.or(Some(last.to_owned()));
                words.truncate(name.len());
            }
        } else if unit.is_none() && words.len() > 2 && seconds_of(&words).is_some() {
            // A column named seconds. Shorter names, such as s, may mean something else.
            unit = Some(words.clone());
        }
        Self { text: text.to_owned(), words, unit }
    }

    pub(super) fn list(texts: &[String]) -> Vec<Self> {
        texts.iter().map(|text| Self::new(text)).collect()
    }

    pub(super) fn is(&self, known: &str) -> bool {
        let begins = known.strip_suffix('*').is_some_and(|begin| self.words.starts_with(begin));
        begins || self.words == known || self.text.eq_ignore_ascii_case(known)
    }

    /// The text in place of `*`, or the number in place of `#`.
    pub(super) fn key(&self, template: &str) -> Option<String> {
        let template = template.to_ascii_lowercase();
        let at = template.find(['*', '#'])?;
        // The length stays the same.
        let lower = self.text.to_ascii_lowercase();
        let key = lower.strip_prefix(&template[..at])?.strip_suffix(&template[at + 1..])?;
        let is_key = !key.is_empty() && (template.contains('*') || key.bytes().all(|byte| byte.is_ascii_digit()));
        is_key.then(|| self.text[at..at + key.len()].to_owned())
    }

    /// The axis of a coordinate, by the last word: `x`, `y` or `z`.
    pub(super) fn axis(&self) -> Option<&'static str> {
        let last = self.words.rsplit('_').next();
        ["x", "y", "z"].into_iter().find(|axis| Some(*axis) == last)
    }

    /// Whether another name has the same words.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.words == other.words
    }

    /// Names a coordinate of an animal, with [`OF_ANIMAL`] between both.
    pub(super) fn set_animal(&mut self, animal: &str) {
        if let Some(axis) = self.axis() {
            self.text = format!("{animal}{OF_ANIMAL}{axis}");
        }
    }

    /// The name in the same form, with another word in place of one that it has.
    pub(super) fn with_word(&self, word: &str, other: &str) -> Option<String> {
        let replaced = self.words.split('_').map(|part| if part == word { other } else { part });
        let replaced = replaced.collect::<Vec<_>>().join("_");
        (replaced != self.words).then_some(replaced)
    }

    /// Whether a word of the name is known.
    pub(super) fn has_word(&self, known: &str) -> bool {
        self.words.split('_').any(|word| known.split_whitespace().any(|known| known == word))
    }
}

/// The place of a column in the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColumnPlace {
    pub(super) index: usize,
    /// What its numbers are multiplied by: −1 if the axis is mirrored.
    pub(super) factor: f64,
    /// Which of several numbers in its field, from 1; 0 if the field is one number.
    pub(super) part: usize,
    /// The key of its value, if the field is a JSON object.
    pub(super) key: Option<&'static str>,
}

impl ColumnPlace {
    pub(super) fn new(index: usize) -> Self {
        Self { index, factor: 1.0, part: 0, key: None }
    }
}

/// Whether a word is a unit of length.
pub(super) fn is_length(word: &str) -> bool {
    word == "px" || meters_of(word).is_some()
}

impl ColumnNames {
    /// Further names, in the same form as the option.
    pub(super) fn with(&self, more: &str) -> Result<Self, Fault> {
        let given = self.to_string();
        let new: Vec<&str> = more
            .split(',')
            .filter(|pair| !self.0.iter().any(|known| pair.starts_with(&format!("{}=", known.column))))
            .collect();
        Self::parse(&if given.is_empty() { new.join(",") } else { [&[&*given], &new[..]].concat().join(",") })
    }

    /// The name of an array in the file.
    pub(crate) fn array<'a>(&'a self, array: &'a str) -> &'a str {
        self.0.iter().find(|given| given.column == array).map_or(array, |given| &given.name)
    }

    /// Whether the user named a column.
    pub(super) fn has(&self, column: Column) -> bool {
        self.0.iter().any(|given| given.column == column.name())
    }

    /// Whether the user named a column of dates.
    pub(super) fn has_date(&self) -> bool {
        self.0.iter().any(|given| given.column == DATE)
    }

    /// The first name that is not that of an array.
    pub(super) fn first_column(&self) -> Option<&'static str> {
        let mut columns = self.0.iter().map(|given| given.column);
        columns.find(|column| Array::ALL.iter().all(|array| array.name() != *column))
    }

    /// Whether no column has another name.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names that the user gave.
    pub(crate) fn given(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|given| &*given.name)
    }

    /// Whether the user named this column of the file.
    pub(super) fn names(&self, name: &Name) -> bool {
        self.0.iter().any(|given| given.name == name.text)
    }

    /// The name that the user gave, if it is that of the columns of several animals.
    /// Returns it with the sign.
    pub(super) fn template(&self, column: Column) -> Option<(&str, f64)> {
        let given = self.0.iter().find(|given| given.column == column.name() && given.name.contains('*'))?;
        Some((&given.name, given.sign()))
    }

    /// Finds a column in a header by the name that the user gave.
    ///
    /// # Errors
    ///
    /// If the header lacks this name.
    pub(super) fn find(&self, column: &str, header: &[Name]) -> Result<Option<ColumnPlace>, Fault> {
        let Some(given) = self.0.iter().find(|given| given.column == column) else { return Ok(None) };
        let words = Name::new(&given.name).words;
        let index = header.iter().position(|known| known.text == given.name);
        let index = index.or_else(|| header.iter().position(|known| known.words == words)).ok_or_else(|| {
            let names = header.iter().map(|name| &*name.text);
            Fault::unknown(format!("the header has no column `{}`", given.name.escape_debug()), &given.name, names)
        })?;
        Ok(Some(ColumnPlace { factor: given.sign(), ..ColumnPlace::new(index) }))
    }
}

/// The message about columns that a header lacks, and the general form of the option that names them.
pub(super) fn missing(columns: &[Column], names: &[Name]) -> (String, String) {
    let lacking = columns.iter().map(|column| match column {
        Column::Frame => "frame (or tick, time)",
        column => column.name(),
    });
    let lacking = lacking.collect::<Vec<_>>().join(", ");
    let message = format!("the header has no column for {lacking} (the columns are {})", listed(names));
    let form: Vec<String> = columns.iter().map(|column| format!("{}=NAME", column.name())).collect();
    (message, form.join(","))
}

fn listed(header: &[Name]) -> String {
    const MOST: usize = 20;
    let more = if header.len() > MOST { ", …" } else { "" };
    let names: Vec<&str> = header.iter().take(MOST).map(|name| &*name.text).collect();
    names.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_with_their_signs() {
        let names: ColumnNames = "id=track, y=-cy,position=trajectories".parse().unwrap();
        let header = ["track", "frame", "cx", "cy", "x"].map(Name::new);
        assert_eq!(names.find("y", &header), Ok(Some(ColumnPlace { factor: -1.0, ..ColumnPlace::new(3) })));
        assert_eq!(names.find("id", &header), Ok(Some(ColumnPlace::new(0))));
        assert_eq!(names.find("frame", &header), Ok(None));
        assert_eq!(
            (names.array("position"), names.array("id"), names.array("tick")),
            ("trajectories", "track", "tick")
        );
        for (text, problem) in [
            ("id", "expected a list of COLUMN=NAME, e.g. id=track,x=cx,y=cy"),
            ("x=a,x=b", "duplicate column `x`"),
            (
                "fram=f",
                "unknown column `fram`; expected one of tick, frame, time, id, kind, x, y, z, vx, vy, vz, mood, bank, position, \
                 velocity, date",
            ),
        ] {
            assert_eq!(text.parse::<ColumnNames>().unwrap_err().to_string(), problem);
        }
    }

    #[test]
    fn names_may_end_in_a_unit() {
        for (text, known, unit) in [
            ("x_mm", "x", Some("mm")),
            ("X (cm)", "x", Some("cm")),
            ("y/m", "y", Some("m")),
            ("x_px", "x", Some("px")),
            ("time_min", "time", Some("min")),
            ("Time (days)", "time", Some("days")),
            ("t_us", "t", Some("us")),
            ("elapsed h", "elapsed", Some("h")),
            ("minutes", "minutes", Some("minutes")),
            ("easting_km", "easting", Some("km")),
            ("fish1/x", "fish1_x", None),
            ("x(1)", "x_1", None),
            ("frame_time", "frame_time", None),
            ("size_mm", "size_mm", None),
        ] {
            let name = Name::new(text);
            assert!(name.is(known) && name.unit.as_deref() == unit, "{name:?}");
        }
    }
}
