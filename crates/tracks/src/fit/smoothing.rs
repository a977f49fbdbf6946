//! Local polynomials (Savitzky & Golay 1964, *Smoothing and differentiation of data by simplified least squares procedures*, Anal.
//! Chem. 36, 1627).

/// The weights of positions in the value and in the second derivative at the center of the quadratic polynomial that fits them
/// best, in a window of this half-width (Savitzky & Golay 1964).
pub(super) fn polynomial_kernels(half_width: usize) -> (Vec<f64>, Vec<f64>) {
    let places: Vec<f64> = (0..=2 * half_width).map(|place| place as f64 - half_width as f64).collect();
    let count = places.len() as f64;
    let (s2, s4) = places.iter().fold((0.0, 0.0), |(s2, s4), x| (s2 + x * x, s4 + x.powi(4)));
    let determinant = count * s4 - s2 * s2;
    let value = places.iter().map(|x| (s4 - s2 * x * x) / determinant).collect();
    let curvature = places.iter().map(|x| 2.0 * (count * x * x - s2) / determinant).collect();
    (value, curvature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_those_of_savitzky_and_golay() {
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12) && a.len() == b.len();
        let (value, curvature) = polynomial_kernels(2);
        assert!(close(&value, &[-3.0, 12.0, 17.0, 12.0, -3.0].map(|weight| weight / 35.0)), "{value:?}");
        assert!(close(&curvature, &[2.0, -1.0, -2.0, -1.0, 2.0].map(|weight| weight / 7.0)), "{curvature:?}");
    }
}
