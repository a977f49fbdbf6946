//! Two measures against each other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Dataset, GraphType};

use super::Plots;
use super::axes::{
    HEIGHT, draw_data, draw_horizontal, draw_title, draw_vertical, horizontal_scale, label_width, vertical_scale,
};
use super::measure::PlotMeasure;
use super::page::{marker, samples, values};
use crate::viewer::context::Context;
use crate::viewer::text::{format_number, line, right};
use crate::viewer::theme::marker::Marker;

/// The minimum height for a row with the name of the horizontal axis.
const NAME_FROM: u16 = 8;

/// Draws a dot for each sample on the time axis; the latest one is marked, and the older half is dim.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    plots: &Plots,
    [across, up]: [&'static PlotMeasure; 2],
    context: &Context,
) {
    let theme = context.theme.resolved();
    let range = plots.range();
    let mut samples = samples(plots, &range);
    samples.retain(|sample| (range.start..=range.end).contains(&sample.tick));
    // Up to the current tick of the past.
    samples.retain(|sample| plots.history.past_tick().is_none_or(|now| sample.tick <= now));
    let (horizontal, vertical) = (values(&samples, across), values(&samples, up));
    // The name gets a separate row if there is space.
    let foot = if area.height >= NAME_FROM { HEIGHT + 1 } else { HEIGHT };
    let rows = Rect { y: area.y + 1, height: area.height - 1 - foot, ..area };
    let y = vertical_scale(up, &vertical, rows.height);
    let labels = label_width(&y, area.width);
    let plot = Rect { x: rows.x + labels + 1, width: rows.width - labels - 1, ..rows };
    let x = horizontal_scale(across, &horizontal, plot.width);

    let known = horizontal.into_iter().zip(vertical).filter(|(across, up)| !across.is_nan() && !up.is_nan());
    let points: Vec<(f64, f64)> = known.collect();
    let latest = points.last().copied();
    let value =
        latest.map_or(String::new(), |(x, y)| format!("{}, {}", format_number(x as f32), format_number(y as f32)));
    draw_title(buffer, Rect { x: plot.x, width: plot.width, ..line(area, 0) }, &up.label(), &value, theme);
    draw_vertical(buffer, plot, &y, labels, theme);
    if foot > HEIGHT {
        draw_horizontal(buffer, plot, &x, "", theme);
        right(buffer, Rect { y: plot.bottom() + HEIGHT, height: 1, ..plot }, &across.label(), theme.text);
    } else {
        draw_horizontal(buffer, plot, &x, &across.label(), theme);
    }
    let (old, new) = points.split_at(points.len() / 2);
    let dots = |points, style| {
        Dataset::default().data(points).marker(marker(context)).graph_type(GraphType::Scatter).style(style)
    };
    draw_data(buffer, plot, (&x, &y), vec![dots(old, theme.dim), dots(new, theme.gauge)], theme);
    let cell = latest.and_then(|(across, up)| Some((x.cell(across, plot.width)?, y.cell(up, plot.height)?)));
    if let Some((column, row)) = cell {
        let symbol = if context.display.marker == Marker::Ascii { "@" } else { "●" };
        buffer[(plot.x + column, plot.bottom() - 1 - row)].set_symbol(symbol).set_style(theme.accent);
    }
}
