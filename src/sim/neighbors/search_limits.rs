//! Up to where boids heed others, for a chunk of them at a time.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::perceived::ROOM;
use super::simd::Lanes;

/// How far the boids of a chunk heed others, where that is not as far as the rules reach.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Below which squared distance each of them does; 0 where that alone does not tell.
    squares: [f32; ROOM],
    is_set: bool,
}

impl Limits {
    pub const NONE: Self = Self { squares: [0.0; ROOM], is_set: false };

    /// Begins anew: with limits, all of which are to be stored, or without.
    pub fn reset(&mut self, is_set: bool) {
        self.is_set = is_set;
    }

    /// Those of the boids from `index` on; none where there are none.
    #[inline(always)]
    pub fn load<F: Lanes>(&self, index: usize) -> F {
        if self.is_set { F::load(&self.squares[index..]) } else { F::splat(f32::INFINITY) }
    }

    /// How far a block of the chunk has to look; `reach` where there are no limits.
    #[inline(always)]
    pub fn radius(&self, block: Range<usize>, reach: f32) -> f32 {
        if !self.is_set {
            return reach;
        }
        let mut most = 0.0;
        for &square in &self.squares[block] {
            most = if square > most { square } else { most };
        }
        most.sqrt()
    }

    /// Writes those of the boids from `index` on; lanes without a boid write over what comes next.
    #[inline(always)]
    pub fn store<F: Lanes>(&mut self, index: usize, squares: F) {
        squares.store(&mut self.squares[index..]);
    }

    /// Whether the limit of the boid at `index` does not tell whom it heeds.
    pub fn is_untold(&self, index: usize) -> bool {
        self.is_set && self.squares[index] == 0.0
    }
}
