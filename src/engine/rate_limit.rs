//! Complaints that are not repeated all the time.

use std::time::{Duration, Instant};

/// How often the same complaint is told at most.
const SELDOM: Duration = Duration::from_secs(10);

/// Lets be told once in a while what happens again and again.
#[derive(Debug, Default)]
pub(crate) struct RateLimit {
    told: Option<Instant>,
    untold: u32,
}

impl RateLimit {
    /// It has happened. Says how often since it was last told, where it is time to tell it again.
    pub(crate) fn again(&mut self, now: Instant) -> Option<u32> {
        self.untold += 1;
        if self.told.is_some_and(|told| now.saturating_duration_since(told) < SELDOM) {
            return None;
        }
        self.told = Some(now);
        Some(std::mem::take(&mut self.untold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_all_the_time_is_told_seldom_and_counted() {
        let (mut seldom, start) = (RateLimit::default(), Instant::now());
        assert_eq!(seldom.again(start), Some(1));
        for millis in 1..100 {
            assert_eq!(seldom.again(start + Duration::from_millis(millis)), None);
        }
        assert_eq!(seldom.again(start + SELDOM), Some(100));
    }
}
