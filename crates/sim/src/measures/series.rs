//! The values of a measure over the ticks of a run, which are correlated, and their statistics.

use super::number_fluctuations::NumberFluctuations;

/// The values of one measure over the ticks of a run: mean, standard error, moments, extremes. It takes memory for the logarithm of
/// their number.
///
/// The standard error is found by blocking (Flyvbjerg & Petersen 1989, J. Chem. Phys. 91, 461): neighboring values are
/// averaged in pairs again and again, so that the blocks become longer than the correlation time. With `n` values, the
/// error `σ_B` of blocks of `B` values counts for the smallest `B` with `B³ > 2n (σ_B/σ_1)⁴` (Lee et al. 2011, Phys. Rev. E 83,
/// 066706).
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Blocks of 1, 2, 4 … values.
    levels: Vec<Level>,
    min: f64,
    max: f64,
    squares: f64,
    fourth_powers: f64,
}

/// The means of blocks of one length.
#[derive(Clone, Debug, Default)]
struct Level {
    count: f64,
    mean: f64,
    /// Sum of the squared deviations from the mean (Welford 1962).
    deviations: f64,
    /// A block that waits for its neighbor.
    pending: Option<f64>,
}

/// Fewer blocks have no useful error.
const MIN_BLOCKS: f64 = 4.0;

impl Series {
    /// A series without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the value of the next tick.
    pub fn add(&mut self, value: f64) {
        if self.levels.is_empty() {
            (self.min, self.max) = (value, value);
        }
        (self.min, self.max) = (self.min.min(value), self.max.max(value));
        let square = value * value;
        self.squares += square;
        self.fourth_powers += square * square;
        let mut block = value;
        for index in 0.. {
            if index == self.levels.len() {
                self.levels.push(Level::default());
            }
            match self.levels[index].add(block) {
                Some(pair) => block = pair,
                None => break,
            }
        }
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.count as u64)
    }

    /// The mean; NaN without values.
    pub fn mean(&self) -> f64 {
        self.levels.first().map_or(f64::NAN, |level| level.mean)
    }

    /// The variance `⟨x²⟩ − ⟨x⟩²` of the values; NaN without values.
    pub fn variance(&self) -> f64 {
        self.levels.first().map_or(f64::NAN, |level| level.deviations / level.count)
    }

    /// The second moment `⟨x²⟩`; NaN without values.
    pub fn second_moment(&self) -> f64 {
        self.squares / self.count() as f64
    }

    /// The fourth moment `⟨x⁴⟩`; NaN without values.
    pub fn fourth_moment(&self) -> f64 {
        self.fourth_powers / self.count() as f64
    }

    /// The smallest value; NaN without values.
    pub fn min(&self) -> f64 {
        if self.levels.is_empty() { f64::NAN } else { self.min }
    }

    /// The largest value; NaN without values.
    pub fn max(&self) -> f64 {
        if self.levels.is_empty() { f64::NAN } else { self.max }
    }

    /// The standard error of the mean; NaN with fewer than two values.
    ///
    /// If the series [is too short](Self::is_too_short), this is the largest error of all block lengths, a lower bound.
    pub fn standard_error(&self) -> f64 {
        self.converged_error().unwrap_or_else(|| self.errors().fold(f64::NAN, f64::max))
    }

    /// The integrated autocorrelation time `τ = ½ (σ_B / σ_1)²`, in values: 1/2 if they are independent; NaN if all are equal
    /// or there are fewer than two. The squared standard error of the mean is `2τ s²/n`, with the sample variance `s²`.
    ///
    /// If the series [is too short](Self::is_too_short), this is a lower bound.
    pub fn autocorrelation_time(&self) -> f64 {
        let single = self.errors().next().unwrap_or(f64::NAN);
        0.5 * (self.standard_error() / single).powi(2)
    }

    /// Whether no block is long enough for the correlation time, so that the standard error is only a lower bound.
    pub fn is_too_short(&self) -> bool {
        self.converged_error().is_none()
    }

    /// The Binder cumulant `1 − ⟨x⁴⟩ / (3⟨x²⟩²)` (Binder 1981, Z. Phys. B 43, 119) of an order parameter; NaN without
    /// values, or if all are 0.
    pub fn binder_cumulant(&self) -> f64 {
        1.0 - self.fourth_moment() / (3.0 * self.second_moment().powi(2))
    }

    /// The errors of blocks of 1, 2, 4 … values, at least of single values.
    fn errors(&self) -> impl Iterator<Item = f64> {
        let levels = self.levels.iter().enumerate();
        levels.take_while(|(index, level)| *index == 0 || level.count >= MIN_BLOCKS).map(|(_, level)| level.error())
    }

    fn converged_error(&self) -> Option<f64> {
        let single = self.errors().next().filter(|error| error.is_finite())?;
        if single == 0.0 {
            return Some(0.0);
        }
        let n = self.count() as f64;
        let mut lengths = (0..).map(|index| 2_f64.powi(index));
        self.errors().find(|error| {
            let length = lengths.next().unwrap_or(f64::INFINITY);
            length.powi(3) > 2.0 * n * (error / single).powi(4)
        })
    }
}

impl Level {
    /// Adds a block; returns the mean of a complete pair.
    fn add(&mut self, block: f64) -> Option<f64> {
        self.count += 1.0;
        let deviation = block - self.mean;
        self.mean += deviation / self.count;
        self.deviations += deviation * (block - self.mean);
        let previous = self.pending.take();
        if previous.is_none() {
            self.pending = Some(block);
        }
        previous.map(|previous| 0.5 * (previous + block))
    }

    /// The standard error of the mean if the blocks are uncorrelated; NaN for a single block.
    fn error(&self) -> f64 {
        if self.count < 2.0 { f64::NAN } else { (self.deviations / (self.count * (self.count - 1.0))).sqrt() }
    }
}

/// What measures of a run need.
#[derive(Debug, Default)]
pub(super) struct RunTotals {
    pub polarization: Series,
    /// The number of boids at the last recorded tick.
    pub boids: usize,
    pub numbers: NumberFluctuations,
}
