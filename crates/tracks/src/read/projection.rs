//! Positions in meters around their middle, from longitude and latitude.

use crate::error::{Fault, ReadOption};
use crate::read::observations::{Observation, Observations, RowProblem};
use crate::recording::quantile;
use crate::transverse_mercator::{LocalProjection, center_of};
use crate::values::Missing;

/// The largest distance from the center, in meters, along each axis.
const MAX_DISTANCE: f64 = 1e6;

/// Replaces longitude and latitude by meters around the middle of all positions, with north up. Velocities are lost.
///
/// # Errors
///
/// If a position is no longitude and latitude, or is too far away.
pub(super) fn project(observations: &mut Observations) -> Result<(), RowProblem> {
    let mut rows = observations.rows.iter();
    if let Some(row) = rows.find(|row| row.position[0].abs() > 360.0 || row.position[1].abs() > 90.0) {
        let message = "expected a longitude from -180 to 360 and a latitude from -90 to 90";
        let option = ReadOption::Unit("u".to_owned());
        return Err(RowProblem::new(row, Fault::with_help(at(row, message), option, "takes them as lengths")));
    }
    let Some(projection) = around(&observations.rows, |_| true) else { return Ok(()) };
    if let Some(index) = observations.rows.iter().position(|row| !reaches(&projection, row)) {
        return Err(too_far(observations, index));
    }
    observations.has_velocities = false;
    for row in &mut observations.rows {
        let [longitude, latitude, height] = row.position;
        let [east, north] = projection.meters([longitude, latitude]);
        // −north would make a north of 0 a negative zero.
        row.position = [east, 0.0 - north, height];
    }
    Ok(())
}

/// Whether all positions are in one region, if they are degrees.
pub(super) fn fits(observations: &Observations) -> bool {
    let projection = around(&observations.rows, |_| true);
    projection.is_some_and(|projection| observations.rows.iter().all(|row| reaches(&projection, row)))
}

/// The error for a position outside the region, with what leaves it out if it is that of lost animals.
fn too_far(observations: &Observations, first: usize) -> RowProblem {
    let row = farthest_from_median(&observations.rows[first..]);
    let message = at(row, "more than 1,000 km from the middle of all positions");
    let is_other = |other: &Observation| other.position[..2] != row.position[..2];
    let fits = around(&observations.rows, is_other).is_some_and(|projection| {
        observations.rows.iter().all(|other| !is_other(other) || reaches(&projection, other))
    });
    // Lost animals have one number in both coordinates, such as 0, or are at one point again and again.
    let is_code =
        row.position[0] == row.position[1] || observations.rows.iter().filter(|other| !is_other(other)).count() > 1;
    RowProblem::new(
        row,
        if observations.position_columns.is_some() && is_code && fits {
            let code = Missing::at(row, observations);
            Fault::with_help(message, ReadOption::Missing(code), "leaves out this point")
        } else if observations.animals.count() > 1 {
            Fault::with_help(message, ReadOption::Only("NAME,…".to_owned()), "reads some of the animals")
        } else {
            format!("{message}; select a smaller region or leave out the row").into()
        },
    )
}

fn at(row: &Observation, message: &str) -> String {
    let [longitude, latitude, _] = row.position;
    format!("longitude {longitude}, latitude {latitude}: {message}")
}

/// The row that makes the region large, rather than those that its middle is far from.
fn farthest_from_median(rows: &[Observation]) -> &Observation {
    let median =
        [0, 1].map(|axis| quantile(rows.iter().map(|row| row.position[axis]).collect(), 0.5).unwrap_or_default());
    let distance = |row: &Observation| (row.position[0] - median[0]).hypot(row.position[1] - median[1]);
    rows.iter().max_by(|one, other| distance(one).total_cmp(&distance(other))).unwrap_or(&rows[0])
}

/// The projection around the middle of some of the rows.
fn around(rows: &[Observation], is_counted: impl Fn(&Observation) -> bool) -> Option<LocalProjection> {
    let counted = rows.iter().filter(|row| is_counted(row));
    center_of(counted.map(|row| [row.position[0], row.position[1]])).map(LocalProjection::around)
}

/// Whether a row is in the region of a projection.
fn reaches(projection: &LocalProjection, row: &Observation) -> bool {
    let [east, north] = projection.meters([row.position[0], row.position[1]]);
    east.abs().max(north.abs()) <= MAX_DISTANCE
}
