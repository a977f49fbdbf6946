//! The canvas: draws a flock into a picture, again and again.

use glam::Vec2;

use super::camera::controller::{CameraController, Followed};
use super::camera::{Camera, CameraPose};
use super::layers::birds::BirdLayer;
use super::layers::bodies::{self, BodySize};
use super::layers::glow::{GlowLayer, HeatMap};
use super::layers::trails::Trails;
use super::layers::{minimap, scenery};
use super::picture::{BodyStyle, DOTS_HIGH, DOTS_WIDE, Layers, Picture, size_in_dots};
use super::projection::visit_blocks;
use super::raster::{CellSums, resolve, sum_cells};
use super::smoothing::{continues, new_weight};
use super::view::CanvasFormat;
use flockscope_sim::{Flock, Perches, Snapshot, World};

/// Time constant in ticks of the mean number of boids in view: flocks enter and leave it.
const IN_VIEW_WINDOW: f32 = 300.0;
/// The number of boids in view that chooses the layers changes when the mean is off by more than this factor.
const IN_VIEW_RATIO: f32 = 2.0;

/// Draws a flock, again and again, in a format that may change.
///
/// Glow, heat, densities, trails and the movement of the camera continue from the picture before, as long as that
/// showed an earlier tick of the same run. All else depends on the flock alone.
#[derive(Debug, Default)]
pub struct Canvas {
    format: CanvasFormat,
    sums: Vec<CellSums>,
    glow: GlowLayer,
    heat: HeatMap,
    trails: Trails,
    birds: BirdLayer,
    controller: CameraController,
    last: Option<LastPicture>,
    camera: Camera,
    view_info: ViewInfo,
    /// Mean number of boids in view.
    mean_in_view: f32,
}

/// What the last picture showed.
#[derive(Clone, Copy, Debug)]
struct LastPicture {
    seed: Option<u64>,
    world: World,
    /// The world at the end of a morph.
    target_world: World,
    tick: u64,
    layers: Layers,
    zooming_or_rotating: bool,
}

/// The boids in view, and the target of the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewInfo {
    /// The target of the middle of the view, in u.
    pub center: [f32; 3],
    /// The target zoom.
    pub zoom: f32,
    /// Dots per u at the target zoom.
    pub scale: f32,
    /// The target rotation around the vertical axis, in radians.
    pub yaw: f32,
    /// The target angle below the horizon, in radians.
    pub pitch: f32,
    /// The followed agent and its place on the canvas, in dots from the upper left corner.
    pub followed: Option<(Followed, Vec2)>,
    /// The id of the followed agent, after it disappeared.
    pub lost: Option<u32>,
    /// The approximate number of boids in view.
    pub boids: usize,
}

impl Canvas {
    /// A canvas of this many cells in the default format. It may be empty.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self::with_format(CanvasFormat { columns, rows, ..CanvasFormat::default() })
    }

    /// A canvas in a format.
    pub fn with_format(format: CanvasFormat) -> Self {
        let mut canvas = Self { format, ..Self::default() };
        canvas.controller.set_aim(format.aim);
        canvas
    }

    /// Changes the format. [`advance_camera`](Self::advance_camera) moves the camera to another aim.
    pub fn set_format(&mut self, format: CanvasFormat) {
        let size = |format: &CanvasFormat| (format.columns, format.rows, format.dot_height);
        if size(&format) != size(&self.format) {
            // The place of each cell has changed, so that nothing continues from the last picture.
            self.last = None;
        }
        self.controller.set_aim(format.aim);
        self.format = format;
    }

    /// The format.
    pub fn format(&self) -> CanvasFormat {
        self.format
    }

    /// Moves the camera on toward its target. The first picture of a run shows the target at once.
    pub fn advance_camera(&mut self, seconds: f32) {
        self.controller.advance(seconds);
    }

    /// Whether the camera has not reached its target.
    pub fn is_camera_moving(&self) -> bool {
        self.controller.is_moving()
    }

    /// What the last picture had in view.
    pub fn view_info(&self) -> ViewInfo {
        self.view_info
    }

    /// The camera of the last picture. Before the first one, [`Camera::new`] has that of a flock.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// Draws a flock as it is now.
    ///
    /// Inside a `rayon` thread pool a large flock is drawn on several threads. The picture does not depend on their
    /// number.
    pub fn draw<'a>(&mut self, flock: impl Into<Snapshot<'a>>, picture: &mut Picture) {
        let flock = flock.into();
        let CanvasFormat { columns, rows, densities, aim, map, .. } = self.format;
        if columns * rows == 0 {
            return picture.clear(columns, rows, self.format.layers(flock.boids(), flock.world.dim()));
        }
        let last_camera = self.update_camera(flock);
        self.view_info.boids = self.count_in_view(flock, &last_camera);
        let mut layers = self.format.layers(self.view_info.boids, flock.world.dim());
        if flock.perches.is_some_and(Perches::has_only_numbered) {
            // A glyph hides one cell, and so the whole of its boid.
            layers = Layers::default();
        }
        picture.clear(columns, rows, layers);
        let elapsed = self.continue_from_last(flock, layers);
        self.scroll(&last_camera);
        let camera = &self.camera;
        scenery::draw(flock, camera, picture);
        if layers.body == BodyStyle::Heat {
            self.heat.draw(flock, camera, elapsed, picture);
        } else {
            let sums = if layers.body == BodyStyle::Birds {
                self.birds.draw(flock, camera, self.view_info.boids, elapsed, picture)
            } else {
                let sums = sum_cells(&mut self.sums, flock, camera, columns, rows);
                resolve(sums, flock, picture);
                sums
            };
            let has_densities = layers.glow || densities;
            if has_densities {
                self.glow.draw(sums, flock, self.view_info.boids, elapsed, picture);
            } else {
                self.glow = GlowLayer::default();
            }
            if layers.body == BodyStyle::Shapes {
                let dots = columns * rows * DOTS_WIDE * DOTS_HIGH;
                let size = BodySize::new(dots, self.view_info.boids, self.view_info.zoom);
                bodies::draw_boids(flock, camera, size, picture);
            }
            if flock.params.leaders.count > 0.0 {
                bodies::mark_leaders(flock, camera, picture);
            }
            // After bodies, which draw more cells than the sums have.
            if has_densities {
                self.glow.set_densities(picture);
            }
            if layers.body == BodyStyle::Birds && flock.world.dim() > 2 {
                scenery::show_through(picture);
            }
        }
        if layers.trails {
            self.trails.draw(flock, camera, elapsed, picture);
        }
        // After boids and trails, which would hide them.
        bodies::draw_predators(flock, camera, self.format.water, picture);
        bodies::draw_letters(flock, camera, picture);
        bodies::point_to_predators(flock, camera, picture);
        if map && (!aim.shows_whole_world() || self.controller.is_moving()) {
            minimap::draw(flock, camera, picture);
        }
    }

    /// Points the camera where it should look now. Returns the camera of the picture before.
    fn update_camera(&mut self, flock: Snapshot<'_>) -> Camera {
        let world = flock.target_world();
        let is_other_run = self.last.as_ref().is_none_or(|last| {
            (last.seed, last.target_world) != (flock.simulated.map(Flock::seed), world)
                || !continues(last.tick, flock.picture_tick())
        });
        if is_other_run {
            self.controller.jump();
        }
        let dots = size_in_dots(self.format.columns, self.format.rows);
        let camera = |pose: &CameraPose| Camera::from_pose(flock, pose, dots, self.format.dot_height);
        let default = self.controller.default_pose(flock, dots, self.format.dot_height);
        let last = if self.last.is_some() { self.camera } else { camera(&default) };
        let (pose, target) = self.controller.update(flock, &last, &default);
        self.camera = camera(&pose);
        self.view_info = ViewInfo {
            center: target.center.to_array(),
            zoom: target.zoom / default.zoom,
            scale: camera(&target).scale(),
            yaw: target.yaw,
            pitch: target.pitch,
            followed: self.controller.followed.map(|followed| (followed, self.camera.project(followed.position()).at)),
            lost: self.controller.lost,
            boids: self.view_info.boids,
        };
        last
    }

    /// The approximate number of boids in view. It changes when the camera zooms, or when the mean has moved far
    /// enough, so that the layers do not alternate.
    fn count_in_view(&mut self, flock: Snapshot<'_>, last_camera: &Camera) -> usize {
        if self.format.aim.shows_whole_world() && !self.controller.is_moving() {
            self.mean_in_view = flock.boids() as f32;
            return flock.boids();
        }
        let dots = [self.format.columns * DOTS_WIDE, self.format.rows * DOTS_HIGH];
        let mut parts: Vec<usize> = Vec::new();
        let outside = (dots[0] * dots[1]) as u32;
        visit_blocks(
            flock,
            &self.camera,
            false,
            &mut parts,
            |_| (),
            |count, block| {
                let indices = &block.box_indices(dots, [0, 0])[..block.len];
                *count += indices.iter().filter(|index| **index < outside).count();
            },
        );
        let count: usize = parts.iter().sum();
        match &self.last {
            Some(last) if last_camera.scale() == self.camera.scale() && continues(last.tick, flock.picture_tick()) => {
                let elapsed = flock.picture_tick().abs_diff(last.tick) as f32;
                self.mean_in_view += (count as f32 - self.mean_in_view) * new_weight(elapsed, IN_VIEW_WINDOW);
                let shown = self.view_info.boids as f32;
                let is_near = self.mean_in_view <= IN_VIEW_RATIO * shown && shown <= IN_VIEW_RATIO * self.mean_in_view;
                if is_near { self.view_info.boids } else { self.mean_in_view.round() as usize }
            }
            _ => {
                self.mean_in_view = count as f32;
                count
            }
        }
    }

    /// How many ticks have passed since the last picture. If that showed another run, other layers or another side
    /// of the world, forgets it and returns 0.
    fn continue_from_last(&mut self, flock: Snapshot<'_>, layers: Layers) -> f32 {
        let now = LastPicture {
            seed: flock.simulated.map(Flock::seed),
            world: flock.world,
            target_world: flock.target_world(),
            tick: flock.picture_tick(),
            layers,
            zooming_or_rotating: self.controller.is_zooming_or_rotating(),
        };
        let last = self.last.replace(now).filter(|last| {
            let is_same = (last.seed, last.world, last.layers) == (now.seed, now.world, now.layers);
            // A restart with the same seed shows only in the tick: at the first tick there is no past.
            let is_next = continues(last.tick, now.tick) && now.tick > 0;
            // Averages can be scrolled, but not scaled or turned.
            is_same && is_next && !last.zooming_or_rotating && !now.zooming_or_rotating
        });
        if last.is_none() {
            self.reset();
        }
        last.map_or(0.0, |last| now.tick.abs_diff(last.tick) as f32)
    }

    /// Moves what continues from the last picture with the world.
    fn scroll(&mut self, last_camera: &Camera) {
        let middle = self.camera.middle();
        let dots = self.camera.project(last_camera.center().to_array()).at - middle;
        if dots == Vec2::ZERO || last_camera.middle() != middle {
            return;
        }
        // Nothing of the last picture is still in view.
        if dots.is_nan() || dots.abs().cmpgt(2.0 * middle).any() {
            return self.reset();
        }
        let columns = self.format.columns;
        self.glow.scroll(dots, columns);
        self.heat.scroll(dots, columns);
        self.trails.scroll(dots, columns);
    }

    fn reset(&mut self) {
        (self.glow, self.heat, self.trails, self.birds) = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::canvas::{Aim, Cell, Content, Follow, Glow, View, presets};
    use flockscope_sim::{Kind, Params, Row, Scratch, Setup, Start, in_pool};

    const SMALL: CanvasFormat = CanvasFormat {
        columns: 20,
        rows: 10,
        view: View::Auto,
        no_glow: false,
        no_trails: false,
        densities: true,
        aim: Aim { zoom: 1.0, center: None, follow: Follow::Nobody, yaw: None, pitch: None },
        map: false,
        dot_height: 1.0,
        water: false,
    };

    /// A world of 40 x 40 u: one dot per u on a canvas of the [`SMALL`] format.
    fn flock_with(params: Params, rows: &[Row]) -> Flock {
        let world = World::Rect([40.0, 40.0]);
        let setup = Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 1, zones: Vec::new() };
        Flock::from_rows(&setup, 0, rows).unwrap()
    }

    fn flock(rows: &[Row]) -> Flock {
        flock_with(Params::default(), rows)
    }

    fn preset(name: &str) -> Setup {
        presets::setup(name, 7, 1.5)
    }

    fn row(id: u32, kind: Kind, [x, y]: [f32; 2], [vx, vy]: [f32; 2]) -> Row {
        Row { id, kind, position: [x, y, 0.0], velocity: [vx, vy, 0.0], mood: 0.0, bank: 0.0 }
    }

    fn draw(flock: &Flock, format: CanvasFormat) -> Picture {
        let mut picture = Picture::default();
        Canvas::with_format(format).draw(flock, &mut picture);
        picture
    }

    #[test]
    fn headings_are_averaged_as_vectors() {
        // A little up and a little down from right: the mean is right, not left.
        let rows = [(0, 5.0, 0.3), (1, 5.1, -0.3)].map(|(id, at, vy)| row(id, Kind::Prey, [at, at], [2.0, vy]));
        let picture = draw(&flock(&rows), SMALL);
        let cell = picture.cells.all().iter().find(|cell| cell.count > 0).unwrap();
        assert_eq!((cell.count, cell.heading), (2, 0));
    }

    #[test]
    fn predators_hide_boids_and_are_larger() {
        let rows = [Kind::Prey, Kind::Predator].map(|kind| row(kind as u32, kind, [20.0, 20.0], [1.0, 0.0]));
        let picture = draw(&flock(&rows), SMALL);
        assert!(picture.cells.all().iter().all(|cell| cell.content != Content::Prey || cell.count == 0));
        let dots: u32 = picture.cells.all().iter().map(|cell| cell.dots.count_ones()).sum();
        assert!(dots >= 10, "{dots}");
    }

    #[test]
    fn alarmed_boids_are_marked_and_caught_ones_hidden() {
        let boid = |id, at| row(id, Kind::Prey, at, [1.0, 0.0]);
        let rows = [
            Row { mood: 1.0, ..boid(0, [5.0, 5.0]) },
            boid(1, [5.1, 5.1]),
            boid(2, [30.0, 5.0]),
            Row { mood: 9.0, kind: Kind::Caught, ..boid(3, [20.0, 30.0]) },
        ];
        let mut params = Params::default();
        params.alarm.spread = 0.5;
        let flock = flock_with(params, &rows);
        for view in [View::Heads, View::Shapes] {
            let picture = draw(&flock, CanvasFormat { view, ..SMALL });
            let heads = picture.cells.all().iter().filter(|cell| cell.count > 0);
            assert!(heads.map(|cell| (cell.count, cell.alarm)).eq([(2, Cell::ALARMS), (1, 0)]));
        }
    }

    #[test]
    fn draws_every_size() {
        let predator = row(1, Kind::Predator, [39.9, 0.0], [0.0, 0.0]);
        let flock = flock(&[row(0, Kind::Prey, [20.0, 20.0], [1.0, 0.0]), predator]);
        for (columns, rows) in [(0, 0), (1, 0), (0, 1), (1, 1), (1, 50), (300, 1)] {
            let picture = draw(&flock, CanvasFormat { columns, rows, ..SMALL });
            assert_eq!(picture.cells.all().len(), columns * rows);
        }
    }

    #[test]
    fn layers_are_stable_while_boids_enter_and_leave_the_view() {
        let mut flock = Flock::new(&preset("starlings")).unwrap();
        let aim = Aim { zoom: 2.0, follow: Follow::Largest, ..Aim::default() };
        let mut canvas = Canvas::with_format(CanvasFormat { columns: 120, rows: 39, aim, ..CanvasFormat::default() });
        let (mut scratch, mut picture, mut layers) = (Scratch::new(), Picture::default(), Vec::new());
        for _ in 0..1500 {
            flock.step(&mut scratch);
            canvas.advance_camera(1.0 / 60.0);
            canvas.draw(&flock, &mut picture);
            layers.push(picture.layers);
        }
        layers.dedup();
        assert!(layers.len() <= 2, "{layers:?}");
    }

    #[test]
    fn pictures_do_not_depend_on_the_number_of_threads() {
        let flock = Flock::new(&Setup { boids: 70_000, ..preset("starlings") }).unwrap();
        for view in [View::Glow, View::Heat] {
            let format = CanvasFormat { columns: 90, rows: 30, view, ..SMALL };
            let picture = |threads| in_pool(NonZeroUsize::new(threads).unwrap(), |_| draw(&flock, format));
            assert_eq!(picture(1), picture(3));
        }
    }

    #[test]
    fn no_glow_leaves_out_only_the_glow() {
        // Predators have a gap in the glow.
        let flock = Flock::new(&Setup { predators: 0, ..preset("starlings") }).unwrap();
        let [lit, dark] = [false, true].map(|no_glow| {
            draw(&flock, CanvasFormat { columns: 80, rows: 24, view: View::Glow, no_glow, ..CanvasFormat::default() })
        });
        assert!(lit.layers.glow && lit.glow.iter().any(|glow| glow.level > 0));
        assert!(!dark.layers.glow && dark.glow.is_empty());
        let dots = |picture: &Picture| picture.cells.all().iter().map(|cell| cell.dots).collect::<Vec<_>>();
        assert_eq!(dots(&lit), dots(&dark));
    }

    #[test]
    fn heat_maps_have_two_samples_per_cell() {
        let predator = row(1, Kind::Predator, [35.0, 5.0], [1.0, 0.0]);
        let flock = flock(&[row(0, Kind::Prey, [5.0, 35.0], [1.0, 0.0]), predator]);
        let picture = draw(&flock, CanvasFormat { view: View::Heat, ..SMALL });
        let hottest = |half: usize| picture.heat.iter().map(|heat| heat[half]).max().unwrap();
        assert_eq!((picture.heat[8 * 20 + 2][1], hottest(1)), (255, 255));
        assert!(hottest(0) < 255);
        assert!(picture.cells.all().iter().all(|cell| cell.content != Content::Prey));
        assert_eq!(picture.cells.all().iter().map(|cell| cell.count).sum::<u16>(), 1);
    }

    #[test]
    fn a_zoomed_picture_is_a_part_of_a_larger_one() {
        let flock = Flock::new(&preset("drones")).unwrap(); // 800 x 600 u
        let picture = |columns, rows, aim| {
            // Densities are relative to those in view.
            let format = CanvasFormat { columns, rows, view: View::Heads, densities: false, ..CanvasFormat::default() };
            draw(&flock, CanvasFormat { aim, map: true, ..format })
        };
        let large = picture(160, 60, Aim::default());
        let near = picture(80, 30, Aim { zoom: 2.0, center: Some([200.0, 150.0, 0.0]), ..Aim::default() });
        // Predators do not grow with the zoom, and those outside may reach in.
        let boids = |cell: Cell| (cell.content == Content::Prey).then_some(cell);
        for row in 0..30 {
            for column in 0..80 {
                let (part, whole) = (near.cells.all()[row * 80 + column], large.cells.all()[row * 160 + column]);
                assert_eq!(boids(part), boids(whole), "{column} {row}");
            }
        }
        assert!(large.map.boids.is_empty() && near.map.boids.iter().any(|dots| *dots > 0));
        // The frame is in the upper left quarter.
        let map = &near.map;
        assert!(map.frame[0] & 0x01 > 0 && map.frame[map.columns * map.rows - 1] == 0);
    }

    #[test]
    fn trails_scroll_with_the_world() {
        let mut setup = preset("drones");
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
        let marked = after.trails.iter().enumerate().filter(|(at, trail)| at % 80 < 76 && trail.dots > 0);
        let is_same: Vec<bool> = marked
            .map(|(at, trail)| {
                (before.trails[at + 4].dots, before.trails[at + 4].species) == (trail.dots, trail.species)
            })
            .collect();
        let (same, marked) = (is_same.iter().filter(|same| **same).count(), is_same.len());
        assert!(marked > 60 && same * 10 > marked * 8, "{same} of {marked}");
    }

    #[test]
    fn a_glow_averages_headings_and_is_stable() {
        // Two crowds, one flying a little up and one a little down from right: the glow points right.
        let rows = (0..40u32).map(|id| {
            let rise = if id.is_multiple_of(2) { 0.6 } else { -0.6 };
            row(id, Kind::Prey, [18.0 + 0.1 * id as f32, 20.0], [2.0, rise])
        });
        let flock = flock(&rows.collect::<Vec<_>>());
        let mut canvas = Canvas::with_format(CanvasFormat { view: View::Glow, ..SMALL });
        let (mut picture, mut again) = (Picture::default(), Picture::default());
        canvas.draw(&flock, &mut picture);
        canvas.draw(&flock, &mut again);
        assert_eq!(picture, again);
        let bright: Vec<Glow> = picture.glow.iter().copied().filter(|glow| glow.level > 0).collect();
        assert!(bright.len() > 8 && bright.iter().any(|glow| glow.level == Glow::LEVELS));
        assert!(bright.iter().all(|glow| glow.heading.wrapping_add(16) <= 32), "{bright:?}");
    }
}
