//! What goes over the wire.

use std::time::{Duration, Instant};

/// How often the meters are read.
const EVERY: Duration = Duration::from_secs(1);

/// How often the terminal is looked at, and how much goes over the wire.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throughput {
    /// Frames a second, as drawn.
    pub frames_per_second: f32,
    /// Bytes a second, as written.
    pub bytes_per_second: f32,
}

/// What has gone over the wire since the meters were read last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThroughputCounter {
    since: Instant,
    frames: u32,
    bytes: usize,
}

impl ThroughputCounter {
    /// Nothing yet.
    pub(crate) fn new(now: Instant) -> Self {
        Self { since: now, frames: 0, bytes: 0 }
    }

    /// A frame has been drawn.
    pub(crate) fn frame(&mut self) {
        self.frames += 1;
    }

    /// So many bytes have been written.
    pub(crate) fn bytes(&mut self, many: usize) {
        self.bytes += many;
    }

    /// The meters, when it is time to read them; the count begins anew then.
    pub(crate) fn read(&mut self, now: Instant) -> Option<Throughput> {
        let span = now - self.since;
        if span < EVERY {
            return None;
        }
        let each = 1.0 / span.as_secs_f32();
        let Self { frames, bytes, .. } = std::mem::replace(self, Self::new(now));
        Some(Throughput { frames_per_second: frames as f32 * each, bytes_per_second: bytes as f32 * each })
    }
}
