//! Topological neighbors: the nearest few of those who are seen inside the reach.
//!
//! Who is nearer comes first, and of equals the one with the least id (Ballerini et al. 2008, *Interaction ruling animal
//! collective behavior depends on topological rather than metric distance*).
//!
//! A block ranks its candidates by distance alone, each boid in a lane of its own: all that comes of it is how far the
//! first one is who no longer belongs. Nearer than that are the nearest few, whom the kernels then meet as if that were
//! the rules' radius. Where the last few and that one are equally far, ids decide, which takes more care.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::coincidence::COINCIDENT;
use super::field_of_view::FieldOfView;
use super::grid::Shift;
use super::kernel::Block;
use super::query::{NeighborIndex, NeighborQuery};
use super::search_limits::Limits;
use super::simd::{Lanes, Task};
use crate::sim::math::metric::Metric;
use crate::sim::params::MAX_NEAREST;

/// How many are put in order at a time.
const BATCH: usize = 8;
/// Room for the most nearest, and for one who no longer belongs.
const MANY: usize = MAX_NEAREST as usize + 1;

/// Which of a batch are compared, and swapped where the first is greater, to put it in order: the network of Batcher
/// (1968, *Sorting networks and their applications*).
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
/// The same for one that first rises and then falls, or the other way round.
const SORT_BITONIC: [(usize, usize); 12] =
    [(0, 4), (1, 5), (2, 6), (3, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 1), (2, 3), (4, 5), (6, 7)];

/// The least squared distances so far, a lane each, in ascending order; room for `MOST`, at least a batch.
///
/// Where fewer are asked for, the first places hold less than any distance, so that the last one is always the limit.
/// For several boids at once, a batch is kept by networks: no branches, and fewer comparisons than to put each in its
/// place. More are kept by putting each in its place, and so are those of a boid alone, of whom hardly any are near.
struct Least<F, const MOST: usize> {
    squares: [F; MOST],
    /// The first place that counts.
    first: usize,
}

impl<F: Lanes, const MOST: usize> Least<F, MOST> {
    /// Room for `count` below `limit` (u²).
    #[inline(always)]
    fn new(count: usize, limit: F) -> Self {
        let mut squares = [limit; MOST];
        let first = MOST - count;
        squares[..first].fill(F::splat(f32::NEG_INFINITY));
        Self { squares, first }
    }

    /// Takes a batch of squared distances; those beyond the last one change nothing. All must be numbers, but for lanes
    /// without a boid.
    #[inline(always)]
    fn take(&mut self, batch: [F; BATCH]) {
        let (first, second) = (batch[0].min(batch[1]), batch[2].min(batch[3]));
        let (third, fourth) = (batch[4].min(batch[5]), batch[6].min(batch[7]));
        let nearest = first.min(second).min(third.min(fourth));
        if !F::any(nearest.lt(self.squares[MOST - 1])) {
            return;
        }
        if MOST == BATCH && F::WIDTH > 1 {
            self.merge(batch);
        } else {
            for d2 in batch {
                if F::any(d2.lt(self.squares[MOST - 1])) {
                    self.insert(d2);
                }
            }
        }
    }

    /// Keeps the lesser of both, one read backwards: these are the least of all.
    #[inline(always)]
    fn merge(&mut self, mut batch: [F; BATCH]) {
        sort(&mut batch, &SORT);
        let mut place = 0;
        while place < BATCH {
            batch[place] = batch[place].min(self.squares[MOST - 1 - place]);
            place += 1;
        }
        sort(&mut batch, &SORT_BITONIC);
        self.squares.copy_from_slice(&batch);
    }

    /// Moves a squared distance to its place.
    #[inline(always)]
    fn insert(&mut self, d2: F) {
        let mut place = MOST - 1;
        while place > self.first {
            self.squares[place] = self.squares[place].min(self.squares[place - 1].max(d2));
            place -= 1;
        }
        self.squares[place] = self.squares[place].min(d2);
    }

    /// Below which squared distance those stand who belong, where the last place is that of the first who does not; 0
    /// where it alone does not tell.
    #[inline(always)]
    fn limit(&self, reach2: F) -> F {
        let (last, beyond) = (self.squares[MOST - 2], self.squares[MOST - 1]);
        let tied = F::and(beyond.le(last), beyond.lt(reach2));
        let untold = F::or(tied, beyond.le(F::splat(COINCIDENT)));
        F::select(untold, F::splat(0.0), beyond)
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

/// A block that ranks its candidates: in a field of view, where there is an `ANGLE`.
struct RankingBlock<'a, F: Lanes, const D: usize, const ANGLE: bool> {
    block: &'a Block<'a, F, D>,
    gaze: FieldOfView<F, D>,
    metric: Metric,
}

impl<F: Lanes, const D: usize, const ANGLE: bool> RankingBlock<'_, F, D, ANGLE> {
    /// Ranks a run of candidates, each where it stands or, in a torus, in its nearest image if it is met `AROUND`.
    #[inline(always)]
    fn rank<const AROUND: bool, const MOST: usize>(&self, mut run: Range<usize>, least: &mut Least<F, MOST>) {
        while run.len() >= BATCH {
            least.take(self.batch::<AROUND>(run.start..run.start + BATCH));
            run.start += BATCH;
        }
        if !run.is_empty() {
            least.take(self.batch::<AROUND>(run));
        }
    }

    /// The squared distances of at most a batch of candidates; infinite to those who are not seen, to oneself, and
    /// behind the last one.
    #[inline(always)]
    fn batch<const AROUND: bool>(&self, run: Range<usize>) -> [F; BATCH] {
        let mut batch = [F::splat(f32::INFINITY); BATCH];
        let (positions, _) = self.block.agents.run::<D>(run.clone());
        for (place, d2) in batch.iter_mut().enumerate().take(positions.len()) {
            let mut offset = positions.at::<F>(place) - self.block.at;
            if AROUND {
                offset = self.metric.minimum_image(offset);
            }
            *d2 = offset.length_squared();
            if ANGLE {
                let seen = F::or(self.gaze.sees(offset, *d2), d2.le(F::splat(COINCIDENT)));
                *d2 = F::select(seen, *d2, F::splat(f32::INFINITY));
            }
        }
        if self.block.is_among(&run) {
            for (place, d2) in run.zip(&mut batch) {
                *d2 += self.block.itself(place);
            }
        }
        batch
    }
}

/// A chunk of boids ranks those who are near, in a kernel with room for the `MOST` nearest.
struct Rank<'a, const D: usize, const ANGLE: bool, const MOST: usize> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    limits: &'a mut Limits,
}

impl<const D: usize, const ANGLE: bool, const MOST: usize> Task for Rank<'_, D, ANGLE, MOST> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { sight, senses, places, limits } = self;
        let (flock, first, reach2) = (&senses.flock, places.start, F::splat(sight.heed.reach2));
        for places in flock.blocks(places, F::WIDTH) {
            let block: Block<F, D> = Block::new(&flock.agents, places.clone());
            let gaze = FieldOfView::new(block.velocities(), sight.heed.edge);
            let ranking: RankingBlock<F, D, ANGLE> = RankingBlock { block: &block, gaze, metric: sight.metric };
            let window = flock.window(block.bounds(), sight.reach);
            let mut least: Least<F, MOST> = Least::new(sight.heed.nearest + 1, reach2);
            for (run, shift) in flock.runs(window) {
                if window.ambiguous || shift != Shift::default() {
                    ranking.rank::<true, MOST>(run, &mut least);
                } else {
                    ranking.rank::<false, MOST>(run, &mut least);
                }
            }
            limits.store(places.start - first, least.limit(reach2));
        }
    }
}

impl NeighborQuery<'_> {
    /// Finds out how far the nearest few are, where these are asked for.
    pub(crate) fn rank<const D: usize>(&self, senses: &NeighborIndex, places: Range<usize>, limits: &mut Limits) {
        limits.reset(self.heed.nearest > 0);
        macro_rules! ranks {
            ($($pattern:pat => $angle:literal $most:ident,)*) => {
                match (self.heed.edge.is_some(), self.heed.nearest) {
                    (_, 0) => {}
                    $($pattern => self.simd.run(Rank::<D, $angle, $most> { sight: self, senses, places, limits }),)*
                }
            };
        }
        // Room for one more, who no longer belongs. Many are rarely asked for, and have one kernel for any angle.
        ranks! {
            (false, 1..BATCH) => false BATCH,
            (true, 1..BATCH) => true BATCH,
            (_, _) => true MANY,
        }
    }
}

/// The nearest few by squared distance and id, for one boid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranking {
    ranks: [(f32, u32); MAX_NEAREST as usize],
    len: usize,
    count: usize,
}

impl Ranking {
    /// Room for `count`.
    pub(crate) fn new(count: usize) -> Self {
        Self { ranks: [(0.0, 0); MAX_NEAREST as usize], len: 0, count }
    }

    /// Takes one more, where it belongs to the nearest.
    pub(crate) fn take(&mut self, d2: f32, id: u32) {
        let place = self.ranks[..self.len].partition_point(|rank| *rank < (d2, id));
        if place == self.count {
            return;
        }
        self.len = (self.len + 1).min(self.count);
        self.ranks.copy_within(place..self.len - 1, place + 1);
        self.ranks[place] = (d2, id);
    }

    /// Whether one of whom all have been taken belongs to the nearest.
    pub(crate) fn has(&self, d2: f32, id: u32) -> bool {
        self.len < self.count || (d2, id) <= self.ranks[self.count - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH2: f32 = 1e4;

    /// Below which squared distance those stand who belong, found with networks or by putting each in its place.
    fn limit<const MOST: usize>(nearest: usize, networks: bool, squares: &[f32]) -> f32 {
        let mut least = Least::<f32, MOST>::new(nearest + 1, REACH2);
        for squares in squares.chunks(BATCH) {
            let mut batch = [f32::INFINITY; BATCH];
            batch[..squares.len()].copy_from_slice(squares);
            if networks { least.merge(batch) } else { least.take(batch) }
        }
        least.limit(REACH2)
    }

    #[test]
    fn both_ways_find_the_nearest_whatever_comes_in_whatever_order() {
        fn check<const MOST: usize>(nearest: usize, networks: bool) {
            for many in [200, 997_u16] {
                let mut squares: Vec<f32> =
                    (1..=many).map(|k| 1.0 + (u32::from(k) * 81 % u32::from(many)) as f32).rev().collect();
                squares.push(f32::INFINITY);
                let mut ranking = Ranking::new(nearest);
                (0..).zip(&squares).for_each(|(id, &d2)| ranking.take(d2, id));
                let limit = limit::<MOST>(nearest, networks, &squares);
                let belong = squares.iter().filter(|&&d2| d2 < limit).count();
                assert_eq!(belong, nearest, "below {limit} of {many}");
                assert!((0..).zip(&squares).all(|(id, &d2)| ranking.has(d2, id) == (d2 < limit)));
            }
        }
        (1..BATCH).for_each(|nearest| check::<BATCH>(nearest, true));
        (1..BATCH).for_each(|nearest| check::<BATCH>(nearest, false));
        (1..MANY).for_each(|nearest| check::<MANY>(nearest, false));
    }

    #[test]
    fn both_networks_sort() {
        // A network that sorts all zeros and ones sorts everything.
        for bits in 0..256_u16 {
            let mut batch: [f32; BATCH] = std::array::from_fn(|place| f32::from(bits >> place & 1));
            let turns = batch.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let mut bitonic = batch;
            sort(&mut batch, &SORT);
            sort(&mut bitonic, &SORT_BITONIC);
            assert!(batch.is_sorted() && (turns > 2 || bitonic.is_sorted()), "{bits:b}");
        }
    }

    #[test]
    fn fewer_than_asked_for_leave_the_limit_at_the_radius() {
        let squares = [7e4, 10.0, f32::INFINITY, 20.0, 50.0, 30.0];
        for networks in [false, true] {
            assert_eq!(limit::<BATCH>(3, networks, &squares[..4]), REACH2);
            assert_eq!(limit::<BATCH>(4, networks, &squares), REACH2);
            assert_eq!(limit::<BATCH>(2, networks, &squares), 30.0);
        }
    }

    #[test]
    fn who_is_as_far_as_the_last_who_belongs_or_in_the_boids_place_leaves_it_untold() {
        for networks in [false, true] {
            for squares in [[5.0, 9.0, 9.0, 30.0], [9.0; 4], [0.0; 4], [0.0, 1e-25, 1e-24, 7.0]] {
                assert_eq!(limit::<BATCH>(2, networks, &squares), 0.0, "{squares:?}");
            }
            assert_eq!(limit::<BATCH>(2, networks, &[5.0, 5.0, 9.0, 9.0]), 9.0);
            assert_eq!(limit::<BATCH>(2, networks, &[5.0, REACH2, REACH2]), REACH2, "the radius itself is outside");
        }
    }
}
