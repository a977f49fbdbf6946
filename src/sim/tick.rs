//! The stages of a tick, for a chunk of boids at a time: sense, steer, turn, limit, move, contain.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;

use super::agents::{Agents, Kind, MotionMut};
use super::environment::Environment;
use super::environment::edges;
use super::environment::edges::BounceEvent;
use super::math::vector::Vector;
use super::math::wide::Wide;
use super::neighbors::cell_list::How;
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

/// What everyone flies by in one tick.
pub(crate) struct Tick<'a> {
    pub params: &'a Params,
    pub world: &'a World,
    pub environment: Environment<'a>,
    pub seed: u64,
    pub number: u64,
    pub how: How,
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Tick<'_> {
    /// Flies everyone, from where `senses` has them to where `motion` puts them.
    pub(crate) fn fly<V: Vector, const D: usize>(&self, senses: &NeighborIndex, motion: MotionMut<'_>) {
        let sight = NeighborQuery::new(self.params, self.world, self.seed, self.number, self.how.simd);
        motion.fill(CHUNK, self.how.parallel, &|chunk| {
            let places = chunk.places();
            chunk.track_moods(senses.flock.agents.moods());
            let flocking = places.start..places.end.min(senses.flock.count_in_cells());
            if !flocking.is_empty() {
                self.fly_flock::<V, D>(&sight, senses, flocking.clone(), chunk);
            }
            let apart = flocking.end.max(places.start)..places.end;
            if !apart.is_empty() {
                let start = self.stopwatch.map(Stopwatch::now);
                apart.for_each(|place| match senses.flock.agents.kinds()[place] {
                    Kind::Predator => self.fly_hunter::<V, D>(senses, place, chunk),
                    Kind::Prey | Kind::Caught => stay::<D>(&senses.flock.agents, place, chunk),
                });
                self.lap(Stage::Steer, start);
            }
        });
    }

    fn fly_flock<V: Vector, const D: usize>(
        &self,
        sight: &NeighborQuery<'_>,
        senses: &NeighborIndex,
        places: Range<usize>,
        chunk: &mut MotionMut<'_>,
    ) {
        thread_local! {
            static PERCEIVED: RefCell<Perceived> = const { RefCell::new(Perceived::NOTHING) };
        }
        let simd = self.how.simd;
        PERCEIVED.with_borrow_mut(|perceived| {
            let start = self.stopwatch.map(Stopwatch::now);
            sight.sense::<V, D>(senses, places.clone(), perceived);
            change_moods(senses, perceived, places.clone(), chunk);
            let start = self.lap(Stage::Sense, start);
            simd.run(Steer::<V, D> {
                tick: self,
                senses,
                perceived,
                places: places.clone(),
                chunk,
                vector: PhantomData,
            });
            let start = self.lap(Stage::Steer, start);
            let elapsed = places.clone();
            simd.run(Move::<D> { tick: self, senses, places: elapsed, chunk });
            if self.environment.has_roosts() {
                self.rest::<V, D>(senses, perceived, places, chunk);
            }
            self.lap(Stage::Move, start);
        });
    }

    fn lap(&self, stage: Stage, start: Option<u64>) -> Option<u64> {
        Some(self.stopwatch?.lap(stage, start?))
    }

    /// The same for a predator apart from the flock: there are few, and each goes its own way.
    fn fly_hunter<V: Vector, const D: usize>(&self, senses: &NeighborIndex, place: usize, chunk: &mut MotionMut<'_>) {
        let (agents, hunter) = (&senses.flock.agents, senses.hunters.at(place));
        let boid: BoidLanes<f32, D> = BoidLanes::load(agents, place);
        let push = if self.environment.has_obstacles() { Some(self.environment.avoid(&boid)) } else { None };
        let target = hunter.and_then(|hunter| hunter.quarry).map(|quarry| Wide::splat(quarry.toward));
        let apart = hunter.and_then(|hunter| hunter.apart).map(Wide::splat);
        let steering = rules::steer_hunter(boid.position, [target, apart], push, self.params, self.world);
        let velocity = boid.velocity + steering.force + steering.replacement;
        let velocity = self.turn::<f32, V, D>(agents, place..place + 1, boid.velocity, velocity);
        let most = if hunter.is_some() {
            self.params.hunt.speed
        } else {
            hunt::resting_speed(boid.velocity.length(), self.params)
        };
        let velocity = heading::clamp_speed(velocity, self.params.speed.min.min(most), most);
        let (position, velocity) = self.contain(agents, place, boid.position + velocity, velocity);
        chunk.write(place, position, velocity);
        chunk.set_mood(place, hunt::update_fatigue(agents.mood(place), target.is_some(), self.params));
    }

    /// Lets headings apply_noise, and limits by how much they have turned.
    #[inline(always)]
    fn turn<F: Lanes, V: Vector, const D: usize>(
        &self,
        agents: &Agents,
        places: Range<usize>,
        old: Wide<F, D>,
        new: Wide<F, D>,
    ) -> Wide<F, D> {
        let (noise, most) = (self.params.noise.angle.to_radians(), self.params.limits.max_turn.to_radians());
        let mut velocity = new;
        if noise > 0.0 {
            let ids = &agents.ids()[places.clone()];
            velocity = heading::apply_noise::<F, V, D>(velocity, noise, (self.seed, self.number), ids);
        }
        if most > 0.0 {
            velocity = limit_turn::<F, V, D>(places.len(), old, velocity, most);
        }
        velocity
    }

    /// By what factor boids in these moods may fly faster than calm ones.
    #[inline(always)]
    fn haste<F: Lanes>(&self, moods: F) -> F {
        F::splat(1.0) + F::splat(self.params.alarm.speed) * moods.max(F::splat(0.0))
    }

    #[inline(always)]
    fn contain<F: Lanes, const D: usize>(
        &self,
        agents: &Agents,
        place: usize,
        position: Wide<F, D>,
        velocity: Wide<F, D>,
    ) -> (Wide<F, D>, Wide<F, D>) {
        // Lanes behind the last boid are drawn for too, and thrown away.
        let id = |lane: usize| agents.ids().get(place + lane).copied().unwrap_or(0);
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

/// Gives those who flock the moods that they are in from now on, where any are kept.
fn change_moods(senses: &NeighborIndex, perceived: &Perceived, places: Range<usize>, chunk: &mut MotionMut<'_>) {
    let agents = &senses.flock.agents;
    if !agents.has_moods() {
        return;
    }
    for (index, place) in places.enumerate() {
        let alarm = if senses.is_alarmed() { perceived.alarm.alarm(index) } else { 0.0 };
        let mood = match agents.kinds()[place] {
            Kind::Prey => alarm::mood(agents.mood(place), alarm),
            // Among the flock it does not hunt, and never tires.
            Kind::Predator | Kind::Caught => 0.0,
        };
        chunk.set_mood(place, mood);
    }
}

/// Leaves an agent where it is.
fn stay<const D: usize>(agents: &Agents, place: usize, chunk: &mut MotionMut<'_>) {
    let boid: BoidLanes<f32, D> = BoidLanes::load(agents, place);
    chunk.write(place, boid.position, boid.velocity);
}

/// Limits by how much the headings of so many lanes have turned.
#[inline(always)]
fn limit_turn<F: Lanes, V: Vector, const D: usize>(
    count: usize,
    old: Wide<F, D>,
    new: Wide<F, D>,
    most: f32,
) -> Wide<F, D> {
    let old = old.0.map(F::array);
    let mut lanes = new.0.map(F::array);
    for lane in 0..count {
        let vector = |lanes: &[[f32; MAX_LANES]; D]| {
            V::from_axes([0, 1, 2].map(|axis| lanes.get(axis).map_or(0.0, |values| values[lane])))
        };
        let limited = heading::limit::<V>(vector(&old), vector(&lanes), most).axes();
        for (axis, values) in lanes.iter_mut().enumerate() {
            values[lane] = limited[axis];
        }
    }
    Wide::new(|axis| F::load(&lanes[axis]))
}

impl<F: Lanes, const D: usize> BoidLanes<F, D> {
    /// The boids from this place on; lanes behind the last one hold anything.
    #[inline(always)]
    fn load(agents: &Agents, place: usize) -> Self {
        Self {
            position: Wide::new(|axis| F::load_or(&agents.positions(axis)[place..], 0.0)),
            velocity: Wide::new(|axis| F::load_or(&agents.velocities(axis)[place..], 0.0)),
        }
    }
}

/// The rules, and the limits of turning: from what was perceived to new velocities.
struct Steer<'a, 'b, V, const D: usize> {
    tick: &'a Tick<'a>,
    senses: &'a NeighborIndex,
    perceived: &'a Perceived,
    places: Range<usize>,
    chunk: &'a mut MotionMut<'b>,
    vector: PhantomData<V>,
}

impl<V: Vector, const D: usize> Task for Steer<'_, '_, V, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { tick, senses, perceived, places, chunk, .. } = self;
        let agents = &senses.flock.agents;
        for place in places.clone().step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, place);
            let seen =
                SteeringInput::load(perceived, place - places.start, senses.has_predators(), senses.is_alarmed());
            let push =
                if tick.environment.is_empty() { None } else { Some(tick.environment.steer(&boids, agents, place)) };
            let steering = rules::steer(&boids, &seen, push, tick.params, tick.world);
            let velocity = boids.velocity + steering.force + steering.replacement;
            let block = place..places.end.min(place + F::WIDTH);
            let velocity = tick.turn::<F, V, D>(agents, block, boids.velocity, velocity);
            chunk.write_velocity(place, velocity);
        }
    }
}

/// The limits of speed, the move, and the world's edge.
struct Move<'a, 'b, const D: usize> {
    tick: &'a Tick<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    chunk: &'a mut MotionMut<'b>,
}

impl<const D: usize> Task for Move<'_, '_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { tick, senses, places, chunk } = self;
        let agents = &senses.flock.agents;
        let (least, most) = (F::splat(tick.params.speed.min), F::splat(tick.params.speed.max));
        for place in places.step_by(F::WIDTH) {
            let boids: BoidLanes<F, D> = BoidLanes::load(agents, place);
            let most = if senses.is_alarmed() { most * tick.haste(chunk.moods(place)) } else { most };
            let velocity = heading::clamp_speed(chunk.velocity(place), least, most);
            let (position, velocity) = tick.contain(agents, place, boids.position + velocity, velocity);
            chunk.write(place, position, velocity);
        }
    }
}
