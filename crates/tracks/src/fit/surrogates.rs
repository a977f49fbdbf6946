//! Whether rules between neighbors are more than what animals that ignore each other would show.
//!
//! In a surrogate each track is shifted in time by a random amount (Theiler, Eubank, Longtin, Galdrikian & Farmer 1992, *Testing for
//! nonlinearity in time series: the method of surrogate data*, Physica D 58, 77). Animals keep how they move, their speeds, walls and errors,
//! and lose their neighbors. Each surrogate chooses the form and the radius of the tested rule again, as the data do.
//!
//! What disturbs all animals at the same moment is lost in surrogates, too. So a second test is within each frame, where nothing that acts on
//! all animals alike counts.

use rayon::prelude::*;

use super::dictionary::{Dictionary, Rule, Term};
use super::instruments::{Instruments, Normal, Solved, standard_error};
use super::motion::Motion;
use super::samples::{Samples, Sampling};
use super::search::{LARGEST_ERROR, Model};
use super::within::Within;
use super::{Data, Watch};

/// The number of surrogates: a rule beyond all of them is there with a certainty of 95 %.
const SURROGATES: u64 = 19;
/// A rule is there within frames if its weight is this many standard errors above 0.
const WITHIN: f64 = 4.0;
/// Surrogates need as many times the frames in which velocities are alike.
const MEMORIES: usize = 4;

/// What a test says of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tested {
    pub(super) rule: Rule,
    /// Whether the rule is stronger than in all surrogates.
    pub(super) is_beyond: bool,
    /// Whether it is within frames, too.
    pub(super) is_within: bool,
    pub(super) strongest: Strongest,
    /// The mean weight in the surrogates, in the form and with the radius of the model; `None` if the model lacks the rule.
    pub(super) mean: Option<f64>,
}

/// The number of frames that surrogates need, if velocities are alike over `memory` frames.
pub(super) fn fewest_frames(memory: usize) -> usize {
    MEMORIES * memory
}

/// A rule in the form and with the radius in which it is strongest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strongest {
    /// The weight in standard errors, if changes that nothing explains are independent. An error from blocks of time would itself vary too
    /// much between surrogates.
    statistic: f64,
    pub(super) term: Term,
    /// The root mean square of its sums.
    pub(super) strength: f64,
    pub(super) weight: f64,
    /// The standard error of the weight, between halves of the blocks of time.
    pub(super) error: f64,
}

/// What a motion shows: each rule where it is strongest, and the weights of the model.
struct Shown {
    strongest: Vec<Strongest>,
    /// Whether each rule is there within frames, of the animals themselves.
    is_within: Vec<bool>,
    weights: Vec<f64>,
}

/// Tests the rules between neighbors beside those of a model. `None` if the recording is too short for surrogates.
pub(super) fn test(data: &Data, sampling: Sampling, model: &Model, watch: Watch<'_>) -> Option<Vec<Tested>> {
    let Data { motion, place, dictionary, memory, .. } = data;
    if motion.frames() < fewest_frames(*memory) {
        return None;
    }
    let rules: Vec<Rule> = Rule::SOCIAL.into_iter().filter(|rule| dictionary.tries(*rule)).collect();
    let shown = |motion: &Motion, is_own: bool| {
        shown(&Samples::new(motion, *place, dictionary, sampling), dictionary, model, &rules, is_own)
    };
    let own = shown(motion, true)?;
    let mut surrogates = Vec::new();
    for seed in 1..=SURROGATES {
        surrogates.push(shown(&motion.shifted(seed), false)?);
        watch(seed as f64 / SURROGATES as f64);
    }
    let tested = rules.iter().enumerate().map(|(at, rule)| {
        let strongest = own.strongest[at];
        let place = model.terms.iter().position(|term| term.rule == *rule);
        let weights = place.map(|place| surrogates.iter().map(move |shown| shown.weights[place]));
        Tested {
            rule: *rule,
            is_beyond: surrogates.iter().all(|shown| shown.strongest[at].statistic < strongest.statistic),
            is_within: own.is_within[at],
            strongest,
            mean: weights.map(|weights| weights.sum::<f64>() / SURROGATES as f64),
        }
    });
    Some(tested.collect())
}

/// What a motion shows of these rules, beside the others of a model and what may move animals without others.
fn shown(samples: &Samples<'_>, dictionary: &Dictionary, model: &Model, rules: &[Rule], is_own: bool) -> Option<Shown> {
    let own = model.terms.iter().filter(|term| matches!(term.rule, Rule::Edge | Rule::Flee));
    let assumed = dictionary.surroundings.iter().filter(|term| term.rule != Rule::Edge || !model.has(Rule::Edge));
    let beside: Vec<Term> = own.chain(assumed).copied().collect();
    let social: Vec<Term> = model.terms.iter().copied().filter(|term| term.rule.is_interaction()).collect();
    let terms = [&beside[..], &social, &dictionary.social()].concat();
    let columns = samples.columns(&terms);
    let variance = samples.mean_square();
    let strengths = columns.strengths();
    let instruments = Instruments::new(samples, &dictionary.bank);
    // Only the animals themselves need errors, which come from halves of the recording.
    let systems = instruments.moments(&columns, None).systems(is_own);
    let places = |rule: Rule, is_identified: &dyn Fn(&Term) -> bool| -> [Vec<usize>; 2] {
        let first = beside.len() + social.len();
        let others = (0..first).filter(|at| terms[*at].rule != rule && is_identified(&terms[*at]));
        let tried = (beside.len()..terms.len()).filter(|at| terms[*at].rule == rule && is_identified(&terms[*at]));
        [others.collect(), tried.collect()]
    };
    // Limits of speed look like a return to one.
    let cruise = model.terms.iter().position(|term| term.rule == Rule::Cruise);
    let returns = cruise.is_some_and(|at| model.errors[at] < LARGEST_ERROR * model.weights[at]);
    let lacks_cruise = samples.sampling.is_exact() && !returns;
    let strongest = rules.iter().map(|rule| {
        let [others, tried] = places(*rule, &|term| term.rule != Rule::Cruise || !lacks_cruise);
        let without = systems[0].solve(&others)?;
        let solved = tried.into_par_iter().filter_map(|at| {
            let solved = systems[0].solve(&[&others[..], &[at]].concat())?;
            let gain = ((without.objective - solved.objective).max(0.0) / variance).sqrt();
            let weight = solved.weights[others.len()];
            Some((at, gain * weight.signum(), weight))
        });
        let (at, statistic, weight) = solved.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let halves = systems[1..].iter().filter_map(|half: &Normal| half.solve(&[&others[..], &[at]].concat()));
        let error = standard_error(weight, halves.map(|half: Solved| half.weights[others.len()]));
        Some(Strongest { statistic, term: terms[at], strength: strengths[at], weight, error })
    });
    let strongest: Vec<Strongest> = strongest.collect::<Option<_>>()?;
    let within = is_own.then(|| Within::new(samples, &columns));
    let is_within = rules.iter().map(|rule| {
        // Within a frame, a rule that reaches all animals looks like a return to a place or a speed.
        let [others, tried] = places(*rule, &|term| term.radius.is_finite());
        within.as_ref().and_then(|within| within.certainty(&others, &tried)).is_some_and(|certainty| certainty > WITHIN)
    });
    let of_model = samples.columns(&model.terms);
    let places: Vec<usize> = (0..model.terms.len()).collect();
    let weights = instruments.moments(&of_model, None).systems(false)[0].solve(&places)?.weights;
    Some(Shown { strongest, is_within: is_within.collect(), weights })
}
