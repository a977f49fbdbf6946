//! When the next frame goes out, and how much of it.

use std::time::{Duration, Instant};

use super::bandwidth::BandwidthLimit;
use super::link::Link;
use super::quality::QualityControl;
use crate::terminal::QualityLevel;

/// Whether a frame may go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendDecision {
    /// With so many bytes at most.
    Now(usize),
    /// Not now; it is worth asking again after this time, or when an answer has come.
    Wait(Duration),
}

/// Keeps to what the way to the terminal carries, and to what the user allows.
#[derive(Debug)]
pub struct Pacer {
    link: Link,
    ceiling: Option<BandwidthLimit>,
    ladder: QualityControl,
    /// CellAttrs large a frame is, about.
    frame: f32,
    /// CellAttrs many bytes of one have gone out of which more is to come.
    part: usize,
}

impl Pacer {
    /// At most so many frames a second, and bytes a second where there is a limit to them; frames ask to be
    /// acknowledged where answers are heard.
    #[must_use]
    pub fn new(fps: f32, bandwidth: Option<u32>, hears: bool, now: Instant) -> Self {
        Self {
            link: if hears { Link::new(fps, now) } else { Link::deaf(fps, now) },
            ceiling: bandwidth.map(|bytes| BandwidthLimit::new(bytes, now)),
            ladder: QualityControl::new(fps, now),
            frame: 0.0,
            part: 0,
        }
    }

    /// At most so many frames a second from now on.
    pub fn set_fps(&mut self, fps: f32) {
        self.link.set_fps(fps);
        self.ladder.set_fps(fps);
    }

    /// At most so many bytes a second from now on, or any number.
    pub fn limit(&mut self, bandwidth: Option<u32>, now: Instant) {
        self.ceiling = bandwidth.map(|bytes| BandwidthLimit::new(bytes, now));
    }

    /// Whether a frame that is due may go out.
    pub fn turn(&mut self, now: Instant) -> SendDecision {
        self.ladder.look(now);
        let frame = self.frame as usize;
        let ceiling = self.ceiling.as_mut().and_then(|ceiling| ceiling.wait(frame, now));
        match self.link.wait(frame, now).into_iter().chain(ceiling).max() {
            Some(wait) => {
                self.ladder.held();
                SendDecision::Wait(wait)
            }
            None => SendDecision::Now(self.ceiling.as_mut().map_or(usize::MAX, |ceiling| ceiling.room(now))),
        }
    }

    /// A frame was due, and the one before is still being written: the wire takes no more.
    pub fn held(&mut self) {
        self.ladder.held();
    }

    /// Nothing is to go out, so nothing waits. Says whether what stands there can be painted better now, or worse.
    pub fn rest(&mut self, now: Instant) -> bool {
        let before = self.ladder.quality();
        self.ladder.look(now);
        self.ladder.quality() != before
    }

    /// CellAttrs well the next frame is to be painted.
    #[must_use]
    pub fn quality(&self) -> QualityLevel {
        self.ladder.quality()
    }

    /// The row at which a frame asks to be acknowledged, where there is any use in it.
    #[must_use]
    pub fn ask_at(&self, rows: u16) -> Option<u16> {
        self.link.ask_at(rows)
    }

    /// Something has gone out that is no frame; it asks to be acknowledged at a row, or does not.
    pub fn told(&mut self, bytes: usize, ask: Option<u16>, now: Instant) {
        if let Some(ceiling) = &mut self.ceiling {
            ceiling.spend(bytes);
        }
        self.link.sent(bytes, ask, now);
    }

    /// A frame has gone out, or a band of its rows; `is_whole` where it was the last.
    pub fn sent(&mut self, bytes: usize, is_whole: bool, ask: Option<u16>, now: Instant) {
        /// CellAttrs much the last frame weighs in the mean.
        const WEIGHT: f32 = 0.2;
        self.part += bytes;
        if is_whole {
            let frame = std::mem::take(&mut self.part) as f32;
            self.frame = if self.frame == 0.0 { frame } else { self.frame + WEIGHT * (frame - self.frame) };
            self.ladder.sent();
        }
        self.told(bytes, ask, now);
    }

    /// An answer has come from this row, counted from 0.
    pub fn answered(&mut self, row: u16, now: Instant) {
        self.link.answered(row, now);
    }

    /// CellAttrs long it is worth waiting for answers that are still to come; none where none are.
    #[must_use]
    pub fn outstanding(&self) -> Option<Duration> {
        self.link.outstanding()
    }

    /// The screen has another size: answers to what is under way tell nothing.
    pub fn resize(&mut self) {
        self.link.resize();
        self.part = 0;
    }

    /// Nothing is under way any more: the terminal has been somebody else's.
    pub fn forget(&mut self, now: Instant) {
        self.link.forget(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_rows_make_one_frame() {
        let start = Instant::now();
        // Where a frame takes four bands, as many a second as are asked for are no frames.
        for (bands, is_best) in [(1, true), (4, false)] {
            let mut pace = Pacer::new(30.0, Some(64_000), false, start);
            let mut sent = 0;
            for step in 0..4000 {
                let now = start + Duration::from_millis(step);
                if matches!(pace.turn(now), SendDecision::Now(_)) {
                    sent += 1;
                    pace.sent(2000, sent % bands == 0, None, now);
                }
            }
            assert_eq!(pace.quality().is_best(), is_best, "{bands}: {sent}");
        }
    }
}
