//! The minimap in a corner, arrows to predators out of view, and brackets around a followed boid.

use ratatui::layout::Rect;

use super::painter::write;
use crate::canvas::{DOTS_HIGH, DOTS_WIDE, EdgeArrow, Minimap, Picture, ViewInfo};
use crate::terminal::{CellRow, PackedColor};
use crate::viewer::Marker;
use crate::viewer::theme::marker::{braille, pointer};
use crate::viewer::theme::{CellStyle, ResolvedTheme};

/// The distance of the brackets from the followed boid, in columns and in rows.
const ASIDE: (i32, i32) = (3, 1);

/// The minimap, the arrows and the brackets, drawn over the flock row by row.
pub struct Hud<'a> {
    map: Option<(&'a Minimap, Rect)>,
    arrows: Vec<EdgeArrow>,
    followed: Option<(i32, i32)>,
    ascii: bool,
    dim: CellStyle,
    accent: CellStyle,
    predator: CellStyle,
    background: PackedColor,
}

impl<'a> Hud<'a> {
    /// Places the brackets in the flock's area, and the minimap and the arrows of a picture if they are to be shown.
    pub fn new(
        area: Rect,
        shown: Option<&'a Picture>,
        view_info: &ViewInfo,
        theme: &ResolvedTheme,
        marker: Marker,
    ) -> Self {
        let cell = |dots: f32, per: usize| (dots / per as f32).floor() as i32;
        let map = shown.and_then(|picture| Some((&picture.map, map_area(area, &picture.map)?)));
        let arrows = shown.map_or(&[][..], |picture| &picture.arrows);
        Self {
            map,
            arrows: arrows.iter().map(|arrow| beside_map(*arrow, area, map.map(|(_, area)| area))).collect(),
            followed: view_info.followed.map(|(_, at)| (cell(at.x, DOTS_WIDE), cell(at.y, DOTS_HIGH))),
            ascii: marker == Marker::Ascii,
            dim: theme.dim.into(),
            accent: theme.accent.into(),
            predator: theme.predator.into(),
            background: theme.text.bg.unwrap_or_default().into(),
        }
    }

    /// Paints a row of the flock's area.
    pub fn paint(&self, row: u16, into: &mut CellRow) {
        if let Some((column, middle)) = self.followed {
            self.brackets(i32::from(row) - middle, column, into);
        }
        if let Some((map, area)) = self.map
            && (area.y..area.bottom()).contains(&row)
        {
            self.map(map, area, row - area.y, into);
        }
        let width = into.width();
        for arrow in self.arrows.iter().filter(|arrow| arrow.row == usize::from(row) && arrow.column < width) {
            write(pointer(arrow.heading, self.ascii), self.predator, into.cell_mut(arrow.column));
        }
    }

    /// Paints the brackets in a row `below` the followed boid.
    fn brackets(&self, below: i32, column: i32, into: &mut CellRow) {
        let chars = match (below, self.ascii) {
            (0, true) => ['[', ']'],
            (below, false) if below == -ASIDE.1 => ['┌', '┐'],
            (below, false) if below == ASIDE.1 => ['└', '┘'],
            _ => return,
        };
        for (char, at) in chars.into_iter().zip([column - ASIDE.0, column + ASIDE.0]) {
            if let Some(at) = usize::try_from(at).ok().filter(|at| *at < into.width()) {
                write(char, self.accent, into.cell_mut(at));
            }
        }
    }

    /// Paints a row of the map with its border.
    fn map(&self, map: &Minimap, area: Rect, row: u16, into: &mut CellRow) {
        let last = area.height - 1;
        let ends = match (row, self.ascii) {
            (0, false) => ['┌', '─', '┐'],
            (row, false) if row == last => ['└', '─', '┘'],
            (_, false) => ['│', ' ', '│'],
            (row, true) if row == 0 || row == last => ['+', '-', '+'],
            (_, true) => ['|', ' ', '|'],
        };
        let width = usize::from(area.width);
        for at in 0..width {
            let char = ends[if at == 0 { 0 } else { 1 + usize::from(at + 1 == width) }];
            let cell = into.cell_mut(at);
            write(char, self.dim, cell);
            cell.set_bg(self.background);
        }
        if row == 0 || row == last {
            return;
        }
        let first = usize::from(row - 1) * map.columns;
        let cells = map.boids[first..].iter().zip(&map.frame[first..]).take(map.columns);
        for (at, (&boids, &frame)) in (1..).zip(cells) {
            // A cell has one color: the frame takes precedence.
            let (dots, style, plain) = if frame > 0 { (frame, self.accent, '#') } else { (boids, self.dim, '.') };
            if dots > 0 {
                write(if self.ascii { plain } else { braille(dots) }, style, into.cell_mut(at));
            }
        }
    }
}

/// Moves an arrow into the flock's area, and along the edge out of the map.
fn beside_map(arrow: EdgeArrow, area: Rect, map: Option<Rect>) -> EdgeArrow {
    let inside = EdgeArrow { row: arrow.row.min(area.height.saturating_sub(1).into()), ..arrow };
    match map.filter(|map| inside.column < map.width.into() && inside.row >= map.y.into()) {
        Some(map) if inside.column == 0 => EdgeArrow { row: usize::from(map.y) - 1, ..inside },
        Some(map) => EdgeArrow { column: map.width.into(), ..inside },
        None => inside,
    }
}

/// The minimap's area including its border: in the lower left corner, away from the panel.
fn map_area(area: Rect, map: &Minimap) -> Option<Rect> {
    let (width, height) = (map.columns as u16 + 2, map.rows as u16 + 2);
    let fits = map.columns > 0 && width < area.width && height < area.height;
    fits.then(|| Rect { x: 0, y: area.height - height, width, height })
}
