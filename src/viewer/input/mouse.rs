//! The state of the mouse: where it is, where it clicked, and what it drags.

use glam::Vec2;
use ratatui::layout::Rect;

use crate::canvas::{Camera, DOTS_HIGH, DOTS_WIDE, Ray, size_in_dots};
use crate::engine::Frame;
use crate::sim::Param;

/// The mouse bindings: name, button and summary.
pub const MOUSE_BINDINGS: [(&str, &str, &str); 5] = [
    ("mouse attract", "hold left", "Attract the flock."),
    ("mouse repel", "hold right", "Repel the flock."),
    ("mouse obstacle", "middle", "Place, drag or remove an obstacle."),
    ("mouse zoom", "wheel", "Zoom at the mouse; over the panel, select a parameter."),
    ("mouse gauge", "click, drag", "Set a gauge."),
];

/// What the mouse drags.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DragTarget {
    /// A pointer that attracts or repels the flock.
    Pointer {
        /// Whether it attracts.
        attracts: bool,
    },
    /// A zone.
    Zone {
        /// Its index.
        index: usize,
        /// Whether the press created it.
        new: bool,
        /// Whether it has been dragged.
        moved: bool,
    },
    /// A gauge.
    Gauge(&'static Param),
}

/// The state of the mouse.
#[derive(Debug, Default)]
pub struct MouseState {
    target: Option<DragTarget>,
    /// The cell under the mouse.
    cell: (u16, u16),
    /// Where the flock was clicked last.
    clicked: Option<Ray>,
    /// The camera of the latest frame.
    camera: Option<Camera>,
}

impl MouseState {
    /// Takes the camera of a frame.
    pub fn on_frame(&mut self, frame: &Frame) {
        self.camera = Some(frame.camera);
    }

    /// The cell under the mouse.
    #[must_use]
    pub fn cell(&self) -> (u16, u16) {
        self.cell
    }

    /// Moves the mouse.
    pub fn move_to(&mut self, cell: (u16, u16)) {
        self.cell = cell;
    }

    /// Where the flock was clicked last.
    #[must_use]
    pub fn clicked(&self) -> Option<Ray> {
        self.clicked
    }

    /// Records a click at the current cell. `flock` is the region of the flock.
    pub fn click(&mut self, flock: Rect) {
        self.clicked = self.ray(flock);
    }

    /// Forgets the last click.
    pub fn forget_click(&mut self) {
        self.clicked = None;
    }

    /// What the mouse drags.
    #[must_use]
    pub fn target(&self) -> Option<DragTarget> {
        self.target
    }

    /// Starts a drag.
    pub fn grab(&mut self, target: DragTarget) {
        self.target = Some(target);
    }

    /// Ends a drag and returns its target.
    pub fn release(&mut self) -> Option<DragTarget> {
        self.target.take()
    }

    /// Marks a dragged zone as moved.
    pub fn mark_moved(&mut self) {
        if let Some(DragTarget::Zone { moved, .. }) = &mut self.target {
            *moved = true;
        }
    }

    /// The line of sight through the mouse, if it is over the flock.
    #[must_use]
    pub fn ray(&self, flock: Rect) -> Option<Ray> {
        let inside = flock.contains(self.cell.into());
        Some(self.camera.filter(|_| inside)?.ray(self.dot(flock)))
    }

    /// The line of sight through the center of a canvas of (columns, rows).
    #[must_use]
    pub fn center_ray(&self, (columns, rows): (usize, usize)) -> Option<Ray> {
        let dot = size_in_dots(columns, rows) * 0.5;
        self.camera.map(|camera| camera.ray(dot))
    }

    /// The center of the cell under the mouse, in dots of the flock's region.
    #[must_use]
    pub fn dot(&self, flock: Rect) -> Vec2 {
        let (column, row) = self.cell;
        let cell = Vec2::new(f32::from(column) - f32::from(flock.x), f32::from(row) - f32::from(flock.y));
        (cell + Vec2::splat(0.5)) * Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32)
    }
}
