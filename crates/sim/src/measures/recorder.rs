//! The measures of a run: values of each tick, and the statistics of their series, which are correlated.

use super::curves::{Average, Curve};
use super::number_fluctuations::NumberFluctuations;
use super::{Analyzer, Measure, Snapshot};
use crate::flock::Flock;

/// Takes measures tick by tick, over all boids, and summarizes them.
#[derive(Debug)]
pub struct Recorder {
    analyzer: Analyzer,
    measures: Vec<&'static Measure>,
    /// The statistics of each measure; empty for those of the run.
    series: Vec<Series>,
    totals: Option<RunTotals>,
    curves: Vec<(&'static Curve, Box<dyn Average>)>,
}

/// What measures of a run need.
#[derive(Debug, Default)]
pub(super) struct RunTotals {
    pub polarization: Series,
    /// The number of boids at the last recorded tick.
    pub boids: usize,
    pub numbers: NumberFluctuations,
}

/// Statistics of a measure over a run. What is undefined is NaN.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The measure.
    pub measure: &'static Measure,
    /// Mean over the ticks; the value of a measure of the run.
    pub mean: f64,
    /// Standard error of the mean, by blocking; undefined for a measure of the run.
    pub standard_error: f64,
    /// Variance of the values; undefined for a measure of the run.
    pub variance: f64,
    /// Integrated autocorrelation time, in recorded ticks; undefined for a measure of the run.
    pub autocorrelation_time: f64,
    /// Smallest value; undefined for a measure of the run.
    pub min: f64,
    /// Largest value; undefined for a measure of the run.
    pub max: f64,
    /// Whether the run is too short for the standard error and the autocorrelation time, which are then lower bounds.
    pub is_too_short: bool,
}

impl Recorder {
    /// A recorder of these measures.
    #[must_use]
    pub fn new(measures: &[&'static Measure]) -> Self {
        let totals = measures.iter().any(|measure| measure.is_per_run()).then(RunTotals::default);
        let series = vec![Series::new(); measures.len()];
        Self { analyzer: Analyzer::new(), measures: measures.to_vec(), series, totals, curves: Vec::new() }
    }

    /// The same recorder with curves, and with another distance within which boids belong to one group, as in
    /// [`Analyzer::with_group_radius`].
    #[must_use]
    pub fn with(mut self, curves: &[&'static Curve], group_radius: Option<f32>) -> Self {
        self.curves = curves.iter().map(|curve| (*curve, curve.start())).collect();
        self.analyzer = self.analyzer.with_group_radius(group_radius);
        self
    }

    /// Records the state of a flock. Returns the values of the measures of a tick, in order, without those of the run.
    pub fn record(&mut self, flock: &Flock) -> Vec<f64> {
        let mut snapshot = Snapshot::new(&mut self.analyzer, flock, usize::MAX);
        if let Some(totals) = &mut self.totals {
            totals.polarization.add(snapshot.motion().polarization.into());
            totals.boids = flock.boids();
            if self.measures.iter().any(|measure| measure.needs_boxes()) {
                totals.numbers.add(flock);
            }
        }
        self.curves.iter_mut().for_each(|(_, average)| average.add(&mut snapshot));
        let of_tick = self.measures.iter().zip(&mut self.series).filter(|(measure, _)| !measure.is_per_run());
        of_tick
            .map(|(measure, series)| {
                let value = snapshot.value(measure);
                series.add(value);
                value
            })
            .collect()
    }

    /// The statistics of the recorded ticks, in the order of the measures.
    #[must_use]
    pub fn summaries(&self) -> Vec<Summary> {
        self.measures.iter().zip(&self.series).map(|(measure, series)| self.summary(measure, series)).collect()
    }

    /// The rows of each curve over the recorded ticks, with a number for each column.
    pub fn curves(&self) -> impl Iterator<Item = (&'static Curve, Vec<Vec<f64>>)> {
        self.curves.iter().map(|(curve, average)| (*curve, average.rows()))
    }

    fn summary(&self, measure: &'static Measure, series: &Series) -> Summary {
        if let (Some(value), Some(totals)) = (measure.of_run(), &self.totals) {
            let mean = value(totals);
            return Summary {
                measure,
                mean,
                standard_error: f64::NAN,
                variance: f64::NAN,
                autocorrelation_time: f64::NAN,
                min: f64::NAN,
                max: f64::NAN,
                is_too_short: false,
            };
        }
        Summary {
            measure,
            mean: series.mean(),
            standard_error: series.standard_error(),
            variance: series.variance(),
            autocorrelation_time: series.autocorrelation_time(),
            min: series.min(),
            max: series.max(),
            is_too_short: series.is_too_short(),
        }
    }
}

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
    #[must_use]
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
    #[must_use]
    pub fn count(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.count as u64)
    }

    /// The mean; NaN without values.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.levels.first().map_or(f64::NAN, |level| level.mean)
    }

    /// The variance `⟨x²⟩ − ⟨x⟩²` of the values; NaN without values.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.levels.first().map_or(f64::NAN, |level| level.deviations / level.count)
    }

    /// The second moment `⟨x²⟩`; NaN without values.
    #[must_use]
    pub fn second_moment(&self) -> f64 {
        self.squares / self.count() as f64
    }

    /// The fourth moment `⟨x⁴⟩`; NaN without values.
    #[must_use]
    pub fn fourth_moment(&self) -> f64 {
        self.fourth_powers / self.count() as f64
    }

    /// The smallest value; NaN without values.
    #[must_use]
    pub fn min(&self) -> f64 {
        if self.levels.is_empty() { f64::NAN } else { self.min }
    }

    /// The largest value; NaN without values.
    #[must_use]
    pub fn max(&self) -> f64 {
        if self.levels.is_empty() { f64::NAN } else { self.max }
    }

    /// The standard error of the mean; NaN with fewer than two values.
    ///
    /// If the series [is too short](Self::is_too_short), this is the largest error of all block lengths, a lower bound.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.converged_error().unwrap_or_else(|| self.errors().fold(f64::NAN, f64::max))
    }

    /// The integrated autocorrelation time `τ = ½ (σ_B / σ_1)²`, in values: 1/2 if they are independent; NaN if all are equal
    /// or there are fewer than two. The squared standard error of the mean is `2τ s²/n`, with the sample variance `s²`.
    ///
    /// If the series [is too short](Self::is_too_short), this is a lower bound.
    #[must_use]
    pub fn autocorrelation_time(&self) -> f64 {
        let single = self.errors().next().unwrap_or(f64::NAN);
        0.5 * (self.standard_error() / single).powi(2)
    }

    /// Whether no block is long enough for the correlation time, so that the standard error is only a lower bound.
    #[must_use]
    pub fn is_too_short(&self) -> bool {
        self.converged_error().is_none()
    }

    /// The Binder cumulant `1 − ⟨x⁴⟩ / (3⟨x²⟩²)` (Binder 1981, Z. Phys. B 43, 119) of an order parameter; NaN without
    /// values, or if all are 0.
    #[must_use]
    pub fn binder_cumulant(&self) -> f64 {
        1.0 - self.fourth_moment() / (3.0 * self.second_moment().powi(2))
    }

    /// The errors of blocks of 1, 2, 4 … values, at least of single values.
    fn errors(&self) -> impl Iterator<Item = f64> {
        let enough = |(index, level): &(usize, &Level)| *index == 0 || level.count >= MIN_BLOCKS;
        self.levels.iter().enumerate().take_while(enough).map(|(_, level)| level.error())
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
