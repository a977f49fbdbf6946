//! Contract: a preset morphs into another without a jump, deterministically, and ends exactly there.

use std::num::NonZeroUsize;

use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{Command, Edge, Flock, Params, Scratch, Setup, Simd, Value, Zone, ZoneKind};

fn setup(preset: &str) -> Setup {
    Preset::load(preset).unwrap().setup(7, 1.6)
}

/// A flock that has run for a while and morphs into another preset.
fn morphing(from: &str, into: &Setup, ticks: u32) -> Flock {
    let mut flock = Flock::new(&setup(from)).unwrap();
    let mut scratch = Scratch::new();
    (0..50).for_each(|_| flock.step(&mut scratch));
    flock.apply(&Command::Morph(Box::new(into.clone()), ticks)).unwrap();
    flock
}

/// Positions as fractions of the world's sides.
fn fractions(flock: &Flock) -> Vec<[f32; 2]> {
    let size = flock.world().size();
    flock.rows().iter().map(|row| [row.position[0] / size[0], row.position[1] / size[1]]).collect()
}

#[test]
fn nothing_jumps_and_the_end_is_exactly_the_preset() {
    let into = Setup { boids: 97, ..setup("starlings") };
    let mut flock = Flock::new(&setup("drones")).unwrap();
    let mut scratch = Scratch::new();
    (0..50).for_each(|_| flock.step(&mut scratch));
    let (before, tick) = (fractions(&flock), flock.tick());
    flock.apply(&Command::Morph(Box::new(into.clone()), 60)).unwrap();
    for (before, now) in before.iter().zip(fractions(&flock)) {
        assert!((before[0] - now[0]).abs() < 1e-5 && (before[1] - now[1]).abs() < 1e-5, "{before:?} {now:?}");
    }
    let mut last = fractions(&flock);
    for _ in 0..60 {
        assert_ne!((*flock.params(), flock.world()), (into.params, into.world));
        assert_eq!(flock.morph_target(), (&into.params, into.world));
        flock.step(&mut scratch);
        let now = fractions(&flock);
        let farthest = last.iter().zip(&now).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f32::max);
        assert!(farthest < 0.03, "{farthest} of the world in one tick");
        last = now;
    }
    assert_eq!((*flock.params(), flock.world()), (into.params, into.world));
    assert_eq!((flock.boids(), flock.predators(), flock.tick()), (97, into.predators, tick + 60));
}

#[test]
fn counts_change_at_once() {
    for (from, into) in [("drones", "starlings"), ("starlings", "coderholic"), ("parker", "sparrows")] {
        let into = setup(into);
        let mut flock = morphing(from, &into, 30);
        assert_eq!((flock.boids(), flock.predators()), (into.boids, into.predators));
        let mut scratch = Scratch::new();
        for tick in 0..100 {
            flock.step(&mut scratch);
            let here = Setup { params: *flock.params(), world: flock.world(), ..into.clone() };
            for row in flock.rows() {
                here.check_row(&row).unwrap_or_else(|error| panic!("{from} at {tick}: {row:?}: {error}"));
            }
        }
    }
}

#[test]
fn a_sphere_morphs_into_another_sphere() {
    let mut into = setup("sphere");
    into.world = "round:250".parse().unwrap();
    into.params.cohesion.weight = 0.5;
    let mut flock = morphing("sphere", &into, 20);
    (0..20).for_each(|_| flock.step(&mut Scratch::new()));
    assert_eq!((flock.params().cohesion.weight, flock.world()), (0.5, into.world));
}

#[test]
fn a_morph_is_deterministic() {
    let mut into = Setup { boids: 6000, ..setup("starlings") };
    into.params.noise.angle = 30.0;
    let fly = |threads: usize, simd: Simd| {
        in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
            scratch.set_simd(simd);
            let mut flock = morphing("drones", &into, 25);
            let hashes = (0..30).map(|_| {
                flock.step(scratch);
                flock.hash()
            });
            hashes.collect::<Vec<_>>()
        })
    };
    let first = fly(1, Simd::Scalar);
    assert_eq!(first, fly(1, Simd::fastest()));
    assert_eq!(first, fly(3, Simd::fastest()));
}

#[test]
fn parameters_set_during_a_morph_win_and_a_restart_completes_it() {
    let into = setup("coderholic");
    let mut flock = morphing("drones", &into, 30);
    flock.step(&mut Scratch::new());
    let weight = |flock: &Flock| flock.params().cohesion.weight;
    assert!(weight(&flock) > 0.0003 && weight(&flock) < into.params.cohesion.weight);
    flock.apply(&Command::set("cohesion.weight", Value::Number(0.5)).unwrap()).unwrap();
    assert_eq!(weight(&flock), 0.5);
    let refused = flock.apply(&Command::set("speed.min", Value::Number(999.0)).unwrap());
    assert!(refused.is_err());
    flock.apply(&Command::Restart).unwrap();
    let expected =
        Params { cohesion: flockscope::sim::Cohesion { weight: 0.5, ..into.params.cohesion }, ..into.params };
    assert_eq!((*flock.params(), flock.world(), flock.tick()), (expected, into.world, 0));
}

#[test]
fn zones_added_during_a_morph_survive_a_restart() {
    let into = setup("sparrows");
    let mut flock = morphing("drones", &into, 30);
    flock.step(&mut Scratch::new());
    let (way, end) = (flock.world().size(), into.world.size());
    let corner = [way[0] - 20.0, way[1] - 20.0, 0.0];
    assert!(corner[1] > end[1], "{way:?} is higher than {end:?}");
    flock.apply(&Command::AddZone(Zone::new(ZoneKind::Food, corner, 15.0))).unwrap();
    flock.apply(&Command::Restart).unwrap();
    let last = flock.zones().last().unwrap();
    last.check(&into.world).unwrap();
    assert_eq!(flock.world(), into.world);
}

#[test]
fn zero_ticks_switch_at_once_and_another_world_shape_is_rejected() {
    let into = setup("coderholic");
    let flock = morphing("drones", &into, 0);
    assert_eq!((*flock.params(), flock.world(), flock.boids()), (into.params, into.world, into.boids));
    let mut flock = Flock::new(&setup("drones")).unwrap();
    let (before, refused) = (flock.hash(), flock.apply(&Command::Morph(Box::new(setup("sphere")), 9)));
    assert!(refused.unwrap_err().to_string().contains("different shapes"));
    let mut wrong = setup("drones");
    wrong.params.edge.mode = Edge::Sphere;
    assert!(flock.apply(&Command::Morph(Box::new(wrong), 9)).is_err());
    assert_eq!((flock.hash(), flock.params()), (before, &setup("drones").params));
}

#[test]
fn a_resize_during_a_morph_keeps_its_size() {
    let mut flock = morphing("drones", &setup("starlings"), 30);
    let world = "700x300".parse().unwrap();
    flock.apply(&Command::Resize(world)).unwrap();
    (0..30).for_each(|_| flock.step(&mut Scratch::new()));
    assert_eq!((flock.world(), flock.params()), (world, &setup("starlings").params));
}

/// A boid moved to the rim of an obstacle must be inside the world of that tick.
#[test]
fn zones_of_the_target_fit_from_the_start() {
    let mut into = Setup { world: "1600x100".parse().unwrap(), ..setup("drones") };
    into.params.edge.mode = Edge::Wrap;
    into.zones = vec!["obstacle:1500,50:30".parse().unwrap(), "obstacle:800,50:30".parse().unwrap()];
    let mut from = Setup { world: "400x400".parse().unwrap(), ..into.clone() };
    from.zones.clear();
    let mut flock = Flock::new(&from).unwrap();
    let mut scratch = Scratch::new();
    flock.apply(&Command::Morph(Box::new(into.clone()), 30)).unwrap();
    for tick in 0..40 {
        assert_eq!((flock.world(), flock.zones()), (into.world, &into.zones[..]));
        let here = Setup { params: *flock.params(), ..into.clone() };
        for row in flock.rows() {
            here.check_row(&row).unwrap_or_else(|error| panic!("at {tick}: {row:?}: {error}"));
        }
        flock.step(&mut scratch);
    }
}

#[test]
fn zones_added_to_a_narrowing_world_stay_inside() {
    let (mut from, mut into) = (setup("drones"), setup("drones"));
    (from.world, into.world) = ("1600x100".parse().unwrap(), "400x400".parse().unwrap());
    let mut flock = Flock::new(&from).unwrap();
    flock.apply(&Command::Morph(Box::new(into.clone()), 30)).unwrap();
    flock.apply(&Command::AddZone("obstacle:1500,50:20".parse().unwrap())).unwrap();
    let mut scratch = Scratch::new();
    for tick in 0..40 {
        flock.step(&mut scratch);
        assert_eq!(flock.zones().len(), 1);
        flock.zones()[0].check(&flock.world()).unwrap_or_else(|error| panic!("at {tick}: {error}"));
    }
}

#[test]
fn added_zones_keep_the_clearance_of_the_target_rules() {
    let mut into = setup("drones");
    into.params.obstacle.clearance = 30.0;
    let mut flock = morphing("drones", &into, 30);
    flock.apply(&Command::AddZone("obstacle:100,100:10".parse().unwrap())).unwrap();
    let near = flock.apply(&Command::AddZone("obstacle:150,100:10".parse().unwrap())).unwrap_err();
    assert!(near.to_string().contains("at least 60 u"), "{near}");
}

#[test]
fn a_narrower_margin_moves_agents_inside_at_once() {
    let mut from = setup("drones");
    (from.params.edge.margin, from.params.edge.strength, from.params.speed.min) = (200.0, 0.0, 3.0);
    let mut flock = Flock::new(&from).unwrap();
    let mut scratch = Scratch::new();
    (0..400).for_each(|_| flock.step(&mut scratch));
    let mut into = from.clone();
    into.params.edge.margin = 1.0;
    assert!(flock.rows().iter().any(|row| into.check_row(row).is_err()), "a boid is far out");
    flock.apply(&Command::Morph(Box::new(into.clone()), 0)).unwrap();
    flock.rows().iter().for_each(|row| into.check_row(row).unwrap());
}
