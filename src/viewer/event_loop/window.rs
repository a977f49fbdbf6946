//! The size of the terminal's window, and of the canvas in it.

use std::ops::RangeInclusive;

use ratatui::layout::{Rect, Size};

use super::options::ViewerError;
use crate::canvas::{CanvasFormat, DOTS_HIGH, DOTS_WIDE};
use crate::terminal::tty;
use crate::viewer::layout::Regions;

/// Plausible values of a dot's height relative to its width. Fonts range from about 0.8 to 1.4.
const DOT_HEIGHTS: RangeInclusive<f32> = 0.6..=1.7;
/// The size of a terminal that does not report one.
const FALLBACK_SIZE: Size = Size { width: 80, height: 24 };
/// Cap the reported size: a hostile value would exhaust memory.
const MAX_SIZE: Size = Size { width: 2000, height: 1000 };

/// The size of the window in cells.
pub(crate) fn window_size() -> Result<Size, ViewerError> {
    let window = tty::window_size()?;
    Ok(usable_size(window.columns, window.rows))
}

/// Serial terminals report 0.
fn usable_size(columns: u16, rows: u16) -> Size {
    let usable = |length: u16, fallback, most| if length == 0 { fallback } else { length.min(most) };
    Size {
        width: usable(columns, FALLBACK_SIZE.width, MAX_SIZE.width),
        height: usable(rows, FALLBACK_SIZE.height, MAX_SIZE.height),
    }
}

/// The height of a dot relative to its width, or 1 if the terminal does not report its size in pixels.
pub(crate) fn dot_height() -> f32 {
    let Ok(window) = tty::window_size() else { return 1.0 };
    let side = |pixels: u16, cells: u16, dots: usize| f32::from(pixels) / (f32::from(cells) * dots as f32);
    let dot_height = side(window.height, window.rows, DOTS_HIGH) / side(window.width, window.columns, DOTS_WIDE);
    if DOT_HEIGHTS.contains(&dot_height) { dot_height } else { 1.0 }
}

/// The canvas of the viewer in this terminal.
pub(super) fn canvas(clean: bool) -> Result<CanvasFormat, ViewerError> {
    let Size { width, height } = window_size()?;
    let (columns, rows) = Regions::new(Rect::new(0, 0, width, height), clean).canvas();
    Ok(CanvasFormat { columns, rows, dot_height: dot_height(), ..CanvasFormat::default() })
}

/// The aspect ratio (width / height) of the viewer's canvas in this terminal.
///
/// # Errors
///
/// [`ViewerError::Terminal`] if the terminal does not report its size.
pub fn canvas_aspect_ratio(clean: bool) -> Result<f32, ViewerError> {
    Ok(canvas(clean)?.aspect_ratio())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_capped_and_unknown_ones_replaced() {
        for ((columns, rows), usable) in
            [((0, 0), (80, 24)), ((1, 0), (1, 24)), ((400, 120), (400, 120)), ((65535, 65535), (2000, 1000))]
        {
            assert_eq!(usable_size(columns, rows), Size::new(usable.0, usable.1));
        }
    }
}
