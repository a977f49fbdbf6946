//! Fits the steering rules of boids to a recording of animals.
//!
//! The steering of a boid is linear in the weights of its rules, `a = Σ w·S`, with the sums that a tick computes. The change of
//! an animal's velocity from one frame to the next is what such steering and the limits of a tick make of it. `docs/fit.md` has the
//! formulas, their sources, and when not to trust a fit.
//!
//! 1. `tracks` links the states of each animal, without the `jumps` that no animal makes; `motion` finds the changes of velocity;
//! 2. `rules` has the rules that are tried, and computes their sums in each frame;
//! 3. `search` chooses rules, radii, forms and `limits` by the error of the `regression` in blocks of time that were not fitted;
//! 4. if velocities are not exact, `instruments` find weights that their errors do not bias;
//! 5. `surrogates` say which rules animals that ignore each other would show, too;
//! 6. `flights` of the fitted flock correct the weights, and give their errors.
//!
//! [`compare`] then flies the fitted flock, and [`ForceMap`] shows the forces between neighbors.

mod comparison;
mod diagnosis;
mod flights;
mod force_map;
mod instruments;
mod jumps;
mod limits;
mod model;
mod motion;
mod regression;
mod rules;
mod search;
mod smoothing;
mod sums;
mod surrogates;
mod time_scale;
mod tracks;
mod vectors;

use thiserror::Error;

pub use comparison::{Comparison, compare};
use flights::{Flying, Method};
pub use force_map::{Cell, ForceMap, SIDE};
use instruments::{EARLIER, EXACT, Instruments};
pub use jumps::LeftOut;
use model::{Model, Samples};
use motion::Motion;
use regression::{BLOCKS, jackknife};
pub use rules::Rule;
use rules::{cruise_speed, number, set_number};
use search::{FINE, Search};
use sums::Place;
pub use surrogates::SURROGATES;
use surrogates::{Test, Tested};
pub use time_scale::TimeScale;
use tracks::Tracks;
pub use vectors::Arena;
use vectors::quantile;

use crate::recording::Recording;
use flockscope_sim::{Cruise, Edge, Flock, MAX_SIDE, MAX_SPEED, Params, Row, Scratch, Setup, Start, World};

/// The smallest number of observed changes for each weight.
pub const FEWEST_CHANGES: usize = 200;
/// With a larger condition number, two rules have nearly the same effect.
const COLLINEAR: f64 = 30.0;
/// The digits of fitted parameters.
const DIGITS: i32 = 4;
/// Smaller random turns are those of rounding, in degrees; and smaller random accelerations, as a share of the mean speed.
const SMALLEST_NOISE: f64 = 0.2;
const SMALLEST_KICK: f64 = 1e-3;
/// The shares of speeds between which a fitted flock flies.
const USUAL: [f64; 2] = [0.001, 0.999];
/// If rules explain more of the changes, the rest is rounding, and velocities are exact.
const DETERMINED: f64 = 0.95;
/// A weight with a larger error, as a share of it, is not determined.
const LARGEST_ERROR: f64 = 0.3;

/// A number with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The standard error, by the jackknife over blocks of time and groups of animals.
    pub error: f64,
}

/// A rule that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleFit {
    /// The rule. Its form is in the parameters.
    pub rule: Rule,
    /// Its weights: one, or the components of the wind.
    pub weights: Vec<Estimate>,
    /// Its radius or margin in u; infinite if it reaches all animals.
    pub radius: Option<Estimate>,
    /// The speed to which animals return, in u/frame.
    pub speed: Option<Estimate>,
    /// Its mean weight in animals that ignore each other.
    pub surrogates: Option<f64>,
}

/// A rule that was not found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Absent {
    /// The rule.
    pub rule: Rule,
    /// Why.
    pub reason: Reason,
}

/// Why a rule is not in a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Animals that ignore each other would show as much.
    NotFound {
        /// The largest weight that it could have.
        most: f64,
        /// The form in which it is strongest.
        form: &'static str,
        /// The radius for it in u; infinite if it reaches all animals.
        radius: f64,
    },
    /// The recording does not show it.
    NotSeen,
    /// It is there, but the error of its weight is too large.
    Uncertain(Estimate),
    /// A comparison with animals that ignore each other needs this number of frames.
    TooShort(usize),
    /// There are too few animals for rules between them.
    TooFewAnimals,
}

/// The rules of a recording.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The fitted flock: its parameters, world and number of boids.
    pub setup: Setup,
    /// The corner of its world in the world of the recording.
    pub corner: [f32; 3],
    /// The rules that were found.
    pub rules: Vec<RuleFit>,
    /// The others.
    pub absent: Vec<Absent>,
    /// The share of the variance of changes that is predicted: in blocks of time that were not fitted, or by instruments.
    pub r_squared: f64,
    /// R² of weights without limits, of the animals, and the mean of animals that ignore each other; `None` if the recording is too short.
    pub surrogates: Option<[f64; 2]>,
    /// R² over one frame and over longer intervals.
    pub time_scales: Vec<TimeScale>,
    /// Two rules whose weights depend on each other, so that only both together are known.
    pub collinear: Option<[Rule; 2]>,
    /// What was left out of the fit.
    pub left_out: LeftOut,
    /// The frames before and after a step that no animal makes.
    jumps: Vec<usize>,
    /// The number of observed changes.
    pub changes: usize,
    /// The largest number of animals in a frame.
    pub animals: usize,
    /// The number of frames.
    pub frames: usize,
    /// How the weights were found.
    pub estimator: Estimator,
    /// The standard deviation of the noise in each coordinate, in u.
    pub tracking_noise: f64,
    /// The frames over which positions were smoothed; 1 if they were not.
    pub window: usize,
    /// The forces between neighbors, of the animals and of the rules.
    pub force_map: ForceMap,
}

/// Why a recording has no fit.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FitError {
    /// The animals are in too few successive frames.
    #[error(
        "{changes} changes of velocity are too few to fit rules: expected at least {needed}; record longer or more animals"
    )]
    TooFewChanges {
        /// The number of changes of velocity.
        changes: usize,
        /// The smallest number for the rules.
        needed: usize,
    },
    /// There are too few frames for blocks of time.
    #[error("{frames} frames are too few to fit rules: expected at least {needed}")]
    TooFewFrames {
        /// The number of frames.
        frames: usize,
        /// The smallest number.
        needed: usize,
    },
    /// The animals do not move.
    #[error("the animals do not move")]
    NoMotion,
    /// Lengths or speeds are outside the range of a preset.
    #[error("{what} of {size} {unit} is out of range: expected {range}")]
    OutOfRange {
        /// What is out of range.
        what: &'static str,
        /// Its size.
        size: String,
        /// The unit of the recording.
        unit: String,
        /// What a preset can have.
        range: String,
        /// The length of a unit in which everything is in range, in those of the recording's unit, as a power of 1,000.
        thousands: Option<i32>,
    },
    /// The fitted flock cannot fly.
    #[error("the fitted flock cannot fly: {0}")]
    CannotFly(String),
}

/// How the weights of a fit were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// By least squares on exact velocities.
    LeastSquares,
    /// By sums of earlier frames.
    Instruments,
    /// From smoothed positions, corrected by flights.
    Flights,
}

impl Estimator {
    fn of(is_exact: bool, uses_instruments: bool) -> Self {
        match (is_exact, uses_instruments) {
            (true, _) => Self::LeastSquares,
            (false, true) => Self::Instruments,
            (false, false) => Self::Flights,
        }
    }
}

/// Receives the completed share of the work.
pub type Watch<'a> = &'a dyn Fn(f64);

/// Fits rules to the animals of a recording, in its world. `arena` has the ends of the area in which they stay on each axis, if
/// that is not the world.
///
/// # Errors
///
/// [`FitError`] if there are too few data.
pub fn fit(recording: &Recording, arena: Option<Arena>, watch: Watch<'_>) -> Result<Fit, FitError> {
    let (setup, tracks, motion, arena) = prepare(recording, arena)?;
    let setup = &setup;
    let at = (setup, arena);
    let changes = motion.change_count();
    let (search, least_squares) =
        search::find(&motion, at, &|share| watch(0.5 * share)).ok_or(too_few_frames(&motion))?;
    let raw = Motion::in_window(&tracks, 1, 0.0);
    let is_noisy = motion.half_width() > 1;
    let is_exact = !is_noisy
        && (diagnosis::r_squared(&search.samples, (&least_squares, motion.dim), None) > DETERMINED
            || !diagnosis::are_correlated(&motion, at, &least_squares));
    let lags = if is_exact { EXACT } else { EARLIER };
    let candidates = search.candidates(setup);
    let place = Place::new(setup, arena, &raw);
    let uses_instruments = !is_exact && !search.has_limits(&least_squares);
    let instruments =
        if uses_instruments { Instruments::new(&raw, place, &candidates, (lags, 2 * FINE)) } else { None };
    let raw_samples = instruments.as_ref().and_then(|_| Samples::new(&raw, at, FINE));
    let linear = instruments.as_ref().map(|instruments| instruments.search(&candidates));
    let samples = raw_samples.as_ref().unwrap_or(&search.samples);
    let model = linear.as_ref().map_or(least_squares, |linear| samples.of_linear(linear));

    let terms = model.terms(motion.dim);
    let memory = raw.memory();
    let test = surrogates::test((&raw, memory), place, (&candidates, lags, is_noisy), &terms, &|share| {
        watch(0.5 + 0.2 * share);
    });
    let scales = time_scale::explained((&tracks, &raw, memory), place, (&candidates, is_noisy), (terms, test.as_ref()));
    let without = |model: &Model, rule: Rule| match &instruments {
        Some(instruments) => {
            let terms = model.terms(motion.dim).into_iter().filter(|term| term.rule != rule);
            samples.of_linear(&instruments.fit(&terms.collect::<Vec<_>>()))
        }
        None => samples.without(model, rule),
    };
    let (model, mut uncertain) = certain(model, test.as_ref(), &without);
    let needed = FEWEST_CHANGES * model.solution.weights.len();
    if changes < needed {
        return Err(FitError::TooFewChanges { changes, needed });
    }

    let fitted_motion = if instruments.is_some() { &raw } else { &motion };
    let mut flying = diagnosis::flying(samples, &model, (fitted_motion, at), instruments.is_some());
    let returns = (is_exact && !search.has_limits(&model))
        .then(|| diagnosis::return_to_speed(samples, &model, &arena, motion.dim))
        .flatten();
    if let Some(returns) = &returns {
        let places = model.weights(Rule::Cruise);
        flying.model.solution.weights[places].copy_from_slice(&returns.weights);
        flying.random[0] = returns.kick.powi(2);
    }
    let setup_of = |flying: &Flying| fitted_setup(setup, arena, &motion, flying);
    let corner = corner_of(setup, arena);
    let mut errors = None;
    if !is_exact {
        let method = if instruments.is_some() { Method::Instruments(&candidates) } else { Method::Smoothed };
        let first = first_states(&motion, recording.first_full_frame(), corner);
        let moved = arena.map(|[low, high]| [0.0, high - low]);
        let own = flights::observe(&tracks, fitted_motion, at, (&model, &method));
        let fly =
            |own| flights::correct((&own, fitted_motion), flying.clone(), &first, (&setup_of, moved), &method, watch);
        if let Some((corrected, of_flights)) = own.and_then(fly) {
            (flying, errors) = (corrected, Some(of_flights));
        }
    }
    let of_flights = (&flying, errors.as_deref());
    let mut rules = diagnosis::rules(samples, (&model, motion.dim), instruments.as_ref(), of_flights, returns.as_ref());
    for absent in take_uncertain(&mut rules) {
        flying.model.remove(absent.rule);
        uncertain.push(absent);
    }
    for fit in &mut rules {
        fit.surrogates = tested(test.as_ref(), fit.rule).map(|tested| tested.mean);
    }
    let absent = absent(&search, &rules, &uncertain, test.as_ref(), memory);
    let fitted = setup_of(&flying);
    check_flies(&fitted)?;
    Ok(Fit {
        setup: fitted,
        corner,
        r_squared: diagnosis::r_squared(samples, (&model, motion.dim), instruments.as_ref()),
        surrogates: test.as_ref().map(|test| test.r_squared),
        time_scales: scales,
        collinear: (model.solution.condition > COLLINEAR).then(|| collinear(&model)).flatten(),
        left_out: tracks.left_out,
        jumps: tracks.jumps,
        changes,
        animals: motion.largest_frame(),
        frames: motion.frames(),
        estimator: Estimator::of(is_exact, instruments.is_some()),
        tracking_noise: flying.noise,
        window: if fitted_motion.kernel.len() > 1 { fitted_motion.kernel.len() + 2 } else { 1 },
        force_map: ForceMap::new(
            fitted_motion,
            setup,
            (&samples.problem, &model),
            widest(&rules).unwrap_or(search.widest()),
        ),
        rules,
        absent,
    })
}

/// The tracks of a recording and their motion, and the area of the animals.
fn prepare(recording: &Recording, arena: Option<Arena>) -> Result<(Setup, Tracks, Motion, Arena), FitError> {
    let setup = Setup::new(recording.world).with_params(recording.params);
    let tracks = Tracks::new(recording, &setup);
    let motion = Motion::new(&tracks);
    let changes = motion.change_count();
    if changes < FEWEST_CHANGES {
        return Err(FitError::TooFewChanges { changes, needed: FEWEST_CHANGES });
    }
    if motion.speed == 0.0 {
        return Err(FitError::NoMotion);
    }
    let arena = arena.unwrap_or_else(|| tracks.arena(&setup.world));
    check_ranges(&motion, arena, &recording.unit)?;
    Ok((setup, tracks, motion, arena))
}

/// The error of a motion without blocks of time. The frames at the ends of a block have no changes of their own.
fn too_few_frames(motion: &Motion) -> FitError {
    FitError::TooFewFrames { frames: motion.frames(), needed: BLOCKS * (motion.kernel.len() + 2) }
}

/// Flies a boid for a tick.
fn check_flies(fitted: &Setup) -> Result<(), FitError> {
    let cannot_fly = |error: flockscope_sim::Error| FitError::CannotFly(error.to_string());
    Flock::new(&fitted.clone().with_boids(1)).map_err(cannot_fly)?.step(&mut Scratch::new());
    Ok(())
}

/// The model without the rules that animals that ignore each other would show, too, and without those whose weights are too uncertain; and
/// the latter.
fn certain(mut model: Model, test: Option<&Test>, without: &dyn Fn(&Model, Rule) -> Model) -> (Model, Vec<Absent>) {
    // A rule that is certain, but no stronger than what all animals share, is not one between neighbors.
    let is_refuted = |rule: &Rule| {
        let is_stronger = |tested: &Tested| {
            let weight = estimate(&model, *rule);
            tested.is_beyond && weight.value - tested.mean > 2.0 * weight.error
        };
        rule.is_interaction() && !tested(test, *rule).is_some_and(is_stronger)
    };
    for rule in model.rules().filter(is_refuted).collect::<Vec<_>>() {
        model = without(&model, rule);
    }
    let mut uncertain = Vec::new();
    while let Some(absent) = least_certain(&model) {
        model = without(&model, absent.rule);
        uncertain.push(absent);
    }
    (model, uncertain)
}

/// The rule between neighbors with the largest relative error, if that is too large.
fn least_certain(model: &Model) -> Option<Absent> {
    let social = model.rules().filter(|rule| rule.is_interaction());
    let estimates = social.map(|rule| (rule, estimate(model, rule)));
    let share = |estimate: &Estimate| estimate.error / estimate.value.abs();
    let (rule, estimate) = estimates.max_by(|a, b| share(&a.1).total_cmp(&share(&b.1)))?;
    (share(&estimate) > LARGEST_ERROR).then_some(Absent { rule, reason: Reason::Uncertain(estimate) })
}

/// The weight of a rule, with its error between blocks of time.
fn estimate(model: &Model, rule: Rule) -> Estimate {
    let place = model.weights(rule).start;
    let error = jackknife(model.solution.left_out.iter().map(|weights| weights[place])).sqrt();
    Estimate { value: model.solution.weights[place], error }
}

/// Takes the rules whose weights are too uncertain out of those found.
fn take_uncertain(rules: &mut Vec<RuleFit>) -> Vec<Absent> {
    let is_certain = |fit: &RuleFit| {
        let has_weight = fit.weights.iter().any(|weight| weight.error <= LARGEST_ERROR * weight.value.abs());
        has_weight && (fit.rule != Rule::Cruise || fit.weights[0].value > 0.0)
    };
    let uncertain = rules.extract_if(.., |fit| !is_certain(fit)).map(|fit| {
        let is_social = fit.rule.is_interaction() || fit.rule == Rule::Flee;
        Absent { rule: fit.rule, reason: if is_social { Reason::Uncertain(fit.weights[0]) } else { Reason::NotSeen } }
    });
    uncertain.collect()
}

/// The largest finite radius of rules between neighbors.
fn widest(rules: &[RuleFit]) -> Option<f64> {
    let social = rules.iter().filter(|fit| fit.rule.is_interaction());
    social
        .filter_map(|fit| fit.radius)
        .map(|radius| radius.value)
        .filter(|radius| radius.is_finite())
        .max_by(f64::total_cmp)
}

/// Whether a preset can have the sides of the arena and the speeds, in u and u/frame.
fn check_ranges(motion: &Motion, arena: Arena, unit: &str) -> Result<(), FitError> {
    let sides = arena[..motion.dim].iter().map(|[low, high]| high - low);
    let (shortest, longest) = sides.fold((f64::INFINITY, 0.0f64), |(low, high), side| (low.min(side), high.max(side)));
    let fastest = quantile(&mut motion.speeds(), USUAL[1]);
    let (most, fast) = (f64::from(MAX_SIDE), f64::from(MAX_SPEED));
    let fits = |factor: f64| shortest * factor >= 1.0 && longest * factor <= most && fastest * factor <= fast;
    let (what, size, range) = match () {
        () if fits(1.0) => return Ok(()),
        () if fastest > fast => ("a speed", fastest, format!("at most {fast} per frame")),
        () if longest > most => ("an area with a side", longest, format!("at most {most}")),
        () => ("an area with a side", shortest, "at least 1".to_owned()),
    };
    let thousands = [1, -1, 2, -2, 3, -3].into_iter().find(|thousands| fits(1000f64.powi(-thousands)));
    let size = rounded(size).to_string();
    Err(FitError::OutOfRange { what, size, unit: unit.to_owned(), range, thousands })
}

fn tested(test: Option<&Test>, rule: Rule) -> Option<&Tested> {
    test.and_then(|test| test.rules.iter().find(|tested| tested.rule == rule))
}

/// The rules that are not among those found, and why.
fn absent(
    search: &Search<'_>,
    rules: &[RuleFit],
    uncertain: &[Absent],
    test: Option<&Test>,
    memory: usize,
) -> Vec<Absent> {
    let missing = Rule::ALL.iter().copied().filter(|rule| rules.iter().all(|found| found.rule != *rule));
    let reason = |rule: Rule| {
        if let Some(absent) = uncertain.iter().find(|absent| absent.rule == rule) {
            return Some(absent.reason);
        }
        if !search.tries(rule) {
            return rule.is_interaction().then_some(Reason::TooFewAnimals);
        }
        if !rule.is_interaction() {
            return Some(Reason::NotSeen);
        }
        match tested(test, rule) {
            None => Some(Reason::TooShort(surrogates::fewest_frames(memory))),
            Some(tested) => {
                let mut params = Params::default();
                tested.strongest.apply(&mut params);
                let (form, radius) = (rule.form(&params), tested.strongest.radius);
                Some(Reason::NotFound { most: tested.most, form, radius })
            }
        }
    };
    missing.filter_map(|rule| Some(Absent { rule, reason: reason(rule)? })).collect()
}

/// The corner of the fitted world. Round worlds are centered at the origin.
fn corner_of(setup: &Setup, arena: Arena) -> [f32; 3] {
    arena.map(|[low, _]| if matches!(setup.world, World::Sphere(_)) { 0.0 } else { low as f32 })
}

/// The smoothed states of a frame, in the fitted world.
fn first_states(motion: &Motion, frame: usize, corner: [f32; 3]) -> Vec<Row> {
    let state = |row: &Row| Row { position: [0, 1, 2].map(|axis| row.position[axis] - corner[axis]), ..*row };
    let frame = motion.frame(frame);
    frame.animals.iter().chain(frame.predators).map(state).collect()
}

/// The two rules with the most similar effects.
fn collinear(model: &Model) -> Option<[Rule; 2]> {
    let [one, other] = model.solution.confused;
    let rule = |weight: usize| model.rules().find(|rule| model.weights(*rule).contains(&weight));
    Some([rule(one)?, rule(other)?]).filter(|[one, other]| one != other)
}

/// The limits of the fitted flock's speeds: those of the model, without the few animals beyond.
fn speed_range(motion: &Motion, [low, high]: [f64; 2]) -> [f64; 2] {
    let mut speeds = motion.speeds();
    let [slowest, fastest] = USUAL.map(|share| quantile(&mut speeds, share));
    [low.max(slowest), high.min(fastest).max(low.max(slowest))]
}

/// The flock with the rules of a model, in the arena.
fn fitted_setup(setup: &Setup, arena: Arena, motion: &Motion, flying: &Flying) -> Setup {
    let Flying { model, speeds, .. } = flying;
    let [kick, turn] = flying.noises(motion);
    let mut params = Params::default();
    for key in ["separation.weight", "alignment.weight", "cohesion.weight", "flee.weight"] {
        set_number(&mut params, key, 0.0);
    }
    params.edge.mode = match (setup.params.edge.mode, setup.world) {
        (Edge::Wrap, _) => Edge::Wrap,
        (_, World::Sphere(_)) => Edge::Open,
        _ => Edge::Reflect,
    };
    params.edge.margin = 0.0;
    for rule in model.rules() {
        let weights = &model.solution.weights[model.weights(rule)];
        match rule {
            Rule::Separation => params.separation = model.params.separation,
            Rule::Alignment => params.alignment = model.params.alignment,
            Rule::Cohesion => params.cohesion = model.params.cohesion,
            Rule::Flee => params.flee = model.params.flee,
            Rule::Edge => params.edge = model.params.edge,
            Rule::Cruise if weights[0] > 0.0 => {
                let speed = cruise_speed(weights, motion.speed).clamp(0.0, f64::from(MAX_SPEED));
                params.cruise = Cruise { weight: rounded(weights[0].min(1.0)) as f32, speed: rounded(speed) as f32 };
            }
            Rule::Cruise | Rule::Wind => {}
        }
        for (key, weight) in rule.weight_keys(motion.dim).iter().zip(weights) {
            let weight = if rule.is_signed() { *weight } else { weight.max(0.0) };
            set_number(&mut params, key, rounded(weight));
        }
        if let Some(key) = rule.radius_key() {
            let radius = rounded(number(&params, key));
            set_number(&mut params, key, radius);
        }
    }
    let noise = 2.0 * turn.to_degrees();
    params.noise.angle = if noise > SMALLEST_NOISE { rounded(noise.min(360.0)) as f32 } else { 0.0 };
    params.noise.force = if kick > SMALLEST_KICK * motion.speed { rounded(kick) as f32 } else { 0.0 };
    if params.noise.force > 0.0 && !model.rules().any(|rule| matches!(rule, Rule::Cruise | Rule::Alignment)) {
        // Random accelerations would add up without a return to a speed, which keeps the spread of speeds if it is as strong as this. Those
        // across the heading add to speeds, too.
        let (mean, variance) = (motion.speed, motion.speed_variance());
        let weight = (0.5 * kick.powi(2) / variance).min(1.0);
        let speed = (mean - (motion.dim - 1) as f64 * variance / mean).max(0.0);
        params.cruise = Cruise { weight: rounded(weight) as f32, speed: rounded(speed) as f32 };
    }
    let limits = model.solution.limits;
    params.limits.max_turn = rounded(limits.turn.to_degrees()) as f32;
    params.limits.max_force = if limits.force.is_finite() { rounded(limits.force) as f32 } else { 0.0 };
    (params.speed.min, params.speed.max) = (rounded(speeds[0]) as f32, rounded(speeds[1]) as f32);
    let sides = arena.map(|[low, high]| (high - low) as f32);
    let world = match setup.world {
        World::Cuboid(_) => World::Cuboid(sides),
        World::Rect(_) => World::Rect([sides[0], sides[1]]),
        World::Sphere(_) => setup.world,
    };
    let boids = motion.rows.len().div_ceil(motion.frames().max(1));
    Setup { params, ..Setup::new(world).with_boids(boids).with_start(Start::Scatter) }
}

/// A number with a few digits.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10f64.powi(DIGITS - 1 - number.abs().log10().floor() as i32);
    (number * scale).round() / scale
}

impl Fit {
    /// The interval in frames over which weights would be much more precise than over one frame.
    pub fn better_interval(&self) -> Option<usize> {
        time_scale::better(&self.time_scales)
    }
}
