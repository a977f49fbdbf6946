//! What files have in place of positions that are not known.

use std::fmt;
use std::str::FromStr;

use crate::text::Shortest;

/// What a file has in place of a position that is not known.
#[derive(Clone, Debug, PartialEq)]
pub enum Missing {
    /// The text of a cell of a coordinate or an animal.
    Text(String),
    /// Coordinates, as in the file.
    Point(Vec<f64>),
}

impl FromStr for Missing {
    /// What would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let finite = |part: &str| part.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let numbers: Option<Vec<f64>> = text.split(',').map(finite).collect();
        match numbers {
            Some(numbers) if (2..=3).contains(&numbers.len()) => Ok(Self::Point(numbers)),
            _ if text.is_empty() || text.contains(',') => {
                Err("expected the text of a cell, such as -1 or ?, or coordinates such as 0,0".to_owned())
            }
            _ => Ok(Self::Text(text.to_owned())),
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Point(point) => {
                let numbers: Vec<String> = point.iter().map(|at| Shortest(*at).to_string()).collect();
                out.write_str(&numbers.join(","))
            }
        }
    }
}
