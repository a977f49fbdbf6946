//! What lies under a cell of the screen.

use ratatui::layout::Rect;

use super::layout::Regions;
use super::panel::gauges;
use super::popups::{palette, presets};
use super::{OpenPopup, opened, panel};
use crate::sim::{Domain, Param};
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;

/// What the mouse can meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// The flock.
    Flock,
    /// A gauge's bar, and how far along it.
    Bar(&'static Param, f32),
    /// The word of a choice or a switch.
    Word(&'static Param),
    /// A gauge beside its bar.
    Row(&'static Param),
    /// The panel, where there is no gauge.
    Panel,
    /// An entry of the list that is open.
    Entry(usize),
    /// What is open, where nothing can be taken.
    Inside,
    /// Beside what is open.
    Outside,
    /// Nothing of these.
    Elsewhere,
}

/// What lies under a cell.
#[must_use]
pub fn hit(app: &App, screen: Rect, (column, row): (u16, u16)) -> Hit {
    let regions = Regions::new(screen, app.is_clean());
    let here = |area: Rect| area.contains((column, row).into());
    if let Some(overlay) = app.overlay() {
        return over(overlay, app, super::above(screen, &regions), (column, row));
    }
    if let Some(area) = regions.panel.filter(|panel| here(*panel)) {
        let room = panel::gauges(area);
        let Some(tunable) = gauges::param_at(room, app, row) else { return Hit::Panel };
        let beside = column < gauges::bar(room).0;
        return match (tunable.domain, share(screen, app, column)) {
            _ if beside => Hit::Row(tunable),
            (Domain::Number { .. }, Some(share)) if column < gauges::bar(room).0 + gauges::bar(room).1 => {
                Hit::Bar(tunable, share)
            }
            (Domain::Number { .. }, _) => Hit::Row(tunable),
            _ => Hit::Word(tunable),
        };
    }
    if here(regions.flock) { Hit::Flock } else { Hit::Elsewhere }
}

/// How far along the gauges' bars a column is, 0 … 1, where there are any: at their first cell none of it, at
/// their last one all.
#[must_use]
pub fn share(screen: Rect, app: &App, column: u16) -> Option<f32> {
    let (first, width) = gauges::bar(panel::gauges(Regions::new(screen, app.is_clean()).panel?));
    let along = f32::from(column) - f32::from(first);
    (width > 1).then(|| (along / f32::from(width - 1)).clamp(0.0, 1.0))
}

/// What lies under a cell while something is open.
fn over(overlay: &Overlay, app: &App, around: Rect, (column, row): (u16, u16)) -> Hit {
    let Some(OpenPopup { area, room, lines }) = opened(app, around) else { return Hit::Outside };
    let first = match overlay {
        Overlay::Presets(at) => presets::first(room, *at),
        Overlay::Palette(palette) => palette::first(room, palette.marked),
        // Of a text no line can be taken.
        Overlay::Help(_) | Overlay::Command(_) | Overlay::Prompt(_) => lines,
    };
    if !area.contains((column, row).into()) {
        return Hit::Outside;
    }
    let number = first + usize::from(row.saturating_sub(room.y));
    if room.contains((column, row).into()) && number < lines { Hit::Entry(number) } else { Hit::Inside }
}
