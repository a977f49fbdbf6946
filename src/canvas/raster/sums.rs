//! Sums over the boids in each cell.

use std::mem::take;

use super::projection::{ProjectedBlock, visit_blocks};
use crate::canvas::camera::Camera;
use crate::canvas::picture::dots::{BITS, DOTS_HIGH, DOTS_WIDE};
use crate::sim::{Flock, MAX_SPECIES};

/// The most species there can be.
pub(crate) const SPECIES: usize = MAX_SPECIES as usize;
/// Dots per cell.
const DOTS: u32 = BITS.len() as u32;

/// Sums over the boids in a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellSum {
    /// Unit headings.
    pub(crate) heading: [f32; 2],
    /// Speeds, in u/tick.
    pub(crate) speed: f32,
    /// How many boids. An f32 counts up to ten million exactly.
    pub(crate) count: f32,
}

/// The values of a cell that not every flock has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extras {
    /// Sum of the depths.
    pub(crate) depth: f32,
    /// The most frequent species.
    pub(crate) species: u8,
    /// The highest alarm.
    pub(crate) alarm: f32,
}

/// The extra values that a flock has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Channels {
    depth: bool,
    species: bool,
    alarm: bool,
}

/// The sums of all cells, row by row, with one more entry for boids outside.
#[derive(Debug, Default)]
pub(crate) struct CellSums {
    channels: Channels,
    pub(crate) cells: Vec<CellSum>,
    /// The dots at the boids' heads.
    pub(crate) dots: Vec<u8>,
    /// Sums of depths; empty in two dimensions.
    pub(crate) depths: Vec<f32>,
    /// Counts per species; empty if there is only one.
    pub(crate) species: Vec<[u32; SPECIES]>,
    /// Highest alarms; empty if boids do not raise alarms.
    alarms: Vec<f32>,
}

impl CellSums {
    fn new(cells: usize, channels: Channels) -> Self {
        let len = |kept: bool| if kept { cells + 1 } else { 0 };
        Self {
            channels,
            cells: vec![CellSum::default(); cells + 1],
            dots: vec![0; cells + 1],
            depths: vec![0.0; len(channels.depth)],
            species: vec![[0; SPECIES]; len(channels.species)],
            alarms: vec![0.0; len(channels.alarm)],
        }
    }

    /// Empties the sums. The caller has taken those of all cells but the last.
    fn clear(&mut self, cells: usize, channels: Channels) {
        if (self.cells.len(), self.channels) == (cells + 1, channels) {
            self.dots.fill(0);
            self.take(cells);
            self.take_extras(cells);
        } else {
            *self = Self::new(cells, channels);
        }
    }

    /// Takes the sum of a cell and leaves 0.
    #[inline]
    pub(crate) fn take(&mut self, cell: usize) -> CellSum {
        take(&mut self.cells[cell])
    }

    /// Whether [`take_extras`](Self::take_extras) has anything to take.
    #[inline]
    pub(crate) fn has_extras(&self) -> bool {
        self.channels != Channels::default()
    }

    /// Takes the extra values of a cell and leaves 0.
    pub(crate) fn take_extras(&mut self, cell: usize) -> Extras {
        Extras {
            depth: self.depths.get_mut(cell).map_or(0.0, take),
            species: self.species.get_mut(cell).map_or(0, |counts| most_frequent(take(counts))),
            alarm: self.alarms.get_mut(cell).map_or(0.0, take),
        }
    }

    /// Adds a block of boids; `size` is that of the canvas in dots.
    fn add(&mut self, block: &ProjectedBlock, size: [usize; 2]) {
        let indices = block.dot_indices(size);
        let [x, y] = &block.heading;
        // Neighbors in memory are often in the same cell: keep its sum in registers while they are.
        let mut current = (indices[0] / DOTS) as usize;
        let cells = &mut self.cells[..];
        let dots = &mut self.dots[..cells.len()];
        let (mut sum, mut set) = (cells[current], dots[current]);
        for (((index, x), y), speed) in indices.iter().zip(x).zip(y).zip(&block.speed).take(block.len) {
            let cell = (index / DOTS) as usize;
            if cell != current {
                (cells[current], dots[current]) = (sum, set);
                current = cell;
                (sum, set) = (cells[current], dots[current]);
            }
            sum.heading[0] += x;
            sum.heading[1] += y;
            sum.speed += speed;
            sum.count += 1.0;
            set |= BITS[(index % DOTS) as usize];
        }
        (cells[current], dots[current]) = (sum, set);
        if self.has_extras() {
            self.add_extras(block, &indices.map(|index| (index / DOTS) as usize)[..block.len]);
        }
    }

    fn add_extras(&mut self, block: &ProjectedBlock, cells: &[usize]) {
        if !self.depths.is_empty() {
            cells.iter().zip(&block.depth).for_each(|(cell, depth)| self.depths[*cell] += depth);
        }
        if !self.species.is_empty() {
            cells.iter().zip(&block.species).for_each(|(cell, of)| self.species[*cell][usize::from(*of)] += 1);
        }
        if !self.alarms.is_empty() {
            for (cell, alarm) in cells.iter().zip(&block.alarm) {
                self.alarms[*cell] = self.alarms[*cell].max(*alarm);
            }
        }
    }

    /// Moves the sums of another part into this one.
    fn merge(&mut self, other: &mut Self) {
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

/// The most frequent species; of several, the first.
fn most_frequent(counts: [u32; SPECIES]) -> u8 {
    let most = counts.iter().max();
    counts.iter().position(|count| Some(count) == most).unwrap_or(0) as u8
}

/// Sums up all boids on a canvas of this many cells. `parts` is storage that is reused from picture to picture.
pub(crate) fn sum_cells<'a>(
    parts: &'a mut Vec<CellSums>,
    flock: &Flock,
    camera: &Camera,
    columns: usize,
    rows: usize,
) -> &'a mut CellSums {
    let channels = Channels {
        depth: camera.is_perspective(),
        species: flock.params().species.count > 1.0,
        alarm: flock.params().alarms() && !flock.agents().moods().is_empty(),
    };
    let cells = columns * rows;
    let dots = [columns * DOTS_WIDE, rows * DOTS_HIGH];
    for part in parts.iter_mut() {
        part.clear(cells, channels);
    }
    visit_blocks(flock, camera, true, parts, || CellSums::new(cells, channels), |part, block| part.add(block, dots));
    let (first, others) = parts.split_at_mut(1);
    for other in others {
        first[0].merge(other);
    }
    &mut first[0]
}
