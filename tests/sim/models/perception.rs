//! Perception: field of view, topological neighbors, species, leaders.

use super::compare::{Draw, compare_tick, length, random_place, random_rows, sight};
use super::model::{Bird, Model, Prediction, RADIUS_DOUBT, Seen, Tally};
use super::rules::{DEEP, FLAT, ROUND, case, lively};
use super::vector::Vector;
use super::worked_examples::calm;
use flockscope::sim::{AlignmentResponse, Edge, Flock, Kind, Params, PredatorMode, Response, Row, Scratch, World};

/// How near to the edge of the field of view, in degrees, `f32` and `f64` may decide differently.
const ANGLE_DOUBT: f64 = 5e-4;

/// How near to a line in a leader's frame, in u, they may.
const FRAME_DOUBT: f64 = 2e-3;

impl Model<'_> {
    /// Whether an offset lies in a boid's field of view.
    pub fn sees(&self, me: &Bird, offset: Vector, doubtful: &mut bool) -> bool {
        let half = f64::from(self.params.perception.angle) / 2.0;
        if half == 180.0 || me.velocity == Vector::ZERO || offset == Vector::ZERO {
            return true;
        }
        let angle = me.velocity.angle_to(offset).to_degrees();
        *doubtful |= (angle - half).abs() < ANGLE_DOUBT;
        angle <= half
    }

    /// Ids that a boid considers before the cap, or none if it considers all neighbors.
    pub fn considered(&self, me: &Bird, next: &mut Prediction) -> Option<Vec<u32>> {
        let perception = self.params.perception;
        if perception.angle == 360.0 && perception.nearest == 0.0 {
            return None;
        }
        let mut seen = Seen::default();
        let mut near: Vec<(f64, u32)> = Vec::new();
        for other in self.birds.iter().filter(|other| other.id != me.id && !self.hunts(other)) {
            let offset = self.offset(me.at, other.at, &mut seen);
            if seen.within(offset.length(), sight(self.params)) {
                let in_view = self.sees(me, offset, &mut seen.doubtful);
                next.tally.mark("unseen", !in_view);
                if in_view {
                    near.push((offset.length(), other.id));
                }
            }
        }
        near.sort_by(|(d, id), (e, other)| d.total_cmp(e).then(id.cmp(other)));
        let nearest = perception.nearest as usize;
        if nearest > 0 && near.len() > nearest {
            let (last, first_out) = (near[nearest - 1].0, near[nearest].0);
            seen.doubtful |= first_out - last < RADIUS_DOUBT * last;
            next.tally.mark("passed over", true);
            near.truncate(nearest);
        }
        next.doubtful |= seen.doubtful;
        Some(near.into_iter().map(|(_, id)| id).collect())
    }

    fn species(&self, bird: &Bird) -> Option<u32> {
        (bird.kind == Kind::Prey).then_some(bird.id % self.params.species.count as u32)
    }

    /// A flocking predator belongs to every species.
    pub fn same_species(&self, me: &Bird, other: &Bird) -> bool {
        match (self.species(me), self.species(other)) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        }
    }

    pub fn avoid(&self, seen: &Seen) -> Vector {
        let radius = f64::from(self.params.cohesion.radius);
        let pushes: Vec<Vector> = seen.strangers.iter().map(|r| *r * (1.0 / radius - 1.0 / r.length())).collect();
        let share = 1.0 / (pushes.len().max(1)) as f64;
        if self.params.species.avoid == 0.0 {
            return Vector::ZERO;
        }
        pushes.iter().sum::<Vector>() * (f64::from(self.params.species.avoid) * share)
    }

    pub fn leads(&self, bird: &Bird) -> bool {
        bird.kind == Kind::Prey && bird.id < self.params.leaders.count as u32
    }

    /// The leader that a boid follows.
    fn leader(&self, me: &Bird, seen: &mut Seen) -> Option<(Vector, Vector)> {
        let mut near: Vec<(f64, u32, Vector, Vector)> = Vec::new();
        for leader in self.birds.iter().filter(|bird| self.leads(bird) && self.same_species(me, bird)) {
            let offset = self.offset(me.at, leader.at, seen);
            if seen.within(offset.length(), self.params.leaders.radius) {
                near.push((offset.length(), leader.id, offset, leader.velocity));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let [(first, ..), (second, ..), ..] = near[..] {
            seen.doubtful |= second - first < RADIUS_DOUBT * first;
        }
        near.first().map(|(_, _, offset, velocity)| (*offset, *velocity))
    }

    pub fn follow(&self, me: &Bird, next: &mut Prediction) -> Vector {
        let rule = &self.params.leaders;
        if me.kind == Kind::Predator || self.leads(me) || rule.count == 0.0 {
            return Vector::ZERO;
        }
        let mut seen = Seen::default();
        let led = self.leader(me, &mut seen);
        next.doubtful |= seen.doubtful;
        let Some((offset, leading)) = led else { return Vector::ZERO };
        let Some(heading) = leading.direction() else { return Vector::ZERO };
        next.tally.mark("led", true);
        let aim = self.aim(offset * -1.0, heading, next);
        let (most, distance) = (f64::from(self.params.speed.max), f64::from(rule.distance));
        let desired = leading + aim * (most / aim.length().max(distance));
        let desired = if desired.length() > most { desired * (most / desired.length()) } else { desired };
        (desired - me.velocity) * f64::from(rule.weight)
    }

    /// Target of a follower at `from` (relative to its leader), relative to the follower.
    fn aim(&self, from: Vector, heading: Vector, next: &mut Prediction) -> Vector {
        let rule = &self.params.leaders;
        let (distance, angle) = (f64::from(rule.distance), f64::from(rule.angle).to_radians());
        let aside = aside(heading, self.world);
        let along = from.dot(heading);
        let beside = from - heading * along;
        next.doubtful |= along.abs() < FRAME_DOUBT || (beside.length() - distance).abs() < FRAME_DOUBT;
        if along > 0.0 && beside.length() < distance {
            next.tally.mark("in the way", true);
            next.doubtful |= beside.length() < FRAME_DOUBT;
            return beside.direction().unwrap_or(aside) * (distance - beside.length());
        }
        let tail = from + heading * distance;
        // The nearest point of both arms, whichever side the boid is on.
        let arms = [angle, -angle].map(|angle| aside * angle.sin() - heading * angle.cos());
        let ways = arms.map(|arm| arm * tail.dot(arm).max(0.0) - tail);
        next.doubtful |= tail.dot(aside).abs() < FRAME_DOUBT;
        next.tally.mark("on an arm", arms.iter().any(|arm| tail.dot(*arm) > 0.0));
        if ways[0].length() <= ways[1].length() { ways[0] } else { ways[1] }
    }
}

/// Compares these rules in worlds of every kind, with predators that hunt and such that flock, with few and many near.
fn compare_everywhere(name: &str, params: Params) -> Tally {
    let mut tally = Tally::default();
    let reaches_all = params.alignment.radius.is_infinite() || params.cohesion.radius.is_infinite();
    let torus = if reaches_all { Edge::Open } else { Edge::Wrap };
    let small = World::Rect([100.0, 90.0]);
    for (world, edge) in [(FLAT, torus), (small, torus), (FLAT, Edge::Turn), (DEEP, torus), (ROUND, Edge::Sphere)] {
        for predators in [PredatorMode::Hunt, PredatorMode::Flock] {
            let mut params = params;
            (params.edge.mode, params.hunt.mode) = (edge, predators);
            tally.add(&compare(&format!("{name} in {world}, {edge:?}, predators {predators:?}"), world, params));
        }
    }
    tally
}

/// Compares a tick from each of two random states, in which ids have no gaps: leaders are those with the least.
fn compare(name: &str, world: World, params: Params) -> Tally {
    let setup = case(name, world, params).setup;
    let mut tally = Tally::default();
    for seed in 1..=2 {
        let mut rows = random_rows(&setup, seed);
        rows.sort_by_key(|row| row.id);
        (0..).zip(&mut rows).for_each(|(id, row)| row.id = id);
        let mut flock = Flock::from_rows(&setup, seed, &rows).unwrap();
        tally.add(&compare_tick(name, &mut flock, &mut Scratch::new()));
    }
    tally.assert_few_doubts(name);
    tally
}

#[test]
fn fields_of_view_agree() {
    for angle in [30.0, 180.0, 270.0, 340.0] {
        let mut params = lively();
        params.perception.angle = angle;
        compare_everywhere(&format!("{angle}°"), params).assert_saw(&["unseen", "alignment", "flee"], 100);
    }
}

#[test]
fn the_nearest_agree() {
    for nearest in [1.0, 3.0, 7.0, 8.0, 9.0, 20.0] {
        for angle in [360.0, 250.0] {
            let mut params = lively();
            (params.perception.nearest, params.perception.angle) = (nearest, angle);
            (params.separation.response, params.cohesion.inner) = (Response::Mean, 8.0);
            compare_everywhere(&format!("{nearest} nearest, {angle}°"), params).assert_saw(&["passed over"], 100);
        }
    }
}

#[test]
fn species_agree() {
    for (count, avoid, follow) in [(2.0, 0.0, 0.0), (3.0, 0.8, 0.0), (5.0, 0.3, 0.4), (8.0, 0.5, 1.0)] {
        for (matching, response) in
            [(AlignmentResponse::Difference, Response::Mean), (AlignmentResponse::Replace, Response::Unit)]
        {
            let mut params = lively();
            (params.species.count, params.species.avoid, params.species.follow) = (count, avoid, follow);
            (params.alignment.response, params.cohesion.response) = (matching, response);
            params.cohesion.inner = 10.0;
            compare_everywhere(&format!("{count} species"), params).assert_saw(&["strangers"], 500);
        }
    }
}

#[test]
fn species_agree_where_a_radius_is_infinite() {
    for follow in [0.0, 0.3] {
        let mut params = lively();
        (params.species.count, params.species.follow) = (3.0, follow);
        (params.alignment.radius, params.cohesion.radius, params.cohesion.inner) = (f32::INFINITY, f32::INFINITY, 12.0);
        compare_everywhere("3 species", params).assert_saw(&["spared"], 500);
    }
}

#[test]
fn leaders_agree() {
    for (angle, radius, distance) in [(0.0, 90.0, 12.0), (30.0, 60.0, 20.0), (90.0, 500.0, 5.0)] {
        let mut params = lively();
        (params.leaders.count, params.leaders.radius, params.leaders.wander) = (40.0, radius, 0.0);
        (params.leaders.angle, params.leaders.distance, params.leaders.weight) = (angle, distance, 0.4);
        let tally = compare_everywhere(&format!("leaders at {angle}°"), params);
        tally.assert_saw(&["led", "on an arm"], 200);
        tally.assert_saw(&["in the way"], 50);
    }
}

/// Each leader's velocity when a tick begins, and by what share of `wander` the tick has changed it: aside, above and
/// ahead.
fn wander_of(params: &Params, world: World, rows: &[Row], tick: u64) -> Vec<[f64; 3]> {
    let mut flock = Flock::from_rows(&case("wander", world, *params).setup, tick, rows).unwrap();
    flock.step(&mut Scratch::new());
    let pairs = rows.iter().zip(flock.rows());
    pairs
        .map(|(before, after)| {
            let velocity = Vector::from(before.velocity);
            let change = (Vector::from(after.velocity) - velocity) * (1.0 / f64::from(params.leaders.wander));
            let Some(heading) = velocity.direction() else { return [change.length(); 3] };
            let aside = aside(heading, world);
            [aside, heading.cross(aside), heading].map(|axis| change.dot(axis))
        })
        .collect()
}

/// A leader's wish is random: read it at the ticks where it is drawn, and check that it changes smoothly to the
/// next.
#[test]
fn leaders_roam_by_a_smooth_whim_at_their_pace() {
    for (world, share, pace) in [(FLAT, 0.5, 3.0), (DEEP, 0.25, 2.0)] {
        let mut params = calm();
        (params.leaders.count, params.leaders.wander, params.leaders.pace) = (100.0, 0.05, share);
        (params.speed.min, params.speed.max) = (1.0, 5.0);
        let mut draw = Draw::new(1);
        let rows: Vec<Row> = (0..100)
            .map(|id| {
                let position = random_place(&case("wander", world, params).setup, &mut draw);
                let velocity = loop {
                    let velocity = draw.in_ball(world.dim(), 4.5);
                    if length(velocity) > 1.5 {
                        break velocity;
                    }
                };
                let velocity = if id % 20 == 0 { [0.0; 3] } else { velocity };
                Row { id, kind: Kind::Prey, position, velocity, mood: 0.0, bank: 0.0 }
            })
            .collect();
        let [first, last] = [3 * 64, 4 * 64].map(|tick| wander_of(&params, world, &rows, tick));
        for late in [0, 1, 17, 32, 63] {
            let share = f64::from(late) / 64.0;
            let share = share * share * (3.0 - 2.0 * share);
            let now = wander_of(&params, world, &rows, 3 * 64 + late as u64);
            for (((row, first), last), now) in rows.iter().zip(&first).zip(&last).zip(now) {
                let speed = Vector::from(row.velocity).length();
                if speed == 0.0 {
                    assert_eq!(now, [0.0; 3], "a boid at rest stays at rest");
                    continue;
                }
                let whim = [0, 1].map(|axis| first[axis] + (last[axis] - first[axis]) * share);
                let expected = [whim[0], whim[1], 1.0 - speed / pace];
                let off = (0..3).map(|axis| (now[axis] - expected[axis]).abs()).fold(0.0, f64::max);
                assert!(off < 1e-3, "{world}, {late}: {row:?} {now:?}, not {expected:?}");
                assert!(world.dim() == 3 || whim[1].abs() < 1e-9, "a flat world has no above");
            }
        }
        for axis in 0..world.dim() - 1 {
            for quarter in 0..4 {
                let whims = first.iter().chain(&last).map(|whim| whim[axis]).filter(|whim| *whim != 0.0);
                let many = whims.filter(|whim| ((whim + 1.0) * 2.0).floor() as i32 == quarter).count();
                assert!((25..70).contains(&many), "{many} of 190 whims are in quarter {quarter} of −1 … 1 in {world}");
            }
        }
    }
}

/// At a right angle to a leader's heading.
fn aside(heading: Vector, world: World) -> Vector {
    if world.dim() == 2 {
        Vector([-heading.0[1], heading.0[0], 0.0])
    } else {
        Vector([-heading.0[2], 0.0, heading.0[0]]).direction().unwrap_or(Vector([1.0, 0.0, 0.0]))
    }
}

#[test]
fn all_of_it_agrees_at_once() {
    let mut params = lively();
    (params.perception.angle, params.perception.nearest) = (280.0, 6.0);
    (params.species.count, params.species.avoid, params.species.follow) = (3.0, 0.4, 0.25);
    (params.leaders.count, params.leaders.wander, params.leaders.angle) = (60.0, 0.0, 30.0);
    let tally = compare_everywhere("all", params);
    tally.assert_saw(&["unseen", "passed over", "strangers", "led"], 200);
}
