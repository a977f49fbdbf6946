//! CellAttrs well the picture is painted, and when it is painted with less.

use std::time::{Duration, Instant};

use crate::terminal::ColorDepth;

/// CellAttrs far apart in `OKLab` colors may be and still pass for one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Of thin dots: braille.
    pub dots: f32,
    /// Of all else: what is behind, letters, blocks.
    pub rest: f32,
}

impl Tolerance {
    /// None at all.
    pub const EXACT: Self = Self { dots: 0.0, rest: 0.0 };
    /// What nobody sees.
    pub const UNSEEN: Self = Self { dots: 0.06, rest: 0.025 };
    /// What is seen, and forgiven where bytes are dear.
    const COARSE: Self = Self { dots: 0.12, rest: 0.05 };
}

/// A level of the ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityLevel {
    /// CellAttrs far colors may be off.
    pub tolerance: Tolerance,
    /// CellAttrs many colors there are at most.
    pub depth: ColorDepth,
}

impl QualityLevel {
    /// Whether nothing has been given up.
    #[must_use]
    pub fn is_best(&self) -> bool {
        *self == LEVELS[0]
    }
}

/// The rungs, from the best one down.
const LEVELS: [QualityLevel; 5] = [
    QualityLevel { tolerance: Tolerance::UNSEEN, depth: ColorDepth::Truecolor },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Truecolor },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Indexed },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Ansi },
    QualityLevel { tolerance: Tolerance::COARSE, depth: ColorDepth::Mono },
];
/// Below so many frames a second colors are given up, or below this share of those that are asked for …
const SLOW: (u32, f32) = (10, 0.5);
/// … and from so many on taken back.
const FAST: (u32, f32) = (18, 0.9);
/// CellAttrs often it is looked at.
const WINDOW: Duration = Duration::from_secs(1);
/// With no more frames a second than this the wire stands still: the terminal is held, or the network away.
const STILL: u32 = 2;
/// CellAttrs often that is forgiven, so that a wire that is only very slow is not taken for one that is quick again.
const FORGIVEN: Duration = Duration::from_secs(60);
/// For how many good windows in a row the next better level waits, at first and at most.
const SHOW_AFTER: (u32, u32) = (3, 60);

/// Where on the ladder the picture stands.
#[derive(Debug)]
pub(crate) struct QualityControl {
    /// CellAttrs many frames a second are asked for.
    fps: f32,
    level: usize,
    since: Instant,
    frames: u32,
    /// Whether a frame has had to wait for the wire.
    held: bool,
    good: u32,
    patience: u32,
    /// Whether this level has just been climbed to, and has not proved itself.
    trial: bool,
    /// The level from before the wire stood still, where it does or has just gone on.
    before: Option<usize>,
    /// Whether it stood still for all of the last second.
    stood: bool,
    /// Until when a standstill is not forgiven.
    strict: Instant,
}

impl QualityControl {
    pub(crate) fn new(fps: f32, now: Instant) -> Self {
        Self {
            fps,
            level: 0,
            since: now,
            frames: 0,
            held: false,
            good: 0,
            patience: SHOW_AFTER.0,
            trial: false,
            before: None,
            stood: false,
            strict: now,
        }
    }

    /// So many frames a second are asked for from now on.
    pub(crate) fn set_fps(&mut self, fps: f32) {
        self.fps = fps;
    }

    pub(crate) fn quality(&self) -> QualityLevel {
        LEVELS[self.level]
    }

    /// A frame has gone out.
    pub(crate) fn sent(&mut self) {
        self.frames += 1;
    }

    /// A frame was due and had to wait for the wire.
    pub(crate) fn held(&mut self) {
        self.held = true;
    }

    /// Looks at the last second, where it is over.
    pub(crate) fn look(&mut self, now: Instant) {
        let span = now.saturating_duration_since(self.since);
        if span < WINDOW {
            return;
        }
        let frames = (self.frames as f32 / span.as_secs_f32()).round() as u32;
        let least = |(frames, share): (u32, f32)| frames.min((share * self.fps) as u32);
        if self.held && frames < least(SLOW) {
            let stands = frames <= STILL;
            // The second in which it goes on is a slow one, too.
            let before = self.before.filter(|_| stands || self.stood);
            self.before = before.or((stands && now >= self.strict).then_some(self.level));
            self.stood = stands;
            if self.level + 1 < LEVELS.len() {
                // Climbed too early: next time it takes longer.
                if self.trial {
                    self.patience = (self.patience * 2).min(SHOW_AFTER.1);
                }
                (self.level, self.trial) = (self.level + 1, false);
            }
            self.good = 0;
        } else if let Some(before) = self.before.take() {
            (self.level, self.good, self.strict) = (before, 0, now + FORGIVEN);
        } else if !self.held || frames >= least(FAST) {
            self.good += 1;
            if self.good >= self.patience {
                self.trial = self.level > 0;
                self.level = self.level.saturating_sub(1);
                self.good = 0;
            }
        }
        (self.since, self.frames, self.held) = (now, 0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets seconds pass, in which so many frames go out.
    fn seconds() -> (QualityControl, impl FnMut(&mut QualityControl, u32, bool)) {
        let start = Instant::now();
        let mut second = 0;
        let pass = move |ladder: &mut QualityControl, frames, held| {
            (0..frames).for_each(|_| ladder.sent());
            if held {
                ladder.held();
            }
            second += 1;
            ladder.look(start + Duration::from_secs(second));
        };
        (QualityControl::new(60.0, start), pass)
    }

    #[test]
    fn a_standstill_costs_no_colors_for_long_unless_it_comes_again_and_again() {
        let (mut ladder, mut pass) = seconds();
        let mut hold = |ladder: &mut QualityControl| {
            pass(ladder, 30, false);
            (0..9).for_each(|_| pass(ladder, 1, true));
            pass(ladder, 6, true);
            assert_eq!(ladder.quality().depth, ColorDepth::Mono);
            pass(ladder, 30, false);
            let after = ladder.quality().depth;
            (0..5 * SHOW_AFTER.0).for_each(|_| pass(ladder, 30, false));
            assert!(ladder.quality().is_best());
            after
        };
        assert_eq!(hold(&mut ladder), ColorDepth::Truecolor);
        assert_eq!(hold(&mut ladder), ColorDepth::Mono);
        assert_eq!(hold(&mut ladder), ColorDepth::Mono);
        assert_eq!(hold(&mut ladder), ColorDepth::Truecolor);
    }

    #[test]
    fn a_slow_wire_costs_colors_and_a_quick_one_brings_them_back() {
        let (mut ladder, mut pass) = seconds();
        let depth = |ladder: &QualityControl| ladder.quality().depth;
        pass(&mut ladder, 60, false);
        assert_eq!(ladder.quality().tolerance, Tolerance::UNSEEN);
        pass(&mut ladder, 4, true);
        assert_eq!((depth(&ladder), ladder.quality().tolerance), (ColorDepth::Truecolor, Tolerance::COARSE));
        pass(&mut ladder, 4, true);
        assert_eq!(depth(&ladder), ColorDepth::Indexed);
        (0..9).for_each(|_| pass(&mut ladder, 1, true));
        assert_eq!(depth(&ladder), ColorDepth::Mono);
        // A standing flock sends few frames, and none of them waits.
        (0..100).for_each(|_| pass(&mut ladder, 0, false));
        assert_eq!(ladder.quality().tolerance, Tolerance::UNSEEN);
        // Middling is left as it is.
        pass(&mut ladder, 4, true);
        (0..100).for_each(|_| pass(&mut ladder, 13, true));
        assert_eq!(ladder.quality().tolerance, Tolerance::COARSE);
    }
}
