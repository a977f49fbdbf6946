//! Who stands in each cell: sums over its boids, before they become places on ramps.

use std::mem::take;

use super::projection;
use super::projection::ProjectedBlock;
use crate::canvas::camera::Camera;
use crate::canvas::picture::{BITS, DOTS_HIGH, DOTS_WIDE};
use crate::sim::{Flock, MAX_SPECIES};

/// How many species are told apart.
pub(crate) const SPECIES: usize = MAX_SPECIES as usize;

/// What is summed up for one cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellSum {
    /// Unit headings.
    pub(crate) heading: [f32; 2],
    /// Speeds, u/tick.
    pub(crate) speed: f32,
    /// How many there are; in an f32, which holds ten million exactly.
    pub(crate) count: f32,
}

/// The sums of all cells.
#[derive(Debug, Default)]
pub(crate) struct CellSums {
    /// Cell by cell, row by row, and one more for who is not seen.
    pub(crate) cells: Vec<CellSum>,
    /// Their depths; empty in a flat world.
    pub(crate) depths: Vec<f32>,
    /// The greatest alarm among them; empty where nobody can be alarmed.
    pub(crate) alarms: Vec<f32>,
    /// Their dots.
    pub(crate) dots: Vec<u8>,
    /// How many there are of each species; empty where there is but one.
    pub(crate) species: Vec<[u32; SPECIES]>,
}

/// What more may be kept of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtraSums {
    /// The depths of all.
    pub(crate) depth: f32,
    /// The species of most.
    pub(crate) species: u8,
    /// The greatest alarm.
    pub(crate) alarm: f32,
}

/// What is kept of each cell, beside what always is.
#[derive(Clone, Copy, Debug)]
struct Channels {
    /// How far away they are.
    deep: bool,
    /// Of which species they are.
    mixed: bool,
    /// How alarmed.
    alarmed: bool,
}

/// How many dots a cell has.
const DOTS: u32 = BITS.len() as u32;

impl CellSums {
    fn clear(&mut self, cells: usize, kept: Channels) {
        let room = |kept: bool| if kept { cells + 1 } else { 0 };
        let (depths, species, alarms) = (room(kept.deep), room(kept.mixed), room(kept.alarmed));
        let lengths = (self.cells.len(), self.depths.len(), self.species.len(), self.alarms.len());
        if lengths == (cells + 1, depths, species, alarms) {
            // All others have been taken.
            self.dots.fill(0);
            self.take(cells);
            self.take_more(cells);
        } else {
            self.cells.clear();
            self.cells.resize(cells + 1, CellSum::default());
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

    /// Takes the sum of a cell, which is none from then on.
    #[inline]
    pub(crate) fn take(&mut self, cell: usize) -> CellSum {
        take(&mut self.cells[cell])
    }

    /// Whether more is kept of a cell than its sum.
    #[inline]
    pub(crate) fn is_more(&self) -> bool {
        !(self.depths.is_empty() && self.species.is_empty() && self.alarms.is_empty())
    }

    /// Takes what more is kept of a cell.
    pub(crate) fn take_more(&mut self, cell: usize) -> ExtraSums {
        ExtraSums {
            depth: self.depths.get_mut(cell).map_or(0.0, take),
            species: self.species.get_mut(cell).map_or(0, |counts| most(take(counts))),
            alarm: self.alarms.get_mut(cell).map_or(0.0, take),
        }
    }

    /// Adds the boids of a block on a canvas of so many dots.
    fn add(&mut self, block: &ProjectedBlock, size: [usize; 2]) {
        let places = block.places(size);
        let [x, y] = &block.heading;
        // Neighbors in memory are neighbors in the world: while they are in one cell, its sum is at hand.
        let mut here = (places[0] / DOTS) as usize;
        let cells = &mut self.cells[..];
        let dots = &mut self.dots[..cells.len()];
        let (mut sum, mut set) = (cells[here], dots[here]);
        for (((place, x), y), speed) in places.iter().zip(x).zip(y).zip(&block.speed).take(block.len) {
            let cell = (place / DOTS) as usize;
            if cell != here {
                (cells[here], dots[here]) = (sum, set);
                here = cell;
                (sum, set) = (cells[here], dots[here]);
            }
            sum.heading[0] += x;
            sum.heading[1] += y;
            sum.speed += speed;
            sum.count += 1.0;
            set |= BITS[(place % DOTS) as usize];
        }
        (cells[here], dots[here]) = (sum, set);
        if !self.is_more() {
            return;
        }
        let cells = places.map(|place| place / DOTS);
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

    /// Takes all that another has.
    fn join(&mut self, other: &mut Self) {
        for (sum, other) in self.cells.iter_mut().zip(&mut other.cells) {
            let other = take(other);
            sum.heading[0] += other.heading[0];
            sum.heading[1] += other.heading[1];
            sum.speed += other.speed;
            sum.count += other.count;
        }
        self.dots.iter_mut().zip(&other.dots).for_each(|(dots, other)| *dots |= other);
        self.depths.iter_mut().zip(&mut other.depths).for_each(|(depth, other)| *depth += take(other));
        for (counts, other) in self.species.iter_mut().zip(&mut other.species) {
            counts.iter_mut().zip(take(other)).for_each(|(count, other)| *count += other);
        }
        self.alarms.iter_mut().zip(&mut other.alarms).for_each(|(alarm, other)| *alarm = alarm.max(take(other)));
    }
}

/// The species of most, of equals the first.
fn most(counts: [u32; SPECIES]) -> u8 {
    let most = counts.iter().max();
    counts.iter().position(|count| Some(count) == most).unwrap_or(0) as u8
}

/// CellSums up a flock, part by part.
#[derive(Debug, Default)]
pub(crate) struct SumAccumulator {
    parts: Vec<CellSums>,
}

impl SumAccumulator {
    /// The sums over all boids on a canvas of this many cells.
    pub(crate) fn take(&mut self, flock: &Flock, camera: &Camera, columns: usize, rows: usize) -> &mut CellSums {
        let dots = [columns * DOTS_WIDE, rows * DOTS_HIGH];
        let kept = Channels {
            deep: matches!(camera, Camera::Perspective { .. }),
            mixed: flock.params().species.count > 1.0,
            alarmed: flock.params().alarms() && !flock.agents().moods().is_empty(),
        };
        let clear = |part: &mut CellSums| part.clear(columns * rows, kept);
        self.parts.iter_mut().for_each(clear);
        projection::look(flock, camera, true, &mut self.parts, &|part: &mut CellSums, block| {
            if part.cells.is_empty() {
                clear(part);
            }
            part.add(block, dots);
        });
        // With nobody to look at, no part has been cleared.
        self.parts.iter_mut().filter(|part| part.cells.is_empty()).for_each(clear);
        if let Some((first, others)) = self.parts.split_first_mut() {
            for other in others {
                first.join(other);
            }
        }
        &mut self.parts[0]
    }
}
