//! Measures of the state of a flock: order, speed, distances and hunting.

mod groups;

use glam::Vec2;

use super::agents::Kind;
use super::flock::Flock;
use super::math::metric::{Circle, Metric};
use super::math::parallel::{Execution, should_parallelize};
use super::math::totals::pairwise_sum;
use super::math::vector::cross;
use super::math::wide::Wide;
use super::neighbors::cell_list::{CellList, Placement};
use super::neighbors::grid::GridLayout;
use super::neighbors::simd::Simd;
use super::params::{Edge, PredatorMode};
use super::world::World;

pub use groups::{Flocks, Group};

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
        match flock.world().dim() {
            2 => self.measure_in::<2>(flock, sample),
            _ => self.measure_in::<3>(flock, sample),
        }
    }

    fn measure_in<const D: usize>(&mut self, flock: &Flock, sample: usize) -> Measures {
        let mut measures = Measures { predators: flock.predators(), caught: flock.caught(), ..Measures::default() };
        self.sort(flock, spacing(flock));
        if flock.boids() > 0 {
            self.motion::<D>(flock, &mut measures);
            self.distances::<D>(flock, sample, &mut measures);
        }
        self.hunters::<D>(flock, &mut measures);
        measures
    }

    /// Sorts the prey into cells for searches up to `reach`.
    fn sort(&mut self, flock: &Flock, reach: f32) {
        let layout = GridLayout::new(&flock.world(), flock.params().edge.mode, reach, flock.boids());
        let execution = Execution { simd: Simd::default(), parallel: should_parallelize(flock.agents().len()) };
        self.prey.sort(layout, flock.agents(), [Placement::InCells, Placement::Omitted, Placement::Omitted], execution);
    }

    /// The sum of `term(index)` over every `every`-th boid.
    fn over_every<const N: usize>(&self, every: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        let prey = self.prey.agents.len();
        pairwise_sum(0..prey.div_ceil(every), should_parallelize(prey), &|at| term(at * every))
    }

    /// Polarization, rotation and speeds.
    fn motion<const D: usize>(&self, flock: &Flock, measures: &mut Measures) {
        let prey = &self.prey.agents;
        let count = count(prey.len());
        let velocity = |index: usize| Wide::<f32, D>::splat(prey.velocity_array(index));
        let [x, y, z, speed, square] = self.over_every(1, |index| {
            let [x, y, z] = velocity(index).unit().0.axes().map(f64::from);
            let speed = f64::from(velocity(index).length());
            [x, y, z, speed, speed * speed]
        });
        measures.polarization = (length([x, y, z]) / count) as f32;
        measures.mean_speed = (speed / count) as f32;
        measures.speed_deviation = (square / count - (speed / count).powi(2)).max(0.0).sqrt() as f32;

        let center = Wide::<f32, D>::splat(self.center(flock));
        let metric = flock.metric();
        let min = center_error(flock);
        let turning = self.over_every(1, |index| {
            let offset = metric.offset(center, prey.position(index));
            let from_center = offset.unit().0.masked(offset.length() > min);
            cross(velocity(index).unit().0, from_center).map(f64::from)
        });
        measures.rotation = (length(turning) / count) as f32;
    }

    /// The mean position; on a torus, the circular mean along each axis.
    fn center(&self, flock: &Flock) -> [f32; 3] {
        let prey = &self.prey.agents;
        let size = flock.world().size();
        let wraps = flock.params().edge.mode == Edge::Wrap;
        std::array::from_fn(|axis| {
            if axis >= prey.dim() {
                return 0.0;
            }
            let at = prey.positions(axis);
            if !wraps {
                let [total] = self.over_every(1, |index| [f64::from(at[index])]);
                return (total / count(prey.len())) as f32;
            }
            let circle = Circle::of(size[axis]);
            let [x, y] = self.over_every(1, |index| circle.point(at[index]).to_array().map(f64::from));
            circle.toward(Vec2::new(x as f32, y as f32))
        })
    }

    /// Nearest-neighbor distance and number of neighbors.
    fn distances<const D: usize>(&self, flock: &Flock, sample: usize, measures: &mut Measures) {
        let metric = flock.metric();
        let every = self.prey.agents.len().div_ceil(sample.max(1)).max(1);
        let sampled = self.prey.agents.len().div_ceil(every);
        let reach = flock.params().perception();
        let [nearest, neighbors] = self.over_every(every, |index| {
            let (mut seen, mut least) = (0.0, f32::INFINITY);
            if reach.is_finite() {
                self.within::<D>(metric, index, reach, |_, d2| {
                    seen += 1.0;
                    least = least.min(d2);
                });
            } else {
                seen = count(self.prey.agents.len()) - 1.0;
            }
            // Without neighbors, the nearest boid is farther away.
            let nearest = if least.is_finite() { least.sqrt() } else { self.nearest::<D>(flock, metric, index) };
            [f64::from(nearest), seen]
        });
        measures.nearest_neighbor = (nearest / count(sampled)) as f32;
        measures.neighbors = (neighbors / count(sampled)) as f32;
    }

    /// The distance to the nearest other boid, at any distance; 0 for a single boid.
    fn nearest<const D: usize>(&self, flock: &Flock, metric: Metric, index: usize) -> f32 {
        let prey = &self.prey.agents;
        let at: Wide<f32, D> = prey.position(index);
        let mut radius = spacing(flock);
        loop {
            let (mut visited, mut least) = (0, f32::INFINITY);
            self.prey.near(at, radius, |other| {
                visited += 1;
                if other != index {
                    least = least.min(metric.offset(at, prey.position(other)).length_squared());
                }
            });
            // A boid beyond the radius is only known to be the nearest if all were visited.
            if least < radius * radius || visited == prey.len() {
                return if least.is_finite() { least.sqrt() } else { 0.0 };
            }
            radius *= 2.0;
        }
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

    /// Numbers of hunting and resting predators, and of prey in sight.
    fn hunters<const D: usize>(&mut self, flock: &Flock, measures: &mut Measures) {
        if flock.predators() == 0 || flock.params().hunt.mode == PredatorMode::Flock {
            return;
        }
        let metric = flock.metric();
        let radius = flock.params().hunt.radius;
        self.seen.clear();
        self.seen.resize(self.prey.agents.len(), false);
        let agents = flock.agents();
        for (index, _) in agents.kinds().iter().enumerate().filter(|(_, kind)| **kind == Kind::Predator) {
            if flock.params().rests(agents.mood(index)) {
                measures.resting += 1;
                continue;
            }
            let at: Wide<f32, D> = agents.position(index);
            let mut sees = false;
            self.prey.within(&metric, at, radius, |other, _, _| {
                self.seen[other] = true;
                sees = true;
            });
            measures.hunting += usize::from(sees);
        }
        measures.prey_in_sight = self.seen.iter().filter(|seen| **seen).count();
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

/// Rounding error of the center, in u, which the circular mean causes; closer boids have no direction from it.
fn center_error(flock: &Flock) -> f32 {
    let wraps = flock.params().edge.mode == Edge::Wrap;
    if wraps { flock.world().size().into_iter().fold(0.0, f32::max) * 1e-6 } else { 0.0 }
}

fn count(number: usize) -> f64 {
    number as f64
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt()
}
