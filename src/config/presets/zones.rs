//! The zones of a preset: one `[[zone]]` table each.

use toml::Spanned;
use toml::de::DeValue;

use crate::config::errors::{Error, did_you_mean};
use crate::config::files::{Document, scalar_text};
use crate::sim::{MAX_ZONES, World, Zone, ZoneKind};

/// The keys of a `[[zone]]`.
const KEYS: [&str; 3] = ["kind", "at", "radius"];

/// A zone relative to the size of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneDefinition {
    /// Obstacle, food or roost.
    pub kind: ZoneKind,
    /// The center, as fractions of the world's bounding box.
    pub at: [f32; 3],
    /// The radius, in u.
    pub radius: f32,
}

impl ZoneDefinition {
    /// The definition of a zone in a world, with any food restored.
    #[must_use]
    pub fn of(zone: &Zone, world: &World) -> Self {
        let (origin, size) = (world.origin(), world.size());
        let fraction = |axis: usize| {
            if size[axis] > 0.0 { ((zone.center[axis] - origin[axis]) / size[axis]).clamp(0.0, 1.0) } else { 0.5 }
        };
        Self { kind: zone.kind, at: [0, 1, 2].map(fraction), radius: zone.radius }
    }

    /// The zone in a world.
    #[must_use]
    pub fn zone(&self, world: &World) -> Zone {
        let (origin, size) = (world.origin(), world.size());
        Zone::new(self.kind, [0, 1, 2].map(|axis| origin[axis] + self.at[axis] * size[axis]), self.radius)
    }
}

/// Reads the `zone` key of a preset.
pub(super) fn read_zones(document: Document<'_>, value: &Spanned<DeValue<'_>>) -> Result<Vec<ZoneDefinition>, Error> {
    let DeValue::Array(list) = value.get_ref() else {
        return Err(document.at(value.span(), "`zone` must be a list of tables, each under [[zone]]"));
    };
    if list.len() > MAX_ZONES {
        return Err(document.at(value.span(), format!("too many zones (maximum {MAX_ZONES})")));
    }
    list.iter().map(|entry| read_zone(document, entry)).collect()
}

fn read_zone(document: Document<'_>, entry: &Spanned<DeValue<'_>>) -> Result<ZoneDefinition, Error> {
    let DeValue::Table(table) = entry.get_ref() else {
        return Err(document.at(entry.span(), "a zone is a table: [[zone]] with kind, at and radius"));
    };
    let (mut kind, mut at, mut radius) = (None, None, None);
    for (key, value) in table {
        let at_value = |message: String| document.at(value.span(), message);
        match &**key.get_ref() {
            "kind" => kind = Some(read_kind(value.get_ref()).map_err(at_value)?),
            "at" => {
                at = Some(fractions(value.get_ref()).ok_or_else(|| {
                    at_value("at takes two or three fractions of the world's size, 0 to 1, such as [0.5, 0.25]".into())
                })?)
            }
            "radius" => {
                let number = number(value.get_ref()).filter(|radius| *radius > 0.0);
                radius = Some(number.ok_or_else(|| at_value("radius takes a number above 0, in u".into()))?);
            }
            other => {
                let hint = did_you_mean(other, KEYS);
                return Err(document.at(key.span(), format!("unknown key `{other}` of a zone{hint}")));
            }
        }
    }
    match (kind, at, radius) {
        (Some(kind), Some(at), Some(radius)) => Ok(ZoneDefinition { kind, at, radius }),
        _ => Err(document.at(entry.span(), "a zone needs kind, at and radius")),
    }
}

fn read_kind(value: &DeValue<'_>) -> Result<ZoneKind, String> {
    let text = scalar_text(value).unwrap_or_default();
    ZoneKind::from_name(&text).ok_or_else(|| {
        let hint = did_you_mean(&text, ZoneKind::NAMES.iter().copied());
        format!("kind = {text} is not one of {}{hint}", ZoneKind::NAMES.join(", "))
    })
}

/// Two or three fractions; the third defaults to 0.5.
fn fractions(value: &DeValue<'_>) -> Option<[f32; 3]> {
    let DeValue::Array(list) = value else { return None };
    let fraction = |value: &Spanned<DeValue<'_>>| number(value.get_ref()).filter(|at| (0.0..=1.0).contains(at));
    match list.iter().map(fraction).collect::<Option<Vec<_>>>()?[..] {
        [x, y] => Some([x, y, 0.5]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

fn number(value: &DeValue<'_>) -> Option<f32> {
    let is_number = matches!(value, DeValue::Integer(_) | DeValue::Float(_));
    scalar_text(value).filter(|_| is_number)?.parse().ok().filter(|number: &f32| number.is_finite())
}
