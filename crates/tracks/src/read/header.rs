//! From the header of a text file and the table of layouts to the columns of its values.

use std::collections::{HashMap, HashSet};

use super::column_names::{ColumnNames, ColumnPlace, DATE, Name, OF_ANIMAL};
use super::fields::{number, numbers_of, value_of};
use super::layouts::{LAYOUTS, Layout, Shape};
use super::plan::{Coordinates, Plan};
use crate::error::{Fault, Note, ReadOption};
use crate::read::states::Column;
use crate::values::meters_of;

/// The columns of a file that `run` writes, whose other columns are its own.
const OWN: [Column; 4] = [Column::Tick, Column::Kind, Column::Vx, Column::Vy];
/// The columns of a date beside one of the time of day.
const DATES: &str = "date utc_date gps_date day_date";
/// The names that make x and y longitude and latitude …
const DEGREES: [&str; 2] = ["longitude lon long lng", "latitude lat"];
/// … or meters to the east and to the north.
const METERS: [&str; 2] = ["easting east eastings utm utmx", "northing north northings utm utmy"];
/// Columns of body parts, if each has its own row.
const PARTS: &str = "keypoint keypoint_name key_point bodypart bodypart_name body_part body_point node_name landmark";
/// Columns of whole positions.
const TUPLES: &str = "pos position coordinates coords location loc";
/// The likelihood below which `DeepLabCut` plots no position.
pub(crate) const LIKELIHOOD: f64 = 0.6;

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
    /// The different values of a column in the first rows.
    pub(super) values: &'a dyn Fn(usize) -> Vec<String>,
}

impl Header<'_> {
    /// The columns of each layout that fits, in order of preference, or those that the header lacks.
    pub(super) fn plans(&self) -> Result<Vec<Plan>, Unfit> {
        let common = &LAYOUTS[LAYOUTS.len() - 1];
        let [x, y, z] = [Column::X, Column::Y, Column::Z].map(|column| self.given.template(column));
        if let (Some(x), Some(y)) = (x, y) {
            let axes = [x, y, z.unwrap_or(("", 1.0))];
            let animals = self.animals(axes, "");
            if animals.is_empty() {
                let message = format!("the header has no columns like `{}` and `{}`", x.0, y.0);
                return Err(Fault::from(message).into());
            }
            let mut plan = self.with_columns(common, animals)?;
            plan.templates = Some(axes.map(|(template, _)| template.to_owned()));
            return Ok(vec![Plan { id: plan.id.filter(|_| self.given.has(Column::Id)), ..plan }]);
        }
        // The names of animals are in a row above.
        let of_animals = ["x", "y", "z"].map(|axis| format!("*{OF_ANIMAL}{axis}"));
        let animals = self.animals(of_animals.each_ref().map(|template| (&**template, 1.0)), "");
        if !animals.is_empty() {
            let names = animals.iter().filter_map(|animal| animal.animal.as_deref()).collect::<Vec<_>>().join(", ");
            let mut plan = self.with_columns(common, animals)?;
            plan.notes.insert(0, format!("{} animals, named above their columns: {names}", plan.animals.len()).into());
            return Ok(vec![plan]);
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
        let has = |mark: &str| self.names.iter().any(|name| name.is(mark));
        let (mut marks, mut beside) = (layout.marks.split_whitespace(), layout.beside.split_whitespace());
        layout.columns.is_none() && is_row_of_all && marks.all(has) && (layout.beside.is_empty() || beside.any(has))
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
                columns.get(&key).map(|index| ColumnPlace { factor: *sign, ..ColumnPlace::new(*index) })
            };
            let position = positions.each_ref().map(place);
            let likelihood = likelihoods.get(&key).copied();
            position[1].map(|_| Coordinates { animal: Some(animal), position, likelihood, size: None, corner: None })
        };
        self.names.iter().filter_map(coordinates).collect()
    }

    fn with_columns(&self, layout: &'static Layout, animals: Vec<Coordinates>) -> Result<Plan, Unfit> {
        use Column::{Bank, Frame, Id, Kind, Mood, Tick, Time, Vx, Vy, Vz};
        // What a layout lacks has the names that many programs use.
        let common = &LAYOUTS[LAYOUTS.len() - 1];
        let find = |column, known| self.find(column, known);
        let find_in = |column, known, common| Ok::<_, Fault>(find(column, known)?.or(find(column, common)?));
        let time = find_in(Time, &layout.time, &common.time)?;
        let whole = || self.whole(&layout.frame, time.is_some()).or_else(|| self.whole(&common.frame, time.is_some()));
        let frame = find(if self.given.has(Frame) { Frame } else { Tick }, "")?.or_else(whole);
        let is_frame = |place: &ColumnPlace| frame.is_some_and(|frame| frame.index == place.index);
        let has_id = layout.shape == Shape::Animal && animals[0].animal.is_none();
        let mut plan = Plan {
            layout,
            id: find_in(Id, &layout.id, if has_id { &common.id } else { "" })?,
            empty_id: None,
            frame,
            time: time.filter(|time| !is_frame(time)),
            date: None,
            animals,
            templates: None,
            velocity: None,
            kind: find(Kind, "kind")?,
            mood: None,
            bank: None,
            hidden: layout.hidden.split_whitespace().filter_map(|mark| self.hidden(mark)).collect(),
            parts: Vec::new(),
            body_part: None,
            part: None,
            are_degrees: false,
            unit: None,
            notes: Vec::new(),
        };
        // Other programs use these names with other meanings.
        let is_own = OWN.iter().all(|column| self.index(column.name()).is_some());
        let own = |column: Column| find(column, if is_own { column.name() } else { "" });
        (plan.mood, plan.bank) = (own(Mood)?, own(Bank)?);
        if let (Shape::Animal, [Coordinates { position, .. }]) = (layout.shape, &plan.animals[..]) {
            plan.velocity = velocity([own(Vx)?, own(Vy)?, own(Vz)?], position);
        }
        let per_second =
            |place: &ColumnPlace| self.names[place.index].unit.as_ref().is_some_and(|unit| unit.ends_with("/s"));
        if let Some(place) = plan.velocity.iter().flatten().flatten().find(|place| per_second(place)) {
            let name = &self.names[place.index].text;
            return Err(Fault::from(format!("`{name}` is per second; expected velocities per frame, or none")).into());
        }
        let date = || DATES.split_whitespace().find_map(|name| self.index(name)).map(ColumnPlace::new);
        plan.date = self.given.find(DATE, self.names)?.or_else(date);
        if plan.time.is_none() {
            plan.time = plan.date.take();
        }
        self.set_body_part(&mut plan)?;
        self.set_unit(&mut plan)?;
        self.check(&mut plan)?;
        Ok(plan)
    }

    /// Which unit and direction the names of coordinates imply.
    fn set_unit(&self, plan: &mut Plan) -> Result<(), Fault> {
        let [x, y, _] = plan.animals[0].position.map(|place| place.map(|place| &self.names[place.index]));
        let are = |known: [&str; 2]| {
            [x, y].into_iter().zip(known).all(|(name, known)| name.is_some_and(|name| name.has_word(known)))
        };
        let has_north = are(METERS) && !self.given.has(Column::Y);
        plan.are_degrees = are(DEGREES);
        let named = x.and_then(|name| name.unit.clone());
        let known = if are(METERS) { "m" } else { &plan.layout.unit };
        plan.unit = named.or((!known.is_empty()).then(|| known.to_owned()));
        for place in plan.animals.iter_mut().flat_map(|animal| &mut animal.position).flatten() {
            let name = &self.names[place.index];
            if has_north && name.has_word(METERS[1]) && Some(name) == y {
                place.factor = -1.0;
            }
            let (Some(of_axis), Some(of_all)) = (&name.unit, &plan.unit) else { continue };
            if of_axis.eq_ignore_ascii_case(of_all) {
                continue;
            }
            let (Some(size), Some(of_all)) = (meters_of(of_axis), meters_of(of_all)) else {
                return Err(
                    format!("`{}` is not in {of_all} as other coordinates; expected the same unit", name.text).into()
                );
            };
            if size != of_all {
                place.factor *= size / of_all;
                plan.notes.push(
                    format!("`{}` is converted to {}", name.text, plan.unit.as_deref().unwrap_or_default()).into(),
                );
            }
        }
        if has_north {
            plan.notes.push(format!("north is up: {}", plan.columns(self.names).join(", ")).into());
        }
        Ok(())
    }

    /// The column of a mark such as `visible=false`.
    fn hidden(&self, mark: &'static str) -> Option<(ColumnPlace, &'static str)> {
        let (name, value) = mark.split_once('=')?;
        Some((self.place(name)?, value))
    }

    /// Keeps the body part that the user chose, or the first one.
    fn set_body_part(&self, plan: &mut Plan) -> Result<(), Fault> {
        let split = |animal: &Coordinates| match animal.animal.as_deref().unwrap_or_default().split_once(OF_ANIMAL) {
            Some((animal, part)) => (Some(animal.to_owned()), part.to_owned()),
            None => (None, animal.animal.clone().unwrap_or_default()),
        };
        if plan.layout.shape == Shape::BodyParts {
            plan.parts = plan.animals.iter().map(|animal| split(animal).1).collect();
            let mut known = HashSet::new();
            plan.parts.retain(|part| known.insert(part.clone()));
        } else if let Some(column) = PARTS.split(' ').find_map(|name| self.index(name)) {
            plan.parts = (self.values)(column);
            plan.part = Some(ColumnPlace::new(column)).filter(|_| plan.parts.len() > 1 || self.body_part.is_some());
        }
        let chosen = match self.body_part {
            Some(part) if plan.parts.is_empty() => {
                let message = format!("the columns have no body parts, such as `{}`", part.escape_debug());
                let option = ReadOption::Columns("x=NAME,y=NAME".to_owned());
                return Err(Fault::with_help(message, option, "names the columns"));
            }
            Some(part) if !plan.parts.iter().any(|known| known == part) => {
                let message = format!("the file has no body part `{}`", part.escape_debug());
                return Err(Fault::unknown(message, part, plan.parts.iter().map(String::as_str)));
            }
            part => part.or(plan.parts.first().map(String::as_str)).map(str::to_owned),
        };
        if plan.layout.shape == Shape::BodyParts {
            plan.animals.retain_mut(|coordinates| {
                let (animal, part) = split(coordinates);
                coordinates.animal = animal;
                Some(part) == chosen
            });
        }
        if plan.animals.len() > 1 && !plan.parts.is_empty() {
            plan.notes.push(format!("{} animals", plan.animals.len()).into());
        }
        if plan.animals.iter().any(|animal| animal.likelihood.is_some()) {
            plan.notes.push(format!("likelihood from {}", self.likelihood).into());
        }
        plan.body_part = chosen;
        Ok(())
    }

    /// Whether a column may have animals, frames or times: text, whole numbers, or numbers that rise.
    fn may_count(&self, column: usize) -> bool {
        let values = (self.values)(column);
        let numbers: Option<Vec<f64>> = values.iter().map(|value| number(value.as_bytes(), true)).collect();
        let Some(numbers) = numbers else { return true };
        let are_whole = numbers.iter().all(|number| number.fract() == 0.0);
        numbers.len() > 1 && (are_whole || numbers.windows(2).all(|pair| pair[0] < pair[1]))
    }

    /// Fails if a column is missing, and notes doubtful ones.
    fn check(&self, plan: &mut Plan) -> Result<(), Unfit> {
        let has_frames = plan.frame.is_some() || plan.time.is_some();
        let is_named = plan.id.is_some() || plan.animals[0].animal.is_some();
        if !has_frames && plan.id.is_some() {
            return Err(Unfit::Lacking(vec![Column::Frame]));
        }
        if !plan.layout.corner.is_empty() && plan.id.is_none() {
            return Err(Unfit::Lacking(vec![Column::Id]));
        }
        let used: Vec<usize> = plan.places().map(|place| place.index).collect();
        let mut others = (0..self.names.len()).filter(|column| !used.contains(column)).peekable();
        if !has_frames && !is_named && others.peek().is_some() {
            if others.any(|column| self.may_count(column)) {
                return Err(Unfit::Lacking(vec![Column::Id, Column::Frame]));
            }
            let option = ReadOption::Columns("time=NAME".to_owned());
            let text = "no column has frames or times, so each row is a frame";
            plan.notes.push(Note::with_help(text, option, "names one"));
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
        let repeats = |axis: &str| self.names.iter().filter(|name| name.is(axis)).count() > 1;
        if plan.animals[0].animal.is_none() && repeats("x") && repeats("y") {
            let message = "the columns `x` and `y` occur several times, and no row above names their animals; expected a name for each, \
                           such as x1,y1,x2,y2";
            return Err(Fault::from(message).into());
        }
        let occurs = |text: &str| self.names.iter().filter(|name| name.text == text).count();
        let mut twice: Vec<&str> = plan.places().map(|place| &*self.names[place.index].text).collect();
        twice.retain(|text| occurs(text) > 1);
        twice.dedup();
        if let Some(first) = twice.first() {
            let more = if twice.len() > 1 { format!(" ({} such names)", twice.len()) } else { String::new() };
            let name = first.escape_debug();
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
    let mirrored = |axis: usize| {
        let factor = position[axis].map_or(1.0, |place| place.factor);
        velocity[axis].map(|place| ColumnPlace { factor: place.factor * factor, ..place })
    };
    is_complete.then(|| [0, 1, 2].map(mirrored))
}
