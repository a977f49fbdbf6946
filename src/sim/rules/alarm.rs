use crate::sim::params::Params;
use crate::sim::perception::Sum;
use crate::sim::simd::Lanes;
use crate::sim::wide::Wide;

/// The turn of an alarmed boid to the way that alarmed neighbours fly; `flight` holds `Σ a·v` over them, and
/// `Σ a` as its count.
#[inline(always)]
pub(super) fn escape<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    alarm: F,
    flight: &Sum<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let accompanied = F::splat(0.0).lt(flight.count);
    let turn = flight.total * (F::splat(1.0) / flight.count) - velocity;
    (turn * (alarm * F::splat(params.alarm.weight))).only(accompanied)
}
