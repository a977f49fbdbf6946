//! What a chunk of boids perceives: its neighbors, the whole flock where a radius is infinite, predators, alarm, leaders.

use std::ops::Range;

use super::block::Block;
use super::coincidence::{COINCIDENT, NUDGE, nudge_direction};
use super::field_of_view::FieldOfView;
use super::perceived::{Perceived, Sum};
use super::query::{NeighborIndex, NeighborQuery};
use super::simd::{Lanes, Task};
use crate::sim::agents::Agents;
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;
use crate::sim::predators::alarm::SpreadAlarm;
use crate::sim::rules::falloff_factor;

impl NeighborQuery<'_> {
    /// Fills in what the boids at these indices, at most a chunk of those that flock, perceive.
    pub(crate) fn perceive<V: Vector, const D: usize>(
        &self,
        neighbors: &NeighborIndex,
        boids: Range<usize>,
        perceived: &mut Perceived,
    ) {
        perceived.avoids_species = self.avoids_species;
        perceived.has_leaders = !neighbors.leaders.is_empty();
        perceived.limits.reset(self.nearest > 0);
        if self.params.limits.max_neighbors > 0.0 {
            perceived.limits.mark_unresolved(0..boids.len());
        } else {
            self.rank::<D>(neighbors, boids.clone(), &mut perceived.limits);
            self.add_up::<D>(neighbors, boids.clone(), perceived);
        }
        self.add_up_unresolved::<D>(neighbors, boids.clone(), perceived);
        if neighbors.has_totals() {
            for (slot, index) in boids.clone().enumerate() {
                self.perceive_flock::<V, D>(neighbors, index, perceived, slot);
            }
        }
        if neighbors.has_predators() {
            let (query, boids) = (self, boids.clone());
            self.simd.run(Fear::<D> { query, neighbors, boids, perceived });
        }
        if neighbors.is_alarmed() {
            let (params, metric, boids) = (self.params, self.metric, boids.clone());
            self.simd.run(SpreadAlarm::<D> { params, metric, neighbors, boids, perceived });
        }
        if perceived.has_leaders {
            self.follow::<D>(neighbors, boids, perceived);
        }
    }

    /// Sets the sums of the rules whose radius is infinite, from the totals of the flock.
    fn perceive_flock<V: Vector, const D: usize>(
        &self,
        neighbors: &NeighborIndex,
        index: usize,
        perceived: &mut Perceived,
        slot: usize,
    ) {
        let Some(totals) = neighbors.totals(index, self.params) else { return };
        let agents = &neighbors.flock.agents;
        if self.params.alignment.radius.is_infinite() {
            let (total, count) = totals.velocities_except::<D>(agents.velocity_array(index));
            perceived.alignment.store(slot, Sum { total, count });
        }
        if self.params.cohesion.radius.is_infinite() {
            let near = self.inside_inner_radius::<V>(neighbors, index);
            let (total, count) = totals.offsets_from::<D>(agents.position_array(index), near);
            perceived.cohesion.store(slot, Sum { total, count });
        }
    }

    /// `Σ r` over the boids inside the inner radius of cohesion, and their number.
    fn inside_inner_radius<V: Vector>(&self, neighbors: &NeighborIndex, index: usize) -> ([f64; 3], f64) {
        let inner = self.params.cohesion.inner;
        let (mut total, mut count) = ([0.0; 3], 0.0);
        if inner == 0.0 {
            return (total, count);
        }
        let (agents, species) = (&neighbors.flock.agents, &neighbors.species);
        let position = agents.position::<V>(index);
        neighbors.flock.near(position, inner, |other| {
            let offset: V = self.metric.offset(position, agents.position(other));
            if offset.length_squared() < inner * inner && other != index {
                let offset = offset.axes();
                let is_own = species.at(index).same_species(species.at(other));
                let weight = if is_own { 1.0 } else { f64::from(self.params.species.follow) };
                total = [0, 1, 2].map(|axis| total[axis] + weight * f64::from(offset[axis]));
                count += weight;
            }
        });
        (total, count)
    }
}

/// A chunk of boids sees the predators in its field of view.
struct Fear<'a, const D: usize> {
    query: &'a NeighborQuery<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for Fear<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, neighbors, boids, perceived } = self;
        let (flock, predators, first) = (&neighbors.flock, &neighbors.predators, boids.start);
        for boids in flock.blocks(boids, F::WIDTH) {
            let slot = boids.start - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let view = query.view.map(|_| FieldOfView::new(block.velocity(), query.view));
            let mut fear: Wide<F, D> = Wide::zero();
            for (run, _) in predators.runs(predators.window(block.bounds(), query.params.flee.radius)) {
                for index in run.filter(|&index| !query.params.rests(predators.agents.mood(index))) {
                    fear += query.fear(&block, view.as_ref(), &predators.agents, index);
                }
            }
            perceived.fear.store(slot, Sum { total: fear, count: F::splat(0.0) });
        }
    }
}

impl NeighborQuery<'_> {
    /// `f(d)·r` to a predator where it is in sight, and 0 elsewhere.
    #[inline(always)]
    fn fear<F: Lanes, const D: usize>(
        &self,
        block: &Block<'_, F, D>,
        view: Option<&FieldOfView<F, D>>,
        predators: &Agents,
        index: usize,
    ) -> Wide<F, D> {
        let flee = &self.params.flee;
        let straight = Wide::splat(predators.position_array(index)) - block.position;
        let mut offset: Wide<F, D> = self.metric.minimum_image(straight);
        let mut d2 = offset.length_squared();
        let mut seen = d2.lt(F::splat(flee.radius * flee.radius));
        let coincident = d2.le(F::splat(COINCIDENT));
        if let Some(view) = view {
            seen = F::and(seen, F::or(coincident, view.sees(offset, d2)));
        }
        if F::any(coincident) {
            let id = predators.ids()[index];
            let (own, other) = (block.ids(id), F::splat_words(id));
            let is_other = F::or(F::less_words(own, other), F::less_words(other, own));
            seen = F::and(seen, F::or(F::and(coincident, is_other), F::splat(COINCIDENT).lt(d2)));
            let distance = F::splat(flee.radius * NUDGE);
            offset = Wide::select(coincident, nudge_direction(own, id) * distance, offset);
            d2 = F::select(coincident, distance * distance, d2);
        }
        (offset * falloff_factor(flee.falloff, d2, F::splat(flee.radius))).masked(seen)
    }
}
