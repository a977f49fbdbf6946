//! The neighbour kernel: lanes are boids.
//!
//! A block of boids that stand side by side in one row of the grid meets its candidates one by
//! one, each boid in a lane of its own. Every lane adds its own candidates in their order, and who
//! is out of a radius adds exactly 0, so the sums are the same bit for bit however boids are put
//! into blocks, and however many lanes the machine adds at once.

#![allow(
    clippy::needless_bitwise_bool,
    clippy::needless_range_loop,
    clippy::inline_always,
    reason = "plain loops over lanes without branches, inlined into one, are what compilers turn into vectors"
)]

use std::ops::Range;

use super::agents::Agents;
use super::coincidence::{COINCIDENT, part};
use super::metric::Metric;
use super::params::{Falloff, Params};
use super::perception::{Neighbors, Sum};
use super::rules::fade;
use super::vector::Vector;

/// How many boids meet a candidate at once.
pub(super) const LANES: usize = 4;

/// One number for each lane.
type Lane<const L: usize> = [f32; L];

/// A sum over neighbours, for each lane.
#[derive(Clone, Copy)]
struct Sums<const L: usize> {
    total: [Lane<L>; 3],
    count: Lane<L>,
}

impl<const L: usize> Sums<L> {
    const ZERO: Self = Self { total: [[0.0; L]; 3], count: [0.0; L] };

    /// Adds each lane's term where it counts, and exactly 0 elsewhere.
    #[inline(always)]
    fn add(&mut self, dim: usize, counts: &[bool; L], term: impl Fn(usize, usize) -> f32) {
        for axis in 0..dim {
            for lane in 0..L {
                self.total[axis][lane] += if counts[lane] { term(axis, lane) } else { 0.0 };
            }
        }
        for lane in 0..L {
            self.count[lane] += if counts[lane] { 1.0 } else { 0.0 };
        }
    }

    fn lane<V: Vector>(&self, lane: usize) -> Sum<V> {
        Sum { total: V::from_axes(self.total.map(|axis| axis[lane])), count: self.count[lane] }
    }
}

/// What a block has perceived so far.
#[derive(Clone, Copy)]
struct Perceived<const L: usize> {
    separation: Sums<L>,
    alignment: Sums<L>,
    cohesion: Sums<L>,
}

/// Up to `L` boids that stand side by side in one row of the grid.
#[derive(Clone, Copy)]
pub(super) struct Block<const L: usize> {
    places: [u32; L],
    at: [Lane<L>; 3],
    perceived: Perceived<L>,
}

impl<const L: usize> Block<L> {
    /// The boids at these places, at least one; lanes that are left over repeat the last.
    pub(super) fn new(agents: &Agents, places: Range<usize>) -> Self {
        let places: [usize; L] = std::array::from_fn(|lane| (places.start + lane).min(places.end - 1));
        Self {
            places: places.map(|place| place as u32),
            at: std::array::from_fn(|axis| {
                places.map(|place| agents.positions(axis).get(place).copied().unwrap_or(0.0))
            }),
            perceived: Perceived { separation: Sums::ZERO, alignment: Sums::ZERO, cohesion: Sums::ZERO },
        }
    }

    /// The box around its boids: its least and its greatest corner.
    pub(super) fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let fold = |f: fn(f32, f32) -> f32| self.at.map(|axis| axis.into_iter().reduce(f).unwrap_or(0.0));
        (fold(f32::min), fold(f32::max))
    }

    /// What the boid in a lane has perceived.
    pub(super) fn neighbors<V: Vector>(&self, lane: usize) -> Neighbors<V> {
        Neighbors {
            separation: self.perceived.separation.lane(lane),
            alignment: self.perceived.alignment.lane(lane),
            cohesion: self.perceived.cohesion.lane(lane),
        }
    }
}

/// The rules' radii and falloff, worked out once a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    metric: Metric,
    falloff: Falloff,
    /// Radii in u; 0 where infinite, as those sums come from totals.
    separation: f32,
    alignment: f32,
    cohesion: f32,
    inner: f32,
}

impl Kernel {
    pub(super) fn new(params: &Params, metric: Metric) -> Self {
        let finite = |radius: f32| if radius.is_finite() { radius } else { 0.0 };
        Self {
            metric,
            falloff: params.separation.falloff,
            separation: params.separation.radius,
            alignment: finite(params.alignment.radius),
            cohesion: finite(params.cohesion.radius),
            inner: params.cohesion.inner,
        }
    }

    /// Adds a run of candidates to the sums of a block.
    pub(super) fn meet<V: Vector, const L: usize>(&self, agents: &Agents, block: &mut Block<L>, run: Range<usize>) {
        let Block { places, at, perceived } = *block;
        block.perceived = if self.metric.wraps() {
            self.add_run::<V, L, true>(agents, &places, at, perceived, run)
        } else {
            self.add_run::<V, L, false>(agents, &places, at, perceived, run)
        };
    }

    #[inline(always)]
    fn add_run<V: Vector, const L: usize, const WRAPS: bool>(
        &self,
        agents: &Agents,
        places: &[u32; L],
        at: [Lane<L>; 3],
        perceived: Perceived<L>,
        run: Range<usize>,
    ) -> Perceived<L> {
        // Copies, so that sums stay in registers.
        let Perceived { mut separation, mut alignment, mut cohesion } = perceived;
        let [near, matched, far, inner] =
            [self.separation, self.alignment, self.cohesion, self.inner].map(|radius| radius * radius);
        let first = run.start;
        let (positions, velocities) = (agents.run_of_positions(run.clone()), agents.run_of_velocities(run));
        for place in 0..positions.len() {
            let candidate = positions.axes(place);
            let mut offset = [[0.0_f32; L]; 3];
            let mut d2 = [0.0_f32; L];
            for axis in 0..V::DIM {
                for lane in 0..L {
                    let straight = candidate[axis] - at[axis][lane];
                    offset[axis][lane] = if WRAPS { self.metric.shorter(axis, straight) } else { straight };
                    d2[lane] += offset[axis][lane] * offset[axis][lane];
                }
            }
            let apart = d2.map(|d2| d2 > COINCIDENT);

            let velocity = velocities.axes(place);
            alignment
                .add(V::DIM, &std::array::from_fn(|lane| apart[lane] & (d2[lane] < matched)), |axis, _| velocity[axis]);
            let drawn = std::array::from_fn(|lane| apart[lane] & (d2[lane] < far) & (d2[lane] >= inner));
            cohesion.add(V::DIM, &drawn, |axis, lane| offset[axis][lane]);

            let close: [bool; L] = std::array::from_fn(|lane| apart[lane] & (d2[lane] < near));
            if close.iter().any(|close| *close) {
                let fade = d2.map(|d2| fade(self.falloff, d2, self.separation));
                separation.add(V::DIM, &close, |axis, lane| offset[axis][lane] * fade[lane]);
            }

            let other = (first + place) as u32;
            if (0..L).any(|lane| !apart[lane] & (places[lane] != other)) {
                let perceived = Perceived { separation, alignment, cohesion };
                Perceived { separation, alignment, cohesion } =
                    self.part::<V, L>(agents, places, other, &apart, perceived);
            }
        }
        Perceived { separation, alignment, cohesion }
    }

    /// Adds a candidate to the lanes of those boids who stand in its very place, but are not it.
    #[cold]
    #[inline(never)]
    fn part<V: Vector, const L: usize>(
        &self,
        agents: &Agents,
        places: &[u32; L],
        other: u32,
        apart: &[bool; L],
        mut perceived: Perceived<L>,
    ) -> Perceived<L> {
        let id = |place: u32| agents.ids()[place as usize];
        let velocity = agents.velocity::<V>(other as usize).axes();
        for lane in (0..L).filter(|&lane| !apart[lane] && places[lane] != other) {
            let counts = |counts: bool| std::array::from_fn(|other| other == lane && counts);
            let offset = |radius: f32| part::<V>(id(places[lane]), id(other), radius);
            let (away, d2) = offset(self.separation);
            let push = away * fade(self.falloff, d2, self.separation);
            perceived.separation.add(V::DIM, &counts(self.separation > 0.0), |axis, _| push.axes()[axis]);
            perceived.alignment.add(V::DIM, &counts(self.alignment > 0.0), |axis, _| velocity[axis]);
            let (away, d2) = offset(self.cohesion);
            let drawn = self.cohesion > 0.0 && d2 >= self.inner * self.inner;
            perceived.cohesion.add(V::DIM, &counts(drawn), |axis, _| away.axes()[axis]);
        }
        perceived
    }
}
