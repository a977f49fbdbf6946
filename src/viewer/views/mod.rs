//! Draws the screen: one file for each region.

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
    let regions = Regions::new(screen, app.display.clean);
    flock::draw(buffer, regions.flock, &frame.picture, &frame.view_info, app);
    draw_chrome(buffer, app, frame, throughput, Some(&PanelData::of(frame)));
}

/// Draws the whole screen to the encoder: the flock directly, the rest through `sheet`, a buffer of the screen's size.
/// Without `data` the panel stays as it is.
pub fn draw_to_backend(
    backend: &mut ScreenEncoder,
    sheet: &mut Buffer,
    app: &App,
    frame: &Frame,
    throughput: Throughput,
    data: Option<&PanelData>,
) {
    flock::draw(backend, Regions::new(sheet.area, app.display.clean).flock, &frame.picture, &frame.view_info, app);
    for part in draw_chrome(sheet, app, frame, throughput, data) {
        backend.draw_buffer(sheet, part);
    }
}

/// Draws the panel, the status line and the popup. Returns their areas.
fn draw_chrome(
    buffer: &mut Buffer,
    app: &App,
    frame: &Frame,
    throughput: Throughput,
    data: Option<&PanelData>,
) -> [Rect; 3] {
    let screen = buffer.area;
    let regions = Regions::new(screen, app.display.clean);
    let panel = regions.panel.filter(|_| data.is_some()).unwrap_or_default();
    let has_message = app.message().is_some() || matches!(&app.overlay, Some(Overlay::Prompt(_)));
    let last_line = Rect { y: screen.bottom().saturating_sub(1), height: 1.min(screen.height), ..screen };
    let status = regions.status.unwrap_or(if has_message { last_line } else { Rect::ZERO });
    clear(buffer, panel, app);
    clear(buffer, status, app);
    if let Some(data) = data.filter(|_| !panel.is_empty()) {
        panel::draw(buffer, panel, app, data);
    }
    if regions.status.is_some() {
        status::draw(buffer, status, app, frame, throughput);
    } else if has_message {
        status::draw_over(buffer, status, app);
    }
    let above = above(screen, &regions);
    let popup = match &app.overlay {
        Some(Overlay::Help(line)) => popups::help::draw(buffer, above, app, *line),
        Some(Overlay::Presets(chosen)) => popups::presets::draw(buffer, above, app, *chosen),
        Some(Overlay::Palette(palette)) => popups::palette::draw(buffer, above, app, palette),
        Some(Overlay::Command(line)) => popups::command::draw(buffer, above, app, *line),
        Some(Overlay::Prompt(_)) | None => Rect::ZERO,
    };
    [panel, status, popup]
}

/// An open popup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPopup {
    /// Its area including the border.
    pub area: Rect,
    /// The area for its lines.
    pub inner: Rect,
    /// The number of lines, visible or not.
    pub lines: usize,
}

/// The open popup, if any, over a screen without its status line.
#[must_use]
pub fn opened(app: &App, around: Rect) -> Option<OpenPopup> {
    let ((area, inner), lines) = match app.overlay.as_ref()? {
        Overlay::Help(_) => (popups::help::place(around, &app.keymap), popups::help::length(around.width, &app.keymap)),
        Overlay::Presets(_) => (popups::presets::place(around, app), app.presets.len()),
        Overlay::Palette(palette) => (popups::palette::place(around, palette), palette.found.len()),
        Overlay::Command(_) => (popups::command::place(around, app), popups::command::length(around.width, app)),
        Overlay::Prompt(_) => return None,
    };
    Some(OpenPopup { area, inner, lines })
}

/// Draws only the flock, over a whole buffer.
pub fn draw_flock(buffer: &mut Buffer, app: &App, frame: &Frame) {
    buffer.set_style(buffer.area, app.theme.resolved().text);
    flock::draw(buffer, buffer.area, &frame.picture, &frame.view_info, app);
}

/// The screen above the status line, where popups open.
fn above(screen: Rect, regions: &Regions) -> Rect {
    Rect { height: screen.height - regions.status.map_or(0, |status| status.height), ..screen }
}

/// Clears an area.
fn clear(buffer: &mut Buffer, area: Rect, app: &App) {
    Clear.render(area, buffer);
    buffer.set_style(area, app.theme.resolved().text);
}
