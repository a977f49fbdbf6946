//! The index of a flock's neighbors and predators.

use super::alarm::AlarmTable;
use crate::agents::{Agents, Kind, Row};
use crate::forces::prey_search::Hunters;
use crate::forces::{follows_rules, is_leader};
use crate::math::{Execution, Wide, sum};
use crate::neighbors::{CellList, GridLayout, Placement, SpeciesRange, SpeciesTable};
use crate::params::{Params, Sum};
use crate::simd::{Lanes, Task};
use crate::world::World;

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
    /// Set for models whose boids read them.
    pub(crate) headings: Headings,
    /// One past the largest id; set if the number of neighbors is capped.
    pub(super) ids: u32,
    /// Whether any boid is alarmed, or may be after this tick.
    pub(crate) is_alarmed: bool,
    /// Whether the loop over neighbors adds up their alarm.
    pub(crate) finds_alarm: bool,
    /// Set if the loop over neighbors adds up their alarm.
    pub(super) alarms: AlarmTable,
    unsorted_predators: Agents,
    by_id: Vec<u32>,
    /// The whole flock as each species counts it, and last as predators do; empty if no radius is infinite.
    pub(super) totals: Vec<Totals>,
}

impl NeighborIndex {
    pub(crate) fn rebuild(
        &mut self,
        agents: &Agents,
        layout: GridLayout,
        params: &Params,
        world: &World,
        predators: usize,
        execution: Execution,
    ) {
        let hunters = if follows_rules(params, Kind::Predator) { Placement::InCells } else { Placement::AfterCells };
        self.flock.sort(layout, agents, [Placement::InCells, hunters, Placement::AfterCells], execution);
        let is_alarmed = |index| self.flock.agents.mood_of(index).alarm() > 0.0;
        // Alarm outlives the last predator, and spreads without one.
        self.is_alarmed = params.has_alarm() && (predators > 0 || (0..agents.len()).any(is_alarmed));
        self.finds_alarm = self.is_alarmed && AlarmTable::is_used(params);
        if self.finds_alarm {
            self.alarms.rebuild(&self.flock.agents, world.dim());
        }
        let layout = GridLayout::new(world, params.edge.mode, params.flee.radius, predators);
        let agents = &self.flock.agents;
        self.unsorted_predators.resize_like(agents, 0);
        if predators > 0 {
            // Hunting predators are behind the cells: no need to look through the flock.
            let first = if hunters == Placement::AfterCells { self.flock.count_in_cells() } else { 0 };
            let predators = (first..agents.len()).filter(|&index| agents.kinds()[index] == Kind::Predator);
            predators.for_each(|index| self.unsorted_predators.push(agents.row(index)));
        }
        self.predators.sort(layout, &self.unsorted_predators, [Placement::InCells; 3], execution);
        self.species.rebuild(agents, params);
        self.leaders.clear();
        if params.leaders.count > 0.0 {
            let leaders = (0..agents.len()).filter(|index| is_leader(agents, params, *index));
            self.leaders.extend(leaders.map(|index| agents.row(index)));
            self.leaders.sort_unstable_by_key(|leader| leader.id);
        }
        self.add_up(params);
        if params.limits.max_neighbors > 0.0 {
            self.ids = self.flock.agents.ids().iter().max().map_or(0, |id| id + 1);
        }
    }

    /// Finds the headings of all agents.
    pub(crate) fn find_headings(&mut self, dim: usize, execution: Execution) {
        let (agents, headings) = (&self.flock.agents, &mut self.headings);
        match dim {
            2 => execution.simd.run(FindHeadings::<2> { agents, headings }),
            _ => execution.simd.run(FindHeadings::<3> { agents, headings }),
        }
    }

    /// Adds up the whole flock, as each species counts it, if a radius is infinite.
    fn add_up(&mut self, params: &Params) {
        self.totals.clear();
        if params.alignment.radius.is_finite() && params.cohesion.radius.is_finite() {
            return;
        }
        let agents = &self.flock.agents;
        // Sums over the whole flock are in order of ids, so that they do not depend on the grid.
        agents.order_by_id(&mut self.by_id);
        let is_counted = |index: usize| follows_rules(params, agents.kinds()[index]);
        let all = Totals::of(agents, &self.by_id, is_counted);
        if self.species.is_multi_species() {
            for species in (0..params.species.count as u8).map(SpeciesRange::of_species) {
                let own = Totals::of(agents, &self.by_id, |index| {
                    is_counted(index) && self.species.at(index).same_species(species)
                });
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

    pub(crate) fn has_predators(&self) -> bool {
        !self.unsorted_predators.is_empty()
    }
}

/// The unit vectors of velocities, by axis; zero for agents at rest.
#[derive(Debug, Default)]
pub(crate) struct Headings([Vec<f32>; 3]);

impl Headings {
    #[inline(always)]
    pub(crate) fn axes<const D: usize>(&self) -> [&[f32]; D] {
        std::array::from_fn(|axis| self.0[axis].as_slice())
    }
}

struct FindHeadings<'a, const D: usize> {
    agents: &'a Agents,
    headings: &'a mut Headings,
}

impl<const D: usize> Task for FindHeadings<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { agents, headings } = self;
        for axis in &mut headings.0[..D] {
            axis.resize(agents.len(), 0.0);
        }
        for first in (0..agents.len()).step_by(F::WIDTH) {
            let end = agents.len().min(first + F::WIDTH);
            // Lanes behind the last agent must not be scaled.
            let velocity: Wide<F, D> = Wide::new(|axis| F::load_or(&agents.velocities(axis)[first..end], 1.0));
            let heading = velocity.unit().0;
            for axis in 0..D {
                heading[axis].store_slice(&mut headings.0[axis][first..end]);
            }
        }
    }
}

/// The number of agents, and the sums of their positions (u) and velocities (u/tick). In f64, as the offsets of a boid from millions
/// of others are a small difference of large sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Totals([f64; 7]);

impl Totals {
    /// The totals of the agents in `order` that `is_counted` selects by index.
    fn of(agents: &Agents, order: &[u32], is_counted: impl Fn(usize) -> bool) -> Self {
        Self(sum(order, |index| {
            if !is_counted(index) {
                return [0.0; 7];
            }
            let ([x, y, z], [vx, vy, vz]) = (agents.position_array(index), agents.velocity_array(index));
            [1.0, x, y, z, vx, vy, vz].map(f64::from)
        }))
    }

    /// These agents in full, and all others with this weight.
    fn with_others(self, all: &Self, weight: f32) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + f64::from(weight) * (all.0[k] - self.0[k])))
    }

    /// `Σ v` over all agents except one with this velocity.
    pub(super) fn velocities_except<const D: usize>(&self, own: [f32; 3]) -> Sum<f32, D> {
        let [count, _, _, _, velocity @ ..] = self.0;
        let total = Wide::new(|axis| (velocity[axis] - f64::from(own[axis])) as f32);
        Sum { total, count: (count - 1.0) as f32 }
    }

    /// `Σ r` over all agents except one at this position, less a sum of offsets and its count.
    pub(super) fn offsets_from<const D: usize>(&self, own: [f32; 3], near: [f64; 3], near_count: f64) -> Sum<f32, D> {
        let [count, position @ .., _, _, _] = self.0;
        let total = Wide::new(|axis| (position[axis] - count * f64::from(own[axis]) - near[axis]) as f32);
        Sum { total, count: (count - 1.0 - near_count) as f32 }
    }
}
