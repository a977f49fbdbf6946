//! From a header and the table of layouts to plans.

use std::collections::HashSet;

use super::column_names::{ColumnPlace, DATE, Name, OF_ANIMAL};
use super::dates::is_digits_of_date;
use super::fields::number;
use super::header::Header;
use super::layouts::{LAYOUTS, Layout, Shape};
use super::plan::{Coordinates, Plan};
use super::proposals::partners;
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

/// The columns of each layout that fits, in order of preference, or those that the header lacks.
pub(super) fn plans(header: &Header<'_>) -> Result<Vec<Plan>, Unfit> {
    let common = Layout::common();
    let [x, y, z] = [Column::X, Column::Y, Column::Z].map(|column| header.given.template(column));
    if let (Some(x), Some(y)) = (x, y) {
        let axes = [x, y, z.unwrap_or(("", 1.0))];
        let animals = header.animals(axes, "");
        if animals.is_empty() {
            let message = format!("the header has no columns like `{}` and `{}`", x.0, y.0);
            return Err(Fault::from(message).into());
        }
        let mut plan = with_columns(header, common, animals)?;
        plan.templates = Some(axes.map(|(template, _)| template.to_owned()));
        return Ok(vec![Plan { id: plan.id.filter(|_| header.given.has(Column::Id)), ..plan }]);
    }
    // The names of animals are in a row above.
    let of_animals = ["x", "y", "z"].map(|axis| format!("*{OF_ANIMAL}{axis}"));
    let animals = header.animals(of_animals.each_ref().map(|template| (&**template, 1.0)), "");
    if !animals.is_empty() {
        let names = animals.iter().filter_map(|animal| animal.animal.as_deref()).collect::<Vec<_>>().join(", ");
        let mut plan = with_columns(header, common, animals)?;
        plan.notes.insert(0, format!("{} animals, named above their columns: {names}", plan.animals.len()).into());
        return Ok(vec![plan]);
    }
    let has_given = header.given.has(Column::X) || header.given.has(Column::Y);
    let mut plans = Vec::new();
    for layout in LAYOUTS.iter().filter(|layout| header.fits(layout)) {
        let axes = [&layout.x, &layout.y, &layout.z].map(String::as_str);
        let choices = match layout.shape {
            Shape::Animal => header.animal(layout)?.into_iter().map(|animal| vec![animal]).collect(),
            _ if has_given => Vec::new(),
            _ => vec![header.animals(axes.map(|name| (name, 1.0)), &layout.likelihood)],
        };
        for animals in choices.into_iter().filter(|animals| !animals.is_empty()) {
            match with_columns(header, layout, animals) {
                Ok(plan) => plans.push(plan),
                // Layouts are in order of preference, so the first one names the missing columns.
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
        let is_time = column == Column::Frame && header.find(Column::Time, &common.time)?.is_some();
        if header.find(column, known)?.is_none() && !is_time {
            lacking.push(column);
        }
    }
    Err(Unfit::Lacking(lacking))
}

/// The columns of a layout without a header.
pub(super) fn numbered_plan(header: &Header<'_>, layout: &'static Layout) -> Option<Plan> {
    with_columns(header, layout, vec![header.animal(layout).ok()?.pop()?]).ok()
}

fn with_columns(header: &Header<'_>, layout: &'static Layout, animals: Vec<Coordinates>) -> Result<Plan, Unfit> {
    use Column::{Bank, Frame, Id, Kind, Mood, Tick, Time, Vx, Vy, Vz};
    // What a layout lacks has the names that many programs use.
    let common = Layout::common();
    let find = |column, known| header.find(column, known);
    let find_in = |column, known, common| Ok::<_, Fault>(find(column, known)?.or(find(column, common)?));
    let time = find_in(Time, &layout.time, &common.time)?;
    let frame = find(if header.given.has(Frame) { Frame } else { Tick }, "")?;
    let mut whole = [&layout.frame, &common.frame].into_iter().filter_map(|known| header.whole(known, time.is_some()));
    let frame = frame.or_else(|| whole.next());
    let has_id = layout.shape == Shape::Animal && animals[0].animal.is_none();
    let mut plan = Plan {
        layout,
        id: find_in(Id, &layout.id, if has_id { &common.id } else { "" })?,
        empty_id: None,
        frame,
        time: time.filter(|time| frame.is_none_or(|frame| frame.index != time.index)),
        date: None,
        animals,
        templates: None,
        velocity: None,
        kind: find(Kind, "kind")?,
        mood: None,
        bank: None,
        hidden: layout.hidden.split_whitespace().filter_map(|mark| header.hidden(mark)).collect(),
        parts: Vec::new(),
        body_part: None,
        part: None,
        are_degrees: false,
        unit: None,
        notes: Vec::new(),
    };
    // Other programs use these names with other meanings.
    let is_own = OWN.iter().all(|column| header.index(column.name()).is_some());
    let own = |column: Column| find(column, if is_own { column.name() } else { "" });
    (plan.mood, plan.bank) = (own(Mood)?, own(Bank)?);
    if let (Shape::Animal, [Coordinates { position, .. }]) = (layout.shape, &plan.animals[..]) {
        plan.velocity = velocity(header, [own(Vx)?, own(Vy)?, own(Vz)?], position)?;
    }
    set_date(header, &mut plan)?;
    set_body_part(header, &mut plan)?;
    set_unit(header, &mut plan)?;
    check(header, &mut plan)?;
    note_doubts(header, &mut plan);
    Ok(plan)
}

/// Finds the days of times of the day.
fn set_date(header: &Header<'_>, plan: &mut Plan) -> Result<(), Fault> {
    let mut known = DATES.split_whitespace().filter_map(|name| header.index(name)).map(ColumnPlace::new);
    plan.date = header.given.find(DATE, header.names)?.or_else(|| known.next());
    if plan.time.is_none() {
        plan.time = plan.date.take();
    }
    let time = plan.time.filter(|time| {
        let field = header.first.get(time.index).filter(|_| plan.frame.is_none());
        field.is_some_and(|field| number(field.as_bytes(), true).is_some())
    });
    if let (Some(date), Some(time)) = (plan.date, time)
        && !header.given.has_date()
        && !header.first.get(date.index).is_some_and(|day| is_digits_of_date(day.as_bytes()))
    {
        let [date, time] = [date, time].map(|place| &header.names[place.index].text);
        let option = ReadOption::Columns(format!("date={date},time={time}"));
        plan.notes.push(Note::with_help(format!("`{date}` is not read"), option, "adds its day to the times"));
        plan.date = None;
    }
    Ok(())
}

/// Which unit and direction the names of coordinates imply.
fn set_unit(header: &Header<'_>, plan: &mut Plan) -> Result<(), Fault> {
    let [x, y, _] = plan.animals[0].position.map(|place| place.map(|place| &header.names[place.index]));
    let are = |known: [&str; 2]| {
        [x, y].into_iter().zip(known).all(|(name, known)| name.is_some_and(|name| name.has_word(known)))
    };
    let has_north = are(METERS) && !header.given.has(Column::Y);
    plan.are_degrees = are(DEGREES);
    let named = x.and_then(|name| name.unit.clone());
    let known = if are(METERS) { "m" } else { &plan.layout.unit };
    plan.unit = named.or((!known.is_empty()).then(|| known.to_owned()));
    for place in plan.animals.iter_mut().flat_map(|animal| &mut animal.position).flatten() {
        let name = &header.names[place.index];
        // Recordings have y downward, as videos and screens do.
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
            plan.notes
                .push(format!("`{}` is converted to {}", name.text, plan.unit.as_deref().unwrap_or_default()).into());
        }
    }
    if has_north {
        plan.notes.push(format!("north is up: {}", plan.columns(header.names).join(", ")).into());
    }
    Ok(())
}

/// Keeps the body part that the user chose, or the first one.
fn set_body_part(header: &Header<'_>, plan: &mut Plan) -> Result<(), Fault> {
    let split = |animal: &Coordinates| match animal.animal.as_deref().unwrap_or_default().split_once(OF_ANIMAL) {
        Some((animal, part)) => (Some(animal.to_owned()), part.to_owned()),
        None => (None, animal.animal.clone().unwrap_or_default()),
    };
    if plan.layout.shape == Shape::BodyParts {
        plan.parts = plan.animals.iter().map(|animal| split(animal).1).collect();
        let mut known = HashSet::new();
        plan.parts.retain(|part| known.insert(part.clone()));
    } else if let Some(column) = PARTS.split(' ').find_map(|name| header.index(name)) {
        plan.parts = (header.values)(column);
        plan.part = Some(ColumnPlace::new(column)).filter(|_| plan.parts.len() > 1 || header.body_part.is_some());
    }
    let chosen = match header.body_part {
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
        plan.notes.push(format!("likelihood from {}", header.likelihood).into());
    }
    plan.body_part = chosen;
    Ok(())
}

/// Whether a column may have animals, frames or times: text, whole numbers, or numbers that rise.
fn may_count(header: &Header<'_>, column: usize) -> bool {
    let values = (header.values)(column);
    let numbers: Option<Vec<f64>> = values.iter().map(|value| number(value.as_bytes(), true)).collect();
    let Some(numbers) = numbers else { return true };
    let are_whole = numbers.iter().all(|number| number.fract() == 0.0);
    numbers.len() > 1 && (are_whole || numbers.windows(2).all(|pair| pair[0] < pair[1]))
}

/// Fails if a column is missing or occurs several times.
fn check(header: &Header<'_>, plan: &mut Plan) -> Result<(), Unfit> {
    let has_frames = plan.frame.is_some() || plan.time.is_some();
    let is_named = plan.id.is_some() || plan.animals[0].animal.is_some();
    if !has_frames && plan.id.is_some() {
        return Err(Unfit::Lacking(vec![Column::Frame]));
    }
    if !plan.layout.corner.is_empty() && plan.id.is_none() {
        return Err(Unfit::Lacking(vec![Column::Id]));
    }
    let used: Vec<usize> = plan.places().map(|place| place.index).collect();
    let mut others = (0..header.names.len()).filter(|column| !used.contains(column)).peekable();
    if !has_frames && !is_named && others.peek().is_some() {
        if others.any(|column| may_count(header, column)) {
            return Err(Unfit::Lacking(vec![Column::Id, Column::Frame]));
        }
        let option = ReadOption::Columns("time=NAME".to_owned());
        let text = "no column has frames or times, so each row is a frame";
        plan.notes.push(Note::with_help(text, option, "names one"));
    }
    let [x, y, _] = plan.animals[0].position.map(|place| place.map(|place| &header.names[place.index]));
    let repeats = |of: &Name| header.names.iter().filter(|name| name.is_like(of)).count() > 1;
    if let (None, false, Some(x), Some(y)) = (&plan.animals[0].animal, header.given.has(Column::X), x, y)
        && x != y
        && repeats(x)
        && repeats(y)
    {
        let (x, y) = (&x.text, &y.text);
        let message = format!(
            "the columns `{x}` and `{y}` occur several times, and no row above names their animals; expected a name for each, such as \
             x1,y1,x2,y2"
        );
        return Err(Fault::from(message).into());
    }
    Ok(())
}

/// Notes doubtful columns.
fn note_doubts(header: &Header<'_>, plan: &mut Plan) {
    if plan.id.is_none() && plan.animals[0].animal.is_none() && plan.layout.program.is_empty() {
        let option = ReadOption::Columns("id=NAME".to_owned());
        let text = "no column identifies animals, so each file is one animal";
        plan.notes.push(Note::with_help(text, option, "selects a column"));
        let others =
            partners(header.names).filter(|(x, _)| plan.places().all(|place| header.names[place.index] != **x));
        let others: Vec<&str> = others.map(|(x, _)| &*x.text).collect();
        if !others.is_empty() {
            plan.notes.push(format!("other coordinates are not read: {}", others.join(", ")).into());
        }
    }
    if plan.layout.shape == Shape::Animals && header.index("x").is_some() && header.index("y").is_some() {
        plan.notes.push("`x` and `y` are not read".to_owned().into());
    }
    let mut of_x = header.names.iter().filter_map(|name| Some((name, name.key("x#")?)));
    let lonely = of_x.find(|(_, key)| header.index(&format!("y{key}")).is_none());
    if let Some((name, _)) = lonely.filter(|_| plan.layout.shape == Shape::Animals) {
        plan.notes.push(format!("`{}` has no column of y", name.text).into());
    }
    let others: Vec<&str> = match plan.id.filter(|_| !header.given.has(Column::Id) && plan.layout.program.is_empty()) {
        Some(id) => {
            let known = Layout::common().id.split_whitespace();
            let others = known.filter_map(|name| header.index(name)).filter(|index| *index != id.index);
            others.map(|index| &*header.names[index].text).collect()
        }
        None => Vec::new(),
    };
    if let (Some(id), [_, ..]) = (plan.id, &others[..]) {
        let (id, others) = (&header.names[id.index].text, others.join("`, `"));
        let option = ReadOption::Columns("id=NAME".to_owned());
        let text = format!("the animal is `{id}`, not `{others}`");
        plan.notes.push(Note::with_help(text, option, "chooses another"));
    }
    let mut twice: Vec<&str> = plan.places().map(|place| &*header.names[place.index].text).collect();
    twice.retain(|text| header.names.iter().filter(|name| name.text == *text).count() > 1);
    twice.dedup();
    if let Some(first) = twice.first() {
        let more = if twice.len() > 1 { format!(" ({} such names)", twice.len()) } else { String::new() };
        let name = first.escape_debug();
        plan.notes.push(format!("the column `{name}` occurs twice, and the first one counts{more}").into());
    }
}

/// The velocity, if it has all axes. A mirrored axis mirrors velocities, too.
///
/// # Errors
///
/// If it is per second.
fn velocity(
    header: &Header<'_>,
    velocity: [Option<ColumnPlace>; 3],
    position: &[Option<ColumnPlace>; 3],
) -> Result<Option<[Option<ColumnPlace>; 3]>, Fault> {
    let is_complete =
        velocity.iter().zip(position).all(|(velocity, position)| velocity.is_some() || position.is_none());
    let mut names = velocity.iter().flatten().map(|place| &header.names[place.index]);
    let per_second = names.find(|name| name.unit.as_ref().is_some_and(|unit| unit.ends_with("/s")));
    if let Some(name) = per_second {
        return Err(format!("`{}` is per second; expected velocities per frame, or none", name.text).into());
    }
    let mirrored = [0, 1, 2].map(|axis| {
        let factor = position[axis].map_or(1.0, |place| place.factor);
        velocity[axis].map(|place| ColumnPlace { factor: place.factor * factor, ..place })
    });
    Ok(is_complete.then_some(mirrored))
}
