//! What each boid adds to measures, computed over SIMD lanes.

use std::ops::Range;

use crate::math::{join, should_parallelize};
use crate::neighbors::CellList;
use crate::simd::{Lanes, Simd, Task};

/// The number of boids that a thread computes at a time.
const CHUNK: usize = 2048;

/// Some numbers of each boid.
pub(super) trait Terms<const N: usize>: Copy + Send {
    /// The numbers of a block of boids.
    fn of<F: Lanes>(&self, prey: &CellList, boids: Range<usize>) -> [F; N];
}

/// Columns of numbers, with a row for each boid in the order of memory.
#[derive(Debug, Default)]
pub(super) struct TermColumns([Vec<f32>; 4]);

impl TermColumns {
    /// Computes the terms of all boids. Returns a column for each number.
    pub(super) fn fill<const N: usize>(&mut self, prey: &CellList, terms: impl Terms<N>) -> [&[f32]; N] {
        let boids = prey.agents.len();
        let mut columns = self.0.iter_mut();
        let columns = std::array::from_fn(|_| {
            let column = columns.next().expect("there are as many columns as terms");
            column.resize(boids, 0.0);
            column.as_mut_slice()
        });
        Fill { prey, first: 0, columns, terms }.run_on_all_threads();
        std::array::from_fn(|index| self.0[index].as_slice())
    }
}

/// Computes the terms of adjacent boids.
struct Fill<'a, T, const N: usize> {
    prey: &'a CellList,
    first: usize,
    columns: [&'a mut [f32]; N],
    terms: T,
}

impl<T: Terms<N>, const N: usize> Fill<'_, T, N> {
    fn run_on_all_threads(self) {
        let Self { prey, first, columns, terms } = self;
        let boids = columns[0].len();
        if boids <= CHUNK {
            return Simd::default().run(Self { prey, first, columns, terms });
        }
        let middle = boids / 2;
        let mut right = columns;
        let left = right.each_mut().map(|column| {
            let (left, rest) = std::mem::take(column).split_at_mut(middle);
            *column = rest;
            left
        });
        let part = |first, columns| move || Fill { prey, first, columns, terms }.run_on_all_threads();
        join(should_parallelize(prey.agents.len()), part(first, left), part(first + middle, right));
    }
}

impl<T: Terms<N>, const N: usize> Task for Fill<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { prey, first, mut columns, terms } = self;
        for boids in prey.blocks(first..first + columns[0].len(), F::WIDTH) {
            let rows = boids.start - first..boids.end - first;
            let numbers = terms.of::<F>(prey, boids);
            for (column, numbers) in columns.iter_mut().zip(numbers) {
                numbers.store_slice(&mut column[rows.clone()]);
            }
        }
    }
}
