//! Polarization, rotation and speeds.

use glam::Vec2;

use super::{Analyzer, count, length};
use crate::sim::flock::Flock;
use crate::sim::math::{Circle, Wide, cross};
use crate::sim::params::Edge;

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
