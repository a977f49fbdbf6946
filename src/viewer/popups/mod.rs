//! Popups and prompts over the flock.

mod command;
pub mod filter;
pub mod help;
pub mod list;
pub mod overlay;

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
        Overlay::Help(help) => HelpPage::of(around.width, context, &help.filter).popup(around, help.first),
        Overlay::Presets(list) | Overlay::Themes(list, _) => list.popup(around),
        Overlay::Palette(palette) => palette::popup(around, palette),
        Overlay::Command(first) => command::popup(around, &command::text(around.width, context), *first),
        Overlay::Measures(selected) => plots::page::list_popup(around, *selected),
        Overlay::Prompt(_) => return None,
    })
}

/// Draws an open popup. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, overlay: &Overlay, plots: &Plots, context: &Context) -> Rect {
    match overlay {
        Overlay::Help(help) => help::draw(buffer, around, context, help),
        Overlay::Presets(list) | Overlay::Themes(list, _) => list.draw(buffer, around, context.theme.resolved()),
        Overlay::Palette(palette) => palette::draw(buffer, around, palette, context.theme.resolved()),
        Overlay::Command(first) => command::draw(buffer, around, context, *first),
        Overlay::Measures(selected) => plots::page::draw_list(buffer, around, *selected, plots, context),
        Overlay::Prompt(_) => Rect::ZERO,
    }
}
