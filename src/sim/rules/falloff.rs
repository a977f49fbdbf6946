use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Falloff;

/// The factor `f(d)` by which separation and flee multiply an offset of squared length `d2` (u²).
#[inline(always)]
pub(crate) fn falloff_factor<F: Lanes>(falloff: Falloff, d2: F, radius: F) -> F {
    let one = F::splat(1.0);
    match falloff {
        Falloff::Flat => one,
        Falloff::Linear => radius - d2.sqrt(),
        Falloff::Inverse => one / d2.sqrt(),
        Falloff::InverseSquare => one / d2,
        Falloff::InverseCube => one / (d2 * d2.sqrt()),
    }
}
