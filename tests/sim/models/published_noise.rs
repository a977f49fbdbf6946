//! Contract: the noise of published models, and the differences between their boids, have the published distributions.

use std::f64::consts::{PI, TAU};
use std::num::NonZeroUsize;

use flockscope::engine::in_pool;
use flockscope::sim::{Flock, Setup, World};

use super::published::{State, setup, unit};
use super::vector::Vector;

/// Mean and variance.
fn moments(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (mean, numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count)
}

/// The angles by which noise turns headings, over some ticks.
fn noise_angles(setup: &Setup, largest: f64) -> Vec<f64> {
    let mut flock = Flock::new(setup).unwrap();
    let mut angles = vec![];
    in_pool(NonZeroUsize::MIN, |scratch| {
        for _ in 0..20 {
            let before = flock.clone();
            flock.step(scratch);
            angles.extend(State::of(&before).compare(&flock, largest));
        }
    });
    angles
}

#[test]
fn vicsek_noise_is_uniform() {
    let setup = setup("vicsek", |setup| setup.params.noise.angle = 120.0);
    let width = 120.0_f64.to_radians();
    let angles = noise_angles(&setup, width);
    let (mean, variance) = moments(&angles);
    assert!(mean.abs() < 0.03, "{mean}");
    assert!((variance / (width * width / 12.0) - 1.0).abs() < 0.05, "{variance}");
}

/// The angles between the headings after a tick and those expected without noise, in a world so large that boids have no
/// neighbors; and the mean of each squared component of the headings after 20 ticks, the sum of which is 1.
fn errors_in_space(setup: &Setup) -> (Vec<f64>, [f64; 3]) {
    let mut flock = Flock::new(setup).unwrap();
    let mut angles = vec![];
    let headings = |flock: &Flock| flock.rows().into_iter().map(|row| Vector::from(row.velocity)).collect::<Vec<_>>();
    in_pool(NonZeroUsize::MIN, |scratch| {
        for _ in 0..20 {
            let before = headings(&flock);
            flock.step(scratch);
            angles.extend(before.iter().zip(headings(&flock)).map(|(before, after)| before.angle_to(after)));
        }
    });
    let headings: Vec<Vector> = headings(&flock).into_iter().map(unit).collect();
    let mean = |axis: usize| headings.iter().map(|h| h.0[axis].powi(2)).sum::<f64>() / headings.len() as f64;
    (angles, [0, 1, 2].map(mean))
}

/// A mean, and whether it is within four standard errors of an expected one.
fn is_near(numbers: &[f64], expected: f64) -> (f64, bool) {
    let (mean, variance) = moments(numbers);
    (mean, (mean - expected).abs() < 4.0 * (variance / numbers.len() as f64).sqrt())
}

const EMPTY: World = World::Cuboid([5000.0; 3]);

#[test]
fn vicsek_noise_in_space_is_uniform_on_a_cap() {
    for degrees in [5.0_f32, 90.0, 250.0, 360.0] {
        let setup = setup("vicsek", |setup| {
            (setup.boids, setup.world, setup.params.noise.angle) = (1000, EMPTY, degrees);
        });
        let (angles, squares) = errors_in_space(&setup);
        let lowest = (f64::from(degrees).to_radians() / 2.0).cos();
        let cosines: Vec<f64> = angles.iter().map(|angle| angle.cos()).collect();
        assert!(cosines.iter().all(|cosine| *cosine > lowest - 1e-6), "{degrees}°");
        let (mean, is_exact) = is_near(&cosines, 0.5 * (1.0 + lowest));
        assert!(is_exact, "{degrees}°: {mean}");
        // A uniform number has the variance width²/12.
        let (_, variance) = moments(&cosines);
        assert!((variance * 12.0 / (1.0 - lowest).powi(2) - 1.0).abs() < 0.05, "{degrees}°: {variance}");
        if degrees == 360.0 {
            // ⟨cos⁴⟩ − ⟨cos²⟩² = 1/5 − 1/9.
            let error = (4.0 / 45.0 / 1000.0_f64).sqrt();
            assert!(squares.iter().all(|square| (square - 1.0 / 3.0).abs() < 4.0 * error), "{squares:?}");
        }
    }
}

#[test]
fn vectorial_noise_alone_turns_by_any_angle_at_full_amplitude() {
    // Without neighbors: the boid's heading plus a random unit vector, so half of the random angle.
    let setup = setup("vicsek", |setup| {
        setup.world = World::Rect([500.0, 500.0]);
        setup.params.vicsek.vectorial = 1.0;
    });
    let angles = noise_angles(&setup, TAU);
    let (mean, variance) = moments(&angles);
    assert!(mean.abs() < 0.05, "{mean}");
    assert!((variance / (PI * PI / 12.0) - 1.0).abs() < 0.05, "{variance}");
}

#[test]
fn the_error_of_couzin_is_gaussian() {
    let setup = setup("couzin-swarm", |setup| {
        setup.world = World::Rect([500.0, 500.0]);
        (setup.params.couzin.error, setup.params.limits.max_turn) = (10.0, 0.0);
    });
    let angles = noise_angles(&setup, TAU);
    let (mean, variance) = moments(&angles);
    let sigma = 10.0_f64.to_radians();
    assert!(mean.abs() < 0.02 && (variance.sqrt() / sigma - 1.0).abs() < 0.05, "{mean} {}", variance.sqrt());
    let beyond = angles.iter().filter(|angle| angle.abs() > 2.0 * sigma).count() as f64 / angles.len() as f64;
    assert!((beyond - 0.0455).abs() < 0.02, "{beyond}");
}

#[test]
fn the_error_of_couzin_in_space_is_a_wrapped_gaussian() {
    let setup = setup("couzin-swarm", |setup| {
        (setup.boids, setup.world) = (1000, EMPTY);
        (setup.params.couzin.error, setup.params.limits.max_turn) = (10.0, 0.0);
    });
    let (angles, _) = errors_in_space(&setup);
    let sigma = 10.0_f64.to_radians();
    let squares: Vec<f64> = angles.iter().map(|angle| angle * angle).collect();
    let (mean, is_exact) = is_near(&squares, 2.0 * sigma * sigma);
    assert!(is_exact, "{mean}");
    // A Rayleigh distribution: P(θ > x) = exp(−x²/2σ²).
    let beyond = angles.iter().filter(|angle| **angle > 2.0 * sigma).count() as f64 / angles.len() as f64;
    assert!((beyond - (-2.0_f64).exp()).abs() < 0.01, "{beyond}");
}

/// Every boid within the radius of every other: φ = sin(η/2)/(η/2), for many boids (Vicsek et al. 1995 in mean field).
#[test]
fn all_to_all_interaction_has_its_exact_polarization() {
    let setup = setup("vicsek", |setup| {
        (setup.boids, setup.world) = (4000, World::Rect([2.0, 2.0]));
        (setup.params.alignment.radius, setup.params.noise.angle) = (2.0, 180.0);
    });
    let mut flock = Flock::new(&setup).unwrap();
    let mut sum = 0.0;
    in_pool(NonZeroUsize::new(2).unwrap(), |scratch| {
        flock.step(scratch);
        for _ in 0..100 {
            flock.step(scratch);
            let total = State::of(&flock).birds.iter().fold(Vector::ZERO, |sum, bird| sum + bird.heading);
            sum += total.length() / 4000.0;
        }
    });
    let (measured, exact) = (sum / 100.0, 1.0 / (PI / 2.0));
    assert!((measured / exact - 1.0).abs() < 0.01, "{measured}, expected {exact}");
}

#[test]
fn boids_of_couzin_differ_by_the_deviations() {
    let setup = setup("couzin-swarm", |setup| {
        let couzin = &mut setup.params.couzin;
        (couzin.speed_deviation, couzin.turn_deviation, couzin.zones_deviation) = (0.3, 0.2, 0.1);
        (setup.boids, setup.world) = (4000, EMPTY);
    });
    let mut flock = Flock::new(&setup).unwrap();
    let speeds = |flock: &Flock| -> Vec<f64> {
        let mean = f64::from(setup.params.speed.max);
        flock.rows().into_iter().map(|row| Vector::from(row.velocity).length() / mean).collect()
    };
    let (mut first, mut last) = (vec![], vec![]);
    in_pool(NonZeroUsize::MIN, |scratch| {
        flock.step(scratch);
        first = speeds(&flock);
        (0..5).for_each(|_| flock.step(scratch));
        last = speeds(&flock);
    });
    assert!(first.iter().zip(&last).all(|(first, last)| (first - last).abs() < 1e-5), "speeds are constant");
    let state = State::of(&flock);
    let factors: Vec<[f64; 5]> = (0..4000).map(|id| state.factors(id)).collect();
    for (index, deviation) in [0.3, 0.2, 0.1, 0.1, 0.1].into_iter().enumerate() {
        let numbers: Vec<f64> = factors.iter().map(|factors| factors[index]).collect();
        let (mean, is_exact) = is_near(&numbers, 1.0);
        let (_, variance) = moments(&numbers);
        assert!(is_exact && (variance.sqrt() / deviation - 1.0).abs() < 0.05, "{index}: {mean} {variance}");
        for other in index + 1..5 {
            let product = |factors: &[f64; 5]| (factors[index] - 1.0) * (factors[other] - 1.0);
            let products: Vec<f64> = factors.iter().map(product).collect();
            assert!(is_near(&products, 0.0).1, "{index} and {other} are correlated");
        }
    }
    assert!(first.iter().zip(&factors).all(|(speed, factors)| (speed - factors[0]).abs() < 1e-5));
}
