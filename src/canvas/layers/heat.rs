//! The heat map: the density in two samples per cell, one above the other.

use glam::Vec2;

use crate::canvas::camera::Camera;
use crate::canvas::picture::quantize::follow_step;
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, Picture};
use crate::canvas::projection::{BoxCounts, count_boxes};
use crate::canvas::smoothing::{BlurBuffers, Exposure, Scroll, SmoothedField, Smoothing, new_weight, shift};
use crate::sim::Flock;

/// Time constant of the smoothing, in ticks.
const WINDOW: f32 = 5.0;
/// Levels of heat. More levels cost more bytes on the terminal.
const STEPS: u16 = 28;
/// The percentile of occupied samples that is shown at full heat.
const FULL_PERCENT: usize = 97;
/// Samples with a lower density do not count as occupied.
const OCCUPIED: f32 = 0.02;
/// The size of a sample in dots.
const SAMPLE: [usize; 2] = [DOTS_WIDE, DOTS_HIGH / 2];

/// The state that the heat map carries from picture to picture.
#[derive(Debug, Default)]
pub(crate) struct HeatMap {
    counts: Vec<BoxCounts>,
    buffers: BlurBuffers,
    mean: SmoothedField,
    exposure: Exposure,
    shown: Vec<u8>,
    scroll: Scroll,
}

impl HeatMap {
    /// Fills in the heat of each cell, `elapsed` ticks after the last picture.
    pub(crate) fn draw(&mut self, flock: &Flock, camera: &Camera, elapsed: f32, picture: &mut Picture) {
        let columns = picture.columns;
        let dots = [columns * DOTS_WIDE, picture.rows * DOTS_HIGH];
        let totals = count_boxes(flock, camera, dots, SAMPLE.map(usize::ilog2), &mut self.counts);
        let weight = new_weight(elapsed, WINDOW);
        let smoothing = Smoothing { columns, wide: false, weight, fall: weight };
        self.mean.update(totals.map(|total| total as f32), &smoothing, &mut self.buffers);

        let means = &self.mean.values;
        let occupied = means.iter().copied().filter(|density| *density > OCCUPIED);
        let exposure = self.exposure.update(occupied, FULL_PERCENT, elapsed);
        self.shown.resize(means.len(), 0);
        for (shown, mean) in self.shown.iter_mut().zip(means) {
            // Square root: densities span orders of magnitude.
            follow_step(shown, (mean * exposure).min(1.0).sqrt() * f32::from(STEPS));
        }
        let byte = |step: u8| (u16::from(step) * 255 / STEPS) as u8;
        for rows in self.shown.chunks_exact(2 * columns) {
            let (upper, lower) = rows.split_at(columns);
            picture.heat.extend(upper.iter().zip(lower).map(|(upper, lower)| [byte(*upper), byte(*lower)]));
        }
    }

    /// Scrolls by a number of dots, on a canvas of `columns` cells.
    pub(crate) fn scroll(&mut self, dots: Vec2, columns: usize) {
        let by = self.scroll.steps(dots, Vec2::from(SAMPLE.map(|side| side as f32)));
        self.mean.scroll(columns, by);
        shift(&mut self.shown, columns, by, 0);
    }
}
