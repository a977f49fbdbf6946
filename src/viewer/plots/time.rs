//! Measures over time: a plot for each, above one time axis with the changes of the rules.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Dataset, GraphType};

use super::Plots;
use super::axes::{
    HEIGHT, Scale, draw_data, draw_horizontal, draw_title, draw_vertical, horizontal_intervals, label_width,
    vertical_scale,
};
use super::history::RuleChange;
use super::measure::{PlotMeasure, Sample};
use crate::picture::{ResolvedTheme, UnicodeWidthStr};
use crate::viewer::context::Context;
use crate::viewer::text::{format_number, left, line};

/// The minimum height of a plot with its title.
const MIN_PLOT: u16 = 5;
/// The minimum height for a row with the changed rules and their values.
const NAMES_FROM: u16 = 8;
/// Changes of one rule within so many columns are labeled once.
const LABEL_GAP: u16 = 3;

/// A line has a gap where two measured ticks are farther apart than usual by this factor.
const LONGEST_STEP: f64 = 6.0;

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
pub fn draw(buffer: &mut Buffer, area: Rect, plots: &Plots, changes: &[RuleChange], context: &Context) {
    let theme = context.theme.resolved();
    let range = plots.range();
    let samples = plots.history.samples_in(&range);
    let names = u16::from(area.height >= NAMES_FROM);
    let charts = Rect { y: area.y + names, height: area.height - names - HEIGHT, ..area };
    let charted = layout(charts, &plots.chosen, &samples);
    let labels = charted.iter().map(|plot| label_width(&plot.scale, area.width)).max().unwrap_or(0);
    let inside = |rows: Rect| Rect { x: rows.x + labels + 1, width: rows.width - labels - 1, ..rows };
    let time = Scale::new(range.start as f64, range.end as f64, horizontal_intervals(area.width - labels - 1));

    let now = plots.history.past_tick().unwrap_or(range.end).min(range.end);
    for plot in &charted {
        // Groups are not found in every measurement.
        let known = samples.iter().zip(&plot.values).filter(|(_, value)| !value.is_nan());
        let points: Vec<(f64, f64)> = known.map(|(sample, value)| (sample.tick as f64, *value)).collect();
        let shown = points.iter().rfind(|(tick, _)| *tick <= now as f64);
        let latest = shown.map_or(String::new(), |(_, value)| format_number(*value as f32));
        draw_title(buffer, inside(plot.title), &plot.measure.label(context.client.recording()), &latest, theme);
        draw_vertical(buffer, inside(plot.rows), &plot.scale, labels, theme);
        let lines =
            parts(&points).map(|part| Dataset::default().data(part).graph_type(GraphType::Line).style(theme.gauge));
        draw_data(buffer, inside(plot.rows), &time, &plot.scale, context.display.marker.in_charts(), lines.collect());
    }
    let all = inside(charts);
    let unit = if context.is_recording() { "frame" } else { "tick" };
    draw_horizontal(buffer, all, &time, unit, theme);
    let areas: Vec<Rect> = charted.iter().map(|plot| inside(plot.rows)).collect();
    draw_changes(buffer, Rect { y: area.y, height: names, ..all }, &areas, all.bottom(), &time, changes, context);
    draw_past(buffer, all, &time, plots, context);
}

/// The points of each part of the session that was measured: a move to another tick leaves a gap.
fn parts(points: &[(f64, f64)]) -> impl Iterator<Item = &[(f64, f64)]> {
    let mut steps: Vec<f64> = points.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    let middle = steps.len() / 2;
    let median = if steps.is_empty() { 0.0 } else { *steps.select_nth_unstable_by(middle, f64::total_cmp).1 };
    points.chunk_by(move |one, next| next.0 - one.0 <= LONGEST_STEP * median)
}

/// Divides the height among the first measures.
fn layout(area: Rect, measures: &[&'static PlotMeasure], samples: &[&Sample]) -> Vec<TimePlot> {
    let count = (area.height / MIN_PLOT).clamp(1, measures.len().max(1) as u16);
    let mut y = area.y;
    let mut plots = Vec::new();
    for (number, measure) in (0..count).zip(measures) {
        // The first ones take the remainder.
        let height = area.height / count + u16::from(number < area.height % count);
        let title = Rect { y, height: 1.min(height), ..area };
        let rows = Rect { y: y + title.height, height: height - title.height, ..area };
        y += height;
        let values = measure.values(samples);
        let scale = vertical_scale(measure, &values, rows.height);
        plots.push(TimePlot { measure, values, scale, title, rows });
    }
    plots
}

/// Marks the changes of the rules: on the time axis, as dashed lines through the plots, and by name and value above them.
fn draw_changes(
    buffer: &mut Buffer,
    names: Rect,
    plots: &[Rect],
    axis: u16,
    time: &Scale,
    changes: &[RuleChange],
    context: &Context,
) {
    let theme = context.theme.resolved();
    let mut labels: Vec<(u16, &RuleChange)> = Vec::new();
    for change in changes {
        let Some(column) = time.cell(change.tick as f64, names.width) else { continue };
        let x = names.x + column;
        buffer[(x, axis)].set_symbol("▴").set_style(theme.accent);
        // The last value counts.
        labels.pop_if(|(before, other)| change.sets_the_same(other) && x - *before < LABEL_GAP);
        labels.push((x, change));
    }
    for (x, _) in &labels {
        for position in plots.iter().flat_map(|plot| plot.rows()).map(|row| (*x, row.y)) {
            if buffer[position].symbol() == " " {
                buffer[position].set_symbol("╎").set_style(theme.dim);
            }
        }
    }
    let labels: Vec<(u16, String)> = labels.iter().map(|(x, change)| (*x, change.label())).collect();
    draw_labels(buffer, names, &labels, theme);
}

/// Marks the current tick, if later ones are known, as a line through the plots.
fn draw_past(buffer: &mut Buffer, area: Rect, time: &Scale, plots: &Plots, context: &Context) {
    let theme = context.theme.resolved();
    let tick = plots.history.past_tick();
    let Some(column) = tick.and_then(|tick| time.cell(tick as f64, area.width)) else { return };
    for y in area.top()..area.bottom() {
        let cell = &mut buffer[(area.x + column, y)];
        if matches!(cell.symbol(), " " | "╎") {
            cell.set_symbol("│").set_style(theme.accent);
        }
    }
    buffer[(area.x + column, area.bottom())].set_symbol(context.display.marker.point()).set_style(theme.accent);
}

/// Writes the labels above their marks, the newest first: where two would overlap, the older one is left out.
fn draw_labels(buffer: &mut Buffer, area: Rect, labels: &[(u16, String)], theme: &ResolvedTheme) {
    if area.is_empty() {
        return;
    }
    let mut end = area.right();
    for (x, label) in labels.iter().rev() {
        let width = label.width() as u16 + 1;
        // Right of the mark, or left of it near the end.
        let (begin, text) = if x + width <= end {
            (*x, format!("▾{label}"))
        } else if *x < end && x + 1 >= area.x + width {
            (x + 1 - width, format!("{label}▾"))
        } else {
            continue;
        };
        left(buffer, Rect { x: begin, width, ..line(area, 0) }, &text, theme.accent);
        end = begin.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_gaps_where_nothing_was_measured() {
        let ticks = [0.0, 5.0, 10.0, 16.0, 20.0, 900.0, 905.0, 925.0];
        let points = ticks.map(|tick| (tick, 1.0));
        let lengths: Vec<usize> = parts(&points).map(<[_]>::len).collect();
        assert_eq!(lengths, [5, 3]);
        assert_eq!((parts(&points[..1]).count(), parts(&[]).count()), (1, 0));
    }
}
