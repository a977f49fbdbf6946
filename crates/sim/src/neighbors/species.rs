//! The species that boids flock with.
//!
//! A boid's species is its id modulo their number. A predator that flocks belongs to all species.

use std::ops::Range;

use crate::agents::{Agents, Kind};
use crate::params::{MAX_SPECIES, Params};
use crate::simd::Lanes;

/// The species of agents, one in each lane: all from `low` to `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeciesRange<F> {
    low: F,
    high: F,
}

impl<F: Lanes> SpeciesRange<F> {
    #[inline(always)]
    pub(crate) fn splat(species: SpeciesRange<f32>) -> Self {
        Self { low: F::splat(species.low), high: F::splat(species.high) }
    }

    /// The first species, in every lane.
    #[inline(always)]
    pub(crate) fn first() -> Self {
        Self::splat(SpeciesRange::of_species(0))
    }

    #[inline(always)]
    pub(crate) fn same_species(self, other: Self) -> F::Mask {
        F::and(self.low.le(other.high), other.low.le(self.high))
    }

    #[inline(always)]
    pub(crate) fn different_species(self, other: Self) -> F::Mask {
        F::or(other.high.lt(self.low), self.high.lt(other.low))
    }
}

impl SpeciesRange<f32> {
    /// The range of one species.
    pub(crate) fn of_species(species: u8) -> Self {
        Self { low: f32::from(species), high: f32::from(species) }
    }

    fn of_agent(params: &Params, id: u32, kind: Kind) -> Self {
        match kind {
            Kind::Prey => Self::of_species(params.species_of(id)),
            Kind::Predator | Kind::Caught => Self { low: 0.0, high: MAX_SPECIES },
        }
    }
}

/// The species of all agents, in the order of memory; empty if there is only one. Rebuilt every tick.
#[derive(Debug, Default)]
pub(crate) struct SpeciesTable {
    low: Vec<f32>,
    high: Vec<f32>,
}

impl SpeciesTable {
    pub(crate) fn rebuild(&mut self, agents: &Agents, params: &Params) {
        self.low.clear();
        self.high.clear();
        if params.species.count > 1.0 {
            let all = agents.ids().iter().zip(agents.kinds());
            let species = all.map(|(&id, &kind)| SpeciesRange::of_agent(params, id, kind));
            self.low.extend(species.clone().map(|species| species.low));
            self.high.extend(species.map(|species| species.high));
        }
    }

    #[inline(always)]
    pub(crate) fn is_multi_species(&self) -> bool {
        !self.low.is_empty()
    }

    /// The species of the agents at these indices; a lane without one is of no species.
    #[inline(always)]
    pub(crate) fn block<F: Lanes>(&self, agents: Range<usize>) -> SpeciesRange<F> {
        if !self.is_multi_species() {
            return SpeciesRange::first();
        }
        SpeciesRange {
            low: F::load_or(&self.low[agents.clone()], f32::INFINITY),
            high: F::load_or(&self.high[agents], f32::NEG_INFINITY),
        }
    }

    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> SpeciesRange<f32> {
        // Without a table, all are of the first species.
        let species = |of: &[f32]| of.get(index).copied().unwrap_or(0.0);
        SpeciesRange { low: species(&self.low), high: species(&self.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boids_share_a_species_with_every_third_and_predators_with_all() {
        let mut params = Params::default();
        params.species.count = 3.0;
        let species = |id, kind| SpeciesRange::of_agent(&params, id, kind);
        for own in 0..9 {
            for other in 0..9 {
                let (a, b) = (species(own, Kind::Prey), species(other, Kind::Prey));
                assert_eq!(a.same_species(b), own % 3 == other % 3);
                assert_ne!(a.same_species(b), a.different_species(b));
            }
            let (a, b) = (species(own, Kind::Prey), species(50, Kind::Predator));
            assert!(a.same_species(b) && b.same_species(a) && b.same_species(b) && !a.different_species(b));
        }
    }
}
