//! Mouse events.
//!
//! A drag ends when the button is released, and whenever the release may have been lost: another button, motion
//! without a button, a lost focus, an opened popup, a pause, or another preset. Positions are sent to the engine once per
//! frame, however often the mouse reports.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::canvas::Ray;
use crate::sim::{Domain, Param, Pointer, Value, Zone, ZoneKind};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::input::mouse::DragTarget;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::{Hit, hit, share};

impl App {
    /// Handles a mouse event on a screen.
    pub fn on_mouse(&mut self, mouse: MouseEvent, screen: Rect) {
        self.mouse.move_to((mouse.column, mouse.row));
        match mouse.kind {
            MouseEventKind::Down(button) => {
                self.release_mouse();
                self.press(button, screen);
                self.update_drag(screen);
            }
            MouseEventKind::Drag(_) => self.drag(screen),
            MouseEventKind::Up(_) => self.lift(),
            // Motion without a button: the release was lost.
            MouseEventKind::Moved => self.release_mouse(),
            MouseEventKind::ScrollUp => self.wheel(false, screen),
            MouseEventKind::ScrollDown => self.wheel(true, screen),
            MouseEventKind::ScrollLeft | MouseEventKind::ScrollRight => {}
        }
    }

    /// Ends a drag.
    pub fn release_mouse(&mut self) {
        match self.mouse.release() {
            Some(DragTarget::Pointer { .. }) => self.session.set_pointer(None),
            Some(DragTarget::Gauge(_)) => self.session.end_undo_group(),
            Some(DragTarget::Zone { .. }) | None => {}
        }
    }

    /// Ends a drag and forgets the last click, whose place belongs to another world.
    pub(crate) fn forget_click(&mut self) {
        self.release_mouse();
        self.mouse.forget_click();
    }

    /// Moves the dragged zone or gauge to the mouse; called once per frame.
    pub fn update_drag(&mut self, screen: Rect) {
        let ray = self.mouse.ray(Regions::new(screen, self.display.is_clean()).flock);
        match self.mouse.target() {
            // Outside the flock's region the pointer has no effect.
            Some(DragTarget::Pointer { attracts }) => {
                let pointer = |Ray { origin, direction }| Pointer { at: origin, along: direction, attracts };
                self.session.set_pointer(ray.map(pointer));
            }
            Some(DragTarget::Zone { index, moved: true, .. }) => {
                if let Some((ray, zone)) = ray.zip(self.session.zones().get(index).copied()) {
                    let moved = Zone { center: ray.nearest(zone.center), ..zone }.moved_inside(&self.session.world());
                    self.session.move_zone(index, moved.center);
                }
            }
            Some(DragTarget::Zone { moved: false, .. } | DragTarget::Gauge(_)) | None => {}
        }
    }

    fn press(&mut self, button: MouseButton, screen: Rect) {
        self.clear_message();
        match (hit(self, screen, self.mouse.cell()), button) {
            (Hit::Flock, _) => {
                self.mouse.click(Regions::new(screen, self.display.is_clean()).flock);
                match button {
                    MouseButton::Left => self.mouse.grab(DragTarget::Pointer { attracts: true }),
                    MouseButton::Right => self.mouse.grab(DragTarget::Pointer { attracts: false }),
                    MouseButton::Middle => self.grab_zone(),
                }
            }
            (Hit::Bar(param, share), MouseButton::Left) => {
                self.select_visible_param(param);
                self.session.begin_undo_group();
                self.mouse.grab(DragTarget::Gauge(param));
                self.set_gauge(param, share);
            }
            (Hit::Word(param), MouseButton::Left) => {
                self.select_visible_param(param);
                self.cycle_value(param);
            }
            (Hit::Row(param), _) => self.select_visible_param(param),
            (Hit::Entry(index), MouseButton::Left) => self.confirm_entry(index),
            (Hit::Outside, _) => self.act(Action::Close),
            _ => {}
        }
    }

    fn drag(&mut self, screen: Rect) {
        match self.mouse.target() {
            Some(DragTarget::Gauge(param)) => {
                if let Some(share) = share(screen, self, self.mouse.cell().0) {
                    self.set_gauge(param, share);
                }
            }
            // The next frame sends its new place.
            Some(DragTarget::Zone { .. }) => self.mouse.mark_moved(),
            Some(DragTarget::Pointer { .. }) | None => {}
        }
    }

    /// Ends a drag with the button's release. A zone that was only clicked is removed.
    fn lift(&mut self) {
        if let Some(DragTarget::Zone { index, new: false, moved: false }) = self.mouse.target() {
            self.remove_zone(index);
        }
        self.release_mouse();
    }

    fn wheel(&mut self, down: bool, screen: Rect) {
        match hit(self, screen, self.mouse.cell()) {
            Hit::Bar(..) | Hit::Word(_) | Hit::Row(_) | Hit::Panel | Hit::Entry(_) | Hit::Inside => {
                self.act(if down { Action::NextParameter } else { Action::PreviousParameter });
            }
            Hit::Flock => {
                let dot = self.mouse.dot(Regions::new(screen, self.display.is_clean()).flock);
                self.zoom(Some(dot), !down);
            }
            Hit::Outside | Hit::Elsewhere => {}
        }
    }

    fn set_gauge(&mut self, param: &'static Param, share: f32) {
        let value = self.param_step(param).value_at(share, self.session.params());
        self.set_param(param, value);
    }

    /// Selects the next choice, or flips a switch.
    fn cycle_value(&mut self, param: &'static Param) {
        let value = match (param.domain, self.param_step(param).value) {
            (Domain::Choice(words), Value::Choice(current)) => {
                let next = words.iter().position(|word| *word == current).map_or(0, |index| (index + 1) % words.len());
                Value::Choice(words[next])
            }
            (_, Value::Switch(on)) => Value::Switch(!on),
            (_, value) => value,
        };
        self.set_param(param, value);
    }

    /// Takes an entry of the open list.
    fn confirm_entry(&mut self, index: usize) {
        match &mut self.overlay {
            Some(Overlay::Presets(selected)) => *selected = index,
            Some(Overlay::Palette(palette)) => palette.marked = index,
            _ => return,
        }
        self.act(Action::EditValue);
    }

    /// Grabs the clicked zone, or a new obstacle.
    fn grab_zone(&mut self) {
        let Some(ray) = self.mouse.clicked() else { return };
        let target = match self.zone_at(ray) {
            Some(index) => Some(DragTarget::Zone { index, new: false, moved: false }),
            None => self.place_zone(ZoneKind::Obstacle, ray).map(|index| DragTarget::Zone {
                index,
                new: true,
                moved: false,
            }),
        };
        if let Some(target) = target {
            self.mouse.grab(target);
        }
    }
}
