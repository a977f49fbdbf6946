//! The minimap: the whole world in small, with a frame around the part in view.

use glam::Vec2;

use crate::canvas::camera::{Camera, CameraPose};
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, Minimap, Picture, bit, size_in_dots};
use crate::canvas::projection::count_boxes;
use flockscope_sim::{Snapshot, World};

/// The largest map, in cells across and down.
const LARGEST: (usize, usize) = (16, 8);
/// The smallest map that is useful.
const SMALLEST: (usize, usize) = (5, 3);
/// The canvas is at least this many times as wide and as high as the map.
const SHARE: (usize, usize) = (4, 3);
/// A dot is set for more boids than this share of the mean over all dots with boids.
const DENSE: f32 = 0.5;

/// Draws the map beside a canvas whose camera is `view`, if the canvas is large enough.
pub(crate) fn draw(flock: Snapshot<'_>, view: &Camera, picture: &mut Picture) {
    let limit = ((picture.columns / SHARE.0).min(LARGEST.0), (picture.rows / SHARE.1).min(LARGEST.1));
    if limit.0 < SMALLEST.0 || limit.1 < SMALLEST.1 {
        return;
    }
    let dot_height = view.dot_aspect().y;
    let map = &mut picture.map;
    (map.columns, map.rows) = size(flock, limit.0, limit.1, dot_height);
    map.boids.resize(map.columns * map.rows, 0);
    map.frame.resize(map.columns * map.rows, 0);
    let pose = CameraPose::whole_world(flock);
    let dots = size_in_dots(map.columns, map.rows);
    let camera = Camera::from_pose(flock, &pose, dots, dot_height).with_rotation_of(view);
    draw_boids(map, flock, &camera);
    draw_frame(map, &camera, view);
}

/// The size in cells with the world's proportions, up to a limit.
fn size(flock: Snapshot<'_>, columns: usize, rows: usize, dot_height: f32) -> (usize, usize) {
    let dots = size_in_dots(columns, rows);
    let [width, height] = match flock.world {
        World::Rect(size) => size,
        World::Cuboid(_) | World::Sphere(_) => [1.0, 1.0],
    };
    let scale = (dots.x / width).min(dots.y * dot_height / height);
    let cells = |side: f32, dots: usize| ((side * scale / dots as f32).round() as usize).max(1);
    (cells(width, DOTS_WIDE).min(columns), cells(height / dot_height, DOTS_HIGH).min(rows))
}

/// Sets the dots with many boids.
fn draw_boids(map: &mut Minimap, flock: Snapshot<'_>, camera: &Camera) {
    let dots = [map.columns * DOTS_WIDE, map.rows * DOTS_HIGH];
    let totals: Vec<u32> = count_boxes(flock, camera, dots, [0, 0], &mut Vec::new()).collect();
    let occupied = totals.iter().filter(|total| **total > 0).count();
    let least = DENSE * totals.iter().sum::<u32>() as f32 / occupied.max(1) as f32;
    for (dot, _) in totals.iter().enumerate().filter(|(_, total)| **total as f32 > least) {
        set(&mut map.boids, map.columns, dot % dots[0], dot / dots[0]);
    }
}

/// Draws the frame. On a torus it wraps around the border.
fn draw_frame(map: &mut Minimap, camera: &Camera, view: &Camera) {
    let dots = size_in_dots(map.columns, map.rows);
    let half = view.middle() * camera.scale() / view.scale();
    let middle = camera.project(view.center().to_array()).at;
    let low = (middle - half).round();
    let high = (middle + half - 1.0).round().max(low + 1.0);
    let mut plot = |x: f32, y: f32| {
        let at =
            if view.is_wrapping() { Vec2::new(x.rem_euclid(dots.x), y.rem_euclid(dots.y)) } else { Vec2::new(x, y) };
        if at.cmpge(Vec2::ZERO).all() && at.cmplt(dots).all() {
            set(&mut map.frame, map.columns, at.x as usize, at.y as usize);
        }
    };
    // Parts far outside are skipped.
    let steps =
        |low: f32, high: f32, dots: f32| (low.max(-dots) as i32..=high.min(2.0 * dots) as i32).map(|at| at as f32);
    for x in steps(low.x, high.x, dots.x) {
        plot(x, low.y);
        plot(x, high.y);
    }
    for y in steps(low.y, high.y, dots.y) {
        plot(low.x, y);
        plot(high.x, y);
    }
}

fn set(cells: &mut [u8], columns: usize, x: usize, y: usize) {
    cells[y / DOTS_HIGH * columns + x / DOTS_WIDE] |= bit(x, y);
}
