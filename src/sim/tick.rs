//! The stages of a tick, for a chunk of agents at a time: perceive, steer, turn, move, contain.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;

use super::agents::{Agents, Kind, MotionMut};
use super::environment::Environment;
use super::environment::edges;
use super::environment::edges::BounceEvent;
use super::math::parallel::Execution;
use super::math::vector::Vector;
use super::math::wide::Wide;
use super::neighbors::perceived::{CHUNK, Perceived};
use super::neighbors::query::{NeighborIndex, NeighborQuery};
use super::neighbors::simd::{Lanes, MAX_LANES, Task};
use super::params::Params;
use super::predators::{alarm, hunt};
use super::rules;
use super::rules::heading;
use super::rules::{BoidLanes, SteeringInput};
use super::scratch::{Stage, Stopwatch};
use super::world::World;

/// What all agents move by in one tick.
pub(crate) struct Tick<'a> {
    pub params: &'a Params,
    pub world: &'a World,
    pub environment: Environment<'a>,
    pub seed: u64,
    pub number: u64,
    pub execution: Execution,
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Tick<'_> {
    /// Moves all agents, from their state in `neighbors` to that in `motion`.
    pub(crate) fn advance<V: Vector, const D: usize>(&self, neighbors: &NeighborIndex, motion: MotionMut<'_>) {
        let query = NeighborQuery::new(self.params, self.world, self.seed, self.number, self.execution.simd);
        motion.fill(CHUNK, self.execution.parallel, &|chunk| {
            let agents = chunk.places();
            chunk.copy_moods(neighbors.flock.agents.moods());
            let flocking = agents.start..agents.end.min(neighbors.flock.count_in_cells());
            if !flocking.is_empty() {
                self.advance_flock::<V, D>(&query, neighbors, flocking.clone(), chunk);
            }
            let others = flocking.end.max(agents.start)..agents.end;
            if !others.is_empty() {
                let start = self.stopwatch.map(Stopwatch::now);
                others.for_each(|index| match neighbors.flock.agents.kinds()[index] {
                    Kind::Predator => self.advance_hunter::<V, D>(neighbors, index, chunk),
                    Kind::Prey | Kind::Caught => keep_in_place::<D>(&neighbors.flock.agents, index, chunk),
                });
                self.lap(Stage::Steer, start);
            }
        });
    }

    fn advance_flock<V: Vector, const D: usize>(
        &self,
        query: &NeighborQuery<'_>,
        neighbors: &NeighborIndex,
        boids: Range<usize>,
        chunk: &mut MotionMut<'_>,
    ) {
        thread_local! {
            static PERCEIVED: RefCell<Perceived> = const { RefCell::new(Perceived::NOTHING) };
        }
        let simd = self.execution.simd;
        PERCEIVED.with_borrow_mut(|perceived| {
            let start = self.stopwatch.map(Stopwatch::now);
            query.perceive::<V, D>(neighbors, boids.clone(), perceived);
            update_moods(neighbors, perceived, boids.clone(), chunk);
            let start = self.lap(Stage::Perceive, start);
            simd.run(Steer::<V, D> {
                tick: self,
                neighbors,
                perceived,
                boids: boids.clone(),
                chunk,
                vector: PhantomData,
            });
            let start = self.lap(Stage::Steer, start);
            simd.run(Move::<D> { tick: self, neighbors, boids: boids.clone(), chunk });
            if self.environment.has_roosts() {
                self.rest::<V, D>(neighbors, perceived, boids, chunk);
            }
            self.lap(Stage::Move, start);
        });
    }

    fn lap(&self, stage: Stage, start: Option<u64>) -> Option<u64> {
        Some(self.stopwatch?.lap(stage, start?))
    }

    /// Moves a predator that does not flock; there are few of them.
    fn advance_hunter<V: Vector, const D: usize>(
        &self,
        neighbors: &NeighborIndex,
        index: usize,
        chunk: &mut MotionMut<'_>,
    ) {
        let (agents, hunter) = (&neighbors.flock.agents, neighbors.hunters.at(index));
        let boid: BoidLanes<f32, D> = BoidLanes::load(agents, index);
        let push = if self.environment.has_obstacles() { Some(self.environment.avoid(&boid)) } else { None };
        let target = hunter.and_then(|hunter| hunter.quarry).map(|quarry| Wide::splat(quarry.toward));
        let apart = hunter.and_then(|hunter| hunter.apart).map(Wide::splat);
        let steering = rules::steer_hunter(boid.position, [target, apart], push, self.params, self.world);
        let velocity = boid.velocity + steering.force + steering.replacement;
        let velocity = self.turn::<f32, V, D>(agents, index..index + 1, boid.velocity, velocity);
        let max_speed = if hunter.is_some() {
            self.params.hunt.speed
        } else {
            hunt::resting_speed(boid.velocity.length(), self.params)
        };
        let velocity = heading::clamp_speed(velocity, self.params.speed.min.min(max_speed), max_speed);
        let (position, velocity) = self.contain(agents, index, boid.position + velocity, velocity);
        chunk.write(index, position, velocity);
        chunk.set_mood(index, hunt::update_fatigue(agents.mood(index), target.is_some(), self.params));
    }

    /// Applies noise to headings, and limits how far they turn.
    #[inline(always)]
    fn turn<F: Lanes, V: Vector, const D: usize>(
        &self,
        agents: &Agents,
        boids: Range<usize>,
        old: Wide<F, D>,
        new: Wide<F, D>,
    ) -> Wide<F, D> {
        let (noise, max_turn) = (self.params.noise.angle.to_radians(), self.params.limits.max_turn.to_radians());
        let mut velocity = new;
        if noise > 0.0 {
            let ids = &agents.ids()[boids.clone()];
            velocity = heading::apply_noise::<F, V, D>(velocity, noise, (self.seed, self.number), ids);
        }
        if max_turn > 0.0 {
            velocity = limit_turn::<F, V, D>(boids.len(), old, velocity, max_turn);
        }
        velocity
    }

    /// The factor by which boids in these moods may exceed the maximum speed.
    #[inline(always)]
    fn alarm_speedup<F: Lanes>(&self, moods: F) -> F {
        F::splat(1.0) + F::splat(self.params.alarm.speed) * moods.max(F::splat(0.0))
    }

    #[inline(always)]
    fn contain<F: Lanes, const D: usize>(
        &self,
        agents: &Agents,
        first: usize,
        position: Wide<F, D>,
        velocity: Wide<F, D>,
    ) -> (Wide<F, D>, Wide<F, D>) {
        // Lanes past the last boid compute values that are not stored.
        let id = |lane: usize| agents.ids().get(first + lane).copied().unwrap_or(0);
        let (position, velocity) = edges::contain(position, velocity, self.params, self.world, |lane| BounceEvent {
            seed: self.seed,
            tick: self.number,
            id: id(lane),
        });
        if self.environment.has_obstacles() {
            self.environment.keep_out(position, velocity)
        } else {
            (position, velocity)
        }
    }
}

/// Sets the moods of boids after this tick, if any rule depends on moods.
fn update_moods(neighbors: &NeighborIndex, perceived: &Perceived, boids: Range<usize>, chunk: &mut MotionMut<'_>) {
    let agents = &neighbors.flock.agents;
    if !agents.has_moods() {
        return;
    }
    for (slot, index) in boids.enumerate() {
        let alarm = if neighbors.is_alarmed() { perceived.alarm.alarm(slot) } else { 0.0 };
        let mood = match agents.kinds()[index] {
            Kind::Prey => alarm::mood(agents.mood(index), alarm),
            // A predator that flocks does not hunt, and never tires.
            Kind::Predator | Kind::Caught => 0.0,
        };
        chunk.set_mood(index, mood);
    }
}

fn keep_in_place<const D: usize>(agents: &Agents, index: usize, chunk: &mut MotionMut<'_>) {
    let boid: BoidLanes<f32, D> = BoidLanes::load(agents, index);
    chunk.write(index, boid.position, boid.velocity);
}

/// Limits the turns of the first `count` lanes to `max_turn` (radians).
#[inline(always)]
fn limit_turn<F: Lanes, V: Vector, const D: usize>(
    count: usize,
    old: Wide<F, D>,
    new: Wide<F, D>,
    max_turn: f32,
) -> Wide<F, D> {
    let old = old.0.map(F::to_array);
    let mut lanes = new.0.map(F::to_array);
    for lane in 0..count {
        let vector = |lanes: &[[f32; MAX_LANES]; D]| {
            V::from_axes([0, 1, 2].map(|axis| lanes.get(axis).map_or(0.0, |values| values[lane])))
        };
        let limited = heading::limit::<V>(vector(&old), vector(&lanes), max_turn).axes();
        for (axis, values) in lanes.iter_mut().enumerate() {
            values[lane] = limited[axis];
        }
    }
    Wide::new(|axis| F::load(&lanes[axis]))
}

impl<F: Lanes, const D: usize> BoidLanes<F, D> {
    /// The boids from this index on; lanes past the last one hold anything.
    #[inline(always)]
    fn load(agents: &Agents, first: usize) -> Self {
        Self {
            position: Wide::new(|axis| F::load_or(&agents.positions(axis)[first..], 0.0)),
            velocity: Wide::new(|axis| F::load_or(&agents.velocities(axis)[first..], 0.0)),
        }
    }
}

/// Applies the rules, noise and the limit of turns.
struct Steer<'a, 'b, V, const D: usize> {
    tick: &'a Tick<'a>,
    neighbors: &'a NeighborIndex,
    perceived: &'a Perceived,
    boids: Range<usize>,
    chunk: &'a mut MotionMut<'b>,
    vector: PhantomData<V>,
}

impl<V: Vector, const D: usize> Task for Steer<'_, '_, V, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { tick, neighbors, perceived, boids: range, chunk, .. } = self;
        let agents = &neighbors.flock.agents;
        for first in range.clone().step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, first);
            let slot = first - range.start;
            let input = SteeringInput::load(perceived, slot, neighbors.has_predators(), neighbors.is_alarmed());
            let push =
                if tick.environment.is_empty() { None } else { Some(tick.environment.steer(&boids, agents, first)) };
            let steering = rules::steer(&boids, &input, push, tick.params, tick.world);
            let velocity = boids.velocity + steering.force + steering.replacement;
            let block = first..range.end.min(first + F::WIDTH);
            let velocity = tick.turn::<F, V, D>(agents, block, boids.velocity, velocity);
            chunk.write_velocity(first, velocity);
        }
    }
}

/// Limits speeds, moves the boids, and applies the edge of the world.
struct Move<'a, 'b, const D: usize> {
    tick: &'a Tick<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    chunk: &'a mut MotionMut<'b>,
}

impl<const D: usize> Task for Move<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { tick, neighbors, boids: range, chunk } = self;
        let agents = &neighbors.flock.agents;
        let (min, max) = (F::splat(tick.params.speed.min), F::splat(tick.params.speed.max));
        for first in range.step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, first);
            let max = if neighbors.is_alarmed() { max * tick.alarm_speedup(chunk.moods(first)) } else { max };
            let velocity = heading::clamp_speed(chunk.velocity(first), min, max);
            let (position, velocity) = tick.contain(agents, first, boids.position + velocity, velocity);
            chunk.write(first, position, velocity);
        }
    }
}
