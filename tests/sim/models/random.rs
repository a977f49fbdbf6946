//! Random draws: bounces, noise, the neighbor cap.

use super::compare::{agrees, random_rows, sight};
use super::model::{Bird, Model, Prediction, Seen};
use super::rules::{DEEP, FLAT, ROUND, case, lively};
use super::vector::Vector;
use super::worked_examples::{boid, calm, tick};
use flockscope::sim::{Cohesion, Edge, EdgeParams, Flock, Params, PredatorMode, Response, Row, Scratch, Speed, World};
use std::collections::BTreeMap;

#[test]
fn a_random_bounce_leaves_any_share_of_the_speed_drawn_for_each_event() {
    let mut params = calm();
    params.edge = EdgeParams { mode: Edge::Reflect, margin: 10.0, strength: 0.0, restitution: 0.5, random: true };
    let rows: Vec<Row> = (0..200).map(|id| boid(id, [95.0, 95.0], [3.0, 3.0])).collect();
    let shares: Vec<[f32; 2]> = tick(&params, World::Rect([100.0, 100.0]), &rows)
        .iter()
        .map(|row| [0, 1].map(|axis| -row.velocity[axis] / 3.0))
        .collect();
    assert!(shares.as_flattened().iter().all(|share| (0.0..1.0).contains(share)), "{shares:?}");
    for tenth in 0..10_u8 {
        let count = shares.as_flattened().iter().filter(|share| (**share * 10.0) as u8 == tenth).count();
        assert!((15..80).contains(&count), "{count} of 400 shares in tenth {tenth}");
    }
    assert!(shares.iter().all(|[x, y]| x != y), "the two axes of a corner are two events");
}

/// The angles by which noise has turned each heading, from the noise-free one, and the turns' axes.
fn noise_turns(world: World, angle: f32, at_tick: u64) -> Vec<(f64, Vector)> {
    let mut params = lively();
    params.edge.mode = Edge::Open;
    params.speed = Speed { min: 0.0, max: 1000.0 };
    let mut case = case("noise", world, params);
    (case.setup.boids, case.setup.predators) = (400, 0);
    let rows = random_rows(&case.setup, 2);
    let birds = Model::new(&params, world, &rows);
    case.setup.params.noise.angle = angle;
    let mut flock = Flock::from_rows(&case.setup, at_tick, &rows).unwrap();
    flock.step(&mut Scratch::new());
    let after: BTreeMap<u32, Row> = flock.rows().into_iter().map(|row| (row.id, row)).collect();
    let mut turns = Vec::new();
    for me in &birds.birds {
        let (calm, got) = (birds.predict(me, None), Bird::from(&after[&me.id]).velocity);
        if calm.doubtful || calm.velocity.length() < 0.01 {
            continue;
        }
        let speed = calm.velocity.length();
        assert!(
            (got.length() - speed).abs() < 1e-3 * speed,
            "noise changes no speed: {got:?} after {:?}",
            calm.velocity
        );
        let cross = calm.velocity.cross(got);
        let turned = calm.velocity.angle_to(got);
        turns.push((
            turned * if world.dim() == 2 { cross.0[2].signum() } else { 1.0 },
            cross.direction().unwrap_or_default(),
        ));
    }
    assert!(turns.len() > 350, "{} of 400 could be compared", turns.len());
    turns
}

#[test]
fn noise_turns_headings_by_a_uniform_angle_up_to_half_of_it() {
    for world in [FLAT, DEEP] {
        for angle in [10.0, 120.0, 360.0] {
            let (turns, most) = (noise_turns(world, angle, 5), f64::from(angle).to_radians() / 2.0);
            let count = turns.len() as f64;
            assert!(turns.iter().all(|(turn, _)| turn.abs() <= most + 1e-3), "within half of {angle}° in {world}");
            for part in 0..4 {
                let in_part = turns.iter().filter(|(turn, _)| (turn.abs() / most * 4.0) as i32 == part).count() as f64;
                assert!((0.17..0.33).contains(&(in_part / count)), "part {part} of {angle}° in {world}: {in_part}");
            }
            let mean_axis = turns.iter().map(|(_, axis)| axis).sum::<Vector>() * (1.0 / count);
            assert!(mean_axis.length() < 0.2, "to either side, about any axis: {mean_axis:?}");
        }
    }
}

#[test]
fn random_accelerations_are_uniform_on_each_axis_with_their_standard_deviation() {
    for world in [FLAT, DEEP] {
        let mut params = calm();
        params.noise.force = 0.2;
        let rows: Vec<Row> = (0..4000).map(|id| boid(id, [id as f32 * 0.01, 50.0], [0.0, 2.0])).collect();
        let axes = if matches!(world, World::Cuboid(_)) { 3 } else { 2 };
        for axis in 0..axes {
            let before = [0.0, 2.0, 0.0][axis];
            let moved = tick(&params, world, &rows);
            let kicks: Vec<f64> = moved.iter().map(|row| f64::from(row.velocity[axis]) - before).collect();
            let count = kicks.len() as f64;
            let mean = kicks.iter().sum::<f64>() / count;
            let deviation = (kicks.iter().map(|kick| kick * kick).sum::<f64>() / count).sqrt();
            // The standard errors of a uniform distribution's mean and deviation are 0.0032 and 0.0014.
            assert!(mean.abs() < 0.016 && (deviation - 0.2).abs() < 0.007, "{world} {axis}: {mean} ± {deviation}");
            assert!(kicks.iter().all(|kick| kick.abs() < 0.2 * 3.0f64.sqrt() + 1e-5), "{world} {axis}");
        }
    }
}

#[test]
fn noise_changes_each_tick_and_is_reproducible() {
    let (first, again, later) = (noise_turns(FLAT, 90.0, 5), noise_turns(FLAT, 90.0, 5), noise_turns(FLAT, 90.0, 6));
    assert_eq!(first, again);
    let same = first.iter().zip(&later).filter(|(a, b)| (a.0 - b.0).abs() < 1e-3).count();
    assert!(same < 20, "{same} of {} angles repeat in the next tick", first.len());
}

#[test]
fn the_turn_limit_binds_noise_too() {
    for world in [FLAT, DEEP] {
        let mut params = calm();
        params.noise.angle = 360.0;
        params.limits.max_turn = 25.0;
        let rows: Vec<Row> = (0..200).map(|id| boid(id, [id as f32, 50.0], [0.0, 2.0])).collect();
        let angles: Vec<f64> = tick(&params, world, &rows)
            .iter()
            .map(|row| Bird::from(row).velocity.angle_to(Vector([0.0, 1.0, 0.0])).to_degrees())
            .collect();
        assert!(angles.iter().all(|angle| *angle <= 25.01), "{angles:?}");
        assert!(angles.iter().filter(|angle| **angle > 24.9).count() > 100, "{angles:?}");
    }
}

/// The ids of everyone inside the largest finite radius, in order.
fn candidates(model: &Model<'_>, me: &Bird) -> Vec<u32> {
    let mut seen = Seen::default();
    let mut ids: Vec<u32> = (model.birds.iter())
        .filter(|other| other.id != me.id && !model.hunts(other))
        .filter(|other| model.offset(me.at, other.at, &mut seen).length() < f64::from(sight(model.params)))
        .map(|other| other.id)
        .collect();
    ids.sort_unstable();
    ids
}

/// Starts in the cyclic order of neighbors from which `cap` neighbors explain this next state.
fn possible_starts(model: &Model<'_>, me: &Bird, cap: usize, row: &Row) -> Vec<usize> {
    let ids = candidates(model, me);
    let fits = |next: &Prediction| next.doubtful || agrees(model, me, next, row).is_ok();
    let windows = (0..ids.len()).map(|first| ids.iter().cycle().skip(first).take(cap).copied().collect::<Vec<_>>());
    windows.enumerate().filter(|(_, window)| fits(&model.predict(me, Some(window)))).map(|(first, _)| first).collect()
}

/// Checks that each boid with more neighbors than the cap considers that many in a row. Returns the unambiguous starts.
fn compare_capped(params: &Params, world: World, at_tick: u64) -> Vec<usize> {
    let cap = params.limits.max_neighbors as usize;
    let setup = case("cap", world, *params).setup;
    let rows = random_rows(&setup, 4);
    let mut flock = Flock::from_rows(&setup, at_tick, &rows).unwrap();
    flock.step(&mut Scratch::new());
    let after: BTreeMap<u32, Row> = flock.rows().into_iter().map(|row| (row.id, row)).collect();
    let model = Model::new(params, world, &rows);
    let mut known = Vec::new();
    for me in &model.birds {
        let uncapped = model.predict(me, None);
        let is_as_uncapped = agrees(&model, me, &uncapped, &after[&me.id]).is_ok();
        let is_capped = !model.hunts(me) && candidates(&model, me).len() > cap;
        if uncapped.doubtful {
            continue;
        }
        assert!(
            is_capped || is_as_uncapped,
            "{me:?} has no more than {cap} neighbors, and does not consider all of them"
        );
        if is_capped {
            let firsts = possible_starts(&model, me, cap, &after[&me.id]);
            assert!(!firsts.is_empty(), "{me:?} does not consider {cap} neighbors in a row");
            known.extend(firsts.first().filter(|_| firsts.len() == 1 && !is_as_uncapped));
        }
    }
    assert!(known.len() >= 30, "only {} boids determine the cap {cap} in {world}", known.len());
    known
}

#[test]
fn a_capped_boid_considers_neighbors_in_cyclic_order_from_a_random_start() {
    for (world, edge) in [(FLAT, Edge::Wrap), (FLAT, Edge::Turn), (DEEP, Edge::Open), (ROUND, Edge::Sphere)] {
        for (predators, cap) in [(PredatorMode::Hunt, 1.0), (PredatorMode::Hunt, 6.0), (PredatorMode::Flock, 3.0)] {
            let mut params = lively();
            params.limits.max_neighbors = cap;
            (params.edge.mode, params.hunt.mode) = (edge, predators);
            (params.cohesion.response, params.cohesion.inner) = (Response::Sum, 10.0);
            let known = compare_capped(&params, world, 3);
            assert!((0..5).all(|first| known.contains(&first)), "any neighbor can be the first: {known:?}");
        }
    }
}

#[test]
fn the_cap_changes_each_tick_and_is_reproducible() {
    let mut params = lively();
    params.limits.max_neighbors = 4.0;
    let known = compare_capped(&params, FLAT, 3);
    assert_eq!(known, compare_capped(&params, FLAT, 3));
    assert_ne!(known, compare_capped(&params, FLAT, 4));
}

#[test]
fn the_cap_does_not_apply_to_infinite_radii() {
    for inner in [0.0, 25.0] {
        let mut params = lively();
        params.edge.mode = Edge::Turn;
        params.limits.max_neighbors = 3.0;
        params.separation.radius = 40.0;
        params.alignment.radius = f32::INFINITY;
        params.cohesion = Cohesion { radius: f32::INFINITY, inner, weight: 0.05, response: Response::Mean };
        compare_capped(&params, FLAT, 3);
    }
}
