//! The measures of a run: values of each tick, and their statistics.

use super::fluctuations::NumberFluctuations;
use super::snapshot::Snapshot;
use super::{Analyzer, Measure, Series};
use crate::sim::flock::Flock;

/// Takes measures tick by tick, over all boids, and summarizes them.
#[derive(Debug)]
pub struct Recorder {
    analyzer: Analyzer,
    measures: Vec<&'static Measure>,
    /// The statistics of each measure; empty for those of the run.
    series: Vec<Series>,
    totals: Option<RunTotals>,
}

/// What measures of a run need.
#[derive(Debug, Default)]
pub(super) struct RunTotals {
    pub polarization: Series,
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
    /// Smallest value; undefined for a measure of the run.
    pub min: f64,
    /// Largest value; undefined for a measure of the run.
    pub max: f64,
    /// Whether the run is too short for the standard error, which is then a lower bound.
    pub is_too_short: bool,
}

impl Recorder {
    /// A recorder of these measures.
    #[must_use]
    pub fn new(measures: &[&'static Measure]) -> Self {
        let totals = measures.iter().any(|measure| measure.is_of_run()).then(RunTotals::default);
        let series = vec![Series::new(); measures.len()];
        Self { analyzer: Analyzer::new(), measures: measures.to_vec(), series, totals }
    }

    /// Records the state of a flock. Returns the values of the measures of a tick, in order, without those of the run.
    pub fn record(&mut self, flock: &Flock) -> Vec<f64> {
        let mut snapshot = Snapshot::new(&mut self.analyzer, flock, usize::MAX);
        if let Some(totals) = &mut self.totals {
            totals.polarization.add(snapshot.motion().polarization.into());
            totals.numbers.add(flock);
        }
        let of_tick = self.measures.iter().zip(&mut self.series).filter(|(measure, _)| !measure.is_of_run());
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

    fn summary(&self, measure: &'static Measure, series: &Series) -> Summary {
        if let (Some(value), Some(totals)) = (measure.of_run(), &self.totals) {
            let mean = value(totals);
            return Summary {
                measure,
                mean,
                standard_error: f64::NAN,
                min: f64::NAN,
                max: f64::NAN,
                is_too_short: false,
            };
        }
        Summary {
            measure,
            mean: series.mean(),
            standard_error: series.standard_error(),
            min: series.min(),
            max: series.max(),
            is_too_short: series.is_too_short(),
        }
    }
}
