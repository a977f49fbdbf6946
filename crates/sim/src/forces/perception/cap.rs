//! The cap on the number of neighbors, for a block of boids.
//!
//! A boid that sees more agents than the cap keeps the first few in cyclic order of ids, from one that is drawn for the boid
//! and the tick. The kept ids are an interval, so that the kernel only compares.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::Range;

use rand::RngExt;

use super::NeighborQuery;
use super::sums::{Candidate, Radii, RuleSums, shape};
use crate::math::{Purpose, Wide, stream};
use crate::neighbors::{Block, COINCIDENT, FieldOfView, SearchLimits, SpeciesRange, Visitor};
use crate::params::Perceived;
use crate::simd::{Lanes, MAX_LANES, Task};

/// Adds up the neighbors of these boids, and marks those whose sums the scalar search has to find.
pub(super) fn add_up<const D: usize>(
    query: &NeighborQuery<'_>,
    boids: Range<usize>,
    perceived: &mut Perceived,
    limits: &mut SearchLimits,
) {
    if query.is_multi_species || query.view.is_some() || query.metric.wraps() {
        query.simd.run(AddUp::<D, false, { shape::FULL }> { query, boids, perceived, limits });
    } else if shape::of(query.params) == shape::ONE_RADIUS {
        query.simd.run(AddUp::<D, true, { shape::ONE_RADIUS }> { query, boids, perceived, limits });
    } else {
        query.simd.run(AddUp::<D, true, { shape::FULL }> { query, boids, perceived, limits });
    }
}

/// A chunk of boids adds up the neighbors that it keeps. `PLAIN` says that all are of one species and see all round, in a world
/// that is not periodic.
struct AddUp<'a, const D: usize, const PLAIN: bool, const SHAPE: u8> {
    query: &'a NeighborQuery<'a>,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
    limits: &'a mut SearchLimits,
}

impl<const D: usize, const PLAIN: bool, const SHAPE: u8> Task for AddUp<'_, D, PLAIN, SHAPE> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, boids, perceived, limits } = self;
        let (flock, first) = (&query.neighbors.flock, boids.start);
        let mut seen = Seen::take(flock.agents.len());
        for boids in flock.blocks(boids, F::WIDTH) {
            let slots = boids.start - first..boids.end - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let view = FieldOfView::new(block.velocity(), query.view);
            let radius = limits.radius(slots.clone(), query.reach);
            let limit = limits.load(slots.start);
            let kept = seen.find::<F, D, PLAIN>(query, &block, &view, radius, limit);
            match seen.sums::<F, D, PLAIN, SHAPE>(query, &block, &view, kept, limit) {
                Some(sums) => sums.store(perceived, slots.start),
                None => limits.mark_unresolved(slots),
            }
        }
        seen.release();
    }
}

/// The agents that a block of boids sees, in order of memory.
#[derive(Default)]
struct Seen {
    len: usize,
    indices: Vec<u32>,
    ids: Vec<u32>,
    /// A bit for each boid of the block that sees the agent.
    boids: Vec<u32>,
    /// Scratch: the ids that one boid sees.
    list: Vec<u32>,
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

impl Seen {
    /// The memory of this thread, with room for all agents, so that a flock which contracts causes no allocation.
    fn take(agents: usize) -> Self {
        let mut seen = SEEN.take();
        for rows in [&mut seen.indices, &mut seen.ids, &mut seen.boids, &mut seen.list] {
            if rows.len() < agents + MAX_LANES {
                rows.resize(agents + MAX_LANES, 0);
            }
        }
        seen
    }

    /// Leaves the memory to the next chunk of this thread.
    fn release(self) {
        SEEN.set(self);
    }

    /// Finds the agents below a squared distance and in view; returns the ids that each boid keeps.
    #[inline(always)]
    fn find<F: Lanes, const D: usize, const PLAIN: bool>(
        &mut self,
        query: &NeighborQuery<'_>,
        block: &Block<'_, F, D>,
        view: &FieldOfView<F, D>,
        radius: f32,
        limit: F,
    ) -> KeptIds<F> {
        let Self { indices, ids, boids, .. } = self;
        let looking: Looking<'_, F, D, PLAIN> = Looking {
            indices,
            ids,
            boids,
            len: 0,
            counts: F::splat_words(0),
            all_ids: block.agents.ids(),
            view,
            limit: limit.min(F::splat(query.reach * query.reach)),
        };
        let looking = query.neighbors.flock.visit(block, &query.metric, radius, looking);
        self.len = looking.len;
        let mut counts = [0; MAX_LANES];
        F::store_words(looking.counts, &mut counts);
        // Rows behind the last may be loaded with it.
        self.boids[self.len..][..MAX_LANES].fill(0);

        let max = query.params.limits.max_neighbors as usize;
        // A boid that sees no more than the cap keeps all: every id is in the interval from 0 on.
        let (mut minus_firsts, mut spans) = ([0; MAX_LANES], [u32::MAX; MAX_LANES]);
        for (lane, boid) in block.boids.clone().enumerate() {
            if counts[lane] as usize > max {
                let count = self.list::<F>(lane as u32);
                // The draw of the scalar search, which may repeat this boid.
                let mut rng = stream(query.seed, query.tick, block.agents.ids()[boid], Purpose::Neighbors);
                let cycle = Cycle { first: rng.random_range(0..query.neighbors.ids), ids: query.neighbors.ids };
                minus_firsts[lane] = cycle.first.wrapping_neg();
                spans[lane] = self.span::<F>(count, max, cycle);
            }
        }
        KeptIds { minus_first: F::load_words(&minus_firsts), span: F::load_words(&spans) }
    }

    /// Lists the ids that a boid sees; returns their number.
    #[inline(always)]
    fn list<F: Lanes>(&mut self, lane: u32) -> usize {
        let mut count = 0;
        for row in (0..self.len).step_by(F::WIDTH) {
            let is_seen = F::has_bit(F::load_words(&self.boids[row..]), lane);
            let ids = F::pack_words(F::load_words(&self.ids[row..]), is_seen);
            F::store_words(ids, &mut self.list[count..]);
            count += F::bits(is_seen).count_ones() as usize;
        }
        count
    }

    /// The span of an interval from the first id of a cycle that has exactly `max` of the `count` listed ids.
    #[inline(always)]
    fn span<F: Lanes>(&mut self, count: usize, max: usize, cycle: Cycle) -> u32 {
        // The last of the cycle, in none of the intervals.
        self.list[count..][..MAX_LANES].fill(cycle.first.wrapping_sub(1));
        // Fewer than `max` are in `low`, and more in `high`.
        let (mut low, mut high) = ((0, 0), (cycle.ids, count));
        for step in 0.. {
            // In proportion, as ids are spread evenly in most flocks; in half every third time, as in some they are not.
            let gap = u64::from(high.0 - low.0);
            let part = if step % 3 == 2 { gap / 2 } else { gap * (max - low.1) as u64 / (high.1 - low.1) as u64 };
            let ids = low.0 + part.clamp(1, gap - 1) as u32;
            let span = cycle.span(ids);
            let found = self.count_in::<F>(count, cycle, span);
            match found.cmp(&max) {
                Ordering::Less => low = (ids, found),
                Ordering::Equal => return span,
                Ordering::Greater => high = (ids, found),
            }
        }
        unreachable!("different ids have a number between them")
    }

    /// The number of listed ids in an interval from the first of a cycle.
    #[inline(always)]
    fn count_in<F: Lanes>(&self, count: usize, cycle: Cycle, span: u32) -> usize {
        let (minus_first, span) = (F::splat_words(cycle.first.wrapping_neg()), F::splat_words(span));
        let mut inside = 0;
        // A loop: closures in iterators are not always compiled with SIMD.
        for row in (0..count).step_by(F::WIDTH) {
            let is_inside = F::less_words(F::add_words(F::load_words(&self.list[row..]), minus_first), span);
            inside += F::bits(is_inside).count_ones() as usize;
        }
        inside
    }

    /// The sums over the agents that boids see and keep; `None` if boids are coincident.
    #[inline(always)]
    fn sums<F: Lanes, const D: usize, const PLAIN: bool, const SHAPE: u8>(
        &self,
        query: &NeighborQuery<'_>,
        block: &Block<'_, F, D>,
        view: &FieldOfView<F, D>,
        kept: KeptIds<F>,
        limit: F,
    ) -> Option<RuleSums<F, D>> {
        let (radii, falloff) = (Radii::new(query, limit), query.params.separation.falloff);
        let (positions, velocities) = block.agents.run::<D>(0..block.agents.len());
        let own_species: SpeciesRange<F> =
            if PLAIN { SpeciesRange::first() } else { query.neighbors.species.block(block.boids.clone()) };
        let (one, follow) = (F::splat(1.0), F::splat(query.params.species.follow));
        let never = one.lt(one);
        let (mut sums, mut nearest) = (RuleSums::zero(), F::splat(f32::INFINITY));
        for (&index, &id) in self.indices[..self.len].iter().zip(&self.ids) {
            let index = index as usize;
            let mut offset = positions.splat::<F>(index) - block.position;
            if !PLAIN {
                offset = query.metric.minimum_image(offset);
            }
            let d2 = offset.length_squared() + block.self_distance(index);
            nearest = d2.min(nearest);
            let (velocity, in_view) = (velocities.splat(index), kept.contain(id));
            let mut other = Candidate { offset, d2, velocity, in_view, weight: one, other_species: never };
            if PLAIN {
                sums.add::<SHAPE, true, false>(&radii, falloff, &other);
            } else {
                other.in_view = F::and(in_view, view.sees(offset, d2));
                let species = SpeciesRange::splat(query.neighbors.species.at(index));
                other.weight = F::select(own_species.same_species(species), one, follow);
                other.other_species = own_species.different_species(species);
                sums.add::<{ shape::FULL }, true, true>(&radii, falloff, &other);
            }
        }
        (!F::any(nearest.le(F::splat(COINCIDENT)))).then(|| sums.complete(SHAPE))
    }
}

/// A block of boids that remembers the agents which any of them sees.
struct Looking<'a, F: Lanes, const D: usize, const PLAIN: bool> {
    /// The rows of [`Seen`].
    indices: &'a mut [u32],
    ids: &'a mut [u32],
    boids: &'a mut [u32],
    len: usize,
    /// The number of agents that each boid sees.
    counts: F::Words,
    all_ids: &'a [u32],
    view: &'a FieldOfView<F, D>,
    limit: F,
}

impl<F: Lanes, const D: usize, const PLAIN: bool> Visitor<F, D> for Looking<'_, F, D, PLAIN> {
    #[inline(always)]
    fn visit(&mut self, index: usize, offset: Wide<F, D>, d2: F) {
        let mut is_seen = d2.lt(self.limit);
        if !PLAIN {
            // A coincident boid has no direction, and is seen in any field of view.
            is_seen = F::and(is_seen, F::or(self.view.sees(offset, d2), d2.le(F::splat(COINCIDENT))));
        }
        // Writes first and counts later: a branch on the distance would be mispredicted often.
        self.indices[self.len] = index as u32;
        self.ids[self.len] = self.all_ids[index];
        self.boids[self.len] = F::bits(is_seen);
        self.len += usize::from(F::any(is_seen));
        self.counts = F::count_where(self.counts, is_seen);
    }
}

/// The cyclic order of ids from a first one.
#[derive(Clone, Copy)]
struct Cycle {
    first: u32,
    /// The number of ids.
    ids: u32,
}

impl Cycle {
    /// The wrapping difference to `first` below which the first few ids are.
    fn span(self, ids: u32) -> u32 {
        // To ids before the first, the difference is larger by 2³², not by the number of ids.
        if ids > self.ids - self.first { ids.wrapping_sub(self.ids) } else { ids }
    }
}

/// An interval of ids for each boid, in cyclic order.
#[derive(Clone, Copy)]
struct KeptIds<F: Lanes> {
    minus_first: F::Words,
    span: F::Words,
}

impl<F: Lanes> KeptIds<F> {
    #[inline(always)]
    fn contain(&self, id: u32) -> F::Mask {
        F::less_words(F::add_words(F::splat_words(id), self.minus_first), self.span)
    }
}
