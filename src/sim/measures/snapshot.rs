//! The measures of one state of a flock, each computed when it is first asked for.

use super::distances::Distances;
use super::hunting::Hunters;
use super::motion::Motion;
use super::{Analyzer, Flocks, Measure, Measures, spacing};
use crate::sim::flock::Flock;

/// Calls a method for the number of dimensions of a flock.
macro_rules! in_dimensions {
    ($flock:expr, $object:ident.$method:ident($($argument:expr),*)) => {
        match $flock.world().dim() {
            2 => $object.$method::<2>($($argument),*),
            _ => $object.$method::<3>($($argument),*),
        }
    };
}

/// A state of a flock, and the groups of measures that are known so far.
pub(super) struct Snapshot<'a> {
    analyzer: &'a mut Analyzer,
    flock: &'a Flock,
    sample: usize,
    /// Whether the prey is in the cells of all measures except the groups.
    is_sorted: bool,
    motion: Option<Motion>,
    distances: Option<Distances>,
    hunt: Option<Hunters>,
    flocks: Option<Flocks>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(analyzer: &'a mut Analyzer, flock: &'a Flock, sample: usize) -> Self {
        Self { analyzer, flock, sample, is_sorted: false, motion: None, distances: None, hunt: None, flocks: None }
    }

    /// The value of a measure; NaN for one of a whole run.
    pub(super) fn value(&mut self, measure: &Measure) -> f64 {
        measure.of_tick().map_or(f64::NAN, |value| value(self))
    }

    pub(super) fn measures(&mut self) -> Measures {
        let Motion { polarization, mean_speed, speed_deviation } = self.motion();
        let Distances { nearest_neighbor, neighbors } = self.distances();
        let Hunters { hunting, resting, prey_in_sight } = self.hunt();
        Measures {
            polarization,
            rotation: self.rotation(),
            mean_speed,
            speed_deviation,
            nearest_neighbor,
            neighbors,
            predators: self.flock.predators(),
            hunting,
            resting,
            prey_in_sight,
            caught: self.flock.caught(),
        }
    }

    pub(super) fn flock(&self) -> &Flock {
        self.flock
    }

    pub(super) fn motion(&mut self) -> Motion {
        if let Some(motion) = self.motion {
            return motion;
        }
        let (analyzer, flock) = self.sorted();
        let motion = if flock.boids() == 0 { Motion::default() } else { in_dimensions!(flock, analyzer.motion()) };
        *self.motion.insert(motion)
    }

    /// Only one measure asks for it.
    pub(super) fn rotation(&mut self) -> f32 {
        let (analyzer, flock) = self.sorted();
        if flock.boids() == 0 { 0.0 } else { in_dimensions!(flock, analyzer.rotation(flock)) }
    }

    pub(super) fn distances(&mut self) -> Distances {
        if let Some(distances) = self.distances {
            return distances;
        }
        let sample = self.sample;
        let (analyzer, flock) = self.sorted();
        let distances = if flock.boids() == 0 {
            Distances::default()
        } else {
            in_dimensions!(flock, analyzer.distances(flock, sample))
        };
        *self.distances.insert(distances)
    }

    pub(super) fn hunt(&mut self) -> Hunters {
        if let Some(hunt) = self.hunt {
            return hunt;
        }
        let (analyzer, flock) = self.sorted();
        let hunt = in_dimensions!(flock, analyzer.hunt(flock));
        *self.hunt.insert(hunt)
    }

    pub(super) fn flocks(&mut self) -> Flocks {
        if let Some(flocks) = self.flocks {
            return flocks;
        }
        self.is_sorted = false;
        let flocks = self.analyzer.flocks(self.flock);
        *self.flocks.insert(flocks)
    }

    /// Only one measure asks for it.
    pub(super) fn correlation_length(&mut self) -> f32 {
        let sample = self.sample;
        let (analyzer, flock) = self.sorted();
        in_dimensions!(flock, analyzer.correlation_length(flock, sample))
    }

    /// The analyzer with the prey in cells.
    fn sorted(&mut self) -> (&mut Analyzer, &'a Flock) {
        if !self.is_sorted {
            self.analyzer.sort(self.flock, spacing(self.flock));
            self.is_sorted = true;
        }
        (&mut *self.analyzer, self.flock)
    }
}
