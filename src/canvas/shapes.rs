//! What one agent looks like: the dots of its body.

use glam::Vec2;

/// Calls `plot` with each dot of a predator's body at `at`, flying along the unit vector `heading`:
/// a dart with swept wings, about nine dots long.
pub(super) fn predator(at: Vec2, heading: Vec2, mut plot: impl FnMut(Vec2)) {
    let aside = heading.perp();
    for step in -3..=4 {
        plot(at + heading * step as f32);
    }
    for step in 1..=4 {
        let back = at + heading * (1.5 - 0.8 * step as f32);
        plot(back + aside * step as f32);
        plot(back - aside * step as f32);
    }
    for step in 1..=2 {
        let inner = at + heading * (0.5 - 0.8 * step as f32);
        plot(inner + aside * step as f32);
        plot(inner - aside * step as f32);
    }
}

/// Calls `plot` with each dot of a boid's body: its head, and `tail` dots behind it.
#[inline]
pub(super) fn boid(at: Vec2, heading: Vec2, tail: u8, mut plot: impl FnMut(Vec2)) {
    plot(at);
    for step in 1..=tail {
        plot(at - heading * f32::from(step));
    }
}

/// How many dots trail behind each head: where boids are few and the canvas large, bodies show
/// which way they fly.
pub(super) fn tail(dots: usize, boids: usize) -> u8 {
    match dots / boids.max(1) {
        0..24 => 0,
        24..160 => 1,
        _ => 2,
    }
}
