//! What the rules add up over neighbors, one boid in each lane.
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

use super::NeighborQuery;
use crate::math::Wide;
use crate::neighbors::NUDGE;
use crate::params::{Falloff, Params, Perceived, Response, Sum};
use crate::simd::Lanes;

/// A sum over neighbors, for each lane.
#[derive(Clone, Copy)]
struct Tally<F: Lanes, const D: usize> {
    total: Wide<F, D>,
    /// The number of neighbors with a weight of 1, as integers, to which a mask adds in one instruction, …
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
    use super::{Params, Response};

    /// Alignment and cohesion have the same radius, and separation needs no count.
    pub const ONE_RADIUS: u8 = 0;
    /// Alignment and cohesion have different radii.
    pub const TWO_RADII: u8 = 1;
    /// Cohesion also has an inner radius, and separation's neighbors are counted.
    pub const FULL: u8 = 2;

    /// What rules ask for that have one species and see all round.
    pub fn of(params: &Params) -> u8 {
        let is_counted = params.separation.response == Response::Mean;
        if is_counted || params.cohesion.inner > 0.0 {
            FULL
        } else if params.alignment.radius == params.cohesion.radius {
            ONE_RADIUS
        } else {
            TWO_RADII
        }
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
        // Not by FMA: in a boid's own lane the term may be NaN, which a product with 0 would keep.
        self.separation.add(repelled, offset * falloff.factor(d2, radii.separation_radius));

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
            let factor = params.separation.falloff.factor(distance * distance, radius);
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
