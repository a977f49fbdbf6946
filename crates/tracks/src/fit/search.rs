//! Which rules there are, with which forms and radii: those whose sums meet the moments of the changes best.

use rayon::prelude::*;

use super::dictionary::{Dictionary, Rule, Term};
use super::instruments::{Instruments, Moments, Normal, Solved, standard_error};
use super::limits::Limits;
use super::samples::{Columns, Point, Prediction, Samples, explained};
use super::vectors::length;

/// A weight with a larger error, as a share of it, is not determined.
pub(super) const LARGEST_ERROR: f64 = 0.3;
/// A rule enters if its weight is this many standard errors above 0.
const SIGNIFICANT: f64 = 3.5;
/// A constant enters if its weight is this many. A group that drifts at random looks as if it returned to its mean velocity (Dickey & Fuller
/// 1979, J. Am. Stat. Assoc. 74, 427): a drag and a constant, which would explain what alignment does.
const SIGNIFICANT_CONSTANT: f64 = 6.0;
/// How often rules are exchanged for their best form and radius.
const ROUNDS: usize = 4;
/// The number of radii to each side of the best one when radii are refined, and how often they are.
const BESIDE: i32 = 4;
const REFINEMENTS: i32 = 3;
/// Forms and radii fit as well as the best ones if the moments are met worse by fewer squared standard errors.
const AS_WELL: f64 = 6.0;

/// The candidates of a search with their normal equations.
pub(super) struct Search<'a> {
    pub(super) samples: &'a Samples<'a>,
    pub(super) instruments: &'a Instruments<'a>,
    dictionary: &'a Dictionary,
    pub(super) columns: Columns,
    moments: Moments,
    /// Those of all blocks of time, and of each half of them.
    systems: Vec<Normal>,
}

/// The chosen rules, by the places of their first terms.
type Choice = Vec<usize>;

/// Rules with their forms, radii and weights.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The terms, those of a rule one after the other.
    pub(super) terms: Vec<Term>,
    pub(super) weights: Vec<f64>,
    /// The standard errors of the weights in these forms and with these radii.
    pub(super) errors: Vec<f64>,
    /// The limits through which the rules act.
    pub(super) limits: Limits,
    /// What the weights leave of the moments.
    pub(super) objective: f64,
    choice: Choice,
}

impl Model {
    pub(super) fn rules(&self) -> impl Iterator<Item = Rule> {
        self.terms.iter().filter(|term| term.part == 0).map(|term| term.rule)
    }

    pub(super) fn has(&self, rule: Rule) -> bool {
        self.term(rule).is_some()
    }

    /// The first term of a rule.
    pub(super) fn term(&self, rule: Rule) -> Option<Term> {
        self.terms.iter().copied().find(|term| term.rule == rule)
    }

    /// The model with the weights and limits of a point, which leaves this of the moments.
    pub(super) fn at(self, point: Point, objective: f64) -> Self {
        Self { weights: point.weights, limits: point.limits, objective, ..self }
    }

    /// Its weights and limits, for the sums of its terms.
    pub(super) fn point(&self) -> Point {
        Point { weights: self.weights.clone(), limits: self.limits }
    }

    /// The weights of a rule.
    pub(super) fn weights_of(&self, rule: Rule) -> Vec<f64> {
        let weights = self.terms.iter().zip(&self.weights);
        weights.filter(|(term, _)| term.rule == rule).map(|(_, weight)| *weight).collect()
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(samples: &'a Samples<'a>, instruments: &'a Instruments<'a>, dictionary: &'a Dictionary) -> Self {
        let columns = samples.columns(&dictionary.terms);
        let moments = instruments.moments(&columns, None);
        let systems = moments.systems(true);
        Self { samples, instruments, dictionary, columns, moments, systems }
    }

    /// Sets the normal equations to those through the limits of a tick at a point.
    pub(super) fn solve_through(&mut self, point: Option<&Point>) {
        self.moments = self.instruments.moments(&self.columns, point);
        self.systems = self.moments.systems(true);
    }

    /// Chooses rules one by one, and exchanges their forms and radii until the moments are met best. A drag looks like the alignment to
    /// animals that do not move as a group, and so rules are chosen from a return to a speed on, and from nothing on.
    pub(super) fn choose(&self) -> Option<Model> {
        let cruise: Choice = self.candidates(Rule::Cruise).take(1).collect();
        let grown = [cruise, Choice::new()].map(|start| self.grown(start));
        let solved = grown.into_iter().filter_map(|choice| self.solved(&self.systems[0], choice));
        self.model(solved.min_by(|a, b| a.objective.total_cmp(&b.objective))?.choice)
    }

    /// A model of other samples, with its forms and radii, and more rules if there are.
    pub(super) fn adopt(&mut self, model: &Model) -> Option<Model> {
        let first = self.columns.terms.len();
        self.columns.join(self.samples.columns(&model.terms));
        self.solve_through(None);
        let adopted = (first..self.columns.terms.len()).filter(|at| self.columns.terms[*at].part == 0);
        self.model(self.grown(adopted.collect()))
    }

    /// The choice with all rules that are certain. A constant is in many moments, and enters last.
    fn grown(&self, mut choice: Choice) -> Choice {
        loop {
            let tried = Rule::ALL.iter().copied().filter(|rule| self.dictionary.tries(*rule));
            let missing = tried.filter(|rule| choice.iter().all(|at| self.rule(*at) != *rule));
            let (constant, rules): (Vec<Rule>, Vec<Rule>) = missing.partition(|rule| *rule == Rule::Wind);
            match self.with_one(&choice, &rules).or_else(|| self.with_one(&choice, &constant)) {
                Some(next) => choice = next,
                None => return choice,
            }
        }
    }

    /// The choice with one more rule: that of these which meets the moments best, if all are certain then.
    fn with_one(&self, choice: &Choice, rules: &[Rule]) -> Option<Choice> {
        let added = rules.iter().flat_map(|rule| {
            let alone = self.best(&self.systems[0], choice, *rule, None);
            let others = choice.iter().map(|at| self.rule(*at));
            let social = others.filter(|other| rule.is_interaction() && other.is_interaction());
            let pairs = social.filter_map(|other| self.best_pair(choice, *rule, other));
            alone.into_iter().chain(pairs).collect::<Vec<_>>()
        });
        let mut added: Vec<(Choice, Solved)> = added.collect();
        added.sort_by(|a, b| a.1.objective.total_cmp(&b.1.objective));
        let mut improved = added.into_iter().map(|(next, _)| self.improved(&self.systems[0], next));
        improved.find(|next| next.iter().all(|at| self.is_certain(next, self.rule(*at))))
    }

    /// The model with the best forms and radii of these rules.
    pub(super) fn again(&self, model: &Model, rules: &[Rule]) -> Option<Model> {
        let kept = model.choice.iter().copied().filter(|at| rules.contains(&self.rule(*at))).collect();
        self.model(self.improved(&self.systems[0], kept))
    }

    /// Adds radii beside the best ones of each form of a model's rules, closer and closer, and chooses among them.
    pub(super) fn refine(&mut self, mut model: Model, point: Option<&Point>) -> Option<Model> {
        for round in 1..=REFINEMENTS {
            // The radii of a round fill the gaps beside the best one of the round before.
            let ratio = self.dictionary.ratio.powf(f64::from(BESIDE + 1).powi(-round));
            let mut terms = Vec::new();
            for rule in model.rules() {
                for form in 0..rule.forms().len() {
                    let best = self.best(&self.systems[0], &model.choice, rule, Some(form)).map(|(choice, _)| choice);
                    let best = best.and_then(|best| self.terms(&best).into_iter().find(|term| term.rule == rule));
                    let beside = (-BESIDE..=BESIDE).filter(|k| *k != 0);
                    if let Some(best) = best.filter(|term| term.radius > 0.0 && term.radius.is_finite()) {
                        terms.extend(beside.map(|k| Term { radius: best.radius * ratio.powi(k), ..best }));
                    }
                }
            }
            let columns = self.samples.columns(&terms);
            self.moments.join(&self.instruments.moments(&columns, point));
            self.columns.join(columns);
            self.systems = self.moments.systems(true);
            let rules: Vec<Rule> = model.rules().collect();
            model = self.again(&model, &rules)?;
        }
        Some(model)
    }

    /// The sums of a model's terms.
    pub(super) fn columns_of(&self, model: &Model) -> Columns {
        self.columns.select(&self.places(&model.choice))
    }

    /// The weights and limits of a model, for the sums of all candidates.
    pub(super) fn point_of(&self, model: &Model) -> Point {
        let mut weights = vec![0.0; self.columns.terms.len()];
        self.places(&model.choice).iter().zip(&model.weights).for_each(|(place, weight)| weights[*place] = *weight);
        Point { weights, limits: model.limits }
    }

    /// A model's rules in the forms and with the radii that meet the moments of each half of the blocks of time best, without errors.
    pub(super) fn halves(&self, model: &Model) -> Vec<Model> {
        let halves = self.systems[1..].par_iter();
        halves.filter_map(|half| self.solved(half, self.improved(half, model.choice.clone()))).collect()
    }

    /// What a model predicts of the changes.
    pub(super) fn predictions(&self, model: &Model) -> Vec<Prediction> {
        self.samples.predictions(&self.columns_of(model), &model.point())
    }

    /// The smallest radius that fits as well as that of a rule, and whether one that reaches all animals does.
    pub(super) fn shortest_radius(&self, model: &Model, rule: Rule, variance: f64) -> (f64, bool) {
        let Some(own) = model.term(rule) else { return (f64::INFINITY, false) };
        let others = self.without(&model.choice, rule);
        let mut fits_as_well = Vec::new();
        for candidate in self.candidates(rule).filter(|at| self.columns.terms[*at].form == own.form) {
            let solved = self.solve(&self.systems[0], &[&others[..], &[candidate]].concat());
            if solved.is_some_and(|solved| solved.objective - model.objective < AS_WELL * variance) {
                fits_as_well.push(self.columns.terms[candidate].radius);
            }
        }
        (fits_as_well.iter().copied().fold(f64::INFINITY, f64::min), fits_as_well.contains(&f64::INFINITY))
    }

    /// The other forms of a rule that fit as well, beside the best forms and radii of the other rules.
    pub(super) fn other_forms(&self, model: &Model, rule: Rule, variance: f64) -> Vec<&'static str> {
        let own = model.term(rule).map_or(0, |term| term.form);
        let others = rule.forms().into_iter().enumerate().filter(|(form, _)| *form != own);
        let as_well = others.filter(|(form, _)| {
            let other = self.in_form(model, rule, *form);
            other.is_some_and(|other| other.objective - model.objective < AS_WELL * variance)
        });
        as_well.map(|(_, name)| name).collect()
    }

    /// A model's rules with this one in another form, in the best forms and radii beside it.
    pub(super) fn in_form(&self, model: &Model, rule: Rule, form: usize) -> Option<Model> {
        let mut choice = model.choice.clone();
        for _ in 0..ROUNDS {
            for other in model.rules() {
                let of_form = (other == rule).then_some(form);
                choice = self.best(&self.systems[0], &choice, other, of_form).map_or(choice, |(better, _)| better);
            }
        }
        self.model(choice).filter(|other| other.term(rule).is_some_and(|term| term.form == form))
    }

    /// The square by which the moments of a model are uncertain: the variance of what it leaves of the changes, or what the moments show
    /// that it leaves if the rules are not quite those of the animals.
    pub(super) fn uncertainty(&self, model: &Model, variance: f64) -> f64 {
        let free = self.moments.directions().saturating_sub(model.terms.len());
        variance.max(model.objective / free.max(1) as f64)
    }

    /// The variance of what a model leaves of the changes, and R².
    pub(super) fn quality(&self, model: &Model) -> (f64, f64) {
        let predictions = self.predictions(model);
        let left: f64 = predictions.iter().map(|prediction| length(prediction.residual()).powi(2)).sum();
        ((left / self.instruments.equations().max(1) as f64).max(f64::MIN_POSITIVE), explained(&predictions))
    }

    fn model(&self, choice: Choice) -> Option<Model> {
        let model = self.solved(&self.systems[0], choice)?;
        Some(Model { errors: self.errors(&model.choice, &model.weights), ..model })
    }

    /// The model that meets the moments of a system best, without errors.
    fn solved(&self, system: &Normal, choice: Choice) -> Option<Model> {
        let Solved { mut weights, objective } = self.solve(system, &choice)?;
        let terms = self.terms(&choice);
        weights.truncate(terms.len());
        Some(Model { terms, weights, errors: Vec::new(), limits: Limits::NONE, objective, choice })
    }

    /// The candidates of a rule, by the places of their first terms.
    fn candidates(&self, rule: Rule) -> impl Iterator<Item = usize> {
        let terms = self.columns.terms.iter().enumerate();
        let first = terms.filter(move |(_, term)| term.rule == rule && term.part == 0 && **term != Term::OWN_PLACE);
        first.map(|(at, _)| at)
    }

    fn rule(&self, at: usize) -> Rule {
        self.columns.terms[at].rule
    }

    /// The choice without a rule.
    fn without(&self, choice: &[usize], rule: Rule) -> Choice {
        choice.iter().copied().filter(|at| self.rule(*at) != rule).collect()
    }

    fn places(&self, choice: &[usize]) -> Vec<usize> {
        let dim = self.samples.place.dim;
        choice.iter().flat_map(|at| *at..at + self.rule(*at).weights(dim)).collect()
    }

    fn terms(&self, choice: &[usize]) -> Vec<Term> {
        self.places(choice).into_iter().map(|place| self.columns.terms[place]).collect()
    }

    fn solve(&self, system: &Normal, choice: &[usize]) -> Option<Solved> {
        system.solve(&[self.places(choice), self.moments.extra().collect()].concat())
    }

    /// Whether all weights that cannot be negative are positive.
    fn is_valid(&self, choice: &[usize], solved: &Solved) -> bool {
        let mut weights = self.terms(choice).into_iter().zip(&solved.weights);
        // A border turns no animal around in less than a frame.
        let fastest = 2.0 * self.samples.place.mean_speed;
        weights.all(|(term, weight)| {
            term.rule.is_signed() || *weight > 0.0 && (term.rule != Rule::Edge || *weight < fastest)
        })
    }

    /// Whether the weight of a rule is far from 0, with its form and radius.
    fn is_certain(&self, choice: &Choice, rule: Rule) -> bool {
        let least = match rule {
            Rule::Cruise => return true,
            Rule::Wind => SIGNIFICANT_CONSTANT,
            _ => SIGNIFICANT,
        };
        let Some(all) = self.solve(&self.systems[0], choice) else { return false };
        let terms = self.terms(choice);
        let errors = self.errors(choice, &all.weights[..terms.len()]);
        (0..terms.len()).any(|place| terms[place].rule == rule && all.weights[place].abs() > least * errors[place])
    }

    /// The standard errors of weights, with the same choice in each half of the blocks of time.
    fn errors(&self, choice: &Choice, weights: &[f64]) -> Vec<f64> {
        let halves: Vec<Solved> = self.systems[1..].iter().filter_map(|half| self.solve(half, choice)).collect();
        let weights = weights.iter().enumerate();
        weights.map(|(place, all)| standard_error(*all, halves.iter().map(|half| half.weights[place]))).collect()
    }

    /// The best radius of a rule beside others, in any form or in one.
    fn best(&self, system: &Normal, choice: &[usize], rule: Rule, form: Option<usize>) -> Option<(Choice, Solved)> {
        let tried = self.candidates(rule).filter(|at| form.is_none_or(|form| self.columns.terms[*at].form == form));
        self.best_of(system, &self.without(choice, rule), tried.map(|at| vec![at]).collect())
    }

    /// The best forms and radii of two rules beside others: one that is too narrow may hide another one.
    fn best_pair(&self, choice: &[usize], one: Rule, other: Rule) -> Option<(Choice, Solved)> {
        let pairs = self.candidates(one).flat_map(|one| self.candidates(other).map(move |other| vec![one, other]));
        self.best_of(&self.systems[0], &self.without(&self.without(choice, one), other), pairs.collect())
    }

    /// Those of the tried candidates that meet the moments best beside others.
    fn best_of(&self, system: &Normal, others: &[usize], tried: Vec<Choice>) -> Option<(Choice, Solved)> {
        let solved = tried.into_par_iter().filter_map(|tried| {
            let choice = [others, &tried].concat();
            let solved = self.solve(system, &choice).filter(|solved| self.is_valid(&choice, solved))?;
            Some((choice, solved))
        });
        // Forms that say the same, such as a sum and a mean over all animals, differ by rounding, and the first one counts.
        let objective = |(choice, solved): &(Choice, Solved)| {
            let forms: usize = self.terms(choice).iter().map(|term| term.form).sum();
            solved.objective * (1.0 + 1e-6 * forms as f64)
        };
        solved.min_by(|a, b| objective(a).total_cmp(&objective(b)))
    }

    /// Exchanges forms and radii until the moments are met best.
    fn improved(&self, system: &Normal, mut choice: Choice) -> Choice {
        let mut objective = self.solve(system, &choice).map_or(f64::INFINITY, |solved| solved.objective);
        for _ in 0..ROUNDS {
            let before = choice.clone();
            for rule in before.iter().map(|at| self.rule(*at)) {
                if let Some((better, solved)) =
                    self.best(system, &choice, rule, None).filter(|(_, solved)| solved.objective < objective)
                {
                    (choice, objective) = (better, solved.objective);
                }
            }
            // Rules between neighbors often reach equally far, and moving one of them alone makes it worse.
            for at in self.candidates(Rule::Alignment) {
                let radius = self.columns.terms[at].radius;
                let mut moved = choice.clone();
                for at in moved.iter_mut().filter(|at| self.rule(**at).is_interaction()) {
                    let same = Term { radius, ..self.columns.terms[*at] };
                    *at = self.columns.terms.iter().position(|term| *term == same).unwrap_or(*at);
                }
                if let Some(solved) = self.solve(system, &moved).filter(|solved| solved.objective < objective)
                    && self.is_valid(&moved, &solved)
                {
                    (choice, objective) = (moved, solved.objective);
                }
            }
            if choice.iter().all(|entry| before.contains(entry)) {
                break;
            }
        }
        choice
    }
}
