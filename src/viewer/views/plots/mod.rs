//! The page of plots, in place of the flock.

mod axes;
mod phase;
mod scale;
mod time;

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::symbols;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::status::{Hint, draw_hints};
use super::text::{left, line, right, skip, wrap};
use crate::viewer::app::App;
use crate::viewer::app::plots::history::Sample;
use crate::viewer::app::plots::measure::PlotMeasure;
use crate::viewer::{Action, Marker};

/// The minimum size for plots.
const MIN_SIZE: (u16, u16) = (20, 4);
/// The minimum height for a header.
const HEADER_FROM: u16 = 6;
/// The minimum height for a line of keys.
const KEYS_FROM: u16 = 10;

/// Draws the page with its keys.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App) {
    let has_keys = area.height >= KEYS_FROM;
    let keys = line(area, area.height.saturating_sub(1));
    draw_page(buffer, Rect { height: area.height - u16::from(has_keys), ..area }, app);
    if has_keys {
        Clear.render(keys, buffer);
        buffer.set_style(keys, app.theme.resolved().text);
        draw_hints(buffer, keys, &hints(app), app.theme.resolved());
    }
}

/// Draws the page without its keys, as in a picture.
pub fn draw_page(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = app.theme.resolved();
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        for (row, text) in area.rows().zip(wrap("too small for plots", area.width.into())) {
            left(buffer, row, &text, theme.dim);
        }
        return;
    }
    let head = u16::from(area.height >= HEADER_FROM);
    draw_header(buffer, Rect { height: head, ..area }, app);
    // A blank column keeps the last label apart from the panel.
    let body = Rect { y: area.y + head, height: area.height - head, width: area.width - 1, ..area };
    let key = app.keymap.key(Action::ChooseMeasures).unwrap_or_default();
    match app.plots.axes() {
        _ if app.history.ticks().is_none() => note(buffer, body, "no measures yet", app),
        Some(measures) if app.plots.is_phase => phase::draw(buffer, body, app, measures),
        None if app.plots.is_phase => note(buffer, body, &format!("choose two measures with {key}"), app),
        _ if app.plots.chosen().is_empty() => note(buffer, body, &format!("choose measures with {key}"), app),
        _ => time::draw(buffer, body, app),
    }
}

fn draw_header(buffer: &mut Buffer, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    let (theme, range) = (app.theme.resolved(), app.plots.range(&app.history));
    let window = app.plots.window();
    let past = app.plots.is_past(&app.history);
    let shown = if past { format!("ticks {} to {} ", range.start, range.end) } else { format!("last {window} ticks ") };
    let title = format!(" {}, seed {}", app.session.preset.name, app.session.state().seed);
    let rest = left(buffer, area, &title, theme.accent.add_modifier(Modifier::BOLD));
    if shown.width() < rest.width.into() {
        right(buffer, rest, &shown, theme.dim);
    }
}

fn note(buffer: &mut Buffer, area: Rect, text: &str, app: &App) {
    left(buffer, skip(line(area, area.height / 2), 1), text, app.theme.resolved().text);
}

/// The keys of the page.
fn hints(app: &App) -> Vec<Hint> {
    let key = |action| app.keymap.key(action);
    let pair = |one, other| Some(format!("{} {}", key(one)?, key(other)?));
    let view = if app.plots.is_phase { "time" } else { "phase" };
    let hints = [
        (pair(Action::ZoomIn, Action::ZoomOut), "zoom"),
        (key(Action::ChooseMeasures), "measures"),
        (key(Action::View), view),
        (key(Action::SavePlots), "save"),
        (key(Action::Plots), "close"),
        (pair(Action::PanLeft, Action::PanRight), "earlier, later"),
    ];
    hints.into_iter().filter_map(|(key, word)| Some((key?, word))).collect()
}

/// The samples on the time axis, and one beyond each end, so that lines reach the border.
fn samples(app: &App, range: &Range<u64>) -> Vec<Sample> {
    let all: Vec<&Sample> = app.history.samples().collect();
    let first = all.partition_point(|sample| sample.tick < range.start).saturating_sub(1);
    let end = all.partition_point(|sample| sample.tick <= range.end);
    all[first..all.len().min(end + 1)].iter().map(|sample| **sample).collect()
}

/// A measure in each sample.
fn values(samples: &[Sample], measure: &PlotMeasure) -> Vec<f64> {
    samples.iter().map(|sample| measure.value(sample)).collect()
}

/// The dots of a plot in the glyphs of the flock.
fn marker(app: &App) -> symbols::Marker {
    match app.display.marker {
        Marker::Braille => symbols::Marker::Braille,
        Marker::Octant => symbols::Marker::Octant,
        Marker::HalfBlock => symbols::Marker::HalfBlock,
        Marker::Ascii => symbols::Marker::Custom('*'),
    }
}
