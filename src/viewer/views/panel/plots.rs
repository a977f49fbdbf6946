//! Sparklines of recent measures.

use std::collections::VecDeque;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::bar;
use ratatui::widgets::{RenderDirection, Sparkline, Widget};

use super::PanelData;
use crate::viewer::app::App;
use crate::viewer::app::param_step::format_number;
use crate::viewer::views::text::{left, line, right};

/// The height of all plots.
pub const HEIGHT: u16 = 7;
/// The vertical resolution of a plot.
const STEPS: f32 = 1000.0;

/// Draws the plots, newest on the right.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, data: &PanelData) {
    let history = &app.history;
    let shown = usize::from(area.width);
    let most = |values: &VecDeque<f32>| values.iter().rev().take(shown).copied().fold(0.0, f32::max) * 1.15;
    let plots = [
        ("polarization", format!("{:.2}", data.measures.polarization), &history.polarization, 1.0),
        (
            "nearest neighbor",
            format!("{} u", format_number(data.measures.nearest_neighbor)),
            &history.nearest,
            most(&history.nearest),
        ),
        ("ticks/s", format!("{:.0}", data.ticks_per_second), &history.ticks, most(&history.ticks)),
    ];
    for (number, (name, value, values, most)) in (0..).zip(plots) {
        let title = line(area, 1 + 2 * number);
        left(buffer, title, name, app.theme.resolved().dim);
        right(buffer, title, &value, app.theme.resolved().text);
        let data: Vec<u64> = values.iter().rev().map(|value| (value / most.max(1e-6) * STEPS) as u64).collect();
        Sparkline::default()
            .data(data)
            .max(STEPS as u64)
            .direction(RenderDirection::RightToLeft)
            .bar_set(bar::NINE_LEVELS)
            .style(app.theme.resolved().gauge)
            .render(line(area, 2 + 2 * number), buffer);
    }
}
