//! Lowers color quality while frames are too slow for the link, and restores it.

use std::time::{Duration, Instant};

use crate::terminal::{ColorDepth, Tolerance};

/// How well a frame is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityLevel {
    /// How far colors may be off.
    pub tolerance: Tolerance,
    /// The most colors used.
    pub depth: ColorDepth,
}

impl QualityLevel {
    /// Whether this is the best level.
    #[must_use]
    pub fn is_best(&self) -> bool {
        *self == LEVELS[0]
    }
}

/// The levels, best first.
const LEVELS: [QualityLevel; 5] = [
    QualityLevel { tolerance: Tolerance::UNSEEN, depth: ColorDepth::Truecolor },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Truecolor },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Indexed },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Ansi },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Mono },
];
/// Quality drops below this many frames a second, or below this share of the wanted ones, whichever is less …
const SLOW: (u32, f32) = (10, 0.5);
/// … and rises from this many on.
const FAST: (u32, f32) = (18, 0.9);
/// Time between reviews.
const WINDOW: Duration = Duration::from_secs(1);
/// With at most this many frames a second the link is stalled: the terminal is on hold, or the network is down.
const STALLED: u32 = 2;
/// After a stall the level from before it returns at once, but only once in this time: a link that is merely very slow looks
/// like one that stalls again and again.
const STALL_INTERVAL: Duration = Duration::from_secs(60);
/// How many good windows in a row it takes to rise, at first and at most.
const PATIENCE: (u32, u32) = (3, 60);

/// Chooses the quality level from the frames sent in each second.
#[derive(Debug)]
pub(super) struct QualityControl {
    level: usize,
    window_start: Instant,
    frames: u32,
    /// Whether the link delayed a frame in this window.
    delayed: bool,
    good_windows: u32,
    patience: u32,
    /// Whether the current level was just raised and may prove too high.
    on_trial: bool,
    /// The level from before a stall, during one and in the window after it.
    level_before_stall: Option<usize>,
    /// Whether the link was stalled in the previous window.
    was_stalled: bool,
    /// Stalls that begin earlier than this do not restore the level.
    next_stall: Instant,
}

impl QualityControl {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            level: 0,
            window_start: now,
            frames: 0,
            delayed: false,
            good_windows: 0,
            patience: PATIENCE.0,
            on_trial: false,
            level_before_stall: None,
            was_stalled: false,
            next_stall: now,
        }
    }

    pub(super) fn level(&self) -> QualityLevel {
        LEVELS[self.level]
    }

    pub(super) fn frame_sent(&mut self) {
        self.frames += 1;
    }

    pub(super) fn frame_delayed(&mut self) {
        self.delayed = true;
    }

    /// Adjusts the level once per window, where `fps` frames a second are wanted.
    pub(super) fn review(&mut self, fps: f32, now: Instant) {
        let elapsed = now.saturating_duration_since(self.window_start);
        if elapsed < WINDOW {
            return;
        }
        let rate = (self.frames as f32 / elapsed.as_secs_f32()).round() as u32;
        let threshold = |(frames, share): (u32, f32)| frames.min((share * fps) as u32);
        if self.delayed && rate < threshold(SLOW) {
            self.note_stall(rate <= STALLED, now);
            self.lower();
        } else if let Some(level) = self.level_before_stall.take() {
            (self.level, self.good_windows, self.next_stall) = (level, 0, now + STALL_INTERVAL);
        } else if !self.delayed || rate >= threshold(FAST) {
            self.good_windows += 1;
            if self.good_windows >= self.patience {
                self.raise();
            }
        }
        (self.window_start, self.frames, self.delayed) = (now, 0, false);
    }

    fn note_stall(&mut self, is_stalled: bool, now: Instant) {
        // The window in which a stall ends is slow too.
        let before = self.level_before_stall.filter(|_| is_stalled || self.was_stalled);
        self.level_before_stall = before.or((is_stalled && now >= self.next_stall).then_some(self.level));
        self.was_stalled = is_stalled;
    }

    fn lower(&mut self) {
        self.good_windows = 0;
        if self.level + 1 < LEVELS.len() {
            if self.on_trial {
                // Raised too early: wait longer next time.
                self.patience = (self.patience * 2).min(PATIENCE.1);
            }
            (self.level, self.on_trial) = (self.level + 1, false);
        }
    }

    fn raise(&mut self) {
        self.good_windows = 0;
        self.on_trial = self.level > 0;
        self.level = self.level.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Windows {
        control: QualityControl,
        now: Instant,
    }

    impl Windows {
        fn new() -> Self {
            let now = Instant::now();
            Self { control: QualityControl::new(now), now }
        }

        /// Lets seconds pass with this many frames in each; returns the level after them.
        fn pass(&mut self, seconds: u32, frames: u32, delayed: bool) -> QualityLevel {
            for _ in 0..seconds {
                (0..frames).for_each(|_| self.control.frame_sent());
                if delayed {
                    self.control.frame_delayed();
                }
                self.now += WINDOW;
                self.control.review(60.0, self.now);
            }
            self.control.level()
        }
    }

    #[test]
    fn level_returns_at_once_after_a_stall_but_not_after_many() {
        let mut windows = Windows::new();
        let mut stall = || {
            windows.pass(1, 30, false);
            windows.pass(9, 1, true);
            assert_eq!(windows.pass(1, 6, true).depth, ColorDepth::Mono);
            let after = windows.pass(1, 30, false).depth;
            assert!(windows.pass(5 * PATIENCE.0, 30, false).is_best());
            after
        };
        assert_eq!(stall(), ColorDepth::Truecolor);
        assert_eq!(stall(), ColorDepth::Mono);
        assert_eq!(stall(), ColorDepth::Mono);
        assert_eq!(stall(), ColorDepth::Truecolor);
    }

    #[test]
    fn slow_links_lower_the_level_and_fast_ones_raise_it() {
        let mut windows = Windows::new();
        assert!(windows.pass(1, 60, false).is_best());
        assert_eq!(windows.pass(1, 4, true), LEVELS[1]);
        assert_eq!(windows.pass(1, 4, true).depth, ColorDepth::Indexed);
        assert_eq!(windows.pass(9, 1, true).depth, ColorDepth::Mono);
        // A paused flock sends few frames, and none of them waits.
        assert!(windows.pass(100, 0, false).is_best());
        // Between the thresholds the level stays.
        windows.pass(1, 4, true);
        assert_eq!(windows.pass(100, 13, true), LEVELS[1]);
    }
}
