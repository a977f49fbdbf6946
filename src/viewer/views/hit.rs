//! Maps a cell of the screen to what the mouse hits there.

use std::ops::Range;

use ratatui::layout::Rect;

use super::layout::Regions;
use super::panel::{self, gauges, plots};
use super::popups;
use super::timeline::TimelineRow;
use crate::sim::{Domain, Param};
use crate::viewer::app::App;
use crate::viewer::app::plots::measure::PlotMeasure;

/// A target of the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// The flock.
    Flock,
    /// The page of plots over the flock.
    Page,
    /// The timeline.
    Timeline,
    /// A gauge's bar, and the position along it, 0 … 1.
    Bar(&'static Param, f32),
    /// The value of a choice or a switch.
    Word(&'static Param),
    /// A gauge outside its bar.
    Row(&'static Param),
    /// A sparkline of this measure.
    Sparkline(&'static PlotMeasure),
    /// The rest of the panel.
    Panel,
    /// An entry of the open list.
    Entry(usize),
    /// The rest of the open popup.
    Inside,
    /// Outside the open popup.
    Outside,
    /// Anything else.
    Elsewhere,
}

/// The target under a cell.
#[must_use]
pub fn hit(app: &App, screen: Rect, (column, row): (u16, u16)) -> Hit {
    let regions = Regions::new(screen, app.display.clean);
    let here = |area: Rect| area.contains((column, row).into());
    if app.overlay.is_some() {
        return match popups::opened(app, regions.above_status(screen)).filter(|popup| here(popup.area)) {
            None => Hit::Outside,
            Some(popup) => {
                let number = popup.first + usize::from(row.saturating_sub(popup.inner.y));
                // Lines of text are not selectable.
                let is_entry = popup.selected.is_some() && here(popup.inner) && number < popup.lines;
                if is_entry { Hit::Entry(number) } else { Hit::Inside }
            }
        };
    }
    if let Some(panel) = regions.panel.filter(|panel| here(*panel)) {
        let gauges_area = panel::gauges(panel);
        let Some(param) = gauges::param_at(gauges_area, app, row) else {
            return plots::measure_at(panel::plots(panel), row).map_or(Hit::Panel, Hit::Sparkline);
        };
        let bar = gauges::bar(gauges_area);
        return match param.domain {
            _ if column < bar.start => Hit::Row(param),
            Domain::Number { .. } if bar.contains(&column) => Hit::Bar(param, along(&bar, column)),
            Domain::Number { .. } => Hit::Row(param),
            _ => Hit::Word(param),
        };
    }
    if TimelineRow::new(app, screen).is_some_and(|timeline| here(timeline.area)) {
        return Hit::Timeline;
    }
    match here(regions.flock) {
        true if app.plots.is_open() => Hit::Page,
        true => Hit::Flock,
        false => Hit::Elsewhere,
    }
}

/// The position of a column along the gauges' bars: 0 at their first cell, 1 at their last; `None` without a panel.
#[must_use]
pub fn share(screen: Rect, app: &App, column: u16) -> Option<f32> {
    let panel = Regions::new(screen, app.display.clean).panel?;
    Some(along(&gauges::bar(panel::gauges(panel)), column))
}

fn along(bar: &Range<u16>, column: u16) -> f32 {
    let steps = bar.len() - 1;
    ((f32::from(column) - f32::from(bar.start)) / steps as f32).clamp(0.0, 1.0)
}
