//! The neighbor kernel: a block of boids, one in each lane, adds up its neighbors.
//!
//! The candidates are the agents in the grid cells near the block. Each lane adds its own neighbors in the order of the
//! candidates, and exactly 0 for all others, so the sums have the same bits for any block size and lane count.

use std::ops::Range;

use super::alarm::AlarmSums;
use super::sums::{Candidate, Radii, RuleSums, shape};
use super::{NeighborIndex, NeighborQuery};
use crate::agents::AxisSlices;
use crate::math::Wide;
use crate::neighbors::{
    Block, CAPACITY, COINCIDENT, Candidates, FieldOfView, SearchLimits, Shift, SpeciesRange, Window,
};
use crate::params::{Falloff, Perceived};
use crate::simd::{Lanes, Task, VectorLoop};

/// The falloffs for which loops are compiled, in the order of the enum; the number behind them is that of the loop for any falloff,
/// which serves `inverse-cube` and scalar code.
const FALLOFFS: [Falloff; 4] = [Falloff::Flat, Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare];
const ANY_FALLOFF: usize = FALLOFFS.len();

/// Adds up the neighbors of these boids, and marks those whose sums the scalar search has to find.
pub(super) fn add_up<const D: usize>(
    query: &NeighborQuery<'_>,
    boids: Range<usize>,
    perceived: &mut Perceived,
    limits: &mut SearchLimits,
) {
    if query.view.is_some() || query.is_multi_species {
        let boids = AddUp::<D, false, ANY_FALLOFF, { shape::FULL }, false> { query, boids, perceived, limits };
        return query.simd.run(boids);
    }
    if query.neighbors.finds_alarm {
        // `AlarmTable::is_used` asks for this falloff and shape, so that one loop adds up alarm.
        const FALLOFF: usize = Falloff::InverseSquare as usize;
        let boids = AddUp::<D, true, FALLOFF, { shape::ONE_RADIUS }, true> { query, boids, perceived, limits };
        return query.simd.run(boids);
    }
    macro_rules! run_wide {
        ($($falloff:literal)*) => {
            match (query.params.separation.falloff as usize, shape::of(query.params)) {
                $(($falloff, shape::ONE_RADIUS) => run_wide!($falloff, ONE_RADIUS),
                ($falloff, shape::TWO_RADII) => run_wide!($falloff, TWO_RADII),
                ($falloff, _) => run_wide!($falloff, FULL),)*
                _ => false,
            }
        };
        ($falloff:literal, $shape:ident) => {{
            let boids = boids.clone();
            let boids = AddUp::<D, true, $falloff, { shape::$shape }, false> { query, boids, perceived, limits };
            query.simd.run_wide(boids).is_ok()
        }};
    }
    if run_wide!(0 1 2 3) {
        return;
    }
    // Scalar code, and the falloff that few flocks use, have no separate loops, as each takes the compiler long.
    if shape::of(query.params) == shape::FULL {
        query.simd.run(AddUp::<D, true, ANY_FALLOFF, { shape::FULL }, false> { query, boids, perceived, limits });
    } else {
        query.simd.run(AddUp::<D, true, ANY_FALLOFF, { shape::TWO_RADII }, false> { query, boids, perceived, limits });
    }
}

/// A chunk of boids adds up its neighbors. `PLAIN` says that all see all round and are of one species, and `ALARM` that they also
/// add up the alarm of their neighbors.
struct AddUp<'a, const D: usize, const PLAIN: bool, const FALLOFF: usize, const SHAPE: u8, const ALARM: bool> {
    query: &'a NeighborQuery<'a>,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
    limits: &'a mut SearchLimits,
}

impl<const D: usize, const PLAIN: bool, const FALLOFF: usize, const SHAPE: u8, const ALARM: bool> Task
    for AddUp<'_, D, PLAIN, FALLOFF, SHAPE, ALARM>
{
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, boids, perceived, limits } = self;
        let (flock, first) = (&query.neighbors.flock, boids.start);
        let mut list = [0; CAPACITY];
        for boids in flock.blocks(boids, F::WIDTH) {
            let slots = boids.start - first..boids.end - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let radius = limits.radius(slots.clone(), query.reach);
            let window = flock.window(block.bounds(), radius);
            let limit = limits.load(slots.start);
            let mut visitor = Visitor::new(query, block, limit);
            if PLAIN && D == 3 && window.is_direct() {
                let mut candidates = Candidates::new(&visitor.block, radius, flock.runs(window));
                // Only among the boids of the block is one that must not count itself.
                while let Some([before, own, behind]) = candidates.next(&mut list) {
                    visitor.visit_list::<FALLOFF, SHAPE, ALARM, false>(before);
                    visitor.visit_list::<FALLOFF, SHAPE, ALARM, true>(own);
                    visitor.visit_list::<FALLOFF, SHAPE, ALARM, false>(behind);
                }
            } else {
                visitor = visitor.visit_runs::<PLAIN, FALLOFF, SHAPE, ALARM>(window);
            }
            if ALARM {
                let (strongest, flight) = visitor.alarm.end();
                strongest.store(&mut perceived.alarm[slots.start..]);
                perceived.flight.store(slots.start, flight);
            }
            match visitor.sums::<SHAPE>() {
                Some(sums) => sums.store(perceived, slots.start),
                None => limits.mark_unresolved(slots),
            }
        }
    }
}

/// A block of boids that visits its candidates.
struct Visitor<'a, F: Lanes, const D: usize> {
    query: &'a NeighborQuery<'a>,
    block: Block<'a, F, D>,
    view: FieldOfView<F, D>,
    species: SpeciesRange<F>,
    radii: Radii<F>,
    sums: RuleSums<F, D>,
    alarm: AlarmSums<F, D>,
    /// The smallest squared distance to another agent.
    nearest: F,
}

impl<'a, F: Lanes, const D: usize> Visitor<'a, F, D> {
    #[inline(always)]
    fn new(query: &'a NeighborQuery<'a>, block: Block<'a, F, D>, limit: F) -> Self {
        Self {
            query,
            view: FieldOfView::new(block.velocity(), query.view),
            species: query.neighbors.species.block(block.boids.clone()),
            block,
            radii: Radii::new(query, limit),
            sums: RuleSums::zero(),
            alarm: AlarmSums::new(query.params.alarm.radius),
            nearest: F::splat(f32::INFINITY),
        }
    }

    /// Visits all agents of a window.
    #[inline(always)]
    fn visit_runs<const PLAIN: bool, const FALLOFF: usize, const SHAPE: u8, const ALARM: bool>(
        mut self,
        window: Window,
    ) -> Self {
        for (run, shift) in self.query.neighbors.flock.runs(window) {
            let (is_own, is_shifted) = (self.block.overlaps(&run), shift != [0.0; 3]);
            if window.is_ambiguous || is_own && is_shifted {
                // Rare, so that one loop serves all rules.
                self = F::outline(NearestImages::<F, D, ALARM> { visitor: self, run });
            } else if PLAIN {
                match (is_own, is_shifted) {
                    (false, false) => self.visit_run::<FALLOFF, SHAPE, ALARM, false, false>(run, shift),
                    (false, true) => self.visit_run::<FALLOFF, SHAPE, ALARM, false, true>(run, shift),
                    (true, _) => self.visit_run::<FALLOFF, SHAPE, ALARM, true, false>(run, shift),
                }
            } else if is_own {
                self.visit_any::<ALARM, true, false>(run, shift);
            } else {
                self.visit_any::<ALARM, false, false>(run, shift);
            }
        }
        self
    }

    #[inline(always)]
    fn visit_run<const FALLOFF: usize, const SHAPE: u8, const ALARM: bool, const OWN: bool, const SHIFTED: bool>(
        &mut self,
        run: Range<usize>,
        shift: Shift,
    ) {
        let columns = Columns::of::<ALARM>(self.query.neighbors, run.clone());
        self.visit_plain::<FALLOFF, SHAPE, ALARM, OWN, SHIFTED>(&columns, 0..run.len(), run.start, shift);
    }

    #[inline(always)]
    fn visit_list<const FALLOFF: usize, const SHAPE: u8, const ALARM: bool, const OWN: bool>(&mut self, list: &[u32]) {
        let columns = Columns::of::<ALARM>(self.query.neighbors, 0..self.block.agents.len());
        let places = list.iter().map(|&index| index as usize);
        self.visit_plain::<FALLOFF, SHAPE, ALARM, OWN, false>(&columns, places, 0, Shift::default());
    }

    /// The innermost loop for most flocks: the agents at these places, counted from the index `first`. `OWN` says that they
    /// may be boids of the block, and `SHIFTED` that they are seen in the periodic image that is `shift` away.
    #[inline(always)]
    fn visit_plain<const FALLOFF: usize, const SHAPE: u8, const ALARM: bool, const OWN: bool, const SHIFTED: bool>(
        &mut self,
        columns: &Columns<'_, D>,
        places: impl Iterator<Item = usize>,
        first: usize,
        shift: Shift,
    ) {
        let (weight, shift) = (F::splat(1.0), Wide::splat(shift));
        // The sums of plain flocks read neither the weight nor the masks, which the compiler leaves out.
        let never = weight.lt(weight);
        let falloff = FALLOFFS.get(FALLOFF).copied().unwrap_or(self.query.params.separation.falloff);
        let Columns { positions, velocities, alarms, flights } = *columns;
        // Copies, so that they stay in registers.
        let (radii, mut sums, mut alarm, mut nearest) = (self.radii, self.sums, self.alarm, self.nearest);
        for place in places {
            let mut offset = positions.splat::<F>(place) - self.block.position;
            if SHIFTED {
                offset = offset - shift;
            }
            let mut d2 = offset.length_squared();
            if OWN {
                d2 += self.block.self_distance(first + place);
            }
            nearest = d2.min(nearest);
            let velocity = velocities.splat(place);
            let other = Candidate { offset, d2, velocity, in_view: never, weight, other_species: never };
            sums.add::<SHAPE, false, false>(&radii, falloff, &other);
            if ALARM {
                alarm.add(d2, alarms.splat(place)[0], flights.splat(place));
            }
        }
        (self.sums, self.alarm, self.nearest) = (sums, alarm, nearest);
    }

    /// The innermost loop for every flock. `OWN` says that the run may have boids of the block, and `NEAREST` that each candidate
    /// is seen in its nearest periodic image instead of the one that is `shift` away.
    #[inline(always)]
    fn visit_any<const ALARM: bool, const OWN: bool, const NEAREST: bool>(&mut self, run: Range<usize>, shift: Shift) {
        let shift = Wide::splat(shift);
        let (one, follow) = (F::splat(1.0), F::splat(self.query.params.species.follow));
        let Columns { positions, velocities, alarms, flights } =
            Columns::of::<ALARM>(self.query.neighbors, run.clone());
        let (radii, mut sums, mut alarm, mut nearest) = (self.radii, self.sums, self.alarm, self.nearest);
        for index in 0..positions.len() {
            let offset = positions.splat::<F>(index) - self.block.position;
            let offset = if NEAREST { self.query.metric.minimum_image(offset) } else { offset - shift };
            let mut d2 = offset.length_squared();
            if OWN {
                d2 += self.block.self_distance(run.start + index);
            }
            nearest = d2.min(nearest);
            let species = SpeciesRange::splat(self.query.neighbors.species.at(run.start + index));
            let other = Candidate {
                offset,
                d2,
                velocity: velocities.splat(index),
                in_view: self.view.sees(offset, d2),
                weight: F::select(self.species.same_species(species), one, follow),
                other_species: self.species.different_species(species),
            };
            sums.add::<{ shape::FULL }, true, true>(&radii, self.query.params.separation.falloff, &other);
            if ALARM {
                alarm.add(d2, alarms.splat(index)[0], flights.splat(index));
            }
        }
        (self.sums, self.alarm, self.nearest) = (sums, alarm, nearest);
    }

    /// The sums; `None` if boids are coincident.
    #[inline(always)]
    fn sums<const SHAPE: u8>(self) -> Option<RuleSums<F, D>> {
        // The offset to a coincident boid is drawn from both ids, which the loops do not read.
        (!F::any(self.nearest.le(F::splat(COINCIDENT)))).then(|| self.sums.complete(SHAPE))
    }
}

/// What the innermost loop reads of some agents. All columns have the same length.
#[derive(Clone, Copy)]
struct Columns<'a, const D: usize> {
    positions: AxisSlices<'a, D>,
    velocities: AxisSlices<'a, D>,
    /// Empty unless `ALARM`.
    alarms: AxisSlices<'a, 1>,
    flights: AxisSlices<'a, D>,
}

impl<'a, const D: usize> Columns<'a, D> {
    #[inline(always)]
    fn of<const ALARM: bool>(neighbors: &'a NeighborIndex, run: Range<usize>) -> Self {
        let (positions, velocities) = neighbors.flock.agents.run(run.clone());
        let (alarms, flights) = if ALARM {
            neighbors.alarms.slices(run)
        } else {
            (AxisSlices { axes: [&[]; 1] }, AxisSlices { axes: [&[]; D] })
        };
        Self { positions, velocities, alarms, flights }
    }
}

/// A run of candidates in their nearest periodic images. The visitor is passed by value, so that it stays in registers
/// elsewhere.
struct NearestImages<'a, F: Lanes, const D: usize, const ALARM: bool> {
    visitor: Visitor<'a, F, D>,
    run: Range<usize>,
}

impl<'a, F: Lanes, const D: usize, const ALARM: bool> VectorLoop for NearestImages<'a, F, D, ALARM> {
    type Output = Visitor<'a, F, D>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        self.visitor.visit_any::<ALARM, true, true>(self.run, Shift::default());
        self.visitor
    }
}
