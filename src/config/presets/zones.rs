//! The zones of a preset: one `[[zone]]` table each.

use serde::de::{Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::DeValue;

use crate::config::errors::{ConfigError, did_you_mean};
use crate::config::files::Document;
use crate::sim::{MAX_ZONES, World, Zone, ZoneKind};

/// A zone relative to the size of the world.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ZoneDefinition {
    /// Obstacle, food or roost.
    #[serde(deserialize_with = "read_kind")]
    pub kind: ZoneKind,
    /// The center, as fractions of the world's bounding box.
    #[serde(deserialize_with = "read_fractions")]
    pub at: [f32; 3],
    /// The radius, in u.
    #[serde(deserialize_with = "read_radius")]
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
pub(super) fn read_zones(
    document: Document<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<ZoneDefinition>, ConfigError> {
    let DeValue::Array(list) = value.get_ref() else {
        return Err(document.at(value.span(), "`zone` must be a list of tables, each under [[zone]]"));
    };
    if list.len() > MAX_ZONES {
        return Err(document.at(value.span(), format!("too many zones (maximum {MAX_ZONES})")));
    }
    if let Some(other) = list.iter().find(|zone| !matches!(zone.get_ref(), DeValue::Table(_))) {
        return Err(document.at(other.span(), "each zone must be a table, under [[zone]]"));
    }
    Vec::deserialize(value.clone().into_deserializer()).map_err(|error| document.toml_error(&error))
}

fn read_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ZoneKind, D::Error> {
    let text = String::deserialize(deserializer)?;
    ZoneKind::from_name(&text).ok_or_else(|| {
        let hint = did_you_mean(&text, ZoneKind::NAMES.iter().copied());
        D::Error::custom(format!("kind = {text} is not one of {}{hint}", ZoneKind::NAMES.join(", ")))
    })
}

/// Two or three fractions; the third defaults to 0.5.
fn read_fractions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f32; 3], D::Error> {
    let at = match Vec::deserialize(deserializer)?[..] {
        [x, y] => [x, y, 0.5],
        [x, y, z] => [x, y, z],
        _ => [f32::NAN; 3],
    };
    if at.iter().all(|fraction| (0.0..=1.0).contains(fraction)) {
        return Ok(at);
    }
    Err(D::Error::custom("at takes two or three fractions of the world's size, 0 to 1, such as [0.5, 0.25]"))
}

fn read_radius<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    let radius = f32::deserialize(deserializer)?;
    let is_valid = radius.is_finite() && radius > 0.0;
    is_valid.then_some(radius).ok_or_else(|| D::Error::custom("radius takes a number above 0, in u"))
}
