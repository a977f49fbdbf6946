//! The map of the world in a corner, and the corners around who is followed.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::canvas::{DOTS_HIGH, DOTS_WIDE, Minimap, ViewInfo};
use crate::terminal::{CellRow, PackedCell};
use crate::viewer::Marker;
use crate::viewer::app::App;
use crate::viewer::theme::marker::braille;

/// How many cells to the side of who is followed the corners stand, and how many above and below.
const ASIDE: (i32, i32) = (3, 1);

/// What is drawn over the flock, row by row.
pub struct Hud<'a> {
    map: Option<(&'a Minimap, Rect)>,
    followed: Option<(i32, i32)>,
    plain: bool,
    dim: Style,
    accent: Style,
}

impl<'a> Hud<'a> {
    /// What is to be drawn over a flock that takes so much of the screen.
    pub fn new(area: Rect, map: &'a Minimap, view_info: &ViewInfo, app: &App) -> Self {
        let look = &app.theme.look;
        let frame = Rect { width: map.columns as u16 + 2, height: map.rows as u16 + 2, ..area };
        let fits = map.columns > 0 && !app.is_clean() && frame.width < area.width && frame.height < area.height;
        // At the left, the panel being at the right, and below, where the status line ends.
        let corner = Rect { x: 0, y: area.height.saturating_sub(frame.height), ..frame };
        let cell = |dots: f32, per: usize| (dots / per as f32).floor() as i32;
        Self {
            map: fits.then_some((map, corner)),
            followed: view_info.followed.map(|(_, at)| (cell(at.x, DOTS_WIDE), cell(at.y, DOTS_HIGH))),
            plain: app.marker() == Marker::Ascii,
            dim: look.dim,
            accent: look.accent,
        }
    }

    /// Paints a row of the flock's area.
    pub fn paint(&self, row: u16, into: &mut CellRow) {
        if let Some((column, middle)) = self.followed {
            self.corners(i32::from(row) - middle, column, into);
        }
        if let Some((map, area)) = self.map
            && (area.y..area.bottom()).contains(&row)
        {
            self.map(map, area, row - area.y, into);
        }
    }

    /// Paints the corners in a row so far below who is followed.
    fn corners(&self, below: i32, column: i32, into: &mut CellRow) {
        let signs = match (below, self.plain) {
            (0, true) => ['[', ']'],
            (below, false) if below == -ASIDE.1 => ['┌', '┐'],
            (below, false) if below == ASIDE.1 => ['└', '┘'],
            _ => return,
        };
        for (sign, at) in signs.into_iter().zip([column - ASIDE.0, column + ASIDE.0]) {
            if let Some(at) = usize::try_from(at).ok().filter(|at| *at < into.width()) {
                let Style { fg, add_modifier, .. } = self.accent;
                into.cell_mut(at).set_char(sign, fg.unwrap_or_default().into(), add_modifier);
            }
        }
    }

    /// Paints a row of the map with its border.
    fn map(&self, map: &Minimap, area: Rect, row: u16, into: &mut CellRow) {
        let last = area.height - 1;
        let ends = match (row, self.plain) {
            (0, false) => ['┌', '─', '┐'],
            (row, false) if row == last => ['└', '─', '┘'],
            (_, false) => ['│', ' ', '│'],
            (row, true) if row == 0 || row == last => ['+', '-', '+'],
            (_, true) => ['|', ' ', '|'],
        };
        let width = usize::from(area.width);
        for at in 0..width {
            let sign = ends[if at == 0 { 0 } else { 1 + usize::from(at + 1 == width) }];
            write(sign, self.dim, into.cell_mut(at));
        }
        if row == 0 || row == last {
            return;
        }
        let first = usize::from(row - 1) * map.columns;
        let cells = map.boids[first..].iter().zip(&map.frame[first..]).take(map.columns);
        for (at, (&boids, &frame)) in (1..).zip(cells) {
            // One cell has one color, and the frame is what matters.
            let (dots, style, plain) = if frame > 0 { (frame, self.accent, '#') } else { (boids, self.dim, '.') };
            if dots > 0 {
                write(if self.plain { plain } else { braille(dots) }, style, into.cell_mut(at));
            }
        }
    }
}

/// Puts a sign where nothing of what was there is seen any more.
fn write(sign: char, style: Style, into: &mut PackedCell) {
    into.set_char(sign, style.fg.unwrap_or_default().into(), style.add_modifier);
    into.set_bg(style.bg.unwrap_or_default().into());
}
