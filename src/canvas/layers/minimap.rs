//! The whole world in small, and what of it is in view.

use glam::Vec2;

use crate::canvas::camera::{Camera, CameraPose};
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, bit, size_in_dots};
use crate::canvas::raster::projection;
use crate::sim::{Flock, World};

/// The most cells that a map takes, across and down.
const LARGEST: (usize, usize) = (16, 8);
/// The share of the canvas that it takes at most, to one in so many across and down.
const SHARE: (usize, usize) = (4, 3);
/// A map with less room says nothing.
const SMALLEST: (usize, usize) = (5, 3);
/// A dot is set where there are more boids than this share of the mean over all dots that have any.
const DENSE: f32 = 0.5;

/// A map of the world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Minimap {
    /// How many cells it is wide; 0 where there is no map.
    pub columns: usize,
    /// How many cells it is high.
    pub rows: usize,
    /// Where boids are: the dots of each cell, as the low byte of the braille block.
    pub boids: Vec<u8>,
    /// The frame around what is in view, likewise.
    pub frame: Vec<u8>,
}

impl Minimap {
    /// There is none.
    pub(crate) fn clear(&mut self) {
        (self.columns, self.rows) = (0, 0);
        self.boids.clear();
        self.frame.clear();
    }

    /// The map beside a canvas of this many cells, on which `view` sees a part of the world.
    pub(crate) fn fill(&mut self, flock: &Flock, view: &Camera, columns: usize, rows: usize) {
        let room = ((columns / SHARE.0).min(LARGEST.0), (rows / SHARE.1).min(LARGEST.1));
        if room.0 < SMALLEST.0 || room.1 < SMALLEST.1 {
            return;
        }
        let dot_height = view.dot_aspect().y;
        (self.columns, self.rows) = shape(flock, room, dot_height);
        self.boids.resize(self.columns * self.rows, 0);
        self.frame.resize(self.columns * self.rows, 0);
        let dots = size_in_dots(self.columns, self.rows);
        // Seen from the same side.
        let whole = CameraPose::whole(flock);
        let camera = Camera::at(flock, &whole, dots, dot_height).beside(view);
        self.count(flock, &camera);
        self.outline(&camera, view);
    }

    /// Sets the dots where boids are.
    fn count(&mut self, flock: &Flock, camera: &Camera) {
        let dots = [self.columns * DOTS_WIDE, self.rows * DOTS_HIGH];
        let mut counts: Vec<Vec<u32>> = Vec::new();
        projection::look(flock, camera, false, &mut counts, &|counts: &mut Vec<u32>, block| {
            counts.resize(dots[0] * dots[1] + 1, 0);
            for &at in &block.boxes(dots, 0, 0)[..block.len] {
                counts[at as usize] += 1;
            }
        });
        let mut total = vec![0_u32; dots[0] * dots[1]];
        for part in &counts {
            total.iter_mut().zip(part).for_each(|(total, count)| *total += count);
        }
        let inhabited = total.iter().filter(|count| **count > 0).count();
        let least = DENSE * total.iter().sum::<u32>() as f32 / inhabited.max(1) as f32;
        for (at, _) in total.iter().enumerate().filter(|(_, count)| **count as f32 > least) {
            let (x, y) = (at % dots[0], at / dots[0]);
            set(&mut self.boids, self.columns, x, y);
        }
    }

    /// Draws the frame around what is in view; in a world that wraps it goes around, too.
    fn outline(&mut self, camera: &Camera, view: &Camera) {
        let dots = size_in_dots(self.columns, self.rows);
        let half = view.middle() * camera.scale() / view.scale();
        let middle = camera.project(view.center().to_array()).at;
        let (low, high) = ((middle - half).round(), (middle + half - 1.0).round());
        let wraps = view.wraps();
        let mut plot = |x: f32, y: f32| {
            let at = if wraps { Vec2::new(x.rem_euclid(dots.x), y.rem_euclid(dots.y)) } else { Vec2::new(x, y) };
            if at.cmpge(Vec2::ZERO).all() && at.cmplt(dots).all() {
                set(&mut self.frame, self.columns, at.x as usize, at.y as usize);
            }
        };
        let high = high.max(low + 1.0);
        for x in steps(low.x, high.x, dots.x) {
            plot(x, low.y);
            plot(x, high.y);
        }
        for y in steps(low.y, high.y, dots.y) {
            plot(low.x, y);
            plot(high.x, y);
        }
    }
}

/// From one to the other in steps of a dot, what is far outside left out.
fn steps(low: f32, high: f32, dots: f32) -> impl Iterator<Item = f32> {
    let (low, high) = (low.max(-dots) as i32, high.min(2.0 * dots) as i32);
    (low..=high).map(|at| at as f32)
}

/// How many cells the world takes in so much room, its proportions kept.
fn shape(flock: &Flock, (columns, rows): (usize, usize), dot_height: f32) -> (usize, usize) {
    let dots = size_in_dots(columns, rows);
    let [width, height] = match flock.world() {
        World::Rect(size) => size,
        World::Cuboid(_) | World::Sphere(_) => [1.0, 1.0],
    };
    let scale = (dots.x / width).min(dots.y * dot_height / height);
    let cells = |side: f32, dots: usize| ((side * scale / dots as f32).round() as usize).max(1);
    (cells(width, DOTS_WIDE).min(columns), cells(height / dot_height, DOTS_HIGH).min(rows))
}

fn set(cells: &mut [u8], columns: usize, x: usize, y: usize) {
    cells[y / DOTS_HIGH * columns + x / DOTS_WIDE] |= bit(x, y);
}
