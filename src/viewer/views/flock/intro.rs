//! The program's name over the flock, and the line beneath it.

use ratatui::style::{Modifier, Style};

use super::CellPainter;
use crate::canvas::{Cell, Content};
use crate::terminal::{PackedCell, PackedColor};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::screensaver::intro::Intro;
use crate::viewer::theme::fade::Fade;
use crate::viewer::theme::resolved::Coloring;

/// What the line beneath tells the keys of.
const KEYS: [(Action, &str); 3] = [(Action::Help, "help"), (Action::Pause, "pause"), (Action::Quit, "quit")];

/// How much lighter than the flock the name settled.
const LIFTED: f32 = 0.35;

/// Paints what settled in a row over the flock, of which little is seen there.
pub fn paint(intro: &Intro, row: u16, app: &App, brush: &CellPainter<'_>, veil: &mut Fade, inks: &mut [PackedCell]) {
    for mark in intro.row(row) {
        let Some(ink) = inks.get_mut(usize::from(mark.column)) else { continue };
        let cell = Cell { content: Content::Prey, heading: mark.heading, depth: mark.depth, ..Cell::default() };
        brush.dots(mark.dots, app.theme.look.cell(&cell, Coloring::Heading), ink);
        if mark.settled {
            veil.lift(ink, LIFTED);
        }
    }
    if row == intro.line() && intro.line_shown() > 0.0 {
        write_keys(app, 1.0 - intro.line_shown(), veil, inks);
    }
}

/// Writes the line in the middle of a row, with so much of it hidden.
fn write_keys(app: &App, hidden: f32, veil: &mut Fade, inks: &mut [PackedCell]) {
    let look = &app.theme.look;
    let mut signs: Vec<(char, Style)> = Vec::new();
    let bound = KEYS.into_iter().filter_map(|(action, word)| Some((app.keymap().key(action)?, word)));
    for (place, (key, word)) in bound.enumerate() {
        let parts = [
            (if place > 0 { " · " } else { "" }.to_owned(), look.dim),
            (key, look.accent),
            (format!(" {word}"), look.dim),
        ];
        signs.extend(parts.iter().flat_map(|(text, style)| text.chars().map(|sign| (sign, *style))));
    }
    let start = inks.len().saturating_sub(signs.len()) / 2;
    for ((sign, style), ink) in signs.into_iter().zip(&mut inks[start..]) {
        ink.set_char(sign, style.fg.map_or(PackedColor::DEFAULT, PackedColor::from), Modifier::empty());
        let behind = ink.bg();
        veil.cover(ink, behind, hidden);
    }
}
