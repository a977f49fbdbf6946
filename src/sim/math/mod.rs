//! Vectors, random numbers, sums with a fixed order, and how work is executed.

mod execution;
mod random;
mod trigonometry;
mod wide;

use std::ops::Range;

pub use execution::StageTimes;
pub(crate) use execution::{Execution, MIN_PARALLEL, Stage, Stopwatch, join, should_parallelize, threads};
pub(crate) use random::{Purpose, first_numbers, murmur_mix, stream};
pub(crate) use trigonometry::{Circle, cosines_and_sines};
pub(crate) use wide::{Wide, cross, direction, direction_in_space, from_axes, perpendicular};

/// The number of agents that are added up before their sum joins the total. The order of sums is part of the model.
const CHUNK: usize = 1024;

/// The sum of `term(index)` over the agents in `order`, in chunks.
pub(crate) fn sum<const N: usize>(order: &[u32], term: impl Fn(usize) -> [f64; N]) -> [f64; N] {
    let chunks = order.chunks(CHUNK);
    add_up(chunks.map(|chunk| add_up(chunk.iter().map(|&index| term(index as usize)))))
}

/// The pairwise sum (Higham 1993) of `term(index)` over chunks of a range, on several threads if `parallel`.
pub(crate) fn pairwise_sum<const N: usize>(
    range: Range<usize>,
    parallel: bool,
    term: &(impl Fn(usize) -> [f64; N] + Sync),
) -> [f64; N] {
    if range.len() <= CHUNK {
        return add_up(range.map(term));
    }
    let middle = range.start + range.len().div_ceil(CHUNK) / 2 * CHUNK;
    let half = |range| move || pairwise_sum(range, parallel, term);
    let (left, right) = join(parallel, half(range.start..middle), half(middle..range.end));
    add_up([left, right].into_iter())
}

fn add_up<const N: usize>(terms: impl Iterator<Item = [f64; N]>) -> [f64; N] {
    terms.fold([0.0; N], |sum, term| std::array::from_fn(|k| sum[k] + term[k]))
}
