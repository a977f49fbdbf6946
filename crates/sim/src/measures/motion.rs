//! Polarization, rotation and speeds of the boids, the distances to their neighbors, and the predators that see them.

use std::ops::Range;

use glam::Vec2;

use super::anisotropy::nearest;
use super::terms::Terms;
use super::{Analyzer, count, length, spacing};
use crate::agents::Kind;
use crate::math::{Circle, Wide, cross, pairwise_sum, pairwise_sum_of_rows};
use crate::models::ModelRow;
use crate::neighbors::{Block, CellList, Visitor};
use crate::params::{Params, PredatorMode};
use crate::simd::{Lanes, MAX_LANES};
use crate::snapshot::{RecordedFrame, Snapshot};
use crate::world::Metric;

/// Order and speeds of the boids.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub polarization: f32,
    pub mean_speed: f32,
    pub speed_deviation: f32,
}

impl Analyzer {
    pub(super) fn motion<const D: usize>(&mut self) -> Motion {
        let boids = self.prey.agents.len();
        let count = count(boids);
        let [x, y, z, speed] = self.terms.fill(&self.prey, Velocities::<D>);
        let [x, y, z, speed, square] =
            pairwise_sum_of_rows([x, y, z, speed], |[x, y, z, speed]| [x, y, z, speed, speed * speed]);
        Motion {
            // Rounding of unit vectors may add up to more than 1.
            polarization: (length([x, y, z]) / count).min(1.0) as f32,
            mean_speed: (speed / count) as f32,
            speed_deviation: (square / count - (speed / count).powi(2)).max(0.0).sqrt() as f32,
        }
    }

    /// `|Σ ĉ × v̂| / N` (Couzin et al. 2002), with the unit vectors `ĉ` from the center of the flock and `v̂` of the velocity.
    pub(super) fn rotation<const D: usize>(&mut self, flock: Snapshot<'_>) -> f32 {
        let boids = self.prey.agents.len();
        let center = Wide::splat(self.center(flock));
        let metric = flock.metric();
        // The rounding error that the circular mean causes: closer boids have no direction from the center.
        let min = if metric.wraps() { flock.world.size().into_iter().fold(0.0, f32::max) * 1e-6 } else { 0.0 };
        let terms = Turning::<D> { metric, center, min };
        let axes = self.terms.fill(&self.prey, terms);
        let turning = pairwise_sum_of_rows(axes, |axes| axes);
        (length(turning) / count(boids)) as f32
    }

    /// The mean position; on a torus, the circular mean along each axis.
    fn center(&mut self, flock: Snapshot<'_>) -> [f32; 3] {
        let (boids, dim) = (self.prey.agents.len(), self.prey.agents.dim());
        let size = flock.world.size();
        let wraps = flock.metric().wraps();
        std::array::from_fn(|axis| {
            if axis >= dim {
                return 0.0;
            }
            if !wraps {
                let [total] = pairwise_sum_of_rows([self.prey.agents.positions(axis)], |at| at);
                return (total / count(boids)) as f32;
            }
            let circle = Circle::of(size[axis]);
            let points = self.terms.fill(&self.prey, CirclePoints { circle, axis });
            let [x, y] = pairwise_sum_of_rows(points, |point| point);
            circle.toward(Vec2::new(x as f32, y as f32))
        })
    }
}

/// The points of coordinates on a circle.
#[derive(Clone, Copy)]
struct CirclePoints {
    circle: Circle,
    axis: usize,
}

impl Terms<2> for CirclePoints {
    #[inline(always)]
    fn of<F: Lanes>(&self, prey: &CellList, boids: Range<usize>) -> [F; 2] {
        self.circle.points(F::load_or(&prey.agents.positions(self.axis)[boids], 0.0)).into()
    }
}

/// The axes of the heading, and the speed.
#[derive(Clone, Copy)]
struct Velocities<const D: usize>;

impl<const D: usize> Terms<4> for Velocities<D> {
    #[inline(always)]
    fn of<F: Lanes>(&self, prey: &CellList, boids: Range<usize>) -> [F; 4] {
        let velocity = Block::<F, D>::new(&prey.agents, boids).velocity();
        let [x, y, z] = velocity.unit().0.axes();
        [x, y, z, velocity.length()]
    }
}

/// The axes of `ĉ × v̂`, with the unit vectors `ĉ` from the center of the flock and `v̂` of the velocity.
#[derive(Clone, Copy)]
struct Turning<const D: usize> {
    metric: Metric,
    center: Wide<f32, D>,
    /// Nearer boids have no direction from the center, in u.
    min: f32,
}

impl<const D: usize> Terms<3> for Turning<D> {
    #[inline(always)]
    fn of<F: Lanes>(&self, prey: &CellList, boids: Range<usize>) -> [F; 3] {
        let block: Block<F, D> = Block::new(&prey.agents, boids);
        let center = Wide::new(|axis| F::splat(self.center[axis]));
        let offset = self.metric.minimum_image(block.position - center);
        let from_center = offset.unit().0.masked(F::splat(self.min).lt(offset.length()));
        cross(Wide(block.velocity().unit().0.axes()), Wide(from_center.axes())).0
    }
}

/// The neighborhood of a boid, on average.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Distances {
    pub nearest_neighbor: f32,
    pub neighbors: f32,
}

impl Analyzer {
    /// Means over about `sample` boids.
    pub(super) fn distances<const D: usize>(&mut self, flock: Snapshot<'_>, sample: usize) -> Distances {
        let metric = flock.metric();
        let boids = self.prey.agents.len();
        let every = boids.div_ceil(sample.max(1)).max(1);
        let sampled = boids.div_ceil(every);
        let (model, params) = (flock.model(), flock.params);
        let reach = model.perception(params);
        // Where the nearest few count, they are within the radius in which the search for them begins, or little more.
        let first = if model.most_neighbors(params, 0).is_some() { 2.0 * model.search_radius(params) } else { reach };
        let terms = Neighborhoods::<D> { metric, first: first.min(reach), reach, every, model, params: *params };
        let [squared, seen] = self.terms.fill(&self.prey, terms);
        let coordinates =
            |frame: RecordedFrame<'_>| self.prey.agents.ids().iter().filter_map(|id| frame.find(*id)).collect();
        let recorded: Option<Vec<[f64; 3]>> = flock.recorded.map(coordinates);
        let [distances, neighbors] = pairwise_sum(boids, every, |index| {
            // Without neighbors, the nearest boid is farther away.
            let squared = squared[index];
            let distance = if squared.is_finite() {
                squared.sqrt()
            } else {
                let found = nearest::<D>(&self.prey, &metric, index as u32, 1, &mut spacing(flock));
                found.first().map_or(0.0, |(squared, _)| if squared.is_finite() { squared.sqrt() } else { 0.0 })
            };
            let distance = match &recorded {
                Some(recorded) => recorded_distance::<D>(&self.prey, recorded, metric, index, distance),
                None => f64::from(distance),
            };
            [distance, f64::from(seen[index])]
        });
        Distances {
            nearest_neighbor: (distances / count(sampled)) as f32,
            neighbors: (neighbors / count(sampled)) as f32,
        }
    }
}

/// The distance between the recorded coordinates of a boid and of the nearest other one, which is about as near in f32.
fn recorded_distance<const D: usize>(
    prey: &CellList,
    recorded: &[[f64; 3]],
    metric: Metric,
    index: usize,
    about: f32,
) -> f64 {
    const ROUNDING: f32 = 1e-5;
    let center: Wide<f32, D> = prey.agents.position(index);
    let farthest = center.axes().into_iter().fold(about, |most, at| most.max(at.abs()));
    let mut nearest = f64::INFINITY;
    prey.within(&metric, center, about + ROUNDING * farthest, |other, _, _| {
        if other != index {
            let offset = [0, 1, 2].map(|axis| metric.exact_offset(axis, recorded[index][axis], recorded[other][axis]));
            nearest = nearest.min(offset.iter().map(|along| along * along).sum());
        }
    });
    if nearest.is_finite() { nearest.sqrt() } else { f64::from(about) }
}

/// The squared distance to the nearest boid within reach, in u², infinite if none is known, and the number of those within reach
/// with which a boid interacts.
#[derive(Clone, Copy)]
struct Neighborhoods<const D: usize> {
    metric: Metric,
    /// The radius that contains all with which most boids interact, in u; at most `reach`.
    first: f32,
    /// May be infinite.
    reach: f32,
    /// Only every so many boids are needed.
    every: usize,
    model: &'static ModelRow,
    params: Params,
}

impl<const D: usize> Neighborhoods<D> {
    /// The boids that each lane interacts with, if all others are near.
    #[inline(always)]
    fn most<F: Lanes>(&self, prey: &CellList, boids: Range<usize>) -> F {
        let mut most = [prey.agents.len() as f32 - 1.0; MAX_LANES];
        for (most, id) in most.iter_mut().zip(&prey.agents.ids()[boids]) {
            if let Some(limit) = self.model.most_neighbors(&self.params, *id) {
                *most = most.min(limit as f32);
            }
        }
        F::load(&most)
    }
}

impl<const D: usize> Terms<2> for Neighborhoods<D> {
    #[inline(always)]
    fn of<F: Lanes>(&self, prey: &CellList, boids: Range<usize>) -> [F; 2] {
        let (none, infinite) = (F::splat(0.0), F::splat(f32::INFINITY));
        if boids.start.next_multiple_of(self.every) >= boids.end {
            return [infinite, none];
        }
        let most = self.most::<F>(prey, boids.clone());
        if self.reach.is_infinite() {
            return [infinite, most];
        }
        let block: Block<F, D> = Block::new(&prey.agents, boids);
        let near = |radius: f32| {
            let visitor = CountNear { radius2: F::splat(radius * radius), nearest: infinite, count: none };
            prey.visit(&block, &self.metric, radius, visitor)
        };
        let mut found = near(self.first);
        if self.first < self.reach && F::any(found.count.lt(most)) {
            found = near(self.reach);
        }
        // A boid beyond the radius may not be the nearest.
        let is_known = F::splat(0.0).lt(found.count);
        [F::select(is_known, found.nearest, infinite), found.count.min(most)]
    }
}

struct CountNear<F> {
    radius2: F,
    nearest: F,
    count: F,
}

impl<F: Lanes, const D: usize> Visitor<F, D> for CountNear<F> {
    #[inline(always)]
    fn visit(&mut self, _: usize, _: Wide<F, D>, d2: F) {
        let is_near = d2.lt(self.radius2);
        self.nearest = d2.min(self.nearest);
        self.count = self.count.add_where(is_near, F::splat(1.0));
    }
}

/// Numbers of agents in the hunt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HuntCounts {
    pub hunting: usize,
    pub resting: usize,
    pub prey_in_sight: usize,
}

impl Analyzer {
    pub(super) fn hunt<const D: usize>(&mut self, flock: Snapshot<'_>) -> HuntCounts {
        let mut hunt = HuntCounts::default();
        if flock.predators == 0 || flock.params.hunt.mode == PredatorMode::Flock {
            return hunt;
        }
        let metric = flock.metric();
        let radius = flock.params.hunt.radius;
        self.seen.clear();
        self.seen.resize(self.prey.agents.len(), false);
        let agents = flock.agents;
        for (index, _) in agents.kinds().iter().enumerate().filter(|(_, kind)| **kind == Kind::Predator) {
            if agents.mood_of(index).is_predator_at_rest(flock.params) {
                hunt.resting += 1;
                continue;
            }
            let at: Wide<f32, D> = agents.position(index);
            let mut sees = false;
            self.prey.within(&metric, at, radius, |other, _, _| {
                self.seen[other] = true;
                sees = true;
            });
            hunt.hunting += usize::from(sees);
        }
        hunt.prey_in_sight = self.seen.iter().filter(|seen| **seen).count();
        hunt
    }
}
