//! `flockscope bench`: the speed of ticks on this machine, as a text table or as JSON.

mod scene;

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::args::{BenchArgs, ParamSetting};
use super::flock_setup::{self, in_simd_pool};
use super::output::Progress;
use crate::config;
use crate::engine::in_pool;
use crate::error::InputError;
use crate::sim::{Analyzer, Flock, Measure, Scratch, Simd, StageTimes};
pub use scene::BenchScene;
use scene::{ROUNDS, tick_time};

/// Ticks before each round that are not measured.
const WARM_UP_TICKS: usize = 2;
/// The number of boids whose neighbors are counted.
const NEIGHBOR_SAMPLE: usize = 2000;
const DEFAULT_BOIDS: [usize; 3] = [10_000, 100_000, 1_000_000];

const COLUMNS: &[TableColumn] = &[
    TableColumn { title: "scene         ", width: 14, cell: |row| format!("{:14}", plain(&row["scene"])) },
    TableColumn { title: "boids", width: 8, cell: |row| plain(&row["boids"]) },
    TableColumn { title: "dim", width: 3, cell: |row| plain(&row["dim"]) },
    TableColumn { title: "threads", width: 7, cell: |row| plain(&row["threads"]) },
    TableColumn { title: "simd", width: 6, cell: |row| plain(&row["simd"]) },
    TableColumn { title: "neighbors", width: 10, cell: |row| decimal(&row["neighbors"]) },
    TableColumn { title: "ticks/s", width: 9, cell: |row| decimal(&row["ticks_per_second"]) },
    TableColumn { title: "ns/boid", width: 8, cell: |row| decimal(&row["ns_per_boid_tick"]) },
    TableColumn { title: "sort", width: 5, cell: |row| percent(&row["stages"]["sort"]) },
    TableColumn { title: "sense", width: 5, cell: |row| percent(&row["stages"]["sense"]) },
    TableColumn { title: "steer", width: 5, cell: |row| percent(&row["stages"]["steer"]) },
    TableColumn { title: "move", width: 5, cell: |row| percent(&row["stages"]["move"]) },
    TableColumn {
        title: "vs scalar",
        width: 9,
        cell: |row| row["vs_scalar"].as_f64().map_or_else(String::new, |ratio| format!("{ratio:.1}x")),
    },
];

/// Measures what the options ask for, and writes a row for each scene and variant.
///
/// # Errors
///
/// [`InputError`] for invalid options, or if `out` fails.
pub fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), InputError> {
    let mut scene = match &args.preset {
        Some(name) => BenchScene::settled(name, args.settle)?,
        None => BenchScene::Uniform { neighbors: args.neighbors, dim: args.dim },
    };
    if let (Some(world), BenchScene::Settled { preset, .. }) = (args.world, &mut scene) {
        preset.world = world;
    }
    let simd = config::simd()?;
    let mut table = Table::new(out, args.json)?;
    let boid_counts = match &scene {
        _ if !args.boids.is_empty() => args.boids.clone(),
        BenchScene::Uniform { .. } => DEFAULT_BOIDS.to_vec(),
        BenchScene::Settled { preset, .. } => vec![preset.boids],
    };
    for boids in boid_counts {
        let flock = settle(&scene, boids, &args.set)?;
        let neighbors = Analyzer::new().value(&flock, NEIGHBOR_SAMPLE, &Measure::NEIGHBORS);
        let variants = variants(args, simd);
        let mut scalar = None;
        for (Variant { threads, simd }, (tick, stages)) in variants.iter().zip(measure(&flock, &variants)) {
            let ns_per_boid = tick.as_nanos() as f64 / boids as f64;
            let StageTimes { sort, perceive, steer, r#move } = stages;
            let all = (sort + perceive + steer + r#move).max(1) as f64;
            let share = |part: u64| part as f64 / all;
            let mut row = json!({
                "scene": scene.name(),
                "boids": boids,
                "dim": flock.world().dim(),
                "threads": threads,
                "simd": simd.name(),
                "neighbors": neighbors,
                "ticks_per_second": 1.0 / tick.as_secs_f64().max(1e-12),
                "ns_per_boid_tick": ns_per_boid,
                "stages": { "sort": share(sort), "sense": share(perceive), "steer": share(steer), "move": share(r#move) },
            });
            match scalar {
                _ if *simd == Simd::Scalar => scalar = Some((threads, ns_per_boid)),
                Some((same, scalar_ns)) if same == threads => row["vs_scalar"] = (scalar_ns / ns_per_boid).into(),
                _ => {}
            }
            table.add(&row)?;
        }
    }
    Ok(())
}

/// How a flock is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant {
    threads: NonZeroUsize,
    simd: Simd,
}

/// The scalar kernel on the first number of threads, then `simd` on each.
fn variants(args: &BenchArgs, simd: Simd) -> Vec<Variant> {
    let mut threads = args.threads.clone();
    if threads.is_empty() {
        threads = vec![NonZeroUsize::MIN, flock_setup::threads(None)];
        threads.dedup();
    }
    let scalar = Variant { threads: threads[0], simd: Simd::Scalar };
    let mut variants: Vec<Variant> = threads.into_iter().map(|threads| Variant { threads, simd }).collect();
    if simd != Simd::Scalar {
        variants.insert(0, scalar);
    }
    variants
}

fn settle(scene: &BenchScene, boids: usize, params: &[ParamSetting]) -> Result<Flock, InputError> {
    let mut setup = scene.setup(boids);
    for param in params {
        setup.params.set(param.key, param.value)?;
    }
    let ticks = if let BenchScene::Settled { ticks, .. } = scene { *ticks } else { 0 };
    let progress = Progress::new(ticks);
    in_simd_pool(None, |scratch| scene.settle(&setup, scratch, |tick| progress.show(tick)))
}

/// The best time per tick of each variant, and its stages. Rounds of the variants alternate, so that changes in clock
/// speed affect all alike.
fn measure(flock: &Flock, variants: &[Variant]) -> Vec<(Duration, StageTimes)> {
    let mut ticks = vec![Duration::MAX; variants.len()];
    for _ in 0..ROUNDS {
        for (variant, best) in variants.iter().zip(&mut ticks) {
            *best = (*best).min(round(flock, *variant, |_| ()).0);
        }
    }
    let stages = variants.iter().map(|variant| round(flock, *variant, |scratch| scratch.time_stages(now)).1);
    ticks.into_iter().zip(stages).collect()
}

/// The mean time of a tick in one round, and the time of its stages if `prepare` turns that on.
fn round(flock: &Flock, variant: Variant, prepare: impl FnOnce(&mut Scratch) + Send) -> (Duration, StageTimes) {
    in_pool(variant.threads, |scratch| {
        let mut flock = flock.clone();
        scratch.set_simd(variant.simd);
        (0..WARM_UP_TICKS).for_each(|_| flock.step(scratch));
        prepare(scratch);
        (tick_time(|| flock.step(scratch)), scratch.stage_times())
    })
}

/// Nanoseconds since the first call.
fn now() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// A column of the text table.
struct TableColumn {
    pub title: &'static str,
    pub width: usize,
    /// The text of a cell, from the JSON object of its row.
    pub cell: fn(&Value) -> String,
}

/// Writes rows as they come.
struct Table<'a, W> {
    out: &'a mut W,
    is_json: bool,
}

impl<'a, W: Write> Table<'a, W> {
    /// Writes the header of a text table.
    fn new(out: &'a mut W, is_json: bool) -> Result<Self, InputError> {
        let mut table = Self { out, is_json };
        if !is_json {
            table.write_line(&aligned(|column| column.title.to_owned()))?;
        }
        Ok(table)
    }

    fn add(&mut self, row: &Value) -> Result<(), InputError> {
        let text = if self.is_json { row.to_string() } else { aligned(|column| (column.cell)(row)) };
        self.write_line(&text)
    }

    /// Writes a line and flushes it: the next one may take a while.
    fn write_line(&mut self, line: &str) -> Result<(), InputError> {
        let written = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        written.map_err(InputError::io("-"))
    }
}

/// A line of cells that are aligned to the right.
fn aligned(cell: impl Fn(&TableColumn) -> String) -> String {
    let cells = COLUMNS.iter().map(|column| format!("{:>width$}", cell(column), width = column.width));
    cells.collect::<Vec<_>>().join(" ")
}

/// A string without quotes; any other value as in JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A number with one digit after the decimal point.
fn decimal(value: &Value) -> String {
    format!("{:.1}", value.as_f64().unwrap_or(f64::NAN))
}

/// A share in percent.
fn percent(share: &Value) -> String {
    format!("{:.0}%", 100.0 * share.as_f64().unwrap_or(f64::NAN))
}
