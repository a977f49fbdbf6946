//! Clips of a flock on a screen without a terminal, as `record` and the viewer write them.
//!
//! Frames are due by the clock of the flock, so a clip does not depend on the speed of the machine.

use std::io::{self, Write};
use std::time::Duration;

use ratatui::buffer::Buffer;

use super::offscreen::{Offscreen, Shown};
use crate::export::cast::CastWriter;
use crate::export::clip::{ClipFormat, ClipTiming, ClipWriter};
use crate::export::counted;
use crate::export::gif::{ColorCounts, GifWriter};
use crate::export::picture::{Raster, ResolvedScreen};
use crate::sim::{Scratch, Snapshot, Timeline};

/// The frames per second of clips that the viewer saves.
pub(super) const CLIP_FPS: f32 = 25.0;
/// The longest clip.
pub const MAX_CLIP: Duration = Duration::from_secs(3600);

/// A flock, and the screen that shows it.
pub struct RenderedFlock {
    /// The flock or the recording.
    pub timeline: Box<dyn Timeline>,
    /// The screen.
    pub screen: Offscreen,
}

/// Called with the number of ticks so far, before each further tick and each frame. An error ends the simulation.
pub type OnTick<'a> = dyn FnMut(u64) -> io::Result<()> + 'a;

/// Advances rendered flocks.
pub struct Simulation<'a> {
    scratch: &'a mut Scratch,
    on_tick: &'a mut OnTick<'a>,
    ticks: u64,
    skips_impossible: bool,
}

impl<'a> Simulation<'a> {
    /// A simulation that an impossible command ends.
    pub fn new(scratch: &'a mut Scratch, on_tick: &'a mut OnTick<'a>) -> Self {
        Self { scratch, on_tick, ticks: 0, skips_impossible: false }
    }

    /// The same, but without effect of an impossible command, as in the viewer, which has reported it.
    pub fn skipping_impossible(self) -> Self {
        Self { skips_impossible: true, ..self }
    }

    /// Simulates a number of ticks.
    ///
    /// # Errors
    ///
    /// That of `on_tick`, or a [`ReplayError`](crate::sim::ReplayError) for an impossible command.
    pub fn advance(&mut self, rendered: &mut RenderedFlock, ticks: u64) -> io::Result<()> {
        for left in (0..ticks).rev() {
            (self.on_tick)(self.ticks)?;
            let stepped = rendered.timeline.advance(self.scratch);
            if !self.skips_impossible {
                stepped.map_err(io::Error::other)?;
            }
            rendered.screen.watch(&*rendered.timeline, left);
            self.ticks += 1;
        }
        // At a low tick rate, many frames pass without a tick.
        (self.on_tick)(self.ticks)
    }

    /// Writes a clip that begins with the current tick.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance), and those of `out`.
    pub fn write_clip(
        &mut self,
        rendered: &mut RenderedFlock,
        format: ClipFormat,
        timing: ClipTiming,
        out: impl Write,
    ) -> io::Result<()> {
        let (colors, size) = (rendered.screen.default_colors(), rendered.screen.size());
        match format {
            ClipFormat::Cast(version) => {
                let writer = CastWriter::begin(version, &title(rendered), colors, size, out)?;
                self.write_frames(rendered, timing, writer)
            }
            ClipFormat::Gif => {
                // A first pass: the colors of a sample of the frames.
                let timeline = rendered.timeline.near(rendered.timeline.position().tick);
                let timeline = timeline.ok_or_else(|| io::Error::other("the session has no first state"))?;
                let mut first = RenderedFlock { timeline, screen: rendered.screen.again() };
                let mut counts = ColorCounts::default();
                for frame in 0..timing.frames {
                    self.advance(&mut first, timing.ticks_before(frame))?;
                    if timing.is_sample(frame) {
                        let screen = draw(&mut first, timing.share_of_tick(frame));
                        counts.add(&Raster::new(&ResolvedScreen::new(screen, colors)));
                    }
                }
                let palette = counts.palette();
                self.write_frames(rendered, timing, GifWriter::begin(palette, colors, size, out)?)
            }
        }
    }

    fn write_frames(
        &mut self,
        rendered: &mut RenderedFlock,
        timing: ClipTiming,
        mut writer: impl ClipWriter,
    ) -> io::Result<()> {
        for frame in 0..timing.frames {
            self.advance(rendered, timing.ticks_before(frame))?;
            writer.add(draw(rendered, timing.share_of_tick(frame)), frame, timing)?;
        }
        writer.finish(timing)
    }
}

/// Draws a flock. Recorded animals are on the way to the next frame.
fn draw(rendered: &mut RenderedFlock, share: f32) -> &Buffer {
    let RenderedFlock { timeline, screen } = rendered;
    let mut draw = |picture: Snapshot<'_>| _ = screen.draw(Shown { flock: timeline.snapshot(), picture });
    if !timeline.draw_between(false, share, &mut draw) {
        draw(timeline.picture());
    }
    rendered.screen.cells()
}

fn title(rendered: &RenderedFlock) -> String {
    let flock = rendered.timeline.snapshot();
    let (name, tick) = (rendered.screen.name(), flock.tick);
    match flock.simulated {
        Some(simulated) => {
            let (boids, seed) = (counted(flock.boids(), "boid", "boids"), simulated.seed());
            format!("{name}, {boids}, seed {seed}, from tick {tick}")
        }
        None => format!("{name}, from frame {tick}"),
    }
}
