//! What has a number and is no rule: in the palette it is typed by its name and the number.

use std::fmt;

use crate::viewer::app::param_step::format_number;

/// What there is to be, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assignment {
    /// So many boids.
    Boids(usize),
    /// So many predators.
    Predators(usize),
    /// A new flock from this seed.
    Seed(u64),
    /// So many ticks a second.
    Rate(f32),
    /// So many times as large.
    Zoom(f32),
}

impl Assignment {
    /// What `boids 500`, `predators 5`, `seed 9`, `rate 30` or `zoom 4` asks for.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (name, number) = text.trim().split_once([' ', '='])?;
        let number = number.trim_start_matches([' ', '=']);
        match name {
            "boids" => number.parse().ok().map(Self::Boids),
            "predators" => number.parse().ok().map(Self::Predators),
            "seed" => number.parse().ok().map(Self::Seed),
            "rate" => number.parse().ok().filter(|rate: &f32| *rate > 0.0).map(Self::Rate),
            "zoom" => number.parse().ok().filter(|zoom: &f32| *zoom > 0.0).map(Self::Zoom),
            _ => None,
        }
    }

    /// What comes of it, in a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Boids(_) => "Make them so many boids.",
            Self::Predators(_) => "Make them so many predators.",
            Self::Seed(_) => "Begin anew from this seed.",
            Self::Rate(_) => "Fly so many ticks a second.",
            Self::Zoom(_) => "Show the flock so many times as large.",
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
    fn a_name_and_a_number_are_an_amount_and_nothing_else_is() {
        for (text, told) in [
            ("boids 500", "boids = 500"),
            (" predators = 0 ", "predators = 0"),
            ("seed=18446744073709551615", "seed = 18446744073709551615"),
            ("rate 0.5", "rate = 0.5"),
            ("zoom 4", "zoom = 4"),
        ] {
            assert_eq!(Assignment::read(text).map(|amount| amount.to_string()), Some(told.to_owned()), "{text}");
        }
        for text in
            ["boids", "boids many", "boids -1", "seed 1.5", "rate 0", "rate nan", "zoom 0", "boid 5", "", "radius 5"]
        {
            assert_eq!(Assignment::read(text), None, "{text}");
        }
    }
}
