//! Who stands in each cell: sums over its boids, before they become places on ramps.

use super::camera::Camera;
use super::lens::{self, Block};
use super::picture::{BITS, DOTS_HIGH, DOTS_WIDE};
use crate::bits::some;
use crate::sim::{Flock, MAX_SPECIES};

/// How many species are told apart.
pub(super) const SPECIES: usize = MAX_SPECIES as usize;

/// What is summed up for one cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    /// Unit headings.
    pub(super) heading: [f32; 2],
    /// Speeds, u/tick.
    pub(super) speed: f32,
    /// How many there are; in an f32, which holds ten million exactly.
    pub(super) count: f32,
}

/// The sums of all cells.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// Cell by cell, row by row, and one more for who is not seen.
    pub(super) cells: Vec<Sum>,
    /// Their depths; empty in a flat world.
    pub(super) depths: Vec<f32>,
    /// The greatest alarm among them; empty where nobody can be alarmed.
    pub(super) alarms: Vec<f32>,
    /// Their dots.
    pub(super) dots: Vec<u8>,
    /// How many there are of each species; empty where there is but one.
    pub(super) species: Vec<[u32; SPECIES]>,
}

/// What is kept of each cell, beside what always is.
#[derive(Clone, Copy, Debug)]
struct Kept {
    /// How far away they are.
    deep: bool,
    /// Of which species they are.
    mixed: bool,
    /// How alarmed.
    alarmed: bool,
}

/// How many dots a cell has.
const DOTS: u32 = BITS.len() as u32;

impl Sums {
    fn clear(&mut self, cells: usize, kept: Kept) {
        let room = |kept: bool| if kept { cells + 1 } else { 0 };
        let (depths, species, alarms) = (room(kept.deep), room(kept.mixed), room(kept.alarmed));
        let lengths = (self.cells.len(), self.depths.len(), self.species.len(), self.alarms.len());
        if lengths == (cells + 1, depths, species, alarms) {
            for cell in some(&self.dots) {
                self.cells[cell] = Sum::default();
                if let Some(depth) = self.depths.get_mut(cell) {
                    *depth = 0.0;
                }
                if let Some(counts) = self.species.get_mut(cell) {
                    *counts = [0; SPECIES];
                }
                if let Some(alarm) = self.alarms.get_mut(cell) {
                    *alarm = 0.0;
                }
            }
            self.dots.fill(0);
        } else {
            self.cells.clear();
            self.cells.resize(cells + 1, Sum::default());
            self.dots.clear();
            self.dots.resize(cells + 1, 0);
            self.depths.clear();
            self.depths.resize(depths, 0.0);
            self.species.clear();
            self.species.resize(species, [0; SPECIES]);
            self.alarms.clear();
            self.alarms.resize(alarms, 0.0);
        }
    }

    /// The species of most in a cell, of equals the first.
    pub(super) fn species(&self, cell: usize) -> u8 {
        let counts = self.species.get(cell).copied().unwrap_or_default();
        let most = counts.iter().max();
        counts.iter().position(|count| Some(count) == most).unwrap_or(0) as u8
    }

    /// Adds the boids of a block on a canvas of so many dots.
    fn add(&mut self, block: &Block, size: [usize; 2]) {
        let places = block.places(size);
        let cells = places.map(|place| place / DOTS);
        // Neighbours in memory are neighbours in the world: while they are in one cell, its sum is at hand.
        let mut here = cells[0] as usize;
        let (mut sum, mut set) = (self.cells[here], self.dots[here]);
        for (at, &cell) in cells[..block.len].iter().enumerate() {
            if cell as usize != here {
                (self.cells[here], self.dots[here]) = (sum, set);
                here = cell as usize;
                (sum, set) = (self.cells[here], self.dots[here]);
            }
            sum.heading[0] += block.heading[0][at];
            sum.heading[1] += block.heading[1][at];
            sum.speed += block.speed[at];
            sum.count += 1.0;
            set |= BITS[(places[at] % DOTS) as usize];
        }
        (self.cells[here], self.dots[here]) = (sum, set);
        if !self.depths.is_empty() {
            for (at, &cell) in cells[..block.len].iter().enumerate() {
                self.depths[cell as usize] += block.depth[at];
            }
        }
        if !self.species.is_empty() {
            for (at, &cell) in cells[..block.len].iter().enumerate() {
                self.species[cell as usize][usize::from(block.species[at])] += 1;
            }
        }
        if !self.alarms.is_empty() {
            for (at, &cell) in cells[..block.len].iter().enumerate() {
                let alarm = &mut self.alarms[cell as usize];
                *alarm = alarm.max(block.alarm[at]);
            }
        }
    }

    fn join(&mut self, other: &Self) {
        for (sum, other) in self.cells.iter_mut().zip(&other.cells) {
            sum.heading[0] += other.heading[0];
            sum.heading[1] += other.heading[1];
            sum.speed += other.speed;
            sum.count += other.count;
        }
        self.dots.iter_mut().zip(&other.dots).for_each(|(dots, other)| *dots |= other);
        self.depths.iter_mut().zip(&other.depths).for_each(|(depth, other)| *depth += other);
        for (counts, other) in self.species.iter_mut().zip(&other.species) {
            counts.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        }
        self.alarms.iter_mut().zip(&other.alarms).for_each(|(alarm, other)| *alarm = alarm.max(*other));
    }
}

/// Sums up a flock, part by part.
#[derive(Debug, Default)]
pub(super) struct Tally {
    parts: Vec<Sums>,
}

impl Tally {
    /// The sums over all boids on a canvas of this many cells.
    pub(super) fn take(&mut self, flock: &Flock, camera: &Camera, columns: usize, rows: usize) -> &Sums {
        let dots = [columns * DOTS_WIDE, rows * DOTS_HIGH];
        let kept = Kept {
            deep: matches!(camera, Camera::Deep { .. }),
            mixed: flock.params().species.count > 1.0,
            alarmed: flock.params().alarms() && !flock.agents().moods().is_empty(),
        };
        let clear = |part: &mut Sums| part.clear(columns * rows, kept);
        self.parts.iter_mut().for_each(clear);
        lens::look(flock, camera, true, &mut self.parts, &|part: &mut Sums, block| {
            if part.cells.is_empty() {
                clear(part);
            }
            part.add(block, dots);
        });
        // With nobody to look at, no part has been cleared.
        self.parts.iter_mut().filter(|part| part.cells.is_empty()).for_each(clear);
        if let Some((first, others)) = self.parts.split_first_mut() {
            for other in others.iter() {
                first.join(other);
            }
        }
        &self.parts[0]
    }
}
