//! The tables of rules and of measures, and what they do not say.

use std::fmt::Write as _;

use crate::commands::lists::{columns, significant};
use crate::export::counted;
use crate::sim::{Edge, Params};
use crate::tracks::Recording;
use crate::tracks::fit::{Comparison, Estimate, Fit, LeftOut, Radius, Rule, RuleFit, TimeScale, Verdict};

/// Part of a rule that shifted tracks show with this share of its weight has another cause.
const PART: f64 = 0.25;
/// With fewer frames, a longer interval is not suggested.
const FEWEST_FRAMES: usize = 200;

/// The tables of rules and of measures.
pub(super) fn tables(fit: &Fit, comparisons: &[Comparison], recording: &Recording, names: &str) -> String {
    let unit = &recording.unit;
    let (animals, frames, changes) = (counted(fit.animals, "animal", "animals"), fit.frames, fit.changes);
    let mut text = format!("{names}: {animals}, {frames} frames, {changes} changes of velocity\n{}\n", data(fit, unit));
    let header = ["rule", "form", "radius", "weight", "in tracks shifted in time", "verdict"].map(str::to_owned);
    text += &columns([header].into_iter().chain(fit.rules.iter().map(|rule| rule_row(rule, unit))));
    let sentences = [shared(fit), Some(flown(fit, unit)), Some(quality(fit)), time_scales(fit)];
    text.push('\n');
    for sentence in sentences.into_iter().flatten() {
        let _ = writeln!(text, "{sentence}");
    }
    text.push('\n');
    let header = ["measure", "animals", "from the first frame", "", "from scratch", "", "unit"].map(str::to_owned);
    let rows = comparisons.iter().map(|row| comparison_row(row, recording));
    text + &columns([header].into_iter().chain(rows))
}

/// The rules with a verdict.
pub(super) fn names_of(fit: &Fit, verdict: Verdict) -> String {
    let rules = fit.rules.iter().filter(|rule| rule.verdict == verdict);
    rules.map(|rule| rule.rule.name()).collect::<Vec<_>>().join(" and ")
}

/// Errors, exchanges and the kind of velocities of a recording, as sentences.
fn data(fit: &Fit, unit: &str) -> String {
    let mut sentences = Vec::new();
    if fit.tracking_noise > 0.0 {
        let noise = significant(fit.tracking_noise, 2);
        sentences.push(format!("Each coordinate has an error of about {noise} {unit}: limits of steering and speed cannot be seen, and if there are any, weights may be half too small."));
    }
    sentences.extend(left_out(fit));
    let what = match (fit.is_exact, fit.is_limited) {
        (true, true) => "Velocities are exact: weights are those through the limits below.",
        (true, false) => "Velocities are exact: weights follow from sums of the same frame.",
        (false, _) => "Velocities follow from positions: weights follow from sums two and three frames earlier.",
    };
    sentences.push(what.to_owned());
    if fit.delay > 0 {
        sentences.push(format!(
            "Animals respond about {} frames later: the rules between neighbors are those with this delay, which the preset lacks.",
            fit.delay
        ));
    }
    sentences.join(" ")
}

/// What the fit leaves out, as a sentence.
fn left_out(fit: &Fit) -> Option<String> {
    let LeftOut { exchanges, jumps, states } = fit.left_out;
    let mut parts = Vec::new();
    if exchanges > 0 {
        parts.push(counted(exchanges, "exchange of identities", "exchanges of identities"));
    }
    if jumps > 0 {
        parts.push(counted(jumps, "step that no animal makes", "steps that no animal makes"));
    }
    if states > 0 {
        parts.push(counted(states, "state between them", "states between them"));
    }
    (!parts.is_empty()).then(|| format!("Left out: {}.", parts.join(", ")))
}

fn estimate(estimate: Estimate) -> String {
    format!("{} ± {}", significant(estimate.value, 4), significant(estimate.error, 2))
}

fn rule_row(fit: &RuleFit, unit: &str) -> [String; 6] {
    let form = match fit.speed {
        Some(speed) => format!("to {} {unit}/frame", estimate(speed)),
        None => [&[fit.form][..], &fit.other_forms].concat().join(" or "),
    };
    let radius = match fit.radius {
        Some(Radius::Known(radius)) => format!("{} {unit}", estimate(radius)),
        Some(Radius::Strongest(radius)) => format!("{} {unit}", significant(radius, 3)),
        Some(Radius::AtLeast(radius)) => format!("at least {} {unit}", significant(radius, 2)),
        Some(Radius::All) => "all animals".to_owned(),
        None => String::new(),
    };
    let weights = fit.weights.iter().copied().map(estimate).collect::<Vec<_>>().join(", ");
    let at_most = |most: f64| format!("< {}", significant(most, 2));
    let (weights, verdict) = match fit.verdict {
        Verdict::Found => (weights, "found".to_owned()),
        Verdict::Shared => (weights, "shared".to_owned()),
        Verdict::NotFound { most, matters } => {
            (at_most(most), format!("not found; {} would change the flight", significant(matters, 2)))
        }
        Verdict::NotSeen => (String::new(), "not seen".to_owned()),
        Verdict::MayBeHidden => (String::new(), "not determined: limits of turns or steering may hide it".to_owned()),
        Verdict::Uncertain => (weights, "not determined: record longer, or more animals".to_owned()),
        Verdict::NeedsFrames { most, frames } => {
            let frames = significant(frames as f64, 2);
            (at_most(most), format!("not determined: record about {frames} frames"))
        }
        Verdict::TooShort(frames) => (weights, format!("not determined: record at least {frames} frames")),
        Verdict::TooFewAnimals => (weights, "not determined: record at least three animals".to_owned()),
        Verdict::NotDescribed => (weights, "not determined: the rules do not describe the animals".to_owned()),
    };
    let shifted = fit.shifted.map(|weight| significant(weight, 2)).unwrap_or_default();
    [fit.rule.name().to_owned(), form, radius, weights, shifted, verdict]
}

/// What a shared rule may be.
fn shared(fit: &Fit) -> Option<String> {
    let names = names_of(fit, Verdict::Shared);
    (!names.is_empty()).then(|| {
        format!(
            "Shared: {names}. Animals do this at the same moments: they may respond to each other, or to something else. A recording \
             of the possible cause (a leader, a current) would tell, or one in which animals are neighbors of a part of the group only."
        )
    })
}

/// How the preset flies, besides its rules.
fn flown(fit: &Fit, unit: &str) -> String {
    let Params { speed, cruise, limits, noise, edge, .. } = fit.setup.params;
    let mut parts = vec![match speed.min {
        least if least == speed.max => format!("The speed is {least} {unit}/frame"),
        least => format!("Speeds are between {least} and {} {unit}/frame", speed.max),
    }];
    if limits.max_force > 0.0 {
        parts.push(format!("the steering is at most {} {unit}/frame²", limits.max_force));
    }
    if limits.max_turn > 0.0 {
        parts.push(format!("animals turn by at most {}° per frame", limits.max_turn));
    }
    if noise.angle > 0.0 {
        parts.push(format!("animals turn at random by up to {}°", noise.angle / 2.0));
    }
    if noise.force > 0.0 {
        parts.push(format!("random accelerations have a standard deviation of {} {unit}/frame²", noise.force));
    }
    if cruise.weight > 0.0 && fit.rule(Rule::Cruise).is_none_or(|rule| !rule.is_flown()) {
        parts.push("the preset returns to a speed, so that random accelerations do not add up".to_owned());
    }
    if edge.mode == Edge::Reflect {
        parts.push("the preset reflects boids at the border".to_owned());
    }
    parts.join("; ") + "."
}

fn quality(fit: &Fit) -> String {
    let r_squared = percent(fit.r_squared);
    let mut text = match fit.r_squared {
        _ if !fit.rules.iter().any(|rule| rule.is_flown() || rule.verdict == Verdict::NotDescribed) => {
            "No rule explains the changes of velocity.".to_owned()
        }
        ..0.0 => format!("These rules do not describe the animals: R² of the changes of velocity is {r_squared}."),
        _ => format!("The rules explain {r_squared} of the changes of velocity (R²)."),
    };
    let partly = fit.rules.iter().filter(|rule| {
        rule.is_flown() && rule.shifted.is_some_and(|weight| weight.abs() > PART * rule.weights[0].value.abs())
    });
    let partly: Vec<&str> = partly.map(|rule| rule.rule.name()).collect();
    if !partly.is_empty() {
        let _ = write!(text, " A wall or a place may cause part of: {}.", partly.join(", "));
    }
    text
}

/// How much the rules explain over longer intervals, if the recording is long enough for two.
fn time_scales(fit: &Fit) -> Option<String> {
    let list =
        |number: &dyn Fn(&TimeScale) -> String| fit.time_scales.iter().map(number).collect::<Vec<_>>().join(", ");
    let frames = list(&|scale| scale.frames.to_string());
    let [own, surrogates] = [list(&|scale| tenths(scale.r_squared)), list(&|scale| tenths(scale.surrogates))];
    let advice = match fit.better_interval() {
        Some(frames) if fit.frames < FEWEST_FRAMES * frames => {
            format!(
                "weights would be more precise with --interval {frames}, which needs {} frames",
                FEWEST_FRAMES * frames
            )
        }
        Some(frames) => format!("weights would be more precise with --interval {frames}"),
        None => "a longer interval would not make weights more precise".to_owned(),
    };
    (fit.time_scales.len() > 1).then(|| {
        format!(
            "Over {frames} frames the rules of all rows, without limits, explain {own} %, and {surrogates} % in shifted tracks: {advice}."
        )
    })
}

fn tenths(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn percent(share: f64) -> String {
    format!("{} %", tenths(share))
}

fn comparison_row(row: &Comparison, recording: &Recording) -> [String; 7] {
    let number = |mean: f64, error: f64| format!("{} ± {}", significant(mean, 4), significant(error, 2));
    let agrees = |flights| if row.agrees(flights) { "agrees" } else { "differs" }.to_owned();
    [
        row.measure.name.to_owned(),
        number(row.data[0], row.data[1]),
        number(row.first[0], row.first[1]),
        agrees(row.first),
        number(row.scratch[0], row.scratch[1]),
        agrees(row.scratch),
        recording.unit_of(row.measure.unit),
    ]
}
