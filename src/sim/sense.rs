//! What each boid perceives: sums over the neighbours inside the radius of each rule.

use std::cell::RefCell;
use std::ops::Range;

use rand::RngExt;

use super::agents::{Agents, Kind};
use super::coincidence::apart;
use super::grid::{Layout, Role, Sorted};
use super::kernel::{Block, Kernel, LANES};
use super::metric::Metric;
use super::params::{Edge, Params, Target};
use super::perception::{Boid, Neighbors, Seen, Sum};
use super::random::{Purpose, stream};
use super::rules::{fade, flocks};
use super::totals::Totals;
use super::vector::Vector;
use super::world::World;

/// The flock in order, and all that finding neighbours in it needs. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(super) struct Senses {
    /// All who flock, by cells; hunters behind them.
    pub(super) flock: Sorted,
    predators: Sorted,
    by_id: Vec<u32>,
    /// One past the largest id.
    ids: u32,
    totals: Option<Totals>,
}

impl Senses {
    /// Puts the flock in order for the tick.
    pub(super) fn prepare(&mut self, agents: &Agents, params: &Params, world: &World, predators: usize) {
        let wraps = params.edge.mode == Edge::Wrap;
        self.flock.sort(Layout::new(world, wraps, params.reach(), agents.len()), agents, |kind| {
            if flocks(params, kind) { Role::Neighbor } else { Role::Apart }
        });
        self.predators.sort(Layout::new(world, wraps, params.flee.radius, predators), agents, |kind| match kind {
            Kind::Predator => Role::Neighbor,
            Kind::Prey => Role::Absent,
        });
        let infinite = params.alignment.radius.is_infinite() || params.cohesion.radius.is_infinite();
        self.ids = agents.ids().iter().max().map_or(0, |id| id + 1);
        self.totals = infinite.then(|| {
            let agents = &self.flock.agents;
            agents.order_by_id(&mut self.by_id);
            Totals::of(agents, &self.by_id, |kind| flocks(params, kind))
        });
    }

    /// The agent at this place of the order.
    pub(super) fn boid<V: Vector>(&self, index: usize) -> Boid<V> {
        let agents = &self.flock.agents;
        Boid {
            id: agents.ids()[index],
            kind: agents.kinds()[index],
            position: agents.position(index),
            velocity: agents.velocity(index),
        }
    }
}

/// The tick's rules, with what senses need of them worked out once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    params: &'a Params,
    metric: Metric,
    seed: u64,
    tick: u64,
    reach: f32,
    kernel: Kernel,
}

impl<'a> Sight<'a> {
    pub(super) fn new(params: &'a Params, world: &World, seed: u64, tick: u64) -> Self {
        Self {
            params,
            metric: Metric::new(params, world),
            seed,
            tick,
            reach: params.reach(),
            kernel: Kernel::new(params, Metric::new(params, world)),
        }
    }

    /// What the boids at these places, up to [`LANES`] in one row of the grid, perceive of the
    /// others: calls `then` with each boid and what it has seen.
    pub(super) fn sense<V: Vector>(
        &self,
        senses: &Senses,
        places: Range<usize>,
        mut then: impl FnMut(usize, Boid<V>, Seen<V>),
    ) {
        let capped = self.params.limits.max_neighbors > 0.0;
        let mut block: Block<LANES> = Block::new(&senses.flock.agents, places.clone());
        if !capped {
            senses.flock.runs(block.bounds(), self.reach, |run| {
                self.kernel.meet::<V, LANES>(&senses.flock.agents, &mut block, run);
            });
        }
        for (lane, place) in places.enumerate() {
            let boid = senses.boid::<V>(place);
            let mut seen = Seen::default();
            if flocks(self.params, boid.kind) {
                seen.neighbors = if capped { self.capped(senses, place, &boid) } else { block.neighbors(lane) };
                self.whole_flock(senses, &boid, &mut seen.neighbors);
                seen.fear = self.fear(senses, &boid);
            } else {
                seen.target = self.target(senses, &boid);
            }
            then(place, boid, seen);
        }
    }

    /// Adds up the first `max_neighbors` neighbours within reach, counted in cyclic order of ids
    /// from one that is drawn for this boid and tick.
    fn capped<V: Vector>(&self, senses: &Senses, place: usize, boid: &Boid<V>) -> Neighbors<V> {
        thread_local! {
            static NEAR: RefCell<(Vec<usize>, Vec<u32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
        }
        let cap = self.params.limits.max_neighbors as usize;
        let agents = &senses.flock.agents;
        let first: u32 = stream(self.seed, self.tick, boid.id, Purpose::Neighbors).random_range(0..senses.ids);
        let turn = |other: usize| agents.ids()[other].wrapping_sub(first);
        NEAR.with_borrow_mut(|(near, turns)| {
            near.clear();
            senses.flock.near(boid.position, self.reach, |other| {
                let offset = self.metric.offset(boid.position, agents.position::<V>(other));
                if offset.length_squared() < self.reach * self.reach && agents.ids()[other] != boid.id {
                    near.push(other);
                }
            });
            if near.len() > cap {
                turns.clear();
                turns.extend(near.iter().map(|&other| turn(other)));
                let (_, &mut last, _) = turns.select_nth_unstable(cap - 1);
                near.retain(|&other| turn(other) <= last);
            }
            let mut alone: Block<1> = Block::new(agents, place..place + 1);
            for &other in near.iter() {
                self.kernel.meet::<V, 1>(agents, &mut alone, other..other + 1);
            }
            alone.neighbors(0)
        })
    }

    /// Adds the rules whose radius is infinite, from the flock's totals.
    fn whole_flock<V: Vector>(&self, senses: &Senses, boid: &Boid<V>, seen: &mut Neighbors<V>) {
        let Some(totals) = &senses.totals else { return };
        if self.params.alignment.radius.is_infinite() {
            seen.alignment = totals.velocities_but(boid.velocity);
        }
        if self.params.cohesion.radius.is_infinite() {
            seen.cohesion = totals.offsets_from(boid.position, self.near_enough(senses, boid));
        }
    }

    /// `Σ r` over those who are too near to be drawn to where the radius is infinite, and their number.
    fn near_enough<V: Vector>(&self, senses: &Senses, boid: &Boid<V>) -> ([f64; 3], f64) {
        let inner = self.params.cohesion.inner;
        let agents = &senses.flock.agents;
        let (mut total, mut count) = ([0.0; 3], 0.0);
        senses.flock.near(boid.position, inner, |other| {
            let offset: V = self.metric.offset(boid.position, agents.position(other));
            if offset.length_squared() < inner * inner && agents.ids()[other] != boid.id {
                let offset = offset.axes();
                total = [0, 1, 2].map(|axis| total[axis] + f64::from(offset[axis]));
                count += 1.0;
            }
        });
        (total, count)
    }

    /// `Σ f(d)·r` over the predators in sight, never oneself.
    fn fear<V: Vector>(&self, senses: &Senses, boid: &Boid<V>) -> V {
        let flee = &self.params.flee;
        let agents = &senses.predators.agents;
        let mut fear = V::default();
        if agents.is_empty() {
            return fear;
        }
        senses.predators.near(boid.position, flee.radius, |other| {
            let offset: V = self.metric.offset(boid.position, agents.position(other));
            let d2 = offset.length_squared();
            if d2 < flee.radius * flee.radius && agents.ids()[other] != boid.id {
                let (offset, d2) = apart(boid.id, agents.ids()[other], offset, d2, flee.radius);
                fear += offset * fade(flee.falloff, d2, flee.radius);
            }
        });
        fear
    }

    /// The offset to what a hunting predator flies at, where any prey is in sight.
    pub(super) fn target<V: Vector>(&self, senses: &Senses, boid: &Boid<V>) -> Option<V> {
        let hunt = &self.params.hunt;
        let agents = &senses.flock.agents;
        let mut nearest: Option<(f32, u32, V)> = None;
        let mut sum = Sum::default();
        senses.flock.near(boid.position, hunt.radius, |other| {
            let offset: V = self.metric.offset(boid.position, agents.position(other));
            let d2 = offset.length_squared();
            if d2 < hunt.radius * hunt.radius {
                let (offset, d2) = apart(boid.id, agents.ids()[other], offset, d2, hunt.radius);
                let id = agents.ids()[other];
                if nearest.is_none_or(|(least, first, _)| (d2, id) < (least, first)) {
                    nearest = Some((d2, id, offset));
                }
                sum.add(offset);
            }
        });
        match hunt.target {
            Target::Nearest => nearest.map(|(_, _, offset)| offset),
            Target::Center => (sum.count > 0.0).then(|| sum.total * (1.0 / sum.count)),
        }
    }
}
