//! The lesson: each task changes what it says that it changes, and its commands are those of the page.

use flockscope::config::{Preset, WorldSize};
use flockscope::sim::{Analyzer, Edge, Flock, Param, Scratch, World};

const PAGE: &str = include_str!("../../docs/lesson.md");
/// Ticks before the measurements, and between them.
const TICKS: [usize; 2] = [600, 20];
const SAMPLES: usize = 6;

/// Polarization, the distance to the nearest neighbor and the number of neighbors.
#[derive(Debug, Default)]
struct Means {
    polarization: f32,
    distance: f32,
    neighbors: f32,
}

/// The lesson's flock after ten seconds, with a parameter that a command of the page sets.
fn means(set: Option<(&str, &str)>) -> Means {
    let mut preset = Preset::load("starlings").unwrap();
    (preset.boids, preset.predators) = (500, 0);
    (preset.world, preset.params.edge.mode) = (WorldSize::Fixed(World::Rect([180.0, 112.0])), Edge::Wrap);
    if let Some((key, value)) = set {
        assert!(PAGE.contains(&format!("--set {key}={value}\n")), "{key}={value}");
        preset.params.set(key, Param::find(key).unwrap().parse(value).unwrap()).unwrap();
    }
    let mut flock = Flock::new(&preset.setup(7, 1.6)).unwrap();
    let (mut scratch, mut analyzer, mut means) = (Scratch::new(), Analyzer::new(), Means::default());
    (0..TICKS[0]).for_each(|_| flock.step(&mut scratch));
    for _ in 0..SAMPLES {
        (0..TICKS[1]).for_each(|_| flock.step(&mut scratch));
        let measures = analyzer.measure(&flock, usize::MAX);
        means.polarization += measures.polarization / SAMPLES as f32;
        means.distance += measures.nearest_neighbor / SAMPLES as f32;
        means.neighbors += measures.neighbors / SAMPLES as f32;
    }
    means
}

#[test]
fn each_task_of_the_lesson_has_its_effect() {
    assert!(PAGE.contains("flockscope -p starlings -n 500 --predators 0 -s 7 --world 180x112 --set edge.mode=wrap\n"));
    let (usual, with) = (means(None), |key, value| means(Some((key, value))));
    let (none, strong) = (with("separation.weight", "0"), with("separation.weight", "0.64"));
    assert!(none.distance < 0.2 * usual.distance && strong.neighbors < 0.75 * usual.neighbors, "{none:?} {strong:?}");
    let none = with("alignment.weight", "0");
    assert!(usual.polarization > 0.95 && none.polarization < 0.3, "{none:?}");
    let (none, strong) = (with("cohesion.weight", "0"), with("cohesion.weight", "0.044"));
    assert!(none.distance > 1.2 * usual.distance && strong.neighbors > 1.5 * usual.neighbors, "{none:?} {strong:?}");
}
