//! The rasteriser: a flock becomes a picture.

use glam::Vec2;

use super::camera::Camera;
use super::density::Smoother;
use super::picture::{Content, DOTS_HIGH, DOTS_WIDE, Picture};
use super::shapes;
use crate::sim::{Flock, Kind, Vector};

/// What is summed up over the boids of one cell before it becomes a place on a ramp.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    heading: Vec2,
    speed: f32,
    depth: f32,
    count: u32,
}

/// Draws a flock, again and again, at a size that may change.
#[derive(Debug, Default)]
pub struct Canvas {
    columns: usize,
    rows: usize,
    sums: Vec<Sums>,
    smoother: Smoother,
}

impl Canvas {
    /// A canvas of this many cells; 0 by 0 is a canvas too.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, ..Self::default() }
    }

    /// Changes the size, in cells.
    pub fn resize(&mut self, columns: usize, rows: usize) {
        (self.columns, self.rows) = (columns, rows);
    }

    /// Draws a flock as it is now.
    pub fn draw(&mut self, flock: &Flock, picture: &mut Picture) {
        picture.clear(self.columns, self.rows);
        self.sums.clear();
        self.sums.resize(picture.cells.len(), Sums::default());
        if picture.cells.is_empty() {
            return;
        }
        let camera = Camera::new(flock, self.columns, self.rows);
        self.boids(flock, &camera, picture);
        self.settle(flock, picture);
        self.smoother.fill(picture);
        predators(flock, &camera, picture);
    }

    /// Sets the dots of all boids, and sums up who stands in each cell.
    fn boids(&mut self, flock: &Flock, camera: &Camera, picture: &mut Picture) {
        let dots = self.columns * DOTS_WIDE * self.rows * DOTS_HIGH;
        let tail = shapes::tail(dots, flock.boids());
        for agent in agents(flock).filter(|agent| agent.kind == Kind::Prey) {
            let spot = camera.project(agent.position);
            let heading = camera.heading(agent.velocity);
            if let Some((cell, _)) = picture.locate(spot.at.x, spot.at.y) {
                let sums = &mut self.sums[cell];
                sums.heading += Vector::unit(heading).unwrap_or_default();
                sums.speed += agent.speed();
                sums.depth += spot.depth;
                sums.count += 1;
            }
            let pointing = if tail == 0 { Vec2::ZERO } else { Vector::unit(heading).unwrap_or_default() };
            shapes::boid(spot.at, pointing, tail, |dot| {
                if let Some((cell, bit)) = picture.locate(dot.x, dot.y) {
                    picture.cells[cell].dots |= bit;
                    // A tail alone in its cell takes its colour from its own boid.
                    if picture.cells[cell].content == Content::Empty {
                        picture.cells[cell].content = Content::Prey;
                        picture.cells[cell].heading = compass(heading);
                        picture.cells[cell].speed = pace(flock, agent.speed());
                        picture.cells[cell].depth = level(spot.depth);
                    }
                }
            });
        }
    }

    /// Turns the sums into means.
    fn settle(&self, flock: &Flock, picture: &mut Picture) {
        for (cell, sums) in picture.cells.iter_mut().zip(&self.sums).filter(|(_, sums)| sums.count > 0) {
            let count = sums.count as f32;
            cell.count = u16::try_from(sums.count).unwrap_or(u16::MAX);
            cell.heading = compass(sums.heading);
            cell.speed = pace(flock, sums.speed / count);
            cell.depth = level(sums.depth / count);
        }
    }
}

/// Draws the predators over the boids: a cell that one of them touches shows nobody else.
fn predators(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for agent in agents(flock).filter(|agent| agent.kind == Kind::Predator) {
        let spot = camera.project(agent.position);
        let heading = camera.heading(agent.velocity);
        shapes::predator(spot.at, Vector::unit(heading).unwrap_or(Vec2::X), |dot| {
            let Some((cell, bit)) = picture.locate(dot.x, dot.y) else { return };
            let cell = &mut picture.cells[cell];
            if cell.content != Content::Predator {
                (cell.content, cell.dots) = (Content::Predator, 0);
            }
            cell.dots |= bit;
            cell.heading = compass(heading);
            cell.speed = pace(flock, agent.speed());
            cell.depth = level(spot.depth);
        });
    }
}

/// One agent, as the canvas sees it.
struct Agent {
    kind: Kind,
    position: [f32; 3],
    velocity: [f32; 3],
}

impl Agent {
    fn speed(&self) -> f32 {
        let [x, y, z] = self.velocity;
        (x * x + y * y + z * z).sqrt()
    }
}

fn agents(flock: &Flock) -> impl Iterator<Item = Agent> {
    let agents = flock.agents();
    let deep = agents.dim() == 3;
    (0..agents.len()).map(move |index| {
        let third = |axis: &[f32]| if deep { axis[index] } else { 0.0 };
        Agent {
            kind: agents.kinds()[index],
            position: [agents.positions(0)[index], agents.positions(1)[index], third(agents.positions(2))],
            velocity: [agents.velocities(0)[index], agents.velocities(1)[index], third(agents.velocities(2))],
        }
    })
}

/// A heading as a place on a ring of 256.
fn compass(heading: Vec2) -> u8 {
    if heading == Vec2::ZERO {
        return 0;
    }
    let turn = heading.to_angle() / std::f32::consts::TAU;
    ((turn * 256.0).round() as i32).rem_euclid(256) as u8
}

/// A speed as a place between the flock's least and most.
fn pace(flock: &Flock, speed: f32) -> u8 {
    let limits = flock.params().speed;
    level((speed - limits.min) / (limits.max - limits.min).max(1e-6))
}

/// 0 … 1 as a place on a ramp; what lies outside goes to the end.
fn level(share: f32) -> u8 {
    (share * 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Params, Row, Setup, Start, World};

    fn flock(rows: &[Row]) -> Flock {
        let setup = Setup {
            params: Params::default(),
            world: World::Flat([40.0, 40.0]),
            start: Start::Scatter,
            boids: 1,
            predators: 0,
            seed: 1,
        };
        Flock::from_rows(&setup, 0, rows).unwrap()
    }

    fn row(id: u32, kind: Kind, x: f32, y: f32, vx: f32, vy: f32) -> Row {
        Row { id, kind, position: [x, y, 0.0], velocity: [vx, vy, 0.0] }
    }

    #[test]
    fn headings_are_averaged_as_vectors() {
        // Just above and just below "to the right": their mean is to the right, not to the left.
        let flock = flock(&[row(0, Kind::Prey, 5.0, 5.0, 2.0, 0.3), row(1, Kind::Prey, 5.1, 5.1, 2.0, -0.3)]);
        let mut picture = Picture::default();
        Canvas::new(20, 10).draw(&flock, &mut picture);
        let cell = picture.cells.iter().find(|cell| cell.count > 0).unwrap();
        assert_eq!((cell.count, cell.heading), (2, 0));
    }

    #[test]
    fn a_predator_hides_the_boids_behind_it_and_is_larger() {
        let boid = row(0, Kind::Prey, 20.0, 20.0, 1.0, 0.0);
        let flock = flock(&[boid, row(1, Kind::Predator, 20.0, 20.0, 1.0, 0.0)]);
        let mut picture = Picture::default();
        Canvas::new(20, 10).draw(&flock, &mut picture);
        assert!(picture.cells.iter().all(|cell| cell.content != Content::Prey || cell.count == 0));
        let dots: u32 = picture.cells.iter().map(|cell| cell.dots.count_ones()).sum();
        assert!(dots >= 10, "{dots}");
    }

    #[test]
    fn every_size_is_drawn() {
        let flock = flock(&[row(0, Kind::Prey, 20.0, 20.0, 1.0, 0.0), row(1, Kind::Predator, 39.9, 0.0, 0.0, 0.0)]);
        let mut picture = Picture::default();
        for (columns, rows) in [(0, 0), (1, 0), (0, 1), (1, 1), (1, 50), (300, 1)] {
            Canvas::new(columns, rows).draw(&flock, &mut picture);
            assert_eq!(picture.cells.len(), columns * rows);
        }
    }
}
