//! The correlation length of velocity fluctuations (Cavagna et al. 2010, PNAS 107, 11865).

use std::ops::Range;

use super::{Analyzer, count};
use crate::sim::flock::Flock;
use crate::sim::math::{Wide, join, should_parallelize};
use crate::sim::world::Metric;

/// The number of boids whose pairs are added up before their sum joins the total. The order of sums is fixed.
const CHUNK: usize = 256;
/// Bits of the mantissa of a squared distance that its bin has, beside the exponent: a bin is 0.8 to 1.6 % wide.
const BITS: u32 = 5;
/// Bins of equal ratio fit a flock of any size and with any stray, without a pass that finds its extent.
const BINS: usize = 1 << (8 + BITS);

/// The pairs at about one distance.
#[derive(Clone, Copy, Default)]
struct Bin {
    pairs: f64,
    squared_distance: f64,
    product: f64,
}

impl Bin {
    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.squared_distance += other.squared_distance;
        self.product += other.product;
    }
}

/// Velocity fluctuations, and which pairs of boids count.
struct VelocityFluctuations<'a, const D: usize> {
    analyzer: &'a Analyzer,
    metric: Metric,
    of_boids: Vec<Wide<f32, D>>,
    /// Every so many boids are paired with all.
    every: usize,
    parallel: bool,
}

impl Analyzer {
    /// The distance at which `C(r) = Σ u_i·u_j / n(r)` over the pairs at distance `r` first reaches 0, in u, with
    /// `u_i = v_i − Σv/N`. Pairs have one of about `sample` boids. 0 without fluctuations.
    pub(super) fn correlation_length<const D: usize>(&self, flock: &Flock, sample: usize) -> f32 {
        let prey = &self.prey.agents;
        let mean = self.over_every(1, |index| prey.velocity_array(index).map(f64::from));
        let mean = Wide::<f32, D>::splat(mean.map(|total| (total / count(prey.len())) as f32));
        let of_boids: Vec<_> = (0..prey.len()).map(|index| Wide::splat(prey.velocity_array(index)) - mean).collect();
        let [variance] = self.over_every(1, |index| [f64::from(of_boids[index].length_squared())]);
        if variance == 0.0 || prey.len() < 2 {
            return 0.0;
        }
        let (every, parallel) = (self.stride(sample), should_parallelize(prey.len()));
        let fluctuations = VelocityFluctuations { analyzer: self, metric: flock.metric(), of_boids, every, parallel };
        let bins = fluctuations.bins(0..prey.len().div_ceil(every));
        first_zero(variance / count(prey.len()), &bins, count(prey.len())) as f32
    }
}

impl<const D: usize> VelocityFluctuations<'_, D> {
    /// The pairs of a range of the sampled boids.
    fn bins(&self, range: Range<usize>) -> Vec<Bin> {
        if range.len() <= CHUNK {
            let mut bins = vec![Bin::default(); BINS];
            range.for_each(|at| self.add_pairs(at * self.every, &mut bins));
            return bins;
        }
        let middle = range.start + range.len().div_ceil(CHUNK) / 2 * CHUNK;
        let (mut sum, right) = join(self.parallel, || self.bins(range.start..middle), || self.bins(middle..range.end));
        sum.iter_mut().zip(&right).for_each(|(sum, bin)| sum.add(bin));
        sum
    }

    /// The pairs of a boid: with all others, or if all boids are sampled with those after it.
    fn add_pairs(&self, index: usize, bins: &mut [Bin]) {
        let prey = &self.analyzer.prey.agents;
        let (at, own): (Wide<f32, D>, _) = (prey.position(index), self.of_boids[index]);
        let first = if self.every == 1 { index + 1 } else { 0 };
        for other in (first..prey.len()).filter(|other| *other != index) {
            let squared_distance = self.metric.offset(at, prey.position(other)).length_squared();
            let bin = (squared_distance.to_bits() >> (23 - BITS)) as usize & (BINS - 1);
            bins[bin].add(&Bin {
                pairs: 1.0,
                squared_distance: f64::from(squared_distance),
                product: f64::from(own.dot(self.of_boids[other])),
            });
        }
    }
}

/// The first zero of the correlation function, between the points of bins that are joined until they have `min_pairs`.
/// `variance` is its value at distance 0.
fn first_zero(variance: f64, bins: &[Bin], min_pairs: f64) -> f64 {
    let (mut distance, mut correlation) = (0.0, variance);
    let last = bins.iter().rposition(|bin| bin.pairs > 0.0);
    let mut joined = Bin::default();
    for (index, bin) in bins.iter().enumerate() {
        joined.add(bin);
        let is_complete = joined.pairs >= min_pairs || Some(index) == last;
        if !is_complete {
            continue;
        }
        let next = ((joined.squared_distance / joined.pairs).sqrt(), joined.product / joined.pairs);
        if next.1 <= 0.0 {
            return distance + (next.0 - distance) * correlation / (correlation - next.1);
        }
        (distance, correlation) = next;
        joined = Bin::default();
    }
    distance
}
