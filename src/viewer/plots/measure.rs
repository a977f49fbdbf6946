//! The measures that can be plotted: all that are known for single ticks and take little time.

use std::sync::LazyLock;

use crate::sim::Measure;
use crate::tracks::Recording;

/// The measures of one tick.
#[derive(Clone, Debug)]
pub struct Sample {
    /// How often the flock was replaced or started again before.
    pub(super) run: u64,
    /// The tick.
    pub tick: u64,
    /// The number of boids that are alive.
    pub boids: usize,
    /// The values of the quick measures.
    pub values: Vec<f64>,
    /// The measured tick rate.
    pub ticks_per_second: f32,
}

impl Sample {
    /// Its place in the session.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.run, self.tick)
    }
}

/// A measure: a column of the CSV file, and a plot.
#[derive(Debug)]
pub struct PlotMeasure {
    /// The name of its column.
    pub name: &'static str,
    unit: &'static str,
    /// One sentence for the list.
    pub summary: &'static str,
    /// The lowest and the highest possible value, if both are known.
    pub bounds: Option<(f64, f64)>,
    source: SampleSource,
}

/// Where its value is in a sample.
#[derive(Debug)]
enum SampleSource {
    /// Among the quick measures, at this index.
    Quick(usize),
    Own(fn(&Sample) -> f64),
}

/// All measures, in the order of the list and of the columns: the quick ones of the simulation, and two more.
pub static PLOT_MEASURES: LazyLock<Vec<PlotMeasure>> = LazyLock::new(|| {
    let quick = Measure::quick().enumerate().map(|(index, measure)| PlotMeasure {
        name: measure.name,
        unit: measure.unit,
        summary: measure.summary,
        bounds: measure.range.bounds(),
        source: SampleSource::Quick(index),
    });
    let own =
        |name, summary, value| PlotMeasure { name, unit: "", summary, bounds: None, source: SampleSource::Own(value) };
    let boids = own("boids", "Number of boids that are alive.", |sample| sample.boids as f64);
    let rate = own("ticks_per_second", "Measured tick rate.", |sample| sample.ticks_per_second.into());
    quick.chain([boids, rate]).collect()
});

impl PlotMeasure {
    /// Finds a measure by name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PLOT_MEASURES.iter().find(|measure| measure.name == name)
    }

    /// The name on the screen.
    pub fn title(&self) -> String {
        self.name.replace('_', " ")
    }

    /// The name with the unit, for axes.
    pub fn label(&self, recording: Option<&Recording>) -> String {
        let unit = self.unit_in(recording);
        if unit.is_empty() { self.title() } else { format!("{} ({unit})", self.title()) }
    }

    /// Its value in each sample.
    pub(super) fn values(&self, samples: &[&Sample]) -> Vec<f64> {
        samples.iter().map(|sample| self.value(sample)).collect()
    }

    /// The unit as it follows a number, in a recording or a simulation.
    pub fn unit_suffix(&self, recording: Option<&Recording>) -> String {
        let unit = self.unit_in(recording);
        if unit.is_empty() { unit } else { format!(" {unit}") }
    }

    fn unit_in(&self, recording: Option<&Recording>) -> String {
        recording.map_or(self.unit.to_owned(), |recording| recording.unit_of(self.unit))
    }

    /// Its value in a sample; NaN if it is unknown.
    pub fn value(&self, sample: &Sample) -> f64 {
        match self.source {
            SampleSource::Quick(index) => sample.values.get(index).copied().unwrap_or(f64::NAN),
            SampleSource::Own(value) => value(sample),
        }
    }
}

impl PartialEq for PlotMeasure {
    /// Compares names, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quick_measure_of_a_tick_can_be_plotted() {
        for measure in Measure::table().iter().filter(|measure| !measure.is_per_run() && !measure.is_expensive()) {
            assert!(PlotMeasure::find(measure.name).is_some(), "{}", measure.name);
        }
        for (index, measure) in PLOT_MEASURES.iter().enumerate() {
            assert!(
                matches!(measure.source, SampleSource::Own(_)) == Measure::find(measure.name).is_none(),
                "{}",
                measure.name
            );
            assert!(!measure.summary.is_empty());
            assert_eq!(PLOT_MEASURES.iter().position(|other| other == measure), Some(index), "names are unique");
        }
    }
}
