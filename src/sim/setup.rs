//! How a flock begins, and who can be in it.

use glam::Vec3;

use super::agents::Kind;
use super::environment::edges;
use super::math::vector::Vector;
use super::params::{Edge, Params};
use super::snapshot::Row;
use super::spawn::Start;
use super::{Error, World, Zone};

/// The longest time, in ticks, that a mood can tell of: one and a half times the longest `roost.rest`.
const MAX_MOOD: f32 = 1.5e6;
/// The largest id that a row may bring; from there on there is room for new ones.
const MAX_ID: u32 = u32::MAX / 2;

/// All that says how a flock begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The rules.
    pub params: Params,
    /// Where they live.
    pub world: World,
    /// Where they stand at first.
    pub start: Start,
    /// How many boids there are.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
    /// From which all that is random follows.
    pub seed: u64,
    /// What stands in the world.
    pub zones: Vec<Zone>,
}

impl Setup {
    /// Checks that an agent with this state can be in a flock of this setup.
    ///
    /// # Errors
    ///
    /// [`Error::State`], which names the number that is wrong.
    pub fn check_row(&self, row: &Row) -> Result<(), Error> {
        let wrong = |text: String| Err(Error::State(text));
        if row.id > MAX_ID {
            return wrong(format!("id {} is above {MAX_ID}", row.id));
        }
        let names = [["x", "y", "z"], ["vx", "vy", "vz"]];
        for (names, numbers) in names.iter().zip([row.position, row.velocity]) {
            for (axis, number) in numbers.into_iter().enumerate() {
                if !number.is_finite() || number.abs() > 1e9 {
                    return wrong(format!("{} = {number} is not a number between -1e9 and 1e9", names[axis]));
                }
                if axis >= self.world.dim() && number != 0.0 {
                    return wrong(format!("{} = {number} is not 0, and the world {} is flat", names[axis], self.world));
                }
            }
        }
        let (what, least, most) = match row.kind {
            Kind::Prey => ("a boid's alarm", -MAX_MOOD, 1.0),
            Kind::Predator => ("how tired a predator is", -MAX_MOOD, 1.0),
            Kind::Caught => ("the time until a caught boid respawns", 0.0, MAX_MOOD),
        };
        if !(least..=most).contains(&row.mood) {
            return wrong(format!("mood = {} is {what}, and takes {least} to {most}", row.mood));
        }
        let [x, y, z] = row.position;
        if self.holds(row.position) {
            Ok(())
        } else {
            wrong(format!("({x}, {y}, {z}) lies outside the world {}", self.world))
        }
    }

    /// Whether a position is one that the world's edge leaves alone.
    fn holds(&self, position: [f32; 3]) -> bool {
        let (kept, _) = edges::move_inside(position, [0.0; 3], &self.params, &self.world);
        let apart = Vec3::from_array(kept) - Vec3::from_array(position);
        // A round world's own last resort rounds by a hair of how far out it is.
        let margin = if self.params.edge.mode == Edge::Sphere { self.params.edge.margin } else { 0.0 };
        Vector::length(apart) <= 1e-5 * (self.world.size()[0] + margin)
    }
}
