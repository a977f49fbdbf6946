//! The flock's region of the screen.

pub(crate) mod hud;
pub(crate) mod intro;
pub(crate) mod painter;
pub(crate) mod widget;

use ratatui::layout::Rect;

use crate::engine::Frame;
use crate::terminal::{CellRow, PackedCell};
use crate::viewer::context::Context;
use crate::viewer::screensaver::intro::Intro;
use hud::Hud;
use painter::{CellPainter, Surface};

/// Draws a picture with the minimap, the brackets around a followed boid, and the intro, clipped to an area.
pub fn draw(surface: &mut impl Surface, area: Rect, has_timeline: bool, intro: Option<&Intro>, context: &Context) {
    let Frame { picture, view_info, .. } = context.client.frame();
    let theme = context.theme.resolved();
    // The map stays above the timeline.
    let above = Rect { height: area.height.saturating_sub(u16::from(has_timeline)), ..area };
    let hud =
        Hud::new(above, (!context.display.clean).then_some(&picture.map), view_info, theme, context.display.marker);
    let mut painter = CellPainter::new(picture, theme, context.coloring(), context.display.marker);
    let mut cells = CellRow::new(area.width);
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
            intro::paint(intro, row, theme, &context.keymap, &painter, &mut fade, cells.cells_mut());
        }
        surface.draw_row(area.x, area.y + row, &cells);
    }
}
