//! Weights through the limits of a tick, which bias every linear method: Gauss–Newton steps on the same moments.

use super::dictionary::Rule;
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
/// A limit of the steering stays if R² is larger by this with it: one that few changes reach says nothing.
const MATTERS: f64 = 0.01;
/// Angles of more medians are no random turns: half of the turns are below half of the largest.
const FAR: f64 = 3.0;

/// The rules that explain changes through the limits of a tick best.
pub(super) fn choose(search: &mut Search<'_>, model: &Model, limits: Limits) -> Option<Model> {
    let mut best = settle(search, model, limits)?;
    for _ in 0..CHOICES {
        search.solve_through(Some(&search.point_of(&best)));
        let next = search.choose().and_then(|next| settle(search, &next, best.limits));
        let Some(next) = next.filter(|next| next.objective < best.objective) else { break };
        let is_last = next.terms == best.terms;
        best = next;
        if is_last {
            break;
        }
    }
    // Linear moments favor the forms at which they are taken.
    let tried = best.rules().flat_map(|rule| (0..rule.forms().len()).map(move |form| (rule, form)));
    for (rule, form) in tried.collect::<Vec<_>>() {
        let other = search.in_form(&best, rule, form).and_then(|other| settle(search, &other, best.limits));
        if let Some(better) = other.filter(|other| other.objective < best.objective) {
            search.solve_through(Some(&search.point_of(&better)));
            best = better;
        }
    }
    for _ in 0..2 {
        let point = search.point_of(&best);
        let refined = search.refine(best, Some(&point))?;
        best = settle(search, &refined, point.limits)?;
    }
    let rules: Vec<Rule> = best.rules().collect();
    again(search, &best, &rules)
}

/// The model with these rules alone, from its weights and limits.
pub(super) fn again(search: &mut Search<'_>, model: &Model, rules: &[Rule]) -> Option<Model> {
    let mut best = settle(search, &search.again(model, rules)?, model.limits)?;
    for _ in 0..2 {
        search.solve_through(Some(&search.point_of(&best)));
        best = settle(search, &search.again(&best, rules)?, best.limits)?;
    }
    let point = Point { limits: Limits { force: f64::INFINITY, ..best.limits }, ..best.point() };
    let unlimited = best.clone().at(point, best.objective);
    if search.quality(&best).1 < search.quality(&unlimited).1 + MATTERS {
        best = unlimited;
    }
    Some(best)
}

/// The weights of a model's rules with the limits of speeds and turns, and with a limit of the steering if one explains more.
fn settle(search: &Search<'_>, model: &Model, limits: Limits) -> Option<Model> {
    let columns = search.columns_of(model);
    let steps = |force: f64| {
        let point = Point { weights: model.weights.clone(), limits: Limits { force, ..limits } };
        let (best, objective) = steps(search, &columns, point)?;
        Some(model.clone().at(best, objective))
    };
    if limits.force.is_finite() {
        return steps(limits.force);
    }
    let mut best = steps(f64::INFINITY)?;
    let strengths = columns.steering(&best.point());
    for force in SHARES.map(|share| quantile(&mut strengths.clone(), share)).into_iter().filter(|force| *force > 0.0) {
        let least = best.objective * if best.limits.force.is_infinite() { 1.0 - LIMITED } else { 1.0 };
        best = steps(force).filter(|limited| limited.objective < least).unwrap_or(best);
    }
    Some(best)
}

/// Gauss–Newton steps from a point: the best one, and the sum of squares that it leaves of the moments.
fn steps(search: &Search<'_>, columns: &Columns, mut point: Point) -> Option<(Point, f64)> {
    let mut best: Option<(Point, f64)> = None;
    let (mut aim, mut share) = (Vec::new(), 1.0);
    for _ in 0..STEPS {
        point.limits.straightness = straightness(search.samples, columns, &point);
        let system = search.instruments.moments(columns, Some(&point)).systems(false).swap_remove(0);
        let unknowns = point.unknowns();
        let places: Vec<usize> = (0..unknowns.len()).collect();
        let left = system.left(&places, &unknowns);
        let is_last = best.as_ref().is_some_and(|(_, least)| (least - left).abs() < CONVERGED * left);
        if best.as_ref().is_none_or(|(_, least)| left < *least) {
            (aim, share) = (system.solve(&places)?.weights, 1.0);
            best = Some((point.clone(), left));
        } else {
            // The full step went too far: half of it is tried (backtracking; Nocedal & Wright 2006, *Numerical Optimization*, 3.1).
            share *= 0.5;
        }
        if is_last {
            break;
        }
        let from = &best.as_ref()?.0;
        let moved = from.unknowns().into_iter().zip(&aim).map(|(from, to)| from + share * (to - from));
        point = from.with_unknowns(&moved.collect::<Vec<_>>());
    }
    best
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
    let cosines: Vec<f64> = samples.predictions(columns, &straight).iter().filter_map(cosine).collect();
    // The loss of speed grows with the square of the angle.
    let usual = median(&mut cosines.iter().map(|cosine| 1.0 - cosine).collect::<Vec<_>>());
    let kept: Vec<f64> = cosines.into_iter().filter(|cosine| 1.0 - cosine <= FAR * FAR * usual).collect();
    if kept.is_empty() { 1.0 } else { kept.iter().sum::<f64>() / kept.len() as f64 }
}
