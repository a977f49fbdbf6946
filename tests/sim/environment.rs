//! Contract: the environment acts on boids as documented, in positions and velocities, with the
//! same bits on every thread count and SIMD kind.

use std::num::NonZeroUsize;

use crate::bounds::steered_presets;
use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{
    Command, Edge, Flock, Kind, Params, Pointer, Row, Scratch, Setup, Simd, Start, Value, World, Zone, ZoneKind,
};

const FLAT: World = World::Rect([400.0, 300.0]);
const DEEP: World = World::Cuboid([400.0, 300.0, 200.0]);

/// Rules under which a single boid flies straight.
fn quiet(world: World) -> Setup {
    let mut params = Params::default();
    params.edge.mode = Edge::Open;
    (params.separation.weight, params.alignment.weight, params.cohesion.weight) = (0.0, 0.0, 0.0);
    (params.speed.min, params.speed.max) = (0.0, 4.0);
    Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 7, zones: Vec::new() }
}

fn row(id: u32, position: [f32; 3], velocity: [f32; 3]) -> Row {
    Row { id, kind: Kind::Prey, position, velocity, mood: 0.0, bank: 0.0 }
}

fn flock(setup: &Setup, rows: &[Row]) -> Flock {
    Flock::from_rows(setup, 0, rows).unwrap()
}

fn fly(flock: &mut Flock, ticks: u64) {
    let mut scratch = Scratch::new();
    (0..ticks).for_each(|_| flock.step(&mut scratch));
}

fn set(flock: &mut Flock, key: &str, value: f32) {
    flock.apply(&Command::set(key, Value::Number(value)).unwrap()).unwrap();
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-4 * (1.0 + b.abs())
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
}

/// Number of boids within this distance of a place.
fn within(flock: &Flock, at: [f32; 3], radius: f32) -> usize {
    flock.rows().iter().filter(|row| row.kind == Kind::Prey && distance(row.position, at) < radius).count()
}

// The pointer.

#[test]
fn the_pointer_follows_its_formula() {
    let at = [200.0, 150.0, 0.0];
    for (q, attracts, strength) in [
        (0.25, true, 0.75),
        (0.5, true, 1.0),
        (0.9, true, 0.36),
        (0.25, false, -0.75),
        (0.9, false, -0.1),
        (1.01, true, 0.0),
    ] {
        let mut flock = flock(&quiet(FLAT), &[row(0, [200.0 - 60.0 * q, 150.0, 0.0], [0.0; 3])]);
        flock.apply(&Command::SetPointer(Some(Pointer { at, along: [0.0; 3], attracts }))).unwrap();
        fly(&mut flock, 1);
        // weight 0.1, speed.max 4
        let [x, y, _] = flock.rows()[0].velocity;
        assert!(near(x, 0.4 * strength) && y == 0.0, "{q} {attracts}: {x}, {y}");
    }
}

#[test]
fn the_pointer_is_a_line_in_3d_and_uses_the_shortest_offset_on_a_torus() {
    let along = [0.0, 0.0, -2.0];
    let mut deep = flock(&quiet(DEEP), &[row(0, [170.0, 150.0, 190.0], [0.0; 3])]);
    deep.apply(&Command::SetPointer(Some(Pointer { at: [200.0, 150.0, 5.0], along, attracts: true }))).unwrap();
    fly(&mut deep, 1);
    let [x, y, z] = deep.rows()[0].velocity;
    assert!(near(x, 0.4) && near(y, 0.0) && near(z, 0.0), "{x}, {y}, {z}");

    let mut torus = quiet(FLAT);
    torus.params.edge.mode = Edge::Wrap;
    let mut torus = flock(&torus, &[row(0, [10.0, 150.0, 0.0], [0.0; 3])]);
    torus
        .apply(&Command::SetPointer(Some(Pointer { at: [380.0, 150.0, 0.0], along: [0.0; 3], attracts: true })))
        .unwrap();
    fly(&mut torus, 1);
    assert!(near(torus.rows()[0].velocity[0], -0.4), "{:?}", torus.rows());
}

#[test]
fn a_pointer_gathers_boids_without_collapsing_them_and_releases_them() {
    let starlings = Preset::load("starlings").unwrap();
    let at = starlings.setup(7, 1.6).world.center();
    // Flocks pass any place now and then: average over time and over several flocks.
    let mut inside = [0, 0, 0];
    let mut drawn = None;
    for seed in 7..13 {
        let mut free = Flock::new(&starlings.setup(seed, 1.6)).unwrap();
        fly(&mut free, 300);
        for (sum, attracts) in inside.iter_mut().zip([Some(false), None, Some(true)]) {
            let mut flock = free.clone();
            let pointer = attracts.map(|attracts| Pointer { at, along: [0.0; 3], attracts });
            flock.apply(&Command::SetPointer(pointer)).unwrap();
            fly(&mut flock, 100);
            for _ in 0..20 {
                fly(&mut flock, 10);
                *sum += within(&flock, at, 50.0);
            }
            drawn = Some(flock);
        }
    }
    let [driven, free, gathered] = inside;
    assert!(2 * driven < free && 2 * free < gathered, "{inside:?}");
    let mut drawn = drawn.unwrap();
    let (core, all) = (within(&drawn, at, 6.0), within(&drawn, at, 50.0));
    assert!(core * 4 < all, "{core} of {all} in one point");
    drawn.apply(&Command::SetPointer(None)).unwrap();
    assert_eq!(drawn.pointer(), None);
    fly(&mut drawn, 300);
    let left = within(&drawn, at, 50.0);
    assert!(2 * left < all, "{left} of {all} are still there");
    assert!(
        drawn
            .apply(&Command::SetPointer(Some(Pointer { at: [f32::NAN; 3], along: [0.0; 3], attracts: true })))
            .is_err()
    );
}

// The wind.

#[test]
fn gusts_are_smooth_bounded_and_vary_in_space_and_time() {
    for world in [FLAT, DEEP] {
        let mut setup = quiet(world);
        setup.params.edge.mode = Edge::Wrap;
        (setup.params.gusts.strength, setup.params.gusts.scale) = (0.5, 20.0);
        let deep = if world == DEEP { 77.0 } else { 0.0 };
        let rows: Vec<Row> = (0..400).map(|id| row(id, [id as f32, 120.0, deep], [0.0; 3])).collect();
        let blow = |tick: u64| {
            let mut flock = Flock::from_rows(&setup, tick, &rows).unwrap();
            fly(&mut flock, 1);
            flock.rows().iter().map(|row| row.velocity).collect::<Vec<_>>()
        };
        let (now, soon, later) = (blow(1000), blow(1001), blow(1500));
        assert!(now.iter().flatten().all(|push| push.abs() <= 0.5));
        // From each u to the next, and from the last to the first: the torus closes.
        for (here, there) in now.iter().zip(now[1..].iter().chain([&now[0]])) {
            assert!(distance(*here, *there) < 0.14, "{here:?} {there:?}");
        }
        assert!(now.iter().zip(&soon).all(|(now, soon)| distance(*now, *soon) < 0.05));
        let differ = now.iter().zip(&later).filter(|(now, later)| distance(**now, **later) > 0.1).count();
        assert!(differ > 200, "{differ}");
        for axis in 0..world.dim() {
            let (least, most) = now
                .iter()
                .chain(&later)
                .fold((0.0_f32, 0.0_f32), |(a, b), push| (a.min(push[axis]), b.max(push[axis])));
            assert!(least < -0.1 && most > 0.1, "axis {axis}: {least} to {most}");
        }
    }
}

#[test]
fn gusts_depend_on_the_seed_and_exist_far_outside() {
    let mut setup = quiet(FLAT);
    setup.params.gusts.strength = 0.5;
    let blown = |seed: u64, at: [f32; 3]| {
        let mut flock = flock(&Setup { seed, ..setup.clone() }, &[row(0, at, [0.0; 3])]);
        fly(&mut flock, 1);
        flock.rows()[0].velocity
    };
    assert_ne!(blown(1, [50.0, 60.0, 0.0]), blown(2, [50.0, 60.0, 0.0]));
    for at in [[-50.0, -60.0, 0.0], [1e9, -1e9, 0.0], [-0.001, 0.0, 0.0]] {
        assert!(blown(1, at).iter().all(|push| push.is_finite() && push.abs() <= 0.5), "{at:?}");
    }
    assert!(distance(blown(1, [-0.01, 60.0, 0.0]), blown(1, [0.01, 60.0, 0.0])) < 1e-2, "smooth at the origin too");
}

// Food.

fn food(radius: f32) -> Zone {
    Zone::new(ZoneKind::Food, [200.0, 150.0, 0.0], radius)
}

#[test]
fn boids_arrive_at_visible_food() {
    for (from, sees) in [([110.0, 150.0, 0.0], true), ([90.0, 150.0, 0.0], false)] {
        let mut setup = quiet(FLAT);
        setup.zones = vec![food(20.0)];
        setup.params.food.consumption = 0.0;
        let mut flock = flock(&setup, &[row(0, from, [0.0; 3])]);
        fly(&mut flock, 1);
        // weight 0.1 · speed.max 4
        assert!(near(flock.rows()[0].velocity[0], if sees { 0.4 } else { 0.0 }), "{:?}", flock.rows());
        fly(&mut flock, 400);
        let there = distance(flock.rows()[0].position, [200.0, 150.0, 0.0]);
        assert!(if sees { there < 5.0 } else { there > 90.0 }, "{there}");
    }
}

#[test]
fn food_is_eaten_and_regrows_or_stays_empty_until_a_restart() {
    let mut setup = quiet(FLAT);
    setup.zones = vec![Zone::new(ZoneKind::Roost, [50.0, 50.0, 0.0], 9.0), food(20.0)];
    (setup.params.food.consumption, setup.params.food.weight, setup.params.roost.chance) = (0.01, 0.0, 0.0);
    let mut rows: Vec<Row> = (0..10).map(|id| row(id, [190.0 + id as f32, 150.0, 0.0], [0.0; 3])).collect();
    rows.push(row(10, [200.0, 129.9, 0.0], [0.0; 3]));
    rows.push(Row { kind: Kind::Predator, ..row(11, [200.0, 150.0, 0.0], [0.0; 3]) });
    setup.params.flee.weight = 0.0;
    let mut flock = flock(&setup, &rows);
    fly(&mut flock, 1);
    assert!(near(flock.zones()[1].amount, 0.9), "ten eat, the one beside it does not, nor does a predator");
    let mut growing = flock.clone();
    fly(&mut flock, 10);
    assert!(flock.zones()[1].is_depleted() && !flock.zones()[0].is_depleted(), "{:?}", flock.zones());
    fly(&mut flock, 10);
    assert!(flock.zones()[1].is_depleted(), "nothing grows");
    flock.apply(&Command::Restart).unwrap();
    assert_eq!(flock.zones(), &setup.zones[..]);

    set(&mut growing, "food.regrowth", 0.02);
    fly(&mut growing, 30);
    assert_eq!(growing.zones()[1].amount, 0.0);
    growing.apply(&Command::SetBoids(1)).unwrap();
    fly(&mut growing, 30);
    assert!(near(growing.zones()[1].amount, 0.3), "0.02 grow, 0.01 are eaten: {:?}", growing.zones());
    growing.apply(&Command::Restart).unwrap();
    assert_eq!(growing.zones()[1].amount, 1.0);
}

#[test]
fn a_restart_restores_the_initial_amount_of_food() {
    let mut setup = quiet(FLAT);
    setup.zones = vec![food(20.0).with_amount(0.5)];
    (setup.params.food.consumption, setup.params.food.weight) = (0.1, 0.0);
    let mut flock = flock(&setup, &[row(0, [200.0, 150.0, 0.0], [0.0; 3])]);
    fly(&mut flock, 1);
    assert!(near(flock.zones()[0].amount, 0.4), "{:?}", flock.zones());
    flock.apply(&Command::Restart).unwrap();
    assert_eq!(flock.zones(), &setup.zones[..]);
}

#[test]
fn empty_food_attracts_no_boid() {
    let mut setup = quiet(FLAT);
    setup.zones = vec![food(20.0).with_amount(0.0), Zone { center: [120.0, 60.0, 0.0], ..food(10.0).with_amount(0.5) }];
    setup.params.food.regrowth = 1e-6;
    let mut flock = flock(&setup, &[row(0, [120.0, 145.0, 0.0], [0.0; 3])]);
    fly(&mut flock, 1);
    let [x, y, _] = flock.rows()[0].velocity;
    assert!(near(x, 0.0) && near(y, -0.2), "only to the other, half as strongly: {x}, {y}");
}

// Roosts.

fn roost() -> Zone {
    Zone::new(ZoneKind::Roost, [200.0, 150.0, 0.0], 25.0)
}

/// Number of boids that perch.
fn perched(flock: &Flock) -> usize {
    flock.agents().moods().iter().filter(|mood| **mood < 0.0).count()
}

fn flock_on_a_roost() -> Flock {
    let mut setup = quiet(FLAT);
    (setup.zones, setup.params.speed.min, setup.params.roost.chance) = (vec![roost()], 1.0, 0.2);
    let rows: Vec<Row> =
        (0..60).map(|id| row(id, [170.0 + id as f32, 140.0 + (id % 7) as f32, 0.0], [1.0, 0.0, 0.0])).collect();
    let mut flock = flock(&setup, &rows);
    fly(&mut flock, 60);
    flock
}

#[test]
fn boids_settle_on_a_roost_and_take_off() {
    let mut flock = flock_on_a_roost();
    let many = perched(&flock);
    assert!((10..50).contains(&many), "{many} of 60: the drowsy, about half");
    let mut scratch = Scratch::new();
    let (mut took_off, mut longest, mut sat) = (0, 0, vec![0_u32; 60]);
    for _ in 0..2000 {
        let (before, moods) = (flock.rows(), flock.agents().moods().to_vec());
        let ids = flock.agents().ids().to_vec();
        flock.step(&mut scratch);
        let after = flock.rows();
        for (id, mood) in ids.iter().zip(moods).filter(|(_, mood)| *mood < 0.0) {
            let id = *id as usize;
            assert!(distance(before[id].position, [200.0, 150.0, 0.0]) < 25.0, "on the roost");
            assert_eq!(before[id].position, after[id].position, "who perches does not move");
            sat[id] += 1;
            longest = longest.max(sat[id]);
            let speed = distance(after[id].velocity, [0.0; 3]);
            if mood >= -1.0 {
                assert!((1.0..=4.0).contains(&speed), "takes off at {speed}");
                (took_off, sat[id]) = (took_off + 1, 0);
            } else if speed > 0.0 {
                sat[id] = 0;
            }
        }
    }
    assert!(took_off > 30 && longest > 150 && longest <= 600, "{took_off} took off, the longest sat {longest} ticks");
}

#[test]
fn a_predator_or_a_passing_flock_makes_boids_take_off() {
    let mut calm = flock_on_a_roost();
    let many = perched(&calm);
    set(&mut calm, "roost.chance", 0.0);

    let mut frightened = calm.clone();
    set(&mut frightened, "flee.radius", 2000.0);
    frightened.apply(&Command::SetPredators(1)).unwrap();
    fly(&mut frightened, 1);
    assert_eq!(perched(&frightened), 0, "of {many}");

    let mut driven = calm.clone();
    let pointer = Pointer { at: [200.0, 150.0, 0.0], along: [0.0; 3], attracts: false };
    driven.apply(&Command::SetPointer(Some(pointer))).unwrap();
    fly(&mut driven, 1);
    assert_eq!(perched(&driven), 0, "of {many}");

    // At least some of the boids that fly by take others along.
    let mut swept = calm.clone();
    set(&mut swept, "alignment.radius", 60.0);
    set(&mut swept, "roost.wake", 0.5);
    fly(&mut swept, 3);
    assert_eq!(perched(&swept), 0, "of {many}");

    set(&mut calm, "roost.wake", 0.0);
    fly(&mut calm, 3);
    assert!(perched(&calm) + 3 > many);

    let mut bare = quiet(FLAT);
    bare.params.speed.min = 1.0;
    let elsewhere = Flock::from_rows(&bare, calm.tick(), &calm.rows()).unwrap();
    // Without a rule that uses moods there are no moods.
    (bare.params.hunt.stamina, bare.params.hunt.catch, bare.params.alarm.spread) = (0.0, 0.0, 0.0);
    let heedless = Flock::from_rows(&bare, calm.tick(), &calm.rows()).unwrap();
    assert!(!heedless.uses_moods() && heedless.rows().iter().all(|row| row.velocity != [0.0; 3]));
    let mut covered = calm.clone();
    covered.apply(&Command::AddZone(Zone::new(ZoneKind::Obstacle, roost().center, 30.0))).unwrap();
    for flock in [&elsewhere, &covered] {
        assert_eq!(perched(flock), 0, "of {many}");
    }

    calm.apply(&Command::RemoveZone(0)).unwrap();
    assert!(calm.rows().iter().all(|row| row.velocity != [0.0; 3]), "no boid is left standing where no roost is");
}

// Everything together.

/// A world with every feature.
fn full(preset: &Preset, boids: usize) -> Setup {
    let mut setup = preset.setup(7, 1.6);
    setup.world = preset.world_for(boids, 1.6);
    (setup.boids, setup.predators) = (boids, 5);
    let (center, size) = (setup.world.center(), setup.world.size());
    let short = size[0].min(size[1]);
    let at = |x: f32, y: f32| [center[0] + x * short, center[1] + y * short, center[2]];
    setup.zones = vec![
        Zone::new(ZoneKind::Obstacle, at(-0.2, 0.1), 0.1 * short),
        Zone::new(ZoneKind::Food, at(0.2, 0.2), 0.12 * short),
        Zone::new(ZoneKind::Obstacle, at(0.15, -0.2), 0.08 * short),
        Zone::new(ZoneKind::Roost, at(-0.1, -0.2), 0.15 * short),
        Zone::new(ZoneKind::Food, at(0.0, 0.0), 0.05 * short),
    ];
    let params = &mut setup.params;
    (params.gusts.strength, params.gusts.scale, params.gusts.period) = (0.05, 0.1 * short, 9.0);
    (params.food.radius, params.roost.radius, params.roost.rest) = (0.4 * short, 0.4 * short, 20.0);
    (params.obstacle.clearance, params.food.regrowth, params.pointer.radius) = (0.01 * short, 0.001, 0.3 * short);
    setup
}

#[test]
fn everything_together_is_deterministic_and_finite() {
    for (boids, ticks) in [(300, 150), (4500, 12)] {
        for preset in steered_presets() {
            let setup = full(&preset, boids);
            let mut start = Flock::new(&setup).unwrap();
            let at = setup.world.center();
            start.apply(&Command::SetPointer(Some(Pointer { at, along: [0.1, 0.2, 1.0], attracts: true }))).unwrap();
            let fly = |simd: Simd, threads: usize| {
                let mut flock = start.clone();
                in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
                    scratch.set_simd(simd);
                    (0..ticks).for_each(|_| flock.step(scratch));
                });
                let mut moods: Vec<(u32, u32)> = flock
                    .agents()
                    .ids()
                    .iter()
                    .zip(flock.agents().moods())
                    .map(|(id, mood)| (*id, mood.to_bits()))
                    .collect();
                moods.sort_unstable();
                (flock.hash(), flock.zones().to_vec(), moods, flock.rows())
            };
            let one = fly(Simd::Scalar, 1);
            assert!(one.3.iter().all(|row| row.position.iter().chain(&row.velocity).all(|number| number.is_finite())));
            for simd in Simd::available() {
                for threads in [1, 3] {
                    let other = fly(simd, threads);
                    assert_eq!(other.0, one.0, "{}, {} on {threads} threads", preset.name, simd.name());
                    assert!((&other.1, &other.2) == (&one.1, &one.2), "{}: food and moods", preset.name);
                }
            }
        }
    }
}

#[test]
fn a_run_continues_from_rows_and_zones_bit_for_bit() {
    for preset in steered_presets() {
        let mut setup = full(&preset, 200);
        // These rows have no moods.
        setup.zones.retain(|zone| zone.kind != ZoneKind::Roost);
        let mut whole = Flock::new(&setup).unwrap();
        for ticks in [1, 30, 60] {
            fly(&mut whole, ticks);
            let text: Vec<String> = whole.zones().iter().map(Zone::to_string).collect();
            let zones = text.iter().map(|zone| zone.parse().unwrap()).collect();
            let mut again = Flock::from_rows(&Setup { zones, ..setup.clone() }, whole.tick(), &whole.rows()).unwrap();
            let mut on = whole.clone();
            fly(&mut on, 20);
            fly(&mut again, 20);
            let left = |flock: &Flock| flock.zones().iter().map(|zone| zone.amount).collect::<Vec<_>>();
            assert!(on.rows() == again.rows() && left(&on) == left(&again), "{}", preset.name);
        }
    }
}

#[test]
fn disabled_features_change_nothing() {
    let preset = Preset::load("starlings").unwrap();
    let mut setup = preset.setup(7, 1.6);
    let mut plain = Flock::new(&setup).unwrap();
    // Parameters of absent zones, and parameters with weight 0.
    (setup.params.obstacle.weight, setup.params.food.weight, setup.params.roost.chance) = (50.0, 50.0, 1.0);
    (setup.params.gusts.scale, setup.params.pointer.weight) = (3.0, 0.0);
    let mut other = Flock::new(&setup).unwrap();
    other.apply(&Command::SetPointer(Some(Pointer { at: [9.0; 3], along: [0.0; 3], attracts: true }))).unwrap();
    fly(&mut plain, 50);
    fly(&mut other, 50);
    assert_eq!(plain.hash(), other.hash());
    assert!(other.agents().moods().is_empty());
}
