//! The alarm of neighbors.

use std::ops::Range;

use super::sums::shape;
use crate::agents::{Agents, AxisSlices};
use crate::math::Wide;
use crate::neighbors::ViewThreshold;
use crate::params::{Falloff, Params, Sum};
use crate::simd::{Lanes, VectorLoop, run_vectorized};

/// The alarm `a` and the flight `a·v` of all agents, in the order of memory.
#[derive(Debug, Default)]
pub(super) struct AlarmTable {
    alarm: Vec<f32>,
    flight: [Vec<f32>; 3],
}

impl AlarmTable {
    /// Whether the loop over neighbors reads the table: it is compiled for the rules of murmurations. Other flocks visit their
    /// alarmed neighbors on their own.
    pub(super) fn is_used(params: &Params) -> bool {
        params.limits.max_neighbors == 0.0
            && params.perception.nearest == 0.0
            && ViewThreshold::new(params.perception.angle).is_none()
            && params.species.count <= 1.0
            && params.separation.falloff == Falloff::InverseSquare
            && shape::of(params) == shape::ONE_RADIUS
            && params.alarm.radius <= params.rule_reach()
    }

    pub(super) fn rebuild(&mut self, agents: &Agents, dim: usize) {
        self.alarm.resize(agents.len(), 0.0);
        for axis in &mut self.flight[..dim] {
            axis.resize(agents.len(), 0.0);
        }
        run_vectorized(Fill { table: self, agents, dim });
    }

    /// The alarm and the flight of a range of agents.
    #[inline(always)]
    pub(super) fn slices<const D: usize>(&self, run: Range<usize>) -> (AxisSlices<'_, 1>, AxisSlices<'_, D>) {
        let len = run.len();
        let axes = std::array::from_fn(|axis| &self.flight[axis][run.clone()][..len]);
        (AxisSlices { axes: [&self.alarm[run.clone()][..len]] }, AxisSlices { axes })
    }
}

struct Fill<'a> {
    table: &'a mut AlarmTable,
    agents: &'a Agents,
    dim: usize,
}

impl VectorLoop for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { table, agents, dim } = self;
        for (alarm, &mood) in table.alarm.iter_mut().zip(agents.moods()) {
            *alarm = if mood > 0.0 { mood } else { 0.0 };
        }
        for axis in 0..dim {
            let flown = agents.velocities(axis).iter().zip(&table.alarm);
            for (flight, (velocity, alarm)) in table.flight[axis].iter_mut().zip(flown) {
                *flight = velocity * alarm;
            }
        }
    }
}

/// What boids, one in each lane, take from alarmed neighbors.
#[derive(Clone, Copy)]
pub(crate) struct AlarmSums<F, const D: usize> {
    /// The squared distance below which boids alarm each other, in u².
    radius2: F,
    strongest: F,
    /// `Σ a·v`, with `Σ a` as the count.
    flight: Sum<F, D>,
}

impl<F: Lanes, const D: usize> AlarmSums<F, D> {
    #[inline(always)]
    pub(crate) fn new(radius: f32) -> Self {
        let zero = F::splat(0.0);
        Self { radius2: F::splat(radius * radius), strongest: zero, flight: Sum { total: Wide::zero(), count: zero } }
    }

    /// Adds an agent at this squared distance, with its alarm and flight.
    #[inline(always)]
    pub(crate) fn add(&mut self, d2: F, alarm: F, flight: Wide<F, D>) {
        let is_near = d2.lt(self.radius2);
        self.strongest = F::select(is_near, alarm.max(self.strongest), self.strongest);
        let total = self.flight.total;
        self.flight.total = Wide::new(|axis| total[axis].add_where(is_near, flight[axis]));
        self.flight.count = self.flight.count.add_where(is_near, alarm);
    }

    /// The strongest alarm, and the sum of flights.
    #[inline(always)]
    pub(crate) fn end(self) -> (F, Sum<F, D>) {
        (self.strongest, self.flight)
    }
}
