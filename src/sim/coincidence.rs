//! Boids in one place: `r` is 0 there, and is replaced by an offset that parts them.

use super::random::parting;
use super::vector::Vector;

/// Two boids whose squared distance (u²) computes to less stand in one place.
pub(super) const COINCIDENT: f32 = 1e-24;
/// The share of a rule's radius at which two boids in one place are taken to stand.
const PARTING: f32 = 1e-3;

/// The offset to another, and its square; where both stand in one place, one that parts them.
#[inline]
pub(super) fn apart<V: Vector>(me: u32, other: u32, offset: V, d2: f32, radius: f32) -> (V, f32) {
    if d2 > COINCIDENT { (offset, d2) } else { part(me, other, radius) }
}

/// The offset, and its square, at which one who stands in one's own place is taken to stand.
pub(super) fn part<V: Vector>(me: u32, other: u32, radius: f32) -> (V, f32) {
    let away = radius * PARTING;
    (parting::<V>(me, other) * away, away * away)
}
