//! How the screen shows the flock: view, coloring, glyphs, and the size of its regions.

use ratatui::layout::Rect;

use super::layout::Regions;
use super::theme::Coloring;
use super::theme::marker::Marker;
use crate::canvas::View;

/// The appearance of the screen.
#[derive(Debug)]
pub struct Display {
    /// How the flock is drawn.
    pub view: View,
    /// The coloring that the user selected; `None` is automatic.
    pub coloring: Option<Coloring>,
    /// The glyph set.
    pub marker: Marker,
    /// Whether the panel and the status line are hidden.
    pub clean: bool,
    /// Columns and rows of the flock's region, as of the last `resize`.
    canvas: (usize, usize),
    /// The width of the screen in columns.
    columns: u16,
    has_panel: bool,
    /// The height of a dot relative to its width.
    dot_height: f32,
}

impl Display {
    /// A display with a canvas of `canvas` (columns, rows).
    pub fn new(view: View, marker: Marker, clean: bool, canvas: (usize, usize), dot_height: f32) -> Self {
        Self { view, coloring: None, marker, clean, canvas, columns: canvas.0 as u16, has_panel: true, dot_height }
    }

    /// Columns and rows of the flock's region.
    pub fn canvas(&self) -> (usize, usize) {
        self.canvas
    }

    /// Whether the screen has space for the panel and shows it.
    pub fn has_panel(&self) -> bool {
        self.has_panel
    }

    /// The height of a dot relative to its width.
    pub fn dot_height(&self) -> f32 {
        self.dot_height
    }

    /// The screen without its status line.
    pub fn above_status(&self) -> Rect {
        Rect::new(0, 0, self.columns, self.canvas.1 as u16)
    }

    /// The region of the panel, including right after `clean` changed.
    pub fn panel(&self) -> Option<Rect> {
        let above = self.above_status();
        Regions::new(Rect { height: above.height + 1, ..above }, self.clean).panel
    }

    /// Adapts to a new screen size or dot shape. Returns whether the canvas changed.
    pub fn resize(&mut self, screen: Rect, dot_height: f32) -> bool {
        let before = (self.canvas, self.dot_height);
        let regions = Regions::new(screen, self.clean);
        (self.columns, self.has_panel) = (screen.width, regions.panel.is_some());
        (self.canvas, self.dot_height) = (regions.canvas(), dot_height);
        (self.canvas, self.dot_height) != before
    }
}
