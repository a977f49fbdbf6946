//! Topological neighbours: the nearest few of those who are seen inside the perception radius.
//!
//! Who is nearer comes first, and of equals the one with the least id (Ballerini et al. 2008, *Interaction ruling animal
//! collective behavior depends on topological rather than metric distance*).

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::params::MAX_NEAREST;
use super::simd::Lanes;

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
/// Up to a batch are kept by networks, a batch of newcomers at a time: no branches, and fewer comparisons than to put
/// each in its place. More are kept by putting each in its place.
#[derive(Clone, Copy)]
pub(super) struct Least<F, const MOST: usize> {
    squares: [F; MOST],
    /// The first place that counts.
    first: usize,
    /// Newcomers who have not been put in order.
    batch: [F; BATCH],
    waiting: usize,
    reach2: F,
}

impl<F: Lanes, const MOST: usize> Least<F, MOST> {
    /// Room for `count`, up to but not at `reach2` (u²).
    #[inline(always)]
    pub(super) fn new(count: usize, reach2: f32) -> Self {
        let reach2 = F::splat(reach2);
        let mut squares = [reach2; MOST];
        let first = MOST.saturating_sub(count);
        squares[..first].fill(F::splat(f32::NEG_INFINITY));
        Self { squares, first, batch: [reach2; BATCH], waiting: 0, reach2 }
    }

    /// The squared distance of the last one, or where there are fewer, of the perception radius, when all are taken.
    #[inline(always)]
    pub(super) fn limit(&mut self) -> F {
        if self.waiting > 0 {
            self.batch[self.waiting..].fill(self.reach2);
            self.merge();
        }
        self.squares[MOST - 1]
    }

    /// Takes a squared distance, where it may belong to the least; one that is no number does not.
    #[inline(always)]
    pub(super) fn take(&mut self, d2: F) {
        if MOST > BATCH {
            if F::any(d2.lt(self.squares[MOST - 1])) {
                self.insert(d2.min(self.squares[MOST - 1]));
            }
            return;
        }
        self.batch[self.waiting] = d2.min(self.reach2);
        self.waiting += 1;
        if self.waiting == BATCH {
            self.merge();
        }
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

    /// Merges a batch in: the lesser of both, one read backwards, are the least of all.
    #[inline(always)]
    fn merge(&mut self) {
        self.waiting = 0;
        let mut batch = self.batch;
        sort(&mut batch, &SORT);
        let mut place = 0;
        while place < BATCH {
            batch[place] = batch[place].min(self.squares[(MOST - 1).saturating_sub(place)]);
            place += 1;
        }
        sort(&mut batch, &SORT_BITONIC);
        self.squares.copy_from_slice(&batch[..MOST.min(BATCH)]);
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

    #[test]
    fn both_ways_keep_the_least_whatever_comes_in_whatever_order() {
        fn check<const MOST: usize>(count: usize) {
            let squares: Vec<f32> = (0..200_u16).map(|k| f32::from(k * 80 % 199)).collect();
            let (mut least, mut ranking) = (Least::<f32, MOST>::new(count, 100.0), Ranking::new(count));
            for (id, &d2) in (0..).zip(&squares) {
                least.take(d2);
                least.take(f32::NAN);
                ranking.take(d2, id);
            }
            let mut sorted: Vec<(f32, u32)> = squares.iter().copied().zip(0..).collect();
            sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(least.limit(), sorted[count - 1].0);
            assert!(sorted[..count].iter().all(|&(d2, id)| ranking.has(d2, id)));
            assert!(sorted[count..].iter().all(|&(d2, id)| !ranking.has(d2, id)));
        }
        (1..=8).for_each(check::<8>);
        (9..=64).for_each(check::<64>);
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
        let mut least = Least::<f32, 8>::new(3, 50.0);
        for d2 in [70.0, 10.0, f32::INFINITY, 20.0, 50.0] {
            least.take(d2);
        }
        assert_eq!(least.limit(), 50.0);
        least.take(30.0);
        assert_eq!(least.limit(), 30.0);
    }
}
