//! A screen as text, plain or with ANSI escape sequences for `cat`.

use std::io::{self, Write};

use crossterm::queue;
use crossterm::style::{SetBackgroundColor, SetForegroundColor};
use ratatui::backend::IntoCrossterm;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::screen::visible_cells;

/// Foreground, background and modifiers of a cell.
type AnsiStyle = (Color, Color, Modifier);

/// The style at the start and end of a line.
const PLAIN: AnsiStyle = (Color::Reset, Color::Reset, Modifier::empty());

/// Writes plain text: one line per row, without trailing blanks.
pub fn write_plain(screen: &Buffer, out: &mut impl Write) -> io::Result<()> {
    for row in rows(screen) {
        let line: String = visible_cells(row).map(Cell::symbol).collect();
        writeln!(out, "{}", line.trim_end_matches([' ', '\u{2800}']))?;
    }
    Ok(())
}

/// Writes one line per row, each of which starts and ends in the default style.
pub fn write_ansi(screen: &Buffer, out: &mut impl Write) -> io::Result<()> {
    // The cells have the right color depth already; ignore NO_COLOR.
    crossterm::style::force_color_output(true);
    for row in rows(screen) {
        let mut style = PLAIN;
        let end = row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        for cell in visible_cells(&row[..end]) {
            style = change_style(style, (cell.fg, cell.bg, cell.modifier), out)?;
            write!(out, "{}", cell.symbol())?;
        }
        change_style(style, PLAIN, out)?;
        writeln!(out)?;
    }
    Ok(())
}

fn rows(screen: &Buffer) -> impl Iterator<Item = &[Cell]> {
    screen.content.chunks_exact(usize::from(screen.area.width).max(1))
}

/// Whether a cell can be omitted at the end of a line.
fn is_blank(cell: &Cell) -> bool {
    matches!(cell.symbol(), " " | "\u{2800}") && cell.bg == Color::Reset && !cell.modifier.contains(Modifier::REVERSED)
}

/// Writes the difference between two styles.
fn change_style(from: AnsiStyle, to: AnsiStyle, out: &mut impl Write) -> io::Result<AnsiStyle> {
    let (mut fg, mut bg, modifier) = from;
    if (fg, bg, modifier) != to && (modifier != to.2 || to == PLAIN) {
        // A reset turns off all attributes and colors.
        if modifier != Modifier::empty() || to == PLAIN {
            write!(out, "\x1b[0m")?;
            (fg, bg) = (Color::Reset, Color::Reset);
        }
        // SGR numbers the modifiers in the order of their bits.
        for modifier in to.2 {
            write!(out, "\x1b[{}m", modifier.bits().trailing_zeros() + 1)?;
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
