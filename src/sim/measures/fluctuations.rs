//! Fluctuations in a flock: the exponent of number fluctuations (Toner & Tu 1995; Narayan et al. 2007; Chaté et al. 2008, Phys. Rev. E
//! 77, 046113), and the correlation length of velocity fluctuations (Cavagna et al. 2010, PNAS 107, 11865).

use std::ops::Range;

use super::{Analyzer, count, over_every};
use crate::sim::agents::Kind;
use crate::sim::flock::Flock;
use crate::sim::math::{Wide, join, should_parallelize};
use crate::sim::params::Edge;
use crate::sim::world::Metric;

/// Into how many boxes each side is divided. Larger boxes would hold so much of the flock that `Δn` is limited by `N`.
const DIVISIONS: [usize; 11] = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/// The numbers of boids in boxes of several sizes, over the ticks of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberFluctuations {
    ticks: u64,
    sizes: Vec<BoxSize>,
    /// Scratch: the number of boids in each box.
    counts: Vec<u32>,
}

/// Boxes of one size.
#[derive(Clone, Copy, Debug)]
struct BoxSize {
    divisions: usize,
    /// Sum over ticks of the mean number of boids.
    means: f64,
    /// Sum over ticks of the variance of the number between boxes.
    variances: f64,
}

impl NumberFluctuations {
    /// Counts the boids of a tick. The boxes divide the world if it wraps, else the bounding box of the boids.
    pub(super) fn add(&mut self, flock: &Flock) {
        let dim = flock.world().dim();
        if self.ticks == 0 {
            let at_least_one = DIVISIONS.into_iter().filter(|divisions| divisions.pow(dim as u32) <= flock.boids());
            self.sizes = at_least_one.map(|divisions| BoxSize { divisions, means: 0.0, variances: 0.0 }).collect();
        }
        self.ticks += 1;
        let prey = prey(flock);
        let (low, high) = bounds(flock, &prey);
        for size in &mut self.sizes {
            let boxes = size.divisions.pow(dim as u32);
            self.counts.clear();
            self.counts.resize(boxes, 0);
            for position in &prey {
                let box_of = (0..dim).fold(0, |index, axis| {
                    let share = (position[axis] - low[axis]) / (high[axis] - low[axis]);
                    // A share of NaN, from boids on a line, is in the first box.
                    index * size.divisions + ((share * size.divisions as f32) as usize).min(size.divisions - 1)
                });
                self.counts[box_of] += 1;
            }
            let squares: u64 = self.counts.iter().map(|count| u64::from(*count).pow(2)).sum();
            let mean = prey.len() as f64 / boxes as f64;
            size.means += mean;
            size.variances += squares as f64 / boxes as f64 - mean.powi(2);
        }
    }

    /// The slope of `ln Δn` over `ln n`, by least squares; NaN with fewer than two sizes of boxes.
    pub(super) fn exponent(&self) -> f64 {
        let ticks = self.ticks as f64;
        let counted = self.sizes.iter().filter(|size| size.means > 0.0 && size.variances > 0.0);
        let points: Vec<[f64; 2]> =
            counted.map(|size| [(size.means / ticks).ln(), 0.5 * (size.variances / ticks).ln()]).collect();
        let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
        let (x, y) = (mean(0), mean(1));
        let sum = |term: fn(f64, f64) -> f64| points.iter().map(|point| term(point[0] - x, point[1] - y)).sum::<f64>();
        sum(|x, y| x * y) / sum(|x, _| x * x)
    }
}

fn prey(flock: &Flock) -> Vec<[f32; 3]> {
    let agents = flock.agents();
    let kinds = agents.kinds().iter().enumerate().filter(|(_, kind)| **kind == Kind::Prey);
    kinds.map(|(index, _)| agents.position_array(index)).collect()
}

fn bounds(flock: &Flock, prey: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    if flock.params().edge.mode == Edge::Wrap {
        return (flock.world().origin(), flock.world().size());
    }
    let extreme =
        |of: fn(f32, f32) -> f32| [0, 1, 2].map(|axis| prey.iter().map(|at| at[axis]).reduce(of).unwrap_or(0.0));
    (extreme(f32::min), extreme(f32::max))
}

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

/// Velocity fluctuations, and the pairs of boids to correlate.
struct VelocityFluctuations<'a, const D: usize> {
    analyzer: &'a Analyzer,
    metric: Metric,
    of_boids: Vec<Wide<f32, D>>,
    /// The step between boids that are paired with all others.
    every: usize,
    parallel: bool,
}

impl Analyzer {
    /// The distance at which `C(r) = Σ u_i·u_j / n(r)` over the pairs at distance `r` first reaches 0, in u, with
    /// `u_i = v_i − Σv/N`. Pairs have one of about `sample` boids. 0 without fluctuations.
    pub(super) fn correlation_length<const D: usize>(&self, flock: &Flock, sample: usize) -> f32 {
        let prey = &self.prey.agents;
        let mean = over_every(prey.len(), 1, |index| prey.velocity_array(index).map(f64::from));
        let mean = Wide::<f32, D>::splat(mean.map(|total| (total / count(prey.len())) as f32));
        let of_boids: Vec<_> = (0..prey.len()).map(|index| Wide::splat(prey.velocity_array(index)) - mean).collect();
        let [variance] = over_every(prey.len(), 1, |index| [f64::from(of_boids[index].length_squared())]);
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

    /// The pairs of a boid: with all others, or, if all boids are sampled, with those after it.
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
