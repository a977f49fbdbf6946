//! Draws agents one by one: winged boids, predators with the arrows to those out of view, the marks of leaders, and the letters
//! that boids form, a dot for each boid at rest on its perch or its glyph.

use std::f32::consts::TAU;

use glam::Vec2;

use crate::canvas::camera::Camera;
use crate::canvas::picture::{
    Cell, Content, DOTS_HIGH, DOTS_WIDE, EdgeArrow, Glow, Picture, PlacedGlyph, coarse_heading, coarse_level,
    heading_byte, unit_byte,
};
use crate::canvas::projection::unit_or_zero;
use flockscope_sim::{Kind, Perches, Snapshot};

/// How many dots the largest body extends from its middle.
const REACH: f32 = 12.0;
/// Agents that are skipped together if none of them has the kind.
const RUN: usize = 64;

/// One agent of a flock.
pub(super) struct Agent {
    pub(super) id: u32,
    pub(super) position: [f32; 3],
    pub(super) velocity: [f32; 3],
    pub(super) alarm: f32,
}

/// The agent at an index.
pub(super) fn agent(flock: Snapshot<'_>, index: usize) -> Agent {
    let agents = flock.agents;
    Agent {
        id: agents.ids()[index],
        position: agents.position_array(index),
        velocity: agents.velocity_array(index),
        // Other moods are no alarm.
        alarm: if flock.params.has_alarm() { agents.alarm(index) } else { 0.0 },
    }
}

/// The agents of a kind. For all boids of a large flock
/// [`visit_blocks`](crate::canvas::projection::visit_blocks) is faster.
pub(super) fn agents(flock: Snapshot<'_>, kind: Kind) -> impl Iterator<Item = Agent> {
    let runs = flock.agents.kinds().chunks(RUN).enumerate();
    let runs = runs.filter(move |(_, kinds)| kinds.iter().fold(0, |any, of| any | u8::from(*of == kind)) > 0);
    let kinds = runs.flat_map(|(run, kinds)| kinds.iter().enumerate().map(move |(at, of)| (run * RUN + at, *of)));
    kinds.filter(move |(_, of)| *of == kind).map(move |(index, _)| agent(flock, index))
}

/// Whether a boid rests on a perch, where it is one dot of a letter.
pub(super) fn is_on_perch(flock: Snapshot<'_>, boid: &Agent) -> bool {
    flock.perches.and_then(|perches| perches.called_to(boid.id)).is_some_and(|perch| perch.at == boid.position)
}

/// An agent's heading and speed, as in [`Cell`].
pub(super) fn motion_bytes(flock: Snapshot<'_>, camera: &Camera, agent: &Agent) -> (u8, u8) {
    let heading = camera.project_direction(agent.velocity);
    let [x, y, z] = agent.velocity;
    let limits = flock.params.speed;
    let speed = ((x * x + y * y + z * z).sqrt() - limits.min) / (limits.max - limits.min).max(1e-6);
    (coarse_heading(heading_byte(heading.x, heading.y)), coarse_level(unit_byte(speed)))
}

/// Draws winged bodies around the heads of the boids.
pub(crate) fn draw_boids(flock: Snapshot<'_>, camera: &Camera, size: BodySize, picture: &mut Picture) {
    for agent in agents(flock, Kind::Prey).filter(|agent| !is_on_perch(flock, agent)) {
        let point = camera.project(agent.position);
        let size = size.magnified(point.magnification).filter(|_| picture.contains(point.at, REACH));
        let Some(size) = size else { continue };
        let heading = unit_or_zero(camera.project_direction(agent.velocity));
        let pose = BodyPose { at: point.at, heading, wings: wing_beat(flock.picture_tick(), agent.id, false) };
        let motion = motion_bytes(flock, camera, &agent);
        plot_boid(pose, size, |dot| {
            let Some((index, bit)) = picture.locate(dot) else { return };
            let cell = picture.cells.draw(index);
            cell.dots |= bit;
            // A cell without heads takes its values from the first boid that reaches into it.
            if cell.content == Content::Empty {
                cell.content = Content::Prey;
                (cell.heading, cell.speed) = motion;
                cell.depth = unit_byte(point.depth);
                cell.species = flock.species_of(agent.id);
                cell.alarm = Cell::alarm_level(agent.alarm);
            }
        });
    }
}

/// Marks the cells of leaders.
pub(crate) fn mark_leaders(flock: Snapshot<'_>, camera: &Camera, picture: &mut Picture) {
    for leader in agents(flock, Kind::Prey).filter(|agent| flock.params.is_leader(agent.id)) {
        if let Some((index, _)) = picture.locate(camera.project(leader.position).at) {
            picture.cells.draw(index).leads = true;
        }
    }
}

/// Draws the predators over the boids. A cell with a part of a predator shows nothing else.
pub(crate) fn draw_predators(flock: Snapshot<'_>, camera: &Camera, water: bool, picture: &mut Picture) {
    let cells = (picture.columns as f32).min(2.0 * picture.rows as f32);
    let size = (cells / CELLS_PER_SIZE).clamp(PREDATOR_SIZES.0, PREDATOR_SIZES.1);
    for agent in agents(flock, Kind::Predator) {
        let point = camera.project(agent.position);
        let heading = camera.project_direction(agent.velocity).try_normalize().unwrap_or(Vec2::X);
        let pose = BodyPose { at: point.at, heading, wings: wing_beat(flock.picture_tick(), agent.id, true) };
        let motion = motion_bytes(flock, camera, &agent);
        let plot = if water { plot_shark } else { plot_falcon };
        plot(pose, size, &mut |dot| {
            for (x, y) in (-GAP..=GAP).flat_map(|x| (-GAP..=GAP).map(move |y| (x, y))) {
                if let Some((index, bit)) = picture.locate(dot + Vec2::new(x as f32, y as f32))
                    && picture.cells.all()[index].content == Content::Prey
                {
                    picture.cells.draw(index).dots &= !bit;
                }
            }
            let Some((index, bit)) = picture.locate(dot) else { return };
            let cell = picture.cells.draw(index);
            if cell.content != Content::Predator {
                (cell.content, cell.dots, cell.count) = (Content::Predator, 0, 0);
            }
            cell.dots |= bit;
            cell.alarm = 0;
            (cell.heading, cell.speed) = motion;
            cell.depth = unit_byte(point.depth);
        });
        if let Some((index, _)) = picture.locate(point.at) {
            picture.cells.draw(index).count += 1;
        }
    }
    clear_around_predators(picture);
}

/// Puts predators in a gap in the glow, a cell wide, without boids. The glow is weaker around it.
fn clear_around_predators(picture: &mut Picture) {
    let cells = picture.cells.all();
    let predators: Vec<usize> = (0..picture.glow.len()).filter(|at| cells[*at].content == Content::Predator).collect();
    let gap = cells_around(&predators, picture);
    let rim = cells_around(&gap, picture);
    for at in cells_around(&rim, picture) {
        picture.glow[at].level = picture.glow[at].level * 2 / 3;
    }
    for at in rim {
        picture.glow[at].level /= 2;
    }
    for at in gap {
        picture.glow[at].level = 0;
        if picture.cells.all()[at].content == Content::Prey {
            *picture.cells.draw(at) = Cell::default();
        }
    }
}

/// The indices of cells and of those around them, each once.
fn cells_around(cells: &[usize], picture: &Picture) -> Vec<usize> {
    let (columns, rows) = (picture.columns, picture.rows);
    let near = |at: usize, len: usize| at.saturating_sub(1)..=(at + 1).min(len - 1);
    let around = cells.iter().flat_map(|cell| {
        near(cell / columns, rows)
            .flat_map(move |row| near(cell % columns, columns).map(move |column| row * columns + column))
    });
    let mut around: Vec<usize> = around.collect();
    around.sort_unstable();
    around.dedup();
    around
}

/// The most arrows to predators out of view.
const MOST_ARROWS: usize = 6;
/// The cells between two arrows, across and down, at least.
const ARROW_GAP: (usize, usize) = (2, 1);

/// Points to the nearest predators out of view, from the edge of the picture. One arrow is for all predators in about the
/// same direction.
pub(crate) fn point_to_predators(flock: Snapshot<'_>, camera: &Camera, picture: &mut Picture) {
    let mut outside: Vec<(f32, EdgeArrow)> = Vec::new();
    for predator in agents(flock, Kind::Predator) {
        if !picture.contains(camera.project(predator.position).at, 0.0) {
            let offset = camera.offset(predator.position);
            // Behind the camera it has no projection, but still a side.
            let aside = camera.rotate(offset).truncate() / camera.dot_aspect();
            outside.push((offset.length_squared(), edge_arrow(aside, camera.middle(), picture)));
        }
    }
    outside.sort_by(|(near, _), (far, _)| near.total_cmp(far));
    for (_, arrow) in outside {
        let is_crowded = picture.arrows.iter().any(|other| {
            arrow.column.abs_diff(other.column) <= ARROW_GAP.0 && arrow.row.abs_diff(other.row) <= ARROW_GAP.1
        });
        if picture.arrows.len() < MOST_ARROWS && !is_crowded {
            picture.arrows.push(arrow);
        }
    }
}

/// An arrow where a line from the middle of the picture in a direction meets its edge; down without a direction.
fn edge_arrow(direction: Vec2, middle: Vec2, picture: &Picture) -> EdgeArrow {
    let direction = direction.try_normalize().unwrap_or(Vec2::Y);
    let dots = middle / direction.abs().max(Vec2::splat(f32::MIN_POSITIVE));
    let at = middle + direction * dots.min_element();
    let cell = |dot: f32, dots: usize, cells: usize| (dot.max(0.0) as usize / dots).min(cells.saturating_sub(1));
    EdgeArrow {
        column: cell(at.x, DOTS_WIDE, picture.columns),
        row: cell(at.y, DOTS_HIGH, picture.rows),
        heading: heading_byte(direction.x, direction.y),
    }
}

/// Ticks per wing beat, of boids and of predators.
const BEAT_TICKS: (u64, u64) = (14, 44);
/// Phase between consecutive ids, as a share of a beat: the golden ratio spreads the phases evenly.
const PHASE: f32 = 0.618_034;
/// Bodies are large from this many dots per boid on.
const DOTS_FOR_LARGE: usize = 140;
/// Bodies are huge from this many dots per boid and this zoom on.
const DOTS_FOR_HUGE: usize = 1400;
const ZOOM_FOR_HUGE: f32 = 2.0;
/// Bodies magnified by more than this are drawn one size larger; reduced by more, one size smaller.
const SIZE_RATIO: f32 = 1.7;

/// The size of a boid's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodySize {
    /// Three to five dots.
    Small,
    /// Up to eight dots.
    Large,
    /// Up to fourteen dots.
    Huge,
}

impl BodySize {
    /// The size for this many boids on this many dots.
    pub(crate) fn new(dots: usize, boids: usize, zoom: f32) -> Self {
        match dots / boids.max(1) {
            ..DOTS_FOR_LARGE => Self::Small,
            DOTS_FOR_HUGE.. if zoom >= ZOOM_FOR_HUGE => Self::Huge,
            _ => Self::Large,
        }
    }

    /// The size of a body in the foreground or background; `None` for a mere dot.
    pub(super) fn magnified(self, by: f32) -> Option<Self> {
        match self {
            Self::Small if by < 1.0 / SIZE_RATIO => None,
            Self::Large if by < 1.0 / SIZE_RATIO => Some(Self::Small),
            Self::Huge if by < 1.0 / SIZE_RATIO => Some(Self::Large),
            Self::Small if by > SIZE_RATIO => Some(Self::Large),
            Self::Large if by > SIZE_RATIO => Some(Self::Huge),
            size => Some(size),
        }
    }
}

/// Position and attitude of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyPose {
    /// In dots.
    pub(super) at: Vec2,
    /// A unit vector.
    pub(super) heading: Vec2,
    /// −1 folded … 1 spread.
    pub(super) wings: f32,
}

/// How far the wings of an agent are spread at a tick: −1 folded … 1 spread.
pub(super) fn wing_beat(tick: u64, id: u32, predator: bool) -> f32 {
    let ticks = if predator { BEAT_TICKS.1 } else { BEAT_TICKS.0 };
    let phase = (tick % ticks) as f32 / ticks as f32 + (id % 4096) as f32 * PHASE;
    (phase.fract() * TAU).sin()
}

/// Calls `plot` with each dot of a boid's body.
pub(super) fn plot_boid(pose: BodyPose, size: BodySize, mut plot: impl FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    let perpendicular = heading.perp();
    let spread = 0.5 + 0.5 * wings;
    plot(at);
    match size {
        BodySize::Small => {
            plot(at - heading);
            // Spread wings reach out; folded wings form the tail.
            let tip = at - heading * (1.6 - 0.6 * spread);
            plot(tip + perpendicular * (0.7 + 0.6 * spread));
            plot(tip - perpendicular * (0.7 + 0.6 * spread));
        }
        BodySize::Large => {
            plot(at + heading);
            plot(at - heading);
            plot(at - heading * 2.0);
            let (root, tip) = (at - heading * 0.3, at - heading * (1.9 - 1.2 * spread));
            for side in [perpendicular, -perpendicular] {
                plot(root + side * (0.5 + 0.6 * spread));
                plot(tip + side * (0.8 + 1.5 * spread));
            }
        }
        BodySize::Huge => {
            (-4..=2).for_each(|step| plot(at + heading * step as f32));
            let sweep = 0.9 - 0.7 * spread;
            for side in [perpendicular, -perpendicular] {
                for step in [1.0, 2.0, 3.0] {
                    plot(at + heading * (0.4 - sweep * step) + side * (step * (0.6 + 0.55 * spread)));
                }
            }
        }
    }
}

/// The size of a predator's body is 1 on a picture of this many cells across, or half as many down.
const CELLS_PER_SIZE: f32 = 32.0;
/// The smallest and the largest size.
const PREDATOR_SIZES: (f32, f32) = (0.5, 2.2);
/// The dots around a predator that boids leave free.
const GAP: i32 = 2;

/// Calls `plot` with each dot of a shark seen from above, about fourteen dots times its size long. Its tail beats.
fn plot_shark(pose: BodyPose, size: f32, plot: &mut dyn FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    let (steps, right) = (|length: f32| (length * size).round() as i32, heading.perp());
    let tail = at - heading * (7.0 * size) + right * (1.2 * size * wings);
    for step in -steps(7.0)..=steps(6.0) {
        let along = step as f32 / size;
        let half = (1.7 * (1.0 - ((along - 1.5) / 7.0).powi(2)) * size) as i32;
        // The rear half bends toward the tail.
        let bend = right * (1.2 * size * wings * (along.min(0.0) / 7.0).powi(2));
        (-half..=half).for_each(|across| plot(at + heading * step as f32 + right * across as f32 + bend));
    }
    for side in [right, -right] {
        for step in 0..=steps(4.0) {
            let out = step as f32 / size;
            // Fins are broad at the body, and end in a point.
            let chord = ((2.6 - 0.6 * out) * size).max(0.0) as i32;
            let edge = at + (heading * (2.6 - 0.8 * out) + side * (1.0 + out)) * size;
            (0..=chord).for_each(|behind| plot(edge - heading * behind as f32));
        }
        for step in 0..=steps(2.6) {
            let edge = tail - heading * (0.5 * step as f32) + side * step as f32;
            plot(edge);
            plot(edge - heading);
        }
    }
}

/// Calls `plot` with each dot of a falcon seen from above, about eleven dots times its size long and, with wings spread, thirteen
/// wide. The wings sweep back as they fold.
fn plot_falcon(pose: BodyPose, size: f32, plot: &mut dyn FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    let steps = |length: f32| (length * size).round() as i32;
    (-steps(6.0)..=steps(4.0)).for_each(|step| plot(at + heading * step as f32));
    let (out, sweep) = (0.9 + 0.15 * wings, 0.115 - 0.055 * wings);
    for side in [heading.perp(), -heading.perp()] {
        plot(at + heading * (2.0 * size) + side * 0.8);
        plot(at - heading * (5.6 * size) + side);
        for step in 1..=steps(6.0) {
            let along = step as f32 / size;
            let edge = heading * (1.6 + 0.25 * along - sweep * along * along) + side * (out * along);
            // The wings are broad at the shoulder and end in a point.
            let chord = ((3.4 - 0.6 * along) * size).max(0.0) as i32;
            (0..=chord).for_each(|behind| plot(at + edge * size - heading * behind as f32));
        }
    }
}

/// The share of the ring of heading colors that a line of letters runs through, as in the title.
const ARC: f32 = 0.6 * 256.0;

/// How pale boids in flight are while letters are complete, as in [`Cell::depth`].
const BEHIND: u8 = 225;
/// The share of the glow that complete letters leave.
const GLOW_BEHIND: f32 = 0.3;
/// The light of complete letters: in small fonts dots alone are faint.
const LETTER_LIGHT: u8 = Glow::LEVELS * 2 / 3;
/// From this share of a text on, boids in flight leave the cells around it free.
const LEGIBLE: f32 = 0.6;

/// Draws boids that form letters over all others.
pub(crate) fn draw_letters(flock: Snapshot<'_>, camera: &Camera, picture: &mut Picture) {
    let Some(perches) = flock.perches else { return };
    if perches.has_numbered() {
        list_glyphs(flock, perches, camera, picture);
    }
    let resting = agents(flock, Kind::Prey).filter(|agent| is_on_perch(flock, agent));
    let resting = resting.filter(|agent| perches.perch_of(agent.id).is_some_and(|perch| perch.number.is_none()));
    let mut dots: Vec<(usize, u8)> =
        resting.filter_map(|agent| picture.locate(camera.project(agent.position).at)).collect();
    dots.sort_unstable();
    let share = dots.len() as f32 / perches.formation().perches.len() as f32;
    let paleness = (f32::from(BEHIND) * share) as u8;
    picture.cells.for_each_drawn(|_, cell| {
        if cell.content == Content::Prey {
            cell.depth = cell.depth.max(paleness);
        }
    });
    let glow = 1.0 - (1.0 - GLOW_BEHIND) * share;
    picture.glow.iter_mut().for_each(|cell| cell.level = (f32::from(cell.level) * glow) as u8);
    let cells: Vec<usize> = dots.chunk_by(|(cell, _), (next, _)| cell == next).map(|dots| dots[0].0).collect();
    if share >= LEGIBLE {
        for cell in cells_around(&cells, picture) {
            if picture.cells.all()[cell].content == Content::Prey {
                *picture.cells.draw(cell) = Cell::default();
            }
            if let Some(glow) = picture.glow.get_mut(cell) {
                glow.level = 0;
            }
        }
    }
    for cell_dots in dots.chunk_by(|(cell, _), (next, _)| cell == next) {
        let index = cell_dots[0].0;
        let along = (index % picture.columns) as f32 / picture.columns as f32;
        let cell = picture.cells.draw(index);
        // A predator hides boids. Other boids would make letters illegible.
        if cell.content != Content::Predator {
            let dots = cell_dots.iter().fold(0, |dots, (_, dot)| dots | dot);
            let (heading, count) = ((ARC * along) as u8, cell_dots.len() as u16);
            *cell = Cell { content: Content::Prey, dots, heading, count, density: u8::MAX, ..Cell::default() };
            if let Some(glow) = picture.glow.get_mut(index) {
                *glow = Glow { level: (f32::from(LETTER_LIGHT) * share) as u8, heading, ..Glow::default() };
            }
        }
    }
}

/// Lists the boids in view whose perches have numbers, row by row.
fn list_glyphs(flock: Snapshot<'_>, perches: &Perches, camera: &Camera, picture: &mut Picture) {
    for agent in agents(flock, Kind::Prey) {
        let Some(perch) = perches.index_of(agent.id) else { continue };
        let Some(number) = perches.formation().perches[perch].number else { continue };
        if let Some((index, _)) = picture.locate(camera.project(agent.position).at) {
            let (column, row) = (index % picture.columns, index / picture.columns);
            picture.glyphs.push(PlacedGlyph { row: row as u16, column: column as u16, perch: perch as u32, number });
        }
    }
    picture.glyphs.sort_unstable();
    picture.has_glyphs = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::presets;
    use crate::canvas::{Aim, Canvas, CanvasFormat};
    use flockscope_sim::{Flock, Row};

    fn dots(draw: impl Fn(BodyPose, &mut dyn FnMut(Vec2)), angle: f32, wings: f32) -> Vec<(i32, i32)> {
        let pose = BodyPose { at: Vec2::splat(20.5), heading: Vec2::from_angle(angle), wings };
        let mut dots = Vec::new();
        draw(pose, &mut |dot: Vec2| dots.push((dot.x as i32, dot.y as i32)));
        dots.sort_unstable();
        dots.dedup();
        dots
    }

    /// The arrows to predators at these positions, on a canvas of 60 by 20 cells.
    fn arrows(preset: &str, aim: Aim, predators: &[[f32; 3]]) -> Vec<(usize, usize, u8)> {
        let setup = presets::setup(preset, 7, 1.5);
        let row = |id, kind, position| Row { id, kind, position, velocity: [1.0, 0.0, 0.0], mood: 0.0, bank: 0.0 };
        let mut rows = vec![row(0, Kind::Prey, [0.0; 3])];
        rows.extend((1..).zip(predators).map(|(id, position)| row(id, Kind::Predator, *position)));
        let flock = Flock::from_rows(&setup, 0, &rows).unwrap();
        let format = CanvasFormat { columns: 60, rows: 20, aim, ..CanvasFormat::default() };
        let (mut canvas, mut picture) = (Canvas::with_format(format), Picture::default());
        canvas.draw(&flock, &mut picture);
        picture.arrows.iter().map(|arrow| (arrow.column, arrow.row, arrow.heading)).collect()
    }

    #[test]
    fn arrows_point_to_predators_out_of_view() {
        // 800 by 600 u, of which a quarter is in view.
        let near = Aim { zoom: 4.0, center: Some([400.0, 300.0, 0.0]), ..Aim::default() };
        let at = |positions: &[[f32; 3]]| arrows("drones", near, positions);
        assert_eq!(at(&[[410.0, 310.0, 0.0]]), []);
        assert_eq!(at(&[[700.0, 300.0, 0.0]]), [(59, 10, 0)]);
        assert_eq!(at(&[[400.0, 100.0, 0.0], [100.0, 300.0, 0.0]]), [(30, 0, 192), (0, 10, 128)]);
        assert_eq!(at(&[[400.0, 520.0, 0.0], [401.0, 540.0, 0.0]]), [(30, 19, 64)], "one for both");
        let many: Vec<[f32; 3]> = (0..40).map(|id| [700.0, 10.0 + 14.0 * id as f32, 0.0]).collect();
        assert_eq!(at(&many).len(), MOST_ARROWS);
        assert_eq!(arrows("drones", Aim::default(), &many), [], "the whole world is in view");
    }

    #[test]
    fn arrows_point_to_predators_beside_and_behind_the_camera() {
        let aim = Aim { zoom: 8.0, center: Some([0.0; 3]), yaw: Some(0.0), pitch: Some(0.0), ..Aim::default() };
        let at = |position| arrows("sphere", aim, &[position]);
        assert_eq!(at([0.0, 0.0, 60.0]), [], "in front");
        assert_eq!(at([80.0, 0.0, 0.0]), [(59, 10, 0)]);
        assert_eq!(at([0.0, -80.0, 0.0]), [(30, 0, 192)]);
        assert_eq!(at([-20.0, 0.0, -80.0]), [(0, 10, 128)], "behind, to the left");
        assert_eq!(at([0.0, 0.0, -80.0]), [(30, 19, 64)], "right behind");
    }

    #[test]
    fn bodies_keep_their_size_in_every_direction() {
        for step in 0..32 {
            let angle = step as f32 * TAU / 32.0;
            for wings in [-1.0, 0.0, 1.0] {
                let count = |size| dots(|pose, plot| plot_boid(pose, size, plot), angle, wings).len();
                let counts = [BodySize::Small, BodySize::Large, BodySize::Huge].map(count);
                let is_right = (3..=5).contains(&counts[0]) && (5..=8).contains(&counts[1]);
                assert!(is_right && (9..=14).contains(&counts[2]), "{angle} {wings} {counts:?}");
                let predators =
                    [0.5, 1.0, 1.6].map(|size| dots(|pose, plot| plot_falcon(pose, size, plot), angle, wings).len());
                let is_right = (8..=18).contains(&predators[0]) && (24..=48).contains(&predators[1]);
                assert!(is_right && (50..=120).contains(&predators[2]), "{angle} {wings} {predators:?}");
            }
        }
    }

    #[test]
    fn wings_beat_with_different_phases() {
        let body =
            |tick, id| dots(|pose, plot| plot_boid(pose, BodySize::Large, plot), 0.0, wing_beat(tick, id, false));
        assert_ne!(body(0, 0), body(BEAT_TICKS.0 * 3 / 4, 0));
        assert_eq!(body(3, 5), body(3 + BEAT_TICKS.0, 5));
        assert_ne!(body(0, 0), body(0, 1));
    }
}
