//! Sparklines of recent measures.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::bar;
use ratatui::widgets::{RenderDirection, Sparkline, Widget};

use super::history::MeasureHistory;
use super::measure::PlotMeasure;
use crate::picture::UnicodeWidthStr;
use crate::viewer::context::Context;
use crate::viewer::text::{format_number, left, line, right};

/// The names of the sparklines and of their measures; the first one has precedence.
const PLOTS: [(&str, &str); 8] = [
    ("polarization", "polarization"),
    ("nearest neighbor", "nearest_neighbor"),
    ("rotation", "rotation"),
    ("mean speed", "mean_speed"),
    ("deviation", "speed_deviation"),
    ("neighbors", "neighbors"),
    ("flocks", "flocks"),
    ("largest flock", "largest_flock"),
];
/// How many of them there are below gauges.
const BELOW_GAUGES: usize = 2;
/// The height of a sparkline with its name.
const PLOT_HEIGHT: u16 = 2;
/// The vertical resolution of a sparkline.
const STEPS: f64 = 1000.0;
/// The height of a sparkline relative to the range of its values.
const HEADROOM: f64 = 1.4;
/// The smallest range of a sparkline, relative to its highest value: less looks constant.
const MIN_RANGE: f64 = 0.1;

/// The sparklines of a panel: all in the place of the gauges that a recording lacks.
fn plots(is_recording: bool) -> &'static [(&'static str, &'static str)] {
    if is_recording { &PLOTS } else { &PLOTS[..BELOW_GAUGES] }
}

/// The height of as many sparklines as fit, below a blank line if all of them do.
pub fn fitting_height(height: u16, is_recording: bool) -> u16 {
    let all = PLOT_HEIGHT * plots(is_recording).len() as u16;
    if height > all { all + 1 } else { height / PLOT_HEIGHT * PLOT_HEIGHT }
}

/// The sparklines in an area of their fitting height, with their names and measures.
fn rows(area: Rect, is_recording: bool) -> impl Iterator<Item = (Rect, &'static str, &'static PlotMeasure)> {
    let blank = area.height % PLOT_HEIGHT;
    let tops = (area.y + blank..area.bottom()).step_by(PLOT_HEIGHT.into());
    tops.zip(plots(is_recording)).filter_map(move |(y, (title, name))| {
        Some((Rect { y, height: PLOT_HEIGHT, ..area }, *title, PlotMeasure::find(name)?))
    })
}

/// The measure whose sparkline is on a row of the screen.
pub fn measure_at(area: Rect, y: u16, is_recording: bool) -> Option<&'static PlotMeasure> {
    rows(area, is_recording).find(|(place, ..)| (place.top()..place.bottom()).contains(&y)).map(|(.., measure)| measure)
}

/// Draws the sparklines, newest on the right. Those of measures without bounds have their range on the right.
pub fn draw(buffer: &mut Buffer, area: Rect, history: &MeasureHistory, context: &Context) {
    let measured = &context.client.frame().measured;
    let theme = context.theme.resolved();
    for (place, title, measure) in rows(area, context.is_recording()) {
        let (name, mut row) = (line(place, 0), line(place, 1));
        // Groups of many boids are found rarely or never.
        let known = history.newest(measure).filter(|value| !value.is_nan());
        let mut values: Vec<f64> = known.take(area.width.into()).collect();
        let now = Some(measured.value(measure.name)).filter(|value| !value.is_nan());
        let Some(now) = now.or(values.first().copied().filter(|_| context.client.frame().boids > 0)) else {
            left(buffer, name, title, theme.dim);
            right(buffer, name, "–", theme.dim);
            continue;
        };
        let text = match measure.bounds {
            Some(_) => format!("{now:.2}"),
            None => format!("{}{}", format_number(now as f32), measure.unit_suffix(context.client.recording())),
        };
        let space = name.width.saturating_sub(text.width() as u16 + 1);
        left(buffer, Rect { width: space, ..name }, title, theme.dim);
        right(buffer, name, &text, theme.text);
        let (low, high) = measure.bounds.unwrap_or_else(|| {
            let (low, high) = scale(&values);
            let range = format!(" {}–{}", format_number(low as f32), format_number(high as f32));
            right(buffer, row, &range, theme.dim);
            row.width = row.width.saturating_sub(range.width() as u16);
            (low, high)
        });
        values.truncate(row.width.into());
        let steps = values.iter().map(|value| ((value - low) / (high - low) * STEPS).round() as u64);
        Sparkline::default()
            .data(steps.collect::<Vec<u64>>())
            .max(STEPS as u64)
            .direction(RenderDirection::RightToLeft)
            .bar_set(bar::NINE_LEVELS)
            .style(theme.gauge)
            .render(row, buffer);
    }
}

/// The values at the bottom and at the top of a sparkline: the range of the values, in the middle.
fn scale(values: &[f64]) -> (f64, f64) {
    let (low, high) =
        values.iter().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(*value), high.max(*value)));
    let range = (high - low).max(MIN_RANGE * high).max(1e-6) * HEADROOM;
    let bottom = (0.5 * (low + high - range)).max(0.0);
    (bottom, bottom + range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_changes_show_and_constants_are_in_the_middle() {
        let heights = |values: &[f64]| {
            let (low, high) = scale(values);
            values.iter().map(|value| (value - low) / (high - low)).collect::<Vec<f64>>()
        };
        let [low, high] = heights(&[0.9, 0.98])[..] else { panic!() };
        assert!(low > 0.0 && low < 0.25 && high > 0.75 && high < 1.0, "{low} {high}");
        assert!(heights(&[60.0, 60.0]).iter().all(|height| (height - 0.5).abs() < 1e-6));
        assert_eq!(heights(&[0.0]), [0.0]);
    }

    #[test]
    fn as_many_sparklines_are_drawn_as_fit() {
        let heights: Vec<u16> = (0..8).map(|height| fitting_height(height, false)).collect();
        assert_eq!(heights, [0, 0, 2, 2, 4, 5, 5, 5]);
        let names = |height| -> Vec<&str> {
            let area = Rect::new(0, 3, 24, height);
            (0..12).filter_map(|y| Some(measure_at(area, y, false)?.name)).collect()
        };
        assert_eq!(names(2), ["polarization"; 2]);
        assert_eq!(names(5), ["polarization", "polarization", "nearest_neighbor", "nearest_neighbor"]);
    }
}
