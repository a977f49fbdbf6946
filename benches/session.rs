//! The cost of a session of starlings: its share of a tick, and the time to go back. Arguments: numbers of boids.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use flockscope::commands::bench::BenchScene;
use flockscope::engine::in_pool;
use flockscope::sim::{Flock, Scratch, Session, SessionLog, SessionStart, SharedLog, Simd, Timeline};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const DEFAULT_BOIDS: [usize; 3] = [2200, 20_000, 100_000];
/// The default of `--history`.
const HISTORY: usize = 64 << 20;
/// Ten minutes at 60 ticks per second.
const TICKS: u64 = 36_000;
/// The most moves to random ticks, and the time after which no further one begins.
const SEEKS: usize = 200;
const SEEK_TIME: Duration = Duration::from_secs(20);
/// Steps back, one after the other.
const STEPS_BACK: u64 = 100;
/// The ticks of a round, and the number of rounds; the best one counts.
const ROUND: u32 = 200;
const ROUNDS: usize = 5;

fn main() {
    let words = std::env::args_os().skip(1).filter_map(|arg| arg.into_string().ok());
    let args = words.filter(|arg| !arg.starts_with('-'));
    let boids: Vec<usize> = args.map(|boids| boids.parse().expect("a number of boids")).collect();
    let scene = BenchScene::settled("starlings", 0).expect("a built-in preset");
    println!("   boids     MB   tick us in session seeks  median ms   worst ms    back ms   worst ms");
    for &boids in if boids.is_empty() { &DEFAULT_BOIDS[..] } else { &boids } {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        in_pool(threads, |scratch| {
            scratch.set_simd(Simd::fastest());
            measure(&scene.flock(boids, scratch, |_| ()).expect("a valid setup"), scratch);
        });
    }
}

fn measure(start: &Flock, scratch: &mut Scratch) {
    let mut session = session(start);
    (0..TICKS).for_each(|_| step(&mut session, scratch));
    let [alone, recorded] = tick_times(session.flock(), scratch);
    let seeks = seek_times(&mut session, scratch);
    seek(&mut session, TICKS, scratch);
    let mut back: Vec<Duration> = (1..=STEPS_BACK).map(|step| seek(&mut session, TICKS - step, scratch)).collect();
    back.sort_unstable();
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let [[seek, worst_seek], [back, worst_back]] =
        [&seeks, &back].map(|times| [times[times.len() / 2], times[times.len() - 1]].map(ms));
    println!(
        "{:8} {:6.1} {:9.1} {:9.1}% {:5} {seek:10.2} {worst_seek:10.1} {back:10.2} {worst_back:10.1}",
        start.boids(),
        session.history_bytes() as f64 / 1e6,
        1e3 * ms(alone),
        100.0 * (recorded.as_secs_f64() / alone.as_secs_f64() - 1.0),
        seeks.len(),
    );
}

fn session(start: &Flock) -> Session {
    let log = SharedLog::new(SessionLog::new(SessionStart::of(start, start.tick() == 0)));
    Session::new(start.clone(), log, HISTORY)
}

fn step(session: &mut Session, scratch: &mut Scratch) {
    session.step(scratch);
    session.finish(scratch).expect("a session without commands");
}

/// The best time of a tick without and with a session. Rounds alternate, from the same state.
fn tick_times(flock: &Flock, scratch: &mut Scratch) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let (mut alone, mut session) = (flock.clone(), session(flock));
        let times = [tick_time(|| alone.step(scratch)), tick_time(|| step(&mut session, scratch))];
        best = [0, 1].map(|kind| best[kind].min(times[kind]));
    }
    best
}

fn tick_time(mut tick: impl FnMut()) -> Duration {
    let start = Instant::now();
    (0..ROUND).for_each(|_| tick());
    start.elapsed() / ROUND
}

/// The times of moves to random ticks, sorted.
fn seek_times(session: &mut Session, scratch: &mut Scratch) -> Vec<Duration> {
    let (mut rng, start) = (Xoshiro256PlusPlus::seed_from_u64(7), Instant::now());
    let mut times = Vec::new();
    while times.is_empty() || times.len() < SEEKS && start.elapsed() < SEEK_TIME {
        times.push(seek(session, rng.random_range(0..=TICKS), scratch));
    }
    times.sort_unstable();
    times
}

fn seek(session: &mut Session, tick: u64, scratch: &mut Scratch) -> Duration {
    let start = Instant::now();
    session.seek(tick);
    session.finish(scratch).expect("a session without commands");
    start.elapsed()
}
