//! Automatic exposure: the density that is shown at full brightness.

use super::mean::new_weight;

/// Bins of the histogram that percentiles are read from.
const BINS: usize = 256;
/// Time constant of the adaptation, in ticks.
const WINDOW: f32 = 40.0;
/// Ticks between two measurements: the adaptation is too slow to need more.
const INTERVAL: f32 = 4.0;

/// Adapts slowly to the densities in view, so that nothing flickers.
#[derive(Debug, Default)]
pub(crate) struct Exposure {
    full: f32,
    ticks_since: f32,
}

impl Exposure {
    /// Adapts over `elapsed` ticks, at once the first time. Returns the factor that scales a percentile of the
    /// densities to 1, or 0 if nothing was seen yet.
    pub(crate) fn update(&mut self, densities: impl Iterator<Item = f32> + Clone, percent: usize, elapsed: f32) -> f32 {
        self.ticks_since += elapsed;
        if self.full == 0.0 || self.ticks_since >= INTERVAL {
            if let Some(full) = percentile(densities, percent) {
                let weight = if self.full == 0.0 { 1.0 } else { new_weight(self.ticks_since, WINDOW) };
                self.full += weight * (full - self.full);
            }
            self.ticks_since = 0.0;
        }
        if self.full > 0.0 { 1.0 / self.full } else { 0.0 }
    }
}

/// A percentile of values that are not negative, within 1/128 of the largest, and closer for small values.
fn percentile(values: impl Iterator<Item = f32> + Clone, percent: usize) -> Option<f32> {
    let most = values.clone().fold(0.0_f32, f32::max);
    if most <= 0.0 {
        return None;
    }
    // Bins are spaced by square root: one very dense cell must leave bins for the others.
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
    fn percentiles_are_right_for_few_values_and_beside_an_outlier() {
        assert_eq!(percentile([].into_iter(), 95), None);
        assert_eq!(percentile([3.0].into_iter(), 95), Some(3.0));
        let even = percentile((1..=1000).map(|value| value as f32), 95).unwrap();
        assert!((945.0..960.0).contains(&even), "{even}");
        let beside = percentile((0..1000).map(|value| if value == 7 { 1e4 } else { 1.0 }), 95).unwrap();
        assert!((1.0..2.5).contains(&beside), "{beside}");
    }

    #[test]
    fn adapts_slowly() {
        let mut exposure = Exposure::default();
        let first = exposure.update([2.0].into_iter(), 95, 0.0);
        assert!((first - 0.5).abs() < 1e-6, "{first}");
        assert_eq!(exposure.update([4.0].into_iter(), 95, 0.0), first);
        let next = exposure.update([4.0].into_iter(), 95, INTERVAL);
        assert!(next < 0.49 && next > 0.44, "{next}");
    }
}
