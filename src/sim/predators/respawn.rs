//! Caught boids: their removal, and their return at the world's border.

use std::ops::Range;

use rand::RngExt;

use super::hunt::{Hunters, exhausted_mood};
use crate::sim::agents::{Agents, Kind, Row};
use crate::sim::environment::{Environment, edges, obstacles};
use crate::sim::math::random::Purpose;
use crate::sim::math::vector::direction;
use crate::sim::world::World;

impl Environment<'_> {
    /// Catches the boids that were nearer than `hunt.catch` to a predator that chased them; the predator then rests. The
    /// lower id wins if two predators chase the same boid.
    pub(crate) fn catch_prey(&self, agents: &mut Agents, hunters: &Hunters) {
        let catch = self.params.hunt.catch * self.params.hunt.catch;
        for (hunter, quarry) in hunters.iter().filter_map(|hunter| Some((hunter.place, hunter.quarry?))) {
            let prey = agents.row(quarry.prey);
            if quarry.d2 < catch && prey.kind == Kind::Prey {
                let mood = self.params.hunt.respawn;
                agents.set(quarry.prey, &Row { kind: Kind::Caught, velocity: [0.0; 3], mood, bank: 0.0, ..prey });
                agents.set(hunter, &Row { mood: exhausted_mood(self.params), ..agents.row(hunter) });
            }
        }
    }

    /// Counts down for the caught boids in a range, and respawns those whose time is over.
    pub(crate) fn respawn(&self, agents: &mut Agents, range: Range<usize>) {
        for index in range {
            let mut boid = agents.row(index);
            if boid.kind != Kind::Caught {
                continue;
            }
            let left = boid.mood.min(self.params.hunt.respawn) - 1.0;
            boid.mood = left.max(0.0);
            if left <= 0.0 {
                boid.kind = Kind::Prey;
                self.start_at_border(&mut boid);
            }
            agents.set(index, &boid);
        }
    }

    /// Puts a boid uniformly on the world's border, with a velocity toward a random point inside and a uniform speed within
    /// the limits.
    fn start_at_border(&self, boid: &mut Row) {
        let (world, mut rng) = (self.world, self.stream(boid.id, Purpose::Respawn));
        let (origin, size) = (world.origin(), world.size());
        let border = match world {
            World::Sphere(radius) => direction(3, rng.random(), rng.random()) * *radius,
            World::Rect(_) | World::Cuboid(_) => {
                let across = face_axis(&size[..world.dim()], rng.random());
                let end = if rng.random::<bool>() { size[across] } else { 0.0 };
                world.vector(|axis| if axis == across { end } else { size[axis] * rng.random::<f32>() })
            }
        };
        // The middle half of the bounding box is inside any world.
        let inside = world.vector(|axis| origin[axis] + size[axis] * (0.25 + 0.5 * rng.random::<f32>()));
        let [least, most] = self.params.start_speeds();
        let speed = least + (most - least) * rng.random::<f32>();
        (boid.position, boid.velocity) = (border.axes(), ((inside - border).unit().0 * speed).axes());
        edges::move_inside(boid, self.params, world);
        obstacles::push_out(boid, self);
    }
}

/// The axis perpendicular to a face of the box, chosen by `share` (0 … 1) in proportion to the area of the faces.
fn face_axis(size: &[f32], share: f32) -> usize {
    let others = |axis: usize| size.iter().enumerate().filter(move |(other, _)| *other != axis);
    let mut areas = (0..size.len()).map(|axis| others(axis).map(|(_, side)| side).product::<f32>());
    let mut left = share * areas.clone().sum::<f32>();
    let chosen = areas.position(|area| {
        left -= area;
        left < 0.0
    });
    chosen.unwrap_or(0)
}
