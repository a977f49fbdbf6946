//! Topological neighbours: the nearest few of those who are seen inside the perception radius.
//!
//! Who is nearer comes first, and of equals the one with the least id (Ballerini et al. 2008, *Interaction ruling animal
//! collective behavior depends on topological rather than metric distance*).

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::params::MAX_NEAREST;
use super::simd::Lanes;

/// The least squared distances so far, a lane each, in ascending order; room for the most that `MOST` says.
///
/// Where fewer are asked for, the first places hold less than any distance, so that the last one is always the limit.
#[derive(Clone, Copy)]
pub(super) struct Least<F, const MOST: usize> {
    squares: [F; MOST],
    /// The first place that counts, where there are too many to pass over all.
    first: usize,
}

impl<F: Lanes, const MOST: usize> Least<F, MOST> {
    /// So many places fit into registers, and all of them are passed over without a count.
    const FEW: usize = 8;

    /// Room for `count`, up to but not at `reach2` (u²).
    #[inline(always)]
    pub(super) fn new(count: usize, reach2: f32) -> Self {
        let mut squares = [F::splat(reach2); MOST];
        let idle = MOST.saturating_sub(count);
        squares[..idle].fill(F::splat(f32::NEG_INFINITY));
        Self { squares, first: if MOST <= Self::FEW { 0 } else { idle } }
    }

    /// The squared distance of the last one, or where there are fewer, of the perception radius.
    #[inline(always)]
    pub(super) fn limit(&self) -> F {
        self.squares[MOST - 1]
    }

    /// Takes a squared distance to its place in each lane where it belongs to the least.
    #[inline(always)]
    pub(super) fn take(&mut self, d2: F) {
        // Also where it is no number: then it is the last one again, which changes nothing.
        let d2 = d2.min(self.limit());
        let mut place = MOST - 1;
        while place > self.first {
            self.squares[place] = self.squares[place].min(self.squares[place - 1].max(d2));
            place -= 1;
        }
        self.squares[place] = self.squares[place].min(d2);
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
            let squares: Vec<f32> = (0..200_u16).map(|k| f32::from(k * 7919 % 199)).collect();
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
    fn fewer_than_asked_for_leave_the_limit_at_the_radius() {
        let mut least = Least::<f32, 8>::new(3, 50.0);
        [70.0, 10.0, f32::INFINITY, 20.0, 50.0].into_iter().for_each(|d2| least.take(d2));
        assert_eq!(least.limit(), 50.0);
        least.take(30.0);
        assert_eq!(least.limit(), 30.0);
    }
}
