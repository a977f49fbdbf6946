//! The correlation of velocity fluctuations (Cavagna et al. 2010, PNAS 107, 11865).

use std::ops::Range;

use super::{Analyzer, count};
use crate::math::{Wide, join, pairwise_sum, should_parallelize};
use crate::snapshot::Snapshot;
use crate::world::Metric;

/// The number of boids whose pairs are added up before their sum joins the total. The order of sums is fixed.
const CHUNK: usize = 256;
/// Bits of the mantissa of a squared distance that its bin has, beside the exponent: a bin is 0.8 to 1.6 % wide.
const BITS: u32 = 5;
/// Bins of equal ratio fit a flock of any size and with any stray, without a pass that finds its extent.
pub(super) const BINS: usize = 1 << (8 + BITS);
/// The number of bins that a row of a curve joins, which are 3 to 6 % wide together.
pub(super) const BINS_PER_ROW: usize = 4;

/// The pairs at about one distance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairBin {
    pub pairs: f64,
    pub squared_distance: f64,
    /// The sum of `u_i·u_j`, in u²/tick².
    pub product: f64,
}

impl PairBin {
    pub(super) fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.squared_distance += other.squared_distance;
        self.product += other.product;
    }
}

/// The number of the bin of a squared distance.
pub(super) fn bin_of(squared_distance: f32) -> usize {
    (squared_distance.to_bits() >> (23 - BITS)) as usize & (BINS - 1)
}

/// The smallest distance of a bin, in u.
pub(super) fn bin_start(bin: usize) -> f64 {
    f64::from(f32::from_bits((bin as u32) << (23 - BITS))).sqrt()
}

/// The velocity fluctuations `u_i = v_i − Σv/n` in a group of `n` boids.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityPairs {
    /// Number of boids.
    pub boids: usize,
    /// `Σ u_i² / n`, in u²/tick².
    pub variance: f64,
    /// The pairs of boids, by distance.
    pub bins: Vec<PairBin>,
    /// The square of the largest distance of two boids, in u².
    farthest: f32,
}

impl VelocityPairs {
    /// The distance at which the mean of `u_i·u_j` over pairs first reaches 0, in u; 0 without fluctuations.
    pub(super) fn correlation_length(&self) -> f64 {
        if self.variance == 0.0 { 0.0 } else { first_zero(self.variance, &self.bins, count(self.boids)) }
    }

    /// The largest distance of two boids, in u.
    pub(super) fn diameter(&self) -> f64 {
        f64::from(self.farthest).sqrt()
    }
}

impl Analyzer {
    /// The velocity fluctuations of a group, given by the indices of its boids. Pairs have one of about `sample` boids.
    pub(super) fn velocity_pairs<const D: usize>(
        &self,
        flock: Snapshot<'_>,
        members: &[u32],
        sample: usize,
    ) -> VelocityPairs {
        let (prey, boids) = (&self.prey.agents, members.len());
        let velocity = |at: usize| prey.velocity_array(members[at] as usize);
        let mean = pairwise_sum(boids, 1, |at| velocity(at).map(f64::from));
        let mean = Wide::<f32, D>::splat(mean.map(|total| (total / count(boids)) as f32));
        let (positions, fluctuations): (Vec<_>, Vec<_>) =
            (0..boids).map(|at| (prey.position(members[at] as usize), Wide::splat(velocity(at)) - mean)).unzip();
        let [sum] = pairwise_sum(boids, 1, |at| [f64::from(fluctuations[at].length_squared())]);
        let every = boids.div_ceil(sample.max(1)).max(1);
        let pairs =
            Pairs { metric: flock.metric(), positions, fluctuations, every, parallel: should_parallelize(boids) };
        let PairSums { bins, farthest } = pairs.sums(0..boids.div_ceil(every));
        VelocityPairs { boids, variance: sum / count(boids).max(1.0), bins, farthest }
    }
}

/// Boids and their velocity fluctuations, to pair.
struct Pairs<const D: usize> {
    metric: Metric,
    positions: Vec<Wide<f32, D>>,
    fluctuations: Vec<Wide<f32, D>>,
    /// The step between boids that are paired with all others.
    every: usize,
    parallel: bool,
}

/// Sums over pairs.
struct PairSums {
    bins: Vec<PairBin>,
    /// The largest squared distance, in u².
    farthest: f32,
}

impl<const D: usize> Pairs<D> {
    /// The pairs of a range of the sampled boids.
    fn sums(&self, range: Range<usize>) -> PairSums {
        if range.len() <= CHUNK {
            let mut sums = PairSums { bins: vec![PairBin::default(); BINS], farthest: 0.0 };
            range.for_each(|at| self.add_pairs(at * self.every, &mut sums));
            return sums;
        }
        let middle = range.start + range.len().div_ceil(CHUNK) / 2 * CHUNK;
        let (mut sums, right) = join(self.parallel, || self.sums(range.start..middle), || self.sums(middle..range.end));
        sums.bins.iter_mut().zip(&right.bins).for_each(|(sum, bin)| sum.add(bin));
        sums.farthest = sums.farthest.max(right.farthest);
        sums
    }

    /// The pairs of a boid: with all others, or, if all boids are sampled, with those after it.
    fn add_pairs(&self, index: usize, sums: &mut PairSums) {
        let (at, own) = (self.positions[index], self.fluctuations[index]);
        let first = if self.every == 1 { index + 1 } else { 0 };
        for other in (first..self.positions.len()).filter(|other| *other != index) {
            let squared_distance = self.metric.offset(at, self.positions[other]).length_squared();
            sums.farthest = sums.farthest.max(squared_distance);
            sums.bins[bin_of(squared_distance)].add(&PairBin {
                pairs: 1.0,
                squared_distance: f64::from(squared_distance),
                product: f64::from(own.dot(self.fluctuations[other])),
            });
        }
    }
}

/// The first zero of the correlation function, between the points of bins that are joined until they have `min_pairs`.
/// `variance` is its value at distance 0.
fn first_zero(variance: f64, bins: &[PairBin], min_pairs: f64) -> f64 {
    let (mut distance, mut correlation) = (0.0, variance);
    let last = bins.iter().rposition(|bin| bin.pairs > 0.0);
    let mut joined = PairBin::default();
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
        joined = PairBin::default();
    }
    distance
}
