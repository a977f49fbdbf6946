//! What cells look like: each with its two colors and its symbol.

use palette::color_difference::Wcag21RelativeContrast;
use palette::{Mix, Srgb};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use crate::config::{Rgb, Theme, ThemeColor};
use crate::terminal::xterm;

/// How much of the background dim text takes on.
const DIM: f32 = 0.45;
/// Behind everything where neither theme nor terminal says.
const DARK: Rgb = Rgb::new(0x0c, 0x0c, 0x10);

/// What the terminal's own colors are in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultColors {
    /// Behind everything.
    pub background: Rgb,
    /// Plain text.
    pub text: Rgb,
}

impl DefaultColors {
    /// The theme's background; where that is the terminal's own, what far boids fade toward there.
    #[must_use]
    pub fn of(theme: &Theme) -> Self {
        let colors = &theme.colors;
        let background = match (colors.background, colors.far) {
            (ThemeColor::Rgb(rgb), _) => rgb,
            (_, ThemeColor::Rgb(rgb)) if rgb != Rgb::new(0, 0, 0) => rgb,
            _ => DARK,
        };
        let (light, dark) = (Rgb::new(0xd4, 0xd4, 0xd8), Rgb::new(0x24, 0x24, 0x28));
        let contrast = |text: Rgb| background.into_format::<f32>().relative_contrast(text.into_format());
        let text = match colors.text {
            ThemeColor::Rgb(rgb) => rgb,
            _ if contrast(light) > contrast(dark) => light,
            _ => dark,
        };
        Self { background, text }
    }
}

/// A color of a cell; `plain` is the terminal's own.
fn resolve(color: Color, plain: Rgb) -> Rgb {
    match color {
        Color::Reset => plain,
        Color::Rgb(red, green, blue) => Rgb::new(red, green, blue),
        Color::Indexed(index) => xterm(index),
        named => NAMED.iter().position(|known| *known == named).map_or(plain, |index| xterm(index as u8)),
    }
}

/// The terminal's sixteen colors by ratatui's names, in their order.
const NAMED: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// A cell as it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedCell {
    /// What stands there; a blank where a wide symbol reaches in from the left.
    pub symbol: String,
    /// The symbol's color.
    pub color: Rgb,
    /// What is behind it.
    pub behind: Rgb,
    /// Whether it is heavier.
    pub bold: bool,
    /// Whether a line runs below it.
    pub underlined: bool,
}

/// A screen as it looks: cells row by row.
#[derive(Clone, Debug)]
pub struct ResolvedScreen {
    /// How many cells it is wide.
    pub columns: usize,
    /// How many cells it is high.
    pub rows: usize,
    /// Behind everything.
    pub background: Rgb,
    /// The cells, row by row.
    pub cells: Vec<ResolvedCell>,
}

impl ResolvedScreen {
    /// What a screen looks like.
    #[must_use]
    pub fn new(screen: &Buffer, ground: DefaultColors) -> Self {
        let columns = usize::from(screen.area.width);
        let mut cells = Vec::with_capacity(screen.content.len());
        for row in screen.content.chunks_exact(columns.max(1)) {
            for (cell, covered_cells) in row.iter().zip(covered_cells(row)) {
                let ink = ink(cell, ground);
                cells.push(if covered_cells { ResolvedCell { symbol: " ".into(), ..ink } } else { ink });
            }
        }
        Self { columns, rows: usize::from(screen.area.height), background: ground.background, cells }
    }

    /// The rows, from top to bottom.
    pub fn lines(&self) -> impl Iterator<Item = &[ResolvedCell]> {
        self.cells.chunks_exact(self.columns.max(1))
    }
}

fn ink(cell: &Cell, ground: DefaultColors) -> ResolvedCell {
    let (mut color, mut behind) = (resolve(cell.fg, ground.text), resolve(cell.bg, ground.background));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut color, &mut behind);
    }
    if cell.modifier.contains(Modifier::DIM) {
        color = mix(color, behind, DIM);
    }
    if cell.modifier.contains(Modifier::HIDDEN) {
        color = behind;
    }
    ResolvedCell {
        symbol: cell.symbol().to_owned(),
        color,
        behind,
        bold: cell.modifier.contains(Modifier::BOLD),
        underlined: cell.modifier.contains(Modifier::UNDERLINED),
    }
}

/// A share of another color mixed in, as terminals do: in sRGB as it stands.
pub fn mix(color: Rgb, other: Rgb, share: f32) -> Rgb {
    let (color, other): (Srgb<f32>, Srgb<f32>) = (color.into_format(), other.into_format());
    color.mix(other, share).into_format()
}

/// Which cells of a row a wide symbol at their left reaches into.
pub fn covered_cells(row: &[Cell]) -> impl Iterator<Item = bool> {
    row.iter().scan(0, |reach, cell| {
        let covered_cells = *reach > 0;
        *reach = if covered_cells { *reach - 1 } else { cell.symbol().width().saturating_sub(1) };
        Some(covered_cells)
    })
}
