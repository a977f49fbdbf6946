//! The world's border: soft edges that steer, hard edges that wrap or reflect, and the clamp that backs them up.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::agents::Row;
use crate::forces::BoidLanes;
use crate::math::Wide;
use crate::params::{Edge, Params};
use crate::simd::Lanes;
use crate::world::{World, wrap_coordinate};

/// Keeps boids in the world after a move: hard edges, and the clamp of the soft ones, which limits positions to one
/// margin outside. `stream` has the random numbers of a lane, for bounces.
#[inline(always)]
pub(crate) fn contain<F: Lanes, const D: usize>(
    boids: BoidLanes<F, D>,
    params: &Params,
    world: &World,
    stream: impl Fn(usize) -> Xoshiro256PlusPlus,
) -> BoidLanes<F, D> {
    let BoidLanes { position, velocity } = boids;
    let margin = params.edge.margin;
    let size = world.size();
    match params.edge.mode {
        Edge::Open => boids,
        Edge::Wrap => BoidLanes { position: Wide::new(|axis| wrap_coordinate(position[axis], size[axis])), velocity },
        Edge::Sphere => {
            let limit = F::splat(0.5 * size[0] + margin);
            let (outward, nonzero) = position.unit();
            let beyond = F::and(nonzero, limit.lt(position.length()));
            let escaping = velocity.dot(outward).max(F::splat(0.0));
            BoidLanes {
                position: Wide::select(beyond, outward * limit, position),
                velocity: Wide::select(beyond, velocity - outward * escaping, velocity),
            }
        }
        Edge::Reflect => {
            let velocity = reflect(&boids, params, size, stream);
            clamp(BoidLanes { position, velocity }, size, margin)
        }
        Edge::Turn | Edge::Push => clamp(boids, size, margin),
    }
}

/// Moves a new agent, or one that the world shrank away from, to where the clamp would put it.
pub(crate) fn move_inside(row: &mut Row, params: &Params, world: &World) {
    let boid = BoidLanes::of_row(row);
    let boid = match params.edge.mode {
        Edge::Reflect => clamp(boid, world.size(), params.edge.margin),
        _ => contain(boid, params, world, |_| unreachable!("nothing bounces")),
    };
    boid.store(row);
}

/// Whether boids beyond the ends of an axis fly farther out.
#[inline(always)]
fn is_leaving<F: Lanes>(at: F, speed: F, [low, high]: [f32; 2]) -> F::Mask {
    let none = F::splat(0.0);
    F::or(F::and(at.lt(F::splat(low)), speed.lt(none)), F::and(F::splat(high).lt(at), none.lt(speed)))
}

#[inline(always)]
fn reflect<F: Lanes, const D: usize>(
    &BoidLanes { position, velocity }: &BoidLanes<F, D>,
    params: &Params,
    size: [f32; 3],
    stream: impl Fn(usize) -> Xoshiro256PlusPlus,
) -> Wide<F, D> {
    let none = F::splat(0.0);
    let margin = params.edge.margin;
    let outward = |axis: usize| is_leaving(position[axis], velocity[axis], [margin, size[axis] - margin]);
    let restitution = F::splat(params.edge.restitution);
    if !params.edge.random {
        return Wide::new(|axis| F::select(outward(axis), -velocity[axis] * restitution, velocity[axis]));
    }
    if !(0..D).any(|axis| F::any(outward(axis))) {
        return velocity;
    }
    let hits: [_; D] = std::array::from_fn(|axis| F::select(outward(axis), F::splat(1.0), none).to_array());
    let mut speeds = velocity.0.map(F::to_array);
    for lane in 0..F::WIDTH {
        let mut rng = None;
        for axis in (0..D).filter(|&axis| hits[axis][lane] > 0.0) {
            let rng = rng.get_or_insert_with(|| stream(lane));
            speeds[axis][lane] = -speeds[axis][lane] * rng.random::<f32>();
        }
    }
    Wide::new(|axis| F::load(&speeds[axis]))
}

#[inline(always)]
fn clamp<F: Lanes, const D: usize>(boids: BoidLanes<F, D>, size: [f32; 3], margin: f32) -> BoidLanes<F, D> {
    let BoidLanes { position, velocity } = boids;
    let ends = |axis: usize| [-margin, size[axis] + margin];
    BoidLanes {
        position: Wide::new(|axis| {
            let [low, high] = ends(axis).map(F::splat);
            high.min(low.max(position[axis]))
        }),
        velocity: Wide::new(|axis| {
            let leaves = is_leaving(position[axis], velocity[axis], ends(axis));
            F::select(leaves, F::splat(0.0), velocity[axis])
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Purpose, stream};

    fn numbers(_lane: usize) -> Xoshiro256PlusPlus {
        stream(1, 2, 3, Purpose::Bounce)
    }

    fn params(mode: Edge) -> Params {
        let mut params = Params::default();
        (params.edge.mode, params.edge.margin, params.edge.strength) = (mode, 10.0, 0.5);
        params
    }

    #[test]
    fn wraps_far_and_tiny_overshoots_into_the_world() {
        let world = World::Rect([100.0, 50.0]);
        for at in [-1e-12_f32, -1.0, 100.0, 1e7, -1e7, 99.999_99] {
            let boid = BoidLanes { position: Wide([at, at]), velocity: Wide([1.0, 1.0]) };
            let Wide([x, y]) = contain(boid, &params(Edge::Wrap), &world, numbers).position;
            assert!((0.0..100.0).contains(&x) && (0.0..50.0).contains(&y), "{at}: {x}, {y}");
        }
    }

    #[test]
    fn turn_is_constant_and_push_grows_with_depth() {
        let world = World::Rect([100.0, 100.0]);
        let at = Wide([4.0_f32, 97.0]);
        assert_eq!(params(Edge::Turn).edge.push(at, &world).0, [0.5, -0.5]);
        assert_eq!(params(Edge::Push).edge.push(at, &world).0, [3.0, -3.5]);
        assert_eq!(params(Edge::Push).edge.push(Wide([50.0_f32, 50.0]), &world).0, [0.0, 0.0]);
    }

    #[test]
    fn clamps_to_one_margin_outside() {
        let flat = World::Rect([100.0, 100.0]);
        for mode in [Edge::Turn, Edge::Push, Edge::Reflect] {
            let boid = BoidLanes { position: Wide([-30.0_f32, 150.0]), velocity: Wide([-5.0, 5.0]) };
            let boid = contain(boid, &params(mode), &flat, numbers);
            assert_eq!(boid.position.0, [-10.0, 110.0]);
            assert!(boid.velocity[0] >= 0.0 && boid.velocity[1] <= 0.0);
        }
        let boid = BoidLanes { position: Wide([0.0_f32, 90.0, 0.0]), velocity: Wide([1.0, 5.0, 0.0]) };
        let boid = contain(boid, &params(Edge::Sphere), &World::Sphere(50.0), numbers);
        assert_eq!((boid.position.0, boid.velocity.0), ([0.0, 60.0, 0.0], [1.0, 0.0, 0.0]));
    }

    #[test]
    fn bounces_keep_the_given_fraction_of_speed() {
        let world = World::Rect([100.0, 100.0]);
        let mut rules = params(Edge::Reflect);
        rules.edge.restitution = 0.5;
        let bounce = |rules: &Params, id| {
            let boid = BoidLanes { position: Wide([95.0_f32, 50.0]), velocity: Wide([4.0, 1.0]) };
            contain(boid, rules, &world, |_| stream(1, 2, id, Purpose::Bounce)).velocity.0
        };
        assert_eq!(bounce(&rules, 0), [-2.0, 1.0]);
        rules.edge.random = true;
        let (one, two) = (bounce(&rules, 0), bounce(&rules, 1));
        assert!(one[0] <= 0.0 && one[0] > -4.0 && one[0] != two[0] && one[1] == 1.0);
    }
}
