//! The beginning of a table of text: its separator, its header, and what its columns hold.

use super::column_names::{ColumnPlace, Name};
use super::fields::{is_missing, number};
use super::header::Plan;
use super::layouts::Shape;
use super::text::{Fields, Separator, lossy};

/// The most rows that are looked at for names of rows and empty ids.
const MOST_PEEKED: usize = 60;
/// The most rows of labels and units after a header.
const MAX_LABELS: usize = 3;

/// A table after its header.
pub(super) struct Table {
    pub(super) names: Vec<Name>,
    pub(super) plan: Plan,
    pub(super) fields: Fields,
    pub(super) decimal_comma: bool,
    /// The rows of labels so far.
    pub(super) labels: usize,
    /// The columns of a row; R writes one more if it names rows.
    columns: usize,
}

impl Table {
    /// The table after a header, which these lines follow. With `skips_missing`, rows without an id are left out, even if all are.
    pub(super) fn new(candidate: &Candidate, mut plan: Plan, lines: &[(u64, Vec<u8>)], skips_missing: bool) -> Self {
        let (separator, columns) = (candidate.separator, candidate.names.len());
        let lines = &lines[..lines.len().min(MOST_PEEKED)];
        let rows: Vec<Vec<String>> = lines.iter().map(|(_, line)| split(separator, line)).collect();
        let mut fields = Fields::new(separator);
        // R writes names of rows in quotes; without them, the field may be half a number with a decimal comma.
        let is_quoted = lines.first().is_some_and(|(_, line)| line.starts_with(b"\""));
        if (separator.allows_decimal_comma() || is_quoted) && has_row_names(&rows, columns) {
            fields.skipped = 1;
        }
        // SLEAP leaves the column empty if it does not track.
        let is_empty = |place: &mut ColumnPlace| {
            rows.iter().all(|row| row.get(place.index).is_none_or(|field| is_missing(field.as_bytes())))
        };
        if plan.layout.shape == Shape::BodyParts && !skips_missing {
            plan.empty_id = plan.id.take_if(is_empty);
        }
        let decimal_comma = separator.allows_decimal_comma();
        Self { names: candidate.names.clone(), plan, fields, decimal_comma, labels: 0, columns }
    }

    /// Whether a row after the header has labels or units instead of values.
    pub(super) fn is_label(&self) -> bool {
        let has_number = |index: usize| number(self.fields.get(index), self.decimal_comma).is_some();
        let [x, y, _] = self.plan.animals[0].position;
        let position: Vec<&[u8]> = [x, y].into_iter().flatten().map(|place| self.fields.get(place.index)).collect();
        let is_word = |field: &&[u8]| !field.is_empty() && !field.iter().any(u8::is_ascii_digit);
        self.labels < MAX_LABELS
            && position.iter().all(is_word)
            && !position.iter().all(|field| is_missing(field))
            && !(0..self.fields.count()).any(has_number)
    }

    /// The unit of length in a row of units.
    pub(super) fn label_unit(&self) -> Option<String> {
        let label = lossy(self.fields.get(self.plan.animals[0].position[0]?.index));
        let unit = label.trim_matches(|c: char| "()[] ".contains(c));
        let is_unit = unit.len() < label.len() || ["px", "mm", "cm", "m", "km", "um", "µm", "micron"].contains(&unit);
        (is_unit && !unit.is_empty()).then(|| unit.to_owned())
    }

    /// Fails if a row has too few or too many fields.
    pub(super) fn check_count(&self) -> Result<(), String> {
        let found = self.fields.count();
        let has_more = (self.columns..found).any(|index| !self.fields.get(index).is_empty());
        if found < self.columns || has_more {
            return Err(format!("expected {} columns, found {found}", self.columns));
        }
        Ok(())
    }
}

/// Names that the columns of a table may have.
pub(super) struct Candidate {
    pub(super) separator: Separator,
    pub(super) names: Vec<Name>,
    /// How many lines they take; 0 if they are numbers or a comment.
    pub(super) rows: usize,
    /// Whether the names are numbers of columns.
    pub(super) is_numbered: bool,
}

impl Candidate {
    /// The headers that lines may begin with.
    pub(super) fn all<'l>(lines: impl Iterator<Item = &'l [u8]>, comments: &[String]) -> Vec<Self> {
        let mut lines = lines.peekable();
        let separator = Separator::of(lines.peek().copied().unwrap_or_default());
        let mut split = || lines.next().map(|line| split(separator, line));
        let Some(first) = split() else { return Vec::new() };
        let of = |names: &[String], rows: usize| Self { separator, names: Name::list(names), rows, is_numbered: false };
        if first[0] == "scorer" {
            let mut rows = vec![first];
            while rows.len() < 4 && rows[rows.len() - 1][0] != "coords" {
                let Some(next) = split().filter(|next| next.len() == rows[0].len()) else { return Vec::new() };
                rows.push(next);
            }
            return vec![of(&joined(&rows), rows.len())];
        }
        let has_number = |field: &String| number(field.as_bytes(), true).is_some() || is_missing(field.as_bytes());
        // A row may have text, in the columns of text.
        let is_row = first.iter().filter(|field| has_number(field)).count() > 1;
        let is_alike = |next: Vec<String>| {
            next.len() == first.len() && first.iter().zip(&next).all(|pair| has_number(pair.0) == has_number(pair.1))
        };
        if first.iter().all(has_number) || is_row && split().is_none_or(is_alike) {
            let is_header = |comment: &&String| {
                let names = self::split(separator, comment.as_bytes());
                names.len() == first.len() && names.iter().all(|name| number(name.as_bytes(), true).is_none())
            };
            let header = comments.iter().rev().find(is_header);
            let header = header.map(|comment| of(&self::split(separator, comment.as_bytes()), 0));
            let numbers: Vec<String> = (1..=first.len()).map(|column| column.to_string()).collect();
            return header.into_iter().chain([Self { is_numbered: true, ..of(&numbers, 0) }]).collect();
        }
        let mut names = first;
        while names.len() > 1 && names.last().is_some_and(String::is_empty) && !has_pairs(&names) {
            names.pop();
        }
        if has_pairs(&names) {
            for at in 1..names.len() {
                if names[at].is_empty() {
                    names[at] = format!("{}.y", names[at - 1]);
                    names[at - 1].push_str(".x");
                }
            }
        }
        vec![of(&names, 1)]
    }
}

/// Whether rows begin with their numbers in one more column than the header has, as R writes them.
fn has_row_names(rows: &[Vec<String>], columns: usize) -> bool {
    let is_numbered =
        |(index, row): (usize, &Vec<String>)| row.len() == columns + 1 && row[0] == (index + 1).to_string();
    !rows.is_empty() && rows.iter().enumerate().all(is_numbered)
}

/// Whether each name of an animal is that of two columns, after those of the frame, as Metrica Sports writes them.
fn has_pairs(names: &[String]) -> bool {
    let (first, second) = (names.iter().skip(3).step_by(2), names.iter().skip(4).step_by(2));
    names.len() > 4
        && names[0].eq_ignore_ascii_case("period")
        && first.clone().all(|name| !name.is_empty())
        && second.clone().all(String::is_empty)
}

/// The rows of a header of `DeepLabCut` as one: animal, body part and axis. The names of labeled images take up to three columns,
/// of which the last one counts.
fn joined(rows: &[Vec<String>]) -> Vec<String> {
    let axes = rows.len() - 1;
    let images = 1 + rows[0][1..].iter().take_while(|scorer| scorer.is_empty()).count();
    let name = |column: usize| match axes {
        _ if column < images => if column + 1 == images { "coords" } else { "" }.to_owned(),
        3 => format!("{}\u{1f}{}.{}", rows[1][column], rows[2][column], rows[3][column]),
        _ => format!("{}.{}", rows[axes - 1][column], rows[axes][column]),
    };
    (0..rows[0].len()).map(name).collect()
}

pub(super) fn split(separator: Separator, line: &[u8]) -> Vec<String> {
    let text = lossy(line);
    let fields: Vec<String> = match separator {
        Separator::WhiteSpace => text.split_whitespace().map(str::to_owned).collect(),
        Separator::Character(delimiter) => {
            let mut reader =
                csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(text.as_bytes());
            let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
            record.iter().map(|field| field.trim().to_owned()).collect()
        }
    };
    if fields.is_empty() { vec![String::new()] } else { fields }
}

/// The frame rate in a comment such as `framerate: 25 fps`.
pub(super) fn frame_rate(comments: &[String]) -> Option<f64> {
    let is_rate = |comment: &&String| {
        let lower = comment.to_lowercase();
        ["framerate", "frame rate", "fps"].iter().any(|word| lower.contains(word))
    };
    let comment = comments.iter().find(is_rate)?.to_lowercase();
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
        words.filter_map(|word| word.parse().ok()).filter(|rate| *rate > 0.0).collect()
    };
    let after = |word: &str| Some(numbers(comment.split_once(word)?.1).first().copied());
    let before = |word: &str| Some(numbers(comment.split_once(word)?.0).last().copied());
    after("framerate").or_else(|| after("frame rate")).or_else(|| before("fps")).flatten()
}
