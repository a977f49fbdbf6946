//! When the flock is measured.

use std::time::{Duration, Instant};

/// How often, unless measuring takes too long: figures that change more often nobody reads.
pub(crate) const MEASURE_INTERVAL: Duration = Duration::from_millis(200);
/// Measuring takes at most one part in so many of the time.
const SHARE: u32 = 50;

/// Whether measures are old, and when new ones are due.
#[derive(Debug)]
pub(crate) struct MeasureSchedule {
    old: bool,
    due: Instant,
    /// Before this the share would be passed, whoever asks.
    earliest: Instant,
}

impl MeasureSchedule {
    /// There are no measures yet, and they are due.
    pub(crate) fn new(now: Instant) -> Self {
        Self { old: true, due: now, earliest: now }
    }

    /// The flock has flown on.
    pub(crate) fn age(&mut self) {
        self.old = true;
    }

    /// Somebody has changed the flock, and wants to see what that does: as soon as the share allows.
    pub(crate) fn hurry(&mut self, now: Instant) {
        self.old = true;
        self.due = self.due.min(self.earliest.max(now));
    }

    /// When the next measures are due, where any are.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.old.then_some(self.due)
    }

    /// Measures have been taken from `start` to `end`.
    pub(crate) fn taken(&mut self, start: Instant, end: Instant) {
        self.old = false;
        self.earliest = end + (end - start) * SHARE;
        self.due = self.earliest.max(end + MEASURE_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measuring_keeps_to_its_share_however_often_the_flock_is_changed() {
        let start = Instant::now();
        let ms = |ms: u64| start + Duration::from_millis(ms);
        let mut cadence = MeasureSchedule::new(start);
        let mut spent = 0;
        // A key that repeats each 30 ms, and measures that take 200.
        for pressed in (0..60_000).step_by(30) {
            let now = ms(pressed + spent);
            cadence.hurry(now);
            if cadence.due().is_some_and(|due| due <= now) {
                cadence.taken(now, now + Duration::from_millis(200));
                spent += 200;
            }
        }
        assert!((1000..=1400).contains(&spent), "{spent} ms");
    }

    #[test]
    fn what_stands_still_is_measured_once_and_a_change_at_once() {
        let start = Instant::now();
        let ms = |ms: u64| start + Duration::from_millis(ms);
        let mut cadence = MeasureSchedule::new(start);
        cadence.taken(start, ms(1));
        assert_eq!(cadence.due(), None);
        cadence.age();
        assert_eq!(cadence.due(), Some(ms(201)));
        cadence.hurry(ms(60));
        assert_eq!(cadence.due(), Some(ms(60)));
    }
}
