//! The measure table. CSV columns, help and reference pages are generated from it.

use super::Measurement;
use super::groups::weighted_mean;
use super::series::RunTotals;
use crate::params::choices;

choices! {
    /// How the time that a measure takes grows with the number of boids.
    pub enum Cost {
        /// As the number of boids.
        Boids = "boids",
        /// As the number of boids and their neighbors.
        Neighbors = "neighbors",
        /// As the square of the number of boids.
        Pairs = "all pairs",
    }

    /// The possible values of a measure.
    pub enum MeasureRange {
        /// From 0 to 1.
        Ratio = "0 to 1",
        /// At least 0.
        NonNegative = "0 or more",
        /// A number of boids.
        Boids = "0 to N",
        /// A number of boids without the one that is measured.
        OtherBoids = "0 to N - 1",
        /// At most 2/3.
        TwoThirds = "up to 2/3",
    }
}

impl MeasureRange {
    /// The lowest and the highest value, if they are the same for every flock.
    pub fn bounds(self) -> Option<(f64, f64)> {
        (self == Self::Ratio).then_some((0.0, 1.0))
    }
}

/// A measure: one number per tick, or one per run.
#[derive(Debug)]
pub struct Measure {
    /// Name, as in `--measure` and as the column of CSV files.
    pub name: &'static str,
    /// Unit; empty if there is none.
    pub unit: &'static str,
    /// The possible values.
    pub range: MeasureRange,
    /// What it says, in one sentence.
    pub summary: &'static str,
    /// How its time grows.
    pub cost: Cost,
    is_default: bool,
    source: Source,
}

/// Where a value comes from.
#[derive(Debug)]
enum Source {
    Tick(fn(&mut Measurement<'_>) -> f64),
    /// A value per tick that predators cause.
    Hunt(fn(&mut Measurement<'_>) -> f64),
    /// A value per tick of the connected groups, which need all boids.
    Groups(fn(&mut Measurement<'_>) -> f64),
    /// A value per tick of the largest connected group alone.
    Largest(fn(&mut Measurement<'_>) -> f64),
    Run(fn(&RunTotals) -> f64),
    /// A value per run of the numbers of boids in boxes, which take a while to count.
    Boxes(fn(&RunTotals) -> f64),
}

impl PartialEq for Measure {
    /// Compares names, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Measure {
    /// The measure with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::table().iter().find(|measure| measure.name == name)
    }

    /// The measures that are taken if none are named.
    pub fn defaults() -> Vec<&'static Self> {
        Self::table().iter().filter(|measure| measure.is_default).collect()
    }

    /// Whether it is taken if none are named.
    pub fn is_default(&self) -> bool {
        self.is_default
    }

    /// The measures that have a value per tick and take little time, in the order of the table.
    pub fn quick() -> impl Iterator<Item = &'static Self> {
        Self::table().iter().filter(|measure| !measure.is_per_run() && !measure.is_expensive())
    }

    /// Whether it is about connected groups. Unlike others it is never a mean over a sample of the boids.
    pub fn needs_groups(&self) -> bool {
        matches!(self.source, Source::Groups(_) | Source::Largest(_))
    }

    /// Whether it takes so long that it is only taken when named.
    pub fn is_expensive(&self) -> bool {
        self.cost == Cost::Pairs || matches!(self.source, Source::Largest(_))
    }

    /// Whether it has one value per run, and none per tick.
    pub fn is_per_run(&self) -> bool {
        matches!(self.source, Source::Run(_) | Source::Boxes(_))
    }

    /// Whether it counts predators or their prey, and so is 0 without predators.
    pub fn needs_predators(&self) -> bool {
        matches!(self.source, Source::Hunt(_))
    }

    /// Whether it needs the numbers of boids in boxes.
    pub(super) fn needs_boxes(&self) -> bool {
        matches!(self.source, Source::Boxes(_))
    }

    pub(super) fn of_tick(&self) -> Option<fn(&mut Measurement<'_>) -> f64> {
        if let Source::Tick(value) | Source::Hunt(value) | Source::Groups(value) | Source::Largest(value) = self.source
        {
            Some(value)
        } else {
            None
        }
    }

    pub(super) fn of_run(&self) -> Option<fn(&RunTotals) -> f64> {
        if let Source::Run(value) | Source::Boxes(value) = self.source { Some(value) } else { None }
    }
}

/// Builds the constants and the table. A row has a constant, a name, a unit, a range, a cost, whether it is taken by
/// default, a summary and its source.
macro_rules! measures {
    ($($CONSTANT:ident $name:literal, $unit:literal, $Range:ident, $Cost:ident, $default:literal, $summary:literal, $Source:ident($value:expr);)+) => {
        impl Measure {
            $(#[doc = $summary]
            pub const $CONSTANT: Self = Self {
                name: $name,
                unit: $unit,
                range: MeasureRange::$Range,
                summary: $summary,
                cost: Cost::$Cost,
                is_default: $default,
                source: Source::$Source($value),
            };)+

            /// All measures, in the order of columns.
            pub fn table() -> &'static [Self] {
                &[$(Self::$CONSTANT),+]
            }
        }
    };
}

measures! {
    POLARIZATION "polarization", "", Ratio, Boids, true,
        "Length of the mean heading: 1 if all headings are equal, near 0 if they are random.",
        Tick(|measurement| measurement.motion().polarization.into());
    ROTATION "rotation", "", Ratio, Boids, true,
        "Rotation around the center of the flock (milling): 1 if all boids circle it in one direction.",
        Tick(|measurement| measurement.rotation().into());
    MEAN_SPEED "mean_speed", "u/tick", NonNegative, Boids, true,
        "Mean speed.",
        Tick(|measurement| measurement.motion().mean_speed.into());
    SPEED_DEVIATION "speed_deviation", "u/tick", NonNegative, Boids, true,
        "Standard deviation of speed between boids.",
        Tick(|measurement| measurement.motion().speed_deviation.into());
    NEAREST_NEIGHBOR "nearest_neighbor", "u", NonNegative, Neighbors, true,
        "Mean distance to the nearest other boid; undefined (NaN, left out of means) for a single boid.",
        Tick(|measurement| if measurement.flock.boids() < 2 { f64::NAN } else { measurement.distances().nearest_neighbor.into() });
    NEIGHBORS "neighbors", "", OtherBoids, Neighbors, true,
        "Mean number of other boids with which a boid interacts.",
        Tick(|measurement| measurement.distances().neighbors.into());
    FLOCKS "flocks", "", Boids, Neighbors, true,
        "Number of connected groups of boids.",
        Groups(|measurement| measurement.group_sizes().len() as f64);
    LARGEST_FLOCK "largest_flock", "boids", Boids, Neighbors, true,
        "Size of the largest connected group.",
        Groups(|measurement| measurement.group_sizes().iter().copied().max().unwrap_or(0) as f64);
    MEAN_CLUSTER "mean_cluster", "boids", Boids, Neighbors, false,
        "Mean size of the connected groups.",
        Groups(|measurement| measurement.flock.boids() as f64 / measurement.group_sizes().len().max(1) as f64);
    WEIGHTED_CLUSTER "weighted_cluster", "boids", Boids, Neighbors, false,
        "Mean size of the connected group of a boid, in which large groups count more.",
        Groups(|measurement| weighted_mean(measurement.group_sizes()));
    LARGEST_POLARIZATION "largest_polarization", "", Ratio, Neighbors, false,
        "Polarization of the largest connected group.",
        Largest(|measurement| measurement.largest().polarization());
    LARGEST_ROTATION "largest_rotation", "", Ratio, Neighbors, false,
        "Rotation of the largest connected group around its own center.",
        Largest(|measurement| measurement.largest().rotation());
    NEMATIC_ORDER "nematic_order", "", Ratio, Boids, false,
        "Order of the headings regardless of their sign: 1 if all boids fly along one axis, near 0 if headings are random.",
        Tick(|measurement| measurement.nematic_order().into());
    AXIS_1 "axis_1", "u", NonNegative, Neighbors, false,
        "Standard deviation of positions along the longest principal axis of the largest flock.",
        Largest(|measurement| measurement.largest().axes()[0]);
    AXIS_2 "axis_2", "u", NonNegative, Neighbors, false,
        "The same along the second axis.",
        Largest(|measurement| measurement.largest().axes()[1]);
    AXIS_3 "axis_3", "u", NonNegative, Neighbors, false,
        "The same along the shortest axis; 0 in two dimensions.",
        Largest(|measurement| measurement.largest().axes()[2]);
    ANISOTROPY "anisotropy", "", Ratio, Neighbors, false,
        "How rarely nearest neighbors are ahead or behind in the largest flock: 1 if never, 1/3 (in 2-D 1/2) if all directions are equal, 0 if no boid is inside.",
        Largest(|measurement| measurement.anisotropy().of_rank[0]);
    PREDATORS "predators", "", NonNegative, Boids, true,
        "Number of predators.",
        Hunt(|measurement| measurement.flock.predators as f64);
    HUNTING "hunting", "", NonNegative, Neighbors, true,
        "Number of predators that see prey and do not rest.",
        Hunt(|measurement| measurement.hunt().hunting as f64);
    PREY_IN_SIGHT "prey_in_sight", "", Boids, Neighbors, true,
        "Number of boids in sight of predators that do not rest.",
        Hunt(|measurement| measurement.hunt().prey_in_sight as f64);
    RESTING "resting", "", NonNegative, Boids, true,
        "Number of predators that rest.",
        Hunt(|measurement| measurement.hunt().resting as f64);
    CAUGHT "caught", "", NonNegative, Boids, true,
        "Number of caught boids that wait to respawn.",
        Hunt(|measurement| measurement.flock.caught as f64);
    CORRELATION_LENGTH "correlation_length", "u", NonNegative, Pairs, false,
        "Distance at which velocity fluctuations in the largest flock are no longer correlated.",
        Largest(|measurement| measurement.velocity_pairs().correlation_length());
    DIAMETER "diameter", "u", NonNegative, Pairs, false,
        "Largest distance between two boids of the largest flock.",
        Largest(|measurement| measurement.velocity_pairs().diameter());
    BINDER_CUMULANT "binder_cumulant", "", TwoThirds, Boids, false,
        "Binder cumulant of polarization over the run: 2/3 in order, 1/3 (4/9 in 3-D) in disorder.",
        Run(|totals| totals.polarization.binder_cumulant());
    POLARIZATION_SQUARED "polarization_squared", "", Ratio, Boids, false,
        "Mean of the squared polarization over the run.",
        Run(|totals| totals.polarization.second_moment());
    POLARIZATION_FOURTH "polarization_fourth", "", Ratio, Boids, false,
        "Mean of the fourth power of polarization over the run.",
        Run(|totals| totals.polarization.fourth_moment());
    SUSCEPTIBILITY "susceptibility", "", NonNegative, Boids, false,
        "Variance of polarization over the run, times the number of boids.",
        Run(|totals| totals.boids as f64 * totals.polarization.variance());
    FLUCTUATION_EXPONENT "fluctuation_exponent", "", Ratio, Boids, false,
        "Exponent with which the fluctuation of the number of boids in a box grows with its mean; 1/2 if independent.",
        Boxes(|totals| totals.numbers.exponent());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_expensive_measures_are_not_taken_by_default() {
        for measure in Measure::table() {
            assert_eq!(Measure::table().iter().filter(|other| *other == measure).count(), 1, "{}", measure.name);
            assert!(!measure.is_default || !measure.is_expensive() && !measure.is_per_run(), "{}", measure.name);
        }
    }
}
