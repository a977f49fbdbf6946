//! The tracks of a recording: positions, and which states are successive ones of the same animal.

use super::jumps::{Jumps, LeftOut, State};
use super::smoothing::polynomial_kernels;
use super::vectors::{Arena, difference, length, median, offset};
use crate::recording::Recording;
use flockscope_sim::{Edge, Kind, Metric, Row, Setup, World};

/// Half-widths of the windows that are tried, in frames.
const HALF_WIDTHS: [usize; 7] = [2, 3, 4, 6, 8, 12, 16];
/// Noise in positions makes successive second differences differ: white noise alone causes a correlation of −2/3. A path without noise has
/// none below this.
const NOISE_CORRELATION: f64 = -0.05;
/// The noise of smoothed accelerations, as a share of their size.
const NOISE_SHARE: f64 = 0.8;
/// Positions and velocities of a file describe the same motion if they differ by less than this share of the speed.
const CONSISTENT: f64 = 1e-3;
/// How many residuals are enough for a window.
const ENOUGH: usize = 100_000;

/// The rows of an animal from `reach` frames before a row to as many after it, if it is in all of them.
fn walk(before: &[Option<u32>], after: &[Option<u32>], row: usize, reach: usize) -> Option<Vec<usize>> {
    let mut at = row;
    for _ in 0..reach {
        at = before[at]? as usize;
    }
    let mut rows = vec![at];
    for _ in 0..2 * reach {
        at = after[at]? as usize;
        rows.push(at);
    }
    Some(rows)
}

/// The tracks as they were recorded, without the steps that no animal makes.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    pub(super) dim: usize,
    /// The size of the world on each axis if it is periodic, else 0.
    period: [f32; 3],
    pub(super) rows: Vec<Row>,
    pub(super) starts: Vec<usize>,
    pub(super) before: Vec<Option<u32>>,
    pub(super) after: Vec<Option<u32>>,
    /// Coordinates that run on over the border of a periodic world.
    paths: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
    pub(super) predators: Vec<Vec<Row>>,
    /// Whether the velocities of the file are the steps between its positions.
    pub(super) has_exact_velocities: bool,
    /// What was left out.
    pub(super) left_out: LeftOut,
    /// The frames before and after a step that no animal makes.
    pub(super) jumps: Vec<usize>,
}

impl Tracks {
    /// The tracks of a recording, in the world of its setup.
    pub(super) fn new(recording: &Recording, setup: &Setup) -> Self {
        let metric = setup.params.metric(&setup.world);
        let mut predators = Vec::new();
        let mut frames: Vec<Vec<State>> = Vec::new();
        for frame in 0..recording.frames() {
            let (hunted, hunters): (Vec<Row>, Vec<Row>) = recording
                .rows(frame)
                .filter(|row| row.kind != Kind::Caught)
                .map(|row| Row { mood: 0.0, bank: 0.0, ..row })
                .partition(|row| row.kind == Kind::Prey);
            let states = hunted.into_iter().map(|row| {
                let coordinates = recording.coordinates(frame, row.id).unwrap_or_default();
                State { row, path: difference(coordinates, recording.origin) }
            });
            frames.push(states.collect());
            predators.push(hunters);
        }
        let jumps = Jumps::find(&frames, &metric);
        for (frame, states) in frames.iter_mut().enumerate() {
            states.retain(|state| !jumps.dropped.contains(&(frame, state.row.id)));
        }
        let mut starts = vec![0];
        for states in &frames {
            starts.push(starts[starts.len() - 1] + states.len());
        }
        let rows: Vec<Row> = frames.iter().flatten().map(|state| state.row).collect();
        let mut tracks = Self {
            dim: setup.world.dim(),
            period: if setup.params.edge.mode == Edge::Wrap { setup.world.size() } else { [0.0; 3] },
            starts,
            before: vec![None; rows.len()],
            after: vec![None; rows.len()],
            paths: frames.iter().flatten().map(|state| state.path).collect(),
            velocities: rows.iter().map(|row| row.velocity.map(f64::from)).collect(),
            rows,
            predators,
            has_exact_velocities: false,
            left_out: jumps.left_out,
            jumps: jumps.cut.iter().flat_map(|(frame, _)| [frame - 1, *frame]).collect(),
        };
        tracks.link(&jumps, &metric);
        tracks.has_exact_velocities =
            !recording.has_derived_velocities && recording.stride == 1 && tracks.is_consistent();
        tracks
    }

    /// Links the states of each animal in successive frames, and continues its path over the border of a periodic world.
    fn link(&mut self, jumps: &Jumps, metric: &Metric) {
        for frame in 2..self.starts.len() {
            let earlier = self.starts[frame - 2]..self.starts[frame - 1];
            for row in self.starts[frame - 1]..self.starts[frame] {
                let id = self.rows[row].id;
                let found = self.rows[earlier.clone()].binary_search_by_key(&id, |row| row.id);
                if let Some(found) = found.ok().filter(|_| !jumps.cut.contains(&(frame - 1, id))) {
                    let found = earlier.start + found;
                    (self.before[row], self.after[found]) = (Some(found as u32), Some(row as u32));
                    let way = offset(metric, self.paths[found], self.paths[row]);
                    self.paths[row] = [0, 1, 2].map(|axis| self.paths[found][axis] + way[axis]);
                }
            }
        }
    }

    /// The tracks in every `step`th frame, whose velocities follow from the positions.
    pub(super) fn every(&self, step: usize) -> Self {
        let frames = || (0..self.starts.len() - 1).step_by(step);
        let kept: Vec<usize> = frames().flat_map(|frame| self.starts[frame]..self.starts[frame + 1]).collect();
        let mut places = vec![None; self.rows.len()];
        kept.iter().zip(0u32..).for_each(|(row, place)| places[*row] = Some(place));
        let linked = |links: &[Option<u32>]| -> Vec<Option<u32>> {
            let far = kept.iter().map(|row| (0..step).try_fold(*row, |row, _| links[row].map(|row| row as usize)));
            far.map(|row| places[row?]).collect()
        };
        let mut starts = vec![0];
        frames().for_each(|frame| starts.push(starts[starts.len() - 1] + self.starts[frame + 1] - self.starts[frame]));
        Self {
            dim: self.dim,
            period: self.period,
            starts,
            before: linked(&self.before),
            after: linked(&self.after),
            rows: kept.iter().map(|row| self.rows[*row]).collect(),
            paths: kept.iter().map(|row| self.paths[*row]).collect(),
            velocities: vec![[0.0; 3]; kept.len()],
            predators: frames().map(|frame| self.predators[frame].clone()).collect(),
            has_exact_velocities: false,
            left_out: self.left_out,
            jumps: Vec::new(),
        }
    }

    /// The area of the animals in a world: without states that were left out, no more than the box around the others.
    pub(super) fn arena(&self, world: &World) -> Arena {
        let (origin, size) = (world.origin(), world.size());
        [0, 1, 2].map(|axis| {
            let places = || self.rows.iter().map(|row| f64::from(row.position[axis]));
            let (low, high) = (f64::from(origin[axis]), f64::from(origin[axis] + size[axis]));
            if self.left_out.states == 0 {
                [low, high]
            } else {
                [places().fold(high, f64::min).max(low), places().fold(low, f64::max).min(high)]
            }
        })
    }

    /// Whether the velocities of the file are the steps of a simulation: those to the position in their frame, or to that in the next one.
    fn is_consistent(&self) -> bool {
        let (mut errors, mut speeds) = ([Vec::new(), Vec::new()], Vec::new());
        for (row, before) in self.before.iter().enumerate() {
            let Some(before) = before.map(|before| before as usize) else { continue };
            let step = difference(self.paths[row], self.paths[before]);
            for (errors, mover) in errors.iter_mut().zip([row, before]) {
                errors.push(length(difference(step, self.velocities[mover])));
            }
            speeds.push(length(step));
        }
        if speeds.is_empty() {
            return false;
        }
        let limit = CONSISTENT * median(&mut speeds);
        errors.iter_mut().any(|errors| median(errors) < limit)
    }

    /// The half-width of the smallest window that leaves little noise in accelerations, and the standard deviation of the noise in positions;
    /// 1 and 0 if noise cannot be seen.
    pub(super) fn choose_window(&self) -> (usize, f64) {
        // The correlation of successive second differences from the sizes of their sum and difference, whose medians outliers hardly change
        // (Gnanadesikan & Kettenring 1972, Biometrics 28, 81).
        let second = [1.0, -2.0, 1.0, 0.0, 0.0];
        let [sum, apart] = [1.0, -1.0].map(|sign| {
            let weights: Vec<f64> = (0..5).map(|k| second[k] + sign * second[(k + 4) % 5]).collect();
            self.size_of(&weights).powi(2)
        });
        if sum + apart == 0.0 || (sum - apart) / (sum + apart) > NOISE_CORRELATION {
            return (1, 0.0);
        }
        let (mut value, _) = polynomial_kernels(HALF_WIDTHS[0]);
        let center = value[HALF_WIDTHS[0]];
        // What the polynomial leaves of a position, but for its sign. As the position is part of the fit, it has 1 − center of the variance.
        value[HALF_WIDTHS[0]] -= 1.0;
        let noise = self.size_of(&value) / (1.0 - center).sqrt();
        let clear = HALF_WIDTHS.into_iter().find(|half_width| {
            let curvature = polynomial_kernels(*half_width).1;
            let of_noise = noise * curvature.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
            of_noise < NOISE_SHARE * self.size_of(&curvature)
        });
        (clear.unwrap_or(HALF_WIDTHS[HALF_WIDTHS.len() - 1]), noise)
    }

    /// The standard deviation of weighted sums of successive coordinates, from their median.
    fn size_of(&self, weights: &[f64]) -> f64 {
        let step = (self.rows.len() / ENOUGH).max(1);
        let mut sums = Vec::new();
        for row in (0..self.rows.len()).step_by(step) {
            let Some(rows) = walk(&self.before, &self.after, row, weights.len() / 2) else { continue };
            let sum = self.weighted(&rows, weights);
            sums.extend(sum[..self.dim].iter().map(|axis| axis.abs()));
        }
        // The median of the absolute values of a normal distribution is 0.6745 standard deviations.
        median(&mut sums) / 0.6745
    }

    fn weighted(&self, rows: &[usize], weights: &[f64]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (row, weight) in rows.iter().zip(weights) {
            for (sum, path) in sum.iter_mut().zip(&self.paths[*row]).take(self.dim) {
                *sum += weight * path;
            }
        }
        sum
    }

    /// Sets positions to those of polynomials, and velocities to the steps that led to them.
    pub(super) fn derive_velocities(&mut self, half_width: usize) {
        let value = polynomial_kernels(half_width).0;
        let smooth: Vec<[f64; 3]> = (0..self.rows.len())
            .map(|row| match walk(&self.before, &self.after, row, half_width) {
                Some(rows) if half_width > 1 => self.weighted(&rows, &value),
                _ => self.paths[row],
            })
            .collect();
        for row in 0..self.rows.len() {
            let ends = match (self.before[row], self.after[row]) {
                (Some(before), _) => Some((before as usize, row)),
                (None, Some(after)) => Some((row, after as usize)),
                (None, None) => None,
            };
            let velocity = ends.map_or([0.0; 3], |(from, to)| difference(smooth[to], smooth[from]));
            let moved = difference(smooth[row], self.paths[row]);
            let at = self.rows[row].position;
            let place = [0, 1, 2].map(|axis| f64::from(at[axis]) + moved[axis]);
            self.rows[row].position = [0, 1, 2].map(|axis| image(place[axis], self.period[axis]));
            self.rows[row].velocity = velocity.map(|axis| axis as f32);
            // Changes are second differences of the recorded positions, not of the smoothed ones.
            self.velocities[row] = ends.map_or([0.0; 3], |(from, to)| difference(self.paths[to], self.paths[from]));
        }
    }

    /// The change of velocity that was observed.
    pub(super) fn change(&self, row: usize) -> Option<[f64; 3]> {
        self.before[row]?;
        Some(difference(self.velocities[self.after[row]? as usize], self.velocities[row]))
    }
}

/// A coordinate inside a world with this period, if it has one.
fn image(at: f64, period: f32) -> f32 {
    if period == 0.0 {
        return at as f32;
    }
    let inside = at.rem_euclid(f64::from(period)) as f32;
    if inside < period { inside } else { 0.0 }
}
