//! The neighbor kernel: a block of boids, one in each lane, adds up its neighbors.
//!
//! The candidates are the agents in the grid cells near the block. Each lane adds its own neighbors in the order of the
//! candidates, and exactly 0 for all others, so the sums have the same bits for any block size and lane count.
//!
//! | filter | neighbors `j` that it keeps |
//! | --- | --- |
//! | field of view | the angle between heading and `r` is at most half of `perception.angle`; a boid at rest sees all round |
//! | topological | of these, within the reach (the largest finite radius of the rules), the `perception.nearest` first by (`d`, id) |
//! | cap | of these, the `max_neighbors` first in cyclic order of ids, from one drawn for the boid and tick |
//! | species | all of these; `j` has the weight `s` in alignment and cohesion: 1 if of the same species, else `species.follow` |
//!
//! Each rule then takes the neighbors within its own radius, with `n = Σ s` and `S = Σ s·(r or v)`. Coincident boids see
//! each other in any field of view; a small offset in the direction of [`nudge_direction`] replaces `r`.
//!
//! [`nudge_direction`]: crate::neighbors::nudge_direction

use std::ops::Range;

use super::{NeighborIndex, NeighborQuery, Perceived, Sum};
use crate::math::Wide;
use crate::neighbors::{Block, COINCIDENT, FieldOfView, NUDGE, Shift, SpeciesRange};
use crate::params::{Falloff, Response};
use crate::simd::{Lanes, Task, VectorLoop};

/// A sum over neighbors, for each lane.
#[derive(Clone, Copy)]
struct Tally<F: Lanes, const D: usize> {
    total: Wide<F, D>,
    /// The number of neighbors with a weight of 1 …
    count: F::Words,
    /// … and the weight of the others.
    weight: F,
}

impl<F: Lanes, const D: usize> Tally<F, D> {
    #[inline(always)]
    fn zero() -> Self {
        Self { total: Wide::zero(), count: F::splat_words(0), weight: F::splat(0.0) }
    }

    #[inline(always)]
    fn add(&mut self, mask: F::Mask, term: Wide<F, D>) {
        self.total = Wide::new(|axis| self.total[axis].add_where(mask, term[axis]));
    }

    /// The same on the units for products.
    #[inline(always)]
    fn add_fma(&mut self, mask: F::Mask, term: Wide<F, D>, one: F) {
        self.total = Wide::new(|axis| self.total[axis].fma_where(mask, term[axis], one));
    }

    #[inline(always)]
    fn count(&mut self, mask: F::Mask) {
        self.count = F::count_where(self.count, mask);
    }

    #[inline(always)]
    fn add_weighted(&mut self, mask: F::Mask, term: Wide<F, D>, weight: F) {
        self.add(mask, term * weight);
        self.weight = self.weight.add_where(mask, weight);
    }

    #[inline(always)]
    fn sum(self) -> Sum<F, D> {
        Sum { total: self.total, count: F::to_floats(self.count) + self.weight }
    }
}

/// What the rules ask for beyond the sums. The innermost loop is compiled for each, because sums that do not fit the
/// registers cost a third more.
pub(super) mod shape {
    use super::{NeighborQuery, Response};

    /// Alignment and cohesion have the same radius, and separation needs no count.
    pub const ONE_RADIUS: u8 = 0;
    /// Alignment and cohesion have different radii.
    pub const TWO_RADII: u8 = 1;
    /// Cohesion also has an inner radius, and separation's neighbors are counted.
    pub const FULL: u8 = 2;

    /// What rules ask for that have one species and see all round.
    pub fn of(query: &NeighborQuery<'_>) -> u8 {
        let is_counted = query.params.separation.response == Response::Mean;
        if is_counted || query.params.cohesion.inner > 0.0 {
            FULL
        } else if query.alignment == query.cohesion {
            ONE_RADIUS
        } else {
            TWO_RADII
        }
    }
}

/// The factor `f(d)` by which separation and flee multiply an offset, from its squared length `d2` in u².
#[inline(always)]
pub(crate) fn falloff_factor<F: Lanes>(falloff: Falloff, d2: F, radius: F) -> F {
    let one = F::splat(1.0);
    match falloff {
        Falloff::Flat => one,
        Falloff::Linear => radius - d2.sqrt(),
        Falloff::Inverse => one / d2.sqrt(),
        Falloff::InverseSquare => one / d2,
        Falloff::InverseCube => one / (d2 * d2.sqrt()),
    }
}

/// The squared radii of the rules in u², none above the search limit of the boid.
#[derive(Clone, Copy)]
pub(super) struct Radii<F> {
    separation: F,
    alignment: F,
    cohesion: F,
    inner: F,
    /// The radius of separation, in u.
    separation_radius: F,
    /// The decrease of the push from another species, per u: 1 / the radius of cohesion.
    slope: F,
    avoids_species: bool,
    one: F,
}

impl<F: Lanes> Radii<F> {
    #[inline(always)]
    pub(super) fn new(query: &NeighborQuery<'_>, limit: F) -> Self {
        let radius = query.params.separation.radius;
        let inner = query.params.cohesion.inner;
        let [separation, alignment, cohesion] =
            [radius, query.alignment, query.cohesion].map(|radius| F::splat(radius * radius).min(limit));
        Self {
            separation,
            alignment,
            cohesion,
            inner: F::splat(inner * inner),
            separation_radius: F::splat(radius),
            slope: F::splat(1.0 / query.cohesion),
            avoids_species: query.avoids_species,
            one: F::splat(query.one),
        }
    }
}

/// A candidate as each lane sees it.
#[derive(Clone, Copy)]
pub(super) struct Candidate<F: Lanes, const D: usize> {
    pub offset: Wide<F, D>,
    pub d2: F,
    pub velocity: Wide<F, D>,
    /// Whether it is in the field of view; used if `ANGLE`.
    pub in_view: F::Mask,
    /// The weight in alignment and cohesion; used if `SPECIES`.
    pub weight: F,
    /// Whether it is of another species; used if `SPECIES`.
    pub other_species: F::Mask,
}

/// The sums of the rules.
#[derive(Clone, Copy)]
pub(super) struct RuleSums<F: Lanes, const D: usize> {
    separation: Tally<F, D>,
    alignment: Tally<F, D>,
    cohesion: Tally<F, D>,
    other_species: Tally<F, D>,
}

impl<F: Lanes, const D: usize> RuleSums<F, D> {
    #[inline(always)]
    pub(super) fn zero() -> Self {
        let zero = Tally::zero();
        Self { separation: zero, alignment: zero, cohesion: zero, other_species: zero }
    }

    /// Adds a candidate to the rules in whose radius it is.
    #[inline(always)]
    pub(super) fn add<const SHAPE: u8, const ANGLE: bool, const SPECIES: bool>(
        &mut self,
        radii: &Radii<F>,
        falloff: Falloff,
        other: &Candidate<F, D>,
    ) {
        let Candidate { offset, d2, velocity, weight, .. } = *other;
        let within = |radius2: F| {
            let near = d2.lt(radius2);
            if ANGLE { F::and(near, other.in_view) } else { near }
        };

        let aligned = within(radii.alignment);
        let in_reach = if SHAPE == shape::ONE_RADIUS { aligned } else { within(radii.cohesion) };
        let attracted = if SHAPE == shape::FULL { F::and(in_reach, radii.inner.le(d2)) } else { in_reach };
        if SPECIES {
            self.alignment.add_weighted(aligned, velocity, weight);
            self.cohesion.add_weighted(attracted, offset, weight);
        } else {
            self.alignment.count(aligned);
            self.alignment.add_fma(aligned, velocity, radii.one);
            if SHAPE != shape::ONE_RADIUS {
                self.cohesion.count(attracted);
            }
            self.cohesion.add_fma(attracted, offset, radii.one);
        }

        let repelled = within(radii.separation);
        if SHAPE == shape::FULL {
            self.separation.count(repelled);
        }
        self.separation.add(repelled, offset * falloff_factor(falloff, d2, radii.separation_radius));

        if SPECIES && radii.avoids_species {
            let strangers = F::and(in_reach, other.other_species);
            self.other_species.count(strangers);
            self.other_species.add(strangers, offset * (F::splat(1.0) / d2.sqrt() - radii.slope));
        }
    }

    /// Fills in the counts that a shape leaves out.
    #[inline(always)]
    pub(super) fn complete(mut self, shape: u8) -> Self {
        if shape == shape::ONE_RADIUS {
            self.cohesion.count = self.alignment.count;
        }
        if shape != shape::FULL {
            // A sum of 0 says well enough that there are no neighbors.
            self.separation.count = F::splat_words(1);
        }
        self
    }

    #[inline(always)]
    pub(super) fn store(self, perceived: &mut Perceived, slot: usize) {
        perceived.separation.store(slot, self.separation.sum());
        perceived.alignment.store(slot, self.alignment.sum());
        perceived.cohesion.store(slot, self.cohesion.sum());
        if perceived.avoids_species {
            perceived.other_species.store(slot, self.other_species.sum());
        }
    }
}

impl<const D: usize> RuleSums<f32, D> {
    /// Adds a coincident candidate as if it were a little way off in this direction.
    pub(super) fn add_coincident(
        &mut self,
        query: &NeighborQuery<'_>,
        direction: Wide<f32, D>,
        other: &Candidate<f32, D>,
    ) {
        let params = query.params;
        let radius = params.separation.radius;
        if radius > 0.0 {
            let distance = radius * NUDGE;
            let factor = falloff_factor(params.separation.falloff, distance * distance, radius);
            self.separation.count(true);
            self.separation.add(true, direction * distance * factor);
        }
        if query.alignment > 0.0 {
            self.alignment.add_weighted(true, other.velocity, other.weight);
        }
        if query.cohesion > 0.0 {
            let distance = query.cohesion * NUDGE;
            let is_attracted = distance * distance >= params.cohesion.inner * params.cohesion.inner;
            self.cohesion.add_weighted(is_attracted, direction * distance, other.weight);
            if query.avoids_species {
                self.other_species.count(other.other_species);
                self.other_species.add(other.other_species, direction * (1.0 - NUDGE));
            }
        }
    }
}

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
