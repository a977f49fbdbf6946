//! Reads trajectories from extended XYZ: a frame per block, with the columns that `Properties` names.
//!
//! Source of the format: <https://github.com/libAtoms/extxyz>. A plain XYZ file has the columns species and pos.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::atoms::AtomColumns;
use super::text::{Lines, lossy};
use crate::error::Error;
use crate::read::observations::{Observations, UnitCell};
use flockscope_sim::MAX_TICK;

/// The columns of plain XYZ.
const PLAIN: &str = "species:S:1:pos:R:3";

/// Adds the observations in `input`; `file` is its name for errors.
///
/// # Errors
///
/// [`Error`] with the file and the line.
pub(super) fn read(input: impl Read, file: &Path, observations: &mut Observations) -> Result<(), Error> {
    observations.begin(file);
    let mut lines = Lines::new(input, file)?;
    let (mut frames, mut atoms) = (0_u64, None);
    while lines.next()? {
        let text = lossy(&lines.text);
        let count: usize = text.trim().parse().map_err(|_| lines.error("expected the number of atoms of a frame"))?;
        let pairs = pairs(&lines.expect()?);
        let columns = columns(pairs.get("Properties").map_or(PLAIN, String::as_str));
        let columns = columns.map_err(|message| lines.error(message))?;
        // Those of other programs are per unit of time.
        let velocity = if pairs.contains_key("flockscope") { columns.velocity } else { [None; 3] };
        let columns = AtomColumns { velocity, ..columns };
        observations.has_velocities = velocity[0].is_some();
        observations.set_cell(cell(&pairs).map_err(|message| lines.error(message))?);
        let tick = tick(&pairs).map_err(|message| lines.error(message))?;
        for index in 0..count {
            columns.read(&mut lines, index, tick.unwrap_or(frames as f64), observations)?;
        }
        if columns.id.is_none() && *atoms.get_or_insert(count) != count {
            return Err(lines.error("the number of atoms changes, so each needs an id: add id:I:1 to Properties"));
        }
        frames += 1;
    }
    Ok(())
}

fn tick(pairs: &HashMap<String, String>) -> Result<Option<f64>, String> {
    let mut known = ["tick", "frame", "step", "Step", "timestep", "Timestep"].into_iter();
    let Some(tick) = known.find_map(|key| pairs.get(key)) else { return Ok(None) };
    let number = tick.parse().ok().filter(|number: &u64| *number <= MAX_TICK).map(|number| Some(number as f64));
    number.ok_or_else(|| format!("tick {} is not a whole number from 0 to {MAX_TICK}", tick.escape_debug()))
}

/// The cell, if there is one. Without `pbc` it is periodic.
fn cell(pairs: &HashMap<String, String>) -> Result<Option<UnitCell>, String> {
    let Some(lattice) = pairs.get("Lattice") else { return Ok(None) };
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || ",[]{}".contains(c));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let numbers = |text: &str| words(text).iter().map(|number| number.parse().unwrap_or(f64::NAN)).collect();
    let mut lattice: Vec<f64> = numbers(lattice);
    lattice.resize(9, f64::NAN);
    let vectors = [0, 1, 2].map(|row| [0, 1, 2].map(|axis| lattice[3 * row + axis]));
    let corner: Vec<f64> = pairs.get("Origin").map_or(vec![0.0; 3], |origin| numbers(origin));
    let pbc = pairs.get("pbc").map_or("T", String::as_str);
    let axes = words(pbc).into_iter().map(|word| match &*word.to_ascii_lowercase() {
        "t" | "true" | "1" => Some(true),
        "f" | "false" | "0" => Some(false),
        _ => None,
    });
    let periodic = match axes.collect::<Option<Vec<bool>>>().as_deref() {
        Some([all]) => [*all; 3],
        Some([x, y, z]) => [*x, *y, *z],
        _ => return Err(format!("pbc is {}; expected T or F for each axis, as in \"T T F\"", pbc.escape_debug())),
    };
    UnitCell::new(vectors, corner.try_into().unwrap_or([0.0; 3]), periodic)
}

/// The columns that the value of `Properties` names.
fn columns(properties: &str) -> Result<AtomColumns, String> {
    let invalid = || format!("invalid Properties `{}`", properties.escape_debug());
    let (mut parts, mut found, mut words) = (properties.split(':'), HashMap::new(), 0);
    while let Some(mut name) = parts.next().map(str::to_owned) {
        // A name may have colons: its type, which is a letter, and its count follow it.
        let mut kind = parts.next().ok_or_else(invalid)?;
        while !matches!(kind, "S" | "R" | "I" | "L") {
            name = format!("{name}:{kind}");
            kind = parts.next().ok_or_else(invalid)?;
        }
        let count = parts.next().and_then(|count| count.parse().ok());
        let count = count.filter(|count: &usize| (1..=100).contains(count)).ok_or_else(invalid)?;
        found.insert(name, (words, count));
        words += count;
    }
    let scalar = |names: &[&str]| names.iter().find_map(|name| found.get(*name)).map(|(at, _)| *at);
    let vector = |names: &[&str]| {
        let first = names.iter().find_map(|name| found.get(*name)).filter(|(_, count)| *count == 3);
        [0, 1, 2].map(|axis| first.map(|(at, _)| at + axis))
    };
    let position = vector(&["pos", "positions"]);
    if position[0].is_none() {
        return Err("Properties lack pos:R:3".to_owned());
    }
    Ok(AtomColumns {
        words,
        id: scalar(&["id", "ids"]),
        species: scalar(&["species"]),
        position,
        velocity: vector(&["velo", "vel", "velocity", "velocities"]),
        mood: scalar(&["mood"]),
        bank: scalar(&["bank"]),
        scale: None,
    })
}

/// The pairs KEY=VALUE of a line, whose values may be in quotes.
fn pairs(text: &str) -> HashMap<String, String> {
    let mut pairs = HashMap::new();
    let mut rest = text.trim();
    while let Some((key, after)) = rest.split_once('=') {
        let key = key.split_whitespace().last().unwrap_or_default();
        let end = [('"', '"'), ('[', ']'), ('{', '}')].into_iter().find(|(begin, _)| after.starts_with(*begin));
        let (value, left) = match end {
            // Lists may have lists in them.
            Some((_, ']')) if after.starts_with("[[") => after[1..].split_once("]]").unwrap_or((after, "")),
            Some((_, end)) => after[1..].split_once(end).unwrap_or((&after[1..], "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.insert(key.to_owned(), value.to_owned());
        rest = left;
    }
    pairs
}
