//! The state of a flock as extended XYZ, which OVITO and ASE read.
//!
//! Sources of the format: <https://github.com/libAtoms/extxyz>, and OVITO's manual for the names of the properties.

use std::io::{self, Write};

use super::columns::{self, WrittenAgent};
use super::metadata::ColumnInfo;
use crate::sim::{Edge, Kind, Snapshot};
use crate::tracks::Recording;
use crate::tracks::states::Column;

/// The columns of position and velocity.
const VECTORS: [Column; 6] = [Column::X, Column::Y, Column::Z, Column::Vx, Column::Vy, Column::Vz];

/// Writes the state of every agent as one frame, with the name of the flock's preset.
///
/// Species are chemical symbols, as ASE accepts no other: boron for boids, phosphorus for predators, carbon for caught
/// boids. Positions are in u, velocities in u per tick.
///
/// # Errors
///
/// I/O errors.
pub fn write<'a>(
    flock: impl Into<Snapshot<'a>>,
    recording: Option<&'a Recording>,
    preset: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let flock = flock.into();
    writeln!(out, "{}", flock.agents.len())?;
    write_header(flock, preset, out)?;
    for agent in WrittenAgent::of(flock, recording) {
        let species = match agent.row.kind {
            Kind::Prey => "B",
            Kind::Predator => "P",
            Kind::Caught => "C",
        };
        out.write_all(species.as_bytes())?;
        for column in VECTORS {
            out.write_all(b" ")?;
            columns::write(column, &agent, 0, out)?;
        }
        write!(out, " {}", agent.row.id)?;
        for column in columns::optional(flock) {
            out.write_all(b" ")?;
            columns::write(column, &agent, 0, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The columns, for metadata.
pub(super) fn columns(flock: Snapshot<'_>) -> Vec<ColumnInfo> {
    let numbers = [Column::Id].into_iter().chain(columns::optional(flock)).map(columns::info);
    [
        ColumnInfo::new("species", "", "B for boids, P for predators, C for caught boids."),
        ColumnInfo::new("pos", "u", "Position."),
        ColumnInfo::new("velo", "u/tick", "Velocity."),
    ]
    .into_iter()
    .chain(numbers)
    .collect()
}

/// Writes the line that describes the cell, the columns, the flock and the time.
fn write_header(flock: Snapshot<'_>, preset: &str, out: &mut impl Write) -> io::Result<()> {
    let world = flock.world;
    let [width, height, depth] = world.size();
    // OVITO ignores a cell without volume.
    let depth = if world.dim() == 2 { 1.0 } else { depth };
    write!(out, "Lattice=\"{width} 0 0 0 {height} 0 0 0 {depth}\"")?;
    let corner = world.origin();
    let origin = flock.recorded.map_or([0.0; 3], |frame| frame.origin);
    let [x, y, z] = [0, 1, 2].map(|axis| origin[axis] + f64::from(corner[axis]));
    if [x, y, z] != [0.0; 3] {
        write!(out, " Origin=\"{x} {y} {z}\"")?;
    }
    let wraps = flock.params.edge.mode == Edge::Wrap;
    let [along, across] = [wraps, wraps && world.dim() == 3].map(|periodic| if periodic { "T" } else { "F" });
    let optional = columns::optional(flock).map(|column| format!(":{}:R:1", column.name()));
    let optional = optional.collect::<Vec<_>>().concat();
    write!(out, " Properties=species:S:1:pos:R:3:velo:R:3:id:I:1{optional} pbc=\"{along} {along} {across}\"")?;
    write!(out, " flockscope={}", env!("CARGO_PKG_VERSION"))?;
    if let Some(flock) = flock.simulated {
        write!(out, " preset={} seed={}", quoted(preset), flock.seed())?;
    }
    let tick = flock.tick;
    writeln!(out, " Time={tick} tick={tick}")
}

/// A string value, in quotes unless it is a plain word.
fn quoted(text: &str) -> String {
    if !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
    {
        return text.to_owned();
    }
    let text = text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_plain_words_are_quoted() {
        for (name, value) in
            [("couzin-swarm", "couzin-swarm"), ("my flock", "\"my flock\""), ("a\"b\\c", r#""a\"b\\c""#), ("", "\"\"")]
        {
            assert_eq!(quoted(name), value);
        }
    }
}
