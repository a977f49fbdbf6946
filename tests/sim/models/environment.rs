//! The environment: obstacles, food, roosts, the pointer.

use super::compare::{agrees, compare_tick, random_rows};
use super::model::{Bird, Model, Prediction, RADIUS_DOUBT, Seen, Tally};
use super::rules::{DEEP, FLAT, ROUND, case, lively};
use super::vector::Vector;
use super::worked_examples::{assert_flies, boid, calm};
use flockscope::sim::{Command, Edge, Flock, Params, Pointer, PredatorMode, Scratch, Setup, World, Zone, ZoneKind};

/// How near to a line in space, in u, `f32` and `f64` may decide differently.
const LINE_DOUBT: f64 = 2e-3;

/// Sine of the angle to an obstacle's center below which the side of the turn is ambiguous.
const STRAIGHT_DOUBT: f64 = 3e-3;

/// Distance from an obstacle's rim at which boids are placed, as a fraction of the world's longest side.
const OFF: f64 = 2e-6;

impl Model<'_> {
    fn to_spot(&self, at: Vector, zone: &Zone) -> Vector {
        self.offset(at, zone.center.into(), &mut Seen::default())
    }

    fn zones(&self, kind: ZoneKind) -> impl Iterator<Item = &Zone> {
        self.zones.iter().filter(move |zone| zone.kind == kind)
    }

    /// All of it, for boids that flock.
    pub fn field(&self, me: &Bird, next: &mut Prediction) -> Vector {
        let Params { food, roost, .. } = self.params;
        let eaten = self.arrive(me, ZoneKind::Food, food.radius, food.weight, next);
        let home = self.arrive(me, ZoneKind::Roost, roost.radius, roost.weight, next);
        eaten + home + self.point(me, next) + self.avoid_obstacle(me, next)
    }

    /// The turn around the obstacle that is in the way.
    pub fn avoid_obstacle(&self, me: &Bird, next: &mut Prediction) -> Vector {
        let rule = &self.params.obstacle;
        let Some(heading) = me.velocity.direction() else { return Vector::ZERO };
        let sight = f64::from(rule.lookahead) * me.velocity.length();
        let mut in_the_way: Vec<(f64, Vector)> = Vec::new();
        for zone in self.zones(ZoneKind::Obstacle) {
            let offset = self.to_spot(me.at, zone);
            let along = offset.dot(heading);
            let miss = (offset - heading * along).length();
            let (berth, gap) = (f64::from(zone.radius + rule.clearance), offset.length() - f64::from(zone.radius));
            next.doubtful |= (miss - berth).abs() < LINE_DOUBT;
            next.doubtful |= (gap - sight).abs() < LINE_DOUBT;
            if along > 0.0 && miss < berth && gap < sight {
                in_the_way.push((gap, offset));
            }
        }
        in_the_way.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let [(first, _), (second, _), ..] = in_the_way[..] {
            next.doubtful |= second - first < LINE_DOUBT;
        }
        let Some((gap, offset)) = in_the_way.first() else { return Vector::ZERO };
        next.tally.mark("obstacle", true);
        let tangent = tangent(heading, *offset, next);
        let urgency = f64::from(rule.weight) * (1.0 - gap / sight);
        (tangent * me.velocity.length() - me.velocity) * urgency
    }

    /// Moves a boid inside an obstacle to its rim.
    pub fn keep_out(&self, next: &mut Prediction) {
        let off = OFF * self.size().largest();
        for zone in &self.zones {
            let (out, radius) = (self.to_spot(next.at, zone) * -1.0, f64::from(zone.radius));
            if zone.kind != ZoneKind::Obstacle || out.length() > radius + LINE_DOUBT {
                continue;
            }
            next.doubtful |= (out.length() - radius).abs() < LINE_DOUBT;
            next.tally.mark("put out", true);
            let outward = out.direction().unwrap_or_default();
            next.at = Vector::from(zone.center) + outward * (radius + off);
            if next.velocity.dot(outward) < 0.0 {
                next.tally.mark("slid", true);
                let heading = next.velocity.direction().unwrap_or_default();
                next.velocity = tangent(heading, outward, next) * next.velocity.length();
            }
        }
    }

    /// The flight to the nearest food or roost in sight.
    fn arrive(&self, me: &Bird, kind: ZoneKind, sight: f32, weight: f32, next: &mut Prediction) -> Vector {
        let mut in_sight: Vec<(f64, Vector, &Zone)> = Vec::new();
        for zone in self.zones(kind).filter(|zone| zone.amount > 0.0) {
            let offset = self.to_spot(me.at, zone);
            let to_rim = offset.length() - f64::from(zone.radius);
            next.doubtful |= (to_rim - f64::from(sight)).abs() < LINE_DOUBT;
            if to_rim < f64::from(sight) {
                in_sight.push((offset.length(), offset, zone));
            }
        }
        in_sight.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let [(first, ..), (second, ..), ..] = in_sight[..] {
            next.doubtful |= second - first < RADIUS_DOUBT * first;
            next.tally.mark("two in sight", true);
        }
        let Some((distance, offset, zone)) = in_sight.first() else { return Vector::ZERO };
        next.tally.mark(if kind == ZoneKind::Food { "food" } else { "roost" }, true);
        next.tally.mark("on it", *distance < f64::from(zone.radius));
        next.doubtful |= *distance < LINE_DOUBT;
        let speed = f64::from(self.params.speed.max) * (distance / f64::from(zone.radius)).min(1.0);
        (*offset * (speed / distance) - me.velocity) * (f64::from(weight) * f64::from(zone.amount))
    }

    /// The pull of the pointer, or its push.
    fn point(&self, me: &Bird, next: &mut Prediction) -> Vector {
        let Some(pointer) = self.pointer else { return Vector::ZERO };
        let (rule, at) = (&self.params.pointer, Vector::from(pointer.at));
        let offset = match Vector::from(pointer.along).direction() {
            Some(along) => {
                let straight = at - me.at;
                straight - along * straight.dot(along)
            }
            None => self.offset(me.at, at, &mut Seen::default()),
        };
        let share = offset.length() / f64::from(rule.radius);
        next.doubtful |= offset.length() < LINE_DOUBT;
        if share >= 1.0 {
            return Vector::ZERO;
        }
        next.tally.mark("pointer", true);
        let pull = if pointer.attracts { 4.0 * share * (1.0 - share) } else { share - 1.0 };
        offset * (f64::from(rule.weight) * f64::from(self.params.speed.max) * pull / offset.length())
    }
}

/// The direction at a right angle to a radius that is nearest to a heading.
fn tangent(heading: Vector, radius: Vector, next: &mut Prediction) -> Vector {
    let radius = radius.direction().unwrap_or_default();
    let beside = heading - radius * heading.dot(radius);
    next.doubtful |= beside.length() < STRAIGHT_DOUBT;
    beside.direction().unwrap_or_default()
}

/// Spots of a kind, as large as shares of the world's shorter side, spread over the world.
fn zones(kind: ZoneKind, world: World, radii: [f32; 3]) -> Vec<Zone> {
    let (center, size) = (world.center(), world.size());
    let short = size[0].min(size[1]);
    let places = [[-0.25, -0.2, 0.1], [0.26, 0.05, -0.1], [-0.05, 0.24, 0.18]];
    let at = |place: [f32; 3]| {
        [0, 1, 2].map(|axis| if axis < world.dim() { center[axis] + short * place[axis] } else { 0.0 })
    };
    places.into_iter().zip(radii).map(|(place, radius)| Zone::new(kind, at(place), radius * short)).collect()
}

/// A flock in a random state among these zones.
fn among(zones: &[Zone], world: World, params: Params, seed: u64) -> Flock {
    let setup = Setup { zones: zones.to_vec(), predators: 12, ..case("", world, params).setup };
    Flock::from_rows(&setup, 7 * seed, &random_rows(&setup, seed)).unwrap()
}

/// Compares a tick from each of three random states among these zones, with predators of either kind.
fn compare(name: &str, zones: &[Zone], world: World, edge: Edge, params: Params, pointer: Option<Pointer>) -> Tally {
    let mut tally = Tally::default();
    for predators in [PredatorMode::Hunt, PredatorMode::Flock] {
        let mut params = params;
        (params.edge.mode, params.hunt.mode) = (edge, predators);
        let name = format!("{name} in {world}, {edge:?}, predators {predators:?}");
        let mut these = Tally::default();
        for seed in 1..=3 {
            let mut flock = among(zones, world, params, seed);
            flock.apply(&Command::SetPointer(pointer)).unwrap();
            these.add(&compare_tick(&name, &mut flock, &mut Scratch::new()));
        }
        these.assert_few_doubts(&name);
        tally.add(&these);
    }
    tally
}

const PLACES: [(World, Edge); 5] =
    [(FLAT, Edge::Wrap), (FLAT, Edge::Turn), (FLAT, Edge::Open), (DEEP, Edge::Wrap), (ROUND, Edge::Sphere)];

/// In flat worlds, where there are two tangents. In a deep one the program's leans to the left of the page's.
#[test]
fn obstacles_agree() {
    for place in PLACES.into_iter().filter(|(world, _)| world.dim() == 2) {
        let zones = zones(ZoneKind::Obstacle, place.0, [0.17, 0.1, 0.13]);
        for (weight, ahead, body, max_force) in [(0.3, 15.0, 4.0, 0.0), (2.0, 40.0, 9.0, 0.8), (0.0, 15.0, 4.0, 0.0)] {
            let mut params = lively();
            (params.obstacle.weight, params.obstacle.lookahead, params.obstacle.clearance) = (weight, ahead, body);
            params.limits.max_force = max_force;
            let tally = compare(&format!("obstacles of weight {weight}"), &zones, place.0, place.1, params, None);
            tally.assert_saw(&["obstacle"], 100);
            tally.assert_saw(&["put out", "slid"], 10);
        }
    }
}

#[test]
fn a_boid_heading_at_the_center_of_an_obstacle_turns_left() {
    let mut params = calm();
    (params.obstacle.weight, params.obstacle.lookahead) = (0.3, 30.0);
    // L = 60, g = 60 − 25: 0.3 · (1 − 35/60) = 0.125 of the way from (2, 0) to (0, −2), as y goes down.
    let zones = vec![Zone::new(ZoneKind::Obstacle, [100.0, 100.0, 0.0], 25.0)];
    let setup = Setup { zones, ..case("", FLAT, params).setup };
    let mut flock = Flock::from_rows(&setup, 0, &[boid(0, [40.0, 100.0], [2.0, 0.0])]).unwrap();
    flock.step(&mut Scratch::new());
    assert_flies(&flock.rows()[0], [41.75, 99.75], [1.75, -0.25]);
}

#[test]
fn food_agrees() {
    for place in PLACES {
        let mut zones = zones(ZoneKind::Food, place.0, [0.12, 0.2, 0.05]);
        (zones[0].amount, zones[2].amount) = (0.4, 0.0);
        for (radius, weight, max_force) in [(30.0, 0.1, 0.0), (200.0, 0.7, 0.0), (60.0, 3.0, 0.6)] {
            let mut params = lively();
            (params.food.radius, params.food.weight, params.limits.max_force) = (radius, weight, max_force);
            let tally = compare(&format!("food within {radius}"), &zones, place.0, place.1, params, None);
            tally.assert_saw(&["food"], 100);
            tally.assert_saw(&["on it"], 30);
            if radius == 200.0 {
                tally.assert_saw(&["two in sight"], 200);
            }
        }
    }
}

#[test]
fn pointers_agree() {
    for (world, edge, along) in [
        (FLAT, Edge::Wrap, [0.0; 3]),
        (FLAT, Edge::Turn, [0.0; 3]),
        (DEEP, Edge::Wrap, [0.3, -0.2, 2.0]),
        (ROUND, Edge::Sphere, [0.0, 5.0, 1.0]),
    ] {
        let [x, y, z] = world.center();
        let at = [x + 35.0, y - 20.0, z];
        for attracts in [true, false] {
            for (radius, weight) in [(60.0, 0.1), (130.0, 1.5)] {
                let mut params = lively();
                (params.pointer.radius, params.pointer.weight) = (radius, weight);
                let pointer = Pointer { at, along, attracts };
                let tally = compare("a pointer", &[], world, edge, params, Some(pointer));
                tally.assert_saw(&["pointer"], 50);
            }
        }
    }
}

/// Drowsiness is random: a boid that sees a roost follows the formula or ignores the roost.
#[test]
fn roosts_attract_only_drowsy_boids() {
    let (mut drowsy, mut awake) = (0, 0);
    for place in PLACES {
        let zones = zones(ZoneKind::Roost, place.0, [0.1, 0.2, 0.05]);
        let mut params = lively();
        (params.edge.mode, params.roost.radius, params.roost.weight, params.roost.chance) = (place.1, 40.0, 0.5, 0.0);
        for seed in 1..=3 {
            let mut flock = among(&zones, place.0, params, seed);
            let before = flock.rows();
            let bare = Model::new(&params, place.0, &before);
            let full = Model { zones: zones.clone(), ..Model::new(&params, place.0, &before) };
            flock.step(&mut Scratch::new());
            for (me, row) in bare.birds.iter().zip(&flock.rows()) {
                let [away, home] = [&bare, &full].map(|model| model.predict(me, None));
                if away.doubtful || home.doubtful {
                    continue;
                }
                let [flies_by, flies_home] =
                    [(&bare, &away), (&full, &home)].map(|(model, next)| agrees(model, me, next, row));
                assert!(flies_by.is_ok() || flies_home.is_ok(), "{me:?}\n{flies_by:?}\n{flies_home:?}");
                drowsy += usize::from(flies_by.is_err());
                awake += usize::from(flies_home.is_err());
            }
        }
    }
    assert!(drowsy > 300 && awake > 300 && drowsy < 2 * awake && awake < 2 * drowsy, "{drowsy} drowsy, {awake} awake");
}
