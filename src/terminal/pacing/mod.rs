//! Flow control: when the next frame goes out, how many bytes it may have, and how well it is painted.
//!
//! # Model
//!
//! The terminal is a server at the end of a link. Bytes that it has not displayed yet wait in a queue somewhere on the way: in
//! the kernel, in SSH's window, in a router. The effect of a key press is visible after everything ahead of it in that queue,
//! so a program that writes as fast as it can becomes unusable on a slow link. The system hides the queue: a write succeeds
//! long before its bytes are displayed. So each frame ends with a request for the cursor position (DSR 6), and the reply
//! acknowledges the frame. [`link`] derives from these acknowledgements:
//!
//! | symbol | meaning | estimate |
//! |---|---|---|
//! | `D` | round trip of the empty link | least round trip of the last 30 to 60 s, without the time for waiting and transmission |
//! | `R` | rate in bytes per second | bytes over transmission time of the last six acknowledgements of at least 500 bytes |
//! | `B` | backlog in seconds | time until the link has carried all that was sent |
//!
//! `B` follows from a fluid model. The link carries one frame after the other: frame `k` of `S` bytes, sent at time `t`, is
//! through at `f(k) = max(f(k-1), t) + S/R`, and its reply is due at `f(k) + D`. Each reply corrects the model: a reply at time
//! `t` sets `f(k) = t - D`. The backlog is the last `f` minus the present.
//!
//! # Control law
//!
//! A frame goes out when `B <= 30 ms`, and has at most `150 ms · R` bytes. What does not fit follows in the next frame. So the
//! link always carries something, and a key waits for at most one frame and its own: `D + 330 ms`. A frame that has to wait is
//! dropped and not queued, since the next one is newer. What a key changed outside the flock goes out first.
//!
//! Four things complete this:
//!
//! - Until a frame is acknowledged, `R` is unknown: one frame of at most 6000 bytes is in flight, or more bytes if the first
//!   reply came quickly.
//! - If a reply is more than 100 ms late, the link is slower than its model: nothing goes out until the reply is there. After
//!   two seconds the reply is lost, and one frame a second goes out as a probe.
//! - A terminal that never replies gets every frame after one second; the blocking write is the only limit.
//! - [`TokenBucket`] enforces the user's bandwidth limit with a token bucket.
//!
//! [`quality`] trades color precision for bytes: it lowers the level while fewer than 10 complete frames a second go out, two
//! levels below 5, and raises it after three seconds with at least 18. A level that was raised too early doubles those three
//! seconds, up to a minute. A stall of up to six seconds changes no level.

mod link;
mod quality;

use std::time::{Duration, Instant};

use link::Link;
use quality::{QualityControl, QualityLevel};

/// Whether a frame may go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SendDecision {
    /// Now, with at most this many bytes.
    Now(usize),
    /// Later. Ask again after this time, or when an acknowledgement arrives.
    Wait(Duration),
}

/// Limits output to what the link carries and the user allows. The module documentation has the control law.
#[derive(Debug)]
pub(crate) struct Pacer {
    /// The frame rate limit.
    pub(crate) fps: f32,
    /// Its estimates follow from the bytes sent through the pacer, and from acknowledgements.
    pub(crate) link: Link,
    bandwidth: Option<TokenBucket>,
    quality: QualityControl,
    /// Moving average of the bytes in a frame.
    mean_frame_size: f32,
    /// Whether the last decision was to wait.
    is_waiting: bool,
    /// Bytes sent of a frame that is not complete yet.
    partial_frame: usize,
}

impl Pacer {
    /// Paces at most `fps` frames and `bandwidth` bytes a second. `readable` says whether the terminal's replies can be read.
    pub(crate) fn new(fps: f32, bandwidth: Option<u32>, readable: bool, now: Instant) -> Self {
        Self {
            fps,
            link: Link::new(readable, now),
            bandwidth: bandwidth.map(|bytes| TokenBucket::new(bytes, now)),
            quality: QualityControl::new(now),
            mean_frame_size: 0.0,
            is_waiting: false,
            partial_frame: 0,
        }
    }

    /// Changes or removes the bandwidth limit.
    pub(crate) fn set_bandwidth(&mut self, bandwidth: Option<u32>, now: Instant) {
        self.bandwidth = bandwidth.map(|bytes| TokenBucket::new(bytes, now));
    }

    /// Decides whether a frame that is due may go out. `is_new` says that it shows something new, and does not just complete
    /// the last one: only new frames can be too few.
    pub(crate) fn decide(&mut self, is_new: bool, now: Instant) -> SendDecision {
        self.review(now);
        let mut budget = self.link.budget();
        let mut wait = self.link.time_to_wait(now);
        if let Some(bucket) = &mut self.bandwidth {
            wait = wait.max(bucket.time_to_wait(self.mean_frame_size as usize, now));
            budget = budget.min(bucket.available(now));
        }
        if is_new && (self.is_waiting || wait.is_some()) {
            self.quality.delayed = true;
        }
        self.is_waiting = wait.is_some();
        wait.map_or(SendDecision::Now(budget), SendDecision::Wait)
    }

    fn review(&mut self, now: Instant) {
        let is_stalled = self.link.is_stalled(now);
        self.quality.review(self.fps, is_stalled, now);
    }

    /// Notes that a frame was due while the previous one was still being written.
    pub(crate) fn frame_delayed(&mut self) {
        self.quality.delayed = true;
    }

    /// Notes that there is nothing to send. Returns whether the quality level has changed, so that the screen can be painted
    /// again.
    pub(crate) fn idle(&mut self, now: Instant) -> bool {
        let before = self.quality();
        self.review(now);
        self.quality() != before
    }

    /// When to call [`idle`](Self::idle) again; `None` once nothing is left to improve.
    pub(crate) fn next_review(&self) -> Option<Instant> {
        self.quality.next_review()
    }

    /// How well to paint the next frame.
    pub(crate) fn quality(&self) -> QualityLevel {
        self.quality.level()
    }

    /// Notes that a frame went out, or a part of one; `is_complete`: this was the last part.
    pub(crate) fn frame_sent(&mut self, bytes: usize, is_complete: bool, ack_row: Option<u16>, now: Instant) {
        /// Weight of the last frame in the moving average.
        const WEIGHT: f32 = 0.2;
        self.partial_frame += bytes;
        if is_complete {
            let size = std::mem::take(&mut self.partial_frame) as f32;
            // The first frame is the only one known.
            self.mean_frame_size = if self.mean_frame_size == 0.0 {
                size
            } else {
                self.mean_frame_size + WEIGHT * (size - self.mean_frame_size)
            };
            self.quality.frames += 1;
        }
        self.bytes_sent(bytes, ack_row, now);
    }

    /// Notes that bytes other than a frame went out, with a request for an acknowledgement or without.
    pub(crate) fn bytes_sent(&mut self, bytes: usize, ack_row: Option<u16>, now: Instant) {
        if let Some(bucket) = &mut self.bandwidth {
            bucket.tokens -= bytes as f64;
        }
        self.link.sent(bytes, ack_row, now);
    }

    /// Notes that the screen has another size, so that rows reported for earlier frames mean nothing.
    pub(crate) fn resize(&mut self) {
        self.link.resize();
        self.partial_frame = 0;
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
        // In any second at most capacity + refill goes out; both add up to the limit.
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

    /// Time until this many bytes may go out, or 90 % of the bucket's capacity, so that a frame larger than the bucket can start.
    fn time_to_wait(&mut self, bytes: usize, now: Instant) -> Option<Duration> {
        self.available(now);
        let missing = (bytes as f64).min(self.capacity * 0.9) - self.tokens;
        (missing > 0.0).then(|| Duration::from_secs_f64(missing / self.per_second))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::picture::ColorDepth;

    #[test]
    fn bandwidth_limit_holds_in_every_second_and_is_used() {
        let start = Instant::now();
        let mut bucket = TokenBucket::new(64_000, start);
        let mut log: Vec<(Duration, usize)> = Vec::new();
        let mut time = Duration::ZERO;
        while time < Duration::from_secs(10) {
            let now = start + time;
            if bucket.time_to_wait(9000, now).is_none() {
                let bytes = bucket.available(now).min(9000);
                bucket.tokens -= bytes as f64;
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

    /// A link in front of a terminal.
    #[derive(Clone, Copy)]
    struct Scenario {
        /// Bytes per second, and from 10 s on.
        rates: [f64; 2],
        /// Round trip in ms.
        round_trip: u64,
        /// Columns and rows.
        screen: (usize, usize),
        /// When nothing is carried, in ms.
        stall: (u64, u64),
        replies: bool,
        /// When the measurement begins, in ms.
        from: u64,
    }

    /// Parts of frames per second, and the longest time in ms from a key to the end of the next part.
    #[derive(Debug)]
    struct Outcome {
        per_second: f64,
        key_delay: u64,
    }

    /// Simulates 20 s in steps of 1 ms, at 60 frames a second.
    fn simulate(scenario: Scenario) -> Outcome {
        /// Bytes per cell in a frame, by color depth: about those of 5000 boids with a glow.
        fn bytes_per_cell(quality: QualityLevel) -> f64 {
            match (quality.depth, quality.is_best()) {
                (ColorDepth::Truecolor, true) => 3.5,
                (ColorDepth::Truecolor, false) => 2.9,
                (ColorDepth::Colors256, _) => 2.0,
                (ColorDepth::Colors16, _) => 1.2,
                (ColorDepth::Mono, _) => 1.0,
            }
        }
        const END: u64 = 20_000;
        let start = Instant::now();
        let mut pacer = Pacer::new(60.0, None, true, start);
        let cells = (scenario.screen.0 * scenario.screen.1) as f64;
        // Parts on their way: bytes to carry, row, and when they were sent.
        let mut queue: VecDeque<(f64, u16, u64)> = VecDeque::new();
        let mut replies: VecDeque<(u64, u16)> = VecDeque::new();
        // When each part was sent, and when its last byte was displayed.
        let mut parts: Vec<(u64, u64)> = Vec::new();
        let (mut rest, mut next) = (0, 0);
        pacer.bytes_sent(200, Some(1), start);
        queue.push_back((200.0, 1, 0));
        for ms in 0..END {
            let now = start + Duration::from_millis(ms);
            let stalled = (scenario.stall.0..scenario.stall.1).contains(&ms);
            let rate = scenario.rates[usize::from(ms >= 10_000)];
            let mut carried = if stalled { 0.0 } else { rate / 1000.0 };
            while let Some((bytes, row, sent)) = queue.front_mut() {
                let taken = carried.min(*bytes);
                (*bytes, carried) = (*bytes - taken, carried - taken);
                if *bytes > 0.0 {
                    break;
                }
                if scenario.replies {
                    replies.push_back((ms + scenario.round_trip, *row));
                }
                parts.push((*sent, ms + scenario.round_trip / 2));
                queue.pop_front();
            }
            while replies.front().is_some_and(|(due, _)| *due <= ms) {
                let (_, row) = replies.pop_front().unwrap();
                pacer.link.acknowledged(row, now);
            }
            if ms < next {
                continue;
            }
            if let SendDecision::Now(budget) = pacer.decide(true, now) {
                if rest == 0 {
                    rest = (bytes_per_cell(pacer.quality()) * cells) as usize;
                }
                let bytes = rest.min(budget);
                rest -= bytes;
                let row = pacer.link.ack_row(scenario.screen.1 as u16);
                pacer.frame_sent(bytes, rest == 0, row, now);
                queue.push_back((bytes as f64, row.unwrap_or(0), ms));
                next = ms + 17;
            }
        }
        let last = parts.last().unwrap().0;
        let after = |ms: u64| parts.iter().find(|(sent, _)| *sent >= ms).map(|(_, shown)| *shown);
        // A key is pressed half a round trip before the viewer sees it. Keys just before and during a stall cannot show.
        let keys = (scenario.from..last)
            .step_by(7)
            .filter(|ms| !(scenario.stall.0.saturating_sub(1000)..scenario.stall.1 + 1000).contains(ms));
        let key_delay = keys.filter_map(|ms| Some(after(ms)? - ms + scenario.round_trip / 2)).max().unwrap();
        let count = parts.iter().filter(|(_, shown)| *shown >= scenario.from && *shown < END).count();
        Outcome { per_second: count as f64 * 1000.0 / (END - scenario.from) as f64, key_delay }
    }

    const STEADY: Scenario =
        Scenario { rates: [40e3; 2], round_trip: 180, screen: (160, 48), stall: (0, 0), replies: true, from: 3000 };

    #[test]
    fn a_key_shows_within_a_round_trip_and_400_ms_on_every_link() {
        for screen in [(80, 24), (160, 48), (500, 200)] {
            for rate in [20e3, 40e3, 100e3, 400e3, 2e6] {
                for round_trip in [20, 100, 180, 300] {
                    let outcome = simulate(Scenario { rates: [rate; 2], round_trip, screen, ..STEADY });
                    let Outcome { per_second, key_delay } = outcome;
                    println!("{screen:?} {rate:>9} B/s {round_trip:>4} ms: {per_second:>5.1}/s, key {key_delay} ms");
                    assert!(
                        key_delay <= round_trip + 400 && per_second >= 4.0,
                        "{screen:?} {rate} {round_trip}: {outcome:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn links_that_change_or_stall_recover() {
        for rates in [[400e3, 40e3], [40e3, 400e3]] {
            // Just after a tenfold drop, the bytes on their way take ten times as long.
            let outcome = simulate(Scenario { rates, from: 14_000, ..STEADY });
            assert!(outcome.key_delay <= 580 && outcome.per_second >= 4.0, "{rates:?} {outcome:?}");
        }
        let outcome = simulate(Scenario { stall: (6000, 11_000), ..STEADY });
        assert!(outcome.key_delay <= 580 && outcome.per_second >= 3.0, "{outcome:?}");
    }

    #[test]
    fn a_terminal_that_does_not_answer_is_not_paced() {
        let outcome = simulate(Scenario { rates: [2e6; 2], replies: false, ..STEADY });
        assert!(outcome.per_second > 50.0 && outcome.key_delay <= 180 + 60, "{outcome:?}");
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
                if matches!(pacer.decide(true, now), SendDecision::Now(_)) {
                    sent += 1;
                    pacer.frame_sent(2000, sent % parts == 0, None, now);
                }
            }
            assert_eq!(pacer.quality().is_best(), is_best, "{parts}: {sent}");
        }
    }
}
