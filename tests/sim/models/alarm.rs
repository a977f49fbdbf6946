//! Predators: choice of prey, fatigue, and the alarm of their prey.

use super::compare::{Draw, compare_tick, random_rows};
use super::model::{Bird, Model, Prediction, RADIUS_DOUBT, Seen, Tally};
use super::rules::{BOX_EDGES, DEEP, FLAT, ROUND, case, lively};
use super::vector::Vector;
use flockscope::sim::{Edge, Flock, Hunt, HuntTarget, Kind, Params, PredatorMode, Row, Scratch, Setup, World};

/// Distance from the side of a cell, as a fraction of it, within which `f32` and `f64` may decide differently.
const CELL_DOUBT: f64 = 2e-5;

/// The same for the smallest alarm, and for the smallest alarm that spreads.
const ALARM_DOUBT: f64 = 1e-6;

impl Model<'_> {
    pub fn rests(&self, bird: &Bird) -> bool {
        let Hunt { stamina, catch, .. } = self.params.hunt;
        self.hunts(bird) && (stamina > 0.0 || catch > 0.0) && bird.mood < 0.0
    }

    pub fn alarms(&self) -> bool {
        self.params.hunt.mode == PredatorMode::Hunt && self.params.alarm.spread > 0.0
    }

    /// Speed limit of a resting predator.
    pub fn resting_speed(&self, bird: &Bird) -> f64 {
        (0.5 * f64::from(self.params.hunt.speed)).max(0.97 * bird.velocity.length())
    }

    /// Mood after the tick.
    pub fn mood(&self, me: &Bird, seen: &Seen, next: &mut Prediction) -> f64 {
        if self.hunts(me) {
            next.tally.mark("rest", self.rests(me));
            next.tally.mark("tired", self.params.hunt.stamina > 0.0 && !seen.prey.is_empty());
            next.tally.mark("kept apart", self.apart(me, &mut Seen::default()) != Vector::ZERO);
            self.tire(me, !seen.prey.is_empty())
        } else if me.kind == Kind::Prey && self.alarms() {
            self.alarm(me, next)
        } else {
            0.0
        }
    }

    fn tire(&self, me: &Bird, chases: bool) -> f64 {
        let [stamina, rest] = [self.params.hunt.stamina, self.params.hunt.rest].map(f64::from);
        if self.rests(me) {
            (me.mood + 1.0).min(0.0)
        } else if stamina == 0.0 || !chases {
            me.mood
        } else {
            // Count ticks with prey in sight; a sum of fractions may be off by rounding.
            let ticks = (me.mood * stamina).round() + 1.0;
            if ticks >= stamina { -rest } else { ticks / stamina }
        }
    }

    fn alarm(&self, me: &Bird, next: &mut Prediction) -> f64 {
        let [spread, decay] = [self.params.alarm.spread, self.params.alarm.decay].map(f64::from);
        let (mut seen, mut fright, mut loudest) = (Seen::default(), 0.0, 0.0_f64);
        for other in self.birds.iter().filter(|other| self.hunts(other) && !self.rests(other)) {
            let distance = self.offset(me.at, other.at, &mut seen).length();
            if seen.within(distance, self.params.flee.radius) {
                fright = 1.0;
            }
        }
        for (alarm, _) in self.alarmed(me, &mut seen) {
            loudest = loudest.max(alarm);
        }
        next.doubtful |= seen.doubtful;
        let known = spread * loudest;
        next.doubtful |= known > 0.0 && (known - 8.0 * me.mood).abs() < ALARM_DOUBT;
        let heard = if known > 8.0 * me.mood { known } else { 0.0 };
        let left = (1.0 - decay) * me.mood;
        next.tally.mark("fright", fright > 0.0);
        next.tally.mark("heard", heard > left && fright == 0.0);
        next.tally.mark("deaf", known > left && heard == 0.0 && fright == 0.0);
        next.tally.mark("left", left > heard && fright == 0.0);
        let alarm = left.max(heard).max(fright);
        next.doubtful |= (alarm - 0.01).abs() < ALARM_DOUBT;
        next.tally.mark("quiet", alarm > 0.0 && alarm < 0.01);
        if alarm < 0.01 { 0.0 } else { alarm }
    }

    /// Alarms and velocities of the alarmed neighbors within the radius.
    fn alarmed(&self, me: &Bird, seen: &mut Seen) -> Vec<(f64, Vector)> {
        let others =
            self.birds.iter().filter(|other| other.id != me.id && other.kind == Kind::Prey && other.mood > 0.0);
        let near = others.filter(|other| {
            let distance = self.offset(me.at, other.at, seen).length();
            seen.within(distance, self.params.alarm.radius)
        });
        near.map(|other| (other.mood, other.velocity)).collect()
    }

    /// Steering of an alarmed boid toward the direction in which others flee.
    pub fn escape(&self, me: &Bird, next: &mut Prediction) -> Vector {
        if !self.alarms() || me.kind != Kind::Prey || next.mood <= 0.0 {
            return Vector::ZERO;
        }
        let heard = self.alarmed(me, &mut Seen::default());
        let total: f64 = heard.iter().map(|(alarm, _)| alarm).sum();
        if heard.is_empty() {
            return Vector::ZERO;
        }
        next.tally.mark("escape", true);
        let mean = heard.iter().map(|(alarm, velocity)| *velocity * (alarm / total)).fold(Vector::ZERO, |a, b| a + b);
        (mean - me.velocity) * (f64::from(self.params.alarm.weight) * next.mood)
    }

    /// Push from the other predators.
    pub fn apart(&self, me: &Bird, seen: &mut Seen) -> Vector {
        let apart = self.params.hunt.separation;
        let mut push = Vector::ZERO;
        for other in self.birds.iter().filter(|other| other.id != me.id && self.hunts(other)) {
            let offset = self.offset(me.at, other.at, seen);
            if !self.rests(me) && !self.rests(other) && seen.within(offset.length(), apart) {
                push = push - offset * (f64::from(apart) / offset.length() - 1.0);
            }
        }
        push
    }

    /// Offset to the prey in sight with the most prey around it, or with the least.
    pub fn by_density(&self, me: &Bird, seen: &mut Seen) -> Vector {
        let cells = 4.0 / f64::from(self.params.hunt.radius);
        let cell = |offset: Vector| {
            [0, 1, 2].map(|axis| {
                let own = me.at.0[axis] * cells;
                own - own.floor() + offset.0[axis] * cells
            })
        };
        let places: Vec<[f64; 3]> = seen.all_prey.iter().map(|offset| cell(*offset)).collect();
        let company = |offset: Vector| {
            let own = cell(offset).map(f64::floor);
            let touches = |place: &&[f64; 3]| (0..3).all(|axis| (place[axis].floor() - own[axis]).abs() <= 1.0);
            places.iter().filter(touches).count()
        };
        let mut ranked: Vec<(usize, f64, u32, Vector)> =
            seen.prey.iter().map(|(id, offset)| (company(*offset), offset.length(), *id, *offset)).collect();
        let densest = self.params.hunt.target == HuntTarget::Densest;
        ranked.sort_by(|a, b| {
            let crowd = if densest { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) };
            crowd.then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        if let [first, second, ..] = ranked[..] {
            seen.doubtful |= first.0 == second.0 && second.1 - first.1 < RADIUS_DOUBT * first.1;
        }
        let dim = self.world.dim();
        let at_a_side = |place: &[f64; 3]| place[..dim].iter().any(|at| (at - at.round()).abs() < CELL_DOUBT);
        seen.doubtful |= !ranked.is_empty() && places.iter().any(at_a_side);
        ranked.first().map_or(Vector::ZERO, |(.., offset)| *offset)
    }
}

/// A random state with some alarmed prey and some tired or resting predators.
fn alarmed_rows(setup: &Setup, seed: u64) -> Vec<Row> {
    let mut draw = Draw::new(seed + 100);
    let Hunt { stamina, rest, .. } = setup.params.hunt;
    let mut rows = random_rows(setup, seed);
    for row in &mut rows {
        row.mood = match row.kind {
            Kind::Prey if draw.between(0.0, 1.0) < 0.7 => 0.0,
            Kind::Prey => draw.between(0.0, 1.0).powi(3),
            _ if stamina == 0.0 => 0.0,
            _ if draw.between(0.0, 1.0) < 0.3 => -draw.between(1.0, rest).floor(),
            _ => draw.between(0.0, stamina).floor() / stamina,
        };
    }
    rows
}

fn compare(name: &str, world: World, params: Params) -> Tally {
    let setup = Setup { predators: 12, ..case(name, world, params).setup };
    let mut tally = Tally::default();
    for seed in 1..=3 {
        let mut flock = Flock::from_rows(&setup, seed, &alarmed_rows(&setup, seed)).unwrap();
        tally.add(&compare_tick(name, &mut flock, &mut Scratch::new()));
    }
    tally.assert_few_doubts(name);
    tally
}

fn compare_everywhere(name: &str, params: Params) -> Tally {
    let mut tally = Tally::default();
    for (world, edge) in [(FLAT, Edge::Wrap), (FLAT, Edge::Turn), (DEEP, Edge::Wrap), (ROUND, Edge::Sphere)] {
        let mut params = params;
        params.edge.mode = edge;
        tally.add(&compare(&format!("{name} in {world}, {edge:?}"), world, params));
    }
    tally
}

/// Rules under which alarm spreads.
fn alarming() -> Params {
    let mut params = lively();
    params.flee.radius = 25.0;
    (params.alarm.radius, params.alarm.spread, params.alarm.decay) = (22.0, 0.8, 0.3);
    (params.alarm.weight, params.alarm.speed) = (0.6, 0.7);
    params
}

#[test]
fn alarm_agrees() {
    for (spread, decay, radius) in [(0.9, 0.15, 22.0), (0.5, 0.6, 40.0), (1.0, 0.0, 15.0), (0.05, 1.0, 30.0)] {
        for (weight, max_force) in [(0.0, 0.0), (0.6, 0.0), (2.0, 0.5)] {
            let mut params = alarming();
            (params.alarm.spread, params.alarm.decay, params.alarm.radius) = (spread, decay, radius);
            (params.alarm.weight, params.limits.max_force) = (weight, max_force);
            let tally = compare_everywhere(&format!("alarm of {spread} within {radius}"), params);
            tally.assert_saw(&["fright", "heard", "escape"], 100);
            tally.assert_saw(&["deaf"], 10);
            if decay < 1.0 {
                tally.assert_saw(&["left"], 100);
            } else {
                tally.assert_never_saw("left");
            }
        }
    }
}

#[test]
fn the_alarmed_may_fly_faster_and_a_little_alarm_is_none() {
    for speed in [0.0, 0.3, 2.0] {
        let mut params = alarming();
        (params.alarm.speed, params.alarm.decay, params.separation.weight) = (speed, 0.9, 3.0);
        let tally = compare_everywhere(&format!("alarm.speed {speed}"), params);
        tally.assert_saw(&["shortened", "escape"], 100);
        tally.assert_saw(&["quiet"], 30);
    }
}

/// Alarm spreads independently of which neighbors a boid considers.
#[test]
fn neither_field_of_view_nor_species_bear_on_alarm() {
    let mut params = alarming();
    (params.perception.angle, params.perception.nearest) = (200.0, 4.0);
    (params.species.count, params.species.avoid, params.species.follow) = (3.0, 0.4, 0.2);
    compare_everywhere("alarm among species", params).assert_saw(&["fright", "heard", "escape", "unseen"], 100);
}

#[test]
fn tired_predators_agree() {
    for (stamina, rest) in [(25.0, 10.0), (2.0, 300.0), (0.0, 10.0)] {
        for target in [HuntTarget::Nearest, HuntTarget::Center] {
            let mut params = alarming();
            (params.hunt.stamina, params.hunt.rest, params.hunt.target) = (stamina, rest, target);
            let tally = compare_everywhere(&format!("stamina {stamina}, rest {rest}, {target:?}"), params);
            tally.assert_saw(&["hunt"], 30);
            if stamina > 0.0 {
                tally.assert_saw(&["tired", "rest"], 30);
            } else {
                tally.assert_never_saw("rest");
            }
        }
    }
}

#[test]
fn predators_keep_apart_as_they_should() {
    for (stamina, apart) in [(0.0, 60.0), (25.0, 90.0)] {
        let mut params = alarming();
        (params.hunt.stamina, params.hunt.separation, params.hunt.speed) = (stamina, apart, 50.0);
        let tally = compare_everywhere(&format!("{apart} u apart"), params);
        tally.assert_saw(&["kept apart"], if stamina > 0.0 { 30 } else { 60 });
    }
}

#[test]
fn the_densest_and_the_straying_agree() {
    for target in [HuntTarget::Densest, HuntTarget::Isolated] {
        for world in [FLAT, DEEP] {
            for mode in BOX_EDGES {
                for radius in [30.0, 70.0] {
                    let mut params = lively();
                    (params.hunt.target, params.hunt.radius, params.edge.mode) = (target, radius, mode);
                    let mut case = case(format!("hunting the {target:?} in {world}, {mode:?}"), world, params);
                    case.setup.predators = 40;
                    case.compare(2).assert_saw(&["hunt"], 30);
                }
            }
        }
    }
}
