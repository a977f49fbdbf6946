//! Quantities that the palette sets by name and that are not parameters, as in `boids 500`.

use std::fmt;

use crate::viewer::client::Client;
use crate::viewer::text::format_number;

/// A quantity and its new value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assignment {
    /// The number of boids.
    Boids(usize),
    /// The number of predators.
    Predators(usize),
    /// The seed of a new flock.
    Seed(u64),
    /// Ticks per second.
    Rate(f32),
    /// The zoom factor.
    Zoom(f32),
}

impl Assignment {
    /// Parses `boids 500`, `predators 5`, `seed 9`, `rate 30` or `zoom = 4`.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, number) = text.trim().split_once([' ', '='])?;
        let number = number.trim_start_matches([' ', '=']);
        let positive = || number.parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0);
        match name {
            "boids" => number.parse().ok().map(Self::Boids),
            "predators" => number.parse().ok().map(Self::Predators),
            "seed" => number.parse().ok().map(Self::Seed),
            "rate" => positive().map(Self::Rate),
            "zoom" => positive().map(Self::Zoom),
            _ => None,
        }
    }

    /// Sets the quantity, clamped to its range. Returns what it became.
    pub fn carry_out(self, client: &mut Client) -> Self {
        match self {
            Self::Boids(boids) => _ = client.set_boids(boids),
            Self::Predators(predators) => _ = client.set_predators(predators),
            Self::Seed(seed) => client.reseed(seed),
            Self::Rate(rate) => client.set_rate(rate),
            Self::Zoom(_) => {}
        }
        let controls = client.controls();
        match self {
            Self::Boids(_) => Self::Boids(controls.setup.boids),
            Self::Predators(_) => Self::Predators(controls.setup.predators),
            Self::Rate(_) => Self::Rate(controls.rate),
            Self::Seed(_) | Self::Zoom(_) => self,
        }
    }

    /// One sentence for the palette.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Boids(_) => "Set the number of boids.",
            Self::Predators(_) => "Set the number of predators.",
            Self::Seed(_) => "Restart with this seed.",
            Self::Rate(_) => "Set the ticks per second.",
            Self::Zoom(_) => "Set the zoom factor.",
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boids(boids) => write!(f, "boids = {boids}"),
            Self::Predators(predators) => write!(f, "predators = {predators}"),
            Self::Seed(seed) => write!(f, "seed = {seed}"),
            Self::Rate(rate) => write!(f, "rate = {}", format_number(*rate)),
            Self::Zoom(zoom) => write!(f, "zoom = {}", format_number(*zoom)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_number_are_an_assignment() {
        for (text, shown) in [
            ("boids 500", "boids = 500"),
            (" predators = 0 ", "predators = 0"),
            ("seed=18446744073709551615", "seed = 18446744073709551615"),
            ("rate 0.5", "rate = 0.5"),
            ("zoom 4", "zoom = 4"),
        ] {
            assert_eq!(Assignment::parse(text).map(|value| value.to_string()), Some(shown.to_owned()), "{text}");
        }
        for text in [
            "boids",
            "boids many",
            "boids -1",
            "seed 1.5",
            "rate 0",
            "rate nan",
            "rate inf",
            "zoom 0",
            "boid 5",
            "",
            "radius 5",
        ] {
            assert_eq!(Assignment::parse(text), None, "{text}");
        }
    }
}
