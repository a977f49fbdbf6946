//! Contract: measures of the largest flock, and curves, have the values of `docs/models.md`: those of an oracle in `f64` over all
//! pairs, and those that theory gives for known flocks.

use std::f64::consts::PI;

use crate::bounds::Draw;
use flockscope::sim::{
    Analyzer, Curve, Edge, Flock, Kind, Measure, Params, Recorder, Row, Scratch, Setup, Start, World,
};

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: Vector) -> Vector {
    let length = length(a);
    a.map(|along| if length > 0.0 { along / length } else { 0.0 })
}

fn minus(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn mean(vectors: impl Iterator<Item = Vector>) -> Vector {
    let add =
        |(sum, count): (Vector, f64), vector: Vector| ([0, 1, 2].map(|axis| sum[axis] + vector[axis]), count + 1.0);
    let (sum, count) = vectors.fold(([0.0; 3], 0.0), add);
    sum.map(|axis| axis / count)
}

/// A flock of these positions and velocities.
fn flock(world: World, edge: Edge, boids: impl Iterator<Item = ([f32; 3], [f32; 3])>) -> Flock {
    let mut params = Params::default();
    (params.edge.mode, params.cohesion.radius) = (edge, 9.0);
    let setup = Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 1, zones: Vec::new() };
    let row = |(id, (position, velocity))| Row { id, kind: Kind::Prey, position, velocity, mood: 0.0, bank: 0.0 };
    let rows: Vec<Row> = (0..).zip(boids).map(row).collect();
    Flock::from_rows(&setup, 0, &rows).unwrap()
}

fn value(flock: &Flock, name: &str) -> f64 {
    Analyzer::new().value(flock, usize::MAX, Measure::find(name).unwrap())
}

fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// The rows of a curve over some states, with one group unless a radius is given.
fn curve(name: &str, flocks: impl Iterator<Item = Flock>, group_radius: Option<f32>) -> Vec<Vec<f64>> {
    let mut recorder = Recorder::new(&[]).with(&[Curve::find(name).unwrap()], group_radius);
    flocks.for_each(|flock| assert!(recorder.record(&flock).is_empty()));
    recorder.curves().next().unwrap().1
}

const ONE_GROUP: Option<f32> = Some(f32::INFINITY);

/// Random places, of which some are scaled about the center of the world.
fn random(world: World, edge: Edge, boids: u32, scale: [f32; 3]) -> Flock {
    let mut draw = Draw(3);
    let center = world.center();
    let boids: Vec<_> = (0..boids)
        .map(|_| {
            let at = draw.place(&world);
            let position = [0, 1, 2].map(|axis| center[axis] + scale[axis] * (at[axis] - center[axis]));
            let mut speed = || 2.0 * (draw.next() - 0.3);
            let velocity = [speed(), speed(), if world.dim() == 2 { 0.0 } else { speed() }];
            (position, velocity)
        })
        .collect();
    flock(world, edge, boids.into_iter())
}

// --- an oracle over rows

/// The rows of the largest connected group, in an open world.
fn largest(flock: &Flock, radius: f64) -> Vec<Row> {
    let mut left = flock.rows();
    let mut best = Vec::new();
    while let Some(first) = (!left.is_empty()).then(|| left.remove(0)) {
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&member) = group.get(next) {
            let joins = |other: &Row| length(minus(at(other), at(&member))) < radius;
            group.extend(left.extract_if(.., |other| joins(other)));
            next += 1;
        }
        if group.len() > best.len() {
            best = group;
        }
    }
    best
}

fn at(row: &Row) -> Vector {
    row.position.map(f64::from)
}

fn heading(row: &Row) -> Vector {
    unit(row.velocity.map(f64::from))
}

/// The mean of `v vᵀ`.
fn moments(vectors: &[Vector]) -> [Vector; 3] {
    [0, 1, 2].map(|row| mean(vectors.iter().map(|v| v.map(|along| along * v[row]))))
}

/// The sum, the sum of products of pairs, and the product of the eigenvalues of a symmetric matrix.
fn invariants(m: [Vector; 3]) -> [f64; 3] {
    let minor = |a: usize, b: usize| m[a][a] * m[b][b] - m[a][b] * m[b][a];
    [m[0][0] + m[1][1] + m[2][2], minor(0, 1) + minor(0, 2) + minor(1, 2), dot(m[0], cross(m[1], m[2]))]
}

/// The directions from a boid to all others, nearest first.
fn directions(me: &Row, flock: &[Row]) -> Vec<Vector> {
    let mut offsets: Vec<Vector> =
        flock.iter().filter(|row| row.id != me.id).map(|row| minus(at(row), at(me))).collect();
    offsets.sort_by(|a, b| length(*a).total_cmp(&length(*b)));
    offsets.into_iter().map(unit).collect()
}

/// Whether a boid is inside the border: by the mean direction to its 32 nearest.
fn is_inside(me: &Row, flock: &[Row]) -> bool {
    let near = directions(me, flock);
    length(mean(near.iter().take(32).copied())) < 0.35
}

// --- the tests

fn open_worlds() -> [(World, [f32; 3]); 3] {
    [
        (World::Rect([160.0, 110.0]), [0.5, 0.5, 1.0]),
        (World::Cuboid([90.0, 70.0, 50.0]), [0.6, 0.6, 0.3]),
        (World::Cuboid([90.0, 70.0, 50.0]), [1.5, 1.5, 1.5]),
    ]
}

#[test]
fn order_and_shape_of_the_largest_flock_agree_with_the_oracle() {
    for (world, scale) in open_worlds() {
        let flock = random(world, Edge::Open, 260, scale);
        let group = largest(&flock, 9.0);
        let center = mean(group.iter().map(at));
        let offsets: Vec<Vector> = group.iter().map(|row| minus(at(row), center)).collect();
        let turning = group.iter().zip(&offsets).map(|(row, offset)| cross(unit(*offset), heading(row)));
        for (name, expected) in [
            ("largest_flock", group.len() as f64),
            ("largest_polarization", length(mean(group.iter().map(heading)))),
            ("largest_rotation", length(mean(turning))),
        ] {
            let found = value(&flock, name);
            assert!(is_near(found, expected, 1e-5), "{name} in {world}: {found} and not {expected}");
        }
        let axes = ["axis_1", "axis_2", "axis_3"].map(|name| value(&flock, name).powi(2));
        assert!(axes[0] >= axes[1] && axes[1] >= axes[2]);
        let found = [
            axes[0] + axes[1] + axes[2],
            axes[0] * axes[1] + axes[2] * (axes[0] + axes[1]),
            axes[0] * axes[1] * axes[2],
        ];
        for (found, expected) in found.into_iter().zip(invariants(moments(&offsets))) {
            assert!(is_near(found, expected, 1e-5), "{world}: {found} and not {expected}");
        }
        let farthest = group.iter().flat_map(|a| group.iter().map(|b| length(minus(at(a), at(b))))).fold(0.0, f64::max);
        assert!(is_near(value(&flock, "diameter"), farthest, 1e-5), "{world}");
    }
}

#[test]
fn a_flock_across_the_border_of_a_torus_is_the_same_flock() {
    let shape = random(World::Cuboid([90.0, 70.0, 50.0]), Edge::Open, 300, [0.3, 0.2, 0.4]);
    for shift in [[0.0; 3], [44.0, 0.0, 0.0], [30.0, 36.0, -24.0]] {
        let boids =
            shape.rows().into_iter().map(|row| ([0, 1, 2].map(|axis| row.position[axis] + shift[axis]), row.velocity));
        let size = [90.0, 70.0, 50.0];
        let wrapped =
            boids.map(|(at, velocity)| ([0, 1, 2].map(|axis| f32::rem_euclid(at[axis], size[axis])), velocity));
        let wrapped = flock(World::Cuboid(size), Edge::Wrap, wrapped);
        for name in ["largest_flock", "largest_rotation", "axis_1", "axis_2", "axis_3", "anisotropy", "diameter"] {
            let (found, expected) = (value(&wrapped, name), value(&shape, name));
            assert!(is_near(found, expected, 2e-4), "{name} at {shift:?}: {found} and not {expected}");
        }
    }
}

#[test]
fn nematic_order_agrees_with_the_oracle_and_ignores_signs() {
    for (world, scale) in open_worlds() {
        let flock = random(world, Edge::Open, 200, scale);
        let dimensions = world.dim() as f64;
        let headings: Vec<Vector> = flock.rows().iter().map(heading).collect();
        let m = moments(&headings);
        // The largest eigenvalue by iteration.
        let mut axis = [0.6, 0.64, 0.48];
        (0..2000).for_each(|_| axis = unit(m.map(|row| dot(row, axis))));
        let expected = (dimensions * dot(axis, m.map(|row| dot(row, axis))) - 1.0) / (dimensions - 1.0);
        let found = value(&flock, "nematic_order");
        assert!(is_near(found, expected, 1e-5), "{world}: {found} and not {expected}");
    }
    let lanes =
        (0..40_u8).map(|index| ([f32::from(index), 1.0, 0.0], [if index % 2 == 0 { 0.3 } else { -0.7 }, 0.0, 0.0]));
    let lanes = flock(World::Rect([160.0, 110.0]), Edge::Open, lanes);
    assert!(is_near(value(&lanes, "nematic_order"), 1.0, 1e-6) && value(&lanes, "polarization") < 1e-6);
}

#[test]
fn anisotropy_agrees_with_the_oracle() {
    let flock = random(World::Cuboid([30.0, 30.0, 30.0]), Edge::Open, 400, [1.0, 0.5, 0.4]);
    let rows = flock.rows();
    let inside: Vec<&Row> = rows.iter().filter(|row| is_inside(row, &rows)).collect();
    assert!(inside.len() > 40 && inside.len() < 360, "{}", inside.len());
    let velocity = unit(mean(rows.iter().map(|row| row.velocity.map(f64::from))));
    let found = curve("anisotropy", [flock].into_iter(), ONE_GROUP);
    for rank in 1..=20 {
        let m = moments(&inside.iter().map(|row| directions(row, &rows)[rank - 1]).collect::<Vec<_>>());
        // The smallest eigenvalue by iteration with the matrix taken from its trace.
        let mut axis = [0.6, 0.64, 0.48];
        (0..20_000).for_each(|_| axis = unit([0, 1, 2].map(|row| axis[row] - dot(m[row], axis))));
        let expected = dot(axis, velocity).powi(2);
        let [_, gamma, boids] = found[rank - 1][..] else { panic!() };
        assert!(is_near(gamma, expected, 1e-4), "rank {rank}: {gamma} and not {expected}");
        assert_eq!(boids, inside.len() as f64);
    }
}

#[test]
fn neighbors_beside_a_boid_have_anisotropy_one_and_ahead_zero() {
    for (velocity, expected) in [([1.0, 0.0, 0.0], 1.0), ([0.0, -0.5, 0.0], 0.0)] {
        let grid = (0..30 * 20_u16).map(|index| [5.0 * f32::from(index % 20), f32::from(index / 20), 0.0]);
        let boids = grid.map(|position| (position, velocity));
        let found = curve("anisotropy", [flock(World::Rect([160.0, 110.0]), Edge::Open, boids)].into_iter(), ONE_GROUP);
        assert!(is_near(found[0][1], expected, 1e-9), "{}", found[0][1]);
    }
}

#[test]
fn one_boid_inside_a_plane_flock_has_the_anisotropy_of_its_directions() {
    for turn in 0..12_u8 {
        let place = |corner: u8| {
            let (angle, distance) = (0.3 * f32::from(turn) + 2.1 * f32::from(corner), 2.0 + 0.1 * f32::from(corner));
            [80.0 + distance * angle.cos(), 55.0 + distance * angle.sin(), 0.0]
        };
        let boids = [[80.0, 55.0, 0.0], place(0), place(1), place(2)].map(|place| (place, [1.0, 0.0, 0.0]));
        let found = value(&flock(World::Rect([160.0, 110.0]), Edge::Open, boids.into_iter()), "anisotropy");
        let expected = (0.3 * f64::from(turn)).sin().powi(2);
        assert!(is_near(found, expected, 1e-5), "{turn}: {found} and not {expected}");
    }
}

#[test]
fn a_flock_without_boids_inside_or_with_few_neighbors_has_no_anisotropy() {
    let row = |boids: u8| (0..boids).map(|index| ([f32::from(index), 0.0, 0.0], [0.0, 0.0, 1.0]));
    let world = World::Cuboid([90.0, 70.0, 50.0]);
    for boids in [1, 2] {
        assert_eq!(value(&flock(world, Edge::Open, row(boids)), "anisotropy"), 0.0, "{boids} boids");
    }
    let rows = curve("anisotropy", [flock(world, Edge::Open, row(5))].into_iter(), ONE_GROUP);
    assert!(rows[0][1] > 0.0 && rows[4..].iter().all(|row| row[1] == 0.0), "{rows:?}");
}

#[test]
fn the_directions_of_random_neighbors_are_isotropic() {
    let mut sum = 0.0;
    for seed in 0..200 {
        let mut draw = Draw(seed);
        let boids: Vec<_> = (0..150).map(|_| (draw.place(&World::Cuboid([20.0; 3])), [1.0, 0.0, 0.0])).collect();
        sum += value(&flock(World::Cuboid([20.0; 3]), Edge::Wrap, boids.into_iter()), "anisotropy");
    }
    // (W·V)² of a random W has the mean 1/3 and the variance 4/45.
    assert!((sum / 200.0 - 1.0 / 3.0).abs() < 4.0 * (4.0 / 45.0 / 200.0_f64).sqrt(), "{}", sum / 200.0);
}

#[test]
fn fluctuations_are_those_within_the_largest_flock() {
    // Two flocks that fly apart: between them the correlation is −1, and within each there is none.
    let mut draw = Draw(7);
    let boids: Vec<_> = (0..900)
        .map(|index| {
            let (x, side) = if index < 600 { (0.0, 1.0) } else { (100.0, -1.0) };
            let noise = 0.1 * (draw.next() - 0.5);
            ([x + 30.0 * draw.next(), 30.0 * draw.next(), 0.0], [side, noise, 0.0])
        })
        .collect();
    let flock = flock(World::Rect([160.0, 110.0]), Edge::Open, boids.into_iter());
    let found = value(&flock, "correlation_length");
    assert!(found < 6.0, "{found}");
    let all = Analyzer::new().with_group_radius(ONE_GROUP).value(
        &flock,
        usize::MAX,
        Measure::find("correlation_length").unwrap(),
    );
    assert!((25.0..100.0).contains(&all), "{all}");
}

#[test]
fn the_velocity_correlation_of_a_wave_is_known() {
    for (world, of) in [
        (World::Rect([300.0; 2]), libm::j0 as fn(f64) -> f64),
        (World::Cuboid([80.0; 3]), |x| if x == 0.0 { 1.0 } else { x.sin() / x }),
    ] {
        let (mut draw, wave) = (Draw(7), 4.0 * PI / f64::from(world.size()[0]));
        let boids: Vec<_> = (0..3000)
            .map(|_| {
                let at = draw.place(&world);
                (at, [2.0, (wave * f64::from(at[0])).cos() as f32, 0.0])
            })
            .collect();
        let rows = curve("velocity_correlation", [flock(world, Edge::Wrap, boids.into_iter())].into_iter(), ONE_GROUP);
        for row in rows.iter().filter(|row| row[2] > 5000.0 && row[0] < 0.4 * f64::from(world.size()[0])) {
            assert!((row[1] - of(wave * row[0])).abs() < 0.06, "{world} at {}: {}", row[0], row[1]);
        }
    }
}

#[test]
fn the_velocity_correlation_is_over_every_pair_of_the_largest_flock_once() {
    let mut draw = Draw(4);
    let states: Vec<Flock> =
        (0..3).map(|seed| random(World::Cuboid([50.0, 40.0, 30.0]), Edge::Open, 120 + seed, [1.0; 3])).collect();
    let strays = (0..9).map(|index| ([500.0 + 20.0 * index as f32, 0.0, 0.0], [draw.next(), 3.0, 0.0]));
    let with_strays: Vec<_> = states[0].rows().iter().map(|row| (row.position, row.velocity)).chain(strays).collect();
    let states = states.into_iter().skip(1).chain([flock(
        World::Cuboid([50.0, 40.0, 30.0]),
        Edge::Open,
        with_strays.into_iter(),
    )]);
    let states: Vec<Flock> = states.collect();
    let (mut pairs, mut products, mut squares, mut boids) = (0.0, 0.0, 0.0, 0.0);
    for group in states.iter().map(|flock| largest(flock, 9.0)) {
        let velocity = |row: &Row| row.velocity.map(f64::from);
        let center = mean(group.iter().map(velocity));
        let u: Vec<Vector> = group.iter().map(|row| minus(velocity(row), center)).collect();
        let all = (0..u.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        products += all.clone().map(|(a, b)| dot(u[a], u[b])).sum::<f64>();
        pairs += all.count() as f64;
        squares += u.iter().map(|u| dot(*u, *u)).sum::<f64>();
        boids += u.len() as f64;
    }
    let rows = curve("velocity_correlation", states.into_iter(), None);
    let found: f64 = rows.iter().map(|row| row[2]).sum();
    assert!(is_near(3.0 * found, pairs, 1e-9), "{found}");
    let found: f64 = rows.iter().map(|row| 3.0 * row[1] * row[2]).sum();
    assert!(is_near(found, products / (squares / boids), 1e-4), "{found}");
}

#[test]
fn independent_boids_have_a_pair_distribution_of_one() {
    for (world, edge, boids) in [
        (World::Rect([60.0, 60.0]), Edge::Wrap, 900),
        (World::Cuboid([30.0; 3]), Edge::Wrap, 900),
        (World::Rect([60.0, 60.0]), Edge::Open, 900),
        (World::Cuboid([30.0; 3]), Edge::Open, 1500),
    ] {
        let mut draw = Draw(7);
        let flocks = (0..8).map(|_| {
            let boids: Vec<_> = (0..boids).map(|_| (draw.place(&world), [1.0, 0.0, 0.0])).collect();
            flock(world, edge, boids.into_iter())
        });
        let rows = curve("pair_distribution", flocks, ONE_GROUP);
        let counted: Vec<_> = rows.iter().filter(|row| row[2] > 200.0).collect();
        assert!(counted.len() > 5, "{world}, {edge:?}");
        for row in counted {
            // Poisson, and pairs that share a boid.
            let tolerance = 0.01 + 6.0 / (8.0 * row[2]).sqrt();
            assert!((row[1] - 1.0).abs() < tolerance, "{world}, {edge:?} at {}: {} of {}", row[0], row[1], row[2]);
        }
    }
}

#[test]
fn a_pair_distribution_counts_every_pair_once() {
    let world = World::Rect([60.0, 40.0]);
    let flock = random(world, Edge::Wrap, 150, [1.0; 3]);
    let rows = flock.rows();
    let wrapped = |offset: f64, side: f64| offset - side * (offset / side).round();
    let distance = |a: &Row, b: &Row| {
        let [x, y, _] = minus(at(a), at(b));
        wrapped(x, 60.0).hypot(wrapped(y, 40.0))
    };
    let pairs = (0..rows.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let distances: Vec<f64> = pairs.map(|(a, b)| distance(&rows[a], &rows[b])).collect();
    let found = curve("pair_distribution", [flock].into_iter(), None);
    let (mut sum, mut volume) = (0.0, 0.0);
    for row in found.iter().filter(|row| row[2] > 0.0) {
        sum += row[2];
        volume += row[2] / row[1];
    }
    // The last bin ends within 2 % of half of the shorter side.
    let within = |radius: f64| distances.iter().filter(|distance| **distance < radius).count() as f64;
    assert!((within(19.6)..=within(20.0)).contains(&sum), "{sum}");
    let expected = 150.0 * 149.0 / 2.0 * PI * 20.0_f64.powi(2) / 2400.0;
    assert!((0.94 * expected..=1.0 * expected).contains(&volume), "{volume} and not {expected}");
}

#[test]
fn a_density_profile_runs_from_the_rear_to_the_front() {
    // Ten boids per u over 20 u behind the others, and thirty per u over 10 u.
    let places = (0..500_u16)
        .map(|index| if index < 200 { 0.1 * f32::from(index) } else { 20.0 + f32::from(index - 200) / 30.0 });
    let places: Vec<f32> = places.map(|place| place + 0.01).collect();
    for (edge, forward) in [(Edge::Open, true), (Edge::Wrap, true), (Edge::Wrap, false)] {
        let boids = places.iter().map(|&place| {
            let x = if forward { 40.0 + place } else { 88.0 - place };
            ([x, 3.0, 0.0], [if forward { 1.0 } else { -1.0 }, 0.0, 0.0])
        });
        let rows = curve("density_profile", [flock(World::Rect([128.0, 110.0]), edge, boids)].into_iter(), ONE_GROUP);
        let step = rows[1][0] - rows[0][0];
        let total: f64 = rows.iter().map(|row| row[1] * step).sum();
        assert!(is_near(total, 500.0, 1e-9), "{edge:?}: {total}");
        let (rear, front) = (rows[1][1], rows[rows.len() - 2][1]);
        assert!((9.0..11.5).contains(&rear) && (28.0..32.0).contains(&front), "{edge:?}, {forward}: {rear}, {front}");
    }
}

#[test]
fn flock_sizes_are_a_mean_over_ticks() {
    let groups = |sizes: &'static [u8]| {
        let boids = sizes.iter().zip(0_u8..).flat_map(|(size, row)| {
            (0..*size).map(move |at| ([f32::from(at), 20.0 * f32::from(row), 0.0], [1.0, 0.0, 0.0]))
        });
        flock(World::Rect([160.0, 110.0]), Edge::Open, boids)
    };
    let rows = curve("flock_sizes", [groups(&[3, 5, 3]), groups(&[11])].into_iter(), None);
    assert_eq!(rows, [[3.0, 1.0], [5.0, 0.5], [11.0, 0.5]]);
}

#[test]
fn independent_boids_have_binomial_number_fluctuations() {
    let (mut draw, world) = (Draw(5), World::Rect([100.0, 100.0]));
    let flocks = (0..400).map(|_| {
        let boids: Vec<_> = (0..600).map(|_| (draw.place(&world), [1.0, 0.0, 0.0])).collect();
        flock(world, Edge::Wrap, boids.into_iter())
    });
    for row in curve("number_fluctuations", flocks, None) {
        let [divisions, mean, deviation] = row[..] else { panic!() };
        let share = divisions.powi(-2);
        assert!(is_near(mean, 600.0 * share, 1e-9), "{mean}");
        assert!(is_near(deviation / (600.0 * share * (1.0 - share)).sqrt(), 1.0, 0.03), "{divisions}: {deviation}");
    }
}

#[test]
fn boids_have_as_many_neighbors_as_they_interact_with() {
    let setup = |name: &str| flockscope::config::Preset::load(name).unwrap().setup(5, 1.0);
    let neighbors = |setup: Setup| {
        let mut flock = Flock::new(&setup).unwrap();
        flock.step(&mut Scratch::new());
        value(&flock, "neighbors")
    };
    assert_eq!(neighbors(Setup { boids: 1000, ..setup("stardisplay") }), 6.5);
    assert_eq!(neighbors(Setup { boids: 4, ..setup("stardisplay") }), 3.0);
    let mut nearest = setup("murmuration");
    (nearest.params.perception.nearest, nearest.params.cohesion.radius) = (3.0, 1000.0);
    assert_eq!(neighbors(nearest), 3.0);
}
