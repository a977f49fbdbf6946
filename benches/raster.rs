//! Times drawing a flock into a picture.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use flockscope::commands::bench::BenchScene;
use flockscope::engine::in_pool;
use flockscope::picture::{Canvas, CanvasFormat, Picture, View};
use flockscope::sim::Flock;

const SIZE: (usize, usize) = (200, 50);

/// A flock that has settled a little, simulated on two threads.
fn flock(preset: &str, boids: usize) -> Flock {
    let scene = BenchScene::settled(preset, 5).expect("a built-in preset");
    in_pool(TWO, |scratch| scene.flock(boids, scratch, |_| ()).expect("a valid setup"))
}

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn raster(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("raster");
    group.sample_size(20).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    let (columns, rows) = SIZE;
    let canvas =
        |view| Canvas::with_format(CanvasFormat { columns, rows, view, densities: true, ..CanvasFormat::default() });
    for (preset, boids) in
        [("starlings", 200), ("starlings", 2000), ("starlings", 20_000), ("starlings", 1_000_000), ("sphere", 2000)]
    {
        let flock = flock(preset, boids);
        let (mut one, mut picture) = (canvas(View::Auto), Picture::default());
        let id = BenchmarkId::new(preset, boids);
        group.bench_function(id, |bencher| bencher.iter(|| one.draw(&flock, &mut picture)));
        if boids == 1_000_000 {
            let mut two = canvas(View::Auto);
            let id = BenchmarkId::new(format!("{preset}-two-threads"), boids);
            group.bench_function(id, |bencher| {
                bencher.iter_custom(|times| {
                    in_pool(TWO, |_| {
                        let start = Instant::now();
                        (0..times).for_each(|_| two.draw(&flock, &mut picture));
                        start.elapsed()
                    })
                });
            });
        }
    }
    let flock = flock("starlings", 2000);
    for view in [View::Heads, View::Trails, View::Glow, View::Heat, View::Shapes] {
        let (mut canvas, mut picture) = (canvas(view), Picture::default());
        let id = BenchmarkId::new(format!("{view:?}").to_lowercase(), 2000);
        group.bench_function(id, |bencher| bencher.iter(|| canvas.draw(&flock, &mut picture)));
    }
}

criterion_group!(benches, raster);
criterion_main!(benches);
