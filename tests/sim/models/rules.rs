//! Every variant of every rule.

use super::compare::Case;
use super::model::Tally;
use flockscope::sim::{
    Alignment, AlignmentResponse, Cohesion, Cruise, Edge, EdgeParams, Falloff, Flee, Flock, Hunt, HuntTarget, Limits,
    Noise, Params, PredatorMode, Response, Scratch, Separation, Setup, Speed, Start, Wind, World,
};

/// Rules of which each does enough to be seen.
pub fn lively() -> Params {
    Params {
        separation: Separation { radius: 20.0, weight: 0.5, falloff: Falloff::Inverse, response: Response::Sum },
        alignment: Alignment { radius: 40.0, weight: 0.3, response: AlignmentResponse::Difference },
        cohesion: Cohesion { radius: 45.0, inner: 0.0, weight: 0.05, response: Response::Mean },
        flee: Flee { radius: 60.0, weight: 0.8, falloff: Falloff::Inverse },
        hunt: Hunt {
            mode: PredatorMode::Hunt,
            radius: 70.0,
            weight: 0.05,
            target: HuntTarget::Nearest,
            speed: 5.0,
            ..Hunt::default()
        },
        edge: EdgeParams { mode: Edge::Wrap, margin: 30.0, strength: 0.6, restitution: 0.6, random: false },
        speed: Speed { min: 1.0, max: 8.0 },
        limits: Limits { max_force: 0.0, max_turn: 0.0, max_neighbors: 0.0 },
        noise: Noise { angle: 0.0, force: 0.0 },
        wind: Wind { x: 0.0, y: 0.0, z: 0.0 },
        ..Params::default()
    }
}

pub const FLAT: World = World::Rect([300.0, 240.0]);
pub const DEEP: World = World::Cuboid([160.0, 140.0, 120.0]);
pub const ROUND: World = World::Sphere(90.0);
pub const BOX_EDGES: [Edge; 5] = [Edge::Wrap, Edge::Turn, Edge::Push, Edge::Reflect, Edge::Open];
const FALLOFFS: [Falloff; 5] =
    [Falloff::Flat, Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare, Falloff::InverseCube];
const RESPONSES: [Response; 4] = [Response::Sum, Response::Mean, Response::Unit, Response::Steer];
const MATCHES: [AlignmentResponse; 6] = [
    AlignmentResponse::Sum,
    AlignmentResponse::Mean,
    AlignmentResponse::Difference,
    AlignmentResponse::Unit,
    AlignmentResponse::Steer,
    AlignmentResponse::Replace,
];

pub fn case(name: impl Into<String>, world: World, params: Params) -> Case {
    let setup = Setup { params, world, start: Start::Scatter, boids: 150, predators: 6, seed: 1, zones: Vec::new() };
    Case { name: name.into(), setup }
}

/// Compares these rules in a flat, a deep and a round world, with predators that hunt and such that flock.
pub fn compare_everywhere(name: &str, params: Params) -> Tally {
    let mut tally = Tally::default();
    let reaches_all = params.alignment.radius.is_infinite() || params.cohesion.radius.is_infinite();
    let box_edge = if reaches_all { Edge::Open } else { Edge::Wrap };
    for (world, edge) in [(FLAT, box_edge), (FLAT, Edge::Turn), (DEEP, box_edge), (ROUND, Edge::Sphere)] {
        for predators in [PredatorMode::Hunt, PredatorMode::Flock] {
            let mut params = params;
            (params.edge.mode, params.hunt.mode) = (edge, predators);
            let name = format!("{name} in {world}, {edge:?}, predators {predators:?}");
            tally.add(&case(name, world, params).compare(1));
        }
    }
    tally
}

#[test]
fn every_falloff_agrees() {
    for falloff in FALLOFFS {
        let mut params = lively();
        (params.separation.falloff, params.flee.falloff) = (falloff, falloff);
        (params.separation.weight, params.flee.weight) = match falloff {
            Falloff::Flat => (0.05, 0.05),
            Falloff::Linear => (0.01, 0.001),
            Falloff::Inverse => (0.5, 0.8),
            Falloff::InverseSquare => (5.0, 8.0),
            Falloff::InverseCube => (50.0, 80.0),
        };
        compare_everywhere(&format!("{falloff:?}"), params).assert_saw(&["separation", "flee"], 200);
    }
}

#[test]
fn every_response_of_separation_and_cohesion_agrees() {
    for response in RESPONSES {
        for max_force in [0.0, 0.7] {
            let mut params = lively();
            params.limits.max_force = max_force;
            params.separation.response = response;
            compare_everywhere(&format!("separation {response:?}"), params).assert_saw(&["separation"], 300);

            let mut params = lively();
            params.limits.max_force = max_force;
            params.cohesion.response = response;
            params.cohesion.inner = 15.0;
            params.cohesion.weight = if response == Response::Sum { 0.01 } else { 0.2 };
            let tally = compare_everywhere(&format!("cohesion {response:?}"), params);
            tally.assert_saw(&["cohesion", "spared"], 200);
        }
    }
}

#[test]
fn every_match_agrees() {
    for response in MATCHES {
        for max_force in [0.0, 0.4] {
            let mut params = lively();
            params.limits.max_force = max_force;
            params.alignment.response = response;
            compare_everywhere(&format!("alignment {response:?}"), params).assert_saw(&["alignment"], 500);
        }
    }
}

#[test]
fn every_edge_mode_agrees() {
    for world in [FLAT, DEEP] {
        for mode in BOX_EDGES {
            for restitution in [0.0, 0.6, 1.0] {
                let mut params = lively();
                (params.edge.mode, params.edge.restitution) = (mode, restitution);
                params.speed.max = 25.0;
                let tally = case(format!("{mode:?} in {world}"), world, params).compare(3);
                match mode {
                    Edge::Wrap => tally.assert_saw(&["wrapped"], 10),
                    Edge::Turn | Edge::Push => tally.assert_saw(&["edge"], 200),
                    Edge::Reflect => tally.assert_saw(&["bounced"], 50),
                    Edge::Open | Edge::Sphere => {}
                }
            }
        }
    }
    for mode in [Edge::Sphere, Edge::Open] {
        let mut params = lively();
        (params.edge.mode, params.edge.strength) = (mode, 5.0);
        let tally = case(format!("{mode:?} in {ROUND}"), ROUND, params).compare(3);
        if mode == Edge::Sphere {
            tally.assert_saw(&["edge"], 200);
        } else {
            tally.assert_never_saw("edge");
        }
    }
}

/// With a weak edge, a strong wind and high speeds the last resort has work to do.
#[test]
fn no_boid_is_more_than_one_margin_outside() {
    for (world, modes) in [
        (FLAT, &[Edge::Turn, Edge::Push, Edge::Reflect][..]),
        (DEEP, &[Edge::Turn, Edge::Push, Edge::Reflect]),
        (ROUND, &[Edge::Sphere]),
    ] {
        for &mode in modes {
            let mut params = lively();
            params.edge = EdgeParams { mode, margin: 12.0, strength: 0.01, ..params.edge };
            params.speed.max = 30.0;
            params.wind = Wind { x: 20.0, y: -15.0, z: 5.0 };
            let tally = case(format!("{mode:?} in the wind in {world}"), world, params).compare(3);
            tally.assert_saw(&["clamped"], 20);
        }
    }
}

#[test]
fn infinite_radii_agree() {
    for response in MATCHES {
        let mut params = lively();
        params.alignment = Alignment { radius: f32::INFINITY, weight: 0.02, response };
        compare_everywhere(&format!("the whole flock's {response:?}"), params).assert_saw(&["alignment"], 1000);
    }
    for response in RESPONSES {
        for inner in [0.0, 50.0] {
            let mut params = lively();
            let weight = if response == Response::Sum { 0.0004 } else { 0.05 };
            params.cohesion = Cohesion { radius: f32::INFINITY, inner, weight, response };
            let tally = compare_everywhere(&format!("the whole flock's pull, {response:?}, inner {inner}"), params);
            tally.assert_saw(&["cohesion"], 1000);
            if inner > 0.0 {
                tally.assert_saw(&["spared"], 500);
            } else {
                tally.assert_never_saw("spared");
            }
        }
    }
}

#[test]
fn both_targets_of_a_hunt_agree() {
    for target in [HuntTarget::Nearest, HuntTarget::Center] {
        for world in [FLAT, DEEP] {
            for mode in BOX_EDGES {
                let mut params = lively();
                (params.hunt.target, params.edge.mode) = (target, mode);
                let mut case = case(format!("hunting the {target:?} in {world}, {mode:?}"), world, params);
                case.setup.predators = 40;
                case.compare(2).assert_saw(&["hunt"], 30);
            }
        }
    }
}

#[test]
fn the_slowest_speed_binds_a_hunter_no_further_than_its_own_fastest() {
    let mut params = lively();
    (params.speed.min, params.hunt.speed) = (3.0, 2.0);
    case("slow hunters", FLAT, params).compare(2).assert_saw(&["hunt", "lengthened"], 5);
}

#[test]
fn limits_and_wind_agree() {
    let mut tally = Tally::default();
    for max_force in [0.0, 0.3, 2.0] {
        for speed in [Speed { min: 0.0, max: 8.0 }, Speed { min: 3.0, max: 4.0 }, Speed { min: 2.0, max: 2.0 }] {
            let mut params = lively();
            params.limits.max_force = max_force;
            params.speed = speed;
            params.wind = Wind { x: 0.5, y: -0.3, z: 0.2 };
            tally.add(&compare_everywhere(&format!("max_force {max_force}, {speed:?}, wind"), params));
        }
    }
    tally.assert_saw(&["shortened", "lengthened", "forced"], 500);
}

#[test]
fn the_return_to_a_speed_agrees() {
    for (weight, speed, max_force) in [(0.1, 5.0, 0.0), (1.0, 2.0, 0.0), (0.5, 8.0, 0.6)] {
        let mut params = lively();
        (params.cruise, params.limits.max_force) = (Cruise { weight, speed }, max_force);
        compare_everywhere(&format!("cruise {weight} {speed}"), params);
        let flown = |params| {
            let mut flock = Flock::new(&Setup::new(World::Rect([400.0, 300.0])).with_params(params)).unwrap();
            flock.step(&mut Scratch::new());
            flock.hash()
        };
        assert_ne!(flown(params), flown(Params { cruise: Cruise::default(), ..params }), "cruise changes speeds");
    }
}

#[test]
fn the_turn_limit_agrees() {
    for max_turn in [1.0, 20.0, 90.0, 170.0] {
        let mut params = lively();
        params.limits.max_turn = max_turn;
        params.cohesion.weight = 0.2;
        let tally = compare_everywhere(&format!("max_turn {max_turn}"), params);
        tally.assert_saw(&["turned"], if max_turn < 50.0 { 100 } else { 5 });
    }
}

#[test]
fn radii_larger_than_a_wrapping_world_agree() {
    for (world, size) in [(World::Rect([60.0, 200.0]), 60.0), (World::Cuboid([40.0, 90.0, 50.0]), 40.0)] {
        for share in [0.45, 0.6, 3.0] {
            let mut params = lively();
            params.separation.radius = share * size;
            params.alignment.radius = 1.1 * share * size;
            params.cohesion.radius = 1.2 * share * size;
            (params.flee.radius, params.hunt.radius) = (share * size, 1.5 * share * size);
            let tally = case(format!("{share} of {world}"), world, params).compare(2);
            tally.assert_saw(&["separation", "alignment", "cohesion", "flee", "hunt"], 8);
        }
    }
}
