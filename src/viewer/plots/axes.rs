//! Axes with ticks at round numbers. Ratatui's own axes put evenly spaced labels at the ends and between them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Axis, Chart, Dataset, Widget};
use unicode_width::UnicodeWidthStr;

use super::measure::PlotMeasure;
use super::scale::Scale;
use crate::viewer::text::{left, line, right};
use crate::viewer::theme::ResolvedTheme;

/// Rows from one tick of a vertical axis to the next, at least.
const TICK_ROWS: u16 = 2;
/// Columns from one tick of a horizontal axis to the next, at least.
const TICK_COLUMNS: u16 = 9;
/// The largest share of the width for the labels of a vertical axis.
const LABEL_SHARE: u16 = 3;

/// The height of a horizontal axis with its labels.
pub const HEIGHT: u16 = 2;

/// The scale of a vertical axis of so many rows.
pub fn vertical_scale(measure: &PlotMeasure, values: &[f64], rows: u16) -> Scale {
    let intervals = usize::from(rows.saturating_sub(1) / TICK_ROWS).clamp(1, 5);
    scale(measure, values, intervals)
}

/// The scale of a horizontal axis of so many columns.
pub fn horizontal_scale(measure: &PlotMeasure, values: &[f64], columns: u16) -> Scale {
    scale(measure, values, horizontal_intervals(columns))
}

/// The number of intervals on a horizontal axis.
pub fn horizontal_intervals(columns: u16) -> usize {
    usize::from(columns / TICK_COLUMNS).clamp(1, 10)
}

fn scale(measure: &PlotMeasure, values: &[f64], intervals: usize) -> Scale {
    if measure.is_ratio() { Scale::new(0.0, 1.0, intervals) } else { Scale::fit(values.iter().copied(), intervals) }
}

/// The width of the labels of a vertical axis.
pub fn label_width(scale: &Scale, total: u16) -> u16 {
    let widest = scale.ticks().map(|tick| scale.label(tick).width() as u16).max().unwrap_or(0);
    widest.min(total / LABEL_SHARE)
}

/// Draws a vertical axis in the column left of a plot, with its labels right-aligned left of it.
pub fn draw_vertical(buffer: &mut Buffer, plot: Rect, scale: &Scale, label_width: u16, theme: &ResolvedTheme) {
    let axis = plot.x - 1;
    for y in plot.top()..plot.bottom() {
        buffer[(axis, y)].set_symbol("│").set_style(theme.dim);
    }
    for tick in scale.ticks() {
        let Some(row) = scale.cell(tick, plot.height) else { continue };
        let y = plot.bottom() - 1 - row;
        buffer[(axis, y)].set_symbol("┤").set_style(theme.dim);
        right(buffer, Rect { x: axis - label_width, y, width: label_width, height: 1 }, &scale.label(tick), theme.text);
    }
}

/// Draws a horizontal axis in the row below a plot, with its labels below it and its name at the right end.
pub fn draw_horizontal(buffer: &mut Buffer, plot: Rect, scale: &Scale, name: &str, theme: &ResolvedTheme) {
    let (axis, labels) = (plot.bottom(), plot.bottom() + 1);
    buffer[(plot.x - 1, axis)].set_symbol("└").set_style(theme.dim);
    for x in plot.left()..plot.right() {
        buffer[(x, axis)].set_symbol("─").set_style(theme.dim);
    }
    let name_width = (name.width() as u16).min(plot.width);
    let end = plot.right() - name_width;
    left(buffer, Rect { x: end, y: labels, width: name_width, height: 1 }, name, theme.dim);
    let mut free = plot.x - 1;
    for tick in scale.ticks() {
        let Some(column) = scale.cell(tick, plot.width) else { continue };
        let (label, x) = (scale.label(tick), plot.x + column);
        buffer[(x, axis)].set_symbol("┬").set_style(theme.dim);
        let width = label.width() as u16;
        let begin = x.saturating_sub(width / 2).max(plot.x - 1);
        if begin >= free && begin + width < end {
            left(buffer, Rect { x: begin, y: labels, width, height: 1 }, &label, theme.text);
            free = begin + width + 1;
        }
    }
}

/// Draws the data of a plot.
pub fn draw_data(buffer: &mut Buffer, plot: Rect, (x, y): (&Scale, &Scale), data: Vec<Dataset>, theme: &ResolvedTheme) {
    Chart::new(data)
        .style(theme.text)
        .x_axis(Axis::default().bounds(x.bounds()))
        .y_axis(Axis::default().bounds(y.bounds()))
        .legend_position(None)
        .render(plot, buffer);
}

/// The row above a plot: its name on the left, a value on the right.
pub fn draw_title(buffer: &mut Buffer, area: Rect, name: &str, value: &str, theme: &ResolvedTheme) {
    let row = line(area, 0);
    let width = row.width.saturating_sub(value.width() as u16 + 1);
    left(buffer, Rect { width, ..row }, name, theme.text);
    right(buffer, row, value, theme.text);
}
