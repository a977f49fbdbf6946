//! What stands in a preset's world: `[[spot]]`, one table for each.

use toml::Spanned;
use toml::de::{DeArray, DeValue};

use crate::config::Error;
use crate::config::errors::suggest::did_you_mean;
use crate::config::files::document::{Document, text_of};
use crate::sim::{Spot, Use, World};

/// The keys of a `[[spot]]`.
const KEYS: [&str; 3] = ["use", "at", "radius"];

/// A spot of a preset, whose world may take any shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// What it is to boids.
    pub r#use: Use,
    /// Its middle, in shares of the box around the world.
    pub at: [f32; 3],
    /// Its radius, in u.
    pub radius: f32,
}

impl Stand {
    /// Where a spot of a world stands in it; food is whole again.
    #[must_use]
    pub fn of(spot: &Spot, world: &World) -> Self {
        let (origin, size) = (world.origin(), world.size());
        let share = |axis: usize| {
            if size[axis] > 0.0 { ((spot.center[axis] - origin[axis]) / size[axis]).clamp(0.0, 1.0) } else { 0.5 }
        };
        Self { r#use: spot.r#use, at: [0, 1, 2].map(share), radius: spot.radius }
    }

    /// The spot that it is in a world.
    #[must_use]
    pub fn spot(&self, world: &World) -> Spot {
        let (origin, size) = (world.origin(), world.size());
        Spot::new(self.r#use, [0, 1, 2].map(|axis| origin[axis] + self.at[axis] * size[axis]), self.radius)
    }
}

/// Reads all `[[spot]]` of a document.
pub(crate) fn read(document: Document<'_>, list: &DeArray<'_>) -> Result<Vec<Stand>, Error> {
    list.iter().map(|entry| read_one(document, entry)).collect()
}

fn read_one(document: Document<'_>, entry: &Spanned<DeValue<'_>>) -> Result<Stand, Error> {
    let DeValue::Table(table) = entry.get_ref() else {
        return Err(document.at(entry.span(), "a spot is a table: [[spot]] with use, at and radius"));
    };
    let (mut r#use, mut at, mut radius) = (None, None, None);
    for (key, value) in table {
        let complain = |message: String| document.at(value.span(), message);
        match &**key.get_ref() {
            "use" => r#use = Some(word(value).map_err(complain)?),
            "at" => at = Some(shares(value).map_err(complain)?),
            "radius" => {
                let size = number(value).filter(|size| *size > 0.0);
                radius = Some(size.ok_or_else(|| complain("radius takes a number above 0, in u".into()))?);
            }
            other => {
                let hint = did_you_mean(other, KEYS);
                return Err(document.at(key.span(), format!("a spot has no key `{other}`{hint}")));
            }
        }
    }
    match (r#use, at, radius) {
        (Some(r#use), Some(at), Some(radius)) => Ok(Stand { r#use, at, radius }),
        _ => Err(document.at(entry.span(), "a spot needs all of use, at and radius")),
    }
}

fn word(value: &Spanned<DeValue<'_>>) -> Result<Use, String> {
    let text = text_of(value.get_ref()).unwrap_or_default();
    Use::from_name(&text).ok_or_else(|| {
        format!("use = {text} is not {}{}", Use::NAMES.join(", "), did_you_mean(&text, Use::NAMES.iter().copied()))
    })
}

/// Two or three shares; a third that is not given is half.
fn shares(value: &Spanned<DeValue<'_>>) -> Result<[f32; 3], String> {
    let wrong = || "at takes two or three shares of the world's sides, 0 to 1, as [0.5, 0.25]".to_owned();
    let DeValue::Array(list) = value.get_ref() else { return Err(wrong()) };
    let share =
        |value: &Spanned<DeValue<'_>>| number(value).filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong);
    match list.iter().map(share).collect::<Result<Vec<_>, _>>()?[..] {
        [x, y] => Ok([x, y, 0.5]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(wrong()),
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f32> {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => {
            text_of(value.get_ref())?.parse().ok().filter(|it: &f32| it.is_finite())
        }
        _ => None,
    }
}
