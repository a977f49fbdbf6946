//! The measures that can be plotted.

use super::series::Sample;

/// A measure: a column of the CSV file, and a plot.
#[derive(Debug)]
pub struct PlotMeasure {
    /// The name of its column.
    pub name: &'static str,
    /// The unit, if it has one.
    pub unit: &'static str,
    /// Whether it lies between 0 and 1.
    pub is_ratio: bool,
    /// One sentence for the list.
    pub summary: &'static str,
    value: fn(&Sample) -> f32,
}

/// Describes a measure.
const fn measure(
    name: &'static str,
    unit: &'static str,
    is_ratio: bool,
    summary: &'static str,
    value: fn(&Sample) -> f32,
) -> PlotMeasure {
    PlotMeasure { name, unit, is_ratio, summary, value }
}

/// All measures, in the order of the list and of the columns.
pub static PLOT_MEASURES: [PlotMeasure; 13] = [
    measure("polarization", "", true, "Order of the headings: 1 if all are equal.", |sample| {
        sample.measures.polarization
    }),
    measure("rotation", "", true, "Milling: 1 if all boids circle the center one way.", |sample| {
        sample.measures.rotation
    }),
    measure("mean_speed", "u/tick", false, "Mean speed of the boids.", |sample| sample.measures.mean_speed),
    measure("speed_deviation", "u/tick", false, "Standard deviation of the speed.", |sample| {
        sample.measures.speed_deviation
    }),
    measure("nearest_neighbor", "u", false, "Mean distance to the nearest other boid.", |sample| {
        sample.measures.nearest_neighbor
    }),
    measure("neighbors", "boids", false, "Mean number of boids within the radius of the rules.", |sample| {
        sample.measures.neighbors
    }),
    measure("boids", "boids", false, "Number of boids that are alive.", |sample| sample.boids as f32),
    measure("caught", "boids", false, "Number of caught boids that wait to respawn.", |sample| {
        sample.measures.caught as f32
    }),
    measure("prey_in_sight", "boids", false, "Number of boids in sight of predators that do not rest.", |sample| {
        sample.measures.prey_in_sight as f32
    }),
    measure("predators", "predators", false, "Number of predators.", |sample| sample.measures.predators as f32),
    measure("hunting", "predators", false, "Number of predators with prey in sight.", |sample| {
        sample.measures.hunting as f32
    }),
    measure("resting", "predators", false, "Number of predators that rest.", |sample| sample.measures.resting as f32),
    measure("ticks_per_second", "ticks/s", false, "Measured tick rate.", |sample| sample.ticks_per_second),
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
        if self.unit.is_empty() { self.title() } else { format!("{} ({})", self.title(), self.unit) }
    }

    /// Its value in a sample.
    pub fn value(&self, sample: &Sample) -> f32 {
        (self.value)(sample)
    }
}

impl PartialEq for PlotMeasure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
