//! The flight of called boids: arrival, landing, rest and take-off.

use super::{FOREVER, LEAVES, Perches};
use crate::agents::{AgentsMut, Kind, Mood};
use crate::forces::environment::{Environment, take_off};
use crate::forces::perception::NeighborIndex;
use crate::math::Wide;

/// The fraction of `speed.max` within which a boid lands, in u.
const LANDING: f32 = 0.25;

/// The most that the other rules steer, relative to the pull of the perch.
const RULES: f32 = 0.5;

/// A boid at the beginning of a tick, and its perch.
struct CalledBoid<const D: usize> {
    id: u32,
    position: Wide<f32, D>,
    velocity: Wide<f32, D>,
    /// The ticks left to rest on the perch; 0 in flight, and on a roost.
    rest: f32,
    perch: Wide<f32, D>,
    /// Whether it no longer seeks the perch.
    leaves: bool,
}

/// The state of a boid after a tick.
struct Flight<const D: usize> {
    position: Wide<f32, D>,
    velocity: Wide<f32, D>,
    rest: f32,
    leaves: bool,
}

impl Perches {
    /// Moves the boids that are called or at rest, after all other rules. Returns whether any is, or has a number.
    pub(crate) fn advance<const D: usize>(
        &mut self,
        environment: &Environment<'_>,
        neighbors: &NeighborIndex,
        next: &mut AgentsMut<'_>,
    ) -> bool {
        let agents = &neighbors.flock.agents;
        let mut is_used = false;
        let (calm, mut is_struck) = (self.formation.shelter.filter(|_| self.calm > 0.0), false);
        for place in 0..agents.len() {
            let (id, kind) = (agents.ids()[place], agents.kinds()[place]);
            if let (Kind::Predator, Some(shelter)) = (kind, calm) {
                shelter.keep_off::<D>(environment, place, agents, next);
            }
            let Some(perch) = self.perch_of(id).filter(|_| kind != Kind::Predator) else { continue };
            let is_on_perch = kind == Kind::Prey && agents.position_array(place) == perch.at;
            let boid = CalledBoid::<D> {
                id,
                position: agents.position(place),
                velocity: Wide::splat(agents.velocity_array(place)),
                rest: if is_on_perch { agents.mood_of(place).rest() } else { 0.0 },
                perch: Wide::splat(perch.at),
                leaves: self.entry(id) & LEAVES != 0,
            };
            is_used |= !boid.leaves || boid.rest > 0.0;
            if kind == Kind::Caught {
                continue;
            }
            let Some(flight) = boid.advance(environment, neighbors, next.velocity(place), calm.is_some()) else {
                continue;
            };
            next.write(place, flight.position, flight.velocity);
            is_struck |= boid.rest > 0.0 && flight.rest == 0.0 && !flight.leaves;
            // A called boid does not settle on a roost that it passes.
            if flight.rest > 0.0 || boid.rest > 0.0 || next.moods::<f32>(place).rest() > 0.0 {
                next.set_mood(place, Mood::resting(flight.rest));
            }
            if flight.leaves {
                self.by_id[id as usize] |= LEAVES;
            }
        }
        if let Some(shelter) = self.formation.shelter {
            self.calm = shelter.next_calm(self.calm, is_struck);
        }
        is_used || self.has_numbered()
    }
}

impl<const D: usize> CalledBoid<D> {
    /// Its flight in a tick; `None` if it follows the other rules only, which give it this velocity.
    fn advance(
        &self,
        environment: &Environment<'_>,
        neighbors: &NeighborIndex,
        others: Wide<f32, D>,
        is_calm: bool,
    ) -> Option<Flight<D>> {
        if self.leaves && self.rest == 0.0 {
            return None;
        }
        match (self.threat(environment, neighbors, is_calm), self.rest > 0.0) {
            (Some(threat), true) => {
                let (toward, nonzero) = threat.unit();
                let away = -toward * environment.params.speed.max;
                let velocity = if nonzero { away } else { Wide::splat(take_off(environment, self.id)) };
                Some(Flight { velocity, ..self.on_perch(0.0) })
            }
            (None, true) => Some(self.rest_on(environment)),
            (Some(_), false) => None,
            (None, false) => self.arrive(environment, others),
        }
    }

    /// The offset to the nearest predator or to the pointer, if one is nearer than `perch.free`; no predator is while it `is_calm`.
    fn threat(&self, environment: &Environment<'_>, neighbors: &NeighborIndex, is_calm: bool) -> Option<Wide<f32, D>> {
        let (params, free) = (environment.params, environment.params.perch.free);
        let pointer = environment.offset_to_pointer(self.position);
        let mut nearest = pointer.map(|offset| (offset.length_squared(), offset)).filter(|(d2, _)| *d2 < free * free);
        if neighbors.has_predators() && !is_calm {
            let predators = &neighbors.predators;
            predators.within(&environment.metric, self.position, free, |index, offset, d2| {
                let rests = predators.agents.mood_of(index).is_predator_at_rest(params);
                if !rests && nearest.is_none_or(|(least, _)| d2 < least) {
                    nearest = Some((d2, offset));
                }
            });
        }
        nearest.map(|(_, offset)| offset)
    }

    fn on_perch(&self, rest: f32) -> Flight<D> {
        Flight { position: self.position, velocity: Wide::zero(), rest, leaves: self.leaves }
    }

    /// Rests for another tick, or leaves if its time is over.
    fn rest_on(&self, environment: &Environment<'_>) -> Flight<D> {
        let hold = environment.params.perch.hold;
        let left = match self.leaves {
            true => self.rest - 1.0,
            false if hold.is_infinite() => FOREVER,
            false => self.rest.min(hold) - 1.0,
        };
        if left > 0.0 {
            return self.on_perch(left);
        }
        let velocity = Wide::splat(take_off(environment, self.id));
        Flight { velocity, leaves: true, ..self.on_perch(0.0) }
    }

    /// Arrival (Reynolds 1999).
    fn arrive(&self, environment: &Environment<'_>, others: Wide<f32, D>) -> Option<Flight<D>> {
        let params = environment.params;
        let (weight, top_speed, max_force) = (params.perch.weight, params.speed.max, params.limits.max_force);
        if weight == 0.0 {
            return None;
        }
        let offset = environment.metric.offset(self.position, self.perch);
        let (toward, distance) = (offset.unit().0, offset.length());
        let mut braking = 2.0 * top_speed / weight;
        if max_force > 0.0 {
            braking = braking.max(top_speed * top_speed / max_force);
        }
        let share = (distance / braking).min(1.0);
        let arrival = toward * (share * top_speed) - self.velocity;
        let others = (others - self.velocity).limit(RULES * share * top_speed * weight);
        let steering = others + arrival * weight;
        let steering = if max_force > 0.0 { steering.limit(max_force) } else { steering };
        let velocity = (self.velocity + steering).limit(top_speed);
        if (offset - velocity).length() <= LANDING * top_speed {
            let rest = params.perch.hold.min(FOREVER);
            return Some(Flight { position: self.perch, ..self.on_perch(rest) });
        }
        let position = environment.metric.wrap(self.position + velocity);
        Some(Flight { position, velocity, rest: 0.0, leaves: false })
    }
}
