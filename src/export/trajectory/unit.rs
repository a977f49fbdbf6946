//! The value of `--unit`.

use std::fmt;
use std::str::FromStr;

/// The unit in which a recording is shown and measured, and its ratio to that of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthUnit {
    /// What coordinates are multiplied by.
    pub factor: f64,
    /// The name, such as `mm`.
    pub name: String,
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factor != 1.0 {
            write!(out, "{}", self.factor)?;
        }
        out.write_str(&self.name)
    }
}

impl FromStr for LengthUnit {
    /// The problem, and what would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a name such as px, or a length and its unit such as 0.42mm".to_owned();
        let digits = text.find(|character: char| !(character.is_ascii_digit() || ".-+".contains(character)));
        let (number, name) = text.split_at(digits.unwrap_or(text.len()));
        let factor = if number.is_empty() { 1.0 } else { number.parse().map_err(|_| expected.clone())? };
        let name = name.trim();
        let is_name = !name.is_empty()
            && name.chars().count() <= 12
            && !name.contains(|c: char| c.is_control() || ",/".contains(c));
        if is_name && (1e-9..=1e9).contains(&factor) {
            Ok(Self { factor, name: name.to_owned() })
        } else {
            Err(expected)
        }
    }
}
