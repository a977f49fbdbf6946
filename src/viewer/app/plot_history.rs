//! What the plots remember.

use std::collections::VecDeque;

use crate::engine::Frame;

/// How many measures the plots remember.
const HISTORY: usize = 64;
/// The last measures, for the plots.
#[derive(Debug, Default)]
pub struct PlotHistory {
    measure_count: u64,
    /// 0 … 1.
    polarization: VecDeque<f32>,
    /// In u.
    nearest: VecDeque<f32>,
    /// As flown.
    ticks: VecDeque<f32>,
}

impl PlotHistory {
    /// Polarization, 0 … 1.
    #[must_use]
    pub fn polarization(&self) -> &VecDeque<f32> {
        &self.polarization
    }

    /// Mean distance to the nearest neighbor, in u.
    #[must_use]
    pub fn nearest(&self) -> &VecDeque<f32> {
        &self.nearest
    }

    /// Measured ticks per second.
    #[must_use]
    pub fn ticks(&self) -> &VecDeque<f32> {
        &self.ticks
    }

    /// Takes a frame's measures in, unless it has already.
    pub fn take(&mut self, frame: &Frame) {
        if frame.measure_count == self.measure_count {
            return;
        }
        self.measure_count = frame.measure_count;
        for (plot, value) in [
            (&mut self.polarization, frame.measures.polarization),
            (&mut self.nearest, frame.measures.nearest_neighbor),
            (&mut self.ticks, frame.ticks_per_second),
        ] {
            if plot.len() == HISTORY {
                plot.pop_front();
            }
            plot.push_back(value);
        }
    }
}
