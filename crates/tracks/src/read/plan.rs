//! The plan of a table: the column, the unit and the direction of each value, rows that are left out, and the reasons. Layouts,
//! names and numbers of columns make plans, and nothing else says how rows are read.

use super::column_names::{ColumnPlace, Name};
use super::layouts::Layout;
use crate::error::{Help, Note, ReadOption};

/// Where the values of a row are.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) layout: &'static Layout,
    pub(super) id: Option<ColumnPlace>,
    /// A column for ids that the first rows leave empty.
    pub(super) empty_id: Option<ColumnPlace>,
    pub(super) frame: Option<ColumnPlace>,
    pub(super) time: Option<ColumnPlace>,
    pub(super) date: Option<ColumnPlace>,
    /// The animals of a row.
    pub(super) animals: Vec<Coordinates>,
    /// The names of the axes with `*` for the animal, if each animal has its own columns.
    pub(super) templates: Option<[String; 3]>,
    pub(super) velocity: Option<[Option<ColumnPlace>; 3]>,
    pub(super) kind: Option<ColumnPlace>,
    pub(super) mood: Option<ColumnPlace>,
    pub(super) bank: Option<ColumnPlace>,
    /// Columns that mark a row which does not count, and how.
    pub(super) hidden: Vec<(ColumnPlace, &'static str)>,
    /// The body parts of the animals, of which one is read.
    pub(super) parts: Vec<String>,
    pub(super) body_part: Option<String>,
    /// The column of body parts, if each has its own row.
    pub(super) part: Option<ColumnPlace>,
    pub(super) are_degrees: bool,
    /// The unit of length.
    pub(super) unit: Option<String>,
    pub(super) notes: Vec<Note>,
}

/// Where the coordinates of an animal are in a row.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    /// The name of the animal, if it is that of the columns.
    pub(super) animal: Option<String>,
    pub(super) position: [Option<ColumnPlace>; 3],
    pub(super) likelihood: Option<usize>,
    /// The width and the height of a box, if the position is that of its corner.
    pub(super) size: Option<[ColumnPlace; 2]>,
    /// Or its opposite corner.
    pub(super) corner: Option<[ColumnPlace; 2]>,
}

impl Plan {
    /// Whether rows without a position are left out, as the layout is one that has them.
    pub(super) fn marks_missing(&self) -> bool {
        !self.layout.program.is_empty() || self.animals[0].animal.is_some()
    }

    /// The columns of animals, frames, times and coordinates.
    pub(super) fn places(&self) -> impl Iterator<Item = ColumnPlace> {
        let positions = self.animals.iter().flat_map(|animal| animal.position);
        [self.id, self.frame, self.time].into_iter().chain(positions).flatten()
    }

    /// What is read, in a note.
    pub(super) fn notice(&self) -> Option<Note> {
        let program = Some(&*self.layout.program).filter(|program| !program.is_empty());
        let part = self.body_part.as_ref().map(|part| match self.parts.len() {
            0 | 1 => format!("body part {part}"),
            _ => format!("body part {part} of {}", self.parts.join(", ")),
        });
        let details: Vec<&str> = self.notes.iter().map(|note| &*note.text).chain(part.as_deref()).collect();
        let details = Some(details.join(", ")).filter(|details| !details.is_empty());
        let parts: Vec<&str> = program.into_iter().chain(details.as_deref()).collect();
        let help = self.notes.iter().find_map(|note| note.help.clone());
        let chooses = Help { option: ReadOption::BodyPart("NAME".to_owned()), effect: "chooses another" };
        let help = help.or((self.parts.len() > 1).then_some(chooses));
        (!parts.is_empty()).then(|| Note { help, ..parts.join(": ").into() })
    }

    /// The columns that are read, each as in `--columns-of`: `id=2`, `frame=1`, `x=3`, `y=-4`.
    pub(super) fn columns(&self, names: &[Name]) -> Vec<String> {
        let [x, y, z] = self.animals[0].position;
        let time = self.time.filter(|_| self.frame.is_none());
        let all = [("id", self.id), ("frame", self.frame), ("time", time), ("x", x), ("y", y), ("z", z)];
        let used = all.into_iter().filter_map(|(column, place)| {
            let ColumnPlace { index, factor, .. } = place?;
            let axis = ["x", "y", "z"].iter().position(|axis| *axis == column);
            let template = axis.and_then(|axis| Some(&*self.templates.as_ref()?[axis]));
            let name = template.unwrap_or(&names[index].text);
            Some(format!("{column}={}{name}", if factor < 0.0 { "-" } else { "" }))
        });
        used.collect()
    }
}
