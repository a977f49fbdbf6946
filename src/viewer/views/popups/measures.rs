//! The list of measures to plot.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{FOOTER_HEIGHT, Popup, place};
use crate::viewer::app::App;
use crate::viewer::app::plots::measure::{PLOT_MEASURES, PlotMeasure};
use crate::viewer::views::text::{left, skip};

/// The width of the columns of marks and names.
const NAMES: u16 = 22;
/// The minimum width for a column of summaries.
const WIDE: u16 = NAMES + 44;
/// The maximum width.
const WIDTH: u16 = 78;

/// The list with one measure selected.
pub fn popup(around: Rect, selected: usize) -> Popup {
    let foot = if around.width < WIDE + 2 { FOOTER_HEIGHT } else { 0 };
    let (area, inner) = place(around, WIDTH, PLOT_MEASURES.len() as u16 + foot);
    Popup::list(area, inner, WIDE, PLOT_MEASURES.len(), selected)
}

/// Draws the list, with the places of the chosen measures. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, selected: usize) -> Rect {
    let theme = app.theme.resolved();
    let popup = popup(around, selected);
    popup.draw_frame(buffer, "measures to plot", theme);
    for (row, measure, is_selected) in popup.visible(&PLOT_MEASURES) {
        let place = app.plots.chosen().iter().position(|chosen| *chosen == measure);
        let (mark, name, summary) =
            if is_selected { ("▸", theme.accent, theme.text) } else { (" ", theme.text, theme.dim) };
        let place = place.map_or(String::new(), |place| (place + 1).to_string());
        let rest = left(buffer, row, mark, name);
        let rest = left(buffer, rest, &format!("{place:>2} "), theme.accent);
        left(buffer, rest, &measure.title(), name);
        if row.width >= WIDE {
            left(buffer, skip(row, NAMES), measure.summary(), summary);
        }
    }
    popup.draw_footer(buffer, PLOT_MEASURES.get(selected).map(PlotMeasure::summary), theme);
    popup.area
}
