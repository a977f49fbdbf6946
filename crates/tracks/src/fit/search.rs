//! Which rules there are, with which radii, forms and limits: those that predict the changes of blocks of time best from the others.

use super::Watch;
use super::instruments::Candidates;
use super::limits::Limits;
use super::model::{COARSE_STEPS, Model, PROMISING, Samples, is_better};
use super::motion::Motion;
use super::rules::{Rule, number, set_number};
use super::vectors::{Arena, length, median, offset, quantile};
use flockscope_sim::{Edge, Params, Row, Setup, World};

/// The samples of the first search, and of the refinement.
pub(super) const COARSE: usize = 10_000;
pub(super) const FINE: usize = 30_000;
/// The number of radii of the first search.
const RADII: usize = 14;
/// How many forms of a rule are compared after their promise was.
const FINALISTS: usize = 5;
/// A rule stays if its weight is this many standard errors above 0 when all others are known.
const SIGNIFICANT: f64 = 3.5;
/// Limits are there if they lower the error by this many standard errors. With errors of positions of a tenth of a step, they lower that of
/// starlings by 2.5 to 5.9, and that of animals without limits by at most 1.
const LIMITED: f64 = 2.0;
/// A limit of the steering stays if it lowers the error by this many standard errors.
const OPTION: f64 = 1.5;
/// With two animals, the dependence of a rule on the number of neighbors is unknown.
pub(super) const FEWEST_ANIMALS: usize = 3;
/// The smallest share of the steering of a rule.
const SMALLEST_SHARE: f64 = 5e-3;
/// The factors by which radii change, until one ratio gains no more.
const RATIOS: [f64; 6] = [1.25, 1.1, 1.04, 1.015, 1.005, 1.002];
const ROUNDS: usize = 4;

/// The search on some frames of a recording.
pub(super) struct Search<'a> {
    pub(super) samples: Samples<'a>,
    radii: Vec<f64>,
    margins: Vec<f64>,
    /// Distances at which animals may flee.
    flights: Vec<f64>,
    rules: Vec<Rule>,
    /// Whether the world does not wrap, so that rules may reach all animals.
    is_open: bool,
}

impl<'a> Search<'a> {
    fn new(motion: &'a Motion, (setup, arena): (&Setup, Arena), count: usize) -> Option<Self> {
        let samples = Samples::new(motion, (setup, arena), count)?;
        let [near, far] = distances(motion, setup);
        let side = (0..motion.dim).map(|axis| arena[axis][1] - arena[axis][0]).fold(f64::INFINITY, f64::min);
        let spaced = |from: f64, to: f64| -> Vec<f64> {
            (0..RADII).map(|k| from * (to / from).powf(k as f64 / (RADII - 1) as f64)).collect()
        };
        let mut rules = Rule::ALL.to_vec();
        if motion.largest_frame() < FEWEST_ANIMALS {
            rules.retain(|rule| !rule.is_interaction());
        }
        // The borders that are tried are those of a box.
        if setup.params.edge.mode == Edge::Wrap || matches!(setup.world, World::Sphere(_)) {
            rules.retain(|rule| *rule != Rule::Edge);
        }
        if !motion.has_predators() {
            rules.retain(|rule| *rule != Rule::Flee);
        }
        if !motion.has_varying_speeds() {
            rules.retain(|rule| *rule != Rule::Cruise);
        }
        let margins = spaced(side * 0.01, side * 0.45);
        let is_open = setup.params.edge.mode != Edge::Wrap;
        Some(Self { samples, radii: spaced(near, far), margins, flights: spaced(near, side), rules, is_open })
    }

    /// The best form and radius of a rule beside those of the model.
    pub(super) fn best(&self, model: &Model, rule: Rule) -> Option<Model> {
        let key = rule.radius_key();
        let radii = match (rule, key) {
            (Rule::Edge, _) => &self.margins[..],
            (Rule::Flee, _) => &self.flights[..],
            (_, Some(_)) => &self.radii[..],
            _ => &[0.0],
        };
        let base = self.samples.without(model, rule);
        let limits = base.solution.limits;
        let linearized = self.samples.problem.linearize(&base.columns(), &base.solution.weights, limits);
        let mut candidates = Vec::new();
        for form in rule.forms(&base.params) {
            let of_radius = |radius: &f64| {
                let mut params = form;
                if let Some(key) = key {
                    set_number(&mut params, key, *radius);
                }
                let columns = self.samples.frames.columns(rule, &params);
                (linearized.promise(&columns, !rule.is_signed()), params)
            };
            let reaches_all = self.is_open && matches!(rule, Rule::Alignment | Rule::Cohesion);
            let best = radii
                .iter()
                .chain(reaches_all.then_some(&f64::INFINITY))
                .map(of_radius)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            candidates.extend(best.filter(|(promise, _)| *promise > 0.0));
        }
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        let finalists = candidates.iter().take(FINALISTS).map(|(_, params)| {
            let mut model = self.samples.with_rule(&base, rule, params);
            model = self.samples.limited(&model);
            RATIOS[..2].iter().for_each(|ratio| self.refine_radius(&mut model, rule, *ratio));
            model
        });
        let valid = finalists.filter(|model| model.is_valid(rule));
        valid.min_by(|a, b| a.solution.error().total_cmp(&b.solution.error()))
    }

    /// Whether the data could tell a rule.
    pub(super) fn tries(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// The terms of all rules in all forms and radii.
    pub(super) fn candidates(&self, setup: &Setup) -> Candidates {
        let reaches = [&self.radii[..], &self.margins, &self.flights];
        Candidates::new(&self.rules, reaches, self.is_open, setup.world.dim())
    }

    /// Whether limits of steering, turns or speeds predict the changes better.
    pub(super) fn has_limits(&self, model: &Model) -> bool {
        let none = Limits { straightness: model.solution.limits.straightness, ..Limits::NONE };
        let unlimited = self.samples.again(model, model.params, none);
        is_better(&model.solution, &unlimited.solution, LIMITED)
    }

    /// The largest radius of the first search.
    pub(super) fn widest(&self) -> f64 {
        self.radii[RADII - 1]
    }

    /// The rules that the data could tell and that are not in the model.
    pub(super) fn missing(&self, model: &Model) -> Vec<Rule> {
        let missing = self.rules.iter().copied();
        missing.filter(|rule| model.rules().all(|found| found != *rule)).collect()
    }

    /// Adds the rule that lowers the error most, if that is significant.
    fn add_rule(&mut self, model: &Model) -> Option<Model> {
        let models = self.missing(model).into_iter().filter_map(|rule| self.best(model, rule));
        let best = models.min_by(|a, b| a.solution.error().total_cmp(&b.solution.error()));
        let mut best = best.filter(|best| is_better(&best.solution, &model.solution, PROMISING))?;
        self.samples.adapt(&mut best);
        Some(best)
    }

    /// Sets the limit of the steering. Sums that depend on it are computed again.
    fn limit_force(&mut self, model: &mut Model) {
        *model = self.samples.limited(model);
        for _ in 0..3 {
            let before = model.solution.limits.force;
            *model = self.samples.again(model, model.params, model.solution.limits);
            if (model.solution.limits.force / before - 1.0).abs() < 1e-3 || before.is_infinite() {
                break;
            }
        }
        self.samples.adapt(model);
    }

    /// Moves the limits of speeds as long as the error falls. Noise blurs them, so that the range of speeds does not tell.
    fn limit_speeds(&mut self, model: &mut Model) {
        if !self.samples.is_noisy() {
            return;
        }
        for (end, toward) in [(0, 1.0), (1, -1.0)] {
            for step in [0.1, 0.03, 0.01] {
                for sign in [toward, -toward] {
                    for _ in 0..6 {
                        let mut limits = model.solution.limits;
                        limits.speeds[end] = (limits.speeds[end] + sign * step * self.samples.speed).max(0.0);
                        if limits.speeds[0] > limits.speeds[1] {
                            break;
                        }
                        let solution = self.samples.solve(&model.found, &model.solution.weights, limits);
                        if solution.error() >= model.solution.error() {
                            break;
                        }
                        model.solution = solution;
                    }
                }
            }
        }
        self.samples.adapt(model);
    }

    /// Moves radii and margins by smaller and smaller ratios as long as the error falls.
    fn refine(&mut self, model: &mut Model, ratios: &[f64]) {
        for ratio in ratios {
            for _ in 0..3 {
                let before = model.params;
                for rule in model.rules().collect::<Vec<_>>() {
                    self.refine_radius(model, rule, *ratio);
                }
                if model.params == before {
                    break;
                }
            }
            self.samples.adapt(model);
        }
    }

    fn refine_radius(&self, model: &mut Model, rule: Rule, ratio: f64) {
        let Some(key) = rule.radius_key().filter(|key| number(&model.params, key).is_finite()) else { return };
        for factor in [ratio, 1.0 / ratio] {
            loop {
                let mut params = model.params;
                let radius = number(&params, key) * factor;
                set_number(&mut params, key, radius);
                let moved = self.samples.with_rule(model, rule, &params);
                let is_lower = moved.solution.error() < model.solution.error() && moved.is_valid(rule);
                if !is_lower || radius > 4.0 * self.radii[RADII - 1].max(self.margins[RADII - 1]) {
                    break;
                }
                *model = moved;
            }
        }
    }

    /// Replaces each rule by its best form beside the others.
    fn reform(&mut self, model: &mut Model) {
        for rule in model.rules().collect::<Vec<_>>() {
            let forms = rule.forms(&model.params).into_iter().filter(|params| *params != model.params);
            let mut others: Vec<Model> = forms.map(|params| self.samples.exchanged(model, rule, &params)).collect();
            others.sort_by(|a, b| a.solution.error().total_cmp(&b.solution.error()));
            others.truncate(FINALISTS);
            for other in &mut others {
                for ratio in &RATIOS[..3] {
                    self.refine_radius(other, rule, *ratio);
                }
                *other = self.samples.limited(other);
            }
            let valid = others.into_iter().filter(|other| other.is_valid(rule));
            let best = valid.min_by(|a, b| a.solution.error().total_cmp(&b.solution.error()));
            if let Some(best) = best.filter(|best| best.solution.error() < model.solution.error()) {
                *model = best;
                self.samples.adapt(model);
            }
        }
    }

    /// Gives up a limit of the steering that says little.
    fn simplify(&mut self, model: &mut Model) {
        let limits = model.solution.limits;
        if limits.force.is_infinite() {
            return;
        }
        let mut other = self.samples.again(model, model.params, Limits { force: f64::INFINITY, ..limits });
        for rule in other.rules().collect::<Vec<_>>() {
            let best = self.best(&other, rule);
            other = best.filter(|best| best.solution.error() < other.solution.error()).unwrap_or(other);
        }
        if !is_better(&model.solution, &other.solution, OPTION) {
            *model = other;
            self.samples.adapt(model);
        }
    }

    /// Removes a rule that says nothing, and returns whether there was one.
    fn prune(&mut self, model: &mut Model) -> bool {
        for rule in model.rules().collect::<Vec<_>>() {
            let without = self.samples.without(model, rule);
            let is_certain = model.weights(rule).any(|weight| model.solution.certainty(weight) > SIGNIFICANT);
            let is_needed =
                is_certain && is_better(&model.solution, &without.solution, PROMISING) && model.is_valid(rule);
            if !is_needed || model.share(rule) < SMALLEST_SHARE {
                *model = without;
                self.samples.adapt(model);
                return true;
            }
        }
        false
    }

    /// Adds rules one by one, with their limits.
    fn grow(&mut self, model: &mut Model, watch: Watch<'_>) {
        while let Some(better) = self.add_rule(model) {
            *model = better;
            watch(0.05 * model.rules().count() as f64);
            self.limit_speeds(model);
            self.limit_force(model);
            self.refine(model, &RATIOS[1..3]);
            self.straighten(model);
        }
    }

    /// Improves forms, radii and limits until nothing changes.
    fn improve(&mut self, model: &mut Model, watch: Watch<'_>) {
        for round in 0..ROUNDS {
            watch(0.3 + 0.4 * round as f64 / ROUNDS as f64);
            let before = model.params;
            self.reform(model);
            self.refine(model, &RATIOS[1..3]);
            self.simplify(model);
            self.limit_force(model);
            self.limit_speeds(model);
            self.straighten(model);
            if model.params == before {
                break;
            }
        }
    }

    /// Takes random turns into account, which shorten the mean of the velocities.
    fn straighten(&mut self, model: &mut Model) {
        model.solution.limits.straightness = self.samples.straightness(model);
        self.samples.adapt(model);
    }
}

/// Finds the rules of a motion, and reports the completed share of the work.
pub(super) fn find<'a>(motion: &'a Motion, place: (&Setup, Arena), watch: Watch<'_>) -> Option<(Search<'a>, Model)> {
    let mut params = Params::default();
    params.edge.mode = Edge::Turn;
    let mut search = Search::new(motion, place, COARSE)?;
    search.samples.problem.steps = COARSE_STEPS;
    let mut model = search.samples.empty(params, Limits::seen_in(motion));
    if search.tries(Rule::Cruise) {
        model = search.samples.with_rule(&model, Rule::Cruise, &params);
        search.samples.adapt(&mut model);
    }
    search.grow(&mut model, watch);
    search.improve(&mut model, watch);
    search = Search::new(motion, place, FINE)?;
    model = search.samples.again(&model, model.params, model.solution.limits);
    search.samples.adapt(&mut model);
    for round in [0.7, 0.8] {
        watch(round);
        search.refine(&mut model, &RATIOS[2..]);
        search.limit_force(&mut model);
        search.limit_speeds(&mut model);
        search.straighten(&mut model);
    }
    while search.prune(&mut model) {
        search.refine(&mut model, &RATIOS[2..]);
        search.limit_force(&mut model);
        search.straighten(&mut model);
    }
    watch(0.9);
    Some((search, model))
}

/// The distances between which radii are tried, in u: half the distance of nearest neighbors, and that below which most animals are.
fn distances(motion: &Motion, setup: &Setup) -> [f64; 2] {
    let metric = setup.params.metric(&setup.world);
    let (mut nearest, mut all) = (Vec::new(), Vec::new());
    let step = (motion.frames() / 30).max(1);
    for frame in (0..motion.frames()).step_by(step) {
        let rows = motion.frame(frame).animals;
        for one in rows.iter().step_by((rows.len() / 50).max(1)) {
            let place = one.position.map(f64::from);
            let distance = |other: &Row| length(offset(&metric, place, other.position.map(f64::from)));
            let distances: Vec<f64> = rows.iter().filter(|row| row.id != one.id).map(distance).collect();
            nearest.extend(distances.iter().copied().min_by(f64::total_cmp));
            all.extend(distances);
        }
    }
    let near = (0.5 * median(&mut nearest)).max(1e-6);
    [near, quantile(&mut all, 0.5).max(4.0 * near).min(40.0 * near)]
}
