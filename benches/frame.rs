//! The way of a frame from the flock to the bytes for the terminal, and the same with ratatui's own backend.

mod screen;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockscope::picture::{ColorDepth, View};
use ratatui::layout::Size;
use screen::{FrameBench, StockTerminal, consecutive_states};

const ALL_DEPTHS: &[ColorDepth] =
    &[ColorDepth::Mono, ColorDepth::Colors16, ColorDepth::Colors256, ColorDepth::Truecolor];

fn frame(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    for (boids, size, depths) in [
        (200, Size::new(80, 24), &[ColorDepth::Truecolor][..]),
        (2000, Size::new(200, 50), ALL_DEPTHS),
        (20_000, Size::new(200, 50), &[ColorDepth::Truecolor]),
    ] {
        // Alternating between two states makes each frame differ from the one before by about one dot per boid.
        let states = consecutive_states(boids, size).expect("a built-in preset");
        for &depth in depths {
            let mut bench = |name: &str, draw: &mut dyn FnMut(usize) -> usize| {
                let size = format!("{}x{}-{}", size.width, size.height, depth.name());
                draw(0);
                group.throughput(Throughput::Bytes(draw(1) as u64));
                let mut turn = 0;
                group.bench_function(BenchmarkId::new(format!("{boids}-{name}"), size), |bencher| {
                    bencher.iter(|| {
                        turn = 1 - turn;
                        draw(turn)
                    });
                });
            };
            for view in [View::Heads, View::Auto] {
                let mut screen = FrameBench::new(&states[0], size, depth, view).expect("a built-in theme");
                bench(view.name(), &mut |turn| screen.draw(&states[turn]));
            }
            let mut stock = StockTerminal::new(size, depth).expect("writing to memory");
            bench("ratatui", &mut |turn| stock.draw(&states[turn]).expect("writing to memory"));
        }
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
