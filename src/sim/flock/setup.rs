//! The setup of a flock, and the check of saved rows against it.

use std::f32::consts::PI;

use super::spawn::Start;
use crate::sim::agents::Row;
use crate::sim::error::Error;
use crate::sim::forces::{Zone, edges};
use crate::sim::math::Wide;
use crate::sim::params::{Edge, Params};
use crate::sim::world::World;

/// Largest id of a saved row, which leaves room for new ids.
const MAX_ID: u32 = u32::MAX / 2;

/// How a flock starts.
///
/// ```
/// use flockscope::sim::{Flock, Setup, World};
///
/// let setup = Setup::new(World::Rect([400.0, 250.0])).with_boids(400).with_predators(1).with_seed(7);
/// let flock = Flock::new(&setup)?;
/// # Ok::<(), flockscope::sim::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Parameters of the rules.
    pub params: Params,
    /// Shape and size of the world.
    pub world: World,
    /// Initial positions and velocities.
    pub start: Start,
    /// Number of boids.
    pub boids: usize,
    /// Number of predators.
    pub predators: usize,
    /// Random seed.
    pub seed: u64,
    /// Zones in the world.
    pub zones: Vec<Zone>,
}

impl Default for Setup {
    fn default() -> Self {
        Self::new(World::Rect([800.0, 600.0]))
    }
}

impl Setup {
    /// 200 scattered boids with default parameters and seed 1, without predators and zones.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self {
            params: Params::default(),
            world,
            start: Start::Scatter,
            boids: 200,
            predators: 0,
            seed: 1,
            zones: Vec::new(),
        }
    }

    /// Sets the parameters.
    #[must_use]
    pub fn with_params(self, params: Params) -> Self {
        Self { params, ..self }
    }

    /// Sets the initial positions and velocities.
    #[must_use]
    pub fn with_start(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// Sets the number of boids.
    #[must_use]
    pub fn with_boids(self, boids: usize) -> Self {
        Self { boids, ..self }
    }

    /// Sets the number of predators.
    #[must_use]
    pub fn with_predators(self, predators: usize) -> Self {
        Self { predators, ..self }
    }

    /// Sets the random seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the zones.
    #[must_use]
    pub fn with_zones(self, zones: Vec<Zone>) -> Self {
        Self { zones, ..self }
    }

    /// Checks that a saved row fits this setup.
    ///
    /// # Errors
    ///
    /// [`Error::State`], which names the invalid number.
    pub fn check_row(&self, row: &Row) -> Result<(), Error> {
        let invalid = |text: String| Err(Error::State(text));
        if row.id > MAX_ID {
            return invalid(format!("id = {} is out of range: expected 0 to {MAX_ID}", row.id));
        }
        let names = [["x", "y", "z"], ["vx", "vy", "vz"]];
        for (names, numbers) in names.iter().zip([row.position, row.velocity]) {
            for (axis, number) in numbers.into_iter().enumerate() {
                if !number.is_finite() || number.abs() > 1e9 {
                    return invalid(format!("{} = {number} is out of range: expected -1e9 to 1e9", names[axis]));
                }
                if axis >= self.world.dim() && number != 0.0 {
                    return invalid(format!("{} = {number}: expected 0 in the 2-D world {}", names[axis], self.world));
                }
            }
        }
        let [min, max] = Row::mood_range(row.kind);
        if !(min..=max).contains(&row.mood) {
            let kind = row.kind.name();
            return invalid(format!("mood = {} is out of range for kind {kind}: expected {min} to {max}", row.mood));
        }
        if !(-PI..=PI).contains(&row.bank) {
            return invalid(format!("bank = {} is out of range: expected {} to {PI}", row.bank, -PI));
        }
        let [x, y, z] = row.position;
        if self.contains(row) {
            Ok(())
        } else {
            invalid(format!("({x}, {y}, {z}) is outside the world {}", self.world))
        }
    }

    /// Whether the edge leaves the position of a row unchanged.
    fn contains(&self, row: &Row) -> bool {
        let mut inside = *row;
        edges::move_inside(&mut inside, &self.params, &self.world);
        let distance = (Wide::<f32, 3>::splat(inside.position) - Wide::splat(row.position)).length();
        // The clamp of a spherical world rounds in proportion to the distance from the center.
        let margin = if self.params.edge.mode == Edge::Sphere { self.params.edge.margin } else { 0.0 };
        distance <= 1e-5 * (self.world.size()[0] + margin)
    }
}
