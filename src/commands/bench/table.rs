//! How a benchmark reads: a table, or a JSON object a line.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::config::Error;
use crate::sim::{Simd, StageTimes};

/// One way of flying one scene.
#[derive(Clone, Debug)]
pub(crate) struct TickRow {
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

    /// The shares of the stages, which add up to 1.
    fn shares(&self) -> Shares {
        let StageTimes { sort, sense, steer, r#move } = self.stages;
        let all = (sort + sense + steer + r#move).max(1) as f64;
        let share = |part: u64| part as f64 / all;
        Shares { sort: share(sort), sense: share(sense), steer: share(steer), r#move: share(r#move) }
    }
}

/// What part of the time each stage takes.
#[derive(Clone, Copy, Debug, Serialize)]
struct Shares {
    sort: f64,
    sense: f64,
    steer: f64,
    r#move: f64,
}

/// A line as JSON.
#[derive(Debug, Serialize)]
struct Object<'a> {
    scene: &'a str,
    boids: usize,
    dim: usize,
    threads: usize,
    simd: &'static str,
    neighbors: f32,
    ticks_per_second: f64,
    ns_per_boid_tick: f64,
    stages: Shares,
    /// How many times as fast as the scalar kernel of the same run on as many threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    vs_scalar: Option<f64>,
}

/// Where lines are written as they come.
pub(crate) struct Table<'a, W> {
    out: &'a mut W,
    json: bool,
    /// The scalar kernel's latest line.
    scalar: Option<TickRow>,
}

impl<'a, W: Write> Table<'a, W> {
    pub(crate) fn new(out: &'a mut W, json: bool) -> Result<Self, Error> {
        let mut report = Self { out, json, scalar: None };
        if !json {
            report.write(&format!(
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
            ))?;
        }
        Ok(report)
    }

    pub(crate) fn line(&mut self, line: &TickRow) -> Result<(), Error> {
        if line.simd == Simd::Scalar {
            self.scalar = Some(line.clone());
        }
        let same = |scalar: &&TickRow| {
            line.simd != Simd::Scalar
                && (scalar.boids, scalar.threads, &scalar.scene) == (line.boids, line.threads, &line.scene)
        };
        let vs_scalar = self.scalar.as_ref().filter(same).map(|scalar| scalar.ns_per_boid() / line.ns_per_boid());
        let text = if self.json { json(line, vs_scalar)? } else { row(line, vs_scalar) };
        self.write(&text)
    }

    /// Writes a line at once: the next may take a while.
    fn write(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.out, "{text}").and_then(|()| self.out.flush()).map_err(failed)
    }
}

pub(crate) fn failed(source: io::Error) -> Error {
    Error::File { path: PathBuf::from("-"), source }
}

fn json(line: &TickRow, vs_scalar: Option<f64>) -> Result<String, Error> {
    let object = Object {
        scene: &line.scene,
        boids: line.boids,
        dim: line.dim,
        threads: line.threads,
        simd: line.simd.name(),
        neighbors: line.neighbors,
        ticks_per_second: line.ticks_per_second(),
        ns_per_boid_tick: line.ns_per_boid(),
        stages: line.shares(),
        vs_scalar,
    };
    serde_json::to_string(&object).map_err(|error| failed(error.into()))
}

fn row(line: &TickRow, vs_scalar: Option<f64>) -> String {
    let Shares { sort, sense, steer, r#move } = line.shares();
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    format!(
        "{:14} {:>8} {:>3} {:>7} {:>6} {:>10.1} {:>9.1} {:>8.1} {:>5} {:>5} {:>5} {:>5} {:>9}",
        line.scene,
        line.boids,
        line.dim,
        line.threads,
        line.simd.name(),
        line.neighbors,
        line.ticks_per_second(),
        line.ns_per_boid(),
        percent(sort),
        percent(sense),
        percent(steer),
        percent(r#move),
        vs_scalar.map_or_else(String::new, |ratio| format!("{ratio:.1}x"))
    )
}
