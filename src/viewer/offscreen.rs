//! The viewer's screen without a terminal: for pictures.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::throughput::Meters;
use super::app::{App, Start};
use super::views;
use super::views::Facts;
use super::views::layout::Regions;
use crate::canvas::{Canvas, Format};
use crate::engine::{EVERY, Frame, SAMPLE};
use crate::sim::{Flock, Observer};
use crate::terminal::Backend;

/// For how many ticks a canvas remembers at most.
const MEMORY: u64 = 240;

/// A screen that shows a flock, cell for cell as the viewer does.
#[derive(Debug)]
pub struct Still {
    app: App,
    canvas: Canvas,
    frame: Frame,
    buffer: Buffer,
    observer: Observer,
    measured_at: Option<u64>,
    /// How many are seen a second, where it is one of a clip.
    fps: Option<f32>,
}

impl Still {
    /// A screen of this many columns and rows, and how the viewer on it begins.
    #[must_use]
    pub fn new(start: Start, (columns, rows): (u16, u16)) -> Self {
        let screen = Rect::new(0, 0, columns, rows);
        let cells = Regions::new(screen, start.clean).canvas();
        let rate = start.rate;
        let frame = Frame { rate, ticks_per_second: rate, ..Frame::default() };
        let mut app = App::new(start, cells);
        // What is wrong in somebody's folders is no part of a picture.
        app.hush();
        Self {
            canvas: Canvas::with(app.format()),
            app,
            frame,
            buffer: Buffer::empty(screen),
            observer: Observer::new(),
            measured_at: None,
            fps: None,
        }
    }

    /// How many columns and rows it has.
    #[must_use]
    pub fn size(&self) -> (u16, u16) {
        (self.buffer.area.width, self.buffer.area.height)
    }

    /// The same in a clip, in which so many are seen a second.
    #[must_use]
    pub fn at_fps(self, fps: f32) -> Self {
        Self { fps: Some(fps), ..self }
    }

    /// The shape (width : height) of the canvas on a screen of this many columns and rows.
    #[must_use]
    pub fn shape((columns, rows): (u16, u16), clean: bool) -> f32 {
        let (columns, rows) = Regions::new(Rect::new(0, 0, columns, rows), clean).canvas();
        Format { columns, rows, ..Format::default() }.shape()
    }

    /// Takes in a tick on the way to the picture, which is drawn when so many more have been flown: what
    /// the panel tells of times past, and what the canvas carries on from one picture to the next.
    pub fn watch(&mut self, flock: &Flock, left: u64) {
        if left < MEMORY {
            self.canvas.glide(1.0 / self.frame.rate);
        }
        if (1..MEMORY).contains(&left) {
            self.frame.draw(&mut self.canvas, flock);
        }
        // As often as in the viewer.
        let every = (self.frame.rate * EVERY.as_secs_f32()).max(1.0) as u64;
        if !self.app.clean && flock.tick().is_multiple_of(every) {
            self.measure(flock);
        }
    }

    /// Draws the screen as it is now.
    pub fn draw(&mut self, flock: &Flock) -> &Buffer {
        // In a clip figures change as often as in the viewer.
        let is_old = self.measured_at.is_none_or(|tick| self.fps.is_none() && tick != flock.tick());
        if !self.app.clean && is_old {
            self.measure(flock);
        }
        self.prepare(flock);
        self.buffer.reset();
        let meters = self.meters();
        views::draw(&mut self.buffer, &self.app, &self.frame, meters);
        &self.buffer
    }

    /// Who was to be followed in the last picture, and is not there.
    #[must_use]
    pub fn missing(&self) -> Option<u32> {
        self.canvas.sight().lost
    }

    /// Draws the screen as it is now on the wire, with what has been measured so far.
    pub fn draw_on_wire(&mut self, flock: &Flock, backend: &mut Backend) {
        self.prepare(flock);
        let meters = self.meters();
        let facts = Facts::of(&self.frame);
        views::draw_on_wire(backend, &mut self.buffer, &self.app, &self.frame, meters, Some(&facts));
    }

    fn prepare(&mut self, flock: &Flock) {
        self.frame.describe(flock);
        self.frame.draw(&mut self.canvas, flock);
    }

    fn meters(&self) -> Meters {
        Meters { frames_per_second: self.fps.unwrap_or(self.frame.rate), bytes_per_second: 0.0 }
    }

    fn measure(&mut self, flock: &Flock) {
        self.frame.measures = self.observer.measure(flock, SAMPLE);
        self.frame.measured += 1;
        self.measured_at = Some(flock.tick());
        self.frame.describe(flock);
        self.app.notice(&self.frame);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::style::{Color, Modifier};

    use super::*;
    use crate::canvas::{Aim, View};
    use crate::config::{Preset, Theme};
    use crate::sim::{Params, Scratch};
    use crate::viewer::{Action, ColorDepth, Colors, Keymap, Marker};

    fn still(theme: &str, clean: bool) -> (Still, Flock) {
        still_of(theme, clean, |_| ())
    }

    fn still_of(theme: &str, clean: bool, edit: impl Fn(&mut Params)) -> (Still, Flock) {
        let preset = Preset::load("drones").unwrap();
        let mut setup = preset.setup(7, Still::shape((90, 24), clean));
        setup.predators = 0;
        edit(&mut setup.params);
        let flock = Flock::new(&setup).unwrap();
        let start = Start {
            rate: preset.rate,
            preset,
            setup,
            auto_world: false,
            input: None,
            colors: Colors {
                theme: Theme::load(theme).unwrap(),
                chosen: true,
                depth: ColorDepth::Truecolor,
                guessed: false,
            },
            marker: Marker::default(),
            view: View::default(),
            aim: Aim::default(),
            clean,
            keymap: Keymap::default(),
        };
        (Still::new(start, (90, 24)), flock)
    }

    fn backgrounds(screen: &Buffer) -> Vec<Color> {
        screen.content.iter().map(|cell| cell.bg).collect()
    }

    #[test]
    fn the_sky_stands_still_behind_the_flock_and_ends_at_the_panel() {
        let (mut still, mut flock) = still("afterglow", false);
        let mut scratch = Scratch::new();
        let first = backgrounds(still.draw(&flock));
        let dots = still.buffer.content.iter().map(|cell| cell.symbol().to_owned()).collect::<Vec<_>>();
        (0..50).for_each(|_| flock.step(&mut scratch));
        let later = backgrounds(still.draw(&flock));
        assert!(dots.iter().zip(&still.buffer.content).any(|(before, now)| before != now.symbol()));
        assert_eq!(first, later);
        let flock = Regions::new(still.buffer.area, false).flock;
        let behind = |area: Rect| area.positions().map(|place| still.buffer[place].bg).collect::<HashSet<_>>();
        assert_eq!(behind(flock).len(), usize::from(flock.height), "a colour for each row");
        assert_eq!(behind(Rect { x: flock.right(), width: 90 - flock.width, ..flock }).len(), 1);
    }

    #[test]
    fn species_are_shown_from_the_start_until_somebody_chooses_other_colours() {
        let (mut still, flock) = still_of("dusk", true, |params| params.species.count = 3.0);
        let colors = |still: &mut Still| {
            let screen = still.draw(&flock);
            let signs = screen.content.iter().filter(|cell| cell.symbol().trim() != "").map(|cell| cell.fg);
            signs.collect::<HashSet<_>>().len()
        };
        assert!((3..=4).contains(&colors(&mut still)), "one for each species, and what else is written there");
        still.app.act(Action::Coloring);
        assert!(still.app.message().is_some_and(|text| text == "colour shows heading"));
        assert!(colors(&mut still) > 5);
        (0..3).for_each(|_| still.app.act(Action::Coloring));
        assert_eq!(still.app.message(), Some("colour shows species"));
        assert!((3..=4).contains(&colors(&mut still)), "one for each species, and what else is written there");
    }

    #[test]
    fn leaders_stand_out() {
        let (mut still, flock) = still_of("dusk", true, |params| params.leaders.count = 2.0);
        let bold = still.draw(&flock).content.iter().filter(|cell| cell.modifier.contains(Modifier::BOLD)).count();
        assert_eq!(bold, 2);
    }

    #[test]
    fn plots_remember_what_was_watched() {
        let (mut still, mut flock) = still("dusk", false);
        let mut scratch = Scratch::new();
        for left in (0..60).rev() {
            flock.step(&mut scratch);
            still.watch(&flock, left);
        }
        still.draw(&flock);
        assert_eq!(still.app.history.polarisation.len(), 5);
    }
}
