//! Popups and prompts over the flock.

mod command;
mod help;
pub mod overlay;
mod presets;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::context::Context;
use super::layout::Popup;
use super::palette;
use super::plots::{self, Plots};
use help::HelpPage;
use overlay::Overlay;

/// The layout of an open popup over a screen without its status line; `None` for a prompt.
pub fn layout(overlay: &Overlay, around: Rect, context: &Context) -> Option<Popup> {
    Some(match overlay {
        Overlay::Help(first) => HelpPage::new(around.width, &context.keymap).popup(around, *first),
        Overlay::Presets(selected) => presets::popup(around, context, *selected),
        Overlay::Palette(palette) => palette::popup(around, palette),
        Overlay::Command(first) => command::popup(around, &command::text(around.width, context), *first),
        Overlay::Measures(selected) => plots::page::list_popup(around, *selected),
        Overlay::Prompt(_) => return None,
    })
}

/// Draws an open popup. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, overlay: &Overlay, plots: &Plots, context: &Context) -> Rect {
    match overlay {
        Overlay::Help(first) => help::draw(buffer, around, context, *first),
        Overlay::Presets(selected) => presets::draw(buffer, around, context, *selected),
        Overlay::Palette(palette) => palette::draw(buffer, around, palette, context.theme.resolved()),
        Overlay::Command(first) => command::draw(buffer, around, context, *first),
        Overlay::Measures(selected) => plots::page::draw_list(buffer, around, *selected, plots, context),
        Overlay::Prompt(_) => Rect::ZERO,
    }
}
