//! Distances to the nearest neighbor, and numbers of neighbors.

use super::{Analyzer, count, spacing};
use crate::sim::flock::Flock;
use crate::sim::math::Wide;
use crate::sim::world::Metric;

/// What is around a boid, on average.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Distances {
    pub nearest_neighbor: f32,
    pub neighbors: f32,
}

impl Analyzer {
    /// Means over about `sample` boids.
    pub(super) fn distances<const D: usize>(&self, flock: &Flock, sample: usize) -> Distances {
        let metric = flock.metric();
        let every = self.stride(sample);
        let sampled = self.prey.agents.len().div_ceil(every);
        let reach = flock.model().perception(flock.params());
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
        Distances {
            nearest_neighbor: (nearest / count(sampled)) as f32,
            neighbors: (neighbors / count(sampled)) as f32,
        }
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
}
