//! What counts as crowded.

/// How many bins percentiles are read from.
const BINS: usize = 256;
/// How many ticks exposure takes to follow the flock.
const TICKS: f32 = 40.0;

/// How many ticks go by from one look at the crowd to the next.
const PAUSE: f32 = 4.0;

/// The share of time's mean that has mean_share after so many ticks, of a mean over `over` ticks.
pub(crate) fn mean_share(ticks: f32, over: f32) -> f32 {
    1.0 - (-ticks / over).exp()
}

/// The density that is shown at full brightness, which follows the crowd slowly, so that nothing flickers.
#[derive(Debug, Default)]
pub(crate) struct Exposure {
    full: f32,
    /// How many ticks have mean_share since it looked.
    since: f32,
}

impl Exposure {
    /// Follows these densities for `ticks` ticks, at once where it is new, and says by what to multiply
    /// a density so that 1 stands at a percentile of them.
    pub(crate) fn follow(&mut self, densities: impl Iterator<Item = f32> + Clone, percent: usize, ticks: f32) -> f32 {
        self.since += ticks;
        // It follows so slowly that it need not look each time.
        if self.full == 0.0 || self.since >= PAUSE {
            if let Some(full) = percentile(densities, percent) {
                let share = if self.full == 0.0 { 1.0 } else { mean_share(self.since, TICKS) };
                self.full += share * (full - self.full);
            }
            self.since = 0.0;
        }
        if self.full > 0.0 { 1.0 / self.full } else { 0.0 }
    }

    /// Forgets what it has seen.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

/// A percentile of values of which none is negative, to one 128th of the largest, and finer below.
fn percentile(values: impl Iterator<Item = f32> + Clone, percent: usize) -> Option<f32> {
    let most = values.clone().fold(0.0_f32, f32::max);
    if most <= 0.0 {
        return None;
    }
    // By the root: a single spot where everybody stands leaves bins for the others.
    let scale = (BINS - 1) as f32 / most.sqrt();
    let mut bins = [0_usize; BINS];
    let mut count = 0;
    for value in values {
        bins[((value.sqrt() * scale) as usize).min(BINS - 1)] += 1;
        count += 1;
    }
    let mut below = 0;
    let bin = bins.iter().position(|&bin| {
        below += bin;
        below * 100 > count * percent
    });
    let root = (bin.unwrap_or(BINS - 1) + 1) as f32 / scale;
    Some((root * root).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_found_among_few_and_beside_a_giant() {
        assert_eq!(percentile([].into_iter(), 95), None);
        assert_eq!(percentile([3.0].into_iter(), 95), Some(3.0));
        let even = percentile((1..=1000).map(|value| value as f32), 95).unwrap();
        assert!((945.0..960.0).contains(&even), "{even}");
        let beside = percentile((0..1000).map(|value| if value == 7 { 1e4 } else { 1.0 }), 95).unwrap();
        assert!((1.0..2.5).contains(&beside), "{beside}");
    }

    #[test]
    fn exposure_follows_slowly() {
        let mut exposure = Exposure::default();
        let first = exposure.follow([2.0].into_iter(), 95, 0.0);
        assert!((first - 0.5).abs() < 1e-6, "{first}");
        assert_eq!(exposure.follow([4.0].into_iter(), 95, 0.0), first);
        let next = exposure.follow([4.0].into_iter(), 95, PAUSE);
        assert!(next < 0.49 && next > 0.44, "{next}");
    }
}
