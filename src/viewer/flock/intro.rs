//! Draws the intro: the program's name over the flock and a line of keys below.

use ratatui::style::{Modifier, Style};

use super::painter::CellPainter;
use crate::canvas::{Cell, Content};
use crate::terminal::{PackedCell, PackedColor};
use crate::viewer::actions::Action;
use crate::viewer::input::keymap::Keymap;
use crate::viewer::screensaver::intro::Intro;
use crate::viewer::theme::fade::Fade;
use crate::viewer::theme::{Coloring, ResolvedTheme};

/// The keys in the line below the name.
const KEYS: [(Action, &str); 3] = [(Action::Help, "help"), (Action::Pause, "pause"), (Action::Quit, "quit")];

/// How much brighter than the flock the name is.
const HIGHLIGHT: f32 = 0.35;

/// Paints a row of the intro.
pub fn paint(
    intro: &Intro,
    row: u16,
    theme: &ResolvedTheme,
    keymap: &Keymap,
    painter: &CellPainter<'_>,
    fade: &mut Fade,
    cells: &mut [PackedCell],
) {
    for dots in intro.row(row) {
        let Some(cell_below) = cells.get_mut(usize::from(dots.column)) else { continue };
        let cell = Cell { content: Content::Prey, heading: dots.heading, depth: dots.depth, ..Cell::default() };
        painter.dots(dots.dots, theme.cell(&cell, Coloring::Heading), cell_below);
        if dots.settled {
            fade.highlight(cell_below, HIGHLIGHT);
        }
    }
    if row == intro.keys_row() && intro.keys_opacity() > 0.0 {
        write_keys(theme, keymap, 1.0 - intro.keys_opacity(), fade, cells);
    }
}

/// Writes the keys in the middle of a row, faded by `share`.
fn write_keys(theme: &ResolvedTheme, keymap: &Keymap, share: f32, fade: &mut Fade, cells: &mut [PackedCell]) {
    let mut chars: Vec<(char, Style)> = Vec::new();
    let bound = KEYS.into_iter().filter_map(|(action, word)| Some((keymap.key(action)?, word)));
    for (index, (key, word)) in bound.enumerate() {
        let parts = [
            (if index > 0 { " · " } else { "" }.to_owned(), theme.dim),
            (key, theme.accent),
            (format!(" {word}"), theme.dim),
        ];
        chars.extend(parts.iter().flat_map(|(text, style)| text.chars().map(|char| (char, *style))));
    }
    let start = cells.len().saturating_sub(chars.len()) / 2;
    for ((char, style), cell) in chars.into_iter().zip(&mut cells[start..]) {
        cell.set_char(char, style.fg.map_or(PackedColor::DEFAULT, PackedColor::from), Modifier::empty());
        let behind = cell.bg();
        fade.apply(cell, behind, share);
    }
}
