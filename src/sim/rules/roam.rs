use super::follow::aside;
use crate::sim::math::wide::Wide;
use crate::sim::params::Params;

/// How a leader roams: `roam · (w₁·a + w₂·(h × a) + (1 − |v|/c)·h)`.
///
/// `h` is its heading, `a` aside of it as its followers have it, `w` its whim, and `c` the cruising speed halfway between
/// the limits, at which others can catch up; in a flat world there is no `w₂`. A leader at rest stays at rest.
pub(crate) fn roam<const D: usize>(velocity: Wide<f32, D>, whim: [f32; 2], params: &Params) -> Wide<f32, D> {
    let cruise = 0.5 * (params.speed.min + params.speed.max);
    let (heading, flies) = velocity.unit();
    let aside = aside(heading);
    let pace = if cruise > 0.0 { 1.0 - velocity.length() / cruise } else { 0.0 };
    let mut wish = aside * whim[0] + heading * pace;
    if D == 3 {
        let ([hx, hy, hz], [ax, ay, az]) = (heading.axes(), aside.axes());
        wish += Wide::splat([hy * az - hz * ay, hz * ax - hx * az, hx * ay - hy * ax]) * whim[1];
    }
    (wish * params.leaders.roam).only(flies)
}
