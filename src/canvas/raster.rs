//! The rasteriser: a flock becomes a picture.

use glam::Vec2;

use super::camera::Camera;
use super::compass::{coarse, coarse_turn, compass, level};
use super::crowd::Crowd;
use super::heat::Heat;
use super::picture::{Cell, Content, DOTS_HIGH, DOTS_WIDE, Picture};
use super::shapes::{self, Pose, Size};
use super::sums::{Sums, Tally, inhabited};
use super::trails::Trails;
use super::view::{Body, Format, Layers};
use crate::sim::{Flock, Kind, World};

/// Draws a flock, again and again, in a format that may change.
///
/// What it draws follows from the flock alone but for what is smoothed over time: glow, heat, densities
/// and trails carry on from the picture before, as long as it shows the same run at a tick before.
#[derive(Debug, Default)]
pub struct Canvas {
    format: Format,
    tally: Tally,
    crowd: Crowd,
    heat: Heat,
    trails: Trails,
    shown: Option<Shown>,
    camera: Camera,
}

/// What the last picture showed.
#[derive(Clone, Copy, Debug)]
struct Shown {
    seed: u64,
    world: World,
    tick: u64,
    layers: Layers,
}

impl Canvas {
    /// A canvas of this many cells, with the view that suits; 0 by 0 is a canvas too.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Self {
        Self::with(Format { columns, rows, densities: true, ..Format::default() })
    }

    /// A canvas in a format.
    #[must_use]
    pub fn with(format: Format) -> Self {
        Self { format, ..Self::default() }
    }

    /// Changes the format.
    pub fn reformat(&mut self, format: Format) {
        if (format.columns, format.rows) != (self.format.columns, self.format.rows) {
            self.shown = None;
        }
        self.format = format;
    }

    /// The camera that drew the last picture.
    #[must_use]
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// Draws a flock as it is now.
    ///
    /// Inside a thread pool of `rayon` a large flock is drawn on several of its threads; the picture
    /// is the same for any number of them.
    pub fn draw(&mut self, flock: &Flock, picture: &mut Picture) {
        let Format { columns, rows, view, densities } = self.format;
        let layers = view.layers(flock.boids(), columns, rows);
        picture.clear(columns, rows, layers);
        if picture.cells.is_empty() {
            return;
        }
        let elapsed = self.elapsed(flock, layers);
        let camera = Camera::new(flock, columns, rows);
        self.camera = camera;
        if layers.body == Body::Heat {
            self.heat.fill(flock, &camera, elapsed, picture);
        } else {
            let sums = self.tally.take(flock, &camera, columns, rows);
            settle(sums, flock, picture);
            if layers.body == Body::Shapes {
                bodies(flock, &camera, picture);
            }
            if flock.params().leaders.count > 0.0 {
                leaders(flock, &camera, picture);
            }
            if layers.glow || densities {
                self.crowd.fill(sums, flock, elapsed, picture);
            } else {
                self.crowd.forget();
            }
        }
        if layers.trails {
            self.trails.fill(flock, &camera, elapsed, picture);
        }
        predators(flock, &camera, picture);
    }

    /// How many ticks have passed since the last picture. What that has left behind is forgotten where
    /// it showed another run or other layers.
    fn elapsed(&mut self, flock: &Flock, layers: Layers) -> f32 {
        let now = Shown { seed: flock.seed(), world: flock.world(), tick: flock.tick(), layers };
        let before = self.shown.replace(now).filter(|before| {
            let same = (before.seed, before.world, before.layers) == (now.seed, now.world, now.layers);
            // At its first tick a run has no past, also where it begins anew and nothing else tells.
            same && before.tick <= now.tick && now.tick > 0
        });
        if let Some(before) = before {
            return (now.tick - before.tick) as f32;
        }
        self.crowd.forget();
        self.heat.forget();
        self.trails.forget();
        0.0
    }
}

/// Turns the sums into cells.
fn settle(sums: &Sums, flock: &Flock, picture: &mut Picture) {
    let limits = flock.params().speed;
    let range = 1.0 / (limits.max - limits.min).max(1e-6);
    for at in inhabited(&sums.dots[..picture.cells.len()]) {
        let sum = &sums.cells[at];
        let each = 1.0 / sum.count;
        picture.cells[at] = Cell {
            dots: sums.dots[at],
            content: Content::Prey,
            count: sum.count as u16,
            heading: coarse_turn(compass(sum.heading[0], sum.heading[1])),
            speed: coarse(level((sum.speed * each - limits.min) * range)),
            density: 0,
            depth: sums.depths.get(at).map_or(0, |depth| level(depth * each)),
            species: if sums.species.is_empty() { 0 } else { sums.species(at) },
            leads: false,
        };
    }
}

/// Draws the boids' bodies around their heads.
fn bodies(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    let size = Size::new(picture.cells.len() * DOTS_WIDE * DOTS_HIGH, flock.boids());
    for agent in agents(flock, Kind::Prey) {
        let spot = camera.project(agent.position);
        let heading = camera.heading(agent.velocity);
        let wings = shapes::beat(flock.tick(), agent.id, false);
        let pose = Pose { at: spot.at, heading: unit(heading), wings };
        shapes::boid(pose, size, |dot| {
            let Some((cell, bit)) = picture.locate(dot.x, dot.y) else { return };
            let cell = &mut picture.cells[cell];
            cell.dots |= bit;
            // What stands alone in its cell takes its colour from its own boid.
            if cell.content == Content::Empty {
                cell.content = Content::Prey;
                cell.heading = coarse_turn(compass(heading.x, heading.y));
                cell.speed = coarse(pace(flock, agent.speed()));
                cell.depth = level(spot.depth);
                cell.species = flock.params().species_of(agent.id);
            }
        });
    }
}

/// Marks the cells of those who lead.
fn leaders(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for leader in agents(flock, Kind::Prey).filter(|agent| flock.params().is_leader(agent.id)) {
        let spot = camera.project(leader.position).at;
        if let Some((cell, _)) = picture.locate(spot.x, spot.y) {
            picture.cells[cell].leads = true;
        }
    }
}

/// Draws the predators over the boids: a cell that one of them touches shows nobody else.
fn predators(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for agent in agents(flock, Kind::Predator) {
        let spot = camera.project(agent.position);
        let heading = camera.heading(agent.velocity);
        let wings = shapes::beat(flock.tick(), agent.id, true);
        let pose = Pose { at: spot.at, heading: heading.try_normalize().unwrap_or(Vec2::X), wings };
        let head = picture.locate(spot.at.x, spot.at.y).map(|(cell, _)| cell);
        shapes::predator(pose, |dot| {
            let Some((at, bit)) = picture.locate(dot.x, dot.y) else { return };
            let cell = &mut picture.cells[at];
            if cell.content != Content::Predator {
                (cell.content, cell.dots, cell.count) = (Content::Predator, 0, 0);
            }
            cell.dots |= bit;
            cell.heading = coarse_turn(compass(heading.x, heading.y));
            cell.speed = coarse(pace(flock, agent.speed()));
            cell.depth = level(spot.depth);
        });
        if let Some(cell) = head {
            picture.cells[cell].count += 1;
        }
    }
}

/// One agent, as the canvas sees it.
pub(super) struct Agent {
    pub(super) id: u32,
    pub(super) position: [f32; 3],
    pub(super) velocity: [f32; 3],
}

impl Agent {
    pub(super) fn speed(&self) -> f32 {
        let [x, y, z] = self.velocity;
        (x * x + y * y + z * z).sqrt()
    }
}

/// The agents of a kind, one by one; over all boids of a large flock [`lens::look`](super::lens::look)
/// is faster.
pub(super) fn agents(flock: &Flock, kind: Kind) -> impl Iterator<Item = Agent> {
    /// So many are passed over at once where none is of the kind: predators are few.
    const RUN: usize = 64;
    let agents = flock.agents();
    let deep = agents.dim() == 3;
    let runs = agents.kinds().chunks(RUN).enumerate();
    let runs = runs.filter(move |(_, kinds)| kinds.iter().filter(|of| **of == kind).count() > 0);
    let places = runs.flat_map(|(run, kinds)| kinds.iter().enumerate().map(move |(at, of)| (run * RUN + at, *of)));
    places.filter(move |(_, of)| *of == kind).map(move |(index, _)| {
        let third = |axis: &[f32]| if deep { axis[index] } else { 0.0 };
        Agent {
            id: agents.ids()[index],
            position: [agents.positions(0)[index], agents.positions(1)[index], third(agents.positions(2))],
            velocity: [agents.velocities(0)[index], agents.velocities(1)[index], third(agents.velocities(2))],
        }
    })
}

/// The unit vector along a heading; 0 for none. `glam`'s own takes its root from a library call.
#[inline]
pub(super) fn unit(heading: Vec2) -> Vec2 {
    let length = heading.length_squared();
    if length > 0.0 { heading * (1.0 / f32::sqrt(length)) } else { Vec2::ZERO }
}

/// A speed as a place between the flock's least and most.
pub(super) fn pace(flock: &Flock, speed: f32) -> u8 {
    let limits = flock.params().speed;
    level((speed - limits.min) / (limits.max - limits.min).max(1e-6))
}
#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::canvas::{Glow, View};
    use crate::config::Preset;
    use crate::engine::in_pool;
    use crate::sim::{Params, Row, Setup, Start, World};

    fn flock(rows: &[Row]) -> Flock {
        let setup = Setup {
            params: Params::default(),
            world: World::Flat([40.0, 40.0]),
            start: Start::Scatter,
            boids: 1,
            predators: 0,
            seed: 1,
            spots: Vec::new(),
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

    #[test]
    fn a_picture_is_the_same_for_any_number_of_threads() {
        let setup = Setup { boids: 70_000, ..Preset::load("starlings").unwrap().setup(7, 1.6) };
        let flock = Flock::new(&setup).unwrap();
        for view in [View::Glow, View::Heat] {
            let picture = |threads| {
                let mut picture = Picture::default();
                in_pool(NonZeroUsize::new(threads).unwrap(), |_| {
                    Canvas::with(Format { columns: 90, rows: 30, view, densities: true }).draw(&flock, &mut picture);
                });
                picture
            };
            assert_eq!(picture(1), picture(3));
        }
    }

    #[test]
    fn a_heat_map_has_every_boid_in_its_half_of_a_cell() {
        let flock = flock(&[row(0, Kind::Prey, 5.0, 35.0, 1.0, 0.0), row(1, Kind::Predator, 35.0, 5.0, 1.0, 0.0)]);
        let mut picture = Picture::default();
        Canvas::with(Format { columns: 20, rows: 10, view: View::Heat, densities: true }).draw(&flock, &mut picture);
        // The world is 40 by 40 u, the canvas as many dots: a sample is 2 dots by 2.
        let hottest = |half: usize| picture.heat.iter().map(|heat| heat[half]).max().unwrap();
        assert_eq!((picture.heat[8 * 20 + 2][1], hottest(1)), (255, 255));
        assert!(hottest(0) < 255);
        assert!(picture.cells.iter().all(|cell| cell.content != Content::Prey));
        assert_eq!(picture.cells.iter().map(|cell| cell.count).sum::<u16>(), 1);
    }

    #[test]
    fn a_glow_takes_its_heading_as_a_vector_and_stands_still_with_the_flock() {
        // Two crowds side by side, a little up and a little down from the right: the glow flies right.
        let rows: Vec<Row> = (0..40)
            .map(|id| row(id, Kind::Prey, 18.0 + 0.1 * id as f32, 20.0, 2.0, if id % 2 == 0 { 0.6 } else { -0.6 }))
            .collect();
        let flock = flock(&rows);
        let mut canvas = Canvas::with(Format { columns: 20, rows: 10, view: View::Glow, densities: true });
        let (mut picture, mut again) = (Picture::default(), Picture::default());
        canvas.draw(&flock, &mut picture);
        canvas.draw(&flock, &mut again);
        assert_eq!(picture, again);
        let bright: Vec<Glow> = picture.glow.iter().copied().filter(|glow| glow.level > 0).collect();
        assert!(bright.len() > 8 && bright.iter().any(|glow| glow.level == Glow::LEVELS));
        assert!(bright.iter().all(|glow| glow.heading.wrapping_add(16) <= 32), "{bright:?}");
    }
}
