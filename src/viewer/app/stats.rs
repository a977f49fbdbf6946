//! Numbers over time: the measures that the plots show, and the terminal's throughput.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::engine::Frame;

/// How many measures each plot keeps.
const PLOT_LENGTH: usize = 64;
/// How often the throughput is updated.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// The most recent measures, for the plots.
#[derive(Debug, Default)]
pub struct PlotHistory {
    measure_count: u64,
    polarization: VecDeque<f32>,
    nearest: VecDeque<f32>,
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

    /// Records a frame's measures if they are new.
    pub fn record(&mut self, frame: &Frame) {
        if frame.measure_count == self.measure_count {
            return;
        }
        self.measure_count = frame.measure_count;
        for (plot, value) in [
            (&mut self.polarization, frame.measures.polarization),
            (&mut self.nearest, frame.measures.nearest_neighbor),
            (&mut self.ticks, frame.ticks_per_second),
        ] {
            if plot.len() == PLOT_LENGTH {
                plot.pop_front();
            }
            plot.push_back(value);
        }
    }
}

/// Frames and bytes sent to the terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throughput {
    /// Frames drawn per second.
    pub frames_per_second: f32,
    /// Bytes written per second.
    pub bytes_per_second: f32,
}

/// Counts bytes and frames sent since the last update.
#[derive(Clone, Copy, Debug)]
pub struct ThroughputCounter {
    since: Instant,
    frames: u32,
    bytes: usize,
}

impl ThroughputCounter {
    /// Starts counting.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self { since: now, frames: 0, bytes: 0 }
    }

    /// Counts a frame.
    pub fn count_frame(&mut self) {
        self.frames += 1;
    }

    /// Counts written bytes.
    pub fn count_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Once a second, returns the throughput and starts counting again.
    pub fn update(&mut self, now: Instant) -> Option<Throughput> {
        let elapsed = now - self.since;
        if elapsed < UPDATE_INTERVAL {
            return None;
        }
        let per_second = 1.0 / elapsed.as_secs_f32();
        let Self { frames, bytes, .. } = std::mem::replace(self, Self::new(now));
        Some(Throughput { frames_per_second: frames as f32 * per_second, bytes_per_second: bytes as f32 * per_second })
    }
}
