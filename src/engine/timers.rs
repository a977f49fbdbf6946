//! The engine's timers: when to tick, when to measure, when to log.

use std::time::{Duration, Instant};

/// Late ticks that are caught up with at most; further ones are dropped.
const MAX_CATCH_UP: u32 = 4;
/// The tick rate is the mean over this time.
const RATE_WINDOW: Duration = Duration::from_millis(500);
/// How often the flock is measured, unless that takes too long. Faster changes would be hard to read.
pub(crate) const MEASURE_INTERVAL: Duration = Duration::from_millis(200);
/// Measuring takes at most one part in this many of the time.
const MEASURE_SHARE: u32 = 50;
/// How often the same warning is logged at most.
const WARNING_INTERVAL: Duration = Duration::from_secs(10);

/// Schedules ticks at absolute deadlines, and measures their rate.
#[derive(Debug)]
pub(super) struct TickTimer {
    /// The time from one tick to the next.
    pub(super) period: Duration,
    /// When the next tick is due.
    pub(super) due: Instant,
    /// Whether no tick is dropped, however late.
    keeps_all: bool,
    window_start: Instant,
    window_ticks: u32,
    /// The measured tick rate.
    pub(super) per_second: f32,
}

impl TickTimer {
    /// The first tick is due one period from `now`.
    pub(super) fn new(rate: f32, now: Instant) -> Self {
        let period = period(rate);
        Self { period, due: now + period, keeps_all: false, window_start: now, window_ticks: 0, per_second: 0.0 }
    }

    /// Changes the rate. The next tick is due one new period from `now`.
    pub(super) fn set_rate(&mut self, rate: f32, now: Instant) {
        self.period = period(rate);
        self.restart(now);
    }

    /// Starts again after a pause, with no ticks to catch up with.
    pub(super) fn restart(&mut self, now: Instant) {
        (self.due, self.keeps_all) = (now + self.period, false);
        (self.window_start, self.window_ticks) = (now, 0);
    }

    /// Keeps to a schedule by which tick 0 was at a time, and tick `tick` is the last one. No tick is dropped.
    pub(super) fn follow(&mut self, begun: Instant, tick: u64) {
        self.due = begun + self.period.mul_f64((tick + 1) as f64);
        self.keeps_all = true;
    }

    /// If a tick is due, moves the deadline on and returns true.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        if self.due > now {
            return false;
        }
        let longest = self.period * MAX_CATCH_UP;
        let dropped = now.duration_since(self.due).saturating_sub(longest);
        // Added to the old deadline: from `now` on, each delay would slow the flock down.
        self.due += self.period + if self.keeps_all { Duration::ZERO } else { dropped };
        true
    }

    /// Counts a completed tick.
    pub(super) fn count(&mut self, now: Instant) {
        self.window_ticks += 1;
        let span = now - self.window_start;
        if span >= RATE_WINDOW {
            self.per_second = self.window_ticks as f32 / span.as_secs_f32();
            (self.window_start, self.window_ticks) = (now, 0);
        }
    }
}

fn period(rate: f32) -> Duration {
    Duration::from_secs_f32(1.0 / rate.max(1e-3))
}

/// Schedules measurements of the flock.
#[derive(Debug)]
pub(super) struct MeasureSchedule {
    outdated: bool,
    due: Instant,
    /// Measuring earlier would exceed the share of time.
    earliest: Instant,
}

impl MeasureSchedule {
    /// The first measurement is due at once.
    pub(super) fn new(now: Instant) -> Self {
        Self { outdated: true, due: now, earliest: now }
    }

    /// The flock has changed.
    pub(super) fn mark_outdated(&mut self) {
        self.outdated = true;
    }

    /// The user has changed the flock: measures as soon as the share of time allows.
    pub(super) fn hurry(&mut self, now: Instant) {
        self.outdated = true;
        self.due = self.due.min(self.earliest.max(now));
    }

    /// When the next measurement is due; `None` while the last one is up to date.
    pub(super) fn due(&self) -> Option<Instant> {
        self.outdated.then_some(self.due)
    }

    /// The flock was measured from `start` to `end`.
    pub(super) fn measured(&mut self, start: Instant, end: Instant) {
        self.outdated = false;
        // Measuring takes time from ticks: the longer it takes, the rarer it is.
        self.earliest = end + (end - start) * MEASURE_SHARE;
        self.due = self.earliest.max(end + MEASURE_INTERVAL);
    }
}

/// Limits how often a warning is logged.
#[derive(Debug, Default)]
pub(crate) struct RateLimit {
    last: Option<Instant>,
    suppressed: u32,
}

impl RateLimit {
    /// Counts an event. If it is time to log it, returns the number of events since the last time.
    pub(crate) fn count(&mut self, now: Instant) -> Option<u32> {
        self.suppressed += 1;
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < WARNING_INTERVAL) {
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.suppressed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn tick_deadlines_are_absolute_and_few_ticks_are_caught_up() {
        let start = Instant::now();
        let mut timer = TickTimer::new(100.0, start);
        let mut due = |at| std::iter::from_fn(|| timer.take(start + ms(at)).then_some(())).count() as u32;
        assert_eq!(due(9), 0);
        assert_eq!(due(13), 1);
        assert_eq!(due(20), 1, "a late tick does not move the next deadline");
        assert_eq!(due(45), 2);
        assert_eq!(due(1000), MAX_CATCH_UP + 1, "the rest is dropped");
        assert_eq!(due(1005), 0);
        assert_eq!(due(1010), 1);
    }

    #[test]
    fn measuring_keeps_to_its_share_of_time() {
        let start = Instant::now();
        let mut schedule = MeasureSchedule::new(start);
        let mut spent = 0;
        // A key that repeats every 30 ms, and measurements that take 200 ms.
        for pressed in (0..60_000).step_by(30) {
            let now = start + ms(pressed + spent);
            schedule.hurry(now);
            if schedule.due().is_some_and(|due| due <= now) {
                schedule.measured(now, now + ms(200));
                spent += 200;
            }
        }
        assert!((1000..=1400).contains(&spent), "{spent} ms");
    }

    #[test]
    fn an_unchanged_flock_is_not_measured_and_a_changed_one_at_once() {
        let start = Instant::now();
        let mut schedule = MeasureSchedule::new(start);
        schedule.measured(start, start + ms(1));
        assert_eq!(schedule.due(), None);
        schedule.mark_outdated();
        assert_eq!(schedule.due(), Some(start + ms(201)));
        schedule.hurry(start + ms(60));
        assert_eq!(schedule.due(), Some(start + ms(60)));
    }

    #[test]
    fn repeated_warnings_are_counted_and_logged_rarely() {
        let (mut limit, start) = (RateLimit::default(), Instant::now());
        assert_eq!(limit.count(start), Some(1));
        assert!((1..100).all(|at| limit.count(start + ms(at)).is_none()));
        assert_eq!(limit.count(start + WARNING_INTERVAL), Some(100));
    }
}
