//! Statistics of numbers.

/// The number below which a share of numbers lies; `None` without any.
pub(crate) fn quantile(mut numbers: Vec<f64>, share: f64) -> Option<f64> {
    let at = (numbers.len().saturating_sub(1) as f64 * share) as usize;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(at, f64::total_cmp).1)
}
