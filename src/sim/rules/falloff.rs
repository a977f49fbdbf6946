use crate::sim::params::Falloff;

/// The factor `f(d)` by which separation and flee multiply an offset of squared length `d2` (u²).
#[inline]
pub(in crate::sim) fn fade(falloff: Falloff, d2: f32, radius: f32) -> f32 {
    match falloff {
        Falloff::Flat => 1.0,
        Falloff::Linear => radius - d2.sqrt(),
        Falloff::Inverse => 1.0 / d2.sqrt(),
        Falloff::InverseSquare => 1.0 / d2,
        Falloff::InverseCube => 1.0 / (d2 * d2.sqrt()),
    }
}
