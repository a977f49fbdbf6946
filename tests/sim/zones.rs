//! Contract: no boid is ever inside an obstacle, at any speed, and no boid is
//! trapped circling one.

use crate::bounds;

use crate::bounds::{check_bounds, steered_presets};
use flockscope::config::Preset;
use flockscope::sim::{
    Command, Edge, Flock, Kind, MAX_ZONES, Params, Row, Scratch, Setup, Start, Value, World, Zone, ZoneKind,
};
use proptest::prelude::*;

fn obstacle(center: [f32; 3], radius: f32) -> Zone {
    Zone::new(ZoneKind::Obstacle, center, radius)
}

fn setup(world: World, boids: usize, zones: Vec<Zone>) -> Setup {
    Setup { params: Params::default(), world, start: Start::Scatter, boids, predators: 2, seed: 7, zones }
}

/// Offset of a row from an obstacle's center.
fn offset(flock: &Flock, row: &Row, zone: &Zone) -> [f64; 3] {
    bounds::offset(flock, row.position.map(f64::from), zone)
}

fn distance(flock: &Flock, row: &Row, zone: &Zone) -> f64 {
    bounds::distance(flock, row.position.map(f64::from), zone)
}

fn fly(flock: &mut Flock, ticks: u64) {
    let mut scratch = Scratch::new();
    (0..ticks).for_each(|_| flock.step(&mut scratch));
}

#[test]
fn boids_steer_around_an_obstacle() {
    // A single boid heading slightly off an obstacle's center passes on that side.
    for (world, y, side) in [("300x200", 99.0, -1.0), ("300x200", 101.0, 1.0), ("300x200x200", 97.0, -1.0)] {
        let world: World = world.parse().unwrap();
        let depth = world.center()[2];
        let mut setup = setup(world, 1, vec![obstacle([150.0, 100.0, depth], 25.0)]);
        setup.predators = 0;
        let row = Row {
            id: 0,
            kind: Kind::Prey,
            position: [40.0, y, depth],
            velocity: [3.0, 0.0, 0.0],
            mood: 0.0,
            bank: 0.0,
        };
        let mut flock = Flock::from_rows(&setup, 0, &[row]).unwrap();
        let mut scratch = Scratch::new();
        for _ in 0..40 {
            flock.step(&mut scratch);
            let row = flock.rows()[0];
            let apart = distance(&flock, &row, &setup.zones[0]);
            assert!(apart > 25.1, "{row:?} touches it");
            let speed = row.velocity.iter().map(|along| along * along).sum::<f32>().sqrt();
            assert!(speed > 2.0, "a turn, and no brake: {row:?}");
        }
        let row = flock.rows()[0];
        assert!((row.position[1] - y) * side > 5.0 && row.velocity[0] > 0.0, "{row:?}");
    }
}

#[test]
fn boids_fly_through_food_and_roosts() {
    let world = World::Rect([300.0, 200.0]);
    for kind in [ZoneKind::Food, ZoneKind::Roost] {
        let mut setup = setup(world, 300, vec![Zone::new(kind, [150.0, 100.0, 0.0], 40.0)]);
        setup.params.roost.chance = 0.0;
        let mut flock = Flock::new(&setup).unwrap();
        fly(&mut flock, 200);
        let inside = flock.rows().iter().filter(|row| distance(&flock, row, &setup.zones[0]) < 40.0).count();
        assert!(inside > 0, "{}", kind.name());
    }
}

#[test]
fn invalid_zones_are_rejected_without_effect() {
    let world = World::Rect([400.0, 300.0]);
    let setup = setup(world, 50, vec![obstacle([100.0, 100.0, 0.0], 30.0), obstacle([300.0, 100.0, 0.0], 30.0)]);
    let mut flock = Flock::new(&setup).unwrap();
    fly(&mut flock, 10);
    let (hash, zones) = (flock.hash(), flock.zones().to_vec());
    for (command, why) in [
        (Command::AddZone(obstacle([140.0, 100.0, 0.0], 3.0)), "obstacle.clearance"),
        (Command::AddZone(obstacle([100.0, 100.0, 0.0], 3.0)), "obstacle.clearance"),
        (Command::MoveZone(1, [150.0, 120.0, 0.0]), "obstacle.clearance"),
        (Command::AddZone(obstacle([200.0, 150.0, 0.0], 98.0)), "a quarter of the world"),
        (Command::AddZone(obstacle([10.0, 200.0, 0.0], 20.0)), "not completely inside"),
        (Command::MoveZone(0, [395.0, 200.0, 0.0]), "not completely inside"),
        (Command::AddZone(obstacle([200.0, 200.0, 5.0], 20.0)), "2-D"),
        (Command::AddZone(obstacle([200.0, 200.0, 0.0], 0.0)), "a radius above 0"),
        (Command::AddZone(obstacle([200.0, 200.0, 0.0], -3.0)), "a radius above 0"),
        (Command::AddZone(obstacle([200.0, f32::NAN, 0.0], 3.0)), "a radius above 0"),
        (
            Command::AddZone(Zone { amount: 1.5, ..Zone::new(ZoneKind::Food, [200.0, 200.0, 0.0], 3.0) }),
            "an amount from 0 to 1",
        ),
        (Command::MoveZone(2, [200.0, 200.0, 0.0]), "no zone 2"),
        (Command::RemoveZone(2), "no zone 2"),
        (Command::set("obstacle.clearance", Value::Number(71.0)).unwrap(), "obstacle.clearance"),
    ] {
        let error = flock.apply(&command).unwrap_err().to_string();
        assert!(error.contains(why), "{command:?}: {error}");
        assert_eq!((flock.hash(), flock.zones()), (hash, &zones[..]), "{command:?}");
    }
    // A setup has the same rules.
    let bad = Setup { zones: vec![obstacle([100.0, 100.0, 0.0], 30.0); 2], ..setup.clone() };
    assert!(Flock::new(&bad).unwrap_err().to_string().contains("obstacle.clearance"));
    // Food and roosts may stand where they like.
    flock.apply(&Command::AddZone(Zone::new(ZoneKind::Food, [140.0, 100.0, 0.0], 3.0))).unwrap();
    for number in flock.zones().len()..MAX_ZONES {
        flock.apply(&Command::AddZone(Zone::new(ZoneKind::Food, [2.0 + number as f32, 10.0, 0.0], 1.0))).unwrap();
    }
    let error = flock.apply(&Command::AddZone(Zone::new(ZoneKind::Food, [9.0, 10.0, 0.0], 1.0))).unwrap_err();
    assert!(error.to_string().contains("too many zones"), "{error}");
}

#[test]
fn the_clearance_applies_across_a_wrapping_border() {
    let world = World::Rect([400.0, 300.0]);
    let mut setup = setup(world, 5, vec![obstacle([20.0, 100.0, 0.0], 18.0)]);
    let other = Command::AddZone(obstacle([380.0, 100.0, 0.0], 18.0));
    assert!(Flock::new(&setup).unwrap().apply(&other).is_err());
    setup.params.edge.mode = Edge::Turn;
    let mut flock = Flock::new(&setup).unwrap();
    flock.apply(&other).unwrap();
    let wrap = Command::set("edge.mode", Value::Choice("wrap")).unwrap();
    assert!(flock.apply(&wrap).unwrap_err().to_string().contains("obstacle.clearance"));
    assert_eq!(flock.params().edge.mode, Edge::Turn);
}

#[test]
fn boids_under_a_new_or_moved_obstacle_move_to_its_rim() {
    for world in ["300x200", "200x150x100", "round:100"] {
        let world: World = world.parse().unwrap();
        let mut setup = setup(world, 500, Vec::new());
        setup.params.edge.mode = if matches!(world, World::Sphere(_)) { Edge::Sphere } else { Edge::Wrap };
        let mut flock = Flock::new(&setup).unwrap();
        fly(&mut flock, 20);
        let before = flock.rows();
        let center = world.center();
        flock.apply(&Command::AddZone(obstacle(center, 30.0))).unwrap();
        check_bounds(&flock, 500, 2).unwrap();
        let moved: Vec<(Row, Row)> =
            before.iter().zip(flock.rows()).map(|(old, new)| (*old, new)).filter(|(old, new)| old != new).collect();
        assert!(!moved.is_empty(), "boids stood there");
        for (old, new) in moved {
            let zone = flock.zones()[0];
            assert!(distance(&flock, &old, &zone) < 30.001 && distance(&flock, &new, &zone) < 30.01);
            let (out, velocity) = (offset(&flock, &new, &zone), new.velocity.map(f64::from));
            let outward: f64 = (0..3).map(|axis| out[axis] * velocity[axis]).sum::<f64>() / 30.0;
            assert!(outward > -1e-4, "{new:?} heads inward at {outward}");
        }
        flock.apply(&Command::MoveZone(0, [center[0] + 25.0, center[1] + 8.0, center[2]])).unwrap();
        check_bounds(&flock, 500, 2).unwrap();
        flock.apply(&Command::SetBoids(3000)).unwrap();
        check_bounds(&flock, 3000, 2).unwrap();
        flock.apply(&Command::Restart).unwrap();
        check_bounds(&flock, 3000, 2).unwrap();
        flock.apply(&Command::RemoveZone(0)).unwrap();
        assert!(flock.zones().is_empty());
    }
}

#[test]
fn a_shrinking_world_moves_zones_inside_and_drops_those_that_do_not_fit() {
    let zones = vec![
        obstacle([45.0, 60.0, 0.0], 40.0),
        obstacle([350.0, 250.0, 0.0], 30.0),
        Zone::new(ZoneKind::Roost, [300.0, 100.0, 0.0], 20.0),
        obstacle([250.0, 60.0, 0.0], 35.0),
    ];
    let setup = setup(World::Rect([400.0, 300.0]), 500, zones.clone());
    let mut flock = Flock::new(&setup).unwrap();
    flock.apply(&Command::Resize(World::Rect([220.0, 200.0]))).unwrap();
    let centers: Vec<[f32; 3]> = flock.zones().iter().map(|zone| zone.center.map(f32::round)).collect();
    // The last one would be too close to the first across the border.
    assert_eq!(centers, [[45.0, 60.0, 0.0], [190.0, 170.0, 0.0], [200.0, 100.0, 0.0]]);
    check_bounds(&flock, 500, 2).unwrap();
    flock.apply(&Command::Resize(World::Rect([90.0, 80.0]))).unwrap();
    assert_eq!(flock.zones().len(), 1, "40 u is too large for it, and 30 u too: the roost is left");
    assert_eq!(flock.zones()[0].kind, ZoneKind::Roost);
    flock.apply(&Command::Resize(World::Rect([400.0, 300.0]))).unwrap();
    fly(&mut flock, 20);
    check_bounds(&flock, 500, 2).unwrap();
}

#[test]
fn a_run_with_obstacles_continues_from_rows_bit_for_bit() {
    for preset in steered_presets() {
        let mut setup = preset.setup(7, 1.6);
        let (center, size) = (setup.world.center(), setup.world.size());
        setup.params.obstacle.clearance = 1.0;
        setup.zones = vec![
            obstacle(center, 0.15 * size[0]),
            obstacle([center[0] + 0.3 * size[0], center[1], center[2]], 0.1 * size[0]),
        ];
        let mut whole = Flock::new(&setup).unwrap();
        for _ in 0..4 {
            let mut again = Flock::from_rows(&setup, whole.tick(), &whole.rows()).unwrap();
            assert!(again.rows() == whole.rows(), "{}: no boid is moved", preset.name);
            fly(&mut whole, 25);
            fly(&mut again, 25);
            assert!(again.rows() == whole.rows(), "{}", preset.name);
        }
    }
}

/// Maximum number of turns around one obstacle in [`WHIRL_TICKS`].
const TURNS: f64 = 4.0;
/// Ticks over which turns are counted.
const WHIRL_TICKS: u64 = 1000;

/// Most turns of any boid around an obstacle while it stays within one radius and 30 u.
fn most_turns(mut flock: Flock) -> f64 {
    let mut scratch = Scratch::new();
    let zones = flock.zones().to_vec();
    let mut before = flock.rows();
    let mut turned = vec![vec![0.0_f64; zones.len()]; before.len()];
    let mut most = 0.0_f64;
    for _ in 0..WHIRL_TICKS {
        flock.step(&mut scratch);
        let rows = flock.rows();
        for (agent, (old, new)) in before.iter().zip(&rows).enumerate() {
            for (number, zone) in zones.iter().enumerate() {
                let ([x, y, _], [u, v, _]) = (offset(&flock, old, zone), offset(&flock, new, zone));
                let turned = &mut turned[agent][number];
                if distance(&flock, new, zone) > 2.0 * f64::from(zone.radius) + 30.0 {
                    *turned = 0.0;
                } else {
                    *turned += (x * v - y * u).atan2(x * u + y * v) / std::f64::consts::TAU;
                    most = most.max(turned.abs());
                }
            }
        }
        before = rows;
    }
    most
}

/// One obstacle in the center, and one near the wall, where the edge pushes boids against it.
fn pillars(mut setup: Setup, seed: u64, edge: Edge) -> Setup {
    setup.world = World::Rect([220.0, 160.0]);
    setup.zones = vec![obstacle([150.0, 80.0, 0.0], 30.0), obstacle([50.0, 45.0, 0.0], 18.0)];
    (setup.seed, setup.params.edge.mode, setup.params.edge.margin) = (seed, edge, 30.0);
    setup
}

#[test]
fn no_boid_is_trapped_between_an_obstacle_and_a_predator_or_wall() {
    let starlings = Preset::load("starlings").unwrap().setup(7, 1.6);
    let plain = setup(starlings.world, 1, Vec::new());
    let mut all = Vec::new();
    for seed in 0..16 {
        for (name, rules, edge, boids, predators) in [
            ("a wall, one boid", &plain, Edge::Turn, 1, 0),
            ("a predator, one boid", &plain, Edge::Wrap, 1, 2),
            ("both, one boid", &plain, Edge::Turn, 1, 2),
            ("both, pushing", &plain, Edge::Push, 8, 3),
            ("both, bouncing, a flock", &plain, Edge::Reflect, 150, 3),
            ("a flock", &plain, Edge::Wrap, 150, 0),
            ("starlings", &starlings, Edge::Turn, 120, 2),
        ] {
            let setup = Setup { boids, predators, ..pillars(rules.clone(), seed, edge) };
            all.push((most_turns(Flock::new(&setup).unwrap()), name, seed));
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert!(all[0].0 < TURNS, "turns: {:?}", &all[..12]);
}

fn edges() -> impl Strategy<Value = Edge> {
    prop::sample::select(vec![Edge::Wrap, Edge::Turn, Edge::Push, Edge::Reflect, Edge::Open])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_boid_is_inside_an_obstacle_at_any_speed(
        edge in edges(),
        shape in 0_u8..3,
        scale in prop::sample::select(&[5.0_f32, 100.0, 1e4, 3e5][..]),
        places in prop::collection::vec((0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0, 0.01_f32..0.3), 0..40),
        speed in prop::sample::select(&[0.01_f32, 2.0, 50.0, 1000.0][..]),
        wind in -2.0_f32..2.0,
        margin in 0.0_f32..0.5,
        predators in 0_usize..20,
        seed in any::<u64>(),
    ) {
        let world = match shape {
            0 => World::Rect([2.0 * scale, scale]),
            1 => World::Cuboid([scale, 1.5 * scale, scale]),
            _ => World::Sphere(scale),
        };
        let mut setup = setup(world, 120, Vec::new());
        let params = &mut setup.params;
        params.edge.mode = if shape == 2 { Edge::Sphere } else { edge };
        (params.edge.margin, params.obstacle.clearance) = ((margin * scale).min(1e5), 0.01 * scale);
        (params.speed.min, params.speed.max, params.hunt.speed) = (0.0, speed, speed);
        params.wind.x = wind;
        params.pointer.weight = 1.0;
        (setup.predators, setup.seed) = (predators, seed);
        let mut flock = Flock::new(&setup).unwrap();
        let (origin, size) = (world.origin(), world.size());
        let at = |x: f32, y: f32, z: f32| [0, 1, 2].map(|axis| origin[axis] + [x, y, z][axis] * size[axis]);
        let mut placed = 0;
        for &(x, y, z, radius) in &places {
            placed += u32::from(flock.apply(&Command::AddZone(obstacle(at(x, y, z), radius * scale))).is_ok());
            check_bounds(&flock, 120, predators).map_err(TestCaseError::fail)?;
        }
        prop_assert_eq!(placed as usize, flock.zones().len());
        let mut scratch = Scratch::new();
        for tick in 0..60 {
            flock.step(&mut scratch);
            check_bounds(&flock, 120, predators).map_err(|why| TestCaseError::fail(format!("{why} at tick {tick}")))?;
            if tick == 30 && !flock.zones().is_empty() {
                let &(x, y, z, _) = &places[0];
                let _ = flock.apply(&Command::MoveZone(0, at(y, x, z)));
                let _ = flock.apply(&Command::set("edge.margin", Value::Number(0.0)).unwrap());
                check_bounds(&flock, 120, predators).map_err(TestCaseError::fail)?;
            }
        }
    }
}
