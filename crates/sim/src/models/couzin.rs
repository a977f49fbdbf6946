//! Couzin, Krause, James, Ruxton & Franks 2002, *Collective memory and spatial sorting in animal groups*, J. Theor. Biol.
//! 218, 1–11. The paper is in 3-D; the 2-D model is flockscope's own variant.

use std::f32::consts::{PI, TAU};

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::by_heading::{self, Neighbor, Particles, Rule};
use super::{Boids, ModelRow, Reach};
use crate::forces::heading::limit_turn;
use crate::math::{Wide, cosines_and_sines, turned};
use crate::neighbors::{FieldOfView, ViewThreshold};
use crate::params::{Couzin, Model, MoveBy, Params};
use crate::simd::Lanes;

/// The largest deviation of a boid from the mean, as a multiple of the standard deviation.
const MAX_DEVIATION: f32 = 3.0;

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Couzin,
    version: 2,
    keys: Some(&["perception.angle", "max_turn"]),
    groups: &["couzin"],
    reach: |params| {
        let mean = widths(params).iter().sum();
        Reach { search: mean * (1.0 + MAX_DEVIATION * params.couzin.zones_deviation), ..Reach::of(mean) }
    },
    min_parallel: |_| 1000,
    advance: [advance::<2>, advance::<3>],
    ..ModelRow::BASE
};

fn advance<const D: usize>(boids: Boids<'_, '_>) {
    let params = boids.environment.params;
    let Couzin { speed_deviation, turn_deviation, zones_deviation, .. } = params.couzin;
    let rule = Zones {
        widths: widths(params),
        view: ViewThreshold::new(params.perception.angle),
        error: params.couzin.error.to_radians(),
        max_turn: params.limits.max_turn.to_radians(),
        deviations: [speed_deviation, turn_deviation, zones_deviation, zones_deviation, zones_deviation],
    };
    by_heading::advance::<D>(boids, MoveBy::New, rule);
}

/// The direction away from all neighbors in the zone of repulsion; if it is empty, the sum of the headings in the zone of
/// orientation and of the directions to those in the zone of attraction, both without the blind angle. A Gaussian error
/// turns it, in 3-D a spherically wrapped one, and `max_turn` limits the turn of the boid.
#[derive(Clone, Copy)]
struct Zones {
    /// The mean widths of the zones, in u.
    widths: [f32; 3],
    view: Option<ViewThreshold>,
    /// Standard deviation of the error, in radians.
    error: f32,
    /// In radians.
    max_turn: f32,
    /// The standard deviations of the speed, the largest turn and the widths of the zones, as fractions of their means.
    deviations: [f32; 5],
}

/// The properties of boids, and sums over their neighbors.
struct Sums<F, const D: usize> {
    /// The squared outer radii of the zones of repulsion, orientation and attraction, in u².
    radii2: [F; 3],
    /// As multiples of `speed.max` and `max_turn`.
    speed: F,
    turn: F,
    view: FieldOfView<F, D>,
    /// Away from neighbors in the zone of repulsion.
    away: Wide<F, D>,
    crowd: F,
    social: Wide<F, D>,
}

impl<const D: usize> Rule<D> for Zones {
    type Sums<F: Lanes> = Sums<F, D>;

    #[inline(always)]
    fn radius2<F: Lanes>(&self, _: f32, sums: &Sums<F, D>) -> F {
        sums.radii2[2]
    }

    #[inline(always)]
    fn speed<F: Lanes>(&self, sums: &Sums<F, D>) -> F {
        sums.speed
    }

    #[inline(always)]
    fn start<F: Lanes>(&self, boids: &Particles<'_, F, D>) -> Sums<F, D> {
        let [speed, turn, zones @ ..] = self.factors(boids);
        let [repulsion, orientation, attraction] = [0, 1, 2].map(|zone| F::splat(self.widths[zone]) * zones[zone]);
        let radii = [repulsion, repulsion + orientation, repulsion + orientation + attraction];
        Sums {
            radii2: radii.map(|radius| radius * radius),
            speed,
            turn,
            view: FieldOfView::new(boids.heading, self.view),
            away: Wide::zero(),
            crowd: F::splat(0.0),
            social: Wide::zero(),
        }
    }

    #[inline(always)]
    fn add<F: Lanes>(&self, sums: &mut Sums<F, D>, other: &Neighbor<'_, F, D>) {
        let Neighbor { is_near, offset, d2, heading, .. } = *other;
        let ([repulsion2, orientation2, _], direction) = (sums.radii2, other.direction());
        let is_repelling = F::and(is_near, d2.lt(repulsion2));
        sums.away = sums.away.add_where(is_repelling, -direction);
        sums.crowd = sums.crowd.add_where(is_repelling, F::splat(1.0));
        let is_social = F::and(F::and(is_near, repulsion2.le(d2)), sums.view.sees(offset, d2));
        let is_oriented = d2.lt(orientation2);
        sums.social = sums.social.add_where(is_social, Wide::select(is_oriented, heading, direction));
    }

    #[inline(always)]
    fn heading<F: Lanes>(&self, sums: Sums<F, D>, boids: &Particles<'_, F, D>) -> Wide<F, D> {
        let is_crowded = F::splat(0.0).lt(sums.crowd);
        let mut desired = boids.direction(Wide::select(is_crowded, sums.away, sums.social));
        if self.error > 0.0 {
            // In 3-D the components of the error in the plane across the direction are two normal numbers.
            let [error, around] =
                boids.draw(|rng| if D == 2 { [gaussians(rng)[0], 0.0] } else { gaussians_as_polar(rng) });
            let (cosine, sine) = cosines_and_sines(F::splat(self.error) * error);
            desired = turned(desired, cosine, sine, around);
        }
        if self.max_turn > 0.0 {
            let max_turn = (F::splat(self.max_turn) * sums.turn).min(F::splat(PI));
            desired = limit_turn(boids.block.boids.len(), boids.heading, desired, max_turn);
        }
        desired
    }
}

impl Zones {
    /// The factors by which the speed, the largest turn and the widths of the zones of each boid differ from the mean.
    #[inline(always)]
    fn factors<F: Lanes, const D: usize>(&self, boids: &Particles<'_, F, D>) -> [F; 5] {
        let one = F::splat(1.0);
        if self.deviations == [0.0; 5] {
            return [one; 5];
        }
        let drawn = boids.draw_constants(|rng| {
            let [speed, turn] = gaussians(rng);
            let ([repulsion, orientation], [attraction, _]) = (gaussians(rng), gaussians(rng));
            [speed, turn, repulsion, orientation, attraction]
        });
        std::array::from_fn(|index| {
            let limited = drawn[index].min(F::splat(MAX_DEVIATION)).max(F::splat(-MAX_DEVIATION));
            (one + limited * F::splat(self.deviations[index])).max(F::splat(0.0))
        })
    }
}

/// Two independent standard normal numbers (Box & Muller 1958).
fn gaussians(rng: &mut Xoshiro256PlusPlus) -> [f32; 2] {
    let [length, angle] = gaussians_as_polar(rng);
    [length * libm::cosf(angle), length * libm::sinf(angle)]
}

/// The length and the angle (radians) of a vector of two independent standard normal numbers.
fn gaussians_as_polar(rng: &mut Xoshiro256PlusPlus) -> [f32; 2] {
    // 1 − u, as the logarithm needs a number above 0.
    let (u, v) = (1.0 - rng.random::<f32>(), rng.random::<f32>());
    [(-2.0 * libm::logf(u)).sqrt(), TAU * v]
}

/// The mean widths of the zones of repulsion, orientation and attraction, in u.
fn widths(params: &Params) -> [f32; 3] {
    let Couzin { repulsion, orientation, attraction, .. } = params.couzin;
    [repulsion, orientation, attraction]
}
