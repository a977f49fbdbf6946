use crate::sim::params::{Params, Response};
use crate::sim::perception::Sum;
use crate::sim::vector::Vector;

/// How a sum over neighbours becomes steering; nothing where it is over none, or comes to nothing.
pub(super) fn respond<V: Vector>(response: Response, weight: f32, velocity: V, sum: &Sum<V>, params: &Params) -> V {
    let Some(unit) = sum.total.unit().filter(|_| sum.count > 0.0) else {
        return V::default();
    };
    match response {
        Response::Sum => sum.total * weight,
        Response::Mean => sum.total * (weight / sum.count),
        Response::Unit => unit * weight,
        Response::Steer => reynolds(unit, velocity, params) * weight,
    }
}

/// Steering toward full speed along `unit`, limited in force (Reynolds 1999, *Steering Behaviors
/// For Autonomous Characters*).
pub(super) fn reynolds<V: Vector>(unit: V, velocity: V, params: &Params) -> V {
    let wish = unit * params.speed.max - velocity;
    if params.limits.max_force > 0.0 { wish.limit(params.limits.max_force) } else { wish }
}
