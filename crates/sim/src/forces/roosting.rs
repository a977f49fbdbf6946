//! Rest on roosts.
//!
//! A resting boid does not move. It takes off in a random direction, at the mean of `speed.min` and `speed.max`, when any
//! of these holds:
//!
//! - its time is over;
//! - it sees a predator, or its alarm reaches [`TAKE_OFF`];
//! - the pointer repels it;
//! - passing boids wake it: `|Σ v|` over its alignment neighbors is at least `wake · speed.max`.
//!
//! A drowsy boid that flies over a roost settles with probability `chance` per tick if none of these holds. Its resting
//! time is uniform between 0.5 and 1.5 times `roost.rest`.

use std::ops::Range;

use rand::RngExt;

use super::environment::{Environment, is_drowsy, is_on_roost, take_off};
use super::perception::NeighborIndex;
use super::threat::TAKE_OFF;
use crate::agents::{AgentsMut, Kind, Mood};
use crate::math::{Purpose, Wide};
use crate::params::Perceived;

/// Lets the boids of a chunk settle, rest on or take off, after they have moved.
pub(crate) fn rest<const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    perceived: &Perceived,
    places: Range<usize>,
    chunk: &mut AgentsMut<'_>,
) {
    let (agents, first, roost) = (&neighbors.flock.agents, places.start, &environment.params.roost);
    for place in places.filter(|&place| agents.kinds()[place] == Kind::Prey) {
        let (id, slot) = (agents.ids()[place], place - first);
        let is_disturbed = || {
            (neighbors.has_predators() && perceived.fear.load::<f32, D>(slot).total.nonzero())
                || perceived.alarm[slot] >= TAKE_OFF
                || is_woken::<D>(environment, perceived, slot)
                || environment.repels::<D>(agents.position_array(place))
        };
        let left = agents.mood_of(place).rest();
        if left > 0.0 {
            let takes_off = left <= 1.0 || is_disturbed();
            let (velocity, mood) = if takes_off {
                (take_off(environment, id), Mood::alarmed(perceived.alarm[slot]))
            } else {
                ([0.0; 3], Mood::resting(left - 1.0))
            };
            chunk.write::<f32, D>(place, agents.position(place), Wide::splat(velocity));
            chunk.set_mood(place, mood);
        } else if is_on_roost(environment.zones, chunk.position::<f32, D>(place), &environment.metric) {
            let mut rng = environment.stream(id, Purpose::Rest);
            let settles =
                rng.random::<f32>() < roost.chance && is_drowsy(environment.seed, environment.tick, id, roost.rest);
            if settles && !is_disturbed() {
                chunk.write_velocity::<f32, D>(place, Wide::zero());
                let ticks = (roost.rest * (0.5 + rng.random::<f32>())).max(1.0).floor();
                chunk.set_mood(place, Mood::resting(ticks));
            }
        }
    }
}

/// Whether passing boids wake a boid. With an infinite radius, no boid is passing.
fn is_woken<const D: usize>(environment: &Environment<'_>, perceived: &Perceived, slot: usize) -> bool {
    let threshold = environment.params.roost.wake * environment.params.speed.max;
    let local = environment.params.alignment.radius.is_finite();
    local && threshold > 0.0 && perceived.alignment.load::<f32, D>(slot).total.length() >= threshold
}
