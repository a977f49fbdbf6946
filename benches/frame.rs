//! The way of a frame from the flock to the bytes for the terminal, and the same with ratatui's own backend.

mod stock;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockscope::canvas::View;
use flockscope::commands::bench::{FrameBench, consecutive_states};
use flockscope::viewer::ColorDepth;
use stock::StockTerminal;

fn frame(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    for (boids, size) in [(200, (80, 24)), (2000, (200, 50)), (20_000, (200, 50))] {
        // Alternating between two states makes each frame differ from the one before by about one dot per boid.
        let states = consecutive_states(boids, size).expect("a built-in preset");
        let mut bench = |name: &str, draw: &mut dyn FnMut(usize) -> usize| {
            let id = BenchmarkId::new(format!("{boids}-{name}"), format!("{}x{}", size.0, size.1));
            draw(0);
            group.throughput(Throughput::Bytes(draw(1) as u64));
            let mut turn = 0;
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    turn = 1 - turn;
                    draw(turn)
                });
            });
        };
        for view in [View::Heads, View::Auto] {
            let mut screen = FrameBench::new(&states[0], size, ColorDepth::Truecolor, view).expect("a built-in theme");
            bench(view.name(), &mut |turn| screen.draw(&states[turn]));
        }
        let mut stock = StockTerminal::new(size, ColorDepth::Truecolor).expect("writing to memory");
        bench("ratatui", &mut |turn| stock.draw(&states[turn]).expect("writing to memory"));
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
