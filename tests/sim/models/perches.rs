//! Perches: arrival, landing, rest, and flight from predators and the pointer.

use std::sync::Arc;

use super::compare::{Case, Draw, compare_tick, random_place, random_rows};
use super::model::{Bird, Model, Prediction, RADIUS_DOUBT, Seen};
use super::vector::Vector;
use super::worked_examples::{SQUARE, assert_flies, boid, calm};
use flockscope::sim::{Command, Flock, Formation, Kind, Param, Perch, Plane, Pointer, Scratch, Setup, Shelter};

/// How near to the distance of landing, as a fraction of it, `f32` and `f64` may decide differently.
const LANDING_DOUBT: f64 = 1e-2;
/// The rest of a boid whose time is not limited.
const FOREVER: f64 = 1e6;

impl Model<'_> {
    /// The tick of a called boid, after all other rules.
    pub fn fly_to_perch(&self, me: &Bird, next: &mut Prediction) {
        let Some(perches) = &self.perches else { return };
        // The tests call for a calm that never ends.
        if let (Kind::Predator, Some(shelter)) = (me.kind, perches.formation().shelter) {
            return self.keep_off(&shelter, me, next);
        }
        let Some(perch) = perches.perch_of(me.id).filter(|_| me.kind == Kind::Prey) else { return };
        let (perch, is_called) = (Vector::from(perch.at), perches.called_to(me.id).is_some());
        let threat = self.threat_to_perch(me, next);
        match (me.mood < 0.0, threat) {
            (true, Some(threat)) => {
                next.tally.mark("driven off", true);
                // Of a boid at the pointer the direction is random.
                next.doubtful |= threat.length() < 1e-3;
                let away = threat.direction().unwrap_or_default() * -f64::from(self.params.speed.max);
                (next.at, next.velocity, next.mood) = (me.at, away, 0.0);
            }
            (true, None) => self.rest_on_perch(me, is_called, next),
            (false, None) if is_called => self.arrive_at(perch, me, next),
            (false, _) => {}
        }
    }

    /// The offset to the nearest predator or to the pointer, if one is near.
    fn threat_to_perch(&self, me: &Bird, next: &mut Prediction) -> Option<Vector> {
        let free = f64::from(self.params.perch.free);
        let is_calm = self.perches.as_ref().is_some_and(|perches| perches.formation().shelter.is_some());
        let awake = self.birds.iter().filter(|bird| bird.kind == Kind::Predator && !self.rests(bird) && !is_calm);
        let predators = awake.map(|predator| self.offset(me.at, predator.at, &mut Seen::default()));
        let pointer = self.pointer.map(|pointer| {
            let straight = Vector::from(pointer.at) - me.at;
            match Vector::from(pointer.along).direction() {
                Some(along) => straight - along * straight.dot(along),
                None => self.offset(me.at, pointer.at.into(), &mut Seen::default()),
            }
        });
        let mut all: Vec<Vector> = predators.chain(pointer).collect();
        all.sort_by(|a, b| a.length().total_cmp(&b.length()));
        next.doubtful |= all.iter().any(|offset| (offset.length() - free).abs() < 100.0 * RADIUS_DOUBT * free);
        all.into_iter().next().filter(|offset| offset.length() < free)
    }

    /// The tick of a predator that keeps off a rectangle.
    fn keep_off(&self, shelter: &Shelter, me: &Bird, next: &mut Prediction) {
        let (center, eye) = (Vector::from(shelter.area.center), Vector::from(shelter.eye));
        let [right, down] = [shelter.area.right, shelter.area.down].map(Vector::from);
        let at = self.offset(center, me.at + next.velocity, &mut Seen::default());
        let seen = match eye.direction() {
            // The line from the eye to the predator meets the plane at this share of the way.
            Some(toward) => eye + (at - eye) * (eye.length() / (eye.length() - at.dot(toward))),
            None => at,
        };
        let speed = next.velocity.length();
        let mut best: Option<(f64, Vector)> = None;
        for side in [right, right * -1.0, down, down * -1.0] {
            let out = side.direction().unwrap();
            let depth = side.length() - seen.dot(out);
            next.doubtful |= best.is_some_and(|(least, _)| (least - depth).abs() < 1e-3);
            if best.is_none_or(|(least, _)| depth < least) {
                best = Some((depth, out));
            }
        }
        let (depth, out) = best.unwrap();
        if depth <= 0.0 || eye.direction().is_some_and(|toward| eye.length() < at.dot(toward)) {
            return;
        }
        next.tally.mark("kept off", true);
        let share = (depth / (8.0 * speed)).min(1.0);
        let mixed = next.velocity * (1.0 - share) + out * (share * speed);
        next.doubtful |= mixed.length() < 1e-2 * speed;
        next.velocity = mixed.direction().unwrap_or_default() * speed;
        next.at = me.at + next.velocity;
        self.contain(next);
    }

    fn rest_on_perch(&self, me: &Bird, is_called: bool, next: &mut Prediction) {
        let hold = f64::from(self.params.perch.hold);
        next.tally.mark("rested", true);
        let left = if is_called { (-me.mood).min(hold) - 1.0 } else { -me.mood - 1.0 };
        let left = if is_called && hold.is_infinite() { FOREVER } else { left };
        // The direction of a take-off is random.
        next.doubtful |= left <= 0.0;
        (next.at, next.velocity, next.mood) = (me.at, Vector::ZERO, -left);
    }

    fn arrive_at(&self, perch: Vector, me: &Bird, next: &mut Prediction) {
        let (rule, top_speed) = (&self.params.perch, f64::from(self.params.speed.max));
        let (weight, max_force) = (f64::from(rule.weight), f64::from(self.params.limits.max_force));
        let offset = self.offset(me.at, perch, &mut Seen::default());
        let least = if max_force > 0.0 { top_speed * top_speed / max_force } else { 0.0 };
        let share = (offset.length() / (2.0 * top_speed / weight).max(least)).min(1.0);
        let desired = offset.direction().unwrap_or_default() * (share * top_speed);
        let (mut others, most) = (next.velocity - me.velocity, 0.5 * weight * share * top_speed);
        if others.length() > most {
            others = others.direction().unwrap_or_default() * most;
        }
        let mut steering = others + (desired - me.velocity) * weight;
        if max_force > 0.0 && steering.length() > max_force {
            steering = steering.direction().unwrap_or_default() * max_force;
        }
        let mut velocity = me.velocity + steering;
        if velocity.length() > top_speed {
            velocity = velocity.direction().unwrap_or_default() * top_speed;
        }
        let (left, landing) = ((offset - velocity).length(), 0.25 * top_speed);
        next.doubtful |= (left - landing).abs() < LANDING_DOUBT * landing;
        next.tally.mark(if left <= landing { "landed" } else { "arrived" }, true);
        if left <= landing {
            (next.at, next.velocity, next.mood) = (perch, Vector::ZERO, -f64::from(rule.hold).min(FOREVER));
        } else {
            (next.at, next.velocity) = (me.at + velocity, velocity);
        }
    }
}

/// A flock that is called to as many points as it has boids, some of which are at boids.
fn called(setup: &Setup, seed: u64) -> Flock {
    let rows = random_rows(setup, seed);
    let mut draw = Draw::new(seed + 100);
    let mut flock = Flock::from_rows(&Setup { seed, ..setup.clone() }, 10 * seed, &rows).unwrap();
    let prey = rows.iter().filter(|row| row.kind == Kind::Prey);
    let points = prey.enumerate().map(|(nth, row)| match nth % 3 {
        0 => row.position.map(|axis| if axis == 0.0 { 0.0 } else { axis + 0.1 }),
        _ => random_place(setup, &mut draw),
    });
    let perches = points.map(|at| Perch { at, number: None }).collect();
    flock.apply(&Command::Call(Arc::new(Formation { perches, plane: None, shelter: None }))).unwrap();
    flock
}

#[test]
fn called_boids_fly_as_the_page_says() {
    for name in ["starlings", "murmuration", "drones", "sphere", "herring", "parker"] {
        let mut case = Case::of_preset(name).with_predators(2);
        (case.setup.boids, case.setup.params.perch.hold) = (200, 40.0);
        case.setup.params.noise.angle = 0.0;
        case.setup.params.gusts.strength = 0.0;
        case.setup.params.alarm.spread = 0.0;
        let mut tally = super::model::Tally::default();
        for seed in 1..=3 {
            let mut flock = called(&case.setup, seed);
            let mut scratch = Scratch::new();
            for tick in 0..120 {
                let rows = flock.rows();
                let resting = rows.iter().find(|row| row.mood < 0.0).unwrap_or(&rows[0]);
                let pointer = Pointer { at: resting.position, along: [0.0, 0.0, 1.0], attracts: false };
                let set = (tick / 20 % 2 == 1).then_some(pointer);
                flock.apply(&Command::SetPointer(set)).unwrap();
                if tick == 100 {
                    flock.apply(&Command::Release).unwrap();
                }
                tally.add(&compare_tick(name, &mut flock, &mut scratch));
            }
        }
        tally.assert_saw(&["arrived", "landed", "rested", "driven off"], 5);
    }
}

#[test]
fn predators_keep_off_a_shelter_as_the_page_says() {
    for (name, eye) in [("starlings", 0.0), ("trio", 0.0), ("murmuration", 300.0), ("baitball", 150.0)] {
        let mut case = Case::of_preset(name).with_predators(8);
        (case.setup.boids, case.setup.params.noise.angle, case.setup.params.gusts.strength) = (100, 0.0, 0.0);
        let (center, size) = (case.setup.world.center(), case.setup.world.size());
        let area = Plane { center, right: [0.3 * size[0], 0.0, 0.0], down: [0.0, 0.3 * size[1], 0.0] };
        let shelter = Some(Shelter { area, eye: [0.0, 0.0, -eye], calm: f32::INFINITY });
        let mut tally = super::model::Tally::default();
        for seed in 1..=3 {
            let mut flock = Flock::from_rows(&case.setup, 0, &random_rows(&case.setup, seed)).unwrap();
            let perches = vec![Perch { at: center, number: None }];
            flock.apply(&Command::Call(Arc::new(Formation { perches, plane: None, shelter }))).unwrap();
            (0..60).for_each(|_| tally.add(&compare_tick(name, &mut flock, &mut Scratch::new())));
        }
        tally.assert_saw(&["kept off"], 5);
    }
}

#[test]
fn a_boid_arrives_lands_and_rests() {
    let mut params = calm();
    (params.speed.max, params.perch.weight, params.perch.hold) = (2.0, 0.5, 3.0);
    let setup = Setup { params, world: SQUARE, ..Setup::default() };
    let mut flock = Flock::from_rows(&setup, 0, &[boid(0, [40.0, 40.0], [1.0, 0.0])]).unwrap();
    let perches = vec![Perch { at: [46.0, 40.0, 0.0], number: None }];
    flock.apply(&Command::Call(Arc::new(Formation { perches, plane: None, shelter: None }))).unwrap();
    let mut scratch = Scratch::new();
    // It brakes within 8 u. Then s is 0.75, 0.594 and 0.441; the desired speed is 2 s, and the velocity the mean of it and the last.
    let mut fly = |flock: &mut Flock| {
        flock.step(&mut scratch);
        flock.rows()[0]
    };
    assert_flies(&fly(&mut flock), [41.25, 40.0], [1.25, 0.0]);
    assert_flies(&fly(&mut flock), [42.46875, 40.0], [1.21875, 0.0]);
    assert_flies(&fly(&mut flock), [43.519_53, 40.0], [1.050_781, 0.0]);
    let landed = (0..20).map(|_| fly(&mut flock)).find(|row| row.mood < 0.0).unwrap();
    assert_flies(&landed, [46.0, 40.0], [0.0, 0.0]);
    assert_eq!(landed.mood, -3.0);
    let moods: Vec<f32> = (0..3).map(|_| fly(&mut flock).mood).collect();
    assert_eq!(moods, [-2.0, -1.0, 0.0]);
    assert!(flock.rows()[0].velocity != [0.0; 3]);
}

#[test]
fn weight_0_turns_perches_off() {
    let mut setup = Case::of_preset("starlings").setup;
    setup.boids = 50;
    let mut flock = called(&setup, 1);
    let weight = Param::find("perch.weight").unwrap();
    flock.apply(&Command::SetParam(weight, weight.parse("0").unwrap())).unwrap();
    let mut free = Flock::from_rows(&flock.setup(), flock.tick(), &flock.rows()).unwrap();
    for flock in [&mut flock, &mut free] {
        (0..20).for_each(|_| flock.step(&mut Scratch::new()));
    }
    assert_eq!(flock.hash(), free.hash());
}
