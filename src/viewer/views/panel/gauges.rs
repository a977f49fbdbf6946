//! A gauge for each parameter, in groups.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use crate::sim::{Domain, Param, Value};
use crate::viewer::app::App;
use crate::viewer::app::param_step::{ParamStep, format_number};
use crate::viewer::theme::ResolvedTheme;
use crate::viewer::views::text::{left, line, right};

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
    let entries = entries(app);
    let chosen = chosen(&entries, app);
    scrolled(app.param_list.first_line, (chosen, chosen), entries.len(), height)
}

/// The same, with the heading of the selected parameter's group if both fit.
#[must_use]
pub fn first_line_with_heading(app: &App, height: usize) -> usize {
    let entries = entries(app);
    let chosen = chosen(&entries, app);
    let heading = entries[..chosen].iter().rposition(|entry| matches!(entry, GaugeLine::Group(_)));
    let top = heading.filter(|heading| chosen - heading < height).unwrap_or(chosen);
    scrolled(app.param_list.first_line, (top, chosen), entries.len(), height)
}

/// Scrolls a list as little as possible to show the lines `top` to `end`.
fn scrolled(first: usize, (top, end): (usize, usize), lines: usize, height: usize) -> usize {
    first.min(top).max((end + 1).saturating_sub(height)).min(lines.saturating_sub(height))
}

/// The selected parameter's line.
fn chosen(entries: &[GaugeLine], app: &App) -> usize {
    let row = app.selected_param();
    entries.iter().position(|entry| matches!(entry, GaugeLine::Row(known) if *known == row)).unwrap_or(0)
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

/// The first column and the width of the bars.
#[must_use]
pub fn bar(area: Rect) -> (u16, u16) {
    (area.x + 1 + NAME, BAR.min(area.width.saturating_sub(1 + NAME)))
}

/// Draws as many gauges as fit, including the selected one. Returns the number of lines drawn.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App) -> u16 {
    let entries = entries(app);
    let height = usize::from(area.height);
    let first = first(app, height);
    let shown = entries.iter().skip(first).take(height);
    for (number, entry) in (0..).zip(shown) {
        let place = line(area, number);
        match entry {
            GaugeLine::Group(name) => {
                left(buffer, place, name, app.theme.resolved().accent);
            }
            GaugeLine::Row(row) => {
                let gauge = Gauge {
                    step: app.param_step(row),
                    theme: app.theme.resolved(),
                    chosen: row.key == app.selected_param().key,
                };
                gauge.render(place, buffer);
            }
        }
    }
    // Marks on the panel's border show that there is more.
    if height > 0 && first > 0 {
        buffer[(area.x - 2, area.y)].set_symbol("▴").set_style(app.theme.resolved().accent);
    }
    if height > 0 && first + height < entries.len() {
        buffer[(area.x - 2, area.bottom() - 1)].set_symbol("▾").set_style(app.theme.resolved().accent);
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

/// A parameter's name, bar, value and unit.
struct Gauge<'a> {
    step: ParamStep,
    theme: &'a ResolvedTheme,
    chosen: bool,
}

impl Widget for Gauge<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let style = if self.chosen { theme.accent.add_modifier(Modifier::BOLD) } else { theme.text };
        left(buffer, area, if self.chosen { "▸" } else { " " }, style);
        let name = Rect { x: area.x + 1, width: NAME.min(area.width.saturating_sub(1)), ..area };
        left(buffer, name, self.step.param.name(), style);

        let rest = Rect { x: area.x + 1 + NAME, width: area.width.saturating_sub(1 + NAME), ..area };
        let turned = if self.step.is_changed() { style.add_modifier(Modifier::UNDERLINED) } else { style };
        match (self.step.param.domain, self.step.value) {
            (Domain::Number { unit, .. }, Value::Number(number)) => {
                let figures = Rect { x: rest.x + BAR, width: rest.width.saturating_sub(BAR), ..rest };
                let (value, unit) = (format_number(number), short(unit));
                let wide = (value.chars().count() + unit.chars().count()) as u16;
                // A long number takes the bar's last cell, to keep a gap.
                let is_long = value.chars().count() >= usize::from(figures.width);
                self.bar(buffer, Rect { width: (BAR - u16::from(is_long)).min(rest.width), ..rest });
                let unit = if wide < figures.width { unit } else { "" };
                right(buffer, figures, unit, theme.dim);
                let space = figures.width.saturating_sub(unit.chars().count() as u16);
                right(buffer, Rect { width: space, ..figures }, &value, turned);
            }
            (_, Value::Switch(on)) => right(buffer, rest, if on { "‹on›" } else { "‹off›" }, turned),
            (_, value) => right(buffer, rest, &format!("‹{value}›"), turned),
        }
    }
}

impl Gauge<'_> {
    /// Draws the bar in half cells.
    fn bar(&self, buffer: &mut Buffer, area: Rect) {
        const HALVES: [&str; 3] = ["─", "╸", "━"];
        let full = self.step.fill() * f32::from(area.width) * 2.0;
        for column in 0..area.width {
            let part = (full - f32::from(column) * 2.0).round().clamp(0.0, 2.0) as usize;
            let style = if part == 0 { self.theme.dim } else { self.theme.gauge };
            buffer[(area.x + column, area.y)].set_symbol(HALVES[part]).set_style(style);
        }
    }
}

/// A unit's abbreviation.
fn short(unit: &'static str) -> &'static str {
    match unit {
        "u/tick" => " u/t",
        "u/tick²" => " u/t²",
        "u" => " u",
        "ticks" => " ticks",
        "s" => " s",
        unit => unit,
    }
}
