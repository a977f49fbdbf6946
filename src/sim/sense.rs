//! What each boid perceives: sums over the neighbours inside the radius of each rule.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::cell::RefCell;
use std::ops::Range;

use rand::RngExt;

use super::agents::{Agents, Kind};
use super::alarm::Heed;
use super::coincidence::{COINCIDENT, PARTING, parting};
use super::grid::Layout;
use super::hunters::Hunters;
use super::kernel::{Block, CarefulEncounter, Encounter, Kernel, sight};
use super::metric::Metric;
use super::params::{Falloff, Params};
use super::perception::{Perceived, Sum};
use super::random::{Purpose, stream};
use super::rules::{fade, flocks};
use super::simd::{Lanes, Simd, Task};
use super::sorted::{How, Role, Sorted};
use super::totals::Totals;
use super::vector::Vector;
use super::wide::Wide;
use super::world::World;

/// The flock in order, and all that finding neighbours in it needs. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(super) struct Senses {
    /// All who flock, by cells; hunters behind them.
    pub(super) flock: Sorted,
    /// The predators, by cells.
    pub(super) predators: Sorted,
    /// Those of them who hunt, and what they fly at.
    pub(super) hunters: Hunters,
    /// Whether anyone is alarmed, or about to be.
    alarmed: bool,
    few: Agents,
    by_id: Vec<u32>,
    /// One past the largest id.
    ids: u32,
    totals: Option<Totals>,
}

impl Senses {
    /// Puts the flock in order for the tick.
    pub(super) fn prepare(&mut self, agents: &Agents, params: &Params, world: &World, predators: usize, how: How) {
        let edge = params.edge.mode;
        let hunters = if flocks(params, Kind::Predator) { Role::Neighbor } else { Role::Apart };
        let layout = Layout::new(world, edge, params.reach(), agents.len());
        self.flock.sort(layout, agents, [Role::Neighbor, hunters, Role::Apart], how);
        self.alarmed = params.alarms() && (predators > 0 || self.flock.agents.moods().iter().any(|mood| *mood > 0.0));
        self.sort_predators(Layout::new(world, edge, params.flee.radius, predators), predators, hunters, how);

        let infinite = params.alignment.radius.is_infinite() || params.cohesion.radius.is_infinite();
        let agents = &self.flock.agents;
        self.totals = infinite.then(|| {
            agents.order_by_id(&mut self.by_id);
            Totals::of(agents, &self.by_id, |kind| flocks(params, kind))
        });
        if params.limits.max_neighbors > 0.0 {
            self.ids = agents.ids().iter().max().map_or(0, |id| id + 1);
        }
    }

    /// Puts the predators in order: hunters stand behind the flock, others among it.
    fn sort_predators(&mut self, layout: Layout, predators: usize, hunters: Role, how: How) {
        self.few.clear(self.flock.agents.dim());
        if predators > 0 {
            let first = if hunters == Role::Apart { self.flock.in_cells() } else { 0 };
            self.few.extend_with(Kind::Predator, &self.flock.agents, first);
        }
        self.predators.sort(layout, &self.few, [Role::Neighbor; 3], how);
    }

    /// Has the predators that hunt look for prey.
    pub(super) fn hunt<V: Vector, const D: usize>(&mut self, params: &Params, world: &World, how: How) {
        self.hunters.look::<V, D>(&self.flock, params, world, how);
    }

    /// Whether there are any predators.
    pub(super) fn has_predators(&self) -> bool {
        !self.few.is_empty()
    }

    /// Whether anyone is alarmed, or about to be.
    pub(super) fn is_alarmed(&self) -> bool {
        self.alarmed
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
    simd: Simd,
}

impl<'a> Sight<'a> {
    pub(super) fn new(params: &'a Params, world: &World, seed: u64, tick: u64, simd: Simd) -> Self {
        let metric = Metric::new(params, world);
        Self { params, metric, seed, tick, reach: params.reach(), kernel: Kernel::new(params, metric), simd }
    }

    /// What those who flock at these places, a chunk at most, perceive of the others.
    pub(super) fn sense<V: Vector, const D: usize>(
        &self,
        senses: &Senses,
        places: Range<usize>,
        perceived: &mut Perceived,
    ) {
        if self.params.limits.max_neighbors > 0.0 {
            for place in places.clone() {
                self.capped::<V, D>(senses, place, perceived, place - places.start);
            }
        } else {
            self.meet::<D>(senses, places.clone(), perceived);
        }
        if senses.totals.is_some() {
            for place in places.clone() {
                self.whole_flock::<V, D>(senses, place, perceived, place - places.start);
            }
        }
        if senses.has_predators() {
            self.simd.run(Fear::<D> { sight: self, senses, places: places.clone(), perceived });
        }
        if senses.is_alarmed() {
            self.simd.run(Heed::<D> { params: self.params, metric: self.metric, senses, places, perceived });
        }
    }

    /// Adds all neighbours up, in the kernel for the shape of the rules.
    fn meet<const D: usize>(&self, senses: &Senses, places: Range<usize>, perceived: &mut Perceived) {
        macro_rules! shapes {
            ($falloff:ident $sight:ident) => {
                self.simd.run(Meet::<D, { Falloff::$falloff as usize }, { sight::$sight }> {
                    sight: self,
                    senses,
                    places,
                    perceived,
                })
            };
            ($($falloff:ident)*) => {
                match self.kernel.shape() {
                    $((Falloff::$falloff, sight::SAME) => shapes!($falloff SAME),
                    (Falloff::$falloff, sight::APART) => shapes!($falloff APART),
                    (Falloff::$falloff, _) => shapes!($falloff FULL),)*
                }
            };
        }
        shapes!(Flat Linear Inverse InverseSquare InverseCube);
    }

    /// Adds up the first `max_neighbors` neighbours within reach, counted in cyclic order of ids
    /// from one that is drawn for this boid and tick.
    fn capped<V: Vector, const D: usize>(
        &self,
        senses: &Senses,
        place: usize,
        perceived: &mut Perceived,
        index: usize,
    ) {
        thread_local! {
            static NEAR: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
        }
        let cap = self.params.limits.max_neighbors as usize;
        let agents = &senses.flock.agents;
        let (id, position) = (agents.ids()[place], agents.position::<V>(place));
        let first: u32 = stream(self.seed, self.tick, id, Purpose::Neighbors).random_range(0..senses.ids);
        let turn = |other: u32| agents.ids()[other as usize].wrapping_sub(first);
        NEAR.with_borrow_mut(|near| {
            near.clear();
            // Room for all, so that a flock which closes up asks for no more.
            near.reserve_exact(agents.len());
            senses.flock.near(position, self.reach, |other| {
                let offset = self.metric.offset(position, agents.position::<V>(other));
                if offset.length_squared() < self.reach * self.reach && other != place {
                    near.push(other as u32);
                }
            });
            if near.len() > cap {
                near.select_nth_unstable_by_key(cap - 1, |&other| turn(other));
                near.truncate(cap);
                near.sort_unstable();
            }
            let alone: Block<f32, D> = Block::new(agents, place..place + 1);
            let mut encounter = CarefulEncounter::new(&self.kernel, &alone);
            for &other in near.iter() {
                encounter.meet(other as usize..other as usize + 1);
            }
            encounter.neighbors().store(perceived, index);
        });
    }

    /// Adds the rules whose radius is infinite, from the flock's totals.
    fn whole_flock<V: Vector, const D: usize>(
        &self,
        senses: &Senses,
        place: usize,
        perceived: &mut Perceived,
        index: usize,
    ) {
        let Some(totals) = &senses.totals else { return };
        let agents = &senses.flock.agents;
        if self.params.alignment.radius.is_infinite() {
            perceived.alignment.set::<D>(index, totals.velocities_but(agents.velocity::<V>(place).axes()));
        }
        if self.params.cohesion.radius.is_infinite() {
            let position = agents.position::<V>(place);
            let near = self.near_enough(senses, place, position);
            perceived.cohesion.set::<D>(index, totals.offsets_from(position.axes(), near));
        }
    }

    /// `Σ r` over those who are too near to be drawn to where the radius is infinite, and their number.
    fn near_enough<V: Vector>(&self, senses: &Senses, place: usize, position: V) -> ([f64; 3], f64) {
        let inner = self.params.cohesion.inner;
        let agents = &senses.flock.agents;
        let (mut total, mut count) = ([0.0; 3], 0.0);
        if inner == 0.0 {
            return (total, count);
        }
        senses.flock.near(position, inner, |other| {
            let offset: V = self.metric.offset(position, agents.position(other));
            if offset.length_squared() < inner * inner && other != place {
                let offset = offset.axes();
                total = [0, 1, 2].map(|axis| total[axis] + f64::from(offset[axis]));
                count += 1.0;
            }
        });
        (total, count)
    }
}

/// A chunk of boids meets its neighbours, in the kernel of one shape.
struct Meet<'a, const D: usize, const FALLOFF: usize, const SIGHT: u8> {
    sight: &'a Sight<'a>,
    senses: &'a Senses,
    places: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize, const FALLOFF: usize, const SIGHT: u8> Task for Meet<'_, D, FALLOFF, SIGHT> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Sight { kernel, reach, .. } = self.sight;
        let flock = &self.senses.flock;
        let first = self.places.start;
        for places in flock.blocks(self.places, F::WIDTH) {
            let index = places.start - first;
            let block: Block<F, D> = Block::new(&flock.agents, places);
            let window = flock.window(block.bounds(), *reach);
            if !window.ambiguous {
                let mut encounter: Encounter<F, D, FALLOFF, SIGHT> = Encounter::new(kernel, &block);
                for (run, shift) in flock.runs(window) {
                    encounter.meet(run, shift);
                }
                if let Some(neighbors) = encounter.neighbors() {
                    neighbors.store(self.perceived, index);
                    continue;
                }
            }
            let mut encounter = CarefulEncounter::new(kernel, &block);
            for (run, _) in flock.runs(window) {
                encounter.meet(run);
            }
            encounter.neighbors().store(self.perceived, index);
        }
    }
}

/// A chunk of boids sees the predators that are near.
struct Fear<'a, const D: usize> {
    sight: &'a Sight<'a>,
    senses: &'a Senses,
    places: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for Fear<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { sight, senses, places, perceived } = self;
        let first = places.start;
        let (flock, predators) = (&senses.flock.agents, &senses.predators);
        let flee = &sight.params.flee;
        for places in senses.flock.blocks(places, F::WIDTH) {
            let index = places.start - first;
            let block: Block<F, D> = Block::new(flock, places);
            let mut fear: Wide<F, D> = Wide::zero();
            let window = predators.window(block.bounds(), flee.radius);
            for (run, _) in predators.runs(window) {
                for place in run.filter(|&place| !sight.params.rests(predators.agents.mood(place))) {
                    fear += sight.fear(&block, &predators.agents, place);
                }
            }
            perceived.fear.store(index, Sum { total: fear, count: F::splat(0.0) });
        }
    }
}

impl Sight<'_> {
    /// `f(d)·r` to a predator, where it is in sight, and 0 where not.
    #[inline(always)]
    fn fear<F: Lanes, const D: usize>(&self, block: &Block<'_, F, D>, predators: &Agents, place: usize) -> Wide<F, D> {
        let flee = &self.params.flee;
        let straight: Wide<F, D> = Wide::splat(predators.place_of(place)) - block.at;
        let mut offset: Wide<F, D> = Wide::new(|axis| self.metric.shorter(axis, straight[axis]));
        let mut d2 = offset.length_squared();
        let mut seen = d2.lt(F::splat(flee.radius * flee.radius));
        let together = d2.le(F::splat(COINCIDENT));
        if F::any(together) {
            let other = predators.ids()[place];
            let (me, other) = (block.ids(other), F::words(other));
            let others = F::either(F::less(me, other), F::less(other, me));
            seen = F::both(seen, F::either(F::both(together, others), F::splat(COINCIDENT).lt(d2)));
            let away = F::splat(flee.radius * PARTING);
            offset = Wide::select(together, parting(me, predators.ids()[place]) * away, offset);
            d2 = F::select(together, away * away, d2);
        }
        (offset * fade(flee.falloff, d2, F::splat(flee.radius))).only(seen)
    }
}
