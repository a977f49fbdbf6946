//! Weights through the limits of a tick, which bias every linear method: Gauss–Newton steps on the same moments.

use super::dictionary::Rule;
use super::instruments::Instruments;
use super::limits::Limits;
use super::samples::{Columns, Point, Prediction, Samples};
use super::search::{Model, Search};
use super::vectors::{dot, length, median, quantile};

/// The largest number of steps, and how often rules are chosen again between them.
const STEPS: usize = 20;
const CHOICES: usize = 3;
/// A step that changes the sum of squares by a smaller share is the last one.
const CONVERGED: f64 = 1e-6;
/// Shares of the steering at which a limit of it is tried.
const SHARES: [f64; 4] = [0.4, 0.7, 0.9, 0.97];
/// A limit of the steering is there if it makes the sum of squares smaller by this share.
const LIMITED: f64 = 0.2;
/// The share of the steering below a limit of it, at most.
const USUAL: f64 = 0.98;
/// Angles of more medians are no random turns: half of the turns are below half of the largest.
const FAR: f64 = 3.0;

/// Weights of the columns of a model and limits, and the sum of squares that they leave of the moments.
struct Settled {
    point: Point,
    objective: f64,
}

/// The rules that explain changes through the limits of a tick best, and their weights and limits.
pub(super) fn choose(search: &mut Search<'_>, mut model: Model, limits: Limits) -> Option<(Model, Point)> {
    let mut best = settle(search, &model, limits)?;
    for _ in 0..CHOICES {
        search.solve_through(Some(&search.point_of(&model, &best.point)));
        let Some(next) = search.choose() else { break };
        let settled = settle(search, &next, best.point.limits).filter(|settled| settled.objective < best.objective);
        let Some(settled) = settled else { break };
        let is_last = next.terms == model.terms;
        (model, best) = (next, settled);
        if is_last {
            break;
        }
    }
    for _ in 0..2 {
        let refined = search.refine(model.clone(), Some(&search.point_of(&model, &best.point)))?;
        (best, model) = (settle(search, &refined, best.point.limits)?, refined);
    }
    let rules: Vec<Rule> = model.rules().collect();
    again(search, &model, &best.point, &rules)
}

/// The model with these rules alone, from its weights and limits.
pub(super) fn again(search: &mut Search<'_>, model: &Model, point: &Point, rules: &[Rule]) -> Option<(Model, Point)> {
    let mut model = search.again(model, rules)?;
    let mut limits = point.limits;
    for _ in 0..2 {
        let settled = settle(search, &model, limits)?.point;
        search.solve_through(Some(&search.point_of(&model, &settled)));
        model = search.again(&model, rules)?;
        limits = settled.limits;
    }
    let Point { weights, mut limits } = settle(search, &model, limits)?.point;
    let largest = quantile(&mut search.columns_of(&model).steering(&Point { weights: weights.clone(), limits }), USUAL);
    if largest < limits.force {
        limits.force = f64::INFINITY;
    }
    model.weights.clone_from(&weights);
    Some((model, Point { weights, limits }))
}

/// The weights of a model's rules with the limits of speeds and turns, and with a limit of the steering if one explains more.
fn settle(search: &Search<'_>, model: &Model, limits: Limits) -> Option<Settled> {
    let columns = search.columns_of(model);
    let steps = |force: f64| {
        let limits = Limits { force, ..limits };
        steps(search, &columns, Point { weights: model.weights.clone(), limits })
    };
    if limits.force.is_finite() {
        return steps(limits.force);
    }
    let mut best = steps(f64::INFINITY)?;
    let strengths = columns.steering(&best.point);
    for force in SHARES.map(|share| quantile(&mut strengths.clone(), share)).into_iter().filter(|force| *force > 0.0) {
        let is_first = best.point.limits.force.is_infinite();
        let least = best.objective * if is_first { 1.0 - LIMITED } else { 1.0 };
        best = steps(force).filter(|limited| limited.objective < least).unwrap_or(best);
    }
    Some(best)
}

/// Gauss–Newton steps from a point.
fn steps(search: &Search<'_>, columns: &Columns, mut point: Point) -> Option<Settled> {
    let mut best: Option<Settled> = None;
    let mut share = 1.0;
    let mut aim: Vec<f64> = Vec::new();
    for _ in 0..STEPS {
        point.limits.straightness = straightness(search.samples, columns, &point);
        let (objective, next) = linearized(search.instruments, columns, &point)?;
        let converged = best.as_ref().is_some_and(|best| (best.objective - objective).abs() < CONVERGED * objective);
        if best.as_ref().is_none_or(|best| objective < best.objective) {
            best = Some(Settled { point: point.clone(), objective });
            (aim, share) = (next, 1.0);
        } else {
            share *= 0.5;
        }
        if converged {
            break;
        }
        let from = best.as_ref().map(|best| &best.point)?;
        let unknowns = from.weights.iter().copied().chain(from.limits.force.is_finite().then_some(from.limits.force));
        let moved: Vec<f64> = unknowns.zip(&aim).map(|(from, to)| from + share * (to - from)).collect();
        point.weights = moved[..point.weights.len()].to_vec();
        if let Some(force) = moved.get(point.weights.len()) {
            // A limit below 0 has no meaning.
            point.limits.force = force.max(0.5 * from.limits.force);
        }
    }
    best
}

/// The sum of squares that a point leaves of the moments, and the unknowns that would leave least if changes were linear in them.
fn linearized(instruments: &Instruments<'_>, columns: &Columns, point: &Point) -> Option<(f64, Vec<f64>)> {
    let system = instruments.moments(columns, Some(point)).systems(false).swap_remove(0);
    let unknowns: Vec<f64> =
        point.weights.iter().copied().chain(point.limits.force.is_finite().then_some(point.limits.force)).collect();
    let places: Vec<usize> = (0..unknowns.len()).collect();
    Some((system.left(&places, &unknowns), system.solve(&places)?.weights))
}

/// The mean cosine of random turns: of the angles between velocities and what a point predicts, without the few that are far larger than
/// most.
fn straightness(samples: &Samples<'_>, columns: &Columns, point: &Point) -> f64 {
    let straight = Point { limits: Limits { straightness: 1.0, ..point.limits }, ..point.clone() };
    let cosine = |prediction: &Prediction| {
        let velocity = samples.motion.rows[prediction.row].velocity.map(f64::from);
        let after = |change: [f64; 3]| [0, 1, 2].map(|axis| velocity[axis] + change[axis]);
        let (observed, predicted) = (after(prediction.change), after(prediction.predicted));
        Some(dot(observed, predicted) / (length(observed) * length(predicted))).filter(|cosine| cosine.is_finite())
    };
    let cosines: Vec<f64> = samples.predictions(columns, &straight, true).iter().filter_map(cosine).collect();
    // The loss of speed grows with the square of the angle.
    let usual = median(&mut cosines.iter().map(|cosine| 1.0 - cosine).collect::<Vec<_>>());
    let kept: Vec<f64> = cosines.into_iter().filter(|cosine| 1.0 - cosine <= FAR * FAR * usual).collect();
    if kept.is_empty() { 1.0 } else { kept.iter().sum::<f64>() / kept.len() as f64 }
}
