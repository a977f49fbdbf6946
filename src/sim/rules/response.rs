use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{Params, Response};

/// How a sum over neighbors becomes steering; nothing where it is over none, or comes to nothing.
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
    let moved = F::and(accompanied, sum.total.nonzero());
    match response {
        Response::Sum => (sum.total * weight).masked(moved),
        Response::Mean => (sum.total * (weight / sum.count)).masked(moved),
        Response::Unit => (sum.total.unit().0 * weight).masked(accompanied),
        Response::Steer => {
            let (unit, some) = sum.total.unit();
            (steer_toward(unit, velocity, params) * weight).masked(F::and(accompanied, some))
        }
    }
}

/// Steering toward full speed along `unit`, limited in force (Reynolds 1999, *Steering Behaviors
/// For Autonomous Characters*).
#[inline(always)]
pub(crate) fn steer_toward<F: Lanes, const D: usize>(
    unit: Wide<F, D>,
    velocity: Wide<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let desired = unit * F::splat(params.speed.max) - velocity;
    if params.limits.max_force > 0.0 { desired.limit(params.limits.max_force) } else { desired }
}
