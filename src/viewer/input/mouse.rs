//! The mouse: what it holds, and what that does to the flock.
//!
//! A pointer that is held, a spot or a gauge that is dragged ends with the button's release, and with all that
//! may mean that the release was lost: another button, a motion without a button, the window without the focus,
//! a box over the flock, a pause; and with another preset, in whose world nothing was pressed. A place is sent to
//! the engine once a frame, however often the mouse reports.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use glam::Vec2;
use ratatui::layout::Rect;

use crate::canvas::{Camera, DOTS_HIGH, DOTS_WIDE, SightLine, dots_of};
use crate::engine::Frame;
use crate::sim::{Domain, Pointer, Spot, Tunable, Use, Value};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::{Hit, hit};

/// What the mouse does: a name, the button, and a sentence.
pub const BUTTONS: [(&str, &str, &str); 5] = [
    ("mouse attract", "hold left", "Attract the flock with the mouse."),
    ("mouse repel", "hold right", "Repel the flock with the mouse."),
    ("mouse obstacle", "middle", "Put an obstacle there, drag it, or take it away."),
    ("mouse zoom", "wheel", "Zoom about the mouse; over the panel, choose a parameter."),
    ("mouse gauge", "click, drag", "A gauge: set it."),
];

/// What the mouse holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    /// A pointer over the flock.
    Pointer { attracts: bool },
    /// The spot of this number; whether it was there before, and whether it has been moved.
    Spot { number: usize, old: bool, moved: bool },
    /// A gauge.
    Gauge(&'static Tunable),
}

/// The hands at the mouse.
#[derive(Debug, Default)]
pub struct Hands {
    grip: Option<Grip>,
    /// Where on the screen the mouse was last, in cells.
    at: (u16, u16),
    /// Where it was pressed last over the flock.
    pub pressed: Option<SightLine>,
    /// How the world was seen last.
    camera: Option<Camera>,
}

impl Hands {
    /// Takes in how the world is seen.
    pub fn notice(&mut self, frame: &Frame) {
        self.camera = Some(frame.camera);
    }

    /// What lies under a cell of the flock's part of the screen.
    fn line(&self, flock: Rect, (column, row): (u16, u16)) -> Option<SightLine> {
        let inside = flock.contains((column, row).into());
        Some(self.camera.filter(|_| inside)?.line(dot(flock, (column, row))))
    }

    /// What lies under the middle of a canvas of this many cells.
    #[must_use]
    pub fn middle(&self, (columns, rows): (usize, usize)) -> Option<SightLine> {
        let dot = dots_of(columns, rows) * 0.5;
        self.camera.map(|camera| camera.line(dot))
    }
}

/// The middle of a cell, in dots of the flock's part of the screen.
fn dot(flock: Rect, (column, row): (u16, u16)) -> Vec2 {
    let cell = Vec2::new(f32::from(column) - f32::from(flock.x), f32::from(row) - f32::from(flock.y));
    (cell + Vec2::splat(0.5)) * Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32)
}

impl App {
    /// Does what the mouse asks for on a screen.
    pub fn touch(&mut self, mouse: MouseEvent, screen: Rect) {
        let place = (mouse.column, mouse.row);
        self.hands.at = place;
        match mouse.kind {
            MouseEventKind::Down(button) => {
                self.let_go();
                self.press(button, place, screen);
                self.carry(screen);
            }
            MouseEventKind::Drag(_) => self.drag(screen),
            MouseEventKind::Up(_) => self.put_down(),
            // A motion without a button: the release was lost.
            MouseEventKind::Moved => self.let_go(),
            MouseEventKind::ScrollUp => self.scroll(false, place, screen),
            MouseEventKind::ScrollDown => self.scroll(true, place, screen),
            MouseEventKind::ScrollLeft | MouseEventKind::ScrollRight => {}
        }
    }

    /// Ends what the mouse holds, as if nothing more had been meant.
    pub fn let_go(&mut self) {
        match self.hands.grip.take() {
            Some(Grip::Pointer { .. }) => self.wishes.point(None),
            Some(Grip::Gauge(_)) => self.wishes.release(),
            Some(Grip::Spot { .. }) | None => {}
        }
    }

    /// Another world is there, in which nothing was touched yet.
    pub(crate) fn leave_world(&mut self) {
        self.let_go();
        self.hands.pressed = None;
    }

    /// Brings what the mouse holds to where it is; once a frame.
    pub fn carry(&mut self, screen: Rect) {
        let flock = Regions::new(screen, self.clean).flock;
        let line = self.hands.line(flock, self.hands.at);
        match self.hands.grip {
            // Beside the flock nobody is touched.
            Some(Grip::Pointer { attracts }) => {
                self.wishes.point(line.map(|SightLine { at, along }| Pointer { at, along, attracts }));
            }
            Some(Grip::Spot { number, moved: true, .. }) => {
                if let Some((line, spot)) = line.zip(self.wishes.spots.get(number).copied()) {
                    let moved = Spot { center: line.nearest(spot.center), ..spot }.brought_in(&self.wishes.world);
                    self.wishes.shift(number, moved.center);
                }
            }
            Some(Grip::Spot { moved: false, .. } | Grip::Gauge(_)) | None => {}
        }
    }

    fn press(&mut self, button: MouseButton, place: (u16, u16), screen: Rect) {
        self.hush();
        match (hit(self, screen, place), button) {
            (Hit::Flock, _) => {
                let flock = Regions::new(screen, self.clean).flock;
                self.hands.pressed = self.hands.line(flock, place);
                match button {
                    MouseButton::Left => self.hands.grip = Some(Grip::Pointer { attracts: true }),
                    MouseButton::Right => self.hands.grip = Some(Grip::Pointer { attracts: false }),
                    MouseButton::Middle => self.grasp_spot(),
                }
            }
            (Hit::Bar(row, share), MouseButton::Left) => {
                self.choose_seen(row);
                self.wishes.hold();
                self.hands.grip = Some(Grip::Gauge(row));
                self.slide(row, share);
            }
            (Hit::Word(row), MouseButton::Left) => {
                self.choose_seen(row);
                self.turn_word(row);
            }
            (Hit::Row(row), _) => self.choose_seen(row),
            (Hit::Entry(number), MouseButton::Left) => self.pick(number),
            (Hit::Outside, _) => self.act(Action::Close),
            _ => {}
        }
    }

    fn drag(&mut self, screen: Rect) {
        match &mut self.hands.grip {
            Some(Grip::Gauge(row)) => {
                let row = *row;
                if let Some(share) = crate::viewer::views::share(screen, self, self.hands.at.0) {
                    self.slide(row, share);
                }
            }
            // Its new place is sent with the next frame.
            Some(Grip::Spot { moved, .. }) => *moved = true,
            Some(Grip::Pointer { .. }) | None => {}
        }
    }

    /// The button is up: what was only clicked is done now.
    fn put_down(&mut self) {
        if let Some(Grip::Spot { number, old: true, moved: false }) = self.hands.grip {
            self.take_away(number);
        }
        self.let_go();
    }

    fn scroll(&mut self, down: bool, place: (u16, u16), screen: Rect) {
        let line = if down { Action::NextParameter } else { Action::PreviousParameter };
        match hit(self, screen, place) {
            Hit::Bar(..) | Hit::Word(_) | Hit::Row(_) | Hit::Panel | Hit::Entry(_) | Hit::Inside => self.act(line),
            Hit::Flock => {
                let dot = dot(Regions::new(screen, self.clean).flock, place);
                self.zoom(Some(dot), !down);
            }
            Hit::Outside | Hit::Elsewhere => {}
        }
    }

    /// Sets a gauge to a share of its bar.
    fn slide(&mut self, row: &'static Tunable, share: f32) {
        let value = self.knob(row).at(share, &self.wishes.rules);
        self.set(row, value);
    }

    /// The next word of a choice, around; a switch the other way.
    fn turn_word(&mut self, row: &'static Tunable) {
        let value = match (row.domain, self.knob(row).value) {
            (Domain::Choice(words), Value::Choice(now)) => {
                let at = words.iter().position(|word| *word == now).map_or(0, |at| (at + 1) % words.len());
                Value::Choice(words[at])
            }
            (_, Value::Switch(on)) => Value::Switch(!on),
            (_, value) => value,
        };
        self.set(row, value);
    }

    /// Takes an entry of the list that is open.
    fn pick(&mut self, number: usize) {
        match &mut self.overlay {
            Some(Overlay::Presets(at)) => *at = number,
            Some(Overlay::Palette(palette)) => palette.marked = number,
            _ => return,
        }
        self.act(Action::TypeValue);
    }

    /// Holds the spot that was pressed, or puts an obstacle there.
    fn grasp_spot(&mut self) {
        let Some(line) = self.hands.pressed else { return };
        self.hands.grip = match self.spot_under(line) {
            Some(number) => Some(Grip::Spot { number, old: true, moved: false }),
            None => self.put(Use::Obstacle, line).map(|number| Grip::Spot { number, old: false, moved: false }),
        };
    }
}
