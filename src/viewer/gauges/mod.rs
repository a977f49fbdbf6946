//! A gauge for each parameter, in groups: selecting one and changing its value.

mod selection;
pub mod step;

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::actions::Action;
use super::change_effect::value_text;
use super::context::Context;
use super::text::{format_number, left, right, skip};
use crate::picture::{ResolvedTheme, UnicodeWidthStr};
use crate::sim::{Direction, Domain, Param, Undone, Value, check_params};
pub use selection::params;
use step::{BarEnd, COARSE_STEP, FINE_STEP, GaugeValue, STEP};

/// The width of a name and the gap after it. Longer names take cells of the bar.
const NAME: u16 = 8;
/// The width of a bar after a short name.
const BAR: u16 = 9;

/// A line in the list of gauges.
enum GaugeLine {
    Group(&'static str),
    Row(&'static Param),
}

/// The list of gauges: which one is selected, and where the list is scrolled to.
#[derive(Clone, Debug, Default)]
pub struct Gauges {
    /// The selected parameter; `None` is the first one.
    selected: Option<&'static Param>,
    /// Whether all parameters that have an effect have a gauge, or only those that the preset uses.
    pub shows_all: bool,
    /// The index of the first visible line.
    first_line: usize,
}

impl Gauges {
    /// The selected parameter.
    pub fn selected(&self, context: &Context) -> &'static Param {
        let selected = self.selected.filter(|param| selection::has_effect(param, context));
        selected.unwrap_or_else(|| self.listed(context).next().unwrap_or(&Param::table()[0]))
    }

    /// The parameters with a gauge. The selected one always has one.
    fn listed(&self, context: &Context) -> impl Iterator<Item = &'static Param> {
        params(context).filter(|param| {
            self.shows_all
                || self.selected.is_some_and(|selected| selected == *param)
                || selection::is_used(param, context)
        })
    }

    /// The index of the first visible line.
    #[cfg(test)]
    pub fn first_line(&self) -> usize {
        self.first_line
    }

    /// Selects a parameter without scrolling: it is under the mouse.
    pub fn select_visible(&mut self, param: &'static Param, context: &Context) {
        if selection::has_effect(param, context) {
            self.selected = Some(param);
        }
    }

    /// Selects a parameter and scrolls it into an area.
    pub fn select(&mut self, param: &'static Param, area: Option<Rect>, context: &Context) {
        self.select_visible(param, context);
        self.scroll_to_selected(area, context);
    }

    /// Performs an action, with the gauges in an area. Returns whether it is one of the gauges'.
    pub fn act(&mut self, action: Action, area: Option<Rect>, context: &mut Context) -> bool {
        let param = self.selected(context);
        match action {
            Action::PreviousParameter => self.move_selection(false, area, context),
            Action::NextParameter => self.move_selection(true, area, context),
            Action::Decrease => set(param, stepped(param, -STEP, context), context),
            Action::Increase => set(param, stepped(param, STEP, context), context),
            Action::DecreaseCoarse => set(param, stepped(param, -COARSE_STEP, context), context),
            Action::IncreaseCoarse => set(param, stepped(param, COARSE_STEP, context), context),
            Action::DecreaseFine => set(param, stepped(param, -FINE_STEP, context), context),
            Action::IncreaseFine => set(param, stepped(param, FINE_STEP, context), context),
            Action::Minimum => set(param, end_value(param, false, context), context),
            Action::Maximum => set(param, end_value(param, true, context), context),
            Action::ResetParameter => set(param, param.get(&context.presets.base.params), context),
            Action::ResetAll => reset_all(context),
            Action::AllParameters => self.toggle_all(area, context),
            Action::Undo => context.client.undo(Direction::Undo),
            Action::Redo => context.client.undo(Direction::Redo),
            _ => return false,
        }
        true
    }

    fn move_selection(&mut self, down: bool, area: Option<Rect>, context: &mut Context) {
        let (listed, selected) = (self.listed(context).collect::<Vec<_>>(), self.selected(context));
        let index = listed.iter().position(|param| *param == selected).unwrap_or(0);
        let next = if down { index + 1 } else { index.saturating_sub(1) };
        self.selected = listed.get(next).or(listed.last()).copied();
        self.scroll_to_selected(area, context);
        report(self.selected(context), context);
    }

    fn toggle_all(&mut self, area: Option<Rect>, context: &mut Context) {
        self.shows_all = !self.shows_all;
        self.selected = Some(self.selected(context));
        self.scroll_to_selected(area, context);
        context.show_message(if self.shows_all {
            "gauges: all parameters that have an effect"
        } else {
            "gauges: the rules that this preset uses"
        });
    }

    /// Shows what an undo or a redo did, and selects the parameter that it set.
    pub fn on_undone(&mut self, direction: Direction, undone: Undone, area: Option<Rect>, context: &mut Context) {
        let name = if direction == Direction::Undo { "undo" } else { "redo" };
        let message = match undone {
            Undone::Nothing => format!("nothing to {name}"),
            Undone::NotAtEnd => {
                let key = context.keymap.key(Action::LastTick);
                let end = key.map_or(String::new(), |key| format!("; {key} goes there"));
                format!("nothing to {name} here: changes are undone at the end of the session{end}")
            }
            Undone::Branch if direction == Direction::Undo => "undo: what followed is restored".to_owned(),
            Undone::Branch => "redo: the change replaces what followed".to_owned(),
            Undone::Values(values) => match values[..] {
                [(param, value)] => {
                    self.select(param, area, context);
                    format!("{name}: {} = {value}", param.key)
                }
                _ => format!("{name}: {} parameters", values.len()),
            },
        };
        context.show_message(message);
    }

    /// Scrolls as little as needed to show the selected gauge, with its group's heading if both fit.
    fn scroll_to_selected(&mut self, area: Option<Rect>, context: &Context) {
        if let Some(area) = area {
            self.first_line = self.first_visible(&self.lines(context), area.height.into(), true, context);
        }
    }

    /// Scrolls as little as needed to show the selected gauge in an area of another size.
    pub fn resize(&mut self, area: Rect, context: &Context) {
        self.first_line = self.first_visible(&self.lines(context), area.height.into(), false, context);
    }

    fn first_visible(&self, lines: &[GaugeLine], height: usize, with_heading: bool, context: &Context) -> usize {
        let param = self.selected(context);
        let selected =
            lines.iter().position(|line| matches!(line, GaugeLine::Row(known) if *known == param)).unwrap_or(0);
        let heading = lines[..selected].iter().rposition(|line| matches!(line, GaugeLine::Group(_)));
        let top = heading.filter(|heading| with_heading && selected - heading < height).unwrap_or(selected);
        let last = lines.len().saturating_sub(height);
        self.first_line.min(top).max((selected + 1).saturating_sub(height)).min(last)
    }

    /// The parameter on a row of the screen, if any.
    pub fn param_at(&self, area: Rect, y: u16, context: &Context) -> Option<&'static Param> {
        let lines = self.lines(context);
        let first = self.first_visible(&lines, area.height.into(), false, context);
        let number = first + usize::from(y.checked_sub(area.y)?);
        match lines.get(number).filter(|_| y < area.bottom())? {
            GaugeLine::Row(row) => Some(row),
            GaugeLine::Group(_) => None,
        }
    }

    /// Draws as many gauges as fit, including the selected one. Returns the number of lines drawn.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, context: &Context) -> u16 {
        let theme = context.theme.resolved();
        let lines = self.lines(context);
        let (height, selected) = (usize::from(area.height), self.selected(context));
        let first = self.first_visible(&lines, height, false, context);
        for (row, line) in area.rows().zip(&lines[first..]) {
            match line {
                // The last row shows no heading without a gauge.
                GaugeLine::Group(_) if row.bottom() == area.bottom() => {}
                GaugeLine::Group(name) => {
                    left(buffer, row, name, theme.dim);
                }
                GaugeLine::Row(param) => {
                    let before = context.value_before(param);
                    draw_gauge(buffer, row, &value_of(param, context), before, *param == selected, theme);
                }
            }
        }
        // Marks on the panel's border show that there is more.
        if first > 0 {
            buffer[(area.x - 1, area.y)].set_symbol("▴").set_style(theme.accent);
        }
        if first + height < lines.len() {
            buffer[(area.x - 1, area.bottom() - 1)].set_symbol("▾").set_style(theme.accent);
        }
        lines.len().min(height) as u16
    }

    fn lines(&self, context: &Context) -> Vec<GaugeLine> {
        let mut lines = Vec::new();
        let mut group = "";
        for row in self.listed(context) {
            if row.group != group {
                group = row.group;
                lines.push(GaugeLine::Group(group));
            }
            lines.push(GaugeLine::Row(row));
        }
        lines
    }
}

/// A parameter with its current value, which during a morph differs from its target.
fn value_of(param: &'static Param, context: &Context) -> GaugeValue {
    GaugeValue::new(param, &context.client.controls().current_params, &context.presets.base.params)
}

/// The value after a step by a share of the preset's value.
fn stepped(param: &'static Param, share: f32, context: &Context) -> Value {
    let (controls, base) = (context.client.controls(), &context.presets.base.params);
    let mut params = controls.setup.params;
    let mut value = value_of(param, context).stepped(share, &params);
    // Skips words that do not fit the model or the world.
    while matches!(value, Value::Choice(_)) {
        param.assign(&mut params, value);
        let next = GaugeValue::new(param, &params, base).stepped(share, &params);
        if next == value || check_params(&params, &controls.setup.world).is_ok() {
            break;
        }
        value = next;
    }
    value
}

/// The value at an end of the bar; from there, the minimum or maximum.
fn end_value(param: &'static Param, up: bool, context: &Context) -> Value {
    value_of(param, context).end_value(up, &context.client.controls().setup.params)
}

/// Sets a parameter, and shows what that changes.
pub fn set(param: &'static Param, value: Value, context: &mut Context) {
    let before = param.get(&context.client.controls().setup.params);
    context.client.set_param(param, value);
    context.show_effect(param, before);
}

/// Sets a parameter to a position on its bar, 0 … 1.
pub fn set_share(param: &'static Param, share: f32, context: &mut Context) {
    set(param, value_of(param, context).value_at(share, &context.client.controls().setup.params), context);
}

/// Selects the next choice, or flips a switch.
pub fn cycle(param: &'static Param, context: &mut Context) {
    let value = match (param.domain, value_of(param, context).value) {
        (Domain::Choice(words), Value::Choice(current)) => {
            let next = words.iter().position(|word| *word == current).map_or(0, |index| (index + 1) % words.len());
            Value::Choice(words[next])
        }
        (_, Value::Switch(on)) => Value::Switch(!on),
        (_, value) => value,
    };
    set(param, value, context);
}

fn reset_all(context: &mut Context) {
    let home = context.presets.base.params;
    let values: Vec<_> = Param::table().iter().map(|param| (param, param.get(&home))).collect();
    context.client.set_params(values, 0.0);
    context.show_message(format!("parameters reset to {}", context.presets.base.name));
}

/// Shows the target of a parameter, which a morph approaches, if there is no panel.
pub fn report(param: &'static Param, context: &mut Context) {
    let gauge = GaugeValue::new(param, &context.client.controls().setup.params, &context.presets.base.params);
    context.report(gauge.assignment());
}

/// The columns of a parameter's bar.
fn bar(area: Rect, param: &Param) -> Range<u16> {
    let name = NAME.max(param.name().width() as u16 + 1);
    let start = area.x + 1;
    start + name..start + NAME + BAR
}

/// The position of a column along a parameter's bar: 0 at its first cell, 1 at its last.
pub fn share(area: Rect, param: &Param, column: u16) -> f32 {
    let bar = bar(area, param);
    let steps = bar.len() - 1;
    ((f32::from(column) - f32::from(bar.start)) / steps as f32).clamp(0.0, 1.0)
}

/// A part of a gauge that the mouse can hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GaugePart {
    /// The bar, and the position along it, 0 … 1.
    Bar(f32),
    /// The value of a choice or a switch.
    Word,
    /// The rest of the row.
    Row,
}

/// The part of a parameter's gauge in a column.
pub fn part_at(area: Rect, param: &Param, column: u16) -> GaugePart {
    let bar = bar(area, param);
    match param.domain {
        _ if column < bar.start => GaugePart::Row,
        Domain::Number { .. } if bar.contains(&column) => GaugePart::Bar(share(area, param, column)),
        Domain::Number { .. } => GaugePart::Row,
        _ => GaugePart::Word,
    }
}

/// Draws a parameter's name, bar, value and unit. The mark on the bar is at the value `before` a recent change, otherwise at
/// the preset's. The value has the accent color and a line below it if it was changed.
fn draw_gauge(
    buffer: &mut Buffer,
    area: Rect,
    gauge: &GaugeValue,
    before: Option<Value>,
    selected: bool,
    theme: &ResolvedTheme,
) {
    let weight = if selected { Modifier::BOLD } else { Modifier::empty() };
    left(buffer, area, if selected { "▸" } else { " " }, theme.accent.add_modifier(weight));
    left(buffer, skip(area, 1), gauge.param.name(), theme.text.add_modifier(weight));
    let plain = if gauge.is_changed() { theme.accent.add_modifier(Modifier::UNDERLINED) } else { theme.text };
    let style = plain.add_modifier(weight);

    match (gauge.param.domain, gauge.value) {
        (Domain::Number { .. }, Value::Number(number)) => {
            let bar = bar(area, gauge.param);
            let figures = skip(area, bar.end - area.x);
            let value = format_number(number);
            let mut unit = gauge.param.unit_suffix().replace("/tick", "/t");
            if value.width() + unit.width() > figures.width.into() {
                unit.clear();
            }
            let (value_width, unit_width) = (value.width() as u16, unit.width() as u16);
            // Long text takes the bar's last cells, to keep a gap.
            let taken = (value_width + unit_width + 1).saturating_sub(figures.width);
            let figures = Rect { x: figures.x - taken, width: figures.width + taken, ..figures };
            let bar = Rect { x: bar.start, width: (bar.len() as u16).saturating_sub(taken), ..area };
            draw_bar(buffer, bar, gauge, before.unwrap_or(gauge.preset_value), theme);
            right(buffer, figures, &unit, theme.dim);
            right(buffer, Rect { width: figures.width - unit_width, ..figures }, &value, style);
        }
        (_, value) => {
            let word = value_text(value);
            let rest = skip(area, 1 + gauge.param.name().width() as u16);
            let marked = format!("‹{word}›");
            // A long word keeps a gap to the name instead.
            right(buffer, rest, if marked.width() < rest.width.into() { &marked } else { &word }, style);
        }
    }
}

/// Draws a bar in half cells, with a mark at one value, and an arrow at the end that the current value is beyond.
fn draw_bar(buffer: &mut Buffer, area: Rect, gauge: &GaugeValue, marked: Value, theme: &ResolvedTheme) {
    const HALVES: [&str; 3] = ["─", "╸", "━"];
    let last = area.width - 1;
    let mark = (gauge.share_of(marked) * f32::from(last)).round() as u16;
    let beyond = gauge.beyond().map(|end| match end {
        BarEnd::Low => (0, "◂"),
        BarEnd::High => (last, "▸"),
    });
    let full = gauge.fill() * f32::from(area.width) * 2.0;
    for (column, position) in (0..area.width).zip(area.positions()) {
        let part = (full - f32::from(column) * 2.0).round().clamp(0.0, 2.0) as usize;
        let (symbol, style) = match beyond.filter(|(end, _)| *end == column) {
            Some((_, arrow)) => (arrow, theme.accent),
            None if column == mark => (if part == 2 { "┿" } else { "┼" }, theme.text),
            None => (HALVES[part], if part == 0 { theme.dim } else { theme.gauge }),
        };
        buffer[position].set_symbol(symbol).set_style(style);
    }
}
