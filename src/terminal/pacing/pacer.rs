//! The controller: link estimate, bandwidth limit and quality level in one decision.

use std::time::{Duration, Instant};

use super::QualityLevel;
use super::link::Link;
use super::quality::QualityControl;

/// Whether a frame may go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendDecision {
    /// Now, with at most this many bytes.
    Now(usize),
    /// Later. Ask again after this time, or when an acknowledgement arrives.
    Wait(Duration),
}

/// Limits output to what the link carries and the user allows. The module documentation describes the control law.
#[derive(Debug)]
pub struct Pacer {
    fps: f32,
    link: Link,
    bandwidth: Option<TokenBucket>,
    quality: QualityControl,
    /// Moving average of the bytes in a frame.
    frame_size: f32,
    /// Bytes sent of a frame that is not complete yet.
    partial_frame: usize,
}

impl Pacer {
    /// Paces at most `fps` frames and `bandwidth` bytes a second. `readable` says whether the terminal's replies can be read.
    #[must_use]
    pub fn new(fps: f32, bandwidth: Option<u32>, readable: bool, now: Instant) -> Self {
        Self {
            fps,
            link: Link::new(readable, now),
            bandwidth: bandwidth.map(|bytes| TokenBucket::new(bytes, now)),
            quality: QualityControl::new(now),
            frame_size: 0.0,
            partial_frame: 0,
        }
    }

    /// Changes the frame rate limit.
    pub fn set_fps(&mut self, fps: f32) {
        self.fps = fps;
    }

    /// Changes or removes the bandwidth limit.
    pub fn set_bandwidth(&mut self, bandwidth: Option<u32>, now: Instant) {
        self.bandwidth = bandwidth.map(|bytes| TokenBucket::new(bytes, now));
    }

    /// Decides whether a frame that is due may go out.
    pub fn decide(&mut self, now: Instant) -> SendDecision {
        self.review(now);
        let mut budget = self.link.budget();
        let mut wait = self.link.wait(now);
        if let Some(bucket) = &mut self.bandwidth {
            wait = wait.max(bucket.wait(self.frame_size as usize, now));
            budget = budget.min(bucket.available(now));
        }
        match wait {
            Some(wait) => {
                self.quality.frame_delayed();
                SendDecision::Wait(wait)
            }
            None => SendDecision::Now(budget),
        }
    }

    fn review(&mut self, now: Instant) {
        let is_stalled = self.link.is_stalled(now);
        self.quality.review(self.fps, is_stalled, now);
    }

    /// Notes that a frame was due while the previous one was still being written.
    pub fn frame_delayed(&mut self) {
        self.quality.frame_delayed();
    }

    /// Notes that there is nothing to send. Returns whether the quality level has changed, so that the screen can be painted
    /// again.
    pub fn idle(&mut self, now: Instant) -> bool {
        let before = self.quality();
        self.review(now);
        self.quality() != before
    }

    /// How well to paint the next frame.
    #[must_use]
    pub fn quality(&self) -> QualityLevel {
        self.quality.level()
    }

    /// The row, counted from 0, in which the next frame requests an acknowledgement. `None` if the terminal does not reply.
    #[must_use]
    pub fn ack_row(&self, rows: u16) -> Option<u16> {
        self.link.ack_row(rows)
    }

    /// Notes that a frame went out, or a part of one; `is_complete` with its last part.
    pub fn frame_sent(&mut self, bytes: usize, is_complete: bool, ack_row: Option<u16>, now: Instant) {
        /// Weight of the last frame in the moving average.
        const WEIGHT: f32 = 0.2;
        self.partial_frame += bytes;
        if is_complete {
            let size = std::mem::take(&mut self.partial_frame) as f32;
            self.frame_size =
                if self.frame_size == 0.0 { size } else { self.frame_size + WEIGHT * (size - self.frame_size) };
            self.quality.frame_sent();
        }
        self.bytes_sent(bytes, ack_row, now);
    }

    /// Notes that bytes other than a frame went out, with a request for an acknowledgement or without.
    pub fn bytes_sent(&mut self, bytes: usize, ack_row: Option<u16>, now: Instant) {
        if let Some(bucket) = &mut self.bandwidth {
            bucket.spend(bytes);
        }
        self.link.sent(bytes, ack_row, now);
    }

    /// Notes a cursor report from this row, counted from 0.
    pub fn acknowledged(&mut self, row: u16, now: Instant) {
        self.link.acknowledged(row, now);
    }

    /// How long outstanding acknowledgements are worth waiting for; `None` if there are none.
    #[must_use]
    pub fn ack_timeout(&self) -> Option<Duration> {
        self.link.ack_timeout()
    }

    /// Notes that the screen has another size, so that rows reported for earlier frames mean nothing.
    pub fn resize(&mut self) {
        self.link.resize();
        self.partial_frame = 0;
    }

    /// Forgets frames in flight, after another program has used the terminal.
    pub fn reset(&mut self, now: Instant) {
        self.link.reset(now);
    }
}

/// Limits bytes per second: tokens arrive evenly, and a tenth of a second's worth can be saved up.
#[derive(Debug)]
struct TokenBucket {
    per_second: f64,
    capacity: f64,
    tokens: f64,
    filled: Instant,
}

impl TokenBucket {
    /// Limits any one second to this many bytes.
    fn new(bytes: u32, now: Instant) -> Self {
        // A second can see the full bucket and what arrives meanwhile: together the limit.
        let capacity = f64::from(bytes) * 0.1;
        Self { per_second: f64::from(bytes) - capacity, capacity, tokens: capacity, filled: now }
    }

    /// Bytes that may go out now.
    fn available(&mut self, now: Instant) -> usize {
        let elapsed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + elapsed * self.per_second).min(self.capacity);
        self.filled = now;
        self.tokens.max(0.0) as usize
    }

    fn spend(&mut self, bytes: usize) {
        self.tokens -= bytes as f64;
    }

    /// Time until this many bytes may go out, or 90 % of what the bucket holds.
    fn wait(&mut self, bytes: usize, now: Instant) -> Option<Duration> {
        self.available(now);
        let missing = (bytes as f64).min(self.capacity * 0.9) - self.tokens;
        (missing > 0.0).then(|| Duration::from_secs_f64(missing / self.per_second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bandwidth_limit_holds_in_every_second_and_is_used() {
        let start = Instant::now();
        let mut bucket = TokenBucket::new(64_000, start);
        let mut log: Vec<(Duration, usize)> = Vec::new();
        let mut time = Duration::ZERO;
        while time < Duration::from_secs(10) {
            let now = start + time;
            if bucket.wait(9000, now).is_none() {
                let bytes = bucket.available(now).min(9000);
                bucket.spend(bytes);
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
        let total: usize = log.iter().map(|(_, bytes)| bytes).sum();
        assert!(total > 500_000, "{total}");
    }

    #[test]
    fn partial_frames_do_not_count_as_frames() {
        let start = Instant::now();
        // With four parts to a frame, 30 parts a second are too few frames.
        for (parts, is_best) in [(1, true), (4, false)] {
            let mut pacer = Pacer::new(30.0, Some(64_000), false, start);
            let mut sent = 0;
            for step in 0..4000 {
                let now = start + Duration::from_millis(step);
                if matches!(pacer.decide(now), SendDecision::Now(_)) {
                    sent += 1;
                    pacer.frame_sent(2000, sent % parts == 0, None, now);
                }
            }
            assert_eq!(pacer.quality().is_best(), is_best, "{parts}: {sent}");
        }
    }
}
