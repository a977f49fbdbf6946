//! Contract: the neighbors that a flock finds are those that a search over all pairs finds: each once, none missed,
//! in every world, at every radius, from every state.
//!
//! The oracle decides over all pairs and in `f32` who is inside a radius, as the models page defines distance, and adds
//! up in `f64`. A tick of the flock must give the same next state.

use flockscope::sim::{
    Alignment, AlignmentResponse, Cohesion, Edge, EdgeParams, Falloff, Flee, Flock, Hunt, HuntTarget, Kind, Limits,
    Noise, Params, PredatorMode, Response, Row, Scratch, Separation, Setup, Speed, Start, Wind, World,
};
use proptest::prelude::*;

/// The fastest that anyone can be asked to fly: here, fast enough not to matter.
const FASTEST: f32 = 1000.0;
/// How far a component may be off, as a share of all that has been added up in it.
const TOLERANCE: f64 = 4e-6;
/// The squared distance (u²) below which two boids may be taken to stand in one place: `f32` squares end not far from
/// there.
const TOO_NEAR: f32 = 1e-24;
/// How far rounding to `f32` may put a coordinate off, as a share of all lengths in play.
const ROUNDING: f64 = 2e-7;

// ---------------------------------------------------------------------------------------------------------------------
// The oracle.

/// A sum over neighbors, along each axis.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    total: [f64; 3],
    /// What its terms' lengths add up to.
    length: f64,
    /// How much of it the page leaves open: terms of coincident boids, and of such at half a wrapping world.
    open: f64,
    count: u32,
}

impl Sum {
    fn add(&mut self, term: [f64; 3]) {
        (0..3).for_each(|axis| self.total[axis] += term[axis]);
        self.length += length(term);
        self.count += 1;
    }

    /// Adds a term of this length and an unknown direction.
    fn add_open(&mut self, length: f64) {
        self.open += length;
        self.length += length;
        self.count += 1;
    }

    fn times(mut self, factor: f64) -> Self {
        self.total = self.total.map(|component| component * factor);
        self.length *= factor.abs();
        self.open *= factor.abs();
        self
    }

    fn plus(&mut self, other: Self) {
        (0..3).for_each(|axis| self.total[axis] += other.total[axis]);
        self.length += other.length;
        self.open += other.open;
    }
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

fn square(vector: [f32; 3]) -> f32 {
    let [x, y, z] = vector;
    x * x + y * y + z * z
}

/// Where a boid is after the tick, and how exactly that can be said.
#[derive(Debug)]
struct Expected {
    position: [f64; 3],
    velocity: [f64; 3],
    tolerance: f64,
}

struct Oracle<'a> {
    params: &'a Params,
    world: World,
    rows: &'a [Row],
}

impl Oracle<'_> {
    /// The offset between two places, and whether it is half a world long on some axis, so that either sign is right.
    fn offset(&self, from: &Row, to: &Row) -> ([f32; 3], bool) {
        let (size, wraps) = (self.world.size(), self.params.edge.mode == Edge::Wrap);
        let mut is_half = false;
        let mut offset = [0.0; 3];
        for axis in 0..self.world.dim() {
            let (along, half) = (to.position[axis] - from.position[axis], 0.5 * size[axis]);
            is_half |= wraps && along.abs() == half;
            offset[axis] = match along {
                _ if !wraps => along,
                _ if along > half => along - size[axis],
                _ if along < -half => along + size[axis],
                _ => along,
            };
        }
        (offset, is_half)
    }

    fn others<'a>(&'a self, me: &Row) -> impl Iterator<Item = &'a Row> {
        let id = me.id;
        self.rows.iter().filter(move |row| row.id != id)
    }

    /// Everyone that `me` counts in the three rules.
    fn fellows<'a>(&'a self, me: &Row) -> impl Iterator<Item = &'a Row> {
        self.others(me).filter(|other| !self.hunts(other))
    }

    fn hunts(&self, row: &Row) -> bool {
        row.kind == Kind::Predator && self.params.hunt.mode == PredatorMode::Hunt
    }

    /// Adds `f(d) · r` for everyone from `inner` up to, but not at, `radius`.
    fn offsets<'a>(
        &self,
        me: &Row,
        others: impl Iterator<Item = &'a Row>,
        [inner, radius]: [f32; 2],
        falloff: Falloff,
    ) -> Sum {
        let mut sum = Sum::default();
        for other in others {
            let (offset, is_half) = self.offset(me, other);
            let square = square(offset);
            let offset = offset.map(f64::from);
            if !(inner * inner..radius * radius).contains(&square) {
                // These come out of the whole flock's total one by one, and each leaves its rounding.
                sum.length += if radius.is_infinite() { 4.0 * length(offset) } else { 0.0 };
                continue;
            }
            let push = |distance: f64| distance * weigh(falloff, radius, distance).abs();
            let apart = if radius.is_finite() { push(f64::from(radius) / 1000.0) } else { 0.0 };
            let distance = length(offset);
            if square == 0.0 {
                sum.add_open(apart);
            } else if square <= TOO_NEAR {
                sum.add_open(apart.max(push(distance)));
            } else if is_half {
                sum.add_open(push(distance));
            } else {
                sum.add(offset.map(|along| along * weigh(falloff, radius, distance)));
            }
            if falloff == Falloff::Linear {
                // A small difference of two large lengths.
                sum.length += distance * f64::from(radius);
            }
        }
        sum
    }

    fn velocities(&self, me: &Row) -> Sum {
        let mut sum = Sum::default();
        let radius = self.params.alignment.radius;
        for other in self.fellows(me).filter(|other| square(self.offset(me, other).0) < radius * radius) {
            sum.add(other.velocity.map(f64::from));
        }
        sum
    }

    fn steering(&self, me: &Row) -> Sum {
        let Params { separation, cohesion, flee, hunt, .. } = self.params;
        let predators = self.others(me).filter(|other| other.kind == Kind::Predator);
        let prey = self.others(me).filter(|other| other.kind == Kind::Prey);
        let mut steering = Sum::default();
        if self.hunts(me) {
            let prey = self.offsets(me, prey, [0.0, hunt.radius], Falloff::Flat);
            steering.plus(mean(prey).times(f64::from(hunt.weight)));
            let others = || self.others(me).filter(|other| self.hunts(other));
            let push =
                self.offsets(me, others(), [0.0, hunt.separation], Falloff::Inverse).times(f64::from(hunt.separation));
            steering.plus(push.times(-f64::from(hunt.weight)));
            steering
                .plus(self.offsets(me, others(), [0.0, hunt.separation], Falloff::Flat).times(f64::from(hunt.weight)));
            return steering;
        }
        let apart = self.offsets(me, self.fellows(me), [0.0, separation.radius], separation.falloff);
        steering.plus(apart.times(-f64::from(separation.weight)));
        steering.plus(self.alignment(me));
        let together = self.offsets(me, self.fellows(me), [cohesion.inner, cohesion.radius], Falloff::Flat);
        let together = if cohesion.response == Response::Mean { mean(together) } else { together };
        steering.plus(together.times(f64::from(cohesion.weight)));
        let fear = self.offsets(me, predators, [0.0, flee.radius], flee.falloff);
        steering.plus(fear.times(-f64::from(flee.weight)));
        steering
    }

    fn alignment(&self, me: &Row) -> Sum {
        let rule = &self.params.alignment;
        let mut sum = self.velocities(me);
        if rule.response == AlignmentResponse::Difference && sum.count > 0 {
            sum = mean(sum);
            sum.add(me.velocity.map(|component| -f64::from(component)));
        }
        sum.times(f64::from(rule.weight))
    }

    /// The next state of a boid, where no speed limit and no strength of the edge is in effect.
    fn expect(&self, me: &Row) -> Expected {
        let steering = self.steering(me);
        let own = me.velocity.map(f64::from);
        let mut velocity = [0, 1, 2].map(|axis| own[axis] + steering.total[axis]);
        let mut tolerance = steering.open * 1.0001 + TOLERANCE * (steering.length + length(own));
        let speed = length(velocity);
        if speed > f64::from(FASTEST) {
            velocity = velocity.map(|component| component * f64::from(FASTEST) / speed);
            if tolerance < 0.5 * speed {
                tolerance *= (2.0 * f64::from(FASTEST) / speed).min(1.0);
            }
        }
        let position = [0, 1, 2].map(|axis| f64::from(me.position[axis]) + velocity[axis]);
        Expected { position, velocity, tolerance }
    }
}

fn mean(sum: Sum) -> Sum {
    sum.times(1.0 / f64::from(sum.count.max(1)))
}

fn weigh(falloff: Falloff, radius: f32, distance: f64) -> f64 {
    match falloff {
        Falloff::Flat => 1.0,
        Falloff::Linear => f64::from(radius) - distance,
        Falloff::Inverse => 1.0 / distance,
        Falloff::InverseSquare => 1.0 / distance.powi(2),
        Falloff::InverseCube => 1.0 / distance.powi(3),
    }
}

/// How far apart two places are on an axis: where the world wraps, around the torus.
fn gap(scene: &Scene, axis: usize, a: f64, b: f64) -> f64 {
    let size = f64::from(scene.world.size()[axis]);
    let gap = a - b;
    if scene.params.edge.mode == Edge::Wrap { (gap - size * (gap / size).round()).abs() } else { gap.abs() }
}

/// Whether a row is where the oracle expects it.
fn check(scene: &Scene, before: &Row, expected: &Expected, row: &Row) -> Result<(), TestCaseError> {
    prop_assert_eq!((row.id, row.kind), (before.id, before.kind));
    for axis in 0..scene.world.dim() {
        let [flies_right, stands_right] = check_axis(scene, expected, row, axis);
        prop_assert!(flies_right, "axis {axis}: {row:?} does not fly as {expected:?}, after {before:?}");
        prop_assert!(stands_right, "axis {axis}: {row:?} is not where {expected:?} is, after {before:?}");
    }
    check_place(scene, row)
}

/// Whether velocity and position are right on an axis.
fn check_axis(scene: &Scene, expected: &Expected, row: &Row, axis: usize) -> [bool; 2] {
    let (size, margin) = (f64::from(scene.world.size()[axis]), f64::from(scene.params.edge.margin));
    let (position, velocity) = (expected.position[axis], expected.velocity[axis]);
    let tolerance = expected.tolerance + ROUNDING * velocity.abs();
    let (got_position, got_velocity) = (f64::from(row.position[axis]), f64::from(row.velocity[axis]));
    let flies_right = (got_velocity - velocity).abs() <= tolerance;
    let tolerance = tolerance + ROUNDING * (position.abs() + size + margin);
    if scene.params.edge.mode != Edge::Turn {
        return [flies_right, gap(scene, axis, got_position, position) <= tolerance];
    }
    // Who gets one margin outside is stopped there.
    let (low, high) = (-margin, size + margin);
    let may_be_stopped =
        position - tolerance < low && velocity <= tolerance || position + tolerance > high && velocity >= -tolerance;
    let stands_right = (got_position - position.clamp(low, high)).abs() <= tolerance;
    [flies_right || may_be_stopped && got_velocity == 0.0, stands_right]
}

/// Everyone is somewhere, and inside the world as far as the edge promises.
fn check_place(scene: &Scene, row: &Row) -> Result<(), TestCaseError> {
    prop_assert!(row.position.iter().chain(&row.velocity).all(|number| number.is_finite()), "{row:?}");
    for (axis, (at, size)) in row.position.into_iter().zip(scene.world.size()).enumerate() {
        let margin = scene.params.edge.margin;
        let is_inside = match scene.params.edge.mode {
            _ if axis >= scene.world.dim() => at == 0.0,
            Edge::Wrap => (0.0..size).contains(&at),
            Edge::Turn => (-margin..=size + margin).contains(&at),
            _ => true,
        };
        prop_assert!(is_inside, "axis {axis} of {row:?} is outside");
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Worlds, radii and states.

/// Where an agent stands on one axis.
#[derive(Clone, Copy, Debug)]
enum Zone {
    /// At a share of the side.
    Share(f32),
    /// At a sixteenth of it: many a distance is exactly a radius there.
    Sixteenth(u8),
    /// On the seam, at 0.
    Seam,
    /// Just below the side's length.
    BelowSeam,
    /// Just above 0.
    AboveSeam,
    /// Outside by this share of the margin, of either sign.
    Outside(f32),
    /// Outside by this, in u.
    Far(f32),
}

#[derive(Clone, Copy, Debug)]
enum Place {
    At([Zone; 3]),
    /// Where another one stands; counted from the first.
    With(u16),
    /// Near another one, by this share of the largest finite radius.
    Near(u16, [f32; 3]),
    /// Beside another one on this axis, by so many sixteenths of the world's width: often a radius, or nearly.
    Beside(u16, usize, i8),
}

#[derive(Clone, Debug)]
struct Agent {
    place: Place,
    velocity: [f32; 3],
    is_predator: bool,
}

#[derive(Clone, Debug)]
struct Scene {
    world: World,
    params: Params,
    agents: Vec<Agent>,
}

impl Scene {
    fn sight(&self) -> f32 {
        let Params { separation, alignment, cohesion, .. } = self.params;
        let radii = [separation.radius, alignment.radius, cohesion.radius];
        radii.into_iter().filter(|radius| radius.is_finite()).fold(0.0, f32::max)
    }

    fn stand(&self, zone: Zone, axis: usize) -> f32 {
        let (size, margin) = (self.world.size()[axis], self.params.edge.margin);
        let is_round = matches!(self.world, World::Sphere(_));
        let at = match (zone, self.params.edge.mode) {
            (Zone::Share(share), _) => share * size,
            (Zone::Sixteenth(sixteenths), _) => f32::from(sixteenths) * size / 16.0,
            (Zone::Far(by), Edge::Open) => by,
            (Zone::Seam, _) | (Zone::Outside(_) | Zone::Far(_), Edge::Wrap) => 0.0,
            (Zone::AboveSeam, _) => 1e-30,
            (Zone::BelowSeam, _) => size.next_down(),
            (Zone::Outside(share), _) if share < 0.0 => share * margin,
            (Zone::Outside(share), _) => size + share * margin,
            (Zone::Far(by), _) => {
                if by < 0.0 {
                    -margin
                } else {
                    size + margin
                }
            }
        };
        if is_round { at - 0.5 * size } else { self.keep(at, axis) }
    }

    /// The place itself, or the nearest that the edge leaves alone.
    fn keep(&self, at: f32, axis: usize) -> f32 {
        let (size, margin) = (self.world.size()[axis], self.params.edge.margin);
        match self.params.edge.mode {
            _ if axis >= self.world.dim() => 0.0,
            Edge::Wrap => at.clamp(0.0, size.next_down()),
            Edge::Turn => at.clamp(-margin, size + margin),
            _ => at,
        }
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for (nth, agent) in self.agents.iter().enumerate() {
            let flat =
                |vector: [f32; 3]| [0, 1, 2].map(|axis| if axis < self.world.dim() { vector[axis] } else { 0.0 });
            let place = |index: u16| if nth == 0 { [0.0; 3] } else { rows[usize::from(index) % nth].position };
            let position = match agent.place {
                Place::At(zones) => [0, 1, 2].map(|axis| self.stand(zones[axis], axis)),
                Place::With(index) => place(index),
                Place::Near(index, aside) => {
                    let place = place(index);
                    [0, 1, 2].map(|axis| self.keep(place[axis] + aside[axis] * self.sight(), axis))
                }
                Place::Beside(index, along, sixteenths) => {
                    let mut place = place(index);
                    place[along] = self.keep(place[along] + f32::from(sixteenths) * self.world.size()[0] / 16.0, along);
                    place
                }
            };
            // The first is always prey: a flock has at least one boid.
            let kind = if agent.is_predator && nth > 0 { Kind::Predator } else { Kind::Prey };
            // 7919 and 10007 are primes: no two ids are the same.
            let id = (7919 * nth as u32 + 13) % 10_007;
            rows.push(Row { id, kind, position: flat(position), velocity: flat(agent.velocity), mood: 0.0, bank: 0.0 });
        }
        rows
    }

    fn flock_of(&self, rows: &[Row]) -> Flock {
        let (params, world, start) = (self.params, self.world, Start::Scatter);
        let setup = Setup { params, world, start, boids: 1, predators: 0, seed: 1, zones: Vec::new() };
        Flock::from_rows(&setup, 0, rows).unwrap()
    }

    /// Flies two ticks in the same room, and compares both with the oracle.
    fn check(&self) -> Result<(), TestCaseError> {
        let (mut flock, mut scratch) = (self.flock_of(&self.rows()), Scratch::new());
        for _ in 0..2 {
            let before = flock.rows();
            flock.step(&mut scratch);
            let oracle = Oracle { params: &self.params, world: self.world, rows: &before };
            for (before, row) in before.iter().zip(&flock.rows()) {
                check(self, before, &oracle.expect(before), row)?;
            }
        }
        Ok(())
    }
}

/// No rule does anything, and no limit binds.
fn calm() -> Params {
    Params {
        separation: Separation { radius: 1.0, weight: 0.0, falloff: Falloff::Flat, response: Response::Sum },
        alignment: Alignment { radius: 1.0, weight: 0.0, response: AlignmentResponse::Sum },
        cohesion: Cohesion { radius: 1.0, inner: 0.0, weight: 0.0, response: Response::Sum },
        flee: Flee { radius: 1.0, weight: 0.0, falloff: Falloff::Flat },
        hunt: Hunt {
            mode: PredatorMode::Flock,
            radius: 1.0,
            weight: 0.0,
            target: HuntTarget::Center,
            speed: FASTEST,
            ..Hunt::default()
        },
        edge: EdgeParams { mode: Edge::Open, margin: 0.0, strength: 0.0, restitution: 1.0, random: false },
        speed: Speed { min: 0.0, max: FASTEST },
        limits: Limits { max_force: 0.0, max_turn: 0.0, max_neighbors: 0.0 },
        noise: Noise { angle: 0.0, force: 0.0 },
        wind: Wind { x: 0.0, y: 0.0, z: 0.0 },
        ..Params::default()
    }
}

fn any_side() -> impl Strategy<Value = f32> {
    prop_oneof![1.0..30.0_f32, 30.0..500.0_f32, Just(1.0_f32), Just(64.0_f32), Just(100.0_f32), Just(800.0_f32)]
}

/// A world, and an edge that goes with it.
fn any_world() -> impl Strategy<Value = (World, Edge)> {
    let sides = || [any_side(), any_side(), any_side()];
    let edge = prop_oneof![3 => Just(Edge::Wrap), 1 => Just(Edge::Turn), 1 => Just(Edge::Open)];
    prop_oneof![
        4 => (sides(), edge.clone()).prop_map(|([width, height, _], edge)| (World::Rect([width, height]), edge)),
        4 => (sides(), edge).prop_map(|(sides, edge)| (World::Cuboid(sides), edge)),
        1 => any_side().prop_map(|radius| (World::Sphere(radius), Edge::Open)),
    ]
}

/// A radius as a share of the world's width: from tiny to larger than the world.
fn any_share() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (-10.0..1.7_f32).prop_map(f32::exp2),
        2 => (1..=24_u8).prop_map(|sixteenths| f32::from(sixteenths) / 16.0),
        1 => Just(0.0_f32),
    ]
}

fn any_falloff() -> impl Strategy<Value = Falloff> {
    prop::sample::select(Falloff::NAMES).prop_map(|name| Falloff::from_name(name).expect("its own name"))
}

fn any_spot() -> impl Strategy<Value = Zone> {
    prop_oneof![
        6 => (0.0..1.0_f32).prop_map(Zone::Share),
        4 => (0..16_u8).prop_map(Zone::Sixteenth),
        1 => Just(Zone::Seam),
        1 => Just(Zone::BelowSeam),
        1 => Just(Zone::AboveSeam),
        2 => (-1.0..1.0_f32).prop_map(Zone::Outside),
        1 => prop_oneof![-1e4..1e4_f32, -1e6..1e6_f32, -9e8..9e8_f32].prop_map(Zone::Far),
    ]
}

fn any_place() -> impl Strategy<Value = Place> {
    let corner = prop_oneof![Just(Zone::Seam), Just(Zone::BelowSeam), Just(Zone::AboveSeam)];
    prop_oneof![
        5 => [any_spot(), any_spot(), any_spot()].prop_map(Place::At),
        1 => [corner.clone(), corner.clone(), corner].prop_map(Place::At),
        1 => any::<u16>().prop_map(Place::With),
        4 => (any::<u16>(), [-1.2..1.2_f32, -1.2..1.2_f32, -1.2..1.2_f32])
            .prop_map(|(index, aside)| Place::Near(index, aside)),
        2 => (any::<u16>(), 0..3_usize, -16..=16_i8)
            .prop_map(|(index, along, sixteenths)| Place::Beside(index, along, sixteenths)),
    ]
}

fn any_agent() -> impl Strategy<Value = Agent> {
    let component = || prop_oneof![0.1..0.5_f32, -0.5..-0.1_f32];
    (any_place(), [component(), component(), component()], prop::bool::weighted(0.1))
        .prop_map(|(place, velocity, is_predator)| Agent { place, velocity, is_predator })
}

fn any_agents() -> impl Strategy<Value = Vec<Agent>> {
    let together = any_agent().prop_map(|agent| Agent { place: Place::With(0), ..agent });
    prop_oneof![
        8 => prop::collection::vec(any_agent(), 1..150),
        1 => prop::collection::vec(any_agent(), 1..4),
        1 => prop::collection::vec(together, 1..100),
    ]
}

/// A scene with no rule in effect; `edit` gives it some, from shares of the world's width.
fn any_scene(edit: impl Fn(&mut Params, &[f32; 4])) -> impl Strategy<Value = Scene> {
    let shares = [any_share(), any_share(), any_share(), any_share()];
    (any_world(), shares, 0.0..0.45_f32, any_agents()).prop_map(move |((world, mode), shares, margin, agents)| {
        let size = world.size();
        let mut params = calm();
        params.edge.mode = mode;
        params.edge.margin = margin * size[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        edit(&mut params, &shares.map(|share| share * size[0]));
        if params.edge.mode == Edge::Wrap {
            params.alignment.radius = params.alignment.radius.min(4.0 * size[0]);
            params.cohesion.radius = params.cohesion.radius.min(4.0 * size[0]);
        }
        // Whether coincident boids stand inside so small an inner radius, the page leaves open.
        let Cohesion { inner, radius, .. } = params.cohesion;
        if radius.is_finite() && inner < radius / 500.0 {
            params.cohesion.inner = 0.0;
        }
        Scene { world, params, agents }
    })
}

/// 64 cases, unless `PROPTEST_CASES` asks for another number.
fn config() -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { default } else { ProptestConfig { cases: 64, ..default } }
}

// ---------------------------------------------------------------------------------------------------------------------
// The contract.

proptest! {
    #![proptest_config(config())]

    /// The velocities are all different, so that their sum tells who was counted, and how often.
    #[test]
    fn alignment_counts_everyone_inside_its_radius_once(scene in any_scene(|params, [radius, ..]| {
        params.alignment = Alignment { radius: *radius, weight: 1.0, response: AlignmentResponse::Sum };
    })) {
        scene.check()?;
    }

    /// A rule finds its own neighbors whatever the largest radius is.
    #[test]
    fn a_rule_finds_its_own_inside_the_largest_radius(scene in any_scene(|params, [radius, larger, inner, _]| {
        params.alignment = Alignment { radius: *radius, weight: 1.0, response: AlignmentResponse::Sum };
        params.separation.radius = *larger;
        params.cohesion.inner = *inner;
    })) {
        scene.check()?;
    }

    #[test]
    fn separation_pushes_from_everyone_inside_its_radius(
        scene in any_scene(|params, [radius, ..]| params.separation.radius = *radius),
        falloff in any_falloff(),
    ) {
        let mut scene = scene;
        (scene.params.separation.weight, scene.params.separation.falloff) = (0.01, falloff);
        scene.check()?;
    }

    #[test]
    fn cohesion_draws_to_everyone_between_its_radii(
        scene in any_scene(|params, [radius, inner, ..]| {
            (params.cohesion.radius, params.cohesion.inner) = (*radius, inner.min(radius * 0.9));
        }),
        response in prop::sample::select(vec![Response::Sum, Response::Mean]),
    ) {
        let mut scene = scene;
        (scene.params.cohesion.weight, scene.params.cohesion.response) = (0.02, response);
        scene.check()?;
    }

    #[test]
    fn everyone_flees_the_predators_inside_the_radius(
        scene in any_scene(|params, [radius, larger, ..]| {
            (params.flee.radius, params.flee.weight) = (*radius, 0.05);
            params.alignment.radius = *larger;
        }),
        mode in prop::sample::select(vec![PredatorMode::Flock, PredatorMode::Hunt]),
    ) {
        let mut scene = scene;
        scene.params.hunt.mode = mode;
        scene.check()?;
    }

    /// Prey sees prey alone, and a hunter flies at the mean of all prey in its sight.
    #[test]
    fn hunters_see_prey_and_prey_does_not_count_them(scene in any_scene(|params, [radius, sight, ..]| {
        params.alignment = Alignment { radius: *radius, weight: 1.0, response: AlignmentResponse::Sum };
        params.hunt = Hunt { mode: PredatorMode::Hunt, radius: *sight, weight: 0.5, ..params.hunt };
    })) {
        scene.check()?;
    }

    /// Each pushes the others off by what they lack of the distance.
    #[test]
    fn hunters_keep_apart(scene in any_scene(|params, [apart, sight, ..]| {
        params.hunt = Hunt { mode: PredatorMode::Hunt, radius: *sight, weight: 0.5, separation: *apart, ..params.hunt };
    })) {
        scene.check()?;
    }

    #[test]
    fn all_rules_together(scene in any_scene(|params, [separation, alignment, cohesion, flee]| {
        let falloff = Falloff::Inverse;
        params.separation = Separation { radius: *separation, weight: 0.1, falloff, ..params.separation };
        params.alignment = Alignment { radius: *alignment, weight: 0.2, response: AlignmentResponse::Difference };
        let inner = if *cohesion > *separation { *separation } else { 0.0 };
        params.cohesion = Cohesion { radius: *cohesion, inner, weight: 0.01, response: Response::Mean };
        params.flee = Flee { radius: *flee, weight: 0.001, falloff: Falloff::Linear };
    })) {
        scene.check()?;
    }

    /// An infinite radius has no meaning in a wrapping world: the scene takes four widths there.
    #[test]
    fn an_infinite_radius_counts_the_whole_flock(
        scene in any_scene(|params, [separation, inner, ..]| {
            params.separation.radius = *separation;
            params.alignment = Alignment { radius: f32::INFINITY, weight: 1.0, response: AlignmentResponse::Sum };
            let response = Response::Mean;
            params.cohesion = Cohesion { radius: f32::INFINITY, inner: *inner, weight: 0.01, response };
        }),
        mode in prop::sample::select(vec![PredatorMode::Flock, PredatorMode::Hunt]),
    ) {
        let mut scene = scene;
        scene.params.hunt.mode = mode;
        scene.check()?;
    }

    /// Two on one point part in exactly opposite directions, as far as their rule pushes at a thousandth of its radius.
    #[test]
    fn coincident_boids_part(
        (world, mode) in any_world(),
        share in any_share(),
        zones in [any_spot(), any_spot(), any_spot()],
        ids in (0..1000_u32, 1000..2000_u32),
        falloff in any_falloff(),
    ) {
        let mut params = calm();
        // Where the edge turns, it may stop one of them.
        params.edge.mode = if mode == Edge::Turn { Edge::Open } else { mode };
        let radius = (share * world.size()[0]).max(0.01);
        params.separation = Separation { radius, weight: 0.1, falloff, response: Response::Sum };
        let place = [Place::At(zones), Place::With(0)];
        let agents = place.map(|place| Agent { place, velocity: [0.0; 3], is_predator: false }).to_vec();
        let scene = Scene { world, params, agents };
        let mut rows = scene.rows();
        (rows[0].id, rows[1].id) = ids;
        let mut flock = scene.flock_of(&rows);
        flock.step(&mut Scratch::new());
        let [one, other] = [flock.rows()[0], flock.rows()[1]];
        prop_assert_eq!(one.velocity.map(|component| -component), other.velocity);
        let distance = f64::from(radius) / 1000.0;
        let pushed = (0.1 * distance * weigh(falloff, radius, distance)).min(f64::from(FASTEST));
        let speed = length(one.velocity.map(f64::from));
        prop_assert!((speed - pushed).abs() <= 1e-5 * pushed, "they part at {}, not {}", speed, pushed);
    }

    /// Whatever the rules, a crowd on few points stays somewhere.
    #[test]
    fn nothing_is_ever_not_a_number(
        scene in any_scene(|params, [separation, alignment, cohesion, flee]| {
            params.separation.radius = *separation;
            params.alignment.radius = *alignment;
            params.cohesion.radius = *cohesion;
            (params.flee.radius, params.hunt.radius) = (*flee, *flee);
            (params.separation.weight, params.alignment.weight, params.cohesion.weight) = (100.0, 1.0, 1.0);
            (params.flee.weight, params.hunt.weight) = (100.0, 1.0);
        }),
        words in (0..5_usize, 0..4_usize, 0..4_usize, 0..6_usize, 0..2_usize, 0..4_usize),
        limits in (prop_oneof![Just(0.0_f32), 0.0..5.0_f32], prop_oneof![Just(0.0_f32), 0.0..180.0_f32], 0..8_u8),
        noise in prop_oneof![Just(0.0_f32), Just(360.0_f32)],
        alive in (prop_oneof![Just(0.0_f32), Just(2.0_f32)], prop_oneof![Just(0.0_f32), 0.0..1.0_f32], 0.0..50.0_f32),
    ) {
        let mut scene = scene;
        let params = &mut scene.params;
        (params.hunt.stamina, params.hunt.rest, params.hunt.respawn) = (alive.0, 1.0, 1.0);
        (params.alarm.spread, params.alarm.radius, params.hunt.catch) = (alive.1, alive.2, alive.2 - 25.0);
        params.hunt.catch = params.hunt.catch.max(0.0);
        params.separation.falloff = Falloff::from_name(Falloff::NAMES[words.0]).unwrap();
        params.flee.falloff = params.separation.falloff;
        params.separation.response = Response::from_name(Response::NAMES[words.1]).unwrap();
        params.cohesion.response = Response::from_name(Response::NAMES[words.2]).unwrap();
        params.alignment.response = AlignmentResponse::from_name(AlignmentResponse::NAMES[words.3]).unwrap();
        params.hunt.mode = PredatorMode::from_name(PredatorMode::NAMES[words.4]).unwrap();
        params.hunt.target = HuntTarget::from_name(HuntTarget::NAMES[words.5]).unwrap();
        params.limits = Limits { max_force: limits.0, max_turn: limits.1, max_neighbors: f32::from(limits.2) };
        params.noise.angle = noise;
        let (mut flock, mut scratch) = (scene.flock_of(&scene.rows()), Scratch::new());
        for _ in 0..5 {
            flock.step(&mut scratch);
            for row in flock.rows() {
                check_place(&scene, &row)?;
            }
        }
    }
}
