//! The state of a flock as extended XYZ, which OVITO and ASE read.
//!
//! Sources of the format: <https://github.com/libAtoms/extxyz>, and OVITO's manual for the names of the properties.

use std::io::{self, Write};

use super::Shortest;
use crate::sim::{Edge, Flock, Kind};

/// Writes the state of every agent as one frame.
///
/// Species are chemical symbols, as ASE accepts no other: boron for boids, phosphorus for predators, carbon for caught
/// boids. Positions are in u, velocities in u per tick.
///
/// # Errors
///
/// I/O errors.
pub fn write(flock: &Flock, out: &mut impl Write) -> io::Result<()> {
    let rows = flock.rows();
    let (mood, bank) = (flock.uses_moods(), flock.uses_banks());
    writeln!(out, "{}", rows.len())?;
    write_header(flock, out)?;
    for row in rows {
        let species = match row.kind {
            Kind::Prey => "B",
            Kind::Predator => "P",
            Kind::Caught => "C",
        };
        out.write_all(species.as_bytes())?;
        for number in row.position.iter().chain(&row.velocity) {
            write!(out, " {}", Shortest(*number))?;
        }
        write!(out, " {}", row.id)?;
        if mood {
            write!(out, " {}", Shortest(row.mood))?;
        }
        if bank {
            write!(out, " {}", Shortest(row.bank))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the line that describes the cell, the columns and the time.
fn write_header(flock: &Flock, out: &mut impl Write) -> io::Result<()> {
    let world = flock.world();
    let [width, height, depth] = world.size();
    // OVITO ignores a cell without volume.
    let depth = if world.dim() == 2 { 1.0 } else { depth };
    write!(out, "Lattice=\"{width} 0 0 0 {height} 0 0 0 {depth}\"")?;
    let [x, y, z] = world.origin();
    if [x, y, z] != [0.0; 3] {
        write!(out, " Origin=\"{x} {y} {z}\"")?;
    }
    let wraps = flock.params().edge.mode == Edge::Wrap;
    let [along, across] = [wraps, wraps && world.dim() == 3].map(|periodic| if periodic { "T" } else { "F" });
    let mood = if flock.uses_moods() { ":mood:R:1" } else { "" };
    let bank = if flock.uses_banks() { ":bank:R:1" } else { "" };
    let properties = format!("species:S:1:pos:R:3:velo:R:3:id:I:1{mood}{bank}");
    let tick = flock.tick();
    writeln!(out, " Properties={properties} pbc=\"{along} {along} {across}\" Time={tick} tick={tick}")
}
