//! Draws the screen: one file for each region.

pub(crate) mod flock;
pub(crate) mod hit;
pub(crate) mod layout;
pub(crate) mod panel;
pub(crate) mod plots;
pub(crate) mod popups;
pub(crate) mod status;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod text;
pub(crate) mod timeline;

pub use hit::{Hit, hit, share};
pub use panel::{PanelData, gauges as gauges_in};
pub use popups::{Popup, opened};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};
pub use text::grouped;

use super::app::App;
use super::app::overlay::Overlay;
use super::app::throughput::Throughput;
use crate::engine::Frame;
use crate::terminal::ScreenEncoder;
use layout::Regions;
use text::line;
use timeline::TimelineRow;

/// Draws the whole screen.
pub fn draw(buffer: &mut Buffer, app: &App, frame: &Frame, throughput: Throughput) {
    let screen = buffer.area;
    buffer.set_style(screen, app.theme.resolved().text);
    let regions = Regions::new(screen, app.display.clean);
    if !app.plots.is_open() {
        flock::draw(buffer, regions.flock, &frame.picture, &frame.view_info, app);
    }
    draw_chrome(buffer, app, frame, throughput, Some(&PanelData::of(frame)));
}

/// Draws the whole screen to the encoder: the flock directly, the rest through `sheet`, a buffer of the screen's size.
/// Without `data` the panel and the page of plots, which show what is measured, stay as they are.
pub fn draw_to_encoder(
    encoder: &mut ScreenEncoder,
    sheet: &mut Buffer,
    app: &App,
    frame: &Frame,
    throughput: Throughput,
    data: Option<&PanelData>,
) {
    if !app.plots.is_open() {
        flock::draw(encoder, Regions::new(sheet.area, app.display.clean).flock, &frame.picture, &frame.view_info, app);
    }
    for part in draw_chrome(sheet, app, frame, throughput, data) {
        encoder.draw_buffer(sheet, part);
    }
}

/// Draws the page of plots, the panel, the timeline, the status line and the popup. Returns their areas.
fn draw_chrome(
    buffer: &mut Buffer,
    app: &App,
    frame: &Frame,
    throughput: Throughput,
    data: Option<&PanelData>,
) -> [Rect; 5] {
    let screen = buffer.area;
    let regions = Regions::new(screen, app.display.clean);
    let panel = regions.panel.filter(|_| data.is_some()).unwrap_or_default();
    let timeline = TimelineRow::new(app, screen);
    let page = Some(regions.flock).filter(|_| data.is_some() && app.plots.is_open()).unwrap_or_default();
    if !page.is_empty() {
        let height = page.height - u16::from(timeline.is_some());
        plots::draw(buffer, Rect { height, ..page }, app);
    }
    // Without a status line, a message or a prompt covers the flock's last line.
    let has_message = app.message().is_some() || matches!(app.overlay, Some(Overlay::Prompt(_)));
    let last_line = line(screen, screen.height.saturating_sub(1));
    let status = regions.status.or(has_message.then_some(last_line)).unwrap_or_default();
    for area in [panel, status] {
        Clear.render(area, buffer);
        buffer.set_style(area, app.theme.resolved().text);
    }
    if let Some(data) = data.filter(|_| !panel.is_empty()) {
        panel::draw(buffer, panel, app, data);
    }
    if !status.is_empty() {
        status::draw(buffer, status, app, frame, throughput);
    }
    let timeline = timeline.map_or(Rect::ZERO, |timeline| timeline.draw(buffer, app));
    [page, panel, status, timeline, popups::draw(buffer, regions.above_status(screen), app)]
}

/// Draws only the flock, over a whole buffer.
pub fn draw_flock(buffer: &mut Buffer, app: &App, frame: &Frame) {
    buffer.set_style(buffer.area, app.theme.resolved().text);
    flock::draw(buffer, buffer.area, &frame.picture, &frame.view_info, app);
}
