//! How the screen shows the flock: view, coloring, glyphs, and the size of its regions.

use ratatui::layout::Rect;

use super::overlay::Overlay;
use crate::canvas::{Aim, CanvasFormat, View};
use crate::viewer::Marker;
use crate::viewer::theme::Coloring;
use crate::viewer::views::layout::Regions;

/// The appearance of the screen before a slideshow took it over.
#[derive(Debug)]
pub struct SavedScreen {
    pub(super) clean: bool,
    pub(super) overlay: Option<Overlay>,
    pub(super) theme: (usize, bool),
    pub(super) view: View,
    pub(super) coloring: Option<Coloring>,
    pub(super) aim: Aim,
}

/// The appearance of the screen.
#[derive(Debug)]
pub struct Display {
    view: View,
    /// The coloring that the user selected.
    coloring: Option<Coloring>,
    marker: Marker,
    /// Whether the panel and the status line are hidden.
    clean: bool,
    /// Columns and rows of the flock's region.
    canvas: (usize, usize),
    /// The width of the screen in columns.
    columns: u16,
    has_panel: bool,
    /// The height of a dot relative to its width.
    dot_height: f32,
    /// The format last requested from the engine.
    requested: CanvasFormat,
}

impl Display {
    /// A display with a canvas of `canvas` (columns, rows).
    #[must_use]
    pub fn new(view: View, marker: Marker, clean: bool, canvas: (usize, usize)) -> Self {
        Self {
            view,
            coloring: None,
            marker,
            clean,
            canvas,
            columns: canvas.0 as u16,
            has_panel: true,
            dot_height: 1.0,
            requested: CanvasFormat::default(),
        }
    }

    /// How the flock is drawn.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// Sets how the flock is drawn.
    pub fn set_view(&mut self, view: View) {
        self.view = view;
    }

    /// The coloring that the user selected.
    #[must_use]
    pub fn coloring(&self) -> Option<Coloring> {
        self.coloring
    }

    /// Sets the coloring; `None` selects it automatically.
    pub fn set_coloring(&mut self, coloring: Option<Coloring>) {
        self.coloring = coloring;
    }

    /// The glyph set.
    #[must_use]
    pub fn marker(&self) -> Marker {
        self.marker
    }

    /// Sets the glyph set.
    pub fn set_marker(&mut self, marker: Marker) {
        self.marker = marker;
    }

    /// Whether the panel and the status line are hidden.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.clean
    }

    /// Hides or shows the panel and the status line.
    pub fn set_clean(&mut self, clean: bool) {
        self.clean = clean;
    }

    /// Columns and rows of the flock's region.
    #[must_use]
    pub fn canvas(&self) -> (usize, usize) {
        self.canvas
    }

    /// Whether the screen has space for the panel and shows it.
    #[must_use]
    pub fn has_panel(&self) -> bool {
        self.has_panel
    }

    /// The height of a dot relative to its width.
    #[must_use]
    pub fn dot_height(&self) -> f32 {
        self.dot_height
    }

    /// The screen without its status line.
    #[must_use]
    pub fn above_status(&self) -> Rect {
        Rect::new(0, 0, self.columns, self.canvas.1 as u16)
    }

    /// The region of the panel, including right after `clean` changed.
    #[must_use]
    pub fn panel(&self) -> Option<Rect> {
        let above = self.above_status();
        Regions::new(Rect { height: above.height + 1, ..above }, self.clean).panel
    }

    /// Adapts to a new screen size or dot shape. Returns whether the canvas changed.
    pub fn resize(&mut self, screen: Rect, dot_height: f32) -> bool {
        let regions = Regions::new(screen, self.clean);
        (self.columns, self.has_panel) = (screen.width, regions.panel.is_some());
        let before = (self.canvas, self.dot_height);
        (self.canvas, self.dot_height) = (regions.canvas(), dot_height);
        (self.canvas, self.dot_height) != before
    }

    /// The format last requested from the engine.
    #[must_use]
    pub fn requested(&self) -> CanvasFormat {
        self.requested
    }

    /// Takes over the format that the engine's canvas starts with.
    pub fn assume(&mut self, format: CanvasFormat) {
        (self.dot_height, self.requested) = (format.dot_height, format);
    }

    /// Records a requested format. Returns whether it differs from the last one.
    pub fn set_requested(&mut self, format: CanvasFormat) -> bool {
        std::mem::replace(&mut self.requested, format) != format
    }

    #[cfg(test)]
    pub fn hide_panel(&mut self) {
        self.has_panel = false;
    }
}
