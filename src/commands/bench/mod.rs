//! How fast this machine flies: ticks of a few scenes, timed, and the scalar kernel beside them.

pub(crate) mod frame;
pub(crate) mod scene;
pub(crate) mod stock;
pub(crate) mod table;

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

pub use frame::{FrameBench, consecutive_states};
pub use scene::BenchScene;

use super::args::{Bench, Setting};
use super::progress::Progress;
use crate::config;
use crate::config::Error;
use crate::engine::in_pool;
use crate::sim::{Analyzer, Flock, Scratch, Simd, StageTimes};
use table::{Table, TickRow};

/// Each figure is the best of so many rounds.
const ROUNDS: usize = 3;
/// A round takes at least so long …
const ROUND: Duration = Duration::from_millis(400);
/// … and so many ticks.
const LEAST_TICKS: u32 = 5;
/// Ticks before a round, which are not timed.
const WARM_UP: usize = 2;
/// Over how many boids neighbors are averaged.
const SAMPLE: usize = 2000;
/// The numbers of boids where none are asked for.
const BOIDS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Times what was asked for, and writes a line for each scene and way of flying it.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right.
pub fn run(args: &Bench, out: &mut impl Write) -> Result<(), Error> {
    if args.frame {
        return frame::run(args, out);
    }
    let scene = match &args.preset {
        Some(name) => BenchScene::settled(name, args.settle)?,
        None => BenchScene::Uniform { neighbors: args.neighbors, dim: args.dim },
    };
    let simd = config::simd()?;
    let mut report = Table::new(out, args.json)?;
    for boids in counts(args, &scene) {
        let flock = settle(&scene, boids, &args.set, simd)?;
        let found = Analyzer::new().measure(&flock, SAMPLE).neighbors;
        let variants = variants(args, simd);
        for (way, best) in variants.iter().zip(time_variants(&flock, &variants)) {
            report.line(&TickRow {
                scene: scene.name(),
                boids,
                dim: flock.world().dim(),
                threads: way.threads.get(),
                simd: way.simd,
                neighbors: found,
                tick: best.tick,
                stages: best.stages,
            })?;
        }
    }
    Ok(())
}

/// How a flock is flown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant {
    threads: NonZeroUsize,
    simd: Simd,
}

/// What a way of flying has come to.
#[derive(Clone, Copy, Debug)]
struct Timing {
    /// The mean of a tick in the best round.
    tick: Duration,
    stages: StageTimes,
}

fn counts(args: &Bench, scene: &BenchScene) -> Vec<usize> {
    match scene {
        _ if !args.boids.is_empty() => args.boids.clone(),
        BenchScene::Uniform { .. } => BOIDS.to_vec(),
        BenchScene::Settled { preset, .. } => vec![preset.boids],
    }
}

/// The scalar kernel on the first number of threads, then the one to be measured on each.
fn variants(args: &Bench, simd: Simd) -> Vec<Variant> {
    let mut threads = args.threads.clone();
    if threads.is_empty() {
        threads = vec![NonZeroUsize::MIN, cores()];
        threads.dedup();
    }
    let scalar = Variant { threads: threads[0], simd: Simd::Scalar };
    let mut variants: Vec<Variant> = threads.into_iter().map(|threads| Variant { threads, simd }).collect();
    if simd != Simd::Scalar {
        variants.insert(0, scalar);
    }
    variants
}

fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn settle(scene: &BenchScene, boids: usize, settings: &[Setting], simd: Simd) -> Result<Flock, Error> {
    let mut setup = scene.setup(boids);
    for setting in settings {
        setup.params.set(setting.key, setting.value)?;
    }
    let ticks = if let BenchScene::Settled { ticks, .. } = scene { *ticks } else { 0 };
    let progress = Progress::new(ticks);
    in_pool(cores(), |scratch| {
        scratch.set_simd(simd);
        scene.settle(&setup, scratch, |tick| progress.show(tick))
    })
}

/// The best round of each way; the variants take turns, so that all have the same weather.
fn time_variants(flock: &Flock, variants: &[Variant]) -> Vec<Timing> {
    let mut ticks = vec![Duration::MAX; variants.len()];
    for _ in 0..ROUNDS {
        for (way, best) in variants.iter().zip(&mut ticks) {
            *best = (*best).min(fly(flock, *way, |_| ()).0);
        }
    }
    let staged = variants.iter().map(|way| fly(flock, *way, |scratch| scratch.time_stages(now)).1);
    staged.zip(ticks).map(|(stages, tick)| Timing { tick, stages }).collect()
}

/// The mean time of a tick of a round, and of its stages.
fn fly(flock: &Flock, way: Variant, prepare: impl FnOnce(&mut Scratch) + Send) -> (Duration, StageTimes) {
    in_pool(way.threads, |scratch| {
        let mut flock = flock.clone();
        scratch.set_simd(way.simd);
        (0..WARM_UP).for_each(|_| flock.step(scratch));
        prepare(scratch);
        let (start, mut ticks) = (Instant::now(), 0);
        while ticks < LEAST_TICKS || start.elapsed() < ROUND {
            flock.step(scratch);
            ticks += 1;
        }
        (start.elapsed() / ticks, scratch.spent())
    })
}

/// The time since the first call, in ns.
fn now() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
