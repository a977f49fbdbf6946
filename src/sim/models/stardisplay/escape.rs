//! Escape: a bird near a hunting predator flees it and rolls to the left and back, and its neighbors copy the roll. That
//! wave of agitation is faster than the birds.
//!
//! What is left of an escape is 1 when it starts, and decreases to 0, when the bird can start again.

use crate::sim::math::Wide;
use crate::sim::neighbors::{Block, CellList};
use crate::sim::params::Params;
use crate::sim::simd::Lanes;

/// The time from the start of an escape until the next can start, as a multiple of its duration.
const RECOVERY: f32 = 3.0;

/// The course of an escape.
pub(super) struct Escape {
    /// What passes of it per tick.
    step: f32,
    /// What is left at half of the roll.
    half: f32,
    /// What is left at the end of the roll.
    end: f32,
    /// What is left when neighbors begin to copy.
    copied: f32,
    /// The change of the bank per tick, in radians.
    roll: f32,
}

impl Escape {
    pub(super) fn new(params: &Params) -> Self {
        let parameters = &params.stardisplay;
        let step = 1.0 / (RECOVERY * parameters.escape);
        // Half a tick of tolerance for the rounding errors of what is left.
        let after = |ticks: f32| 1.0 - (ticks - 0.5) * step;
        Self {
            step,
            half: after(0.5 * parameters.escape),
            end: after(parameters.escape),
            // One more tick passes until the copy.
            copied: after(parameters.reaction - 1.0),
            roll: 2.0 * parameters.roll.to_radians() / parameters.escape,
        }
    }

    /// Whether others copy a bird that has this much left.
    #[inline(always)]
    pub(super) fn is_copied(&self, left: f32) -> bool {
        left > self.end && left < self.copied
    }

    /// What is left after a tick, in which some birds may start to escape, and the roll of that tick in radians.
    #[inline(always)]
    pub(super) fn advance<F: Lanes>(&self, before: F, starts: F::Mask) -> (F, F) {
        let (zero, one, roll) = (F::splat(0.0), F::splat(1.0), F::splat(self.roll));
        let left = before - F::splat(self.step);
        let left = F::select(left.lt(F::splat(0.5 * self.step)), zero, left);
        let left = F::select(F::and(starts, before.le(zero)), one, left);
        let turn = F::select(F::splat(self.half).lt(left), -roll, roll);
        (left, F::select(F::splat(self.end).lt(left), turn, zero))
    }
}

/// What hunting predators do to birds.
pub(super) struct Threat<F: Lanes> {
    /// The force away from them, in N.
    pub force: Wide<F, 3>,
    /// Whether one is near.
    pub is_near: F::Mask,
}

impl<F: Lanes> Threat<F> {
    #[inline(always)]
    pub(super) fn of(block: &Block<'_, F, 3>, predators: &CellList, params: &Params) -> Self {
        let radius = params.flee.radius;
        let (mut force, mut nearest) = (Wide::zero(), F::splat(f32::INFINITY));
        for (run, _) in predators.runs(predators.window(block.bounds(), radius)) {
            for index in run.filter(|&index| !predators.agents.mood_of(index).is_predator_at_rest(params)) {
                let offset = Wide::splat(predators.agents.position_array(index)) - block.position;
                let d2 = offset.length_squared();
                let closeness = F::splat(1.0) - d2.sqrt() * F::splat(1.0 / radius.max(f32::MIN_POSITIVE));
                force += (offset.unit().0 * -closeness).masked(d2.lt(F::splat(radius * radius)));
                nearest = d2.min(nearest);
            }
        }
        Self { force: force * F::splat(params.flee.weight), is_near: nearest.lt(F::splat(radius * radius)) }
    }
}
