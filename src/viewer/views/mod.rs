//! One file for each region of the screen.

pub(crate) mod flock;
pub(crate) mod hit;
pub(crate) mod layout;
pub(crate) mod panel;
pub(crate) mod popups;
pub(crate) mod status;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod text;

pub use hit::{Hit, hit, share};
pub use panel::{PanelData, gauges as gauges_in};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};
pub use text::grouped;

use super::app::App;
use super::app::overlay::Overlay;
use super::app::stats::Throughput;
use crate::engine::Frame;
use crate::terminal::ScreenEncoder;
use layout::Regions;

/// Draws the whole screen.
pub fn draw(buffer: &mut Buffer, app: &App, frame: &Frame, throughput: Throughput) {
    let screen = buffer.area;
    buffer.set_style(screen, app.theme.resolved().text);
    let regions = Regions::new(screen, app.is_clean());
    flock::draw(buffer, regions.flock, &frame.picture, &frame.view_info, app);
    draw_chrome(buffer, app, frame, throughput, Some(&PanelData::of(frame)));
}

/// Draws the whole screen on the wire; what ratatui draws of it goes over `sheet`, a buffer of the
/// screen's size. The panel is left as it stands there where it has no `facts`.
pub fn draw_to_backend(
    backend: &mut ScreenEncoder,
    sheet: &mut Buffer,
    app: &App,
    frame: &Frame,
    throughput: Throughput,
    facts: Option<&PanelData>,
) {
    flock::draw(backend, Regions::new(sheet.area, app.is_clean()).flock, &frame.picture, &frame.view_info, app);
    for part in draw_chrome(sheet, app, frame, throughput, facts) {
        backend.draw_buffer(sheet, part);
    }
}

/// Draws what stands beside the flock and what lies over it. Returns where: all of it is new there.
fn draw_chrome(
    buffer: &mut Buffer,
    app: &App,
    frame: &Frame,
    throughput: Throughput,
    facts: Option<&PanelData>,
) -> [Rect; 3] {
    let screen = buffer.area;
    let regions = Regions::new(screen, app.is_clean());
    let panel = regions.panel.filter(|_| facts.is_some()).unwrap_or_default();
    let has_message = app.message().is_some() || matches!(app.overlay(), Some(Overlay::Prompt(_)));
    let last_line = Rect { y: screen.bottom().saturating_sub(1), height: 1.min(screen.height), ..screen };
    let status = regions.status.unwrap_or(if has_message { last_line } else { Rect::ZERO });
    clean(buffer, panel, app);
    clean(buffer, status, app);
    if let Some(facts) = facts.filter(|_| !panel.is_empty()) {
        panel::draw(buffer, panel, app, facts);
    }
    if regions.status.is_some() {
        status::draw(buffer, status, app, frame, throughput);
    } else if has_message {
        status::draw_over(buffer, status, app);
    }
    let above = above(screen, &regions);
    let overlay = match app.overlay() {
        Some(Overlay::Help(line)) => popups::help::draw(buffer, above, app, *line),
        Some(Overlay::Presets(chosen)) => popups::presets::draw(buffer, above, app, *chosen),
        Some(Overlay::Palette(palette)) => popups::palette::draw(buffer, above, app, palette),
        Some(Overlay::Command(line)) => popups::command::draw(buffer, above, app, *line),
        Some(Overlay::Prompt(_)) | None => Rect::ZERO,
    };
    [panel, status, overlay]
}

/// A box that is open over the flock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPopup {
    /// Where it lies.
    pub area: Rect,
    /// The room for its lines.
    pub room: Rect,
    /// How many lines there are.
    pub lines: usize,
}

/// The box that is open over a screen without its status line, where one is.
#[must_use]
pub fn opened(app: &App, around: Rect) -> Option<OpenPopup> {
    let ((area, room), lines) = match app.overlay()? {
        Overlay::Help(_) => {
            (popups::help::place(around, app.keymap()), popups::help::length(around.width, app.keymap()))
        }
        Overlay::Presets(_) => (popups::presets::place(around, app), app.presets().len()),
        Overlay::Palette(palette) => (popups::palette::place(around, palette), palette.found.len()),
        Overlay::Command(_) => (popups::command::place(around, app), popups::command::length(around.width, app)),
        Overlay::Prompt(_) => return None,
    };
    Some(OpenPopup { area, room, lines })
}

/// Draws the flock alone, over all of a buffer.
pub fn draw_flock(buffer: &mut Buffer, app: &App, frame: &Frame) {
    buffer.set_style(buffer.area, app.theme.resolved().text);
    flock::draw(buffer, buffer.area, &frame.picture, &frame.view_info, app);
}

/// The screen above the status line, over which boxes open.
fn above(screen: Rect, regions: &Regions) -> Rect {
    Rect { height: screen.height - regions.status.map_or(0, |status| status.height), ..screen }
}

/// Empties an area, whatever stood there.
fn clean(buffer: &mut Buffer, area: Rect, app: &App) {
    Clear.render(area, buffer);
    buffer.set_style(area, app.theme.resolved().text);
}
