//! Draws the viewer's screen without a terminal, for pictures and clips.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::actions::Action;
use super::app::{App, InitialState};
use super::layout::Regions;
use super::letters::{STRIKES, form};
use super::status::Throughput;
use crate::engine::{Frame, FrameMaker, MEASURE_INTERVAL, TiledFlocks};
use crate::export::picture::DefaultColors;
use crate::picture::CanvasFormat;
use crate::sim::{Flock, Formation, Scratch, Snapshot, Timeline};
use crate::terminal::ScreenEncoder;
use crate::viewer::lettering::LetteringError;

/// The number of ticks after which nothing of a frame affects a later one.
pub(super) const LONGEST_MEMORY: u64 = 240;

/// A flock, or a frame of a recording, and its picture, which may have a flock beside the animals.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// What is measured.
    pub flock: Snapshot<'a>,
    /// What is drawn.
    pub picture: Snapshot<'a>,
}

impl<'a> From<&'a Flock> for Shown<'a> {
    fn from(flock: &'a Flock) -> Self {
        Self { flock: flock.into(), picture: flock.into() }
    }
}

impl<'a> From<&'a dyn Timeline> for Shown<'a> {
    fn from(timeline: &'a dyn Timeline) -> Self {
        Self { flock: timeline.snapshot(), picture: timeline.picture() }
    }
}

/// A screen that shows a flock exactly as the viewer does.
#[derive(Debug)]
pub struct Offscreen {
    app: App,
    maker: FrameMaker,
    /// Ticks per second.
    rate: f32,
    buffer: Buffer,
    measured_at: Option<u64>,
    /// The frame rate of the clip; `None` for a single picture.
    fps: Option<f32>,
    scratch: Scratch,
}

impl Offscreen {
    /// Creates a screen of a size in cells.
    pub fn new(start: InitialState, size: Size) -> Self {
        let screen = Rect::from((Position::ORIGIN, size));
        let canvas = Regions::new(screen, start.options.clean).canvas();
        let mut app = App::new(start, canvas, 1.0);
        // Drops messages about broken preset and theme files.
        app.context.clear_message();
        Self::of(app, screen)
    }

    /// Creates a screen that shows what a viewer does.
    pub(super) fn of(mut app: App, screen: Rect) -> Self {
        app.resize(screen, 1.0);
        let client = &app.context.client;
        let rate = client.controls().rate;
        let frame = Frame { ticks_per_second: rate, ..client.frame().clone() };
        let brood = frame.brood.clone();
        let maker = FrameMaker::new(frame, app.format());
        let (buffer, scratch) = (Buffer::empty(screen), Scratch::new());
        let mut offscreen = Self { app, maker, rate, buffer, measured_at: None, fps: None, scratch };
        if let Some(shown) = brood {
            let ticks = shown.tick;
            // The viewer has shown them.
            offscreen.maker.tiles = TiledFlocks::new(shown, false, offscreen.app.format()).ok();
            (0..ticks).for_each(|past| offscreen.step_tiles(ticks - past));
        }
        offscreen
    }

    /// Shows the flock and the children that differ most from it on tiles.
    pub fn breed(&mut self) {
        self.app.act(Action::Breed);
        self.app.resize(self.buffer.area, 1.0);
        for request in self.app.requests() {
            // The flock is small enough in any case.
            let _ = self.maker.handle(request);
        }
        self.maker.tiles.iter_mut().for_each(TiledFlocks::select);
    }

    /// Another screen that shows the same, but nothing of the past.
    pub(super) fn again(&self) -> Self {
        Self { fps: self.fps, ..Self::of(self.app.appearance(), self.buffer.area) }
    }

    /// Advances the tiles, `left` ticks before the picture.
    fn step_tiles(&mut self, left: u64) {
        let Some(tiles) = &mut self.maker.tiles else { return };
        tiles.step(&mut self.scratch);
        if (1..LONGEST_MEMORY).contains(&left) {
            let seconds = 1.0 / self.rate;
            self.app.context.client.show_frame(|frame| tiles.draw(seconds, None, &mut frame.picture));
        }
    }

    /// The name of the preset or of the recording.
    pub(super) fn name(&self) -> &str {
        self.app.context.name()
    }

    /// RGB for the default colors of a terminal with the theme.
    pub fn default_colors(&self) -> DefaultColors {
        DefaultColors::of(&self.app.context.theme.colors())
    }

    /// The size in cells.
    pub fn size(&self) -> Size {
        self.buffer.area.as_size()
    }

    /// Sets the frame rate of a clip.
    #[must_use]
    pub fn at_fps(self, fps: f32) -> Self {
        Self { fps: Some(fps), ..self }
    }

    /// The aspect ratio (width : height) of the canvas on a screen of a size.
    pub fn shape(size: Size, clean: bool) -> f32 {
        let flock = Regions::new(Rect::from((Position::ORIGIN, size)), clean).flock;
        let (columns, rows) = (flock.width.into(), flock.height.into());
        CanvasFormat { columns, rows, ..CanvasFormat::default() }.aspect_ratio()
    }

    /// What boids form to write a text, in front of the camera of the first picture. Predators keep off a clock, and off
    /// any text in a single picture.
    ///
    /// # Errors
    ///
    /// If the text does not fit the canvas.
    pub(crate) fn formation(
        &mut self,
        text: &str,
        shown: Shown<'_>,
        is_clock: bool,
    ) -> Result<Formation, LetteringError> {
        self.prepare(shown);
        let calm = if is_clock || self.fps.is_none() { f32::INFINITY } else { STRIKES * self.rate };
        form(text, self.app.context.client.frame(), calm, &self.app.context.glyphs.table)
    }

    /// Observes a tick before the picture, which is `left` ticks away: the panel plots past measures, and trails and glows
    /// carry over from frame to frame.
    pub fn watch<'a>(&mut self, flock: impl Into<Shown<'a>>, left: u64) {
        let shown = flock.into();
        if self.maker.tiles.is_some() {
            return self.step_tiles(left);
        }
        if left < LONGEST_MEMORY {
            self.maker.canvas.advance_camera(1.0 / self.rate);
        }
        if (1..LONGEST_MEMORY).contains(&left) {
            let maker = &mut self.maker;
            self.app.context.client.show_frame(|frame| maker.draw(shown.picture, 0.0, &mut frame.picture));
        }
        // At the viewer's interval.
        let every = (self.rate * MEASURE_INTERVAL.as_secs_f32()).max(1.0) as u64;
        if !self.app.context.display.clean && shown.flock.picture_tick().is_multiple_of(every) {
            self.measure(shown.flock);
        }
    }

    /// Draws the screen.
    pub fn draw<'a>(&mut self, flock: impl Into<Shown<'a>>) -> &Buffer {
        let shown = flock.into();
        // A clip measures only in `watch`, at the viewer's interval.
        let is_old = self.measured_at.is_none_or(|tick| self.fps.is_none() && tick != shown.flock.tick);
        if !self.app.context.display.clean && is_old {
            self.measure(shown.flock);
        }
        self.prepare(shown);
        self.buffer.reset();
        self.buffer.set_style(self.buffer.area, self.app.context.theme.resolved().text);
        let screen = self.buffer.area;
        self.app.draw_flock(&mut self.buffer, screen);
        self.app.draw_chrome(&mut self.buffer, Throughput::default(), true);
        &self.buffer
    }

    /// The cells of the last picture.
    pub(super) fn cells(&self) -> &Buffer {
        &self.buffer
    }

    /// The boid that the last picture should have followed but that is gone.
    pub fn missing(&self) -> Option<u32> {
        self.maker.frame.view_info.lost
    }

    /// Draws the screen to the encoder, with the last measures.
    pub fn draw_to_encoder<'a>(&mut self, flock: impl Into<Shown<'a>>, encoder: &mut ScreenEncoder) {
        self.prepare(flock.into());
        self.app.draw_flock(encoder, self.buffer.area);
        for part in self.app.draw_chrome(&mut self.buffer, Throughput::default(), true) {
            encoder.draw_buffer(&self.buffer, part);
        }
    }

    fn prepare(&mut self, shown: Shown<'_>) {
        let (maker, seconds) = (&mut self.maker, 1.0 / self.rate);
        self.app.context.client.show_frame(|frame| maker.make(shown.flock, shown.picture, seconds, frame));
        self.app.context.glyphs.convert(self.app.context.theme.resolved());
    }

    fn measure(&mut self, flock: Snapshot<'_>) {
        // The panel of a recording shows groups.
        self.maker.measure(flock, flock.recorded.is_some());
        let restarted = self.measured_at.replace(flock.tick).is_some_and(|before| flock.tick < before);
        self.maker.frame.run.number += u64::from(restarted);
        self.maker.frame.describe(flock);
        self.app.context.client.show_frame(|frame| self.maker.copy_values(frame));
        self.app.on_frame();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::style::{Color, Modifier};

    use super::*;
    use crate::config::{Preset, Theme};
    use crate::picture::{Aim, ColorDepth, GlyphTable, View};
    use crate::sim::{Flock, Params, Scratch};
    use crate::viewer::{Action, Colors, LiveOptions};

    fn offscreen(theme: &str, clean: bool) -> (Offscreen, Flock) {
        still_of(theme, clean, |_| ())
    }

    fn still_of(theme: &str, clean: bool, edit: impl Fn(&mut Params)) -> (Offscreen, Flock) {
        let preset = Preset::load("drones").unwrap();
        let mut setup = preset.setup(7, Offscreen::shape(Size::new(90, 24), clean));
        setup.predators = 0;
        edit(&mut setup.params);
        let flock = Flock::new(&setup).unwrap();
        let start = InitialState {
            rate: preset.rate,
            preset,
            recording: None,
            glyphs: GlyphTable::default(),
            setup,
            world_is_auto: false,
            input: None,
            colors: Colors::fixed(ColorDepth::Truecolor),
            aim: Aim::default(),
            reduced_motion: false,
            options: LiveOptions { clean, theme: Some(Theme::load(theme).unwrap()), ..LiveOptions::default() },
        };
        (Offscreen::new(start, Size::new(90, 24)), flock)
    }

    fn backgrounds(screen: &Buffer) -> Vec<Color> {
        screen.content.iter().map(|cell| cell.bg).collect()
    }

    #[test]
    fn the_sky_is_static_and_ends_at_the_panel() {
        let (mut offscreen, mut flock) = offscreen("afterglow", false);
        // Without the light of the flock.
        offscreen.app.context.display.view = View::Heads;
        let mut offscreen = offscreen.again();
        let mut scratch = Scratch::new();
        let first = backgrounds(offscreen.draw(&flock));
        let dots = offscreen.buffer.content.iter().map(|cell| cell.symbol().to_owned()).collect::<Vec<_>>();
        (0..50).for_each(|_| flock.step(&mut scratch));
        let later = backgrounds(offscreen.draw(&flock));
        assert!(dots.iter().zip(&offscreen.buffer.content).any(|(before, now)| before != now.symbol()));
        assert_eq!(first, later);
        let flock = Regions::new(offscreen.buffer.area, false).flock;
        let behind = |area: Rect| area.positions().map(|place| offscreen.buffer[place].bg).collect::<HashSet<_>>();
        assert_eq!(behind(flock).len(), usize::from(flock.height), "a color for each row");
        assert_eq!(behind(Rect { x: flock.right(), width: 90 - flock.width, ..flock }).len(), 1);
    }

    #[test]
    fn species_are_colored_until_the_user_chooses_otherwise() {
        let (mut offscreen, flock) = still_of("dusk", true, |params| params.species.count = 3.0);
        // In the light of the flock dots have one color.
        offscreen.app.context.display.view = View::Heads;
        let mut offscreen = offscreen.again();
        let colors = |offscreen: &mut Offscreen| {
            let screen = offscreen.draw(&flock);
            let signs = screen.content.iter().filter(|cell| cell.symbol().trim() != "").map(|cell| cell.fg);
            signs.collect::<HashSet<_>>().len()
        };
        assert!((3..=4).contains(&colors(&mut offscreen)), "one for each species, and what else is written there");
        offscreen.app.act(Action::Coloring);
        assert!(offscreen.app.context.message().is_some_and(|text| text == "coloring: heading"));
        assert!(colors(&mut offscreen) > 5);
        (0..3).for_each(|_| offscreen.app.act(Action::Coloring));
        assert_eq!(offscreen.app.context.message(), Some("coloring: species"));
        assert!((3..=4).contains(&colors(&mut offscreen)), "one for each species, and what else is written there");
    }

    #[test]
    fn leaders_stand_out() {
        let (mut offscreen, flock) = still_of("dusk", true, |params| params.leaders.count = 2.0);
        let bold = offscreen.draw(&flock).content.iter().filter(|cell| cell.modifier.contains(Modifier::BOLD)).count();
        assert_eq!(bold, 2);
    }

    #[test]
    fn plots_show_observed_ticks() {
        let (mut offscreen, mut flock) = offscreen("dusk", false);
        let mut scratch = Scratch::new();
        for left in (0..60).rev() {
            flock.step(&mut scratch);
            offscreen.watch(&flock, left);
        }
        offscreen.draw(&flock);
        assert_eq!(offscreen.app.plots.history.samples().count(), 5);
    }
}
