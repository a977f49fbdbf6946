//! What the engine hands to the viewer.

use crate::canvas::{Camera, Canvas, Picture, ViewInfo};
use crate::sim::{Flock, Measures, Params, Pointer, World, Zone};

/// One picture of the flock, and all that the panel says of it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The cells.
    pub picture: Picture,
    /// How the world is seen in them.
    pub camera: Camera,
    /// What is in view, and where the view is going.
    pub view_info: ViewInfo,
    /// How many ticks have been flown.
    pub tick: u64,
    /// The seed of this run.
    pub seed: u64,
    /// The rules.
    pub params: Params,
    /// Where they live.
    pub world: World,
    /// Rules and world when all has been reached that is on its way.
    pub settled: (Params, World),
    /// How many boids there are.
    pub boids: usize,
    /// How many boids were caught, and are to come back.
    pub caught: usize,
    /// How many predators.
    pub predators: usize,
    /// What stands in the world.
    pub zones: Vec<Zone>,
    /// What is held over the flock.
    pub pointer: Option<Pointer>,
    /// The latest measures.
    pub measures: Measures,
    /// How often measures have been taken.
    pub measure_count: u64,
    /// Ticks a second, as asked for.
    pub rate: f32,
    /// Ticks a second, as flown over the last second or so; 0 while time stands still.
    pub ticks_per_second: f32,
    /// Whether time stands still.
    pub paused: bool,
    /// How many requests have been done.
    pub requests_done: u64,
    /// The latest request that was refused: its number, counted from 1, and why.
    pub refusal: Option<(u64, String)>,
}

impl Frame {
    /// Shows the flock as a canvas draws it now.
    pub fn draw(&mut self, canvas: &mut Canvas, flock: &Flock) {
        canvas.draw(flock, &mut self.picture);
        (self.camera, self.view_info) = (canvas.camera(), canvas.view_info());
    }

    /// Says of the flock what does not need to be measure_count.
    pub fn describe(&mut self, flock: &Flock) {
        self.tick = flock.tick();
        self.seed = flock.seed();
        self.params = *flock.params();
        self.world = flock.world();
        let (params, world) = flock.morph_target();
        self.settled = (*params, world);
        self.boids = flock.boids();
        self.caught = flock.caught();
        self.predators = flock.predators();
        self.zones.clear();
        self.zones.extend_from_slice(flock.zones());
        self.pointer = flock.pointer();
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            picture: Picture::default(),
            camera: Camera::default(),
            view_info: ViewInfo::default(),
            tick: 0,
            seed: 0,
            params: Params::default(),
            world: World::Rect([1.0, 1.0]),
            settled: (Params::default(), World::Rect([1.0, 1.0])),
            boids: 0,
            caught: 0,
            predators: 0,
            zones: Vec::new(),
            pointer: None,
            measures: Measures::default(),
            measure_count: 0,
            rate: 0.0,
            ticks_per_second: 0.0,
            paused: false,
            requests_done: 0,
            refusal: None,
        }
    }
}
