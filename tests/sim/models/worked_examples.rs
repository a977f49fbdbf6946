//! Worked examples with exact numbers.

use super::rules::lively;
use flockscope::sim::{
    Alignment, AlignmentResponse, Cohesion, Command, Cruise, Edge, EdgeParams, Falloff, Flee, Flock, Hunt, HuntTarget,
    Kind, Params, PredatorMode, Response, Row, Scratch, Separation, Setup, Speed, Start, Wind, World,
};

/// No rule does anything.
pub fn calm() -> Params {
    let mut params = lively();
    (params.separation.weight, params.alignment.weight, params.cohesion.weight) = (0.0, 0.0, 0.0);
    (params.flee.weight, params.hunt.weight) = (0.0, 0.0);
    params.edge.mode = Edge::Open;
    params.speed = Speed { min: 0.0, max: 1000.0 };
    params
}

pub fn boid(id: u32, [x, y]: [f32; 2], [vx, vy]: [f32; 2]) -> Row {
    Row { id, kind: Kind::Prey, position: [x, y, 0.0], velocity: [vx, vy, 0.0], mood: 0.0, bank: 0.0 }
}

pub fn predator(id: u32, position: [f32; 2], velocity: [f32; 2]) -> Row {
    Row { kind: Kind::Predator, ..boid(id, position, velocity) }
}

/// The rows after one tick, in order of ids.
pub fn tick(params: &Params, world: World, rows: &[Row]) -> Vec<Row> {
    let setup =
        Setup { params: *params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 9, zones: Vec::new() };
    let mut flock = Flock::from_rows(&setup, 0, rows).unwrap();
    flock.step(&mut Scratch::new());
    flock.rows()
}

#[track_caller]
pub fn assert_flies(row: &Row, [x, y]: [f32; 2], [vx, vy]: [f32; 2]) {
    let off = (row.position.iter().zip([x, y, 0.0])).chain(row.velocity.iter().zip([vx, vy, 0.0]));
    assert!(off.clone().all(|(got, want)| (got - want).abs() < 2e-5), "{row:?}, not ({x}, {y}) and ({vx}, {vy})");
}

pub const SQUARE: World = World::Rect([100.0, 100.0]);

#[test]
fn two_boids_push_apart() {
    // r = (3, 4), d = 5, R = 10, w = 0.5.
    for (falloff, [ax, ay]) in [
        (Falloff::Flat, [1.5, 2.0]),
        (Falloff::Linear, [7.5, 10.0]),
        (Falloff::Inverse, [0.3, 0.4]),
        (Falloff::InverseSquare, [0.06, 0.08]),
        (Falloff::InverseCube, [0.012, 0.016]),
    ] {
        let mut params = calm();
        params.separation = Separation { radius: 10.0, weight: 0.5, falloff, response: Response::Sum };
        let rows = tick(&params, SQUARE, &[boid(0, [40.0, 40.0], [1.0, 0.0]), boid(1, [43.0, 44.0], [0.0, 0.0])]);
        assert_flies(&rows[0], [41.0 - ax, 40.0 - ay], [1.0 - ax, -ay]);
        assert_flies(&rows[1], [43.0 + ax, 44.0 + ay], [ax, ay]);
    }
}

#[test]
fn boids_return_to_their_cruise_speed() {
    // |v| = 5, c = 3, w = 0.5: half of the difference of −2, along the heading (0.6, 0.8).
    let params = Params { cruise: Cruise { weight: 0.5, speed: 3.0 }, ..calm() };
    let rows = tick(&params, SQUARE, &[boid(0, [40.0, 40.0], [3.0, 4.0]), boid(1, [70.0, 70.0], [0.0, 0.0])]);
    assert_flies(&rows[0], [42.4, 43.2], [2.4, 3.2]);
    assert_flies(&rows[1], [70.0, 70.0], [0.0, 0.0]);
}

#[test]
fn a_boid_matches_two_others() {
    // v = (1, 0), Σv = (2, 4), n = 2, w = 0.5.
    for (response, [vx, vy]) in [
        (AlignmentResponse::Sum, [2.0, 2.0]),
        (AlignmentResponse::Mean, [1.5, 1.0]),
        (AlignmentResponse::Difference, [1.0, 1.0]),
        (AlignmentResponse::Unit, [1.223_606_8, 0.447_213_6]),
        (AlignmentResponse::Steer, [2.736_068, 4.472_136]),
        (AlignmentResponse::Replace, [0.8, 0.4]),
    ] {
        let mut params = calm();
        params.speed.max = 10.0;
        params.alignment = Alignment { radius: 10.0, weight: 0.5, response };
        let others = [boid(1, [43.0, 40.0], [0.0, 2.0]), boid(2, [40.0, 44.0], [2.0, 2.0])];
        let rows = tick(&params, SQUARE, &[boid(0, [40.0, 40.0], [1.0, 0.0]), others[0], others[1]]);
        assert_flies(&rows[0], [40.0 + vx, 40.0 + vy], [vx, vy]);
    }
}

#[test]
fn a_boid_brakes_among_neighbors_whose_velocities_cancel_out() {
    let mut params = calm();
    params.alignment = Alignment { radius: 10.0, weight: 0.5, response: AlignmentResponse::Difference };
    let others = [boid(1, [43.0, 40.0], [0.0, 2.0]), boid(2, [40.0, 44.0], [0.0, -2.0])];
    let rows = tick(&params, SQUARE, &[boid(0, [40.0, 40.0], [1.0, 0.0]), others[0], others[1]]);
    assert_flies(&rows[0], [40.5, 40.0], [0.5, 0.0]);
}

#[test]
fn a_boid_draws_near_two_others() {
    // Offsets (3, 0) and (0, 4), v = (1, 0), w = 0.5.
    for (response, max_force, [ax, ay]) in [
        (Response::Sum, 0.0, [1.5, 2.0]),
        (Response::Mean, 0.0, [0.75, 1.0]),
        (Response::Unit, 0.0, [0.3, 0.4]),
        (Response::Steer, 0.0, [2.5, 4.0]),
        (Response::Steer, 1.0, [0.264_999_5, 0.423_999_1]),
    ] {
        let mut params = calm();
        params.speed.max = 10.0;
        params.limits.max_force = max_force;
        params.cohesion = Cohesion { radius: 10.0, inner: 0.0, weight: 0.5, response };
        let others = [boid(1, [43.0, 40.0], [0.0, 0.0]), boid(2, [40.0, 44.0], [0.0, 0.0])];
        let rows = [boid(0, [40.0, 40.0], [1.0, 0.0]), others[0], others[1]];
        assert_flies(&tick(&params, SQUARE, &rows)[0], [41.0 + ax, 40.0 + ay], [1.0 + ax, ay]);
        if response == Response::Mean {
            params.cohesion.inner = 3.5;
            assert_flies(&tick(&params, SQUARE, &rows)[0], [41.0, 42.0], [1.0, 2.0]);
            (params.cohesion.radius, params.cohesion.inner) = (4.0, 3.0);
            assert_flies(&tick(&params, SQUARE, &rows)[0], [42.5, 40.0], [2.5, 0.0]);
        }
    }
}

#[test]
fn neighbors_see_each_other_across_the_seam() {
    let mut params = calm();
    params.edge.mode = Edge::Wrap;
    params.separation = Separation { radius: 5.0, weight: 1.0, falloff: Falloff::Flat, response: Response::Sum };
    let rows = tick(&params, SQUARE, &[boid(0, [99.0, 1.0], [0.0, 0.0]), boid(1, [1.0, 98.0], [0.0, 0.0])]);
    assert_flies(&rows[0], [97.0, 4.0], [-2.0, 3.0]);
    assert_flies(&rows[1], [3.0, 95.0], [2.0, -3.0]);
}

#[test]
fn the_seam_belongs_to_one_side_alone() {
    let mut params = calm();
    params.edge.mode = Edge::Wrap;
    let fly = |at, velocity| tick(&params, SQUARE, &[boid(0, at, velocity)])[0];
    assert_flies(&fly([99.0, 1.0], [3.0, -2.0]), [2.0, 99.0], [3.0, -2.0]);
    assert_flies(&fly([99.0, 1.0], [1.0, -1.0]), [0.0, 0.0], [1.0, -1.0]);
    assert_flies(&fly([50.0, 50.0], [250.0, -330.0]), [0.0, 20.0], [250.0, -330.0]);
    // A value just below 0 is closer to the seam than `f32` resolves just below 100.
    let [x, y, _] = fly([0.0, 0.0], [-1e-9, -1e-30]).position;
    assert!((0.0..100.0).contains(&x) && (0.0..100.0).contains(&y), "({x}, {y})");
}

#[test]
fn prey_flees_and_a_predator_hunts() {
    let mut params = calm();
    params.flee = Flee { radius: 10.0, weight: 0.1, falloff: Falloff::Linear };
    (params.hunt.mode, params.hunt.target) = (PredatorMode::Hunt, HuntTarget::Nearest);
    (params.hunt.radius, params.hunt.weight, params.hunt.speed) = (20.0, 0.5, 4.0);
    let rows = [
        predator(0, [40.0, 40.0], [0.0, 1.0]),
        boid(1, [40.0, 52.0], [0.0, 0.0]),
        boid(2, [45.0, 40.0], [0.0, 0.0]),
        boid(3, [35.0, 40.0], [1.0, 0.0]),
    ];
    // Two are equally near; the one at (5, 0) has the lower id.
    let after = tick(&params, SQUARE, &rows);
    assert_flies(&after[0], [42.5, 41.0], [2.5, 1.0]);
    assert_flies(&after[1], [40.0, 52.0], [0.0, 0.0]);
    assert_flies(&after[2], [47.5, 40.0], [2.5, 0.0]);
    assert_flies(&after[3], [33.5, 40.0], [-1.5, 0.0]);

    // The mean of (0, 12), (5, 0) and (−5, 0) is (0, 4); 0.5 · 4 + 1 = 3.
    params.hunt.target = HuntTarget::Center;
    assert_flies(&tick(&params, SQUARE, &rows)[0], [40.0, 43.0], [0.0, 3.0]);
    params.hunt.speed = 2.0;
    assert_flies(&tick(&params, SQUARE, &rows)[0], [40.0, 42.0], [0.0, 2.0]);
}

#[test]
fn a_hunter_follows_hunt_and_edge_alone() {
    let mut params = calm();
    params.hunt = Hunt { mode: PredatorMode::Hunt, weight: 0.0, speed: 10.0, ..params.hunt };
    params.wind = Wind { x: 1.0, y: 2.0, z: 0.0 };
    params.alignment = Alignment { radius: 50.0, weight: 1.0, response: AlignmentResponse::Sum };
    let rows = [boid(0, [40.0, 40.0], [0.0, 1.0]), predator(1, [45.0, 40.0], [3.0, 0.0])];
    let after = tick(&params, SQUARE, &rows);
    assert_flies(&after[0], [41.0, 43.0], [1.0, 3.0]);
    assert_flies(&after[1], [48.0, 40.0], [3.0, 0.0]);

    // As part of the flock it is a boid like any other.
    params.hunt.mode = PredatorMode::Flock;
    let after = tick(&params, SQUARE, &rows);
    assert_flies(&after[0], [44.0, 43.0], [4.0, 3.0]);
    assert_flies(&after[1], [49.0, 43.0], [4.0, 3.0]);
}

#[test]
fn edges_steer_inward() {
    for (mode, at, velocity) in [
        // Deep by 4 on the left, by 12 below: 2 outside.
        (Edge::Turn, [6.0, 102.0], [0.5, -0.5]),
        (Edge::Push, [6.0, 102.0], [2.0, -6.0]),
        (Edge::Turn, [10.5, 89.5], [0.0, 0.0]),
        (Edge::Push, [-1.0, 50.0], [5.5, 0.0]),
    ] {
        let mut params = calm();
        params.edge = EdgeParams { mode, margin: 10.0, strength: 0.5, restitution: 1.0, random: false };
        let after = tick(&params, SQUARE, &[boid(0, at, [0.0, 0.0])]);
        assert_flies(&after[0], [at[0] + velocity[0], at[1] + velocity[1]], velocity);
    }
}

#[test]
fn edges_reflect() {
    let mut params = calm();
    params.edge = EdgeParams { mode: Edge::Reflect, margin: 10.0, strength: 0.5, restitution: 0.25, random: false };
    let fly = |at, velocity| tick(&params, SQUARE, &[boid(0, at, velocity)])[0];
    // Beyond the line after the move, and heading outward on one axis alone.
    assert_flies(&fly([88.0, 8.0], [4.0, 1.0]), [92.0, 9.0], [-1.0, 1.0]);
    assert_flies(&fly([12.0, 95.0], [-4.0, 2.0]), [8.0, 97.0], [1.0, -0.5]);
    assert_flies(&fly([88.0, 50.0], [1.0, 0.0]), [89.0, 50.0], [1.0, 0.0]);
    // One margin outside is the limit.
    assert_flies(&fly([108.0, 50.0], [8.0, 0.0]), [110.0, 50.0], [-2.0, 0.0]);
}

#[test]
fn a_round_world_pushes_to_its_centre() {
    let mut params = calm();
    params.edge = EdgeParams { mode: Edge::Sphere, margin: 5.0, strength: 2.0, restitution: 1.0, random: false };
    let world = World::Sphere(20.0);
    // Distance 18, 2 below the surface: 2 / 2² = 0.5 toward the centre.
    let after = tick(&params, world, &[boid(0, [10.8, 14.4], [0.0, 0.0])]);
    assert_flies(&after[0], [10.5, 14.0], [-0.3, -0.4]);
    let after = tick(&params, world, &[boid(0, [14.9, 0.0], [0.0, 0.0])]);
    assert_flies(&after[0], [14.9, 0.0], [0.0, 0.0]);
    // Distance 23: 2 / 1². One margin outside is the limit; the tangential motion continues.
    let after = tick(&params, world, &[boid(0, [23.0, 0.0], [9.0, 0.0])]);
    assert_flies(&after[0], [25.0, 0.0], [0.0, 0.0]);
    // At (24 + 6, 0 + 40), distance 50: moved to (15, 20), and (6, 40) less its outward 35.6 · (0.6, 0.8).
    let after = tick(&params, world, &[boid(0, [24.0, 0.0], [8.0, 40.0])]);
    assert_flies(&after[0], [15.0, 20.0], [-15.36, 11.52]);
}

#[test]
fn the_last_resort_of_a_box() {
    for mode in [Edge::Turn, Edge::Push] {
        let mut params = calm();
        params.edge = EdgeParams { mode, margin: 10.0, strength: 0.0, restitution: 1.0, random: false };
        let after = tick(&params, SQUARE, &[boid(0, [-8.0, 109.0], [-3.0, 2.0]), boid(1, [50.0, 109.0], [3.0, 0.5])]);
        assert_flies(&after[0], [-10.0, 110.0], [0.0, 0.0]);
        assert_flies(&after[1], [53.0, 109.5], [3.0, 0.5]);
    }
}

#[test]
fn a_shrinking_world_brings_everyone_in() {
    let mut params = calm();
    params.edge = EdgeParams { mode: Edge::Turn, margin: 10.0, strength: 0.0, restitution: 1.0, random: false };
    let setup =
        Setup { params, world: SQUARE, start: Start::Scatter, boids: 1, predators: 0, seed: 9, zones: Vec::new() };
    let rows =
        [boid(0, [95.0, 50.0], [3.0, 1.0]), boid(1, [95.0, 50.0], [-3.0, 1.0]), boid(2, [55.0, 9.0], [3.0, 1.0])];
    let mut flock = Flock::from_rows(&setup, 0, &rows).unwrap();
    flock.apply(&Command::Resize(World::Rect([50.0, 100.0]))).unwrap();
    assert_flies(&flock.rows()[0], [60.0, 50.0], [0.0, 1.0]);
    assert_flies(&flock.rows()[1], [60.0, 50.0], [-3.0, 1.0]);
    assert_flies(&flock.rows()[2], [55.0, 9.0], [3.0, 1.0]);
}

#[test]
fn limits() {
    let fly = |params: &Params, velocity| tick(params, SQUARE, &[boid(0, [50.0, 50.0], velocity)])[0];
    let mut params = calm();
    params.wind = Wind { x: 3.0, y: 4.0, z: 5.0 };
    assert_flies(&fly(&params, [1.0, 0.0]), [54.0, 54.0], [4.0, 4.0]);
    params.limits.max_force = 2.5;
    assert_flies(&fly(&params, [1.0, 0.0]), [52.5, 52.0], [2.5, 2.0]);

    // A right angle, cut to 30°; the speed stays.
    let mut params = calm();
    params.wind = Wind { x: -1.0, y: 2.0, z: 0.0 };
    params.limits.max_turn = 30.0;
    assert_flies(&fly(&params, [1.0, 0.0]), [51.732_05, 51.0], [1.732_05, 1.0]);

    let mut params = calm();
    params.speed = Speed { min: 1.0, max: 5.0 };
    assert_flies(&fly(&params, [0.3, 0.4]), [50.6, 50.8], [0.6, 0.8]);
    assert_flies(&fly(&params, [6.0, -8.0]), [53.0, 46.0], [3.0, -4.0]);
    // Neither a minimum speed nor noise gives a heading to a boid at rest.
    params.noise.angle = 360.0;
    params.limits.max_turn = 10.0;
    assert_eq!(fly(&params, [0.0, 0.0]), boid(0, [50.0, 50.0], [0.0, 0.0]));
}

#[test]
fn a_replaced_heading_is_exempt_from_the_force_limit() {
    let mut params = calm();
    params.limits.max_force = 0.01;
    params.alignment = Alignment { radius: 10.0, weight: 1.0, response: AlignmentResponse::Replace };
    // v + Σv = (3, 4): the heading (0.6, 0.8) at the boid's speed of 1.
    let after = tick(&params, SQUARE, &[boid(0, [40.0, 40.0], [1.0, 0.0]), boid(1, [43.0, 40.0], [2.0, 4.0])]);
    assert_flies(&after[0], [40.6, 40.8], [0.6, 0.8]);
}
