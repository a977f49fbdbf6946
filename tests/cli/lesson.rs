//! The lesson: each task changes what it says that it changes, and its commands are those of the page.

use flockscope::config::{Preset, WorldSize};
use flockscope::sim::{Analyzer, Command, Edge, Flock, Measure, Param, Scratch, Value, World};

const PAGE: &str = include_str!("../../docs/lesson.md");
/// Ten seconds of the viewer, in ticks.
const TEN_SECONDS: usize = 600;
/// The ticks between two measurements of a mean, and their number.
const SAMPLES: (usize, usize) = (20, 6);

/// The distance to the nearest neighbor and the number of neighbors.
#[derive(Debug, Default)]
struct Means {
    distance: f64,
    neighbors: f64,
}

/// The flock of the lesson after ten seconds.
fn flock() -> Flock {
    let mut preset = Preset::load("starlings").unwrap();
    (preset.boids, preset.predators) = (500, 0);
    (preset.world, preset.params.edge.mode) = (WorldSize::Fixed(World::Rect([180.0, 112.0])), Edge::Wrap);
    assert_eq!(preset.rate, 60.0);
    let mut flock = Flock::new(&preset.setup(7, 1.6)).unwrap();
    fly(&mut flock, TEN_SECONDS);
    flock
}

fn fly(flock: &mut Flock, ticks: usize) {
    let mut scratch = Scratch::new();
    (0..ticks).for_each(|_| flock.step(&mut scratch));
}

/// Sets a parameter as a key does while the flock flies. The page has a command that sets the same.
fn set(flock: &mut Flock, key: &str, value: &str) {
    assert!(PAGE.contains(&format!("--set {key}={value}\n")), "{key}={value}");
    let value = Param::find(key).unwrap().parse(value).unwrap();
    flock.apply(&Command::set(key, value).unwrap()).unwrap();
}

/// The means of the next two seconds.
fn means(flock: &mut Flock) -> Means {
    let (mut analyzer, mut means) = (Analyzer::new(), Means::default());
    for _ in 0..SAMPLES.1 {
        fly(flock, SAMPLES.0);
        means.distance += analyzer.value(&*flock, usize::MAX, &Measure::NEAREST_NEIGHBOR) / SAMPLES.1 as f64;
        means.neighbors += analyzer.value(&*flock, usize::MAX, &Measure::NEIGHBORS) / SAMPLES.1 as f64;
    }
    means
}

#[test]
fn each_task_of_the_lesson_has_its_effect() {
    assert!(PAGE.contains("flockscope -p starlings -n 500 --predators 0 -s 7 --world 180x112 --set edge.mode=wrap\n"));
    let usual = means(&mut flock());
    let with = |key, value| {
        let mut flock = flock();
        set(&mut flock, key, value);
        fly(&mut flock, TEN_SECONDS);
        means(&mut flock)
    };
    let (none, strong) = (with("separation.weight", "0"), with("separation.weight", "0.64"));
    assert!(none.distance < 0.2 * usual.distance && strong.neighbors < 0.75 * usual.neighbors, "{none:?} {strong:?}");
    let (none, strong) = (with("cohesion.weight", "0"), with("cohesion.weight", "0.044"));
    assert!(none.distance > 1.2 * usual.distance && strong.neighbors > 1.5 * usual.neighbors, "{none:?} {strong:?}");
}

#[test]
fn without_alignment_polarization_falls_as_the_lesson_says_and_comes_back() {
    assert!(PAGE.contains("falls to about 0.7 after ten seconds, 0.3 after 20 and 0.1 after 30"));
    let (mut flock, mut analyzer) = (flock(), Analyzer::new());
    let usual = flock.params().alignment.weight;
    let mut polarization = |flock: &Flock| analyzer.value(flock, usize::MAX, &Measure::POLARIZATION);
    assert!(polarization(&flock) > 0.98);
    set(&mut flock, "alignment.weight", "0");
    for expected in [0.7, 0.3, 0.1] {
        fly(&mut flock, TEN_SECONDS);
        let polarization = polarization(&flock);
        assert!((polarization - expected).abs() < 0.06, "{polarization} {expected}");
    }
    flock.apply(&Command::set("alignment.weight", Value::Number(usual)).unwrap()).unwrap();
    fly(&mut flock, TEN_SECONDS);
    assert!(polarization(&flock) > 0.98);
}
