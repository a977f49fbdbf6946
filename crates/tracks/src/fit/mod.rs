//! Fits the steering rules of boids to a recording of animals.
//!
//! The steering of a boid is linear in the weights of its rules, `a = Σ w·S`, with the sums that a tick computes. The change of
//! an animal's velocity from one frame to the next is what such steering and the limits of a tick make of it. `docs/fit.md` has the
//! formulas, their sources, and when not to trust a fit.
//!
//! 1. `motion` smooths the recorded positions, and finds the changes of velocity;
//! 2. `rules` has the rules that are tried, and computes their sums in each frame;
//! 3. `regression` finds the weights that predict the changes best, with the `limits` of a tick;
//! 4. `search` chooses rules, radii, forms and limits by the error in blocks of time that were not fitted;
//! 5. `diagnosis` says how certain the result is.
//!
//! [`compare`] then flies the fitted flock, and [`ForceMap`] shows the forces between neighbors.

mod comparison;
mod diagnosis;
mod force_map;
mod limits;
mod model;
mod motion;
mod regression;
mod rules;
mod search;
mod vectors;

use thiserror::Error;

pub use comparison::{Comparison, compare};
pub use force_map::{Cell, ForceMap, SIDE};
use model::{Model, Samples};
use motion::Motion;
pub use rules::{Arena, Rule};
use rules::{number, set_number};
use search::FEWEST_ANIMALS;
use vectors::{length, quantile};

use crate::recording::Recording;
use flockscope_sim::{Edge, Params, Setup, Start, World};

/// The smallest number of observed changes for each weight.
pub const FEWEST_CHANGES: usize = 200;
/// With a larger condition number, two rules have nearly the same effect.
const COLLINEAR: f64 = 30.0;
/// The digits of fitted parameters.
const DIGITS: i32 = 4;
/// Smaller random turns are those of rounding, in degrees.
const SMALLEST_NOISE: f64 = 0.2;

/// The shares of speeds between which a fitted flock flies, and if speeds return to a preferred one.
const USUAL: [f64; 2] = [0.001, 0.999];
const PREFERRED: [f64; 2] = [0.1, 0.9];

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
    /// Its radius or margin in u.
    pub radius: Option<Estimate>,
    /// Its root mean square steering, as a share of the sum over all rules.
    pub share: f64,
}

/// A rule that was not found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Absent {
    /// The rule.
    pub rule: Rule,
    /// The largest share of the steering that it could be, with a certainty of about 95 %.
    pub most: f64,
    /// Whether the data exclude a rule that matters.
    pub is_determined: bool,
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
    /// The share of the variance of changes that is predicted in blocks of time that were not fitted.
    pub r_squared: f64,
    /// The condition number of the rules' sums.
    pub condition: f64,
    /// Two rules whose weights depend on each other, so that only both together are known.
    pub collinear: Option<[Rule; 2]>,
    /// The delay of reactions in frames.
    pub delay: usize,
    /// How fast speeds return to a preferred one, per frame, and this speed. A preset cannot express it.
    pub relaxation: Option<[Estimate; 2]>,
    /// The number of observed changes.
    pub changes: usize,
    /// The largest number of animals in a frame.
    pub animals: usize,
    /// The number of frames.
    pub frames: usize,
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
        "{changes} changes of velocity are too few to fit rules: expected at least {FEWEST_CHANGES} for each rule; record longer or more animals"
    )]
    TooFewChanges {
        /// The number of changes of velocity.
        changes: usize,
    },
    /// The animals do not move.
    #[error("the animals do not move")]
    NoMotion,
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
    let setup = &Setup::new(recording.world).with_params(recording.params);
    let motion = Motion::new(setup, recording);
    let changes = motion.change_count();
    if changes < FEWEST_CHANGES {
        return Err(FitError::TooFewChanges { changes });
    }
    if motion.rows.iter().all(|row| row.velocity == [0.0; 3]) {
        return Err(FitError::NoMotion);
    }
    let arena = arena.unwrap_or_else(|| arena_of(&setup.world));
    let place = (setup, arena);
    let (search, model) = search::find(&motion, place, watch)?;
    if changes < FEWEST_CHANGES * model.solution.weights.len() {
        return Err(FitError::TooFewChanges { changes });
    }
    let samples = &search.samples;
    let variants = motion.variants(setup, recording);
    let on_variant = |motion| {
        let samples = Samples::new(motion, place, samples.problem.samples(), 0)?;
        Some(samples.again(&model, model.params, model.solution.limits))
    };
    let variants: Vec<Model> = variants.iter().filter_map(on_variant).collect();
    let rules = diagnosis::rules(samples, &model, &variants);
    let absent = diagnosis::absent(&search, &model);
    watch(0.95);
    let relaxation = diagnosis::relaxation(samples, &model);
    let speeds = speed_range(&motion, model.solution.limits.speeds, relaxation.is_some());
    let radius =
        rules.iter().filter(|fit| fit.rule.is_interaction()).filter_map(|fit| fit.radius).map(|radius| radius.value);
    let radius = radius.fold(0.0, f64::max);
    Ok(Fit {
        setup: fitted_setup(setup, arena, &motion, &model, (samples.random_turn(&model), speeds)),
        // Round worlds are centered at the origin.
        corner: arena.map(|[low, _]| if matches!(setup.world, World::Sphere(_)) { 0.0 } else { low as f32 }),
        rules,
        absent,
        r_squared: diagnosis::r_squared(&samples.problem, &model),
        condition: model.solution.condition,
        collinear: (model.solution.condition > COLLINEAR).then(|| collinear(&model)).flatten(),
        delay: diagnosis::delay(&motion, place, &model),
        relaxation,
        changes,
        animals: motion.largest_frame(),
        frames: motion.frames(),
        tracking_noise: motion.noise,
        window: if motion.kernel.len() > 1 { motion.kernel.len() + 2 } else { 1 },
        force_map: ForceMap::new(
            &motion,
            setup,
            &samples.problem,
            &model,
            if radius > 0.0 { radius } else { search.widest() },
        ),
    })
}

fn arena_of(world: &World) -> Arena {
    let (origin, size) = (world.origin(), world.size());
    [0, 1, 2].map(|axis| [origin[axis], origin[axis] + size[axis]].map(f64::from))
}

/// The two rules with the most similar effects.
fn collinear(model: &Model) -> Option<[Rule; 2]> {
    let [one, other] = model.solution.confused;
    let rule = |weight: usize| model.rules().find(|rule| model.weights(*rule).contains(&weight));
    Some([rule(one)?, rule(other)?]).filter(|[one, other]| one != other)
}

/// The limits of the fitted flock's speeds: those of the model, without the few animals beyond. Speeds that return to a preferred one stay near it.
fn speed_range(motion: &Motion, [low, high]: [f64; 2], is_relaxing: bool) -> [f64; 2] {
    let mut speeds: Vec<f64> = motion.rows.iter().map(|row| length(row.velocity.map(f64::from))).collect();
    let shares = if is_relaxing { PREFERRED } else { USUAL };
    let [slowest, fastest] = shares.map(|share| quantile(&mut speeds, share));
    [low.max(slowest), high.min(fastest).max(low.max(slowest))]
}

/// The flock with the rules of a model, in the arena.
fn fitted_setup(
    setup: &Setup,
    arena: Arena,
    motion: &Motion,
    model: &Model,
    (random_turn, speeds): (f64, [f64; 2]),
) -> Setup {
    let limits = model.solution.limits;
    let mut params = Params { perception: model.params.perception, ..Params::default() };
    for key in ["separation.weight", "alignment.weight", "cohesion.weight"] {
        set_number(&mut params, key, 0.0);
    }
    params.edge.mode = match (setup.params.edge.mode, setup.world) {
        (Edge::Wrap, _) => Edge::Wrap,
        (_, World::Sphere(_)) => Edge::Open,
        _ => Edge::Reflect,
    };
    params.edge.margin = 0.0;
    for rule in model.rules() {
        match rule {
            Rule::Separation => params.separation = model.params.separation,
            Rule::Alignment => params.alignment = model.params.alignment,
            Rule::Cohesion => params.cohesion = model.params.cohesion,
            Rule::Edge => params.edge = model.params.edge,
            Rule::Wind => {}
        }
        for (key, weight) in rule.weight_keys(motion.dim).iter().zip(model.weights(rule)) {
            set_number(&mut params, key, rounded(model.solution.weights[weight]));
        }
        if let Some(key) = rule.radius_key() {
            let radius = rounded(number(&params, key));
            set_number(&mut params, key, radius);
        }
    }
    let noise = 2.0 * random_turn.to_degrees();
    params.cohesion.inner = rounded(f64::from(params.cohesion.inner)) as f32;
    params.noise.angle = if noise > SMALLEST_NOISE { rounded(noise.min(360.0)) as f32 } else { 0.0 };
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
    /// Whether there are too few animals for rules between neighbors.
    pub fn has_too_few_animals(&self) -> bool {
        self.animals < FEWEST_ANIMALS
    }
}
