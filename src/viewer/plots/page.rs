//! The page of plots, in place of the flock.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::symbols;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::changes::RuleChange;
use super::history::Sample;
use super::measure::PlotMeasure;
use super::{Plots, phase, time};
use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::text::{Hint, draw_hints, left, line, right, skip, wrap};
use crate::viewer::theme::marker::Marker;

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
    match plots.axes() {
        _ if plots.history.ticks().is_none() => note(buffer, body, "no measures yet", context),
        Some(measures) if plots.is_phase => phase::draw(buffer, body, plots, measures, context),
        None if plots.is_phase => note(buffer, body, &format!("choose two measures with {key}"), context),
        _ if plots.chosen().is_empty() => note(buffer, body, &format!("choose measures with {key}"), context),
        _ => time::draw(buffer, body, plots, changes, context),
    }
}

fn draw_header(buffer: &mut Buffer, area: Rect, plots: &Plots, context: &Context) {
    if area.is_empty() {
        return;
    }
    let (theme, range) = (context.theme.resolved(), plots.range());
    let window = plots.window();
    let past = plots.is_past();
    let shown = if past { format!("ticks {} to {} ", range.start, range.end) } else { format!("last {window} ticks ") };
    let title = format!(" {}, seed {}", context.presets.base.name, context.client.controls().seed);
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
pub(super) fn samples(plots: &Plots, range: &Range<u64>) -> Vec<Sample> {
    let all: Vec<&Sample> = plots.history.samples().collect();
    let first = all.partition_point(|sample| sample.tick < range.start).saturating_sub(1);
    let end = all.partition_point(|sample| sample.tick <= range.end);
    all[first..all.len().min(end + 1)].iter().map(|sample| **sample).collect()
}

/// A measure in each sample.
pub(super) fn values(samples: &[Sample], measure: &PlotMeasure) -> Vec<f64> {
    samples.iter().map(|sample| measure.value(sample)).collect()
}

/// The dots of a plot in the glyphs of the flock.
pub(super) fn marker(context: &Context) -> symbols::Marker {
    match context.display.marker {
        Marker::Braille => symbols::Marker::Braille,
        Marker::Octant => symbols::Marker::Octant,
        Marker::HalfBlock => symbols::Marker::HalfBlock,
        Marker::Ascii => symbols::Marker::Custom('*'),
    }
}
