//! Polarization, rotation and speeds of the boids, the distances to their neighbors, and the predators that see them.

use glam::Vec2;

use super::{Analyzer, count, length, spacing};
use crate::sim::agents::Kind;
use crate::sim::flock::Flock;
use crate::sim::math::{Circle, Wide, cross};
use crate::sim::params::{Edge, PredatorMode};
use crate::sim::world::Metric;

/// Order and speeds of the boids.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub polarization: f32,
    pub mean_speed: f32,
    pub speed_deviation: f32,
}

impl Analyzer {
    pub(super) fn motion<const D: usize>(&self) -> Motion {
        let prey = &self.prey.agents;
        let count = count(prey.len());
        let [x, y, z, speed, square] = self.over_every(1, |index| {
            let velocity = Wide::<f32, D>::splat(prey.velocity_array(index));
            let [x, y, z] = velocity.unit().0.axes().map(f64::from);
            let speed = f64::from(velocity.length());
            [x, y, z, speed, speed * speed]
        });
        Motion {
            // Rounding of unit vectors may add up to more than 1.
            polarization: (length([x, y, z]) / count).min(1.0) as f32,
            mean_speed: (speed / count) as f32,
            speed_deviation: (square / count - (speed / count).powi(2)).max(0.0).sqrt() as f32,
        }
    }

    /// `|Σ ĉ × v̂| / N` (Couzin et al. 2002), with the unit vectors `ĉ` from the center of the flock and `v̂` of the velocity.
    pub(super) fn rotation<const D: usize>(&self, flock: &Flock) -> f32 {
        let prey = &self.prey.agents;
        let center = Wide::<f32, D>::splat(self.center(flock));
        let metric = flock.metric();
        let min = center_error(flock);
        let turning = self.over_every(1, |index| {
            let velocity = Wide::<f32, D>::splat(prey.velocity_array(index));
            let offset = metric.offset(center, prey.position(index));
            let from_center = offset.unit().0.masked(offset.length() > min);
            cross(velocity.unit().0, from_center).map(f64::from)
        });
        (length(turning) / count(prey.len())) as f32
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
}

/// Rounding error of the center, in u, which the circular mean causes; closer boids have no direction from it.
fn center_error(flock: &Flock) -> f32 {
    let wraps = flock.params().edge.mode == Edge::Wrap;
    if wraps { flock.world().size().into_iter().fold(0.0, f32::max) * 1e-6 } else { 0.0 }
}

/// The neighborhood of a boid, on average.
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

/// Numbers of agents in the hunt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HuntCounts {
    pub hunting: usize,
    pub resting: usize,
    pub prey_in_sight: usize,
}

impl Analyzer {
    pub(super) fn hunt<const D: usize>(&mut self, flock: &Flock) -> HuntCounts {
        let mut hunt = HuntCounts::default();
        if flock.predators() == 0 || flock.params().hunt.mode == PredatorMode::Flock {
            return hunt;
        }
        let metric = flock.metric();
        let radius = flock.params().hunt.radius;
        self.seen.clear();
        self.seen.resize(self.prey.agents.len(), false);
        let agents = flock.agents();
        for (index, _) in agents.kinds().iter().enumerate().filter(|(_, kind)| **kind == Kind::Predator) {
            if agents.mood_of(index).is_predator_at_rest(flock.params()) {
                hunt.resting += 1;
                continue;
            }
            let at: Wide<f32, D> = agents.position(index);
            let mut sees = false;
            self.prey.within(&metric, at, radius, |other, _, _| {
                self.seen[other] = true;
                sees = true;
            });
            hunt.hunting += usize::from(sees);
        }
        hunt.prey_in_sight = self.seen.iter().filter(|seen| **seen).count();
        hunt
    }
}
