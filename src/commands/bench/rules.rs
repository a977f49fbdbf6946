//! The cost of each rule: how much less time a tick takes without it.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scene::{BenchScene, ROUNDS};
use super::{Table, TableColumn, decimal, percent, plain};
use crate::commands::args::BenchArgs;
use crate::commands::flock_setup::in_simd_pool;
use crate::config::ConfigError;
use crate::sim::{Command, Flock, Param, Scratch, Value as ParamValue};

/// The ticks that are timed from the same state. In more, the flock changes without the rule.
const TICKS: u32 = 10;
/// The times that they are timed in a round.
const REPEATS: usize = 10;

const COLUMNS: &[TableColumn] = &[
    TableColumn { title: "without              ", width: 21, cell: |row| format!("{:21}", plain(&row["without"])) },
    TableColumn { title: "ns/boid", width: 8, cell: |row| decimal(&row["ns_per_boid_tick"]) },
    TableColumn { title: "saved", width: 8, cell: |row| decimal(&row["ns_saved"]) },
    TableColumn { title: "share", width: 6, cell: |row| format!("{:.0}%", percent(&row["share"])) },
];

/// What is left out.
enum Without {
    Nothing,
    Predators,
    /// A parameter whose default of 0 turns a rule off.
    Param(&'static Param),
}

impl Without {
    fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Predators => "predators",
            Self::Param(param) => param.key,
        }
    }

    /// The flock without it.
    fn apply(&self, flock: &Flock) -> Result<Flock, ConfigError> {
        let mut flock = flock.clone();
        match self {
            Self::Nothing => {}
            Self::Predators => flock.apply(&Command::SetPredators(0))?,
            Self::Param(param) => flock.apply(&Command::set(param.key, ParamValue::Number(0.0))?)?,
        }
        Ok(flock)
    }
}

/// Writes a row for the whole tick, and one for each rule of a preset that can be turned off.
pub(super) fn run(args: &BenchArgs, scene: &BenchScene, out: &mut impl Write) -> Result<(), ConfigError> {
    let mut table = Table::new(out, args.json, COLUMNS)?;
    let threads = args.threads.first().copied();
    let flock = super::settle(scene, super::boid_counts(args, scene)[0], &args.set)?;
    let cases = cases(&flock);
    let flocks = cases.iter().map(|case| case.apply(&flock)).collect::<Result<Vec<_>, _>>()?;
    let times = in_simd_pool(threads, |scratch| Ok(best_times(&flocks, scratch)))?;
    let ns = |time: Duration| time.as_nanos() as f64 / f64::from(TICKS) / flock.boids().max(1) as f64;
    let whole = ns(times[0]);
    for (case, time) in cases.iter().zip(&times) {
        let saved = whole - ns(*time);
        table.add(&row(case.name(), ns(*time), saved, saved / whole))?;
    }
    Ok(())
}

fn row(without: &str, ns: f64, saved: f64, share: f64) -> Value {
    json!({ "without": without, "ns_per_boid_tick": ns, "ns_saved": saved, "share": share })
}

/// Nothing, and then all that can be left out.
fn cases(flock: &Flock) -> Vec<Without> {
    let is_rule =
        |param: &&Param| param.default() == ParamValue::Number(0.0) && param.get(flock.params()) != param.default();
    let predators = (flock.predators() > 0).then_some(Without::Predators);
    let params = Param::table().iter().filter(is_rule).map(Without::Param);
    [Without::Nothing].into_iter().chain(predators).chain(params).collect()
}

/// The shortest time of a few ticks of each flock. They take turns, so that changes in clock speed affect all alike.
fn best_times(flocks: &[Flock], scratch: &mut Scratch) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; flocks.len()];
    for _ in 0..ROUNDS * REPEATS {
        for (flock, best) in flocks.iter().zip(&mut best) {
            let mut flock = flock.clone();
            let start = Instant::now();
            (0..TICKS).for_each(|_| flock.step(scratch));
            *best = (*best).min(start.elapsed());
        }
    }
    best
}
