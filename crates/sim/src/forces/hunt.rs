//! Hunting predators: flight, fatigue, catches, and the return of caught boids at the world's border.
//!
//! A predator's fatigue grows by `1 / hunt.stamina` per tick with prey in sight. At 1, or after a catch, the predator rests
//! for `hunt.rest` ticks: it flies slowly without a target, and boids do not flee it.

use std::ops::Range;

use rand::RngExt;

use super::environment::{Environment, edges, obstacles};
use super::perception::NeighborIndex;
use super::prey_search::Hunters;
use super::{BoidLanes, heading};
use crate::agents::{Agents, AgentsMut, Kind, Mood, Row};
use crate::math::{Purpose, Wide, direction};
use crate::params::{Hunt, Params};
use crate::world::World;

/// Moves a predator that does not flock; there are few of them.
pub(crate) fn advance<const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    index: usize,
    chunk: &mut AgentsMut<'_>,
) {
    let (agents, hunter) = (&neighbors.flock.agents, neighbors.hunters.at(index));
    let Environment { params, world, .. } = *environment;
    let boid: BoidLanes<f32, D> = BoidLanes::load(agents, index);
    let target = hunter.and_then(|hunter| hunter.quarry).map(|quarry| Wide::splat(quarry.toward));
    let mut force = target.map_or_else(Wide::zero, |offset: Wide<f32, D>| offset * params.hunt.weight);
    if let Some(apart) = hunter.and_then(|hunter| hunter.apart) {
        force += Wide::splat(apart) * params.hunt.weight;
    }
    force += params.edge.push(boid.position, world);
    if environment.has_obstacles {
        force += obstacles::avoid(environment, &boid);
    }
    // A force of −0 becomes 0.
    let velocity = boid.velocity + (params.limited(force) + Wide::zero());
    let velocity = heading::turn(environment, agents, index..index + 1, boid.velocity, velocity);
    let max_speed = if hunter.is_some() { params.hunt.speed } else { resting_speed(boid.velocity.length(), params) };
    let [min_speed, _] = environment.start_speeds;
    let velocity = heading::clamp_speed(velocity, min_speed.min(max_speed), max_speed);
    let BoidLanes { position, velocity } = environment.fly(agents, index, boid.position, velocity);
    chunk.write(index, position, velocity);
    chunk.set_mood(index, tire(agents.mood_of(index), target.is_some(), params));
}

/// A predator's mood after a tick with or without a chase.
fn tire(mood: Mood, chases: bool, params: &Params) -> Mood {
    let Hunt { stamina, rest, .. } = params.hunt;
    if mood.is_predator_at_rest(params) {
        return Mood::resting((mood.rest().min(rest) - 1.0).max(0.0));
    }
    if stamina == 0.0 {
        return Mood::CALM;
    }
    let effort = if chases { 1.0 / stamina } else { 0.0 };
    // Half an effort of tolerance for the rounding error of the sum.
    if mood.fatigue() + 1.5 * effort > 1.0 {
        return Mood::resting(rest);
    }
    let fatigue = mood.fatigue() + effort;
    // Snap to a multiple of the effort: long sums, or a changed stamina, are further off.
    let share = (fatigue * stamina).round() / stamina;
    Mood::tired(if (fatigue - share).abs() > 0.25 * effort && chases { share } else { fatigue })
}

/// Maximum speed of a resting predator: it slows down gradually to half of `hunt.speed`.
fn resting_speed(speed: f32, params: &Params) -> f32 {
    (0.5 * params.hunt.speed).max(0.97 * speed).min(params.hunt.speed)
}

/// Catches the boids that were nearer than `hunt.catch` to a predator that chased them; the predator then rests. The
/// lower id wins if two predators chase the same boid.
pub(crate) fn catch_prey(environment: &Environment<'_>, agents: &mut Agents, hunters: &Hunters) {
    let catch = environment.params.hunt.catch * environment.params.hunt.catch;
    for (hunter, quarry) in hunters.all.iter().filter_map(|hunter| Some((hunter.place, hunter.quarry?))) {
        let prey = agents.row(quarry.prey);
        if quarry.d2 < catch && prey.kind == Kind::Prey {
            let caught = Row { kind: Kind::Caught, velocity: [0.0; 3], bank: 0.0, ..prey };
            agents.set(quarry.prey, &caught.with_mood(Mood::respawning(environment.params.hunt.respawn)));
            agents.set(hunter, &agents.row(hunter).with_mood(Mood::resting(environment.params.hunt.rest)));
        }
    }
}

/// Counts down for the caught boids in a range, and respawns those whose time is over.
pub(crate) fn respawn(environment: &Environment<'_>, agents: &mut Agents, range: Range<usize>) {
    for index in range {
        let mut boid = agents.row(index);
        if boid.kind != Kind::Caught {
            continue;
        }
        let left = boid.mood().respawn().min(environment.params.hunt.respawn) - 1.0;
        boid = boid.with_mood(Mood::respawning(left.max(0.0)));
        if left <= 0.0 {
            boid.kind = Kind::Prey;
            start_at_border(environment, &mut boid);
        }
        agents.set(index, &boid);
    }
}

/// Puts a boid uniformly on the world's border, with a velocity toward a random point inside and a uniform speed within
/// the limits.
fn start_at_border(environment: &Environment<'_>, boid: &mut Row) {
    let (world, mut rng) = (environment.world, environment.stream(boid.id, Purpose::Respawn));
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
    let [least, most] = environment.start_speeds;
    let speed = least + (most - least) * rng.random::<f32>();
    (boid.position, boid.velocity) = (border.axes(), ((inside - border).unit().0 * speed).axes());
    edges::move_inside(boid, environment.params, world);
    obstacles::push_out(boid, environment);
}

/// The axis perpendicular to a face of the box, chosen by `share` (0 … 1) in proportion to the area of the faces.
fn face_axis(size: &[f32], share: f32) -> usize {
    let areas = (0..size.len()).map(|axis| {
        let others = size.iter().enumerate().filter(|(other, _)| *other != axis);
        others.map(|(_, side)| side).product::<f32>()
    });
    let mut left = share * areas.clone().sum::<f32>();
    let chosen = areas.into_iter().position(|area| {
        left -= area;
        left < 0.0
    });
    chosen.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::MAX_TICKS;

    #[test]
    fn exhausted_after_exactly_stamina_ticks() {
        let mut params = Params::default();
        params.hunt.rest = 5.0;
        let long = [8000, 10_000, 16_384, 33_333, 50_000, 65_537, 99_999, MAX_TICKS as u32];
        for stamina in (1..=300).chain(long) {
            params.hunt.stamina = stamina as f32;
            let moods = std::iter::successors(Some(Mood::CALM), |&mood| Some(tire(mood, true, &params)));
            assert_eq!(moods.take_while(|mood| mood.rest() == 0.0).count(), stamina as usize);
        }
    }
}
