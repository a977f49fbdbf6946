use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{Params, Response};

/// How a sum over neighbours becomes steering; nothing where it is over none, or comes to nothing.
#[inline(always)]
pub(crate) fn respond<F: Lanes, const D: usize>(
    response: Response,
    weight: f32,
    velocity: Wide<F, D>,
    sum: &Sum<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let weight = F::splat(weight);
    // Over nobody, a total less those who are too near may be a hair off 0.
    let accompanied = F::splat(0.0).lt(sum.count);
    let moved = F::both(accompanied, sum.total.nonzero());
    match response {
        Response::Sum => (sum.total * weight).only(moved),
        Response::Mean => (sum.total * (weight / sum.count)).only(moved),
        Response::Unit => (sum.total.unit().0 * weight).only(accompanied),
        Response::Steer => {
            let (unit, some) = sum.total.unit();
            (reynolds(unit, velocity, params) * weight).only(F::both(accompanied, some))
        }
    }
}

/// Steering toward full speed along `unit`, limited in force (Reynolds 1999, *Steering Behaviors
/// For Autonomous Characters*).
#[inline(always)]
pub(crate) fn reynolds<F: Lanes, const D: usize>(
    unit: Wide<F, D>,
    velocity: Wide<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let wish = unit * F::splat(params.speed.max) - velocity;
    if params.limits.max_force > 0.0 { wish.limit(params.limits.max_force) } else { wish }
}
