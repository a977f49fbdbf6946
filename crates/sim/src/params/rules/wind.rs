//! Constant wind.

use crate::params::{Lanes, MAX_WEIGHT, Steered, Wide, acceleration, rule};

rule! {
    /// Constant wind.
    wind: Wind, World, |_, _| true => {
        x: f32 = 0.0, "wind.x", acceleration(-MAX_WEIGHT), "How strongly wind carries boids to the right; negative to the left." => Never;
        y: f32 = 0.0, "wind.y", acceleration(-MAX_WEIGHT), "How strongly wind carries boids down; negative up." => Never;
        z: f32 = 0.0, "wind.z", acceleration(-MAX_WEIGHT), "How strongly wind carries boids away from the viewer, in 3-D worlds; negative toward the viewer." => Never as Depth;
    }
}

impl Wind {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, _: &Steered<'_, F, D>) -> Wide<F, D> {
        Wide::splat([self.x, self.y, self.z])
    }
}
