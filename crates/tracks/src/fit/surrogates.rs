//! Whether rules between neighbors are more than what animals that ignore each other would show.
//!
//! In a surrogate each track is shifted in time by an amount of its own. Animals keep how they move, their speeds, walls and errors, and lose
//! their neighbors. Each surrogate chooses the form and the radius of the tested rule again, as the data do.

use super::instruments::{Candidates, Instruments, Linear};
use super::motion::Motion;
use super::rules::Rule;
use super::sums::{Place, Term};

/// The number of surrogates: a rule beyond all of them is there with a certainty of 95 %.
pub const SURROGATES: u64 = 19;
/// The largest number of changes of velocity of a surrogate, if positions have errors and if not.
const CHANGES: [usize; 2] = [60_000, 10_000];
/// Surrogates need as many times the frames in which velocities are alike.
const MEMORIES: usize = 4;

/// What a surrogate test says of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tested {
    pub(super) rule: Rule,
    /// Whether the rule is stronger than in all surrogates.
    pub(super) is_beyond: bool,
    /// The form and the radius in which it is strongest.
    pub(super) strongest: Term,
    /// The mean weight in the surrogates, in the form and with the radius of the model; NaN if the model lacks the rule.
    pub(super) mean: f64,
    /// The largest weight that the rule could have in the form and with the radius in which it is strongest.
    pub(super) most: f64,
}

/// The result of all surrogates.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) rules: Vec<Tested>,
    /// R² of linear weights, of the animals and the mean over surrogates.
    pub(super) r_squared: [f64; 2],
}

/// The strongest form of each rule, the weights of the model, and their R².
type OfMotion = (Vec<(f64, Linear)>, Linear, f64);

/// The number of frames that surrogates need, if velocities are alike over `memory` frames.
pub(super) fn fewest_frames(memory: usize) -> usize {
    MEMORIES * memory
}

/// Tests the rules between neighbors beside the terms of a model. `None` if the recording is too short for surrogates.
pub(super) fn test(
    (motion, memory): (&Motion, usize),
    place: Place,
    (candidates, lags, is_noisy): (&Candidates, &[usize], bool),
    model: &[Term],
    watch: &dyn Fn(f64),
) -> Option<Test> {
    if motion.frames() < fewest_frames(memory) {
        return None;
    }
    let rules: Vec<Rule> =
        candidates.rules.iter().map(|(rule, _)| *rule).filter(|rule| rule.is_interaction()).collect();
    let of_motion = |motion: &Motion| -> Option<OfMotion> {
        let instruments = Instruments::new(motion, place, candidates, (lags, CHANGES[usize::from(!is_noisy)]))?;
        let strongest = |rule: &Rule| {
            let mut others: Vec<Term> = model.iter().copied().filter(|term| term.rule != *rule).collect();
            if *rule == Rule::Cohesion {
                // A return to a place is no cohesion.
                others.retain(|term| term.rule != Rule::Wind);
                others.extend((0..place.dim).map(|part| Term { part, form: 0, ..Term::OWN_PLACE }));
                others.push(Term::OWN_PLACE);
            }
            instruments.strongest(candidates, *rule, &others)
        };
        let all = instruments.fit(model);
        let r_squared = instruments.r_squared(&all);
        Some((rules.iter().map(strongest).collect::<Option<Vec<_>>>()?, all, r_squared))
    };
    let (own, _, own_r_squared) = of_motion(motion)?;
    let mut surrogates = Vec::new();
    for seed in 1..=SURROGATES {
        surrogates.push(of_motion(&motion.shifted(seed))?);
        watch(seed as f64 / SURROGATES as f64);
    }
    let tested = |(place, rule): (usize, &Rule)| {
        let (statistic, linear) = &own[place];
        let at = model.iter().position(|term| term.rule == *rule);
        let mean = |at: usize| surrogates.iter().map(|(_, all, _)| all.weights[at]).sum::<f64>() / SURROGATES as f64;
        Tested {
            rule: *rule,
            strongest: linear.terms[0],
            is_beyond: surrogates.iter().all(|(strongest, ..)| strongest[place].0 < *statistic),
            mean: at.map_or(f64::NAN, mean),
            most: linear.weights[0].abs() + 2.0 * linear.error(0),
        }
    };
    let mean = surrogates.iter().map(|(.., r_squared)| r_squared).sum::<f64>() / SURROGATES as f64;
    Some(Test { rules: rules.iter().enumerate().map(tested).collect(), r_squared: [own_r_squared, mean] })
}
