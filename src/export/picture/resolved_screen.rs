//! A screen with all colors as RGB.

use palette::color_difference::Wcag21RelativeContrast;
use palette::{Mix, Srgb};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::picture::{PackedColor, Rgb, ThemeColor, ThemeColors, UnicodeWidthStr, xterm};

/// How much of the background is mixed into dim text.
const DIM: f32 = 0.45;
/// The background of themes that do not specify one.
const DARK: Rgb = Rgb::new(0x0c, 0x0c, 0x10);

/// RGB for the terminal's default colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultColors {
    /// The default background.
    pub background: Rgb,
    /// The default foreground.
    pub text: Rgb,
}

impl DefaultColors {
    /// The default colors in pictures with the colors of a theme.
    pub fn of(colors: &ThemeColors) -> Self {
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

fn resolve(color: Color, default: Rgb) -> Rgb {
    // Packing replaces the names of colors by their indices.
    match Color::from(PackedColor::from(color)) {
        Color::Rgb(red, green, blue) => Rgb::new(red, green, blue),
        Color::Indexed(index) => xterm(index),
        _ => default,
    }
}

/// A cell with its final colors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedCell {
    /// The symbol; a blank in the second column of a wide symbol.
    pub symbol: String,
    /// The color of the symbol.
    pub foreground: Rgb,
    /// The color behind it.
    pub background: Rgb,
    /// Whether the symbol is bold.
    pub bold: bool,
    /// Whether the symbol is underlined.
    pub underlined: bool,
}

/// A screen with its final colors.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedScreen {
    /// Width in cells.
    pub columns: usize,
    /// Height in cells.
    pub rows: usize,
    /// The default background.
    pub background: Rgb,
    /// The cells, row by row.
    pub cells: Vec<ResolvedCell>,
}

impl ResolvedScreen {
    /// Resolves the colors and modifiers of a screen.
    pub(crate) fn new(screen: &Buffer, colors: DefaultColors) -> Self {
        let columns = usize::from(screen.area.width);
        let mut cells = Vec::with_capacity(screen.content.len());
        for row in screen.content.chunks_exact(columns.max(1)) {
            for (cell, hidden) in row.iter().zip(hidden(row)) {
                // The second column of a wide symbol has the background of the first.
                let first = cells.last().filter(|_| hidden).cloned();
                let cell = first.unwrap_or_else(|| resolve_cell(cell, colors));
                cells.push(if hidden { ResolvedCell { symbol: " ".into(), ..cell } } else { cell });
            }
        }
        Self { columns, rows: usize::from(screen.area.height), background: colors.background, cells }
    }

    /// The rows, from top to bottom.
    pub fn lines(&self) -> impl Iterator<Item = &[ResolvedCell]> {
        self.cells.chunks_exact(self.columns.max(1))
    }
}

fn resolve_cell(cell: &Cell, colors: DefaultColors) -> ResolvedCell {
    let (mut foreground, mut background) = (resolve(cell.fg, colors.text), resolve(cell.bg, colors.background));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut foreground, &mut background);
    }
    if cell.modifier.contains(Modifier::DIM) {
        foreground = mix(foreground, background, DIM);
    }
    if cell.modifier.contains(Modifier::HIDDEN) {
        foreground = background;
    }
    ResolvedCell {
        symbol: cell.symbol().to_owned(),
        foreground,
        background,
        bold: cell.modifier.contains(Modifier::BOLD),
        underlined: cell.modifier.contains(Modifier::UNDERLINED),
    }
}

/// Mixes a fraction of another color into a color, in sRGB like terminals do.
pub fn mix(color: Rgb, other: Rgb, fraction: f32) -> Rgb {
    let (color, other): (Srgb<f32>, Srgb<f32>) = (color.into_format(), other.into_format());
    color.mix(other, fraction).into_format()
}

/// For each cell of a row, whether a wide symbol to its left hides it.
fn hidden(row: &[Cell]) -> impl Iterator<Item = bool> {
    row.iter().scan(0, |columns_left, cell| {
        let hidden = *columns_left > 0;
        *columns_left = if hidden { *columns_left - 1 } else { cell.symbol().width().saturating_sub(1) };
        Some(hidden)
    })
}

/// The cells of a row that no wide symbol hides.
pub fn visible_cells(row: &[Cell]) -> impl Iterator<Item = &Cell> {
    row.iter().zip(hidden(row)).filter(|(_, hidden)| !hidden).map(|(cell, _)| cell)
}
