//! Topological neighbours: the nearest few of those who are seen inside the perception radius.
//!
//! Who is nearer comes first, and of equals the one with the least id (Ballerini et al. 2008, *Interaction ruling animal
//! collective behavior depends on topological rather than metric distance*).

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::params::MAX_NEAREST;
use super::simd::{Lanes, MOST_LANES};

/// How many are put in order at a time.
const BATCH: usize = 8;

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

/// The least squared distances so far, a lane each, in ascending order; room for the most that `MOST` says.
///
/// Where fewer are asked for, the first places hold less than any distance, so that the last one is always the limit.
/// Up to a batch are kept by networks: no branches, and fewer comparisons than to put each in its place. More are kept
/// by putting each in its place.
struct Least<F, const MOST: usize> {
    squares: [F; MOST],
    /// The first place that counts.
    first: usize,
}

impl<F: Lanes, const MOST: usize> Least<F, MOST> {
    /// Room for `count` up to `limit` (u²).
    #[inline(always)]
    fn new(count: usize, limit: F) -> Self {
        let mut squares = [limit; MOST];
        let first = MOST.saturating_sub(count);
        squares[..first].fill(F::splat(f32::NEG_INFINITY));
        Self { squares, first }
    }

    /// The squared distance of the last one; where there are fewer, what it was at first.
    #[inline(always)]
    fn limit(&self) -> F {
        self.squares[MOST - 1]
    }

    /// Takes a batch of squared distances, none of them beyond the limit.
    #[inline(always)]
    fn merge(&mut self, batch: &[F; BATCH]) {
        if MOST > BATCH {
            for &d2 in batch {
                if F::any(d2.lt(self.limit())) {
                    self.insert(d2);
                }
            }
            return;
        }
        let mut batch = *batch;
        sort(&mut batch, &SORT);
        // The lesser of both, one read backwards, are the least of all.
        let mut place = 0;
        while place < BATCH {
            batch[place] = batch[place].min(self.squares[(MOST - 1).saturating_sub(place)]);
            place += 1;
        }
        sort(&mut batch, &SORT_BITONIC);
        self.squares.copy_from_slice(&batch[..MOST.min(BATCH)]);
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
}

/// How many the list of [`Nearest`] has room for: twice as many as can belong to the nearest of any lane, but for ties.
const ROOM: usize = 2 * MAX_NEAREST as usize * MOST_LANES;

/// Those who may belong to the nearest few of any lane's boid, in the order in which they came.
///
/// Who is told apart here by a branch is guessed wrong every other time, which costs more than all else: hence everyone
/// is written to the end of the list, and the list grows by those who may belong.
pub(super) struct Nearest<F> {
    /// Where they stand in memory.
    places: [u32; ROOM],
    /// The squared distances of those at the end of the list who have not been put in order.
    batch: [F; BATCH],
}

/// How far [`Nearest`] have been found.
pub(super) struct Found<F, const MOST: usize> {
    least: Least<F, MOST>,
    /// How many are listed.
    listed: usize,
    /// How many of them have been put in order.
    ranked: usize,
    /// Whether too many stand equally far for the list.
    crowded: bool,
}

impl<F: Lanes, const MOST: usize> Found<F, MOST> {
    /// Nobody; `count` are asked for, up to the squared distance `limit` (u²).
    #[inline(always)]
    pub(super) fn nobody(count: usize, limit: F) -> Self {
        Self { least: Least::new(count, limit), listed: 0, ranked: 0, crowded: false }
    }

    /// The squared distance of the last of the nearest, when all have been taken.
    #[inline(always)]
    pub(super) fn limit(&self) -> F {
        self.least.limit()
    }

    /// Whether the list is full, and wants to be sifted.
    #[inline(always)]
    pub(super) fn fills_the_list(&self) -> bool {
        self.listed == ROOM
    }

    /// Whether so many stand equally far that those who belong are not told.
    #[inline(always)]
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded
    }
}

impl<F: Lanes> Nearest<F> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { places: [0; ROOM], batch: [F::splat(0.0); BATCH] }
    }

    /// The places of those who may belong, in order.
    #[inline(always)]
    pub(super) fn places<const MOST: usize>(&self, found: &Found<F, MOST>) -> impl Iterator<Item = usize> {
        self.places[..found.listed].iter().map(|&place| place as usize)
    }

    /// Takes the one at this place, where its squared distance says that it may belong; no number does not. The list
    /// must not be full.
    #[inline(always)]
    pub(super) fn take<const MOST: usize>(&mut self, found: &mut Found<F, MOST>, place: usize, d2: F) {
        let limit = found.least.limit();
        self.places[found.listed] = place as u32;
        self.batch[(found.listed - found.ranked) % BATCH] = d2.min(limit);
        found.listed += usize::from(F::any(d2.le(limit)));
        if found.listed - found.ranked == BATCH {
            found.least.merge(&self.batch);
            found.ranked = found.listed;
        }
    }

    /// Puts all in order who have been taken, and leaves those who may still belong.
    #[inline(always)]
    pub(super) fn sift<const MOST: usize>(&mut self, found: &mut Found<F, MOST>, squares: &impl Squares<F>) {
        if found.listed > found.ranked {
            self.batch[found.listed - found.ranked..].fill(found.least.limit());
            found.least.merge(&self.batch);
        }
        let (limit, mut kept) = (found.least.limit(), 0);
        for index in 0..found.listed {
            let place = self.places[index];
            self.places[kept] = place;
            kept += usize::from(F::any(squares.square(place as usize).le(limit)));
        }
        found.crowded |= kept > ROOM / 2;
        found.listed = if found.crowded { 0 } else { kept };
        found.ranked = found.listed;
    }
}

/// How far others are; not a closure, which would not be compiled for a kind of SIMD.
pub(super) trait Squares<F> {
    /// The squared distance of the one at this place where it is seen; infinite elsewhere.
    fn square(&self, place: usize) -> F;
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

/// The nearest few by squared distance and id, for one boid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking {
    ranks: [(f32, u32); MAX_NEAREST as usize],
    len: usize,
    count: usize,
}

impl Ranking {
    /// Room for `count`.
    pub(super) fn new(count: usize) -> Self {
        Self { ranks: [(0.0, 0); MAX_NEAREST as usize], len: 0, count }
    }

    /// Takes one more, where it belongs to the nearest.
    pub(super) fn take(&mut self, d2: f32, id: u32) {
        let place = self.ranks[..self.len].partition_point(|rank| *rank < (d2, id));
        if place == self.count {
            return;
        }
        self.len = (self.len + 1).min(self.count);
        self.ranks.copy_within(place..self.len - 1, place + 1);
        self.ranks[place] = (d2, id);
    }

    /// Whether one of whom all have been taken belongs to the nearest.
    pub(super) fn has(&self, d2: f32, id: u32) -> bool {
        self.len < self.count || (d2, id) <= self.ranks[self.count - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Squares<f32> for &[f32] {
        fn square(&self, place: usize) -> f32 {
            self[place % self.len()]
        }
    }

    /// The squared distance of the last of the nearest, and who may belong.
    fn find<const MOST: usize>(count: usize, reach2: f32, squares: &[f32]) -> (f32, Vec<usize>) {
        let (mut nearest, mut found) = (Nearest::new(), Found::<f32, MOST>::nobody(count, reach2));
        for (place, &d2) in squares.iter().enumerate() {
            nearest.take(&mut found, place, d2);
            if found.fills_the_list() {
                nearest.sift(&mut found, &squares);
            }
        }
        nearest.sift(&mut found, &squares);
        assert!(!found.is_crowded());
        (found.limit(), nearest.places(&found).collect())
    }

    #[test]
    fn both_ways_find_the_nearest_whatever_comes_in_whatever_order() {
        fn check<const MOST: usize>(count: usize) {
            for many in [200, 9973_u16] {
                let mut squares: Vec<f32> =
                    (0..many).map(|k| (u32::from(k) * 80 % u32::from(many - 1)) as f32).rev().collect();
                squares.extend([f32::NAN, f32::INFINITY]);
                let mut ranking = Ranking::new(count);
                // Who is out of reach, or nowhere, is never ranked.
                let near = (0..).zip(&squares).filter(|(_, d2)| **d2 < 1e6);
                near.for_each(|(id, &d2)| ranking.take(d2, id));
                let mut sorted: Vec<(f32, usize)> = squares.iter().copied().zip(0..).collect();
                sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(a.0.is_nan().cmp(&b.0.is_nan())));
                let limit = sorted[count - 1].0;
                let belong: Vec<usize> = (0..squares.len()).filter(|&place| squares[place] <= limit).collect();
                assert_eq!(find::<MOST>(count, 1e6, &squares), (limit, belong));
                assert!(sorted[..count].iter().all(|&(d2, id)| ranking.has(d2, id as u32)));
                assert!(sorted[count..].iter().all(|&(d2, id)| !ranking.has(d2, id as u32)));
            }
        }
        (1..=8).for_each(check::<8>);
        (9..=64).for_each(check::<64>);
    }

    #[test]
    fn a_crowd_of_equals_is_told() {
        let (mut nearest, mut found) = (Nearest::new(), Found::<f32, 8>::nobody(7, 50.0));
        for place in 0..3 * ROOM {
            nearest.take(&mut found, place, 1.0);
            if found.fills_the_list() {
                nearest.sift(&mut found, &[1.0].as_slice());
            }
        }
        assert!(found.is_crowded());
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
        let squares = [70.0, 10.0, f32::INFINITY, 20.0, 50.0, 30.0];
        assert_eq!(find::<8>(3, 49.0, &squares[..4]), (49.0, vec![1, 3]));
        assert_eq!(find::<8>(3, 49.0, &squares), (30.0, vec![1, 3, 5]));
    }
}
