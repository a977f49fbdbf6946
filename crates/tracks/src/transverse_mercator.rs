//! Meters east and north of a center point, from longitude and latitude on the WGS 84 ellipsoid.
//!
//! The transverse Mercator projection with scale 1 on the meridian of the center, by Krüger's
//! series to order n⁶: C. F. F. Karney, "Transverse Mercator with an accuracy of a few
//! nanometers", Journal of Geodesy 85 (2011) 475–485, doi 10.1007/s00190-011-0445-3, equations
//! 7–14, 29 and 35.

/// WGS 84, in meters.
const EQUATORIAL_RADIUS: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// n = (a − b) / (a + b)
const THIRD_FLATTENING: f64 = FLATTENING / (2.0 - FLATTENING);

/// A, the length of a meridian over 2π, to order n⁶ (Karney 2011, equations 14 and 29).
const RECTIFYING_RADIUS: f64 = {
    let n2 = THIRD_FLATTENING * THIRD_FLATTENING;
    let series = 1.0 + n2 * (1.0 / 4.0 + n2 * (1.0 / 64.0 + n2 / 256.0));
    EQUATORIAL_RADIUS / (1.0 + THIRD_FLATTENING) * series
};

/// α₁ to α₆, to order n⁶ (Karney 2011, equation 35).
#[rustfmt::skip]
const ALPHA: [f64; 6] = {
    let n = THIRD_FLATTENING;
    let n2 = n * n;
    let (n3, n4) = (n2 * n, n2 * n2);
    let (n5, n6) = (n4 * n, n4 * n2);
    [
        n / 2.0 - n2 * 2.0 / 3.0 + n3 * 5.0 / 16.0 + n4 * 41.0 / 180.0 - n5 * 127.0 / 288.0 + n6 * 7_891.0 / 37_800.0,
        n2 * 13.0 / 48.0 - n3 * 3.0 / 5.0 + n4 * 557.0 / 1_440.0 + n5 * 281.0 / 630.0 - n6 * 1_983_433.0 / 1_935_360.0,
        n3 * 61.0 / 240.0 - n4 * 103.0 / 140.0 + n5 * 15_061.0 / 26_880.0 + n6 * 167_603.0 / 181_440.0,
        n4 * 49_561.0 / 161_280.0 - n5 * 179.0 / 168.0 + n6 * 6_601_661.0 / 7_257_600.0,
        n5 * 34_729.0 / 80_640.0 - n6 * 3_418_889.0 / 1_995_840.0,
        n6 * 212_378_941.0 / 319_334_400.0,
    ]
};

/// A transverse Mercator projection around a center point. Its scale is 1 on the meridian of the
/// center and about 1.012 at 1,000 km east or west of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalProjection {
    central_meridian: f64,
    center_northing: f64,
}

impl LocalProjection {
    /// `center`: longitude and latitude in degrees.
    pub(crate) fn around([longitude, latitude]: [f64; 2]) -> Self {
        let [_, center_northing] = transverse_mercator(0.0, latitude);
        Self { central_meridian: longitude, center_northing }
    }

    /// Meters east and north of the center, of a longitude and latitude in degrees.
    pub(crate) fn meters(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let longitude = wrapped(longitude - self.central_meridian);
        let [easting, northing] = transverse_mercator(longitude, latitude);
        [easting, northing - self.center_northing]
    }
}

/// Easting from the central meridian and northing from the equator in meters, of a longitude
/// relative to the central meridian and a latitude in degrees.
fn transverse_mercator(longitude: f64, latitude: f64) -> [f64; 2] {
    let (lambda, phi) = (longitude.to_radians(), latitude.to_radians());
    let (sin_phi, cos_phi) = (libm::sin(phi), libm::cos(phi));

    // Equations 7 to 10 with (x, y, z) = cos φ (cos λ, sin λ, τ′), finite at the poles too.
    let eccentricity = (FLATTENING * (2.0 - FLATTENING)).sqrt();
    let arsinh_sigma = eccentricity * libm::atanh(eccentricity * sin_phi);
    let (x, y) = (cos_phi * libm::cos(lambda), cos_phi * libm::sin(lambda));
    let z = sin_phi * libm::cosh(arsinh_sigma) - libm::sinh(arsinh_sigma);
    let xi_prime = libm::atan2(z, x);
    let eta_prime = libm::asinh(y / (z * z + x * x).sqrt());

    let [xi_series, eta_series] = krueger_series(2.0 * xi_prime, 2.0 * eta_prime);
    [RECTIFYING_RADIUS * (eta_prime + eta_series), RECTIFYING_RADIUS * (xi_prime + xi_series)]
}

/// Σ αⱼ sin jz for z = x + iy (equation 11 with z = 2ζ′), summed by Clenshaw's recurrence.
fn krueger_series(x: f64, y: f64) -> [f64; 2] {
    let (sin, cos, sinh, cosh) = (libm::sin(x), libm::cos(x), libm::sinh(y), libm::cosh(y));
    let two_cos_z = [2.0 * cos * cosh, -2.0 * sin * sinh];
    let (mut sum, mut previous) = ([0.0, 0.0], [0.0, 0.0]);
    for alpha in ALPHA.into_iter().rev() {
        let [re, im] = product(two_cos_z, sum);
        (sum, previous) = ([re - previous[0] + alpha, im - previous[1]], sum);
    }
    product([sin * cosh, cos * sinh], sum)
}

/// Product of two complex numbers.
fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Middle of the bounding box of points in degrees of longitude and latitude. Longitudes count from
/// the first point, at most 180° east or west of it, so points on both sides of the 180° meridian
/// stay together.
pub(crate) fn center_of(mut points: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 2]> {
    let [first_longitude, first_latitude] = points.next()?;
    let (mut west, mut east) = (0.0_f64, 0.0_f64);
    let (mut south, mut north) = (first_latitude, first_latitude);
    for [longitude, latitude] in points {
        let longitude = wrapped(longitude - first_longitude);
        (west, east) = (west.min(longitude), east.max(longitude));
        (south, north) = (south.min(latitude), north.max(latitude));
    }
    Some([wrapped(first_longitude + west.midpoint(east)), south.midpoint(north)])
}

/// The same angle in degrees, between −180 and 180.
fn wrapped(degrees: f64) -> f64 {
    degrees - 360.0 * (degrees / 360.0).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines 218, 6, 26, 57, 71, 138, 191 and 212 of C. F. F. Karney's test data for the transverse
    /// Mercator projection (2009), computed to 0.1 pm by Lee's exact formulas, doi
    /// 10.5281/zenodo.32470: longitude and latitude, easting and northing from the equator at
    /// central scale 0.9996 on WGS 84.
    const KARNEY: [([f64; 2], [f64; 2]); 8] = [
        ([1.137_286_307_295, 3.582_041_212_73], [126_314.191_617_900_88, 396_006.687_921_149_9]),
        ([22.865_350_231_728, 70.175_453_699_652], [847_598.266_513_746_9, 7_947_180.962_440_335]),
        ([16.755_557_927_357, 58.582_623_413_754], [967_777.158_553_855, 6_615_684.266_591_812_5]),
        ([2.067_177_857_261, 84.986_930_137_199], [20_163.075_221_433_013, 9_438_635.988_849_904]),
        ([27.591_736_411_927, 78.691_869_858_364], [582_511.608_826_082_3, 8_876_047.217_070_53]),
        ([33.816_371_631_992, 80.297_265_209_749], [601_728.149_727_123_3, 9_095_352.048_148_53]),
        ([77.402_323_331_121, 82.572_235_784_013], [811_352.108_932_354, 9_816_129.813_480_9]),
        ([21.104_724_677_749, 65.699_838_958_157], [954_378.415_174_206_1, 7_449_110.669_806_638]),
    ];

    #[test]
    fn exact_points_of_karney() {
        let projection = LocalProjection::around([0.0, 0.0]);
        for (point, [easting, northing]) in KARNEY {
            assert_near(projection.meters(point), [easting / 0.999_6, northing / 0.999_6], 1e-6);
        }
    }

    /// Flinders Peak and Buninyong in zone 55 (147° E, scale 0.9996) of the Map Grid of Australia:
    /// GDA2020 Technical Manual, version 1.8, tables 5.1 and C-1. Its ellipsoid, GRS 80, has a
    /// semi-minor axis 0.1 mm shorter than WGS 84.
    #[test]
    fn surveyed_points_of_australia() {
        let flinders_peak = [degrees(144.0, 25.0, 29.524_4), -degrees(37.0, 57.0, 3.720_3)];
        let buninyong = [degrees(143.0, 55.0, 35.383_9), -degrees(37.0, 39.0, 10.156_1)];
        let published = [(flinders_peak, [273_741.297, 5_796_489.777]), (buninyong, [228_854.051, 5_828_259.038])];
        let projection = LocalProjection::around([147.0, 0.0]);
        for (point, [easting, northing]) in published {
            let expected = [(easting - 500_000.0) / 0.999_6, (northing - 10_000_000.0) / 0.999_6];
            assert_near(projection.meters(point), expected, 1e-3);
        }
    }

    fn degrees(degrees: f64, minutes: f64, seconds: f64) -> f64 {
        degrees + minutes / 60.0 + seconds / 3_600.0
    }

    /// Center, point, and meters by PROJ 9.5.1 (pyproj 3.7.2):
    /// `+proj=tmerc +algo=poder_engsager +lat_0=… +lon_0=… +k=1 +ellps=WGS84`.
    const PROJ: [([f64; 2], [f64; 2], [f64; 2]); 12] = [
        ([25.0, 60.0], [27.028_852, 54.653_478], [130_942.124_860, -593_526.124_452]),
        ([179.5, 75.0], [-160.738_634, 72.114_513], [666_706.030_140, -211_308.929_027]),
        ([-40.0, 85.0], [5.590_529, 80.729_733], [739_658.047_701, -169_292.391_901]),
        ([-179.9, -33.0], [173.680_78, -37.973_132], [-564_309.499_539, -571_264.235_444]),
        ([10.0, 0.0], [14.798_725, 5.852_218], [532_039.539_649, 649_403.091_166]),
        ([-100.0, 45.0], [-110.793_053, 43.789_876], [-868_918.250_577, -77_487.426_327]),
        ([25.0, 60.0], [12.826_405, 65.865_963], [-552_840.546_789, 707_688.076_159]),
        ([179.5, 75.0], [-146.836_417, 77.538_879], [769_007.746_300, 511_173.887_964]),
        ([-40.0, 85.0], [61.007_739, 84.076_993], [650_443.701_742, 685_206.445_161]),
        ([-179.9, -33.0], [178.836_61, -24.380_535], [-128_178.238_029, 954_727.541_103]),
        ([10.0, 0.0], [16.544_767, -5.964_313], [726_199.639_924, -663_847.436_569]),
        ([-100.0, 45.0], [-96.486_703, 53.687_25], [232_067.171_030, 971_898.247_346]),
    ];

    #[test]
    fn points_of_proj_within_1000_km() {
        for (center, point, expected) in PROJ {
            assert_near(LocalProjection::around(center).meters(point), expected, 2e-6);
        }
    }

    #[test]
    fn center_is_the_origin() {
        for center in [[0.0, 0.0], [179.9, 45.0], [-180.0, -33.0], [12.0, 90.0]] {
            assert_near(LocalProjection::around(center).meters(center), [0.0, 0.0], 1e-9);
        }
    }

    #[test]
    fn a_step_across_the_pole_keeps_its_direction() {
        let projection = LocalProjection::around([10.0, 89.9]);
        let [_, pole] = projection.meters([10.0, 90.0]);
        assert_near(projection.meters([-170.0, 89.9]), [0.0, 2.0 * pole], 1e-6);
    }

    #[test]
    fn longitudes_wrap_at_the_180th_meridian() {
        let projection = LocalProjection::around([179.5, 10.0]);
        assert_eq!(projection.meters([-179.5, 10.0]), projection.meters([180.5, 10.0]));
        assert!(projection.meters([-179.5, 10.0])[0] > 0.0);
        assert!(projection.meters([178.5, 10.0])[0] < 0.0);
    }

    #[test]
    fn center_is_the_middle_of_the_bounding_box() {
        let center = |points: &[[f64; 2]]| center_of(points.iter().copied());
        assert_eq!(center(&[]), None);
        assert_eq!(center(&[[7.0, 50.0]]), Some([7.0, 50.0]));
        assert_eq!(center(&[[7.0, 50.0], [9.0, 46.0], [8.0, 51.0]]), Some([8.0, 48.5]));
        assert_eq!(center(&[[179.0, -10.0], [-177.0, -20.0]]), Some([-179.0, -15.0]));
        assert_eq!(center(&[[-177.0, -20.0], [179.0, -10.0]]), Some([-179.0, -15.0]));
    }

    fn assert_near(actual: [f64; 2], expected: [f64; 2], tolerance: f64) {
        let distance = (actual[0] - expected[0]).hypot(actual[1] - expected[1]);
        assert!(distance <= tolerance, "{actual:?} is {distance} m from {expected:?}");
    }
}
