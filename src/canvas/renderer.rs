//! The rasteriser: a flock becomes a picture.

use glam::Vec2;

use super::camera::controller::{CameraController, Followed};
use super::camera::{Camera, CameraPose};
use super::layers::bodies;
use super::layers::glow::GlowLayer;
use super::layers::heat::Heat;
use super::layers::scenery;
use super::layers::shapes::BodySize;
use super::layers::trails::Trails;
use super::picture::{DOTS_HIGH, DOTS_WIDE, Picture, size_in_dots};
use super::raster::projection;
use super::raster::resolve::settle;
use super::raster::sums::SumAccumulator;
use super::smoothing::exposure::mean_share;
use super::view::{BodyStyle, CanvasFormat, Layers};
use crate::sim::{Flock, World};

/// Draws a flock, again and again, in a format that may change.
///
/// What it draws follows from the flock alone but for what is smoothed over time: glow, heat, densities
/// and trails carry on from the picture before, as long as it shows the same run at a tick before, and the
/// view glides from where it was.
#[derive(Debug, Default)]
pub struct Canvas {
    format: CanvasFormat,
    tally: SumAccumulator,
    crowd: GlowLayer,
    heat: Heat,
    trails: Trails,
    guide: CameraController,
    shown: Option<LastPicture>,
    camera: Camera,
    view_info: ViewInfo,
    /// How many boids have been in view of late.
    mean: f32,
}

/// What the last picture showed.
#[derive(Clone, Copy, Debug)]
struct LastPicture {
    seed: u64,
    world: World,
    /// The world in which it will have arrived.
    settled: World,
    tick: u64,
    layers: Layers,
    /// Whether the view got larger, smaller or turned with it.
    turning: bool,
}

/// What is in view, and where the view is going.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewInfo {
    /// What the middle of the view glides to, in u.
    pub center: [f32; 3],
    /// How many times larger than the whole it will be then.
    pub zoom: f32,
    /// How many dots a length of 1 u takes then.
    pub scale: f32,
    /// From which side a deep world is seen then, in radians.
    pub yaw: f32,
    /// From how far below, in radians.
    pub pitch: f32,
    /// Who stays in the middle, and how many dots from the upper left corner it is seen.
    pub followed: Option<(Followed, Vec2)>,
    /// Who has gone while it was followed.
    pub lost: Option<u32>,
    /// About how many boids are in view.
    pub boids: usize,
}

/// Over how many ticks the number of boids in view is taken: flocks come into it and go.
const CALM: f32 = 300.0;
/// The number that the layers follow stays until this mean is more than so many times as large, or as small.
const STIR: f32 = 2.0;

impl Canvas {
    /// A canvas of this many cells, with the view that suits; 0 by 0 is a canvas too.
    #[must_use]
    pub fn new(columns: usize, rows: usize) -> Self {
        Self::with_format(CanvasFormat { columns, rows, densities: true, ..CanvasFormat::default() })
    }

    /// A canvas in a format.
    #[must_use]
    pub fn with_format(format: CanvasFormat) -> Self {
        let mut canvas = Self { format, ..Self::default() };
        canvas.guide.ask(format.aim);
        canvas
    }

    /// Changes the format.
    pub fn set_format(&mut self, format: CanvasFormat) {
        if (format.columns, format.rows, format.dot_height)
            != (self.format.columns, self.format.rows, self.format.dot_height)
        {
            self.shown = None;
        }
        self.guide.ask(format.aim);
        self.format = format;
    }

    /// Lets the view advance_camera on for so many seconds to where it is wanted; the first picture is there at once.
    pub fn advance_camera(&mut self, seconds: f32) {
        self.guide.advance_camera(seconds);
    }

    /// Whether the view is on its way.
    #[must_use]
    pub fn is_camera_moving(&self) -> bool {
        self.guide.is_camera_moving()
    }

    /// What the last picture had in view.
    #[must_use]
    pub fn view_info(&self) -> ViewInfo {
        self.view_info
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
        let CanvasFormat { columns, rows, densities, aim, map, .. } = self.format;
        let dots = size_in_dots(columns, rows);
        if columns * rows == 0 {
            return picture.clear(columns, rows, self.format.layers(flock.boids()));
        }
        let before = self.look(flock, dots);
        let camera = self.camera;
        self.view_info.boids = self.in_view(flock, dots, &before);
        let layers = self.format.layers(self.view_info.boids);
        picture.clear(columns, rows, layers);
        let elapsed = self.elapsed(flock, layers);
        self.shift(&before);
        scenery::draw(flock, &camera, picture);
        if layers.body == BodyStyle::Heat {
            self.heat.fill(flock, &camera, elapsed, picture);
        } else {
            let sums = self.tally.take(flock, &camera, columns, rows);
            let crowded = layers.glow || densities;
            if crowded {
                self.crowd.fill(sums, flock, elapsed, picture);
            } else {
                self.crowd.reset();
            }
            settle(sums, flock, picture);
            if layers.body == BodyStyle::Shapes {
                let size =
                    BodySize::new(columns * rows * DOTS_WIDE * DOTS_HIGH, self.view_info.boids, self.view_info.zoom);
                bodies::boids(flock, &camera, size, picture);
            }
            if flock.params().leaders.count > 0.0 {
                bodies::leaders(flock, &camera, picture);
            }
            if crowded {
                self.crowd.tell(picture);
            }
        }
        if layers.trails {
            self.trails.fill(flock, &camera, elapsed, picture);
        }
        bodies::predators(flock, &camera, picture);
        if map && (!aim.shows_whole_world() || self.guide.is_camera_moving()) {
            picture.map.fill(flock, &camera, columns, rows);
        }
    }

    /// Looks where it is asked to; returns the camera of the picture before.
    fn look(&mut self, flock: &Flock, dots: Vec2) -> Camera {
        let other = |shown: &LastPicture| (shown.seed, shown.settled) != (flock.seed(), flock.morph_target().1);
        if self.shown.as_ref().is_none_or(|shown| other(shown) || shown.tick > flock.tick()) {
            self.guide.jump();
        }
        let dot_height = self.format.dot_height;
        // Who is nearest to the middle is asked of a canvas that has drawn nothing yet, too.
        let whole = CameraPose::whole(flock);
        let last = if self.shown.is_some() { self.camera } else { Camera::at(flock, &whole, dots, dot_height) };
        let (stand, wanted) = self.guide.lead(flock, &last, &whole);
        self.camera = Camera::at(flock, &stand, dots, dot_height);
        self.view_info = ViewInfo {
            center: wanted.center.to_array(),
            zoom: wanted.zoom,
            scale: Camera::at(flock, &wanted, dots, dot_height).scale(),
            yaw: wanted.turn,
            pitch: wanted.tilt,
            followed: self.guide.followed().map(|followed| (followed, self.camera.project(followed.at()).at)),
            lost: self.guide.lost(),
            boids: self.view_info.boids,
        };
        last
    }

    /// About how many boids are in view: as many as before, unless there are far more or less for a while, or the view
    /// gets nearer or farther.
    fn in_view(&mut self, flock: &Flock, dots: Vec2, last: &Camera) -> usize {
        if self.format.aim.shows_whole_world() && !self.guide.is_camera_moving() {
            self.mean = flock.boids() as f32;
            return flock.boids();
        }
        let mut counts: Vec<usize> = Vec::new();
        projection::look(flock, &self.camera, false, &mut counts, &|count: &mut usize, block| {
            *count += block.inside(dots)
        });
        let count = counts.iter().sum::<usize>();
        match &self.shown {
            Some(shown) if last.scale() == self.camera.scale() && shown.tick <= flock.tick() => {
                let ticks = (flock.tick() - shown.tick) as f32;
                self.mean += (count as f32 - self.mean) * mean_share(ticks, CALM);
                let before = self.view_info.boids as f32;
                let is_near = self.mean <= STIR * before && before <= STIR * self.mean;
                if is_near { self.view_info.boids } else { self.mean.round() as usize }
            }
            _ => {
                self.mean = count as f32;
                count
            }
        }
    }

    /// How many ticks have mean_share since the last picture. What that has left behind is forgotten where
    /// it showed another run or other layers, or another side of the world.
    fn elapsed(&mut self, flock: &Flock, layers: Layers) -> f32 {
        let turning = self.guide.is_turning();
        let (seed, world, settled, tick) = (flock.seed(), flock.world(), flock.morph_target().1, flock.tick());
        let now = LastPicture { seed, world, settled, tick, layers, turning };
        let before = self.shown.replace(now).filter(|before| {
            let same = (before.seed, before.world, before.layers) == (now.seed, now.world, now.layers);
            // At its first tick a run has no past, also where it begins anew and nothing else tells.
            same && before.tick <= now.tick && now.tick > 0 && !(before.turning || turning)
        });
        if let Some(before) = before {
            return (now.tick - before.tick) as f32;
        }
        self.reset();
        0.0
    }

    /// Moves what carries on from picture to picture with the world.
    fn shift(&mut self, before: &Camera) {
        let dots = self.camera.project(before.center().to_array()).at - self.camera.middle();
        let middle = self.camera.middle();
        if dots == Vec2::ZERO || before.middle() != middle {
            return;
        }
        // What was in view then is not any more.
        if dots.is_nan() || dots.abs().cmpgt(2.0 * middle).any() {
            return self.reset();
        }
        let columns = self.format.columns;
        self.crowd.shift(dots, columns);
        self.heat.shift(dots, columns);
        self.trails.shift(dots, columns);
    }

    fn reset(&mut self) {
        self.crowd.reset();
        self.heat.reset();
        self.trails.reset();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::canvas::{Aim, Cell, Content, Follow, Glow, View};
    use crate::config::Preset;
    use crate::engine::in_pool;
    use crate::sim::{Kind, Params, Row, Scratch, Setup, Start, World};

    fn flock(rows: &[Row]) -> Flock {
        let setup = Setup {
            params: Params::default(),
            world: World::Rect([40.0, 40.0]),
            start: Start::Scatter,
            boids: 1,
            predators: 0,
            seed: 1,
            zones: Vec::new(),
        };
        Flock::from_rows(&setup, 0, rows).unwrap()
    }

    fn row(id: u32, kind: Kind, x: f32, y: f32, vx: f32, vy: f32) -> Row {
        Row { id, kind, position: [x, y, 0.0], velocity: [vx, vy, 0.0], mood: 0.0 }
    }

    #[test]
    fn headings_are_averaged_as_vectors() {
        // Just above and just below "to the right": their mean is to the right, not to the left.
        let flock = flock(&[row(0, Kind::Prey, 5.0, 5.0, 2.0, 0.3), row(1, Kind::Prey, 5.1, 5.1, 2.0, -0.3)]);
        let mut picture = Picture::default();
        Canvas::new(20, 10).draw(&flock, &mut picture);
        let cell = picture.cells.all().iter().find(|cell| cell.count > 0).unwrap();
        assert_eq!((cell.count, cell.heading), (2, 0));
    }

    #[test]
    fn a_predator_hides_the_boids_behind_it_and_is_larger() {
        let boid = row(0, Kind::Prey, 20.0, 20.0, 1.0, 0.0);
        let flock = flock(&[boid, row(1, Kind::Predator, 20.0, 20.0, 1.0, 0.0)]);
        let mut picture = Picture::default();
        Canvas::new(20, 10).draw(&flock, &mut picture);
        assert!(picture.cells.all().iter().all(|cell| cell.content != Content::Prey || cell.count == 0));
        let dots: u32 = picture.cells.all().iter().map(|cell| cell.dots.count_ones()).sum();
        assert!(dots >= 10, "{dots}");
    }

    #[test]
    fn alarm_is_seen_and_who_is_gone_is_not() {
        let boid = row(0, Kind::Prey, 5.0, 5.0, 1.0, 0.0);
        let rows = [
            Row { mood: 1.0, ..boid },
            row(1, Kind::Prey, 5.1, 5.1, 1.0, 0.0),
            row(2, Kind::Prey, 30.0, 5.0, 1.0, 0.0),
            Row { mood: 9.0, ..row(3, Kind::Caught, 20.0, 30.0, 1.0, 0.0) },
        ];
        let mut params = Params::default();
        params.alarm.spread = 0.5;
        let world = World::Rect([40.0, 40.0]);
        let setup = Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 1, zones: Vec::new() };
        let flock = Flock::from_rows(&setup, 0, &rows).unwrap();
        for view in [View::Heads, View::Shapes] {
            let mut picture = Picture::default();
            let format = CanvasFormat { columns: 20, rows: 10, view, densities: true, ..CanvasFormat::default() };
            Canvas::with_format(format).draw(&flock, &mut picture);
            let heads: Vec<(u16, u8)> =
                picture.cells.all().iter().filter(|cell| cell.count > 0).map(|cell| (cell.count, cell.alarm)).collect();
            assert_eq!(heads, [(2, Cell::ALARMS), (1, 0)]);
        }
    }

    #[test]
    fn every_size_is_drawn() {
        let flock = flock(&[row(0, Kind::Prey, 20.0, 20.0, 1.0, 0.0), row(1, Kind::Predator, 39.9, 0.0, 0.0, 0.0)]);
        let mut picture = Picture::default();
        for (columns, rows) in [(0, 0), (1, 0), (0, 1), (1, 1), (1, 50), (300, 1)] {
            Canvas::new(columns, rows).draw(&flock, &mut picture);
            assert_eq!(picture.cells.all().len(), columns * rows);
        }
    }

    #[test]
    fn who_follows_a_flock_keeps_the_look_while_boids_come_and_go() {
        let mut flock = Flock::new(&Preset::load("starlings").unwrap().setup(7, 1.5)).unwrap();
        let aim = Aim { zoom: 2.0, follow: Follow::Largest, ..Aim::default() };
        let mut canvas = Canvas::with_format(CanvasFormat { columns: 120, rows: 39, aim, ..CanvasFormat::default() });
        let (mut scratch, mut picture, mut looks) = (Scratch::new(), Picture::default(), Vec::new());
        for _ in 0..1500 {
            flock.step(&mut scratch);
            canvas.advance_camera(1.0 / 60.0);
            canvas.draw(&flock, &mut picture);
            looks.push(picture.layers);
        }
        looks.dedup();
        assert!(looks.len() <= 2, "{looks:?}");
    }

    #[test]
    fn a_picture_is_the_same_for_any_number_of_threads() {
        let setup = Setup { boids: 70_000, ..Preset::load("starlings").unwrap().setup(7, 1.6) };
        let flock = Flock::new(&setup).unwrap();
        for view in [View::Glow, View::Heat] {
            let picture = |threads| {
                let mut picture = Picture::default();
                in_pool(NonZeroUsize::new(threads).unwrap(), |_| {
                    Canvas::with_format(CanvasFormat {
                        columns: 90,
                        rows: 30,
                        view,
                        densities: true,
                        ..CanvasFormat::default()
                    })
                    .draw(&flock, &mut picture);
                });
                picture
            };
            assert_eq!(picture(1), picture(3));
        }
    }

    #[test]
    fn in_the_dark_nothing_glows_and_all_else_is_seen() {
        let flock = Flock::new(&Preset::load("starlings").unwrap().setup(7, 1.6)).unwrap();
        let picture = |no_glow| {
            let mut picture = Picture::default();
            Canvas::with_format(CanvasFormat {
                columns: 80,
                rows: 24,
                view: View::Glow,
                no_glow,
                ..CanvasFormat::default()
            })
            .draw(&flock, &mut picture);
            picture
        };
        let (lit, no_glow) = (picture(false), picture(true));
        assert!(lit.layers.glow && lit.glow.iter().any(|glow| glow.level > 0));
        assert!(!no_glow.layers.glow && no_glow.glow.is_empty());
        let dots = |picture: &Picture| picture.cells.all().iter().map(|cell| cell.dots).collect::<Vec<_>>();
        assert_eq!(dots(&lit), dots(&no_glow));
    }

    #[test]
    fn a_heat_map_has_every_boid_in_its_half_of_a_cell() {
        let flock = flock(&[row(0, Kind::Prey, 5.0, 35.0, 1.0, 0.0), row(1, Kind::Predator, 35.0, 5.0, 1.0, 0.0)]);
        let mut picture = Picture::default();
        Canvas::with_format(CanvasFormat {
            columns: 20,
            rows: 10,
            view: View::Heat,
            densities: true,
            ..CanvasFormat::default()
        })
        .draw(&flock, &mut picture);
        // The world is 40 by 40 u, the canvas as many dots: a sample is 2 dots by 2.
        let hottest = |half: usize| picture.heat.iter().map(|heat| heat[half]).max().unwrap();
        assert_eq!((picture.heat[8 * 20 + 2][1], hottest(1)), (255, 255));
        assert!(hottest(0) < 255);
        assert!(picture.cells.all().iter().all(|cell| cell.content != Content::Prey));
        assert_eq!(picture.cells.all().iter().map(|cell| cell.count).sum::<u16>(), 1);
    }

    #[test]
    fn a_zoomed_picture_is_a_part_of_a_larger_one() {
        let flock = Flock::new(&Preset::load("drones").unwrap().setup(7, 1.5)).unwrap(); // in 800 x 600 u
        let picture = |columns, rows, aim| {
            let format = CanvasFormat { columns, rows, view: View::Heads, aim, map: true, ..CanvasFormat::default() };
            let mut picture = Picture::default();
            Canvas::with_format(format).draw(&flock, &mut picture);
            picture
        };
        let large = picture(160, 60, Aim::default());
        let near = picture(80, 30, Aim { zoom: 2.0, center: Some([200.0, 150.0, 0.0]), ..Aim::default() });
        // Predators are as large near by as from afar, and those outside may reach in.
        let boids = |cell: Cell| (cell.content == Content::Prey).then_some(cell);
        for row in 0..30 {
            for column in 0..80 {
                let (part, whole) = (near.cells.all()[row * 80 + column], large.cells.all()[row * 160 + column]);
                assert_eq!(boids(part), boids(whole), "{column} {row}");
            }
        }
        assert!(large.map.boids.is_empty() && near.map.boids.iter().any(|dots| *dots > 0));
        // The frame takes a quarter of the map, at its upper left.
        let map = &near.map;
        assert!(map.frame[0] & 0x01 > 0 && map.frame[map.columns * map.rows - 1] == 0);
    }

    #[test]
    fn trails_go_with_the_world_when_the_view_moves() {
        let mut setup = Preset::load("drones").unwrap().setup(7, 1.5);
        setup.params.species.count = 3.0;
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        let at = |x| CanvasFormat {
            columns: 80,
            rows: 30,
            view: View::Trails,
            aim: Aim { zoom: 2.0, center: Some([x, 300.0, 0.0]), ..Aim::default() },
            ..CanvasFormat::default()
        };
        let (mut canvas, mut before, mut after) =
            (Canvas::with_format(at(400.0)), Picture::default(), Picture::default());
        for _ in 0..40 {
            flock.step(&mut scratch);
            canvas.draw(&flock, &mut before);
        }
        // 160 dots for 400 u: 20 u are 8 dots, 4 cells.
        assert!((canvas.camera().scale() - 0.4).abs() < 1e-6);
        canvas.set_format(at(420.0));
        for _ in 0..30 {
            canvas.draw(&flock, &mut after);
            canvas.advance_camera(0.1);
        }
        assert!(!canvas.is_camera_moving());
        let (mut same, mut marked) = (0, 0);
        for (at, trail) in after.trails.iter().enumerate().filter(|(at, trail)| at % 80 < 76 && trail.dots > 0) {
            marked += 1;
            let was = before.trails[at + 4];
            same += usize::from((was.dots, was.species) == (trail.dots, trail.species));
        }
        assert!(marked > 60 && same * 10 > marked * 8, "{same} of {marked}");
    }

    #[test]
    fn a_glow_takes_its_heading_as_a_vector_and_stands_still_with_the_flock() {
        // Two crowds side by side, a little up and a little down from the right: the glow flies right.
        let rows: Vec<Row> = (0..40)
            .map(|id| row(id, Kind::Prey, 18.0 + 0.1 * id as f32, 20.0, 2.0, if id % 2 == 0 { 0.6 } else { -0.6 }))
            .collect();
        let flock = flock(&rows);
        let mut canvas = Canvas::with_format(CanvasFormat {
            columns: 20,
            rows: 10,
            view: View::Glow,
            densities: true,
            ..CanvasFormat::default()
        });
        let (mut picture, mut again) = (Picture::default(), Picture::default());
        canvas.draw(&flock, &mut picture);
        canvas.draw(&flock, &mut again);
        assert_eq!(picture, again);
        let bright: Vec<Glow> = picture.glow.iter().copied().filter(|glow| glow.level > 0).collect();
        assert!(bright.len() > 8 && bright.iter().any(|glow| glow.level == Glow::LEVELS));
        assert!(bright.iter().all(|glow| glow.heading.wrapping_add(16) <= 32), "{bright:?}");
    }
}
