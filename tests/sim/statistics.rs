//! Contract: statistics of a run have the values that theory predicts for data of known statistics.

use std::f64::consts::{PI, TAU};

use crate::bounds::Draw;
use flockscope::sim::{
    Analyzer, Edge, Flock, Kind, Measure, Params, Recorder, Row, Scratch, Series, Setup, Start, World,
};

/// A uniform number in [-0.5, 0.5).
fn noise(draw: &mut Draw) -> f64 {
    f64::from(draw.next()) - 0.5
}

/// A first-order autoregressive series `x ← a·x + noise`.
fn autoregressive(coefficient: f64, values: u32) -> Series {
    let (mut draw, mut series) = (Draw(11), Series::new());
    // The first values are not yet stationary.
    let mut value = 0.0;
    for index in 0..values + 1000 {
        value = coefficient * value + noise(&mut draw);
        if index >= 1000 {
            series.add(value);
        }
    }
    series
}

/// A flock of these positions and velocities.
fn flock(world: World, edge: Edge, boids: impl Iterator<Item = ([f32; 3], [f32; 3])>) -> Flock {
    let mut params = Params::default();
    params.edge.mode = edge;
    let setup = Setup { params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 1, zones: Vec::new() };
    let row = |(id, (position, velocity))| Row { id, kind: Kind::Prey, position, velocity, mood: 0.0, bank: 0.0 };
    let rows: Vec<Row> = (0..).zip(boids).map(row).collect();
    Flock::from_rows(&setup, 0, &rows).unwrap()
}

/// A flock of these positions and equal velocities.
fn parallel(world: World, edge: Edge, positions: impl Iterator<Item = [f32; 3]>) -> Flock {
    flock(world, edge, positions.map(|position| (position, [1.0, 0.0, 0.0])))
}

fn measure(name: &str) -> &'static Measure {
    Measure::find(name).unwrap()
}

/// The exponent of number fluctuations over these states.
fn exponent(flocks: impl Iterator<Item = Flock>) -> f64 {
    let mut recorder = Recorder::new(&[measure("fluctuation_exponent")]);
    flocks.for_each(|flock| assert!(recorder.record(&flock).is_empty()));
    recorder.summaries()[0].mean
}

#[test]
fn blocking_finds_the_error_of_correlated_values() {
    for (coefficient, values) in [(0.0, 5000), (0.5, 20_000), (0.9, 100_000), (0.98, 400_000)] {
        let series = autoregressive(coefficient, values);
        let variance = 1.0 / 12.0 / (1.0 - coefficient * coefficient);
        let expected = (variance / f64::from(values) * (1.0 + coefficient) / (1.0 - coefficient)).sqrt();
        let ratio = series.standard_error() / expected;
        assert!((0.8..1.2).contains(&ratio), "coefficient {coefficient}: {ratio}");
        assert!(!series.is_too_short());
        assert!(series.mean().abs() < 4.0 * expected, "coefficient {coefficient}: {}", series.mean());
    }
}

#[test]
fn the_autocorrelation_time_of_an_autoregressive_series_is_known() {
    for (coefficient, values) in [(0.0, 200_000), (0.5, 400_000), (0.9, 1_000_000), (0.98, 4_000_000)] {
        let series = autoregressive(coefficient, values);
        let expected = 0.5 * (1.0 + coefficient) / (1.0 - coefficient);
        let found = series.autocorrelation_time();
        assert!((found / expected - 1.0).abs() < 0.1, "coefficient {coefficient}: {found} and not {expected}");
        let error = (2.0 * found * series.variance() / (f64::from(values) - 1.0)).sqrt();
        assert!((series.standard_error() / error - 1.0).abs() < 1e-9);
        let variance = 1.0 / 12.0 / (1.0 - coefficient * coefficient);
        assert!((series.variance() / variance - 1.0).abs() < 0.03, "coefficient {coefficient}");
    }
    assert!(autoregressive(0.98, 60).autocorrelation_time() < 49.5);
}

#[test]
fn moments_have_closed_forms() {
    let statistics = |series: &Series| {
        [series.variance(), series.second_moment(), series.fourth_moment(), series.autocorrelation_time()]
    };
    assert!(statistics(&Series::new()).iter().all(|value| value.is_nan()));
    let mut constant = Series::new();
    (0..9).for_each(|_| constant.add(2.5));
    assert_eq!(statistics(&constant)[..3], [0.0, 6.25, 39.0625]);
    assert!(constant.autocorrelation_time().is_nan());
    // A large mean does not cancel the variance.
    let (mut small, mut large) = (Series::new(), Series::new());
    for value in (0..1000).map(|index| if index % 2 == 0 { 1.0 } else { -1.0 }) {
        small.add(value);
        large.add(1e8 + value);
    }
    // Neighbors cancel, so the mean has no error.
    assert_eq!(statistics(&small), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(large.variance(), 1.0);
    // Independent uniform numbers from -1/2 to 1/2.
    let (mut draw, mut uniform) = (Draw(3), Series::new());
    (0..200_000).for_each(|_| uniform.add(noise(&mut draw)));
    let expected = [1.0 / 12.0, 1.0 / 12.0, 1.0 / 80.0, 0.5];
    for ((found, expected), tolerance) in statistics(&uniform).into_iter().zip(expected).zip([0.01, 0.01, 0.01, 0.1]) {
        assert!((found / expected - 1.0).abs() < tolerance, "{found} and not {expected}");
    }
}

#[test]
fn the_susceptibility_is_the_variance_of_the_order_times_the_number_of_boids() {
    let names = ["polarization", "polarization_squared", "polarization_fourth", "susceptibility"];
    let mut recorder = Recorder::new(&names.map(measure));
    // In order, and with as many boids one way as the other.
    for opposed in [0, 4] {
        let boids = (0..8_u8).map(|index| {
            let across = if index < opposed { -1.0 } else { 1.0 };
            ([f32::from(index), 3.0, 0.0], [across, 0.0, 0.0])
        });
        recorder.record(&flock(World::Rect([9.0, 9.0]), Edge::Wrap, boids));
    }
    let values: Vec<f64> = recorder.summaries().iter().map(|summary| summary.mean).collect();
    assert_eq!(values, [0.5, 0.5, 0.5, 8.0 * 0.25]);
}

#[test]
fn a_series_that_is_too_short_says_so() {
    assert!(Series::new().is_too_short() && Series::new().mean().is_nan());
    assert!(autoregressive(0.98, 60).is_too_short());
    let mut constant = Series::new();
    (0..9).for_each(|_| constant.add(2.5));
    assert_eq!((constant.standard_error(), constant.is_too_short()), (0.0, false));
    assert_eq!((constant.mean(), constant.min(), constant.max(), constant.count()), (2.5, 2.5, 2.5, 9));
}

#[test]
fn the_binder_cumulant_of_disorder_and_order_is_known() {
    let of = |dim: usize, order: f64| {
        let (mut draw, mut series) = (Draw(5), Series::new());
        for _ in 0..20_000 {
            let mut sum = [order, 0.0, 0.0];
            for _ in 0..60 {
                let (angle, height) = (TAU * noise(&mut draw), if dim == 2 { 0.0 } else { 2.0 * noise(&mut draw) });
                let across = (1.0 - height * height).sqrt();
                let heading = [across * angle.cos(), across * angle.sin(), height];
                (0..3).for_each(|axis| sum[axis] += heading[axis]);
            }
            series.add(sum.iter().map(|axis| axis * axis).sum::<f64>().sqrt() / 60.0);
        }
        series.binder_cumulant()
    };
    for (dim, order, expected) in [(2, 0.0, 1.0 / 3.0), (3, 0.0, 4.0 / 9.0), (2, 6000.0, 2.0 / 3.0)] {
        let found = of(dim, order);
        assert!((found - expected).abs() < 0.015, "{dim}-D: {found} and not {expected}");
    }
}

#[test]
fn independent_boids_fluctuate_with_exponent_one_half() {
    let mut draw = Draw(9);
    for (world, edge, scale) in [
        (World::Rect([160.0, 110.0]), Edge::Wrap, 1.0),
        (World::Cuboid([90.0, 70.0, 50.0]), Edge::Wrap, 1.0),
        (World::Rect([160.0, 110.0]), Edge::Open, 30.0),
    ] {
        let flocks = (0..60).map(|_| {
            let place = (0..1500).map(|_| draw.place(&world).map(|along| scale * along)).collect::<Vec<_>>();
            parallel(world, edge, place.into_iter())
        });
        let found = exponent(flocks);
        assert!((found - 0.5).abs() < 0.05, "{world}, {edge:?}: {found}");
    }
}

#[test]
fn a_flock_that_fills_half_the_world_fluctuates_with_exponent_one() {
    let places = (0..128 * 64_u32).map(|index| [(index % 64) as f32 + 0.5, (index / 64) as f32 + 0.5, 0.0]);
    let found = exponent([parallel(World::Rect([128.0, 128.0]), Edge::Wrap, places)].into_iter());
    assert!((found - 1.0).abs() < 0.03, "{found}");
}

#[test]
fn too_few_boids_have_no_exponent() {
    let places = (0..20_u8).map(|index| [f32::from(index), 3.0, 0.0]);
    assert!(exponent([parallel(World::Rect([64.0, 64.0]), Edge::Wrap, places)].into_iter()).is_nan());
}

#[test]
fn a_recorder_summarizes_the_values_that_it_returns() {
    let chosen = ["rotation", "binder_cumulant", "polarization", "mean_cluster"].map(measure);
    let mut draw = Draw(2);
    let world = World::Rect([60.0, 60.0]);
    let places: Vec<_> = (0..50).map(|_| draw.place(&world)).collect();
    let mut flock = parallel(world, Edge::Wrap, places.into_iter());
    let (mut recorder, mut scratch) = (Recorder::new(&chosen), Scratch::new());
    let mut of_polarization = Series::new();
    let mut rows = Vec::new();
    for _ in 0..40 {
        rows.push(recorder.record(&flock));
        of_polarization.add(rows.last().unwrap()[1]);
        flock.step(&mut scratch);
    }
    let summaries = recorder.summaries();
    assert!(summaries.iter().map(|row| row.measure.name).eq(chosen.iter().map(|measure| measure.name)));
    for (column, at) in [0, 2, 3].into_iter().enumerate() {
        let values = || rows.iter().map(|row| row[column]);
        let summary = summaries[at];
        assert!((summary.mean - values().sum::<f64>() / 40.0).abs() < 1e-12 * 50.0, "{}", summary.measure.name);
        assert_eq!(summary.min, values().fold(f64::INFINITY, f64::min));
        assert_eq!(summary.max, values().fold(f64::NEG_INFINITY, f64::max));
    }
    assert_eq!(summaries[1].mean, of_polarization.binder_cumulant());
    assert!(summaries[1].standard_error.is_nan() && summaries[1].min.is_nan() && summaries[1].max.is_nan());
}

/// A wave of velocity in `y` along `x`, over random places.
fn wave(world: World, periods: f64, boids: u32) -> Flock {
    let mut draw = Draw(7);
    let boids = (0..boids).map(|_| {
        let position = draw.place(&world);
        let across = (TAU * periods * f64::from(position[0] / world.size()[0])).cos() as f32;
        (position, [2.0, across, 0.0])
    });
    flock(world, Edge::Wrap, boids)
}

fn correlation_length(flock: &Flock, sample: usize) -> f64 {
    let mut analyzer = Analyzer::new().with_group_radius(Some(f32::INFINITY));
    analyzer.value(flock, sample, measure("correlation_length"))
}

#[test]
fn the_correlation_length_of_a_wave_is_known() {
    // With k = 2π·periods/L, C(r) is J₀(kr) in 2-D, with its first zero at kr = 2.4048, and sin(kr)/kr in 3-D, at kr = π.
    for (world, periods, zero) in [
        (World::Rect([300.0; 2]), 2.0, 2.4048),
        (World::Rect([0.5e5; 2]), 1.0, 2.4048),
        (World::Cuboid([80.0; 3]), 2.0, PI),
    ] {
        let expected = zero / (TAU * periods) * f64::from(world.size()[0]);
        let flock = wave(world, periods, 3000);
        for (sample, tolerance) in [(usize::MAX, 0.04), (600, 0.1)] {
            let ratio = correlation_length(&flock, sample) / expected;
            assert!((ratio - 1.0).abs() < tolerance, "{world}, {periods} periods, {sample}: {ratio}");
        }
    }
}

#[test]
fn equal_velocities_have_no_correlation_length() {
    let places = |boids: u8| (0..boids).map(|index| [f32::from(index), 3.0, 0.0]);
    for boids in [1, 2, 40] {
        let flock = parallel(World::Rect([64.0, 64.0]), Edge::Wrap, places(boids));
        assert_eq!(correlation_length(&flock, usize::MAX), 0.0);
    }
}

#[test]
fn threads_do_not_change_the_correlation_length() {
    use flockscope::engine::in_pool;
    let flock = wave(World::Rect([300.0; 2]), 2.0, 4200);
    let one = correlation_length(&flock, 1000);
    for threads in [2, 5] {
        assert_eq!(
            in_pool(threads.try_into().unwrap(), |_| correlation_length(&flock, 1000)),
            one,
            "{threads} threads"
        );
    }
}
