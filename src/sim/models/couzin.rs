//! Couzin, Krause, James, Ruxton & Franks 2002, *Collective memory and spatial sorting in animal groups*, J. Theor. Biol.
//! 218, 1–11. The paper is in 3-D; the 2-D model is flockscope's own variant.

use std::f32::consts::TAU;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::by_heading::{self, Boid, turned};
use super::{Boids, Keys, ModelRow, Reach};
use crate::sim::forces::heading::limit_angle;
use crate::sim::math::Wide;
use crate::sim::neighbors::{FieldOfView, ViewThreshold};
use crate::sim::params::{Couzin, Model, MoveBy, Params};

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Couzin,
    keys: Keys::Only(&[
        "couzin.repulsion",
        "couzin.orientation",
        "couzin.attraction",
        "couzin.error",
        "perception.angle",
        "max_turn",
    ]),
    groups: &["couzin"],
    reach: |params| Reach::of(radii(params)[2]),
    advance: [advance::<2>, advance::<3>],
    ..by_heading::BASE
};

fn advance<const D: usize>(boids: Boids<'_, '_>) {
    by_heading::advance(boids, MoveBy::New, next_heading::<D>);
}

/// The direction away from all neighbors in the zone of repulsion; if it is empty, the sum of the headings in the zone of
/// orientation and of the directions to those in the zone of attraction, both without the blind angle. A Gaussian error
/// turns it, and `max_turn` limits the turn of the boid.
fn next_heading<const D: usize>(boid: &Boid<'_, D>, params: &Params) -> Wide<f32, D> {
    let [repulsion, orientation, attraction] = radii(params);
    let threshold = ViewThreshold::new(params.perception.angle);
    let view = FieldOfView::new(boid.heading, threshold);
    let (mut away, mut social, mut is_crowded) = (Wide::zero(), Wide::zero(), false);
    boid.neighbors(attraction, |other| {
        if other.d2 < repulsion * repulsion {
            is_crowded = true;
            away += -other.offset.unit().0;
        } else if threshold.is_none() || view.sees(other.offset, other.d2) {
            social += if other.d2 < orientation * orientation { other.heading } else { other.offset.unit().0 };
        }
    });
    let mut desired = boid.direction(if is_crowded { away } else { social });
    if params.couzin.error > 0.0 {
        let mut rng = boid.random();
        let angle = params.couzin.error.to_radians() * gaussian(&mut rng);
        desired = turned(desired, angle, &mut rng);
    }
    let max_turn = params.limits.max_turn.to_radians();
    if max_turn > 0.0 { limit_angle(boid.heading, desired, max_turn) } else { desired }
}

/// A standard normal number (Box & Muller 1958).
fn gaussian(rng: &mut Xoshiro256PlusPlus) -> f32 {
    // 1 − u, as the logarithm needs a number above 0.
    let (u, v) = (1.0 - rng.random::<f32>(), rng.random::<f32>());
    (-2.0 * libm::logf(u)).sqrt() * libm::cosf(TAU * v)
}

/// The outer radii of the zones of repulsion, orientation and attraction, in u.
fn radii(params: &Params) -> [f32; 3] {
    let Couzin { repulsion, orientation, attraction, .. } = params.couzin;
    [repulsion, repulsion + orientation, repulsion + orientation + attraction]
}
