//! Numbers in sentences and files.

use std::fmt;

/// An f32 or f64 in the shortest form that reads back as the same number.
pub struct Shortest<T>(pub T);

impl<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp> fmt::Display for Shortest<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = self;
        let size = Into::<f64>::into(*number).abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            fmt::Display::fmt(number, out)
        } else {
            fmt::LowerExp::fmt(number, out)
        }
    }
}

/// A number with a noun, or with a phrase, in the singular or the plural.
pub fn counted(count: impl fmt::Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { many };
    format!("{count} {noun}")
}

/// Whether a character is a control character, a direction mark or hidden: the format characters of Unicode (category Cf) except
/// those that a script shows, blank letters, and supplementary variation selectors.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        for (text, expected) in [
            (counted(0, "boid", "boids"), "0 boids"),
            (counted(1_u64, "boid", "boids"), "1 boid"),
            (counted(Shortest(1.0), "tick", "ticks"), "1 tick"),
            (counted(1.5, "tick", "ticks"), "1.5 ticks"),
            (counted(21, "row takes", "rows take"), "21 rows take"),
        ] {
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn numbers_are_short_and_exact() {
        for (number, text) in
            [(0.1_f32, "0.1"), (100.0, "100"), (-0.0, "-0"), (1e-30, "1e-30"), (3.4e38, "3.4e38"), (1.0e-4, "0.0001")]
        {
            assert_eq!(Shortest(number).to_string(), text);
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), number.to_bits());
        }
        for (number, text) in [(0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (1.5e-9, "1.5e-9"), (f64::NAN, "NaN")]
        {
            assert_eq!(Shortest(number).to_string(), text);
        }
    }
}
