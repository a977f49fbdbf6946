//! Alarmed boids take on the velocity of alarmed neighbors.

use crate::params::{FRACTION, Lanes, RADIUS, Steered, WEIGHT, Wide, number, rule};

rule! {
    /// Alarm spreads from boid to boid when a predator hunts.
    alarm: Alarm, Predators, |_, perceived| perceived.is_alarmed => {
        => |params, predators| predators > 0 && params.has_alarm();
        spread: f32 = 0.0, "alarm.spread", FRACTION, "Fraction of the strongest alarm nearby that a boid takes on, so that alarm runs through the flock; 0 turns it off.", "panic scare wave";
        weight: f32 = 0.2, "alarm.weight", WEIGHT, "How strongly alarmed boids follow the flight of others.", "panic scare" as Weight;
        radius: f32 = 15.0, "alarm.radius", RADIUS, "Distance within which boids alarm each other.";
        decay: f32 = 0.15, "alarm.decay", number("/tick", 0.0, 1.0, 0.01), "How fast boids calm down: the fraction of its alarm that a boid loses per tick.";
        speed: f32 = 0.3, "alarm.speed", number("", 0.0, 10.0, 0.05), "Extra maximum speed of fully alarmed boids, as a fraction of speed.max.";
    }
}

impl Alarm {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        let flight = boids.perceived.flight.load(boids.slot);
        let alarm = F::load(&boids.perceived.alarm[boids.slot..]);
        let has_neighbors = F::splat(0.0).lt(flight.count);
        let difference = flight.total * (F::splat(1.0) / flight.count) - boids.velocity;
        (difference * (alarm * F::splat(self.weight))).masked(has_neighbors)
    }
}
