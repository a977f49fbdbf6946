//! Zones and the pointer, drawn as dots below the boids.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use crate::canvas::camera::Camera;
use crate::canvas::picture::{Cell, Content, Picture, SceneryCell, SceneryKind, size_in_dots};
use flockscope_sim::{Snapshot, Zone, ZoneKind};

/// Distance between the hatching lines of an obstacle, in dots.
const HATCH: i32 = 4;
/// The share of dots set in the middle of full food.
const FOOD_DENSITY: f32 = 0.55;
/// Length of the dashes and gaps of a roost's ring, in dots.
const DASH: f32 = 3.0;
/// Radius of the pointer's ring, in dots.
const RING: f32 = 3.6;
/// Dots on the pointer's ring and on the circle of its range.
const RING_DOTS: usize = 48;
/// The ring of a repelling pointer has gaps around the axes, where the cosine is above this.
const GAP: f32 = 0.9;

/// Removes boids from every other cell of the scenery, which bodies would hide.
pub(crate) fn show_through(picture: &mut Picture) {
    let (scenery, columns) = (&picture.scenery, picture.columns);
    picture.cells.for_each_drawn(|index, cell| {
        let is_chosen = (index % columns + index / columns).is_multiple_of(2);
        if is_chosen && cell.content == Content::Prey && scenery.get(index).is_some_and(|cell| cell.thing.is_some()) {
            *cell = Cell::default();
        }
    });
}

/// Draws the zones and the pointer. Without any, the picture has no such layer.
pub(crate) fn draw(flock: Snapshot<'_>, camera: &Camera, picture: &mut Picture) {
    if flock.zones.is_empty() && flock.pointer.is_none() {
        return;
    }
    picture.scenery.resize(picture.cells.all().len(), SceneryCell::default());
    for zone in flock.zones {
        draw_zone(zone, camera, picture);
    }
    if let Some(pointer) = flock.pointer {
        let at = camera.project(pointer.at).at;
        let range = screen_radius(pointer.at, flock.params.pointer.radius, camera) / camera.dot_aspect();
        draw_pointer(at, range, pointer.attracts, picture);
    }
}

fn draw_zone(zone: &Zone, camera: &Camera, picture: &mut Picture) {
    let (middle, radius) = (camera.project(zone.center).at, screen_radius(zone.center, zone.radius, camera));
    let disc = Disc { middle, radius, dot_aspect: camera.dot_aspect() };
    match zone.kind {
        ZoneKind::Obstacle => disc.fill(SceneryKind::Obstacle, picture, |dot| {
            dot.edge > -1.0 || (dot.column + dot.row).rem_euclid(HATCH) == 0
        }),
        ZoneKind::Food => disc.fill(SceneryKind::Food, picture, |dot| {
            let share = 1.0 + dot.edge / radius;
            dither(dot.column, dot.row) < zone.amount * FOOD_DENSITY * (1.15 - share * share)
        }),
        ZoneKind::Roost => disc.fill(SceneryKind::Roost, picture, |dot| {
            let along = dot.offset.y.atan2(dot.offset.x) * radius;
            dot.edge > -1.0 && along.rem_euclid(2.0 * DASH) < DASH
        }),
    }
}

/// The radius of a sphere on screen, in widths of a dot. Averaged over its three axes, two of which always face the
/// camera.
fn screen_radius(center: [f32; 3], radius: f32, camera: &Camera) -> f32 {
    // Offsets from one image of the center: on a torus the rim may be nearer the other way around.
    let offset = camera.offset(center);
    let middle = camera.project_offset(offset).at;
    let squared = |axis: Vec3| {
        let rim = camera.project_offset(offset + radius * axis).at;
        ((rim - middle) * camera.dot_aspect()).length_squared()
    };
    (0.5 * (squared(Vec3::X) + squared(Vec3::Y) + squared(Vec3::Z))).sqrt()
}

/// A disc on the canvas.
struct Disc {
    /// In dots.
    middle: Vec2,
    /// In widths of a dot.
    radius: f32,
    dot_aspect: Vec2,
}

/// A dot of a disc.
struct Dot {
    /// Columns and rows from the middle.
    column: i32,
    row: i32,
    /// Distance beyond the rim; negative inside.
    edge: f32,
    /// Offset from the middle, in widths of a dot.
    offset: Vec2,
}

impl Disc {
    /// Sets the dots of the disc that `is_set` chooses; of a disc smaller than a dot, the middle.
    fn fill(&self, thing: SceneryKind, picture: &mut Picture, is_set: impl Fn(Dot) -> bool) {
        let Self { middle, radius, dot_aspect } = *self;
        let canvas = size_in_dots(picture.columns, picture.rows);
        let low = (middle - radius / dot_aspect).floor().clamp(Vec2::ZERO, canvas);
        let high = ((middle + radius / dot_aspect).ceil() + 1.0).clamp(Vec2::ZERO, canvas);
        let home = middle.floor();
        for y in low.y as usize..high.y as usize {
            for x in low.x as usize..high.x as usize {
                let at = Vec2::new(x as f32, y as f32);
                let offset = (at + 0.5 - middle) * dot_aspect;
                let edge = offset.length() - radius;
                let steps = at - home;
                let is_only_dot = steps == Vec2::ZERO && radius < 1.0;
                let dot = Dot { column: steps.x as i32, row: steps.y as i32, edge, offset };
                if is_only_dot || edge <= 0.0 && is_set(dot) {
                    plot(picture, at, thing);
                }
            }
        }
    }
}

/// Draws the pointer: a ring, with a dot inside if it attracts and gaps if it repels, and the circle of its range.
fn draw_pointer(at: Vec2, range: Vec2, attracts: bool, picture: &mut Picture) {
    for step in 0..RING_DOTS {
        let direction = Vec2::from_angle(step as f32 / RING_DOTS as f32 * TAU);
        if attracts || direction.abs().max_element() <= GAP {
            plot(picture, at + direction * RING, SceneryKind::Pointer);
        }
        plot(picture, at + direction * range, SceneryKind::Pointer);
    }
    if attracts {
        plot(picture, at, SceneryKind::Pointer);
    }
}

/// Sets a dot. A cell shows only the thing drawn last.
fn plot(picture: &mut Picture, at: Vec2, thing: SceneryKind) {
    let Some((index, bit)) = picture.locate(at) else { return };
    let cell = &mut picture.scenery[index];
    if cell.thing != Some(thing) {
        *cell = SceneryCell { dots: 0, thing: Some(thing) };
    }
    cell.dots |= bit;
}

/// A threshold of 0 … 1 for each dot of food: dots with a low threshold vanish last.
fn dither(column: i32, row: i32) -> f32 {
    let mut word = (column as u32).wrapping_mul(0x9e37_79b1) ^ (row as u32).wrapping_mul(0x85eb_ca77);
    word = (word ^ (word >> 15)).wrapping_mul(0x2c1b_3c6d);
    word = (word ^ (word >> 12)).wrapping_mul(0x297a_2d39);
    ((word ^ (word >> 15)) >> 8) as f32 / (1 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::picture::bit;
    use crate::canvas::{Canvas, CanvasFormat, Layers, View};
    use flockscope_sim::{Command, Flock, Params, Pointer, Scratch, Setup, Start, World};

    fn setup(world: World, zones: &[Zone]) -> Setup {
        let (params, start) = (Params::default(), Start::Scatter);
        Setup { params, world, start, boids: 1, predators: 0, seed: 1, zones: zones.to_vec() }
    }

    /// A picture with one dot per u.
    fn picture(zones: &[Zone], pointer: Option<Pointer>) -> Picture {
        let mut flock = Flock::new(&setup(World::Rect([40.0, 40.0]), zones)).unwrap();
        flock.apply(&Command::SetPointer(pointer)).unwrap();
        let mut picture = Picture::default();
        let format = CanvasFormat { columns: 20, rows: 10, view: View::Heads, ..CanvasFormat::default() };
        Canvas::with_format(format).draw(&flock, &mut picture);
        picture
    }

    fn count(picture: &Picture, thing: SceneryKind) -> u32 {
        picture.scenery.iter().filter(|cell| cell.thing == Some(thing)).map(|cell| cell.dots.count_ones()).sum()
    }

    #[test]
    fn zones_have_their_place_and_size() {
        let picture = picture(&[Zone::new(ZoneKind::Obstacle, [12.0, 20.0, 0.0], 8.0)], None);
        let marked: Vec<usize> = (0..200).filter(|cell| picture.scenery[*cell].thing.is_some()).collect();
        let (columns, rows): (Vec<usize>, Vec<usize>) = marked.iter().map(|cell| (cell % 20, cell / 20)).unzip();
        assert_eq!((columns.iter().min(), columns.iter().max()), (Some(&2), Some(&9)));
        assert_eq!((rows.iter().min(), rows.iter().max()), (Some(&3), Some(&6)));
    }

    #[test]
    fn food_thins_out_as_boids_eat_it() {
        let dots = [1.0, 0.7, 0.4, 0.1].map(|left| {
            let food = Zone { amount: left, ..Zone::new(ZoneKind::Food, [20.0, 20.0, 0.0], 10.0) };
            count(&picture(&[food], None), SceneryKind::Food)
        });
        assert!(dots.windows(2).all(|pair| pair[0] > pair[1]) && dots[3] > 0, "{dots:?}");
    }

    #[test]
    fn the_pointer_shows_whether_it_attracts() {
        let dots = [true, false].map(|attracts| {
            let pointer = Pointer { at: [20.0, 20.0, 0.0], along: [0.0; 3], attracts };
            count(&picture(&[], Some(pointer)), SceneryKind::Pointer)
        });
        assert!(dots[0] > dots[1] && dots[1] > 8);
        assert!(picture(&[], None).scenery.is_empty());
    }

    #[test]
    fn discs_are_round_if_dots_are_higher_than_wide() {
        let mut picture = Picture::default();
        picture.clear(40, 20, Layers::default());
        picture.scenery.resize(800, SceneryCell::default());
        let disc = Disc { middle: Vec2::new(40.0, 40.0), radius: 20.0, dot_aspect: Vec2::new(1.0, 1.25) };
        disc.fill(SceneryKind::Food, &mut picture, |_| true);
        let set = |x: usize, y: usize| picture.scenery[y / 4 * 40 + x / 2].dots & bit(x, y) != 0;
        let across = (0..80).filter(|&x| set(x, 40)).count();
        let down = (0..80).filter(|&y| set(40, y)).count();
        assert_eq!((across, down), (40, 32));
    }

    #[test]
    fn spheres_have_the_same_size_from_every_side() {
        let mut setup = setup(World::Sphere(100.0), &[Zone::new(ZoneKind::Roost, [0.0; 3], 40.0)]);
        setup.params.edge.mode = flockscope_sim::Edge::Sphere;
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        for _ in 0..20 {
            (0..60).for_each(|_| flock.step(&mut scratch));
            let camera = Camera::new(&flock, 60, 30);
            let seen = screen_radius([0.0; 3], 40.0, &camera) / camera.scale();
            assert!((seen / 40.0 - 1.0).abs() < 0.1, "{seen}");
        }
    }
}
