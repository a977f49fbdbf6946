//! What becomes of prey: it is caught, and after a while comes back at the world's border.

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

/// What decides about everyone's fate in one tick.
pub(crate) struct Respawn<'a> {
    pub params: &'a Params,
    pub world: &'a World,
    pub environment: &'a Environment<'a>,
    /// Seed and tick.
    pub now: (u64, u64),
}

impl Respawn<'_> {
    /// Takes out of the flock whom a hunter had nearer than `hunt.catch` when the tick began, and lets the
    /// hunter rest. Of two who want the same the one with the lesser id has it. Returns how many were caught.
    pub(crate) fn catch_prey(&self, agents: &mut Agents, hunters: &Hunters) -> usize {
        let catch = self.params.hunt.catch * self.params.hunt.catch;
        let mut caught = 0;
        for (hunter, quarry) in hunters.iter().filter_map(|hunter| Some((hunter.place, hunter.quarry?))) {
            if quarry.d2 < catch && agents.kinds()[quarry.prey] == Kind::Prey {
                agents.set_kind(quarry.prey, Kind::Caught);
                agents.place(quarry.prey, agents.position_array(quarry.prey), [0.0; 3]);
                agents.set_mood(quarry.prey, self.params.hunt.respawn);
                agents.set_mood(hunter, exhausted_mood(self.params));
                caught += 1;
            }
        }
        caught
    }

    /// Counts down for those at these places who are gone, and brings back whose time has come. Returns how
    /// many have come back.
    pub(crate) fn respawn(&self, agents: &mut Agents, places: Range<usize>) -> usize {
        let mut back = 0;
        for place in places {
            if agents.kinds()[place] != Kind::Caught {
                continue;
            }
            let left = agents.mood(place).min(self.params.hunt.respawn) - 1.0;
            agents.set_mood(place, left.max(0.0));
            if left <= 0.0 {
                let (position, velocity) = self.respawn_state(agents.ids()[place]);
                agents.set_kind(place, Kind::Prey);
                agents.place(place, position, velocity);
                back += 1;
            }
        }
        back
    }

    /// Where a boid comes back, and how it flies: on the world's border, every place as likely, toward a
    /// place inside, with any speed within the limits.
    fn respawn_state(&self, id: u32) -> ([f32; 3], [f32; 3]) {
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
                let across = across(&size[..V::DIM], rng.random());
                let end = if rng.random::<bool>() { size[across] } else { 0.0 };
                V::default().map(|axis, _| if axis == across { end } else { size[axis] * rng.random::<f32>() })
            }
        };
        // The middle half of the box around the world lies inside every world.
        let inside = V::default().map(|axis, _| origin[axis] + size[axis] * (0.25 + 0.5 * rng.random::<f32>()));
        let speed = self.params.speed;
        let speed = speed.min + (speed.max - speed.min) * rng.random::<f32>();
        let heading = (inside - border).unit().unwrap_or_default();
        (border.axes(), (heading * speed).axes())
    }
}

/// The axis across which a box's border lies at a share of its length, or area.
fn across(size: &[f32], share: f32) -> usize {
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
