use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// The turn of an alarmed boid to the way that alarmed neighbors fly; `flight` holds `Σ a·v` over them, and
/// `Σ a` as its count.
#[inline(always)]
pub(crate) fn follow_alarmed<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    alarm: F,
    flight: &Sum<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let accompanied = F::splat(0.0).lt(flight.count);
    let turn = flight.total * (F::splat(1.0) / flight.count) - velocity;
    (turn * (alarm * F::splat(params.alarm.weight))).masked(accompanied)
}
