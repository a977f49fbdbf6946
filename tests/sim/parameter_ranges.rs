//! Contract: with every parameter at its minimum and maximum, alone, all together and at random, in every shape of world and in
//! the smallest and largest worlds, every coordinate stays finite and inside the bounds of the edge, and so do the measures.

use std::collections::HashSet;

use crate::bounds::{Draw, check_bounds, steering_params};
use flockscope::config::Preset;
use flockscope::sim::{
    Analyzer, Domain, Edge, Error, Flock, HuntTarget, Kind, MAX_PREDATORS, MAX_RADIUS, MAX_SIDE, MAX_SPEED, MAX_TICK,
    MAX_WEIGHT, Measure, MeasureRange, ModelRow, Param, Params, Row, Scratch, Setup, Start, Value, World, Zone,
    ZoneKind, check_params, fit_zones,
};

/// Default numbers of boids and predators.
const BOIDS: usize = 40;
const PREDATORS: usize = 3;

fn worlds() -> [World; 3] {
    [World::Rect([300.0, 200.0]), World::Cuboid([120.0, 100.0, 80.0]), World::Sphere(60.0)]
}

/// Rules in which every parameter has an effect.
fn lively(world: &World) -> Params {
    let mut rules = Params::default();
    rules.edge.mode = if matches!(world, World::Sphere(_)) { Edge::Sphere } else { Edge::Turn };
    rules.edge.margin = 10.0;
    (rules.limits.max_force, rules.noise.angle) = (0.5, 10.0);
    (rules.hunt.target, rules.hunt.stamina, rules.hunt.rest) = (HuntTarget::Isolated, 40.0, 30.0);
    (rules.hunt.catch, rules.hunt.respawn, rules.alarm.spread) = (6.0, 30.0, 0.9);
    (rules.wind.x, rules.gusts.strength, rules.cruise.weight) = (0.01, 0.05, 0.1);
    (rules.leaders.count, rules.perception.angle, rules.perception.nearest) = (3.0, 280.0, 5.0);
    (rules.species.count, rules.species.avoid, rules.species.follow) = (3.0, 0.1, 0.3);
    (rules.roost.chance, rules.roost.rest, rules.food.regrowth) = (0.5, 40.0, 0.001);
    rules
}

/// A flock with these rules, and an obstacle, food and a roost as far as they fit.
fn setup(params: Params, world: World, boids: usize, predators: usize) -> Setup {
    let (origin, size) = (world.origin(), world.size());
    let room = size[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
    let zones = [(ZoneKind::Obstacle, 0.5), (ZoneKind::Food, 0.3), (ZoneKind::Roost, 0.7)]
        .map(|(kind, share)| Zone::new(kind, [0, 1, 2].map(|axis| origin[axis] + share * size[axis]), 0.05 * room));
    let zones = fit_zones(&zones, &params, &world);
    Setup { params, world, start: Start::Scatter, boids, predators, seed: 5, zones }
}

/// Runs it and checks the bounds at the start, at the end and regularly in between.
fn fly(what: &str, mut flock: Flock, ticks: u64) {
    let (boids, predators) = (flock.total_boids(), flock.predators());
    let (mut scratch, mut analyzer) = (Scratch::new(), Analyzer::new());
    let often = (ticks / 200).max(1);
    for tick in 0..=ticks {
        if tick % often == 0 {
            let well = check_bounds(&flock, boids, predators);
            well.unwrap_or_else(|why| panic!("{what}, after {tick} ticks: {why}"));
        }
        if tick % (often * 50) == 0 {
            let measures: Vec<_> = Measure::defaults().into_iter().filter(|measure| !measure.is_per_run()).collect();
            for (measure, value) in measures.iter().zip(analyzer.values(&flock, 20, &measures)) {
                let what = format!("{what}, after {tick} ticks: {} {value}", measure.name);
                if **measure == Measure::NEAREST_NEIGHBOR && flock.boids() < 2 {
                    assert!(value.is_nan(), "{what}");
                    continue;
                }
                assert!(value >= 0.0 && value.is_finite(), "{what}");
                assert!(measure.range != MeasureRange::Ratio || value <= 1.001, "{what}");
                assert!(measure.range != MeasureRange::Boids || value <= boids as f64, "{what}");
            }
        }
        flock.step(&mut scratch);
    }
}

// --- one by one

/// The extreme values of a parameter: every choice, both limits, and infinity if allowed.
fn extremes(row: &Param) -> Vec<Value> {
    match row.domain {
        Domain::Number { min: least, max: most, infinite, .. } => {
            let beyond = infinite.then_some(f32::INFINITY);
            [least, most].into_iter().chain(beyond).map(Value::Number).collect()
        }
        Domain::Choice(words) => words.iter().map(|word| Value::Choice(word)).collect(),
        Domain::Switch => vec![Value::Switch(false), Value::Switch(true)],
    }
}

/// The rules with this value and the changes it requires; none if this world rejects it.
fn with(rules: Params, world: &World, key: &str, value: Value) -> Option<Params> {
    let ways = [
        &[][..],
        &[("speed.min", Value::Number(0.0))],
        &[("speed.max", Value::Number(MAX_SPEED))],
        &[("species.avoid", Value::Number(0.0))],
    ];
    ways.into_iter().find_map(|way| {
        let mut rules = rules;
        for (key, value) in way {
            rules.set(key, *value).unwrap();
        }
        rules.set(key, value).unwrap();
        match check_params(&rules, world) {
            Ok(()) => Some(rules),
            Err(Error::Conflict(_)) => None,
            Err(error) => panic!("{key} = {value}: {error}"),
        }
    })
}

fn one_by_one(ticks: u64) {
    for row in steering_params() {
        for value in extremes(row) {
            let mut flown = 0;
            for world in worlds() {
                for mode in Edge::NAMES {
                    let Some(rules) = with(lively(&world), &world, "edge.mode", Value::Choice(mode)) else { continue };
                    let Some(rules) = with(rules, &world, row.key, value) else { continue };
                    let what = format!("{} = {value} in {world}, edge.mode = {}", row.key, rules.edge.mode.name());
                    fly(&what, Flock::new(&setup(rules, world, BOIDS, PREDATORS)).unwrap(), ticks);
                    flown += 1;
                }
            }
            assert!(flown > 0, "{} = {value} goes nowhere", row.key);
        }
    }
}

#[test]
fn each_parameter_at_its_limits_keeps_the_bounds() {
    one_by_one(40);
}

#[test]
fn each_parameter_of_a_published_model_at_its_limits_keeps_the_bounds() {
    for preset in Preset::builtin().into_iter().filter(|preset| !ModelRow::of(&preset.params).has_steering) {
        let setup = Setup { boids: 60, ..preset.setup(3, 1.0) };
        for row in Param::table().iter().filter(|row| row.key != "model" && ModelRow::of(&preset.params).uses(row)) {
            let what = |value| format!("{}, {} = {value}", preset.name, row.key);
            let rules = extremes(row)
                .into_iter()
                .filter_map(|value| Some((value, with(setup.params, &setup.world, row.key, value)?)));
            let flown =
                rules.map(|(value, params)| fly_flock(&what(value), &Setup { params, ..setup.clone() })).count();
            assert!(flown > 0, "{} goes nowhere", row.key);
        }
    }
}

/// Some ticks of a flock.
fn fly_flock(what: &str, setup: &Setup) {
    let (mut flock, mut scratch) = (Flock::new(setup).unwrap(), Scratch::new());
    for tick in 0..40 {
        check_bounds(&flock, setup.boids, setup.predators).unwrap_or_else(|why| panic!("{what}, tick {tick}: {why}"));
        flock.step(&mut scratch);
    }
}

#[test]
#[ignore = "takes minutes"]
fn each_parameter_at_its_limits_keeps_the_bounds_for_long() {
    one_by_one(10_000);
}

// --- all at once

/// All parameters at once, each with the picked value unless it conflicts with earlier ones.
fn all_at_once(world: &World, mut pick: impl FnMut(&Param) -> Value) -> Params {
    steering_params().fold(lively(world), |rules, row| with(rules, world, row.key, pick(row)).unwrap_or(rules))
}

fn together(ticks: u64, draws: u64) {
    for world in worlds() {
        let least = all_at_once(&world, |row| extremes(row)[0]);
        let most = all_at_once(&world, |row| extremes(row).pop().unwrap());
        // Maximum weights, and radii that reach some neighbors.
        let heavy = all_at_once(&world, |row| match row.domain {
            Domain::Number { max: most, .. } if most == MAX_WEIGHT => Value::Number(MAX_WEIGHT),
            _ => row.get(&lively(&world)),
        });
        for (what, rules) in [("least", least), ("most", most), ("heavy", heavy)] {
            fly(
                &format!("all at {what} in {world}"),
                Flock::new(&setup(rules, world, BOIDS, PREDATORS)).unwrap(),
                ticks,
            );
        }
        for number in 0..draws {
            let mut draw = Draw(number);
            let rules = all_at_once(&world, |row| {
                let values = extremes(row);
                match row.domain {
                    // Half of them at their defaults, so that the others have an effect.
                    _ if draw.next() < 0.5 => row.get(&lively(&world)),
                    Domain::Number { min: least, max: most, integer: whole, .. } if draw.next() < 0.5 => {
                        let number = least + (most - least) * draw.next().powi(8);
                        Value::Number(if whole { number.round() } else { number.clamp(least, most) })
                    }
                    _ => values[(draw.next() * values.len() as f32) as usize],
                }
            });
            fly(
                &format!("draw {number} in {world}: {rules:?}"),
                Flock::new(&setup(rules, world, BOIDS, PREDATORS)).unwrap(),
                ticks,
            );
        }
    }
}

#[test]
fn random_parameters_keep_the_bounds() {
    together(300, 60);
}

#[test]
#[ignore = "takes minutes"]
fn random_parameters_keep_the_bounds_for_long() {
    together(10_000, 60);
}

// --- corners

/// The smallest, largest and longest worlds.
fn far_worlds() -> [World; 8] {
    let most = MAX_SIDE;
    [
        World::Rect([1.0, 1.0]),
        World::Rect([most, most]),
        World::Rect([most, 1.0]),
        World::Cuboid([1.0; 3]),
        World::Cuboid([most; 3]),
        World::Cuboid([1.0, most, 1.0]),
        World::Sphere(1.0),
        World::Sphere(most),
    ]
}

/// Every edge mode that a world allows.
fn edges(rules: Params, world: &World) -> impl Iterator<Item = Params> {
    Edge::NAMES.iter().filter_map(move |mode| with(rules, world, "edge.mode", Value::Choice(mode)))
}

#[test]
fn extreme_worlds_lose_no_agent() {
    for world in far_worlds() {
        for rules in edges(lively(&world), &world) {
            for radius in [0.0, 1.0, MAX_RADIUS] {
                let mut rules = rules;
                (rules.separation.radius, rules.alignment.radius, rules.cohesion.radius) = (radius, radius, radius);
                (rules.hunt.radius, rules.flee.radius, rules.edge.margin) = (radius, radius, radius);
                let what = format!("radii of {radius} in {world}, edge.mode = {}", rules.edge.mode.name());
                for start in Start::NAMES {
                    let setup =
                        Setup { start: Start::from_name(start).unwrap(), ..setup(rules, world, BOIDS, PREDATORS) };
                    fly(&format!("{what}, {start}"), Flock::new(&setup).unwrap(), 40);
                }
            }
        }
    }
}

#[test]
fn any_numbers_of_boids_and_predators_work() {
    for world in worlds() {
        for rules in edges(lively(&world), &world) {
            for (boids, predators) in [(1, 0), (1, 1), (2, 0), (1, MAX_PREDATORS), (300, 0)] {
                let what =
                    format!("{boids} boids, {predators} predators in {world}, edge.mode = {}", rules.edge.mode.name());
                fly(&what, Flock::new(&setup(rules, world, boids, predators)).unwrap(), 60);
            }
        }
    }
}

#[test]
fn a_speed_limit_of_zero_works() {
    for world in worlds() {
        for rules in edges(lively(&world), &world) {
            let mut rules = rules;
            (rules.speed.min, rules.speed.max, rules.hunt.speed) = (0.0, 0.0, 0.0);
            let flock = Flock::new(&setup(rules, world, BOIDS, PREDATORS)).unwrap();
            fly(&format!("no boid flies in {world}, edge.mode = {}", rules.edge.mode.name()), flock, 60);
        }
    }
}

/// Boids and predators with the same position and velocity.
fn coincident_rows(boids: u32, place: [f32; 3], velocity: [f32; 3]) -> Vec<Row> {
    let kind = |id: u32| if id % 20 == 19 { Kind::Predator } else { Kind::Prey };
    (0..boids).map(|id| Row { id, kind: kind(id), position: place, velocity, mood: 0.0, bank: 0.0 }).collect()
}

#[test]
fn coincident_agents_stay_finite() {
    for world in worlds() {
        let (origin, size) = (world.origin(), world.size());
        let at = |share: f32| [0, 1, 2].map(|axis| origin[axis] + share * size[axis]);
        let middle = world.center();
        // A corner of the bounding box lies outside the sphere.
        let corners = if matches!(world, World::Sphere(_)) { vec![] } else { vec![at(0.0), at(1.0)] };
        for place in [vec![middle], corners].concat() {
            for speed in [0.0, 1e-30, 2.0, 1e9] {
                for rules in edges(lively(&world), &world) {
                    // A wrapping world excludes its upper border.
                    let rows = coincident_rows(200, place, [speed, 0.0, 0.0]);
                    let mut setup = setup(rules, world, BOIDS, PREDATORS);
                    setup.zones.clear();
                    let what = format!("all at {place:?}, {speed} fast, in {world}, {}", rules.edge.mode.name());
                    match Flock::from_rows(&setup, 0, &rows) {
                        Ok(flock) => fly(&what, flock, 60),
                        Err(error) => assert!(rules.edge.mode == Edge::Wrap && place != middle, "{what}: {error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn nearly_coincident_boids_separate() {
    for world in worlds() {
        for apart in [f32::MIN_POSITIVE, 1e-45, 1e-20, 1e-6] {
            for rules in edges(lively(&world), &world) {
                let mut rows = coincident_rows(60, [0.0; 3], [0.0; 3]);
                for (number, row) in rows.iter_mut().enumerate() {
                    row.position[number % 2] = number as f32 * apart;
                }
                let mut setup = setup(rules, world, BOIDS, PREDATORS);
                setup.zones.clear();
                let what = format!("{apart} u apart in {world}, {}", rules.edge.mode.name());
                let mut flock = Flock::from_rows(&setup, 0, &rows).unwrap();
                fly(&what, flock.clone(), 60);
                let mut scratch = Scratch::new();
                (0..60).for_each(|_| flock.step(&mut scratch));
                let places: HashSet<_> = flock.rows().iter().map(|row| row.position.map(f32::to_bits)).collect();
                assert_eq!(places.len(), 60, "{what}");
            }
        }
    }
}

#[test]
fn the_maximum_tick_is_a_valid_start_and_later_ones_are_rejected() {
    let world = worlds()[0];
    let setup = setup(lively(&world), world, BOIDS, PREDATORS);
    let rows = coincident_rows(10, [50.0, 50.0, 0.0], [1.0, 0.0, 0.0]);
    fly("the latest tick", Flock::from_rows(&setup, MAX_TICK, &rows).unwrap(), 50);
    for tick in [MAX_TICK + 1, u64::MAX] {
        assert!(matches!(Flock::from_rows(&setup, tick, &rows), Err(Error::State(_))));
    }
}
