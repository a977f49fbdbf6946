//! Measures over time: a plot for each, above one time axis with the changes of the rules.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Dataset, GraphType};
use unicode_width::UnicodeWidthStr;

use super::axes::{
    HEIGHT, draw_data, draw_horizontal, draw_title, draw_vertical, horizontal_intervals, label_width, vertical_scale,
};
use super::scale::Scale;
use super::{marker, samples, values};
use crate::viewer::Marker;
use crate::viewer::app::App;
use crate::viewer::app::param_step::format_number;
use crate::viewer::app::plots::history::Sample;
use crate::viewer::app::plots::measure::PlotMeasure;
use crate::viewer::theme::ResolvedTheme;
use crate::viewer::views::text::{left, line};

/// The minimum height of a plot with its title.
const MIN_PLOT: u16 = 3;
/// The minimum height for a row with the names of changed rules.
const NAMES_FROM: u16 = 8;
/// Changes of one rule within so many columns are labeled once.
const LABEL_GAP: u16 = 3;

/// A plot.
struct TimePlot {
    measure: &'static PlotMeasure,
    values: Vec<f64>,
    scale: Scale,
    /// The row of its name.
    title: Rect,
    /// The rows of its data.
    rows: Rect,
}

/// Draws as many of the chosen measures as fit.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = app.theme.resolved();
    let range = app.plots.range(&app.history);
    let samples = samples(app, &range);
    let names = u16::from(area.height >= NAMES_FROM);
    let charts = Rect { y: area.y + names, height: area.height - names - HEIGHT, ..area };
    let plots = layout(charts, app.plots.chosen(), &samples);
    let labels = plots.iter().map(|plot| label_width(&plot.scale, area.width)).max().unwrap_or(0);
    let inside = |rows: Rect| Rect { x: rows.x + labels + 1, width: rows.width - labels - 1, ..rows };
    let time = Scale::new(range.start as f64, range.end as f64, horizontal_intervals(area.width - labels - 1));

    let now = app.history.past_tick().unwrap_or(range.end).min(range.end);
    for plot in &plots {
        // Groups are not found in every measurement.
        let known = samples.iter().zip(&plot.values).filter(|(_, value)| !value.is_nan());
        let points: Vec<(f64, f64)> = known.map(|(sample, value)| (sample.tick as f64, *value)).collect();
        let shown = points.iter().rfind(|(tick, _)| *tick <= now as f64);
        let latest = shown.map_or(String::new(), |(_, value)| format_number(*value as f32));
        draw_title(buffer, inside(plot.title), &plot.measure.label(), &latest, theme);
        draw_vertical(buffer, inside(plot.rows), &plot.scale, labels, theme);
        let line = Dataset::default().data(&points).marker(marker(app)).graph_type(GraphType::Line).style(theme.gauge);
        draw_data(buffer, inside(plot.rows), (&time, &plot.scale), vec![line], theme);
    }
    let all = inside(charts);
    draw_horizontal(buffer, all, &time, "tick", theme);
    let plots: Vec<Rect> = plots.iter().map(|plot| inside(plot.rows)).collect();
    draw_changes(buffer, Rect { y: area.y, height: names, ..all }, &plots, all.bottom(), &time, app);
    draw_past(buffer, all, &time, app);
}

/// Divides the height among the first measures.
fn layout(area: Rect, measures: &[&'static PlotMeasure], samples: &[Sample]) -> Vec<TimePlot> {
    let count = (area.height / MIN_PLOT).clamp(1, measures.len().max(1) as u16);
    let mut y = area.y;
    let mut plots = Vec::new();
    for (number, measure) in (0..count).zip(measures) {
        // The first ones take the remainder.
        let height = area.height / count + u16::from(number < area.height % count);
        let title = Rect { y, height: 1.min(height), ..area };
        let rows = Rect { y: y + title.height, height: height - title.height, ..area };
        y += height;
        let values = values(samples, measure);
        let scale = vertical_scale(measure, &values, rows.height);
        plots.push(TimePlot { measure, values, scale, title, rows });
    }
    plots
}

/// Marks the changes of the rules: on the time axis, as dashed lines through the plots, and by name above them.
fn draw_changes(buffer: &mut Buffer, names: Rect, plots: &[Rect], axis: u16, time: &Scale, app: &App) {
    let theme = app.theme.resolved();
    let changes = app.rule_changes();
    let mut labels: Vec<(u16, &str)> = Vec::new();
    let mut last: Option<(u16, &str)> = None;
    for change in &changes {
        let Some(column) = time.cell(change.tick as f64, names.width) else { continue };
        let x = names.x + column;
        buffer[(x, axis)].set_symbol("▴").set_style(theme.accent);
        let is_labeled = last.is_some_and(|(before, name)| name == change.name && x - before < LABEL_GAP);
        last = Some((x, &change.name));
        if !is_labeled {
            labels.push((x, &change.name));
        }
    }
    for (x, _) in &labels {
        for position in plots.iter().flat_map(|plot| plot.rows()).map(|row| (*x, row.y)) {
            if buffer[position].symbol() == " " {
                buffer[position].set_symbol("╎").set_style(theme.dim);
            }
        }
    }
    draw_names(buffer, names, &labels, theme);
}

/// Marks the current tick, if later ones are known, as a line through the plots.
fn draw_past(buffer: &mut Buffer, plots: Rect, time: &Scale, app: &App) {
    let theme = app.theme.resolved();
    let tick = app.history.past_tick();
    let Some(column) = tick.and_then(|tick| time.cell(tick as f64, plots.width)) else { return };
    for y in plots.top()..plots.bottom() {
        let cell = &mut buffer[(plots.x + column, y)];
        if matches!(cell.symbol(), " " | "╎") {
            cell.set_symbol("│").set_style(theme.accent);
        }
    }
    let symbol = if app.display.marker == Marker::Ascii { "@" } else { "●" };
    buffer[(plots.x + column, plots.bottom())].set_symbol(symbol).set_style(theme.accent);
}

/// Writes the names above their marks, the newest first: where two would overlap, the older one is left out.
fn draw_names(buffer: &mut Buffer, area: Rect, labels: &[(u16, &str)], theme: &ResolvedTheme) {
    if area.is_empty() {
        return;
    }
    let mut end = area.right();
    for (x, name) in labels.iter().rev() {
        let width = name.width() as u16 + 1;
        // Right of the mark, or left of it near the end.
        let (begin, text) = if x + width <= end {
            (*x, format!("▾{name}"))
        } else if *x < end && x + 1 >= area.x + width {
            (x + 1 - width, format!("{name}▾"))
        } else {
            continue;
        };
        left(buffer, Rect { x: begin, width, ..line(area, 0) }, &text, theme.accent);
        end = begin.saturating_sub(1);
    }
}
