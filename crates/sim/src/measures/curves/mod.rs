//! Curves: tables of numbers over the ticks of a run.

mod pair_distribution;
mod profile;

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::anisotropy::RANKS;
use super::correlation::{BINS_PER_ROW, PairBin};
use super::number_fluctuations::NumberFluctuations;
use super::{Cost, Measurement, count};
use pair_distribution::PairDistribution;
use profile::DensityProfile;

/// A curve: rows of numbers, averaged over the ticks of a run.
#[derive(Debug)]
pub struct Curve {
    /// Name, as in `--curve`.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub summary: &'static str,
    /// How the time of a tick grows.
    pub cost: Cost,
    /// The columns of a row.
    pub columns: &'static [CurveColumn],
    pub(super) start: fn() -> Box<dyn Average>,
}

/// A column of a curve.
#[derive(Debug)]
pub struct CurveColumn {
    /// Name, as in the header of the CSV file.
    pub name: &'static str,
    /// Unit; empty if there is none.
    pub unit: &'static str,
    /// What it is.
    pub summary: &'static str,
}

/// An average over ticks.
pub(super) trait Average: Debug + Send {
    /// Adds the state of a tick.
    fn add(&mut self, measurement: &mut Measurement<'_>);
    /// The rows, with a number for each column.
    fn rows(&self) -> Vec<Vec<f64>>;
}

impl PartialEq for Curve {
    /// Compares names, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Curve {
    /// All curves, in alphabetical order.
    pub fn table() -> &'static [Self] {
        TABLE
    }

    /// The curve with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::table().iter().find(|curve| curve.name == name)
    }
}

const fn column(name: &'static str, unit: &'static str, summary: &'static str) -> CurveColumn {
    CurveColumn { name, unit, summary }
}

static TABLE: &[Curve] = &[
    Curve {
        name: "anisotropy",
        summary: "How rarely the n-th nearest neighbors are along the direction of flight, in the largest flock without its border: \
                  1 if never, 1/3 (in 2-D 1/2) if all directions are equal.",
        cost: Cost::Neighbors,
        columns: &[
            column("rank", "", "n; 1 is the nearest neighbor"),
            column("gamma", "", "γ(n)"),
            column("boids", "", "mean number of boids inside the border"),
        ],
        start: || Box::<AnisotropyCurve>::default(),
    },
    Curve {
        name: "density_profile",
        summary: "Density along the mean heading, from the rear to the front: of the largest flock, or of a wrapping world, along the \
                  axis nearest to the heading.",
        cost: Cost::Boids,
        columns: &[
            column("offset", "u", "distance from the center, positive ahead"),
            column("density", "boids/u", "mean number of boids per u of this axis"),
        ],
        start: || Box::<DensityProfile>::default(),
    },
    Curve {
        name: "flock_sizes",
        summary: "Number of connected groups of each size.",
        cost: Cost::Neighbors,
        columns: &[
            column("size", "boids", "number of boids in a group"),
            column("flocks", "", "mean number of groups of this size"),
        ],
        start: || Box::<SizesCurve>::default(),
    },
    Curve {
        name: "number_fluctuations",
        summary: "Fluctuation of the number of boids in boxes of several sizes.",
        cost: Cost::Boids,
        columns: &[
            column("divisions", "", "number of boxes along each side"),
            column("mean", "boids", "mean number of boids in a box"),
            column("deviation", "boids", "standard deviation of that number between boxes"),
        ],
        start: || Box::<NumbersCurve>::default(),
    },
    Curve {
        name: "pair_distribution",
        summary: "Density at a distance from a boid, relative to the mean density: in a wrapping world, or in the largest flock without \
                  its border.",
        cost: Cost::Pairs,
        columns: &[
            column("distance", "u", "middle of a bin, 3 to 6 % wide"),
            column("g", "", "g(r)"),
            column("pairs", "", "mean number of pairs"),
        ],
        start: || Box::<PairDistribution>::default(),
    },
    Curve {
        name: "velocity_correlation",
        summary: "Correlation of the velocity fluctuations of two boids of the largest flock, relative to their variance.",
        cost: Cost::Pairs,
        columns: &[
            column("distance", "u", "root mean square of the pairs in a bin, 3 to 6 % wide"),
            column("correlation", "", "C(r) / C(0)"),
            column("pairs", "", "mean number of pairs"),
        ],
        start: || Box::<CorrelationCurve>::default(),
    },
];

/// `anisotropy`.
#[derive(Debug, Default)]
struct AnisotropyCurve {
    /// Ticks in which there are boids inside the border.
    ticks: f64,
    sums: [f64; RANKS],
    boids: f64,
}

impl Average for AnisotropyCurve {
    fn add(&mut self, measurement: &mut Measurement<'_>) {
        let found = measurement.anisotropy();
        if found.boids > 0 {
            self.ticks += 1.0;
            self.boids += count(found.boids);
            self.sums.iter_mut().zip(found.of_rank).for_each(|(sum, gamma)| *sum += gamma);
        }
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        let mean = |sum: f64| sum / self.ticks;
        (1..).zip(self.sums).map(|(rank, sum)| vec![f64::from(rank), mean(sum), mean(self.boids)]).collect()
    }
}

/// `flock_sizes`.
#[derive(Debug, Default)]
struct SizesCurve {
    ticks: f64,
    groups: BTreeMap<usize, f64>,
}

impl Average for SizesCurve {
    fn add(&mut self, measurement: &mut Measurement<'_>) {
        self.ticks += 1.0;
        for size in measurement.group_sizes() {
            *self.groups.entry(*size).or_default() += 1.0;
        }
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        self.groups.iter().map(|(size, groups)| vec![count(*size), groups / self.ticks]).collect()
    }
}

/// `number_fluctuations`.
#[derive(Debug, Default)]
struct NumbersCurve(NumberFluctuations);

impl Average for NumbersCurve {
    fn add(&mut self, measurement: &mut Measurement<'_>) {
        self.0.add(measurement.flock);
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        self.0.rows().map(Vec::from).collect()
    }
}

/// `velocity_correlation`.
#[derive(Debug, Default)]
struct CorrelationCurve {
    ticks: f64,
    boids: f64,
    /// The sum of the squared fluctuations, in u²/tick².
    squares: f64,
    bins: Vec<PairBin>,
}

impl Average for CorrelationCurve {
    fn add(&mut self, measurement: &mut Measurement<'_>) {
        let pairs = measurement.velocity_pairs();
        self.ticks += 1.0;
        self.boids += count(pairs.boids);
        self.squares += pairs.variance * count(pairs.boids);
        self.bins.resize(pairs.bins.len(), PairBin::default());
        self.bins.iter_mut().zip(&pairs.bins).for_each(|(sum, bin)| sum.add(bin));
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        let variance = self.squares / self.boids;
        let rows = self.bins.chunks(BINS_PER_ROW).map(|bins| {
            let mut joined = PairBin::default();
            for bin in bins {
                joined.add(bin);
            }
            let PairBin { pairs, squared_distance, product } = joined;
            [(squared_distance / pairs).sqrt(), product / pairs / variance, pairs / self.ticks]
        });
        rows.filter(|[.., pairs]| *pairs > 0.0).map(Vec::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_order() {
        assert!(TABLE.is_sorted_by(|one, next| one.name < next.name));
        for curve in TABLE {
            assert_eq!(Curve::find(curve.name), Some(curve));
        }
    }
}
