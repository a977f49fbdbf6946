//! What stands in the world beside the flock, and what is held over it.

use super::tunable::choices;

choices! {
    /// What a spot is to boids.
    pub enum Use {
        /// They steer around it, and none is ever inside.
        Obstacle = "obstacle",
        /// It draws them, and they eat it up.
        Food = "food",
        /// It draws them, and they rest on it.
        Roost = "roost",
    }
}

/// A disc, in a deep world a ball, that means something to boids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// What it is to them.
    pub r#use: Use,
    /// Its middle, in u; in a flat world the third axis is 0.
    pub center: [f32; 3],
    /// Its radius, in u.
    pub radius: f32,
    /// The share of it that is left, 1 … 0; it falls only where it is eaten.
    pub left: f32,
}

/// A finger over the flock, which draws boids near or drives them off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// A point that it touches, in u.
    pub at: [f32; 3],
    /// Where it points: in a deep world it touches all of the line through `at` that way. 0 in a flat one.
    pub along: [f32; 3],
    /// Whether boids are drawn to it; else they are driven off.
    pub attracts: bool,
}
