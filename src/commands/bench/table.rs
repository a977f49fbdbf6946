//! The results of tick benchmarks, as a table or as JSON lines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::config::Error;
use crate::sim::{Simd, StageTimes};

/// The result of one variant of one scene.
#[derive(Clone, Debug)]
pub(super) struct TickRow {
    pub scene: String,
    pub boids: usize,
    pub dim: usize,
    pub threads: usize,
    pub simd: Simd,
    pub neighbors: f32,
    pub tick: Duration,
    pub stages: StageTimes,
}

impl TickRow {
    fn ns_per_boid(&self) -> f64 {
        self.tick.as_nanos() as f64 / self.boids as f64
    }

    fn ticks_per_second(&self) -> f64 {
        1.0 / self.tick.as_secs_f64().max(1e-12)
    }

    /// The shares of sort, perceive, steer and move in the time of a tick.
    fn stage_shares(&self) -> [f64; 4] {
        let StageTimes { sort, perceive, steer, r#move } = self.stages;
        let all = (sort + perceive + steer + r#move).max(1) as f64;
        [sort, perceive, steer, r#move].map(|part| part as f64 / all)
    }
}

/// Writes rows as they come.
pub(super) struct Table<'a, W> {
    out: &'a mut W,
    json: bool,
    /// The latest row of the scalar kernel, to compare with.
    scalar: Option<TickRow>,
}

impl<'a, W: Write> Table<'a, W> {
    pub(super) fn new(out: &'a mut W, json: bool) -> Result<Self, Error> {
        if !json {
            let header = format!(
                "{:14} {:>8} {:>3} {:>7} {:>6} {:>10} {:>9} {:>8} {:>5} {:>5} {:>5} {:>5} {:>9}",
                "scene",
                "boids",
                "dim",
                "threads",
                "simd",
                "neighbors",
                "ticks/s",
                "ns/boid",
                "sort",
                "sense",
                "steer",
                "move",
                "vs scalar"
            );
            write_line(out, &header)?;
        }
        Ok(Self { out, json, scalar: None })
    }

    pub(super) fn add(&mut self, row: &TickRow) -> Result<(), Error> {
        if row.simd == Simd::Scalar {
            self.scalar = Some(row.clone());
        }
        let is_comparable = |scalar: &&TickRow| {
            row.simd != Simd::Scalar
                && (scalar.boids, scalar.threads, &scalar.scene) == (row.boids, row.threads, &row.scene)
        };
        let scalar = self.scalar.as_ref().filter(is_comparable);
        let speedup = scalar.map(|scalar| scalar.ns_per_boid() / row.ns_per_boid());
        let line = if self.json { json_row(row, speedup).to_string() } else { text_row(row, speedup) };
        write_line(self.out, &line)
    }
}

/// Writes a line and flushes it: the next one may take a while.
pub(super) fn write_line(out: &mut impl Write, line: &str) -> Result<(), Error> {
    let error = |source: io::Error| Error::File { path: PathBuf::from("-"), source };
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(error)
}

fn json_row(row: &TickRow, speedup: Option<f64>) -> Value {
    let [sort, sense, steer, r#move] = row.stage_shares();
    let mut object = json!({
        "scene": row.scene,
        "boids": row.boids,
        "dim": row.dim,
        "threads": row.threads,
        "simd": row.simd.name(),
        "neighbors": row.neighbors,
        "ticks_per_second": row.ticks_per_second(),
        "ns_per_boid_tick": row.ns_per_boid(),
        "stages": { "sort": sort, "sense": sense, "steer": steer, "move": r#move },
    });
    if let Some(speedup) = speedup {
        object["vs_scalar"] = speedup.into();
    }
    object
}

fn text_row(row: &TickRow, speedup: Option<f64>) -> String {
    let [sort, sense, steer, r#move] = row.stage_shares().map(|share| format!("{:.0}%", 100.0 * share));
    format!(
        "{:14} {:>8} {:>3} {:>7} {:>6} {:>10.1} {:>9.1} {:>8.1} {sort:>5} {sense:>5} {steer:>5} {moved:>5} {:>9}",
        row.scene,
        row.boids,
        row.dim,
        row.threads,
        row.simd.name(),
        row.neighbors,
        row.ticks_per_second(),
        row.ns_per_boid(),
        speedup.map_or_else(String::new, |ratio| format!("{ratio:.1}x")),
        moved = r#move,
    )
}
