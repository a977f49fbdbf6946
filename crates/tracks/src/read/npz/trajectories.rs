//! Reads all states of a file as trajectories.

use std::io::{Read, Seek};
use std::path::Path;

use rawzip::{RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive};

use super::reader::{Entries, StateRange, Values, no_archive};
use super::{Array, KINDS, NO_AGENT};
use crate::error::{Error, Fault, ReadOption};
use crate::read::observations::{Observation, Observations};
use flockscope_sim::{Kind, MAX_TICK};

/// Adds the trajectories in `input`; `file` is its name for errors. Arrays may have other names in the file, and the ones that are
/// given must be there. The only one that is needed is `position`.
///
/// # Errors
///
/// [`Error`] with the file.
pub(crate) fn read_trajectories<'n>(
    input: impl Read + Seek,
    file: &Path,
    name_of: impl Fn(&'static str) -> &'n str,
    given: impl Iterator<Item = &'n str>,
    found: &mut Observations,
) -> Result<(), Error> {
    found.begin(file);
    let given: Vec<&str> = given.collect();
    let is_velocity_given = given.contains(&name_of(Array::Velocity.name()));
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(input, &mut buffer).map_err(|error| Fault::from(no_archive(&error)));
    let read = archive.and_then(|archive| {
        let entries = Entries::find(&archive, &mut buffer, StateRange::All, |array| name_of(array.name()))?;
        let arrays = Array::ALL.iter().filter(|array| entries.has(**array)).map(|array| name_of(array.name()));
        let names: Vec<&str> = arrays.collect();
        match given.iter().find(|name| !names.contains(name)) {
            Some(name) => Err(format!("the file has no array `{}`", name.escape_debug()).into()),
            None => observations(&entries, is_velocity_given, found),
        }
    });
    read.map_err(|message| Error::file(file, message))
}

/// Adds the trajectories in an NPY file, an array of frames × animals × axes.
///
/// # Errors
///
/// [`Error`] with the file.
pub(crate) fn read_array(mut input: impl Read, file: &Path, found: &mut Observations) -> Result<(), Error> {
    found.begin(file);
    let mut read = |found: &mut Observations| -> Result<(), String> {
        let values = Values::read(&mut input, true)?;
        let [frames, animals, axes @ (2 | 3)] = values.header.shape[..] else {
            return Err(format!("has the shape {:?}; expected frames x animals x 2 or 3", values.header.shape));
        };
        found.declare(false, false, axes as usize)?;
        for index in 0..(frames * animals) as usize {
            let axes = axes as usize;
            let position = [0, 1, 2].map(|axis| if axis < axes { values.number(index * axes + axis) } else { 0.0 });
            if position.iter().all(|at| at.is_finite()) {
                let (frame, animal) = (index / animals as usize, index % animals as usize);
                let Some(animal) = found.animals.number(&animal.to_string()) else { continue };
                found.add(Observation::new(animal, frame as f64, position), None, 0)?;
            }
        }
        Ok(())
    };
    read(found).map_err(|message| {
        let example = "numpy.savez('a.npz', position=numpy.load('a.npy', allow_pickle=True).item()['trajectories'])";
        let help = if message.contains("pickled") {
            format!("; {example} exports what idtracker.ai writes")
        } else {
            String::new()
        };
        Error::file(file, format!("the array {message}{help}"))
    })
}

fn observations<R: ReaderAt>(
    entries: &Entries<'_, R>,
    is_velocity_given: bool,
    found: &mut Observations,
) -> Result<(), Fault> {
    let positions = entries.header(Array::Position, &[], 3)?.ok_or_else(|| {
        let arrays = format!("(the arrays are {})", entries.names().escape_debug());
        let message = format!("the array `position` is missing; expected frames x animals x axes {arrays}");
        Fault::with_help(message, ReadOption::Columns("position=NAME".to_owned()), "names it")
    })?;
    let shape = positions.shape;
    entries.header(Array::Id, &shape[1..2], 1)?;
    entries.header(Array::Tick, &shape[..1], 1)?;
    entries.header(Array::Velocity, &shape, 3)?;
    for array in [Array::Kind, Array::Mood, Array::Bank] {
        entries.header(array, &shape[..2], 2)?;
    }

    let [frames, animals, axes] = [shape[0], shape[1], shape[2]].map(|length| length as usize);
    let ids = entries.get(Array::Id)?.map_or_else(|| (0..animals as i128).collect(), |ids| ids.integers());
    let (has_times, ticks) = ticks(entries, frames)?;
    let (kinds, positions) = (entries.get(Array::Kind)?, entries.read(Array::Position)?);
    // Those of other programs may be per second. Ours have kinds beside them.
    let velocities = entries.get(Array::Velocity)?.filter(|_| kinds.is_some() || is_velocity_given);
    let (moods, banks) = (entries.get(Array::Mood)?, entries.get(Array::Bank)?);

    found.declare(has_times, velocities.is_some(), axes)?;
    let has_values = moods.is_some() || banks.is_some();
    for index in 0..frames * animals {
        // The third number is 0 in 2-D.
        let vector =
            |values: &Values| [0, 1, 2].map(|axis| if axis < axes { values.number(index * axes + axis) } else { 0.0 });
        let position = vector(&positions);
        let (frame, animal) = (index / animals, index % animals);
        // Without kinds, the position tells whether an animal is missing.
        let kind = match kinds.as_ref().map(|kinds| kinds.integer(index)) {
            Some(code) if code == i128::from(NO_AGENT) => continue,
            None if position[..axes].iter().all(|at| at.is_nan()) => continue,
            None => Kind::Prey,
            Some(code) => *usize::try_from(code)
                .ok()
                .and_then(|code| KINDS.get(code))
                .ok_or_else(|| format!("kind {code}: expected 0 (prey), 1 (predator), 2 (caught) or -1 (no animal)"))?,
        };
        let velocity = velocities.as_ref().map_or([0.0; 3], vector);
        if let Some(number) = position.iter().chain(&velocity).find(|number| !number.is_finite()) {
            let (id, tick) = (ids[animal], ticks[frame]);
            return Err(format!(
                "tick {tick}, id {id}: {number} is not a finite number; a missing animal has NaN in all axes, or kind -1"
            )
            .into());
        }
        let scalar = |values: &Option<Values>| values.as_ref().map_or(0.0, |values| values.number(index) as f32);
        let Some(animal) = found.animals.number(&ids[animal].to_string()) else { continue };
        let mut row = Observation::new(animal, ticks[frame], position);
        (row.velocity, row.kind) = (velocity.map(|along| along as f32), kind);
        found.add(row, has_values.then(|| [scalar(&moods), scalar(&banks)]), 0)?;
    }
    Ok(())
}

/// The number or the time of each frame, and whether these are times.
fn ticks<R: ReaderAt>(entries: &Entries<'_, R>, frames: usize) -> Result<(bool, Vec<f64>), Fault> {
    let ticks = entries.get(Array::Tick)?;
    let has_times = ticks.as_ref().is_some_and(Values::are_floats);
    let numbers = (0..frames).map(|frame| ticks.as_ref().map_or(frame as f64, |ticks| ticks.number(frame)));
    let ticks: Vec<f64> = numbers.collect();
    if let Some(tick) =
        ticks.iter().find(|tick| !tick.is_finite() || !has_times && !(0.0..=MAX_TICK as f64).contains(*tick))
    {
        return Err(format!("tick {tick} is out of range: expected 0 to {MAX_TICK}").into());
    }
    Ok((has_times, ticks))
}
