//! Values that are blurred in space and averaged over time.

use super::blur::Blur;
use super::scroll::shift;
use crate::sim::{VectorLoop, run_vectorized};

/// The weight of the new value after `elapsed` ticks, in an exponential moving average over `window` ticks.
pub(crate) fn new_weight(elapsed: f32, window: f32) -> f32 {
    1.0 - (-elapsed / window).exp()
}

/// How [`SmoothedField::update`] smooths.
pub(crate) struct Smoothing {
    /// Values in a row.
    pub(crate) columns: usize,
    /// Whether the blur is two columns wide instead of one.
    pub(crate) wide: bool,
    /// The weight of the new values, 0 … 1.
    pub(crate) weight: f32,
}

/// An exponential moving average of blurred values, row by row.
#[derive(Debug, Default)]
pub(crate) struct SmoothedField {
    /// NaN where nothing is known yet.
    values: Vec<f32>,
}

impl SmoothedField {
    /// The averages; empty before the first update.
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// Blurs new values and mixes them in. They replace the average where it is unknown or has another size.
    pub(crate) fn update(&mut self, new: impl Iterator<Item = f32>, smoothing: &Smoothing, blur: &mut Blur) {
        blur.values.clear();
        blur.values.extend(new);
        blur.run(smoothing.columns, smoothing.wide);
        if self.values.len() == blur.values.len() {
            run_vectorized(Mix { means: &mut self.values, new: &blur.values, weight: smoothing.weight });
        } else {
            self.values.clone_from(&blur.values);
        }
    }

    /// Forgets all values.
    pub(crate) fn reset(&mut self) {
        self.values.clear();
    }

    /// Moves the values by a number of columns and rows.
    pub(crate) fn scroll(&mut self, columns: usize, by: (isize, isize)) {
        shift(&mut self.values, columns, by, f32::NAN);
    }
}

struct Mix<'a> {
    means: &'a mut [f32],
    new: &'a [f32],
    weight: f32,
}

impl VectorLoop for Mix<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]
    fn run(self) {
        for (mean, new) in self.means.iter_mut().zip(self.new) {
            *mean = if mean.is_nan() { *new } else { *mean + self.weight * (new - *mean) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_values_replace_unknown_ones_and_mix_with_others() {
        let (mut field, mut blur) = (SmoothedField::default(), Blur::default());
        let smoothing = Smoothing { columns: 1, wide: false, weight: 0.5 };
        let mut update = |values: [f32; 2]| {
            field.update(values.into_iter(), &smoothing, &mut blur);
            let values = field.values().to_vec();
            field.scroll(1, (0, 1));
            values
        };
        assert_eq!(update([2.0, 2.0]), [2.0, 2.0]);
        assert_eq!(update([8.0, 8.0]), [8.0, 5.0]);
    }
}
