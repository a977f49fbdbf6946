//! The stages of a tick, for a chunk of agents at a time: perceive, steer, turn, move, contain.

use std::cell::RefCell;
use std::ops::Range;

use super::agents::{Agents, AgentsMut, Kind};
use super::environment::{Environment, edges};
use super::math::parallel::Execution;
use super::math::random::Purpose;
use super::math::wide::Wide;
use super::models::{self, stardisplay};
use super::neighbors::perceived::{CHUNK, Perceived};
use super::neighbors::query::{NeighborIndex, NeighborQuery};
use super::neighbors::simd::{Lanes, Task};
use super::params::Model;
use super::predators::{alarm, hunt};
use super::rules::{self, BoidLanes, SteeringInput, heading};
use super::scratch::{Stage, Stopwatch};

/// What all agents move by in one tick.
pub(crate) struct Tick<'a> {
    pub environment: &'a Environment<'a>,
    pub execution: Execution,
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Tick<'_> {
    /// Moves all agents, from their state in `neighbors` to that in `next`.
    pub(crate) fn advance<const D: usize>(&self, neighbors: &NeighborIndex, next: AgentsMut<'_>) {
        let query = NeighborQuery::new(self.environment, self.execution.simd);
        next.fill(CHUNK, self.execution.parallel, &|chunk| {
            let (agents, places) = (&neighbors.flock.agents, chunk.places());
            chunk.copy_moods_and_banks(agents);
            let flocking = places.start..places.end.min(neighbors.flock.count_in_cells());
            if !flocking.is_empty() {
                match self.environment.params.model.name {
                    Model::Boids => self.advance_flock::<D>(&query, neighbors, flocking.clone(), chunk),
                    Model::StarDisplay => self.advance_starlings(neighbors, flocking.clone(), chunk),
                    _ => self.advance_model::<D>(neighbors, flocking.clone(), chunk),
                }
            }
            let others = flocking.end.max(places.start)..places.end;
            if !others.is_empty() {
                let start = self.stopwatch.map(Stopwatch::now);
                others.for_each(|index| match agents.kinds()[index] {
                    Kind::Predator => self.advance_hunter::<D>(neighbors, index, chunk),
                    Kind::Prey | Kind::Caught => {
                        let boid = BoidLanes::<f32, D>::load(agents, index);
                        chunk.write(index, boid.position, boid.velocity);
                    }
                });
                self.lap(Stage::Steer, start);
            }
        });
    }

    /// Moves boids by the rule of a published model.
    fn advance_model<const D: usize>(&self, neighbors: &NeighborIndex, boids: Range<usize>, chunk: &mut AgentsMut<'_>) {
        let start = self.stopwatch.map(Stopwatch::now);
        let (flock, environment) = (&neighbors.flock, self.environment);
        for index in boids {
            let (velocity, travel) = models::advance::<D>(environment, flock, index);
            let from: Wide<f32, D> = Wide::splat(flock.agents.position_array(index));
            let stream = |_| environment.stream(flock.agents.ids()[index], Purpose::Bounce);
            let moved = BoidLanes { position: from + travel, velocity };
            let moved = edges::contain(moved, environment.params, environment.world, stream);
            chunk.write(index, moved.position, moved.velocity);
        }
        self.lap(Stage::Perceive, start);
    }

    /// Moves the birds of the model stardisplay.
    fn advance_starlings(&self, neighbors: &NeighborIndex, boids: Range<usize>, chunk: &mut AgentsMut<'_>) {
        let start = self.stopwatch.map(Stopwatch::now);
        self.execution.simd.run(stardisplay::Fly { environment: self.environment, neighbors, boids, chunk });
        self.lap(Stage::Perceive, start);
    }

    fn advance_flock<const D: usize>(
        &self,
        query: &NeighborQuery<'_>,
        neighbors: &NeighborIndex,
        boids: Range<usize>,
        chunk: &mut AgentsMut<'_>,
    ) {
        thread_local! {
            static PERCEIVED: RefCell<Perceived> = const { RefCell::new(Perceived::NOTHING) };
        }
        let simd = self.execution.simd;
        PERCEIVED.with_borrow_mut(|perceived| {
            let start = self.stopwatch.map(Stopwatch::now);
            query.perceive::<Wide<f32, D>, D>(neighbors, boids.clone(), perceived);
            update_moods(neighbors, perceived, boids.clone(), chunk);
            let start = self.lap(Stage::Perceive, start);
            simd.run(Steer::<D> { tick: self, neighbors, perceived, boids: boids.clone(), chunk });
            let start = self.lap(Stage::Steer, start);
            simd.run(Move::<D> { tick: self, neighbors, boids: boids.clone(), chunk });
            if self.environment.has_roosts {
                self.environment.rest::<D>(neighbors, perceived, boids, chunk);
            }
            self.lap(Stage::Move, start);
        });
    }

    fn lap(&self, stage: Stage, start: Option<u64>) -> Option<u64> {
        Some(self.stopwatch?.lap(stage, start?))
    }

    /// Moves a predator that does not flock; there are few of them.
    fn advance_hunter<const D: usize>(&self, neighbors: &NeighborIndex, index: usize, chunk: &mut AgentsMut<'_>) {
        let (agents, hunter) = (&neighbors.flock.agents, neighbors.hunters.at(index));
        let Environment { params, world, .. } = *self.environment;
        let boid: BoidLanes<f32, D> = BoidLanes::load(agents, index);
        let push = if self.environment.has_obstacles { Some(self.environment.avoid(&boid)) } else { None };
        let target = hunter.and_then(|hunter| hunter.quarry).map(|quarry| Wide::splat(quarry.toward));
        let apart = hunter.and_then(|hunter| hunter.apart).map(Wide::splat);
        let steering = rules::steer_hunter(boid.position, [target, apart], push, params, world);
        let velocity = boid.velocity + steering.force + steering.replacement;
        let velocity = self.turn(agents, index..index + 1, boid.velocity, velocity);
        let max_speed =
            if hunter.is_some() { params.hunt.speed } else { hunt::resting_speed(boid.velocity.length(), params) };
        let [min_speed, _] = params.start_speeds();
        let velocity = heading::clamp_speed(velocity, min_speed.min(max_speed), max_speed);
        let BoidLanes { position, velocity } = self.fly(agents, index, boid.position, velocity);
        chunk.write(index, position, velocity);
        chunk.set_mood(index, hunt::update_fatigue(agents.mood(index), target.is_some(), params));
    }

    /// Applies noise to headings, and limits how far they turn.
    #[inline(always)]
    fn turn<F: Lanes, const D: usize>(
        &self,
        agents: &Agents,
        boids: Range<usize>,
        old: Wide<F, D>,
        new: Wide<F, D>,
    ) -> Wide<F, D> {
        let Environment { params, seed, tick, .. } = *self.environment;
        let (noise, max_turn) = (params.noise.angle.to_radians(), params.limits.max_turn.to_radians());
        let mut velocity = new;
        if noise > 0.0 {
            velocity = heading::apply_noise(velocity, noise, (seed, tick), &agents.ids()[boids.clone()]);
        }
        if max_turn > 0.0 {
            velocity = heading::limit_turn(boids.len(), old, velocity, max_turn);
        }
        velocity
    }

    /// Moves boids on by their velocity, within the world.
    #[inline(always)]
    fn fly<F: Lanes, const D: usize>(
        &self,
        agents: &Agents,
        first: usize,
        from: Wide<F, D>,
        velocity: Wide<F, D>,
    ) -> BoidLanes<F, D> {
        let environment = self.environment;
        // Lanes past the last boid compute values that are not stored.
        let id = |lane: usize| agents.ids().get(first + lane).copied().unwrap_or(0);
        let stream = |lane| environment.stream(id(lane), Purpose::Bounce);
        let boids = BoidLanes { position: from + velocity, velocity };
        let boids = edges::contain(boids, environment.params, environment.world, stream);
        if environment.has_obstacles { environment.keep_out(boids) } else { boids }
    }
}

/// Sets the moods of boids after this tick, if any rule depends on moods.
fn update_moods(neighbors: &NeighborIndex, perceived: &Perceived, boids: Range<usize>, chunk: &mut AgentsMut<'_>) {
    let agents = &neighbors.flock.agents;
    if !agents.has_moods() {
        return;
    }
    for (slot, index) in boids.enumerate() {
        let alarm = neighbors.alarm(perceived, slot);
        let mood = match agents.kinds()[index] {
            Kind::Prey => alarm::mood(agents.mood(index), alarm),
            // A predator that flocks does not hunt, and never tires.
            Kind::Predator | Kind::Caught => 0.0,
        };
        chunk.set_mood(index, mood);
    }
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
struct Steer<'a, 'b, const D: usize> {
    tick: &'a Tick<'a>,
    neighbors: &'a NeighborIndex,
    perceived: &'a Perceived,
    boids: Range<usize>,
    chunk: &'a mut AgentsMut<'b>,
}

impl<const D: usize> Task for Steer<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { tick, neighbors, perceived, boids: range, chunk } = self;
        let (agents, environment) = (&neighbors.flock.agents, tick.environment);
        for first in range.clone().step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, first);
            let slot = first - range.start;
            let input = SteeringInput::load(perceived, slot, neighbors.has_predators(), neighbors.is_alarmed());
            let push = if environment.is_empty() { None } else { Some(environment.steer(&boids, agents, first)) };
            let steering = rules::steer(&boids, &input, push, environment.params, environment.world);
            let velocity = boids.velocity + steering.force + steering.replacement;
            let block = first..range.end.min(first + F::WIDTH);
            let velocity = tick.turn(agents, block, boids.velocity, velocity);
            chunk.write_velocity(first, velocity);
        }
    }
}

/// Limits speeds, moves the boids, and applies the edge of the world.
struct Move<'a, 'b, const D: usize> {
    tick: &'a Tick<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    chunk: &'a mut AgentsMut<'b>,
}

impl<const D: usize> Task for Move<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { tick, neighbors, boids: range, chunk } = self;
        let agents = &neighbors.flock.agents;
        let params = tick.environment.params;
        let (min, max) = (F::splat(params.speed.min), F::splat(params.speed.max));
        for first in range.step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, first);
            let max = if neighbors.is_alarmed() {
                // Alarmed boids may exceed the maximum speed.
                let alarm = chunk.moods::<F>(first).max(F::splat(0.0));
                max * (F::splat(1.0) + F::splat(params.alarm.speed) * alarm)
            } else {
                max
            };
            let velocity = heading::clamp_speed(chunk.velocity(first), min, max);
            let BoidLanes { position, velocity } = tick.fly(agents, first, boids.position, velocity);
            chunk.write(first, position, velocity);
        }
    }
}
