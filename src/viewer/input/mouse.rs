//! The mouse: what it holds, and what that does to the flock.
//!
//! A pointer that is held, a zone or a gauge that is dragged ends with the button's release, and with all that
//! may mean that the release was lost: another button, a motion without a button, the window without the focus,
//! a box over the flock, a pause; and with another preset, in whose world nothing was pressed. A place is sent to
//! the engine once a frame, however often the mouse reports.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use glam::Vec2;
use ratatui::layout::Rect;

use crate::canvas::{Camera, DOTS_HIGH, DOTS_WIDE, Ray, size_in_dots};
use crate::engine::Frame;
use crate::sim::{Domain, Param, Pointer, Value, Zone, ZoneKind};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::{Hit, hit};

/// What the mouse does: a name, the button, and a sentence.
pub const MOUSE_BINDINGS: [(&str, &str, &str); 5] = [
    ("mouse attract", "hold left", "Attract the flock with the mouse."),
    ("mouse repel", "hold right", "Repel the flock with the mouse."),
    ("mouse obstacle", "middle", "Put an obstacle there, drag it, or take it away."),
    ("mouse zoom", "wheel", "Zoom about the mouse; over the panel, choose a parameter."),
    ("mouse gauge", "click, drag", "A gauge: set it."),
];

/// What the mouse holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DragTarget {
    /// A pointer over the flock.
    Pointer { attracts: bool },
    /// The zone of this number; whether it was there before, and whether it has been moved.
    Zone { number: usize, old: bool, moved: bool },
    /// A gauge.
    Gauge(&'static Param),
}

/// The hands at the mouse.
#[derive(Debug, Default)]
pub struct MouseState {
    target: Option<DragTarget>,
    /// Where on the screen the mouse was last, in cells.
    at: (u16, u16),
    /// Where it was pressed last over the flock.
    pub pressed: Option<Ray>,
    /// How the world was seen last.
    camera: Option<Camera>,
}

impl MouseState {
    /// Takes in how the world is seen.
    pub fn notice(&mut self, frame: &Frame) {
        self.camera = Some(frame.camera);
    }

    /// What lies under a cell of the flock's part of the screen.
    fn line(&self, flock: Rect, (column, row): (u16, u16)) -> Option<Ray> {
        let inside = flock.contains((column, row).into());
        Some(self.camera.filter(|_| inside)?.ray(dot(flock, (column, row))))
    }

    /// What lies under the middle of a canvas of this many cells.
    #[must_use]
    pub fn middle(&self, (columns, rows): (usize, usize)) -> Option<Ray> {
        let dot = size_in_dots(columns, rows) * 0.5;
        self.camera.map(|camera| camera.ray(dot))
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
        self.mouse.at = place;
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
        match self.mouse.target.take() {
            Some(DragTarget::Pointer { .. }) => self.session.point(None),
            Some(DragTarget::Gauge(_)) => self.session.release(),
            Some(DragTarget::Zone { .. }) | None => {}
        }
    }

    /// Another world is there, in which nothing was touched yet.
    pub(crate) fn leave_world(&mut self) {
        self.let_go();
        self.mouse.pressed = None;
    }

    /// Brings what the mouse holds to where it is; once a frame.
    pub fn carry(&mut self, screen: Rect) {
        let flock = Regions::new(screen, self.clean).flock;
        let line = self.mouse.line(flock, self.mouse.at);
        match self.mouse.target {
            // Beside the flock nobody is touched.
            Some(DragTarget::Pointer { attracts }) => {
                self.session.point(line.map(|Ray { origin, direction }| Pointer {
                    at: origin,
                    along: direction,
                    attracts,
                }));
            }
            Some(DragTarget::Zone { number, moved: true, .. }) => {
                if let Some((line, zone)) = line.zip(self.session.zones.get(number).copied()) {
                    let moved = Zone { center: line.nearest(zone.center), ..zone }.moved_inside(&self.session.world);
                    self.session.shift(number, moved.center);
                }
            }
            Some(DragTarget::Zone { moved: false, .. } | DragTarget::Gauge(_)) | None => {}
        }
    }

    fn press(&mut self, button: MouseButton, place: (u16, u16), screen: Rect) {
        self.clear_message();
        match (hit(self, screen, place), button) {
            (Hit::Flock, _) => {
                let flock = Regions::new(screen, self.clean).flock;
                self.mouse.pressed = self.mouse.line(flock, place);
                match button {
                    MouseButton::Left => self.mouse.target = Some(DragTarget::Pointer { attracts: true }),
                    MouseButton::Right => self.mouse.target = Some(DragTarget::Pointer { attracts: false }),
                    MouseButton::Middle => self.grasp_spot(),
                }
            }
            (Hit::Bar(row, share), MouseButton::Left) => {
                self.select_visible_param(row);
                self.session.hold();
                self.mouse.target = Some(DragTarget::Gauge(row));
                self.slide(row, share);
            }
            (Hit::Word(row), MouseButton::Left) => {
                self.select_visible_param(row);
                self.turn_word(row);
            }
            (Hit::Row(row), _) => self.select_visible_param(row),
            (Hit::Entry(number), MouseButton::Left) => self.pick(number),
            (Hit::Outside, _) => self.act(Action::Close),
            _ => {}
        }
    }

    fn drag(&mut self, screen: Rect) {
        match &mut self.mouse.target {
            Some(DragTarget::Gauge(row)) => {
                let row = *row;
                if let Some(share) = crate::viewer::views::share(screen, self, self.mouse.at.0) {
                    self.slide(row, share);
                }
            }
            // Its new place is sent with the next frame.
            Some(DragTarget::Zone { moved, .. }) => *moved = true,
            Some(DragTarget::Pointer { .. }) | None => {}
        }
    }

    /// The button is up: what was only clicked is done now.
    fn put_down(&mut self) {
        if let Some(DragTarget::Zone { number, old: true, moved: false }) = self.mouse.target {
            self.remove_zone(number);
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
    fn slide(&mut self, row: &'static Param, share: f32) {
        let value = self.knob(row).at(share, &self.session.rules);
        self.set(row, value);
    }

    /// The next word of a choice, around; a switch the other way.
    fn turn_word(&mut self, row: &'static Param) {
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
        self.act(Action::EditValue);
    }

    /// Holds the zone that was pressed, or puts an obstacle there.
    fn grasp_spot(&mut self) {
        let Some(line) = self.mouse.pressed else { return };
        self.mouse.target = match self.zone_at(line) {
            Some(number) => Some(DragTarget::Zone { number, old: true, moved: false }),
            None => {
                self.put(ZoneKind::Obstacle, line).map(|number| DragTarget::Zone { number, old: false, moved: false })
            }
        };
    }
}
