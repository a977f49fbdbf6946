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

/// The falloffs for which loops are compiled, in the order of the enum; behind them, any falloff.
const FALLOFFS: [Falloff; 5] =
    [Falloff::Flat, Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare, Falloff::InverseCube];
const ANY_FALLOFF: u8 = FALLOFFS.len() as u8;

/// A block of boids that visits its candidates.
struct Visitor<'a, F: Lanes, const D: usize> {
    query: &'a NeighborQuery<'a>,
    neighbors: &'a NeighborIndex,
    block: Block<'a, F, D>,
    view: FieldOfView<F, D>,
    species: SpeciesRange<F>,
    radii: Radii<F>,
    shape: u8,
    /// Whether no run of candidates has one image that is nearest for all.
    is_ambiguous: bool,
    /// Whether all boids see all round and are of one species, and no nearest image has to be found.
    is_plain: bool,
    sums: RuleSums<F, D>,
    /// The smallest squared distance to another agent.
    nearest: F,
}

impl<'a, F: Lanes, const D: usize> Visitor<'a, F, D> {
    #[inline(always)]
    fn new(
        query: &'a NeighborQuery<'a>,
        neighbors: &'a NeighborIndex,
        block: Block<'a, F, D>,
        is_ambiguous: bool,
        limit: F,
    ) -> Self {
        let is_plain = query.view.is_none() && !query.is_multi_species && !is_ambiguous;
        Self {
            query,
            neighbors,
            view: FieldOfView::new(block.velocity(), query.view),
            species: neighbors.species.block(block.boids.clone()),
            block,
            radii: Radii::new(query, limit),
            shape: if is_plain && F::WIDTH > 1 { shape::of(query) } else { shape::FULL },
            is_ambiguous,
            is_plain,
            sums: RuleSums::zero(),
            nearest: F::splat(f32::INFINITY),
        }
    }

    /// Visits a run of candidates; in a periodic world, in the image that is `shift` away.
    #[inline(always)]
    fn visit(&mut self, run: Range<usize>, shift: Shift) {
        let own = self.block.own(&run);
        self.visit_others(run.start..own.start, shift);
        if !own.is_empty() {
            self.visit_any::<true>(own.clone(), shift);
        }
        self.visit_others(own.end..run.end, shift);
    }

    /// Visits candidates outside the block.
    #[inline(always)]
    fn visit_others(&mut self, run: Range<usize>, shift: Shift) {
        if run.is_empty() {
            return;
        }
        if !self.is_plain || shift != [0.0; 3] {
            return self.visit_any::<false>(run, shift);
        }
        if F::WIDTH == 1 {
            // One lane gains little by a loop for each rule.
            return F::outline(PlainRun::<F, D, ANY_FALLOFF, { shape::FULL }> { visitor: self, run });
        }
        macro_rules! visit {
            ($($falloff:literal)*) => {
                match (self.query.params.separation.falloff as u8, self.shape) {
                    $(($falloff, shape::ONE_RADIUS) => {
                        F::outline(PlainRun::<F, D, $falloff, { shape::ONE_RADIUS }> { visitor: self, run });
                    }
                    ($falloff, shape::TWO_RADII) => {
                        F::outline(PlainRun::<F, D, $falloff, { shape::TWO_RADII }> { visitor: self, run });
                    }
                    ($falloff, _) => {
                        F::outline(PlainRun::<F, D, $falloff, { shape::FULL }> { visitor: self, run });
                    })*
                    _ => self.visit_any::<false>(run, shift),
                }
            };
        }
        visit!(0 1 2 3 4);
    }

    #[inline(always)]
    fn visit_any<const OWN: bool>(&mut self, run: Range<usize>, shift: Shift) {
        if self.is_ambiguous {
            F::outline(AnyRun::<F, D, OWN, true> { visitor: self, run, shift });
        } else {
            F::outline(AnyRun::<F, D, OWN, false> { visitor: self, run, shift });
        }
    }

    /// The sums; `None` if boids are coincident.
    #[inline(always)]
    fn sums(self) -> Option<RuleSums<F, D>> {
        (!F::any(self.nearest.le(F::splat(COINCIDENT)))).then(|| self.sums.complete(self.shape))
    }
}

/// The innermost loop for most candidates: outside the block, of one species, seen all round, and not shifted.
struct PlainRun<'v, 'a, F: Lanes, const D: usize, const FALLOFF: u8, const SHAPE: u8> {
    visitor: &'v mut Visitor<'a, F, D>,
    run: Range<usize>,
}

impl<F: Lanes, const D: usize, const FALLOFF: u8, const SHAPE: u8> VectorLoop
    for PlainRun<'_, '_, F, D, FALLOFF, SHAPE>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { visitor, run } = self;
        let never = F::splat(1.0).lt(F::splat(1.0));
        let any = visitor.query.params.separation.falloff;
        let falloff = FALLOFFS.get(usize::from(FALLOFF)).copied().unwrap_or(any);
        let (positions, velocities) = visitor.block.agents.run::<D>(run);
        // Copies, so that they stay in registers.
        let (position, radii) = (visitor.block.position, visitor.radii);
        let (mut sums, mut nearest) = (visitor.sums, visitor.nearest);
        for index in 0..positions.len() {
            let offset = positions.splat::<F>(index) - position;
            let d2 = offset.length_squared();
            nearest = d2.min(nearest);
            let (velocity, weight) = (velocities.splat(index), F::splat(1.0));
            let other = Candidate { offset, d2, velocity, in_view: never, weight, other_species: never };
            sums.add::<SHAPE, false, false>(&radii, falloff, &other);
        }
        (visitor.sums, visitor.nearest) = (sums, nearest);
    }
}

/// The innermost loop for all other candidates. `OWN` says that they are boids of the block, and `NEAREST` that each is seen in
/// its nearest image.
struct AnyRun<'v, 'a, F: Lanes, const D: usize, const OWN: bool, const NEAREST: bool> {
    visitor: &'v mut Visitor<'a, F, D>,
    run: Range<usize>,
    shift: Shift,
}

impl<F: Lanes, const D: usize, const OWN: bool, const NEAREST: bool> VectorLoop for AnyRun<'_, '_, F, D, OWN, NEAREST> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { visitor, run, shift } = self;
        let Visitor { query, neighbors, ref block, view, species, radii, .. } = *visitor;
        let shift: Wide<F, D> = Wide::splat(shift);
        let (one, follow) = (F::splat(1.0), F::splat(query.params.species.follow));
        let (positions, velocities) = block.agents.run::<D>(run.clone());
        let all_species = neighbors.species.slice(run.clone());
        let (mut sums, mut nearest) = (visitor.sums, visitor.nearest);
        for index in 0..positions.len() {
            let offset = positions.splat::<F>(index) - block.position;
            let offset = if NEAREST { query.metric.minimum_image(offset) } else { offset - shift };
            let mut d2 = offset.length_squared();
            if OWN {
                d2 += block.self_distance(run.start + index);
            }
            nearest = d2.min(nearest);
            let other_species = SpeciesRange::splat(all_species.at(index));
            let other = Candidate {
                offset,
                d2,
                velocity: velocities.splat(index),
                in_view: view.sees(offset, d2),
                weight: F::select(species.same_species(other_species), one, follow),
                other_species: species.different_species(other_species),
            };
            sums.add::<{ shape::FULL }, true, true>(&radii, query.params.separation.falloff, &other);
        }
        (visitor.sums, visitor.nearest) = (sums, nearest);
    }
}

/// A chunk of boids adds up its neighbors.
struct AddUp<'a, const D: usize> {
    query: &'a NeighborQuery<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for AddUp<'_, D> {
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
            let mut visitor = Visitor::new(query, neighbors, block, window.is_ambiguous, limit);
            for (run, shift) in flock.runs(window) {
                visitor.visit(run, shift);
            }
            match visitor.sums() {
                Some(sums) => sums.store(perceived, slots.start),
                None => perceived.limits.mark_unresolved(slots),
            }
        }
    }
}

/// Adds up the neighbors of these boids, and marks those whose sums the scalar search has to find.
pub(super) fn add_up<const D: usize>(
    query: &NeighborQuery<'_>,
    neighbors: &NeighborIndex,
    boids: Range<usize>,
    perceived: &mut Perceived,
) {
    query.simd.run(AddUp::<D> { query, neighbors, boids, perceived });
}
