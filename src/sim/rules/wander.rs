use super::follow::lateral;
use crate::sim::math::wide::Wide;
use crate::sim::params::Params;

/// How a leader roams: `wander · (w₁·a + w₂·(h × a) + (1 − |v|/c)·h)`.
///
/// `h` is its heading, `a` lateral of it as its followers have it, `w` its whim, and `c` the cruising speed halfway between
/// the limits, at which others can catch up; in a flat world there is no `w₂`. A leader at rest stays at rest.
pub(crate) fn wander<const D: usize>(velocity: Wide<f32, D>, whim: [f32; 2], params: &Params) -> Wide<f32, D> {
    let cruise = 0.5 * (params.speed.min + params.speed.max);
    let (heading, flies) = velocity.unit();
    let lateral = lateral(heading);
    let pace = if cruise > 0.0 { 1.0 - velocity.length() / cruise } else { 0.0 };
    let mut desired = lateral * whim[0] + heading * pace;
    if D == 3 {
        let ([hx, hy, hz], [ax, ay, az]) = (heading.axes(), lateral.axes());
        desired += Wide::splat([hy * az - hz * ay, hz * ax - hx * az, hx * ay - hy * ax]) * whim[1];
    }
    (desired * params.leaders.wander).masked(flies)
}
