//! What each boid perceives: sums over the neighbors inside the radius of each rule.
//!
//! Whom it heeds of those who are near is told in [`heed`](super::filtered_kernel), and whom it follows in
//! [`leaders`](crate::sim::rules::leaders).

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::cell_list::{CellList, How, Role};
use super::coincidence::{COINCIDENT, PARTING, parting};
use super::field_of_view::FieldOfView;
use super::filtered_kernel::NeighborFilter;
use super::grid::GridLayout;
use super::kernel::{Block, CarefulPass, FastPass, Kernel};
use super::perceived::{Perceived, Sum};
use super::simd::{Lanes, Simd, Task};
use super::species::{SpeciesRange, SpeciesTable};
use crate::sim::agents::{Agents, Kind};
use crate::sim::math::metric::Metric;
use crate::sim::math::totals::Totals;
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;
use crate::sim::params::Params;
use crate::sim::predators::alarm;
use crate::sim::predators::hunt::Hunters;
use crate::sim::rules::leaders::Leaders;
use crate::sim::rules::{falloff_factor, flocks};
use crate::sim::world::World;

/// The flock in order, and all that finding neighbors in it needs. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(crate) struct NeighborIndex {
    /// All who flock, by cells; hunters behind them.
    pub(crate) flock: CellList,
    /// The predators, by cells.
    pub(crate) predators: CellList,
    /// Those of them who hunt, and what they fly at.
    pub(crate) hunters: Hunters,
    /// Whether anyone is alarmed, or about to be.
    alarmed: bool,
    few: Agents,
    by_id: Vec<u32>,
    /// One past the largest id.
    pub(crate) ids: u32,
    /// Of which species everyone is, where there are several.
    pub(crate) species: SpeciesTable,
    pub(crate) leaders: Leaders,
    /// The whole flock as each species counts it, where a radius is infinite, and as nobody's own last.
    totals: Vec<Totals>,
}

impl NeighborIndex {
    /// Puts the flock in order for the tick.
    pub(crate) fn prepare(&mut self, agents: &Agents, params: &Params, world: &World, predators: usize, how: How) {
        let edge = params.edge.mode;
        let hunters = if flocks(params, Kind::Predator) { Role::Neighbor } else { Role::Apart };
        let layout = GridLayout::new(world, edge, params.reach(), agents.len());
        self.flock.sort(layout, agents, [Role::Neighbor, hunters, Role::Apart], how);
        self.alarmed = params.alarms() && (predators > 0 || self.flock.agents.moods().iter().any(|mood| *mood > 0.0));
        self.sort_predators(GridLayout::new(world, edge, params.flee.radius, predators), predators, hunters, how);

        let agents = &self.flock.agents;
        self.species.prepare(agents, params);
        self.leaders.prepare(agents, params);
        self.totals.clear();
        if params.alignment.radius.is_infinite() || params.cohesion.radius.is_infinite() {
            self.add_up(params);
        }
        let agents = &self.flock.agents;
        if params.limits.max_neighbors > 0.0 {
            self.ids = agents.ids().iter().max().map_or(0, |id| id + 1);
        }
    }

    /// Adds up the whole flock, as each species counts it.
    fn add_up(&mut self, params: &Params) {
        let agents = &self.flock.agents;
        agents.order_by_id(&mut self.by_id);
        let flocking = |index: usize| flocks(params, agents.kinds()[index]);
        let all = Totals::of(agents, &self.by_id, flocking);
        if self.species.is_multi_species() {
            for species in 0..params.species.count as u8 {
                let same_species =
                    |index| flocking(index) && self.species.at(index).same_species(SpeciesRange::of_species(species));
                self.totals
                    .push(Totals::of(agents, &self.by_id, same_species).with_amount(&all, params.species.follow));
            }
        }
        self.totals.push(all);
    }

    /// The whole flock as the one at this place counts it; nothing where no radius is infinite.
    fn totals(&self, place: usize, params: &Params) -> Option<&Totals> {
        let agents = &self.flock.agents;
        match agents.kinds()[place] {
            Kind::Prey if self.species.is_multi_species() => {
                self.totals.get(usize::from(params.species_of(agents.ids()[place])))
            }
            _ => self.totals.last(),
        }
    }

    /// Puts the predators in order: hunters stand behind the flock, others among it.
    fn sort_predators(&mut self, layout: GridLayout, predators: usize, hunters: Role, how: How) {
        self.few.clear(self.flock.agents.dim());
        if predators > 0 {
            let first = if hunters == Role::Apart { self.flock.count_in_cells() } else { 0 };
            self.few.extend_with(Kind::Predator, &self.flock.agents, first);
        }
        self.predators.sort(layout, &self.few, [Role::Neighbor; 3], how);
    }

    /// Has the predators that hunt look for prey.
    pub(crate) fn hunt<V: Vector, const D: usize>(&mut self, params: &Params, world: &World, how: How) {
        self.hunters.look::<V, D>(&self.flock, params, world, how);
    }

    /// Whether there are any predators.
    pub(crate) fn has_predators(&self) -> bool {
        !self.few.is_empty()
    }

    /// Whether anyone is alarmed, or about to be.
    pub(crate) fn is_alarmed(&self) -> bool {
        self.alarmed
    }
}

/// The tick's rules, with what senses need of them worked out once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighborQuery<'a> {
    pub(crate) params: &'a Params,
    pub(crate) metric: Metric,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    pub(crate) reach: f32,
    kernel: Kernel,
    pub(crate) heed: NeighborFilter,
    pub(crate) simd: Simd,
}

impl<'a> NeighborQuery<'a> {
    pub(crate) fn new(params: &'a Params, world: &World, seed: u64, tick: u64, simd: Simd) -> Self {
        let metric = Metric::new(params, world);
        let kernel = Kernel::new(params, metric);
        Self {
            params,
            metric,
            seed,
            tick,
            reach: params.reach(),
            kernel,
            heed: NeighborFilter::new(params, kernel),
            simd,
        }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// What those who flock at these places, a chunk at most, perceive of the others.
    pub(crate) fn sense<V: Vector, const D: usize>(
        &self,
        senses: &NeighborIndex,
        places: Range<usize>,
        perceived: &mut Perceived,
    ) {
        let capped = self.params.limits.max_neighbors > 0.0;
        if capped && self.heed.chooses() {
            for place in places.clone() {
                self.heed_alone::<D>(senses, place, perceived, place - places.start);
            }
        } else if capped {
            for place in places.clone() {
                self.capped::<V, D>(senses, place, perceived, place - places.start);
            }
        } else {
            self.rank::<D>(senses, places.clone(), &mut perceived.limits);
            if let Some(shape) = self.heed.shape() {
                self.heed::<D>(shape, senses, places.clone(), perceived);
            } else {
                self.simd.run_compact(Meet::<D> { sight: self, senses, places: places.clone(), perceived });
            }
            self.heed_untold::<D>(senses, places.clone(), perceived);
        }
        if !senses.totals.is_empty() {
            for place in places.clone() {
                self.whole_flock::<V, D>(senses, place, perceived, place - places.start);
            }
        }
        if senses.has_predators() {
            let (sight, places) = (self, places.clone());
            if self.heed.edge.is_some() {
                self.simd.run(Fear::<D, true> { sight, senses, places, perceived });
            } else {
                self.simd.run(Fear::<D, false> { sight, senses, places, perceived });
            }
        }
        if senses.is_alarmed() {
            let places = places.clone();
            self.simd.run(alarm::SpreadAlarm::<D> {
                params: self.params,
                metric: self.metric,
                senses,
                places,
                perceived,
            });
        }
        perceived.avoids_species = self.heed.avoids;
        perceived.has_leaders = senses.leaders.are_there();
        if perceived.has_leaders {
            self.follow::<D>(senses, places, perceived);
        }
    }

    /// Adds the rules whose radius is infinite, from the flock's totals.
    fn whole_flock<V: Vector, const D: usize>(
        &self,
        senses: &NeighborIndex,
        place: usize,
        perceived: &mut Perceived,
        index: usize,
    ) {
        let Some(totals) = senses.totals(place, self.params) else { return };
        let agents = &senses.flock.agents;
        if self.params.alignment.radius.is_infinite() {
            perceived.alignment.set::<D>(index, totals.velocities_except(agents.velocity::<V>(place).axes()));
        }
        if self.params.cohesion.radius.is_infinite() {
            let position = agents.position::<V>(place);
            let near = self.near_enough(senses, place, position);
            perceived.cohesion.set::<D>(index, totals.offsets_from(position.axes(), near));
        }
    }

    /// `Σ r` over those who are too near to be drawn to where the radius is infinite, and their number.
    fn near_enough<V: Vector>(&self, senses: &NeighborIndex, place: usize, position: V) -> ([f64; 3], f64) {
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
                let same_species = senses.species.at(place).same_species(senses.species.at(other));
                let share = if same_species { 1.0 } else { f64::from(self.params.species.follow) };
                total = [0, 1, 2].map(|axis| total[axis] + share * f64::from(offset[axis]));
                count += share;
            }
        });
        (total, count)
    }
}

/// A chunk of boids meets its neighbors.
struct Meet<'a, const D: usize> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for Meet<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let NeighborQuery { kernel, reach, .. } = self.sight;
        let flock = &self.senses.flock;
        let first = self.places.start;
        for places in flock.blocks(self.places, F::WIDTH) {
            let index = places.start - first;
            let block: Block<F, D> = Block::new(&flock.agents, places.clone());
            let limits = &self.perceived.limits;
            let window = flock.window(block.bounds(), limits.radius(index..index + places.len(), *reach));
            if !window.ambiguous {
                let mut encounter = FastPass::new(kernel, &block, limits.load(index));
                for (run, shift) in flock.runs(window) {
                    encounter.meet(run, shift);
                }
                if let Some(neighbors) = encounter.neighbors() {
                    neighbors.store(self.perceived, index);
                    continue;
                }
            }
            self.sight.meet_with_care::<D>(self.senses, places, self.perceived, index);
        }
    }
}

/// Boids meet their neighbors with care.
struct MeetWithCare<'a, const D: usize> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    perceived: &'a mut Perceived,
    index: usize,
}

impl<const D: usize> Task for MeetWithCare<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let flock = &self.senses.flock;
        let first = self.places.start;
        for places in flock.blocks(self.places, F::WIDTH) {
            let index = self.index + places.start - first;
            let block: Block<F, D> = Block::new(&flock.agents, places);
            let limit = self.perceived.limits.load(index);
            let mut encounter = CarefulPass::new(&self.sight.kernel, &block, limit);
            for (run, _) in flock.runs(flock.window(block.bounds(), self.sight.reach)) {
                encounter.meet(run);
            }
            encounter.neighbors().store(self.perceived, index);
        }
    }
}

impl NeighborQuery<'_> {
    /// Adds up the neighbors of these boids with care for whoever stands in one place with another, and writes
    /// the sums from `index` on. Apart from the kernels, all of which would else have this in them.
    #[inline(never)]
    fn meet_with_care<const D: usize>(
        &self,
        senses: &NeighborIndex,
        places: Range<usize>,
        perceived: &mut Perceived,
        index: usize,
    ) {
        self.simd.run(MeetWithCare::<D> { sight: self, senses, places, perceived, index });
    }
}

/// A chunk of boids sees the predators that are near, inside its field of view where it has an `ANGLE`.
struct Fear<'a, const D: usize, const ANGLE: bool> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize, const ANGLE: bool> Task for Fear<'_, D, ANGLE> {
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
            let gaze = ANGLE.then(|| FieldOfView::new(block.velocities(), sight.heed.edge));
            let mut fear: Wide<F, D> = Wide::zero();
            let window = predators.window(block.bounds(), flee.radius);
            for (run, _) in predators.runs(window) {
                for place in run.filter(|&place| !sight.params.rests(predators.agents.mood(place))) {
                    fear += sight.fear(&block, gaze.as_ref(), &predators.agents, place);
                }
            }
            perceived.fear.store(index, Sum { total: fear, count: F::splat(0.0) });
        }
    }
}

impl NeighborQuery<'_> {
    /// `f(d)·r` to a predator, where it is in sight, and 0 where not.
    #[inline(always)]
    fn fear<F: Lanes, const D: usize>(
        &self,
        block: &Block<'_, F, D>,
        gaze: Option<&FieldOfView<F, D>>,
        predators: &Agents,
        place: usize,
    ) -> Wide<F, D> {
        let flee = &self.params.flee;
        let mut offset: Wide<F, D> = self.metric.minimum_image(Wide::splat(predators.position_array(place)) - block.at);
        let mut d2 = offset.length_squared();
        let mut seen = d2.lt(F::splat(flee.radius * flee.radius));
        let together = d2.le(F::splat(COINCIDENT));
        if let Some(gaze) = gaze {
            seen = F::and(seen, F::or(together, gaze.sees(offset, d2)));
        }
        if F::any(together) {
            let other = predators.ids()[place];
            let (me, other) = (block.ids(other), F::words(other));
            let others = F::or(F::less(me, other), F::less(other, me));
            seen = F::and(seen, F::or(F::and(together, others), F::splat(COINCIDENT).lt(d2)));
            let away = F::splat(flee.radius * PARTING);
            offset = Wide::select(together, parting(me, predators.ids()[place]) * away, offset);
            d2 = F::select(together, away * away, d2);
        }
        (offset * falloff_factor(flee.falloff, d2, F::splat(flee.radius))).masked(seen)
    }
}
