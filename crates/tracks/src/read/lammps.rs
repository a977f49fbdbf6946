//! Reads trajectories from dumps of LAMMPS: a block per time step, with the columns that its last line names.
//!
//! Source of the format: <https://docs.lammps.org/dump.html>. Velocities are left out, as they are per unit of time and the dump does not
//! have its ratio to a step.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::atoms::AtomColumns;
use super::text::{Lines, lossy};
use crate::error::Error;
use crate::read::observations::{Observations, UnitCell};
use flockscope_sim::MAX_TICK;

/// The names of coordinates, and whether they are shares of the box.
const COORDINATES: [([&str; 3], bool); 4] =
    [(["x", "y", "z"], false), (["xu", "yu", "zu"], false), (["xs", "ys", "zs"], true), (["xsu", "ysu", "zsu"], true)];

/// Whether a file begins as a dump.
pub(super) fn is_dump(file: &Path) -> bool {
    const BEGIN: &[u8] = b"ITEM: TIMESTEP";
    let mut begin = [0; BEGIN.len()];
    // A pipe would block.
    file.is_file() && File::open(file).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == BEGIN
}

/// Adds the observations in `input`; `file` is its name for errors.
///
/// # Errors
///
/// [`Error`] with the file and the line.
pub(super) fn read(input: impl Read, file: &Path, observations: &mut Observations) -> Result<(), Error> {
    observations.begin(file);
    let mut lines = Lines::new(input, file)?;
    let (mut step, mut count, mut cell) = (None, None, None);
    while lines.next()? {
        let item = lossy(lines.text.trim_ascii());
        let Some(item) = item.strip_prefix("ITEM: ") else {
            return Err(lines.error("expected ITEM: and its name, as in a dump of LAMMPS"));
        };
        if item.starts_with("TIMESTEP") {
            step = Some(number(&mut lines, MAX_TICK as f64)?);
        } else if item.starts_with("NUMBER OF ATOMS") {
            count = Some(number(&mut lines, u32::MAX.into())? as usize);
        } else if let Some(bounds) = item.strip_prefix("BOX BOUNDS") {
            cell = Some(read_box(&mut lines, bounds)?);
        } else if let Some(names) = item.strip_prefix("ATOMS") {
            let (Some(step), Some(count), Some(cell)) = (step, count, cell) else {
                return Err(lines.error("the atoms come before the time step, their number or the box"));
            };
            let columns = columns(names, cell).map_err(|message| lines.error(message))?;
            // Unwrapped coordinates need no edges that only some axes have.
            let is_unwrapped = names.split_whitespace().any(|name| ["xu", "xsu"].contains(&name));
            observations.set_cell(cell.filter(|cell| !is_unwrapped || !cell.periodic.contains(&false)));
            for index in 0..count {
                columns.read(&mut lines, index, step, observations)?;
            }
        } else {
            lines.expect()?;
        }
    }
    Ok(())
}

fn number(lines: &mut Lines<'_>, most: f64) -> Result<f64, Error> {
    let text = lines.expect()?;
    let number = text.trim().parse().ok().filter(|number: &f64| number.fract() == 0.0 && (0.0..=most).contains(number));
    number.ok_or_else(|| lines.error(format!("{} is not a whole number from 0 to {most}", text.trim().escape_debug())))
}

fn read_box(lines: &mut Lines<'_>, bounds: &str) -> Result<Option<UnitCell>, Error> {
    let (mut vectors, mut corner, mut periodic) = ([[0.0; 3]; 3], [0.0; 3], [false; 3]);
    // The names of tilts may come first.
    for (axis, kind) in bounds.split_whitespace().rev().take(3).enumerate() {
        periodic[2 - axis] = kind == "pp";
    }
    for axis in 0..3 {
        let text = lines.expect()?;
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some([low, high, tilt @ ..]) = numbers.as_deref().filter(|numbers| numbers.first() <= numbers.get(1))
        else {
            return Err(lines.error(format!("{} is not a lower and an upper bound", text.escape_debug())));
        };
        (corner[axis], vectors[axis][axis]) = (*low, high - low);
        // The tilts xy, xz and yz.
        if let [tilt] = tilt {
            let (of, along) = [(1, 0), (2, 0), (2, 1)][axis];
            vectors[of][along] = *tilt;
        }
    }
    UnitCell::new(vectors, corner, periodic).map_err(|message| lines.error(message))
}

fn columns(names: &str, cell: Option<UnitCell>) -> Result<AtomColumns, String> {
    let names: Vec<&str> = names.split_whitespace().collect();
    let index = |name: &str| names.iter().position(|known| *known == name);
    let id = index("id").ok_or("the atoms have no id; add id to the columns of the dump")?;
    let found = COORDINATES.iter().find(|(axes, _)| index(axes[0]).is_some() && index(axes[1]).is_some());
    let (axes, are_shares) =
        found.ok_or("the atoms have no coordinates; expected x and y, xu and yu, xs and ys or xsu and ysu")?;
    let scale = cell.filter(|_| *are_shares);
    if *are_shares && scale.is_none() {
        return Err("the coordinates are shares of a box that is tilted, empty or too large".to_owned());
    }
    let position = axes.map(index);
    Ok(AtomColumns { words: names.len(), id: Some(id), position, scale, ..AtomColumns::default() })
}
