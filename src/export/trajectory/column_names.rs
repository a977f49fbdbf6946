//! Which column of a file holds which value.

use std::fmt;
use std::str::FromStr;

use strum::VariantNames;

use crate::config::did_you_mean_or;
use crate::export::columns::Column;
use crate::export::npz::Array;

/// The value of `--columns-of`: the names that columns have in a file.
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

/// The arrays that have several columns.
const ARRAYS: [&str; 2] = ["position", "velocity"];
/// The columns whose sign can be changed.
const SIGNED: [&str; 6] = ["x", "y", "z", "vx", "vy", "vz"];
/// The names that other programs give to columns: that of time in trackdf.
const OTHER_NAMES: [(Column, &str); 1] = [(Column::Time, "t")];
/// Parts of names that suggest a column, for the message about one that is missing.
const HINTS: [(Column, &[&str]); 4] = [
    (Column::Id, &["track", "id", "animal", "individual", "fish", "bird", "particle", "object", "name"]),
    (Column::Frame, &["frame", "tick", "time", "step", "date"]),
    (Column::X, &["x", "lon", "east"]),
    (Column::Y, &["y", "lat", "north"]),
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut names: Vec<ColumnName> = Vec::new();
        for pair in text.split(',') {
            let pair = pair.split_once('=').map(|(column, name)| (column.trim(), name.trim()));
            let Some((column, name)) = pair.filter(|(_, name)| !name.is_empty()) else {
                return Err("expected a list of COLUMN=NAME, e.g. id=track,x=cx,y=cy".to_owned());
            };
            let column = known(column)?;
            if names.iter().any(|known| known.column == column) {
                return Err(format!("duplicate column `{column}`"));
            }
            if names.iter().any(|known| known.name == name.trim_start_matches('-')) {
                return Err(format!("the column `{name}` is named twice"));
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
fn known(name: &str) -> Result<&'static str, String> {
    let mut names = Column::VARIANTS.iter().copied().chain(ARRAYS);
    names.clone().find(|known| *known == name).ok_or_else(|| {
        let all = format!("; expected {}", names.clone().collect::<Vec<_>>().join(", "));
        format!("unknown column `{name}`{}", did_you_mean_or(name, names.by_ref(), &all))
    })
}

/// The place of a column in the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColumnPlace {
    pub(super) index: usize,
    /// What its numbers are multiplied by: 1 or −1.
    pub(super) sign: f64,
}

impl ColumnNames {
    /// The name of an array in the file.
    pub(in crate::export) fn array<'a>(&'a self, array: &'a str) -> &'a str {
        self.0.iter().find(|given| given.column == array).map_or(array, |given| &given.name)
    }

    /// Whether the user named a column.
    pub(super) fn has(&self, column: Column) -> bool {
        self.0.iter().any(|given| given.column == column.name())
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
    pub(in crate::export) fn given(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|given| &*given.name)
    }

    /// Finds a column in a header: by the name that the user gave, or a known one.
    ///
    /// # Errors
    ///
    /// If the header lacks a name that the user gave.
    pub(super) fn find(&self, column: Column, header: &[String]) -> Result<Option<ColumnPlace>, String> {
        let place = |name: &str| header.iter().position(|known| known.eq_ignore_ascii_case(name));
        if let Some(given) = self.0.iter().find(|given| given.column == column.name()) {
            let index = header.iter().position(|known| *known == given.name).or_else(|| place(&given.name));
            let sign = if given.is_negative { -1.0 } else { 1.0 };
            let missing = || {
                let names = header.iter().map(String::as_str);
                let hint = did_you_mean_or(&given.name, names, &format!("; expected one of {}", listed(header)));
                format!("the header has no column `{}`{hint}", given.name.escape_debug())
            };
            return index.map(|index| Some(ColumnPlace { index, sign })).ok_or_else(missing);
        }
        let is_taken = |index: &usize| self.0.iter().any(|given| given.name == header[*index]);
        let others = OTHER_NAMES.iter().filter(|(known, _)| *known == column).map(|(_, name)| *name);
        let index = [column.name()].into_iter().chain(others).find_map(place).filter(|index| !is_taken(index));
        Ok(index.map(|index| ColumnPlace { index, sign: 1.0 }))
    }
}

/// The message about columns that a header lacks, with names that may be meant.
pub(super) fn missing(columns: &[Column], header: &[String]) -> String {
    let named = |column: &Column| match column {
        Column::Frame => "frame (or tick, time)".to_owned(),
        column => column.name().to_owned(),
    };
    let hints = |column: &Column| HINTS.iter().find(|(known, _)| known == column).map_or(&[][..], |(_, hints)| *hints);
    let guess = |column: &Column| {
        let lower: Vec<String> = header.iter().map(|name| name.to_lowercase()).collect();
        let guessed = hints(column).iter().find_map(|hint| lower.iter().position(|name| name.contains(hint)));
        let name = guessed.map_or("NAME".to_owned(), |index| header[index].clone());
        let is_time =
            *column == Column::Frame && ["time", "date", "stamp"].iter().any(|hint| name.to_lowercase().contains(hint));
        format!("{}={name}", if is_time { Column::Time.name() } else { column.name() })
    };
    let lacking: Vec<String> = columns.iter().map(named).collect();
    let guesses: Vec<String> = columns.iter().map(guess).collect();
    format!(
        "the header has no column for {}; name it, as in --columns-of {} (the columns are {})",
        lacking.join(", "),
        guesses.join(","),
        listed(header)
    )
}

fn listed(header: &[String]) -> String {
    const MOST: usize = 20;
    let more = if header.len() > MOST { ", …" } else { "" };
    let names: Vec<&str> = header.iter().take(MOST).map(String::as_str).collect();
    names.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_with_their_signs() {
        let names: ColumnNames = "id=track, y=-cy,position=trajectories".parse().unwrap();
        let header = ["track", "frame", "cx", "cy", "x"].map(str::to_owned);
        assert_eq!(names.find(Column::Y, &header), Ok(Some(ColumnPlace { index: 3, sign: -1.0 })));
        assert_eq!(names.find(Column::Id, &header), Ok(Some(ColumnPlace { index: 0, sign: 1.0 })));
        assert_eq!(names.find(Column::Z, &header), Ok(None));
        assert_eq!(
            (names.array("position"), names.array("id"), names.array("tick")),
            ("trajectories", "track", "tick")
        );
        for (text, problem) in [
            ("id", "expected a list of COLUMN=NAME, e.g. id=track,x=cx,y=cy"),
            ("x=a,x=b", "duplicate column `x`"),
            ("fram=f", "unknown column `fram`; did you mean `frame`?"),
        ] {
            assert_eq!(text.parse::<ColumnNames>(), Err(problem.to_owned()));
        }
    }

    #[test]
    fn missing_columns_are_guessed() {
        let header = ["trackId", "frame", "pos_x", "pos_y"].map(str::to_owned);
        let text = missing(&[Column::Id, Column::X, Column::Y], &header);
        assert!(text.contains("--columns-of id=trackId,x=pos_x,y=pos_y "), "{text}");
    }
}
