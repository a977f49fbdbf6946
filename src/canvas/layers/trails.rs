//! Where boids have been.

use glam::{Vec2, Vec3};

use super::bodies::{Agent, agents, pace};
use crate::canvas::camera::Camera;
use crate::canvas::picture::quantize::{coarse_heading, coarse_level, compass};
use crate::canvas::picture::{Content, DOTS_HIGH, DOTS_WIDE, Picture, Trail, dot, size_in_dots};
use crate::canvas::smoothing::scroll::Scroll;
use crate::canvas::view::BodyStyle;
use crate::sim::{Flock, Kind};

/// How many dots long the trail of the fastest boid is.
const LENGTH: f32 = 26.0;
/// For how many ticks it lasts at least, and at most.
const TICKS: (f32, f32) = (6.0, 160.0);
/// The most ticks between two pictures over which trails are drawn on.
const GAP: f32 = 8.0;
/// What a dot has that somebody has just left.
const FULL: u8 = 255;
/// Dots with as much left belong to the bodies that have just left them.
const FRESH: u8 = 200;
/// How many ages are told apart.
const STEP: u8 = 32;

/// What is left of the trail in each dot of a cell, and who left the last one.
#[derive(Clone, Copy, Debug, Default)]
struct TrailCell {
    left: [u8; DOTS_WIDE * DOTS_HIGH],
    heading: u8,
    speed: u8,
    species: u8,
}

/// The trails of a flock.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    cells: Vec<TrailCell>,
    /// Where cells are put together that have been shifted.
    shifted: Vec<TrailCell>,
    drift: Scroll,
    /// How much has faded that was too little to be taken away.
    owed: f32,
}

impl Trails {
    /// Lets what there was fade for `elapsed` ticks, adds where everybody has been since, and fills in
    /// the trails of each cell.
    pub(crate) fn fill(&mut self, flock: &Flock, camera: &Camera, elapsed: f32, picture: &mut Picture) {
        self.cells.resize(picture.cells.all().len(), TrailCell::default());
        self.fade(elapsed, flock.params().speed.max * camera.scale());
        for agent in agents(flock, Kind::Prey).chain(agents(flock, Kind::Predator)) {
            self.mark(&agent, flock, camera, elapsed.clamp(0.0, GAP), picture);
        }
        picture.trails.extend(self.cells.iter().map(TrailCell::seen));
        if picture.layers.body != BodyStyle::Heads {
            return;
        }
        // What has just been left is still part of the dot, in its color; a body has its own tail.
        let marks = &self.cells;
        picture.cells.each_drawn(|at, cell| {
            if cell.content == Content::Prey {
                cell.dots |= marks[at].dots(FRESH);
            }
        });
    }

    /// Forgets where everybody has been.
    pub(crate) fn reset(&mut self) {
        self.cells.clear();
        self.owed = 0.0;
        self.drift = Scroll::default();
    }

    /// Moves where everybody has been by so many dots, on a canvas so many cells wide.
    pub(crate) fn shift(&mut self, dots: Vec2, columns: usize) {
        let (right, down) = self.drift.go(dots, Vec2::ONE);
        if (right, down) == (0, 0) || columns == 0 {
            return;
        }
        let (width, height) = (columns * DOTS_WIDE, self.cells.len() / columns * DOTS_HIGH);
        self.shifted.clear();
        self.shifted.resize(self.cells.len(), TrailCell::default());
        for y in 0..height {
            let Some(from_y) = y.checked_add_signed(-down).filter(|y| *y < height) else { continue };
            for x in 0..width {
                let Some(from_x) = x.checked_add_signed(-right).filter(|x| *x < width) else { continue };
                let from = &self.cells[from_y / DOTS_HIGH * columns + from_x / DOTS_WIDE];
                let left = from.left[dot(from_x, from_y)];
                if left > 0 {
                    let marks = &mut self.shifted[y / DOTS_HIGH * columns + x / DOTS_WIDE];
                    marks.left[dot(x, y)] = left;
                    *marks = TrailCell { left: marks.left, ..*from };
                }
            }
        }
        std::mem::swap(&mut self.cells, &mut self.shifted);
    }

    /// Takes away what fades in so many ticks, where the fastest fly `stride` dots in one.
    fn fade(&mut self, elapsed: f32, stride: f32) {
        let lasts = (LENGTH / stride.max(f32::MIN_POSITIVE)).clamp(TICKS.0, TICKS.1);
        self.owed += elapsed * f32::from(FULL) / lasts;
        let due = self.owed.min(f32::from(FULL)) as u8;
        self.owed = (self.owed - f32::from(due)).min(1.0);
        for marks in &mut self.cells {
            marks.left = marks.left.map(|left| left.saturating_sub(due));
        }
    }

    /// TrailCell the dots over which an agent has come in so many ticks.
    fn mark(&mut self, agent: &Agent, flock: &Flock, camera: &Camera, ticks: f32, picture: &Picture) {
        let offset = camera.offset(agent.position);
        let now = camera.spot(offset).at;
        let way = camera.spot(offset - Vec3::from_array(agent.velocity) * ticks).at - now;
        let Some((first, last)) = inside(now, way, picture) else { return };
        let heading = camera.heading(agent.velocity);
        let (heading, speed) =
            (coarse_heading(compass(heading.x, heading.y)), coarse_level(pace(flock, agent.speed())));
        let species = flock.params().species_of(agent.id);
        let steps = way.abs().max_element().max(1.0).ceil();
        for step in (first * steps).floor() as usize..((last * steps).ceil() as usize).max(1) {
            let at = now + way * (step as f32 / steps);
            if let Some((cell, _)) = picture.locate(at.x, at.y) {
                let marks = &mut self.cells[cell];
                marks.left[dot(at.x as usize, at.y as usize)] = FULL;
                (marks.heading, marks.speed, marks.species) = (heading, speed, species);
            }
        }
    }
}

/// From which share of a way to which it leads over a picture, where it does: a line clipped to a box (Liang & Barsky
/// 1984).
fn inside(start: Vec2, way: Vec2, picture: &Picture) -> Option<(f32, f32)> {
    let dots = size_in_dots(picture.columns, picture.rows);
    let mut shares = (0.0_f32, 1.0_f32);
    for axis in 0..2 {
        if way[axis] == 0.0 {
            if !(0.0..dots[axis]).contains(&start[axis]) {
                return None;
            }
        } else {
            let [one, other] = [0.0, dots[axis]].map(|side| (side - start[axis]) / way[axis]);
            shares = (shares.0.max(one.min(other)), shares.1.min(one.max(other)));
        }
    }
    (shares.0 <= shares.1).then_some(shares)
}

impl TrailCell {
    /// The dots with at least so much left.
    fn dots(&self, least: u8) -> u8 {
        self.left.iter().enumerate().map(|(dot, left)| u8::from(*left >= least) << dot).sum()
    }

    fn seen(&self) -> Trail {
        let most = self.left.into_iter().fold(0, u8::max);
        if most == 0 {
            return Trail::default();
        }
        let age = (FULL - most) / STEP * STEP;
        Trail { dots: self.dots(1), age, heading: self.heading, speed: self.speed, species: self.species }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Aim;
    use crate::canvas::picture::Picture;
    use crate::canvas::renderer::Canvas;
    use crate::canvas::view::{CanvasFormat, View};
    use crate::config::Preset;
    use crate::sim::{Command, Edge, Row, Scratch, Setup};

    fn trails(flock: &Flock, canvas: &mut Canvas) -> Vec<Trail> {
        let mut picture = Picture::default();
        canvas.draw(flock, &mut picture);
        picture.trails
    }

    fn count(trails: &[Trail]) -> u32 {
        trails.iter().map(|trail| trail.dots.count_ones()).sum()
    }

    #[test]
    fn however_near_one_looks_a_trail_has_no_gaps() {
        let mut setup = Setup { boids: 1, predators: 0, ..Preset::load("drones").unwrap().setup(7, 1.5) };
        setup.params.edge.mode = Edge::Open;
        for (zoom, speed) in [(1.0, 4.0), (8.0, 4.0), (64.0, 4.0), (64.0, 100.0)] {
            (setup.params.speed.min, setup.params.speed.max) = (speed, speed);
            let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
            // Where it comes by in the last of three ticks.
            let mut later = flock.clone();
            (0..3).for_each(|_| later.step(&mut scratch));
            let Row { position, velocity, .. } = later.rows()[0];
            let center = [0, 1, 2].map(|axis| position[axis] - 0.5 * velocity[axis]);
            let aim = Aim { zoom, center: Some(center), ..Aim::default() };
            let format = CanvasFormat { columns: 400, rows: 100, view: View::Trails, aim, ..CanvasFormat::default() };
            let mut canvas = Canvas::with_format(format);
            let mut seen = Vec::new();
            for _ in 0..3 {
                flock.step(&mut scratch);
                seen = trails(&flock, &mut canvas);
            }
            let mut dots: Vec<(usize, usize)> = Vec::new();
            for (at, trail) in seen.iter().enumerate() {
                let (column, row) = (at % 400 * DOTS_WIDE, at / 400 * DOTS_HIGH);
                let places = (0..DOTS_WIDE).flat_map(|x| (0..DOTS_HIGH).map(move |y| (x, y)));
                let set = places.filter(|(x, y)| trail.dots >> dot(*x, *y) & 1 == 1);
                dots.extend(set.map(|(x, y)| (column + x, row + y)));
            }
            let span = |axis: fn(&(usize, usize)) -> usize| {
                let (least, most) = (dots.iter().map(axis).min().unwrap(), dots.iter().map(axis).max().unwrap());
                most - least
            };
            let long = span(|dot| dot.0).max(span(|dot| dot.1));
            assert!(dots.len() > long && long as f32 > zoom, "{zoom}: {} dots, {long} long", dots.len());
        }
    }

    #[test]
    fn trails_grow_stand_still_and_go_with_the_run() {
        let setup = Preset::load("drones").unwrap().setup(7, 1.5);
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        let mut canvas = Canvas::with_format(CanvasFormat {
            columns: 100,
            rows: 40,
            view: View::Trails,
            densities: true,
            ..CanvasFormat::default()
        });
        let first = count(&trails(&flock, &mut canvas));
        for _ in 0..30 {
            flock.step(&mut scratch);
            trails(&flock, &mut canvas);
        }
        let paused = trails(&flock, &mut canvas);
        assert!(count(&paused) > 3 * first, "{first} {}", count(&paused));
        assert!(
            paused.iter().any(|trail| trail.age > 128) && paused.iter().any(|trail| trail.dots > 0 && trail.age == 0)
        );
        assert_eq!(trails(&flock, &mut canvas), paused);

        for _ in 0..300 {
            flock.step(&mut scratch);
            trails(&flock, &mut canvas);
        }
        let later = count(&trails(&flock, &mut canvas));
        assert!(later < 3 * count(&paused), "trails fade: {later}");

        let fresh = || {
            Canvas::with_format(CanvasFormat {
                columns: 100,
                rows: 40,
                view: View::Trails,
                densities: true,
                ..CanvasFormat::default()
            })
        };
        flock.apply(&Command::Reseed(8)).unwrap();
        assert_eq!(trails(&flock, &mut canvas), trails(&flock, &mut fresh()));
        // Who goes before the first tick has never been there.
        flock.apply(&Command::SetPredators(0)).unwrap();
        assert_eq!(trails(&flock, &mut canvas), trails(&flock, &mut fresh()));
        canvas.set_format(CanvasFormat {
            columns: 90,
            rows: 40,
            view: View::Trails,
            densities: true,
            ..CanvasFormat::default()
        });
        assert_eq!(trails(&flock, &mut canvas).len(), 90 * 40);
    }
}
