//! The world's border: how it steers, wraps, bounces, and what it does as a last resort.

use rand::RngExt;

use super::Params;
use super::params::Edge;
use super::random::{Purpose, stream};
use super::vector::Vector;
use super::world::World;

/// How deep a coordinate stands beyond the margin's line at each end of an axis; 0 inside.
fn depths(at: f32, size: f32, margin: f32) -> (f32, f32) {
    ((margin - at).max(0.0), (at - (size - margin)).max(0.0))
}

/// What the soft edges add to a boid's steering, in u/tick².
pub(super) fn steer<V: Vector>(position: V, params: &Params, world: &World) -> V {
    let (margin, strength) = (params.edge.margin, params.edge.strength);
    let size = world.size();
    match params.edge.mode {
        Edge::Wrap | Edge::Reflect | Edge::Open => V::default(),
        Edge::Turn => position.map(|axis, at| {
            let (low, high) = depths(at, size[axis], margin);
            strength * (f32::from(low > 0.0) - f32::from(high > 0.0))
        }),
        Edge::Push => position.map(|axis, at| {
            let (low, high) = depths(at, size[axis], margin);
            strength * (low - high)
        }),
        Edge::Sphere => {
            let radius = 0.5 * size[0];
            let from_center = position.length();
            let gap = (radius - from_center).max(1.0);
            match position.unit() {
                Some(outward) if from_center > radius - margin => -outward * (strength / (gap * gap)),
                _ => V::default(),
            }
        }
    }
}

/// Brings a boid that has moved back to where the world allows it: the hard edges, and the last
/// resort of the soft ones. Nobody gets further than one margin outside.
pub(super) fn contain<V: Vector>(position: V, velocity: V, params: &Params, world: &World, event: Event) -> (V, V) {
    let margin = params.edge.margin;
    let size = world.size();
    match params.edge.mode {
        Edge::Open => (position, velocity),
        Edge::Wrap => (position.map(|axis, at| wrap(at, size[axis])), velocity),
        Edge::Sphere => {
            let most = 0.5 * size[0] + margin;
            match position.unit() {
                Some(outward) if position.length() > most => {
                    let escaping = velocity.dot(outward).max(0.0);
                    (outward * most, velocity - outward * escaping)
                }
                _ => (position, velocity),
            }
        }
        Edge::Reflect => clamp(position, reflect(position, velocity, params, size, event), size, margin),
        Edge::Turn | Edge::Push => clamp(position, velocity, size, margin),
    }
}

/// Puts an agent that stands outside, because it came or because the world shrank, where the last
/// resort of the world's edge would put it.
pub(super) fn bring_in<V: Vector>(position: V, velocity: V, params: &Params, world: &World) -> (V, V) {
    match params.edge.mode {
        Edge::Reflect => clamp(position, velocity, world.size(), params.edge.margin),
        _ => contain(position, velocity, params, world, Event { seed: 0, tick: 0, id: 0 }),
    }
}

/// Which boid, at which tick of which run, a random bounce is drawn for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub seed: u64,
    pub tick: u64,
    pub id: u32,
}

fn wrap(at: f32, size: f32) -> f32 {
    if (0.0..size).contains(&at) {
        return at;
    }
    let inside = at.rem_euclid(size);
    // A hair below 0 rounds up to the far side, which is 0 again.
    if inside < size { inside } else { 0.0 }
}

fn reflect<V: Vector>(position: V, velocity: V, params: &Params, size: [f32; 3], event: Event) -> V {
    let mut shares = None;
    let place = position.axes();
    velocity.map(|axis, speed| {
        let (low, high) = depths(place[axis], size[axis], params.edge.margin);
        if !(low > 0.0 && speed < 0.0 || high > 0.0 && speed > 0.0) {
            return speed;
        }
        let share = if params.edge.random {
            shares.get_or_insert_with(|| stream(event.seed, event.tick, event.id, Purpose::Bounce)).random::<f32>()
        } else {
            params.edge.restitution
        };
        -speed * share
    })
}

fn clamp<V: Vector>(position: V, velocity: V, size: [f32; 3], margin: f32) -> (V, V) {
    let place = position.axes();
    let velocity = velocity.map(|axis, speed| {
        let out = place[axis] < -margin && speed < 0.0 || place[axis] > size[axis] + margin && speed > 0.0;
        if out { 0.0 } else { speed }
    });
    (position.map(|axis, at| at.clamp(-margin, size[axis] + margin)), velocity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, Vec3};

    const EVENT: Event = Event { seed: 1, tick: 2, id: 3 };

    fn params(mode: Edge) -> Params {
        let mut params = Params::default();
        (params.edge.mode, params.edge.margin, params.edge.strength) = (mode, 10.0, 0.5);
        params
    }

    #[test]
    fn wrapping_lands_inside_even_from_far_off_and_from_a_hair_below_zero() {
        let world = World::Flat([100.0, 50.0]);
        for at in [-1e-12, -1.0, 100.0, 1e7, -1e7, 99.999_99] {
            let (position, _) = contain(Vec2::new(at, at), Vec2::ONE, &params(Edge::Wrap), &world, EVENT);
            assert!((0.0..100.0).contains(&position.x) && (0.0..50.0).contains(&position.y), "{at}: {position}");
        }
    }

    #[test]
    fn turn_is_constant_and_push_grows_with_depth() {
        let world = World::Flat([100.0, 100.0]);
        let at = Vec2::new(4.0, 97.0);
        assert_eq!(steer(at, &params(Edge::Turn), &world), Vec2::new(0.5, -0.5));
        assert_eq!(steer(at, &params(Edge::Push), &world), Vec2::new(3.0, -3.5));
        assert_eq!(steer(Vec2::new(50.0, 50.0), &params(Edge::Push), &world), Vec2::ZERO);
    }

    #[test]
    fn nobody_gets_further_than_a_margin_outside() {
        let flat = World::Flat([100.0, 100.0]);
        for mode in [Edge::Turn, Edge::Push, Edge::Reflect] {
            let (position, velocity) =
                contain(Vec2::new(-30.0, 150.0), Vec2::new(-5.0, 5.0), &params(mode), &flat, EVENT);
            assert_eq!(position, Vec2::new(-10.0, 110.0));
            assert!(velocity.x >= 0.0 && velocity.y <= 0.0);
        }
        let (position, velocity) = contain(
            Vec3::new(0.0, 90.0, 0.0),
            Vec3::new(1.0, 5.0, 0.0),
            &params(Edge::Sphere),
            &World::Round(50.0),
            EVENT,
        );
        assert_eq!((position, velocity), (Vec3::new(0.0, 60.0, 0.0), Vec3::new(1.0, 0.0, 0.0)));
    }

    #[test]
    fn a_bounce_keeps_its_share_of_the_speed() {
        let world = World::Flat([100.0, 100.0]);
        let mut rules = params(Edge::Reflect);
        rules.edge.restitution = 0.5;
        let bounce = |rules: &Params, id| {
            contain(Vec2::new(95.0, 50.0), Vec2::new(4.0, 1.0), rules, &world, Event { id, ..EVENT }).1
        };
        assert_eq!(bounce(&rules, 0), Vec2::new(-2.0, 1.0));
        rules.edge.random = true;
        let (one, two) = (bounce(&rules, 0), bounce(&rules, 1));
        assert!(one.x <= 0.0 && one.x > -4.0 && one.x != two.x && one.y == 1.0);
    }
}
