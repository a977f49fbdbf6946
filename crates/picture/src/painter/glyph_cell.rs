//! Glyphs as cells: their colors and attributes, within the color depth of the terminal.

use std::sync::Arc;

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::style::{Color, Style};

use crate::canvas::{GlyphCell, Picture};
use crate::cell::{CellRow, Glyph};
use crate::color::{ColorDepth, Rgb, ThemeColor, xterm};
use crate::theme::ResolvedTheme;
use flockscope_sim::Formation;

/// The style of a glyph, with the nearest colors that the terminal has. The default colors are those of the terminal.
pub fn glyph_style(glyph: &Glyph, depth: ColorDepth) -> Style {
    let fg = nearest(glyph.fg, depth, ColorDepth::color);
    let bg = nearest(glyph.bg, depth, ColorDepth::background);
    Style::reset().fg(fg).bg(bg).add_modifier(glyph.modifier)
}

/// The cell that shows a glyph, or its left half if the glyph is wide.
pub fn glyph_cell(glyph: &Glyph, depth: ColorDepth) -> Cell {
    let mut cell = Cell::default();
    cell.set_symbol(&glyph.text).set_style(glyph_style(glyph, depth));
    cell
}

/// The cells of the glyphs of a formation. The nearest of few colors takes long to find, so they are converted once.
#[derive(Debug, Default)]
pub struct GlyphCells {
    formation: Option<Arc<Formation>>,
    depth: Option<ColorDepth>,
    /// The colors of plain text, if the theme paints a background. Those of the terminal may be unreadable there.
    painted: Option<Style>,
    /// By perch: a cell, and its width; 0 for a perch without a glyph.
    cells: Vec<(Cell, usize)>,
}

impl GlyphCells {
    /// The cells of the glyphs in a picture.
    pub fn of(picture: &Picture, theme: &ResolvedTheme) -> Self {
        let mut cells = Self::default();
        cells.convert(picture.formation(), theme);
        cells
    }

    /// Converts the glyphs of a formation, unless they and the theme are the same as before.
    pub fn convert(&mut self, formation: Option<&Arc<Formation>>, theme: &ResolvedTheme) {
        let depth = theme.text_depth;
        let is_painted = theme.sky().is_some() || theme.text.bg != Some(Color::Reset);
        let painted = Some(theme.text).filter(|_| is_painted);
        let is_same = match (&self.formation, formation) {
            (Some(known), Some(formation)) => Arc::ptr_eq(known, formation),
            (known, formation) => known.is_none() && formation.is_none(),
        };
        if is_same && (self.depth, self.painted) == (Some(depth), painted) {
            return;
        }
        (self.formation, self.depth, self.painted) = (formation.cloned(), Some(depth), painted);
        let perches = formation.into_iter().flat_map(|formation| &formation.perches);
        let foreground = painted.and_then(|style| style.fg).unwrap_or_default();
        self.cells.clear();
        self.cells.extend(perches.map(|perch| {
            let Some(glyph) = perch.payload.as_deref().and_then(Glyph::parse) else { return (Cell::EMPTY, 0) };
            let mut cell = glyph_cell(&glyph, depth);
            if cell.fg == Color::Reset {
                cell.fg = foreground;
            }
            (cell, glyph.width.into())
        }));
    }

    /// Draws the glyphs of a row of the picture that fit, at most one in a cell.
    pub fn paint(&self, picture: &Picture, row: usize, into: &mut CellRow) {
        let mut free = 0;
        for GlyphCell { column, perch, .. } in picture.glyphs_in(row) {
            let column = usize::from(*column);
            let Some((cell, width)) = self.cells.get(*perch as usize).filter(|(_, width)| *width > 0) else { continue };
            if column < free || column + width > into.width() {
                continue;
            }
            free = column + width;
            let mut cell = cell.clone();
            if self.painted.is_some() && cell.bg == Color::Reset {
                cell.bg = into.cell_mut(column).bg().into();
            }
            into.set_symbol(column, cell);
        }
    }
}

/// Draws a glyph at a column and row. As in ratatui, the cell under the right half of a wide one is blank. A glyph that does not
/// fit is left out.
pub fn draw_glyph(buffer: &mut Buffer, (column, row): (u16, u16), glyph: &Glyph, depth: ColorDepth) {
    let last = column.saturating_add(u16::from(glyph.width).max(1) - 1);
    if buffer.cell((last, row)).is_none() || buffer.cell((column, row)).is_none() {
        return;
    }
    for right in column..=last {
        buffer[(right, row)].reset();
    }
    buffer[(column, row)] = glyph_cell(glyph, depth);
}

fn nearest(color: Color, depth: ColorDepth, among: fn(ColorDepth, ThemeColor) -> Color) -> Color {
    let color = match color {
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
    use flockscope_sim::Perch;
    use ratatui_core::style::Modifier;

    fn glyph(fg: Color, bg: Color, modifier: Modifier) -> Glyph {
        Glyph { text: "鳥".to_owned(), width: 2, fg, bg, modifier }
    }

    #[test]
    fn colors_become_the_nearest_of_the_terminal() {
        let of = |foreground, background, depth| {
            let style = glyph_style(&glyph(foreground, background, Modifier::empty()), depth);
            (style.fg.unwrap(), style.bg.unwrap())
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
    }

    #[test]
    fn attributes_stay_in_any_depth() {
        let all = Modifier::BOLD | Modifier::DIM | Modifier::ITALIC | Modifier::UNDERLINED | Modifier::REVERSED;
        let glyph = glyph(Color::Reset, Color::Reset, all);
        for depth in [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono] {
            let cell = glyph_cell(&glyph, depth);
            assert_eq!(cell.modifier, all);
            assert_eq!(Glyph::parse(&glyph.payload()), Some(glyph.clone()));
        }
    }

    #[test]
    fn a_painted_background_shows_behind_default_colors() {
        let (mut painted, mut own) = (
            glyph(Color::Reset, Color::Reset, Modifier::empty()),
            glyph(Color::Indexed(1), Color::Indexed(2), Modifier::empty()),
        );
        (painted.text, painted.width) = ("a".to_owned(), 1);
        (own.text, own.width) = ("b".to_owned(), 1);
        let perches = [painted, own].map(|glyph| Perch { at: [0.0; 3], payload: Some(glyph.payload()) });
        let formation = Some(Arc::new(Formation { perches: perches.into(), plane: None, shelter: None }));
        let shown = |name: &str, depth| {
            let theme = ResolvedTheme::new(&theme(name), depth);
            let mut cells = GlyphCells::default();
            cells.convert(formation.as_ref(), &theme);
            [0, 1].map(|index| (cells.cells[index].0.fg, cells.cells[index].0.bg))
        };
        let own = (Color::Indexed(1), Color::Indexed(2));
        assert_eq!(shown("dusk", ColorDepth::Truecolor), [(Color::Reset, Color::Reset), own]);
        let [(foreground, background), unchanged] = shown("paper", ColorDepth::Truecolor);
        assert!(matches!(foreground, Color::Rgb(..)) && background == Color::Reset && unchanged == own);
    }

    #[test]
    fn a_wide_glyph_needs_two_columns() {
        let wide = glyph(Color::Reset, Color::Reset, Modifier::empty());
        let mut buffer = Buffer::with_lines(["abcd"]);
        draw_glyph(&mut buffer, (1, 0), &wide, ColorDepth::Mono);
        assert_eq!(buffer, Buffer::with_lines(["a鳥d"]));
        draw_glyph(&mut buffer, (3, 0), &wide, ColorDepth::Mono);
        assert_eq!(buffer, Buffer::with_lines(["a鳥d"]));
    }
}
