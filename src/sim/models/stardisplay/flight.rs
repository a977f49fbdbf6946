//! Flight: lift, drag, thrust and weight, and the bank that turns a bird.

use super::{NEWTON, SECOND};
use crate::sim::agents::Agents;
use crate::sim::math::{Wide, cosines_and_sines};
use crate::sim::neighbors::Block;
use crate::sim::simd::Lanes;

/// Gravity, in u/tick².
const GRAVITY: f32 = 9.81 / (SECOND * SECOND);
/// The ratio of lift to drag.
const LIFT_TO_DRAG: f32 = 3.3;
/// The time in which a bird returns to its cruise speed, in ticks.
const SPEED_CONTROL: f32 = SECOND;
/// The rate of rolling into a turn by a lateral force, in radians per tick and N.
const ROLL_IN: f32 = 10.0 / SECOND;
/// The rate of rolling out of a turn, in radians per tick, multiplied by the sine of the bank. The published value is 1 per s,
/// with which flocks of this model break up into many.
const ROLL_OUT: f32 = 4.0 / SECOND;
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

        let lateral = steering.dot(self.side) * self.cosine;
        let bank = self.bank + lateral * F::splat(ROLL_IN) - self.sine * F::splat(ROLL_OUT) + roll;
        (velocity, bank.min(F::splat(MAX_BANK)).max(F::splat(-MAX_BANK)))
    }
}

#[inline(always)]
fn cross<F: Lanes>(a: Wide<F, 3>, b: Wide<F, 3>) -> Wide<F, 3> {
    Wide([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
}
