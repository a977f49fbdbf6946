//! Contract: an analyzer measures what `docs/models.md` defines, for every boid and over all pairs.
//!
//! The oracle uses `f64` and double loops, from rows and parameters alone.

use std::f64::consts::TAU;

use crate::bounds::Draw;
use flockscope::sim::{
    Analyzer, Edge, Flock, Kind, Measure, ModelRow, Params, PredatorMode, Row, Scratch, Setup, Start, World,
};

/// Tolerance of a mean, relative, and absolute near 0.
const TOLERANCE: f64 = 1e-5;
/// The oracle has so many means; the numbers behind them are exact.
const MEANS: usize = 6;

// --- the oracle

struct Oracle {
    rules: Params,
    world: World,
    prey: Vec<Row>,
    predators: Vec<Row>,
    caught: usize,
}

impl Oracle {
    fn of(flock: &Flock) -> Self {
        let rows = flock.rows();
        let all = |kind| rows.iter().copied().filter(|row| row.kind == kind).collect::<Vec<_>>();
        let caught = all(Kind::Caught).len();
        let (prey, predators) = (all(Kind::Prey), all(Kind::Predator));
        Self { rules: *flock.params(), world: flock.world(), prey, predators, caught }
    }

    fn wraps(&self) -> bool {
        self.rules.edge.mode == Edge::Wrap
    }

    /// Offset between two places; the shortest one on a torus.
    fn offset(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        let size = self.world.size().map(f64::from);
        [0, 1, 2].map(|axis| {
            let straight = to[axis] - from[axis];
            let ways = [straight, straight - size[axis], straight + size[axis]];
            let ways = if self.wraps() { &ways[..] } else { &ways[..1] };
            ways.iter().copied().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap()
        })
    }

    fn distance(&self, one: &Row, other: &Row) -> f64 {
        length(self.offset(one.position.map(f64::from), other.position.map(f64::from)))
    }

    /// Distances from a boid to all others.
    fn distances(&self, me: &Row) -> impl Iterator<Item = f64> {
        self.prey.iter().filter(|other| other.id != me.id).map(|other| self.distance(me, other))
    }

    /// Mean over all boids; 0 without boids.
    fn mean(&self, of: impl Fn(&Row) -> f64) -> f64 {
        self.prey.iter().map(of).sum::<f64>() / self.prey.len().max(1) as f64
    }

    /// Length of the mean over all boids.
    fn mean_length(&self, of: impl Fn(&Row) -> [f64; 3]) -> f64 {
        length([0, 1, 2].map(|axis| self.mean(|row| of(row)[axis])))
    }

    /// Center of the flock; on a torus from the circular mean of each axis.
    fn center(&self) -> [f64; 3] {
        let size = self.world.size().map(f64::from);
        [0, 1, 2].map(|axis| {
            let at = |row: &Row| f64::from(row.position[axis]);
            if !self.wraps() || size[axis] == 0.0 {
                return self.mean(at);
            }
            let angle = |row: &Row| at(row) / size[axis] * TAU;
            self.mean(|row| angle(row).sin()).atan2(self.mean(|row| angle(row).cos())) / TAU * size[axis]
        })
    }

    fn measures(&self) -> [(&'static Measure, f64); 13] {
        let heading = |row: &Row| unit(row.velocity.map(f64::from));
        let speed = |row: &Row| length(row.velocity.map(f64::from));
        let (mean_speed, center) = (self.mean(speed), self.center());
        let from_center = |row: &Row| unit(self.offset(center, row.position.map(f64::from)));
        let near = |row: &Row| {
            self.distances(row)
                .filter(|distance| *distance < f64::from(ModelRow::of(&self.rules).perception(&self.rules)))
                .count()
        };
        let hunts = self.rules.hunt.mode == PredatorMode::Hunt;
        let (hunters, resting): (Vec<&Row>, Vec<&Row>) =
            self.predators.iter().filter(|_| hunts).partition(|predator| predator.mood >= 0.0);
        let sees = |predator: &Row, prey: &Row| self.distance(predator, prey) < f64::from(self.rules.hunt.radius);
        let sees_prey = |hunter: &&&Row| self.prey.iter().any(|prey| sees(hunter, prey));
        let is_seen = |prey: &&Row| hunters.iter().any(|hunter| sees(hunter, prey));
        let nearest = |row: &Row| self.distances(row).min_by(f64::total_cmp).unwrap_or(f64::NAN);
        let sizes = self.flocks();
        [
            (&Measure::POLARIZATION, self.mean_length(heading)),
            (&Measure::ROTATION, self.mean_length(|row| cross(heading(row), from_center(row)))),
            (&Measure::MEAN_SPEED, mean_speed),
            (&Measure::SPEED_DEVIATION, self.mean(|row| (speed(row) - mean_speed).powi(2)).sqrt()),
            (&Measure::NEAREST_NEIGHBOR, if self.prey.is_empty() { f64::NAN } else { self.mean(nearest) }),
            (&Measure::NEIGHBORS, self.mean(|row| near(row) as f64)),
            (&Measure::FLOCKS, sizes.len() as f64),
            (&Measure::LARGEST_FLOCK, sizes.iter().copied().max().unwrap_or(0) as f64),
            (&Measure::PREDATORS, self.predators.len() as f64),
            (&Measure::HUNTING, hunters.iter().filter(sees_prey).count() as f64),
            (&Measure::RESTING, resting.len() as f64),
            (&Measure::PREY_IN_SIGHT, self.prey.iter().filter(is_seen).count() as f64),
            (&Measure::CAUGHT, self.caught as f64),
        ]
    }

    /// The sizes of the flocks. Boids within the cohesion radius of a member belong to the same one.
    fn flocks(&self) -> Vec<usize> {
        let mut left: Vec<&Row> = self.prey.iter().collect();
        let mut sizes = Vec::new();
        while let Some(first) = left.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while let Some(&member) = group.get(next) {
                let joins = |other: &&Row| self.distance(member, other) < f64::from(self.rules.cohesion.radius);
                group.extend(left.extract_if(.., |other| joins(other)));
                next += 1;
            }
            sizes.push(group.len());
        }
        sizes
    }
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|along| along * along).sum::<f64>().sqrt()
}

/// Direction of a vector; zero if its length is only rounding error.
fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = length(vector);
    vector.map(|along| if length > 1e-9 { along / length } else { 0.0 })
}

fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

// --- the tests

/// Measures a flock and compares with the oracle. Returns the value of a measure.
fn agree(what: &str, flock: &Flock) -> impl Fn(&Measure) -> f64 + use<> {
    let (expected, mut analyzer) = (Oracle::of(flock).measures(), Analyzer::new());
    let measures = expected.map(|(measure, _)| measure);
    let found = analyzer.values(flock, usize::MAX, &measures);
    for (index, ((measure, expected), found)) in expected.into_iter().zip(&found).enumerate() {
        let tolerance = if index < MEANS { TOLERANCE * expected.max(1.0) } else { 0.0 };
        let is_near = (found - expected).abs() <= tolerance || found.is_nan() && expected.is_nan();
        assert!(is_near, "{what}: {} is {found} and not {expected}", measure.name);
    }
    let value = move |measure: &Measure| found[measures.iter().position(|other| *other == measure).unwrap()];
    let largest = analyzer.largest(flock, None).map_or(0, |group| group.boids);
    assert_eq!(largest as f64, value(&Measure::LARGEST_FLOCK), "{what}");
    value
}

fn setup(world: World, edge: Edge, boids: usize, predators: usize) -> Setup {
    let mut params = Params::default();
    params.edge.mode = edge;
    params.edge.margin = 10.0;
    (params.separation.radius, params.alignment.radius, params.cohesion.radius) = (6.0, 14.0, 9.0);
    params.hunt.radius = 30.0;
    Setup { params, world, start: Start::Scatter, boids, predators, seed: 5, zones: Vec::new() }
}

/// A flat, a deep and a round world, with every edge that each allows.
fn worlds() -> impl Iterator<Item = (World, Edge)> {
    let boxed = [Edge::Wrap, Edge::Turn, Edge::Push, Edge::Reflect, Edge::Open];
    let flat = boxed.map(|edge| (World::Rect([160.0, 110.0]), edge));
    let deep = boxed.map(|edge| (World::Cuboid([90.0, 70.0, 50.0]), edge));
    let round = [Edge::Sphere, Edge::Open].map(|edge| (World::Sphere(40.0), edge));
    flat.into_iter().chain(deep).chain(round)
}

fn fly(flock: &mut Flock, ticks: u64) {
    let mut scratch = Scratch::new();
    (0..ticks).for_each(|_| flock.step(&mut scratch));
}

/// Boids placed randomly in a box of this side, far from each other.
fn far_apart(world: World, boids: u32, side: f32) -> Flock {
    let mut draw = Draw(3);
    let mut axes = |most: f32| [0, 1, 2].map(|axis| if axis < world.dim() { most * (draw.next() - 0.5) } else { 0.0 });
    let row = |id| Row { id, kind: Kind::Prey, position: axes(side), velocity: axes(6.0), mood: 0.0, bank: 0.0 };
    let rows: Vec<Row> = (0..boids).map(row).collect();
    Flock::from_rows(&setup(world, Edge::Open, 1, 0), 0, &rows).unwrap()
}

#[test]
fn measures_agree_in_every_world_at_every_radius() {
    for (world, edge) in worlds() {
        for radii in [[6.0, 14.0, 9.0], [2.0, 1.0, 3.0], [0.0, 0.0, 0.0], [60.0, 200.0, 20.0]] {
            let mut setup = setup(world, edge, 260, 4);
            let Params { separation, alignment, cohesion, .. } = &mut setup.params;
            (separation.radius, alignment.radius, cohesion.radius) = radii.into();
            let mut flock = Flock::new(&setup).unwrap();
            for ticks in [0, 1, 60] {
                fly(&mut flock, ticks);
                let _ = agree(&format!("{world}, {edge:?}, {radii:?}, at tick {}", flock.tick()), &flock);
            }
        }
    }
}

#[test]
fn an_infinite_radius_makes_one_flock() {
    for (world, edge) in worlds().filter(|(_, edge)| *edge != Edge::Wrap) {
        let mut setup = setup(world, edge, 90, 0);
        (setup.params.alignment.radius, setup.params.cohesion.radius) = (f32::INFINITY, f32::INFINITY);
        let value = agree(&format!("{world}, {edge:?}"), &Flock::new(&setup).unwrap());
        assert_eq!(value(&Measure::NEIGHBORS), 89.0);
    }
}

#[test]
fn the_nearest_neighbor_is_found_at_any_distance() {
    for world in [World::Rect([160.0, 110.0]), World::Cuboid([90.0, 70.0, 50.0]), World::Sphere(40.0)] {
        for boids in [2, 3, 300] {
            for side in [1e3, 1e5, 1e7, 1e9] {
                let value = agree(&format!("{boids} within {side} u, {world}"), &far_apart(world, boids, side));
                assert!(value(&Measure::NEAREST_NEIGHBOR) > 1e-3 * f64::from(side));
            }
        }
    }
}

#[test]
fn boids_far_outside_are_measured() {
    let mut setup = setup(World::Rect([800.0, 600.0]), Edge::Open, 3, 0);
    let Params { separation, alignment, cohesion, .. } = &mut setup.params;
    (separation.weight, alignment.weight, cohesion.weight) = (0.0, 0.0, 0.0);
    let mut flock = Flock::new(&setup).unwrap();
    let mut apart = 0.0;
    for _ in 0..8 {
        fly(&mut flock, 4000);
        let nearest = agree(&format!("at tick {}", flock.tick()), &flock)(&Measure::NEAREST_NEIGHBOR);
        assert!(nearest > apart, "at tick {}", flock.tick());
        apart = nearest;
    }
}

#[test]
fn a_ring_surrounds_the_center_and_all_its_boids_fly_the_same_way_round() {
    for (world, edge) in worlds() {
        let flock = Flock::new(&Setup { start: Start::Ring, ..setup(world, edge, 300, 3) }).unwrap();
        let value = agree(&format!("{world}, {edge:?}"), &flock);
        assert!(value(&Measure::ROTATION) > 0.98 && value(&Measure::POLARIZATION) < 0.2, "{world}");
        let least = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        for row in flock.rows().iter().filter(|row| row.kind == Kind::Prey) {
            let offset: [f32; 3] = std::array::from_fn(|axis| row.position[axis] - world.center()[axis]);
            let distance = offset.iter().map(|axis| axis * axis).sum::<f32>().sqrt();
            assert!((0.07 * least..0.38 * least).contains(&distance), "{world}: {row:?}");
        }
    }
}

#[test]
fn a_single_boid_has_no_neighbor_and_no_rotation() {
    for (world, edge) in worlds() {
        let mut flock = Flock::new(&setup(world, edge, 1, 0)).unwrap();
        for _ in 0..20 {
            let what = format!("{world}, {edge:?}, at tick {}", flock.tick());
            let value = agree(&what, &flock);
            assert_eq!([&Measure::ROTATION, &Measure::NEIGHBORS].map(&value), [0.0, 0.0], "{what}");
            assert!(value(&Measure::NEAREST_NEIGHBOR).is_nan(), "{what}");
            fly(&mut flock, 7);
        }
    }
}

#[test]
fn coincident_and_resting_boids_have_no_direction() {
    for (world, edge) in worlds() {
        let mut place = world.center();
        place[0] += 13.7;
        for velocity in [[0.0; 3], [1.0, 0.5, 0.0]] {
            let row = |id| Row { id, kind: Kind::Prey, position: place, velocity, mood: 0.0, bank: 0.0 };
            let rows: Vec<Row> = (0..30).map(row).collect();
            let flock = Flock::from_rows(&setup(world, edge, 1, 0), 0, &rows).unwrap();
            let _ = agree(&format!("{world}, {edge:?}, all flying {velocity:?}"), &flock);
        }
    }
}

#[test]
fn predators_prey_in_sight_resting_and_caught_are_counted() {
    let counts = [&Measure::HUNTING, &Measure::RESTING, &Measure::PREY_IN_SIGHT, &Measure::CAUGHT];
    let mut most = [0.0_f64; 4];
    for (world, edge) in worlds() {
        for mode in [PredatorMode::Hunt, PredatorMode::Flock] {
            let mut setup = setup(world, edge, 150, 9);
            let hunt = &mut setup.params.hunt;
            (hunt.mode, hunt.radius, hunt.speed) = (mode, 25.0, 6.0);
            (hunt.stamina, hunt.rest, hunt.catch, hunt.respawn) = (20.0, 15.0, 8.0, 40.0);
            let mut flock = Flock::new(&setup).unwrap();
            for _ in 0..12 {
                let value = agree(&format!("{world}, {edge:?}, {mode:?}, at tick {}", flock.tick()), &flock);
                most = [0, 1, 2, 3].map(|index| value(counts[index]).max(most[index]));
                fly(&mut flock, 9);
            }
        }
    }
    assert!(most.iter().all(|most| *most > 1.0), "hunting, resting, in sight, caught: {most:?}");
}

#[test]
fn predators_rest_when_all_boids_are_caught() {
    for (world, edge) in worlds() {
        let mut setup = setup(world, edge, 1, 0);
        let hunt = &mut setup.params.hunt;
        (hunt.radius, hunt.rest, hunt.catch, hunt.respawn) = (30.0, 15.0, 8.0, 40.0);
        let kinds = [Kind::Prey, Kind::Predator, Kind::Predator];
        let row = |(id, kind)| Row { id, kind, position: world.center(), velocity: [0.0; 3], mood: 0.0, bank: 0.0 };
        let rows: Vec<Row> = (0..).zip(kinds).map(row).collect();
        let mut flock = Flock::from_rows(&setup, 0, &rows).unwrap();
        fly(&mut flock, 1);
        let value = agree(&format!("{world}, {edge:?}"), &flock);
        assert_eq!([&Measure::CAUGHT, &Measure::RESTING].map(value), [1.0, 1.0], "{world}, {edge:?}");
    }
}

/// A flock of these positions and velocities in an open world, with a cohesion radius of 9 u.
fn placed(world: World, boids: impl Iterator<Item = ([f32; 3], [f32; 3])>) -> Flock {
    let row = |(id, (position, velocity))| Row { id, kind: Kind::Prey, position, velocity, mood: 0.0, bank: 0.0 };
    let rows: Vec<Row> = (0..).zip(boids).map(row).collect();
    Flock::from_rows(&setup(world, Edge::Open, 1, 0), 0, &rows).unwrap()
}

fn value(flock: &Flock, name: &str) -> f64 {
    Analyzer::new().value(flock, usize::MAX, Measure::find(name).unwrap())
}

#[test]
fn values_are_the_same_alone_and_together() {
    for (world, edge) in worlds() {
        let flock = Flock::new(&setup(world, edge, 120, 4)).unwrap();
        let all: Vec<&Measure> = Measure::table().iter().collect();
        let reversed: Vec<&Measure> = all.iter().rev().copied().collect();
        let mut analyzer = Analyzer::new();
        let together = analyzer.values(&flock, usize::MAX, &all);
        let backward = analyzer.values(&flock, usize::MAX, &reversed);
        for ((measure, together), backward) in all.iter().zip(&together).zip(backward.iter().rev()) {
            let alone = value(&flock, measure.name);
            let bits = [alone, *together, *backward].map(f64::to_bits);
            assert!(bits.iter().all(|value| *value == bits[0]), "{} in {world}, {edge:?}", measure.name);
            assert_eq!(alone.is_nan(), measure.is_per_run(), "{}", measure.name);
        }
        let mean = 120.0 / value(&flock, "flocks");
        assert_eq!(value(&flock, "mean_cluster"), mean, "{world}, {edge:?}");
    }
}

#[test]
fn aligned_boids_are_polarized_and_do_not_rotate() {
    let boids = (0..25_u8).map(|index| ([f32::from(index % 5), f32::from(index / 5), 0.0], [0.3, 0.4, 0.0]));
    let flock = placed(World::Rect([160.0, 110.0]), boids);
    assert!((value(&flock, "polarization") - 1.0).abs() < 1e-6 && value(&flock, "rotation") < 1e-6);
    assert_eq!((value(&flock, "mean_speed"), value(&flock, "speed_deviation")), (0.5, 0.0));
}

#[test]
fn a_mill_around_any_axis_rotates_and_is_not_polarized() {
    let flat = World::Rect([160.0, 110.0]);
    let deep = World::Cuboid([160.0, 110.0, 90.0]);
    for (world, [across, along]) in [
        (flat, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        (deep, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        (deep, [[0.6, 0.8, 0.0], [0.0, 0.0, -1.0]]),
    ] {
        let boids = (0..40_u8).map(|index| {
            let (sin, cos) = (f32::from(index) / 40.0 * TAU as f32).sin_cos();
            let on_circle = |x: f32, y: f32| [0, 1, 2].map(|axis| x * across[axis] + y * along[axis]);
            (on_circle(20.0 * cos, 20.0 * sin), on_circle(-sin, cos))
        });
        let flock = placed(world, boids);
        assert!((value(&flock, "rotation") - 1.0).abs() < 1e-5, "{world}: {}", value(&flock, "rotation"));
        assert!(value(&flock, "polarization") < 1e-5, "{world}");
    }
}

#[test]
fn two_clusters_are_two_flocks() {
    let place = |index: u8| if index < 30 { [f32::from(index), 5.0, 0.0] } else { [f32::from(index), 80.0, 0.0] };
    let flock = placed(World::Rect([160.0, 110.0]), (0..50).map(|index| (place(index), [1.0, 0.0, 0.0])));
    let clusters = ["flocks", "largest_flock", "mean_cluster", "weighted_cluster"].map(|name| value(&flock, name));
    assert_eq!(clusters, [2.0, 30.0, 25.0, (900.0 + 400.0) / 50.0]);
    let mut analyzer = Analyzer::new().with_group_radius(Some(80.0));
    assert_eq!(analyzer.values(&flock, usize::MAX, &[&Measure::FLOCKS, &Measure::LARGEST_FLOCK]), [1.0, 50.0]);
}

#[test]
fn threads_do_not_change_nearest_distances() {
    use flockscope::engine::in_pool;
    // Enough for several threads.
    let flock = far_apart(World::Rect([160.0, 110.0]), 4500, 1e5);
    let one = agree("many", &flock)(&Measure::NEAREST_NEIGHBOR);
    for threads in [2, 5] {
        let found = in_pool(threads.try_into().unwrap(), |_| value(&flock, "nearest_neighbor"));
        assert_eq!(found, one, "{threads} threads");
    }
}
