//! Flight: lift, drag, thrust and weight, and the bank that turns a bird.
//!
//! Escape: a bird near a hunting predator flees it and rolls to the left and back, and its neighbors copy the roll. That
//! wave of agitation is faster than the birds. The remaining fraction of an escape is 1 at its start; at 0, the bird can
//! start again.

use super::{NEWTON, SECOND};
use crate::agents::Agents;
use crate::math::{Wide, cosines_and_sines, cross};
use crate::neighbors::{Block, CellList};
use crate::params::Params;
use crate::simd::Lanes;

/// Gravity, in u/tick².
const GRAVITY: f32 = 9.81 / (SECOND * SECOND);
/// The ratio of lift to drag.
const LIFT_TO_DRAG: f32 = 3.3;
/// The time in which a bird returns to its cruise speed, in ticks.
const SPEED_CONTROL: f32 = SECOND;
/// The rate of rolling by a lateral force that the lift does not balance, in radians per tick and N.
const ROLL: f32 = 10.0 / SECOND;
/// The lift at the cruise speed, in N.
const LIFT: f32 = GRAVITY / NEWTON;
/// The largest bank, in radians.
const MAX_BANK: f32 = 1.5;
/// The largest speed, as a multiple of the cruise speed.
const MAX_SPEED: f32 = 2.0;

/// Birds and their axes, one in each lane.
pub(super) struct Body<F> {
    velocity: Wide<F, 3>,
    bank: F,
    /// The cosine and the sine of the bank.
    cosine: F,
    sine: F,
    /// The direction of flight.
    pub heading: Wide<F, 3>,
    /// The horizontal direction to the right.
    pub side: Wide<F, 3>,
}

impl<F: Lanes> Body<F> {
    #[inline(always)]
    pub(super) fn load(agents: &Agents, block: &Block<'_, F, 3>) -> Self {
        let velocity = block.velocity();
        let bank = F::load_or(&agents.banks()[block.boids.clone()], 0.0);
        let (cos, sin) = cosines_and_sines(bank);
        let (zero, one) = (F::splat(0.0), F::splat(1.0));
        let (heading, moves) = velocity.unit();
        let heading = Wide::select(moves, heading, Wide([one, zero, zero]));
        let (side, is_level) = Wide([heading[2], zero, -heading[0]]).unit();
        let side = Wide::select(is_level, side, Wide([zero, zero, -one]));
        Self { velocity, bank, cosine: cos, sine: sin, heading, side }
    }

    /// The velocity and the bank after a tick, by a steering force in N, an extra roll in radians, and the cruise speed.
    #[inline(always)]
    pub(super) fn advance(&self, steering: Wide<F, 3>, roll: F, cruise: f32) -> (Wide<F, 3>, F) {
        let one = F::splat(1.0);
        let speed = self.velocity.length();
        // A cruise speed of 0 is that of birds that never move.
        let pressure = speed / F::splat(cruise.max(f32::MIN_POSITIVE));
        let pressure = pressure * pressure;
        let control = (F::splat(cruise) - speed) * F::splat(1.0 / SPEED_CONTROL);
        let thrust = (one - pressure) * F::splat(GRAVITY / LIFT_TO_DRAG);

        let level_up = cross(self.side, self.heading);
        let up = level_up * self.cosine + self.side * self.sine;
        let acceleration =
            steering * F::splat(NEWTON) + self.heading * (control + thrust) + up * (pressure * F::splat(GRAVITY));
        let weight = Wide([F::splat(0.0), F::splat(GRAVITY), F::splat(0.0)]);
        let velocity = (self.velocity + acceleration + weight).limit(MAX_SPEED * cruise);

        let unbalanced = steering.dot(self.side) - self.sine * pressure * F::splat(LIFT);
        let bank = self.bank + unbalanced * F::splat(ROLL) + roll;
        (velocity, bank.min(F::splat(MAX_BANK)).max(F::splat(-MAX_BANK)))
    }
}

/// The time from the start of an escape until the next can start, as a multiple of its duration.
const RECOVERY: f32 = 3.0;

/// The course of an escape.
pub(super) struct Escape {
    /// The fraction that passes per tick.
    step: f32,
    /// The remaining fraction at half of the roll.
    half: f32,
    /// The remaining fraction at the end of the roll.
    end: f32,
    /// The remaining fraction when neighbors begin to copy.
    copied: f32,
    /// The change of the bank per tick, in radians.
    roll: f32,
}

impl Escape {
    pub(super) fn new(params: &Params) -> Self {
        let parameters = &params.stardisplay;
        let step = 1.0 / (RECOVERY * parameters.escape);
        // Half a tick of tolerance for the rounding errors of the fraction.
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

    /// Whether others copy birds with this remaining fraction.
    #[inline(always)]
    pub(super) fn is_copied<F: Lanes>(&self, left: F) -> F::Mask {
        F::and(F::splat(self.end).lt(left), left.lt(F::splat(self.copied)))
    }

    /// The remaining fraction after a tick, in which some birds may start to escape, and the roll of that tick in radians.
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

/// The effect of hunting predators on birds.
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
