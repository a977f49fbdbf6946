//! A gauge for each parameter, in groups.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use crate::sim::{Domain, Param, Value};
use crate::viewer::app::App;
use crate::viewer::app::param_step::{ParamStep, format_number};
use crate::viewer::theme::ResolvedTheme;
use crate::viewer::views::text::{left, right, skip};

/// The width of a name.
const NAME: u16 = 12;
/// The width of a bar.
const BAR: u16 = 8;

/// A line in the list of gauges.
enum GaugeLine {
    Group(&'static str),
    Row(&'static Param),
}

/// The first visible line in a list `height` lines high, scrolled as little as possible to show the selected parameter.
#[must_use]
pub fn first(app: &App, height: usize) -> usize {
    first_visible(app, &entries(app), height, false)
}

/// The same, with the heading of the selected parameter's group if both fit.
#[must_use]
pub fn first_line_with_heading(app: &App, height: usize) -> usize {
    first_visible(app, &entries(app), height, true)
}

fn first_visible(app: &App, entries: &[GaugeLine], height: usize, with_heading: bool) -> usize {
    let param = app.selected_param();
    let is_selected = |entry: &GaugeLine| matches!(entry, GaugeLine::Row(known) if *known == param);
    let selected = entries.iter().position(is_selected).unwrap_or(0);
    let heading = entries[..selected].iter().rposition(|entry| matches!(entry, GaugeLine::Group(_)));
    let top = heading.filter(|heading| with_heading && selected - heading < height).unwrap_or(selected);
    let last = entries.len().saturating_sub(height);
    app.param_list.first_line.min(top).max((selected + 1).saturating_sub(height)).min(last)
}

/// The parameter on a row of the screen, if any.
#[must_use]
pub fn param_at(area: Rect, app: &App, y: u16) -> Option<&'static Param> {
    let number = first(app, area.height.into()) + usize::from(y.checked_sub(area.y)?);
    match entries(app).get(number).filter(|_| y < area.bottom())? {
        GaugeLine::Row(row) => Some(row),
        GaugeLine::Group(_) => None,
    }
}

/// The columns of the bars.
#[must_use]
pub fn bar(area: Rect) -> Range<u16> {
    let start = area.x + 1 + NAME;
    start..start + BAR
}

/// Draws as many gauges as fit, including the selected one. Returns the number of lines drawn.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App) -> u16 {
    let theme = app.theme.resolved();
    let entries = entries(app);
    let height = usize::from(area.height);
    let first = first_visible(app, &entries, height, false);
    for (row, entry) in area.rows().zip(&entries[first..]) {
        match entry {
            GaugeLine::Group(name) => {
                left(buffer, row, name, theme.accent);
            }
            GaugeLine::Row(param) => {
                draw_gauge(buffer, row, &app.param_step(param), *param == app.selected_param(), theme);
            }
        }
    }
    // Marks on the panel's border show that there is more.
    if first > 0 {
        buffer[(area.x - 2, area.y)].set_symbol("▴").set_style(theme.accent);
    }
    if first + height < entries.len() {
        buffer[(area.x - 2, area.bottom() - 1)].set_symbol("▾").set_style(theme.accent);
    }
    entries.len().min(height) as u16
}

fn entries(app: &App) -> Vec<GaugeLine> {
    let mut entries = Vec::new();
    let mut group = "";
    for row in app.params() {
        if row.group != group {
            group = row.group;
            entries.push(GaugeLine::Group(group));
        }
        entries.push(GaugeLine::Row(row));
    }
    entries
}

/// Draws a parameter's name, bar, value and unit.
fn draw_gauge(buffer: &mut Buffer, area: Rect, step: &ParamStep, selected: bool, theme: &ResolvedTheme) {
    let style = if selected { theme.accent.add_modifier(Modifier::BOLD) } else { theme.text };
    left(buffer, area, if selected { "▸" } else { " " }, style);
    let name = skip(area, 1);
    left(buffer, Rect { width: NAME, ..name }, step.param.name(), style);

    let rest = skip(name, NAME);
    let changed = if step.is_changed() { style.add_modifier(Modifier::UNDERLINED) } else { style };
    match (step.param.domain, step.value) {
        (Domain::Number { .. }, Value::Number(number)) => {
            let figures = skip(rest, BAR);
            let value = format_number(number);
            let mut unit = step.param.unit_suffix().replace("/tick", "/t");
            if value.width() + unit.width() > figures.width.into() {
                unit.clear();
            }
            let (value_width, unit_width) = (value.width() as u16, unit.width() as u16);
            // Long text takes the bar's last cell, to keep a gap.
            let is_long = value_width + unit_width >= figures.width;
            draw_bar(buffer, Rect { width: BAR - u16::from(is_long), ..rest }, step.fill(), theme);
            right(buffer, figures, &unit, theme.dim);
            right(buffer, Rect { width: figures.width - unit_width, ..figures }, &value, changed);
        }
        (_, Value::Switch(on)) => right(buffer, rest, if on { "‹on›" } else { "‹off›" }, changed),
        (_, value) => right(buffer, rest, &format!("‹{value}›"), changed),
    }
}

/// Draws a bar in half cells.
fn draw_bar(buffer: &mut Buffer, area: Rect, share: f32, theme: &ResolvedTheme) {
    const HALVES: [&str; 3] = ["─", "╸", "━"];
    let full = share * f32::from(area.width) * 2.0;
    for (column, position) in (0..area.width).zip(area.positions()) {
        let part = (full - f32::from(column) * 2.0).round().clamp(0.0, 2.0) as usize;
        let style = if part == 0 { theme.dim } else { theme.gauge };
        buffer[position].set_symbol(HALVES[part]).set_style(style);
    }
}
