//! Caught boids: their removal, and their return at the world's border.

use std::ops::Range;

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::hunt::{Hunters, exhausted_mood};
use crate::sim::agents::{Agents, Kind};
use crate::sim::environment::Environment;
use crate::sim::environment::edges;
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::vector::Vector;
use crate::sim::params::Params;
use crate::sim::world::World;

/// Catches and respawns boids at the end of a tick.
pub(crate) struct Respawn<'a> {
    pub params: &'a Params,
    pub world: &'a World,
    pub environment: &'a Environment<'a>,
    /// Seed and tick.
    pub now: (u64, u64),
}

impl Respawn<'_> {
    /// Catches the boids that were nearer than `hunt.catch` to a predator that chased them; the predator then rests. The
    /// lower id wins if two predators chase the same boid. Returns the number of caught boids.
    pub(crate) fn catch_prey(&self, agents: &mut Agents, hunters: &Hunters) -> usize {
        let catch = self.params.hunt.catch * self.params.hunt.catch;
        let mut caught = 0;
        for (hunter, quarry) in hunters.iter().filter_map(|hunter| Some((hunter.place, hunter.quarry?))) {
            if quarry.d2 < catch && agents.kinds()[quarry.prey] == Kind::Prey {
                agents.set_kind(quarry.prey, Kind::Caught);
                agents.set_motion(quarry.prey, agents.position_array(quarry.prey), [0.0; 3]);
                agents.set_mood(quarry.prey, self.params.hunt.respawn);
                agents.set_mood(hunter, exhausted_mood(self.params));
                caught += 1;
            }
        }
        caught
    }

    /// Counts down for the caught boids in a range, and respawns those whose time is over. Returns their number.
    pub(crate) fn respawn(&self, agents: &mut Agents, range: Range<usize>) -> usize {
        let mut respawned = 0;
        for index in range {
            if agents.kinds()[index] != Kind::Caught {
                continue;
            }
            let left = agents.mood(index).min(self.params.hunt.respawn) - 1.0;
            agents.set_mood(index, left.max(0.0));
            if left <= 0.0 {
                let (position, velocity) = self.initial_motion(agents.ids()[index]);
                agents.set_kind(index, Kind::Prey);
                agents.set_motion(index, position, velocity);
                respawned += 1;
            }
        }
        respawned
    }

    /// Position and velocity of a respawned boid: uniform on the world's border, toward a random point inside, with a
    /// uniform speed within the limits.
    fn initial_motion(&self, id: u32) -> ([f32; 3], [f32; 3]) {
        let mut rng = stream(self.now.0, self.now.1, id, Purpose::Respawn);
        let (position, velocity) = match self.world.dim() {
            2 => self.inward::<Vec2>(&mut rng),
            _ => self.inward::<Vec3>(&mut rng),
        };
        let (position, velocity) = edges::move_inside(position, velocity, self.params, self.world);
        self.environment.push_out(position, velocity, self.world.dim())
    }

    fn inward<V: Vector>(&self, rng: &mut Xoshiro256PlusPlus) -> ([f32; 3], [f32; 3]) {
        let (origin, size) = (self.world.origin(), self.world.size());
        let border: V = match self.world {
            World::Sphere(radius) => V::direction(rng.random(), rng.random()) * *radius,
            World::Rect(_) | World::Cuboid(_) => {
                let across = face_axis(&size[..V::DIM], rng.random());
                let end = if rng.random::<bool>() { size[across] } else { 0.0 };
                V::default().map(|axis, _| if axis == across { end } else { size[axis] * rng.random::<f32>() })
            }
        };
        // The middle half of the bounding box is inside any world.
        let inside = V::default().map(|axis, _| origin[axis] + size[axis] * (0.25 + 0.5 * rng.random::<f32>()));
        let speed = self.params.speed;
        let speed = speed.min + (speed.max - speed.min) * rng.random::<f32>();
        let heading = (inside - border).unit().unwrap_or_default();
        (border.axes(), (heading * speed).axes())
    }
}

/// The axis perpendicular to a face of the box, chosen by `share` (0 … 1) in proportion to the area of the faces.
fn face_axis(size: &[f32], share: f32) -> usize {
    let extent =
        |axis: usize| size.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, side)| side).product();
    let extents: [f32; 3] = std::array::from_fn(|axis| if axis < size.len() { extent(axis) } else { 0.0 });
    let mut left = share * extents.iter().sum::<f32>();
    for (axis, extent) in extents.into_iter().enumerate().take(size.len()) {
        if left < extent {
            return axis;
        }
        left -= extent;
    }
    0
}
