//! Species: with whom a boid flocks.
//!
//! A boid's species is its id modulo their number. A predator that flocks is of every species: everyone's kin.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::simd::Lanes;
use crate::sim::agents::{Agents, Kind};
use crate::sim::params::{MAX_SPECIES, Params};

/// Of which species boids are, a lane each: of all from `low` to `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeciesRange<F> {
    low: F,
    high: F,
}

impl<F: Lanes> SpeciesRange<F> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn splat(kin: SpeciesRange<f32>) -> Self {
        Self { low: F::splat(kin.low), high: F::splat(kin.high) }
    }

    /// Where both are of one species.
    #[inline(always)]
    pub(crate) fn same_species(self, other: Self) -> F::Mask {
        F::and(self.low.le(other.high), other.low.le(self.high))
    }

    /// Where they are not.
    #[inline(always)]
    pub(crate) fn different_species(self, other: Self) -> F::Mask {
        F::or(other.high.lt(self.low), self.high.lt(other.low))
    }
}

impl SpeciesRange<f32> {
    /// That of a boid of this species.
    pub(crate) fn of_species(species: u8) -> Self {
        Self { low: f32::from(species), high: f32::from(species) }
    }

    /// That of an agent.
    pub(crate) fn of(params: &Params, id: u32, kind: Kind) -> Self {
        match kind {
            Kind::Prey => Self::of_species(params.species_of(id)),
            Kind::Predator | Kind::Caught => Self { low: 0.0, high: MAX_SPECIES },
        }
    }
}

/// Everyone's species, in memory's order; empty where there is but one. Scratch: made anew every tick.
#[derive(Debug, Default)]
pub(crate) struct SpeciesTable {
    low: Vec<f32>,
    high: Vec<f32>,
}

impl SpeciesTable {
    pub(crate) fn prepare(&mut self, agents: &Agents, params: &Params) {
        self.low.clear();
        self.high.clear();
        if params.species.count > 1.0 {
            let kin = || agents.ids().iter().zip(agents.kinds()).map(|(&id, &kind)| SpeciesRange::of(params, id, kind));
            self.low.extend(kin().map(|kin| kin.low));
            self.high.extend(kin().map(|kin| kin.high));
        }
    }

    /// Whether there is more than one species.
    #[inline(always)]
    pub(crate) fn is_multi_species(&self) -> bool {
        !self.low.is_empty()
    }

    /// Those of the agents at these places; lanes without one are kin of nobody. Where there is but one species, all
    /// are of it.
    #[inline(always)]
    pub(crate) fn block<F: Lanes>(&self, places: Range<usize>) -> SpeciesRange<F> {
        if !self.is_multi_species() {
            return SpeciesRange::splat(SpeciesRange::of_species(0));
        }
        SpeciesRange {
            low: F::load_or(&self.low[places.clone()], f32::INFINITY),
            high: F::load_or(&self.high[places], f32::NEG_INFINITY),
        }
    }

    /// Those of the agents at these places, one by one.
    #[inline(always)]
    pub(crate) fn run(&self, run: Range<usize>) -> SpeciesSlice<'_> {
        if !self.is_multi_species() {
            return SpeciesSlice::default();
        }
        SpeciesSlice { low: &self.low[run.clone()], high: &self.high[run] }
    }

    /// That of the agent at this place.
    #[inline(always)]
    pub(crate) fn at(&self, place: usize) -> SpeciesRange<f32> {
        self.block(place..place + 1)
    }
}

/// The species of agents side by side in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpeciesSlice<'a> {
    low: &'a [f32],
    high: &'a [f32],
}

impl SpeciesSlice<'_> {
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> SpeciesRange<f32> {
        SpeciesRange { low: self.low[index], high: self.high[index] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boids_are_kin_of_every_third_and_predators_of_all() {
        let mut params = Params::default();
        params.species.count = 3.0;
        let kin = |id, kind| SpeciesRange::of(&params, id, kind);
        for me in 0..9 {
            for other in 0..9 {
                let (a, b) = (kin(me, Kind::Prey), kin(other, Kind::Prey));
                assert_eq!(a.same_species(b), me % 3 == other % 3);
                assert_ne!(a.same_species(b), a.different_species(b));
            }
            let (a, b) = (kin(me, Kind::Prey), kin(50, Kind::Predator));
            assert!(a.same_species(b) && b.same_species(a) && b.same_species(b) && !a.different_species(b));
        }
    }
}
