//! From observations, and the metadata that `run` writes beside a file of states, to a session: frames, world, velocities, and the
//! parameters that measures and pictures use.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use super::TrajectoryOptions;
use super::clock::FrameClock;
use crate::config::{ConfigError, Preset, RATE_RANGE, WorldSize};
use crate::export::observations::{Observation, Observations};
use crate::export::session::SessionFile;
use crate::sim::{
    Edge, FirstAgents, Metric, Param, Params, RecordedState, Row, SessionLog, SessionStart, Setup, Start, Trajectories,
    World,
};

/// The space around the animals, as a share of their extent.
const MARGIN: f64 = 0.03;
/// The largest extent, in units.
const MAX_EXTENT: f64 = 1e9;
/// The largest coordinate of a file.
const MAX_COORDINATE: f64 = 1e15;
/// Frames per second if the recording has none that can be watched …
const DEFAULT_RATE: f32 = 10.0;
/// … which takes at least this many.
const MIN_RATE: f32 = 2.0;
/// The distance within which animals are neighbors, in median distances to the nearest one.
const NEIGHBORHOOD: f64 = 3.0;
/// How many frames, and how many animals in each, are looked at for typical distances and speeds.
const SAMPLE: (usize, usize) = (20, 100);
/// The most distances in each of these frames.
const MAX_PAIRS: usize = 1_000_000;
/// The share of speeds below the one that colors show as the highest.
const FAST: f64 = 0.98;

/// Makes the session that shows the observations of a file.
///
/// # Errors
///
/// [`ConfigError::Line`] or [`ConfigError::File`].
pub(super) fn session(
    file: &Path,
    observations: Observations,
    options: &TrajectoryOptions,
) -> Result<SessionFile, ConfigError> {
    let error = |(line, message): (u64, String)| match line {
        0 => ConfigError::file(file, message),
        line => ConfigError::line(file, line, message),
    };
    if observations.rows.is_empty() {
        return Err(ConfigError::file(file, "the file has no rows"));
    }
    let sidecar = Sidecar::of(file);
    let frame_rate = options.frame_rate.or(sidecar.frame_rate.filter(|_| !observations.has_times));
    let clock = FrameClock::of(&observations, frame_rate).map_err(|message| ConfigError::file(file, message))?;
    let frames = frames(&observations, &clock).map_err(error)?;
    let scale = options.unit.as_ref().map_or(1.0, |unit| unit.factor);
    if let Some(unit) = options.unit.as_ref().filter(|unit| unit.factor != 1.0 && sidecar.flock.is_some()) {
        let message =
            format!("the lengths of {} are those of its model; expected a name without a number", file.display());
        return Err(ConfigError::flag(format!("--unit {unit}"), message));
    }
    let space = RecordedSpace::of(&observations, sidecar.flock.as_ref(), scale).map_err(error)?;
    let velocities = velocities(&observations, &frames, &clock, &space);
    let (ids, names) = observations.animals.ids();
    let row = |(index, observation): (usize, &Observation)| {
        let Observation { animal, position, kind, mood, bank, .. } = *observation;
        let (id, coordinates) = (ids[animal as usize], position.map(|at| at * space.scale));
        let position = [0, 1, 2].map(|axis| (coordinates[axis] - space.origin[axis]) as f32);
        let row = Row { id, kind, position, velocity: velocities[index], mood, bank };
        row.check_mood_and_bank().map_err(|error| (observation.line, error.to_string()))?;
        if let Some(speed) = row.velocity.iter().find(|speed| speed.abs() > MAX_EXTENT as f32) {
            return Err((observation.line, format!("a velocity of {speed:?} is out of range: expected -1e9 to 1e9")));
        }
        Ok(RecordedState { frame: frames[index], coordinates, row })
    };
    let states: Result<_, _> = observations.rows.iter().enumerate().map(row).collect();
    let states = states.map_err(error)?;
    let mut trajectories = Trajectories::new(states);
    trajectories.origin = space.origin;
    if let Some(unit) = options.unit.as_ref().map(|unit| &unit.name).or(sidecar.unit.as_ref()) {
        trajectories.unit.clone_from(unit);
    }
    clock.number(&mut trajectories);
    trajectories.names = names;
    trajectories.has_derived_velocities = !observations.has_velocities;
    drop(observations);
    let preset = preset(file, &trajectories, &space, sidecar.flock);
    let setup = Setup::new(space.world).with_params(preset.params).with_boids(preset.boids);
    let log = SessionLog::new(SessionStart { setup, agents: FirstAgents::Recorded(Arc::new(trajectories)) });
    Ok(SessionFile { rate: preset.rate, preset, program: String::new(), log, truncated: false })
}

/// The index of the frame of each row.
fn frames(observations: &Observations, clock: &FrameClock) -> Result<Vec<usize>, (u64, String)> {
    let (rows, frames) = (&observations.rows, observations.rows.iter().map(|row| clock.index(row)).collect::<Vec<_>>());
    let Some([_, index]) = observations.steps().find(|[before, index]| frames[*before] == frames[*index]) else {
        return Ok(frames);
    };
    let (at, name) = (rows[index].at, observations.animals.name(rows[index].animal).escape_debug());
    let rate = clock.frame_rate.map_or(String::new(), |rate| format!(" at {rate} frames per second"));
    let message =
        format!("time {at} of animal {name} is in the same frame as its row before{rate}; set a higher --frame-rate");
    Err((rows[index].line, message))
}

/// The world, and where it is in the coordinates of the file.
struct RecordedSpace {
    world: World,
    edge: Edge,
    /// In units of the recording.
    origin: [f64; 3],
    scale: f64,
}

impl RecordedSpace {
    /// The world of metadata or of the file, otherwise the box around all animals.
    fn of(observations: &Observations, flock: Option<&SimulatedFlock>, scale: f64) -> Result<Self, (u64, String)> {
        let extent = extent(observations, scale)?;
        if let Some(SimulatedFlock { world, params, .. }) = flock {
            return Ok(Self { world: *world, edge: params.edge.mode, origin: [0.0; 3], scale });
        }
        let spans = extent.map(|(low, high)| high - low);
        let (sides, corner, edge, is_flat) = if let Some(cell) = &observations.cell {
            // Programs that know no flat cells write one of depth 1.
            let is_flat = cell.sides[2] == 1.0 && spans[2] == 0.0;
            let dim = if is_flat { 2 } else { 3 };
            let edge = if cell.periodic[..dim] == [true; 3][..dim] { Edge::Wrap } else { Edge::Open };
            (cell.sides.map(|side| side * scale), cell.corner.map(|at| at * scale), edge, is_flat)
        } else {
            let largest = spans.into_iter().fold(0.0, f64::max);
            let margin = if largest > 0.0 { MARGIN * largest } else { 0.5 };
            let is_flat = spans[2] == 0.0;
            let margins = [margin, margin, if is_flat { 0.0 } else { margin }];
            let corner = [0, 1, 2].map(|axis| extent[axis].0 - margins[axis]);
            ([0, 1, 2].map(|axis| spans[axis] + 2.0 * margins[axis]), corner, Edge::Open, is_flat)
        };
        let [width, height, depth] = sides.map(|side| side as f32);
        let world = if is_flat { World::Rect([width, height]) } else { World::Cuboid([width, height, depth]) };
        Ok(Self { world, edge, origin: corner, scale })
    }

    /// The way from one position of the file to another, in units of the recording.
    fn offset(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        let metric = Metric::new(&self.world, self.edge == Edge::Wrap);
        [0, 1, 2].map(|axis| metric.exact_offset(axis, from[axis] * self.scale, to[axis] * self.scale))
    }
}

/// The lowest and the highest coordinate along each axis, in units of the recording.
fn extent(observations: &Observations, scale: f64) -> Result<[(f64, f64); 3], (u64, String)> {
    let mut extent = observations.rows[0].position.map(|at| (at, at));
    for row in &observations.rows {
        for (axis, ((low, high), at)) in extent.iter_mut().zip(row.position).enumerate() {
            (*low, *high) = (low.min(at), high.max(at));
            if (*high - *low) * scale > MAX_EXTENT || at.abs() > MAX_COORDINATE {
                let name = ["x", "y", "z"][axis];
                return Err((
                    row.line,
                    format!("{name} = {at:?} is more than {MAX_EXTENT:?} units from other positions"),
                ));
            }
        }
    }
    Ok(extent.map(|(low, high)| (low * scale, high * scale)))
}

/// The velocity of each row, in units per frame number: that of the file, or half the way from the frame before to the frame after,
/// or the way from or to the only one of these with the animal. Without both, other rows of the animal take their place.
fn velocities(
    observations: &Observations,
    frames: &[usize],
    clock: &FrameClock,
    space: &RecordedSpace,
) -> Vec<[f32; 3]> {
    let Observations { rows, has_velocities, .. } = observations;
    if *has_velocities {
        return rows.iter().map(|row| row.velocity.map(|along| (along * space.scale) as f32)).collect();
    }
    // Of each row: the steps to the next frame and from the one before, and those over gaps.
    let mut near = vec![Mean::default(); rows.len()];
    let mut far = near.clone();
    for [before, index] in observations.steps() {
        let numbers = clock.numbers_between(&rows[before], &rows[index]);
        let velocity = space.offset(rows[before].position, rows[index].position).map(|along| along / numbers);
        let means = if frames[index] == frames[before] + 1 { &mut near } else { &mut far };
        means[before].add(velocity);
        means[index].add(velocity);
    }
    near.into_iter().zip(far).map(|(near, far)| near.or(far).value()).collect()
}

/// A mean of vectors.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: [f64; 3],
    count: u8,
}

impl Mean {
    fn add(&mut self, vector: [f64; 3]) {
        self.sum = [0, 1, 2].map(|axis| self.sum[axis] + vector[axis]);
        self.count += 1;
    }

    /// The other mean, if this one has no vectors.
    fn or(self, other: Self) -> Self {
        if self.count > 0 { self } else { other }
    }

    /// The mean; 0 without vectors.
    fn value(self) -> [f32; 3] {
        self.sum.map(|sum| (sum / f64::from(self.count.max(1))) as f32)
    }
}

/// The name, the rate and the parameters of a recording.
fn preset(file: &Path, trajectories: &Trajectories, space: &RecordedSpace, flock: Option<SimulatedFlock>) -> Preset {
    let known = flock.as_ref().and_then(|flock| Preset::load(&flock.preset).ok());
    let watchable = trajectories.shown_per_second().map(|rate| rate as f32).filter(|rate| *rate >= MIN_RATE);
    let rate = watchable.or(known.map(|preset| preset.rate)).unwrap_or(DEFAULT_RATE).clamp(RATE_RANGE.0, RATE_RANGE.1);
    let params = flock.map_or_else(|| typical_params(trajectories, space), |flock| flock.params);
    let boids = trajectories.rows(0).len();
    let [width, height, _] = space.world.size();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Preset {
        // Never the name of another preset.
        origin: file.display().to_string(),
        name,
        summary: "a recording".to_owned(),
        source: "a recording".to_owned(),
        boids,
        predators: 0,
        world: WorldSize::Fixed(space.world),
        area: width * height / boids.max(1) as f32,
        start: Start::Scatter,
        rate,
        params,
        zone_definitions: Vec::new(),
        customized: Vec::new(),
        from_user: false,
    }
}

/// Parameters whose radii and speeds are those of the animals.
fn typical_params(trajectories: &Trajectories, space: &RecordedSpace) -> Params {
    let mut params = Params::default();
    params.edge.mode = space.edge;
    let metric = params.metric(&space.world);
    let (mut distances, mut speeds) = (Vec::new(), Vec::new());
    let (most_frames, most_animals) = SAMPLE;
    for frame in (0..trajectories.frames()).step_by(trajectories.frames().div_ceil(most_frames).max(1)) {
        let rows = trajectories.rows(frame);
        let animals = most_animals.min(MAX_PAIRS / rows.len().max(1)).max(1);
        for row in rows.iter().step_by(rows.len().div_ceil(animals).max(1)) {
            let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
            let distance = |other: &Row| {
                let [from, to] = [row, other].map(|row| row.position.map(f64::from));
                length([0, 1, 2].map(|axis| metric.exact_offset(axis, from[axis], to[axis])))
            };
            let others = rows.iter().filter(|other| other.id != row.id);
            distances.extend(others.map(distance).min_by(f64::total_cmp));
            speeds.push(length(row.velocity.map(f64::from)));
        }
    }
    let typical = quantile(distances, 0.5).unwrap_or_else(|| f64::from(space.world.size()[0]) / 10.0);
    let radius = (NEIGHBORHOOD * typical) as f32;
    (params.separation.radius, params.alignment.radius, params.cohesion.radius) = (radius, radius, radius);
    (params.speed.min, params.speed.max) = (0.0, quantile(speeds, FAST).unwrap_or_default().max(1e-9) as f32);
    params
}

fn quantile(mut numbers: Vec<f64>, share: f64) -> Option<f64> {
    let at = (numbers.len().saturating_sub(1) as f64 * share) as usize;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Maximum size of the metadata, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// What the metadata say about the states.
#[derive(Debug, Default)]
pub(super) struct Sidecar {
    /// The simulated flock, unless the states are a recording.
    pub flock: Option<SimulatedFlock>,
    /// The unit of length.
    pub unit: Option<String>,
    /// Frames per second.
    pub frame_rate: Option<f64>,
}

/// The flock of a run.
#[derive(Debug)]
pub(super) struct SimulatedFlock {
    pub preset: String,
    pub world: World,
    pub params: Params,
}

impl Sidecar {
    /// The metadata beside a file; nothing is known without metadata of `run`.
    pub(super) fn of(file: &Path) -> Self {
        Self::read(file).unwrap_or_default()
    }

    fn read(file: &Path) -> Option<Self> {
        let mut path = file.as_os_str().to_owned();
        path.push(".json");
        let metadata: Json = serde_json::from_reader(BufReader::new(File::open(path).ok()?.take(MAX_BYTES))).ok()?;
        metadata.get("flockscope")?;
        let length = metadata.get("units").and_then(|units| units.get("length")?.as_str());
        Some(Self {
            flock: SimulatedFlock::read(&metadata),
            unit: length.map(str::to_owned),
            frame_rate: metadata.get("recording").and_then(|recording| recording.get("frame_rate")?.as_f64()),
        })
    }
}

impl SimulatedFlock {
    fn read(metadata: &Json) -> Option<Self> {
        let text = |object: &str, field: &str| metadata.get(object)?.get(field)?.as_str();
        let mut params = Params::default();
        let mut set = |key: &str, value: &str| {
            let param = Param::find(key)?;
            params.set(param.key, param.parse(value).ok()?).ok()
        };
        set("model", text("model", "name")?)?;
        for (key, value) in metadata.get("params")?.as_object()? {
            set(key, &value.as_str().map_or_else(|| value.to_string(), str::to_owned))?;
        }
        Some(Self { preset: text("preset", "name")?.to_owned(), world: text("world", "size")?.parse().ok()?, params })
    }
}
