//! The scenes that benchmarks fly.

use flockscope::config::Preset;
use flockscope::sim::{Flock, Scratch, Setup};

/// The shape of an `auto` world.
const SHAPE: f32 = 1.6;

/// How a preset begins, with this many boids.
pub fn setup(preset: &str, boids: usize) -> Setup {
    let preset = Preset::load(preset).expect("a built-in preset");
    Setup { boids, world: preset.world_for(boids, SHAPE), ..preset.setup(7, SHAPE) }
}

/// A preset with this many boids, after it has settled for so many ticks.
pub fn settled(preset: &str, boids: usize, ticks: u64) -> (Flock, Scratch) {
    let mut flock = Flock::new(&setup(preset, boids)).expect("a right setup");
    let mut scratch = Scratch::new();
    for _ in 0..ticks {
        flock.step(&mut scratch);
    }
    (flock, scratch)
}
