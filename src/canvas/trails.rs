//! Where boids have been.

use glam::{Vec2, Vec3};

use super::bodies::{Agent, agents, pace};
use super::camera::Camera;
use super::compass::{coarse, coarse_turn, compass};
use super::drift::Drift;
use super::picture::{Content, DOTS_HIGH, DOTS_WIDE, Picture, Trail, dot};
use super::view::Body;
use crate::sim::{Flock, Kind};

/// How many dots long the trail of the fastest boid is.
const LENGTH: f32 = 26.0;
/// For how many ticks it lasts at least, and at most.
const TICKS: (f32, f32) = (6.0, 160.0);
/// The most ticks between two pictures over which trails are drawn on.
const GAP: f32 = 8.0;
/// The most dots that one boid leaves between two pictures.
const STRIDE: f32 = 64.0;
/// What a dot has that somebody has just left.
const FULL: u8 = 255;
/// Dots with as much left belong to the bodies that have just left them.
const FRESH: u8 = 200;
/// How many ages are told apart.
const STEP: u8 = 32;

/// What is left of the trail in each dot of a cell, and who left the last one.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    left: [u8; DOTS_WIDE * DOTS_HIGH],
    heading: u8,
    speed: u8,
    species: u8,
}

/// The trails of a flock.
#[derive(Debug, Default)]
pub(super) struct Trails {
    cells: Vec<Marks>,
    /// Where cells are put together that have been shifted.
    shifted: Vec<Marks>,
    drift: Drift,
    /// How much has faded that was too little to be taken away.
    owed: f32,
}

impl Trails {
    /// Lets what there was fade for `elapsed` ticks, adds where everybody has been since, and fills in
    /// the trails of each cell.
    pub(super) fn fill(&mut self, flock: &Flock, camera: &Camera, elapsed: f32, picture: &mut Picture) {
        self.cells.resize(picture.cells.all().len(), Marks::default());
        self.fade(elapsed, flock.params().speed.max * camera.scale());
        for agent in agents(flock, Kind::Prey).chain(agents(flock, Kind::Predator)) {
            self.mark(&agent, flock, camera, elapsed.clamp(0.0, GAP), picture);
        }
        picture.trails.extend(self.cells.iter().map(Marks::seen));
        if picture.layers.body != Body::Heads {
            return;
        }
        // What has just been left is still part of the dot, in its colour; a body has its own tail.
        let marks = &self.cells;
        picture.cells.each_drawn(|at, cell| {
            if cell.content == Content::Prey {
                cell.dots |= marks[at].dots(FRESH);
            }
        });
    }

    /// Forgets where everybody has been.
    pub(super) fn forget(&mut self) {
        self.cells.clear();
        self.owed = 0.0;
        self.drift = Drift::default();
    }

    /// Moves where everybody has been by so many dots, on a canvas so many cells wide.
    pub(super) fn shift(&mut self, dots: Vec2, columns: usize) {
        let (right, down) = self.drift.go(dots, Vec2::ONE);
        if (right, down) == (0, 0) || columns == 0 {
            return;
        }
        let (width, height) = (columns * DOTS_WIDE, self.cells.len() / columns * DOTS_HIGH);
        self.shifted.clear();
        self.shifted.resize(self.cells.len(), Marks::default());
        for y in 0..height {
            let Some(from_y) = y.checked_add_signed(-down).filter(|y| *y < height) else { continue };
            for x in 0..width {
                let Some(from_x) = x.checked_add_signed(-right).filter(|x| *x < width) else { continue };
                let from = &self.cells[from_y / DOTS_HIGH * columns + from_x / DOTS_WIDE];
                let left = from.left[dot(from_x, from_y)];
                if left > 0 {
                    let marks = &mut self.shifted[y / DOTS_HIGH * columns + x / DOTS_WIDE];
                    marks.left[dot(x, y)] = left;
                    *marks = Marks { left: marks.left, ..*from };
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

    /// Marks the dots over which an agent has come in so many ticks.
    fn mark(&mut self, agent: &Agent, flock: &Flock, camera: &Camera, ticks: f32, picture: &Picture) {
        let offset = camera.offset(agent.position);
        let now = camera.spot(offset).at;
        let way = camera.spot(offset - Vec3::from_array(agent.velocity) * ticks).at - now;
        if !picture.holds(now, way.abs().max_element()) {
            return;
        }
        let heading = camera.heading(agent.velocity);
        let (heading, speed) = (coarse_turn(compass(heading.x, heading.y)), coarse(pace(flock, agent.speed())));
        let species = flock.params().species_of(agent.id);
        let steps = way.abs().max_element().clamp(1.0, STRIDE).ceil();
        for step in 0..steps as usize {
            let at = now + way * (step as f32 / steps);
            if let Some((cell, _)) = picture.locate(at.x, at.y) {
                let marks = &mut self.cells[cell];
                marks.left[dot(at.x as usize, at.y as usize)] = FULL;
                (marks.heading, marks.speed, marks.species) = (heading, speed, species);
            }
        }
    }
}

impl Marks {
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
    use super::super::picture::Picture;
    use super::super::raster::Canvas;
    use super::super::view::{Format, View};
    use super::*;
    use crate::config::Preset;
    use crate::sim::{Command, Scratch};

    fn trails(flock: &Flock, canvas: &mut Canvas) -> Vec<Trail> {
        let mut picture = Picture::default();
        canvas.draw(flock, &mut picture);
        picture.trails
    }

    fn count(trails: &[Trail]) -> u32 {
        trails.iter().map(|trail| trail.dots.count_ones()).sum()
    }

    #[test]
    fn trails_grow_stand_still_and_go_with_the_run() {
        let setup = Preset::load("drones").unwrap().setup(7, 1.5);
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        let mut canvas =
            Canvas::with(Format { columns: 100, rows: 40, view: View::Trails, densities: true, ..Format::default() });
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
            Canvas::with(Format { columns: 100, rows: 40, view: View::Trails, densities: true, ..Format::default() })
        };
        flock.apply(&Command::Reseed(8)).unwrap();
        assert_eq!(trails(&flock, &mut canvas), trails(&flock, &mut fresh()));
        // Who goes before the first tick has never been there.
        flock.apply(&Command::Predators(0)).unwrap();
        assert_eq!(trails(&flock, &mut canvas), trails(&flock, &mut fresh()));
        canvas.reformat(Format { columns: 90, rows: 40, view: View::Trails, densities: true, ..Format::default() });
        assert_eq!(trails(&flock, &mut canvas).len(), 90 * 40);
    }
}
