//! Maps a cell of the screen to what the mouse hits there.

use ratatui::layout::Rect;

use super::layout::Regions;
use super::panel::gauges;
use super::popups;
use super::{OpenPopup, opened, panel};
use crate::sim::{Domain, Param};
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;

/// A target of the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// The flock.
    Flock,
    /// A gauge's bar, and the position along it, 0 … 1.
    Bar(&'static Param, f32),
    /// The value of a choice or a switch.
    Word(&'static Param),
    /// A gauge outside its bar.
    Row(&'static Param),
    /// The panel outside the gauges.
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
    if let Some(overlay) = &app.overlay {
        return over(overlay, app, super::above(screen, &regions), (column, row));
    }
    if let Some(area) = regions.panel.filter(|panel| here(*panel)) {
        let inner = panel::gauges(area);
        let Some(tunable) = gauges::param_at(inner, app, row) else { return Hit::Panel };
        let beside = column < gauges::bar(inner).0;
        return match (tunable.domain, share(screen, app, column)) {
            _ if beside => Hit::Row(tunable),
            (Domain::Number { .. }, Some(share)) if column < gauges::bar(inner).0 + gauges::bar(inner).1 => {
                Hit::Bar(tunable, share)
            }
            (Domain::Number { .. }, _) => Hit::Row(tunable),
            _ => Hit::Word(tunable),
        };
    }
    if here(regions.flock) { Hit::Flock } else { Hit::Elsewhere }
}

/// The position of a column along the gauges' bars: 0 at their first cell, 1 at their last; `None` without a panel.
#[must_use]
pub fn share(screen: Rect, app: &App, column: u16) -> Option<f32> {
    let (first, width) = gauges::bar(panel::gauges(Regions::new(screen, app.display.clean).panel?));
    let along = f32::from(column) - f32::from(first);
    (width > 1).then(|| (along / f32::from(width - 1)).clamp(0.0, 1.0))
}

/// The target under a cell while a popup is open.
fn over(overlay: &Overlay, app: &App, around: Rect, (column, row): (u16, u16)) -> Hit {
    let Some(OpenPopup { area, inner, lines }) = opened(app, around) else { return Hit::Outside };
    let first = match overlay {
        Overlay::Presets(at) => popups::first_visible(inner, *at),
        Overlay::Palette(palette) => popups::first_visible(inner, palette.marked),
        // Lines of text are not selectable.
        Overlay::Help(_) | Overlay::Command(_) | Overlay::Prompt(_) => lines,
    };
    if !area.contains((column, row).into()) {
        return Hit::Outside;
    }
    let number = first + usize::from(row.saturating_sub(inner.y));
    if inner.contains((column, row).into()) && number < lines { Hit::Entry(number) } else { Hit::Inside }
}
