//! A flock becomes a picture.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use flockscope::bench::Scene;
use flockscope::canvas::{Canvas, Picture};
use flockscope::sim::Scratch;

fn raster(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("raster");
    for (preset, boids) in [("starlings", 2200), ("starlings", 100_000), ("sphere", 2000)] {
        let scene = Scene::settled(preset, 5).expect("a built-in preset");
        let flock = scene.flock(boids, &mut Scratch::new(), |_| ()).expect("a right setup");
        for (columns, rows) in [(80, 24), (200, 50)] {
            let (mut canvas, mut picture) = (Canvas::new(columns, rows), Picture::default());
            let id = BenchmarkId::new(format!("{preset}-{boids}"), format!("{columns}x{rows}"));
            group.bench_function(id, |bencher| bencher.iter(|| canvas.draw(&flock, &mut picture)));
        }
    }
}

criterion_group!(benches, raster);
criterion_main!(benches);
