//! Corrections of weights by flights: indirect inference (Gouriéroux, Monfort & Renault 1993, *Indirect inference*, J. Appl. Econometrics 8,
//! S85).
//!
//! The fitted flock is flown with the estimated noises, observed as the animals are, and fitted in the same way. What comes back differs
//! from what was flown by the effect of limits, smoothing and errors of positions, which is then taken back.

use rayon::prelude::*;

use super::instruments::{Candidates, EARLIER, Instruments};
use super::model::{Model, Samples};
use super::motion::Motion;
use super::search::FINE;
use super::sums::Place;
use super::tracks::Tracks;
use super::vectors::{Arena, quantile};
use flockscope_sim::{Flock, Kind, Row, Scratch, Setup};

/// The number of flights of each correction, and of the last one, which gives the standard errors. Instruments need no correction.
const CORRECTIONS: [u64; 4] = [2, 2, 2, 8];
const LAST: [u64; 1] = [8];
/// The most states of a flight.
const LARGEST: usize = 200_000;
/// A correction changes a number by no more than this factor.
const LARGEST_FACTOR: f64 = 2.0;
/// The shares of smoothed speeds that flights have to meet.
const SPEEDS: [f64; 2] = [0.01, 0.99];

/// A flock that flies as the animals do.
#[derive(Clone)]
pub(super) struct Flying {
    /// Its rules with their weights and the limit of their sum.
    pub(super) model: Model,
    pub(super) speeds: [f64; 2],
    /// The range of random turns to one side, in radians.
    pub(super) turn: f64,
    /// The standard deviation of random accelerations, in u/frame².
    pub(super) kick: f64,
    /// The standard deviation of the errors of positions, in u.
    pub(super) noise: f64,
}

/// How the weights of a motion are estimated.
pub(super) enum Method<'a> {
    /// Smoothed least squares, with the limits of a tick.
    Smoothed,
    /// Sums of earlier frames.
    Instruments(&'a Candidates),
}

/// What an estimate says of a motion.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    weights: Vec<f64>,
    /// The limit of force, the residuals along the heading and across it, the errors of positions, and two shares of speeds.
    others: [f64; 6],
}

/// What is observed of a motion, with the rules, forms and radii of a model.
pub(super) fn observe(
    tracks: &Tracks,
    motion: &Motion,
    (setup, arena): (&Setup, Arena),
    (model, method): (&Model, &Method<'_>),
) -> Option<Observed> {
    let mut speeds = motion.speeds();
    let [slow, fast] = SPEEDS.map(|share| quantile(&mut speeds, share));
    match method {
        Method::Smoothed => {
            let mut samples = Samples::new(motion, (setup, arena), FINE)?;
            let mut fitted = samples.again(model, model.params, model.solution.limits);
            samples.adapt(&mut fitted);
            let [along, across] = samples.problem.deviations;
            let others = [fitted.solution.limits.force, along, across, tracks.choose_window().1, slow, fast];
            Some(Observed { weights: fitted.solution.weights, others })
        }
        Method::Instruments(candidates) => {
            let place = Place::new(setup, arena, motion);
            let instruments = Instruments::new(motion, place, candidates, (EARLIER, 2 * FINE))?;
            Some(Observed {
                weights: instruments.fit(&model.terms(motion.dim)).weights,
                others: [f64::INFINITY, 0.0, 0.0, 0.0, slow, fast],
            })
        }
    }
}

/// The flight of a flock from states, as many frames as in the motion at most.
fn fly(setup: &Setup, first: &[Row], frames: usize) -> Option<Vec<Vec<Row>>> {
    let mut flock = Flock::from_rows(setup, 0, first).ok()?;
    let mut scratch = Scratch::new();
    let frames = frames.min(LARGEST / first.len().max(1));
    Some(
        (0..frames)
            .map(|_| {
                let rows = flock.rows();
                flock.step(&mut scratch);
                rows
            })
            .collect(),
    )
}

/// The flock whose flights look like the animals, and the standard errors of its weights.
pub(super) fn correct(
    (own, motion): (&Observed, &Motion),
    mut flying: Flying,
    first: &[Row],
    (setup_of, arena): (&(dyn Fn(&Flying) -> Setup + Sync), Arena),
    method: &Method<'_>,
    watch: &dyn Fn(f64),
) -> Option<(Flying, Vec<f64>)> {
    let asked = flying.model.clone();
    let first: Vec<Row> = first.iter().copied().filter(|row| row.kind == Kind::Prey).collect();
    let signed: Vec<bool> =
        asked.found.iter().flat_map(|found| found.columns.iter().map(|_| found.rule.is_signed())).collect();
    if matches!(method, Method::Smoothed) {
        // Smoothing makes speeds look as if they returned to their mean.
        for (weight, _) in flying.model.solution.weights.iter_mut().zip(&signed).filter(|(_, signed)| **signed) {
            *weight = 0.0;
        }
    }
    let mut errors = Vec::new();
    let mut seed = 0;
    let corrections = if matches!(method, Method::Smoothed) { &CORRECTIONS[..] } else { &LAST };
    for (round, flights) in corrections.iter().copied().enumerate() {
        let setup = setup_of(&flying);
        let flight = |number: u64| {
            let setup = setup.clone().with_seed(number);
            let rows = fly(&setup, &first, motion.frames())?;
            let tracks = Tracks::of_flight(&setup, &rows, flying.noise, false);
            let mut flown = Motion::in_window(&tracks, motion.half_width(), motion.noise);
            flown.speed = motion.speed;
            observe(&tracks, &flown, (&setup, arena), (&asked, method))
        };
        let observed: Vec<Observed> = (seed + 1..=seed + flights).into_par_iter().filter_map(flight).collect();
        seed += flights;
        let count = observed.len() as f64;
        if observed.len() < 2 {
            return None;
        }
        let mean = |of: &dyn Fn(&Observed) -> f64| observed.iter().map(of).sum::<f64>() / count;
        errors.clear();
        for (weight, is_signed) in signed.iter().enumerate() {
            let back = mean(&|observed| observed.weights[weight]);
            let variance =
                observed.iter().map(|observed| (observed.weights[weight] - back).powi(2)).sum::<f64>() / (count - 1.0);
            let flown = &mut flying.model.solution.weights[weight];
            let ratio = own.weights[weight] / back;
            // A weight that comes back too small was too small by the same factor.
            let is_near = (1.0 / LARGEST_FACTOR..LARGEST_FACTOR).contains(&ratio) && !is_signed;
            let slope = if is_near { *flown / back } else { 1.0 };
            *flown += (own.weights[weight] - back) * slope;
            // The error of the animals' estimate, and of the mean over flights, of which some were shorter.
            let length = motion.frames().min(LARGEST / first.len().max(1)) as f64 / motion.frames() as f64;
            errors.push((variance * (length + 1.0 / count)).sqrt() * slope.abs());
        }
        let [force, along, across, noise, slow, fast] =
            [0, 1, 2, 3, 4, 5].map(|place| mean(&|observed| observed.others[place]));
        let [own_force, own_along, own_across, own_noise, own_slow, own_fast] = own.others;
        if force.is_finite() && own_force.is_finite() {
            flying.model.solution.limits.force *= within(own_force / force);
        }
        if matches!(method, Method::Smoothed) {
            let gain = |own: f64, back: f64, factor: f64| (own * own - back * back) * factor;
            let squared: f64 = motion.kernel.iter().map(|weight| weight * weight).sum();
            if flying.kick > 0.0 {
                flying.kick = (flying.kick.powi(2) + gain(own_along, along, 1.0 / squared)).max(0.0).sqrt();
            }
            let turns = gain(own_across, across, 3.0 / squared / motion.speed.powi(2).max(f64::MIN_POSITIVE));
            flying.turn = (flying.turn.powi(2) + turns).max(0.0).sqrt();
            flying.noise *= if noise > 0.0 && own_noise > 0.0 { within(own_noise / noise) } else { 1.0 };
            flying.speeds = [flying.speeds[0] + own_slow - slow, flying.speeds[1] + own_fast - fast];
            flying.speeds[0] = flying.speeds[0].max(0.0);
            flying.speeds[1] = flying.speeds[1].max(flying.speeds[0]);
        }
        watch(0.7 + 0.25 * (round + 1) as f64 / corrections.len() as f64);
    }
    Some((flying, errors))
}

fn within(factor: f64) -> f64 {
    factor.clamp(1.0 / LARGEST_FACTOR, LARGEST_FACTOR)
}
