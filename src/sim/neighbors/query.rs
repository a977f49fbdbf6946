//! The index of a flock's neighbors and predators, and the rules by which a tick searches it.

use std::hint::black_box;

use super::cell_list::{CellList, Placement};
use super::field_of_view::ViewThreshold;
use super::grid::GridLayout;
use super::perceived::Perceived;
use super::simd::Simd;
use super::species::{SpeciesRange, SpeciesTable};
use crate::sim::agents::{Agents, Kind, Row};
use crate::sim::environment::Environment;
use crate::sim::math::metric::Metric;
use crate::sim::math::parallel::Execution;
use crate::sim::math::totals::Totals;
use crate::sim::params::Params;
use crate::sim::predators::hunt::Hunters;
use crate::sim::rules::flocks;
use crate::sim::world::World;

/// The agents by cell, and what else a search for neighbors needs. Rebuilt every tick.
#[derive(Debug, Default)]
pub(crate) struct NeighborIndex {
    /// All agents that flock, by cell, and then the others.
    pub(crate) flock: CellList,
    /// The predators, by cell.
    pub(crate) predators: CellList,
    pub(crate) hunters: Hunters,
    /// In order of ids.
    pub(crate) leaders: Vec<Row>,
    pub(crate) species: SpeciesTable,
    /// One past the largest id; set if the number of neighbors is capped.
    pub(super) ids: u32,
    is_alarmed: bool,
    unsorted_predators: Agents,
    by_id: Vec<u32>,
    /// The whole flock as each species counts it, and last as predators do; empty if no radius is infinite.
    totals: Vec<Totals>,
}

impl NeighborIndex {
    pub(crate) fn rebuild(
        &mut self,
        agents: &Agents,
        params: &Params,
        world: &World,
        predators: usize,
        execution: Execution,
    ) {
        let hunters = if flocks(params, Kind::Predator) { Placement::InCells } else { Placement::AfterCells };
        let layout = GridLayout::for_flock(world, params, params.reach(), agents.len());
        self.flock.sort(layout, agents, [Placement::InCells, hunters, Placement::AfterCells], execution);
        self.is_alarmed =
            params.alarms() && (predators > 0 || self.flock.agents.moods().iter().any(|mood| *mood > 0.0));
        let layout = GridLayout::new(world, params.edge.mode, params.flee.radius, predators);
        self.sort_predators(layout, predators, hunters, execution);
        self.species.rebuild(&self.flock.agents, params);
        self.list_leaders(params);
        self.add_up(params);
        if params.limits.max_neighbors > 0.0 {
            self.ids = self.flock.agents.ids().iter().max().map_or(0, |id| id + 1);
        }
    }

    fn sort_predators(&mut self, layout: GridLayout, predators: usize, hunters: Placement, execution: Execution) {
        let agents = &self.flock.agents;
        self.unsorted_predators.resize_like(agents, 0);
        if predators > 0 {
            let first = if hunters == Placement::AfterCells { self.flock.count_in_cells() } else { 0 };
            let predators = (first..agents.len()).filter(|&index| agents.kinds()[index] == Kind::Predator);
            predators.for_each(|index| self.unsorted_predators.push(agents.row(index)));
        }
        self.predators.sort(layout, &self.unsorted_predators, [Placement::InCells; 3], execution);
    }

    fn list_leaders(&mut self, params: &Params) {
        self.leaders.clear();
        if params.leaders.count > 0.0 {
            let agents = &self.flock.agents;
            let leaders = (0..agents.len()).filter(|index| is_leader(agents, params, *index));
            self.leaders.extend(leaders.map(|index| agents.row(index)));
            self.leaders.sort_unstable_by_key(|leader| leader.id);
        }
    }

    /// Adds up the whole flock, as each species counts it, if a radius is infinite.
    fn add_up(&mut self, params: &Params) {
        self.totals.clear();
        if params.alignment.radius.is_finite() && params.cohesion.radius.is_finite() {
            return;
        }
        let agents = &self.flock.agents;
        agents.order_by_id(&mut self.by_id);
        let is_counted = |index: usize| flocks(params, agents.kinds()[index]);
        let all = Totals::of(agents, &self.by_id, is_counted);
        if self.species.is_multi_species() {
            for species in (0..params.species.count as u8).map(SpeciesRange::of_species) {
                let is_own = |index| is_counted(index) && self.species.at(index).same_species(species);
                let own = Totals::of(agents, &self.by_id, is_own);
                self.totals.push(own.with_others(&all, params.species.follow));
            }
        }
        self.totals.push(all);
    }

    /// The whole flock as this agent counts it; `None` if no radius is infinite.
    pub(super) fn totals(&self, index: usize, params: &Params) -> Option<&Totals> {
        let agents = &self.flock.agents;
        match agents.kinds()[index] {
            Kind::Prey if self.species.is_multi_species() => {
                self.totals.get(usize::from(params.species_of(agents.ids()[index])))
            }
            _ => self.totals.last(),
        }
    }

    pub(super) fn has_totals(&self) -> bool {
        !self.totals.is_empty()
    }

    pub(crate) fn has_predators(&self) -> bool {
        !self.unsorted_predators.is_empty()
    }

    /// Whether any boid is alarmed, or may be after this tick.
    pub(crate) fn is_alarmed(&self) -> bool {
        self.is_alarmed
    }

    /// The alarm of a boid after this tick.
    pub(crate) fn alarm(&self, perceived: &Perceived, slot: usize) -> f32 {
        if self.is_alarmed { perceived.alarm.alarm(slot) } else { 0.0 }
    }
}

/// Whether the agent at this index leads.
pub(crate) fn is_leader(agents: &Agents, params: &Params, index: usize) -> bool {
    params.is_leader(agents.ids()[index]) && agents.kinds()[index] == Kind::Prey
}

/// The rules that choose neighbors, worked out once a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighborQuery<'a> {
    pub(crate) params: &'a Params,
    pub(crate) metric: Metric,
    pub(crate) simd: Simd,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// The largest finite radius of separation, alignment and cohesion, in u.
    pub(super) reach: f32,
    /// The radii of alignment and cohesion in u; 0 if infinite, as those sums come from the totals of the flock.
    pub(super) alignment: f32,
    pub(super) cohesion: f32,
    /// The edge of the field of view, if it is below 360°.
    pub(super) view: Option<ViewThreshold>,
    /// The number of nearest neighbors; 0 is all.
    pub(super) nearest: usize,
    pub(super) is_multi_species: bool,
    pub(super) avoids_species: bool,
    /// 1, hidden from the compiler: see [`Lanes::fma_where`](super::simd::Lanes::fma_where).
    pub(super) one: f32,
}

impl<'a> NeighborQuery<'a> {
    pub(crate) fn new(environment: &Environment<'a>, simd: Simd) -> Self {
        let Environment { params, metric, seed, tick, .. } = *environment;
        let finite = |radius: f32| if radius.is_finite() { radius } else { 0.0 };
        let is_multi_species = params.species.count > 1.0;
        Self {
            params,
            metric,
            simd,
            seed,
            tick,
            reach: params.reach(),
            alignment: finite(params.alignment.radius),
            cohesion: finite(params.cohesion.radius),
            view: ViewThreshold::new(params.perception.angle),
            nearest: params.perception.nearest as usize,
            is_multi_species,
            avoids_species: is_multi_species && params.species.avoid > 0.0,
            one: black_box(1.0),
        }
    }
}
