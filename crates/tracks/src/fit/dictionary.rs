//! The rules that a fit tries, in all forms and radii.

use strum::{IntoStaticStr, VariantArray};

use super::motion::Motion;
use super::vectors::{Arena, length, median, quantile, way};
use flockscope_sim::{AlignmentResponse, Edge, Falloff, Response, Setup, World};

/// The forms of separation and flight, and those of cohesion.
pub(super) const FALLOFFS: [Falloff; 3] = [Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare];
pub(super) const RESPONSES: [Response; 3] = [Response::Mean, Response::Sum, Response::Unit];
/// The number of radii and margins of each form.
const RADII: usize = 15;
/// The largest radius is that below which this share of the distances between animals is.
const MOST: f64 = 0.8;
/// With two animals, the dependence of a rule on the number of neighbors is unknown.
const FEWEST_ANIMALS: usize = 3;
/// The margins of a border that a test assumes if no border is found, as shares of the shortest side.
const MARGINS: [f64; 3] = [0.03, 0.1, 0.25];

/// A steering rule.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Rule {
    /// Away from neighbors.
    Separation,
    /// To the velocity of neighbors.
    Alignment,
    /// Toward neighbors.
    Cohesion,
    /// Away from predators.
    Flee,
    /// Back to a speed.
    Cruise,
    /// Away from the border.
    Edge,
    /// A constant.
    Wind,
}

impl Rule {
    /// All rules, in the order of the table.
    pub const ALL: &'static [Self] = Self::VARIANTS;
    /// The rules between neighbors.
    pub const SOCIAL: [Self; 3] = [Self::Separation, Self::Alignment, Self::Cohesion];

    /// The prefix of its parameters.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether neighbors cause it.
    pub fn is_interaction(self) -> bool {
        Self::SOCIAL.contains(&self)
    }

    /// The number of its weights.
    pub(super) fn weights(self, dim: usize) -> usize {
        match self {
            Self::Cruise => 2,
            Self::Wind => dim,
            _ => 1,
        }
    }

    /// Whether its weights may be negative.
    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::Cruise | Self::Wind)
    }

    /// The names of its forms: those that recordings of animals can tell apart.
    pub(super) fn forms(self) -> Vec<&'static str> {
        match self {
            Self::Separation | Self::Flee => FALLOFFS.map(Falloff::name).into(),
            Self::Alignment => vec![AlignmentResponse::Difference.name()],
            Self::Cohesion => RESPONSES.map(Response::name).into(),
            Self::Cruise => vec![""],
            Self::Edge => vec![Edge::Turn.name()],
            Self::Wind => vec!["constant"],
        }
    }
}

/// A weight of a model, and the sum that it multiplies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) rule: Rule,
    /// The place of the form in [`Rule::forms`].
    pub(super) form: usize,
    /// The radius or margin in u.
    pub(super) radius: f64,
    /// The place among the weights of the rule.
    pub(super) part: usize,
}

impl Term {
    /// The place of an animal in the arena: an animal may return to it without others.
    pub(super) const OWN_PLACE: Self = Self { rule: Rule::Wind, form: 1, radius: 0.0, part: 0 };

    /// The terms of a rule in a form and with a radius.
    pub(super) fn all(rule: Rule, form: usize, radius: f64, dim: usize) -> impl Iterator<Item = Self> {
        (0..rule.weights(dim)).map(move |part| Self { rule, form, radius, part })
    }

    /// The name of its form.
    pub(super) fn form_name(&self) -> &'static str {
        self.rule.forms()[self.form]
    }
}

/// The terms that a fit tries.
pub(super) struct Dictionary {
    /// All rules that the recording could tell, in all forms and radii.
    pub(super) terms: Vec<Term>,
    /// The sums of earlier frames from which the causes of changes are known.
    pub(super) bank: Vec<Term>,
    /// What may move an animal without others: the return to a speed, a current, a place and the border.
    pub(super) surroundings: Vec<Term>,
    /// The largest finite radius.
    pub(super) widest: f64,
    /// The ratio of successive radii.
    pub(super) ratio: f64,
    /// The median distance of nearest neighbors, in u.
    pub(super) nearest: f64,
}

impl Dictionary {
    pub(super) fn new(motion: &Motion, setup: &Setup, arena: &Arena) -> Self {
        let dim = motion.dim;
        let (nearest, [near, far]) = distances(motion, setup);
        let side = arena[..dim].iter().map(|[low, high]| high - low).fold(f64::INFINITY, f64::min);
        let spaced = |from: f64, to: f64| -> Vec<f64> {
            (0..RADII).map(|k| from * (to / from).powf(k as f64 / (RADII - 1) as f64)).collect()
        };
        let radii = spaced(near, far);
        let wraps = setup.params.edge.mode == Edge::Wrap;
        // The borders that are tried are those of a box.
        let has_border = !wraps && !matches!(setup.world, World::Sphere(_));
        let has_group = motion.largest_frame() >= FEWEST_ANIMALS;
        let (mut terms, mut bank) = (Vec::new(), Vec::new());
        for rule in Rule::ALL.iter().copied() {
            let reaches = match rule {
                Rule::Edge if has_border => spaced(side * 0.01, side * 0.45),
                Rule::Flee if motion.has_predators() => spaced(near, side),
                Rule::Cruise if motion.has_varying_speeds() => vec![0.0],
                Rule::Wind => vec![0.0],
                Rule::Separation if has_group => radii.clone(),
                Rule::Alignment | Rule::Cohesion if has_group => {
                    radii.iter().copied().chain((!wraps).then_some(f64::INFINITY)).collect()
                }
                _ => continue,
            };
            let forms = rule.forms().len();
            for form in 0..forms {
                terms.extend(reaches.iter().flat_map(|radius| Term::all(rule, form, *radius, dim)));
            }
            // The last form of separation, and the first one of others, at some of the radii: sums of radii in between say almost the same.
            let form = if matches!(rule, Rule::Separation | Rule::Flee) { forms - 1 } else { 0 };
            bank.extend(reaches.iter().rev().step_by(3).take(5).flat_map(|radius| Term::all(rule, form, *radius, dim)));
        }
        bank.push(Term::OWN_PLACE);
        let mut surroundings: Vec<Term> =
            terms.iter().copied().filter(|term| matches!(term.rule, Rule::Cruise | Rule::Wind)).collect();
        if !wraps {
            surroundings.push(Term::OWN_PLACE);
        }
        if has_border {
            surroundings.extend(MARGINS.iter().flat_map(|share| Term::all(Rule::Edge, 0, share * side, dim)));
        }
        Self { terms, bank, surroundings, widest: far, ratio: radii[1] / radii[0], nearest }
    }

    /// The terms of rules between neighbors at every other radius.
    pub(super) fn social(&self) -> Vec<Term> {
        let every = self.terms.iter().filter(|term| term.rule == Rule::Alignment).map(|term| term.radius);
        let some: Vec<f64> = every.rev().step_by(2).collect();
        let social = self.terms.iter().filter(|term| term.rule.is_interaction() && some.contains(&term.radius));
        social.copied().collect()
    }

    /// The instruments: all terms if velocities are exact, since their sums then have no errors.
    pub(super) fn instruments(&self, is_exact: bool) -> &[Term] {
        if is_exact { &self.terms } else { &self.bank }
    }

    /// Whether the recording could tell a rule.
    pub(super) fn tries(&self, rule: Rule) -> bool {
        self.terms.iter().any(|term| term.rule == rule)
    }
}

/// The direction away from the border of an arena at a place in its margin.
pub(super) fn inward(position: [f32; 3], arena: &Arena, margin: f64, dim: usize) -> [f64; 3] {
    let mut push = [0.0; 3];
    for (axis, push) in push.iter_mut().enumerate().take(dim) {
        let ([low, high], at) = (arena[axis], f64::from(position[axis]));
        *push = f64::from(u8::from(at < low + margin)) - f64::from(u8::from(at > high - margin));
    }
    push
}

/// The return to a speed, as the sums of its two weights: the difference to a mean speed, and a constant, both along the heading. With the
/// mean speed, the two sums are nearly independent.
pub(super) fn cruise(velocity: [f64; 3], mean_speed: f64) -> [[f64; 3]; 2] {
    let speed = length(velocity);
    if speed == 0.0 {
        return [[0.0; 3]; 2];
    }
    [mean_speed - speed, 1.0].map(|factor| velocity.map(|axis| axis / speed * factor))
}

/// The speed to which animals return with these weights, when the mean speed is this one.
pub(super) fn cruise_speed(weights: &[f64], mean: f64) -> f64 {
    mean + weights[1] / weights[0]
}

/// The median distance of nearest neighbors, and the distances between which radii are tried, in u: half of it, and that below which most
/// animals are.
fn distances(motion: &Motion, setup: &Setup) -> (f64, [f64; 2]) {
    let metric = setup.params.metric(&setup.world);
    let (mut nearest, mut all) = (Vec::new(), Vec::new());
    let step = (motion.frames() / 30).max(1);
    for frame in (0..motion.frames()).step_by(step) {
        let rows = motion.frame(frame).animals;
        for one in rows.iter().step_by((rows.len() / 50).max(1)) {
            let others = rows.iter().filter(|row| row.id != one.id);
            let distances: Vec<f64> = others.map(|other| length(way(&metric, one, other))).collect();
            nearest.extend(distances.iter().copied().min_by(f64::total_cmp));
            all.extend(distances);
        }
    }
    let nearest = median(&mut nearest);
    let near = (0.5 * nearest).max(1e-6);
    // At most 40 times as far, so that a radius is at most 30 % larger than the one before.
    (nearest, [near, quantile(&mut all, MOST).max(4.0 * near).min(40.0 * near)])
}
