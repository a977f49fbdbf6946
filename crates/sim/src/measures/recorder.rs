//! The measures of a run, taken tick by tick and summarized.

use super::curves::{Average, Curve};
use super::series::{RunTotals, Series};
use super::{Analyzer, Measure, Measurement};
use crate::snapshot::Snapshot;

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
    pub fn new(measures: &[&'static Measure]) -> Self {
        let totals = measures.iter().any(|measure| measure.is_per_run()).then(RunTotals::default);
        let series = vec![Series::new(); measures.len()];
        Self { analyzer: Analyzer::new(), measures: measures.to_vec(), series, totals, curves: Vec::new() }
    }

    /// The same recorder with curves, and with another distance within which boids belong to one group, as in
    /// [`Analyzer::with_group_radius`].
    #[must_use]
    pub fn with(mut self, curves: &[&'static Curve], group_radius: Option<f32>) -> Self {
        self.curves = curves.iter().map(|curve| (*curve, (curve.start)())).collect();
        self.analyzer = self.analyzer.with_group_radius(group_radius);
        self
    }

    /// Records the state of a flock. Returns the values of the measures of a tick, in order, without those of the run.
    pub fn record<'a>(&mut self, flock: impl Into<Snapshot<'a>>) -> Vec<f64> {
        let flock = flock.into();
        let mut measurement = Measurement::new(&mut self.analyzer, flock, usize::MAX);
        if let Some(totals) = &mut self.totals {
            totals.polarization.add(measurement.motion().polarization.into());
            totals.boids = flock.boids();
            if self.measures.iter().any(|measure| measure.needs_boxes()) {
                totals.numbers.add(flock);
            }
        }
        self.curves.iter_mut().for_each(|(_, average)| average.add(&mut measurement));
        let of_tick = self.measures.iter().zip(&mut self.series).filter(|(measure, _)| !measure.is_per_run());
        of_tick
            .map(|(measure, series)| {
                let value = measurement.value(measure);
                if !value.is_nan() {
                    series.add(value);
                }
                value
            })
            .collect()
    }

    /// The statistics of the recorded ticks, in the order of the measures.
    pub fn summaries(&self) -> Vec<Summary> {
        let summaries = self.measures.iter().zip(&self.series).map(|(measure, series)| {
            let of_run = measure.of_run().zip(self.totals.as_ref()).map(|(value, totals)| value(totals));
            // The series of a measure of the run is empty.
            Summary {
                measure,
                mean: of_run.unwrap_or_else(|| series.mean()),
                standard_error: series.standard_error(),
                variance: series.variance(),
                autocorrelation_time: series.autocorrelation_time(),
                min: series.min(),
                max: series.max(),
                is_too_short: of_run.is_none() && series.is_too_short(),
            }
        });
        summaries.collect()
    }

    /// The rows of each curve over the recorded ticks, with a number for each column.
    pub fn curves(&self) -> impl Iterator<Item = (&'static Curve, Vec<Vec<f64>>)> {
        self.curves.iter().map(|(curve, average)| (*curve, average.rows()))
    }
}
