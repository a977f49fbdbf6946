//! The terminal's throughput.

use std::time::{Duration, Instant};

/// How often the throughput is updated.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// Frames and bytes sent to the terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throughput {
    /// Frames drawn per second.
    pub frames_per_second: f32,
    /// Bytes written per second.
    pub bytes_per_second: f32,
}

/// Measures the throughput.
#[derive(Clone, Copy, Debug)]
pub struct ThroughputMeter {
    /// The throughput up to the last update.
    pub measured: Throughput,
    /// Frames drawn since then.
    pub frames: u32,
    /// Bytes written since then.
    pub bytes: usize,
    since: Instant,
}

impl ThroughputMeter {
    /// Starts counting.
    pub fn new(now: Instant) -> Self {
        Self { measured: Throughput::default(), frames: 0, bytes: 0, since: now }
    }

    /// Once a second, measures the throughput and starts counting again. Returns whether the frame rate changed.
    pub fn update(&mut self, now: Instant) -> bool {
        let elapsed = now - self.since;
        if elapsed < UPDATE_INTERVAL {
            return false;
        }
        let per_second = 1.0 / elapsed.as_secs_f32();
        let measured = Throughput {
            frames_per_second: self.frames as f32 * per_second,
            bytes_per_second: self.bytes as f32 * per_second,
        };
        let changed = measured.frames_per_second != self.measured.frames_per_second;
        *self = Self { measured, ..Self::new(now) };
        changed
    }
}
