//! Contract: predators choose, tire and catch, and prey is alarmed and respawns, as the models page says.

use std::num::NonZeroUsize;

use flockscope::engine::in_pool;
use flockscope::sim::{
    Analyzer, Command, Edge, Error, Flock, HuntTarget, Kind, Measure, Params, PredatorMode, Row, Scratch, Setup, Simd,
    Start, Value, World, Zone, ZoneKind, hash,
};

const FLAT: World = World::Rect([400.0, 300.0]);
const DEEP: World = World::Cuboid([200.0, 160.0, 120.0]);

/// Only predators steer, without limits.
fn quiet() -> Params {
    let mut params = Params::default();
    (params.separation.weight, params.alignment.weight, params.cohesion.weight) = (0.0, 0.0, 0.0);
    (params.flee.weight, params.alarm.weight) = (0.0, 0.0);
    (params.edge.mode, params.hunt.weight) = (Edge::Open, 1.0);
    (params.speed.min, params.speed.max, params.hunt.speed) = (0.0, 5.0, 5.0);
    params
}

fn setup(world: World, params: Params) -> Setup {
    Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 7, zones: Vec::new() }
}

fn row(id: u32, kind: Kind, position: [f32; 3]) -> Row {
    Row { id, kind, position, velocity: [0.0; 3], mood: 0.0, bank: 0.0 }
}

fn flock(world: World, params: Params, rows: &[Row]) -> Flock {
    Flock::from_rows(&setup(world, params), 0, rows).unwrap()
}

fn fly(flock: &mut Flock, ticks: usize) {
    let mut scratch = Scratch::new();
    (0..ticks).for_each(|_| flock.step(&mut scratch));
}

fn of(flock: &Flock, id: u32) -> Row {
    flock.rows().into_iter().find(|row| row.id == id).unwrap()
}

/// A flock with every predator feature, in a world of any shape.
fn lively(world: World) -> Setup {
    let mut params = Params::default();
    params.edge.mode = match world {
        World::Rect(_) => Edge::Turn,
        World::Cuboid(_) => Edge::Wrap,
        World::Sphere(_) => Edge::Sphere,
    };
    params.noise.angle = 10.0;
    (params.hunt.target, params.hunt.weight, params.hunt.speed) = (HuntTarget::Isolated, 0.2, 8.0);
    (params.hunt.stamina, params.hunt.rest, params.hunt.separation) = (40.0, 15.0, 8.0);
    (params.hunt.catch, params.hunt.respawn, params.flee.weight) = (12.0, 25.0, 0.1);
    (params.alarm.spread, params.alarm.radius) = (0.9, 20.0);
    Setup { boids: 600, predators: 12, ..setup(world, params) }
}

fn worlds() -> [World; 3] {
    [FLAT, DEEP, World::Sphere(80.0)]
}

/// A dense crowd to the right of a predator, a single boid on its left, and a near one with neighbors.
fn scene(deep: bool) -> Vec<Row> {
    let z = if deep { 60.0 } else { 0.0 };
    let mut rows = vec![row(0, Kind::Predator, [100.0, 80.0, z])];
    let crowd = (0..6).map(|k| [140.0 + 3.0 * (k % 3) as f32, 80.0 + 3.0 * (k / 3) as f32, z]);
    let others = [[40.0, 80.0, z], [100.0, 60.0, z], [104.0, 58.0, z]];
    rows.extend((1..).zip(crowd.chain(others)).map(|(id, position)| row(id, Kind::Prey, position)));
    rows
}

#[test]
fn predators_fly_at_each_target() {
    for world in [FLAT, DEEP] {
        let flown_at = |target: HuntTarget| {
            let mut params = quiet();
            (params.hunt.target, params.hunt.radius) = (target, 90.0);
            let mut flock = flock(world, params, &scene(world.dim() == 3));
            fly(&mut flock, 1);
            let [x, y, _] = of(&flock, 0).velocity;
            (x, y)
        };
        let (x, y) = flown_at(HuntTarget::Nearest);
        assert!(x.abs() < 0.1 && y < -4.9, "to the nearest, straight up: {x} {y}");
        let (x, y) = flown_at(HuntTarget::Densest);
        assert!(x > 4.9 && y.abs() < 0.5, "to the crowd on the right: {x} {y}");
        let (x, y) = flown_at(HuntTarget::Isolated);
        assert!(x < -4.9 && y.abs() < 0.1, "to the one alone on the left: {x} {y}");
    }
}

/// The choice over all pairs, with fixed cells a quarter of the radius wide.
fn chosen(rows: &[Row], params: &Params, world: World) -> Option<[f32; 3]> {
    let (me, radius) = (&rows[0], params.hunt.radius);
    let wraps = params.edge.mode == Edge::Wrap;
    let offset = |other: &Row| {
        [0, 1, 2].map(|axis| {
            let (straight, size) = (other.position[axis] - me.position[axis], world.size()[axis]);
            match straight {
                far if wraps && far > 0.5 * size => far - size,
                far if wraps && far < -0.5 * size => far + size,
                near => near,
            }
        })
    };
    let cell = |offset: [f32; 3]| {
        [0, 1, 2].map(|axis| {
            let own = me.position[axis] * (4.0 / radius);
            (own - own.floor() + offset[axis] * (4.0 / radius)).floor() as i32
        })
    };
    let prey: Vec<_> = rows.iter().filter(|row| row.kind == Kind::Prey).map(|row| (row.id, offset(row))).collect();
    let square = |offset: [f32; 3]| offset.iter().map(|along| along * along).fold(0.0, |sum, part| sum + part);
    let others = |at: [f32; 3]| {
        let near = |there: [f32; 3]| cell(at).iter().zip(cell(there)).all(|(a, b)| (a - b).abs() <= 1);
        prey.iter().map(|(_, there)| i64::from(near(*there))).sum::<i64>()
    };
    let rank = |(id, at): &(u32, [f32; 3])| {
        let sign = if params.hunt.target == HuntTarget::Densest { -1 } else { 1 };
        (sign * others(*at), square(*at), *id)
    };
    let seen = prey.iter().filter(|(_, at)| square(*at) < radius * radius);
    seen.min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap()).map(|(_, at)| *at)
}

#[test]
fn densest_and_isolated_match_a_search_over_all_pairs() {
    for world in [FLAT, DEEP] {
        for edge in [Edge::Wrap, Edge::Open] {
            for target in [HuntTarget::Densest, HuntTarget::Isolated] {
                for seed in 0..20 {
                    let mut params = quiet();
                    (params.edge.mode, params.hunt.target, params.hunt.radius) = (edge, target, 37.0);
                    (params.hunt.weight, params.hunt.speed) = (0.01, 1000.0);
                    let begun = Setup { boids: 250, predators: 1, seed, ..setup(world, params) };
                    let mut rows = Flock::new(&begun).unwrap().rows();
                    rows.rotate_right(1);
                    for row in &mut rows {
                        row.velocity = [0.0; 3];
                    }
                    let mut flock = flock(world, params, &rows);
                    fly(&mut flock, 1);
                    let expected = chosen(&rows, &params, world).unwrap_or_default().map(|along| along * 0.01);
                    let velocity = of(&flock, rows[0].id).velocity;
                    assert_eq!(velocity, expected, "{world} {edge:?} {target:?} {seed}");
                }
            }
        }
    }
}

#[test]
fn a_predator_tires_rests_and_hunts_again() {
    for world in [FLAT, DEEP] {
        let mut params = quiet();
        (params.hunt.radius, params.hunt.weight) = (1000.0, 0.001);
        (params.hunt.stamina, params.hunt.rest) = (30.0, 20.0);
        let mut flock = flock(world, params, &scene(world.dim() == 3));
        let mut moods = Vec::new();
        let mut analyzer = Analyzer::new();
        for _ in 0..110 {
            let (before, counts) =
                (of(&flock, 0), analyzer.values(&flock, usize::MAX, &[&Measure::HUNTING, &Measure::RESTING]));
            moods.push(before.mood);
            let rests = before.mood < 0.0;
            assert_eq!(counts, [!rests, rests].map(f64::from));
            fly(&mut flock, 1);
            if rests {
                let [before, after] = [before.velocity, of(&flock, 0).velocity].map(|[x, y, _]| (x, y));
                assert!(
                    (before.0 * after.1 - before.1 * after.0).abs() < 1e-5,
                    "it flies straight on: {before:?} {after:?}"
                );
            }
        }
        let climbs =
            |moods: &[f32]| moods[0] == 0.0 && moods.windows(2).all(|pair| pair[0] < pair[1]) && moods[29] < 1.0;
        assert!(climbs(&moods[..30]) && climbs(&moods[50..80]), "{moods:?}");
        let rest: Vec<f32> = (1..=20).rev().map(|left: i32| -left as f32).collect();
        assert!(moods[30..50] == rest && moods[80..100] == rest, "{moods:?}");
    }
}

#[test]
fn a_resting_predator_slows_down_and_is_not_fled() {
    let mut params = quiet();
    (params.flee.weight, params.hunt.stamina, params.hunt.rest) = (1.0, 10.0, 200.0);
    let mut rows = scene(false);
    (rows[0].velocity, rows[0].mood) = ([5.0, 0.0, 0.0], -200.0);
    let mut flock = flock(FLAT, params, &rows);
    fly(&mut flock, 100);
    let speed = of(&flock, 0).velocity[0];
    assert!((speed - 2.5).abs() < 1e-4, "half its speed for hunting: {speed}");
    assert!(flock.rows()[1..].iter().zip(&rows[1..]).all(|(now, then)| now.position == then.position));
    // Resting ends at once if predators never tire.
    flock.apply(&Command::set("hunt.stamina", Value::Number(0.0)).unwrap()).unwrap();
    let near = of(&flock, 0).position;
    let mut rows = flock.rows();
    rows[1].position = [near[0] + 10.0, near[1], 0.0];
    let mut flock = self::flock(FLAT, *flock.params(), &rows);
    fly(&mut flock, 1);
    assert!(of(&flock, 1).velocity[0] > 0.0);
}

#[test]
fn caught_boids_respawn_at_the_border() {
    for (world, edge) in
        [(FLAT, Edge::Turn), (FLAT, Edge::Wrap), (DEEP, Edge::Push), (World::Sphere(90.0), Edge::Sphere)]
    {
        let mut params = quiet();
        (params.edge.mode, params.edge.margin, params.edge.strength) = (edge, 10.0, 0.0);
        (params.speed.min, params.speed.max) = (0.5, 0.5);
        (params.hunt.catch, params.hunt.respawn, params.hunt.rest) = (5.0, 12.0, 1000.0);
        params.hunt.radius = 20.0;
        let center = world.center();
        let beside = |x: f32| [center[0] + x, center[1], center[2]];
        // Both chase the same prey: of two close enough the one with the lower id catches it.
        let rows = [
            row(3, Kind::Predator, beside(3.0)),
            row(2, Kind::Predator, beside(-4.0)),
            row(1, Kind::Prey, beside(0.0)),
            row(0, Kind::Prey, beside(40.0)),
        ];
        let mut flock = flock(world, params, &rows);
        assert_eq!((flock.boids(), flock.caught()), (2, 0));
        for tick in 1..=12 {
            fly(&mut flock, 1);
            assert_eq!((flock.boids(), flock.caught(), flock.predators(), flock.total_boids()), (1, 1, 2, 2), "{tick}");
            let gone = of(&flock, 1);
            assert_eq!((gone.kind, gone.velocity, gone.mood), (Kind::Caught, [0.0; 3], 13.0 - tick as f32));
            assert!(of(&flock, 2).mood < 0.0 && of(&flock, 3).mood == 0.0, "one is fed, the other is not");
            assert_eq!(Analyzer::new().value(&flock, usize::MAX, &Measure::CAUGHT), 1.0);
        }
        fly(&mut flock, 1);
        assert_eq!((flock.boids(), flock.caught()), (2, 0));
        let Row { kind, position, velocity, mood, .. } = of(&flock, 1);
        assert_eq!((kind, mood), (Kind::Prey, 0.0));
        let (size, origin) = (world.size(), world.origin());
        let on_border = match world {
            World::Sphere(radius) => (position.iter().map(|at| at * at).sum::<f32>().sqrt() - radius).abs() < 1e-3,
            _ => (0..world.dim())
                .any(|axis| position[axis] == origin[axis] || position[axis] == origin[axis] + size[axis]),
        };
        assert!(on_border, "{world}: {position:?}");
        if edge != Edge::Wrap {
            let inward: f32 = (0..3).map(|axis| velocity[axis] * (center[axis] - position[axis])).sum();
            assert!(inward > 0.0, "{world}: {velocity:?}");
        }
        let speed = velocity.iter().map(|along| along * along).sum::<f32>().sqrt();
        assert!((speed - 0.5).abs() < 1e-6);
    }
}

#[test]
fn the_last_boid_can_be_caught_and_counts_include_caught_boids() {
    let mut params = quiet();
    (params.hunt.catch, params.hunt.respawn, params.hunt.rest) = (50.0, 1000.0, 0.0);
    params.hunt.radius = 1000.0;
    let mut flock = flock(FLAT, params, &scene(false));
    fly(&mut flock, 60);
    assert_eq!((flock.boids(), flock.caught(), flock.total_boids()), (0, 9, 9));
    let value = |measure| Analyzer::new().value(&flock, usize::MAX, measure);
    assert_eq!([value(&Measure::POLARIZATION), value(&Measure::FLOCKS)], [0.0, 0.0]);
    assert!(value(&Measure::NEAREST_NEIGHBOR).is_nan());
    flock.apply(&Command::SetBoids(12)).unwrap();
    assert_eq!((flock.boids(), flock.caught()), (3, 9));
    flock.apply(&Command::SetBoids(5)).unwrap();
    assert_eq!((flock.boids(), flock.caught()), (0, 5));
    // Caught boids respawn also after catching is turned off.
    flock.apply(&Command::set("hunt.catch", Value::Number(0.0)).unwrap()).unwrap();
    flock.apply(&Command::set("hunt.respawn", Value::Number(5.0)).unwrap()).unwrap();
    fly(&mut flock, 5);
    assert_eq!((flock.boids(), flock.caught()), (5, 0));
    flock.apply(&Command::set("hunt.catch", Value::Number(1000.0)).unwrap()).unwrap();
    flock.apply(&Command::set("hunt.radius", Value::Number(1000.0)).unwrap()).unwrap();
    fly(&mut flock, 3);
    assert!(flock.caught() > 0);
    flock.apply(&Command::Restart).unwrap();
    assert_eq!((flock.boids(), flock.caught()), (5, 0));
}

/// A row of boids 10 u apart, with a predator beside the first.
fn line(world: World) -> Vec<Row> {
    let z = if world.dim() == 3 { 60.0 } else { 0.0 };
    let boids = (1..=18).map(|id| row(id, Kind::Prey, [10.0 * id as f32, 50.0, z]));
    std::iter::once(row(0, Kind::Predator, [10.0, 55.0, z])).chain(boids).collect()
}

#[test]
fn alarm_spreads_faster_than_boids_fly_and_decays() {
    for world in [FLAT, DEEP] {
        let mut params = quiet();
        (params.hunt.weight, params.flee.radius) = (0.0, 12.0);
        (params.alarm.spread, params.alarm.radius, params.alarm.decay) = (0.9, 11.0, 0.1);
        let mut flock = flock(world, params, &line(world));
        let alarms = |flock: &Flock| flock.rows()[1..].iter().map(|row| row.mood).collect::<Vec<_>>();
        fly(&mut flock, 1);
        let fright = alarms(&flock);
        assert!(fright[..2] == [1.0; 2] && fright[2..].iter().all(|alarm| *alarm == 0.0), "{fright:?}");
        // The wave advances one boid per tick: 10 u, twice the maximum speed.
        fly(&mut flock, 10);
        let wave = alarms(&flock);
        assert!((wave[11] - 0.9_f32.powi(10)).abs() < 1e-5, "{wave:?}");
        assert!(wave[12..].iter().all(|alarm| *alarm == 0.0), "{wave:?}");
        // While the predator stays, waves follow each other with calm between them.
        let heard: Vec<f32> = (0..80)
            .map(|_| {
                fly(&mut flock, 1);
                alarms(&flock)[8]
            })
            .collect();
        let crests = heard.windows(2).filter(|pair| pair[1] > 4.0 * pair[0]).count();
        assert!(crests >= 2, "{heard:?}");
        // Without the predator, all boids become calm.
        flock.apply(&Command::SetPredators(0)).unwrap();
        fly(&mut flock, 80);
        assert!(alarms(&flock).iter().all(|alarm| *alarm == 0.0), "{:?}", alarms(&flock));
    }
}

#[test]
fn alarmed_boids_follow_fleeing_neighbors_and_may_fly_faster() {
    let mut params = quiet();
    (params.hunt.weight, params.flee.radius, params.flee.weight) = (0.0, 12.0, 1.0);
    (params.alarm.spread, params.alarm.radius, params.alarm.weight, params.alarm.speed) = (0.9, 11.0, 0.5, 1.0);
    let mut flock = flock(FLAT, params, &line(FLAT));
    fly(&mut flock, 40);
    // The predator is below the first boid, which flees upward; so do all alarmed boids.
    let rows = flock.rows();
    let reached: Vec<&Row> = rows[3..].iter().filter(|row| row.velocity != [0.0; 3]).collect();
    assert!(reached.len() > 5 && reached.iter().all(|row| row.velocity[1] < 0.0), "{rows:?}");

    let fast = |alarm: f32| {
        let mut rows = vec![row(1, Kind::Prey, [50.0, 50.0, 0.0])];
        (rows[0].velocity, rows[0].mood) = ([20.0, 0.0, 0.0], alarm);
        let mut flock = self::flock(FLAT, Params { alarm: params.alarm, ..quiet() }, &rows);
        fly(&mut flock, 1);
        flock.rows()[0].velocity[0]
    };
    assert_eq!(fast(0.0), 5.0);
    assert!((fast(1.0) - 5.0 * (1.0 + 0.85)).abs() < 1e-5, "{}", fast(1.0));
}

#[test]
fn alarm_makes_resting_boids_take_off() {
    let mut params = quiet();
    (params.hunt.weight, params.flee.radius, params.alarm.spread) = (0.0, 12.0, 0.9);
    let mut rows = line(FLAT);
    (rows[1].mood, rows[18].mood) = (-1000.0, -1000.0);
    (params.roost.weight, params.roost.chance) = (0.0, 0.0);
    let perch = |row: &Row| Zone::new(ZoneKind::Roost, [row.position[0], 50.0, 0.0], 4.0);
    let roosts = Setup { zones: vec![perch(&rows[1]), perch(&rows[18])], ..setup(FLAT, params) };
    let mut flock = Flock::from_rows(&roosts, 0, &rows).unwrap();
    fly(&mut flock, 1);
    assert!(of(&flock, 1).mood > 0.5 && of(&flock, 18).mood < -900.0);
}

#[test]
fn flocking_predators_do_not_tire_catch_or_alarm() {
    for world in worlds() {
        let mut setup = lively(world);
        setup.params.hunt.mode = PredatorMode::Flock;
        let mut alive = Flock::new(&setup).unwrap();
        let Params { hunt, alarm, .. } = Params::default();
        setup.params.alarm = alarm;
        setup.params.hunt = flockscope::sim::Hunt { mode: PredatorMode::Flock, ..hunt };
        let mut plain = Flock::new(&setup).unwrap();
        fly(&mut alive, 50);
        fly(&mut plain, 50);
        assert!(alive.rows() == plain.rows(), "{world}");
    }
}

#[test]
fn disabled_rules_leave_no_mood() {
    let mut flock = Flock::new(&lively(FLAT)).unwrap();
    fly(&mut flock, 60);
    assert!(flock.caught() > 0 && flock.rows().iter().any(|row| row.mood > 0.0 && row.kind == Kind::Prey));
    for (key, value) in [("hunt.catch", 0.0), ("hunt.stamina", 0.0), ("alarm.spread", 0.0), ("hunt.respawn", 1.0)] {
        flock.apply(&Command::set(key, Value::Number(value)).unwrap()).unwrap();
    }
    fly(&mut flock, 2);
    assert!(flock.caught() == 0 && !flock.uses_moods() && flock.rows().iter().all(|row| row.mood == 0.0));
}

#[test]
fn moods_of_rows_are_checked() {
    let setup = lively(FLAT);
    let with = |kind: Kind, mood: f32| {
        let boid = Row { mood, ..row(0, kind, [50.0; 3]) };
        setup.check_row(&Row { position: [50.0, 50.0, 0.0], ..boid })
    };
    for (kind, right, wrong) in [
        (Kind::Prey, [1.0, -5.0, 0.0], [1.1, f32::NAN, f32::NEG_INFINITY]),
        (Kind::Predator, [1.0, -5.0, 0.0], [2.0, f32::NAN, -1e7]),
        (Kind::Caught, [1.0, 300.0, 0.0], [-1.0, f32::NAN, f32::INFINITY]),
    ] {
        for mood in right {
            with(kind, mood).unwrap();
        }
        for mood in wrong {
            assert!(matches!(with(kind, mood), Err(Error::State(_))), "{kind:?} {mood}");
        }
    }
    let calm = [row(0, Kind::Prey, [1.0, 2.0, 0.0])];
    let stirred = [Row { mood: 0.5, ..calm[0] }];
    assert_ne!(hash(&calm), hash(&stirred));
}

#[test]
fn banks_of_rows_are_checked_and_hashed() {
    let level = row(0, Kind::Prey, [1.0, 2.0, 0.0]);
    let with = |bank: f32| Setup::default().check_row(&Row { bank, ..level });
    for (bank, is_valid) in [(0.5, true), (-3.1, true), (3.2, false), (f32::NAN, false)] {
        assert_eq!(with(bank).is_ok(), is_valid, "{bank}");
    }
    assert_ne!(hash(&[level]), hash(&[Row { bank: 0.5, ..level }]));
}

#[test]
fn a_run_continued_from_rows_with_moods_equals_the_uninterrupted_run() {
    for world in worlds() {
        let setup = lively(world);
        let mut whole = Flock::new(&setup).unwrap();
        let mut caught = 0;
        for _ in 0..12 {
            let mut rows = whole.rows();
            rows.reverse();
            let mut resumed = Flock::from_rows(&setup, whole.tick(), &rows).unwrap();
            fly(&mut whole, 11);
            fly(&mut resumed, 11);
            assert!(resumed.rows() == whole.rows(), "{world} at tick {}", whole.tick());
            assert_eq!(
                (resumed.boids(), resumed.caught(), resumed.hash()),
                (whole.boids(), whole.caught(), whole.hash())
            );
            caught = caught.max(whole.caught());
        }
        assert!(caught > 1, "{world}: {caught}");
    }
}

#[test]
fn simd_and_threads_do_not_change_the_state() {
    for world in [World::Rect([1200.0, 900.0]), World::Cuboid([400.0, 300.0, 250.0]), World::Sphere(200.0)] {
        // Enough for several threads.
        let setup = Setup { boids: 4500, predators: 60, ..lively(world) };
        let flown = |simd: Simd, threads: usize| {
            let mut flock = Flock::new(&setup).unwrap();
            in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
                scratch.set_simd(simd);
                (0..30).for_each(|_| flock.step(scratch));
            });
            (flock.hash(), flock.rows())
        };
        let plain = flown(Simd::Scalar, 1);
        let some = |kind, least: f32| plain.1.iter().any(|row| row.kind == kind && row.mood > least);
        assert!(some(Kind::Caught, 0.0) && some(Kind::Prey, 0.5) && some(Kind::Predator, 0.5), "{world}");
        for simd in Simd::available() {
            assert!(flown(simd, 1) == plain, "{world}: {simd:?}");
        }
        for threads in [2, 8] {
            assert!(flown(Simd::fastest(), threads) == plain, "{world}: {threads} threads");
        }
    }
}

#[test]
fn ten_thousand_ticks_stay_finite_and_lose_no_agent() {
    for world in worlds() {
        let setup = Setup { boids: 120, predators: 5, ..lively(world) };
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        let (mut least, mut most) = (usize::MAX, 0);
        for tick in 0..10_000 {
            flock.step(&mut scratch);
            (least, most) = (least.min(flock.boids()), most.max(flock.boids()));
            if tick % 100 == 0 {
                flock.rows().iter().for_each(|row| setup.check_row(row).unwrap());
            }
        }
        assert!(least < 120 && most == 120 && flock.total_boids() == 120, "{world}: {least} to {most}");
    }
}
