//! The minimap in a corner, arrows to predators out of view, brackets around a followed boid, the scale bar, and the border of the world.

use std::f32::consts::TAU;

use glam::Vec2;
use ratatui::layout::Rect;

use crate::engine::Frame;
use crate::picture::{
    CellRow, CellStyle, Content, DOTS_HIGH, DOTS_WIDE, EdgeArrow, Marker, Minimap, PackedColor, Picture, ResolvedTheme,
    braille, heading_arrow, write_char,
};
use crate::sim::{Edge, World};
use crate::viewer::text::format_number;

/// The distance of the brackets from the followed boid, in columns and in rows.
const ASIDE: (i32, i32) = (3, 1);

/// The minimap, the arrows and the brackets, drawn over the flock row by row.
pub struct Hud<'a> {
    map: Option<(&'a Minimap, Rect)>,
    scale: Option<ScaleBar>,
    border: Option<Border>,
    /// The cells of the outline of a round world, and their dots.
    outline: Vec<(usize, u8)>,
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
        frame: &Frame,
        scale: bool,
        theme: &ResolvedTheme,
        marker: Marker,
    ) -> Self {
        let cell = |dots: f32, per: usize| (dots / per as f32).floor() as i32;
        let map = shown.and_then(|picture| Some((&picture.map, map_area(area, &picture.map)?)));
        let arrows = shown.map_or(&[][..], |picture| &picture.arrows);
        Self {
            map,
            arrows: arrows.iter().map(|arrow| beside_map(*arrow, area, map.map(|(_, area)| area))).collect(),
            border: shown.and_then(|picture| Border::of(frame, picture)),
            outline: shown.map(|picture| outline(frame, picture)).unwrap_or_default(),
            scale: shown.filter(|_| scale).and_then(|picture| {
                ScaleBar::new(frame.camera.scale(), area, picture, map.map(|(_, area)| area), marker == Marker::Ascii)
            }),
            followed: frame.view_info.followed.map(|(_, at)| (cell(at.x, DOTS_WIDE), cell(at.y, DOTS_HIGH))),
            ascii: marker == Marker::Ascii,
            dim: theme.dim.into(),
            accent: theme.accent.into(),
            predator: theme.predator.into(),
            background: theme.text.bg.unwrap_or_default().into(),
        }
    }

    /// Paints a row of the flock's area.
    pub fn paint(&self, row: u16, into: &mut CellRow) {
        if let Some(border) = &self.border {
            border.paint(i32::from(row), self.ascii, self.dim, into);
        }
        let width = into.width();
        let first = usize::from(row) * width;
        for (cell, dots) in self.outline.iter().filter(|(cell, _)| (first..first + width).contains(cell)) {
            write_char(if self.ascii { '.' } else { braille(*dots) }, self.dim, into.cell_mut(cell - first));
        }
        if let Some((column, middle)) = self.followed {
            self.brackets(i32::from(row) - middle, column, into);
        }
        if let Some((map, area)) = self.map
            && (area.y..area.bottom()).contains(&row)
        {
            self.map(map, area, row - area.y, into);
        }
        if let Some(bar) = self.scale.as_ref().filter(|bar| bar.row == row) {
            for (column, char) in (usize::from(bar.column)..into.width()).zip(bar.text.chars()) {
                write_char(char, self.dim, into.cell_mut(column));
            }
        }
        for arrow in self.arrows.iter().filter(|arrow| arrow.row == usize::from(row) && arrow.column < width) {
            write_char(heading_arrow(arrow.heading, self.ascii), self.predator, into.cell_mut(arrow.column));
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
                write_char(char, self.accent, into.cell_mut(at));
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
            write_char(char, self.dim, cell);
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
                write_char(if self.ascii { plain } else { braille(dots) }, style, into.cell_mut(at));
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

/// The border of a flat world that does not fill the picture: solid for walls, dashed where opposite sides are joined.
struct Border {
    /// The first and the last column, and the first and the last row.
    columns: (i32, i32),
    rows: (i32, i32),
    is_dashed: bool,
    /// The cells with boids, row by row.
    occupied: Vec<bool>,
    width: usize,
}

impl Border {
    fn of(frame: &Frame, picture: &Picture) -> Option<Self> {
        if frame.world.dim() != 2 || !has_border(frame, picture) || frame.camera.is_wrapping() {
            return None;
        }
        let (origin, size) = (frame.world.origin(), frame.world.size());
        let first = frame.camera.project([origin[0], origin[1], 0.0]).at;
        let last = frame.camera.project([origin[0] + size[0], origin[1] + size[1], 0.0]).at;
        let (width, height) = (DOTS_WIDE as f32, DOTS_HIGH as f32);
        Some(Self {
            columns: ((first.x / width).floor() as i32 - 1, (last.x / width).ceil() as i32),
            rows: ((first.y / height).floor() as i32 - 1, (last.y / height).ceil() as i32),
            is_dashed: frame.controls.current_params.edge.mode == Edge::Wrap,
            occupied: picture.cells.all().iter().map(|cell| cell.content != Content::Empty).collect(),
            width: picture.columns,
        })
    }

    fn paint(&self, row: i32, ascii: bool, style: CellStyle, into: &mut CellRow) {
        let ((left, right), (top, bottom)) = (self.columns, self.rows);
        let [across, down] = match (ascii, self.is_dashed) {
            (true, false) => ['-', '|'],
            (true, true) => ['.', ':'],
            (false, false) => ['─', '│'],
            (false, true) => ['╌', '╎'],
        };
        if !(top..=bottom).contains(&row) {
            return;
        }
        for column in left.max(0)..=right.min(into.width().cast_signed() as i32 - 1) {
            let is_end = column == left || column == right;
            let char = match (row == top, row == bottom) {
                (false, false) if is_end => down,
                (false, false) => continue,
                _ if !is_end => across,
                _ if ascii => '+',
                (is_top, _) => ['└', '┘', '┌', '┐'][2 * usize::from(is_top) + usize::from(column != left)],
            };
            let cell = row as usize * self.width + column as usize;
            if !self.occupied.get(cell).copied().unwrap_or(false) {
                write_char(char, style, into.cell_mut(column as usize));
            }
        }
    }
}

/// Whether to show where the world ends.
fn has_border(frame: &Frame, picture: &Picture) -> bool {
    // A text from standard input looks as in the terminal.
    let is_plain = frame.recording.is_none() && frame.brood.is_none() && !picture.has_glyphs;
    is_plain && frame.controls.current_params.edge.mode != Edge::Open
}

/// The great circle of a round world across the line of sight, where there are no boids.
fn outline(frame: &Frame, picture: &Picture) -> Vec<(usize, u8)> {
    let World::Sphere(radius) = frame.world else { return Vec::new() };
    if !has_border(frame, picture) {
        return Vec::new();
    }
    let camera = &frame.camera;
    let [right, down] = [Vec2::X, Vec2::Y].map(|step| camera.unproject_direction(step).normalize_or_zero() * radius);
    // At most a dot between two points.
    let points = (TAU * radius * camera.scale()).clamp(16.0, 2000.0) as usize;
    let mut cells: Vec<(usize, u8)> = Vec::new();
    for angle in (0..points).map(|point| TAU * point as f32 / points as f32) {
        let dot = camera.project((right * angle.cos() + down * angle.sin()).to_array()).at;
        let Some((cell, bit)) = picture.locate(dot) else { continue };
        if picture.cells.all()[cell].content != Content::Empty {
            continue;
        }
        match cells.last_mut().filter(|(last, _)| *last == cell) {
            Some((_, dots)) => *dots |= bit,
            None => cells.push((cell, bit)),
        }
    }
    cells
}

/// The columns of the scale bar, between its ends.
const BAR: usize = 12;

/// A line as long as a round number of u, at the depth of the middle of the view.
struct ScaleBar {
    row: u16,
    column: u16,
    text: String,
}

impl ScaleBar {
    /// Places the bar in the emptiest corner of the area, for so many dots per u.
    fn new(dots_per_unit: f32, area: Rect, picture: &Picture, map: Option<Rect>, ascii: bool) -> Option<Self> {
        let columns_per_unit = dots_per_unit / DOTS_WIDE as f32;
        let longest = BAR as f32 / columns_per_unit;
        let power = 10_f32.powf(longest.log10().floor());
        let length = [5.0, 2.0, 1.0].map(|digit| digit * power).into_iter().find(|length| *length <= longest)?;
        let line = (length * columns_per_unit).round().max(2.0) as usize;
        let [left, middle, right] = if ascii { ["|", "-", "|"] } else { ["├", "─", "┤"] };
        let text = format!("{left}{}{right} {} u", middle.repeat(line.saturating_sub(2)), format_number(length));
        let width = text.chars().count() as u16;
        let (bottom, far) = (area.height.checked_sub(2)?, area.width.checked_sub(width + 1)?);
        let corners = [(bottom, 1), (bottom, far), (1, 1), (1, far)];
        let boids = |(row, column): (u16, u16)| {
            let first = usize::from(row) * picture.columns + usize::from(column);
            let cells = picture.cells.all().get(first..first + usize::from(width)).unwrap_or_default();
            let is_covered = map.is_some_and(|map| map.intersects(Rect { x: column, y: row, width, height: 1 }));
            cells.iter().filter(|cell| cell.content != Content::Empty).count() + usize::from(is_covered) * 1000
        };
        let (row, column) = corners.into_iter().min_by_key(|corner| boids(*corner))?;
        Some(Self { row, column, text })
    }
}

/// The minimap's area including its border: in the lower left corner, away from the panel.
fn map_area(area: Rect, map: &Minimap) -> Option<Rect> {
    let (width, height) = (map.columns as u16 + 2, map.rows as u16 + 2);
    let fits = map.columns > 0 && width < area.width && height < area.height;
    fits.then(|| Rect { x: 0, y: area.height - height, width, height })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Controls;
    use crate::picture::Camera;
    use crate::sim::{Flock, Setup, World};

    #[test]
    fn the_scale_bar_is_as_long_as_a_round_number_and_avoids_the_map() {
        let (area, mut picture) = (Rect::new(0, 0, 60, 20), Picture::default());
        (picture.columns, picture.rows) = (60, 20);
        let bar = |dots_per_unit, map| ScaleBar::new(dots_per_unit, area, &picture, map, false).unwrap();
        // 2 dots to a column: 10 u are 10 columns.
        assert_eq!(bar(2.0, None).text, "├────────┤ 10 u");
        assert_eq!(bar(0.1, None).text, "├────────┤ 200 u");
        assert_eq!((bar(2.0, None).row, bar(2.0, None).column), (18, 1));
        assert_eq!(bar(2.0, Some(Rect::new(0, 10, 20, 10))).column, 44);
        assert!(ScaleBar::new(2.0, Rect::new(0, 0, 8, 20), &picture, None, false).is_none(), "no space");
    }

    #[test]
    fn a_flat_world_that_does_not_fill_the_picture_has_a_border() {
        let drawn = |edge: Edge, world: World| {
            let mut setup = Setup::new(world).with_boids(1);
            setup.params.edge.mode = edge;
            let flock = Flock::new(&setup).unwrap();
            let mut frame = Frame::new(Controls::of_setup(setup, 30.0));
            frame.world = world;
            frame.camera = Camera::new(&flock, 40, 10);
            let border = Border::of(&frame, &frame.picture)?;
            let mut row = CellRow::new(40);
            border.paint(5, false, ratatui::style::Style::new().into(), &mut row);
            Some(row.cells().iter().map(|cell| cell.char().unwrap_or(' ')).collect::<String>())
        };
        // 80 by 40 dots: a square world leaves 20 dots, ten columns, on either side.
        let narrow = World::Rect([100.0, 100.0]);
        assert_eq!(drawn(Edge::Turn, narrow).unwrap().replace(' ', ""), "││");
        assert_eq!(drawn(Edge::Wrap, narrow).unwrap().replace(' ', ""), "╎╎");
        assert_eq!(drawn(Edge::Open, narrow), None);
        assert_eq!(drawn(Edge::Turn, World::Rect([200.0, 100.0])).unwrap().trim(), "", "it fills the picture");
    }

    #[test]
    fn a_round_world_has_an_outline_where_there_are_no_boids() {
        let cells = |edge: Edge, is_full: bool| {
            let mut setup = Setup::new(World::Sphere(50.0)).with_boids(1);
            setup.params.edge.mode = edge;
            let flock = Flock::new(&setup).unwrap();
            let mut frame = Frame::new(Controls::of_setup(setup, 30.0));
            (frame.world, frame.camera) = (World::Sphere(50.0), Camera::new(&flock, 60, 20));
            (frame.picture.columns, frame.picture.rows) = (60, 20);
            frame.picture.cells.clear(60, 20);
            (0..60 * 20).filter(|_| is_full).for_each(|at| frame.picture.cells.draw(at).content = Content::Prey);
            outline(&frame, &frame.picture)
        };
        let shown = cells(Edge::Sphere, false);
        // Half the height of the picture from its middle, to within the perspective.
        let distances = shown.iter().map(|(cell, _)| {
            let (column, row) = ((cell % 60) as f32 + 0.5, (cell / 60) as f32 + 0.5);
            (2.0 * (column - 30.0)).hypot(4.0 * (row - 10.0))
        });
        let (least, most) = distances.fold((f32::MAX, 0.0), |(least, most): (f32, f32), d| (least.min(d), most.max(d)));
        assert!(shown.len() > 30 && least > 25.0 && most < 45.0 && most - least < 6.0, "{least} {most}");
        assert!(cells(Edge::Open, false).is_empty() && cells(Edge::Sphere, true).is_empty());
    }
}
