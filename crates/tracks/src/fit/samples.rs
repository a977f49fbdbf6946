//! The changes of velocity that are fitted, and the sums of rules for them.

use std::ops::Range;

use rayon::prelude::*;

use super::dictionary::{Dictionary, Term};
use super::limits::{Change, Limits};
use super::motion::Motion;
use super::sums::{Place, of_frame};
use super::vectors::{across, apply, difference, dot, length, median, unit, way};

/// The number of blocks of time.
pub(super) const BLOCKS: usize = 20;
/// Animals with a neighbor nearer than this share of the median are left out: a tracker may see one animal as two.
const CROWDED: f64 = 0.02;
/// The largest ratio of the weights of equations along the heading and across it.
const LARGEST_SCALE: f64 = 100.0;

/// How changes are sampled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampling {
    /// The frames by which instruments are earlier.
    pub(super) lags: &'static [usize],
    /// The frames after which animals respond to others.
    pub(super) delay: usize,
    /// The number of changes, at most about this many.
    pub(super) count: usize,
    /// Whether the frames of a block of time are successive, and not spread.
    pub(super) is_successive: bool,
}

impl Sampling {
    /// Whether velocities are exact, so that sums of the same frame are instruments.
    pub(super) fn is_exact(&self) -> bool {
        self.lags == [0]
    }
}

/// Samples of a frame.
struct Sampled {
    frame: usize,
    block: usize,
    rows: Vec<usize>,
}

/// Changes of a motion, spread over all blocks of time.
pub(super) struct Samples<'a> {
    pub(super) motion: &'a Motion,
    pub(super) place: Place,
    pub(super) sampling: Sampling,
    /// The weights of equations along the heading and across it.
    pub(super) scales: [f64; 2],
    frames: Vec<Sampled>,
}

/// The sums of terms for all samples, by frame: a sample after the other.
pub(super) struct Columns {
    pub(super) terms: Vec<Term>,
    frames: Vec<Vec<[f32; 3]>>,
}

impl<'a> Samples<'a> {
    pub(super) fn new(motion: &'a Motion, place: Place, dictionary: &Dictionary, sampling: Sampling) -> Self {
        let per_frame = motion.change_count().div_ceil(motion.frames().max(1)).max(1);
        // Correlations are between three frames.
        let fewest = if sampling.is_successive { 5 } else { 1 };
        let wanted = sampling.count.div_ceil(per_frame * BLOCKS).max(fewest);
        let longest = sampling.lags.iter().copied().max().unwrap_or(0);
        let chosen: Vec<(usize, usize)> = (0..BLOCKS)
            .flat_map(|block| {
                let [from, to] = [block, block + 1].map(|end| motion.frames() * end / BLOCKS);
                let count = wanted.min(to - from);
                (0..count).map(move |k| {
                    let skipped =
                        if sampling.is_successive { (to - from - count) / 2 + k } else { (to - from) * k / count };
                    (from + skipped, block)
                })
            })
            .filter(|(frame, _)| *frame >= longest.max(sampling.delay))
            .collect();
        let nearest = CROWDED * dictionary.nearest;
        let is_crowded = |row: usize, frame: usize| {
            let own = motion.rows[row];
            let mut animals = motion.frame(frame).animals.iter();
            animals.any(|other| other.id != own.id && length(way(&place.metric, &own, other)) < nearest)
        };
        let sampled = chosen.into_par_iter().map(|(frame, block)| {
            let rows = (motion.starts[frame]..motion.starts[frame + 1]).filter(|&row| {
                let mut with_sums = sampling.lags.iter().chain([&sampling.delay]).map(|lag| frame - lag);
                motion.changes[row].is_some()
                    && !place.is_at_wall(&motion.rows[row])
                    && !is_crowded(row, frame)
                    && with_sums.all(|frame| {
                        let earlier = motion.row_of(frame, motion.rows[row].id);
                        earlier.is_some_and(|row| motion.is_moving[row] && !is_crowded(row, frame))
                    })
            });
            Sampled { frame, block, rows: rows.collect() }
        });
        let frames = sampled.filter(|sampled| !sampled.rows.is_empty()).collect();
        Self { motion, place, sampling, scales: [1.0; 2], frames }
    }

    pub(super) fn count(&self) -> usize {
        self.frames.iter().map(|sampled| sampled.rows.len()).sum()
    }

    /// The number of blocks of time that have samples.
    pub(super) fn blocks(&self) -> usize {
        (0..BLOCKS).filter(|block| !self.frames_of(*block).is_empty()).count()
    }

    /// The places of the frames of a block.
    pub(super) fn frames_of(&self, block: usize) -> Range<usize> {
        let [from, to] = [block, block + 1].map(|end| self.frames.partition_point(|sampled| sampled.block < end));
        from..to
    }

    /// The sums of these terms.
    pub(super) fn columns(&self, terms: &[Term]) -> Columns {
        let motion = self.motion;
        let frames = self.frames.par_iter().map(|sampled| {
            let of_frame = |frame: usize| of_frame(&motion.frame(frame), terms, &self.place);
            let now = of_frame(sampled.frame);
            let earlier = sampled.frame - self.sampling.delay;
            let then = if self.sampling.delay > 0 { of_frame(earlier) } else { Vec::new() };
            let mut sums = Vec::with_capacity(sampled.rows.len() * terms.len());
            for &row in &sampled.rows {
                let at = (row - motion.starts[sampled.frame]) * terms.len();
                sums.extend_from_slice(&now[at..at + terms.len()]);
                if self.sampling.delay > 0 {
                    let row = motion.row_of(earlier, motion.rows[row].id).unwrap_or(motion.starts[earlier]);
                    let from = (row - motion.starts[earlier]) * terms.len();
                    let own = sums.len() - terms.len();
                    for (k, _) in terms.iter().enumerate().filter(|(_, term)| term.rule.is_interaction()) {
                        sums[own + k] = then[from + k];
                    }
                }
            }
            sums
        });
        Columns { terms: terms.to_vec(), frames: frames.collect() }
    }

    /// The sums of a bank of terms in earlier frames: for each frame a row for each sample and axis.
    pub(super) fn earlier(&self, bank: &[Term], lags: &[usize]) -> Vec<Vec<f64>> {
        let (motion, dim) = (self.motion, self.place.dim);
        let width = bank.len() * lags.len();
        let frames = self.frames.par_iter().map(|sampled| {
            let mut values = vec![0.0; sampled.rows.len() * dim * width];
            for (at, lag) in lags.iter().enumerate() {
                let frame = sampled.frame - lag;
                let sums = of_frame(&motion.frame(frame), bank, &self.place);
                for (sample, row) in sampled.rows.iter().enumerate() {
                    let row = motion.row_of(frame, motion.rows[*row].id).unwrap_or(*row);
                    let from = (row - motion.starts[frame]) * bank.len();
                    for (term, sum) in sums[from..from + bank.len()].iter().enumerate() {
                        let sum = self.scaled(self.effective(sum.map(f64::from), row), row);
                        for axis in 0..dim {
                            values[(sample * dim + axis) * width + at * bank.len() + term] = sum[axis];
                        }
                    }
                }
            }
            values
        });
        frames.collect()
    }

    /// The part of an acceleration that can change a velocity: that across the heading if speeds do not vary.
    fn effective(&self, acceleration: [f64; 3], row: usize) -> [f64; 3] {
        if !self.place.keeps_speed {
            return acceleration;
        }
        apply(&across(unit(self.velocity(row))), acceleration)
    }

    /// A vector whose parts along the heading and across it have the weights of equations.
    fn scaled(&self, vector: [f64; 3], row: usize) -> [f64; 3] {
        let [along, across] = self.scales;
        if along == across {
            return vector;
        }
        let heading = unit(self.velocity(row));
        let ahead = (along - across) * dot(vector, heading);
        [0, 1, 2].map(|axis| across * vector[axis] + ahead * heading[axis])
    }

    /// The weights of equations that belong to predictions: the smaller the residuals along the heading or across it, the larger.
    pub(super) fn scales_of(&self, predictions: &[Prediction]) -> [f64; 2] {
        let mut sizes = [Vec::new(), Vec::new()];
        for prediction in predictions {
            let (residual, heading) = (prediction.residual(), unit(self.velocity(prediction.row)));
            let ahead = dot(residual, heading);
            sizes[0].push(ahead.abs());
            sizes[1].push(((dot(residual, residual) - ahead * ahead).max(0.0) / (self.place.dim - 1) as f64).sqrt());
        }
        let [along, across] = sizes.each_mut().map(|sizes| median(sizes));
        // Otherwise, speeds that the rules explain exactly would give all weight to the equations along the heading.
        let least = along.max(across) / LARGEST_SCALE;
        [along, across].map(|size| along.max(across) / size.max(least).max(f64::MIN_POSITIVE))
    }

    /// The observed changes of a frame, a row for each sample.
    fn changes(&self, frame: usize) -> impl Iterator<Item = (usize, [f64; 3])> {
        let rows = self.frames[frame].rows.iter();
        rows.map(|row| (*row, self.effective(self.motion.changes[*row].unwrap_or_default(), *row)))
    }

    /// The equations of a frame: for each sample and axis the sums of all terms, and what they have to explain. Through the limits of a tick,
    /// the former are slopes at a point, of which the last one is that by the limit of force.
    pub(super) fn equations(&self, frame: usize, columns: &Columns, point: Option<&Point>) -> (Vec<f64>, Vec<f64>) {
        let (dim, count) = (self.place.dim, columns.terms.len());
        let width = count_unknowns(count, point);
        let extra = width - count;
        let mut rows = vec![0.0; self.frames[frame].rows.len() * dim * width];
        let mut targets = Vec::with_capacity(rows.len() / width.max(1));
        for (sample, (row, change)) in self.changes(frame).enumerate() {
            let sums = &columns.frames[frame][sample * count..(sample + 1) * count];
            let tick = point.map(|point| point.change(self.velocity(row), sums));
            for (k, sum) in sums.iter().enumerate() {
                let sum = match &tick {
                    Some(tick) => tick.slope(*sum),
                    None => self.effective(sum.map(f64::from), row),
                };
                let sum = self.scaled(sum, row);
                (0..dim).for_each(|axis| rows[(sample * dim + axis) * width + k] = sum[axis]);
            }
            // A Gauss–Newton step: the residual plus what the slopes explain, so that the unknowns are weights and not their changes.
            let mut target = change;
            if let (Some(point), Some(tick)) = (point, &tick) {
                let steering = tick.slope(point.steering(sums).map(|axis| axis as f32));
                let by_force =
                    if extra > 0 { tick.force_slope.map(|axis| axis * point.limits.force) } else { [0.0; 3] };
                target = [0, 1, 2].map(|axis| target[axis] + steering[axis] - tick.velocity[axis] + by_force[axis]);
                let slope = self.scaled(tick.force_slope, row);
                (0..dim * extra).for_each(|axis| rows[(sample * dim + axis) * width + count] = slope[axis]);
            }
            let target = self.scaled(target, row);
            targets.extend_from_slice(&target[..dim]);
        }
        (rows, targets)
    }

    fn velocity(&self, row: usize) -> [f64; 3] {
        self.motion.rows[row].velocity.map(f64::from)
    }

    /// The mean square of changes on each axis.
    pub(super) fn mean_square(&self) -> f64 {
        let changes = (0..self.frames.len()).flat_map(|frame| self.changes(frame));
        let squares: f64 = changes.map(|(_, change)| dot(change, change)).sum();
        (squares / (self.count() * self.place.dim).max(1) as f64).max(f64::MIN_POSITIVE)
    }

    /// The row of each sample, its change, and what a point predicts, in order.
    pub(super) fn predictions(&self, columns: &Columns, point: &Point) -> Vec<Prediction> {
        let (count, is_limited) = (columns.terms.len(), point.limits.are_seen());
        let frames = (0..self.frames.len()).into_par_iter();
        let predictions = frames.flat_map_iter(|frame| {
            self.changes(frame).enumerate().map(move |(sample, (row, change))| {
                let sums = &columns.frames[frame][sample * count..(sample + 1) * count];
                let predicted = if is_limited {
                    point.change(self.velocity(row), sums).velocity
                } else {
                    self.effective(point.steering(sums), row)
                };
                Prediction { row, change, predicted }
            })
        });
        predictions.collect()
    }
}

impl Columns {
    /// The size of the steering of all samples without limits.
    pub(super) fn steering(&self, point: &Point) -> Vec<f64> {
        let sums = self.frames.iter().flat_map(|frame| frame.chunks(self.terms.len().max(1)));
        sums.map(|sums| length(point.steering(sums))).collect()
    }

    /// Adds other terms of the same samples.
    pub(super) fn join(&mut self, other: Self) {
        let (own, more) = (self.terms.len(), other.terms.len());
        if more == 0 {
            return;
        }
        for (frame, others) in self.frames.iter_mut().zip(other.frames) {
            let samples = frame.chunks(own).zip(others.chunks(more));
            *frame = samples.flat_map(|(own, more)| [own, more].concat()).collect();
        }
        self.terms.extend(other.terms);
    }

    /// Some of the terms.
    pub(super) fn select(&self, places: &[usize]) -> Self {
        let frames = self.frames.iter().map(|frame| {
            frame.chunks(self.terms.len().max(1)).flat_map(|sums| places.iter().map(|place| sums[*place])).collect()
        });
        Self { terms: places.iter().map(|place| self.terms[*place]).collect(), frames: frames.collect() }
    }

    /// The root mean square of each sum.
    pub(super) fn strengths(&self) -> Vec<f64> {
        let (mut squares, mut count) = (vec![0.0; self.terms.len()], 0.0f64);
        for sums in self.frames.iter().flat_map(|frame| frame.chunks(self.terms.len().max(1))) {
            squares.iter_mut().zip(sums).for_each(|(square, sum)| *square += length(sum.map(f64::from)).powi(2));
            count += 1.0;
        }
        squares.into_iter().map(|square| (square / count.max(1.0)).sqrt()).collect()
    }
}

/// Weights of all terms and limits of a tick, through which changes are predicted.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) weights: Vec<f64>,
    pub(super) limits: Limits,
}

impl Point {
    /// The steering without limits.
    pub(super) fn steering(&self, sums: &[[f32; 3]]) -> [f64; 3] {
        let mut steering = [0.0; 3];
        for (sum, weight) in sums.iter().zip(&self.weights).filter(|(_, weight)| **weight != 0.0) {
            steering = [0, 1, 2].map(|axis| steering[axis] + weight * f64::from(sum[axis]));
        }
        steering
    }

    /// The weights, and the limit of the steering if there is one.
    pub(super) fn unknowns(&self) -> Vec<f64> {
        self.weights.iter().copied().chain(Some(self.limits.force).filter(|force| force.is_finite())).collect()
    }

    /// The point with other weights and another limit of the steering, at least half as large: one below 0 has no meaning.
    pub(super) fn with_unknowns(&self, unknowns: &[f64]) -> Self {
        let (weights, force) = unknowns.split_at(self.weights.len());
        let force = force.first().map_or(f64::INFINITY, |force| force.max(0.5 * self.limits.force));
        Self { weights: weights.to_vec(), limits: Limits { force, ..self.limits } }
    }

    fn change(&self, velocity: [f64; 3], sums: &[[f32; 3]]) -> Change {
        Change::new(velocity, self.steering(sums), &self.limits)
    }
}

/// The number of unknowns of equations of so many terms: their weights, and a limit of the steering if the point has one.
pub(super) fn count_unknowns(terms: usize, point: Option<&Point>) -> usize {
    terms + usize::from(point.is_some_and(|point| point.limits.force.is_finite()))
}

/// An observed change of velocity, and a predicted one, in u/frame².
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    pub(super) row: usize,
    pub(super) change: [f64; 3],
    pub(super) predicted: [f64; 3],
}

impl Prediction {
    pub(super) fn residual(&self) -> [f64; 3] {
        difference(self.change, self.predicted)
    }
}

/// R² of predictions.
pub(super) fn explained(predictions: &[Prediction]) -> f64 {
    let left: f64 = predictions.iter().map(|prediction| dot(prediction.residual(), prediction.residual())).sum();
    let all: f64 = predictions.iter().map(|prediction| dot(prediction.change, prediction.change)).sum();
    if all > 0.0 { 1.0 - left / all } else { 0.0 }
}
