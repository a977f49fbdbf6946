//! The flock's region of the screen, with the intro over it, and the flock as a widget for other programs.

pub(crate) mod hud;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::actions::Action;
use super::breeding::Breeding;
use super::context::Context;
use super::input::keymap::Keymap;
use super::screensaver::intro::Intro;
use crate::picture::{
    Cell, CellPainter, CellRow, Coloring, Content, Fade, PackedCell, PackedColor, ResolvedTheme, Surface,
};
use hud::Hud;

/// What an animation draws over the flock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlays<'a> {
    /// The intro.
    pub intro: Option<&'a Intro>,
    /// The name of a scene, and how visible it is, 0 … 1.
    pub caption: Option<(&'a str, f32)>,
    /// The captions of tiles.
    pub tiles: Option<&'a Breeding>,
    /// Whether a bar shows the scale.
    pub scale: bool,
}

/// Draws a picture with the minimap, arrows to predators out of view, the brackets around a followed boid, and an animation, clipped
/// to an area.
pub fn draw(surface: &mut impl Surface, area: Rect, has_timeline: bool, over: Overlays<'_>, context: &Context) {
    let Overlays { intro, caption, tiles, scale } = over;
    let frame = context.client.frame();
    let picture = &frame.picture;
    let theme = context.theme.resolved();
    // Map and arrows stay above the timeline.
    let above = Rect { height: area.height.saturating_sub(u16::from(has_timeline)), ..area };
    let shown = (!context.display.clean).then_some(picture);
    let hud = Hud::new(above, shown, frame, scale, theme, context.display.marker);
    let mut painter = CellPainter::new(picture, theme, &context.glyphs, context.coloring(), context.display.marker);
    let (part, parts) = context.display.part;
    let mut cells = CellRow::new(area.width * parts as u16);
    let (flock_fade, mut fade) = (context.theme.flock_fade(), context.theme.fade());
    let mut background: Vec<PackedCell> = Vec::new();
    for row in 0..area.height {
        painter.paint_background(row, area.height, &mut cells);
        if intro.is_some() || flock_fade > 0.0 {
            background.clear();
            background.extend_from_slice(cells.cells());
        }
        painter.paint(row, &mut cells);
        hud.paint(row, &mut cells);
        for (column, behind) in (0..).zip(&background) {
            let share = intro.map_or(0.0, |intro| intro.flock_fade(column, row)).max(flock_fade);
            fade.apply(cells.cell_mut(column.into()), behind.bg(), share);
        }
        if let Some(intro) = intro {
            for dots in intro.row(row).iter().filter(|dots| dots.column < area.width) {
                let cell = Cell { content: Content::Prey, heading: dots.heading, depth: dots.depth, ..Cell::default() };
                let cell_below = cells.cell_mut(dots.column.into());
                painter.dots(dots.dots, theme.cell(&cell, Coloring::Heading), cell_below);
                if dots.settled {
                    fade.highlight(cell_below, HIGHLIGHT);
                }
            }
            if row == intro.keys_row() && intro.keys_opacity() > 0.0 {
                write_keys(theme, &context.keymap, 1.0 - intro.keys_opacity(), &mut fade, cells.cells_mut());
            }
        }
        if let Some(tiles) = tiles {
            tiles.paint(row.into(), context, cells.cells_mut());
        }
        if let Some((name, opacity)) = caption.filter(|_| row + CAPTION_ROW == area.height) {
            let opacity = if theme.has_few_colors() { opacity.round() } else { opacity };
            write_centered(
                name.chars().map(|char| (char, theme.text)).collect(),
                1.0 - opacity,
                &mut fade,
                cells.cells_mut(),
            );
        }
        if parts == 1 {
            surface.draw_row(area.x, area.y + row, &cells);
        } else {
            surface.draw_row(area.x, area.y + row, &cells.part(part * usize::from(area.width), area.width));
        }
    }
}

/// The row of the caption, from the lower edge.
const CAPTION_ROW: u16 = 2;

/// The keys in the line below the name.
const KEYS: [(Action, &str); 3] = [(Action::Help, "help"), (Action::Pause, "pause"), (Action::Quit, "quit")];

/// How much brighter than the flock the name is.
const HIGHLIGHT: f32 = 0.35;

/// Writes the keys in the middle of a row, faded by `share`.
fn write_keys(theme: &ResolvedTheme, keymap: &Keymap, share: f32, fade: &mut Fade, cells: &mut [PackedCell]) {
    let mut chars: Vec<(char, Style)> = Vec::new();
    let bound = KEYS.into_iter().filter_map(|(action, word)| Some((keymap.key(action)?, word)));
    for (index, (key, word)) in bound.enumerate() {
        let parts = [
            (if index > 0 { "   " } else { "" }.to_owned(), theme.dim),
            (key, theme.accent),
            (format!(" {word}"), theme.dim),
        ];
        chars.extend(parts.iter().flat_map(|(text, style)| text.chars().map(|char| (char, *style))));
    }
    write_centered(chars, share, fade, cells);
}

/// Writes text in the middle of a row, faded by `share`.
fn write_centered(chars: Vec<(char, Style)>, share: f32, fade: &mut Fade, cells: &mut [PackedCell]) {
    if share >= 1.0 {
        return;
    }
    let start = cells.len().saturating_sub(chars.len()) / 2;
    for ((char, style), cell) in chars.into_iter().zip(&mut cells[start..]) {
        cell.set_char(char, style.fg.map_or(PackedColor::DEFAULT, PackedColor::from), Modifier::empty());
        let behind = cell.bg();
        fade.apply(cell, behind, share);
    }
}
