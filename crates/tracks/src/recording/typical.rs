//! Parameters for animals that follow no known rules, which measures and pictures use.

use super::Recording;
use flockscope_sim::{Edge, Params, Row};

/// The distance within which animals are neighbors, in median distances to the nearest one.
const NEIGHBORHOOD: f64 = 3.0;
/// How many frames, and how many animals in each, are looked at for typical distances and speeds.
const SAMPLE: (usize, usize) = (20, 100);
/// The most distances in each of these frames.
const MAX_PAIRS: usize = 1_000_000;
/// The share of speeds below the one that colors show as the highest.
const FAST: f64 = 0.98;

/// Parameters whose radii and speeds are those of the animals.
pub(crate) fn typical_params(recording: &Recording, edge: Edge) -> Params {
    let mut params = Params::default();
    params.edge.mode = edge;
    let metric = params.metric(&recording.world);
    let (mut distances, mut speeds) = (Vec::new(), Vec::new());
    let (most_frames, most_animals) = SAMPLE;
    for frame in (0..recording.frames()).step_by(recording.frames().div_ceil(most_frames).max(1)) {
        let rows: Vec<Row> = recording.rows(frame).collect();
        let animals = most_animals.min(MAX_PAIRS / rows.len().max(1)).max(1);
        for row in rows.iter().step_by(rows.len().div_ceil(animals).max(1)) {
            let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
            let others = rows.iter().filter(|other| other.id != row.id).map(|other| {
                let [from, to] = [row, other].map(|row| row.position.map(f64::from));
                length([0, 1, 2].map(|axis| metric.exact_offset(axis, from[axis], to[axis])))
            });
            distances.extend(others.min_by(f64::total_cmp));
            speeds.push(length(row.velocity.map(f64::from)));
        }
    }
    let typical = quantile(distances, 0.5).unwrap_or_else(|| f64::from(recording.world.size()[0]) / 10.0);
    let radius = (NEIGHBORHOOD * typical) as f32;
    (params.separation.radius, params.alignment.radius, params.cohesion.radius) = (radius, radius, radius);
    (params.speed.min, params.speed.max) = (0.0, quantile(speeds, FAST).unwrap_or_default().max(1e-9) as f32);
    params
}

/// The number below which a share of numbers lies; `None` without any.
pub(crate) fn quantile(mut numbers: Vec<f64>, share: f64) -> Option<f64> {
    let at = (numbers.len().saturating_sub(1) as f64 * share) as usize;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(at, f64::total_cmp).1)
}
