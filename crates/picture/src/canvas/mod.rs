//! Draws a flock into cells.
//!
//! A cell is 2 × 4 dots, like a braille character. A [`Canvas`] projects the flock with a [`Camera`], sums up the
//! boids in each cell, and fills the layers of a [`Picture`] that the [`View`] asks for: cells, glow, trails, heat
//! map, scenery, minimap. Their values index color ramps of 256 entries; the viewer chooses the colors.

mod camera;
mod layers;
mod picture;
mod projection;
mod raster;
mod renderer;
mod smoothing;
mod tiles;
mod view;

pub use camera::controller::{Aim, Follow, Followed, MAX_ZOOM};
pub use camera::{Camera, Ray, ScreenPoint};
pub use picture::{
    BodyStyle, Cell, CellGrid, Content, DOTS_HIGH, DOTS_WIDE, EdgeArrow, Glow, Layers, Minimap, Picture, PlacedGlyph,
    SceneryCell, SceneryKind, Trail, bit, size_in_dots,
};
pub use renderer::{Canvas, ViewInfo};
pub use tiles::{Tile, TileGrid};
pub use view::{CanvasFormat, View};

/// Replaces the values of a buffer by this many equal ones.
fn refill<T: Clone>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}

/// Flocks of the program's presets.
#[cfg(test)]
pub(crate) mod presets {
    use std::fs;
    use std::path::Path;

    use flockscope_sim::{Param, Params, Setup, Start, World};
    use toml::{Table, Value};

    /// A preset with this seed, in its world or in one of this width / height.
    pub fn setup(name: &str, seed: u64, shape: f32) -> Setup {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/config/presets/builtin");
        let preset: Table = fs::read_to_string(folder.join(name).with_extension("toml")).unwrap().parse().unwrap();
        let number = |key: &str| preset.get(key).map_or(0.0, |value| text(value).parse::<f32>().unwrap());
        let mut params = Params::default();
        for (key, value) in &preset {
            match value {
                Value::Table(group) => {
                    group.iter().for_each(|(inner, value)| set(&mut params, &format!("{key}.{inner}"), value));
                }
                value if Param::find(key).is_some() => set(&mut params, key, value),
                _ => {}
            }
        }
        let world = match text(&preset["world"]).as_str() {
            "auto" => World::of_area(number("area") * number("boids"), shape),
            world => world.parse().unwrap(),
        };
        let start = preset.get("start").map_or(Start::Scatter, |start| Start::from_name(&text(start)).unwrap());
        let [boids, predators] = ["boids", "predators"].map(|key| number(key) as usize);
        Setup { params, world, start, boids, predators, seed, zones: Vec::new() }
    }

    fn set(params: &mut Params, key: &str, value: &Value) {
        params.set(key, Param::find(key).unwrap().parse(&text(value)).unwrap()).unwrap();
    }

    fn text(value: &Value) -> String {
        match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            _ => panic!("{value:?}"),
        }
    }
}
