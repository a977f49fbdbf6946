//! How the animals of a recording move: positions, velocities and changes of velocity, without the noise of tracking.
//!
//! Positions are smoothed by local polynomials (Savitzky & Golay 1964, *Smoothing and differentiation of data by simplified least
//! squares procedures*, Anal. Chem. 36, 1627). The second derivative of such a polynomial is a weighted mean of second differences.
//! A fit takes the same mean of what its rules predict, so that smoothing does not bias it.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::vectors::{difference, length, median};
use crate::recording::Recording;
use flockscope_sim::{Edge, Kind, Row, Setup};

/// Half-widths of the windows that are tried, in frames.
const HALF_WIDTHS: [usize; 7] = [2, 3, 4, 6, 8, 12, 16];
/// Noise in positions makes successive second differences differ: white noise alone causes a correlation of −2/3. A path without noise has
/// none below this.
const NOISE_CORRELATION: f64 = -0.15;
/// The noise of smoothed accelerations, as a share of their size.
const NOISE_SHARE: f64 = 0.8;
/// Positions and velocities of a file describe the same motion if they differ by less than this share of the speed.
const CONSISTENT: f64 = 1e-3;
/// How many residuals are enough for a window.
const ENOUGH: usize = 100_000;

/// The motion of all animals, without predators. Times are in frames.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) dim: usize,
    /// Smoothed states, by frame and then by id.
    pub(super) rows: Vec<Row>,
    /// Where each frame begins in the rows, and the number of rows.
    pub(super) starts: Vec<usize>,
    /// The changes of velocity that were observed, in u/frame²; `None` at the ends of tracks.
    pub(super) changes: Vec<Option<[f64; 3]>>,
    /// The row of the same animal one frame before, if there is one.
    pub(super) before: Vec<Option<u32>>,
    /// The row of the same animal one frame later, if there is one.
    pub(super) after: Vec<Option<u32>>,
    /// The weights of successive changes in a change that was observed. Their sum is 1; a single one if nothing is smoothed.
    pub(super) kernel: Vec<f64>,
    /// The standard deviation of the noise in each coordinate, in u; 0 if it is too small to be seen.
    pub(super) noise: f64,
    /// The standard deviation of an observed change that noise causes, in u/frame².
    pub(super) change_noise: f64,
}

impl Motion {
    /// The motion in a recording, in the world of its setup. The window is as wide as the path allows.
    pub(super) fn new(setup: &Setup, recording: &Recording) -> Self {
        Self::in_window(setup, recording, None)
    }

    /// The same motion in half the window, and with as much noise again, to see how much smoothing and noise matter. None if nothing is
    /// smoothed.
    pub(super) fn variants(&self, setup: &Setup, recording: &Recording) -> Vec<Self> {
        let half_width = self.kernel.len().div_ceil(2);
        if half_width == 1 {
            return Vec::new();
        }
        let half = (half_width / 2).max(HALF_WIDTHS[0]);
        [(half, 0.0), (half_width, self.noise)].map(|given| Self::in_window(setup, recording, Some(given))).into()
    }

    /// The motion in the window of this half-width, and with this noise added; else in the widest window that the path allows.
    fn in_window(setup: &Setup, recording: &Recording, given: Option<(usize, f64)>) -> Self {
        let dim = setup.world.dim();
        let mut raw = Raw::new(recording, setup);
        let stride = recording.stride as f64;
        let is_exact = !recording.has_derived_velocities && stride == 1.0 && raw.is_consistent();
        let (chosen, noise) = if is_exact { (1, 0.0) } else { raw.choose_window() };
        let (half_width, added) = given.unwrap_or((chosen, 0.0));
        raw.add_noise(added);
        if !is_exact {
            raw.derive_velocities(half_width);
        }
        let kernel = change_kernel(half_width);
        let changes = (0..raw.rows.len()).map(|row| raw.change(row, &kernel)).collect();
        let curvature = polynomial_kernels(half_width).1;
        let change_noise = noise * curvature.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
        let Raw { rows, starts, before, after, .. } = raw;
        Self { dim, rows, starts, changes, before, after, kernel, noise, change_noise }
    }

    pub(super) fn frames(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of observed changes of velocity.
    pub(super) fn change_count(&self) -> usize {
        self.changes.iter().flatten().count()
    }

    /// The largest number of animals in a frame.
    pub(super) fn largest_frame(&self) -> usize {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }

    pub(super) fn frame(&self, frame: usize) -> &[Row] {
        &self.rows[self.starts[frame]..self.starts[frame + 1]]
    }

    /// The rows whose changes are averaged into the observed change of a row; none if there is no such change.
    pub(super) fn averaged(&self, row: usize) -> Option<Vec<usize>> {
        self.changes[row]?;
        walk(&self.before, &self.after, row, self.kernel.len() / 2)
    }
}

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

/// The tracks as they were recorded.
struct Raw {
    dim: usize,
    /// The size of the world on each axis if it is periodic, else 0.
    period: [f32; 3],
    rows: Vec<Row>,
    starts: Vec<usize>,
    before: Vec<Option<u32>>,
    after: Vec<Option<u32>>,
    /// Coordinates that run on over the border of a periodic world.
    paths: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
}

impl Raw {
    fn new(recording: &Recording, setup: &Setup) -> Self {
        let metric = setup.params.metric(&setup.world);
        let period = if setup.params.edge.mode == Edge::Wrap { setup.world.size() } else { [0.0; 3] };
        let (mut rows, mut starts, mut paths) = (Vec::new(), vec![0], Vec::new());
        for frame in 0..recording.frames() {
            for row in recording.rows(frame).filter(|row| row.kind == Kind::Prey) {
                let coordinates = recording.coordinates(frame, row.id).unwrap_or_default();
                paths.push([0, 1, 2].map(|axis| coordinates[axis] - recording.origin[axis]));
                rows.push(Row { mood: 0.0, bank: 0.0, ..row });
            }
            starts.push(rows.len());
        }
        let (mut before, mut after) = (vec![None; rows.len()], vec![None; rows.len()]);
        for frame in 2..starts.len() {
            let earlier = &rows[starts[frame - 2]..starts[frame - 1]];
            for row in starts[frame - 1]..starts[frame] {
                if let Ok(found) = earlier.binary_search_by_key(&rows[row].id, |row| row.id) {
                    let found = starts[frame - 2] + found;
                    (before[row], after[found]) = (Some(found as u32), Some(row as u32));
                    let way = |axis| metric.exact_offset(axis, paths[found][axis], paths[row][axis]);
                    paths[row] = [0, 1, 2].map(|axis| paths[found][axis] + way(axis));
                }
            }
        }
        let velocities = rows.iter().map(|row| row.velocity.map(f64::from)).collect();
        Self { dim: setup.world.dim(), period, rows, starts, before, after, paths, velocities }
    }

    /// Adds normally distributed noise of this standard deviation to all coordinates, always the same.
    fn add_noise(&mut self, deviation: f64) {
        if deviation > 0.0 {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            // The sum of twelve uniform numbers has the variance 1.
            let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
            let axes = self.paths.iter_mut().flat_map(|path| &mut path[..self.dim]);
            for axis in axes {
                *axis += deviation * normal();
            }
        }
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
    fn choose_window(&self) -> (usize, f64) {
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
        for weight in &mut value {
            *weight = -*weight;
        }
        value[HALF_WIDTHS[0]] += 1.0;
        let noise = self.size_of(&value) / (1.0 - center).sqrt();
        let is_clear = |half_width: &usize| {
            let curvature = polynomial_kernels(*half_width).1;
            let of_noise = noise * curvature.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
            of_noise < NOISE_SHARE * self.size_of(&curvature)
        };
        let last = HALF_WIDTHS[HALF_WIDTHS.len() - 1];
        (HALF_WIDTHS.into_iter().find(is_clear).unwrap_or(last), noise)
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
    fn derive_velocities(&mut self, half_width: usize) {
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

    /// The change of velocity that was observed, smoothed by a kernel.
    fn change(&self, row: usize, kernel: &[f64]) -> Option<[f64; 3]> {
        let rows = walk(&self.before, &self.after, row, kernel.len() / 2)?;
        let mut sum = [0.0; 3];
        for (row, weight) in rows.into_iter().zip(kernel) {
            self.before[row]?;
            let change = difference(self.velocities[self.after[row]? as usize], self.velocities[row]);
            sum = [0, 1, 2].map(|axis| sum[axis] + weight * change[axis]);
        }
        Some(sum)
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

/// The weights of positions in the value and in the second derivative at the center of the quadratic polynomial that fits them
/// best, in a window of this half-width (Savitzky & Golay 1964).
fn polynomial_kernels(half_width: usize) -> (Vec<f64>, Vec<f64>) {
    let places: Vec<f64> = (0..=2 * half_width).map(|place| place as f64 - half_width as f64).collect();
    let count = places.len() as f64;
    let (s2, s4) = places.iter().fold((0.0, 0.0), |(s2, s4), x| (s2 + x * x, s4 + x.powi(4)));
    let determinant = count * s4 - s2 * s2;
    let value = places.iter().map(|x| (s4 - s2 * x * x) / determinant).collect();
    let curvature = places.iter().map(|x| 2.0 * (count * x * x - s2) / determinant).collect();
    (value, curvature)
}

/// The weights of second differences of positions in the second derivative of such a polynomial.
fn change_kernel(half_width: usize) -> Vec<f64> {
    let curvature = polynomial_kernels(half_width).1;
    let weight = |at: usize| (at + 1..curvature.len()).map(|k| (k - at) as f64 * curvature[k]).sum();
    (1..curvature.len() - 1).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_those_of_savitzky_and_golay() {
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12) && a.len() == b.len();
        let (value, curvature) = polynomial_kernels(2);
        assert!(close(&value, &[-3.0, 12.0, 17.0, 12.0, -3.0].map(|weight| weight / 35.0)), "{value:?}");
        assert!(close(&curvature, &[2.0, -1.0, -2.0, -1.0, 2.0].map(|weight| weight / 7.0)), "{curvature:?}");
        assert!(close(&change_kernel(1), &[1.0]));
        assert!((change_kernel(6).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
