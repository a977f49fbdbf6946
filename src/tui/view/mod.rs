//! One file for each region of the screen.

mod command;
mod flock;
mod gauges;
mod help;
mod overlay;
mod panel;
mod plots;
mod presets;
mod status;
mod text;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::layout::Regions;
use super::meters::Meters;
use super::overlay::Overlay;
use crate::engine::Frame;

/// Draws the whole screen.
pub fn draw(buffer: &mut Buffer, app: &App, frame: &Frame, meters: Meters) {
    let screen = buffer.area;
    buffer.set_style(screen, app.look.text);
    let regions = Regions::new(screen, app.clean);
    app.sky.draw(buffer, regions.flock);
    flock::draw(buffer, regions.flock, &frame.picture, app);
    if let Some(area) = regions.panel {
        panel::draw(buffer, area, app, frame);
    }
    if let Some(area) = regions.status {
        status::draw(buffer, area, app, frame, meters);
    } else if app.message().is_some() || matches!(app.overlay, Some(Overlay::Prompt(_))) {
        status::draw_over(buffer, screen, app);
    }
    let above = Rect { height: screen.height - regions.status.map_or(0, |status| status.height), ..screen };
    match app.overlay {
        Some(Overlay::Help(line)) => help::draw(buffer, above, app, line),
        Some(Overlay::Presets(chosen)) => presets::draw(buffer, above, app, chosen),
        Some(Overlay::Command) => command::draw(buffer, above, app),
        Some(Overlay::Prompt(_)) | None => {}
    }
}

#[cfg(test)]
mod tests;
