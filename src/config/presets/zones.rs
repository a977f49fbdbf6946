//! What stands in a preset's world: `[[zone]]`, one table for each.

use toml::Spanned;
use toml::de::{DeArray, DeValue};

use crate::config::Error;
use crate::config::errors::suggest::did_you_mean;
use crate::config::files::document::{Document, scalar_text};
use crate::sim::{World, Zone, ZoneKind};

/// The keys of a `[[zone]]`.
const KEYS: [&str; 3] = ["kind", "at", "radius"];

/// A zone of a preset, whose world may take any shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneDefinition {
    /// What it is to boids.
    pub kind: ZoneKind,
    /// Its middle, in shares of the box around the world.
    pub at: [f32; 3],
    /// Its radius, in u.
    pub radius: f32,
}

impl ZoneDefinition {
    /// Where a zone of a world stands in it; food is whole again.
    #[must_use]
    pub fn of(zone: &Zone, world: &World) -> Self {
        let (origin, size) = (world.origin(), world.size());
        let share = |axis: usize| {
            if size[axis] > 0.0 { ((zone.center[axis] - origin[axis]) / size[axis]).clamp(0.0, 1.0) } else { 0.5 }
        };
        Self { kind: zone.kind, at: [0, 1, 2].map(share), radius: zone.radius }
    }

    /// The zone that it is in a world.
    #[must_use]
    pub fn zone(&self, world: &World) -> Zone {
        let (origin, size) = (world.origin(), world.size());
        Zone::new(self.kind, [0, 1, 2].map(|axis| origin[axis] + self.at[axis] * size[axis]), self.radius)
    }
}

/// Reads all `[[zone]]` of a document.
pub(crate) fn read(document: Document<'_>, list: &DeArray<'_>) -> Result<Vec<ZoneDefinition>, Error> {
    list.iter().map(|entry| read_one(document, entry)).collect()
}

fn read_one(document: Document<'_>, entry: &Spanned<DeValue<'_>>) -> Result<ZoneDefinition, Error> {
    let DeValue::Table(table) = entry.get_ref() else {
        return Err(document.at(entry.span(), "a zone is a table: [[zone]] with kind, at and radius"));
    };
    let (mut kind, mut at, mut radius) = (None, None, None);
    for (key, value) in table {
        let complain = |message: String| document.at(value.span(), message);
        match &**key.get_ref() {
            "kind" => kind = Some(word(value).map_err(complain)?),
            "at" => at = Some(shares(value).map_err(complain)?),
            "radius" => {
                let size = number(value).filter(|size| *size > 0.0);
                radius = Some(size.ok_or_else(|| complain("radius takes a number above 0, in u".into()))?);
            }
            other => {
                let hint = did_you_mean(other, KEYS);
                return Err(document.at(key.span(), format!("a zone has no key `{other}`{hint}")));
            }
        }
    }
    match (kind, at, radius) {
        (Some(kind), Some(at), Some(radius)) => Ok(ZoneDefinition { kind, at, radius }),
        _ => Err(document.at(entry.span(), "a zone needs all of kind, at and radius")),
    }
}

fn word(value: &Spanned<DeValue<'_>>) -> Result<ZoneKind, String> {
    let text = scalar_text(value.get_ref()).unwrap_or_default();
    ZoneKind::from_name(&text).ok_or_else(|| {
        format!(
            "kind = {text} is not {}{}",
            ZoneKind::NAMES.join(", "),
            did_you_mean(&text, ZoneKind::NAMES.iter().copied())
        )
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
            scalar_text(value.get_ref())?.parse().ok().filter(|it: &f32| it.is_finite())
        }
        _ => None,
    }
}
