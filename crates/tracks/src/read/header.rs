//! From the header of a text file and the table of layouts to the columns of its values.

use std::collections::HashMap;

use super::column_names::{ColumnNames, ColumnPlace, DATE, Name};
use super::fields::{number, numbers_of, value_of};
use super::layouts::{LAYOUTS, Layout, Shape};
use crate::error::{Fault, Note, ReadOption};
use crate::read::states::Column;

/// The columns of a file that `run` writes, whose other columns are its own.
const OWN: [Column; 4] = [Column::Tick, Column::Kind, Column::Vx, Column::Vy];
/// The columns of a date beside one of the time of day.
const DATES: &str = "date utc_date gps_date day_date";
/// The names that make x and y longitude and latitude.
const DEGREES: [&str; 2] = ["longitude lon long lng", "latitude lat"];
/// Columns of whole positions.
const TUPLES: &str = "pos position coordinates coords location loc";
/// The likelihood below which `DeepLabCut` plots no position.
pub(crate) const LIKELIHOOD: f64 = 0.6;

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
    pub(super) velocity: Option<[Option<ColumnPlace>; 3]>,
    pub(super) kind: Option<ColumnPlace>,
    pub(super) mood: Option<ColumnPlace>,
    pub(super) bank: Option<ColumnPlace>,
    /// Columns that mark a row which does not count, and how.
    pub(super) hidden: Vec<(ColumnPlace, &'static str)>,
    pub(super) body_part: Option<String>,
    pub(super) are_degrees: bool,
    pub(super) unit: Option<String>,
    pub(super) notes: Vec<Note>,
}

impl Plan {
    /// Whether rows without a position are left out, as the layout is one that has them.
    pub(super) fn marks_missing(&self) -> bool {
        !self.layout.program.is_empty() || self.animals[0].animal.is_some()
    }

    /// What is read, in a note.
    pub(super) fn notice(&self) -> Option<Note> {
        let program = Some(&*self.layout.program).filter(|program| !program.is_empty());
        let details: Vec<&str> = self.notes.iter().map(|note| &*note.text).collect();
        let details = Some(details.join(", ")).filter(|details| !details.is_empty());
        let parts: Vec<&str> = program.into_iter().chain(details.as_deref()).collect();
        let help = self.notes.iter().find_map(|note| note.help.clone());
        (!parts.is_empty()).then(|| Note { text: parts.join(": "), help })
    }

    /// The columns that are read, as in `id=2, frame=1, x=3, y=-4`.
    pub(super) fn used(&self, names: &[Name]) -> String {
        let [x, y, z] = self.animals[0].position;
        let time = self.time.filter(|_| self.frame.is_none());
        let all = [("id", self.id), ("frame", self.frame), ("time", time), ("x", x), ("y", y), ("z", z)];
        let used = all.into_iter().filter_map(|(column, place)| {
            let ColumnPlace { index, sign, .. } = place?;
            Some(format!("{column}={}{}", if sign < 0.0 { "-" } else { "" }, names[index].text))
        });
        used.collect::<Vec<_>>().join(", ")
    }
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

/// Why no layout fits a header.
pub(super) enum Unfit {
    Fault(Fault),
    /// It has no name for these columns.
    Lacking(Vec<Column>),
}

impl From<Fault> for Unfit {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A header, with the columns that the user named.
pub(super) struct Header<'a> {
    pub(super) names: &'a [Name],
    pub(super) given: &'a ColumnNames,
    pub(super) body_part: Option<&'a str>,
    /// The lowest likelihood of a position.
    pub(super) likelihood: f64,
    /// The first row.
    pub(super) first: &'a [String],
}

impl Header<'_> {
    /// The columns of each layout that fits, in order of preference, or those that the header lacks.
    pub(super) fn plans(&self) -> Result<Vec<Plan>, Unfit> {
        let common = &LAYOUTS[LAYOUTS.len() - 1];
        let [x, y, z] = [Column::X, Column::Y, Column::Z].map(|column| self.given.template(column));
        if let (Some(x), Some(y)) = (x, y) {
            let animals = self.animals([x, y, z.unwrap_or(("", 1.0))], "");
            if animals.is_empty() {
                let message = format!("the header has no columns like `{}` and `{}`", x.0, y.0);
                return Err(Fault::from(message).into());
            }
            let plan = self.with_columns(common, animals)?;
            return Ok(vec![Plan { id: plan.id.filter(|_| self.given.has(Column::Id)), ..plan }]);
        }
        let has_given = self.given.has(Column::X) || self.given.has(Column::Y);
        let mut plans = Vec::new();
        for layout in LAYOUTS.iter().filter(|layout| self.fits(layout)) {
            let axes = [&layout.x, &layout.y, &layout.z].map(String::as_str);
            let choices = match layout.shape {
                Shape::Animal => self.animal(layout)?.into_iter().map(|animal| vec![animal]).collect(),
                _ if has_given => Vec::new(),
                _ => vec![self.animals(axes.map(|name| (name, 1.0)), &layout.likelihood)],
            };
            for animals in choices.into_iter().filter(|animals| !animals.is_empty()) {
                match self.with_columns(layout, animals) {
                    Ok(plan) => plans.push(plan),
                    Err(problem) if plans.is_empty() => return Err(problem),
                    Err(_) => {}
                }
            }
        }
        if !plans.is_empty() {
            return Ok(plans);
        }
        let known = [(Column::Id, &*common.id), (Column::Frame, &common.frame), (Column::X, ""), (Column::Y, "")];
        let mut lacking = Vec::new();
        for (column, known) in known {
            let is_time = column == Column::Frame && self.find(Column::Time, &common.time)?.is_some();
            if self.find(column, known)?.is_none() && !is_time {
                lacking.push(column);
            }
        }
        Err(Unfit::Lacking(lacking))
    }

    /// The columns of a layout without a header.
    pub(super) fn numbered_plan(&self, layout: &'static Layout) -> Option<Plan> {
        self.with_columns(layout, vec![self.animal(layout).ok()?.pop()?]).ok()
    }

    fn fits(&self, layout: &Layout) -> bool {
        // A row of all animals has no id.
        let mut ids = LAYOUTS[LAYOUTS.len() - 1].id.split_whitespace();
        let is_row_of_all = layout.shape != Shape::Animals || ids.all(|name| self.index(name).is_none());
        let mut marks = layout.marks.split_whitespace();
        layout.columns.is_none() && is_row_of_all && marks.all(|mark| self.names.iter().any(|name| name.is(mark)))
    }

    fn index(&self, known: &str) -> Option<usize> {
        let is_free = |name: &Name| !self.given.names(name);
        self.names.iter().position(|name| !known.is_empty() && name.is(known) && is_free(name))
    }

    /// The column that the user named, or the first of the known names that the header has.
    fn find(&self, column: Column, known: &'static str) -> Result<Option<ColumnPlace>, Fault> {
        let given = self.given.find(column.name(), self.names)?;
        Ok(given.or_else(|| known.split_whitespace().find_map(|name| self.place(name))))
    }

    /// The column with a known name, which may be followed by the key of a JSON object that the first row has.
    fn place(&self, known: &'static str) -> Option<ColumnPlace> {
        let Some((name, key)) = known.split_once('.') else { return self.index(known).map(ColumnPlace::new) };
        let index = self.index(name)?;
        let has_key = !value_of(self.first.get(index)?.as_bytes(), key).is_empty();
        has_key.then_some(ColumnPlace { key: Some(key), ..ColumnPlace::new(index) })
    }

    /// The first of the known columns of frames whose numbers are whole, or any without a time: a `step` may also be a length.
    fn whole(&self, known: &'static str, has_time: bool) -> Option<ColumnPlace> {
        let places = || known.split_whitespace().filter_map(|name| self.place(name));
        let may_be_whole = |place: &ColumnPlace| {
            let field = self.first.get(place.index);
            field.and_then(|field| number(field.as_bytes(), true)).is_none_or(|number| number.fract() == 0.0)
        };
        let any = || places().next().filter(|_| !has_time);
        places().find(may_be_whole).or_else(any)
    }

    /// The coordinates of the animal of a row: those that the user named, otherwise all pairs that belong together.
    fn animal(&self, layout: &'static Layout) -> Result<Vec<Coordinates>, Fault> {
        let [x, y, z] = [&layout.x, &layout.y, &layout.z].map(String::as_str);
        let together = x.split_whitespace().zip(y.split_whitespace()).enumerate();
        let z_of = |at: usize| self.place(z.split_whitespace().nth(at)?);
        let pairs = together.filter_map(|(at, (x, y))| Some([Some(self.place(x)?), Some(self.place(y)?), z_of(at)]));
        let mut positions: Vec<[Option<ColumnPlace>; 3]> = pairs.collect();
        positions.dedup();
        if positions.is_empty() && layout.program.is_empty() {
            positions.extend(self.tuple());
        }
        if positions.is_empty() {
            positions.push([self.find(Column::X, x)?, self.find(Column::Y, y)?, None]);
        }
        for (axis, column) in [Column::X, Column::Y, Column::Z].into_iter().enumerate() {
            if let Some(given) = self.given.find(column.name(), self.names)? {
                for position in &mut positions {
                    position[axis] = Some(given);
                }
            }
        }
        positions.dedup();
        positions.retain(|position| position[0].is_some() && position[1].is_some());
        let two = |names: &'static str| {
            names.split_once(' ').and_then(|(one, other)| Some([self.place(one)?, self.place(other)?]))
        };
        let (size, corner) = (two(&layout.size), two(&layout.corner));
        Ok(positions
            .into_iter()
            .map(|position| Coordinates { animal: None, position, likelihood: None, size, corner })
            .collect())
    }

    /// The coordinates in one column, as in `(1.5, 2)`.
    fn tuple(&self) -> Option<[Option<ColumnPlace>; 3]> {
        let index = TUPLES.split(' ').find_map(|name| self.index(name))?;
        let count = numbers_of(self.first.get(index)?.as_bytes()).count();
        let place = |part| ColumnPlace { part, ..ColumnPlace::new(index) };
        (2..=3).contains(&count).then(|| [Some(place(1)), Some(place(2)), (count == 3).then(|| place(3))])
    }

    /// The coordinates of each animal or body part of a row, whose names are like those of the axes, which have signs, and of the likelihood.
    fn animals(&self, axes: [(&str, f64); 3], likelihood: &str) -> Vec<Coordinates> {
        let columns = |template: &str| -> HashMap<String, usize> {
            let keys = self.names.iter().enumerate().rev();
            keys.filter_map(|(index, name)| Some((name.key(template)?.to_ascii_lowercase(), index))).collect()
        };
        let (positions, likelihoods) = (axes.map(|(template, sign)| (columns(template), sign)), columns(likelihood));
        let coordinates = |name: &Name| {
            let animal = name.key(axes[0].0)?;
            let key = animal.to_ascii_lowercase();
            let place = |(columns, sign): &(HashMap<String, usize>, f64)| {
                columns.get(&key).map(|index| ColumnPlace { sign: *sign, ..ColumnPlace::new(*index) })
            };
            let position = positions.each_ref().map(place);
            let likelihood = likelihoods.get(&key).copied();
            position[1].map(|_| Coordinates { animal: Some(animal), position, likelihood, size: None, corner: None })
        };
        self.names.iter().filter_map(coordinates).collect()
    }

    fn with_columns(&self, layout: &'static Layout, animals: Vec<Coordinates>) -> Result<Plan, Unfit> {
        use Column::{Bank, Frame, Id, Kind, Mood, Tick, Time, Vx, Vy, Vz};
        let find = |column, known| self.find(column, known);
        let time = find(Time, &layout.time)?;
        let mut plan = Plan {
            layout,
            id: find(Id, &layout.id)?,
            empty_id: None,
            frame: match find(if self.given.has(Frame) { Frame } else { Tick }, "")? {
                None => self.whole(&layout.frame, time.is_some()),
                given => given,
            },
            time,
            date: None,
            animals,
            velocity: None,
            kind: find(Kind, "kind")?,
            mood: None,
            bank: None,
            hidden: layout.hidden.split_whitespace().filter_map(|mark| self.hidden(mark)).collect(),
            body_part: None,
            are_degrees: false,
            unit: None,
            notes: Vec::new(),
        };
        // Other programs use these names with other meanings.
        let is_own = OWN.iter().all(|column| self.index(column.name()).is_some());
        let own = |column: Column| find(column, if is_own { column.name() } else { "" });
        (plan.mood, plan.bank) = (own(Mood)?, own(Bank)?);
        let date = || DATES.split_whitespace().find_map(|name| self.index(name)).map(ColumnPlace::new);
        plan.date = self.given.find(DATE, self.names)?.or_else(date);
        if plan.time.is_none() {
            plan.time = plan.date.take();
        }
        if layout.shape == Shape::BodyParts {
            self.select_body_part(&mut plan)?;
        } else if let Some(part) = self.body_part {
            let message = format!("the columns have no body parts, such as `{}`", part.escape_debug());
            let option = ReadOption::Columns("x=NAME,y=NAME".to_owned());
            return Err(Fault::with_help(message, option, "names the columns").into());
        }
        let [x, y, _] = plan.animals[0].position;
        let name = |place: Option<ColumnPlace>| place.map(|place| &self.names[place.index]);
        let is_degree = |place: Option<ColumnPlace>, known: &str| name(place).is_some_and(|name| name.has_word(known));
        plan.are_degrees = is_degree(x, DEGREES[0]) && is_degree(y, DEGREES[1]);
        let named = name(x).and_then(|name| name.unit.clone());
        plan.unit = named.or((!layout.unit.is_empty()).then(|| layout.unit.clone()));
        if let (Shape::Animal, [Coordinates { position, .. }]) = (layout.shape, &plan.animals[..]) {
            plan.velocity = velocity([find(Vx, "vx")?, find(Vy, "vy")?, find(Vz, "vz")?], position);
        }
        self.check(&mut plan)?;
        Ok(plan)
    }

    /// The column of a mark such as `visible=false`.
    fn hidden(&self, mark: &'static str) -> Option<(ColumnPlace, &'static str)> {
        let (name, value) = mark.split_once('=')?;
        Some((self.place(name)?, value))
    }

    /// Keeps the body part that the user chose, or the first one.
    fn select_body_part(&self, plan: &mut Plan) -> Result<(), Fault> {
        let split = |name: &str| match name.split_once('\u{1f}') {
            Some((animal, part)) => (Some(animal.to_owned()), part.to_owned()),
            None => (None, name.to_owned()),
        };
        let keys: Vec<(Option<String>, String)> =
            plan.animals.iter().map(|animal| split(animal.animal.as_deref().unwrap_or_default())).collect();
        let mut parts: Vec<&str> = Vec::new();
        for (_, part) in &keys {
            if !parts.contains(&&**part) {
                parts.push(part);
            }
        }
        let chosen = match self.body_part {
            Some(part) if !parts.contains(&part) => {
                let expected = parts.join(", ");
                return Err(format!("the file has no body part `{}`; expected {expected}", part.escape_debug()).into());
            }
            part => part.unwrap_or(parts[0]).to_owned(),
        };
        let count = parts.len();
        plan.body_part = Some(chosen.clone());
        let mut found = keys.iter();
        plan.animals.retain_mut(|coordinates| {
            let Some((animal, part)) = found.next() else { return false };
            coordinates.animal.clone_from(animal);
            *part == chosen
        });
        if plan.animals.len() > 1 {
            plan.notes.push(format!("{} animals", plan.animals.len()).into());
        }
        plan.notes.push(if count > 1 && self.body_part.is_none() {
            let option = ReadOption::BodyPart("NAME".to_owned());
            Note::with_help(format!("body part {chosen} of {count}"), option, "chooses another")
        } else {
            format!("body part {chosen}").into()
        });
        if plan.animals.iter().any(|animal| animal.likelihood.is_some()) {
            plan.notes.push(format!("likelihood from {}", self.likelihood).into());
        }
        Ok(())
    }

    /// Fails if a column is missing, and notes doubtful ones.
    fn check(&self, plan: &mut Plan) -> Result<(), Unfit> {
        let has_frames = plan.frame.is_some() || plan.time.is_some();
        let is_named = plan.id.is_some() || plan.animals[0].animal.is_some();
        let has_others = self.names.len() > plan.animals[0].position.iter().flatten().count();
        // A row of all animals is a frame, and so is a row of one without other columns.
        if !has_frames && plan.id.is_some() {
            return Err(Unfit::Lacking(vec![Column::Frame]));
        }
        if !has_frames && !is_named && has_others {
            return Err(Unfit::Lacking(vec![Column::Id, Column::Frame]));
        }
        if !is_named && plan.layout.program.is_empty() {
            let option = ReadOption::Columns("id=NAME".to_owned());
            let text = "no column identifies animals, so each file is one animal";
            plan.notes.push(Note::with_help(text, option, "selects a column"));
        }
        let is_lonely = |name: &&Name| name.key("x#").is_some_and(|key| self.index(&format!("y{key}")).is_none());
        if let Some(name) = self.names.iter().find(is_lonely).filter(|_| plan.layout.shape == Shape::Animals) {
            plan.notes.push(format!("`{}` has no column of y", name.text).into());
        }
        let others: Vec<&str> = match plan.id.filter(|_| !self.given.has(Column::Id) && plan.layout.program.is_empty())
        {
            Some(id) => {
                let known = LAYOUTS[LAYOUTS.len() - 1].id.split_whitespace();
                let others = known.filter_map(|name| self.index(name)).filter(|index| *index != id.index);
                others.map(|index| &*self.names[index].text).collect()
            }
            None => Vec::new(),
        };
        if let (Some(id), [_, ..]) = (plan.id, &others[..]) {
            let (id, others) = (&self.names[id.index].text, others.join("`, `"));
            let option = ReadOption::Columns("id=NAME".to_owned());
            let text = format!("the animal is `{id}`, not `{others}`");
            plan.notes.push(Note::with_help(text, option, "chooses another"));
        }
        let mut texts: Vec<&str> = self.names.iter().map(|name| &*name.text).filter(|text| !text.is_empty()).collect();
        texts.sort_unstable();
        let count = texts.windows(2).filter(|pair| pair[0] == pair[1]).count();
        if let Some(pair) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
            let more = if count > 1 { format!(" ({count} such names)") } else { String::new() };
            let name = pair[0].escape_debug();
            plan.notes.push(format!("the column `{name}` occurs twice, and the first one counts{more}").into());
        }
        Ok(())
    }
}

/// The velocity, if it has all axes. A mirrored axis mirrors velocities, too.
fn velocity(
    velocity: [Option<ColumnPlace>; 3],
    position: &[Option<ColumnPlace>; 3],
) -> Option<[Option<ColumnPlace>; 3]> {
    let is_complete =
        velocity.iter().zip(position).all(|(velocity, position)| velocity.is_some() || position.is_none());
    let signed = |axis: usize| {
        let sign = position[axis].map_or(1.0, |place| place.sign);
        velocity[axis].map(|place| ColumnPlace { sign: place.sign * sign, ..place })
    };
    is_complete.then(|| [0, 1, 2].map(signed))
}
