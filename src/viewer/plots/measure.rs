//! The measures that can be plotted: all that are known for single ticks and take little time.

use super::history::Sample;
use crate::sim::Measure;

/// A measure: a column of the CSV file, and a plot.
#[derive(Debug)]
pub struct PlotMeasure {
    /// The name of its column.
    pub name: &'static str,
    value: fn(&Sample) -> f64,
    /// Unit and summary of a measure that is not in the table of the simulation.
    own: Option<(&'static str, &'static str)>,
}

const fn measure(name: &'static str, value: fn(&Sample) -> f64) -> PlotMeasure {
    PlotMeasure { name, value, own: None }
}

/// All measures, in the order of the list and of the columns.
pub static PLOT_MEASURES: [PlotMeasure; 16] = [
    measure("polarization", |sample| sample.measures.polarization.into()),
    measure("rotation", |sample| sample.measures.rotation.into()),
    measure("mean_speed", |sample| sample.measures.mean_speed.into()),
    measure("speed_deviation", |sample| sample.measures.speed_deviation.into()),
    measure("nearest_neighbor", |sample| sample.measures.nearest_neighbor.into()),
    measure("neighbors", |sample| sample.measures.neighbors.into()),
    measure("flocks", |sample| sample.flocks.map_or(f64::NAN, |flocks| flocks.count as f64)),
    measure("largest_flock", |sample| sample.flocks.map_or(f64::NAN, |flocks| flocks.largest as f64)),
    measure("mean_cluster", |sample| {
        sample.flocks.map_or(f64::NAN, |flocks| sample.boids as f64 / flocks.count.max(1) as f64)
    }),
    measure("predators", |sample| sample.measures.predators as f64),
    measure("hunting", |sample| sample.measures.hunting as f64),
    measure("prey_in_sight", |sample| sample.measures.prey_in_sight as f64),
    measure("resting", |sample| sample.measures.resting as f64),
    measure("caught", |sample| sample.measures.caught as f64),
    PlotMeasure {
        name: "boids",
        value: |sample| sample.boids as f64,
        own: Some(("", "Number of boids that are alive.")),
    },
    PlotMeasure {
        name: "ticks_per_second",
        value: |sample| sample.ticks_per_second.into(),
        own: Some(("", "Measured tick rate.")),
    },
];

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
    pub fn label(&self) -> String {
        let unit = self.described().0;
        if unit.is_empty() { self.title() } else { format!("{} ({unit})", self.title()) }
    }

    /// One sentence for the list.
    pub fn summary(&self) -> &'static str {
        self.described().1
    }

    /// Whether it lies between 0 and 1.
    pub fn is_ratio(&self) -> bool {
        Measure::find(self.name).is_some_and(|measure| measure.range == "0 to 1")
    }

    /// Its value in a sample; NaN if it is unknown.
    pub fn value(&self, sample: &Sample) -> f64 {
        (self.value)(sample)
    }

    /// The unit and the summary.
    fn described(&self) -> (&'static str, &'static str) {
        let known = Measure::find(self.name).map(|measure| (measure.unit, measure.summary));
        self.own.or(known).unwrap_or_default()
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
            assert!(measure.own.is_some() == Measure::find(measure.name).is_none(), "{}", measure.name);
            assert!(!measure.summary().is_empty());
            assert_eq!(PLOT_MEASURES.iter().position(|other| other == measure), Some(index), "names are unique");
        }
    }
}
