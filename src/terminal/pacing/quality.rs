//! Lowers color quality while frames are too slow for the link, and restores it.

use std::time::{Duration, Instant};

use crate::picture::ColorDepth;
use crate::terminal::Tolerance;

/// How well a frame is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QualityLevel {
    /// How far colors may be off.
    pub tolerance: Tolerance,
    /// The most colors used.
    pub depth: ColorDepth,
}

impl QualityLevel {
    /// Whether this is the best level.
    pub(crate) fn is_best(&self) -> bool {
        *self == LEVELS[0]
    }
}

/// The levels, best first.
const LEVELS: [QualityLevel; 5] = [
    QualityLevel { tolerance: Tolerance::FINE, depth: ColorDepth::Truecolor },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Truecolor },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Colors256 },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Colors16 },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Mono },
];
/// The level is lowered if the link delays frames and fewer than this many go out.
const LOWER_BELOW: Threshold = Threshold { per_second: 10.0, share: 0.5 };
/// The level is raised if for some time at least this many go out, or none is delayed.
const RAISE_FROM: Threshold = Threshold { per_second: 18.0, share: 0.9 };
/// Time between reviews.
const INTERVAL: Duration = Duration::from_millis(500);
/// How many good reviews in a row it takes to rise, at first and at most.
const PATIENCE: (u32, u32) = (6, 120);

/// A number of frames a second, or a share of the wanted ones if that is less.
struct Threshold {
    per_second: f32,
    share: f32,
}

impl Threshold {
    /// The threshold where `fps` frames a second are wanted.
    fn at(&self, fps: f32) -> f32 {
        self.per_second.min(self.share * fps)
    }
}

/// Chooses the quality level from the frames sent in each interval.
#[derive(Debug)]
pub(super) struct QualityControl {
    level: usize,
    interval_start: Instant,
    /// Complete frames sent in this interval.
    pub(super) frames: u32,
    /// Whether the link delayed a frame in this interval.
    pub(super) delayed: bool,
    good_reviews: u32,
    patience: u32,
    /// Whether the current level was just raised and may prove too high.
    on_trial: bool,
}

impl QualityControl {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            level: 0,
            interval_start: now,
            frames: 0,
            delayed: false,
            good_reviews: 0,
            patience: PATIENCE.0,
            on_trial: false,
        }
    }

    pub(super) fn level(&self) -> QualityLevel {
        LEVELS[self.level]
    }

    /// When the next review may change something although no frame is sent: when enough good intervals have passed for the level to rise.
    pub(super) fn next_review(&self) -> Option<Instant> {
        let intervals = if self.delayed { 1 } else { self.patience - self.good_reviews };
        (self.level > 0 || self.delayed).then(|| self.interval_start + INTERVAL * intervals)
    }

    /// Adjusts the level once per interval, where `fps` frames a second are wanted. A stall says nothing about the frames. On a still
    /// screen, several intervals may have passed.
    pub(super) fn review(&mut self, fps: f32, is_stalled: bool, now: Instant) {
        let elapsed = now.saturating_duration_since(self.interval_start);
        if elapsed < INTERVAL {
            return;
        }
        let rate = self.frames as f32 / elapsed.as_secs_f32();
        if is_stalled {
            self.good_reviews = 0;
        } else if self.delayed && rate < LOWER_BELOW.at(fps) {
            // Far too slow: skip a level, as each change paints the whole screen.
            self.lower(if rate < LOWER_BELOW.at(fps) / 2.0 { 2 } else { 1 });
        } else if !self.delayed || rate >= RAISE_FROM.at(fps) {
            let intervals = elapsed.as_millis() / INTERVAL.as_millis();
            self.good_reviews = self.good_reviews.saturating_add(intervals.try_into().unwrap_or(u32::MAX));
            if self.good_reviews >= self.patience {
                self.good_reviews = 0;
                // At the best level nothing is raised that could prove too high.
                self.on_trial = self.level > 0;
                self.level = self.level.saturating_sub(1);
            }
        }
        (self.interval_start, self.frames, self.delayed) = (now, 0, false);
    }

    fn lower(&mut self, levels: usize) {
        self.good_reviews = 0;
        if self.level + 1 < LEVELS.len() {
            if self.on_trial {
                // Raised too early: wait longer next time.
                self.patience = (self.patience * 2).min(PATIENCE.1);
            }
            (self.level, self.on_trial) = ((self.level + levels).min(LEVELS.len() - 1), false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Reviews {
        control: QualityControl,
        now: Instant,
    }

    impl Reviews {
        fn new() -> Self {
            let now = Instant::now();
            Self { control: QualityControl::new(now), now }
        }

        /// Lets intervals pass with this many frames in each; returns the level after them.
        fn pass(&mut self, intervals: u32, frames: u32, delayed: bool, stalled: bool) -> QualityLevel {
            for _ in 0..intervals {
                self.control.frames += frames;
                self.control.delayed |= delayed;
                self.now += INTERVAL;
                self.control.review(60.0, stalled, self.now);
            }
            self.control.level()
        }
    }

    #[test]
    fn a_stall_changes_no_level() {
        let mut reviews = Reviews::new();
        assert!(reviews.pass(20, 0, true, true).is_best());
        assert_eq!(reviews.pass(1, 4, true, false), LEVELS[1]);
        assert_eq!(reviews.pass(20, 0, true, true), LEVELS[1]);
    }

    #[test]
    fn slow_links_lower_the_level_and_fast_ones_raise_it() {
        let mut reviews = Reviews::new();
        assert!(reviews.pass(1, 30, false, false).is_best());
        assert_eq!(reviews.pass(1, 4, true, false), LEVELS[1]);
        assert_eq!(reviews.pass(1, 4, true, false).depth, ColorDepth::Colors256);
        assert_eq!(reviews.pass(9, 1, true, false).depth, ColorDepth::Mono);
        // A paused flock sends few frames, and none of them waits.
        assert!(reviews.pass(100, 0, false, false).is_best());
        // Between the thresholds the level stays.
        reviews.pass(1, 4, true, false);
        assert_eq!(reviews.pass(100, 6, true, false), LEVELS[1]);
    }

    #[test]
    fn on_a_still_screen_one_review_raises_the_level() {
        let mut reviews = Reviews::new();
        assert_eq!(reviews.pass(1, 4, true, false), LEVELS[1]);
        let due = reviews.control.next_review().unwrap();
        assert_eq!(due - reviews.now, INTERVAL * PATIENCE.0);
        reviews.control.review(60.0, false, due);
        assert!(reviews.control.level().is_best() && reviews.control.next_review().is_none());
    }

    #[test]
    fn far_too_few_frames_skip_a_level() {
        assert_eq!(Reviews::new().pass(1, 1, true, false), LEVELS[2]);
    }
}
