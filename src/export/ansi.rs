//! A screen as text with colors, which `cat` shows as the viewer would.

use std::io::{self, Write};

use crossterm::queue;
use crossterm::style::{Attribute, Print, SetAttribute, SetBackgroundColor, SetForegroundColor};
use ratatui::backend::IntoCrossterm;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::picture::page::covered_cells;

/// What a modifier is called by terminals.
const ATTRIBUTES: [(Modifier, Attribute); 6] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::ITALIC, Attribute::Italic),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::REVERSED, Attribute::Reverse),
    (Modifier::HIDDEN, Attribute::Hidden),
];

/// How cells look that nothing was said of.
const PLAIN: (Color, Color, Modifier) = (Color::Reset, Color::Reset, Modifier::empty());

/// Writes a screen, a line for each row; each ends as the terminal's own colors.
pub fn write(screen: &Buffer, out: &mut impl Write) -> io::Result<()> {
    // How many colors there are was decided when the cells were painted.
    crossterm::style::force_color_output(true);
    for row in screen.content.chunks_exact(usize::from(screen.area.width).max(1)) {
        let mut now = PLAIN;
        let end = row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        for (cell, _) in row[..end].iter().zip(covered_cells(row)).filter(|(_, covered_cells)| !covered_cells) {
            now = change(now, (cell.fg, cell.bg, cell.modifier), out)?;
            queue!(out, Print(cell.symbol()))?;
        }
        change(now, PLAIN, out)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Whether a cell at the end of a line may as well not be there.
fn is_blank(cell: &Cell) -> bool {
    matches!(cell.symbol(), " " | "\u{2800}") && cell.bg == Color::Reset && !cell.modifier.contains(Modifier::REVERSED)
}

/// Goes from one style to another; only what differs is written.
fn change(
    (mut fg, mut bg, modifier): (Color, Color, Modifier),
    to: (Color, Color, Modifier),
    out: &mut impl Write,
) -> io::Result<(Color, Color, Modifier)> {
    if (fg, bg, modifier) != to && (modifier != to.2 || to == PLAIN) {
        // Attributes go off all together, and colors with them.
        if modifier != Modifier::empty() || to == PLAIN {
            queue!(out, SetAttribute(Attribute::Reset))?;
            (fg, bg) = (Color::Reset, Color::Reset);
        }
        for (_, attribute) in ATTRIBUTES.into_iter().filter(|(modifier, _)| to.2.contains(*modifier)) {
            queue!(out, SetAttribute(attribute))?;
        }
    }
    if fg != to.0 {
        queue!(out, SetForegroundColor(to.0.into_crossterm()))?;
    }
    if bg != to.1 {
        queue!(out, SetBackgroundColor(to.1.into_crossterm()))?;
    }
    Ok(to)
}
