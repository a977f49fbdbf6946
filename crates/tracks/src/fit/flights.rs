//! Corrections of weights by flights: indirect inference (Gouriéroux, Monfort & Renault 1993, *Indirect inference*, J. Appl. Econometrics 8,
//! S85).
//!
//! The fitted flock is flown with the estimated noises, observed as the animals are, and fitted in the same way. What comes back differs
//! from what was flown by the effect of limits, smoothing and errors of positions, which is then taken back.

use rayon::prelude::*;

use super::instruments::{Candidates, EARLIER, Instruments};
use super::model::{Model, Samples};
use super::motion::Motion;
use super::rules::{Rule, cruise_speed};
use super::search::FINE;
use super::sums::Place;
use super::tracks::Tracks;
use super::vectors::{Arena, quantile};
use flockscope_sim::{Flock, Kind, Row, Scratch, Setup};

/// The number of flights of each correction, and of the last one, which gives the standard errors.
const CORRECTIONS: [u64; 4] = [2, 2, 2, 8];
const LAST: [u64; 1] = [8];
/// Random accelerations are equal in all directions if their variances differ by less than this factor.
const ALIKE: f64 = 1.5;
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
    /// The variances of random accelerations along the heading and across it, per axis, in (u/frame²)².
    pub(super) random: [f64; 2],
    /// The standard deviation of the errors of positions, in u.
    pub(super) noise: f64,
}

impl Flying {
    /// The standard deviation of random accelerations, which are equal in all directions, in u/frame²; and the range of random turns to one
    /// side at the mean speed, in radians. Both cause the turns of the animals; bursts may change their speeds more. Only random accelerations
    /// make boids faster than the speed to which they return.
    pub(super) fn noises(&self, motion: &Motion) -> [f64; 2] {
        let ([mut along, mut across], mean) = (self.random, motion.speed);
        if along.max(across) < ALIKE * along.min(across) {
            (along, across) = (f64::midpoint(along, across), f64::midpoint(along, across));
        }
        let mut isotropic = along.min(across);
        let cruise = &self.model.solution.weights[self.model.weights(Rule::Cruise)];
        if let [weight, _] = cruise {
            let faster = mean - cruise_speed(cruise, mean);
            isotropic = isotropic.min((2.0 * weight * mean * faster / (motion.dim - 1) as f64).max(0.0));
        }
        // A uniform turn within an angle has a third of its square as variance.
        let turn = 3.0 * (across - isotropic) / mean.powi(2).max(f64::MIN_POSITIVE);
        [isotropic.sqrt(), turn.max(0.0).sqrt()]
    }
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
    let is_smoothed = matches!(method, Method::Smoothed);
    if is_smoothed {
        // Smoothing makes speeds look as if they returned to their mean.
        for (weight, _) in flying.model.solution.weights.iter_mut().zip(&signed).filter(|(_, signed)| **signed) {
            *weight = 0.0;
        }
    }
    let mut errors = Vec::new();
    let mut seed = 0;
    let corrections = if is_smoothed { &CORRECTIONS[..] } else { &LAST };
    for (round, flights) in corrections.iter().copied().enumerate() {
        let setup = setup_of(&flying);
        let flight = |number: u64| {
            let setup = setup.clone().with_seed(number);
            let rows = fly(&setup, &first, motion.frames())?;
            let tracks = Tracks::of_flight(&setup, &rows, flying.noise);
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
            let slope = slope(*flown, own.weights[weight], back, *is_signed);
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
        if is_smoothed {
            let squared: f64 = motion.kernel.iter().map(|weight| weight * weight).sum();
            let gain = |own: f64, back: f64| (own * own - back * back) / squared;
            if flying.random[0] > 0.0 {
                flying.random[0] = (flying.random[0] + gain(own_along, along)).max(0.0);
            }
            flying.random[1] = (flying.random[1] + gain(own_across, across)).max(0.0);
            flying.noise *= if noise > 0.0 && own_noise > 0.0 { within(own_noise / noise) } else { 1.0 };
            flying.speeds = [flying.speeds[0] + own_slow - slow, flying.speeds[1] + own_fast - fast];
            flying.speeds[0] = flying.speeds[0].max(0.0);
            flying.speeds[1] = flying.speeds[1].max(flying.speeds[0]);
        }
        watch(0.7 + 0.25 * (round + 1) as f64 / corrections.len() as f64);
    }
    // Instruments need no correction.
    flying.model = if is_smoothed { flying.model } else { asked };
    Some((flying, errors))
}

fn within(factor: f64) -> f64 {
    factor.clamp(1.0 / LARGEST_FACTOR, LARGEST_FACTOR)
}

/// The change of a flown weight for each unit by which the fit of its flights differs from that of the animals. A weight that is fitted too
/// small was too small by the same factor.
fn slope(flown: f64, own: f64, back: f64, is_signed: bool) -> f64 {
    let is_near = (1.0 / LARGEST_FACTOR..LARGEST_FACTOR).contains(&(own / back)) && !is_signed;
    if is_near { flown / back } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;
    use super::*;
    use crate::recording::{RecordedState, Recording};
    use flockscope_sim::{Params, World};

    #[test]
    fn a_weight_changes_by_the_difference_between_fits() {
        let corrected =
            |flown: f64, own: f64, back: f64, is_signed| flown + (own - back) * slope(flown, own, back, is_signed);
        // The fit of flights with 0.02 gives 0.008, and that of the animals 0.01: a quarter more.
        assert!((corrected(0.02, 0.01, 0.008, false) - 0.025).abs() < 1e-12);
        // Five times too small, or a weight that may be negative: the difference.
        assert!((corrected(0.02, 0.01, 0.002, false) - 0.028).abs() < 1e-12);
        assert!((corrected(0.02, 0.01, 0.008, true) - 0.022).abs() < 1e-12);
    }

    #[test]
    fn noises_keep_the_pace() {
        // Animals at speeds of 2 and 4.
        let state = |frame: u32, id: u32| {
            let speed = f64::from(2 + 2 * id);
            let coordinates = [speed * f64::from(frame), f64::from(id), 0.0];
            let velocity = [speed as f32, 0.0, 0.0];
            RecordedState { coordinates, velocity, mood: 0.0, bank: 0.0, frame, id, kind: Kind::Prey }
        };
        let states = (0..60).flat_map(|frame| (0..2).map(move |id| state(frame, id))).collect();
        let recording = Recording::new(states, World::Rect([300.0, 9.0]));
        let setup = Setup::new(recording.world).with_params(recording.params);
        let motion = Motion::in_window(&Tracks::new(&recording, &setup), 1, 0.0);
        assert_eq!((motion.speed, motion.speed_variance()), (3.0, 1.0));
        let mut samples = Samples::new(&motion, (&setup, [[0.0, 300.0], [0.0, 9.0], [0.0; 2]]), 100).unwrap();
        let empty = samples.empty(Params::default(), Limits::NONE);
        let cruise = |weights: [f64; 2]| {
            let mut model = samples.with_rule(&empty, Rule::Cruise, &Params::default());
            model.solution.weights = weights.to_vec();
            model
        };
        let noises = |model: Model, random| Flying { model, speeds: [0.0, 9.0], random, noise: 0.0 }.noises(&motion);
        let near = |[kick, turn]: [f64; 2], expected: [f64; 2]| {
            assert!((kick - expected[0]).abs() < 1e-9 && (turn - expected[1]).abs() < 1e-9, "{kick} {turn}");
        };
        // Bursts along the heading of 0.5 are left out: √0.04; and turns of √(3 · (0.09 − 0.04)) / 3.
        near(noises(empty.clone(), [0.25, 0.04]), [0.2, 0.0]);
        near(noises(empty.clone(), [0.04, 0.09]), [0.2, 0.15f64.sqrt() / 3.0]);
        // Variances that differ by less than half are one.
        near(noises(empty.clone(), [0.04, 0.05]), [0.045f64.sqrt(), 0.0]);
        // A return to 2.95 by 0.1: random accelerations add 0.05 to the speed if their variance is 2 · 0.1 · 3 · 0.05 = 0.03. With a return
        // to 3.5 there are none.
        near(noises(cruise([0.1, -0.005]), [0.04, 0.09]), [0.03f64.sqrt(), 0.18f64.sqrt() / 3.0]);
        near(noises(cruise([0.1, 0.05]), [0.04, 0.09]), [0.0, 0.27f64.sqrt() / 3.0]);
    }
}
