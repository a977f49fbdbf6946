//! One boid at a time meets those whom it heeds, with care for those who stand in its place, for ties, and for the cap.
//!
//! Slower than blocks of boids, and the same sums.

use std::ops::Range;

use super::coincidence::{COINCIDENT, PARTING, parting};
use super::field_of_view::FieldOfView;
use super::filtered_kernel::{Candidate, NeighborFilter, Rules, WeightedSums};
use super::kernel::Kernel;
use super::perceived::Perceived;
use super::query::{NeighborIndex, NeighborQuery};
use super::topological::Ranking;
use crate::sim::math::wide::Wide;
use crate::sim::rules::falloff_factor;

impl NeighborQuery<'_> {
    /// Adds up those whom a boid heeds; with a cap only the first `max_neighbors` of them.
    pub(crate) fn heed_alone<const D: usize>(
        &self,
        senses: &NeighborIndex,
        place: usize,
        perceived: &mut Perceived,
        index: usize,
    ) {
        let alone: Alone<D> = Alone::new(self, senses, place);
        if self.params.limits.max_neighbors == 0.0 {
            return alone.meet(alone.heeded()).store(&self.heed, perceived, index);
        }
        let gather = |near: &mut Vec<u32>| near.extend(alone.heeded().map(|other| other as u32));
        self.cap(senses, place, gather, |near| {
            alone.meet(near.iter().map(|&other| other as usize)).store(&self.heed, perceived, index);
        });
    }
}

impl NeighborQuery<'_> {
    /// Adds up those whom boids heed whose limit does not tell them.
    pub(crate) fn heed_untold<const D: usize>(
        &self,
        senses: &NeighborIndex,
        places: Range<usize>,
        perceived: &mut Perceived,
    ) {
        for index in 0..places.len() {
            if perceived.limits.is_untold(index) {
                self.heed_alone::<D>(senses, places.start + index, perceived, index);
            }
        }
    }
}

/// One boid on its way through its candidates.
struct Alone<'a, const D: usize> {
    sight: &'a NeighborQuery<'a>,
    senses: &'a NeighborIndex,
    place: usize,
    at: Wide<f32, D>,
    gaze: FieldOfView<f32, D>,
    ranking: Option<Ranking>,
}

impl<'a, const D: usize> Alone<'a, D> {
    fn new(sight: &'a NeighborQuery<'a>, senses: &'a NeighborIndex, place: usize) -> Self {
        let agents = &senses.flock.agents;
        let gaze = FieldOfView::new(Wide::splat(agents.velocity_array(place)), sight.heed.edge);
        let mut alone =
            Self { sight, senses, place, at: Wide::splat(agents.position_array(place)), gaze, ranking: None };
        if sight.heed.nearest > 0 {
            let mut ranking = Ranking::new(sight.heed.nearest);
            alone.seen().for_each(|(other, d2)| ranking.take(d2, agents.ids()[other]));
            alone.ranking = Some(ranking);
        }
        alone
    }

    fn way(&self, other: usize) -> (Wide<f32, D>, f32) {
        let straight = Wide::splat(self.senses.flock.agents.position_array(other)) - self.at;
        let offset = self.sight.metric.minimum_image(straight);
        (offset, offset.length_squared())
    }

    /// The places of those within reach that it sees, in order, and how far they are, squared.
    fn seen(&self) -> impl Iterator<Item = (usize, f32)> {
        let NeighborQuery { reach, heed, .. } = self.sight;
        let flock = &self.senses.flock;
        let at = self.at.axes();
        let runs = flock.runs(flock.window((at, at), *reach));
        runs.flat_map(|(run, _)| run).filter(|&other| other != self.place).filter_map(|other| {
            let (offset, d2) = self.way(other);
            let seen = d2 < heed.reach2 && (d2 <= COINCIDENT || self.gaze.sees(offset, d2));
            seen.then_some((other, d2))
        })
    }

    /// The places of those whom it heeds, in order, cap or not.
    fn heeded(&self) -> impl Iterator<Item = usize> {
        let ids = self.senses.flock.agents.ids();
        let belongs = |other: usize, d2| self.ranking.as_ref().is_none_or(|ranking| ranking.has(d2, ids[other]));
        self.seen().filter(move |&(other, d2)| belongs(other, d2)).map(|(other, _)| other)
    }

    /// What it meets in these.
    fn meet(&self, others: impl Iterator<Item = usize>) -> WeightedSums<f32, D> {
        let Self { sight: NeighborQuery { heed, .. }, senses, place, .. } = self;
        let agents = &senses.flock.agents;
        let (me, kin) = (agents.ids()[*place], senses.species.at(*place));
        let (rules, mut met) = (Rules::new(heed, heed.avoids), WeightedSums::nobody());
        for other in others {
            let (offset, d2) = self.way(other);
            let stranger = kin.different_species(senses.species.at(other));
            let share = if stranger { heed.follow } else { 1.0 };
            let velocity = Wide::splat(agents.velocity_array(other));
            let candidate = Candidate { offset, d2, velocity, share, stranger };
            if d2 <= COINCIDENT {
                met.add_parted(heed, parting(me, agents.ids()[other]), &candidate);
            } else {
                met.add(&rules, true, &candidate);
            }
        }
        met
    }
}

impl<const D: usize> WeightedSums<f32, D> {
    /// Adds one who stands in the boid's very place, taken to stand a little `away`.
    fn add_parted(&mut self, heed: &NeighborFilter, away: Wide<f32, D>, other: &Candidate<f32, D>) {
        let Kernel { separation, alignment, cohesion, inner, falloff, .. } = heed.kernel;
        if separation > 0.0 {
            let distance = separation * PARTING;
            self.separation.add(true, away * distance * falloff_factor(falloff, distance * distance, separation), 1.0);
        }
        if alignment > 0.0 {
            self.alignment.add(true, other.velocity, other.share);
        }
        if cohesion > 0.0 {
            let distance = cohesion * PARTING;
            self.cohesion.add(distance * distance >= inner * inner, away * distance, other.share);
            if heed.avoids {
                self.other_species.add(other.stranger, away * (1.0 - PARTING), 1.0);
            }
        }
    }
}
