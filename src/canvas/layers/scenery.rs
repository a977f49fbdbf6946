//! What stands in the world, and what is held over it, as dots under the boids.

use glam::{Vec2, Vec3};

use crate::canvas::camera::Camera;
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, Picture, SceneryCell, SceneryKind};
use crate::sim::{Flock, Zone, ZoneKind};

/// How far apart the lines are with which an obstacle is hatched, in dots.
const HATCH: i32 = 4;
/// The share of dots that are set in the middle of whole food.
const RICH: f32 = 0.55;
/// How long a dash of a roost's ring is, and the gap behind it, in dots.
const DASH: f32 = 3.0;
/// The radius of the pointer's own ring, in dots.
const RING: f32 = 3.6;
/// How many dots tell how far a pointer reaches.
const REACH: usize = 48;
/// How far the pointer's ring is open where it drives off, as the cosine of its quarters.
const OPEN: f32 = 0.9;

/// Draws all of it; where there is nothing, the picture has no such layer.
pub(crate) fn draw(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    if flock.zones().is_empty() && flock.pointer().is_none() {
        return;
    }
    picture.scenery.resize(picture.cells.all().len(), SceneryCell::default());
    for zone in flock.zones() {
        stand(zone, camera, picture);
    }
    if let Some(pointer) = flock.pointer() {
        let at = camera.project(pointer.at).at;
        let reach = seen_radius(pointer.at, flock.params().pointer.radius, camera);
        hold(at, reach / camera.dot_aspect(), pointer.attracts, picture);
    }
}

/// Draws a zone.
fn stand(zone: &Zone, camera: &Camera, picture: &mut Picture) {
    let (middle, radius) = (camera.project(zone.center).at, seen_radius(zone.center, zone.radius, camera));
    let disc = Disc { middle, radius, dot_aspect: camera.dot_aspect() };
    match zone.kind {
        ZoneKind::Obstacle => {
            disc.fill(SceneryKind::Obstacle, picture, |dot| {
                dot.edge > -1.0 || (dot.across + dot.down).rem_euclid(HATCH) == 0
            });
        }
        ZoneKind::Food => disc.fill(SceneryKind::Food, picture, |dot| {
            let share = 1.0 + dot.edge / disc.radius;
            grain(dot.across, dot.down) < zone.left * RICH * (1.15 - share * share)
        }),
        ZoneKind::Roost => disc.fill(SceneryKind::Roost, picture, |dot| {
            let along = dot.turn() * disc.radius;
            dot.edge > -1.0 && along.rem_euclid(2.0 * DASH) < DASH
        }),
    }
}

/// How large a radius at a place appears, in widths of a dot: of a ball's three axes, two always face the eye.
fn seen_radius(center: [f32; 3], radius: f32, camera: &Camera) -> f32 {
    // From the one image of its middle: around a torus its rim may be nearer the other way.
    let offset = camera.offset(center);
    let middle = camera.spot(offset).at;
    let square =
        |axis: Vec3| ((camera.spot(offset + radius * axis).at - middle) * camera.dot_aspect()).length_squared();
    (0.5 * (square(Vec3::X) + square(Vec3::Y) + square(Vec3::Z))).sqrt()
}

/// A disc on the canvas.
#[derive(Clone, Copy)]
struct Disc {
    /// In dots.
    middle: Vec2,
    /// In widths of a dot.
    radius: f32,
    /// What a dot is across and down, in its width.
    dot_aspect: Vec2,
}

/// A dot of a disc.
struct Dot {
    /// How far right of the middle.
    across: i32,
    /// How far below it.
    down: i32,
    /// How far outside the rim it lies; below 0 inside.
    edge: f32,
    offset: Vec2,
}

impl Dot {
    /// The direction from the middle, in radians.
    fn turn(&self) -> f32 {
        self.offset.y.atan2(self.offset.x)
    }
}

impl Disc {
    /// Sets the dots of the disc, at least one, for which `is_set` says so.
    fn fill(self, thing: SceneryKind, picture: &mut Picture, is_set: impl Fn(Dot) -> bool) {
        let Self { middle, radius, dot_aspect } = self;
        let dots = [picture.columns * DOTS_WIDE, picture.rows * DOTS_HIGH];
        let span = |at: f32, radius: f32, most: usize| {
            let end = |at: f32| at.clamp(0.0, most as f32) as usize;
            end((at - radius).floor())..end((at + radius).ceil() + 1.0)
        };
        let home = middle.floor();
        for y in span(middle.y, radius / dot_aspect.y, dots[1]) {
            for x in span(middle.x, radius, dots[0]) {
                let offset = (Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - middle) * dot_aspect;
                let edge = offset.length() - radius;
                let [across, down] = [x as f32 - home.x, y as f32 - home.y].map(|apart| apart as i32);
                let dot = Dot { across, down, edge, offset };
                let is_middle = (dot.across, dot.down) == (0, 0) && radius < 1.0;
                if is_middle || edge <= 0.0 && is_set(dot) {
                    plot(picture, x as f32, y as f32, thing);
                }
            }
        }
    }
}

/// Draws the pointer: a ring, with a dot inside where it draws boids and open where it drives them off, and
/// how far it reaches.
fn hold(at: Vec2, reach: Vec2, attracts: bool, picture: &mut Picture) {
    for step in 0..REACH {
        let way = Vec2::from_angle(step as f32 / REACH as f32 * std::f32::consts::TAU);
        let is_open = !attracts && way.abs().max_element() > OPEN;
        if !is_open {
            let dot = at + way * RING;
            plot(picture, dot.x, dot.y, SceneryKind::Pointer);
        }
        let dot = at + way * reach;
        plot(picture, dot.x, dot.y, SceneryKind::Pointer);
    }
    if attracts {
        plot(picture, at.x, at.y, SceneryKind::Pointer);
    }
}

/// Sets a dot. A cell shows one thing: the one that was drawn last.
fn plot(picture: &mut Picture, x: f32, y: f32, thing: SceneryKind) {
    let Some((cell, bit)) = picture.locate(x, y) else { return };
    let mark = &mut picture.scenery[cell];
    if mark.thing != Some(thing) {
        *mark = SceneryCell { dots: 0, thing: Some(thing) };
    }
    mark.dots |= bit;
}

/// A number from 0 up to 1 for each dot of food: which of them go first.
fn grain(across: i32, down: i32) -> f32 {
    let mut word = (across as u32).wrapping_mul(0x9e37_79b1) ^ (down as u32).wrapping_mul(0x85eb_ca77);
    word = (word ^ (word >> 15)).wrapping_mul(0x2c1b_3c6d);
    word = (word ^ (word >> 12)).wrapping_mul(0x297a_2d39);
    ((word ^ (word >> 15)) >> 8) as f32 / (1 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::picture::bit;
    use crate::canvas::{Canvas, CanvasFormat, View};
    use crate::sim::{Command, Params, Pointer, Setup, Start, World};

    fn picture(world: World, zones: &[Zone], pointer: Option<Pointer>) -> Picture {
        let params = Params::default();
        let setup =
            Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 1, zones: zones.to_vec() };
        let mut flock = Flock::new(&setup).unwrap();
        flock.apply(&Command::SetPointer(pointer)).unwrap();
        let mut picture = Picture::default();
        Canvas::with_format(CanvasFormat { columns: 20, rows: 10, view: View::Heads, ..CanvasFormat::default() })
            .draw(&flock, &mut picture);
        picture
    }

    /// How many dots of a thing are set.
    fn dots(picture: &Picture, thing: SceneryKind) -> u32 {
        picture.scenery.iter().filter(|mark| mark.thing == Some(thing)).map(|mark| mark.dots.count_ones()).sum()
    }

    const FLAT: World = World::Rect([40.0, 40.0]);

    #[test]
    fn a_spot_stands_where_it_is_and_as_large() {
        // One dot for each u.
        let picture = picture(FLAT, &[Zone::new(ZoneKind::Obstacle, [12.0, 20.0, 0.0], 8.0)], None);
        let marked: Vec<usize> = (0..200).filter(|cell| picture.scenery[*cell].thing.is_some()).collect();
        let (columns, rows): (Vec<usize>, Vec<usize>) = marked.iter().map(|cell| (cell % 20, cell / 20)).unzip();
        assert_eq!((columns.iter().min(), columns.iter().max()), (Some(&2), Some(&9)));
        assert_eq!((rows.iter().min(), rows.iter().max()), (Some(&3), Some(&6)));
    }

    #[test]
    fn food_thins_out_as_it_is_eaten() {
        let left = |left| {
            let food = Zone { left, ..Zone::new(ZoneKind::Food, [20.0, 20.0, 0.0], 10.0) };
            dots(&picture(FLAT, &[food], None), SceneryKind::Food)
        };
        let some: Vec<u32> = [1.0, 0.7, 0.4, 0.1].map(left).to_vec();
        assert!(some.windows(2).all(|pair| pair[0] > pair[1]) && some[3] > 0, "{some:?}");
    }

    #[test]
    fn the_pointer_is_a_ring_and_nothing_is_drawn_of_nothing() {
        let at = |attracts| Pointer { at: [20.0, 20.0, 0.0], along: [0.0; 3], attracts };
        let (near, off) = (picture(FLAT, &[], Some(at(true))), picture(FLAT, &[], Some(at(false))));
        assert!(
            dots(&near, SceneryKind::Pointer) > dots(&off, SceneryKind::Pointer)
                && dots(&off, SceneryKind::Pointer) > 8
        );
        assert!(picture(FLAT, &[], None).scenery.is_empty());
    }

    #[test]
    fn a_disc_is_round_where_dots_are_higher_than_wide() {
        let mut picture = Picture::default();
        picture.clear(40, 20, crate::canvas::Layers::default());
        picture.scenery.resize(800, SceneryCell::default());
        let disc = Disc { middle: Vec2::new(40.0, 40.0), radius: 20.0, dot_aspect: Vec2::new(1.0, 1.25) };
        disc.fill(SceneryKind::Food, &mut picture, |_| true);
        let set = |x: usize, y: usize| picture.scenery[y / 4 * 40 + x / 2].dots & bit(x, y) != 0;
        let across = (0..80).filter(|&x| set(x, 40)).count();
        let down = (0..80).filter(|&y| set(40, y)).count();
        assert_eq!((across, down), (40, 32));
    }

    #[test]
    fn a_ball_is_as_large_from_every_side() {
        let world = World::Sphere(100.0);
        let zone = Zone::new(ZoneKind::Roost, [0.0; 3], 40.0);
        let params = Params {
            edge: crate::sim::EdgeParams { mode: crate::sim::Edge::Sphere, ..Params::default().edge },
            ..Params::default()
        };
        let setup = Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 1, zones: vec![zone] };
        let mut flock = Flock::new(&setup).unwrap();
        let mut scratch = crate::sim::Scratch::new();
        for _ in 0..20 {
            (0..60).for_each(|_| flock.step(&mut scratch));
            let camera = Camera::new(&flock, 60, 30);
            let seen = seen_radius(zone.center, zone.radius, &camera) / camera.scale();
            assert!((seen / 40.0 - 1.0).abs() < 0.1, "{seen}");
        }
    }
}
