//! Weights from sums some frames earlier: the generalized method of moments (Hansen 1982, *Large sample properties of generalized
//! method of moments estimators*, Econometrica 50, 1029).
//!
//! Velocities that are differences of positions have the errors of the positions and the random accelerations of the animals, and so have
//! the changes of velocity. Sums of earlier frames, the instruments, have none of these errors, and so tell what the present sums cause. The
//! bank of instruments is the same for all rules, radii and forms, so that they can be compared.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::motion::Motion;
use super::regression::{BLOCKS, explained, jackknife};
use super::rules::Rule;
use super::sums::{Place, Term, of_frame};
use super::vectors::dot;
use flockscope_sim::Params;

/// Directions of instruments with a smaller share of the largest variance are left out.
const SMALLEST: f64 = 1e-6;
/// A rule enters if its weight is this many standard errors above 0.
pub(super) const SIGNIFICANT: f64 = 3.5;
/// A constant enters if its weight is this many. A group that drifts at random looks as if it returned to its mean velocity (Dickey & Fuller
/// 1979, J. Am. Stat. Assoc. 74, 427): a drag and a constant, which would explain what alignment does.
const SIGNIFICANT_CONSTANT: f64 = 6.0;
/// How often rules are exchanged for their best form and radius.
const ROUNDS: usize = 3;

/// The factors by which radii move.
const RATIOS: [f64; 4] = [1.15, 1.07, 1.04, 1.02];

/// The factor by which radii change for their errors.
const FAR: f64 = 1.2;

/// How a recording is observed: the frames by which instruments are earlier. None if velocities are exact.
pub(super) const EXACT: &[usize] = &[0];
pub(super) const EARLIER: &[usize] = &[2, 3];

/// The candidates of a motion.
pub(super) struct Candidates {
    /// For each rule that is tried, its terms in all forms and radii.
    pub(super) rules: Vec<(Rule, Vec<Term>)>,
    bank: Vec<Term>,
}

impl Candidates {
    pub(super) fn new(rules: &[Rule], [radii, margins, flights]: [&[f64]; 3], is_infinite: bool, dim: usize) -> Self {
        let (mut all, mut bank) = (Vec::new(), Vec::new());
        for &rule in rules {
            let forms = rule.forms(&Params::default()).len();
            let reaches: Vec<f64> = match rule {
                Rule::Edge => margins.to_vec(),
                Rule::Flee => flights.to_vec(),
                Rule::Cruise | Rule::Wind => vec![0.0],
                Rule::Separation => radii.to_vec(),
                _ => radii.iter().copied().chain(is_infinite.then_some(f64::INFINITY)).collect(),
            };
            let parts = rule.weights(dim);
            let term = |form, radius, part| Term { rule, form, radius, part };
            let every =
                |form| reaches.iter().flat_map(move |radius| (0..parts).map(move |part| term(form, *radius, part)));
            all.push((rule, (0..forms).flat_map(every).collect()));
            // The last form of separation, and the first one of others, at some of the radii.
            let form = if matches!(rule, Rule::Separation | Rule::Flee) { forms - 1 } else { 0 };
            let some = reaches.iter().rev().step_by(3).take(5);
            bank.extend(some.flat_map(|radius| (0..parts).map(move |part| term(form, *radius, part))));
        }
        bank.push(Term::OWN_PLACE);
        Self { rules: all, bank }
    }

    fn of(&self, rule: Rule) -> &[Term] {
        self.rules.iter().find(|(other, _)| *other == rule).map_or(&[], |(_, terms)| terms)
    }
}

/// The products of a column of sums with all instruments, by block of time.
pub(super) type Moment = Vec<DVector<f64>>;

/// Weights, and how well they meet the moments.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) terms: Vec<Term>,
    pub(super) weights: Vec<f64>,
    /// The weights without each block of time.
    pub(super) left_out: Vec<Vec<f64>>,
    objective: f64,
}

impl Linear {
    pub(super) fn error(&self, weight: usize) -> f64 {
        jackknife(self.left_out.iter().map(|weights| weights[weight])).sqrt()
    }

    /// A weight in standard errors.
    pub(super) fn certainty(&self, weight: usize) -> f64 {
        self.weights[weight] / self.error(weight).max(f64::MIN_POSITIVE)
    }

    /// Whether all weights that cannot be negative are positive.
    fn is_valid(&self) -> bool {
        self.terms.iter().zip(&self.weights).all(|(term, weight)| term.rule.is_signed() || *weight > 0.0)
    }
}

/// The changes of a motion, and their instruments.
pub(super) struct Instruments<'a> {
    motion: &'a Motion,
    place: Place,
    /// The chosen frames, with their block of time and their rows that are samples.
    frames: Vec<(usize, usize, Vec<usize>)>,
    /// The instruments of each sample and axis.
    bank: DMatrix<f64>,
    whitening: DMatrix<f64>,
    target: Moment,
}

impl<'a> Instruments<'a> {
    /// About this many changes of a motion; `None` without instruments.
    pub(super) fn new(
        motion: &'a Motion,
        place: Place,
        candidates: &Candidates,
        (lags, count): (&[usize], usize),
    ) -> Option<Self> {
        let longest = lags.iter().copied().max().unwrap_or(0);
        let earlier =
            |row: usize, lag: usize| (0..lag).try_fold(row, |row, _| motion.before[row].map(|row| row as usize));
        let per_frame = motion.change_count().div_ceil(motion.frames().max(1)).max(1);
        let wanted = count.div_ceil(per_frame * BLOCKS).max(1);
        let mut frames = Vec::new();
        for block in 0..BLOCKS {
            let (from, to) = (motion.frames() * block / BLOCKS, motion.frames() * (block + 1) / BLOCKS);
            let chosen = wanted.min(to - from);
            for frame in (0..chosen).map(|k| from + (to - from) * k / chosen) {
                let rows = motion.starts[frame]..motion.starts[frame + 1];
                let samples: Vec<usize> =
                    rows.filter(|row| motion.changes[*row].is_some() && earlier(*row, longest).is_some()).collect();
                if !samples.is_empty() {
                    frames.push((frame, block, samples));
                }
            }
        }
        let dim = place.dim;
        let width = candidates.bank.len() * lags.len();
        let of_frame = |(frame, _, samples): &(usize, usize, Vec<usize>)| {
            let mut values = vec![0.0; samples.len() * dim * width];
            for (at, lag) in lags.iter().enumerate() {
                let sums = of_frame(&motion.frame(frame - lag), &candidates.bank, &place);
                for (sample, row) in samples.iter().enumerate() {
                    let place = earlier(*row, *lag).unwrap_or(*row) - motion.starts[frame - lag];
                    for term in 0..candidates.bank.len() {
                        for axis in 0..dim {
                            values[(sample * dim + axis) * width + at * candidates.bank.len() + term] =
                                f64::from(sums[place * candidates.bank.len() + term][axis]);
                        }
                    }
                }
            }
            values
        };
        let values: Vec<f64> = frames.par_iter().map(of_frame).collect::<Vec<_>>().concat();
        if values.is_empty() {
            return None;
        }
        let bank = DMatrix::from_vec(width, values.len() / width, values);
        let products = (0..BLOCKS).into_par_iter().map(|part| {
            let [from, to] = [part, part + 1].map(|end| bank.ncols() * end / BLOCKS);
            let columns = bank.columns(from, to - from);
            columns * columns.transpose()
        });
        let gram: DMatrix<f64> = products.collect::<Vec<_>>().into_iter().sum();
        let scale: Vec<f64> = (0..width).map(|k| 1.0 / gram[(k, k)].max(f64::MIN_POSITIVE).sqrt()).collect();
        let eigen = DMatrix::from_fn(width, width, |k, l| gram[(k, l)] * scale[k] * scale[l]).symmetric_eigen();
        let kept: Vec<usize> =
            (0..width).filter(|k| eigen.eigenvalues[*k] > SMALLEST * eigen.eigenvalues.max()).collect();
        let whitening = DMatrix::from_fn(kept.len(), width, |k, l| {
            eigen.eigenvectors[(l, kept[k])] * scale[l] / eigen.eigenvalues[kept[k]].sqrt()
        });
        let mut instruments = Self { motion, place, frames, bank, whitening, target: Vec::new() };
        let changes: Vec<[f32; 3]> = instruments.changes().map(|change| change.map(|axis| axis as f32)).collect();
        instruments.target = instruments.moment(&changes);
        Some(instruments)
    }

    fn changes(&self) -> impl Iterator<Item = [f64; 3]> {
        let rows = self.frames.iter().flat_map(|(_, _, samples)| samples);
        let change = |row: usize| self.motion.changes[row].unwrap_or_default();
        rows.map(move |row| self.place.effective(change(*row), self.motion.rows[*row].velocity))
    }

    /// The sums of these terms for all samples.
    fn columns(&self, terms: &[Term]) -> Vec<Vec<[f32; 3]>> {
        let of_frame = |(frame, _, samples): &(usize, usize, Vec<usize>)| {
            let sums = of_frame(&self.motion.frame(*frame), terms, &self.place);
            let rows = samples.iter().map(|row| row - self.motion.starts[*frame]);
            rows.map(|row| sums[row * terms.len()..(row + 1) * terms.len()].to_vec()).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<[f32; 3]>> = self.frames.par_iter().flat_map_iter(of_frame).collect();
        (0..terms.len()).map(|term| rows.iter().map(|row| row[term]).collect()).collect()
    }

    fn moment(&self, column: &[[f32; 3]]) -> Moment {
        let (width, dim) = (self.bank.nrows(), self.place.dim);
        let mut blocks = vec![DVector::zeros(width); BLOCKS];
        let mut sample = 0;
        for (_, block, samples) in &self.frames {
            for _ in samples {
                for (axis, value) in column[sample].iter().enumerate().take(dim) {
                    blocks[*block].axpy(f64::from(*value), &self.bank.column(sample * dim + axis), 1.0);
                }
                sample += 1;
            }
        }
        blocks.into_iter().map(|block| &self.whitening * block).collect()
    }

    /// The moments of these terms.
    pub(super) fn moments(&self, terms: &[Term]) -> Vec<Moment> {
        self.columns(terms).par_iter().map(|column| self.moment(column)).collect()
    }

    /// The weights of terms with these moments.
    pub(super) fn solve(&self, terms: &[(Term, &Moment)]) -> Linear {
        let size = terms.len();
        let parts: Vec<(DMatrix<f64>, &DVector<f64>)> = (0..BLOCKS)
            .map(|block| {
                let columns: Vec<DVector<f64>> = terms.iter().map(|(_, moment)| moment[block].clone()).collect();
                let matrix = if size == 0 {
                    DMatrix::zeros(self.target[block].len(), 0)
                } else {
                    DMatrix::from_columns(&columns)
                };
                (matrix, &self.target[block])
            })
            .collect();
        let matrix = parts.iter().fold(DMatrix::zeros(self.whitening.nrows(), size), |sum, (matrix, _)| sum + matrix);
        let target = parts.iter().fold(DVector::zeros(self.whitening.nrows()), |sum, (_, target)| sum + *target);
        let weights = least_squares(&matrix, &target);
        let objective = (&target - &matrix * &weights).norm_squared();
        let left_out = parts
            .iter()
            .map(|(part, of_part)| least_squares(&(&matrix - part), &(&target - *of_part)).iter().copied().collect());
        Linear {
            terms: terms.iter().map(|(term, _)| *term).collect(),
            left_out: left_out.collect(),
            weights: weights.iter().copied().collect(),
            objective,
        }
    }

    /// The weights of these terms.
    pub(super) fn fit(&self, terms: &[Term]) -> Linear {
        let moments = self.moments(terms);
        self.solve(&terms.iter().copied().zip(&moments).collect::<Vec<_>>())
    }

    /// How much better the moments are met with a rule beside other terms, in its best form and radius with a positive weight: its weight in
    /// standard errors, if changes that nothing explains are independent; and the solution. An error from blocks of time would itself vary
    /// too much between surrogates.
    pub(super) fn strongest(&self, candidates: &Candidates, rule: Rule, others: &[Term]) -> Option<(f64, Linear)> {
        let terms = candidates.of(rule);
        let (beside, moments) = (self.moments(others), self.moments(terms));
        let others: Vec<(Term, &Moment)> = others.iter().copied().zip(&beside).collect();
        let without = self.solve(&others);
        let variance = self.variance(&without);
        let solved = terms.par_iter().zip(&moments).map(|(term, moment)| {
            let all: Vec<(Term, &Moment)> = [(*term, moment)].into_iter().chain(others.iter().copied()).collect();
            let linear = self.solve(&all);
            let gain = ((without.objective - linear.objective).max(0.0) / variance).sqrt();
            (gain * linear.weights[0].signum(), linear)
        });
        solved.collect::<Vec<_>>().into_iter().max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The variance of changes that nothing explains.
    fn variance(&self, linear: &Linear) -> f64 {
        let unexplained = self.residuals(linear).into_iter().map(|residual| dot(residual, residual)).sum::<f64>();
        (unexplained / self.bank.ncols() as f64).max(f64::MIN_POSITIVE)
    }

    /// The standard error of the radius of a term, from how much worse the moments are met with a larger and a smaller one.
    pub(super) fn radius_error(&self, best: &Linear, place: usize) -> f64 {
        let objective = |factor: f64| {
            let mut terms = best.terms.clone();
            terms[place].radius *= factor;
            self.fit(&terms).objective
        };
        let rise = 0.5 * (objective(FAR) + objective(1.0 / FAR)) - best.objective;
        let deviations = (rise.max(0.0) / self.variance(best)).sqrt();
        best.terms[place].radius * (FAR - 1.0) / deviations.max(FAR - 1.0)
    }

    /// The share of the variance of changes that weights explain.
    pub(super) fn r_squared(&self, linear: &Linear) -> f64 {
        explained(&self.changes().zip(self.residuals(linear)).collect::<Vec<_>>())
    }

    /// What weights leave of the changes.
    fn residuals(&self, linear: &Linear) -> Vec<[f64; 3]> {
        let columns = self.columns(&linear.terms);
        let residual = |(sample, change): (usize, [f64; 3])| {
            linear.weights.iter().zip(&columns).fold(change, |left, (weight, column)| {
                [0, 1, 2].map(|axis| left[axis] - weight * f64::from(column[sample][axis]))
            })
        };
        self.changes().enumerate().map(residual).collect()
    }

    /// Chooses rules, forms and radii one by one, and exchanges them until the moments are met best.
    pub(super) fn search(&self, candidates: &Candidates) -> Linear {
        let moments: Vec<(Rule, Vec<(Term, Moment)>)> = (candidates.rules.iter())
            .map(|(rule, terms)| (*rule, terms.iter().copied().zip(self.moments(terms)).collect()))
            .collect();
        let dim = self.place.dim;
        // A choice is the place of the first of a rule's terms.
        let solve = |chosen: &[(usize, usize)]| {
            let terms = chosen.iter().flat_map(|&(rule, at)| {
                let (rule, terms) = &moments[rule];
                terms[at..at + rule.weights(dim)].iter().map(|(term, moment)| (*term, moment))
            });
            self.solve(&terms.collect::<Vec<_>>())
        };
        let best = |chosen: &[(usize, usize)], rule: usize| {
            let others = chosen.iter().copied().filter(|(other, _)| *other != rule);
            let places = (0..moments[rule].1.len()).step_by(moments[rule].0.weights(dim));
            let tried = places.map(|at| others.clone().chain([(rule, at)]).collect::<Vec<_>>());
            let solved = tried.map(|chosen| (solve(&chosen), chosen)).filter(|(linear, _)| linear.is_valid());
            // Forms that say the same, such as a sum and a mean over all animals, differ by rounding, and the first one counts.
            let objective = |linear: &Linear| {
                let forms: usize = linear.terms.iter().map(|term| term.form).sum();
                linear.objective * (1.0 + 1e-6 * forms as f64)
            };
            solved.min_by(|a, b| objective(&a.0).total_cmp(&objective(&b.0)))
        };
        // Rules between neighbors often reach equally far, and moving one of them alone makes it worse.
        let at_one_radius = |chosen: &[(usize, usize)]| {
            let is_social = |(rule, _): &&(usize, usize)| moments[*rule].0.is_interaction();
            let radii = candidates.of(Rule::Cohesion).iter().filter(|term| term.form == 0).map(|term| term.radius);
            let moved = radii.map(|radius| {
                let mut chosen = chosen.to_vec();
                for (rule, at) in chosen.iter_mut().filter(|choice| is_social(&&**choice)) {
                    let form = moments[*rule].1[*at].0.form;
                    let same = |(term, _): &(Term, Moment)| term.form == form && term.radius == radius;
                    *at = moments[*rule].1.iter().position(same).unwrap_or(*at);
                }
                (solve(&chosen), chosen)
            });
            moved.collect::<Vec<_>>()
        };
        let mut is_complete = false;
        let cruise = moments.iter().position(|(rule, _)| *rule == Rule::Cruise);
        let mut chosen: Vec<(usize, usize)> = cruise.map(|rule| (rule, 0)).into_iter().collect();
        let mut current = solve(&chosen);
        loop {
            let missing = (0..moments.len()).filter(|rule| chosen.iter().all(|(other, _)| other != rule));
            // A constant is in many moments, and enters only if nothing else does.
            let (constants, rules): (Vec<usize>, Vec<usize>) = missing.partition(|rule| moments[*rule].0 == Rule::Wind);
            let added = |rules: Vec<usize>| {
                let added = rules.into_par_iter().filter_map(|rule| best(&chosen, rule));
                added.min_by(|a, b| a.0.objective.total_cmp(&b.0.objective))
            };
            let rules = if is_complete { constants } else { rules };
            let Some((mut linear, mut next)) = added(rules) else {
                if is_complete {
                    break;
                }
                is_complete = true;
                continue;
            };
            for _ in 0..ROUNDS {
                let before = next.clone();
                for rule in before.iter().map(|(rule, _)| *rule) {
                    if let Some((better, exchanged)) =
                        best(&next, rule).filter(|(other, _)| other.objective < linear.objective * (1.0 + 1e-5))
                    {
                        (linear, next) = (better, exchanged);
                    }
                }
                for (other, together) in at_one_radius(&next) {
                    if other.is_valid() && other.objective < linear.objective {
                        (linear, next) = (other, together);
                    }
                }
                if next == before {
                    break;
                }
            }
            let is_certain = |rule: Rule| {
                let places = (0..linear.terms.len()).filter(|place| linear.terms[*place].rule == rule);
                let least = if rule == Rule::Wind { SIGNIFICANT_CONSTANT } else { SIGNIFICANT };
                places.into_iter().any(|place| linear.certainty(place).abs() > least)
            };
            let all_certain =
                next.iter().all(|(rule, _)| is_certain(moments[*rule].0) || moments[*rule].0 == Rule::Cruise);
            if all_certain {
                (chosen, current) = (next, linear);
            } else if is_complete {
                break;
            } else {
                is_complete = true;
            }
        }
        self.refined(current)
    }

    /// Moves finite radii by smaller and smaller ratios as long as the moments are met better.
    fn refined(&self, mut linear: Linear) -> Linear {
        for ratio in RATIOS {
            for place in 0..linear.terms.len() {
                let radius = linear.terms[place].radius;
                if radius == 0.0 || radius.is_infinite() {
                    continue;
                }
                let moved = [ratio, 1.0 / ratio].map(|factor| {
                    let mut terms = linear.terms.clone();
                    terms[place].radius = radius * factor;
                    self.fit(&terms)
                });
                for other in moved.into_iter().filter(Linear::is_valid) {
                    if other.objective < linear.objective {
                        linear = other;
                    }
                }
            }
        }
        linear
    }
}

/// The vector that meets overdetermined equations best.
fn least_squares(matrix: &DMatrix<f64>, target: &DVector<f64>) -> DVector<f64> {
    if matrix.ncols() == 0 {
        return DVector::zeros(0);
    }
    let mut normal = matrix.transpose() * matrix;
    for k in 0..normal.nrows() {
        normal[(k, k)] = normal[(k, k)] * (1.0 + 1e-10) + f64::MIN_POSITIVE;
    }
    let right = matrix.transpose() * target;
    normal.cholesky().map_or_else(|| DVector::zeros(matrix.ncols()), |cholesky| cholesky.solve(&right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_meet_moments_best() {
        // The line of least squares through (0, 1), (1, 2) and (2, 2) is 7/6 + x/2.
        let matrix = DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
        let line = least_squares(&matrix, &DVector::from_column_slice(&[1.0, 2.0, 2.0]));
        assert!((line[0] - 7.0 / 6.0).abs() < 1e-8 && (line[1] - 0.5).abs() < 1e-8, "{line}");
    }
}
