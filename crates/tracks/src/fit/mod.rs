//! Fits the steering rules of boids to a recording of animals.
//!
//! The steering of a boid is linear in the weights of its rules, `a = Σ w·S`, with the sums that a tick computes. The change of
//! an animal's velocity from one frame to the next is what such steering and the limits of a tick make of it. `docs/fit.md` has the
//! formulas, their sources, and when not to trust a fit.
//!
//! 1. `tracks` links the states of each animal, without the `jumps` that no animal makes; `motion` finds the changes of velocity;
//! 2. `dictionary` has the rules that are tried, in all forms and radii, and `sums` computes their sums in `samples` of the changes;
//! 3. `instruments` turns both into moments, on which `search` chooses rules, forms and radii, through the limits of a `tick` if they are
//!    seen, and after a `delay`;
//! 4. `surrogates` say which rules animals that ignore each other would show, too, and `verdicts` what that means;
//! 5. `noises` flies the flock of a `preset` until its speeds are those of the animals.
//!
//! [`compare`] then flies the fitted flock, and [`ForceMap`] shows the forces between neighbors.

mod algebra;
mod comparison;
mod delay;
mod dictionary;
mod force_map;
mod instruments;
mod jumps;
mod limits;
mod motion;
mod noises;
mod preset;
mod samples;
mod search;
mod smoothing;
mod sums;
mod surrogates;
mod tick;
mod time_scale;
mod tracks;
mod vectors;
mod verdicts;
mod within;

use thiserror::Error;

pub use comparison::{Comparison, compare};
use dictionary::Dictionary;
pub use dictionary::Rule;
pub use force_map::{Cell, ForceMap, SIDE};
use instruments::Instruments;
pub use jumps::LeftOut;
use limits::Limits;
use motion::Motion;
use noises::Residuals;
use preset::Flying;
use samples::{BLOCKS, Point, Samples, Sampling};
use search::{Model, Search};
use sums::Place;
pub use surrogates::SURROGATES;
pub use time_scale::TimeScale;
use tracks::Tracks;
pub use vectors::Arena;
pub use verdicts::{Estimate, Radius, RuleFit, Verdict};

use crate::recording::Recording;
use flockscope_sim::{Edge, Kind, Row, Setup};

/// The smallest number of observed changes for each weight.
const FEWEST_CHANGES: usize = 200;
/// With a larger condition number, two rules have nearly the same effect.
const COLLINEAR: f64 = 30.0;
/// The digits of fitted parameters.
const DIGITS: i32 = 4;
/// The frames by which instruments are earlier, and the number of changes, if velocities are exact and if not.
const EXACT: Sampling = Sampling { lags: &[0], delay: 0, count: 30_000, is_successive: false };
const EARLIER: Sampling = Sampling { lags: &[2, 3], delay: 0, count: 60_000, is_successive: false };
/// The number of changes of each surrogate.
const OF_SURROGATES: usize = 40_000;

/// The rules of a recording.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The fitted flock: its parameters, world and number of boids.
    pub setup: Setup,
    /// The corner of its world in the world of the recording.
    pub corner: [f32; 3],
    /// The rules that the recording could tell, in the order of [`Rule::ALL`].
    pub rules: Vec<RuleFit>,
    /// The share of the variance of changes that is predicted.
    pub r_squared: f64,
    /// R² of weights without limits, of the animals, and the mean of animals that ignore each other; `None` if the recording is too short.
    pub surrogates: Option<[f64; 2]>,
    /// R² over one frame and over longer intervals.
    pub time_scales: Vec<TimeScale>,
    /// Two rules whose weights depend on each other, so that only both together are known.
    pub collinear: Option<[Rule; 2]>,
    /// The frames after which animals respond to others; 0 if nothing shows a delay.
    pub delay: usize,
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
    /// Whether the changes of velocity have no errors of positions.
    pub is_exact: bool,
    /// Whether the weights are those through limits of steering, turns or speeds.
    pub is_limited: bool,
    /// The standard deviation of the noise in each coordinate, in u.
    pub tracking_noise: f64,
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
    /// The sums of the rules cannot be told apart.
    #[error(
        "the changes of velocity cannot be solved for weights: the sums of the rules cannot be told apart; record longer, or more animals"
    )]
    Unsolved,
    /// The fitted flock cannot fly.
    #[error("the fitted flock cannot fly: {0}")]
    CannotFly(String),
}

/// Receives the completed share of the work.
pub type Watch<'a> = &'a dyn Fn(f64);

/// A recording as a fit sees it.
struct Data {
    setup: Setup,
    arena: Arena,
    tracks: Tracks,
    motion: Motion,
    /// The motion with positions that are smoothed if they have errors.
    smooth: Motion,
    place: Place,
    dictionary: Dictionary,
    /// The number of frames over which velocities are alike.
    memory: usize,
    /// The standard deviation of the errors of positions that the paths show, in u.
    noise: f64,
}

/// Fits rules to the animals of a recording, in its world. `arena` has the ends of the area in which they stay on each axis, if
/// that is not the world.
///
/// # Errors
///
/// [`FitError`] if there are too few data.
pub fn fit(recording: &Recording, arena: Option<Arena>, watch: Watch<'_>) -> Result<Fit, FitError> {
    let mut data = Data::new(recording, arena)?;
    let limits = if data.noise > 0.0 || data.place.keeps_speed { Limits::NONE } else { Limits::seen_in(&data.motion) };
    let is_exact = data.noise == 0.0 && (limits.are_seen() || data.has_exact_velocities()?);
    let mut sampling = if is_exact { EXACT } else { EARLIER };
    data.place.walls = is_exact.then(|| data.extent()).flatten();
    sampling.delay = if limits.are_seen() { 0 } else { delay::find(&data, is_exact) };
    watch(0.2);
    let mut samples = Samples::new(&data.motion, data.place, &data.dictionary, sampling);
    if samples.blocks() < BLOCKS {
        let reach = sampling.delay + sampling.lags.len() + 2;
        return Err(FitError::TooFewFrames { frames: data.motion.frames(), needed: BLOCKS * reach });
    }
    let mut first = None;
    if is_exact {
        let (model, scales) = data.first(sampling, limits)?;
        (first, samples.scales) = (Some(model), scales);
    }
    let instruments = Instruments::new(&samples, data.dictionary.instruments(is_exact));
    let mut search = Search::new(&samples, &instruments, &data.dictionary);
    let (model, point) = explain(&mut search, limits, first).ok_or(FitError::Unsolved)?;
    watch(0.4);
    let test = surrogates::test(&data, Sampling { count: OF_SURROGATES, ..sampling }, &model, &|share| {
        watch(0.4 + 0.4 * share);
    });
    let judged = verdicts::judge(&data, &mut search, test.as_ref(), &model, &point).ok_or(FitError::Unsolved)?;
    let (model, point) = (&judged.model, &judged.point);
    let (changes, needed) = (data.motion.change_count(), FEWEST_CHANGES * model.weights.len());
    if changes < needed {
        return Err(FitError::TooFewChanges { changes, needed });
    }
    let (across, tracking_noise) = Residuals::new(&data, model, point).variances(is_exact);
    let flying = Flying { setup: &data.setup, arena: data.arena, motion: &data.smooth, point, rules: judged.flown() };
    let first = data.first_states(recording.first_full_frame(), flying.corner());
    let noises = noises::by_flight(across, &data.smooth, &first, &|noises| flying.setup(model, noises));
    let setup = flying.setup(model, noises);
    preset::check_flies(&setup)?;
    watch(0.9);
    let predictions = samples.predictions(&search.columns_of(model), point, point.limits.are_seen());
    let strongest = judged.strongest(test.as_ref());
    Ok(Fit {
        setup,
        corner: flying.corner(),
        r_squared: judged.r_squared,
        surrogates: test.as_ref().map(|test| test.r_squared),
        time_scales: time_scale::over_intervals(&data, sampling.lags, &strongest),
        collinear: search.condition(model).filter(|(condition, _)| *condition > COLLINEAR).map(|(_, rules)| rules),
        delay: if judged.flown().iter().any(|rule| rule.is_interaction()) { sampling.delay } else { 0 },
        left_out: data.tracks.left_out,
        changes,
        animals: data.motion.largest_frame(),
        frames: data.motion.frames(),
        is_exact,
        is_limited: point.limits.are_seen(),
        tracking_noise: if is_exact { 0.0 } else { data.noise.max(tracking_noise) },
        force_map: ForceMap::new(&data.motion, &data.place.metric, &predictions, judged.reach(data.dictionary.widest)),
        rules: judged.rules,
        jumps: data.tracks.jumps,
    })
}

/// The rules in their best forms and radii, their weights, and the limits through which they act, if those explain more. The search starts
/// from a model of other samples if there is one.
fn explain(search: &mut Search<'_>, limits: Limits, first: Option<Model>) -> Option<(Model, Point)> {
    let model = if let Some(first) = first { search.adopt(&first)? } else { search.choose()? };
    if limits.are_seen()
        && let Some((limited, point)) = tick::choose(search, model.clone(), limits)
        && search.quality(&limited, &point).1 > search.quality(&model, &model.point()).1
    {
        return Some((limited, point));
    }
    search.solve_through(None);
    let model = search.refine(model, None)?;
    let point = model.point();
    Some((model, point))
}

impl Data {
    fn new(recording: &Recording, arena: Option<Arena>) -> Result<Self, FitError> {
        let setup = Setup::new(recording.world).with_params(recording.params);
        let tracks = Tracks::new(recording, &setup);
        let (half_width, noise) = if tracks.has_exact_velocities { (1, 0.0) } else { tracks.choose_window() };
        let motion = Motion::in_window(&tracks, 1);
        let smooth = Motion::in_window(&tracks, half_width);
        let changes = motion.change_count();
        if changes < FEWEST_CHANGES {
            return Err(FitError::TooFewChanges { changes, needed: FEWEST_CHANGES });
        }
        if motion.speed == 0.0 {
            return Err(FitError::NoMotion);
        }
        let arena = arena.unwrap_or_else(|| tracks.arena(&setup.world));
        preset::check_ranges(&smooth, arena, &recording.unit)?;
        let dictionary = Dictionary::new(&smooth, &setup, &arena);
        let keeps_speed = !smooth.has_varying_speeds();
        let place = Place { keeps_speed, ..Place::new(&setup, arena, &motion) };
        let memory = motion.memory();
        Ok(Self { setup, arena, tracks, motion, smooth, place, dictionary, memory, noise })
    }

    /// Whether what rules leave of successive changes is not correlated, as it is if velocities have errors.
    fn has_exact_velocities(&self) -> Result<bool, FitError> {
        let sampling = Sampling { count: EXACT.count / 3, ..EXACT };
        let samples = Samples::new(&self.motion, self.place, &self.dictionary, sampling);
        let instruments = Instruments::new(&samples, self.dictionary.instruments(true));
        let model = Search::new(&samples, &instruments, &self.dictionary).choose().ok_or(FitError::Unsolved)?;
        let point = model.point();
        Ok(!Residuals::new(self, &model, &point).are_correlated())
    }

    /// The ends of all positions on each axis, if the world does not wrap.
    fn extent(&self) -> Option<Arena> {
        let of_axis = |axis: usize| {
            let places = self.motion.rows.iter().map(|row| f64::from(row.position[axis]));
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
        };
        (self.setup.params.edge.mode != Edge::Wrap).then(|| [0, 1, 2].map(of_axis))
    }

    /// The rules that some of the changes show, and the weights of equations along the heading and across it: random turns
    /// change velocities across it alone.
    fn first(&self, sampling: Sampling, limits: Limits) -> Result<(Model, [f64; 2]), FitError> {
        let sampling = Sampling { count: sampling.count / 3, ..sampling };
        let samples = Samples::new(&self.motion, self.place, &self.dictionary, sampling);
        let instruments = Instruments::new(&samples, self.dictionary.instruments(true));
        let mut search = Search::new(&samples, &instruments, &self.dictionary);
        let (model, point) = explain(&mut search, limits, None).ok_or(FitError::Unsolved)?;
        let predictions = samples.predictions(&search.columns_of(&model), &point, point.limits.are_seen());
        Ok((model, samples.scales_of(&predictions)))
    }

    /// The smoothed states of a frame, in the fitted world.
    fn first_states(&self, frame: usize, corner: [f32; 3]) -> Vec<Row> {
        let state = |row: &Row| Row { position: [0, 1, 2].map(|axis| row.position[axis] - corner[axis]), ..*row };
        let rows = self.smooth.frame(frame).animals.iter().filter(|row| row.kind == Kind::Prey).map(state);
        rows.filter(|row| row.velocity.iter().all(|axis| axis.is_finite())).collect()
    }
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
    /// A rule that the recording could tell.
    pub fn rule(&self, rule: Rule) -> Option<&RuleFit> {
        self.rules.iter().find(|fit| fit.rule == rule)
    }

    /// The interval in frames over which weights would be much more precise than over one frame.
    pub fn better_interval(&self) -> Option<usize> {
        time_scale::better(&self.time_scales)
    }
}
