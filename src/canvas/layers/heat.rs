//! The heat map: how crowded it is, with two samples for each cell.

use glam::Vec2;

use crate::canvas::camera::Camera;
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, Picture};
use crate::canvas::raster::projection;
use crate::canvas::smoothing::blur::ScalarField;
use crate::canvas::smoothing::exposure::{Exposure, mean_share};
use crate::canvas::smoothing::scroll::{Scroll, follow, shift};
use crate::sim::Flock;

/// Over how many ticks densities are averaged.
const TICKS: f32 = 5.0;
/// How many steps of heat are told apart: each more is more bytes on the wire.
const STEPS: u16 = 28;
/// How far a sample has to move, in steps, before it is shown: it would flicker between two.
const STIR: f32 = 0.75;
/// The percentile of inhabited samples that is shown at full heat.
const FULL: usize = 97;

/// How many counts a sample has: boids of a block often stand in one, and a count waits for the one before it.
const APART: usize = 4;

/// The heat map's samples, and what they were.
#[derive(Debug, Default)]
pub(crate) struct Heat {
    counts: Vec<Vec<[u32; APART]>>,
    fresh: ScalarField,
    mean: Vec<f32>,
    exposure: Exposure,
    shown: Vec<u8>,
    drift: Scroll,
}

impl Heat {
    /// Fills in the heat of each cell, `elapsed` ticks after the last time.
    pub(crate) fn fill(&mut self, flock: &Flock, camera: &Camera, elapsed: f32, picture: &mut Picture) {
        let (columns, lines) = (picture.columns, picture.rows * 2);
        self.count(flock, camera, columns, lines);
        self.fresh.blur(columns, false);
        self.follow(elapsed);

        let inhabited = self.mean.iter().copied().filter(|density| *density > 0.02);
        let exposure = self.exposure.follow(inhabited, FULL, elapsed);
        self.shown.resize(self.mean.len(), 0);
        for (shown, mean) in self.shown.iter_mut().zip(&self.mean) {
            // By the root: a flock is denser within than without by orders of magnitude.
            let value = (mean * exposure).min(1.0).sqrt() * f32::from(STEPS);
            if (value - f32::from(*shown)).abs() > STIR {
                *shown = (value + 0.5) as u8;
            }
        }
        let place = |step: u8| (u16::from(step) * 255 / STEPS) as u8;
        for (row, cells) in self.shown.chunks_exact(2 * columns).enumerate() {
            let (upper, lower) = cells.split_at(columns);
            debug_assert_eq!(picture.heat.len(), row * columns);
            picture.heat.extend(upper.iter().zip(lower).map(|(upper, lower)| [place(*upper), place(*lower)]));
        }
    }

    /// Forgets what it has seen.
    pub(crate) fn reset(&mut self) {
        self.mean.clear();
        self.shown.clear();
        self.exposure.reset();
        self.drift = Scroll::default();
    }

    /// Moves what it has seen by so many dots, on a canvas so many cells wide.
    pub(crate) fn shift(&mut self, dots: Vec2, columns: usize) {
        let by = self.drift.go(dots, Vec2::new(DOTS_WIDE as f32, (DOTS_HIGH / 2) as f32));
        shift(&mut self.mean, columns, by, f32::NAN);
        shift(&mut self.shown, columns, by, 0);
    }

    fn count(&mut self, flock: &Flock, camera: &Camera, columns: usize, lines: usize) {
        let dots = [columns * DOTS_WIDE, lines * DOTS_HIGH / 2];
        let samples = columns * lines;
        self.counts.iter_mut().for_each(Vec::clear);
        projection::look(flock, camera, false, &mut self.counts, &|counts: &mut Vec<[u32; APART]>, block| {
            counts.resize(samples + 1, [0; APART]);
            let boxes = block.boxes(dots, DOTS_WIDE.ilog2(), (DOTS_HIGH / 2).ilog2());
            for (at, &sample) in boxes[..block.len].iter().enumerate() {
                counts[sample as usize][at % APART] += 1;
            }
        });
        self.fresh.values.clear();
        self.fresh.values.resize(samples, 0.0);
        for counts in &self.counts {
            for (value, count) in self.fresh.values.iter_mut().zip(counts) {
                *value += count.iter().sum::<u32>() as f32;
            }
        }
    }

    fn follow(&mut self, elapsed: f32) {
        if self.mean.len() != self.fresh.values.len() {
            self.mean.clone_from(&self.fresh.values);
            return;
        }
        let share = mean_share(elapsed, TICKS);
        follow(&mut self.mean, &self.fresh.values, share);
    }
}
