//! From observations to a recording: frames, world, velocities, and the parameters that measures and pictures use.

use std::ops::RangeInclusive;
use std::path::Path;

use strum::VariantArray;

use super::clock::FrameClock;
use super::header::LIKELIHOOD;
use super::lost::lost;
use super::metadata::{Sidecar, SimulatedFlock};
use super::notes::doubts;
use super::projection;
use super::sample::FILLERS;
use super::{DEGREES, ReadOptions};
use crate::error::{Error, Fault, Note, ReadOption};
use crate::read::observations::{Observations, RowProblem};
use crate::recording::{RecordedState, Recording, typical_params};
use crate::text::counted;
use crate::text::is_unprintable;
use crate::values::TimeUnit;
use flockscope_sim::{Edge, Metric, Row, World};

/// The space around the animals, as a share of their extent.
const MARGIN: f64 = 0.03;
/// The largest extent, in units.
const MAX_EXTENT: f64 = 1e9;
/// The largest coordinate of a file.
const MAX_COORDINATE: f64 = 1e15;

/// Makes the recording of the observations in a file, or in several with the first of these names.
///
/// # Errors
///
/// [`Error`] with the file, and the line if it is about a row.
pub(super) fn recording(
    file: &Path,
    mut observations: Observations,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Recording, Error> {
    clean(&mut observations, options, notes).map_err(|problem| observations.error(problem))?;
    let sidecar = Sidecar::of(file);
    if let Some(unit) = options.unit.as_ref().filter(|unit| unit.factor != 1.0 && sidecar.flock.is_some()) {
        let message =
            format!("the lengths of {} are those of its model; expected a name without a number", file.display());
        return Err(Error::option(ReadOption::Unit(unit.to_string()), message));
    }
    let scaled = scale(&mut observations, options, notes);
    let unit = scaled.map_err(|problem| observations.error(problem))?.or(sidecar.unit);
    if let Some(unit) = unit.as_ref().filter(|unit| unit.contains(is_unprintable)) {
        return Err(Error::file(
            file,
            format!("the unit `{}` has characters that cannot be shown; `--unit px` sets another", unit.escape_debug()),
        ));
    }
    let frame_rate = options.frame_rate.or(sidecar.frame_rate.filter(|_| !observations.has_times));
    let clock =
        FrameClock::of(&observations, frame_rate, options.interval).map_err(|fault| Error::file(file, fault))?;
    if options.interval.is_some() {
        clock.thin(&mut observations);
        let first = observations.rows.first().map(|row| row.at);
        if observations.rows.iter().all(|row| Some(row.at) == first) {
            notes.push(Note::from("the interval is longer than the recording: one frame is left".to_owned()));
        }
        // Those of the file are per frame of the file, and not per interval.
        observations.has_velocities = false;
    }
    clock.check(&observations).map_err(|problem| observations.error(problem))?;
    if options.frame_rate.is_none() && options.time_unit.is_none() && options.interval.is_none() {
        notes.extend(doubtful_rate(&clock, &observations));
    }
    let outliers = doubts(&observations, &clock, unit.as_deref().unwrap_or("u"), options, notes);
    let space = RecordedSpace::of(&observations, sidecar.flock.as_ref(), &outliers);
    let space = space.map_err(|problem| observations.error(problem))?;
    if !observations.has_velocities {
        derive_velocities(&mut observations, &clock, &space);
    }
    check_states(&observations).map_err(|problem| observations.error(problem))?;
    let mut recording = of_states(observations, &clock, &space, unit);
    recording.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(flock) = sidecar.flock {
        (recording.params, recording.preset) = (flock.params, Some(flock.preset));
    } else {
        recording.params = typical_params(&recording, space.edge);
    }
    Ok(recording)
}

/// Sorts the rows, leaves out those that cannot count, and notes doubtful ones.
fn clean(observations: &mut Observations, options: &ReadOptions, notes: &mut Vec<Note>) -> Result<(), RowProblem> {
    if observations.rows.is_empty() {
        let skipped = observations.skipped;
        let problem = match observations.likeliest {
            Some(most) => {
                let bound = options.likelihood.unwrap_or(LIKELIHOOD);
                let message = format!("{skipped} of {skipped} rows are left out, as their likelihood is below {bound}");
                Fault::with_help(message, ReadOption::Likelihood(most), "takes the likeliest ones")
            }
            None if skipped > 0 => "the file has no rows with a position".into(),
            None => "the file has no rows".into(),
        };
        return Err(problem.into());
    }
    let [duplicates, fixes] = observations.sort()?;
    if duplicates > 0 {
        let rows = counted(duplicates, "row that occurs twice", "rows that occur twice");
        notes.push(format!("left out {rows}").into());
    }
    if fixes > 0 {
        let rows = counted(fixes, "row of an animal", "rows of animals");
        notes.push(format!("left out {rows} with another position at the same time before").into());
    }
    leave_out_decades(observations, notes);
    notes.extend(lost(observations));
    notes.extend(observations.cell_problem.map(|problem| format!("{problem}, so it is not the world").into()));
    if let Some([x, y]) = &observations.position_columns
        && observations.rows.len() >= FILLERS
        && observations.rows.iter().all(|row| row.position[..2] == observations.rows[0].position[..2])
    {
        let message = format!("`{x}` and `{y}` are the same in all rows, so they are no coordinates");
        let option = ReadOption::Columns("x=NAME,y=NAME".to_owned());
        return Err(Fault::with_help(message, option, "names others").into());
    }
    Ok(())
}

/// Leaves out rows whose time is years from the others, such as those of a clock that is not set.
fn leave_out_decades(observations: &mut Observations, notes: &mut Vec<Note>) {
    const YEARS: f64 = 10.0 * 365.25 * 86400.0;
    let rows = &mut observations.rows;
    let mut begin = 0;
    let mut stretches = Vec::new();
    for index in 1..=rows.len() {
        if index == rows.len() || rows[index].at - rows[index - 1].at > YEARS {
            stretches.push(begin..index);
            begin = index;
        }
    }
    let longest = stretches.iter().max_by_key(|stretch| stretch.len()).cloned().unwrap_or_default();
    let count = rows.len() - longest.len();
    if observations.start_date.is_some() && count > 0 && count < longest.len() {
        rows.truncate(longest.end);
        rows.drain(..longest.start);
        let text = counted(count, "row whose time is decades", "rows whose times are decades");
        notes.push(format!("left out {text} from the others").into());
    }
}

/// A note on times that are hardly in seconds.
fn doubtful_rate(clock: &FrameClock, observations: &Observations) -> Option<Note> {
    const USUAL: RangeInclusive<f64> = 1.0..=1000.0;
    let (rate, factor) = (clock.frame_rate?, observations.time_factor?);
    if observations.start_date.is_some() || (1e-3..=1e4).contains(&rate) {
        return None;
    }
    let text = format!("the times in `{}` have {rate} frames per second", observations.time_column);
    let usual = TimeUnit::VARIANTS[..3].iter().find(|unit| USUAL.contains(&(rate * factor / unit.seconds())));
    Some(match usual {
        Some(unit) => Note::with_help(text, ReadOption::TimeUnit(*unit), "sets their unit"),
        None => text.into(),
    })
}

/// Converts positions and velocities to the unit of the recording. Returns its name, if it is known.
fn scale(
    observations: &mut Observations,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Option<String>, RowProblem> {
    let given = options.unit.as_ref();
    if given.map_or(observations.are_degrees, |unit| unit.name == DEGREES && unit.factor == 1.0) {
        projection::project(observations)?;
        return Ok(Some("m".to_owned()));
    }
    let Some(unit) = given else {
        notes.extend(implied_unit(observations));
        let numbers = || observations.rows.iter().flat_map(|row| row.position);
        let holds = observations.unit_below.is_none_or(|limit| {
            numbers().all(|number| number.abs() < limit) && numbers().any(|number| number.fract() != 0.0)
        });
        return Ok(observations.unit.take().filter(|_| holds));
    };
    if observations.are_degrees {
        let text = format!("x and y are degrees, and are taken as lengths in {unit}");
        notes.push(Note::with_help(text, ReadOption::Unit("deg".to_owned()), "projects them to meters"));
    }
    if let Some(known) = observations.unit.as_ref().filter(|known| unit.factor == 1.0 && unit.name != **known) {
        let effect = "renames them; a number before the unit converts, as in 10mm";
        notes.push(Note::with_help(format!("lengths are in {known}"), ReadOption::Unit(unit.to_string()), effect));
    }
    if unit.factor != 1.0 {
        for row in &mut observations.rows {
            row.position = row.position.map(|at| at * unit.factor);
            row.velocity = row.velocity.map(|along| (f64::from(along) * unit.factor) as f32);
        }
    }
    Ok(Some(unit.name.clone()))
}

/// A note on positions that may be degrees, or have north up.
fn implied_unit(observations: &Observations) -> Option<Note> {
    let [x, y] = observations.position_columns.as_ref()?;
    let (rows, has_negative_factor) = (&observations.rows, observations.factors[1] < 0.0);
    let all = |is: &dyn Fn([f64; 3]) -> bool| rows.iter().all(|row| is(row.position));
    // GPS fixes of a day are near each other.
    let [x0, y0, _] = rows[0].position;
    let are_near = x0.abs().min(y0.abs()) > 1.0 && all(&|[x, y, _]| (x - x0).abs().max((y - y0).abs()) < 0.5);
    if (observations.start_date.is_some() || observations.has_times && are_near)
        && observations.unit.is_none()
        && all(&|[x, y, _]| x.abs() <= 180.0 && y.abs() <= 90.0)
        && rows.iter().any(|row| row.position[..2].iter().all(|at| at.fract() != 0.0))
        && projection::fits(observations)
    {
        let text = format!("`{x}` and `{y}` may be longitude and latitude, and are taken as lengths");
        return Some(Note::with_help(text, ReadOption::Unit(DEGREES.to_owned()), "projects them to meters"));
    }
    // Zones of UTM have 6 digits to the east and 7 to the north.
    let are_utm = all(&|[x, y, _]| (1e5..1e6).contains(&x) && (1e6..1e7).contains(&y));
    let is_metric = observations.unit.as_ref().is_none_or(|unit| unit == "m");
    (!has_negative_factor && is_metric && are_utm).then(|| {
        let text = format!("`{x}` and `{y}` are as large as UTM coordinates, whose north is up");
        Note::with_help(text, ReadOption::Columns(format!("x={x},y=-{y}")), "turns it up")
    })
}

/// Fails if a state has values that a flock cannot have.
fn check_states(observations: &Observations) -> Result<(), RowProblem> {
    for row in &observations.rows {
        let problem = |message| RowProblem::new(row, message);
        let [mood, bank] = observations.mood_and_bank(row);
        let state = Row { id: 0, kind: row.kind, position: [0.0; 3], velocity: row.velocity, mood, bank };
        state.check_mood_and_bank().map_err(|error| problem(error.to_string()))?;
        if let Some(speed) = row.velocity.iter().find(|speed| speed.abs() > MAX_EXTENT as f32) {
            return Err(problem(format!("a velocity of {speed:?} is out of range: expected -1e9 to 1e9")));
        }
    }
    Ok(())
}

fn of_states(
    mut observations: Observations,
    clock: &FrameClock,
    space: &RecordedSpace,
    unit: Option<String>,
) -> Recording {
    let (ids, names) = observations.animals.ids();
    let rows = std::mem::take(&mut observations.rows);
    // Both types have the same size, so the states take the place of the rows.
    let states = rows.into_iter().map(|row| {
        let [mood, bank] = observations.mood_and_bank(&row);
        let (frame, id) = (clock.index(&row) as u32, ids[row.animal as usize]);
        RecordedState { coordinates: row.position, velocity: row.velocity, mood, bank, frame, id, kind: row.kind }
    });
    let mut recording = Recording::new(states.collect(), space.world);
    recording.origin = space.origin;
    recording.has_derived_velocities = !observations.has_velocities;
    recording.start_date = observations.start_date;
    recording.names = names;
    if let Some(unit) = unit {
        recording.unit = unit;
    }
    clock.number(&mut recording);
    recording
}

/// The world, and where it is in the coordinates of the recording.
struct RecordedSpace {
    world: World,
    edge: Edge,
    origin: [f64; 3],
}

impl RecordedSpace {
    fn metric(&self) -> Metric {
        Metric::new(&self.world, self.edge == Edge::Wrap)
    }

    /// The world of metadata or of the file, otherwise the box around all animals but outliers.
    fn of(observations: &Observations, flock: Option<&SimulatedFlock>, outliers: &[usize]) -> Result<Self, RowProblem> {
        let extent = extent(observations, outliers)?;
        if let Some(SimulatedFlock { world, params, .. }) = flock {
            return Ok(Self { world: *world, edge: params.edge.mode, origin: [0.0; 3] });
        }
        let spans = extent.map(|(low, high)| high - low);
        let (sides, corner, edge, is_flat) = if let Some(cell) = &observations.cell {
            // Programs that know no flat cells write one of depth 1.
            let is_flat = cell.sides[2] == 1.0 && spans[2] == 0.0;
            let axes = &cell.periodic[..if is_flat { 2 } else { 3 }];
            if axes.contains(&true) && axes.contains(&false) {
                let names: Vec<&str> =
                    ["x", "y", "z"].into_iter().zip(axes).filter(|(_, is)| **is).map(|(name, _)| name).collect();
                let message = format!(
                    "the cell is periodic along {} only, which no world is; expected unwrapped coordinates in a cell that is not periodic",
                    names.join(" and ")
                );
                return Err(RowProblem::new(&observations.rows[0], message));
            }
            let edge = if axes[0] { Edge::Wrap } else { Edge::Open };
            (cell.sides, cell.corner, edge, is_flat)
        } else {
            let largest = spans.into_iter().fold(0.0, f64::max);
            let margin = if largest > 0.0 { MARGIN * largest } else { 0.5 };
            let is_flat = spans[2] == 0.0;
            let margins = [margin, margin, if is_flat { 0.0 } else { margin }];
            let corner = [0, 1, 2].map(|axis| extent[axis].0 - margins[axis]);
            ([0, 1, 2].map(|axis| spans[axis] + 2.0 * margins[axis]), corner, Edge::Open, is_flat)
        };
        let [width, height, depth] = sides.map(|side| side as f32);
        let world = if is_flat { World::Rect([width, height]) } else { World::Cuboid([width, height, depth]) };
        Ok(Self { world, edge, origin: corner })
    }
}

/// The lowest and the highest coordinate along each axis, without those of outliers.
fn extent(observations: &Observations, outliers: &[usize]) -> Result<[(f64, f64); 3], RowProblem> {
    const EMPTY: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut extent, mut inner) = ([EMPTY; 3], [EMPTY; 3]);
    let mut outliers = outliers.iter().peekable();
    for (index, row) in observations.rows.iter().enumerate() {
        let is_outlier = outliers.next_if_eq(&&index).is_some();
        for (axis, at) in row.position.into_iter().enumerate() {
            let include = |(low, high): (f64, f64)| (low.min(at), high.max(at));
            extent[axis] = include(extent[axis]);
            if !is_outlier {
                inner[axis] = include(inner[axis]);
            }
            let (low, high) = extent[axis];
            if high - low > MAX_EXTENT || at.abs() > MAX_COORDINATE {
                let name = ["x", "y", "z"][axis];
                let message = format!("{name} = {at:?} is more than {MAX_EXTENT:?} units from other positions");
                return Err(RowProblem::new(row, message));
            }
        }
    }
    // A flat world must not lose the depth of its outliers.
    let is_deep = extent[2].0 < extent[2].1 && inner[2].0 == inner[2].1;
    Ok(if is_deep || inner[0].0 > inner[0].1 { extent } else { inner })
}

/// Sets the velocity of each row, in units per frame number: half the way from the frame before to the frame after, or the way from or
/// to the only one of these with the animal. Without both, other rows of the animal take their place.
fn derive_velocities(observations: &mut Observations, clock: &FrameClock, space: &RecordedSpace) {
    let metric = space.metric();
    // Of each animal: its last row, and the step to that.
    let mut last: Vec<Option<(usize, Option<Step>)>> = vec![None; observations.animals.count()];
    for index in 0..observations.rows.len() {
        let row = observations.rows[index];
        let known = &mut last[row.animal as usize];
        let step = known.take().map(|(before, to_it)| {
            let other = &observations.rows[before];
            let numbers = clock.numbers_between(other, &row);
            let velocity =
                [0, 1, 2].map(|axis| metric.exact_offset(axis, other.position[axis], row.position[axis]) / numbers);
            let step = Step { velocity, is_near: clock.index(&row) == clock.index(other) + 1 };
            observations.rows[before].velocity = mean(to_it, Some(step));
            step
        });
        *known = Some((index, step));
    }
    for (index, step) in last.into_iter().flatten() {
        observations.rows[index].velocity = mean(step, None);
    }
}

/// A step of an animal.
#[derive(Clone, Copy, Debug)]
struct Step {
    velocity: [f64; 3],
    /// Whether it leads from one frame to the next.
    is_near: bool,
}

/// The velocity of a row between two steps: their mean, or that of the near one.
fn mean(before: Option<Step>, after: Option<Step>) -> [f32; 3] {
    let velocity = match (before, after) {
        (Some(before), Some(after)) if before.is_near == after.is_near => {
            [0, 1, 2].map(|axis| f64::midpoint(before.velocity[axis], after.velocity[axis]))
        }
        (Some(near), Some(Step { is_near: false, .. }) | None) | (Some(_) | None, Some(near)) => near.velocity,
        (None, None) => [0.0; 3],
    };
    velocity.map(|along| along as f32)
}
