//! After how many frames animals respond to others.

use rayon::prelude::*;

use super::Data;
use super::dictionary::Rule;
use super::instruments::Instruments;
use super::samples::{Samples, Sampling};
use super::search::Search;

/// The delays that are tried, in frames.
const STEP: usize = 3;
const LONGEST: usize = 24;
/// Instruments of all of them.
const EXACT: &[usize] = &[0, 8, 16];
const EARLIER: &[usize] = &[2, 8, 16];
/// The number of changes.
const CHANGES: usize = 10_000;
/// A delay explains clearly more if rules between neighbors gain this many times as much.
const CLEARLY: f64 = 1.3;
/// The gain of a rule that is there, in squared standard errors.
const GAIN: f64 = 40.0;

/// The delay with which rules between neighbors explain changes best; 0 if none explains clearly more than that.
pub(super) fn find(data: &Data, is_exact: bool) -> usize {
    let Data { motion, place, dictionary, .. } = data;
    let lags = if is_exact { EXACT } else { EARLIER };
    let delays: Vec<usize> = (0..=LONGEST).step_by(STEP).filter(|delay| 4 * (delay + 20) < motion.frames()).collect();
    let gains = delays.par_iter().map(|&delay| {
        let samples =
            Samples::new(motion, *place, dictionary, Sampling { lags, delay, count: CHANGES, is_successive: false });
        let instruments = Instruments::new(&samples, &dictionary.bank);
        let search = Search::new(&samples, &instruments, dictionary);
        let model = search.choose()?;
        let alone: Vec<Rule> = model.rules().filter(|rule| !rule.is_interaction()).collect();
        let without = search.again(&model, &alone)?;
        let (variance, _) = search.quality(&model);
        // Per change, since a longer delay leaves fewer of them.
        let gain = (without.objective - model.objective) / variance / samples.count().max(1) as f64;
        Some((gain, gain * samples.count() as f64))
    });
    let gains: Vec<Option<(f64, f64)>> = gains.collect();
    let Some(Some((at_once, _))) = gains.first().copied() else { return 0 };
    let best = gains.iter().zip(&delays).filter_map(|(gain, delay)| Some((gain.as_ref()?, *delay)));
    let best = best.max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    best.filter(|((gain, deviations), _)| *gain > CLEARLY * at_once && *deviations > GAIN).map_or(0, |(_, delay)| delay)
}
