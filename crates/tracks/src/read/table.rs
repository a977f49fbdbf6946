//! The beginning of a table of text: its separator, its header, and what its columns hold.

use std::collections::HashSet;

use super::column_names::{Name, is_length};
use super::fields::{is_missing, number};
use super::layouts::Shape;
use super::plan::Plan;
use super::text::{Fields, Separator, lossy, words};
use crate::values::seconds_of;

/// The most rows that are looked at for names of rows and empty ids.
const MOST_PEEKED: usize = 60;
/// The most rows of labels and units after a header.
const MAX_LABELS: usize = 3;
/// The most rows above a header that name animals.
const MAX_ABOVE: usize = 8;
/// What a row above coordinates says of those that count, in lower case: Motive also writes rotations, and the markers of a body.
const COUNTED: [&str; 2] = ["position", "rigid body"];

/// A table after its header.
pub(super) struct Table {
    pub(super) names: Vec<Name>,
    pub(super) plan: Plan,
    pub(super) fields: Fields,
    pub(super) decimal_comma: bool,
    /// The columns of a row; R writes one more if it names rows.
    columns: usize,
    /// The same with columns after the last name.
    width: usize,
}

impl Table {
    /// The table after a header, which these lines follow. With `skips_missing`, rows without an id are left out, even if all are.
    pub(super) fn new(candidate: &Candidate, mut plan: Plan, lines: &[(u64, Vec<u8>)], skips_missing: bool) -> Self {
        let (separator, columns) = (candidate.separator, candidate.names.len());
        let lines = &lines[..lines.len().min(MOST_PEEKED)];
        let rows: Vec<Vec<String>> = lines.iter().map(|(_, line)| split(separator, line)).collect();
        let mut fields = Fields::new(separator);
        // R writes names of rows in quotes; without them, the field may be half a number with a decimal comma.
        let are_quoted = !lines.is_empty() && lines.iter().all(|(_, line)| line.starts_with(b"\""));
        let has_one_more = !rows.is_empty() && rows.iter().all(|row| row.len() == columns + 1);
        let are_numbered = rows.iter().enumerate().all(|(index, row)| row[0] == (index + 1).to_string());
        if has_one_more && (are_quoted || separator.allows_decimal_comma() && are_numbered) {
            fields.skipped = 1;
        }
        // SLEAP leaves the column empty if it does not track.
        if plan.layout.shape == Shape::BodyParts && !skips_missing {
            plan.empty_id = plan.id.take_if(|place| {
                rows.iter().all(|row| row.get(place.index).is_none_or(|field| is_missing(field.as_bytes())))
            });
        }
        let decimal_comma = separator.allows_decimal_comma();
        Self { names: candidate.names.clone(), plan, fields, decimal_comma, columns, width: candidate.width }
    }

    /// Fails if a row has too few or too many fields.
    pub(super) fn check_count(&self) -> Result<(), String> {
        let found = self.fields.count();
        let has_more = (self.width..found).any(|index| !self.fields.get(index).is_empty());
        if found < self.columns || has_more {
            return Err(format!("expected {} columns, found {found}", self.columns));
        }
        Ok(())
    }
}

/// Names that the columns of a table may have.
pub(super) struct Candidate {
    /// That of the rows.
    pub(super) separator: Separator,
    pub(super) names: Vec<Name>,
    /// How many lines they take, with those of labels and units; 0 if they are numbers or a comment.
    pub(super) rows: usize,
    /// Whether the names are numbers of columns.
    pub(super) is_numbered: bool,
    /// The number of columns, with those after the last name.
    width: usize,
}

impl Candidate {
    /// The headers that lines may begin with, below others.
    pub(super) fn all(lines: &[&[u8]], above: &[&[u8]], comments: &[String]) -> Vec<Self> {
        let Some((first, rest)) = lines.split_first() else { return Vec::new() };
        let separator = Separator::of(first);
        let first = split(separator, first);
        let width = first.len();
        let of = |names: &[String], rows: usize| Self {
            separator,
            names: Name::list(names),
            rows,
            is_numbered: false,
            width,
        };
        if first[0] == "scorer" {
            let mut rows = vec![first];
            for line in &rest[..rest.len().min(3)] {
                if rows[rows.len() - 1][0] != "coords" {
                    rows.push(split(separator, line));
                }
            }
            let is_complete = rows.iter().all(|row| row.len() == rows[0].len());
            return if is_complete { vec![of(&joined(&rows), rows.len())] } else { Vec::new() };
        }
        let has_number = |field: &String| number(field.as_bytes(), true).is_some() || is_missing(field.as_bytes());
        // A row may have text, in the columns of text.
        let is_row = first.iter().filter(|field| has_number(field)).count() > 1;
        let is_alike = rest.first().is_none_or(|next| {
            let next = split(separator, next);
            next.len() == first.len() && first.iter().zip(&next).all(|pair| has_number(pair.0) == has_number(pair.1))
        });
        if first.iter().all(has_number) || is_row && is_alike {
            let mut headers = comments.iter().rev().filter_map(|comment| {
                let names = split(Separator::of(comment.as_bytes()), comment.as_bytes());
                let is_header = names.len() == first.len() && !names.iter().any(has_number);
                is_header.then(|| of(&names, 0))
            });
            let numbers: Vec<String> = (1..=first.len()).map(|column| column.to_string()).collect();
            return headers.next().into_iter().chain([Self { is_numbered: true, ..of(&numbers, 0) }]).collect();
        }
        let mut names = first;
        if has_pairs(&names) {
            for at in 1..names.len() {
                if names[at].is_empty() {
                    names[at] = format!("{}.y", names[at - 1]);
                    names[at - 1].push_str(".x");
                }
            }
        }
        // Some programs end a line with separators.
        names.truncate(names.iter().rposition(|name| !name.is_empty()).map_or(1, |last| last + 1));
        let mut header = of(&names, 1);
        header.name_animals(&above.iter().map(|line| split(separator, line)).collect::<Vec<_>>());
        header.read_labels(rest);
        // A header with blanks may be above rows with tabs.
        if let Some(row) = rest.get(header.rows - 1) {
            let has_all = |separator: &Separator| split(*separator, row).len() == names.len();
            let other = Some(Separator::of(row)).filter(has_all);
            header.separator = other.filter(|_| !has_all(&separator)).unwrap_or(separator);
        }
        vec![header]
    }

    /// Takes the rows of labels or units after the names.
    fn read_labels(&mut self, rest: &[&[u8]]) {
        let unit_of = |label: &str| {
            let unit = label.trim_matches(|c: char| "()[] ".contains(c));
            let is_unit = unit.len() < label.len() || is_length(unit) || seconds_of(unit).is_some();
            (is_unit && !unit.is_empty()).then(|| unit.to_owned())
        };
        for line in rest.iter().take(MAX_LABELS) {
            let labels = split(self.separator, line);
            let filled = labels.iter().filter(|label| !label.is_empty()).count();
            let mut of_names = self.names.iter().zip(&labels).filter(|(_, label)| !label.is_empty());
            let is_known = of_names.any(|(name, label)| name.axis().is_some() || unit_of(label).is_some());
            let texts = labels.iter().filter(|label| !label.starts_with(|c: char| c.is_ascii_digit()));
            let texts = texts.filter(|label| !is_missing(label.as_bytes())).count();
            if filled < 2 || labels.len() > self.names.len() || texts < filled || !is_known {
                break;
            }
            self.rows += 1;
            for (name, label) in self.names.iter_mut().zip(&labels) {
                name.unit = name.unit.take().or(unit_of(label));
            }
        }
    }

    /// Names coordinates that occur several times by the animals in the rows above.
    fn name_animals(&mut self, above: &[Vec<String>]) {
        // R and pandas number names that occur several times.
        let known: HashSet<String> = self.names.iter().map(|name| name.text.clone()).collect();
        for name in &mut self.names {
            if let Some((base, number)) = name.text.rsplit_once('.')
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && known.contains(base)
            {
                *name = Name::new(base);
            }
        }
        let axes: Vec<usize> = (0..self.names.len()).filter(|column| self.names[*column].axis().is_some()).collect();
        let repeats = |axis: &str| axes.iter().filter(|column| self.names[**column].axis() == Some(axis)).count() > 1;
        let (Some(first), true) = (axes.first(), repeats("x") && repeats("y")) else { return };
        let first_name = &self.names[*first];
        if axes.iter().filter(|column| self.names[**column].is_like(first_name)).count() < 2 {
            return;
        }
        let mut rows: Vec<Vec<String>> = Vec::new();
        for row in above.iter().rev().take(MAX_ABOVE).filter(|row| row.len() > *first) {
            let mut label = String::new();
            let filled = (0..self.names.len()).map(|column| {
                if let Some(text) = row.get(column).filter(|text| !text.is_empty()) {
                    label.clone_from(text);
                }
                label.clone()
            });
            rows.push(filled.collect());
        }
        let mut kept = axes;
        for (row, counted) in rows.iter().flat_map(|row| COUNTED.iter().map(move |counted| (row, counted))) {
            let counts = |column: &usize| row[*column].eq_ignore_ascii_case(counted);
            if kept.iter().any(counts) {
                kept.retain(counts);
            }
        }
        let of_x = || kept.iter().filter(|column| self.names[**column].axis() == Some("x"));
        let distinct = rows.iter().find(|row| {
            let labels: HashSet<&str> = of_x().map(|column| &*row[*column]).filter(|label| !label.is_empty()).collect();
            labels.len() == of_x().count()
        });
        let Some(row) = distinct else { return };
        for column in kept {
            self.names[column].set_animal(&row[column]);
        }
    }
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
    let names = (0..rows[0].len()).map(|column| match axes {
        _ if column < images => if column + 1 == images { "coords" } else { "" }.to_owned(),
        3 => format!("{}\u{1f}{}.{}", rows[1][column], rows[2][column], rows[3][column]),
        _ => format!("{}.{}", rows[axes - 1][column], rows[axes][column]),
    });
    names.collect()
}

pub(super) fn split(separator: Separator, line: &[u8]) -> Vec<String> {
    let fields: Vec<String> = match separator {
        Separator::WhiteSpace => words(line).map(lossy).collect(),
        Separator::Character(delimiter) => {
            let text = lossy(line);
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
    let mut comments = comments.iter().map(|comment| comment.to_lowercase());
    let comment =
        comments.find(|comment| ["framerate", "frame rate", "fps"].iter().any(|word| comment.contains(word)))?;
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
        words.filter_map(|word| word.parse().ok()).filter(|rate| *rate > 0.0).collect()
    };
    let after = |word: &str| Some(numbers(comment.split_once(word)?.1).first().copied());
    let rate = after("framerate").or_else(|| after("frame rate"));
    rate.or_else(|| Some(numbers(comment.split_once("fps")?.0).last().copied())).flatten()
}
