//! The rules that were fitted to the recording, while their flock flies beside the animals.

use std::iter;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use crate::fit::{Estimate, Fit, Rule};
use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::text::{format_number, left, right};
use crate::viewer::theme::ResolvedTheme;

/// The largest number of digits behind the point of a weight.
const MAX_DIGITS: f64 = 6.0;
/// The columns that a panel has for a weight behind its name.
const WEIGHT_COLUMNS: usize = 16;

/// A line of the panel: its two ends, and how the left one looks.
struct RuleLine(String, String, fn(&ResolvedTheme) -> Style);

/// The height of the rules in a panel.
pub fn height(context: &Context) -> u16 {
    lines(context).count() as u16
}

/// Draws the rules, as many lines as fit.
pub fn draw(buffer: &mut Buffer, area: Rect, context: &Context) {
    let theme = context.theme.resolved();
    for (row, RuleLine(name, value, style)) in area.rows().zip(lines(context)) {
        let rest = left(buffer, row, &name, style(theme));
        if value.width() < rest.width.into() {
            right(buffer, rest, &value, theme.dim);
        }
    }
}

fn lines(context: &Context) -> impl Iterator<Item = RuleLine> {
    let fit = context.fitting.flight.as_ref().and(context.fitting.fit.as_deref());
    fit.into_iter().flat_map(|fit| {
        let title = RuleLine("fitted rules".to_owned(), format!("R² {:.2}", fit.r_squared), accent);
        let rules = Rule::ALL.into_iter().flat_map(|rule| rule_lines(rule, fit, context));
        let key = context.keymap.key(Action::EditValue);
        let hint = key.map(|key| RuleLine(format!("{key} flies them alone"), String::new(), dim));
        iter::once(title).chain(rules).chain(hint)
    })
}

fn rule_lines(rule: Rule, fit: &Fit, context: &Context) -> Vec<RuleLine> {
    if let Some(absent) = fit.absent.iter().find(|absent| absent.rule == rule) {
        let text = if absent.is_determined { "not found" } else { "not determined" };
        return vec![RuleLine(rule.name().to_owned(), text.to_owned(), dim)];
    }
    let Some(found) = fit.rules.iter().find(|found| found.rule == rule) else { return Vec::new() };
    let unit = context.client.recording().map_or("u", |recording| &recording.unit);
    let title = RuleLine(rule.name().to_owned(), format!("{:.0} %", 100.0 * found.share), text);
    let weights = found.weights.iter().map(|weight| RuleLine(" weight".to_owned(), with_error(*weight), text));
    let radius = found
        .radius
        .map(|radius| RuleLine(" radius".to_owned(), format!("{} {unit}", format_number(radius.value as f32)), text));
    iter::once(title).chain(weights).chain(radius).collect()
}

/// A number to the first digit of its error, or without an error that is unknown or too long.
fn with_error(Estimate { value, error }: Estimate) -> String {
    let digits = (-error.log10().floor()).clamp(0.0, MAX_DIGITS) as usize;
    let text = format!("{value:.digits$} ± {error:.digits$}");
    let has_error = error.is_finite() && error > 0.0 && text.width() <= WEIGHT_COLUMNS;
    if has_error { text } else { format_number(value as f32) }
}

fn accent(theme: &ResolvedTheme) -> Style {
    theme.accent.add_modifier(Modifier::BOLD)
}

fn text(theme: &ResolvedTheme) -> Style {
    theme.text
}

fn dim(theme: &ResolvedTheme) -> Style {
    theme.dim
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_their_error_if_it_fits() {
        let text = |value, error| with_error(Estimate { value, error });
        assert_eq!(text(0.312_3, 0.021), "0.31 ± 0.02");
        assert_eq!(text(0.003_17, 0.000_12), "0.0032 ± 0.0001");
        assert_eq!(text(0.000_317_3, 0.000_001_2), "0.000317");
        assert_eq!(text(14.26, 1.9), "14 ± 2");
        assert_eq!(text(0.5, 0.0), "0.5");
    }
}
