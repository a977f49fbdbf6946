//! Popups and prompts over the flock, among them the command that reproduces it.

pub mod help;
pub mod list;
pub mod overlay;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::context::Context;
use super::layout::Popup;
use super::palette;
use super::plots::{self, Plots};
use super::text::{left, wrap_anywhere};
use help::HelpPage;
use overlay::Overlay;

/// The maximum width of the command.
const COMMAND_WIDTH: u16 = 76;

/// The layout of an open popup over a screen without its status line; `None` for a prompt.
pub fn layout(overlay: &Overlay, around: Rect, context: &Context) -> Option<Popup> {
    Some(match overlay {
        Overlay::Help(help) => HelpPage::of(around.width, context, &help.filter).popup(around, help.first),
        Overlay::Presets(list) | Overlay::Themes(list, _) => list.popup(around),
        Overlay::Palette(palette) => palette::popup(around, palette),
        Overlay::Command(first) => command_popup(around, &command_lines(around.width, context), *first),
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
        Overlay::Command(first) => draw_command(buffer, around, context, *first),
        Overlay::Measures(selected) => plots::page::draw_list(buffer, around, *selected, plots, context),
        Overlay::Prompt(_) => Rect::ZERO,
    }
}

/// The command and its comments, wrapped for a screen of `columns`.
fn command_lines(columns: u16, context: &Context) -> Vec<String> {
    let width = usize::from(command_width(columns));
    context
        .presets
        .reproduce_command(&context.client)
        .text()
        .lines()
        .flat_map(|line| wrap_anywhere(line, width))
        .collect()
}

/// The popup with these lines, scrolled to the `first` one.
fn command_popup(around: Rect, lines: &[String], first: usize) -> Popup {
    Popup::text(around, (command_width(around.width), lines.len()), lines.len(), first)
}

/// Draws the command from its `first` line on. Returns its area.
fn draw_command(buffer: &mut Buffer, around: Rect, context: &Context, first: usize) -> Rect {
    let (theme, lines) = (context.theme.resolved(), command_lines(around.width, context));
    let popup = command_popup(around, &lines, first);
    popup.draw_frame(buffer, "command for this flock", theme);
    for (row, text, _) in popup.visible(&lines) {
        left(buffer, row, text, theme.text);
    }
    popup.area
}

fn command_width(columns: u16) -> u16 {
    COMMAND_WIDTH.min(columns.saturating_sub(2))
}
