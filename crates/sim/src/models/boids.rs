//! Boids: the steering rules of Reynolds 1987, *Flocks, herds and schools: a distributed behavioral model*, with predators,
//! zones and wind. `docs/models.md` has the formulas.

use std::cell::RefCell;
use std::ops::Range;

use super::{Boids, ModelRow, Reach};
use crate::agents::AgentsMut;
use crate::error::Conflict;
use crate::forces::{BoidLanes, Environment, NeighborIndex, NeighborQuery, heading, leaders, roosting, threat};
use crate::math::{MIN_PARALLEL, Stage, Stopwatch, Wide};
use crate::params::{Edge, Model, Params, Perceived, Steered};
use crate::simd::{CHUNK, Lanes, Simd, Task};
use crate::world::World;

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Boids,
    keys: None,
    edges: &[Edge::Wrap, Edge::Turn, Edge::Push, Edge::Reflect, Edge::Open, Edge::Sphere],
    has_predators: true,
    has_steering: true,
    has_headings: false,
    reach,
    most_neighbors,
    min_parallel,
    conflict,
    advance: [advance::<2>, advance::<3>],
    ..ModelRow::BASE
};

fn reach(params: &Params) -> Reach {
    let perception = params.reaches().fold(0.0, f32::max);
    Reach { search: params.rule_reach(), perception, group: params.cohesion.radius }
}

fn most_neighbors(params: &Params, _: u32) -> Option<usize> {
    let limits = [params.perception.nearest, params.limits.max_neighbors];
    limits.into_iter().filter(|limit| *limit > 0.0).map(|limit| limit as usize).min()
}

/// A cap takes several visits, so that fewer boids pay for the handover to other threads.
fn min_parallel(params: &Params) -> usize {
    if params.limits.max_neighbors > 0.0 { 1000 } else { MIN_PARALLEL }
}

fn conflict(params: &Params, _: &World) -> Option<Conflict> {
    let Params { speed, edge, species, alignment, cohesion, .. } = params;
    if speed.min > speed.max {
        let what = format!("speed.min = {} is above speed.max = {}", speed.min, speed.max);
        return Some(Conflict::new(&["speed.min", "speed.max"], what));
    }
    let radii = [("alignment.radius", alignment.radius), ("cohesion.radius", cohesion.radius)];
    if edge.mode == Edge::Wrap
        && let Some((key, _)) = radii.iter().find(|(_, radius)| radius.is_infinite())
    {
        let what = format!("{key} = inf is not possible in a wrapping world (edge.mode = wrap)");
        return Some(Conflict::new(&[*key, "edge.mode"], what));
    }
    if species.count > 1.0 && species.avoid > 0.0 && cohesion.radius.is_infinite() {
        let what = format!("species.avoid = {} needs a finite cohesion.radius, not inf", species.avoid);
        return Some(Conflict::new(&["species.avoid", "cohesion.radius"], what));
    }
    None
}

fn advance<const D: usize>(boids: Boids<'_, '_>) {
    thread_local! {
        static PERCEIVED: RefCell<Perceived> = const { RefCell::new(Perceived::NOTHING) };
    }
    let Boids { environment, execution, stopwatch, neighbors, range: boids, next: chunk } = boids;
    PERCEIVED.with_borrow_mut(|perceived| {
        Stopwatch::time(stopwatch, Stage::Perceive, || {
            let query = NeighborQuery::new(environment, neighbors, execution.simd);
            query.perceive::<D>(boids.clone(), perceived);
            threat::perceive::<D>(&query, boids.clone(), perceived);
            leaders::follow::<D>(&query, boids.clone(), perceived);
            threat::update_moods(&neighbors.flock.agents, perceived, boids.clone(), chunk);
        });
        Stopwatch::time(stopwatch, Stage::Steer, || {
            execution.simd.run(SteerBoids::<D> { environment, neighbors, perceived, boids: boids.clone(), chunk });
        });
        Stopwatch::time(stopwatch, Stage::Move, || {
            execution.simd.run(MoveBoids::<D> { environment, neighbors, boids: boids.clone(), chunk });
            if environment.has_roosts {
                roosting::rest::<D>(environment, neighbors, perceived, boids, chunk);
            }
        });
    });
}

/// The sum of the rules ([`Params::steer`]) and of the environment, for agents that flock, from an index on, which are perceived
/// from a slot on.
#[inline(always)]
fn steer<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    perceived: &Perceived,
    boids: &BoidLanes<F, D>,
    first: usize,
    slot: usize,
) -> Wide<F, D> {
    let Environment { params, world, .. } = *environment;
    let &BoidLanes { position, velocity } = boids;
    let steered = Steered { position, velocity, perceived, slot, params, world };
    let mut force = params.steer(&steered);
    if !environment.is_empty() {
        force += environment.steer(boids, &neighbors.flock.agents, first);
    }
    params.limited(force) + params.alignment.replacement(&steered)
}

/// Applies the rules, noise and the limit of turns.
struct SteerBoids<'a, 'b, const D: usize> {
    environment: &'a Environment<'a>,
    neighbors: &'a NeighborIndex,
    perceived: &'a Perceived,
    boids: Range<usize>,
    chunk: &'a mut AgentsMut<'b>,
}

impl<const D: usize> Task for SteerBoids<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { environment, neighbors, perceived, boids: range, chunk } = self;
        let agents = &neighbors.flock.agents;
        for first in range.clone().step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, first);
            let steering = steer(environment, neighbors, perceived, &boids, first, first - range.start);
            let velocity = boids.velocity + steering;
            let block = first..range.end.min(first + F::WIDTH);
            let velocity = heading::turn(environment, agents, block, boids.velocity, velocity);
            chunk.write_velocity(first, velocity);
        }
    }
}

/// The steering of all boids, in u/tick², before noise and the limits of turns and speeds, in order of memory.
pub(crate) fn steering<const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    simd: Simd,
) -> Vec<[f32; 3]> {
    let mut all = vec![[0.0; 3]; neighbors.flock.count_in_cells()];
    let query = NeighborQuery::new(environment, neighbors, simd);
    let mut perceived = Box::new(Perceived::NOTHING);
    for first in (0..all.len()).step_by(CHUNK) {
        let boids = first..all.len().min(first + CHUNK);
        query.perceive::<D>(boids.clone(), &mut perceived);
        threat::perceive::<D>(&query, boids.clone(), &mut perceived);
        leaders::follow::<D>(&query, boids.clone(), &mut perceived);
        for index in boids {
            let boid = BoidLanes::<f32, D>::load(&neighbors.flock.agents, index);
            all[index] = steer(environment, neighbors, &perceived, &boid, index, index - first).axes();
        }
    }
    all
}

/// Limits speeds, moves the boids, and applies the edge of the world.
struct MoveBoids<'a, 'b, const D: usize> {
    environment: &'a Environment<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    chunk: &'a mut AgentsMut<'b>,
}

impl<const D: usize> Task for MoveBoids<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { environment, neighbors, boids: range, chunk } = self;
        let agents = &neighbors.flock.agents;
        let params = environment.params;
        let (min, max) = (F::splat(params.speed.min), F::splat(params.speed.max));
        for first in range.step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, first);
            let max = if neighbors.is_alarmed {
                // Alarmed boids may exceed the maximum speed.
                let alarm = chunk.moods::<F>(first).alarm();
                max * (F::splat(1.0) + F::splat(params.alarm.speed) * alarm)
            } else {
                max
            };
            let velocity = heading::clamp_speed(chunk.velocity(first), min, max);
            let BoidLanes { position, velocity } = environment.fly(agents, first, boids.position, velocity);
            chunk.write(first, position, velocity);
        }
    }
}
