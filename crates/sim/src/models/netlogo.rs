//! Wilensky 1998, *`NetLogo` Flocking model*, Center for Connected Learning, Northwestern University: its rules and
//! parameters. `NetLogo` updates birds one after another; here all read the same state.

use super::by_heading::{self, Neighbor, Particles, Rule};
use super::{Boids, ModelRow, Reach};
use crate::math::{Wide, cosines_and_sines};
use crate::params::{Model, MoveBy};
use crate::simd::{Lanes, MAX_LANES};

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::NetLogo,
    version: 1,
    keys: Some(&["separation.radius"]),
    groups: &["netlogo", "vision"],
    dimensions: Some(2),
    reach: |params| Reach::of(params.vision.radius),
    advance: [advance, advance],
    ..ModelRow::BASE
};

fn advance(boids: Boids<'_, '_>) {
    let params = boids.environment.params;
    let rule = Turns {
        separation2: params.separation.radius * params.separation.radius,
        separate: params.netlogo.separate.to_radians(),
        align: params.netlogo.align.to_radians(),
        cohere: params.netlogo.cohere.to_radians(),
    };
    by_heading::advance::<2>(boids, MoveBy::New, rule);
}

/// If the nearest bird within `vision.radius` is nearer than `separation.radius`, a turn away from its *heading*.
/// Otherwise a turn toward the mean heading of all in sight, then one toward the mean direction to them. Each turn has a
/// limit. Of equally near birds the one with the lowest id counts.
#[derive(Clone, Copy)]
struct Turns {
    /// The squared radius of separation, in u².
    separation2: f32,
    /// The largest turns, in radians.
    separate: f32,
    align: f32,
    cohere: f32,
}

struct Sums<F> {
    headings: Wide<F, 2>,
    directions: Wide<F, 2>,
    nearest: Nearest<F>,
}

/// The nearest bird so far.
struct Nearest<F> {
    /// Infinite if there is none.
    d2: F,
    heading: Wide<F, 2>,
    /// Its index, which a float holds exactly: there are fewer agents than 2²⁴.
    index: F,
}

impl<F: Lanes> Nearest<F> {
    #[inline(always)]
    fn add(&mut self, other: &Neighbor<'_, F, 2>) {
        let d2 = F::select(other.is_near, other.d2, F::splat(f32::INFINITY));
        let mut is_nearer = d2.lt(self.d2);
        let is_equal = F::and(other.is_near, F::and(d2.le(self.d2), self.d2.le(d2)));
        if F::any(is_equal) {
            is_nearer = F::or(is_nearer, F::and(is_equal, self.follows(other)));
        }
        self.d2 = F::select(is_nearer, d2, self.d2);
        self.heading = Wide::select(is_nearer, other.heading, self.heading);
        self.index = F::select(is_nearer, F::splat(other.index as f32), self.index);
    }

    /// Whether the id is larger than that of the other bird.
    #[inline(always)]
    fn follows(&self, other: &Neighbor<'_, F, 2>) -> F::Mask {
        let id = other.id_at(other.index);
        let follows = self.index.to_array().map(|index| if other.id_at(index as usize) > id { 1.0 } else { 0.0 });
        F::splat(0.0).lt(F::load(&follows))
    }
}

impl Rule<2> for Turns {
    type Sums<F: Lanes> = Sums<F>;

    #[inline(always)]
    fn start<F: Lanes>(&self, _: &Particles<'_, F, 2>) -> Sums<F> {
        let nearest = Nearest { d2: F::splat(f32::INFINITY), heading: Wide::zero(), index: F::splat(0.0) };
        Sums { headings: Wide::zero(), directions: Wide::zero(), nearest }
    }

    #[inline(always)]
    fn add<F: Lanes>(&self, sums: &mut Sums<F>, other: &Neighbor<'_, F, 2>) {
        sums.headings = sums.headings.add_where(other.is_near, other.heading);
        sums.directions = sums.directions.add_where(other.is_near, other.direction());
        sums.nearest.add(other);
    }

    #[inline(always)]
    fn heading<F: Lanes>(&self, sums: Sums<F>, boids: &Particles<'_, F, 2>) -> Wide<F, 2> {
        let (own, nearest) = (boids.heading, sums.nearest);
        let is_too_near = nearest.d2.lt(F::splat(self.separation2));
        let (mean, has_mean) = sums.headings.unit();
        let angle = angles_between(own, Wide::select(is_too_near, nearest.heading, mean));
        let angle = F::select(is_too_near, -angle, angle);
        let max = F::select(is_too_near, F::splat(self.separate), F::splat(self.align));
        let first = Wide::select(F::or(is_too_near, has_mean), turn(own, angle, max), own);
        let joined = turn_toward(first, sums.directions, F::splat(self.cohere));
        let has_any = nearest.d2.lt(F::splat(f32::INFINITY));
        Wide::select(is_too_near, first, Wide::select(has_any, joined, own))
    }
}

/// Turns headings toward sums of unit vectors; a sum of zero has no direction.
#[inline(always)]
fn turn_toward<F: Lanes>(heading: Wide<F, 2>, sum: Wide<F, 2>, max: F) -> Wide<F, 2> {
    let (direction, nonzero) = sum.unit();
    Wide::select(nonzero, turn(heading, angles_between(heading, direction), max), heading)
}

/// Turns headings by angles, at most by `max` to either side, all in radians.
#[inline(always)]
fn turn<F: Lanes>(heading: Wide<F, 2>, angle: F, max: F) -> Wide<F, 2> {
    let (x, y) = cosines_and_sines(angle.max(-max).min(max));
    // Keeps the length at 1 over many ticks.
    Wide([x * heading[0] - y * heading[1], y * heading[0] + x * heading[1]]).unit().0
}

/// The signed angles between headings, in radians.
#[inline(always)]
fn angles_between<F: Lanes>(from: Wide<F, 2>, to: Wide<F, 2>) -> F {
    let (sines, cosines) = ((from[0] * to[1] - from[1] * to[0]).to_array(), from.dot(to).to_array());
    let mut angles = [0.0; MAX_LANES];
    for lane in 0..F::WIDTH {
        angles[lane] = libm::atan2f(sines[lane], cosines[lane]);
    }
    F::load(&angles)
}
