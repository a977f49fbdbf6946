//! A scale with round numbers, for an axis.

/// The range of an axis, and the distance of its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The low end.
    pub low: f64,
    /// The high end; above the low one.
    pub high: f64,
    step: f64,
}

impl Scale {
    /// A scale from `low` to `high` with at most `intervals` between ticks.
    pub fn new(low: f64, high: f64, intervals: usize) -> Self {
        Self { low, high, step: round_step((high - low) / intervals.max(1) as f64) }
    }

    /// A scale that shows all values and ends at ticks. It starts at 0 unless the values differ little.
    pub fn fit(values: impl IntoIterator<Item = f64>, intervals: usize) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (min, max) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| (min.min(value), max.max(value)));
        if min > max || (min, max) == (0.0, 0.0) {
            return Self::new(0.0, 1.0, intervals);
        }
        let low = if min >= 0.0 && min < max * 0.7 { 0.0 } else { min };
        // Equal values get a range around them.
        let (low, high) = if max > low { (low, max) } else { (low - 0.1 * low.abs(), max + 0.1 * max.abs()) };
        let Self { step, .. } = Self::new(low, high, intervals);
        // Rounding errors must not add an interval.
        let (low, high) = ((low / step + 1e-6).floor() * step, (high / step - 1e-6).ceil() * step);
        Self { low, high, step }
    }

    /// The ticks, from low to high.
    pub fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        let (first, last) =
            ((self.low / self.step - 1e-6).ceil() as i64, (self.high / self.step + 1e-6).floor() as i64);
        let step = self.step;
        (first..=last).map(move |number| number as f64 * step)
    }

    /// The text at a tick.
    pub fn label(&self, tick: f64) -> String {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{tick:.decimals$}")
    }

    /// The cell of a value among `cells` along the axis; `None` outside the scale.
    pub fn cell(&self, value: f64, cells: u16) -> Option<u16> {
        let share = (value - self.low) / (self.high - self.low);
        (-1e-9..=1.0 + 1e-9).contains(&share).then(|| (share * f64::from(cells.saturating_sub(1))).round() as u16)
    }

    /// The ends of the axis.
    pub fn bounds(&self) -> [f64; 2] {
        [self.low, self.high]
    }
}

/// The next number of at least this size with one digit 1, 2 or 5, followed by zeros.
fn round_step(size: f64) -> f64 {
    let power = 10_f64.powf(size.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= size * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().map(|tick| scale.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_cover_all_values() {
        for (values, intervals, expected) in [
            (&[0.1, 0.93][..], 5, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"][..]),
            (&[0.1, 0.93], 2, &["0.0", "0.5", "1.0"]),
            (&[11.2, 12.7], 4, &["11.0", "11.5", "12.0", "12.5", "13.0"]),
            (&[0.0, 3.0], 2, &["0", "2", "4"]),
            (&[150.0, 150.0], 2, &["120", "140", "160", "180"]),
            (&[0.00021, 0.0004], 2, &["0.0000", "0.0002", "0.0004"]),
            (&[-3.0, 3.0], 2, &["-5", "0", "5"]),
            (&[0.0], 1, &["0", "1"]),
            (&[f64::NAN, f64::INFINITY], 1, &["0", "1"]),
            (&[], 2, &["0.0", "0.5", "1.0"]),
        ] {
            let scale = Scale::fit(values.iter().copied(), intervals);
            assert_eq!(labels(scale), expected, "{values:?}");
            let finite = values.iter().filter(|value| value.is_finite());
            assert!(finite.into_iter().all(|value| scale.cell(*value, 10).is_some()), "{values:?} {scale:?}");
        }
    }

    #[test]
    fn the_ends_of_a_given_range_need_no_ticks() {
        let scale = Scale::new(850.0, 1850.0, 5);
        assert_eq!(labels(scale), ["1000", "1200", "1400", "1600", "1800"]);
        let cells = [849.0, 850.0, 1350.0, 1850.0, 1851.0].map(|value| scale.cell(value, 101));
        assert_eq!(cells, [None, Some(0), Some(50), Some(100), None]);
    }
}
