//! A flock becomes bytes: the whole way of a frame, from the canvas to the wire.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockscope::canvas::View;
use flockscope::commands::bench::{FrameBench, consecutive_states};
use flockscope::viewer::ColorDepth;

fn frame(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    for (boids, size) in [(200, (80, 24)), (2000, (200, 50)), (20_000, (200, 50))] {
        // Two consecutive_states of one flight, shown in turn: each frame differs from the one before by a dot or so.
        let consecutive_states = consecutive_states(boids, size).expect("a built-in preset");
        for view in [View::Heads, View::Auto] {
            let mut screen =
                FrameBench::new(&consecutive_states[0], size, ColorDepth::Truecolor, view).expect("a built-in theme");
            let id = BenchmarkId::new(format!("{boids}-{}", view.name()), format!("{}x{}", size.0, size.1));
            group.throughput(Throughput::Bytes(screen.draw(&consecutive_states[1]) as u64));
            let mut turn = 0;
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    turn = 1 - turn;
                    screen.draw(&consecutive_states[turn])
                });
            });
        }
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
