//! The density along the mean heading.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Average;
use crate::math::Circle;
use crate::measures::Measurement;
use crate::measures::largest::{mean, vector};

/// The number of slabs that a wrapping world is cut into.
const SLABS_OF_WORLD: f64 = 64.0;
/// The number of slabs that a flock is cut into at the first tick.
const SLABS_OF_FLOCK: f64 = 32.0;

/// `density_profile`.
#[derive(Debug, Default)]
pub(super) struct DensityProfile {
    ticks: f64,
    /// The thickness of a slab, in u; set at the first tick.
    thickness: f64,
    /// The number of boids in each slab; slab 0 begins at the center.
    slabs: BTreeMap<i64, f64>,
}

impl Average for DensityProfile {
    fn add(&mut self, measurement: &mut Measurement<'_>) {
        let (offsets, thickness) =
            if measurement.flock.metric().wraps() { of_world(measurement) } else { of_flock(measurement) };
        if self.thickness == 0.0 {
            self.thickness = thickness;
        }
        self.ticks += 1.0;
        for offset in offsets {
            let slab = (offset / self.thickness.max(f64::MIN_POSITIVE)).floor();
            *self.slabs.entry(slab as i64).or_default() += 1.0;
        }
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        let of_ticks = self.ticks * self.thickness;
        let rows = self.slabs.iter().map(|(slab, boids)| vec![(*slab as f64 + 0.5) * self.thickness, boids / of_ticks]);
        rows.collect()
    }
}

/// The offsets of all boids from their circular mean along one axis of a wrapping world, and the thickness of slabs.
fn of_world(measurement: &mut Measurement<'_>) -> (Vec<f64>, f64) {
    let (prey, flock) = (&measurement.analyzer.prey.agents, measurement.flock);
    let heading =
        mean(&(0..prey.len()).map(|at| vector(prey.velocity_array(at)).normalize_or_zero()).collect::<Vec<_>>());
    let axis = if flock.world.dim() == 2 { heading.abs().with_z(0.0) } else { heading.abs() }.max_position();
    let (side, positions, metric) = (flock.world.size()[axis], prey.positions(axis), flock.metric());
    let center = Circle::of(side).mean(positions.iter().copied()).into();
    let offsets = positions.iter().map(|&at| metric.exact_offset(axis, center, at.into()) * heading[axis].signum());
    (offsets.collect(), f64::from(side) / SLABS_OF_WORLD)
}

/// The offsets of the boids of the largest flock from its center along its mean heading, and the thickness of slabs.
fn of_flock(measurement: &mut Measurement<'_>) -> (Vec<f64>, f64) {
    let largest = measurement.largest();
    let heading = largest.mean_heading().normalize_or(DVec3::X);
    let offsets: Vec<f64> = largest.offsets.iter().map(|offset| offset.dot(heading)).collect();
    let extreme = |of: fn(f64, f64) -> f64| offsets.iter().copied().reduce(of).unwrap_or(0.0);
    let extent = extreme(f64::max) - extreme(f64::min);
    // A single boid has no extent.
    let thickness = if extent > 0.0 { extent / SLABS_OF_FLOCK } else { 1.0 };
    (offsets, thickness)
}
