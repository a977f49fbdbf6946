//! Axes with ticks at round numbers. Ratatui's own axes put evenly spaced labels at the ends and between them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::widgets::{Axis, Chart, Dataset, Widget};

use super::measure::PlotMeasure;
use crate::picture::{ResolvedTheme, UnicodeWidthStr};
use crate::viewer::text::{left, line, right};

/// Rows from one tick of a vertical axis to the next, at least.
const TICK_ROWS: u16 = 2;
/// Columns from one tick of a horizontal axis to the next, at least.
const TICK_COLUMNS: u16 = 9;
/// The largest share of the width for the labels of a vertical axis.
const LABEL_SHARE: u16 = 3;

/// The height of a horizontal axis with its labels.
pub const HEIGHT: u16 = 2;

/// The smallest share of an axis up to its last tick. Fewer ticks leave less of it empty.
const MIN_USED: f64 = 0.85;

/// The scale of a vertical axis of so many rows.
pub fn vertical_scale(measure: &PlotMeasure, values: &[f64], rows: u16) -> Scale {
    scale(measure, values, rows, usize::from(rows.saturating_sub(1).div_ceil(TICK_ROWS)).clamp(1, 5))
}

/// The scale of a horizontal axis of so many columns.
pub fn horizontal_scale(measure: &PlotMeasure, values: &[f64], columns: u16) -> Scale {
    scale(measure, values, columns, horizontal_intervals(columns))
}

/// The number of intervals on a horizontal axis.
pub fn horizontal_intervals(columns: u16) -> usize {
    usize::from(columns / TICK_COLUMNS).clamp(1, 10)
}

/// The scale of an axis of so many cells, with ticks in the middle of cells.
fn scale(measure: &PlotMeasure, values: &[f64], cells: u16, intervals: usize) -> Scale {
    let candidates = (1..=intervals).rev().map(|intervals| match measure.bounds {
        Some((low, high)) => Scale::new(low, high, intervals).aligned(cells),
        None => Scale::fit(values.iter().copied(), intervals).aligned(cells),
    });
    let candidates: Vec<Scale> = candidates.collect();
    let enough = candidates.iter().find(|scale| scale.used() >= MIN_USED);
    let best = enough.or_else(|| candidates.iter().rev().max_by(|one, other| one.used().total_cmp(&other.used())));
    best.copied().unwrap_or(Scale::new(0.0, 1.0, 1))
}

/// The width of the labels of a vertical axis.
pub fn label_width(scale: &Scale, total: u16) -> u16 {
    let widest = scale.ticks().map(|tick| scale.label(tick).width() as u16).max().unwrap_or(0);
    widest.min(total / LABEL_SHARE)
}

/// Draws a vertical axis in the column left of a plot, with its labels right-aligned left of it.
pub fn draw_vertical(buffer: &mut Buffer, plot: Rect, scale: &Scale, label_width: u16, theme: &ResolvedTheme) {
    let axis = plot.x - 1;
    for y in plot.top()..plot.bottom() {
        buffer[(axis, y)].set_symbol("│").set_style(theme.dim);
    }
    for tick in scale.ticks() {
        let Some(row) = scale.cell(tick, plot.height) else { continue };
        let y = plot.bottom() - 1 - row;
        buffer[(axis, y)].set_symbol("┤").set_style(theme.dim);
        right(buffer, Rect { x: axis - label_width, y, width: label_width, height: 1 }, &scale.label(tick), theme.text);
    }
}

/// Draws a horizontal axis in the row below a plot, with its labels below it and its name at the right end.
pub fn draw_horizontal(buffer: &mut Buffer, plot: Rect, scale: &Scale, name: &str, theme: &ResolvedTheme) {
    let (axis, labels) = (plot.bottom(), plot.bottom() + 1);
    buffer[(plot.x - 1, axis)].set_symbol("└").set_style(theme.dim);
    for x in plot.left()..plot.right() {
        buffer[(x, axis)].set_symbol("─").set_style(theme.dim);
    }
    let name_width = (name.width() as u16).min(plot.width);
    let end = plot.right() - name_width;
    left(buffer, Rect { x: end, y: labels, width: name_width, height: 1 }, name, theme.dim);
    let mut free = plot.x - 1;
    for tick in scale.ticks() {
        let Some(column) = scale.cell(tick, plot.width) else { continue };
        let (label, x) = (scale.label(tick), plot.x + column);
        buffer[(x, axis)].set_symbol("┬").set_style(theme.dim);
        let width = label.width() as u16;
        let begin = x.saturating_sub(width / 2).max(plot.x - 1);
        if begin >= free && begin + width < end {
            left(buffer, Rect { x: begin, y: labels, width, height: 1 }, &label, theme.text);
            free = begin + width + 1;
        }
    }
}

/// Draws the data of a plot on the background that it has. A point at a tick is in the middle of the tick's cell.
pub fn draw_data(buffer: &mut Buffer, plot: Rect, x: &Scale, y: &Scale, marker: Marker, data: Vec<Dataset>) {
    let (dots_wide, dots_high) = match marker {
        Marker::Braille | Marker::Octant => (2.0, 4.0),
        Marker::HalfBlock => (1.0, 2.0),
        _ => (1.0, 1.0),
    };
    let Some(background) = buffer.cell(plot.as_position()).map(|cell| cell.bg) else { return };
    Chart::new(data.into_iter().map(|dataset| dataset.marker(marker)).collect())
        .style(Style::new().bg(background))
        .x_axis(Axis::default().bounds(x.bounds(plot.width, dots_wide)))
        .y_axis(Axis::default().bounds(y.bounds(plot.height, dots_high)))
        .legend_position(None)
        .render(plot, buffer);
}

/// The row above a plot: its name on the left, a value on the right.
pub fn draw_title(buffer: &mut Buffer, area: Rect, name: &str, value: &str, theme: &ResolvedTheme) {
    let row = line(area, 0);
    let width = row.width.saturating_sub(value.width() as u16 + 1);
    left(buffer, Rect { width, ..row }, name, theme.text);
    right(buffer, row, value, theme.text);
}

/// The range of an axis, and the distance of its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The low end: the value at the first cell.
    low: f64,
    /// The last tick, or the end of a given range; above the low end.
    high: f64,
    /// The value at the last cell; at least the last tick.
    end: f64,
    step: f64,
}

impl Scale {
    /// A scale from `low` to `high` with at most `intervals` between ticks.
    pub fn new(low: f64, high: f64, intervals: usize) -> Self {
        let size = (high - low) / intervals.max(1) as f64;
        let power = 10_f64.powf(size.log10().floor());
        // Rounding must not make a step of exactly 1, 2 or 5 the next larger one.
        let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= size * (1.0 - 1e-9));
        Self { low, high, end: high, step: factor.unwrap_or(10.0) * power }
    }

    /// A scale that shows all values and ends at ticks. It starts at 0 unless the values differ little.
    pub fn fit(values: impl IntoIterator<Item = f64>, intervals: usize) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (min, max) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| (min.min(value), max.max(value)));
        if min > max || (min, max) == (0.0, 0.0) {
            return Self::new(0.0, 1.0, intervals);
        }
        let low = if min >= 0.0 && min < max * 0.7 { 0.0 } else { min };
        // Equal values get a range around them.
        let (low, high) = if max > low { (low, max) } else { (low - 0.1 * low.abs(), max + 0.1 * max.abs()) };
        let Self { step, .. } = Self::new(low, high, intervals);
        // Rounding errors must not add an interval.
        let (low, high) = ((low / step + 1e-6).floor() * step, (high / step - 1e-6).ceil() * step);
        Self { low, high, end: high, step }
    }

    /// The ticks, from low to high.
    pub fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        let (first, last) =
            ((self.low / self.step - 1e-6).ceil() as i64, (self.high / self.step + 1e-6).floor() as i64);
        let step = self.step;
        (first..=last).map(move |number| number as f64 * step)
    }

    /// The text at a tick.
    pub fn label(&self, tick: f64) -> String {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{tick:.decimals$}")
    }

    /// Extends a scale that begins and ends at ticks, so that each of them is in the middle of one of `cells`.
    fn aligned(self, cells: u16) -> Self {
        let intervals = ((self.high - self.low) / self.step).round().max(1.0);
        let per_interval = (f64::from(cells.saturating_sub(1)) / intervals).floor();
        let end =
            if per_interval > 0.0 { self.low + self.step * f64::from(cells - 1) / per_interval } else { self.high };
        Self { end: end.max(self.high), ..self }
    }

    /// The share of the axis up to the last tick.
    fn used(&self) -> f64 {
        (self.high - self.low) / (self.end - self.low)
    }

    /// The cell of a value among `cells` along the axis; `None` outside the scale.
    pub fn cell(&self, value: f64, cells: u16) -> Option<u16> {
        let share = (value - self.low) / (self.end - self.low);
        (-1e-9..=1.0 + 1e-9).contains(&share).then(|| (share * f64::from(cells.saturating_sub(1))).round() as u16)
    }

    /// The values at the first and at the last dot of an axis of `cells` with so many `dots` each: the ends of the scale are in
    /// the middle of its first and last cell.
    fn bounds(&self, cells: u16, dots: f64) -> [f64; 2] {
        let cells = f64::from(cells);
        let per_dot = (self.end - self.low) / (dots * (cells - 1.0)).max(1.0);
        let first = self.low - 0.5 * (dots - 1.0) * per_dot;
        [first, first + (dots * cells - 1.0).max(1.0) * per_dot]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().map(|tick| scale.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_cover_all_values() {
        for (values, intervals, expected) in [
            (&[0.1, 0.93][..], 5, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"][..]),
            (&[0.1, 0.93], 2, &["0.0", "0.5", "1.0"]),
            (&[11.2, 12.7], 4, &["11.0", "11.5", "12.0", "12.5", "13.0"]),
            (&[0.0, 3.0], 2, &["0", "2", "4"]),
            (&[150.0, 150.0], 2, &["120", "140", "160", "180"]),
            (&[0.00021, 0.0004], 2, &["0.0000", "0.0002", "0.0004"]),
            (&[-3.0, 3.0], 2, &["-5", "0", "5"]),
            (&[0.0], 1, &["0", "1"]),
            (&[f64::NAN, f64::INFINITY], 1, &["0", "1"]),
            (&[], 2, &["0.0", "0.5", "1.0"]),
        ] {
            let scale = Scale::fit(values.iter().copied(), intervals);
            assert_eq!(labels(scale), expected, "{values:?}");
            let finite = values.iter().filter(|value| value.is_finite());
            assert!(finite.into_iter().all(|value| scale.cell(*value, 10).is_some()), "{values:?} {scale:?}");
        }
    }

    #[test]
    fn ticks_are_in_the_middle_of_cells_and_points_at_them_too() {
        let polarization = PlotMeasure::find("polarization").unwrap();
        let nearest = PlotMeasure::find("nearest_neighbor").unwrap();
        for (measure, values) in [(polarization, &[0.3][..]), (nearest, &[11.2, 12.7]), (nearest, &[0.0, 3.1])] {
            for rows in 3..30 {
                let scale = vertical_scale(measure, values, rows);
                let [first, last] = scale.bounds(rows, 4.0);
                assert!(scale.used() > 0.6, "{rows} {scale:?}");
                for tick in scale.ticks() {
                    let cell = f64::from(scale.cell(tick, rows).unwrap());
                    let dot = (tick - first) / (last - first) * f64::from(4 * rows - 1);
                    assert!((dot - (4.0 * cell + 1.5)).abs() < 1e-6, "{rows} {tick}: dot {dot} in cell {cell}");
                }
            }
        }
    }

    #[test]
    fn points_are_drawn_at_the_tick_of_their_value() {
        let area = Rect::new(0, 0, 12, 13);
        let theme = crate::picture::ResolvedTheme::new(
            &crate::config::Theme::load("dusk").unwrap().colors,
            crate::picture::ColorDepth::Truecolor,
        );
        let scale = vertical_scale(PlotMeasure::find("polarization").unwrap(), &[], area.height);
        let plot = Rect { x: 6, width: 6, ..area };
        for marker in [Marker::Braille, Marker::HalfBlock, Marker::Custom('*')] {
            for tick in scale.ticks() {
                let mut buffer = Buffer::empty(area);
                draw_vertical(&mut buffer, plot, &scale, 4, &theme);
                let points = [(0.0, tick), (1.0, tick)];
                let line = Dataset::default().data(&points).graph_type(ratatui::widgets::GraphType::Line);
                draw_data(&mut buffer, plot, &Scale::new(0.0, 1.0, 1), &scale, marker, vec![line]);
                let rows: Vec<u16> = (0..area.height)
                    .filter(|y| (plot.left()..plot.right()).any(|x| buffer[(x, *y)].symbol() != " "))
                    .collect();
                let label = |y: u16| (0..5).map(|x| buffer[(x, y)].symbol()).collect::<String>();
                assert!(rows.len() == 1 && label(rows[0]).contains(&scale.label(tick)), "{tick} at {rows:?}");
            }
        }
    }

    #[test]
    fn data_keeps_the_background() {
        let (plot, ground) = (Rect::new(0, 0, 6, 4), ratatui::style::Color::Rgb(240, 230, 220));
        let mut buffer = Buffer::empty(plot);
        buffer.set_style(plot, Style::new().bg(ground));
        let points = [(0.0, 0.0), (1.0, 1.0)];
        let scale = Scale::new(0.0, 1.0, 1);
        let data = vec![Dataset::default().data(&points)];
        draw_data(&mut buffer, plot, &scale, &scale, Marker::Braille, data);
        assert!(buffer.content.iter().all(|cell| cell.bg == ground));
    }

    #[test]
    fn the_ends_of_a_given_range_need_no_ticks() {
        let scale = Scale::new(850.0, 1850.0, 5);
        assert_eq!(labels(scale), ["1000", "1200", "1400", "1600", "1800"]);
        let cells = [849.0, 850.0, 1350.0, 1850.0, 1851.0].map(|value| scale.cell(value, 101));
        assert_eq!(cells, [None, Some(0), Some(50), Some(100), None]);
    }
}
