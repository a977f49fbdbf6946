//! A model of a motion: rules with their radii and forms, and the weights and limits that predict the changes best.

use std::ops::Range;

use super::instruments::Linear;
use super::limits::Limits;
use super::motion::Motion;
use super::regression::{Block, Column, Problem, Sample, Solution, force};
use super::rules::{Frames, Rule};
use super::sums::Term;
use super::vectors::{Arena, dot, length, median, quantile};
use flockscope_sim::{MAX_WEIGHT, Params, Row, Setup};

/// The steps to a solution; those of the first search start near it.
const STEPS: usize = 12;
pub(super) const COARSE_STEPS: usize = 8;
/// A rule or a limit enters if it lowers the error by this many standard errors …
pub(super) const PROMISING: f64 = 1.0;
/// … and by this share.
const RELEVANT: f64 = 1e-3;
/// At least this share of the steering is not limited.
const FEW: f64 = 0.1;

/// A rule that was found.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) rule: Rule,
    pub(super) columns: Vec<Column>,
}

/// The best model so far.
#[derive(Clone)]
pub(super) struct Model {
    /// Radii and forms; weights and limits are those of the solution.
    pub(super) params: Params,
    pub(super) found: Vec<Found>,
    pub(super) solution: Solution,
}

impl Model {
    pub(super) fn rules(&self) -> impl Iterator<Item = Rule> {
        self.found.iter().map(|found| found.rule)
    }

    /// Its terms, in the order of its weights.
    pub(super) fn terms(&self, dim: usize) -> Vec<Term> {
        self.rules().flat_map(|rule| Term::of(rule, &self.params, dim)).collect()
    }

    pub(super) fn columns(&self) -> Vec<&Column> {
        self.found.iter().flat_map(|found| &found.columns).collect()
    }

    /// The places of a rule's weights among all weights.
    pub(super) fn weights(&self, rule: Rule) -> Range<usize> {
        let counts = self.found.iter().take_while(|found| found.rule != rule).map(|found| found.columns.len());
        let first = counts.sum();
        let count = self.found.iter().find(|found| found.rule == rule).map_or(0, |found| found.columns.len());
        first..first + count
    }

    /// Leaves out a rule, and keeps the weights of the others.
    pub(super) fn remove(&mut self, rule: Rule) {
        let weights = self.weights(rule);
        self.solution.weights.drain(weights.clone());
        self.solution.left_out.iter_mut().for_each(|left_out| drop(left_out.drain(weights.clone())));
        self.found.retain(|found| found.rule != rule);
    }

    /// Whether the weight of a rule is possible.
    pub(super) fn is_valid(&self, rule: Rule) -> bool {
        let range = 0.0..f64::from(MAX_WEIGHT);
        let weights = &self.solution.weights[self.weights(rule)];
        weights.iter().all(|weight| range.contains(&if rule.is_signed() { weight.abs() } else { *weight }))
    }

    /// The root mean square steering of a rule, in u/frame².
    pub(super) fn steering(&self, rule: Rule) -> f64 {
        let weights = self.weights(rule);
        let columns = &self.columns()[weights.clone()];
        let terms = columns.iter().zip(&self.solution.weights[weights]);
        terms.map(|(column, weight)| (weight * strength(column)).powi(2)).sum::<f64>().sqrt()
    }

    /// The steering of a rule as a share of the sum over all rules.
    pub(super) fn share(&self, rule: Rule) -> f64 {
        let all: f64 = self.rules().map(|rule| self.steering(rule)).sum();
        if all > 0.0 { self.steering(rule) / all } else { 0.0 }
    }
}

/// Samples of a motion, on which models are solved.
pub(super) struct Samples<'a> {
    /// Computes the sums of rules.
    pub(super) frames: Frames<'a>,
    rows: &'a [Row],
    pub(super) problem: Problem,
    /// The mean speed.
    pub(super) speed: f64,
    /// The standard deviation of an observed change that the noise of tracking causes.
    change_noise: f64,
    /// The largest random turn in medians of turns.
    turn_ratio: f64,
}

/// Half of the turns are below half of the largest. Means of several turns are about normally distributed.
fn turn_ratio(kernel: &[f64]) -> f64 {
    match kernel.len() {
        1 => 2.0,
        _ => 3f64.sqrt() * 1.4826 / kernel.iter().map(|weight| weight * weight).sum::<f64>().sqrt(),
    }
}

impl<'a> Samples<'a> {
    /// About this many samples; `None` if the motion has too few.
    pub(super) fn new(motion: &'a Motion, place: (&Setup, Arena), count: usize) -> Option<Self> {
        Self::of_frames(motion, Frames::choose(motion, place, count, motion.kernel.len() > 1))
    }

    /// About this many samples of successive frames.
    pub(super) fn successive(motion: &'a Motion, place: (&Setup, Arena), count: usize) -> Option<Self> {
        Self::of_frames(motion, Frames::choose(motion, place, count, true))
    }

    fn of_frames(motion: &'a Motion, (frames, blocks): (Frames<'a>, Vec<Block>)) -> Option<Self> {
        if blocks.len() < 2 {
            return None;
        }
        let speed = motion.speed;
        let problem =
            Problem { blocks, deviations: [1.0; 2], least: speed.max(f64::MIN_POSITIVE) * 1e-6, steps: STEPS };
        let (rows, change_noise) = (&motion.rows, motion.change_noise);
        Some(Self { frames, rows, problem, speed, change_noise, turn_ratio: turn_ratio(&motion.kernel) })
    }

    /// The position of a sample.
    pub(super) fn position(&self, sample: &Sample) -> [f32; 3] {
        self.rows[sample.row as usize].position
    }

    /// The smallest and the largest coordinate of the animals on each axis.
    pub(super) fn extent(&self) -> Arena {
        [0, 1, 2].map(|axis| {
            let places = self.rows.iter().map(|row| f64::from(row.position[axis]));
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
        })
    }

    /// Whether the noise of tracking blurs speeds.
    pub(super) fn is_noisy(&self) -> bool {
        self.change_noise > 0.0
    }

    pub(super) fn solve(&self, found: &[Found], weights: &[f64], limits: Limits) -> Solution {
        let columns: Vec<&Column> = found.iter().flat_map(|found| &found.columns).collect();
        self.problem.solve(&columns, weights, limits)
    }

    /// A model without rules.
    pub(super) fn empty(&mut self, params: Params, limits: Limits) -> Model {
        let solution = self.solve(&[], &[], limits);
        self.problem.adapt_deviations(&[], &solution);
        Model { params, found: Vec::new(), solution: self.solve(&[], &[], limits) }
    }

    /// The model with one rule in another form, or with one more rule.
    pub(super) fn with_rule(&self, model: &Model, rule: Rule, params: &Params) -> Model {
        let columns = self.frames.columns(rule, params);
        let mut found = model.found.clone();
        let mut weights = model.solution.weights.clone();
        if let Some(found) = found.iter_mut().find(|found| found.rule == rule) {
            found.columns = columns;
        } else {
            weights.extend(vec![0.0; columns.len()]);
            found.push(Found { rule, columns });
        }
        let solution = self.solve(&found, &weights, model.solution.limits);
        Model { params: *params, found, solution }
    }

    pub(super) fn without(&self, model: &Model, rule: Rule) -> Model {
        let mut model = model.clone();
        model.remove(rule);
        model.solution = self.solve(&model.found, &model.solution.weights, model.solution.limits);
        model
    }

    /// The model with other parameters, whose sums are computed again.
    pub(super) fn again(&self, model: &Model, params: Params, limits: Limits) -> Model {
        let mut model = Model { params, ..model.clone() };
        for found in &mut model.found {
            found.columns = self.frames.columns(found.rule, &params);
        }
        model.solution = self.solve(&model.found, &model.solution.weights, limits);
        model
    }

    /// The model with the weights of instruments, which know no limits.
    pub(super) fn of_linear(&self, linear: &Linear) -> Model {
        let mut params = Params::default();
        let first_terms = || linear.terms.iter().filter(|term| term.part == 0);
        first_terms().for_each(|term| term.apply(&mut params));
        let of_term = |term: &Term| Found { rule: term.rule, columns: self.frames.columns(term.rule, &params) };
        let found: Vec<Found> = first_terms().map(of_term).collect();
        let mut solution = self.solve(&found, &linear.weights, Limits::NONE);
        (solution.weights, solution.left_out) = (linear.weights.clone(), linear.left_out.clone());
        Model { params, found, solution }
    }

    /// Sets the deviations to those of the model's residuals, and the errors to those in these deviations.
    pub(super) fn adapt(&mut self, model: &mut Model) {
        self.problem.adapt_deviations(&model.columns(), &model.solution);
        model.solution = self.solve(&model.found, &model.solution.weights, model.solution.limits);
    }

    /// The model with the limit of the steering that predicts best, or without one.
    pub(super) fn limited(&self, model: &Model) -> Model {
        let strengths = self.strengths(model);
        let mut best = model.clone();
        for share in [0.4, 0.7, 0.9, 0.97] {
            let limits = Limits { force: quantile(&mut strengths.clone(), share), ..model.solution.limits };
            if limits.force > 0.0 {
                let solution = self.solve(&model.found, &model.solution.weights, limits);
                let other = Model { solution, ..model.clone() };
                let is_valid = other.rules().all(|rule| other.is_valid(rule));
                // If all steering is limited, weights have no meaning.
                if is_valid
                    && quantile(&mut self.strengths(&other), FEW) < other.solution.limits.force
                    && other.solution.error() < best.solution.error()
                    && is_better(&other.solution, &model.solution, PROMISING)
                {
                    best = other;
                }
            }
        }
        best
    }

    /// The steering without its limit of all samples.
    pub(super) fn strengths(&self, model: &Model) -> Vec<f64> {
        let columns = model.columns();
        let blocks = self.problem.blocks.iter().enumerate();
        let places = blocks.flat_map(|(index, block)| (0..block.samples.len()).map(move |place| (index, place)));
        places.map(|(block, place)| length(force(&columns, &model.solution.weights, block, place))).collect()
    }

    /// The model with another form of a rule, which starts with as much steering as before.
    pub(super) fn exchanged(&self, model: &Model, rule: Rule, params: &Params) -> Model {
        let (weights, limits) = (model.weights(rule), model.solution.limits);
        let columns = self.frames.columns(rule, params);
        let mut other = Model { params: *params, ..model.clone() };
        let Some(found) = other.found.iter_mut().find(|found| found.rule == rule) else { return other };
        for ((weight, old), new) in other.solution.weights[weights].iter_mut().zip(&found.columns).zip(&columns) {
            *weight *= strength(old) / strength(new).max(f64::MIN_POSITIVE);
        }
        found.columns = columns;
        other.solution = self.solve(&other.found, &other.solution.weights, limits);
        other
    }

    /// The mean cosine of random turns, without outliers.
    pub(super) fn straightness(&self, model: &Model) -> f64 {
        let largest = self.random_turn(model);
        if !(1e-4..=1.0).contains(&largest) || self.is_noisy() {
            return if largest > 1e-4 { largest.sin() / largest } else { 1.0 };
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for sine in self.turns(model).into_iter().filter(|sine| *sine < (3.0 * largest).min(1.0)) {
            (sum, count) = (sum + (1.0 - sine * sine).sqrt(), count + 1.0);
        }
        if count > 0.0 { sum / count } else { 1.0 }
    }

    /// The residuals across the heading, as a share of the speed: that after the turn if velocities are exact.
    fn turns(&self, model: &Model) -> Vec<f64> {
        let residuals = self.problem.residuals(&model.columns(), &model.solution);
        let samples = self.problem.blocks.iter().zip(residuals);
        let samples = samples.flat_map(|(block, residuals)| block.samples.iter().zip(residuals));
        let turn = |(sample, residual): (&Sample, [f64; 3])| {
            let before = length(sample.velocity);
            let after = length([0, 1, 2].map(|axis| sample.velocity[axis] + sample.change[axis]));
            let ahead = dot(residual, sample.velocity) / before;
            let across = (dot(residual, residual) - ahead * ahead).max(0.0).sqrt();
            Some(across / if self.is_noisy() { before } else { after }).filter(|turn| turn.is_finite())
        };
        samples.filter_map(turn).collect()
    }

    /// The angle in radians within which random turns are uniform, from the median of the residuals across the heading, so that
    /// outliers do not matter.
    pub(super) fn random_turn(&self, model: &Model) -> f64 {
        let largest = self.turn_ratio * median(&mut self.turns(model));
        let tracking = self.turn_ratio * self.change_noise / self.speed.max(f64::MIN_POSITIVE);
        (largest * largest - tracking * tracking).max(0.0).sqrt()
    }
}

/// The root mean square of a column.
fn strength(column: &Column) -> f64 {
    let squares = column.iter().flatten().map(|sum| dot(sum.map(f64::from), sum.map(f64::from)));
    let count: usize = column.iter().map(Vec::len).sum();
    (squares.sum::<f64>() / count.max(1) as f64).sqrt()
}

/// Whether a solution predicts better, beyond the standard error of the difference.
pub(super) fn is_better(solution: &Solution, other: &Solution, by: f64) -> bool {
    let (gain, deviation) = solution.gain(other);
    gain > by * deviation && gain > RELEVANT * other.error()
}
