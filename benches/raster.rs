//! A flock becomes a picture.

mod scenes;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use flockscope::canvas::{Canvas, Picture};

fn raster(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("raster");
    for (preset, boids) in [("starlings", 2200), ("starlings", 100_000), ("sphere", 2000)] {
        let (flock, _) = scenes::settled(preset, boids, 5);
        for (columns, rows) in [(80, 24), (200, 50)] {
            let (mut canvas, mut picture) = (Canvas::new(columns, rows), Picture::default());
            let id = BenchmarkId::new(format!("{preset}-{boids}"), format!("{columns}x{rows}"));
            group.bench_function(id, |bencher| bencher.iter(|| canvas.draw(&flock, &mut picture)));
        }
    }
}

criterion_group!(benches, raster);
criterion_main!(benches);
