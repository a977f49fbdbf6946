//! Glyphs that boids show instead of their bodies: characters in colors, by number, and as the terminal can show them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::{Color, Style};

use crate::canvas::{Picture, PlacedGlyph};
use crate::cell::{CellRow, PackedColor, symbol_width};
use crate::color::{ColorDepth, Rgb, ThemeColor, xterm};
use crate::theme::ResolvedTheme;

/// Glyphs by number: perches of a flock have these numbers. Copies share the table, which only grows.
#[derive(Clone, Debug, Default)]
pub struct GlyphTable(Arc<Mutex<Glyphs>>);

#[derive(Debug, Default)]
struct Glyphs {
    by_number: Vec<Cell>,
    numbers: HashMap<Cell, u32>,
}

impl GlyphTable {
    /// The number of a glyph, a cell of ratatui. It is a new one if the table lacks the glyph.
    pub fn number(&self, glyph: &Cell) -> u32 {
        let Glyphs { by_number, numbers } = &mut *self.lock();
        *numbers.entry(glyph.clone()).or_insert_with(|| {
            by_number.push(glyph.clone());
            by_number.len() as u32 - 1
        })
    }

    /// The glyph with this number.
    pub fn glyph(&self, number: u32) -> Option<Cell> {
        self.lock().by_number.get(number as usize).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Glyphs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cells of the glyphs of a table. The nearest of few colors takes long to find, so they are converted once.
#[derive(Debug, Default)]
pub struct GlyphCells {
    /// The glyphs as they are.
    pub table: GlyphTable,
    depth: Option<ColorDepth>,
    /// The colors of plain text, if the theme paints a background. Those of the terminal may be unreadable there.
    painted: Option<Style>,
    /// By number: a cell, and its width.
    cells: Vec<(Cell, u16)>,
}

impl GlyphCells {
    /// The cells of a table. [`convert`](Self::convert) makes its glyphs visible.
    pub fn new(table: GlyphTable) -> Self {
        Self { table, ..Self::default() }
    }

    /// Converts glyphs that are new, or all if the theme is: after each change of either, before they are drawn.
    pub fn convert(&mut self, theme: &ResolvedTheme) {
        let depth = theme.text_depth;
        let is_painted = theme.sky().is_some() || theme.text.bg != Some(Color::Reset);
        let painted = Some(theme.text).filter(|_| is_painted);
        if (self.depth, self.painted) != (Some(depth), painted) {
            self.cells.clear();
            (self.depth, self.painted) = (Some(depth), painted);
        }
        for glyph in &self.table.lock().by_number[self.cells.len()..] {
            let mut cell = nearest_cell(glyph, depth);
            if cell.fg == Color::Reset {
                cell.fg = painted.and_then(|style| style.fg).unwrap_or_default();
            }
            self.cells.push((cell, symbol_width(glyph.symbol())));
        }
    }

    /// Draws the glyphs of a row of the picture that fit, at most one in a cell.
    pub fn paint(&self, picture: &Picture, row: usize, into: &mut CellRow) {
        let mut free = 0;
        for PlacedGlyph { column, number, .. } in picture.glyphs_in(row) {
            let Some((cell, width)) = self.cells.get(*number as usize) else { continue };
            let (column, end) = (usize::from(*column), usize::from(column + width));
            if column < free || end > into.width() {
                continue;
            }
            free = end;
            let mut cell = cell.clone();
            if self.painted.is_some() && cell.bg == Color::Reset {
                cell.bg = into.cell_mut(column).bg().into();
            }
            into.set_symbol(column, cell);
        }
    }
}

/// Draws a glyph in a cell. As in ratatui, the cell under the right half of a wide one is blank. A glyph that does not
/// fit is left out.
pub fn draw_glyph(buffer: &mut Buffer, at: Position, glyph: &Cell, depth: ColorDepth) {
    let cells = Rect { x: at.x, y: at.y, width: symbol_width(glyph.symbol()), height: 1 };
    if buffer.area.intersection(cells) == cells {
        cells.positions().for_each(|place| buffer[place].reset());
        buffer[at] = nearest_cell(glyph, depth);
    }
}

/// A glyph in the nearest colors that the terminal has. The default colors are those of the terminal.
fn nearest_cell(glyph: &Cell, depth: ColorDepth) -> Cell {
    let fg = nearest(glyph.fg, depth, ColorDepth::color);
    let bg = nearest(glyph.bg, depth, ColorDepth::background);
    let mut cell = glyph.clone();
    (cell.fg, cell.bg) = (fg, bg);
    cell
}

fn nearest(color: Color, depth: ColorDepth, among: fn(ColorDepth, ThemeColor) -> Color) -> Color {
    // As an index if it has a name.
    let color = match PackedColor::from(color).into() {
        Color::Indexed(index) if index < 16 || depth.can_blend() => ThemeColor::Ansi(index),
        Color::Indexed(index) => ThemeColor::Rgb(xterm(index)),
        Color::Rgb(red, green, blue) => ThemeColor::Rgb(Rgb::new(red, green, blue)),
        _ => ThemeColor::Terminal,
    };
    among(depth, color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::builtin::theme;
    use ratatui_core::style::Modifier;

    fn glyph(symbol: &str, fg: Color, bg: Color) -> Cell {
        let mut cell = Cell::default();
        cell.set_symbol(symbol).set_fg(fg).set_bg(bg);
        cell
    }

    #[test]
    fn colors_become_the_nearest_of_the_terminal() {
        let of = |foreground, background, depth| {
            let cell = nearest_cell(&glyph("鳥", foreground, background), depth);
            (cell.fg, cell.bg)
        };
        let (orange, night) = (Color::Rgb(0xff, 0x87, 0), Color::Rgb(0x08, 0x08, 0x10));
        assert_eq!(of(orange, night, ColorDepth::Truecolor), (Color::Rgb(255, 135, 0), Color::Rgb(8, 8, 16)));
        assert_eq!(of(orange, night, ColorDepth::Colors256), (Color::Indexed(208), Color::Indexed(232)));
        assert_eq!(of(orange, night, ColorDepth::Mono), (Color::Reset, Color::Reset));
        // Black is a background but no color of a letter.
        assert_eq!(of(night, night, ColorDepth::Colors16).1, Color::Indexed(0));
        assert_ne!(of(night, night, ColorDepth::Colors16).0, Color::Indexed(0));
        let (red, pink) = (Color::Indexed(1), Color::Indexed(196));
        for depth in [ColorDepth::Truecolor, ColorDepth::Colors256] {
            assert_eq!(of(red, pink, depth), (Color::Indexed(1), Color::Indexed(196)));
        }
        assert_eq!(of(red, pink, ColorDepth::Colors16), (Color::Indexed(1), Color::Indexed(9)));
        assert_eq!(of(Color::Reset, red, ColorDepth::Colors16), (Color::Reset, Color::Indexed(1)));
        assert_eq!(of(Color::Yellow, Color::Red, ColorDepth::Truecolor), (Color::Indexed(3), Color::Indexed(1)));
    }

    #[test]
    fn attributes_stay_in_any_depth() {
        let all = Modifier::BOLD | Modifier::DIM | Modifier::ITALIC | Modifier::UNDERLINED | Modifier::REVERSED;
        let mut glyph = glyph("鳥", Color::Reset, Color::Reset);
        glyph.modifier = all;
        for depth in [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono] {
            assert_eq!(nearest_cell(&glyph, depth).modifier, all);
        }
    }

    #[test]
    fn equal_glyphs_have_one_number() {
        let table = GlyphTable::default();
        let [one, other] = [Color::Reset, Color::Indexed(1)].map(|color| glyph("a", color, Color::Reset));
        let numbers = [&one, &other, &one].map(|glyph| table.clone().number(glyph));
        assert!(numbers[0] == numbers[2] && numbers[0] != numbers[1]);
        assert_eq!([0, 1, 2].map(|number| table.glyph(numbers[0] + number)), [Some(one), Some(other), None]);
    }

    #[test]
    fn a_painted_background_shows_behind_default_colors() {
        let own = (Color::Indexed(1), Color::Indexed(2));
        let table = GlyphTable::default();
        table.number(&glyph("a", Color::Reset, Color::Reset));
        table.number(&glyph("b", own.0, own.1));
        let mut cells = GlyphCells::new(table);
        let mut shown = |name: &str| {
            cells.convert(&ResolvedTheme::new(&theme(name), ColorDepth::Truecolor));
            [0, 1].map(|number| (cells.cells[number].0.fg, cells.cells[number].0.bg))
        };
        assert_eq!(shown("dusk"), [(Color::Reset, Color::Reset), own]);
        let [(foreground, background), unchanged] = shown("paper");
        assert!(matches!(foreground, Color::Rgb(..)) && background == Color::Reset && unchanged == own);
    }

    #[test]
    fn a_wide_glyph_needs_two_columns() {
        let wide = glyph("鳥", Color::Reset, Color::Reset);
        let mut buffer = Buffer::with_lines(["abcd"]);
        draw_glyph(&mut buffer, Position::new(1, 0), &wide, ColorDepth::Mono);
        assert_eq!(buffer, Buffer::with_lines(["a鳥d"]));
        draw_glyph(&mut buffer, Position::new(3, 0), &wide, ColorDepth::Mono);
        assert_eq!(buffer, Buffer::with_lines(["a鳥d"]));
    }
}
