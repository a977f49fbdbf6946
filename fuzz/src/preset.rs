//! A preset's file.

use flockscope::config::Preset;
use flockscope::sim::{Flock, Scratch};

use super::bounds::check_bounds;
use super::sentence;

/// The most boids that are flown.
const BOIDS: usize = 40;

pub fn body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Preset::from_text("mine.toml", text) {
        Ok(preset) => {
            let again = Preset::from_text("mine.toml", &preset.text()).expect("written text is valid");
            assert_eq!(again, preset);
            fly(&preset);
        }
        Err(error) => sentence::check(&error),
    }
}

/// What is taken flies, unless its world takes a shape in which its rules do not agree.
fn fly(preset: &Preset) {
    let mut setup = preset.setup(1, 1.6);
    (setup.boids, setup.predators) = (setup.boids.min(BOIDS), setup.predators.min(3));
    match Flock::new(&setup) {
        Ok(mut flock) => {
            let mut scratch = Scratch::new();
            for _ in 0..3 {
                flock.step(&mut scratch);
                check_bounds(&flock, setup.boids, setup.predators).unwrap();
            }
        }
        Err(error) => sentence::check(&error.into()),
    }
}
