//! Keys and mouse: the key bindings, and what the mouse points at and drags.

mod key_notation;
pub mod keymap;

use glam::Vec2;
use ratatui::layout::{Position, Rect};

use crate::engine::Clock;
use crate::picture::{DOTS_HIGH, DOTS_WIDE, Ray};
use crate::sim::Param;

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
    /// The handle of the timeline. Ticks pause meanwhile; `resumes` continues them, if they ran.
    Timeline {
        /// The request that continues them.
        resumes: Option<Clock>,
        /// The tick that was asked for last.
        tick: Option<u64>,
    },
}

/// The state of the mouse.
#[derive(Debug, Default)]
pub struct MouseState {
    /// What it drags.
    pub target: Option<DragTarget>,
    /// The cell under it.
    pub cell: Position,
    /// Whether it moved there without a button, which few terminals report.
    pub hovers: bool,
    /// Where the flock was clicked last.
    pub clicked: Option<Ray>,
}

impl MouseState {
    /// The center of the cell under the mouse, in dots of the flock's region.
    pub fn dot(&self, flock: Rect) -> Vec2 {
        let Position { x, y } = self.cell;
        let cell = Vec2::new(f32::from(x) - f32::from(flock.x), f32::from(y) - f32::from(flock.y));
        (cell + Vec2::splat(0.5)) * Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32)
    }
}
