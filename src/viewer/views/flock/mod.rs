//! The flock's region of the screen.

pub(crate) mod hud;
pub(crate) mod intro;
pub(crate) mod painter;
pub(crate) mod widget;

use ratatui::layout::Rect;

use crate::canvas::{Picture, ViewInfo};
use crate::terminal::{CellRow, PackedCell};
use crate::viewer::app::App;
use hud::Hud;
use painter::{CellPainter, Surface};

/// Draws a picture with the minimap, the brackets around a followed boid, and the intro, clipped to an area.
pub fn draw(surface: &mut impl Surface, area: Rect, picture: &Picture, view_info: &ViewInfo, app: &App) {
    let theme = app.theme.resolved();
    // The map stays above the timeline.
    let above = Rect { height: area.height.saturating_sub(u16::from(app.shows_timeline())), ..area };
    let hud = Hud::new(above, (!app.display.clean).then_some(&picture.map), view_info, theme, app.display.marker);
    let mut painter = CellPainter::new(picture, theme, app.coloring(), app.display.marker);
    let mut cells = CellRow::new(area.width);
    let (intro, flock_fade, mut fade) = (app.screensaver.intro(), app.theme.flock_fade(), app.theme.fade());
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
            intro::paint(intro, row, theme, &app.keymap, &painter, &mut fade, cells.cells_mut());
        }
        surface.draw_row(area.x, area.y + row, &cells);
    }
}
