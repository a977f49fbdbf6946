//! A hard ceiling on the bytes of any second.

use std::time::{Duration, Instant};

/// Part of a second's bytes that may go out at once; what is left comes evenly. Together they are
/// the ceiling, so no second carries more.
const BURST: f64 = 0.1;

/// A bucket of bytes that fills by itself.
#[derive(Debug)]
pub(crate) struct BandwidthLimit {
    per_second: f64,
    burst: f64,
    left: f64,
    at: Instant,
}

impl BandwidthLimit {
    /// At most so many bytes in any second.
    pub(crate) fn new(bytes: u32, now: Instant) -> Self {
        let bytes = f64::from(bytes);
        Self { per_second: bytes * (1.0 - BURST), burst: bytes * BURST, left: bytes * BURST, at: now }
    }

    /// CellAttrs many bytes may go out now.
    pub(crate) fn room(&mut self, now: Instant) -> usize {
        let time = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + time * self.per_second).min(self.burst);
        self.at = now;
        self.left.max(0.0) as usize
    }

    /// These have gone out.
    pub(crate) fn spend(&mut self, bytes: usize) {
        self.left -= bytes as f64;
    }

    /// CellAttrs long it takes until as many may go out as ever may at once, or this many.
    pub(crate) fn wait(&mut self, bytes: usize, now: Instant) -> Option<Duration> {
        self.room(now);
        let wanted = (bytes as f64).min(self.burst * 0.9);
        let missing = wanted - self.left;
        (missing > 0.0).then(|| Duration::from_secs_f64(missing / self.per_second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_carries_more_and_little_is_wasted() {
        let start = Instant::now();
        let mut ceiling = BandwidthLimit::new(64_000, start);
        let mut log: Vec<(Duration, usize)> = Vec::new();
        let mut time = Duration::ZERO;
        while time < Duration::from_secs(10) {
            let now = start + time;
            if ceiling.wait(9000, now).is_none() {
                let bytes = ceiling.room(now).min(9000);
                ceiling.spend(bytes);
                log.push((time, bytes));
            }
            time += Duration::from_micros(16_667);
        }
        let second = |from: Duration| -> usize {
            let inside = log.iter().filter(|(at, _)| *at >= from && *at < from + Duration::from_secs(1));
            inside.map(|(_, bytes)| bytes).sum()
        };
        let worst = log.iter().map(|(at, _)| second(*at)).max().unwrap();
        assert!(worst <= 64_000, "{worst}");
        let all: usize = log.iter().map(|(_, bytes)| bytes).sum();
        assert!(all > 500_000, "{all}");
    }
}
