//! What a fit says of each rule.

use super::Data;
use super::dictionary::{Rule, Term, cruise_speed};
use super::instruments::standard_error;
use super::search::{LARGEST_ERROR, Model, Search};
use super::surrogates::{Tested, fewest_frames};
use super::tick;

/// A border or a current with a larger error, with forms and radii chosen again, is not there.
const UNSETTLED: f64 = 0.4;
/// The relative error of a radius that the search leaves.
const RESOLUTION: f64 = 0.005;

/// A number with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The standard error, between halves of the recording that choose forms and radii again.
    pub error: f64,
}

/// The reach of a rule, in u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// A radius or margin.
    Known(Estimate),
    /// That at which a rule which was not found is strongest.
    Strongest(f64),
    /// All larger ones fit as well.
    AtLeast(f64),
    /// The rule reaches all animals.
    All,
}

/// What a recording says of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleFit {
    /// The rule.
    pub rule: Rule,
    /// Whether it is there.
    pub verdict: Verdict,
    /// Its form; of a rule that was not found, that in which it is strongest.
    pub form: &'static str,
    /// Other forms that may be the right ones.
    pub other_forms: Vec<&'static str>,
    /// Its weights: one, or the components of the wind; none if nothing is known.
    pub weights: Vec<Estimate>,
    /// Its radius or margin.
    pub radius: Option<Radius>,
    /// The speed to which animals return, in u/frame.
    pub speed: Option<Estimate>,
    /// Its mean weight in tracks that are shifted in time.
    pub shifted: Option<f64>,
}

/// Whether a rule is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Animals that ignore each other would not show it, nor would anything that acts on all animals alike.
    Found,
    /// Animals do this at the same moments: they may respond to each other, or to something else.
    Shared,
    /// A weight that changes the flight would be seen.
    NotFound {
        /// The largest weight that it could have.
        most: f64,
        /// The smallest weight that changes the flight.
        matters: f64,
    },
    /// The recording does not show it; how weak it is at most is unknown.
    NotSeen,
    /// A limit of turns or of the steering may hide it.
    MayBeHidden,
    /// The error of the weight is too large.
    Uncertain,
    /// A weight that changes the flight could be there.
    NeedsFrames {
        /// The largest weight that it could have.
        most: f64,
        /// The number of frames that would tell.
        frames: usize,
    },
    /// A comparison with animals that ignore each other needs this number of frames.
    TooShort(usize),
    /// There are too few animals for rules between them.
    TooFewAnimals,
    /// The rules do not describe the animals: they predict changes worse than nothing.
    NotDescribed,
}

impl RuleFit {
    /// A rule of which nothing is known but this.
    fn nothing(rule: Rule, verdict: Verdict) -> Self {
        let (form, other_forms, weights) = ("", Vec::new(), Vec::new());
        Self { rule, verdict, form, other_forms, weights, radius: None, speed: None, shifted: None }
    }

    /// Whether the rule is one of the fitted flock's.
    pub fn is_flown(&self) -> bool {
        matches!(self.verdict, Verdict::Found | Verdict::Shared)
    }
}

/// The rules of a fit, and the model that flies.
pub(super) struct Judged {
    pub(super) rules: Vec<RuleFit>,
    pub(super) model: Model,
    pub(super) r_squared: f64,
}

impl Judged {
    /// The rules that fly.
    pub(super) fn flown(&self) -> Vec<Rule> {
        self.rules.iter().filter(|fit| fit.is_flown()).map(|fit| fit.rule).collect()
    }

    /// The terms of the model, and those of the other rules between neighbors where they are strongest.
    pub(super) fn strongest(&self, test: Option<&[Tested]>) -> Vec<Term> {
        let missing = test.unwrap_or_default().iter().filter(|tested| !self.model.has(tested.rule));
        self.model.terms.iter().copied().chain(missing.map(|tested| tested.strongest.term)).collect()
    }

    /// The largest finite radius of rules between neighbors, or else this one.
    pub(super) fn reach(&self, widest: f64) -> f64 {
        let social = self.model.terms.iter().filter(|term| term.rule.is_interaction() && term.radius.is_finite());
        social.map(|term| term.radius).max_by(f64::total_cmp).unwrap_or(widest)
    }
}

/// Judges each rule, and leaves those out of the model that are not found.
pub(super) fn judge(data: &Data, search: &mut Search<'_>, test: Option<&[Tested]>, mut model: Model) -> Option<Judged> {
    let of_test = |rule: Rule| test.unwrap_or_default().iter().find(|tested| tested.rule == rule);
    let strengths = search.columns.strengths();
    let mut uncertain = Vec::new();
    let fitted = loop {
        let fitted = Fitted { search, strengths: &strengths, model: &model, halves: search.halves(&model) };
        let Some((rule, is_refuted)) = fitted.worst(&of_test) else { break fitted };
        if !is_refuted {
            uncertain.push(fitted.rule(rule, Verdict::Uncertain));
        }
        let rules: Vec<Rule> = model.rules().filter(|other| *other != rule).collect();
        let is_limited = model.limits.are_seen();
        model = if is_limited { tick::again(search, &model, &rules)? } else { search.again(&model, &rules)? };
    };
    let (variance, r_squared) = fitted.search.quality(&model);
    let uncertainty = fitted.search.uncertainty(&model, variance);
    let rules = Rule::ALL.iter().copied().filter_map(|rule| {
        let tested = of_test(rule);
        if !model.has(rule) {
            let known = uncertain.iter().find(|fit: &&RuleFit| fit.rule == rule).cloned();
            return known.or_else(|| absent(data, &model, rule, tested));
        }
        let verdict = match tested {
            _ if rule.is_interaction() && r_squared < 0.0 => Verdict::NotDescribed,
            Some(tested) if !tested.is_within => Verdict::Shared,
            _ if rule == Rule::Cruise && !fitted.returns() => Verdict::NotSeen,
            _ => Verdict::Found,
        };
        let mut fit = fitted.rule(rule, verdict);
        fit.other_forms = fitted.search.other_forms(&model, rule, uncertainty);
        fit.radius = fit.radius.map(|radius| match fitted.search.shortest_radius(&model, rule, uncertainty) {
            (shortest, true) if rule.is_interaction() && shortest.is_finite() => Radius::AtLeast(shortest),
            _ => radius,
        });
        fit.shifted = tested.and_then(|tested| tested.mean);
        Some(fit)
    });
    Some(Judged { rules: rules.collect(), model, r_squared })
}

/// A model, and the same rules in halves of the recording, each with its own forms and radii.
struct Fitted<'a> {
    search: &'a Search<'a>,
    /// The root mean square of the sums of all candidates.
    strengths: &'a [f64],
    model: &'a Model,
    halves: Vec<Model>,
}

impl Fitted<'_> {
    /// The rule that is least likely to be there, if one is not, and whether animals that ignore each other show as much.
    fn worst<'t>(&self, of_test: &dyn Fn(Rule) -> Option<&'t Tested>) -> Option<(Rule, bool)> {
        let model = self.model;
        let first = |rule: Rule| {
            let place = model.terms.iter().position(|term| term.rule == rule).unwrap_or(0);
            (model.weights[place], model.errors[place])
        };
        let refuted = model.rules().find(|rule| {
            let (weight, error) = first(*rule);
            if rule.is_interaction() {
                // A rule that is certain, but no stronger than what all animals share, is not one between neighbors.
                return !of_test(*rule)
                    .is_some_and(|tested| tested.is_beyond && weight - tested.mean.unwrap_or(0.0) > 2.0 * error);
            }
            // A border or a current that each half of a recording sees differently is none.
            let halves = self.halves.iter().map(|half| half.weights_of(*rule)[0]);
            let is_place = matches!(rule, Rule::Edge | Rule::Wind) && !model.limits.are_seen();
            is_place && standard_error(weight, halves) > UNSETTLED * weight.abs()
        });
        if let Some(rule) = refuted {
            return Some((rule, true));
        }
        let share = |rule: &Rule| {
            let (weight, error) = first(*rule);
            if weight > 0.0 { error / weight } else { f64::INFINITY }
        };
        let tried = model.rules().filter(|rule| !matches!(rule, Rule::Edge | Rule::Wind));
        let rule = tried.max_by(|a, b| share(a).total_cmp(&share(b)))?;
        (share(&rule) > LARGEST_ERROR).then_some((rule, rule == Rule::Cruise))
    }

    /// Whether animals return to a speed that may be above 0. Without it, other rules would explain why speeds do not grow.
    fn returns(&self) -> bool {
        self.rule(Rule::Cruise, Verdict::Found).speed.is_some_and(|speed| speed.value + 2.0 * speed.error > 0.0)
    }

    /// A rule of the model, with errors from the halves.
    fn rule(&self, rule: Rule, verdict: Verdict) -> RuleFit {
        let weights = self.model.weights_of(rule);
        let term = self.model.term(rule).unwrap_or(Term::OWN_PLACE);
        let strength = |term: &Term| {
            let place = self.search.columns.terms.iter().position(|other| other == term);
            place.map_or(1.0, |place| self.strengths[place])
        };
        let halves = || self.halves.iter().map(|half| (half.term(rule).unwrap_or(term), half.weights_of(rule)));
        let estimates = weights.iter().enumerate().map(|(place, value)| {
            // Weights of different forms have different units: those with equal steering correspond.
            let of_halves = halves().map(|(other, weights)| {
                let is_same = other.form == term.form;
                let factor = if is_same { 1.0 } else { strength(&other) / strength(&term).max(f64::MIN_POSITIVE) };
                factor * weights[place]
            });
            Estimate { value: *value, error: standard_error(*value, of_halves) }
        });
        let mut estimates: Vec<Estimate> = estimates.collect();
        let mut speed = None;
        if rule == Rule::Cruise {
            let mean_speed = self.search.samples.place.mean_speed;
            let value = cruise_speed(&weights, mean_speed);
            let of_halves = halves().map(|(_, weights)| cruise_speed(&weights, mean_speed));
            speed = Some(Estimate { value, error: standard_error(value, of_halves) });
            estimates.truncate(1);
        }
        let radius = (term.radius > 0.0).then(|| {
            if term.radius.is_infinite() {
                return Radius::All;
            }
            let radii = halves().map(|(term, _)| term.radius).filter(|radius| radius.is_finite());
            let error = standard_error(term.radius, radii).hypot(RESOLUTION * term.radius);
            Radius::Known(Estimate { value: term.radius, error })
        });
        RuleFit { form: term.form_name(), weights: estimates, radius, speed, ..RuleFit::nothing(rule, verdict) }
    }
}

/// A rule that is not in a model; `None` if the recording has nothing that could show it.
fn absent(data: &Data, model: &Model, rule: Rule, tested: Option<&Tested>) -> Option<RuleFit> {
    let nothing = |verdict: Verdict| RuleFit::nothing(rule, verdict);
    if !data.dictionary.tries(rule) {
        return rule.is_interaction().then(|| nothing(Verdict::TooFewAnimals));
    }
    if !rule.is_interaction() {
        return Some(nothing(Verdict::NotSeen));
    }
    let Some(Tested { strongest, .. }) = tested else {
        return Some(nothing(Verdict::TooShort(fewest_frames(data.memory))));
    };
    // Weights that limits of speed alone distort are at most a quarter too small, and those under other limits may be far smaller.
    if model.limits.turn > 0.0 || model.limits.force.is_finite() {
        return Some(nothing(Verdict::MayBeHidden));
    }
    let (term, most) = (strongest.term, strongest.weight.abs() + 2.0 * strongest.error);
    // The steering of a rule changes the flight if it adds up to the mean speed while velocities are alike.
    let matters = data.motion.speed / (data.memory as f64 * strongest.strength.max(f64::MIN_POSITIVE));
    let verdict = if most < 0.5 * matters {
        Verdict::NotFound { most, matters }
    } else {
        // Errors become half as large with four times as many frames.
        let frames = data.motion.frames() as f64 * (most / (0.5 * matters)).powi(2);
        Verdict::NeedsFrames { most, frames: frames as usize }
    };
    let radius = if term.radius.is_finite() { Radius::Strongest(term.radius) } else { Radius::All };
    Some(RuleFit { form: term.form_name(), radius: Some(radius), ..nothing(verdict) })
}
