//! The size of a world as the user specifies it.

use std::fmt;
use std::str::FromStr;

use crate::config::ConfigError;
use crate::sim::{Edge, Params, World};

/// Minimum side of a world with turning edges, in margins: in a smaller one, most boids are turning back or outside.
const MIN_WORLD_MARGINS: f32 = 4.0;

/// A fixed world, or one with the shape of the canvas and the density of the preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorldSize {
    /// `auto`.
    Auto,
    /// `WxH`, `WxHxD` or `round:R`.
    Fixed(World),
}

impl WorldSize {
    /// Whether the world is three-dimensional.
    #[must_use]
    pub fn is_3d(&self) -> bool {
        matches!(self, Self::Fixed(world) if world.dim() == 3)
    }
}

impl FromStr for WorldSize {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => Ok(Self::Fixed(text.parse()?)),
        }
    }
}

impl fmt::Display for WorldSize {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => out.write_str("auto"),
            Self::Fixed(world) => world.fmt(out),
        }
    }
}

/// The world of an area, in u², and a shape (width / height), enlarged if turning edges would leave too little space.
pub(crate) fn auto_world(area: f32, shape: f32, params: &Params) -> World {
    let margin = if params.edge.mode == Edge::Turn { params.edge.margin } else { 0.0 };
    let height = MIN_WORLD_MARGINS * margin * (1.0 / shape).max(1.0);
    World::of_area(area.max(height * height * shape), shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::sim::{Flock, Scratch, Setup};

    #[test]
    fn small_flocks_get_enough_space_between_the_edges() {
        let preset = Preset::load("starlings").unwrap();
        for shape in [0.2, 0.7, 1.0, 1.6, 7.0] {
            let [width, height, _] = preset.world_for(3, shape).size();
            let least = MIN_WORLD_MARGINS * preset.params.edge.margin;
            assert!((width.min(height) - least).abs() < 0.1, "{width} {height}");
            assert!((width / height - shape).abs() < 0.01, "{width} {height}");
        }
        let full = preset.world_for(preset.boids, 1.6);
        assert_eq!(full, World::of_area(preset.area * preset.boids as f32, 1.6));
        for boids in [10, 40, 300] {
            let world = preset.world_for(boids, 1.6);
            let [width, height, _] = world.size();
            let inside = |seed: u64| {
                let mut flock = Flock::new(&Setup { world, boids, ..preset.setup(seed, 1.6) }).unwrap();
                let scratch = &mut Scratch::new();
                (0..400).for_each(|_| flock.step(scratch));
                let [x, y] = [0, 1].map(|axis| flock.agents().positions(axis));
                x.iter().zip(y).filter(|(x, y)| (0.0..width).contains(*x) && (0.0..height).contains(*y)).count()
            };
            // On average over seeds: a single flock may be turning back.
            let sum = (1..=12).map(inside).sum::<usize>();
            assert!(sum * 4 >= 12 * boids * 3, "{sum} of {}", 12 * boids);
        }
    }
}
