//! Contract: field of view, topological neighbors, species and leaders affect motion as documented.

use std::num::NonZeroUsize;

use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{
    AlignmentResponse, Cohesion, Edge, Falloff, Flock, Kind, Params, Response, Row, Scratch, Setup, Simd, Speed, Start,
    World, check_params,
};

const FIELD: World = World::Rect([400.0, 300.0]);

/// All rules off.
fn calm() -> Params {
    let mut params = Params::default();
    (params.separation.weight, params.alignment.weight, params.cohesion.weight) = (0.0, 0.0, 0.0);
    (params.flee.weight, params.hunt.weight) = (0.0, 0.0);
    params.edge.mode = Edge::Open;
    params.speed = Speed { min: 0.0, max: 1000.0 };
    params
}

fn setup(params: Params, world: World, boids: usize) -> Setup {
    Setup { params, world, start: Start::Scatter, boids, predators: 0, seed: 5, zones: Vec::new() }
}

fn boid(id: u32, position: [f32; 3], velocity: [f32; 3]) -> Row {
    Row { id, kind: Kind::Prey, position, velocity, mood: 0.0, bank: 0.0 }
}

fn fly(mut flock: Flock, ticks: usize) -> Flock {
    let mut scratch = Scratch::new();
    (0..ticks).for_each(|_| flock.step(&mut scratch));
    flock
}

/// The rows after one tick.
fn tick(params: Params, world: World, rows: &[Row]) -> Vec<Row> {
    fly(Flock::from_rows(&setup(params, world, 1), 0, rows).unwrap(), 1).rows()
}

fn length(vector: [f32; 3]) -> f32 {
    vector.iter().map(|axis| axis * axis).sum::<f32>().sqrt()
}

fn between(from: [f32; 3], to: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| to[axis] - from[axis])
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

// --- field of view

#[test]
fn a_boid_reacts_only_to_boids_in_its_field_of_view() {
    for world in [FIELD, World::Cuboid([400.0, 300.0, 200.0])] {
        for (angle, reacts) in [(360.0, true), (300.0, false), (120.0, false)] {
            let mut params = calm();
            (params.separation.weight, params.separation.falloff) = (0.1, Falloff::Flat);
            params.perception.angle = angle;
            let rows = [boid(0, [100.0, 100.0, 0.0], [2.0, 0.0, 0.0]), boid(1, [95.0, 100.0, 0.0], [2.0, 0.0, 0.0])];
            let after = tick(params, world, &rows);
            assert_eq!(after[0].velocity[0] > 2.0, reacts, "{angle}°");
            assert!(after[1].velocity[0] < 2.0, "the one behind sees the one ahead");
        }
    }
}

#[test]
fn boids_flee_only_predators_in_view() {
    for (angle, flees) in [(360.0, true), (200.0, false)] {
        let mut params = calm();
        (params.flee.weight, params.perception.angle) = (0.5, angle);
        let hunter = Row { kind: Kind::Predator, ..boid(1, [90.0, 100.0, 0.0], [2.0, 0.0, 0.0]) };
        let after = tick(params, FIELD, &[boid(0, [100.0, 100.0, 0.0], [2.0, 0.0, 0.0]), hunter]);
        assert_eq!(after[0].velocity[0] > 2.0, flees, "{angle}°");
    }
}

#[test]
fn resting_and_coincident_boids_see_everything() {
    let mut params = calm();
    params.separation.weight = 0.1;
    params.perception.angle = 10.0;
    let rest = [0.0; 3];
    let after = tick(params, FIELD, &[boid(0, [100.0, 100.0, 0.0], rest), boid(1, [95.0, 100.0, 0.0], rest)]);
    assert!(after[0].velocity[0] > 0.0 && after[1].velocity[0] < 0.0);
    let together = [boid(0, [100.0, 100.0, 0.0], [1.0, 0.0, 0.0]), boid(1, [100.0, 100.0, 0.0], [1.0, 0.0, 0.0])];
    let after = tick(params, FIELD, &together);
    assert_ne!(after[0].velocity, together[0].velocity);
    assert_ne!(after[0].velocity, after[1].velocity);
}

// --- topological

/// Boid 0 sums the velocities of the neighbors it considers; each has a distinct power of two.
fn considered(params: Params, others: &[[f32; 2]]) -> Vec<usize> {
    let mut rows = vec![boid(0, [100.0, 100.0, 0.0], [0.0; 3])];
    for (id, &[x, y]) in (1..).zip(others) {
        rows.push(boid(id, [100.0 + x, 100.0 + y, 0.0], [2_f32.powi(id.cast_signed() - 1), 0.0, 0.0]));
    }
    let speed = tick(params, FIELD, &rows)[0].velocity[0] as u32;
    (0..others.len()).filter(|other| speed & (1 << other) != 0).collect()
}

#[test]
fn the_nearest_are_considered_and_ties_go_to_the_lowest_id() {
    let mut params = calm();
    (params.alignment.response, params.alignment.weight, params.alignment.radius) = (AlignmentResponse::Sum, 1.0, 50.0);
    let places = [[9.0, 0.0], [-3.0, 0.0], [0.0, 30.0], [0.0, -7.0], [20.0, 1.0], [45.0, 0.0], [60.0, 0.0], [0.0, 5.0]];
    for (nearest, expected) in [
        (1.0, vec![1]),
        (2.0, vec![1, 7]),
        (3.0, vec![1, 3, 7]),
        (5.0, vec![0, 1, 3, 4, 7]),
        (7.0, vec![0, 1, 2, 3, 4, 5, 7]),
        (20.0, vec![0, 1, 2, 3, 4, 5, 7]),
    ] {
        params.perception.nearest = nearest;
        assert_eq!(considered(params, &places), expected, "{nearest} nearest");
    }
    params.perception.nearest = 3.0;
    assert_eq!(considered(params, &[[5.0, 0.0], [0.0, 5.0], [-5.0, 0.0], [0.0, -5.0], [3.0, 4.0]]), [0, 1, 2]);
    assert_eq!(considered(params, &[[5.0, 0.0], [0.0, 5.0], [-2.0, 0.0], [0.0, -5.0], [3.0, 4.0]]), [0, 1, 2]);
    params.perception.nearest = 9.0;
    let ring: Vec<[f32; 2]> = (0..12).map(|k| if k % 2 == 0 { [4.0, 3.0] } else { [-3.0, 4.0] }).collect();
    assert_eq!(considered(params, &ring), (0..9).collect::<Vec<_>>());
}

#[test]
fn radii_apply_before_the_cap() {
    let mut params = calm();
    (params.alignment.response, params.alignment.weight, params.alignment.radius) = (AlignmentResponse::Sum, 1.0, 6.0);
    (params.cohesion.radius, params.perception.nearest) = (50.0, 3.0);
    assert_eq!(considered(params, &[[5.0, 0.0], [8.0, 0.0], [9.0, 0.0], [40.0, 0.0]]), [0]);
    params.alignment.radius = 50.0;
    params.limits.max_neighbors = 2.0;
    let chosen = considered(params, &[[5.0, 0.0], [8.0, 0.0], [9.0, 0.0], [40.0, 0.0]]);
    assert!(chosen.len() == 2 && !chosen.contains(&3), "{chosen:?}");
}

#[test]
fn a_limit_above_the_neighbor_count_changes_nothing() {
    for world in [FIELD, World::Cuboid([120.0, 100.0, 80.0])] {
        let plain = setup(Params::default(), world, 400);
        let hash = |edit: fn(&mut Params)| {
            let mut setup = plain.clone();
            edit(&mut setup.params);
            fly(Flock::new(&setup).unwrap(), 60).hash()
        };
        let metric = hash(|_| ());
        assert_eq!(hash(|params| params.perception.nearest = 64.0), metric, "fewer than 64 are ever near");
        assert_eq!(hash(|params| (params.species.count, params.species.follow) = (4.0, 1.0)), metric);
        assert_ne!(hash(|params| params.perception.nearest = 3.0), metric);
        assert_ne!(hash(|params| params.species.count = 4.0), metric);
    }
}

// --- species

fn mixed(avoid: f32, follow: f32) -> Setup {
    let mut params = Preset::load("starlings").unwrap().params;
    (params.species.count, params.species.avoid, params.species.follow) = (3.0, avoid, follow);
    setup(params, World::Rect([360.0, 240.0]), 450)
}

/// Mean fraction of the boid's own species among all boids within 20 u.
fn species_fraction(flock: &Flock) -> f32 {
    let (rows, size) = (flock.rows(), flock.world().size());
    let mut shares = Vec::new();
    for me in &rows {
        let (mut kin, mut all) = (0.0, 0.0);
        for other in rows.iter().filter(|other| other.id != me.id) {
            let apart: f32 = (0..2)
                .map(|axis| {
                    let along = (other.position[axis] - me.position[axis]).abs();
                    along.min(size[axis] - along).powi(2)
                })
                .sum();
            if apart < 400.0 {
                all += 1.0;
                kin += f32::from(u8::from(other.id % 3 == me.id % 3));
            }
        }
        if all > 0.0 {
            shares.push(kin / all);
        }
    }
    shares.iter().sum::<f32>() / shares.len() as f32
}

#[test]
fn species_separate_unless_they_follow_each_other() {
    let after = |follow| species_fraction(&fly(Flock::new(&mixed(0.0, follow)).unwrap(), 1200));
    let before = species_fraction(&Flock::new(&mixed(0.0, 0.0)).unwrap());
    let (apart, following) = (after(0.0), after(1.0));
    assert!((0.25..0.42).contains(&before), "a mixed start: {before}");
    assert!(apart > 0.5, "species part: {apart}");
    assert!(following < 0.45, "as one flock they stay mixed: {following}");
}

#[test]
fn avoidance_falls_with_distance_and_spares_the_own_species() {
    let mut params = calm();
    (params.species.count, params.species.avoid, params.cohesion.radius) = (2.0, 0.5, 25.0);
    for (other, distance, push) in [(1, 5.0, 0.4), (1, 20.0, 0.1), (1, 26.0, 0.0), (2, 5.0, 0.0)] {
        let rows = [boid(0, [100.0, 100.0, 0.0], [0.0; 3]), boid(other, [100.0 + distance, 100.0, 0.0], [0.0; 3])];
        let after = tick(params, FIELD, &rows);
        let pushed = [0, 1].map(|boid| after[boid].velocity[0]);
        assert!((pushed[0] + push).abs() < 1e-5 && (pushed[1] - push).abs() < 1e-5, "{pushed:?} at {distance} u");
    }
}

#[test]
fn a_start_in_flocks_separates_species() {
    let mut setup = mixed(0.0, 0.0);
    setup.start = Start::Flocks;
    setup.params.edge.mode = Edge::Turn;
    // Some flocks may overlap by chance.
    let shares: Vec<f32> =
        (1..=5).map(|seed| species_fraction(&Flock::new(&Setup { seed, ..setup.clone() }).unwrap())).collect();
    assert!(shares.iter().sum::<f32>() / 5.0 > 0.6, "{shares:?}");
}

#[test]
fn a_flock_starts_connected_across_the_border() {
    for (seed, world) in (1..=12).flat_map(|seed| ["300x200", "300x200x150", "round:90"].map(|world| (seed, world))) {
        let mut setup = setup(calm(), world.parse().unwrap(), 210);
        (setup.start, setup.seed) = (Start::Flocks, seed);
        setup.params.edge.mode = if world.starts_with("round") { Edge::Sphere } else { Edge::Turn };
        let rows = Flock::new(&setup).unwrap().rows();
        let size = setup.world.size();
        let across = 0.32 * size[..setup.world.dim()].iter().copied().fold(f32::INFINITY, f32::min) + 1e-3;
        for (flock, axis) in (0..7).flat_map(|flock| (0..3).map(move |axis| (flock, axis))) {
            let places = rows.iter().filter(|row| row.id % 7 == flock).map(|row| row.position[axis]);
            let (least, most) = places.fold((f32::MAX, f32::MIN), |(least, most), at| (least.min(at), most.max(at)));
            assert!(most - least <= across, "{world}, seed {seed}, flock {flock}: {least} to {most}");
        }
    }
}

#[test]
fn avoidance_requires_a_finite_radius() {
    let mut params = calm();
    (params.species.count, params.species.avoid) = (2.0, 1.0);
    params.cohesion = Cohesion { radius: f32::INFINITY, ..params.cohesion };
    let error = check_params(&params, &FIELD).unwrap_err().to_string();
    assert!(error.contains("species.avoid") && error.contains("cohesion.radius"), "{error}");
}

// --- leaders

/// A leader flying right, and a crowd around it.
fn flock_with_leader(world: World, angle: f32) -> Flock {
    let mut params = calm();
    params.speed = Speed { min: 1.0, max: 3.0 };
    (params.separation.radius, params.separation.weight, params.separation.falloff) = (8.0, 0.3, Falloff::Inverse);
    (params.leaders.count, params.leaders.wander, params.leaders.angle) = (1.0, 0.0, angle);
    (params.leaders.radius, params.leaders.weight) = (400.0, 0.15);
    let mut flock = Flock::new(&setup(params, world, 41)).unwrap();
    let mut rows = flock.rows();
    rows[0].position = world.center();
    rows[0].velocity = [2.0, 0.0, 0.0];
    flock = Flock::from_rows(&setup(params, world, 1), 0, &rows).unwrap();
    fly(flock, 500)
}

/// Positions of followers in the leader's frame: along its heading and to its side.
fn leader_frame(flock: &Flock) -> Vec<(f32, f32)> {
    let rows = flock.rows();
    let heading = rows[0].velocity.map(|axis| axis / length(rows[0].velocity));
    let aside = if flock.world().dim() == 2 { [-heading[1], heading[0], 0.0] } else { [-heading[2], 0.0, heading[0]] };
    let from = rows[1..].iter().map(|row| between(rows[0].position, row.position));
    from.map(|from| (dot(from, heading), dot(from, aside))).collect()
}

#[test]
fn followers_fly_behind_their_leader() {
    for world in [FIELD, World::Cuboid([400.0, 300.0, 200.0])] {
        let flock = flock_with_leader(world, 0.0);
        let places = leader_frame(&flock);
        let behind = places.iter().filter(|(along, _)| *along < -2.0).count();
        assert!(behind >= 38, "{behind} of 40 are behind: {places:?}");
        let rows = flock.rows();
        let apart = rows[1..].iter().map(|row| length(between(rows[0].velocity, row.velocity))).sum::<f32>() / 40.0;
        assert!(apart < 0.5, "at its pace: {apart} u/tick apart");
    }
}

#[test]
fn an_angle_makes_two_arms() {
    for world in [FIELD, World::Cuboid([400.0, 300.0, 200.0])] {
        let places = leader_frame(&flock_with_leader(world, 35.0));
        let slope = 35_f32.to_radians().tan();
        let near_an_arm = |&&(along, side): &&(f32, f32)| (side.abs() - slope * (-along - 10.0)).abs() < 9.0;
        let on_arms = places.iter().filter(near_an_arm).count();
        let left = places.iter().filter(|(_, side)| *side < -3.0).count();
        let right = places.iter().filter(|(_, side)| *side > 3.0).count();
        assert!(on_arms >= 32, "{on_arms} of 40 fly on an arm: {places:?}");
        assert!(left >= 10 && right >= 10, "{left} to the left, {right} to the right");
    }
}

#[test]
fn boids_clear_the_path_of_a_leader() {
    let mut params = calm();
    (params.leaders.count, params.leaders.wander) = (1.0, 0.0);
    let rows = [boid(0, [100.0, 100.0, 0.0], [2.0, 0.0, 0.0]), boid(1, [110.0, 101.0, 0.0], [2.0, 0.0, 0.0])];
    let after = tick(params, FIELD, &rows);
    assert!(after[1].velocity[1] > 0.0, "to its own side: {:?}", after[1]);
    assert_eq!(after[0].velocity, rows[0].velocity, "and a leader follows no other boid");
}

#[test]
fn leaders_wander_smoothly_at_half_speed() {
    for world in [FIELD, World::Cuboid([400.0, 300.0, 200.0])] {
        let mut params = Params::default();
        (params.leaders.count, params.leaders.wander, params.separation.weight) = (3.0, 0.05, 0.0);
        let mut flock = Flock::new(&setup(params, world, 200)).unwrap();
        let mut alone = Flock::new(&setup(params, world, 3)).unwrap();
        let (mut scratch, mut turned) = (Scratch::new(), 0.0);
        for _ in 0..600 {
            let before = flock.rows()[0].velocity;
            flock.step(&mut scratch);
            alone.step(&mut scratch);
            let after = flock.rows()[0].velocity;
            let angle = (dot(before, after) / length(before) / length(after)).clamp(-1.0, 1.0).acos();
            assert!(angle < 0.06, "smoothly: {angle}");
            turned += angle;
        }
        assert!(turned > 1.0, "they wander: {turned}");
        assert!(flock.rows()[..3] == alone.rows()[..3], "with alignment and cohesion they have nothing to do");
        assert!((1.9..3.1).contains(&length(flock.rows()[1].velocity)));
    }
}

// --- everything together

#[test]
fn everything_together_is_deterministic() {
    for (world, edge) in [("360x240", Edge::Wrap), ("90x70x50", Edge::Wrap), ("360x240", Edge::Turn)] {
        let mut params = Params::default();
        params.edge.mode = edge;
        (params.perception.angle, params.perception.nearest) = (280.0, 7.0);
        (params.species.count, params.species.avoid, params.species.follow) = (3.0, 0.2, 0.3);
        (params.leaders.count, params.leaders.angle) = (6.0, 30.0);
        (params.cohesion.response, params.noise.angle) = (Response::Mean, 4.0);
        let mut setup = setup(params, world.parse().unwrap(), 5000);
        setup.predators = 4;
        let hash = |simd, threads| {
            in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
                scratch.set_simd(simd);
                let mut flock = Flock::new(&setup).unwrap();
                (0..4).for_each(|_| flock.step(scratch));
                flock.hash()
            })
        };
        let one = hash(Simd::Scalar, 1);
        for simd in Simd::available() {
            for threads in [1, 2, 3] {
                assert_eq!(hash(simd, threads), one, "{} on {threads} threads in {world}", simd.name());
            }
        }
    }
}
