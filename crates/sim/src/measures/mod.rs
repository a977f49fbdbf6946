//! Measures of the state of a flock, and their statistics over a run.

/// Calls a method for the number of dimensions of a flock.
macro_rules! in_dimensions {
    ($flock:expr, $object:ident.$method:ident($($argument:expr),*)) => {
        match $flock.world.dim() {
            2 => $object.$method::<2>($($argument),*),
            _ => $object.$method::<3>($($argument),*),
        }
    };
}

mod anisotropy;
mod correlation;
mod curves;
mod groups;
mod largest;
mod motion;
mod number_fluctuations;
mod recorder;
mod series;
mod table;
mod terms;

use crate::math::{Execution, should_parallelize};
use crate::neighbors::{CellList, Placement};
use crate::simd::Simd;
use crate::snapshot::Snapshot;
use crate::world::World;
use anisotropy::Anisotropy;
use correlation::VelocityPairs;
use largest::LargestFlock;
use motion::{Distances, HuntCounts, Motion};
use terms::TermColumns;

pub use curves::{Curve, CurveColumn};
pub use groups::Group;
pub use recorder::{Recorder, Summary};
pub use series::Series;
pub use table::{Cost, Measure, MeasureRange};

/// Measures flocks. It keeps buffers between measurements, but no state.
#[derive(Debug, Default)]
pub struct Analyzer {
    prey: CellList,
    by_id: Vec<u32>,
    parents: Vec<u32>,
    seen: Vec<bool>,
    terms: TermColumns,
    /// The distance within which boids belong to one group, in u; that of the model without one.
    group_radius: Option<f32>,
}

impl Analyzer {
    /// An analyzer with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same analyzer with another distance within which boids belong to one group, in u; `None` is that of the model. It may be
    /// infinite.
    #[must_use]
    pub fn with_group_radius(mut self, radius: Option<f32>) -> Self {
        self.group_radius = radius;
        self
    }

    /// The value of a measure; NaN for one of a whole run, and for the nearest neighbor of fewer than two boids. Most
    /// measures of a flock without boids are 0. Distances and neighbors are means over about `sample` boids, evenly
    /// spread over the flock; over all boids with `usize::MAX`.
    ///
    /// Inside a `rayon` thread pool it uses several threads; the result does not depend on their number.
    pub fn value<'a>(&mut self, flock: impl Into<Snapshot<'a>>, sample: usize, measure: &Measure) -> f64 {
        Measurement::new(self, flock.into(), sample).value(measure)
    }

    /// The values of several measures, in their order. Work that they share is done once.
    pub fn values<'a>(&mut self, flock: impl Into<Snapshot<'a>>, sample: usize, measures: &[&Measure]) -> Vec<f64> {
        let mut measurement = Measurement::new(self, flock.into(), sample);
        measures.iter().map(|measure| measurement.value(measure)).collect()
    }

    /// Sorts the prey into cells about as large as the space of a boid.
    fn sort(&mut self, flock: Snapshot<'_>) {
        let layout = flock.model().grid(flock.params, &flock.world, spacing(flock), flock.boids());
        let execution = Execution { simd: Simd::default(), parallel: should_parallelize(flock.agents.len()) };
        self.prey.sort(layout, flock.agents, [Placement::InCells, Placement::Omitted, Placement::Omitted], execution);
    }
}

/// The measures of a flock that are known so far.
struct Measurement<'a> {
    analyzer: &'a mut Analyzer,
    flock: Snapshot<'a>,
    sample: usize,
    motion: Option<Motion>,
    distances: Option<Distances>,
    hunt: Option<HuntCounts>,
    group_sizes: Option<Vec<usize>>,
    largest: Option<LargestFlock>,
    velocity_pairs: Option<VelocityPairs>,
}

impl<'a> Measurement<'a> {
    fn new(analyzer: &'a mut Analyzer, flock: Snapshot<'a>, sample: usize) -> Self {
        analyzer.sort(flock);
        Self {
            analyzer,
            flock,
            sample,
            motion: None,
            distances: None,
            hunt: None,
            group_sizes: None,
            largest: None,
            velocity_pairs: None,
        }
    }

    /// The value of a measure; NaN for one of a whole run, and where it is undefined.
    fn value(&mut self, measure: &Measure) -> f64 {
        measure.of_tick().map_or(f64::NAN, |value| value(self))
    }

    fn motion(&mut self) -> Motion {
        let (analyzer, flock) = (&mut *self.analyzer, self.flock);
        *self.motion.get_or_insert_with(|| match flock.boids() {
            0 => Motion::default(),
            _ => in_dimensions!(flock, analyzer.motion()),
        })
    }

    /// Not kept, since only one measure uses it.
    fn rotation(&mut self) -> f32 {
        let (analyzer, flock) = (&mut *self.analyzer, self.flock);
        if flock.boids() == 0 { 0.0 } else { in_dimensions!(flock, analyzer.rotation(flock)) }
    }

    fn distances(&mut self) -> Distances {
        let (analyzer, flock, sample) = (&mut *self.analyzer, self.flock, self.sample);
        *self.distances.get_or_insert_with(|| match flock.boids() {
            0 => Distances::default(),
            _ => in_dimensions!(flock, analyzer.distances(flock, sample)),
        })
    }

    fn hunt(&mut self) -> HuntCounts {
        let (analyzer, flock) = (&mut *self.analyzer, self.flock);
        *self.hunt.get_or_insert_with(|| in_dimensions!(flock, analyzer.hunt(flock)))
    }

    /// The sizes of the connected groups.
    fn group_sizes(&mut self) -> &[usize] {
        let (analyzer, flock) = (&mut *self.analyzer, self.flock);
        self.group_sizes.get_or_insert_with(|| in_dimensions!(flock, analyzer.group_sizes(flock)))
    }

    /// The largest connected group.
    fn largest(&mut self) -> &LargestFlock {
        self.in_largest().0
    }

    fn in_largest(&mut self) -> (&LargestFlock, &Analyzer, Snapshot<'a>) {
        self.group_sizes();
        let largest = self.largest.get_or_insert_with(|| LargestFlock::of(self.analyzer, self.flock));
        (largest, self.analyzer, self.flock)
    }

    /// The velocity fluctuations of the pairs in the largest connected group.
    fn velocity_pairs(&mut self) -> &VelocityPairs {
        if self.velocity_pairs.is_none() {
            let sample = self.sample;
            let (largest, analyzer, flock) = self.in_largest();
            let pairs = in_dimensions!(flock, analyzer.velocity_pairs(flock, &largest.members, sample));
            self.velocity_pairs = Some(pairs);
        }
        self.velocity_pairs.as_ref().expect("they are found above")
    }

    /// The anisotropy of the largest connected group.
    fn anisotropy(&mut self) -> Anisotropy {
        let (largest, analyzer, flock) = self.in_largest();
        in_dimensions!(flock, analyzer.anisotropy(flock, largest))
    }

    /// Whether each boid of the largest connected group is at its border.
    fn border(&mut self) -> Vec<bool> {
        let (largest, analyzer, flock) = self.in_largest();
        in_dimensions!(flock, analyzer.border(flock, largest))
    }

    /// Not kept, since only one measure uses it.
    fn nematic_order(&mut self) -> f32 {
        let (analyzer, flock) = (&*self.analyzer, self.flock);
        in_dimensions!(flock, analyzer.nematic_order()) as f32
    }
}

/// The side of the square or cube per boid, in u.
fn spacing(flock: Snapshot<'_>) -> f32 {
    let size = flock.world.size();
    let boids = count(flock.boids()) as f32;
    match flock.world {
        World::Rect(_) => (size[0] * size[1] / boids).sqrt(),
        World::Cuboid(_) | World::Sphere(_) => libm::cbrtf(size[0] * size[1] / boids * size[2]),
    }
}

fn count(number: usize) -> f64 {
    number as f64
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt()
}
