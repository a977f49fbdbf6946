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
use samples::{BLOCKS, Samples, Sampling};
use search::{Model, Search};
use sums::Place;
pub use time_scale::TimeScale;
use tracks::Tracks;
pub use vectors::Arena;
pub use verdicts::{Estimate, Radius, RuleFit, Verdict};

use crate::recording::Recording;
use flockscope_sim::{Edge, Setup};

/// The smallest number of observed changes for each weight.
const FEWEST_CHANGES: usize = 200;
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
    /// R² over one frame and over longer intervals; none with a delay.
    pub time_scales: Vec<TimeScale>,
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
    /// Different weights explain the changes equally well.
    #[error("the changes of velocity do not determine weights of rules; record longer, or more animals")]
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
    // Limits show themselves as equal numbers, which errors of positions hide. A speed that never varies needs none.
    let limits = if data.noise > 0.0 || data.place.keeps_speed { Limits::NONE } else { Limits::seen_in(&data.motion) };
    let first = if data.noise > 0.0 { None } else { data.first(limits)? };
    let mut sampling = if first.is_some() { EXACT } else { EARLIER };
    if first.is_none() {
        data.place.walls = None;
    }
    if !limits.are_seen() {
        sampling.delay = delay::find(&data, sampling.is_exact());
    }
    watch(0.2);
    let mut samples = Samples::new(&data.motion, data.place, &data.dictionary, sampling);
    if samples.blocks() < BLOCKS {
        let (frames, needed) = (data.motion.frames(), BLOCKS * (sampling.delay + sampling.lags.len() + 2));
        return Err(if frames < needed { FitError::TooFewFrames { frames, needed } } else { FitError::Unsolved });
    }
    let (first, scales) = first.unzip();
    samples.scales = scales.unwrap_or(samples.scales);
    let is_exact = sampling.is_exact();
    let instruments = Instruments::new(&samples, data.dictionary.instruments(is_exact));
    let mut search = Search::new(&samples, &instruments, &data.dictionary);
    let model = explain(&mut search, limits, first.as_ref()).ok_or(FitError::Unsolved)?;
    watch(0.4);
    let test = surrogates::test(&data, Sampling { count: OF_SURROGATES, ..sampling }, &model, &|share| {
        watch(0.4 + 0.4 * share);
    });
    let judged = verdicts::judge(&data, &mut search, test.as_deref(), model).ok_or(FitError::Unsolved)?;
    let model = &judged.model;
    let (changes, needed) = (data.motion.change_count(), FEWEST_CHANGES * model.weights.len());
    if changes < needed {
        return Err(FitError::TooFewChanges { changes, needed });
    }
    let (across, tracking_noise) = Residuals::new(&data, model).variances(is_exact);
    let flying = Flying { data: &data, model, rules: judged.flown() };
    let boids = recording.boids(recording.first_full_frame(), &flying.setup([0.0; 2]), flying.corner());
    let noises = noises::by_flight(across, &data.smooth, &boids, &|noises| flying.setup(noises));
    let setup = flying.setup(noises);
    preset::check_flies(&setup)?;
    watch(0.9);
    let predictions = search.predictions(model);
    let strongest = judged.strongest(test.as_deref());
    Ok(Fit {
        setup,
        corner: flying.corner(),
        r_squared: judged.r_squared,
        time_scales: time_scale::over_intervals(&data, sampling, &strongest),
        delay: if judged.flown().iter().any(|rule| rule.is_interaction()) { sampling.delay } else { 0 },
        left_out: data.tracks.left_out,
        changes,
        animals: data.motion.largest_frame(),
        frames: data.motion.frames(),
        is_exact,
        is_limited: model.limits.are_seen(),
        tracking_noise: if is_exact { 0.0 } else { data.noise.max(tracking_noise) },
        force_map: ForceMap::new(&data.motion, &data.place.metric, &predictions, judged.reach(data.dictionary.widest)),
        rules: judged.rules,
        jumps: data.tracks.jumps,
    })
}

/// The rules in their best forms and radii, and the limits through which they act, if those explain more. The search starts from a model of
/// other samples if there is one.
fn explain(search: &mut Search<'_>, limits: Limits, first: Option<&Model>) -> Option<Model> {
    let model = if let Some(first) = first { search.adopt(first)? } else { search.choose()? };
    let limited = limits.are_seen().then(|| tick::choose(search, &model, limits)).flatten();
    if let Some(limited) = limited.filter(|limited| search.quality(limited).1 > search.quality(&model).1) {
        return Some(limited);
    }
    search.solve_through(None);
    search.refine(model, None)
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
        let place = Place {
            metric: setup.params.metric(&setup.world),
            arena,
            mean_speed: motion.speed,
            dim: motion.dim,
            keeps_speed: !smooth.has_varying_speeds(),
            walls: (setup.params.edge.mode != Edge::Wrap).then(|| motion.extent()),
        };
        let memory = motion.memory();
        Ok(Self { setup, tracks, motion, smooth, place, dictionary, memory, noise })
    }

    /// The rules that some of the changes show if velocities are exact, and the weights of equations along the heading and across it: random
    /// turns change velocities across it alone. Velocities are not exact if what rules leave of successive changes is correlated.
    fn first(&self, limits: Limits) -> Result<Option<(Model, [f64; 2])>, FitError> {
        let sampling = Sampling { count: EXACT.count / 3, ..EXACT };
        let samples = Samples::new(&self.motion, self.place, &self.dictionary, sampling);
        let instruments = Instruments::new(&samples, self.dictionary.instruments(true));
        let mut search = Search::new(&samples, &instruments, &self.dictionary);
        let model = explain(&mut search, limits, None).ok_or(FitError::Unsolved)?;
        let is_exact = limits.are_seen() || !Residuals::new(self, &model).are_correlated();
        let scales = samples.scales_of(&search.predictions(&model));
        Ok(is_exact.then_some((model, scales)))
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
