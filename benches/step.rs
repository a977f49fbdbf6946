//! The time of a tick on one thread, in the scenes of `flockscope bench`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockscope::commands::bench::BenchScene;
use flockscope::sim::{Scratch, Simd};

fn step(criterion: &mut Criterion) {
    let uniform = |neighbors, dim| BenchScene::Uniform { neighbors, dim };
    let settled = |preset, ticks| BenchScene::settled(preset, ticks).expect("a built-in preset");
    let mut group = criterion.benchmark_group("step");
    group.sample_size(20);
    for (scene, boids) in [
        (uniform(16.0, 2), 10_000),
        (uniform(16.0, 2), 1_000_000),
        (uniform(50.0, 2), 10_000),
        (uniform(16.0, 3), 100_000),
        (settled("starlings", 100), 2200),
        (settled("starlings", 300), 20_000),
        (settled("sphere", 100), 2000),
        (settled("drones", 100), 97),
        (settled("parker", 100), 150),
    ] {
        for simd in [Simd::Scalar, Simd::fastest()] {
            let mut scratch = Scratch::new();
            scratch.set_simd(simd);
            let mut flock = scene.flock(boids, &mut scratch, |_| ()).expect("a valid setup");
            let name = format!("{}-{}d-{boids}", scene.name(), flock.world().dim());
            group.throughput(Throughput::Elements(boids as u64));
            group.bench_function(BenchmarkId::new(name, simd.name()), |bencher| {
                bencher.iter(|| flock.step(&mut scratch));
            });
        }
    }
}

criterion_group!(benches, step);
criterion_main!(benches);
