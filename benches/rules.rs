//! The cost of each rule of a preset: how much less time a tick takes without it, on one thread. Arguments: preset, ticks before the
//! measurement.

use std::time::{Duration, Instant};

use flockscope::commands::bench::BenchScene;
use flockscope::sim::{Command, Flock, Param, Scratch, Simd, Value};

/// The ticks that are timed from the same state. In more, the flock changes without the rule.
const TICKS: u32 = 10;
/// How often they are timed; the best time counts.
const REPEATS: usize = 30;

fn main() {
    let words = std::env::args_os().skip(1).filter_map(|arg| arg.into_string().ok());
    let mut args = words.filter(|arg| !arg.starts_with('-'));
    let preset = args.next().unwrap_or_else(|| "murmuration".to_owned());
    let settle = args.next().map_or(600, |ticks| ticks.parse().expect("a number of ticks"));
    let scene = BenchScene::settled(&preset, settle).expect("the name of a preset");
    let BenchScene::Settled { preset, .. } = &scene else { unreachable!("a preset") };
    let mut scratch = Scratch::new();
    scratch.set_simd(Simd::fastest());
    let flock = scene.flock(preset.boids, &mut scratch, |_| ()).expect("a valid setup");
    // Rules whose default of 0 turns them off. Separation, alignment and cohesion share one loop, and are not listed separately.
    let params = Param::table().iter().filter(|param| param.default() == Value::Number(0.0));
    let params = params.filter(|param| param.get(flock.params()) != param.default());
    let changes = params.map(|param| (param.key, Command::set(param.key, Value::Number(0.0)).expect("in range")));
    let predators = (flock.predators() > 0).then_some(("predators", Command::SetPredators(0)));
    let mut flocks = vec![("nothing", flock.clone())];
    for (name, change) in predators.into_iter().chain(changes) {
        let mut without = flock.clone();
        without.apply(&change).expect("a rule can be turned off");
        flocks.push((name, without));
    }
    let best = best_times(&flocks, &mut scratch);
    let ns = |time: Duration| time.as_nanos() as f64 / f64::from(TICKS) / flock.boids().max(1) as f64;
    println!("{:21} {:>8} {:>8} {:>6}", "without", "ns/boid", "saved", "share");
    let whole = ns(best[0]);
    for ((name, _), time) in flocks.iter().zip(&best) {
        let saved = whole - ns(*time);
        println!("{name:21} {:8.1} {saved:8.1} {:5.0}%", ns(*time), 100.0 * saved / whole);
    }
}

/// The shortest time of a few ticks of each flock. They take turns, so that changes in clock speed affect all alike.
fn best_times(flocks: &[(&str, Flock)], scratch: &mut Scratch) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; flocks.len()];
    for _ in 0..REPEATS {
        for ((_, flock), best) in flocks.iter().zip(&mut best) {
            let mut flock = flock.clone();
            let start = Instant::now();
            (0..TICKS).for_each(|_| flock.step(scratch));
            *best = (*best).min(start.elapsed());
        }
    }
    best
}
