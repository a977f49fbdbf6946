//! Fluctuations of the number of boids in boxes (Toner & Tu 1995; Narayan et al. 2007; Chaté et al. 2008, Phys. Rev. E 77, 046113).

use crate::agents::Kind;
use crate::params::Edge;
use crate::snapshot::Snapshot;

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
    pub(super) fn add(&mut self, flock: Snapshot<'_>) {
        let dim = flock.world.dim();
        if self.ticks == 0 {
            let at_least_one = DIVISIONS.into_iter().filter(|divisions| divisions.pow(dim as u32) <= flock.boids());
            self.sizes = at_least_one.map(|divisions| BoxSize { divisions, means: 0.0, variances: 0.0 }).collect();
        }
        self.ticks += 1;
        let prey: Vec<[f32; 3]> =
            flock.agents.iter().filter(|row| row.kind == Kind::Prey).map(|row| row.position).collect();
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

    /// For each size of boxes the boxes on a side of the world, and the mean and the standard deviation of the number of boids.
    pub(super) fn rows(&self) -> impl Iterator<Item = [f64; 3]> {
        let ticks = self.ticks as f64;
        self.sizes.iter().map(move |size| [size.divisions as f64, size.means / ticks, (size.variances / ticks).sqrt()])
    }

    /// The slope of `ln Δn` over `ln n`, by least squares; NaN with fewer than two sizes of boxes.
    pub(super) fn exponent(&self) -> f64 {
        let counted = self.rows().filter(|[_, mean, deviation]| *mean > 0.0 && *deviation > 0.0);
        let points: Vec<[f64; 2]> =
            counted.map(|[_, mean, deviation]| [libm::log(mean), libm::log(deviation)]).collect();
        let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
        let (x, y) = (mean(0), mean(1));
        let sum = |term: fn(f64, f64) -> f64| points.iter().map(|point| term(point[0] - x, point[1] - y)).sum::<f64>();
        sum(|x, y| x * y) / sum(|x, _| x * x)
    }
}

fn bounds(flock: Snapshot<'_>, prey: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    if flock.params.edge.mode == Edge::Wrap {
        return (flock.world.origin(), flock.world.size());
    }
    let extreme =
        |of: fn(f32, f32) -> f32| [0, 1, 2].map(|axis| prey.iter().map(|at| at[axis]).reduce(of).unwrap_or(0.0));
    (extreme(f32::min), extreme(f32::max))
}
