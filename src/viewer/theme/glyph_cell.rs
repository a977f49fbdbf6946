//! Glyphs as cells: their colors and attributes, within the color depth of the terminal.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};

use crate::config::{Rgb, ThemeColor};
use crate::sim::{Glyph, GlyphColor};
use crate::terminal::xterm;
use crate::viewer::ColorDepth;

/// The modifiers of the attributes.
const MODIFIERS: [(u8, Modifier); 5] = [
    (Glyph::BOLD, Modifier::BOLD),
    (Glyph::DIM, Modifier::DIM),
    (Glyph::ITALIC, Modifier::ITALIC),
    (Glyph::UNDERLINED, Modifier::UNDERLINED),
    (Glyph::REVERSED, Modifier::REVERSED),
];

/// The style of a glyph, with the nearest colors that the terminal has. The default colors are those of the terminal.
#[must_use]
pub fn glyph_style(glyph: &Glyph, depth: ColorDepth) -> Style {
    let modifier = MODIFIERS
        .iter()
        .filter(|(attribute, _)| glyph.attributes & attribute != 0)
        .fold(Modifier::empty(), |all, (_, modifier)| all | *modifier);
    let foreground = color(glyph.foreground, depth, ColorDepth::color);
    let background = color(glyph.background, depth, ColorDepth::background);
    Style::reset().fg(foreground).bg(background).add_modifier(modifier)
}

/// The cell that shows a glyph, or its left half if the glyph is wide.
#[must_use]
pub fn glyph_cell(glyph: &Glyph, depth: ColorDepth) -> Cell {
    let mut cell = Cell::default();
    cell.set_symbol(&glyph.text).set_style(glyph_style(glyph, depth));
    cell
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

fn color(color: GlyphColor, depth: ColorDepth, nearest: fn(ColorDepth, ThemeColor) -> Color) -> Color {
    let color = match color {
        GlyphColor::Default => ThemeColor::Terminal,
        GlyphColor::Indexed(index @ 0..16) => ThemeColor::Ansi(index),
        GlyphColor::Indexed(index) if depth.can_blend() => ThemeColor::Ansi(index),
        GlyphColor::Indexed(index) => ThemeColor::Rgb(xterm(index)),
        GlyphColor::Rgb([red, green, blue]) => ThemeColor::Rgb(Rgb::new(red, green, blue)),
    };
    nearest(depth, color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(foreground: GlyphColor, background: GlyphColor, attributes: u8) -> Glyph {
        Glyph { text: "鳥".to_owned(), width: 2, foreground, background, attributes }
    }

    #[test]
    fn colors_become_the_nearest_of_the_terminal() {
        let of = |foreground, background, depth| {
            let style = glyph_style(&glyph(foreground, background, 0), depth);
            (style.fg.unwrap(), style.bg.unwrap())
        };
        let (orange, night) = (GlyphColor::Rgb([0xff, 0x87, 0]), GlyphColor::Rgb([0x08, 0x08, 0x10]));
        assert_eq!(of(orange, night, ColorDepth::Truecolor), (Color::Rgb(255, 135, 0), Color::Rgb(8, 8, 16)));
        assert_eq!(of(orange, night, ColorDepth::Colors256), (Color::Indexed(208), Color::Indexed(232)));
        assert_eq!(of(orange, night, ColorDepth::Mono), (Color::Reset, Color::Reset));
        // Black is a background but no color of a letter.
        assert_eq!(of(night, night, ColorDepth::Colors16).1, Color::Indexed(0));
        assert_ne!(of(night, night, ColorDepth::Colors16).0, Color::Indexed(0));
        let (red, pink) = (GlyphColor::Indexed(1), GlyphColor::Indexed(196));
        for depth in [ColorDepth::Truecolor, ColorDepth::Colors256] {
            assert_eq!(of(red, pink, depth), (Color::Indexed(1), Color::Indexed(196)));
        }
        assert_eq!(of(red, pink, ColorDepth::Colors16), (Color::Indexed(1), Color::Indexed(9)));
        assert_eq!(of(GlyphColor::Default, red, ColorDepth::Colors16), (Color::Reset, Color::Indexed(1)));
    }

    #[test]
    fn attributes_stay_in_any_depth() {
        let all = Glyph::BOLD | Glyph::DIM | Glyph::ITALIC | Glyph::UNDERLINED | Glyph::REVERSED;
        for depth in [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono] {
            let cell = glyph_cell(&glyph(GlyphColor::Default, GlyphColor::Default, all), depth);
            let expected = [Modifier::BOLD, Modifier::DIM, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
            assert_eq!(cell.modifier, Modifier::from_iter(expected));
        }
    }

    #[test]
    fn a_wide_glyph_needs_two_columns() {
        let wide = glyph(GlyphColor::Default, GlyphColor::Default, 0);
        let mut buffer = Buffer::with_lines(["abcd"]);
        draw_glyph(&mut buffer, (1, 0), &wide, ColorDepth::Mono);
        assert_eq!(buffer, Buffer::with_lines(["a鳥d"]));
        draw_glyph(&mut buffer, (3, 0), &wide, ColorDepth::Mono);
        assert_eq!(buffer, Buffer::with_lines(["a鳥d"]));
    }
}
