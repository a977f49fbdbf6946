//! A flock becomes a picture.

use std::num::NonZeroUsize;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use flockscope::bench::Scene;
use flockscope::canvas::{Canvas, Picture};
use flockscope::engine::in_pool;
use flockscope::sim::Flock;

const SIZE: (usize, usize) = (200, 50);

/// A flock that has settled a little, made on two threads.
fn flock(preset: &str, boids: usize) -> Flock {
    let scene = Scene::settled(preset, 5).expect("a built-in preset");
    in_pool(TWO, |scratch| scene.flock(boids, scratch, |_| ()).expect("a right setup"))
}

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn raster(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("raster");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    for (preset, boids) in
        [("starlings", 200), ("starlings", 2000), ("starlings", 20_000), ("starlings", 1_000_000), ("sphere", 2000)]
    {
        let flock = flock(preset, boids);
        let (mut canvas, mut picture) = (Canvas::new(SIZE.0, SIZE.1), Picture::default());
        let id = BenchmarkId::new(preset, boids);
        group.bench_function(id, |bencher| bencher.iter(|| canvas.draw(&flock, &mut picture)));
    }
}

criterion_group!(benches, raster);
criterion_main!(benches);
