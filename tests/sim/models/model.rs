//! The model: one tick as the page has it, over all pairs, stage by stage.

use super::vector::Vector;
use flockscope::sim::{
    AlignmentResponse, Cruise, Edge, Falloff, HuntTarget, Kind, Params, Perches, Pointer, PredatorMode, Response, Row,
    Wind, World, Zone,
};
use std::collections::BTreeMap;
use std::ops::Add;

/// The largest share of boids that may be in doubt, and so left out.
const MOST_DOUBTFUL: f64 = 0.03;

/// How small a sum may be, as a share of its terms, before its direction is in doubt.
const CANCEL_DOUBT: f64 = 1e-3;

/// How near to a line in space, in u, they may.
const LINE_DOUBT: f64 = 2e-3;

/// How near to half a wrapping world, as a share of it, they may take different ways round.
const HALF_WAY_DOUBT: f64 = 1e-5;

/// How near to a radius, as a share of it, `f32` and `f64` may decide differently.
pub const RADIUS_DOUBT: f64 = 2e-5;

#[derive(Clone, Copy, Debug)]
pub struct Bird {
    pub id: u32,
    pub kind: Kind,
    pub at: Vector,
    pub velocity: Vector,
    pub mood: f64,
}

impl From<&Row> for Bird {
    fn from(row: &Row) -> Self {
        let (at, velocity) = (row.position.into(), row.velocity.into());
        Self { id: row.id, kind: row.kind, at, velocity, mood: row.mood.into() }
    }
}

/// Number of boids per event.
#[derive(Clone, Debug, Default)]
pub struct Tally(pub BTreeMap<&'static str, usize>);

impl Tally {
    pub fn mark(&mut self, name: &'static str, happened: bool) {
        *self.0.entry(name).or_default() += usize::from(happened);
    }

    pub fn add(&mut self, other: &Self) {
        other.0.iter().for_each(|(name, count)| *self.0.entry(name).or_default() += count);
    }

    pub fn count(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Asserts that each of these happened to at least `least` boids.
    pub fn assert_saw(&self, names: &[&str], least: usize) {
        for name in names {
            assert!(
                self.count(name) >= least,
                "{name} happened {} times, less than {least}: {self:?}",
                self.count(name)
            );
        }
    }

    pub fn assert_never_saw(&self, name: &str) {
        assert_eq!(self.count(name), 0, "{name} happened: {self:?}");
    }

    pub fn assert_few_doubts(&self, case: &str) {
        let (doubtful, compared) = (self.count("doubtful") as f64, self.count("compared") as f64);
        assert!(doubtful <= MOST_DOUBTFUL * (doubtful + compared), "{case}: too many boids in doubt: {self:?}");
    }
}

/// Whom a boid senses, by rule.
#[derive(Default)]
pub struct Seen {
    /// Offsets to separation's neighbors.
    pub pushing: Vec<Vector>,
    /// Velocities of alignment's neighbors, by how much each counts; and what that adds up to.
    pub fellows: Vec<Vector>,
    pub fellowship: f64,
    /// Offsets to cohesion's neighbors.
    pub pulling: Vec<Vector>,
    pub pull: f64,
    /// Offsets to other species' boids inside cohesion's radius.
    pub strangers: Vec<Vector>,
    /// Offsets to the predators fled.
    pub feared: Vec<Vector>,
    /// Ids of the prey in sight and offsets to it.
    pub prey: Vec<(u32, Vector)>,
    /// Offsets to all prey, in sight or not.
    pub all_prey: Vec<Vector>,
    /// How many were near enough not to be drawn to.
    pub spared: usize,
    pub doubtful: bool,
}

impl Seen {
    pub fn within(&mut self, distance: f64, radius: f32) -> bool {
        let radius = f64::from(radius);
        self.doubtful |= (distance - radius).abs() < RADIUS_DOUBT * radius;
        distance < radius
    }

    /// The sum of terms; where they cancel out, its direction is in doubt.
    fn direction_of(&mut self, terms: &[Vector]) -> Option<Vector> {
        let sum: Vector = terms.iter().sum();
        let length: f64 = terms.iter().map(|term| term.length()).sum();
        self.doubtful |= sum.length() < CANCEL_DOUBT * length;
        sum.direction()
    }
}

/// The next state of a boid.
pub struct Prediction {
    pub at: Vector,
    pub velocity: Vector,
    pub mood: f64,
    /// The axes on which it bounces with a random restitution; there `velocity` is the one before the bounce.
    pub bounced: [bool; 3],
    pub tally: Tally,
    pub doubtful: bool,
}

pub struct Model<'a> {
    pub params: &'a Params,
    pub world: World,
    pub birds: Vec<Bird>,
    /// What fills the world as the tick begins.
    pub zones: Vec<Zone>,
    pub pointer: Option<Pointer>,
    /// The perches as the tick begins.
    pub perches: Option<Perches>,
}

impl<'a> Model<'a> {
    pub fn new(params: &'a Params, world: World, rows: &[Row]) -> Self {
        let birds = rows.iter().map(Bird::from).collect();
        Self { params, world, birds, zones: Vec::new(), pointer: None, perches: None }
    }

    /// One tick of one bird. `considered`: the ids left by the neighbor cap.
    pub fn predict(&self, me: &Bird, considered: Option<&[u32]>) -> Prediction {
        let mut next = Prediction {
            at: me.at,
            velocity: me.velocity,
            mood: me.mood,
            bounced: [false; 3],
            tally: Tally::default(),
            doubtful: false,
        };
        let is_considered = considered.map(<[u32]>::to_vec).or_else(|| self.considered(me, &mut next));
        let mut seen = self.sense(me, is_considered.as_deref());
        tally_seen(&seen, &mut next.tally);
        next.mood = self.mood(me, &seen, &mut next);
        next.velocity = me.velocity + self.steer(me, &mut seen, &mut next);
        next.doubtful |= seen.doubtful;
        self.turn(me, &mut next);
        self.limit(me, &mut next);
        next.at = me.at + next.velocity;
        self.contain(&mut next);
        self.keep_out(&mut next);
        self.fly_to_perch(me, &mut next);
        next
    }

    pub fn hunts(&self, bird: &Bird) -> bool {
        bird.kind == Kind::Predator && self.params.hunt.mode == PredatorMode::Hunt
    }

    /// How fast a bird may fly in this tick; `alarm` is what its own is when the tick ends.
    pub fn speed_limit(&self, bird: &Bird, alarm: f64) -> f64 {
        if self.rests(bird) {
            return self.resting_speed(bird);
        }
        let haste = if self.alarms() { 1.0 + f64::from(self.params.alarm.speed) * alarm.max(0.0) } else { 1.0 };
        if self.hunts(bird) { self.params.hunt.speed.into() } else { f64::from(self.params.speed.max) * haste }
    }

    pub fn size(&self) -> Vector {
        self.world.size().into()
    }

    pub fn margin(&self) -> f64 {
        f64::from(self.params.edge.margin)
    }

    // --- sense

    /// Offset between two places; in a wrapping world the shortest on each axis.
    pub fn offset(&self, from: Vector, to: Vector, seen: &mut Seen) -> Vector {
        let mut offset = to - from;
        if self.params.edge.mode == Edge::Wrap {
            for axis in 0..self.world.dim() {
                let (size, along) = (self.size().0[axis], &mut offset.0[axis]);
                *along -= size * (*along / size).round();
                let half_way = (along.abs() - size / 2.0).abs() < HALF_WAY_DOUBT * size;
                seen.doubtful |= half_way && offset.length() < f64::from(self.farthest_sight());
            }
        }
        offset
    }

    fn farthest_sight(&self) -> f32 {
        let Params { separation, alignment, cohesion, flee, hunt, .. } = self.params;
        [separation.radius, alignment.radius, cohesion.radius, flee.radius, hunt.radius].into_iter().fold(0.0, f32::max)
    }

    fn sense(&self, me: &Bird, considered: Option<&[u32]>) -> Seen {
        let mut seen = Seen::default();
        for other in self.birds.iter().filter(|other| other.id != me.id) {
            let offset = self.offset(me.at, other.at, &mut seen);
            if self.hunts(me) {
                if other.kind == Kind::Prey && !self.rests(me) {
                    seen.all_prey.push(offset);
                    if seen.within(offset.length(), self.params.hunt.radius) {
                        seen.prey.push((other.id, offset));
                    }
                }
                continue;
            }
            let is_near = other.kind == Kind::Predator
                && !self.rests(other)
                && seen.within(offset.length(), self.params.flee.radius);
            if is_near && self.sees(me, offset, &mut seen.doubtful) {
                seen.feared.push(offset);
            }
            if !self.hunts(other) {
                let is_considered = considered.is_none_or(|ids| ids.contains(&other.id));
                self.sense_fellow(me, other, offset, is_considered, &mut seen);
            }
        }
        seen
    }

    /// The cap bears on finite radii alone.
    fn sense_fellow(&self, me: &Bird, other: &Bird, offset: Vector, is_considered: bool, seen: &mut Seen) {
        let Params { separation, alignment, cohesion, species, .. } = self.params;
        let (distance, is_kin) = (offset.length(), self.same_species(me, other));
        let share = if is_kin { 1.0 } else { f64::from(species.follow) };
        if is_considered && seen.within(distance, separation.radius) {
            seen.pushing.push(offset);
        }
        if (is_considered || alignment.radius.is_infinite()) && seen.within(distance, alignment.radius) {
            seen.fellows.push(other.velocity * share);
            seen.fellowship += share;
        }
        if (is_considered || cohesion.radius.is_infinite()) && seen.within(distance, cohesion.radius) {
            if !is_kin {
                seen.strangers.push(offset);
            }
            if seen.within(distance, cohesion.inner) {
                seen.spared += 1;
            } else {
                seen.pulling.push(offset * share);
                seen.pull += share;
            }
        }
    }

    // --- steer

    /// Sum of all rules under the force limit, and the part exempt from it.
    fn steer(&self, me: &Bird, seen: &mut Seen, next: &mut Prediction) -> Vector {
        let edge = self.edge(me, next);
        let (force, replacement) = if self.hunts(me) {
            (edge + self.hunt(me, seen) + self.avoid_obstacle(me, next), Vector::ZERO)
        } else {
            let force = self.separate(me, seen)
                + self.flee(seen)
                + self.follow(me, next)
                + self.cruise(me)
                + self.wind()
                + self.field(me, next);
            let force = force + self.escape(me, next);
            // Leaders do not follow.
            if self.leads(me) {
                (edge + force, Vector::ZERO)
            } else {
                let (alignment, replacement) = self.align(me, seen);
                (edge + force + alignment + self.cohere(me, seen) + self.avoid(seen), replacement)
            }
        };
        let max_force = f64::from(self.params.limits.max_force);
        next.tally.mark("forced", max_force > 0.0 && force.length() > max_force);
        limit_force(force, max_force) + replacement
    }

    fn separate(&self, me: &Bird, seen: &mut Seen) -> Vector {
        let rule = &self.params.separation;
        let pushes: Vec<Vector> = seen.pushing.iter().map(|r| *r * -falloff(rule.falloff, rule.radius, *r)).collect();
        self.respond(rule.response, rule.weight, &pushes, pushes.len() as f64, me, seen)
    }

    fn cohere(&self, me: &Bird, seen: &mut Seen) -> Vector {
        let rule = &self.params.cohesion;
        let offsets = seen.pulling.clone();
        self.respond(rule.response, rule.weight, &offsets, seen.pull, me, seen)
    }

    fn respond(
        &self,
        response: Response,
        weight: f32,
        terms: &[Vector],
        count: f64,
        me: &Bird,
        seen: &mut Seen,
    ) -> Vector {
        let (sum, weight): (Vector, _) = (terms.iter().sum(), f64::from(weight));
        match response {
            _ if count == 0.0 => Vector::ZERO,
            Response::Sum => sum * weight,
            Response::Mean => sum * (weight / count),
            Response::Unit => seen.direction_of(terms).unwrap_or_default() * weight,
            Response::Steer => self.toward(terms, me, seen) * weight,
        }
    }

    /// Reynolds' steering: toward the full speed in the direction of the sum.
    pub fn toward(&self, terms: &[Vector], me: &Bird, seen: &mut Seen) -> Vector {
        let max_force = f64::from(self.params.limits.max_force);
        seen.direction_of(terms).map_or(Vector::ZERO, |direction| {
            limit_force(direction * f64::from(self.params.speed.max) - me.velocity, max_force)
        })
    }

    /// The limited and the exempt part.
    fn align(&self, me: &Bird, seen: &mut Seen) -> (Vector, Vector) {
        let (rule, velocities) = (&self.params.alignment, seen.fellows.clone());
        let (sum, share): (Vector, _) = (velocities.iter().sum(), 1.0 / seen.fellowship);
        let weight = f64::from(rule.weight);
        if seen.fellowship == 0.0 {
            return (Vector::ZERO, Vector::ZERO);
        }
        let force = match rule.response {
            AlignmentResponse::Sum => sum,
            AlignmentResponse::Mean => sum * share,
            AlignmentResponse::Difference => sum * share - me.velocity,
            AlignmentResponse::Unit => seen.direction_of(&velocities).unwrap_or_default(),
            AlignmentResponse::Steer => self.toward(&velocities, me, seen),
            AlignmentResponse::Replace => return (Vector::ZERO, replacement(me, velocities, seen) * weight),
        };
        (force * weight, Vector::ZERO)
    }

    pub fn flee(&self, seen: &Seen) -> Vector {
        let rule = &self.params.flee;
        let fears = seen.feared.iter().map(|r| *r * falloff(rule.falloff, rule.radius, *r));
        fears.fold(Vector::ZERO, Vector::add) * -f64::from(rule.weight)
    }

    pub fn hunt(&self, me: &Bird, seen: &mut Seen) -> Vector {
        let target = match self.params.hunt.target {
            HuntTarget::Nearest => nearest(seen),
            HuntTarget::Center if seen.prey.is_empty() => Vector::ZERO,
            HuntTarget::Center => seen.prey.iter().map(|(_, r)| r).sum::<Vector>() * (1.0 / seen.prey.len() as f64),
            HuntTarget::Densest | HuntTarget::Isolated => self.by_density(me, seen),
        };
        (target + self.apart(me, seen)) * f64::from(self.params.hunt.weight)
    }

    fn cruise(&self, me: &Bird) -> Vector {
        let Cruise { weight, speed } = self.params.cruise;
        let missing = f64::from(speed) - me.velocity.length();
        me.velocity.direction().unwrap_or_default() * (missing * f64::from(weight))
    }

    pub fn wind(&self) -> Vector {
        let Wind { x, y, z } = self.params.wind;
        let z = if self.world.dim() == 3 { z } else { 0.0 };
        [x, y, z].into()
    }

    /// How deep beyond the margin's line a place is on an axis, and which way is inward.
    fn depth(&self, at: Vector, axis: usize) -> (f64, f64) {
        let (at, size) = (at.0[axis], self.size().0[axis]);
        if at < size / 2.0 { (self.margin() - at, 1.0) } else { (at - (size - self.margin()), -1.0) }
    }

    pub fn edge(&self, me: &Bird, next: &mut Prediction) -> Vector {
        let strength = f64::from(self.params.edge.strength);
        let mut push = Vector::ZERO;
        match self.params.edge.mode {
            Edge::Wrap | Edge::Open | Edge::Reflect => {}
            Edge::Turn | Edge::Push => {
                for axis in 0..self.world.dim() {
                    // In a narrow world, the margins of both borders may reach a boid.
                    let (at, line) = (me.at.0[axis], self.size().0[axis] - self.margin());
                    for (depth, inward) in [(self.margin() - at, 1.0), (at - line, -1.0)] {
                        next.doubtful |= depth.abs() < LINE_DOUBT;
                        let times = if self.params.edge.mode == Edge::Turn { 1.0 } else { depth };
                        push.0[axis] += if depth > 0.0 { inward * strength * times } else { 0.0 };
                    }
                }
            }
            Edge::Sphere => {
                let (radius, from_center) = (self.round_radius(), me.at.length());
                next.doubtful |= (from_center - (radius - self.margin())).abs() < LINE_DOUBT;
                if from_center > radius - self.margin() {
                    push = me.at * (-strength / from_center / (radius - from_center).max(1.0).powi(2));
                }
            }
        }
        next.tally.mark("edge", push != Vector::ZERO);
        push
    }

    fn round_radius(&self) -> f64 {
        let World::Sphere(radius) = self.world else { panic!("{} is not round", self.world) };
        f64::from(radius)
    }

    // --- turn, limit

    pub fn turn(&self, me: &Bird, next: &mut Prediction) {
        let most = f64::from(self.params.limits.max_turn).to_radians();
        let (Some(old), Some(new)) = (me.velocity.direction(), next.velocity.direction()) else { return };
        let angle = old.angle_to(new);
        if most > 0.0 && angle > most {
            next.tally.mark("turned", true);
            next.doubtful |= angle > 179_f64.to_radians() || is_cancelled(me, next.velocity);
            let aside = (new - old * new.dot(old)).direction().unwrap_or_default();
            next.velocity = (old * most.cos() + aside * most.sin()) * next.velocity.length();
        }
    }

    pub fn limit(&self, me: &Bird, next: &mut Prediction) {
        let most = self.speed_limit(me, next.mood);
        let least = f64::from(self.params.speed.min).min(most);
        let speed = next.velocity.length();
        next.tally.mark("shortened", speed > most);
        next.tally.mark("lengthened", speed > 0.0 && speed < least);
        next.doubtful |= speed < least && is_cancelled(me, next.velocity);
        if speed > 0.0 {
            next.velocity = next.velocity * (speed.clamp(least, most) / speed);
        }
    }

    // --- contain

    pub fn contain(&self, next: &mut Prediction) {
        match self.params.edge.mode {
            Edge::Open => {}
            Edge::Wrap => {
                for axis in 0..self.world.dim() {
                    let wrapped = next.at.0[axis].rem_euclid(self.size().0[axis]);
                    next.tally.mark("wrapped", wrapped != next.at.0[axis]);
                    next.at.0[axis] = wrapped;
                }
            }
            Edge::Sphere => self.bring_in_round(next),
            Edge::Reflect => {
                (0..self.world.dim()).for_each(|axis| self.bounce(axis, next));
                self.move_inside(next);
            }
            Edge::Turn | Edge::Push => self.move_inside(next),
        }
    }

    fn bounce(&self, axis: usize, next: &mut Prediction) {
        let (depth, inward) = self.depth(next.at, axis);
        next.doubtful |= depth.abs() < LINE_DOUBT;
        if depth > 0.0 && next.velocity.0[axis] * inward < 0.0 {
            next.tally.mark("bounced", true);
            next.bounced[axis] = self.params.edge.random;
            if !self.params.edge.random {
                next.velocity.0[axis] *= -f64::from(self.params.edge.restitution);
            }
        }
    }

    /// No further than one margin outside a box: twice the margin beyond its line.
    fn move_inside(&self, next: &mut Prediction) {
        for axis in 0..self.world.dim() {
            let (depth, inward) = self.depth(next.at, axis);
            let beyond = depth - 2.0 * self.margin();
            next.doubtful |= beyond.abs() < LINE_DOUBT;
            if beyond > 0.0 {
                next.tally.mark("clamped", true);
                next.at.0[axis] += inward * beyond;
                if next.velocity.0[axis] * inward < 0.0 && !next.bounced[axis] {
                    next.velocity.0[axis] = 0.0;
                }
            }
        }
    }

    fn bring_in_round(&self, next: &mut Prediction) {
        let (most, outward) = (self.round_radius() + self.margin(), next.at.direction().unwrap_or_default());
        next.doubtful |= (next.at.length() - most).abs() < LINE_DOUBT;
        if next.at.length() > most {
            next.tally.mark("clamped", true);
            next.at = outward * most;
            next.velocity = next.velocity - outward * next.velocity.dot(outward).max(0.0);
        }
    }
}

fn tally_seen(seen: &Seen, tally: &mut Tally) {
    tally.mark("separation", !seen.pushing.is_empty());
    tally.mark("alignment", !seen.fellows.is_empty());
    tally.mark("cohesion", !seen.pulling.is_empty());
    tally.mark("spared", seen.spared > 0);
    tally.mark("flee", !seen.feared.is_empty());
    tally.mark("strangers", !seen.strangers.is_empty());
    tally.mark("hunt", !seen.prey.is_empty());
}

pub fn falloff(falloff: Falloff, radius: f32, offset: Vector) -> f64 {
    let distance = offset.length();
    match falloff {
        Falloff::Flat => 1.0,
        Falloff::Linear => f64::from(radius) - distance,
        Falloff::Inverse => 1.0 / distance,
        Falloff::InverseSquare => 1.0 / distance.powi(2),
        Falloff::InverseCube => 1.0 / distance.powi(3),
    }
}

/// Vicsek's alignment: the mean heading including the boid's own, at its own speed, minus its velocity.
fn replacement(me: &Bird, mut velocities: Vec<Vector>, seen: &mut Seen) -> Vector {
    velocities.push(me.velocity);
    seen.direction_of(&velocities).map_or(Vector::ZERO, |heading| heading * me.velocity.length() - me.velocity)
}

pub fn nearest(seen: &mut Seen) -> Vector {
    let mut prey = seen.prey.clone();
    prey.sort_by(|(id, r), (other, s)| r.length().total_cmp(&s.length()).then(id.cmp(other)));
    if let [(_, first), (_, second), ..] = prey[..] {
        seen.doubtful |= second.length() - first.length() < RADIUS_DOUBT * first.length();
    }
    prey.first().map_or(Vector::ZERO, |(_, r)| *r)
}

/// Shortens to a limit; 0 limits nothing.
fn limit_force(force: Vector, most: f64) -> Vector {
    if most > 0.0 && force.length() > most { force * (most / force.length()) } else { force }
}

/// Whether old velocity and steering nearly cancel out, so that the heading hangs on the last bits.
fn is_cancelled(me: &Bird, velocity: Vector) -> bool {
    velocity.length() < CANCEL_DOUBT * me.velocity.length()
}
