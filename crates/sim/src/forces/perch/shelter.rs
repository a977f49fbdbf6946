//! The rectangle of a formation that predators keep off, except for a strike from time to time.
//!
//! The place of a predator, as the eye sees it, is `p`. Inside the rectangle, `m` is the distance of `p` from the nearest side,
//! `o` the direction across that side and out, and `v` the velocity that all other rules give the predator:
//! `v ← |v| · direction(v + min(1, m / 8|v|) · (|v| o − v))`.

use super::Plane;
use crate::agents::{Agents, AgentsMut};
use crate::forces::BoidLanes;
use crate::forces::environment::Environment;
use crate::math::Wide;

/// How far inside the rectangle predators fly straight out, in ticks of their flight.
const DEPTH: f32 = 8.0;
/// How long a strike lasts, relative to the time between two.
const STRIKE: f32 = 1.0 / 30.0;

/// The rectangle that predators keep off. `Camera::rectangle` of `flockscope-picture` makes one that covers a part of a canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shelter {
    /// The rectangle.
    pub area: Plane,
    /// From its center to the eye that looks at it straight, in u; zero in 2-D.
    pub eye: [f32; 3],
    /// Ticks after the call, and after each strike, in which predators keep off; may be infinite.
    pub calm: f32,
}

impl Shelter {
    /// The ticks of calm that are left after a tick; 0 until a boid is driven off, and below 0 during the strike that begins then.
    pub(super) fn next_calm(&self, calm: f32, is_struck: bool) -> f32 {
        if calm > 0.0 {
            return (calm - 1.0).max(0.0);
        }
        let calm = if is_struck || calm < 0.0 { calm - 1.0 } else { calm };
        if calm < -self.calm * STRIKE { self.calm } else { calm }
    }

    /// Turns a predator away.
    pub(super) fn keep_off<const D: usize>(
        &self,
        environment: &Environment<'_>,
        place: usize,
        agents: &Agents,
        next: &mut AgentsMut<'_>,
    ) {
        let from: Wide<f32, D> = agents.position(place);
        let velocity: Wide<f32, D> = next.velocity(place);
        let offset = environment.metric.offset(Wide::splat(self.area.center), from + velocity);
        let Some((out, depth)) = self.way_out(offset) else { return };
        let speed = velocity.length();
        let share = (depth / (DEPTH * speed)).min(1.0);
        let velocity = (velocity + (out * speed - velocity) * share).unit().0 * speed;
        let BoidLanes { position, velocity } = environment.fly(agents, place, from, velocity);
        next.write(place, position, velocity);
    }

    /// The direction across the nearest side of the rectangle, and the distance from that side, for a place at an offset from the
    /// center; `None` if the place is not seen inside.
    fn way_out<const D: usize>(&self, offset: Wide<f32, D>) -> Option<(Wide<f32, D>, f32)> {
        let eye: Wide<f32, D> = Wide::splat(self.eye);
        let distance = eye.length_squared();
        let left = distance - eye.dot(offset);
        let seen = if distance == 0.0 { offset } else { eye + (offset - eye) * (distance / left) };
        let ways = [self.area.right, self.area.down].map(|side| {
            let (way, side) = (Wide::<f32, D>::splat(side).unit().0, Wide::<f32, D>::splat(side).length());
            let along = way.dot(seen);
            (if along < 0.0 { -way } else { way }, side - along.abs())
        });
        let is_inside = left >= 0.0 && ways.iter().all(|(_, depth)| *depth > 0.0);
        ways.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b)).filter(|_| is_inside)
    }
}
