//! A tick, on one thread.

mod scenes;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    group.sample_size(20);
    for (preset, boids) in
        [("starlings", 2200), ("starlings", 20_000), ("sphere", 2000), ("drones", 97), ("parker", 150)]
    {
        let (mut flock, mut scratch) = scenes::settled(preset, boids, 100);
        group.throughput(Throughput::Elements(boids as u64));
        group.bench_function(BenchmarkId::new(preset, boids), |bencher| bencher.iter(|| flock.step(&mut scratch)));
    }
}

criterion_group!(benches, step);
criterion_main!(benches);
