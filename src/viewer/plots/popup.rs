//! The list of measures to plot.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Plots;
use super::measure::{PLOT_MEASURES, PlotMeasure};
use crate::viewer::context::Context;
use crate::viewer::layout::{FOOTER_HEIGHT, Popup, place};
use crate::viewer::text::left;

/// The maximum width: the longest description takes two lines.
const WIDTH: u16 = 56;

/// The list with one measure selected, which the footer describes.
pub fn popup(around: Rect, selected: usize) -> Popup {
    let (area, inner) = place(around, WIDTH, PLOT_MEASURES.len() as u16 + FOOTER_HEIGHT);
    Popup::list(area, inner, u16::MAX, PLOT_MEASURES.len(), selected)
}

/// Draws the list, with the places of the chosen measures. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, selected: usize, plots: &Plots, context: &Context) -> Rect {
    let theme = context.theme.resolved();
    let popup = popup(around, selected);
    popup.draw_frame(buffer, "measures to plot", theme);
    for (row, measure, is_selected) in popup.visible(&PLOT_MEASURES) {
        let place = plots.chosen().iter().position(|chosen| *chosen == measure);
        let (mark, name) = if is_selected { ("▸", theme.accent) } else { (" ", theme.text) };
        let place = place.map_or(String::new(), |place| (place + 1).to_string());
        let rest = left(buffer, row, mark, name);
        let rest = left(buffer, rest, &format!("{place:>2} "), theme.accent);
        left(buffer, rest, &measure.label(), name);
    }
    popup.draw_footer(buffer, PLOT_MEASURES.get(selected).map(PlotMeasure::summary), theme);
    popup.area
}
