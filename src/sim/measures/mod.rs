//! Measures of the state of a flock, and their statistics over a run.

mod correlation;
mod distances;
mod fluctuations;
mod groups;
mod hunting;
mod motion;
mod recorder;
mod series;
mod snapshot;
mod table;

use crate::sim::flock::Flock;
use crate::sim::math::{Execution, Wide, pairwise_sum, should_parallelize};
use crate::sim::neighbors::{CellList, Placement};
use crate::sim::simd::Simd;
use crate::sim::world::{Metric, World};
use snapshot::Snapshot;

pub use groups::{Flocks, Group};
pub use recorder::{Recorder, Summary};
pub use series::Series;
pub use table::{Cost, Measure};

/// Measures of the boids, and of the hunt. Caught boids are only part of [`caught`](Self::caught).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Polarization φ, the order parameter: 1 if all headings are equal, near 0 if they are random.
    pub polarization: f32,
    /// Rotation around the center of the flock (milling): 1 if all boids circle it in one direction.
    pub rotation: f32,
    /// Mean speed, in u/tick.
    pub mean_speed: f32,
    /// Standard deviation of speed, in u/tick.
    pub speed_deviation: f32,
    /// Mean distance to the nearest other boid, in u; 0 for a single boid.
    pub nearest_neighbor: f32,
    /// Mean number of other boids within the largest radius of separation, alignment and cohesion.
    pub neighbors: f32,
    /// Number of predators.
    pub predators: usize,
    /// Number of predators with prey in sight that do not rest.
    pub hunting: usize,
    /// Number of predators that rest.
    pub resting: usize,
    /// Number of boids in sight of predators that do not rest.
    pub prey_in_sight: usize,
    /// Number of caught boids that wait to respawn.
    pub caught: usize,
}

/// Measures flocks. It keeps buffers between measurements, but no state.
#[derive(Debug, Default)]
pub struct Analyzer {
    prey: CellList,
    by_id: Vec<u32>,
    parents: Vec<u32>,
    seen: Vec<bool>,
}

impl Analyzer {
    /// An analyzer with empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Measures a flock. Distances and neighbors are means over about `sample` boids, evenly spread over the flock; over
    /// all boids with `usize::MAX`.
    ///
    /// Inside a `rayon` thread pool it uses several threads; the result does not depend on their number.
    pub fn measure(&mut self, flock: &Flock, sample: usize) -> Measures {
        Snapshot::new(self, flock, sample).measures()
    }

    /// The value of a measure; NaN for one of a whole run. `sample` is that of [`measure`](Self::measure).
    pub fn value(&mut self, flock: &Flock, sample: usize, measure: &Measure) -> f64 {
        Snapshot::new(self, flock, sample).value(measure)
    }

    /// The values of several measures, in their order. Work that they share is done once.
    pub fn values(&mut self, flock: &Flock, sample: usize, measures: &[&Measure]) -> Vec<f64> {
        let mut snapshot = Snapshot::new(self, flock, sample);
        measures.iter().map(|measure| snapshot.value(measure)).collect()
    }

    /// Sorts the prey into cells for searches up to `reach`.
    fn sort(&mut self, flock: &Flock, reach: f32) {
        let layout = flock.model().grid(flock.params(), &flock.world(), reach, flock.boids());
        let execution = Execution { simd: Simd::default(), parallel: should_parallelize(flock.agents().len()) };
        self.prey.sort(layout, flock.agents(), [Placement::InCells, Placement::Omitted, Placement::Omitted], execution);
    }

    /// The sum of `term(index)` over every `every`-th boid.
    fn over_every<const N: usize>(&self, every: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        let prey = self.prey.agents.len();
        pairwise_sum(0..prey.div_ceil(every), should_parallelize(prey), &|at| term(at * every))
    }

    /// The step with which about `sample` boids are evenly spread over the flock.
    fn stride(&self, sample: usize) -> usize {
        self.prey.agents.len().div_ceil(sample.max(1)).max(1)
    }

    /// Calls `visit(index, squared distance)` for every other boid within `radius`.
    fn within<const D: usize>(&self, metric: Metric, index: usize, radius: f32, mut visit: impl FnMut(usize, f32)) {
        let at: Wide<f32, D> = self.prey.agents.position(index);
        self.prey.within(&metric, at, radius, |other, _, d2| {
            if other != index {
                visit(other, d2);
            }
        });
    }
}

/// The side of the square or cube per boid, in u.
fn spacing(flock: &Flock) -> f32 {
    let size = flock.world().size();
    let boids = count(flock.boids()) as f32;
    match flock.world() {
        World::Rect(_) => (size[0] * size[1] / boids).sqrt(),
        World::Cuboid(_) | World::Sphere(_) => libm::cbrtf(size[0] * size[1] / boids * size[2]),
    }
}

fn count(number: usize) -> f64 {
    number as f64
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt()
}
