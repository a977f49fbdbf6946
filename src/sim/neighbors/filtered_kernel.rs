//! The kernel of boids that do not heed all who are near alike: field of view, species.
//!
//! | rule | whom it keeps |
//! | --- | --- |
//! | field of view | `j` with an angle between heading and `r` of at most half of `perception.angle`; a boid at rest sees all round, and two in one place see each other |
//! | topological | of these, inside the reach (the largest of the three rules' finite radii), the `perception.nearest` first by (`d`, id) |
//! | cap | of these, the `max_neighbors` first in cyclic order of ids |
//! | species | all of these, and in alignment and cohesion `j` counts as `s_ij`: 1 for kin, `species.follow` for others |
//!
//! Each rule then heeds those of them who are inside its own radius, with `n = Σ s_ij` and `S = Σ s_ij · (r or v)`. Like
//! the plain kernel, this one adds a lane's own candidates in order, and exactly 0 for whoever is not heeded, so that
//! the sums are the same bit for bit for any number of lanes. How far the nearest few are has been found out before, in
//! [`nearest`](super::topological), for this kernel and the plain one alike.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::coincidence::COINCIDENT;
use super::field_of_view::{FieldOfView, ViewThreshold};
use super::grid::{Shift, Window};
use super::kernel::{Block, Kernel};
use super::perceived::{Perceived, Sum};
use super::query::{NeighborIndex, NeighborQuery};
use super::simd::{Lanes, Task};
use super::species::SpeciesRange;
use crate::sim::agents::AxisSlices;
use crate::sim::math::wide::Wide;
use crate::sim::params::{Falloff, Params};
use crate::sim::rules::falloff_factor;

/// Whom boids heed of those who are near, worked out once a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighborFilter {
    pub(crate) kernel: Kernel,
    /// The edge of the field of view, where there is one.
    pub(crate) edge: Option<ViewThreshold>,
    /// How many of the nearest; 0 is all.
    pub(crate) nearest: usize,
    /// The square of the reach.
    pub(crate) reach2: f32,
    /// Whether there is more than one species.
    mixed: bool,
    pub(crate) follow: f32,
    /// Whether others' nearness is pushed away from.
    pub(crate) avoids: bool,
}

/// Why those within a limit are not heeded alike: kernels are compiled for each.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Angle,
    Species,
    AngleAndSpecies,
}

impl NeighborFilter {
    pub(crate) fn new(params: &Params, kernel: Kernel) -> Self {
        let mixed = params.species.count > 1.0;
        Self {
            kernel,
            edge: ViewThreshold::new(params.perception.angle),
            nearest: params.perception.nearest as usize,
            reach2: params.reach() * params.reach(),
            mixed,
            follow: params.species.follow,
            avoids: mixed && params.species.avoid > 0.0,
        }
    }

    /// Whether it leaves anyone out or counts anyone less.
    pub(crate) fn chooses(&self) -> bool {
        self.nearest > 0 || self.shape().is_some()
    }

    /// What it asks for besides the nearest; nothing where all of these are heeded alike.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match (self.edge.is_some(), self.mixed) {
            (false, false) => None,
            (true, false) => Some(Shape::Angle),
            (false, true) => Some(Shape::Species),
            (true, true) => Some(Shape::AngleAndSpecies),
        }
    }
}

/// A sum over neighbors, who need not count in full.
#[derive(Clone, Copy)]
pub(crate) struct WeightedSum<F, const D: usize> {
    total: Wide<F, D>,
    count: F,
}

impl<F: Lanes, const D: usize> WeightedSum<F, D> {
    #[inline(always)]
    fn zero() -> Self {
        Self { total: Wide::zero(), count: F::splat(0.0) }
    }

    /// Adds a share of each lane's term where the mask holds, and exactly 0 elsewhere.
    #[inline(always)]
    pub(crate) fn add(&mut self, mask: F::Mask, term: Wide<F, D>, share: F) {
        self.total = Wide::new(|axis| self.total[axis].add_where(mask, term[axis] * share));
        self.count = self.count.add_where(mask, share);
    }

    #[inline(always)]
    fn sum(self) -> Sum<F, D> {
        Sum { total: self.total, count: self.count }
    }
}

/// The radii of the rules, squared, and what else sums over neighbors need, ready for every lane.
#[derive(Clone, Copy)]
pub(crate) struct Rules<F> {
    near: F,
    matched: F,
    far: F,
    inner: F,
    /// The radius of separation.
    radius: F,
    falloff: Falloff,
    avoids: bool,
    /// By how much the push away from a stranger falls with each u: 1 by cohesion's radius.
    slope: F,
}

impl<F: Lanes> Rules<F> {
    #[inline(always)]
    pub(crate) fn new(heed: &NeighborFilter, avoids: bool) -> Self {
        let Kernel { separation, alignment, cohesion, inner, falloff, .. } = heed.kernel;
        let [near, matched, far, inner] =
            [separation, alignment, cohesion, inner].map(|radius| F::splat(radius * radius));
        let (radius, slope) = (F::splat(separation), F::splat(1.0 / cohesion));
        Self { near, matched, far, inner, radius, falloff, avoids, slope }
    }
}

/// One whom each lane may heed.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<F: Lanes, const D: usize> {
    pub(crate) offset: Wide<F, D>,
    pub(crate) d2: F,
    pub(crate) velocity: Wide<F, D>,
    /// How much it counts in alignment and cohesion.
    pub(crate) share: F,
    /// Where it is of another species.
    pub(crate) stranger: F::Mask,
}

/// What has been heeded so far.
#[derive(Clone, Copy)]
pub(crate) struct WeightedSums<F, const D: usize> {
    pub(crate) separation: WeightedSum<F, D>,
    pub(crate) alignment: WeightedSum<F, D>,
    pub(crate) cohesion: WeightedSum<F, D>,
    pub(crate) other_species: WeightedSum<F, D>,
}

impl<F: Lanes, const D: usize> WeightedSums<F, D> {
    #[inline(always)]
    pub(crate) fn nobody() -> Self {
        let zero = WeightedSum::zero();
        Self { separation: zero, alignment: zero, cohesion: zero, other_species: zero }
    }

    /// Adds one where it is heeded and inside a rule's radius.
    #[inline(always)]
    pub(crate) fn add(&mut self, rules: &Rules<F>, heeded: F::Mask, other: &Candidate<F, D>) {
        let one = F::splat(1.0);
        let Candidate { offset, d2, velocity, share, stranger } = *other;
        self.alignment.add(F::and(heeded, d2.lt(rules.matched)), velocity, share);
        let inside = F::and(heeded, d2.lt(rules.far));
        self.cohesion.add(F::and(inside, rules.inner.le(d2)), offset, share);
        let push = offset * falloff_factor(rules.falloff, d2, rules.radius);
        self.separation.add(F::and(heeded, d2.lt(rules.near)), push, one);
        if rules.avoids {
            let push = offset * (one / d2.sqrt() - rules.slope);
            self.other_species.add(F::and(inside, stranger), push, one);
        }
    }

    #[inline(always)]
    pub(crate) fn store(self, heed: &NeighborFilter, perceived: &mut Perceived, index: usize) {
        perceived.separation.store(index, self.separation.sum());
        perceived.alignment.store(index, self.alignment.sum());
        perceived.cohesion.store(index, self.cohesion.sum());
        if heed.avoids {
            perceived.other_species.store(index, self.other_species.sum());
        }
    }
}

/// In which image candidates are met: kernels are compiled for each.
mod image {
    /// Where they stand.
    pub const HERE: u8 = 0;
    /// A whole run of them in the one that is `shift` away.
    pub const SHIFTED: u8 = 1;
    /// Each in its nearest.
    pub const NEAREST: u8 = 2;
}

/// A block on its way through its candidates, in a kernel of one shape: whether it has a field of view, and whether there
/// are several species.
struct FilteredPass<'a, F: Lanes, const D: usize, const ANGLE: bool, const SPECIES: bool> {
    heed: &'a NeighborFilter,
    senses: &'a NeighborIndex,
    block: &'a Block<'a, F, D>,
    positions: AxisSlices<'a, D>,
    velocities: AxisSlices<'a, D>,
    gaze: FieldOfView<F, D>,
    kin: SpeciesRange<F>,
    window: Window,
    /// Below which squared distance others are heeded.
    limit: F,
    met: WeightedSums<F, D>,
    /// The least squared distance to another.
    closest: F,
}

impl<'a, F: Lanes, const D: usize, const ANGLE: bool, const SPECIES: bool> FilteredPass<'a, F, D, ANGLE, SPECIES> {
    #[inline(always)]
    fn new(
        heed: &'a NeighborFilter,
        senses: &'a NeighborIndex,
        block: &'a Block<'a, F, D>,
        window: Window,
        limit: F,
    ) -> Self {
        let (positions, velocities) = block.agents.run(0..block.agents.len());
        Self {
            heed,
            senses,
            block,
            positions,
            velocities,
            gaze: FieldOfView::new(block.velocities(), heed.edge),
            kin: senses.species.block(block.places.clone()),
            window,
            limit,
            met: WeightedSums::nobody(),
            closest: F::splat(f32::INFINITY),
        }
    }

    /// Meets a run of candidates; on a torus, all of them in their image `shift` away.
    #[inline(always)]
    fn meet(&mut self, run: Range<usize>, shift: Shift) {
        let own = self.block.is_among(&run);
        if self.window.ambiguous {
            self.meet_images::<{ image::NEAREST }>(run, own, shift);
        } else if shift == [0.0; 3] {
            self.meet_images::<{ image::HERE }>(run, own, shift);
        } else {
            self.meet_images::<{ image::SHIFTED }>(run, own, shift);
        }
    }

    #[inline(always)]
    fn meet_images<const IMAGE: u8>(&mut self, run: Range<usize>, own: bool, shift: Shift) {
        let heed = self.heed;
        let (one, follow) = (F::splat(1.0), F::splat(heed.follow));
        let (rules, gaze) = (Rules::new(heed, SPECIES && heed.avoids), self.gaze);
        let species = self.senses.species.run(0..self.positions.len());
        // Copies, so that sums stay in registers.
        let (mut met, mut closest) = (self.met, self.closest);
        for place in run {
            let (offset, d2) = self.way::<IMAGE>(place, own, shift);
            closest = d2.min(closest);
            let mut heeded = d2.lt(self.limit);
            if ANGLE {
                heeded = F::and(heeded, gaze.sees(offset, d2));
            }
            let velocity = self.velocities.at(place);
            let mut other = Candidate { offset, d2, velocity, share: one, stranger: d2.lt(F::splat(0.0)) };
            if SPECIES {
                let kin = SpeciesRange::splat(species.at(place));
                other.share = F::select(self.kin.same_species(kin), one, follow);
                other.stranger = self.kin.different_species(kin);
            }
            met.add(&rules, heeded, &other);
        }
        (self.met, self.closest) = (met, closest);
    }

    /// The offset to a candidate, who may be of the block's `own`, and its squared length; infinite to oneself.
    #[inline(always)]
    fn way<const IMAGE: u8>(&self, place: usize, own: bool, shift: Shift) -> (Wide<F, D>, F) {
        let straight = self.positions.at(place) - self.block.at;
        let offset = match IMAGE {
            image::HERE => straight,
            image::SHIFTED => straight - Wide::splat(shift),
            _ => self.heed.kernel.metric.minimum_image(straight),
        };
        let mut d2 = offset.length_squared();
        if own {
            d2 += self.block.itself(place);
        }
        (offset, d2)
    }

    /// What was met; nothing where two stood in one place, which takes more care.
    #[inline(always)]
    fn heeded(self) -> Option<WeightedSums<F, D>> {
        (!F::any(self.closest.le(F::splat(COINCIDENT)))).then_some(self.met)
    }
}

/// A chunk of boids meets those whom it heeds, in the kernel of one shape.
struct MeetHeeded<'a, const D: usize, const ANGLE: bool, const SPECIES: bool> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    places: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize, const ANGLE: bool, const SPECIES: bool> Task for MeetHeeded<'_, D, ANGLE, SPECIES> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { sight, senses, places, perceived } = self;
        let (flock, first) = (&senses.flock, places.start);
        for places in flock.blocks(places, F::WIDTH) {
            let block: Block<F, D> = Block::new(&flock.agents, places.clone());
            let limits = &perceived.limits;
            let here = places.start - first..places.end - first;
            let (limit, reach) = (limits.load(here.start), limits.radius(here, sight.reach));
            let window = flock.window(block.bounds(), reach);
            let mut encounter: FilteredPass<F, D, ANGLE, SPECIES> =
                FilteredPass::new(&sight.heed, senses, &block, window, limit);
            for (run, shift) in flock.runs(window) {
                encounter.meet(run, shift);
            }
            match encounter.heeded() {
                Some(heeded) => heeded.store(&sight.heed, perceived, places.start - first),
                None => places.for_each(|place| sight.heed_alone::<D>(senses, place, perceived, place - first)),
            }
        }
    }
}

impl NeighborQuery<'_> {
    /// Adds up those whom boids heed, in the kernel for the shape of the rules.
    pub(crate) fn heed<const D: usize>(
        &self,
        shape: Shape,
        senses: &NeighborIndex,
        places: Range<usize>,
        perceived: &mut Perceived,
    ) {
        match shape {
            Shape::Angle => self.simd.run(MeetHeeded::<D, true, false> { sight: self, senses, places, perceived }),
            Shape::Species => self.simd.run(MeetHeeded::<D, false, true> { sight: self, senses, places, perceived }),
            Shape::AngleAndSpecies => {
                self.simd.run(MeetHeeded::<D, true, true> { sight: self, senses, places, perceived });
            }
        }
    }
}
