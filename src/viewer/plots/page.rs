//! The page of plots, below the flock or in place of it: over time, or two measures against each other, and the list of measures to plot.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::{Clear, Dataset, GraphType, Widget};

use super::axes::{
    HEIGHT, draw_data, draw_horizontal, draw_title, draw_vertical, horizontal_scale, label_width, vertical_scale,
};
use super::history::RuleChange;
use super::measure::{PLOT_MEASURES, PlotMeasure};
use super::{Plots, time};
use crate::picture::UnicodeWidthStr;
use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::layout::{FOOTER_HEIGHT, Popup, place};
use crate::viewer::text::{Hint, draw_hints, format_number, left, line, right, skip, wrap};

/// The minimum size for plots.
const MIN_SIZE: (u16, u16) = (20, 4);
/// The minimum height for a header.
const HEADER_FROM: u16 = 6;
/// The minimum height for a line of keys.
const KEYS_FROM: u16 = 10;

/// Draws the page with its keys.
pub fn draw(buffer: &mut Buffer, area: Rect, plots: &Plots, changes: &[RuleChange], context: &Context) {
    let has_keys = area.height >= KEYS_FROM;
    let keys = line(area, area.height.saturating_sub(1));
    draw_page(buffer, Rect { height: area.height - u16::from(has_keys), ..area }, plots, changes, context);
    if has_keys {
        Clear.render(keys, buffer);
        buffer.set_style(keys, context.theme.resolved().text);
        draw_hints(buffer, keys, &hints(plots, context), context.theme.resolved());
    }
}

/// Draws the page without its keys, as in a picture.
pub fn draw_page(buffer: &mut Buffer, area: Rect, plots: &Plots, changes: &[RuleChange], context: &Context) {
    let theme = context.theme.resolved();
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        for (row, text) in area.rows().zip(wrap("too small for plots", area.width.into())) {
            left(buffer, row, &text, theme.dim);
        }
        return;
    }
    let head = u16::from(area.height >= HEADER_FROM);
    draw_header(buffer, Rect { height: head, ..area }, plots, context);
    // A blank column keeps the last label apart from the panel.
    let body = Rect { y: area.y + head, height: area.height - head, width: area.width - 1, ..area };
    let key = context.keymap.key(Action::ChooseMeasures).unwrap_or_default();
    match plots.chosen.first_chunk().copied() {
        _ if plots.history.ticks().is_none() => note(buffer, body, "no measures yet", context),
        Some(measures) if plots.is_phase => draw_phase(buffer, body, plots, measures, context),
        None if plots.is_phase => note(buffer, body, &format!("choose two measures with {key}"), context),
        _ if plots.chosen.is_empty() => note(buffer, body, &format!("choose measures with {key}"), context),
        _ => time::draw(buffer, body, plots, changes, context),
    }
}

fn draw_header(buffer: &mut Buffer, area: Rect, plots: &Plots, context: &Context) {
    if area.is_empty() {
        return;
    }
    let (theme, range) = (context.theme.resolved(), plots.range());
    let window = plots.window;
    let past = plots.is_past();
    let unit = if context.is_recording() { "frames" } else { "ticks" };
    let shown =
        if past { format!("{unit} {} to {} ", range.start, range.end) } else { format!("last {window} {unit} ") };
    let (name, seed) = (context.name(), context.client.controls().setup.seed);
    let title = if context.is_recording() { format!(" {name}") } else { format!(" {name}, seed {seed}") };
    let rest = left(buffer, area, &title, theme.accent.add_modifier(Modifier::BOLD));
    if shown.width() < rest.width.into() {
        right(buffer, rest, &shown, theme.dim);
    }
}

fn note(buffer: &mut Buffer, area: Rect, text: &str, context: &Context) {
    left(buffer, skip(line(area, area.height / 2), 1), text, context.theme.resolved().text);
}

/// The keys of the page.
fn hints(plots: &Plots, context: &Context) -> Vec<Hint> {
    let key = |action| context.keymap.key(action);
    let pair = |one, other| Some(format!("{} {}", key(one)?, key(other)?));
    let view = if plots.is_phase { "time" } else { "phase" };
    let below = [
        (key(Action::Plots), "plots alone"),
        (key(Action::ChooseMeasures), "measures"),
        (key(Action::SavePlots), "save"),
        (key(Action::Close), "close"),
    ];
    let alone = [
        (pair(Action::ZoomIn, Action::ZoomOut), "zoom"),
        (key(Action::ChooseMeasures), "measures"),
        (key(Action::View), view),
        (key(Action::SavePlots), "save"),
        (key(Action::Plots), "close"),
        (pair(Action::PanLeft, Action::PanRight), "earlier, later"),
    ];
    let hints = if plots.is_alone(context) { &alone[..] } else { &below };
    hints.iter().filter_map(|(key, word)| Some((key.clone()?, *word))).collect()
}

/// The maximum width: the longest description takes two lines.
const WIDTH: u16 = 56;

/// The list with one measure selected, which the footer describes.
pub fn list_popup(around: Rect, selected: usize) -> Popup {
    let (area, inner) = place(around, WIDTH, PLOT_MEASURES.len() as u16 + FOOTER_HEIGHT);
    Popup::list(area, inner, FOOTER_HEIGHT, PLOT_MEASURES.len(), selected)
}

/// Draws the list, with the places of the chosen measures. Returns its area.
pub fn draw_list(buffer: &mut Buffer, around: Rect, selected: usize, plots: &Plots, context: &Context) -> Rect {
    let theme = context.theme.resolved();
    let popup = list_popup(around, selected);
    popup.draw_frame(buffer, "measures to plot", theme);
    for (row, measure, is_selected) in popup.visible(&PLOT_MEASURES[..]) {
        let place = plots.chosen.iter().position(|chosen| *chosen == measure);
        let (mark, name) = if is_selected { ("▸", theme.accent) } else { (" ", theme.text) };
        let place = place.map_or(String::new(), |place| (place + 1).to_string());
        let rest = left(buffer, row, mark, name);
        let rest = left(buffer, rest, &format!("{place:>2} "), theme.accent);
        left(buffer, rest, &measure.label(context.client.recording()), name);
    }
    popup.draw_footer(buffer, PLOT_MEASURES.get(selected).map(|measure| measure.summary), theme);
    popup.area
}

/// The minimum height for a row with the name of the horizontal axis.
const NAME_FROM: u16 = 8;

/// Draws a dot for each sample on the time axis; the latest one is marked, and the older half is dim.
fn draw_phase(
    buffer: &mut Buffer,
    area: Rect,
    plots: &Plots,
    [across, up]: [&'static PlotMeasure; 2],
    context: &Context,
) {
    let theme = context.theme.resolved();
    let range = plots.range();
    let mut samples = plots.history.samples_in(&range);
    samples.retain(|sample| (range.start..=range.end).contains(&sample.tick));
    // Up to the current tick of the past.
    samples.retain(|sample| plots.history.past_tick().is_none_or(|now| sample.tick <= now));
    let (horizontal, vertical) = (across.values(&samples), up.values(&samples));
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
    draw_title(
        buffer,
        Rect { x: plot.x, width: plot.width, ..line(area, 0) },
        &up.label(context.client.recording()),
        &value,
        theme,
    );
    draw_vertical(buffer, plot, &y, labels, theme);
    if foot > HEIGHT {
        draw_horizontal(buffer, plot, &x, "", theme);
        right(
            buffer,
            Rect { y: plot.bottom() + HEIGHT, height: 1, ..plot },
            &across.label(context.client.recording()),
            theme.text,
        );
    } else {
        draw_horizontal(buffer, plot, &x, &across.label(context.client.recording()), theme);
    }
    let (old, new) = points.split_at(points.len() / 2);
    let dots = |points, style| Dataset::default().data(points).graph_type(GraphType::Scatter).style(style);
    draw_data(
        buffer,
        plot,
        &x,
        &y,
        context.display.marker.in_charts(),
        vec![dots(old, theme.dim), dots(new, theme.gauge)],
    );
    let cell = latest.and_then(|(across, up)| Some((x.cell(across, plot.width)?, y.cell(up, plot.height)?)));
    if let Some((column, row)) = cell {
        buffer[(plot.x + column, plot.bottom() - 1 - row)]
            .set_symbol(context.display.marker.point())
            .set_style(theme.accent);
    }
}
