//! What a fit can tell, and how well: standard errors, noises, and whether velocities are exact.

use std::collections::HashMap;

use super::flights::Flying;
use super::instruments::Instruments;
use super::model::{Model, Samples};
use super::motion::Motion;
use super::regression::{Column, Solution, USUAL, explained, jackknife};
use super::rules::{Rule, cruise_speed, inward, number, set_number};
use super::search::COARSE;
use super::vectors::{Arena, dot, length, median, quantile, unit};
use super::{Estimate, RuleFit, speed_range};
use flockscope_sim::Setup;

/// The number of groups of animals, one of which is left out at a time.
const GROUPS: u32 = 10;
/// Half the relative distance of the radii between which slopes are taken.
const STEP: f64 = 0.01;
/// The relative error of a radius that the search leaves, with velocities that are exact, and with instruments.
const RESOLUTION: [f64; 2] = [1e-3, 0.02];
/// Residuals of successive frames are correlated if their correlation is above this number, and above so many standard errors.
const CORRELATED: f64 = 0.05;
const CERTAIN: f64 = 4.0;
/// Residuals above this many medians, such as those at a wall, do not count.
const OUTLIER: f64 = 4.0;
/// Animals within so many steps of the border are at a wall.
const WALL: f64 = 1.5;

/// The rules of a model, with standard errors of their weights and radii, which depend on each other. Flights correct the weights, and give
/// their errors if there are any; a return to a speed has its own.
pub(super) fn rules(
    samples: &Samples<'_>,
    (model, dim): (&Model, usize),
    instruments: Option<&Instruments<'_>>,
    (flying, of_flights): (&Flying, Option<&[f64]>),
    returns: Option<&Return>,
) -> Vec<RuleFit> {
    let is_linear = instruments.is_some();
    let best = instruments.map(|instruments| (instruments, instruments.fit(&model.terms(dim))));
    let is_finite = |(_, key): &(Rule, &str)| number(&model.params, key).is_finite() && !is_linear;
    let radii: Vec<(Rule, &str)> =
        model.rules().filter_map(|rule| Some((rule, rule.radius_key()?))).filter(is_finite).collect();
    let slopes: Vec<Column> = radii.iter().map(|(rule, key)| radius_slope(samples, model, *rule, key)).collect();
    let columns: Vec<&Column> = model.columns().into_iter().chain(&slopes).collect();
    let mut weights = model.solution.weights.clone();
    weights.extend(vec![0.0; slopes.len()]);
    let solution = if is_linear {
        model.solution.clone()
    } else {
        samples.problem.solve(&columns, &weights, model.solution.limits)
    };
    let of_animals = if is_linear {
        vec![0.0; weights.len()]
    } else {
        samples.problem.variances_of_animals(&columns, &solution, GROUPS)
    };
    let error = |weight: usize| {
        let of_time = jackknife(solution.left_out.iter().map(|weights| weights[weight]));
        // Radii that are not quite right cause errors that more data do not reduce.
        let moved = solution.weights[weight] - weights[weight];
        of_time.max(of_animals[weight]).sqrt().hypot(moved)
    };
    let flown = &flying.model.solution.weights;
    let of_rule = |rule: Rule| {
        let places = model.weights(rule);
        let weight = |place: usize| {
            let scale = (flown[place] / weights[place]).abs();
            let own = error(place) * if scale.is_finite() { scale } else { 1.0 };
            Estimate { value: flown[place], error: of_flights.map_or(own, |errors| own.max(errors[place])) }
        };
        let mut estimates: Vec<Estimate> = places.clone().map(weight).collect();
        let mut speed = None;
        if rule == Rule::Cruise {
            let mean = samples.speed;
            let value = cruise_speed(&flown[places.clone()], mean);
            let left_out = solution.left_out.iter().map(|weights| cruise_speed(&weights[places.clone()], mean));
            speed = Some(Estimate { value, error: jackknife(left_out).sqrt() });
            estimates.truncate(1);
            if let Some([weight, value]) = returns.map(Return::estimates) {
                (estimates, speed) = (vec![weight], Some(value));
            }
        }
        let radius = rule.radius_key().map(|key| {
            let value = number(&model.params, key);
            let place = radii.iter().position(|(other, _)| *other == rule);
            let of_slope = match &best {
                Some((instruments, best)) if value.is_finite() => instruments.radius_error(best, places.start),
                _ => place.map_or(0.0, |place| error(weights.len() - slopes.len() + place)),
            };
            let resolution = RESOLUTION[usize::from(is_linear)] * if value.is_finite() { value } else { 0.0 };
            Estimate { value, error: of_slope.hypot(resolution) }
        });
        RuleFit { rule, weights: estimates, radius, speed, surrogates: None }
    };
    model.rules().map(of_rule).collect()
}

/// A return to a speed, by linear regression.
pub(super) struct Return {
    /// The weights of the sums of a cruise, and those without each block of time.
    pub(super) weights: [f64; 2],
    left_out: Vec<[f64; 2]>,
    /// The standard deviation of random accelerations along the heading, in u/frame².
    pub(super) kick: f64,
    mean: f64,
}

impl Return {
    /// The weight and the speed.
    fn estimates(&self) -> [Estimate; 2] {
        let speed = |weights: &[f64; 2]| cruise_speed(weights, self.mean);
        [
            Estimate {
                value: self.weights[0],
                error: jackknife(self.left_out.iter().map(|weights| weights[0])).sqrt(),
            },
            Estimate { value: speed(&self.weights), error: jackknife(self.left_out.iter().map(speed)).sqrt() },
        ]
    }
}

/// The return to a speed beside the other rules of a model, from animals away from the border, where walls change speeds. Bursts are what keeps
/// a speed, and so count in full.
pub(super) fn return_to_speed(samples: &Samples<'_>, model: &Model, arena: &Arena, dim: usize) -> Option<Return> {
    let places = model.rules().find(|rule| *rule == Rule::Cruise).map(|rule| model.weights(rule))?;
    let mut others = model.clone();
    others.solution.weights[places].fill(0.0);
    let straightness = model.solution.limits.straightness;
    let mean = samples.speed;
    let edge = model.rules().find(|rule| *rule == Rule::Edge).and_then(Rule::radius_key);
    let margin = edge.map_or(0.0, |key| number(&model.params, key));
    // Walls are where no animal is beyond.
    let reached = samples.extent();
    let residuals = samples.problem.residuals(&others.columns(), &others.solution);
    // Σ 1, Σ d, Σ d², Σ r, Σ r·d and Σ r² of each block, with the difference d to the mean speed and the residual r along the heading.
    let blocks: Vec<[f64; 6]> = (samples.problem.blocks.iter().zip(residuals))
        .map(|(block, residuals)| {
            let mut sums = [0.0; 6];
            for (sample, residual) in block.samples.iter().zip(residuals) {
                let speed = length(sample.velocity);
                let position = samples.position(sample);
                let is_at_wall =
                    reached[..dim].iter().zip(position).any(|([low, high], at)| {
                        (f64::from(at) - low).min(high - f64::from(at)) < WALL * (speed + mean)
                    }) || inward(position, arena, margin, dim) != [0.0; 3];
                if speed == 0.0 || is_at_wall {
                    continue;
                }
                let ahead = dot(residual, sample.velocity) / speed / straightness;
                let missing = mean - speed;
                let terms = [1.0, missing, missing * missing, ahead, ahead * missing, ahead * ahead];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            }
            sums
        })
        .collect();
    let solve = |left_out: usize| {
        let mut all = [0.0; 6];
        let kept = blocks.iter().enumerate().filter(|(block, _)| *block != left_out);
        kept.for_each(|(_, sums)| (0..6).for_each(|k| all[k] += sums[k]));
        let [n, d, d2, r, rd, r2] = all;
        let rate = (n * rd - r * d) / (n * d2 - d * d);
        let constant = (r - rate * d) / n;
        ([rate, constant], ((r2 - rate * rd - constant * r) / n).max(0.0).sqrt())
    };
    let (weights, kick) = solve(usize::MAX);
    let left_out = (0..blocks.len()).map(|block| solve(block).0).collect();
    weights.iter().all(|weight| weight.is_finite()).then_some(Return { weights, left_out, kick, mean })
}

/// How a flock with these rules flies before flights correct it.
pub(super) fn flying(
    samples: &Samples<'_>,
    model: &Model,
    (motion, at): (&Motion, (&Setup, Arena)),
    is_linear: bool,
) -> Flying {
    let speeds = speed_range(motion, model.solution.limits.speeds);
    let flying = |random: [f64; 2], noise: f64| Flying { model: model.clone(), speeds, random, noise };
    if is_linear {
        // The variance of random accelerations is that of residuals over a long time, to which errors of positions add nothing. Steps show
        // two thirds of it; what is more correlated than by that is no random acceleration.
        let products = correlations(motion, at, model);
        let random =
            products.map(|[same, next, later]| (same + 2.0 * next + 2.0 * later).clamp(0.0, 1.5 * same.max(0.0)));
        let mean = |[along, across]: [f64; 2]| (along + (motion.dim - 1) as f64 * across) / motion.dim as f64;
        let of_errors = mean(products.map(|[same, ..]| same)) - mean(random);
        return flying(random, (of_errors.max(0.0) / 6.0).sqrt());
    }
    let squared: f64 = motion.kernel.iter().map(|weight| weight * weight).sum();
    let along = samples.problem.deviations[0].powi(2) - motion.change_noise.powi(2);
    // Errors of positions are not known to a third of their variance, and random turns change speeds along the old heading a little.
    let by_turns = 3.0 * samples.speed * (1.0 - model.solution.limits.straightness);
    let is_kicked = along > 0.3 * motion.change_noise.powi(2) && along > by_turns * by_turns;
    let across = (samples.random_turn(model) * samples.speed).powi(2) / 3.0;
    flying([if is_kicked { along / squared } else { 0.0 }, across], motion.noise)
}

/// What a model leaves of changes in successive frames, by row.
fn residuals(motion: &Motion, at: (&Setup, Arena), model: &Model) -> HashMap<u32, [f64; 3]> {
    let Some(samples) = Samples::successive(motion, at, COARSE) else { return HashMap::new() };
    let columns: Vec<Column> = model.rules().flat_map(|rule| samples.frames.columns(rule, &model.params)).collect();
    let residuals = samples.problem.residuals(&columns.iter().collect::<Vec<_>>(), &model.solution);
    let rows = samples.problem.blocks.iter().flat_map(|block| &block.samples).map(|sample| sample.row);
    rows.zip(residuals.into_iter().flatten()).collect()
}

/// The mean products of residuals of the same frame, of successive ones, and of those two frames apart: along the heading, and across it
/// per axis.
fn correlations(motion: &Motion, at: (&Setup, Arena), model: &Model) -> [[f64; 3]; 2] {
    let mut residuals = residuals(motion, at, model);
    // Of two animals that a tracker sees at one place, separation predicts any number.
    let usual = quantile(&mut residuals.values().map(|residual| length(*residual)).collect::<Vec<_>>(), USUAL);
    residuals.retain(|_, residual| length(*residual) <= usual);
    let mut sums = [([0.0; 2], 0.0f64); 3];
    for (&row, residual) in &residuals {
        let heading = unit(motion.rows[row as usize].velocity.map(f64::from));
        let mut other = Some(row);
        for ([along, across], count) in &mut sums {
            if let Some(later) = other.and_then(|row| residuals.get(&row)) {
                let ahead = dot(*residual, heading) * dot(*later, heading);
                *along += ahead;
                *across += (dot(*residual, *later) - ahead) / (motion.dim - 1) as f64;
                *count += 1.0;
            }
            other = other.and_then(|row| motion.after[row as usize]);
        }
    }
    [0, 1].map(|k| sums.map(|(sum, count)| sum[k] / count.max(1.0)))
}

/// Whether residuals of successive frames are correlated, as they are if velocities are not exact.
pub(super) fn are_correlated(motion: &Motion, at: (&Setup, Arena), model: &Model) -> bool {
    let residuals = residuals(motion, at, model);
    let usual = OUTLIER * median(&mut residuals.values().map(|residual| length(*residual)).collect::<Vec<_>>());
    let (mut product, mut products, mut squares) = (0.0, 0.0, 0.0);
    for (&row, residual) in &residuals {
        let Some(later) = motion.after[row as usize].and_then(|row| residuals.get(&row)) else { continue };
        if length(*residual).max(length(*later)) > usual {
            continue;
        }
        let term = dot(*residual, *later);
        (product, products) = (product + term, products + term * term);
        squares += 0.5 * (dot(*residual, *residual) + dot(*later, *later));
    }
    f64::abs(product) > CORRELATED * squares && f64::abs(product) > CERTAIN * f64::sqrt(products)
}

/// The derivative of a rule's steering by its radius.
fn radius_slope(samples: &Samples<'_>, model: &Model, rule: Rule, key: &str) -> Column {
    let radius = number(&model.params, key);
    let [larger, smaller] = [1.0 + STEP, 1.0 - STEP].map(|factor| {
        let mut params = model.params;
        set_number(&mut params, key, radius * factor);
        samples.frames.columns(rule, &params).swap_remove(0)
    });
    let factor = model.solution.weights[model.weights(rule).start] / (2.0 * STEP * radius);
    let slope = |(larger, smaller): (&[f32; 3], &[f32; 3])| {
        [0, 1, 2].map(|axis| (larger[axis] - smaller[axis]) * factor as f32)
    };
    larger.iter().zip(&smaller).map(|(larger, smaller)| larger.iter().zip(smaller).map(slope).collect()).collect()
}

/// The share of the variance of changes that weights predict: in blocks of time that they were not fitted to, or of instruments.
pub(super) fn r_squared(
    samples: &Samples<'_>,
    (model, dim): (&Model, usize),
    instruments: Option<&Instruments<'_>>,
) -> f64 {
    if let Some(instruments) = instruments {
        return instruments.r_squared(&instruments.fit(&model.terms(dim)));
    }
    let (problem, columns) = (&samples.problem, model.columns());
    let of_block = |(index, weights): (usize, &Vec<f64>)| {
        let solution = Solution { weights: weights.clone(), ..model.solution.clone() };
        let changes = problem.blocks[index].samples.iter().map(|sample| sample.change);
        changes.zip(problem.block_residuals(&columns, &solution, index)).collect::<Vec<_>>()
    };
    explained(&model.solution.left_out.iter().enumerate().flat_map(of_block).collect::<Vec<_>>())
}
