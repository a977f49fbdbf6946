//! The world and the zones of a preset, as the user specifies them.

use std::str::FromStr;

use serde::de::{Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::DeValue;

use crate::config::files::Document;
use crate::error::{InputError, did_you_mean};
use crate::sim::{Edge, MAX_ZONES, Params, World, Zone, ZoneKind};

/// Minimum side of a world with turning edges, in margins: in a smaller one, most boids are turning back or outside.
const MIN_WORLD_MARGINS: f32 = 4.0;

/// A fixed world, or one with the shape of the canvas and the density of the preset.
#[derive(Clone, Copy, Debug, PartialEq, strum::Display)]
pub enum WorldSize {
    /// `auto`.
    #[strum(to_string = "auto")]
    Auto,
    /// `WxH`, `WxHxD` or `round:R`.
    #[strum(to_string = "{0}")]
    Fixed(World),
}

impl WorldSize {
    /// Whether the world is three-dimensional.
    pub fn is_3d(&self) -> bool {
        matches!(self, Self::Fixed(world) if world.dim() == 3)
    }
}

impl FromStr for WorldSize {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => Ok(Self::Fixed(text.parse()?)),
        }
    }
}

/// The world of an area, in u², and a shape (width / height), enlarged if turning edges would leave too little space.
pub(crate) fn auto_world(area: f32, shape: f32, params: &Params) -> World {
    let margin = if params.edge.mode == Edge::Turn { params.edge.margin } else { 0.0 };
    let height = MIN_WORLD_MARGINS * margin * (1.0 / shape).max(1.0);
    World::of_area(area.max(height * height * shape), shape)
}

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
    pub fn of(zone: &Zone, world: &World) -> Self {
        let (origin, size) = (world.origin(), world.size());
        let at = [0, 1, 2].map(|axis| {
            if size[axis] > 0.0 { ((zone.center[axis] - origin[axis]) / size[axis]).clamp(0.0, 1.0) } else { 0.5 }
        });
        Self { kind: zone.kind, at, radius: zone.radius }
    }

    /// The zone in a world.
    pub fn zone(&self, world: &World) -> Zone {
        let (origin, size) = (world.origin(), world.size());
        Zone::new(self.kind, [0, 1, 2].map(|axis| origin[axis] + self.at[axis] * size[axis]), self.radius)
    }
}

/// Reads the `zone` key of a preset.
pub(super) fn read_zones(
    document: Document<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<ZoneDefinition>, InputError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::sim::{Flock, Scratch, Setup};

    #[test]
    fn small_flocks_get_enough_space_between_the_edges() {
        let preset = Preset::load("starlings").unwrap();
        for shape in [0.2, 0.7, 1.0, 1.6, 7.0] {
            let [width, height, _] = preset.world_for(3, shape).size();
            let least = MIN_WORLD_MARGINS * preset.params.edge.margin;
            assert!((width.min(height) - least).abs() < 0.1, "{width} {height}");
            assert!((width / height - shape).abs() < 0.01, "{width} {height}");
        }
        let full = preset.world_for(preset.boids, 1.6);
        assert_eq!(full, World::of_area(preset.area * preset.boids as f32, 1.6));
        for boids in [10, 40, 300] {
            let world = preset.world_for(boids, 1.6);
            let [width, height, _] = world.size();
            let inside = (1..=12).map(|seed| {
                let mut flock = Flock::new(&Setup { world, boids, ..preset.setup(seed, 1.6) }).unwrap();
                let scratch = &mut Scratch::new();
                (0..400).for_each(|_| flock.step(scratch));
                let [x, y] = [0, 1].map(|axis| flock.agents().positions(axis));
                x.iter().zip(y).filter(|(x, y)| (0.0..width).contains(*x) && (0.0..height).contains(*y)).count()
            });
            // On average over seeds: a single flock may be turning back.
            let sum = inside.sum::<usize>();
            assert!(sum * 4 >= 12 * boids * 3, "{sum} of {}", 12 * boids);
        }
    }
}
