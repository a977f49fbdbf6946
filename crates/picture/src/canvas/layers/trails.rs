//! Trails: the dots where agents have been.

use glam::{Vec2, Vec3};

use super::bodies::{Agent, agents, motion_bytes};
use crate::canvas::camera::Camera;
use crate::canvas::picture::{BodyStyle, Content, DOTS_HIGH, DOTS_WIDE, Picture, Trail, bit_index, size_in_dots};
use crate::canvas::smoothing::Scroll;
use flockscope_sim::{Kind, Snapshot};

/// Length of the trail of the fastest boid, in dots.
const LENGTH: f32 = 26.0;
/// The shortest and longest time that a trail lasts, in ticks.
const LIFETIME: (f32, f32) = (6.0, 160.0);
/// The most ticks between two pictures that a trail bridges.
const MAX_GAP: f32 = 8.0;
/// The strength of a new dot.
const FULL: u8 = 255;
/// Dots of this strength belong to the body that just left them.
const FRESH: u8 = 200;
/// Ages are rounded to multiples of this.
const AGE_STEP: u8 = 32;

/// The strength of each dot of a cell, and the values of the agent that left the newest.
#[derive(Clone, Copy, Debug, Default)]
struct TrailCell {
    strength: [u8; DOTS_WIDE * DOTS_HIGH],
    /// The newest trail, without its dots and age.
    newest: Trail,
}

/// The trails of a flock.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    cells: Vec<TrailCell>,
    scroll: Scroll,
    /// Fading of less than one unit of strength, carried over.
    fading: f32,
}

impl Trails {
    /// Fades the trails by `elapsed` ticks, extends them to where the agents are now, and draws them.
    pub(crate) fn draw(&mut self, flock: Snapshot<'_>, camera: &Camera, elapsed: f32, picture: &mut Picture) {
        self.cells.resize(picture.cells.all().len(), TrailCell::default());
        self.fade(elapsed, flock.params.speed.max * camera.scale());
        for agent in agents(flock, Kind::Prey).chain(agents(flock, Kind::Predator)) {
            self.extend(&agent, flock, camera, elapsed.clamp(0.0, MAX_GAP), picture);
        }
        picture.trails.extend(self.cells.iter().map(TrailCell::trail));
        if picture.layers.body != BodyStyle::Heads {
            return;
        }
        // Fresh dots look like part of the head. Winged bodies have a tail already.
        picture.cells.for_each_drawn(|at, cell| {
            if cell.content == Content::Prey {
                cell.dots |= self.cells[at].dots(FRESH);
            }
        });
    }

    /// Scrolls by a number of dots, on a canvas of `columns` cells.
    pub(crate) fn scroll(&mut self, dots: Vec2, columns: usize) {
        let [right, down] = self.scroll.steps(dots, Vec2::ONE);
        if (right, down) == (0, 0) || columns == 0 {
            return;
        }
        let (width, height) = (columns * DOTS_WIDE, self.cells.len() / columns * DOTS_HIGH);
        let cell_at = |x: usize, y: usize| y / DOTS_HIGH * columns + x / DOTS_WIDE;
        let mut scrolled = vec![TrailCell::default(); self.cells.len()];
        for y in 0..height {
            let Some(from_y) = y.checked_add_signed(-down).filter(|y| *y < height) else { continue };
            for x in 0..width {
                let Some(from_x) = x.checked_add_signed(-right).filter(|x| *x < width) else { continue };
                let from = &self.cells[cell_at(from_x, from_y)];
                let strength = from.strength[bit_index(from_x, from_y)];
                if strength > 0 {
                    let cell = &mut scrolled[cell_at(x, y)];
                    cell.strength[bit_index(x, y)] = strength;
                    *cell = TrailCell { strength: cell.strength, ..*from };
                }
            }
        }
        self.cells = scrolled;
    }

    /// Fades all dots by `elapsed` ticks, if the fastest boids move `stride` dots per tick.
    fn fade(&mut self, elapsed: f32, stride: f32) {
        let lifetime = (LENGTH / stride.max(f32::MIN_POSITIVE)).clamp(LIFETIME.0, LIFETIME.1);
        self.fading += elapsed * f32::from(FULL) / lifetime;
        let due = self.fading.min(f32::from(FULL)) as u8;
        // Not more than one, or a long pause would fade later dots as well.
        self.fading = (self.fading - f32::from(due)).min(1.0);
        for cell in &mut self.cells {
            cell.strength = cell.strength.map(|strength| strength.saturating_sub(due));
        }
    }

    /// Marks the dots that an agent passed in the last `ticks`.
    fn extend(&mut self, agent: &Agent, flock: Snapshot<'_>, camera: &Camera, ticks: f32, picture: &Picture) {
        let offset = camera.offset(agent.position);
        let now = camera.project_offset(offset).at;
        let way = camera.project_offset(offset - Vec3::from_array(agent.velocity) * ticks).at - now;
        let Some((first, last)) = clip(now, way, size_in_dots(picture.columns, picture.rows)) else { return };
        let (heading, speed) = motion_bytes(flock, camera, agent);
        let newest = Trail { heading, speed, species: flock.species_of(agent.id), ..Trail::default() };
        let steps = way.abs().max_element().max(1.0).ceil();
        for step in (first * steps).floor() as usize..((last * steps).ceil() as usize).max(1) {
            let at = now + way * (step as f32 / steps);
            if let Some((index, _)) = picture.locate(at) {
                let cell = &mut self.cells[index];
                cell.strength[bit_index(at.x as usize, at.y as usize)] = FULL;
                cell.newest = newest;
            }
        }
    }
}

/// The shares of a way from `start` between which it is inside a canvas of `dots`, if any (Liang & Barsky 1984).
fn clip(start: Vec2, way: Vec2, dots: Vec2) -> Option<(f32, f32)> {
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
    /// The dots of at least some strength.
    fn dots(&self, least: u8) -> u8 {
        self.strength.iter().enumerate().map(|(dot, strength)| u8::from(*strength >= least) << dot).sum()
    }

    fn trail(&self) -> Trail {
        let strongest = self.strength.into_iter().fold(0, u8::max);
        if strongest == 0 {
            return Trail::default();
        }
        let age = (FULL - strongest) / AGE_STEP * AGE_STEP;
        Trail { dots: self.dots(1), age, ..self.newest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::presets;
    use crate::canvas::{Aim, Canvas, CanvasFormat, View};
    use flockscope_sim::{Command, Edge, Flock, Row, Scratch, Setup};

    fn canvas(columns: usize, rows: usize, aim: Aim) -> Canvas {
        Canvas::with_format(CanvasFormat { columns, rows, view: View::Trails, aim, ..CanvasFormat::default() })
    }

    fn trails(flock: &Flock, canvas: &mut Canvas) -> Vec<Trail> {
        let mut picture = Picture::default();
        canvas.draw(flock, &mut picture);
        picture.trails
    }

    fn count(trails: &[Trail]) -> u32 {
        trails.iter().map(|trail| trail.dots.count_ones()).sum()
    }

    #[test]
    fn trails_have_no_gaps_at_any_zoom() {
        let mut setup = Setup { boids: 1, predators: 0, ..presets::setup("drones", 7, 1.5) };
        setup.params.edge.mode = Edge::Open;
        for (zoom, speed) in [(1.0, 4.0), (8.0, 4.0), (64.0, 4.0), (64.0, 100.0)] {
            (setup.params.speed.min, setup.params.speed.max) = (speed, speed);
            let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
            // Look at the middle of the last of three ticks.
            let mut later = flock.clone();
            (0..3).for_each(|_| later.step(&mut scratch));
            let Row { position, velocity, .. } = later.rows()[0];
            let center = [0, 1, 2].map(|axis| position[axis] - 0.5 * velocity[axis]);
            let mut canvas = canvas(400, 100, Aim { zoom, center: Some(center), ..Aim::default() });
            let mut seen = Vec::new();
            for _ in 0..3 {
                flock.step(&mut scratch);
                seen = trails(&flock, &mut canvas);
            }
            let dots: Vec<(usize, usize)> = (0..800 * 400)
                .map(|dot| (dot % 800, dot / 800))
                .filter(|(x, y)| seen[y / DOTS_HIGH * 400 + x / DOTS_WIDE].dots >> bit_index(*x, *y) & 1 == 1)
                .collect();
            let span = |axis: fn(&(usize, usize)) -> usize| {
                dots.iter().map(axis).max().unwrap() - dots.iter().map(axis).min().unwrap()
            };
            let long = span(|dot| dot.0).max(span(|dot| dot.1));
            assert!(dots.len() > long && long as f32 > zoom, "{zoom}: {} dots, {long} long", dots.len());
        }
    }

    #[test]
    fn trails_grow_fade_and_end_with_the_run() {
        let setup = presets::setup("drones", 7, 1.5);
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        let fresh = || canvas(100, 40, Aim::default());
        let mut canvas = fresh();
        let first = count(&trails(&flock, &mut canvas));
        let mut fly = |flock: &mut Flock, canvas: &mut Canvas, ticks| {
            for _ in 0..ticks {
                flock.step(&mut scratch);
                trails(flock, canvas);
            }
            trails(flock, canvas)
        };
        let paused = fly(&mut flock, &mut canvas, 30);
        assert!(count(&paused) > 3 * first, "{first} {}", count(&paused));
        let has_age = |range: std::ops::RangeInclusive<u8>| {
            paused.iter().any(|trail| trail.dots > 0 && range.contains(&trail.age))
        };
        assert!(has_age(129..=255) && has_age(0..=0));
        assert_eq!(trails(&flock, &mut canvas), paused);
        let later = count(&fly(&mut flock, &mut canvas, 300));
        assert!(later < 3 * count(&paused), "{later}");

        // A new run has no trails, and neither have agents that disappear before its first tick.
        for command in [Command::Reseed(8), Command::SetPredators(0)] {
            flock.apply(&command).unwrap();
            assert_eq!(trails(&flock, &mut canvas), trails(&flock, &mut fresh()));
        }
        canvas.set_format(CanvasFormat { columns: 90, rows: 40, view: View::Trails, ..CanvasFormat::default() });
        assert_eq!(trails(&flock, &mut canvas).len(), 90 * 40);
    }
}
