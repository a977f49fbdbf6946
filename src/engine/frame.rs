//! Frames: what the engine hands to the viewer.

use crate::canvas::{Camera, Canvas, Picture, ViewInfo};
use crate::sim::{Flock, Flocks, Measures, Params, Pointer, World, Zone};

/// Where a frame is in the session. Ticks count from the first state and go on when the flock restarts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SessionPosition {
    /// The first tick.
    pub first: u64,
    /// The tick of the frame.
    pub tick: u64,
    /// The last tick.
    pub last: u64,
    /// Whether the ticks run backward.
    pub backward: bool,
    /// The tick that is being computed and how much of the way is done, from 0 to 1, if this takes long.
    pub seeking: Option<(u64, f32)>,
    /// How often a change in the past replaced what followed, or was undone.
    pub branches: u64,
}

impl SessionPosition {
    /// Whether later ticks are known.
    #[must_use]
    pub fn is_past(&self) -> bool {
        self.tick < self.last
    }
}

/// A picture of the flock and the values that the panel shows.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The cells.
    pub picture: Picture,
    /// The camera that projected them.
    pub camera: Camera,
    /// What is in view, and the camera's target.
    pub view_info: ViewInfo,
    /// The tick of the flock.
    pub tick: u64,
    /// The place in the session.
    pub position: SessionPosition,
    /// The seed of the run.
    pub seed: u64,
    /// How often the flock was replaced or started again.
    pub runs: u64,
    /// The current parameters.
    pub params: Params,
    /// The current world.
    pub world: World,
    /// Parameters and world at the end of a morph; otherwise the current ones.
    pub morph_target: (Params, World),
    /// How many boids are alive.
    pub boids: usize,
    /// How many boids were caught and will respawn.
    pub caught: usize,
    /// How many predators.
    pub predators: usize,
    /// The zones of the world.
    pub zones: Vec<Zone>,
    /// The pointer, while it attracts or repels.
    pub pointer: Option<Pointer>,
    /// The latest measures.
    pub measures: Measures,
    /// The connected groups, if they were found in the latest measurement: rarely in large flocks, never in very large ones.
    pub flocks: Option<Flocks>,
    /// How often the flock was measured.
    pub measure_count: u64,
    /// The tick that was measured.
    pub measured_tick: u64,
    /// The requested tick rate, in ticks per second.
    pub rate: f32,
    /// The measured tick rate; 0 while paused.
    pub ticks_per_second: f32,
    /// Whether the engine is paused.
    pub paused: bool,
    /// How many requests the engine has processed.
    pub requests_done: u64,
    /// The latest request that failed: its number, counted from 1, and the error.
    pub last_error: Option<(u64, String)>,
}

impl Frame {
    /// Draws the flock on a canvas.
    pub fn draw(&mut self, canvas: &mut Canvas, flock: &Flock) {
        canvas.draw(flock, &mut self.picture);
        (self.camera, self.view_info) = (canvas.camera(), canvas.view_info());
    }

    /// Copies the values of the flock that need no measuring.
    pub fn describe(&mut self, flock: &Flock) {
        self.tick = flock.tick();
        self.seed = flock.seed();
        self.params = *flock.params();
        self.world = flock.world();
        let (params, world) = flock.morph_target();
        self.morph_target = (*params, world);
        self.boids = flock.boids();
        self.caught = flock.caught();
        self.predators = flock.predators();
        self.zones.clear();
        self.zones.extend_from_slice(flock.zones());
        self.pointer = flock.pointer();
    }
}

/// A frame without cells and boids.
impl Default for Frame {
    fn default() -> Self {
        let (params, world) = (Params::default(), World::Rect([1.0, 1.0]));
        Self {
            picture: Picture::default(),
            camera: Camera::default(),
            view_info: ViewInfo::default(),
            tick: 0,
            position: SessionPosition::default(),
            seed: 0,
            runs: 0,
            params,
            world,
            morph_target: (params, world),
            boids: 0,
            caught: 0,
            predators: 0,
            zones: Vec::new(),
            pointer: None,
            measures: Measures::default(),
            flocks: None,
            measure_count: 0,
            measured_tick: 0,
            rate: 0.0,
            ticks_per_second: 0.0,
            paused: false,
            requests_done: 0,
            last_error: None,
        }
    }
}
