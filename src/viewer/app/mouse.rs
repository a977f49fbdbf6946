//! Mouse events.
//!
//! A drag ends when the button is released, and whenever the release may have been lost: another button, motion
//! without a button, a lost focus, an opened popup, a pause, a move through the session, or another preset. Positions are sent to the engine once per
//! frame, however often the mouse reports.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::App;
use super::drawing::Hit;
use crate::engine::{Clock, Controls};
use crate::picture::Ray;
use crate::sim::{Pointer, ZoneKind};
use crate::viewer::actions::Action;
use crate::viewer::gauges::{self, GaugePart};
use crate::viewer::input::DragTarget;
use crate::viewer::input::keymap::Navigation;
use crate::viewer::world_actions;

impl App {
    /// Handles a mouse event on a screen.
    pub fn on_mouse(&mut self, mouse: MouseEvent, screen: Rect) {
        self.mouse.cell = Position::new(mouse.column, mouse.row);
        self.mouse.hovers = mouse.kind == MouseEventKind::Moved;
        if self.context.client.is_breeding() && self.overlay.is_none() {
            if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
                self.breeding.select_at(self.mouse.cell, &self.context);
            }
            return;
        }
        match mouse.kind {
            MouseEventKind::Down(button) => {
                self.release_mouse();
                self.press(button, screen);
                self.update_drag(screen);
            }
            MouseEventKind::Drag(_) => self.drag(),
            MouseEventKind::Up(_) => self.lift(screen),
            // Motion without a button: the release was lost.
            MouseEventKind::Moved => self.release_mouse(),
            MouseEventKind::ScrollUp => self.wheel(false, screen),
            MouseEventKind::ScrollDown => self.wheel(true, screen),
            MouseEventKind::ScrollLeft | MouseEventKind::ScrollRight => {
                if self.hit(screen, self.mouse.cell) == Hit::Timeline {
                    self.skip_second(mouse.kind == MouseEventKind::ScrollRight);
                }
            }
        }
    }

    /// Ends a drag.
    pub fn release_mouse(&mut self) {
        let client = &mut self.context.client;
        match self.mouse.target.take() {
            Some(DragTarget::Pointer { .. }) => client.set_pointer(None),
            Some(DragTarget::Gauge(_)) => client.end_group(),
            Some(DragTarget::Timeline { resumes: Some(clock), .. }) => client.clock(clock),
            Some(DragTarget::Zone { .. } | DragTarget::Timeline { resumes: None, .. }) | None => {}
        }
    }

    /// Moves the dragged object to the mouse; called once per frame.
    pub fn update_drag(&mut self, screen: Rect) {
        let (ray, row) = (self.mouse_ray(screen), self.timeline_row(screen));
        let client = &mut self.context.client;
        match &mut self.mouse.target {
            // Outside the flock's region the pointer has no effect.
            Some(DragTarget::Pointer { attracts }) => {
                let pointer = ray.map(|ray| Pointer { at: ray.origin, along: ray.direction, attracts: *attracts });
                client.set_pointer(pointer);
            }
            Some(DragTarget::Zone { index, moved: true, .. }) => {
                if let Some(ray) = ray {
                    world_actions::move_zone(*index, ray, &mut self.context);
                }
            }
            Some(DragTarget::Timeline { tick, .. }) => {
                let target = row.map(|row| row.tick_at(self.mouse.cell.x));
                if let Some(target) = target.filter(|target| tick.replace(*target) != Some(*target)) {
                    client.clock(Clock::Seek(target));
                }
            }
            Some(DragTarget::Zone { moved: false, .. } | DragTarget::Gauge(_)) | None => {}
        }
    }

    fn press(&mut self, button: MouseButton, screen: Rect) {
        self.context.clear_message();
        match (self.hit(screen, self.mouse.cell), button) {
            (Hit::Flock, _) => {
                self.mouse.clicked = self.mouse_ray(screen);
                self.mouse.target = match button {
                    _ if self.context.is_recording() => None,
                    MouseButton::Left => Some(DragTarget::Pointer { attracts: true }),
                    MouseButton::Right => Some(DragTarget::Pointer { attracts: false }),
                    MouseButton::Middle => self.clicked_zone(),
                };
            }
            (Hit::Gauge(param, part), _) => {
                self.gauges.select_visible(param, &self.context);
                match (part, button) {
                    (GaugePart::Bar(share), MouseButton::Left) => {
                        self.context.client.begin_group();
                        self.mouse.target = Some(DragTarget::Gauge(param));
                        gauges::set_share(param, share, &mut self.context);
                    }
                    (GaugePart::Word, MouseButton::Left) => gauges::cycle(param, &mut self.context),
                    _ => {}
                }
            }
            (Hit::Timeline, MouseButton::Left) => self.grab_timeline(),
            (Hit::Sparkline(measure), MouseButton::Left) => self.plots.show_only(measure),
            (Hit::Entry(index), MouseButton::Left) => self.confirm_line(index),
            (Hit::Outside, _) => self.navigate(Navigation::Close),
            _ => {}
        }
    }

    fn drag(&mut self) {
        match &mut self.mouse.target {
            Some(DragTarget::Gauge(param)) => {
                let param = *param;
                if let Some(area) = self.gauges_area() {
                    let share = gauges::share(area, param, self.mouse.cell.x);
                    gauges::set_share(param, share, &mut self.context);
                }
            }
            // The next frame sends its new place.
            Some(DragTarget::Zone { moved, .. }) => *moved = true,
            Some(DragTarget::Pointer { .. } | DragTarget::Timeline { .. }) | None => {}
        }
    }

    /// Pauses while the handle of the timeline is dragged, so that it stays at the mouse.
    fn grab_timeline(&mut self) {
        let Controls { paused, backward, .. } = self.context.client.controls();
        let resumes = if *backward { Clock::Backward } else { Clock::Pause(false) };
        let resumes = (!paused).then_some(resumes);
        if resumes.is_some() {
            self.context.client.clock(Clock::Pause(true));
        }
        self.mouse.target = Some(DragTarget::Timeline { resumes, tick: None });
    }

    /// Ends a drag with the button's release. A zone that was only clicked is removed.
    fn lift(&mut self, screen: Rect) {
        // The handle and a zone end where the mouse is now.
        if let Some(DragTarget::Timeline { .. } | DragTarget::Zone { moved: true, .. }) = self.mouse.target {
            self.update_drag(screen);
        }
        if let Some(DragTarget::Zone { index, new: false, moved: false }) = self.mouse.target {
            world_actions::remove_zone(index, &mut self.context);
        }
        self.release_mouse();
    }

    fn wheel(&mut self, down: bool, screen: Rect) {
        match self.hit(screen, self.mouse.cell) {
            Hit::Entry(_) | Hit::Inside => self.navigate(if down { Navigation::Down } else { Navigation::Up }),
            Hit::Gauge(..) | Hit::Sparkline(_) | Hit::Panel => {
                self.act(if down { Action::NextParameter } else { Action::PreviousParameter });
            }
            Hit::Flock => {
                let dot = self.mouse.dot(self.regions(screen).flock);
                let message = self.viewport.zoom(Some(dot), !down, self.context.client.frame());
                self.context.show_message(message);
            }
            Hit::Timeline => self.skip_second(!down),
            Hit::Page => self.plots.zoom(!down),
            Hit::Outside | Hit::Elsewhere => {}
        }
    }

    fn skip_second(&mut self, forward: bool) {
        self.act(if forward { Action::SkipForward } else { Action::SkipBack });
    }

    /// The line of sight through the mouse, if it is over the flock.
    fn mouse_ray(&self, screen: Rect) -> Option<Ray> {
        let flock = self.regions(screen).flock;
        let camera = self.camera().filter(|_| flock.contains(self.mouse.cell))?;
        Some(camera.ray(self.mouse.dot(flock)))
    }

    /// The clicked zone, or a new obstacle.
    fn clicked_zone(&mut self) -> Option<DragTarget> {
        let ray = self.mouse.clicked?;
        let old = world_actions::zone_at(ray, &self.context);
        let index = old.or_else(|| world_actions::place_zone(ZoneKind::Obstacle, ray, &mut self.context))?;
        Some(DragTarget::Zone { index, new: old.is_none(), moved: false })
    }
}
