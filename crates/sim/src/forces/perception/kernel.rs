//! The neighbor kernel: a block of boids, one in each lane, adds up its neighbors.
//!
//! The candidates are the agents in the grid cells near the block. Each lane adds its own neighbors in the order of the
//! candidates, and exactly 0 for all others, so the sums have the same bits for any block size and lane count.

use std::ops::Range;

use super::sums::{Candidate, Radii, RuleSums, shape};
use super::{NeighborIndex, NeighborQuery, Perceived};
use crate::math::Wide;
use crate::neighbors::{Block, COINCIDENT, FieldOfView, Shift, SpeciesRange};
use crate::params::Falloff;
use crate::simd::{Lanes, Task, VectorLoop};

/// The falloffs for which loops are compiled, in the order of the enum; the number behind them is that of the loop for any falloff,
/// which serves `inverse-cube` and scalar code.
const FALLOFFS: [Falloff; 4] = [Falloff::Flat, Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare];
const ANY_FALLOFF: usize = FALLOFFS.len();

/// Adds up the neighbors of these boids, and marks those whose sums the scalar search has to find.
pub(super) fn add_up<const D: usize>(
    query: &NeighborQuery<'_>,
    neighbors: &NeighborIndex,
    boids: Range<usize>,
    perceived: &mut Perceived,
) {
    if query.view.is_some() || query.is_multi_species {
        let boids = AddUp::<D, false, ANY_FALLOFF, { shape::FULL }> { query, neighbors, boids, perceived };
        return query.simd.run(boids);
    }
    macro_rules! run_wide {
        ($($falloff:literal)*) => {
            match (query.params.separation.falloff as usize, shape::of(query)) {
                $(($falloff, shape::ONE_RADIUS) => run_wide!($falloff, ONE_RADIUS),
                ($falloff, shape::TWO_RADII) => run_wide!($falloff, TWO_RADII),
                ($falloff, _) => run_wide!($falloff, FULL),)*
                _ => false,
            }
        };
        ($falloff:literal, $shape:ident) => {{
            let boids = boids.clone();
            let boids = AddUp::<D, true, $falloff, { shape::$shape }> { query, neighbors, boids, perceived };
            query.simd.run_wide(boids).is_ok()
        }};
    }
    if run_wide!(0 1 2 3) {
        return;
    }
    if shape::of(query) == shape::FULL {
        query.simd.run(AddUp::<D, true, ANY_FALLOFF, { shape::FULL }> { query, neighbors, boids, perceived });
    } else {
        query.simd.run(AddUp::<D, true, ANY_FALLOFF, { shape::TWO_RADII }> { query, neighbors, boids, perceived });
    }
}

/// A chunk of boids adds up its neighbors. `PLAIN` says that all see all round and are of one species.
struct AddUp<'a, const D: usize, const PLAIN: bool, const FALLOFF: usize, const SHAPE: u8> {
    query: &'a NeighborQuery<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize, const PLAIN: bool, const FALLOFF: usize, const SHAPE: u8> Task
    for AddUp<'_, D, PLAIN, FALLOFF, SHAPE>
{
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, neighbors, boids, perceived } = self;
        let (flock, first) = (&neighbors.flock, boids.start);
        for boids in flock.blocks(boids, F::WIDTH) {
            let slots = boids.start - first..boids.end - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let window = flock.window(block.bounds(), perceived.limits.radius(slots.clone(), query.reach));
            let limit = perceived.limits.load(slots.start);
            let mut visitor = Visitor::new(query, neighbors, block, limit);
            for (run, shift) in flock.runs(window) {
                let (is_own, is_shifted) = (visitor.block.overlaps(&run), shift != [0.0; 3]);
                if window.is_ambiguous || is_own && is_shifted {
                    // Rare, so that one loop serves all rules.
                    visitor = F::outline(NearestImages { visitor, run });
                } else if PLAIN {
                    match (is_own, is_shifted) {
                        (false, false) => visitor.visit_plain::<FALLOFF, SHAPE, false, false>(run, shift),
                        (false, true) => visitor.visit_plain::<FALLOFF, SHAPE, false, true>(run, shift),
                        (true, _) => visitor.visit_plain::<FALLOFF, SHAPE, true, false>(run, shift),
                    }
                } else if is_own {
                    visitor.visit_any::<true, false>(run, shift);
                } else {
                    visitor.visit_any::<false, false>(run, shift);
                }
            }
            match visitor.sums::<SHAPE>() {
                Some(sums) => sums.store(perceived, slots.start),
                None => perceived.limits.mark_unresolved(slots),
            }
        }
    }
}

/// A block of boids that visits its candidates.
struct Visitor<'a, F: Lanes, const D: usize> {
    query: &'a NeighborQuery<'a>,
    neighbors: &'a NeighborIndex,
    block: Block<'a, F, D>,
    view: FieldOfView<F, D>,
    species: SpeciesRange<F>,
    radii: Radii<F>,
    sums: RuleSums<F, D>,
    /// The smallest squared distance to another agent.
    nearest: F,
}

impl<'a, F: Lanes, const D: usize> Visitor<'a, F, D> {
    #[inline(always)]
    fn new(query: &'a NeighborQuery<'a>, neighbors: &'a NeighborIndex, block: Block<'a, F, D>, limit: F) -> Self {
        Self {
            query,
            neighbors,
            view: FieldOfView::new(block.velocity(), query.view),
            species: neighbors.species.block(block.boids.clone()),
            block,
            radii: Radii::new(query, limit),
            sums: RuleSums::zero(),
            nearest: F::splat(f32::INFINITY),
        }
    }

    /// The innermost loop for most flocks. `OWN` says that the run has boids of the block, and `SHIFTED` that it is seen in the
    /// periodic image that is `shift` away.
    #[inline(always)]
    fn visit_plain<const FALLOFF: usize, const SHAPE: u8, const OWN: bool, const SHIFTED: bool>(
        &mut self,
        run: Range<usize>,
        shift: Shift,
    ) {
        let (weight, shift) = (F::splat(1.0), Wide::splat(shift));
        let never = weight.lt(weight);
        let falloff = FALLOFFS.get(FALLOFF).copied().unwrap_or(self.query.params.separation.falloff);
        let (positions, velocities) = self.block.agents.run::<D>(run.clone());
        // Copies, so that they stay in registers.
        let (radii, mut sums, mut nearest) = (self.radii, self.sums, self.nearest);
        for index in 0..positions.len() {
            let mut offset = positions.splat::<F>(index) - self.block.position;
            if SHIFTED {
                offset = offset - shift;
            }
            let mut d2 = offset.length_squared();
            if OWN {
                d2 += self.block.self_distance(run.start + index);
            }
            nearest = d2.min(nearest);
            let velocity = velocities.splat(index);
            let other = Candidate { offset, d2, velocity, in_view: never, weight, other_species: never };
            sums.add::<SHAPE, false, false>(&radii, falloff, &other);
        }
        (self.sums, self.nearest) = (sums, nearest);
    }

    /// The innermost loop for every flock. `OWN` says that the run may have boids of the block, and `NEAREST` that each candidate
    /// is seen in its nearest periodic image instead of the one that is `shift` away.
    #[inline(always)]
    fn visit_any<const OWN: bool, const NEAREST: bool>(&mut self, run: Range<usize>, shift: Shift) {
        let shift = Wide::splat(shift);
        let (one, follow) = (F::splat(1.0), F::splat(self.query.params.species.follow));
        let (positions, velocities) = self.block.agents.run::<D>(run.clone());
        let all_species = self.neighbors.species.slice(run.clone());
        let (radii, mut sums, mut nearest) = (self.radii, self.sums, self.nearest);
        for index in 0..positions.len() {
            let offset = positions.splat::<F>(index) - self.block.position;
            let offset = if NEAREST { self.query.metric.minimum_image(offset) } else { offset - shift };
            let mut d2 = offset.length_squared();
            if OWN {
                d2 += self.block.self_distance(run.start + index);
            }
            nearest = d2.min(nearest);
            let species = SpeciesRange::splat(all_species.at(index));
            let other = Candidate {
                offset,
                d2,
                velocity: velocities.splat(index),
                in_view: self.view.sees(offset, d2),
                weight: F::select(self.species.same_species(species), one, follow),
                other_species: self.species.different_species(species),
            };
            sums.add::<{ shape::FULL }, true, true>(&radii, self.query.params.separation.falloff, &other);
        }
        (self.sums, self.nearest) = (sums, nearest);
    }

    /// The sums; `None` if boids are coincident.
    #[inline(always)]
    fn sums<const SHAPE: u8>(self) -> Option<RuleSums<F, D>> {
        (!F::any(self.nearest.le(F::splat(COINCIDENT)))).then(|| self.sums.complete(SHAPE))
    }
}

/// A run of candidates in their nearest periodic images. The visitor is passed by value, so that it stays in registers
/// elsewhere.
struct NearestImages<'a, F: Lanes, const D: usize> {
    visitor: Visitor<'a, F, D>,
    run: Range<usize>,
}

impl<'a, F: Lanes, const D: usize> VectorLoop for NearestImages<'a, F, D> {
    type Output = Visitor<'a, F, D>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        self.visitor.visit_any::<true, true>(self.run, Shift::default());
        self.visitor
    }
}
