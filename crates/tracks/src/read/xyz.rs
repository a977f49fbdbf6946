//! Reads trajectories from extended XYZ: a frame per block, with the columns that `Properties` names.
//!
//! Source of the format: <https://github.com/libAtoms/extxyz>. A plain XYZ file has the columns species and pos.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::text::{Lines, lossy};
use crate::error::Error;
use crate::read::observations::{Observation, Observations, UnitCell};
use flockscope_sim::{Kind, MAX_TICK};

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
        let count: usize =
            text.trim().parse().map_err(|_| lines.error("expected the number of atoms of a frame".to_owned()))?;
        let text = lines.expect()?;
        let header = FrameHeader::parse(&text).map_err(|message| lines.error(message))?;
        if observations.rows.is_empty() {
            observations.has_velocities = header.columns.velocity.is_some();
            observations.cell = header.cell;
        } else if header.columns.velocity.is_some() != observations.has_velocities {
            return Err(lines.error("velocities are in some frames only".to_owned()));
        }
        let at = header.tick.unwrap_or(frames as f64);
        for index in 0..count {
            let text = lines.expect()?;
            let row = header.columns.parse_row(&text, index, at, observations);
            let added = row.and_then(|(row, values)| match values {
                Some(values) => observations.add_with(row, values, lines.number),
                None => observations.add(row, lines.number),
            });
            added.map_err(|message| lines.error(message))?;
        }
        if header.columns.id.is_none() && *atoms.get_or_insert(count) != count {
            return Err(
                lines.error("the number of atoms changes, so each needs an id: add id:I:1 to Properties".to_owned())
            );
        }
        frames += 1;
    }
    Ok(())
}

/// What the second line of a frame says.
struct FrameHeader {
    columns: FrameColumns,
    tick: Option<f64>,
    cell: Option<UnitCell>,
}

impl FrameHeader {
    fn parse(text: &str) -> Result<Self, String> {
        let pairs: HashMap<String, String> = pairs(text);
        let columns = FrameColumns::parse(pairs.get("Properties").map_or(PLAIN, String::as_str))?;
        let tick = ["tick", "frame", "step", "Step", "timestep", "Timestep"].into_iter().find_map(|key| pairs.get(key));
        let whole = |tick: &String| {
            let number = tick.parse().ok().filter(|number: &u64| *number <= MAX_TICK).map(|number| number as f64);
            number.ok_or_else(|| format!("tick {} is not a whole number from 0 to {MAX_TICK}", tick.escape_debug()))
        };
        let tick = tick.map(whole);
        Ok(Self { columns, tick: tick.transpose()?, cell: cell(&pairs) })
    }
}

/// The cell, if it is along the axes. Without `pbc` it is periodic.
fn cell(pairs: &HashMap<String, String>) -> Option<UnitCell> {
    let numbers = |key: &str| -> Option<Vec<f64>> {
        pairs.get(key)?.split_whitespace().map(|number| number.parse().ok()).collect()
    };
    let lattice = numbers("Lattice").filter(|lattice| lattice.len() == 9)?;
    let is_along_axes = (0..9).all(|at| at % 4 == 0 || lattice[at] == 0.0);
    let sides = [lattice[0], lattice[4], lattice[8]];
    let corner: [f64; 3] = numbers("Origin").and_then(|origin| origin.try_into().ok()).unwrap_or([0.0; 3]);
    let pbc: Vec<bool> = pairs
        .get("pbc")
        .map_or(vec![true; 3], |pbc| pbc.split_whitespace().map(|word| matches!(word, "T" | "True" | "1")).collect());
    let is_in_range =
        sides.iter().all(|side| *side > 0.0 && *side <= UnitCell::MAX_SIDE) && corner.iter().all(|at| at.is_finite());
    (is_along_axes && is_in_range).then_some(UnitCell { sides, periodic: pbc.try_into().ok()?, corner })
}

/// The columns of a frame by the index of their first word.
struct FrameColumns {
    words: usize,
    id: Option<usize>,
    species: Option<usize>,
    position: usize,
    velocity: Option<usize>,
    mood: Option<usize>,
    bank: Option<usize>,
}

impl FrameColumns {
    /// Parses the value of `Properties`.
    fn parse(properties: &str) -> Result<Self, String> {
        let parts: Vec<&str> = properties.split(':').collect();
        let mut found = HashMap::new();
        let mut words = 0;
        for part in parts.chunks(3) {
            let count =
                part.get(2).and_then(|count| count.parse().ok()).filter(|count: &usize| (1..=100).contains(count));
            let Some(count) = count else { return Err(format!("invalid Properties `{}`", properties.escape_debug())) };
            found.insert(part[0], (words, count));
            words += count;
        }
        let scalar = |names: &[&str]| names.iter().find_map(|name| found.get(name)).map(|(at, _)| *at);
        let vector = |names: &[&str]| {
            let vector = names.iter().find_map(|name| found.get(name));
            vector.filter(|(_, count)| *count == 3).map(|(at, _)| *at)
        };
        let position = vector(&["pos", "positions"]).ok_or("Properties lack pos:R:3")?;
        Ok(Self {
            words,
            id: scalar(&["id", "ids"]),
            species: scalar(&["species"]),
            position,
            velocity: vector(&["velo", "vel", "velocity", "velocities"]),
            mood: scalar(&["mood"]),
            bank: scalar(&["bank"]),
        })
    }

    /// Parses the line of an atom, which is number `index` of the frame `at`. Returns also its mood and its bank.
    fn parse_row(
        &self,
        text: &str,
        index: usize,
        at: f64,
        observations: &mut Observations,
    ) -> Result<(Observation, Option<[f32; 2]>), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != self.words {
            return Err(format!("expected {} columns, found {}", self.words, words.len()));
        }
        let number = |at: usize| {
            let number = words[at].parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| format!("{} is not a finite number", words[at].escape_debug()))
        };
        let vector = |at: usize| Ok::<_, String>([number(at)?, number(at + 1)?, number(at + 2)?]);
        let animal = match self.id {
            Some(id) => observations.animals.number(words[id]),
            None => observations.animals.number(&index.to_string()),
        };
        // Other programs use other symbols, for animals of one kind.
        let kind = match self.species.map(|at| words[at]) {
            Some("P") => Kind::Predator,
            Some("C") if self.mood.is_some() => Kind::Caught,
            _ => Kind::Prey,
        };
        let scalar = |at: Option<usize>| at.map_or(Ok(0.0), number);
        let mut row = Observation::new(animal, at, vector(self.position)?);
        row.velocity = self.velocity.map_or(Ok([0.0; 3]), vector)?.map(|along| along as f32);
        row.kind = kind;
        let has_values = self.mood.or(self.bank).is_some();
        let values = [scalar(self.mood)? as f32, scalar(self.bank)? as f32];
        Ok((row, has_values.then_some(values)))
    }
}

/// The pairs KEY=VALUE of a line, whose values may be in quotes.
fn pairs(text: &str) -> HashMap<String, String> {
    let mut pairs = HashMap::new();
    let mut rest = text.trim();
    while let Some((key, after)) = rest.split_once('=') {
        let key = key.split_whitespace().last().unwrap_or_default();
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.insert(key.to_owned(), value.to_owned());
        rest = left;
    }
    pairs
}
