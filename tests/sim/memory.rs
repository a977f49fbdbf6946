//! Contract: after warm-up a tick allocates nothing, and a million boids of a flat world fit in 64 bytes each.

use std::alloc::System;
use std::num::NonZeroUsize;
use std::process::Command as Process;

use flockscope::commands::bench::BenchScene;
use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{Command, Flock, Scratch, Setup, Value, Zone, ZoneKind};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The allocator counts for all threads, so these tests run one at a time in a separate process.
#[test]
fn memory() {
    let alone = ["memory::", "--ignored", "--test-threads=1"];
    let output = Process::new(std::env::current_exe().unwrap()).args(alone).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("6 passed"), "{text}");
}

/// How often memory is asked for in 30 ticks after so many.
fn asked_for(flock: &mut Flock, scratch: &mut Scratch, warm_up: usize) -> usize {
    (0..warm_up).for_each(|_| flock.step(scratch));
    let region = Region::new(ALLOCATOR);
    (0..30).for_each(|_| flock.step(scratch));
    let change = region.change();
    change.allocations + change.reallocations
}

/// 0 where any of a few tries is: a flock asks each time at the same ticks, but what runs the tests, on a thread of its
/// own, only when a test has begun or ended.
fn at_best(attempt: impl Fn() -> usize) -> usize {
    (0..3).map(|_| attempt()).find(|asked| *asked == 0).unwrap_or_else(attempt)
}

/// How often memory is asked for in some ticks after a warm-up.
fn allocations(setup: &Setup, threads: usize) -> usize {
    at_best(|| {
        let mut flock = Flock::new(setup).unwrap();
        in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| asked_for(&mut flock, scratch, 60))
    })
}

#[test]
#[ignore = "`memory` runs it"]
fn a_tick_allocates_nothing_after_warm_up() {
    for preset in Preset::builtin() {
        let setup = preset.setup(7, 1.6);
        assert_eq!(allocations(&setup, 1), 0, "{}", preset.name);
    }
}

#[test]
#[ignore = "`memory` runs it"]
fn nor_does_it_while_a_preset_becomes_another() {
    let load = |name| Preset::load(name).unwrap().setup(7, 1.6);
    for (from, into) in [("drones", "starlings"), ("parker", "coderholic")] {
        let asked = at_best(|| {
            let mut flock = Flock::new(&load(from)).unwrap();
            flock.apply(&Command::Morph(Box::new(load(into)), 120)).unwrap();
            asked_for(&mut flock, &mut Scratch::new(), 80)
        });
        assert_eq!(asked, 0, "{from} to {into}");
    }
}

#[test]
#[ignore = "`memory` runs it"]
fn nor_does_it_on_several_threads() {
    let starlings = Preset::load("starlings").unwrap();
    let setup = Setup { boids: 6000, world: starlings.world_for(6000, 1.6), ..starlings.setup(7, 1.6) };
    let mut capped = setup.clone();
    capped.params.limits.max_neighbors = 5.0;
    let mut choosy = setup.clone();
    (choosy.params.perception.nearest, choosy.params.perception.angle) = (7.0, 270.0);
    (choosy.params.species.count, choosy.params.leaders.count) = (3.0, 5.0);
    for threads in [1, 2, 4] {
        assert_eq!(allocations(&setup, threads), 0, "{threads} threads");
        assert_eq!(allocations(&choosy, threads), 0, "{threads} threads, neighbors chosen");
        assert_eq!(allocations(&capped, threads), 0, "{threads} threads, neighbors capped");
    }
}

#[test]
#[ignore = "`memory` runs it"]
fn nor_does_what_fills_the_world() {
    let starlings = Preset::load("starlings").unwrap();
    let mut setup = starlings.setup(7, 1.6);
    let [x, y, z] = setup.world.center();
    setup.zones = ["obstacle", "food", "roost"]
        .iter()
        .zip([-80.0, 0.0, 80.0])
        .map(|(word, aside)| Zone::new(ZoneKind::from_name(word).unwrap(), [x + aside, y, z], 25.0))
        .collect();
    (setup.params.gusts.strength, setup.params.roost.chance) = (0.05, 0.5);
    assert_eq!(allocations(&setup, 1), 0);
}

#[test]
#[ignore = "`memory` runs it"]
fn nor_where_predators_tire_and_catch_and_prey_is_alarmed() {
    let starlings = Preset::load("starlings").unwrap();
    let mut setup =
        Setup { boids: 6000, predators: 40, world: starlings.world_for(6000, 1.6), ..starlings.setup(7, 1.6) };
    (setup.params.hunt.stamina, setup.params.hunt.rest, setup.params.alarm.spread) = (40.0, 30.0, 0.9);
    (setup.params.hunt.catch, setup.params.hunt.respawn) = (10.0, 20.0);
    for target in ["nearest", "densest", "isolated"] {
        setup.params.set("hunt.target", Value::Choice(target)).unwrap();
        assert_eq!(allocations(&setup, 1), 0, "{target}");
        assert_eq!(allocations(&setup, 2), 0, "{target}, 2 threads");
    }
}

#[test]
#[ignore = "`memory` runs it"]
fn a_million_boids_take_64_bytes_each_at_most() {
    let boids = 1_000_000;
    for neighbors in [1.0, 16.0, 100.0] {
        let scene = BenchScene::Uniform { neighbors, dim: 2 };
        let region = Region::new(ALLOCATOR);
        let mut scratch = Scratch::new();
        let mut flock = scene.flock(boids, &mut scratch, |_| ()).unwrap();
        (0..2).for_each(|_| flock.step(&mut scratch));
        let change = region.change();
        let held = change.bytes_allocated - change.bytes_deallocated;
        assert!(held <= 64 * boids, "{} bytes a boid at {neighbors} neighbors", held / boids);
    }
}
