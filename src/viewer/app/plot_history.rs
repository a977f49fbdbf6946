//! What the plots remember.

use std::collections::VecDeque;

use crate::engine::Frame;

/// How many measures the plots remember.
const HISTORY: usize = 64;
/// The last measures, for the plots.
#[derive(Debug, Default)]
pub struct History {
    measured: u64,
    /// 0 … 1.
    pub polarisation: VecDeque<f32>,
    /// In u.
    pub nearest: VecDeque<f32>,
    /// As flown.
    pub ticks: VecDeque<f32>,
}

impl History {
    /// Takes a frame's measures in, unless it has already.
    pub fn take(&mut self, frame: &Frame) {
        if frame.measured == self.measured {
            return;
        }
        self.measured = frame.measured;
        for (plot, value) in [
            (&mut self.polarisation, frame.measures.polarisation),
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
