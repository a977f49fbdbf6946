//! Contract: a tick has the same bits on any SIMD kind and any number of threads.

use std::num::NonZeroUsize;

use crate::bounds::steering_params;
use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{
    AlignmentResponse, Edge, Flock, Kind, Params, PredatorMode, Row, Setup, Simd, Start, Value, World, check_params,
};
use proptest::prelude::*;

/// Enough to divide the work among threads.
const MANY: usize = 4500;

fn fly(mut flock: Flock, ticks: u64, simd: Simd, threads: usize) -> Flock {
    in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
        scratch.set_simd(simd);
        (0..ticks).for_each(|_| flock.step(scratch));
    });
    flock
}

/// Runs a flock with every SIMD kind and thread count, and checks that all end in one state.
fn all_kinds_agree(flock: &Flock, ticks: u64, threads: &[usize]) -> Result<(), String> {
    let one = fly(flock.clone(), ticks, Simd::Scalar, 1);
    for simd in Simd::available() {
        for &threads in threads {
            let other = fly(flock.clone(), ticks, simd, threads);
            // Compare bits: -0 differs from 0.
            if other.hash() != one.hash() {
                let apart =
                    one.rows().into_iter().zip(other.rows()).find(|(a, b)| format!("{a:?}") != format!("{b:?}"));
                return Err(format!("{} on {threads} threads: {apart:?}", simd.name()));
            }
        }
    }
    Ok(())
}

#[test]
fn a_simd_kind_besides_scalar_exists() {
    assert_eq!(Simd::available().next(), Some(Simd::Scalar));
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        assert!(Simd::available().count() > 1 && Simd::fastest() != Simd::Scalar);
    }
}

#[test]
fn presets_agree() {
    for preset in Preset::builtin() {
        let flock = Flock::new(&preset.setup(7, 1.6)).unwrap();
        all_kinds_agree(&flock, 200, &[1, 3]).unwrap_or_else(|apart| panic!("{}: {apart}", preset.name));
    }
}

#[test]
fn large_presets_agree() {
    for preset in Preset::builtin() {
        let setup = Setup { boids: MANY, world: preset.world_for(MANY, 1.6), ..preset.setup(7, 1.6) };
        let flock = Flock::new(&setup).unwrap();
        all_kinds_agree(&flock, 5, &[1, 2, 3, 8]).unwrap_or_else(|apart| panic!("{}: {apart}", preset.name));
    }
}

/// Small flocks, whose last blocks have unused lanes, down to a single boid.
#[test]
fn unused_lanes_change_nothing() {
    for boids in 1..=40 {
        for (world, edge) in [("40x30", Edge::Wrap), ("300x30", Edge::Turn), ("40x30x20", Edge::Wrap)] {
            let mut setup = setup(world.parse().unwrap(), boids);
            setup.params.edge.mode = edge;
            setup.params.noise.angle = 10.0;
            let flock = Flock::new(&setup).unwrap();
            all_kinds_agree(&flock, 20, &[1]).unwrap_or_else(|apart| panic!("{boids} boids in {world}: {apart}"));
        }
    }
}

/// Coincident boids take another path through the kernel.
#[test]
fn coincident_boids_agree() {
    for world in ["200x150", "200x150x100"] {
        let mut setup = setup(world.parse().unwrap(), 1);
        setup.params.edge.mode = Edge::Wrap;
        for share in [1, 2, 5] {
            let row = |id: u32| {
                let at = if id.is_multiple_of(share) { 50.0 } else { 50.0 + id as f32 * 0.37 };
                let deep = if setup.world.dim() == 3 { 20.0 } else { 0.0 };
                Row { id, kind: Kind::Prey, position: [at, 60.0, deep], velocity: [0.0; 3], mood: 0.0, bank: 0.0 }
            };
            let rows: Vec<Row> = (0..150).map(row).collect();
            let flock = Flock::from_rows(&setup, 0, &rows).unwrap();
            all_kinds_agree(&flock, 10, &[1]).unwrap_or_else(|apart| panic!("{world}, one in {share}: {apart}"));
        }
    }
}

fn setup(world: World, boids: usize) -> Setup {
    Setup {
        params: Params::default(),
        world,
        start: Start::Scatter,
        boids,
        predators: 2.min(boids),
        seed: 3,
        zones: Vec::new(),
    }
}

/// Random values for the whole parameter table, in ranges where boids interact.
fn params() -> impl Strategy<Value = Params> {
    prop::collection::vec((any::<prop::sample::Index>(), 0.0_f32..1.0), steering_params().count()).prop_map(|draws| {
        let mut params = Params::default();
        for (row, (choice, share)) in steering_params().zip(draws) {
            let value = match row.domain {
                flockscope::sim::Domain::Choice(names) => Value::Choice(names[choice.index(names.len())]),
                flockscope::sim::Domain::Switch => Value::Switch(share < 0.5),
                flockscope::sim::Domain::Number { .. } => Value::Number(number(row.key, share)),
            };
            params.set(row.key, value).unwrap();
        }
        params.speed.min = params.speed.min.min(params.speed.max);
        params
    })
}

/// A value for a row: usually one with an effect, sometimes 0.
fn number(key: &str, share: f32) -> f32 {
    let some = if share < 0.2 { 0.0 } else { share };
    match key.rsplit('.').next().unwrap_or_default() {
        "radius" => (40.0 * share).max(1.0),
        "inner" => 10.0 * some,
        "margin" => 30.0 * share,
        "max" | "speed" => 1.0 + 3.0 * share,
        "max_neighbors" => (20.0 * (share - 0.7)).max(0.0).round(),
        "angle" if key == "perception.angle" => (500.0 * share).min(360.0),
        "max_turn" | "angle" => 90.0 * some,
        "restitution" | "follow" => share,
        "scale" | "period" | "rest" | "stamina" | "respawn" | "hold" => (1.0 + 60.0 * share).round(),
        "nearest" => (24.0 * (share - 0.5)).max(0.0).round(),
        "count" if key == "species.count" => (1.0 + 4.0 * share).floor(),
        "count" => (6.0 * (share - 0.5)).max(0.0).floor(),
        _ => 0.5 * some,
    }
}

/// A world that fits the rules: a sphere is round, and an infinite radius excludes a torus.
fn world(params: &Params, deep: bool, size: f32) -> World {
    match (params.edge.mode, deep) {
        (Edge::Sphere, _) => World::Sphere(size),
        (_, true) => World::Cuboid([size, 0.7 * size, 0.5 * size]),
        (_, false) => World::Rect([2.0 * size, size]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn random_rules_agree(
        params in params(),
        infinite in prop::bool::weighted(0.2),
        flocking in any::<bool>(),
        deep in any::<bool>(),
        size in 20.0_f32..150.0,
        boids in 1_usize..300,
        predators in 0_usize..6,
        seed in any::<u64>(),
    ) {
        let mut params = params;
        if flocking {
            params.hunt.mode = PredatorMode::Flock;
        }
        if infinite && params.edge.mode != Edge::Wrap && params.limits.max_neighbors == 0.0 {
            params.alignment.radius = f32::INFINITY;
        }
        let world = world(&params, deep, size);
        let setup = Setup { params, world, start: Start::Scatter, boids, predators, seed, zones: Vec::new() };
        prop_assume!(check_params(&params, &world).is_ok());
        let flock = Flock::new(&setup).unwrap();
        all_kinds_agree(&flock, 200, &[1]).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn random_rules_agree_on_any_number_of_threads(
        params in params(),
        deep in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let world = world(&params, deep, 600.0);
        prop_assume!(check_params(&params, &world).is_ok());
        let setup = Setup { params, world, start: Start::Scatter, boids: MANY, predators: 3, seed, zones: Vec::new() };
        let flock = Flock::new(&setup).unwrap();
        all_kinds_agree(&flock, 3, &[1, 2, 3, 8]).map_err(TestCaseError::fail)?;
    }

    /// Coordinates have few digits there, and cells are folded: all neighbors are still found.
    #[test]
    fn all_kinds_agree_far_outside_an_open_world(
        away in prop::sample::select(&[1e6_f32, 1e8, 5e8, 9e8][..]),
        side in 0.5_f32..1.0,
        radius in 100.0_f32..500.0,
        reaches in 5.0_f32..25.0,
        agents in prop::collection::vec((0.0_f32..0.5, 0.0_f32..0.5, -3_i8..4, -3_i8..4), 60),
    ) {
        let size = radius * reaches;
        let mut setup = setup(World::Rect([size, 0.7 * size]), 1);
        let params = &mut setup.params;
        params.edge.mode = Edge::Open;
        (params.separation.weight, params.cohesion.weight, params.flee.weight) = (0.0, 0.0, 0.0);
        (params.separation.radius, params.cohesion.radius) = (radius, radius);
        (params.alignment.radius, params.alignment.weight) = (radius, 1.0);
        params.alignment.response = AlignmentResponse::Sum;
        (params.speed.min, params.speed.max) = (0.0, 1000.0);
        let place = |x: f32, y: f32| [away * side + size * x, away * 0.7 + size * y, 0.0];
        let rows: Vec<Row> = (0..).zip(&agents).map(|(id, &(x, y, vx, vy))| Row {
            id,
            kind: Kind::Prey,
            position: place(x, y),
            velocity: [f32::from(vx), f32::from(vy), 0.0],
            mood: 0.0,
            bank: 0.0,
        }).collect();
        let flock = Flock::from_rows(&setup, 0, &rows).unwrap();
        all_kinds_agree(&flock, 1, &[1]).map_err(TestCaseError::fail)?;
        // Small integers add up exactly in any order.
        for (me, flown) in rows.iter().zip(fly(flock, 1, Simd::Scalar, 1).rows()) {
            let mut velocity = me.velocity;
            for other in rows.iter().filter(|other| other.id != me.id) {
                let [x, y] = [0, 1].map(|axis| other.position[axis] - me.position[axis]);
                if x * x + y * y < radius * radius {
                    velocity = [0, 1, 2].map(|axis| velocity[axis] + other.velocity[axis]);
                }
            }
            prop_assert_eq!(velocity, flown.velocity);
        }
    }
}
