//! What the clip formats share: when frames are due, and how they are written.

use std::io;
use std::time::Duration;

use indicatif::DecimalBytes;
use ratatui::buffer::Buffer;

use super::counted;

/// Writes a clip, one frame after the other.
pub(crate) trait ClipWriter {
    /// Appends a screen as frame number `frame`.
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()>;

    /// Completes the clip after the duration of the last frame.
    fn finish(self, timing: ClipTiming) -> io::Result<()>;
}

/// A clip format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ClipFormat {
    /// GIF.
    Gif,
    /// asciicast.
    Cast(CastVersion),
}

/// A version of asciicast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
pub enum CastVersion {
    /// Version 2, which every asciinema since 2.0 plays.
    #[default]
    #[strum(serialize = "2")]
    V2,
    /// Version 3, for asciinema 3.
    #[strum(serialize = "3")]
    V3,
}

impl ClipFormat {
    /// The name on the command line, which is also the file extension.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// How often the ticks of a clip are computed: a GIF needs the colors of all frames before the first.
    pub fn passes(self) -> u64 {
        match self {
            Self::Gif => 2,
            Self::Cast(_) => 1,
        }
    }
}

/// Number of frames to sample for the palette.
const SAMPLES: u64 = 24;
/// Usual bytes per cell and frame of a GIF: flocks take 4 to 15.
const GIF_BYTES_PER_CELL: u64 = 11;

/// How long a number of ticks takes at a tick rate, in ticks per second.
pub(crate) fn duration(ticks: u64, rate: f32) -> Duration {
    Duration::try_from_secs_f64(ticks as f64 / f64::from(rate)).unwrap_or(Duration::MAX)
}

/// When frames are due, in ticks of the flock and in time of the clip.
#[derive(Clone, Copy, Debug)]
pub struct ClipTiming {
    /// The number of frames.
    pub frames: u64,
    fps: f64,
    rate: f64,
}

impl ClipTiming {
    /// A clip of a length, with a frame rate and a tick rate, both per second.
    pub fn new(length: Duration, fps: f32, rate: f32) -> Self {
        let (fps, rate) = (f64::from(fps), f64::from(rate));
        Self { frames: ((length.as_secs_f64() * fps).round() as u64).max(1), fps, rate }
    }

    /// The usual size of a GIF of screens of so many cells, and its number of frames.
    pub fn estimate(self, cells: u64) -> String {
        let frames = counted(self.frames, "frame", "frames");
        format!("{frames}, about {}", DecimalBytes(self.frames * cells * GIF_BYTES_PER_CELL))
    }

    /// Size, length and number of frames of a file of this many bytes.
    pub fn summary(self, bytes: u64) -> String {
        let (seconds, frames) = (self.frames as f64 / self.fps, counted(self.frames, "frame", "frames"));
        format!("{}, {seconds:.1} s, {frames}", DecimalBytes(bytes))
    }

    /// The number of ticks from the first frame to the last.
    pub fn last_tick(self) -> u64 {
        self.tick(self.frames - 1)
    }

    /// The number of ticks between the previous frame and this one.
    pub fn ticks_before(self, frame: u64) -> u64 {
        self.tick(frame) - self.tick(frame.saturating_sub(1))
    }

    /// The duration of a frame, where `units` make one second.
    pub fn duration(self, frame: u64, units: u32) -> u64 {
        self.time(frame + 1, units) - self.time(frame, units)
    }

    /// The start of a frame, where `units` make one second.
    fn time(self, frame: u64, units: u32) -> u64 {
        (frame as f64 * f64::from(units) / self.fps).round() as u64
    }

    /// Whether to sample this frame for the palette.
    pub fn is_sample(self, frame: u64) -> bool {
        let count = |frame: u64| frame * SAMPLES / self.frames;
        frame == 0 || count(frame) != count(frame - 1)
    }

    /// How much of the way from its tick to the next one is done at a frame, from 0 to 1.
    pub fn share_of_tick(self, frame: u64) -> f32 {
        (frame as f64 * self.rate / self.fps).fract() as f32
    }

    fn tick(self, frame: u64) -> u64 {
        (frame as f64 * self.rate / self.fps) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_the_tick_rate() {
        let timing = ClipTiming::new(Duration::from_millis(2500), 24.0, 60.0);
        assert_eq!(timing.frames, 60);
        assert_eq!((0..60).map(|frame| timing.ticks_before(frame)).sum::<u64>(), timing.last_tick());
        assert_eq!([0, 1, 2, 3, 4].map(|frame| timing.ticks_before(frame)), [0, 2, 3, 2, 3]);
        assert_eq!([0, 1, 2, 3].map(|frame| timing.time(frame, 100)), [0, 4, 8, 13]);
        assert_eq!(timing.time(60, 1000), 2500);
        let slow = ClipTiming::new(Duration::from_secs(1), 10.0, 4.0);
        assert_eq!((0..10).map(|frame| slow.ticks_before(frame)).sum::<u64>(), 3);
        assert_eq!(ClipTiming::new(Duration::from_millis(1), 10.0, 60.0).frames, 1);
    }

    #[test]
    fn samples_are_spread_over_the_clip() {
        for frames in [1, 5, 24, 250, 9000] {
            let timing = ClipTiming { frames, fps: 25.0, rate: 60.0 };
            let samples: Vec<u64> = (0..frames).filter(|frame| timing.is_sample(*frame)).collect();
            assert_eq!(samples.len() as u64, frames.min(SAMPLES), "{frames}: {samples:?}");
            assert_eq!(samples[0], 0);
        }
    }
}
