//! Sparklines of recent measures.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::bar;
use ratatui::widgets::{RenderDirection, Sparkline, Widget};

use super::history::MeasureHistory;
use super::measure::PlotMeasure;
use crate::viewer::context::Context;
use crate::viewer::text::{format_number, left, line, right};

/// The names of the plots and of their measures.
const PLOTS: [(&str, &str); 3] =
    [("polarization", "polarization"), ("nearest neighbor", "nearest_neighbor"), ("ticks/s", "ticks_per_second")];
/// The height of a plot with its name.
const PLOT_HEIGHT: u16 = 2;
/// The height of all plots, below a blank line.
pub const HEIGHT: u16 = 1 + PLOT_HEIGHT * PLOTS.len() as u16;
/// The vertical resolution of a plot.
const STEPS: f64 = 1000.0;
/// The height of a plot relative to the range of its values.
const HEADROOM: f64 = 1.4;
/// The smallest range of a plot, relative to its highest value: less looks constant.
const MIN_RANGE: f64 = 0.1;

/// The measure whose plot is on a row of the screen.
pub fn measure_at(area: Rect, y: u16) -> Option<&'static PlotMeasure> {
    let row = y.checked_sub(area.y + 1)?;
    let (_, name) = PLOTS.get(usize::from(row / PLOT_HEIGHT)).filter(|_| y < area.bottom())?;
    PlotMeasure::find(name)
}

/// Draws the plots, newest on the right.
pub fn draw(buffer: &mut Buffer, area: Rect, history: &MeasureHistory, context: &Context) {
    let frame = context.client.frame();
    let theme = context.theme.resolved();
    let texts = [
        format!("{:.2}", frame.measured.value("polarization")),
        format!("{} u", format_number(frame.measured.value("nearest_neighbor") as f32)),
        format!("{:.0}", frame.ticks_per_second),
    ];
    for (number, ((title, name), text)) in (0..).zip(PLOTS.iter().zip(texts)) {
        let Some(measure) = PlotMeasure::find(name) else { continue };
        let row = line(area, 1 + PLOT_HEIGHT * number);
        left(buffer, row, title, theme.dim);
        right(buffer, row, &text, theme.text);
        let values: Vec<f64> = history.newest(measure).take(area.width.into()).collect();
        let (bottom, height) = scale(&values);
        Sparkline::default()
            .data(values.iter().map(|value| ((value - bottom) / height * STEPS) as u64).collect::<Vec<u64>>())
            .max(STEPS as u64)
            .direction(RenderDirection::RightToLeft)
            .bar_set(bar::NINE_LEVELS)
            .style(theme.gauge)
            .render(line(area, 2 + PLOT_HEIGHT * number), buffer);
    }
}

/// The value at the bottom of a plot and its height: the range of the values, in the middle.
fn scale(values: &[f64]) -> (f64, f64) {
    let (low, high) =
        values.iter().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(*value), high.max(*value)));
    let range = (high - low).max(MIN_RANGE * high).max(1e-6) * HEADROOM;
    ((0.5 * (low + high - range)).max(0.0), range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_changes_show_and_constants_are_in_the_middle() {
        let heights = |values: &[f64]| {
            let (bottom, height) = scale(values);
            values.iter().map(|value| (value - bottom) / height).collect::<Vec<f64>>()
        };
        let [low, high] = heights(&[0.9, 0.98])[..] else { panic!() };
        assert!(low > 0.0 && low < 0.25 && high > 0.75 && high < 1.0, "{low} {high}");
        assert!(heights(&[60.0, 60.0]).iter().all(|height| (height - 0.5).abs() < 1e-6));
        assert_eq!(heights(&[0.0]), [0.0]);
    }
}
