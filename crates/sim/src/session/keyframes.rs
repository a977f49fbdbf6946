//! Keyframes: states of a session, from which the ticks between them are computed again.
//!
//! The spacing doubles whenever the memory is full.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::replay::Replay;
use crate::flock::can_allocate;

/// The spacing at first, in ticks.
const MIN_SPACING: u64 = 64;
/// The share of the memory for states near the tick that was looked at last.
const NEAR_SHARE: usize = 4;

/// States, each as it was after its tick and before the events of that tick.
#[derive(Debug)]
pub(super) struct Keyframes {
    /// At equal distances from the first one.
    spaced: States,
    spacing: u64,
    /// On the way to the tick that was looked at last, for further steps back.
    near: States,
}

impl Keyframes {
    /// No states yet, of at most `budget` bytes in total.
    pub(super) fn new(budget: usize) -> Self {
        let near = budget / NEAR_SHARE;
        Self { spaced: States::new(budget - near), spacing: MIN_SPACING, near: States::new(near) }
    }

    /// Keeps a state if its tick is due, `first` being the first tick of the session.
    pub(super) fn record(&mut self, state: &Replay, first: u64) {
        let is_due = self.spaced.budget > 0 && (state.tick - first).is_multiple_of(self.spacing);
        if !is_due || self.spaced.by_tick.contains_key(&state.tick) {
            return;
        }
        self.spaced.insert(state);
        while self.spaced.is_full() {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.spaced.retain(|tick| (tick - first).is_multiple_of(spacing));
            if self.spaced.by_tick.len() == 1 && self.spaced.is_full() {
                self.spaced.clear();
            }
        }
    }

    /// The ticks on the way from a state to a later tick that are worth keeping: all if they fit, otherwise more and
    /// more rarely with the distance from the later one, so that each further step back is short.
    pub(super) fn plan_near(&mut self, way: RangeInclusive<u64>, bytes: usize) -> Vec<u64> {
        let (from, to) = way.into_inner();
        // Others are on the way to ticks that were looked at before.
        let last = self.spaced.before(to).map_or(0, |state| state.tick);
        self.near.retain(|tick| (last..=to).contains(&tick));
        let most = self.near.budget.saturating_sub(self.near.bytes) / bytes.max(1);
        let ticks = (to - from).saturating_sub(1);
        if ticks as usize <= most {
            return (from + 1..to).collect();
        }
        let ratio = (ticks as f64).powf(1.0 / most.max(1) as f64);
        let mut plan: Vec<u64> = (0..most).map(|step| to - (ratio.powf(step as f64).round() as u64).max(1)).collect();
        plan.dedup();
        plan.retain(|tick| *tick > from);
        plan.reverse();
        plan
    }

    /// Keeps a state that was planned.
    pub(super) fn record_near(&mut self, state: &Replay) {
        self.near.insert(state);
        if self.near.is_full() {
            self.near.remove(state.tick);
        }
    }

    /// The latest state that is not after a tick.
    pub(super) fn before(&self, tick: u64) -> Option<&Replay> {
        [&self.spaced, &self.near].into_iter().filter_map(|states| states.before(tick)).max_by_key(|state| state.tick)
    }

    /// Removes the states after a tick.
    pub(super) fn truncate(&mut self, tick: u64) {
        self.spaced.retain(|at| at <= tick);
        self.near.retain(|at| at <= tick);
    }

    /// Removes all states.
    pub(super) fn clear(&mut self) {
        self.spaced.clear();
        self.near.clear();
        self.spacing = MIN_SPACING;
    }

    /// The memory that the states take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.spaced.bytes + self.near.bytes
    }
}

/// States by tick, and the memory that they take.
#[derive(Debug)]
struct States {
    by_tick: BTreeMap<u64, Box<Replay>>,
    bytes: usize,
    budget: usize,
}

impl States {
    fn new(budget: usize) -> Self {
        Self { by_tick: BTreeMap::new(), bytes: 0, budget }
    }

    /// Keeps a state, unless memory is short: without it, going back takes longer.
    fn insert(&mut self, state: &Replay) {
        if !can_allocate(2 * state.flock.bytes()) {
            return;
        }
        self.bytes += state.flock.bytes();
        if let Some(old) = self.by_tick.insert(state.tick, Box::new(state.clone())) {
            self.bytes -= old.flock.bytes();
        }
    }

    fn remove(&mut self, tick: u64) {
        self.bytes -= self.by_tick.remove(&tick).map_or(0, |state| state.flock.bytes());
    }

    fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        self.by_tick.retain(|tick, state| {
            let is_kept = keep(*tick);
            self.bytes -= if is_kept { 0 } else { state.flock.bytes() };
            is_kept
        });
    }

    fn clear(&mut self) {
        self.retain(|_| false);
    }

    fn is_full(&self) -> bool {
        self.bytes > self.budget
    }

    fn before(&self, tick: u64) -> Option<&Replay> {
        self.by_tick.range(..=tick).next_back().map(|(_, state)| &**state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flock, SessionLog, SessionStart, Setup, SharedLog};

    fn state(boids: usize) -> Replay {
        let flock = Flock::new(&Setup::default().with_boids(boids)).unwrap();
        let log = SharedLog::new(SessionLog::new(SessionStart::of(&flock, true)));
        Replay::at_start(flock, log)
    }

    /// Records ticks without computing them.
    fn fill(keyframes: &mut Keyframes, state: &mut Replay, ticks: u64) {
        for tick in 0..ticks {
            state.tick = tick;
            keyframes.record(state, 0);
            assert!(keyframes.bytes() <= keyframes.spaced.budget + keyframes.near.budget, "{tick}");
        }
    }

    #[test]
    fn an_hour_of_a_large_flock_stays_within_the_budget() {
        let (mut keyframes, mut state) = (Keyframes::new(64 << 20), state(100_000));
        fill(&mut keyframes, &mut state, 60 * 60 * 60);
        let ticks: Vec<u64> = keyframes.spaced.by_tick.keys().copied().collect();
        assert!(ticks.len() > 8 && ticks[0] == 0, "{ticks:?}");
        assert!(ticks.windows(2).all(|pair| pair[1] - pair[0] == keyframes.spacing), "{ticks:?}");
    }

    #[test]
    fn a_flock_that_does_not_fit_has_no_keyframes() {
        let (mut keyframes, mut state) = (Keyframes::new(100_000), state(10_000));
        fill(&mut keyframes, &mut state, 1000);
        assert_eq!((keyframes.bytes(), keyframes.before(999).is_none()), (0, true));
        assert_eq!(keyframes.plan_near(0..=999, state.flock.bytes()).len(), 0);
    }

    #[test]
    fn steps_back_are_short_on_average() {
        let (mut keyframes, mut state) = (Keyframes::new(4 << 20), state(2000));
        fill(&mut keyframes, &mut state, 20_000);
        let (mut computed, bytes) = (0, state.flock.bytes());
        for tick in (15_000..19_000).rev() {
            let from = keyframes.before(tick).map_or(0, |state| state.tick);
            computed += tick - from;
            for planned in keyframes.plan_near(from..=tick, bytes) {
                state.tick = planned;
                keyframes.record_near(&state);
            }
        }
        assert!(computed < 3 * 4000, "{computed} ticks for 4000 steps, {} apart", keyframes.spacing);
    }

    #[test]
    fn near_states_are_rarer_farther_back() {
        let (mut keyframes, state) = (Keyframes::new(1 << 20), state(1000));
        let plan = keyframes.plan_near(1000..=9000, state.flock.bytes());
        assert_eq!((plan.first().is_some_and(|tick| *tick > 1000), plan.last()), (true, Some(&8999)));
        let gaps: Vec<u64> = plan.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().rev().is_sorted(), "{plan:?}");
    }
}
