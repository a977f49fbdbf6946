//! The cost of the session: its share of a tick, and the time to go back.

use std::io::Write;
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::scene::{BenchScene, ROUNDS, SEED, tick_time};
use super::{Table, TableColumn, decimal, percent, plain};
use crate::commands::args::BenchArgs;
use crate::commands::flock_setup::in_simd_pool;
use crate::commands::output::Progress;
use crate::config::ConfigError;
use crate::sim::{Flock, Scratch, Session, SessionLog, SessionStart, SharedLog};

const DEFAULT_BOIDS: [usize; 3] = [2200, 20_000, 100_000];
/// Ten minutes at 60 ticks per second.
const TICKS: u64 = 36_000;
/// The most moves to random ticks, and the time after which no further one begins.
const SEEKS: usize = 200;
const SEEK_TIME: Duration = Duration::from_secs(20);
/// Steps back, one after the other.
const STEPS_BACK: u64 = 100;

const COLUMNS: &[TableColumn] = &[
    TableColumn { title: "boids", width: 8, cell: |row| plain(&row["boids"]) },
    TableColumn { title: "ticks", width: 7, cell: |row| plain(&row["ticks"]) },
    TableColumn { title: "MB", width: 6, cell: |row| decimal(&row["megabytes"]) },
    TableColumn { title: "tick us", width: 9, cell: |row| decimal(&row["tick_us"]) },
    TableColumn { title: "in session", width: 10, cell: |row| format!("{:+.1}%", percent(&row["session_cost"])) },
    TableColumn { title: "seeks", width: 5, cell: |row| plain(&row["seeks"]) },
    TableColumn { title: "median ms", width: 10, cell: |row| decimal(&row["seek_median_ms"]) },
    TableColumn { title: "worst ms", width: 10, cell: |row| decimal(&row["seek_worst_ms"]) },
    TableColumn { title: "back ms", width: 9, cell: |row| decimal(&row["back_median_ms"]) },
    TableColumn { title: "worst ms", width: 9, cell: |row| decimal(&row["back_worst_ms"]) },
];

/// Writes a row for each number of boids.
pub(super) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), ConfigError> {
    let mut table = Table::new(out, args.json, COLUMNS)?;
    let boids = if args.boids.is_empty() { &DEFAULT_BOIDS[..] } else { &args.boids };
    let scene = BenchScene::settled("starlings", 0)?;
    for boids in boids {
        let start = Flock::new(&scene.setup(*boids))?;
        let threads = args.threads.first().copied();
        table.add(&in_simd_pool(threads, |scratch| Ok(measure(&start, args.history, scratch)))?)?;
    }
    Ok(())
}

fn measure(start: &Flock, history: usize, scratch: &mut Scratch) -> Value {
    let mut session = session(start, history);
    let progress = Progress::new(TICKS);
    for tick in 1..=TICKS {
        step(&mut session, scratch);
        progress.show(tick);
    }
    drop(progress);
    let [plain, recorded] = tick_times(session.flock(), history, scratch);
    let seeks = seek_times(&mut session, scratch);
    seek(&mut session, TICKS, scratch);
    let mut back: Vec<Duration> = (1..=STEPS_BACK).map(|step| seek(&mut session, TICKS - step, scratch)).collect();
    back.sort_unstable();
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    json!({
        "boids": start.boids(),
        "ticks": TICKS,
        "megabytes": session.history_bytes() as f64 / 1e6,
        "tick_us": 1e3 * ms(plain),
        "session_cost": recorded.as_secs_f64() / plain.as_secs_f64() - 1.0,
        "seeks": seeks.len(),
        "seek_median_ms": ms(seeks[seeks.len() / 2]),
        "seek_worst_ms": ms(seeks[seeks.len() - 1]),
        "back_median_ms": ms(back[back.len() / 2]),
        "back_worst_ms": ms(back[back.len() - 1]),
    })
}

fn session(start: &Flock, history: usize) -> Session {
    let log = SharedLog::new(SessionLog::new(SessionStart::of(start, start.tick() == 0)));
    Session::new(start.clone(), log, history)
}

fn step(session: &mut Session, scratch: &mut Scratch) {
    session.step(scratch);
    session.finish(scratch).expect("a session without commands");
}

/// The best time of a tick without and with a session. Rounds alternate, from the same state.
fn tick_times(flock: &Flock, history: usize, scratch: &mut Scratch) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let (mut alone, mut session) = (flock.clone(), session(flock, history));
        let times = [tick_time(|| alone.step(scratch)), tick_time(|| step(&mut session, scratch))];
        best = [0, 1].map(|kind| best[kind].min(times[kind]));
    }
    best
}

/// The times of moves to random ticks, sorted.
fn seek_times(session: &mut Session, scratch: &mut Scratch) -> Vec<Duration> {
    let (mut rng, start) = (Xoshiro256PlusPlus::seed_from_u64(SEED), Instant::now());
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
