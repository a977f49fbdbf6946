//! The table of layouts: what the text files of tracking programs look like.

use std::sync::LazyLock;

use serde::Deserialize;

/// All layouts. The last one has the names that many programs use.
pub static LAYOUTS: LazyLock<Vec<Layout>> = LazyLock::new(|| Table::read().layout);

/// Files that are not read.
pub(super) static UNREAD: LazyLock<Vec<Unread>> = LazyLock::new(|| Table::read().unread);

#[derive(Deserialize)]
struct Table {
    layout: Vec<Layout>,
    unread: Vec<Unread>,
}

impl Table {
    fn read() -> Self {
        toml::from_str(include_str!("layouts.toml")).expect("a valid table")
    }
}

/// What files that are not read look like.
#[derive(Deserialize)]
pub(super) struct Unread {
    /// The program or the format.
    pub(super) program: String,
    /// How the first line begins, with 0 in place of each number.
    pub(super) begins: String,
    /// What to do instead.
    pub(super) instead: String,
}

impl Unread {
    /// The one that a first line looks like.
    pub(super) fn of(line: &str) -> Option<&'static Self> {
        let mut form = String::new();
        for character in line.chars().take(200) {
            let is_number = character.is_ascii_digit() || ".-+".contains(character);
            match (is_number, form.ends_with('0')) {
                (true, true) => {}
                (true, false) => form.push('0'),
                (false, _) => form.push(character),
            }
        }
        UNREAD.iter().find(|unread| form.starts_with(&unread.begins))
    }
}

/// What the text files of a program look like. The keys are explained in the table.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Layout {
    /// The program or the data set; empty for the names that many programs use.
    pub program: String,
    /// Where the layout is documented.
    pub source: String,
    /// The repositories whose files were compared with a script of `NumPy`.
    pub compared: String,
    /// What is not read, or what the reader should know.
    pub limits: String,
    pub(super) shape: Shape,
    pub(super) columns: Option<usize>,
    pub(super) constant: String,
    pub(super) unit_below: Option<f64>,
    pub(super) marks: String,
    pub(super) beside: String,
    /// The unit of length; empty if it is not known.
    pub unit: String,
    pub(super) id: String,
    pub(super) frame: String,
    pub(super) time: String,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) z: String,
    pub(super) likelihood: String,
    pub(super) size: String,
    pub(super) corner: String,
    pub(super) hidden: String,
}

/// What a row holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shape {
    #[default]
    Animal,
    Animals,
    BodyParts,
}

impl Layout {
    /// The names that many programs use.
    pub(super) fn common() -> &'static Self {
        &LAYOUTS[LAYOUTS.len() - 1]
    }

    /// The columns that are read, for people: `id=track_id, frame=frame, …`.
    pub fn columns(&self) -> String {
        let Self { id, frame, time, x, y, z, likelihood, size, corner, .. } = self;
        let known = [("id", id), ("frame", frame), ("time", time), ("x", x), ("y", y), ("z", z)];
        let known = known.into_iter().chain([("likelihood", likelihood), ("size", size), ("corner", corner)]);
        let known = known.filter(|(_, names)| !names.is_empty());
        let columns = known.map(|(column, names)| {
            let mut names: Vec<&str> = names.split_whitespace().collect();
            names.dedup();
            format!("{column}={}", names.join("/"))
        });
        columns.collect::<Vec<_>>().join(", ")
    }
}
