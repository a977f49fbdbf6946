use super::response::reynolds;
use crate::sim::params::{Match, Params};
use crate::sim::perception::Sum;
use crate::sim::vector::Vector;

/// What alignment contributes: to the force, or past its limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aligned<V> {
    pub force: V,
    pub replacement: V,
}

/// Flying as the neighbours do; `sum` holds `Σ v` over them.
pub(super) fn align<V: Vector>(velocity: V, sum: &Sum<V>, params: &Params) -> Aligned<V> {
    let none = Aligned::default();
    if sum.count == 0.0 {
        return none;
    }
    let weight = params.alignment.weight;
    let force = match params.alignment.matching {
        Match::Sum => sum.total * weight,
        Match::Mean => sum.total * (weight / sum.count),
        Match::Difference => (sum.total * (1.0 / sum.count) - velocity) * weight,
        Match::Unit => sum.total.unit().unwrap_or_default() * weight,
        Match::Steer => match sum.total.unit() {
            Some(unit) => reynolds(unit, velocity, params) * weight,
            None => return none,
        },
        Match::Replace => {
            let replacement = match (velocity + sum.total).unit() {
                Some(unit) => (unit * velocity.length() - velocity) * weight,
                None => V::default(),
            };
            return Aligned { replacement, ..none };
        }
    };
    Aligned { force, ..none }
}
