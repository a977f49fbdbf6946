//! The nearest neighbors: how far from each boid the nearest few are.
//!
//! Topological rules take the `n` nearest neighbors inside the reach and the field of view, ties by the smaller id
//! (Ballerini et al. 2008, *Interaction ruling animal collective behavior depends on topological rather than metric
//! distance*). A block ranks its candidates by distance alone, one boid in each lane. The result is the distance of the
//! first candidate that is not among the nearest; the kernel then takes the neighbors below that limit. If that candidate
//! is as far away as the last of the nearest, ids decide, and the boid is left to the scalar search.

use std::ops::Range;

use super::COINCIDENT;
use super::block::{Block, FieldOfView, ViewThreshold};
use super::cell_list::CellList;
use super::grid::Shift;
use crate::params::MAX_NEAREST;
use crate::simd::{Lanes, SLOTS, Simd, Task};
use crate::world::Metric;

/// The number of candidates that are ranked at a time: the six or seven neighbors of a starling (Ballerini et al. 2008), and the first
/// that is not among them.
pub(super) const BATCH: usize = 8;
/// Capacity for the maximum number of nearest neighbors, and for the first that is not among them.
const FULL: usize = MAX_NEAREST as usize + 1;

/// A sorting network: the pairs to compare, and to swap if the first is greater (Batcher 1968, *Sorting networks and their
/// applications*).
const SORT: [(usize, usize); 19] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (1, 2),
    (5, 6),
    (0, 4),
    (3, 7),
    (1, 5),
    (2, 6),
    (1, 4),
    (3, 6),
    (2, 4),
    (3, 5),
    (3, 4),
];
/// The network for a bitonic batch, which rises and then falls or falls and then rises.
const SORT_BITONIC: [(usize, usize); 12] =
    [(0, 4), (1, 5), (2, 6), (3, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 1), (2, 3), (4, 5), (6, 7)];

/// The smallest squared distances so far, ascending in each lane. `N` is at least [`BATCH`].
///
/// If fewer are wanted, the first slots hold less than any distance, so that the last is always the limit. Several lanes
/// merge a batch by sorting networks, which need no branches. Larger capacities, and single lanes, insert one distance at
/// a time.
pub(super) struct Smallest<F, const N: usize> {
    pub(super) squared: [F; N],
    /// The first slot that counts.
    first: usize,
}

impl<F: Lanes, const N: usize> Smallest<F, N> {
    /// Capacity for `count` distances below `limit` (u²).
    #[inline(always)]
    pub(super) fn new(count: usize, limit: F) -> Self {
        let mut squared = [limit; N];
        let first = N - count;
        squared[..first].fill(F::splat(f32::NEG_INFINITY));
        Self { squared, first }
    }

    /// Adds a batch of squared distances. None may be NaN, except in lanes without a boid.
    #[inline(always)]
    pub(super) fn add(&mut self, batch: [F; BATCH]) {
        let (first, second) = (batch[0].min(batch[1]), batch[2].min(batch[3]));
        let (third, fourth) = (batch[4].min(batch[5]), batch[6].min(batch[7]));
        let nearest = first.min(second).min(third.min(fourth));
        // Once the nearest are known, most batches have none that is nearer.
        if !F::any(nearest.lt(self.squared[N - 1])) {
            return;
        }
        if N == BATCH && F::WIDTH > 1 {
            self.merge(batch);
        } else {
            for d2 in batch {
                if F::any(d2.lt(self.squared[N - 1])) {
                    self.insert(d2);
                }
            }
        }
    }

    /// Keeps the smaller of each pair, one list read backward: these are the smallest of both.
    #[inline(always)]
    fn merge(&mut self, mut batch: [F; BATCH]) {
        sort(&mut batch, &SORT);
        let mut slot = 0;
        while slot < BATCH {
            batch[slot] = batch[slot].min(self.squared[N - 1 - slot]);
            slot += 1;
        }
        sort(&mut batch, &SORT_BITONIC);
        self.squared.copy_from_slice(&batch);
    }

    #[inline(always)]
    fn insert(&mut self, d2: F) {
        let mut slot = N - 1;
        while slot > self.first {
            self.squared[slot] = self.squared[slot].min(self.squared[slot - 1].max(d2));
            slot -= 1;
        }
        self.squared[slot] = self.squared[slot].min(d2);
    }

    /// The squared distance below which the nearest are, taking the last slot as the first that is not among them; 0 if
    /// there is a tie.
    #[inline(always)]
    fn limit(&self, reach2: F) -> F {
        let (last, beyond) = (self.squared[N - 2], self.squared[N - 1]);
        let tied = F::and(beyond.le(last), beyond.lt(reach2));
        let is_unresolved = F::or(tied, beyond.le(F::splat(COINCIDENT)));
        F::select(is_unresolved, F::splat(0.0), beyond)
    }
}

#[inline(always)]
fn sort<F: Lanes>(batch: &mut [F; BATCH], network: &[(usize, usize)]) {
    let mut step = 0;
    while step < network.len() {
        let (low, high) = network[step];
        (batch[low], batch[high]) = (batch[low].min(batch[high]), batch[low].max(batch[high]));
        step += 1;
    }
}

/// A block that ranks its candidates, with a field of view if `ANGLE`.
struct Ranking<'a, F: Lanes, const D: usize, const ANGLE: bool> {
    block: &'a Block<'a, F, D>,
    view: FieldOfView<F, D>,
    metric: Metric,
}

impl<F: Lanes, const D: usize, const ANGLE: bool> Ranking<'_, F, D, ANGLE> {
    /// Ranks a run of candidates, in a periodic world in their nearest images if `WRAPS`.
    #[inline(always)]
    fn rank<const WRAPS: bool, const N: usize>(&self, mut run: Range<usize>, smallest: &mut Smallest<F, N>) {
        while run.len() >= BATCH {
            smallest.add(self.batch::<WRAPS>(run.start..run.start + BATCH));
            run.start += BATCH;
        }
        if !run.is_empty() {
            smallest.add(self.batch::<WRAPS>(run));
        }
    }

    /// The squared distances of at most a batch of candidates; infinite to the boid itself, to candidates that it does
    /// not see, and past the last.
    #[inline(always)]
    fn batch<const WRAPS: bool>(&self, run: Range<usize>) -> [F; BATCH] {
        let mut batch = [F::splat(f32::INFINITY); BATCH];
        let (positions, _) = self.block.agents.run::<D>(run.clone());
        for (index, d2) in batch.iter_mut().enumerate().take(positions.len()) {
            let mut offset = positions.splat::<F>(index) - self.block.position;
            if WRAPS {
                offset = self.metric.minimum_image(offset);
            }
            *d2 = offset.length_squared();
            if ANGLE {
                let seen = F::or(self.view.sees(offset, *d2), d2.le(F::splat(COINCIDENT)));
                *d2 = F::select(seen, *d2, F::splat(f32::INFINITY));
            }
        }
        if self.block.overlaps(&run) {
            for (index, d2) in run.zip(&mut batch) {
                *d2 += self.block.self_distance(index);
            }
        }
        batch
    }
}

/// The search for the nearest few neighbors.
#[derive(Clone, Copy)]
pub(crate) struct NearestSearch<'a> {
    pub(crate) flock: &'a CellList,
    pub(crate) metric: Metric,
    pub(crate) view: Option<ViewThreshold>,
    /// The number of neighbors; 0 is all.
    pub(crate) nearest: usize,
    /// The largest distance, in u.
    pub(crate) reach: f32,
}

impl NearestSearch<'_> {
    /// Limits the search of these boids to the nearest few neighbors.
    pub(crate) fn limit<const D: usize>(self, simd: Simd, boids: Range<usize>, limits: &mut SearchLimits) {
        let search = self;
        match (self.view.is_some(), self.nearest) {
            (_, 0) => {}
            (false, 1..BATCH) => simd.run(Rank::<D, false, BATCH> { search, boids, limits }),
            (true, 1..BATCH) => simd.run(Rank::<D, true, BATCH> { search, boids, limits }),
            // Many are rarely asked for, and share one kernel.
            (_, _) => simd.run(Rank::<D, true, FULL> { search, boids, limits }),
        }
    }
}

/// A chunk of boids finds its limits, with a capacity of `N` distances.
struct Rank<'a, const D: usize, const ANGLE: bool, const N: usize> {
    search: NearestSearch<'a>,
    boids: Range<usize>,
    limits: &'a mut SearchLimits,
}

impl<const D: usize, const ANGLE: bool, const N: usize> Task for Rank<'_, D, ANGLE, N> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { search, boids, limits } = self;
        let (flock, first, reach2) = (search.flock, boids.start, F::splat(search.reach * search.reach));
        for boids in flock.blocks(boids, F::WIDTH) {
            let slot = boids.start - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let view = FieldOfView::new(block.velocity(), search.view);
            let ranking: Ranking<F, D, ANGLE> = Ranking { block: &block, view, metric: search.metric };
            let window = flock.window(block.bounds(), search.reach);
            let mut smallest: Smallest<F, N> = Smallest::new(search.nearest + 1, reach2);
            for (run, shift) in flock.runs(window) {
                if window.is_ambiguous || shift != Shift::default() {
                    ranking.rank::<true, N>(run, &mut smallest);
                } else {
                    ranking.rank::<false, N>(run, &mut smallest);
                }
            }
            limits.store(slot, smallest.limit(reach2));
        }
    }
}

/// How far each boid of a chunk looks for neighbors: as far as the nearest few are, or as the rules reach.
#[derive(Debug)]
pub(crate) struct SearchLimits {
    /// Neighbors have a squared distance (u²) below this; 0 marks a boid that a kernel cannot resolve.
    squared: [f32; SLOTS],
    /// Whether the limits may be shorter than the reach of the rules.
    is_limited: bool,
}

impl SearchLimits {
    /// No limits. `is_limited` announces that each boid gets one.
    pub(crate) fn new(is_limited: bool) -> Self {
        Self { squared: [f32::INFINITY; SLOTS], is_limited }
    }

    #[inline(always)]
    pub(crate) fn load<F: Lanes>(&self, slot: usize) -> F {
        F::load(&self.squared[slot..])
    }

    #[inline(always)]
    pub(crate) fn store<F: Lanes>(&mut self, slot: usize, squared: F) {
        squared.store(&mut self.squared[slot..]);
    }

    /// The radius in which these boids have all their neighbors.
    #[inline(always)]
    pub(crate) fn radius(&self, slots: Range<usize>, reach: f32) -> f32 {
        if !self.is_limited {
            return reach;
        }
        let max = self.squared[slots].iter().fold(0.0, |max, &squared| if squared > max { squared } else { max });
        max.sqrt()
    }

    /// Leaves boids to the scalar search.
    pub(crate) fn mark_unresolved(&mut self, slots: Range<usize>) {
        self.squared[slots].fill(0.0);
    }

    pub(crate) fn is_unresolved(&self, slot: usize) -> bool {
        self.squared[slot] == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH2: f32 = 1e4;

    /// The limit as found with networks or by insertion.
    fn limit<const N: usize>(nearest: usize, networks: bool, squared: &[f32]) -> f32 {
        let mut smallest = Smallest::<f32, N>::new(nearest + 1, REACH2);
        for squared in squared.chunks(BATCH) {
            let mut batch = [f32::INFINITY; BATCH];
            batch[..squared.len()].copy_from_slice(squared);
            if networks { smallest.merge(batch) } else { smallest.add(batch) }
        }
        smallest.limit(REACH2)
    }

    #[test]
    fn networks_and_insertion_find_the_nearest() {
        fn check<const N: usize>(nearest: usize, networks: bool) {
            for many in [200, 997_u16] {
                let mut squared: Vec<f32> =
                    (1..=many).map(|k| 1.0 + (u32::from(k) * 81 % u32::from(many)) as f32).rev().collect();
                squared.push(f32::INFINITY);
                let limit = limit::<N>(nearest, networks, &squared);
                squared.sort_by(f32::total_cmp);
                assert_eq!(limit, squared[nearest], "{nearest} of {many}");
                assert_eq!(squared.iter().filter(|&&d2| d2 < limit).count(), nearest, "below {limit} of {many}");
            }
        }
        (1..BATCH).for_each(|nearest| check::<BATCH>(nearest, true));
        (1..BATCH).for_each(|nearest| check::<BATCH>(nearest, false));
        (1..FULL).for_each(|nearest| check::<FULL>(nearest, false));
    }

    #[test]
    fn both_networks_sort() {
        // The 0-1 principle: a network that sorts all zeros and ones sorts everything.
        for bits in 0..256_u16 {
            let mut batch: [f32; BATCH] = std::array::from_fn(|slot| f32::from(bits >> slot & 1));
            let changes = batch.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let mut bitonic = batch;
            sort(&mut batch, &SORT);
            sort(&mut bitonic, &SORT_BITONIC);
            assert!(batch.is_sorted() && (changes > 2 || bitonic.is_sorted()), "{bits:b}");
        }
    }

    #[test]
    fn the_limit_is_the_reach_if_there_are_too_few() {
        let squared = [7e4, 10.0, f32::INFINITY, 20.0, 50.0, 30.0];
        for networks in [false, true] {
            assert_eq!(limit::<BATCH>(3, networks, &squared[..4]), REACH2);
            assert_eq!(limit::<BATCH>(4, networks, &squared), REACH2);
            assert_eq!(limit::<BATCH>(2, networks, &squared), 30.0);
        }
    }

    #[test]
    fn ties_and_coincident_boids_are_unresolved() {
        for networks in [false, true] {
            for squared in [[5.0, 9.0, 9.0, 30.0], [9.0; 4], [0.0; 4], [0.0, 1e-25, 1e-24, 7.0]] {
                assert_eq!(limit::<BATCH>(2, networks, &squared), 0.0, "{squared:?}");
            }
            assert_eq!(limit::<BATCH>(2, networks, &[5.0, 5.0, 9.0, 9.0]), 9.0);
            assert_eq!(limit::<BATCH>(2, networks, &[5.0, REACH2, REACH2]), REACH2, "the radius itself is outside");
        }
    }
}
