//! Positions that are not known: those that an option names, and points at which a file has animals that are lost.

use std::collections::HashMap;

use super::fields::number;
use crate::error::{Note, ReadOption};
use crate::read::observations::{Observation, Observations};
use crate::recording::quantile;
use crate::text::counted;
use crate::values::Missing;

/// How many times as long as the median the steps to and from a lost animal are.
const FAR: f64 = 10.0;
/// The most steps that are looked at for their median.
const SAMPLE: usize = 100_000;
/// The fewest rows at a point that may be lost animals.
const FEWEST: usize = 3;

impl Missing {
    /// The first coordinates of a row, as they were before the units and directions of its axes.
    pub(super) fn at(row: &Observation, observations: &Observations) -> Self {
        let axes = if observations.axes == 3 { 3 } else { 2 };
        // 0 has no sign.
        Self::Point((0..axes).map(|axis| row.position[axis] / observations.factors[axis] + 0.0).collect())
    }

    /// Whether the cells of x, y and z have this text or these numbers.
    pub(super) fn is_at(&self, cells: &[&[u8]], decimal_comma: bool) -> bool {
        match self {
            Self::Text(text) => cells.iter().any(|cell| is_text(text, cell, decimal_comma)),
            Self::Point(point) => {
                cells.len() >= point.len()
                    && point.iter().zip(cells).all(|(at, cell)| number(cell, decimal_comma) == Some(*at))
            }
        }
    }

    /// Whether the cell of an animal has this text.
    pub(super) fn is_animal(&self, cell: &[u8]) -> bool {
        matches!(self, Self::Text(text) if text.as_bytes() == cell)
    }
}

fn is_text(text: &str, cell: &[u8], decimal_comma: bool) -> bool {
    text.as_bytes() == cell
        || number(cell, decimal_comma).is_some_and(|cell| number(text.as_bytes(), true) == Some(cell))
}

/// Notes a point at which animals are again and again, which they jump to and from, and which no other row is near.
pub(super) fn lost(observations: &Observations) -> Option<Note> {
    // Cells can be named in tables alone, and not for the centers of boxes.
    observations.position_columns.as_ref()?;
    let rows = &observations.rows;
    let distance = |[from, to]: [usize; 2]| rows[from].distance(&rows[to]);
    let moves = observations.steps().map(distance).filter(|step| *step > 0.0);
    let far = FAR * quantile(moves.step_by(rows.len().div_ceil(SAMPLE)).collect(), 0.5)?;
    let key = |row: &Observation| row.position.map(|at| (at + 0.0).to_bits());
    // The number of rows at each point that a jump leads to or from.
    let jumps = observations.steps().filter(|step| distance(*step) > far);
    let mut points: HashMap<[u64; 3], usize> = jumps.flatten().map(|index| (key(&rows[index]), 0)).collect();
    for row in rows {
        if let Some(count) = points.get_mut(&key(row)) {
            *count += 1;
        }
    }
    // The point breaks ties, as the order of the map is random.
    let (point, count) = points.into_iter().max_by_key(|(point, count)| (*count, *point))?;
    let row = rows.iter().find(|row| key(row) == point)?;
    if count < FEWEST || rows.iter().any(|other| key(other) != point && row.distance(other) <= far) {
        return None;
    }
    let code = Missing::at(row, observations);
    let what = counted(count, "row is", "rows are");
    let text = format!("{what} exactly at {code}, far from all others, as a program may write for lost animals");
    Some(Note::with_help(text, ReadOption::Missing(code), "leaves them out"))
}
