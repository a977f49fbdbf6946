//! Mouse events.
//!
//! A drag ends when the button is released, and whenever the release may have been lost: another button, motion
//! without a button, a lost focus, an opened popup, a pause, a move through the session, or another preset. Positions are sent to the engine once per
//! frame, however often the mouse reports.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::canvas::Ray;
use crate::engine::Clock;
use crate::sim::{Domain, Param, Pointer, Value, Zone, ZoneKind};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::input::mouse::DragTarget;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::timeline::TimelineRow;
use crate::viewer::views::{Hit, hit, share};

impl App {
    /// Handles a mouse event on a screen.
    pub fn on_mouse(&mut self, mouse: MouseEvent, screen: Rect) {
        self.mouse.cell = (mouse.column, mouse.row);
        self.mouse.hovers = mouse.kind == MouseEventKind::Moved;
        match mouse.kind {
            MouseEventKind::Down(button) => {
                self.release_mouse();
                self.press(button, screen);
                self.update_drag(screen);
            }
            MouseEventKind::Drag(_) => self.drag(screen),
            MouseEventKind::Up(_) => self.lift(screen),
            // Motion without a button: the release was lost.
            MouseEventKind::Moved => self.release_mouse(),
            MouseEventKind::ScrollUp => self.wheel(false, screen),
            MouseEventKind::ScrollDown => self.wheel(true, screen),
            MouseEventKind::ScrollLeft => self.wheel_sideways(false, screen),
            MouseEventKind::ScrollRight => self.wheel_sideways(true, screen),
        }
    }

    /// Ends a drag.
    pub fn release_mouse(&mut self) {
        match self.mouse.target.take() {
            Some(DragTarget::Pointer { .. }) => self.session.set_pointer(None),
            Some(DragTarget::Gauge(_)) => self.session.undo_stack.end_group(),
            Some(DragTarget::Timeline { resumes: Some(clock) }) => self.session.control_clock(clock),
            Some(DragTarget::Zone { .. } | DragTarget::Timeline { resumes: None }) | None => {}
        }
    }

    /// Moves what is dragged to the mouse; called once per frame.
    pub fn update_drag(&mut self, screen: Rect) {
        let ray = self.mouse_ray(screen);
        match self.mouse.target {
            // Outside the flock's region the pointer has no effect.
            Some(DragTarget::Pointer { attracts }) => {
                let pointer = |Ray { origin, direction }| Pointer { at: origin, along: direction, attracts };
                self.session.set_pointer(ray.map(pointer));
            }
            Some(DragTarget::Zone { index, moved: true, .. }) => {
                if let Some((ray, zone)) = ray.zip(self.session.state().zones.get(index).copied()) {
                    let moved =
                        Zone { center: ray.nearest(zone.center), ..zone }.moved_inside(&self.session.state().world);
                    self.session.move_zone(index, moved.center);
                }
            }
            Some(DragTarget::Timeline { .. }) => {
                if let Some(timeline) = TimelineRow::new(self, screen) {
                    self.seek(timeline.tick_at(self.mouse.cell.0));
                }
            }
            Some(DragTarget::Zone { moved: false, .. } | DragTarget::Gauge(_)) | None => {}
        }
    }

    fn press(&mut self, button: MouseButton, screen: Rect) {
        self.clear_message();
        match (hit(self, screen, self.mouse.cell), button) {
            (Hit::Flock, _) => {
                self.mouse.clicked = self.mouse_ray(screen);
                self.mouse.target = match button {
                    MouseButton::Left => Some(DragTarget::Pointer { attracts: true }),
                    MouseButton::Right => Some(DragTarget::Pointer { attracts: false }),
                    MouseButton::Middle => self.clicked_zone(),
                };
            }
            (Hit::Bar(param, share), MouseButton::Left) => {
                self.select_visible_param(param);
                self.session.undo_stack.begin_group();
                self.mouse.target = Some(DragTarget::Gauge(param));
                self.set_gauge(param, share);
            }
            (Hit::Word(param), MouseButton::Left) => {
                self.select_visible_param(param);
                self.cycle_value(param);
            }
            (Hit::Timeline, MouseButton::Left) => self.grab_timeline(),
            (Hit::Row(param), _) => self.select_visible_param(param),
            (Hit::Sparkline(measure), MouseButton::Left) => self.plot_only(measure),
            (Hit::Entry(index), MouseButton::Left) => self.confirm_entry(index),
            (Hit::Outside, _) => self.act(Action::Close),
            _ => {}
        }
    }

    fn drag(&mut self, screen: Rect) {
        match &mut self.mouse.target {
            Some(DragTarget::Gauge(param)) => {
                let param = *param;
                if let Some(share) = share(screen, self, self.mouse.cell.0) {
                    self.set_gauge(param, share);
                }
            }
            // The next frame sends its new place.
            Some(DragTarget::Zone { moved, .. }) => *moved = true,
            Some(DragTarget::Pointer { .. } | DragTarget::Timeline { .. }) | None => {}
        }
    }

    /// Pauses while the handle of the timeline is dragged, so that it stays at the mouse.
    fn grab_timeline(&mut self) {
        let state = self.session.state();
        let resumes = if state.position.backward { Clock::Backward } else { Clock::Pause(false) };
        let resumes = (!state.paused).then_some(resumes);
        if resumes.is_some() {
            self.session.control_clock(Clock::Pause(true));
        }
        self.mouse.target = Some(DragTarget::Timeline { resumes });
    }

    /// Ends a drag with the button's release. A zone that was only clicked is removed.
    fn lift(&mut self, screen: Rect) {
        // The handle ends where the mouse is now.
        if let Some(DragTarget::Timeline { .. }) = self.mouse.target {
            self.update_drag(screen);
        }
        if let Some(DragTarget::Zone { index, new: false, moved: false }) = self.mouse.target {
            self.remove_zone(index);
        }
        self.release_mouse();
    }

    fn wheel(&mut self, down: bool, screen: Rect) {
        match hit(self, screen, self.mouse.cell) {
            Hit::Bar(..)
            | Hit::Word(_)
            | Hit::Row(_)
            | Hit::Sparkline(_)
            | Hit::Panel
            | Hit::Entry(_)
            | Hit::Inside => {
                self.act(if down { Action::NextParameter } else { Action::PreviousParameter });
            }
            Hit::Flock => {
                let dot = self.mouse.dot(self.flock_region(screen));
                self.move_camera(|viewport| viewport.zoom(Some(dot), !down));
            }
            Hit::Timeline => self.skip_second(!down),
            Hit::Page => self.act(if down { Action::ZoomOut } else { Action::ZoomIn }),
            Hit::Outside | Hit::Elsewhere => {}
        }
    }

    fn wheel_sideways(&mut self, right: bool, screen: Rect) {
        if hit(self, screen, self.mouse.cell) == Hit::Timeline {
            self.skip_second(right);
        }
    }

    /// The line of sight through the mouse, if it is over the flock.
    fn mouse_ray(&self, screen: Rect) -> Option<Ray> {
        let flock = self.flock_region(screen);
        let camera = self.viewport.camera().filter(|_| flock.contains(self.mouse.cell.into()))?;
        Some(camera.ray(self.mouse.dot(flock)))
    }

    fn flock_region(&self, screen: Rect) -> Rect {
        Regions::new(screen, self.display.clean).flock
    }

    fn set_gauge(&mut self, param: &'static Param, share: f32) {
        let value = self.param_step(param).value_at(share, &self.session.state().params);
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
        if let Some(line) = self.overlay.as_mut().and_then(Overlay::line) {
            *line = index;
            self.act(Action::EditValue);
        }
    }

    /// The clicked zone, or a new obstacle.
    fn clicked_zone(&mut self) -> Option<DragTarget> {
        let ray = self.mouse.clicked?;
        let old = self.zone_at(ray);
        let index = old.or_else(|| self.place_zone(ZoneKind::Obstacle, ray))?;
        Some(DragTarget::Zone { index, new: old.is_none(), moved: false })
    }
}
