//! What a fit can tell, and how well: standard errors, rules that are not there or not determined, the delay of reactions.

use super::model::{Model, Samples, is_better};
use super::motion::Motion;
use super::regression::{Column, Problem, Solution, jackknife};
use super::rules::{Arena, Rule, number, set_number};
use super::search::{COARSE, Search};
use super::vectors::{dot, length};
use super::{Absent, Estimate, RuleFit};
use flockscope_sim::Setup;

/// The number of groups of animals, one of which is left out at a time.
const GROUPS: u32 = 10;
/// Half the relative distance of the radii between which slopes are taken.
const STEP: f64 = 0.01;
/// The relative error of a radius that the search leaves.
const RESOLUTION: f64 = 1e-3;
/// The longest delay that is tried, in frames.
const LONGEST_DELAY: usize = 5;
/// A rule may be absent, or not determined, if it could be more than this share of the steering.
const MOST: f64 = 0.1;
/// The slowest return to a preferred speed that is reported, per frame.
const SLOWEST: f64 = 5e-3;
/// How certain a delay or a preferred speed must be, in standard errors.
const CERTAIN: f64 = 3.5;

/// The rules of a model, with standard errors of their weights and radii, which depend on each other.
pub(super) fn rules(samples: &Samples<'_>, model: &Model, variants: &[Model]) -> Vec<RuleFit> {
    let radii: Vec<(Rule, &str)> = model.rules().filter_map(|rule| Some((rule, rule.radius_key()?))).collect();
    let slopes: Vec<Column> = radii.iter().map(|(rule, key)| radius_slope(samples, model, *rule, key)).collect();
    let columns: Vec<&Column> = model.columns().into_iter().chain(&slopes).collect();
    let mut weights = model.solution.weights.clone();
    weights.extend(vec![0.0; slopes.len()]);
    let solution = samples.problem.solve(&columns, &weights, model.solution.limits);
    let of_animals = samples.problem.variances_of_animals(&columns, &solution, GROUPS);
    let error = |weight: usize| {
        let of_time = jackknife(solution.left_out.iter().map(|weights| weights[weight]));
        // Radii that are not quite right, smoothing and noise cause errors that more data do not reduce.
        let value = |model: &Model| model.solution.weights.get(weight).copied().unwrap_or_default();
        let systematic = variants.iter().map(|variant| value(variant) - value(model));
        let moved = solution.weights[weight] - weights[weight];
        systematic.chain([moved]).fold(of_time.max(of_animals[weight]).sqrt(), f64::hypot)
    };
    let of_rule = |rule: Rule| {
        let weights =
            model.weights(rule).map(|weight| Estimate { value: model.solution.weights[weight], error: error(weight) });
        let place = radii.iter().position(|(other, _)| *other == rule);
        let radius = place.map(|place| {
            let value = number(&model.params, radii[place].1);
            Estimate { value, error: error(model.solution.weights.len() + place).hypot(RESOLUTION * value) }
        });
        RuleFit { rule, weights: weights.collect(), radius, share: model.share(rule) }
    };
    model.rules().map(of_rule).collect()
}

/// The derivative of a rule's steering by its radius.
fn radius_slope(samples: &Samples<'_>, model: &Model, rule: Rule, key: &str) -> Column {
    let radius = number(&model.params, key);
    let [larger, smaller] = [1.0 + STEP, 1.0 - STEP].map(|factor| {
        let mut params = model.params;
        set_number(&mut params, key, radius * factor);
        samples.columns(rule, &params, &model.solution.limits).swap_remove(0)
    });
    let factor = model.solution.weights[model.weights(rule).start] / (2.0 * STEP * radius);
    let slope = |(larger, smaller): (&[f32; 3], &[f32; 3])| {
        [0, 1, 2].map(|axis| (larger[axis] - smaller[axis]) * factor as f32)
    };
    larger.iter().zip(&smaller).map(|(larger, smaller)| larger.iter().zip(smaller).map(slope).collect()).collect()
}

/// The rules that were not found, with the largest share of the steering that they could be.
pub(super) fn absent(search: &Search<'_>, model: &Model) -> Vec<Absent> {
    let total: f64 = model.rules().map(|rule| model.steering(rule)).sum();
    let of_rule = |rule: Rule| {
        let most = search.best(model, rule).map_or(0.0, |best| {
            let weight = best.weights(rule).start;
            let error = best.solution.weights[weight] / best.solution.certainty(weight);
            let share = 1.0 + 2.0 * (error / best.solution.weights[weight]).abs();
            let own = best.steering(rule) * share;
            own / (own + total).max(f64::MIN_POSITIVE)
        });
        Absent { rule, most, is_determined: most < MOST }
    };
    let missing = search.missing(model);
    let others = Rule::ALL.into_iter().filter(|rule| rule.is_interaction() && !search.tries(*rule));
    let unknown = others.map(|rule| Absent { rule, most: 1.0, is_determined: false });
    missing.into_iter().map(of_rule).chain(unknown).collect()
}

/// The share of the variance of changes that weights predict in blocks of time that they were not fitted to.
pub(super) fn r_squared(problem: &Problem, model: &Model) -> f64 {
    let columns = model.columns();
    let (mut left, mut all) = (0.0, 0.0);
    for (index, weights) in model.solution.left_out.iter().enumerate() {
        let solution = Solution { weights: weights.clone(), ..model.solution.clone() };
        let residuals = problem.block_residuals(&columns, &solution, index);
        left += residuals.into_iter().map(|residual| dot(residual, residual)).sum::<f64>();
        all += problem.blocks[index].samples.iter().map(|sample| dot(sample.change, sample.change)).sum::<f64>();
    }
    if all > 0.0 { 1.0 - left / all } else { 0.0 }
}

/// The delay in frames after which animals react: that with the lowest error.
pub(super) fn delay(motion: &Motion, place: (&Setup, Arena), model: &Model) -> usize {
    let mut solutions = Vec::new();
    let mut deviations = None;
    for lag in 0..=LONGEST_DELAY {
        let Some(mut samples) = Samples::new(motion, place, COARSE, lag) else { break };
        samples.problem.deviations = deviations.unwrap_or(samples.problem.deviations);
        let mut lagged = samples.again(model, model.params, model.solution.limits);
        if deviations.is_none() {
            samples.adapt(&mut lagged);
            deviations = Some(samples.problem.deviations);
        }
        solutions.push(lagged.solution);
    }
    let later =
        solutions.iter().enumerate().skip(1).filter(|(_, solution)| is_better(solution, &solutions[0], CERTAIN));
    later.min_by(|a, b| a.1.error().total_cmp(&b.1.error())).map_or(0, |(lag, _)| lag)
}

/// How fast speeds return to a preferred one, per frame, and that speed; `None` if they do not.
pub(super) fn relaxation(samples: &Samples<'_>, model: &Model) -> Option<[Estimate; 2]> {
    let residuals = samples.problem.residuals(&model.columns(), &model.solution);
    // Σ 1, Σ s, Σ s², Σ r and Σ r·s of each block.
    let blocks: Vec<[f64; 5]> = (samples.problem.blocks.iter().zip(residuals))
        .map(|(block, residuals)| {
            let mut sums = [0.0; 5];
            for (sample, residual) in block.samples.iter().zip(residuals) {
                let speed = length(sample.velocity);
                let ahead = if speed > 0.0 { dot(residual, sample.velocity) / speed } else { 0.0 };
                for (sum, term) in sums.iter_mut().zip([1.0, speed, speed * speed, ahead, ahead * speed]) {
                    *sum += term;
                }
            }
            sums
        })
        .collect();
    let without = |left_out: usize| {
        let mut all = [0.0; 5];
        let kept = blocks.iter().enumerate().filter(|(block, _)| *block != left_out);
        kept.for_each(|(_, sums)| (0..5).for_each(|k| all[k] += sums[k]));
        let [n, s, s2, r, rs] = all;
        let rate = -(n * rs - r * s) / (n * s2 - s * s);
        (rate, (r / n + rate * s / n) / rate)
    };
    let (rate, speed) = without(usize::MAX);
    let errors =
        [0, 1].map(|k| jackknife((0..blocks.len()).map(|block| [without(block).0, without(block).1][k])).sqrt());
    let is_found = rate > CERTAIN * errors[0] && speed > 0.0 && rate > SLOWEST;
    is_found.then_some([Estimate { value: rate, error: errors[0] }, Estimate { value: speed, error: errors[1] }])
}
