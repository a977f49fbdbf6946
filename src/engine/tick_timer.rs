//! When the next tick is due.

use std::time::{Duration, Instant};

/// How many ticks are caught up with at most when the machine was late; the rest are let go.
const CATCH_UP: u32 = 4;
/// Over how long the tick rate is measured.
const WINDOW: Duration = Duration::from_millis(500);

/// Absolute deadlines for a fixed tick.
#[derive(Debug)]
pub(crate) struct TickTimer {
    period: Duration,
    due: Instant,
    window_start: Instant,
    window_ticks: u32,
    per_second: f32,
}

impl TickTimer {
    /// The first tick is due one period from `now`.
    pub(crate) fn new(rate: f32, now: Instant) -> Self {
        let period = period(rate);
        Self { period, due: now + period, window_start: now, window_ticks: 0, per_second: 0.0 }
    }

    /// Changes the rate; the next tick is due one new period from `now`.
    pub(crate) fn set_rate(&mut self, rate: f32, now: Instant) {
        self.period = period(rate);
        self.restart(now);
    }

    /// Begins anew after a pause: nothing has been missed.
    pub(crate) fn restart(&mut self, now: Instant) {
        self.due = now + self.period;
        (self.window_start, self.window_ticks) = (now, 0);
    }

    /// How long it is from one tick to the next.
    pub(crate) fn period(&self) -> Duration {
        self.period
    }

    /// When the next tick is due.
    pub(crate) fn due(&self) -> Instant {
        self.due
    }

    /// Whether a tick is due by `now`; if so, it is taken. Ticks that are too late to be caught up
    /// with are let go.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        if self.due > now {
            return false;
        }
        let longest = self.period * CATCH_UP;
        self.due += self.period + now.duration_since(self.due).saturating_sub(longest);
        true
    }

    /// Counts a tick that has been flown by `now`.
    pub(crate) fn count(&mut self, now: Instant) {
        self.window_ticks += 1;
        let span = now - self.window_start;
        if span >= WINDOW {
            self.per_second = self.window_ticks as f32 / span.as_secs_f32();
            (self.window_start, self.window_ticks) = (now, 0);
        }
    }

    /// Ticks a second, as flown.
    pub(crate) fn per_second(&self) -> f32 {
        self.per_second
    }
}

fn period(rate: f32) -> Duration {
    Duration::from_secs_f32(1.0 / rate.max(1e-3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_absolute_and_late_ticks_are_caught_up_with_to_a_point() {
        let start = Instant::now();
        let ms = |ms: u64| start + Duration::from_millis(ms);
        let mut metronome = TickTimer::new(100.0, start);
        let mut due = |at| std::iter::from_fn(|| metronome.take(ms(at)).then_some(())).count() as u32;
        assert_eq!(due(9), 0);
        assert_eq!(due(13), 1);
        assert_eq!(due(20), 1, "a late tick does not move the next deadline");
        assert_eq!(due(45), 2);
        assert_eq!(due(1000), CATCH_UP + 1, "the rest is let go");
        assert_eq!(due(1005), 0);
        assert_eq!(due(1010), 1);
    }
}
